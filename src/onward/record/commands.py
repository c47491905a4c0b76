"""The normal form of a command, by which the same command is known again; commands that only look.

`FOO=1 timeout 60 npx vitest run ./src/a.test.ts --reporter=dot` and
`pnpm exec vitest run src/a.test.ts` are both `vitest run src/a.test.ts`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from onward import paths
from onward.record.shell import Command, bare, program_name
from onward.record.text import vocabulary

_WITH_SUBCOMMAND = vocabulary(
    """npm pnpm yarn bun deno cargo go docker docker-compose podman kubectl helm gh glab git jj make
    just task rake mvn mvnw gradle gradlew dotnet swift xcodebuild flutter dart terraform tofu
    aws gcloud az pip pip3 uv poetry hatch pdm conda rails mix composer artisan bundle supabase
    vercel netlify wrangler prisma drizzle-kit alembic fly flyctl heroku firebase expo eas tauri
    next nuxt vite vitest playwright cypress turbo nx lerna tox nox ruff biome pre-commit brew apt
    apt-get systemctl pm2 railway bazel zig meson stack cabal lake sam cdk pulumi ansible
    tmux screen adb pod fastlane stripe doctl rustup nvm mise manage.py"""
)
_TWO_LEVELS = vocabulary("gh glab aws gcloud az kubectl supabase fly flyctl docker uv")
_SCRIPT_RUNNERS = frozenset({"npm", "pnpm", "yarn", "bun", "composer", "mise", "deno", "turbo"})
_PLACE_OPTIONS = frozenset(
    {"-C", "--prefix", "--dir", "--cwd", "--directory", "--project-directory", "--work-tree"}
)
"""Options before or behind the subcommand that say where, not what."""
_VALUED = vocabulary(
    """-m -n -p -c -f -o -X -H -u -e -w -j -s -F -R -L -D -W -A --config --filter --project
    --workspace --timeout --max-warnings --reporter --json --jq --limit --state --repo --data
    --header --request --maxfail --tb --cov --format --log-level --env-file --port --host
    --features --package --title --body --label --name --manifest-path --target --rootdir
    --output --file --message --base --head --git-dir --settings --log-file"""
)
"""Options whose next word is their value, not the main argument."""
_NARROWING = vocabulary("-k -t -run --run --grep -g --testNamePattern --tests --filter --test")
_INTERPRETERS = vocabulary("node ruby php tsx ts-node Rscript java perl deno bun")
_SHELLS = frozenset({"bash", "sh", "zsh", "pwsh", "powershell"})
_INLINE = frozenset({"-e", "-r", "-p", "--eval", "-pe"})
_PYTHON = re.compile(r"python[\d.]*|py|pypy3?")
_INSTALLED = re.compile(r"(?:^|/)(?:bin|\.bin|Scripts|shims|node_modules)/|\.exe$")
_NO_ARGUMENT = re.compile(r"\$\(|[A-Za-z_]\w*=|[{}\]\\]$")


class Form(NamedTuple):
    """What one would say the command is. `narrow` is a filter by test name, if any."""

    program: str
    sub: str = ""
    arg: str = ""
    narrow: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """The form as words again; their form is this one without `narrow`."""
        return tuple(w for w in (self.program, *self.sub.split(" "), self.arg) if w)


@lru_cache(maxsize=512)
def normal_form(words: tuple[str, ...], root: str = "") -> Form | None:
    """The form of a simple command; None where there is only an assignment or a wrapper."""
    words = tuple(w for w in bare(words) if w)
    if not words:
        return None
    program, rest = program_name(words[0]), list(words[1:])
    if program == "php" and rest[:1] == ["artisan"]:
        program, rest = "artisan", rest[1:]
    if _PYTHON.fullmatch(program.lower()):
        return _python(rest, root)
    if program in _SHELLS:
        return _script(program, rest, root)
    if program in _INTERPRETERS and rest[:1] and rest[0] in _INLINE:
        return Form(program, "-e")
    where = words[0].replace("\\", "/")
    if "/" in where and not _INSTALLED.search(where) and program not in _WITH_SUBCOMMAND:
        return Form(_short(words[0], root), "", _main(rest, root), _narrow(rest))
    return _with_sub(program, rest, root)


def first_as_sub(form: Form, words: tuple[str, ...], root: str = "") -> Form:
    """The form of a program that is not known to have subcommands, as if it had: `tspec test`."""
    rest = list(bare(words)[1:])
    if form.sub or form.arg not in rest:
        return form
    rest = rest[rest.index(form.arg) + 1 :]
    return Form(form.program, form.arg, _main(rest, root), _narrow(rest))


def is_inline(form: Form) -> bool:
    """Whether a program was given a script on its command line: no two of these are the same."""
    return form.sub in {"-c", "-e"} or (form.program in _INTERPRETERS | {"python"} and not form.arg)


def is_narrow(form: Form) -> bool:
    """Whether only a part was run: one file, one package, one test."""
    return bool(form.narrow) or form.arg not in {"", ".", "./...", "tests", "test", "src", "-"}


def covers(wide: Form, narrow: Form) -> bool:
    """Whether a pass of `wide` also says that what `narrow` runs has passed."""
    if wide[:2] != narrow[:2] or not _selects(wide.narrow, narrow.narrow):
        return False
    if wide.arg == narrow.arg or not is_narrow(wide._replace(narrow="")):
        return True
    return narrow.arg.startswith((wide.arg.rstrip("/") + "/", wide.arg + "::"))


def _selects(wide: str, narrow: str) -> bool:
    """Whether a filter by name lets through what another does: `TestA` all of `TestA_One`."""
    if not wide or wide == narrow:
        return True
    parts = [part.strip("^$") for part in wide.split("|")]
    return bool(narrow) and all(
        any(part and part in name for part in parts) for name in narrow.split("|")
    )


def folder_of(command: Command) -> str:
    """Where a command works: its folder, or what `-C`, `--prefix` and their like say."""
    words = command.words
    for at, word in enumerate(words[:-1]):
        if word in _PLACE_OPTIONS and paths.known(words[at + 1]):
            program = program_name(bare(words)[0]) if bare(words) else ""
            if word != "-C" or program in {"git", "make", "pnpm", "ninja", "go", "npm"}:
                return paths.join(command.cwd, words[at + 1])
    return paths.tidy(command.cwd)


def _script(shell: str, rest: list[str], root: str) -> Form:
    """A script that a shell was given: the script is the program."""
    script = next((w for w in rest if not w.startswith("-")), "")
    if not script:
        return Form(shell)
    return Form(_short(script, root), "", _main(rest[rest.index(script) + 1 :], root))


def _python(rest: list[str], root: str) -> Form | None:
    for at, word in enumerate(rest):
        if word == "-m" and at + 1 < len(rest):
            return normal_form(tuple(rest[at + 1 :]), root)
        if word in {"-c", "-"}:
            return Form("python", "-c")
        if not word.startswith("-"):
            if word.replace("\\", "/").rsplit("/", 1)[-1] == "manage.py":
                return _with_sub("manage.py", rest[at + 1 :], root)
            return Form("python", "", _short(word, root))
    return Form("python")


def _with_sub(program: str, rest: list[str], root: str) -> Form:
    if program not in _WITH_SUBCOMMAND:
        return Form(program, "", _main(rest, root), _narrow(rest))
    rest = _without_places(rest)
    sub = _take(rest, program)
    if program in _SCRIPT_RUNNERS and sub in {"run", "run-script", "task"}:
        sub = _take(rest, program) or sub
    if program == "npm" and sub in {"t", "tst"}:
        sub = "test"
    two = program in _TWO_LEVELS and (program not in {"docker", "uv"} or sub in {"compose", "pip"})
    if two:
        left = rest.copy()
        second = _take(left, program)
        if re.fullmatch(r"[a-z][a-z-]*", second):
            sub, rest = f"{sub} {second}", left
    if "/" in sub or "\\" in sub:
        sub = _short(sub, root)
    return Form(program, sub, _main(rest, root), _narrow(rest))


def _take(rest: list[str], program: str) -> str:
    """The subcommand: the first word that is no option (and for make no variable)."""
    skip = False
    for at, word in enumerate(rest):
        if skip or word.startswith("-"):
            valued = word in {"-f", "-c", "--filter", "-F", "--manifest-path", "-w", "--workspace"}
            skip = not skip and valued
            continue
        if program == "make" and "=" in word:
            continue
        return rest.pop(at)
    return ""


def _without_places(rest: list[str]) -> list[str]:
    out: list[str] = []
    skip = False
    for word in rest:
        if skip:
            skip = False
        elif word in _PLACE_OPTIONS:
            skip = True
        else:
            out.append(word)
    return out


def _main(words: list[str], root: str) -> str:
    """The main argument: the first word that is neither an option nor an option's value."""
    skip = False
    address = next((w for w in words if w.startswith(("http://", "https://"))), "")
    if address:
        return address.split("?", 1)[0][:120]
    for word in words:
        if skip:
            skip = False
        elif word.startswith("-"):
            skip = word in _VALUED or word in _NARROWING
        elif not _NO_ARGUMENT.match(word):
            return _short(word, root)[:120]
    return ""


def _narrow(words: list[str]) -> str:
    """The filter by name: value of `-k`, `-t`, `-run` and their like."""
    for at, word in enumerate(words[:-1]):
        if word in _NARROWING:
            return words[at + 1][:120]
    return ""


def _short(word: str, root: str) -> str:
    """A path argument below the root without the root and without `./`."""
    word = word.replace("\\", "/")
    if word in {"./...", "."}:
        return word
    if root and word.startswith(root.rstrip("/") + "/"):
        word = word[len(root.rstrip("/")) + 1 :]
    while word.startswith("./"):
        word = word[2:]
    return word.rstrip("/") or word


_READERS = vocabulary(
    """ls cat head tail grep egrep fgrep rg ag find fd wc echo printf pwd which type file stat diff
    cmp comm du df ps lsof sort uniq cut tr awk sed jq yq column tree date env less more basename
    dirname realpath readlink id whoami hostname uname printenv xxd od strings md5sum sha256sum
    shasum sleep true false test [ [[ cd pushd popd export unset set source . history man nl tac
    pgrep seq yes watch tput clear return exit wait for done fi esac case in select read xargs
    get-content get-childitem get-item get-location get-process test-path select-string
    select-object where-object foreach-object sort-object measure-object write-host write-output
    format-table format-list out-string out-null dir findstr where set-location convertfrom-json
    convertto-json invoke-webrequest timeout gtimeout time trap break shift local function else
    then do netstat ss ping nslookup dig host traceroute free lscpu umask ulimit alias hash declare readonly let"""
)
_GIT_READS = vocabulary(
    """status diff log show blame ls-files ls-tree ls-remote rev-parse rev-list cat-file grep
    describe shortlog reflog merge-base symbolic-ref for-each-ref remote config fetch check-ignore
    name-rev show-ref count-objects whatchanged range-diff help version"""
)
_SUB_READS = vocabulary(
    """ls list view status st logs log show ps get describe inspect info diff checks version help
    top events outdated why images search config whoami"""
)
_PLAIN = vocabulary(
    """mkdir rmdir touch chmod chown cp mv rm ln tee kill pkill killall unzip zip tar apply_patch
    ssh sshpass scp rsync open new-item remove-item set-content out-file add-content move-item
    copy-item md del copy move rd eval install patch dd mktemp stop-process tmux screen perl
    code"""
)
_IN_PLACE = re.compile(r"-(?:(?![efFIMmvx])[^\W_])*i|--in-place\b")
_ASKS = frozenset({"--version", "-V", "--help", "-h", "-version", "version"})


def is_looking(command: Command) -> bool:
    """Whether a command changes nothing and checks nothing: `ls`, `git status`, `--version`."""
    form = normal_form(command.words)
    if form is None:
        return True
    words = command.words
    program = form.program.lower()
    if program in {"sed", "perl", "awk"}:
        return not in_place(words)
    # `npm version patch` and `psql -h db` ask for nothing: only a last word asks.
    if program in _READERS or _ASKS & {*words[-1:]} or "--help" in words:
        return True
    if program == "git":
        return form.sub in _GIT_READS or (
            form.sub in {"branch", "tag", "stash"} and (not form.arg or form.arg in _SUB_READS)
        )
    return bool(form.sub) and form.sub.split(" ")[-1] in _SUB_READS and program != "bun"


def in_place(words: Sequence[str]) -> bool:
    """Whether `sed` or `perl` writes into its files: `-i.bak`, `-Ei`, `-0pi`, `--in-place`. A
    letter that takes a value ends a word of options: `-Ilib` and `-efinal` are none.
    """
    options = words[1 : words.index("--")] if "--" in words else words[1:]
    return any(_IN_PLACE.match(word) for word in options)


def is_plain(form: Form) -> bool:
    """A command that every agent knows: to carry it over is worth nothing."""
    program = form.program.lower()
    return (
        program in _READERS
        or program in _PLAIN
        or program == "git"
        or (form.sub in {"-c", "-e"})
        or (program in {"python", "node", "ruby", "php"} and form.arg in {"", "-"} and not form.sub)
        or not program  # a bare `./`
        or not (program[0].isalpha() or program[0] in "_./~@")
        or any(c in program for c in "$(){}[]=*'\"`,;<>|&!")
    )
