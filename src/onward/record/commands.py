"""What a command is: its normal form, by which the same command is known again, whether it only
looks, which kind of check it is, and which files it reads.

`FOO=1 timeout 60 npx vitest run ./src/a.test.ts --reporter=dot` and
`pnpm exec vitest run src/a.test.ts` are both `vitest run src/a.test.ts`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import dropwhile, pairwise, takewhile
from typing import Literal, NamedTuple

from onward import paths
from onward.model import Ran
from onward.record.shell import Command, bare, program_name, split
from onward.record.text import vocabulary

_WITH_SUBCOMMAND = vocabulary(
    """npm pnpm yarn bun deno cargo go docker docker-compose podman kubectl helm gh glab git jj make
    just task rake mvn mvnw gradle gradlew dotnet swift xcodebuild flutter dart terraform tofu
    aws gcloud az pip pip3 uv poetry hatch pdm conda rails mix composer artisan bundle supabase
    vercel netlify wrangler prisma drizzle-kit alembic fly flyctl heroku firebase expo eas tauri
    next nuxt vite vitest playwright cypress turbo nx lerna tox nox ruff biome pre-commit brew apt
    apt-get systemctl pm2 bazel zig meson stack cabal tmux screen adb pod rustup nvm mise manage.py"""
)
_TWO_LEVELS = vocabulary("gh glab aws gcloud az kubectl supabase fly flyctl docker uv")
_SCRIPT_RUNNERS = frozenset({"npm", "pnpm", "yarn", "bun", "composer", "mise", "deno", "turbo"})
_PLACE_OPTIONS = frozenset(
    {"-C", "--prefix", "--dir", "--cwd", "--directory", "--project-directory", "--work-tree"}
)
"""Options before or behind the subcommand that say where, not what."""
_VALUED = vocabulary(
    """-m -n -p -c -f -o -X -tags --tags -H -u -e -w -j -s -F -R -L -D -W -A --config --filter --project
    --workspace --timeout --max-warnings --reporter --json --jq --limit --state --repo --data
    --header --request --maxfail --tb --cov --format --log-level --env-file --port --host
    --features --package --title --body --label --name --manifest-path --target --rootdir
    --output --file --message --base --head --git-dir --settings --log-file"""
)
"""Options whose next word is their value, not the main argument."""
_BEFORE_SUB = vocabulary("-f -c --filter -F --manifest-path -w --workspace")
"""The same of those that may stand before the subcommand."""
_PACKAGE = re.compile(r"-p|--package(?:=(.*))?")
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


@lru_cache(maxsize=512)
def normal_form(words: tuple[str, ...], root: str = "") -> Form | None:
    """The form of a simple command; None where there is only an assignment or a wrapper."""
    words = tuple(w for w in bare(words) if w)
    if not words:
        return None
    program, rest = program_name(words[0]), list(words[1:])
    if _PYTHON.fullmatch(program.lower()):
        return _python(rest, root)
    if program in _SHELLS:  # the script that it was given is the program
        given = list(dropwhile(lambda word: word.startswith("-"), rest))
        before = rest[len(rest) - len(given) - 1] if given and given != rest else ""
        if re.fullmatch(r"-[a-z]*o", before):  # `-euo pipefail`: the option's own word
            given = list(dropwhile(lambda word: word.startswith("-"), given[1:]))
        return Form(_short(given[0], root), "", _main(given[1:], root)) if given else Form(program)
    if program in _INTERPRETERS and rest[:1] and rest[0] in _INLINE:
        return Form(program, "-e")
    where = words[0].replace("\\", "/")
    if "/" in where and not _INSTALLED.search(where) and program not in _WITH_SUBCOMMAND:
        return Form(_short(words[0], root), "", _main(rest, root), _narrow(rest))
    return _with_sub(program, rest, root)


def forms_of(script: str) -> tuple[Form, ...]:
    """The forms of the commands of a script."""
    return tuple(form for each in split(script) if (form := normal_form(each.words)))


def first_as_sub(form: Form, words: tuple[str, ...], root: str = "") -> Form:
    """The form of a program that is not known to have subcommands, as if it had: `tspec test`."""
    rest = list(bare(words)[1:])
    if form.sub or form.arg not in rest:
        return form
    rest = rest[rest.index(form.arg) + 1 :]
    return Form(form.program, form.arg, _packaged(rest, root), _narrow(rest))


def is_known(program: str) -> bool:
    """Whether it is a program that many projects use, whose subcommands mean what they mean there."""
    return program_name(program) in _WITH_SUBCOMMAND


def is_inline(form: Form) -> bool:
    """Whether a program was given a script on its command line: no two of these are the same."""
    return form.sub in {"-c", "-e"} or (form.program in _INTERPRETERS | {"python"} and not form.arg)


def is_narrow(form: Form) -> bool:
    """Whether only a part was run: one file, one package, one test."""
    return bool(form.narrow) or form.arg not in {"", ".", "./...", "tests", "test", "src", "-"}


def covers(wide: Form, narrow: Form) -> bool:
    """Whether a pass of `wide` also says that what `narrow` runs has passed."""
    if narrow == Form(wide.program) and not is_narrow(wide):
        return True  # of `vitest` that is known alone, `vitest run` is all
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
    program = program_name(next(iter(bare(command.words)), ""))
    for word, after in pairwise(command.words):
        says = word != "-C" or program in {"git", "make", "pnpm", "ninja", "go", "npm"}
        is_place = word in _PLACE_OPTIONS or (word == "-R" and program == "jj")
        if is_place and says and paths.known(after):
            return paths.join(command.cwd, after)
    return paths.tidy(command.cwd)


def _python(rest: list[str], root: str) -> Form | None:
    for at, word in enumerate(rest):
        if word == "-m" and at + 1 < len(rest):
            return normal_form(tuple(rest[at + 1 :]), root)
        if word in {"-c", "-"}:
            return Form("python", "-c")
        if not word.startswith("-"):
            if program_name(word) == "manage.py":
                return _with_sub("manage.py", rest[at + 1 :], root)
            return Form("python", "", _short(word, root))
    return Form("python")


def _with_sub(program: str, rest: list[str], root: str) -> Form:
    if program not in _WITH_SUBCOMMAND:
        return Form(program, "", _main(rest, root), _narrow(rest))
    rest = [w for w in rest if w != "-c" or program != "go"]  # it takes no value there
    before = ["", *rest]
    rest = [w for n, w in enumerate(rest) if not {w, before[n]} & _PLACE_OPTIONS]
    sub = _take(rest, program)
    if program in _SCRIPT_RUNNERS and sub in {"run", "run-script", "task"}:
        sub = _take(rest, program) or sub
    if program == "npm" and sub in {"t", "tst"}:
        sub = "test"
    if program in _TWO_LEVELS and (program not in {"docker", "uv"} or sub in {"compose", "pip"}):
        left = rest.copy()
        second = _take(left, program)
        if re.fullmatch(r"[a-z][a-z-]*", second):
            sub, rest = f"{sub} {second}", left
    if "/" in sub or "\\" in sub:
        sub = _short(sub, root)
    arg = _packaged(rest, root) if program == "cargo" else _main(rest, root)
    return Form(program, sub, arg, _narrow(rest))


def _packaged(words: list[str], root: str) -> str:
    """The main argument behind the packages that it is of."""
    own = [*takewhile(lambda word: word != "--", words), ""]
    asked = ((_PACKAGE.fullmatch(word), after) for word, after in pairwise(own))
    named = sorted(found[1] or after for found, after in asked if found)
    return "/".join(filter(None, ["+".join(named), _main(words, root)]))


def _take(rest: list[str], program: str) -> str:
    """The subcommand: the first word that is no option (and for make no variable)."""
    skip = False
    for at, word in enumerate(rest):
        if skip or word.startswith("-"):
            skip = not skip and word in _BEFORE_SUB
        elif program != "make" or "=" not in word:
            return rest.pop(at)
    return ""


def _main(words: list[str], root: str) -> str:
    """The main argument: the first word that is neither an option nor an option's value."""
    address = next((w for w in words if w.startswith(("http://", "https://"))), "")
    if address:
        return address.split("?", 1)[0][:120]
    for before, word in pairwise(["", *words]):
        is_value = before in _VALUED or before in _NARROWING
        if not (is_value or word.startswith("-") or _NO_ARGUMENT.match(word)):
            return _short(word, root)[:120]
    return ""


def _narrow(words: list[str]) -> str:
    """The filter by name: value of `-k`, `-t`, `-run` and their like."""
    return next((after[:120] for word, after in pairwise(words) if word in _NARROWING), "")


def _short(word: str, root: str) -> str:
    """A path argument below the root without the root and without `./`."""
    word = word.replace("\\", "/")
    if word in {"./...", "."}:
        return word
    word = word.removeprefix(root.rstrip("/") + "/") if root else word
    while word.startswith("./"):
        word = word[2:]
    return word.rstrip("/") or word


_READERS = vocabulary(
    """ls cat head tail grep egrep fgrep rg ag find fd wc echo printf pwd which type file stat diff
    cmp comm du df ps lsof sort uniq cut tr awk sed jq yq column tree date env less more basename
    dirname realpath readlink id whoami hostname uname printenv xxd od strings md5sum sha256sum
    shasum sleep true false test [ [[ cd pushd popd export unset set source . history man nl tac
    pgrep seq yes watch tput clear return exit wait for done fi esac case in select read xargs
    test-path select-string select-object
    where-object foreach-object sort-object measure-object write-host write-output format-table
    out-string out-null dir findstr where set-location convertfrom-json timeout gtimeout time trap
    break shift local function else then do netstat ss ping dig host umask ulimit alias declare
    readonly let"""
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
    ssh scp rsync open new-item remove-item set-content out-file add-content move-item copy-item md
    del copy move rd eval install patch dd mktemp stop-process tmux screen perl code continue break
    local declare readonly shift"""
)
_IN_PLACE = re.compile(r"-(?:(?![efFIMmvx])[^\W_])*i|--in-place\b")
_SENDS = re.compile(
    r" (?:-[a-zA-Z]*(?:X(?! (?:GET|HEAD|OPTIONS)\b)|[dFTO]|o(?! ?/dev/null))"
    r"|--(?:request|data|form|json|upload|output|remote-name))"
)
_LOCAL = re.compile(r"https?://(?:localhost|127\.|0\.0\.0\.0|\[::1\])")
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
    if program == "curl":  # whether a server of one's own answers is a trial of it
        elsewhere = any(w.startswith("http") and not _LOCAL.match(w) for w in words)
        return elsewhere and not _SENDS.search(" ".join(words))
    # `npm version patch` and `psql -h db` ask for nothing: only a last word asks.
    if _is_reader(program) or _ASKS & {*words[-1:]} or "--help" in words:
        return True
    if program == "git":
        return form.sub in _GIT_READS or (
            form.sub in {"branch", "tag", "stash"} and (not form.arg or form.arg in _SUB_READS)
        )
    return bool(form.sub) and form.sub.split(" ")[-1] in _SUB_READS and program != "bun"


def _is_reader(program: str) -> bool:
    """Whether a program only looks; PowerShell says so in a command's name."""
    return program in _READERS or program.startswith("get-")


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
        _is_reader(program)
        or program in _PLAIN
        or program == "git"
        or (form.sub in {"-c", "-e"})
        or (program in {"python", "node", "ruby", "php"} and form.arg in {"", "-"} and not form.sub)
        or not program  # a bare `./`
        or not (program[0].isalpha() or program[0] in "_./~@")
        or any(c in program for c in "$(){}[]=*'\"`,;<>|&!")
    )


# ---------------------------------------------------------------------- kinds of checks

Kind = Literal["test", "build", "lint", "types", "format", "other"]

_NAMES: tuple[tuple[Kind, str], ...] = (
    ("test", """pytest py.test jest vitest mocha ava tox nox unittest rspec phpunit pest ctest bats
        cypress karma tap behave gotestsum nosetests minitest cucumber jasmine ginkgo"""),
    ("lint", """eslint flake8 pylint shellcheck biome golangci-lint staticcheck rubocop phpstan ruff
        stylelint bandit knip oxlint ktlint swiftlint markdownlint actionlint hadolint yamllint
        py_compile compileall pre-commit clippy clang-tidy cppcheck lint-imports codespell"""),
    ("types", "mypy pyright basedpyright tsc vue-tsc svelte-check ty flow"),
    ("format", "prettier black isort gofmt goimports rustfmt clang-format shfmt dprint"),
    ("build", """webpack rollup esbuild tsup xcodebuild cmake ninja msbuild gcc g++ clang clang++ cc
        rustc javac hugo pdflatex latexmk parcel mkdocs sphinx-build bazel pyinstaller"""),
)  # fmt: skip
_PROGRAMS = {name: kind for kind, names in _NAMES for name in names.split()}
_SUB_WORDS: tuple[tuple[Kind, str], ...] = (
    ("test", "tests?|spec|specs|e2e|jest|vitest|pytest|nextest|unit|integration|check-tests"),
    ("types", "typecheck|typescript|type-check|types|tsc|mypy|pyright|check-types"),
    ("lint", "lint|eslint|clippy|vet|ruff|analyze|validate|linters?|check|precommit|pre-commit"),
    ("format", "fmt|format|prettier"),
    ("build", "build|compile|bundle|package|assemble|verify|dist|publish-local"),
)
_SUBS = tuple(
    (re.compile(rf"(?:^|[:._-])(?:{words})(?:$|[:._-])"), kind) for kind, words in _SUB_WORDS
)
_HOSTS = vocabulary(
    """npm pnpm yarn bun cargo go make just dotnet mvn mvnw gradle gradlew swift flutter dart deno
    turbo nx mix rake composer artisan rails task poetry hatch vite next nuxt playwright mise zig
    bazel stack cabal meson xcodebuild astro tauri docker node manage.py terraform lerna supabase"""
)
"""Programs whose subcommand says what is done."""
_OPTIONS: dict[str, dict[str, Kind]] = {
    "go": {"-c": "build"},
    "node": {"--test": "test", "--check": "lint", "-c": "lint"},
    "bash": {"-n": "lint"},
    "sh": {"-n": "lint"},
}
"""Programs that are a checker with one option alone."""
_NO_CHECK = frozenset(
    {"install", "add", "remove", "ci", "i", "publish", "get", "mod", "new", "init"}
)
_SCRIPT = re.compile(
    r"(?:^|/)(?:run[_-]?)?(?:all[_-]?)?tests?(?:[_-]\w+)?\.(?:sh|py|js|ts|mjs|ps1|rb)$"
)
_CHECK_SCRIPT = re.compile(r"(?:^|/)(?:lint|build|typecheck|check)\.(?:sh|py|js|ts|mjs|ps1)$")
_ONLY_ASKS = vocabulary(
    """--version --help -h -V --collect-only --co --list --list-tests --listTests --fixtures
    --markers --showConfig --print-config --init"""
)
_CHECKING = vocabulary(
    "--check -c -l --list-different --diff --dry-run --verify-no-changes -d -check"
)


def kind_of(form: Form, words: tuple[str, ...] = ()) -> Kind | None:
    """What kind of check a command is; None for any other, and for one that only asks.

    A formatter that rewrites is "format": it proves nothing.
    """
    if _ONLY_ASKS & set(words):
        return None
    options = _OPTIONS.get(program_name(words[0]), {}) if words else {}
    by_option = next((options[word] for word in words[1:] if word in options), None)
    kind = by_option or _by_program(form)
    checking = bool(_CHECKING & set(words)) or form.sub.endswith((":check", "-check"))
    return "lint" if kind == "format" and checking else kind


def kind_of_word(word: str, words: tuple[str, ...] = ()) -> Kind | None:
    """What a subcommand of a program that is not known says it is: `tspec clippy`."""
    kind = None if _ONLY_ASKS & set(words) else _by_sub(word.lower())
    return "lint" if kind == "format" and _CHECKING & set(words) else kind


def _by_program(form: Form) -> Kind | None:
    program, sub = form.program, form.sub
    if program in _PROGRAMS:
        return "format" if sub == "format" else _PROGRAMS[program]
    if program in _HOSTS and sub:
        # Some sound like a check and are none: `docker test-1`, `npm install`.
        only = {"docker": "build", "playwright": "test"}.get(program)
        other = only not in sub.split(" ") if only else sub in _NO_CHECK
        return None if other else _by_sub(sub.lower())
    return _by_script(program, form.arg)


def _by_sub(sub: str) -> Kind | None:
    return next((kind for pattern, kind in _SUBS if pattern.search(sub)), None)


def is_check_by_name(form: Form) -> bool:
    """Whether a check is one by the name of its script alone, which prints what it likes."""
    return not form.sub and _by_script(form.program, form.arg) is not None


def _by_script(program: str, arg: str) -> Kind | None:
    for name in (program, arg if program in {"python", "node", "ruby"} else ""):
        if _SCRIPT.search(name):
            return "test"
        found = _CHECK_SCRIPT.search(name)
        if found and not paths.apart(name):
            return _by_sub(name.rsplit("/", 1)[-1].split(".")[0])
    return None


# ------------------------------------------------------------ files that a command reads


def named_files(command: Command) -> tuple[str, ...]:
    """The files that a command names, joined with its folder."""
    words = [w for w in command.words if paths.known(w) and paths.has_suffix(w)]
    return tuple(paths.join(folder_of(command), word) for word in words)


_VIEWERS = vocabulary(
    """cat head tail less more bat nl tac wc diff cmp comm column sort xxd hexdump od file stat
    get-content type view"""
)
_SCRIPTED = vocabulary("sed gsed awk gawk jq yq perl grep egrep fgrep rg ag")
"""Programs whose first word is a pattern or a script, unless `-e` or `-f` gave it."""
_SEARCHES = vocabulary("grep egrep fgrep rg ag")
_GIT_SHOWS = vocabulary("diff show log blame grep")
_HIT = re.compile(r"^(?:\./)?([^\s:*?\"<>|]{1,200}\.[A-Za-z]\w{0,9})[:-]\d+[:-]", re.MULTILINE)
_GIVEN = vocabulary("-e -f --regexp --expression --file")
_FILTERS = vocabulary("-g --glob --iglob --include --exclude -t --type")
"""Options of a search whose value is neither a pattern nor a file."""
_FEW = 8
"""A search that hit more files than this has shown too little of each."""
_HITS_READ = 400


def consulted(ran: Ran) -> Iterator[str]:
    """Paths that a script which worked has read, joined with the folder, in order."""
    if ran.state != "done" or ran.failed is not False or ran.background or not ran.output.strip():
        return
    found: dict[str, None] = {}
    commands = split(ran.command, ran.cwd)
    alone = sum(not c.piped and c.words[:1] != ("cd",) for c in commands) == 1
    for command in commands:
        if command.before == "||":
            continue  # it ran only if the one before it failed
        if "/dev/null" in command.writes and not alone and command.then != "&&":
            continue  # it may not be there, and another one printed what there is
        program, *rest = bare(command.words) or ("",)
        program = program_name(program).lower()
        read = _read(program, rest) if program not in _SCRIPTED or is_looking(command) else []
        if named := [word for word in read if paths.known(word)]:
            folder = folder_of(command)
            if len(named) > 1 and _searches(program, *rest[:1]):
                # It says before each line which file it is of; the others may not even be there.
                named = [w for w in named if f"{w}:" in ran.output or f"{w}-" in ran.output]
            there = (word for word in named if f"{word}: No such file" not in ran.output)
            found |= dict.fromkeys(paths.join(folder, word) for word in there)
    yield from found


def is_search(ran: Ran) -> bool:
    """Whether a script only searches, in one file or in many."""
    whole = [c for c in split(ran.command, ran.cwd) if c.before != "|" and c.words[:1] != ("cd",)]
    return bool(whole) and all(_searches(*bare(c.words)[:2]) for c in whole)


def hits(ran: Ran) -> list[str]:
    """Files of which a script that only looks has printed lines, by one search, if they are few."""
    commands = split(ran.command, ran.cwd)
    found = [c for c in commands if _searches(*bare(c.words)[:2])]
    worked = ran.state == "done" and ran.failed is False and not ran.background
    if len(found) != 1 or not worked or not all(map(is_looking, commands)) or any(consulted(ran)):
        return []
    lines = "\n".join(ran.output.split("\n", _HITS_READ)[:_HITS_READ])
    named = dict.fromkeys(_HIT.findall(lines))
    return [paths.join(folder_of(found[0]), name) for name in named] if len(named) <= _FEW else []


def keeps_all(command: Command, lines: Sequence[str]) -> bool:
    """Whether `head -20` let all lines through, by those that it printed."""
    most = next((w.lstrip("-n") for w in command.words[1:] if w.lstrip("-n").isdecimal()), "10")
    return command.words[:1] == ("head",) and len(lines) < int(most)


def lets_through(words: Sequence[str], line: str) -> bool:
    """Whether a `grep` finds a line, as far as its pattern is letters and `.*` alone: one of somebody
    else's may take for ever to be matched.
    """
    options = "".join(w for w in words[1:] if re.match(r"-\w", w))
    given = [after for word, after in pairwise(words) if word == "-e"]
    plain = (w for w in words[1:] if w[:1] != "-" and not w.isdecimal())
    pattern = "|".join(given) or next(plain, "")
    if "i" in options:
        line, pattern = line.lower(), pattern.lower()
    alternatives = (re.split(r"\.[*+]", each) for each in re.split(r"\\?\|", pattern))
    bits = ([re.sub(r"\\.|[\^$()\[\]]", "", bit) for bit in each] for each in alternatives)
    return any(all(bit in line for bit in each) for each in bits) != (
        "v" in options or "--invert-match" in words
    )


def _searches(program: str = "", sub: str = "") -> bool:
    program = program_name(program).lower()
    return program in _SEARCHES or (program, sub) == ("git", "grep")


def _read(program: str, rest: list[str]) -> list[str]:
    if program in _VIEWERS:
        # Of PowerShell: `{ Get-Content a.md } else { Write-Output 'no a.md' }` may have read nothing.
        return [w for w in rest if paths.has_suffix(w) and "else" not in rest]
    if program in _SCRIPTED:
        return _behind_script(rest)
    sub = next((w for w in rest if w in _GIT_SHOWS), "") if program == "git" else ""
    if not sub:
        return []
    behind = rest[rest.index(sub) + 1 :]
    if sub == "grep":
        return _behind_script(behind)
    # `v1:a.py` is a file of that commit: whether it is still there is not known.
    named = [w.removeprefix("HEAD:") for w in behind if not w.startswith("-") and ".." not in w]
    return [w for w in named if ":" not in w and paths.has_suffix(w)]


def _behind_script(rest: list[str]) -> list[str]:
    """The files of `sed`, `awk`, `grep`, which stand behind a script or a pattern."""
    valued = zip(["", *rest], rest, strict=False)
    plain = [
        w
        for before, w in valued
        if w
        and w[0] != "-"
        and before not in _GIVEN | _FILTERS
        # `-A 20` is no pattern with a file behind it.
        and not (w.isdecimal() and before.startswith("-"))
    ]
    scripted = bool((_GIVEN | {"--files"}) & set(rest))
    return [w for w in plain[not scripted :] if paths.has_suffix(w)]
