"""The work tree as git itself told it last: what is uncommitted, what no push was seen of."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from onward import paths
from onward.model import Background, Event, GitSeen, Item, Linked, Moved, Ran
from onward.record.commands import folder_of, is_known, is_looking, keeps_all
from onward.record.commits import (
    PULL,
    PUSHED,
    Commits,
    both,
    files_in,
    git_words,
    takes_all,
    unquoted,
)
from onward.record.edits import is_in, is_under
from onward.record.runners import clean
from onward.record.shell import Command, bare, program_name, split
from onward.record.text import code, keep, one_line

_MOST, _LISTED, _OWN, _TREES = 200, 60, 80, 6
_CLEAN = re.compile(r"nothing to commit, working tree clean|The working copy has no changes\.")
_CHANGES = re.compile(r"^Working copy changes:\n((?:[MADRC] .+\n)+)", re.MULTILINE)
"""What jj lists as changed."""
_SHORT = re.compile(r"^(?:[MTADRCU][ MTADU]| [MTADRC]|\?\?) (.+)$", re.MULTILINE)
_LONG = re.compile(r"^\t(?:[a-z][a-z ]{2,17}: +)?(\S.*)$", re.MULTILINE)
_GONE = frozenset({" D", "AD", "MD"})
_HEAD = re.compile(r"^(?:On branch |HEAD detached |Not currently on any branch)", re.MULTILINE)
_CUT = re.compile(r"\[?\.\.\. ?(\d+) lines|truncated")
_AHEAD = re.compile(
    r"^Your branch is ahead of '[^']+' by (\d+) commit|^## .+ \[ahead (\d+)", re.MULTILINE
)
_LEVEL = re.compile(r"^Your branch is up to date with '|^## \S+?\.\.\.\S+$", re.MULTILINE)
_OFFERS = re.compile(
    r"^remote:\s+(?:To create a merge|Create a? ?pull) request for '?([^\s':]+)", re.MULTILINE
)
"""What a host answers to the push of a branch that no pull request is for."""
_BRANCH = re.compile(
    r"^(?:Switched to (?:a new )?branch '(?P<now>[^'\n]+)'"
    r"|On branch (?P<on>\S+)|## (?!HEAD |No commits|Initial commit)(?P<short>\S+?)(?=\.\.\.|\s|$)"
    r"|\[(?P<made>(?!detached )[^\]\s]+)(?: \(root-commit\))? [0-9a-f]{7,40}\] "
    r"|Your branch (?:is|and) [^'\n]*'[^/'\n]+/(?P<upstream>[^'\n]+)')",
    re.MULTILINE,
)
_HEADER = re.compile(r"^## .*\n?", re.MULTILINE)
_SUBMODULE = re.compile(r" \((?:(?:new commits|modified content|untracked content)(?:, )?)+\)$")
_SWITCHES = {("checkout",), ("switch",)}
_REPORTS = frozenset({"status", "log", "show", "diff", "branch", "remote", "fetch", "rev-parse"})
_REPORTS |= {"ls-files", "blame", "add", "stage", "config", "grep", "describe", "tag", "worktree"}
"""Subcommands after which a listing and the count of commits still hold."""
_NOTHING_TO_PUSH = "Everything up-to-date"
_STAGED = "Changes to be committed:"
_SHOWS = frozenset({"show", "diff", "grep", "blame"})
_QUIET = frozenset({"cd", "echo", "pwd", "true", "set", "sleep"})
_QUIET |= {"rm", "mv", "cp", "mkdir", "rmdir", "touch"}


class _Listing(Struct, frozen=True, kw_only=True):
    at: int
    place: str
    dirty: frozenset[str]
    whole: bool
    """Nothing else is uncommitted."""
    staged: bool = False
    """Some of it goes into the next commit without being added."""
    taken: bool = False
    """A commit has taken in a part of it."""
    gone: frozenset[str] = frozenset()
    """Those of it that were deleted."""
    cut: int = 0
    """Entries that were left out of the output, where each is a line."""


class Tree:
    """Collects what git listed as changed, and the commits that no push was seen of."""

    def __init__(self, commits: Commits, root: str = "") -> None:
        self.commits = commits
        self._root = paths.tidy(root)
        self._listed: dict[str, _Listing] = {}
        self._sent: dict[str, int] = {}
        self._held: str = ""
        """The folder of the last listing, as long as nothing was done since that may change it."""
        self._ahead: dict[str, int] = {}
        """Commits that are not pushed, by folder; a folder is missing where that is not known."""
        self._places: dict[str, str] = {}
        self._refused = ""
        """The place of the last push that failed."""
        self._made = 0
        """Commits that were made since the last push that did not fail."""
        self._gone: dict[str, str] = {}
        """Work trees that were removed, with the place."""
        self._elsewhere = False
        """Somebody else pushes: git called commits pushed that were not in the session."""
        self._branch: dict[str, str] = {}
        self._started: dict[str, None] = {}
        """Scripts with git in them that run in the background."""
        self._pulls: dict[str, str] = {}
        self._over: dict[str, None] = {}
        """Pull requests that were merged or closed."""
        self._offered: dict[str, str] = {}
        """Branches that were pushed and that no pull request was seen for, with the place."""

    def see(self, event: Event, at: int) -> None:
        """Take note of a shell command and of a pull request. The commits have seen it already."""
        match event:
            case Moved() if event.branch and event.branch != "HEAD" and not event.thread:
                self._branch.pop(self._root, None)
                self._branch[self._root] = event.branch
            case Linked():
                self._offered.clear()
                if event.url not in self._over:
                    self._pulls.setdefault(event.url, event.place)
            case Background(state="done" | "failed") if event.id in self._started:
                self._held, self._ahead = "", {}
            case Ran(background=id_) if id_:
                if any(map(git_words, split(event.command, event.cwd))):
                    self._started[id_] = None
                    keep(self._started, _MOST)
            case Ran() if event.state == "done" and event.failed is not None:
                text = clean(event.output)
                commands = split(event.command, event.cwd)
                self._own(event, commands, text, at)
                git = [(c, words) for c in commands if (words := git_words(c))]
                self._requested(event, commands, text)
                self._switched(commands, text)
                if not any(words[0] == "push" for _, words in git) and PULL.search(text):
                    self._offered.clear()
                if git:
                    self._acted(event, git, text, at)
                    self._look(event, commands, text, at)
            case _:
                pass

    def is_clean(self, path: str, since: int, until: int = sys.maxsize) -> bool:
        """Whether git or jj did not list a path among the changes between the two, asked for it or
        for a folder above it, or another tool listed the file and pushed or committed without an error.
        """
        return any(
            each.whole
            and since <= each.at < until
            and is_in(path, folder)
            and not any(path == d or (d.endswith("/") and path.startswith(d)) for d in each.dirty)
            for folder, each in self._listed.items()
        ) or any(
            since <= at < until and path.endswith(f"/{file}") for file, at in self._sent.items()
        )

    def gone_at(self, path: str, since: int) -> str:
        """The place of the listing that still holds, if it calls a file deleted after that; else ""."""
        listing = self._listed.get(self._held)
        return listing.place if listing and listing.at > since and path in listing.gone else ""

    def seen(self) -> GitSeen[str] | None:
        """What it was at the end as far as git told, paths from the project's folder."""
        listing = self._listed.get(self._held)
        dirty = [
            paths.relative(path, self._root) + "/" * path.endswith("/")
            for path in (listing.dirty if listing else ())
        ]
        dirty.sort(key=lambda path: (path.startswith("."), path))
        gone = {paths.relative(path, self._root) for path in (listing.gone if listing else ())}
        # Of another work tree, in which the session made no commit, it is somebody else's.
        own = {self._root, *(act.folder for act in self.commits.commits)}
        near = (f for f in self._ahead if any(is_in(f, o) or is_in(o, f) for o in own))
        folder = next((f for f in near if self._ahead[f] and not self._elsewhere), "")
        here = [b for f, b in self._branch.items() if self._root in {"", f}]
        away = [(paths.relative(f, self._root), b) for f, b in self._branch.items()]
        told = GitSeen(
            branch=here[-1] if here else None,
            trees=tuple(
                Item(text=branch, evidence="observed", why=folder)
                for folder, branch in away[-_TREES:]
                if self._root and paths.absolute(folder)
            ),
            gone=tuple(
                Item(text=paths.relative(folder, self._root), evidence="observed", places=(place,))
                for folder, place in [*self._gone.items()][-_TREES:]
            ),
            listed=listing.place if listing else "",
            dirty=tuple(dirty[:_LISTED]),
            deleted=tuple(d for d in dirty[:_LISTED] if d in gone),
            more=len(dirty[_LISTED:]) + (listing.cut if listing else 0),
            unpushed=self._ahead[folder] if folder else 0,
            places=(self._places[folder],) if folder and folder in self._places else (),
            refused=bool(folder) and self._places.get(folder) == self._refused,
            branches=_items(self._offered),
            pulls=_items(self._pulls),
        )
        return told if told != GitSeen() else None

    # ------------------------------------------------------------------- what was done

    def _switched(self, commands: Sequence[Command], text: str) -> None:
        """The branch that git named, to a script of the project too; a look at a file names none."""
        acts = [c for c in commands if git_words(c) or not is_looking(c)]
        git = [words for c in acts if (words := git_words(c))]
        asked = {words[-1] for words in git if words[:1] in _SWITCHES}
        subs = {words[0] for words in git}
        for found in _BRANCH.finditer(text) if acts else ():
            told = found["on"] or (found["short"] if "status" in subs else None)
            # `git checkout x` may print no more than where its upstream stands.
            up = found["upstream"] if found["upstream"] in asked else None
            told = told or (found["made"] if "commit" in subs else None)
            if name := found["now"] or up or (told if subs & {"status", "commit"} else None):
                folder = folder_of(acts[-1])
                self._branch.pop(folder, None)
                self._branch[folder] = name
                keep(self._branch, _MOST)

    def _requested(self, ran: Ran, commands: Sequence[Command], text: str) -> None:
        """Pull requests that were opened, merged or closed by the host's program."""
        acts = [(c.words, rest) for c in commands if (rest := bare(c.words)[1:3])]
        if any(rest in {("pr", "create"), ("mr", "create")} for _, rest in acts):
            self._pulls |= dict.fromkeys(PULL.findall(text), ran.place)
        for words, rest in acts if not ran.failed else ():
            if rest in {("pr", "merge"), ("pr", "close"), ("mr", "merge"), ("mr", "close")}:
                named = [w for w in words if w.isdecimal() or PULL.fullmatch(w)]
                ends = tuple(f"/{w}" if w.isdecimal() else w for w in named)
                self._over |= dict.fromkeys(
                    url for url in self._pulls if not ends or url.endswith(ends)
                )
                self._pulls = {u: p for u, p in self._pulls.items() if u not in self._over}

    def _own(self, ran: Ran, commands: Sequence[Command], text: str, at: int) -> None:
        """What another program leaves nothing of to commit: jj, which takes in all there is, and a
        tool with a `push` or `commit` of its own, which listed the files as git does.
        """
        asked = any(git_words(c) or git_words(c, "jj") for c in commands)
        for command in commands if not ran.failed else ():
            program, *rest = bare(command.words) or ("",)
            verb = next((word for word in rest if not word.startswith("-")), "")
            is_jj = bool(git_words(command, "jj"))
            found = _CHANGES.search(text) if is_jj and not command.piped else None
            if found or takes_all(command, text) or (is_jj and _CLEAN.search(text)):
                lines = found[1].splitlines() if found else ()
                named = [both(line[2:])[-1] for line in lines]
                dirty = frozenset(paths.join(command.cwd, name) for name in named)
                listing = _Listing(at=at, place=ran.place, dirty=dirty, whole=True)
                self._list(folder_of(command), listing)
            own = program_name(program) not in {"git", "gh", "glab", "jj"} and not asked
            own = own and verb in {"push", "commit"}
            listed = files_in(text)[0] if own else ()
            if listed or (own and not (is_known(program) or is_looking(command))):
                told = f"Ran {code(one_line(command.text, _OWN))}"
                told += ": result unknown" if command.hidden else ""
                self.commits.tell(told, ran.place, at)
            if own and not command.hidden:
                self._held, self._ahead = "", {}
                self._sent |= dict.fromkeys(listed, at)
                keep(self._sent, _MOST)

    def _acted(
        self, ran: Ran, git: Sequence[tuple[Command, tuple[str, ...]]], text: str, at: int
    ) -> None:
        made = sum(act.at == at for act in self.commits.commits)
        self._made += made
        for command, words in git:
            sub, folder = words[0], folder_of(command)
            self._offered = {
                branch: place
                for branch, place in self._offered.items()
                if branch not in words
                or (sub in {"log", "diff", "push"} and "--delete" not in words)
            }
            if sub in _REPORTS:
                sure = not (ran.failed or command.hidden or "fatal:" in text)
                self._removed(words, command.cwd, ran.place if sure else "")
                continue
            if sub == "commit" and made and "--amend" not in words:
                self._take(at)
                self._count(folder, made, ran.place)
                continue
            self._held = self._held if sub == "push" else ""
            if sub == "commit":
                continue
            if sub == "push":
                pushed = PUSHED.search(text)
                # A script may fail by what stands behind its push.
                failed = ran.failed and not pushed and _NOTHING_TO_PUSH not in text
                self._forget(folder)
                if pushed and not ran.failed:
                    self._ahead[folder] = 0
                elif failed and self._made:
                    self._ahead[folder], self._places[folder] = self._made, ran.place
                    self._refused = ran.place
                self._made = self._made if failed else 0
            elif sub not in {"stash", "rm", "mv"}:
                self._forget(folder)
        for branch in _OFFERS.findall(text):
            self._offered[branch] = ran.place

    def _take(self, at: int) -> None:
        """A commit of what was added by name leaves the rest of what was listed; after a second one, or
        of a folder that was listed as a whole, that is not known any more.
        """
        listing = self._listed.get(self._held)
        acts = [act for act in self.commits.commits if act.at == at]
        added = [path for act in acts for path in act.paths]
        known = added and not any(set("$`{") & set(path) for path in added)
        folders = [path for path in (listing.dirty if listing else ()) if path.endswith("/")]
        parts = any(is_in(a, f.rstrip("/")) and a != f.rstrip("/") for f in folders for a in added)
        if (
            listing is None
            or listing.staged
            or listing.taken
            or listing.cut
            or parts
            or not known
            or any(act.whole for act in acts)
        ):
            self._held = ""
            return
        left = {p for p in listing.dirty if not any(is_under(p.rstrip("/"), a) for a in added)}
        self._listed[self._held] = replace(listing, dirty=frozenset(left), taken=True)

    def _count(self, folder: str, made: int, place: str) -> None:
        for known in [f for f in self._ahead if is_in(folder, f) or is_in(f, folder)]:
            self._ahead[known] += made
            self._places[known] = place

    def _removed(self, words: tuple[str, ...], cwd: str, place: str) -> None:
        """What was counted in a work tree goes with it; `place`: where it was seen to be removed."""
        if words[:1] != ("worktree",):
            return
        gone = [paths.join(cwd, word) for word in words[2:] if word[:1] not in {"-", ""}]
        if words[1:2] == ("add",):
            self._gone = {f: p for f, p in self._gone.items() if f not in gone}
        elif words[1:2] == ("remove",):
            self._gone |= dict.fromkeys(gone, place) if place else {}
            for folder in [f for f in self._ahead if any(is_in(f, g) for g in gone)]:
                del self._ahead[folder]

    def _forget(self, folder: str) -> None:
        for known in [f for f in self._ahead if is_in(folder, f) or is_in(f, folder)]:
            del self._ahead[known]

    # --------------------------------------------------------------------- what git listed

    def _look(self, ran: Ran, commands: Sequence[Command], text: str, at: int) -> None:
        """`git status`, whole, as the last thing of a script that may change what it says."""
        asked = [(n, c, git_words(c)) for n, c in enumerate(commands) if git_words(c)]
        found = [(n, c, words) for n, c, words in asked if words[0] == "status"]
        if len(found) != 1 or any(n > found[0][0] for n, _, w in asked if w[0] not in _REPORTS):
            return
        number, command, words = found[0]
        folder = folder_of(command)
        if ahead := _AHEAD.search(text):
            self._forget(folder)
            self._ahead[folder] = int(ahead[1] or ahead[2])
            self._places[folder] = ran.place
        elif _LEVEL.search(text):
            self._elsewhere = self._elsewhere or bool(self._made)
            self._forget(folder)
            self._ahead[folder] = 0
        behind = commands[number + 1 :]
        cut = command.piped and not (len(behind) == 1 and keeps_all(behind[0], text.splitlines()))
        if cut or "--ignored" in words:
            return
        plumbing = any(w.startswith("--porcelain") for w in words)
        short = plumbing or any(w in {"-s", "-sb", "-bs", "--short"} for w in words)
        if not short and not _HEAD.search(text):
            return
        told = list(_SHORT.findall(text) if short else _LONG.findall(text))
        # A line of a file or of a diff may look like one of the listing.
        beside = all(w[0] not in _SHOWS or not short for _, _, w in asked) and all(
            git_words(c) or c.before == "|" or program_name(next(iter(c.words), "")) in _QUIET
            for c in commands
        )
        if not beside or (short and not told and _HEADER.sub("", text).strip()):
            return  # whether it printed nothing, the others' output does not tell
        if plumbing and told and self._root not in {"", folder}:
            return  # its paths begin at the top, which may be another folder
        staged = (
            any(m[0][0] not in " ?" for m in _SHORT.finditer(text)) if short else _STAGED in text
        )
        unseen = any(w.startswith(("-u", "--untracked")) and w.endswith("no") for w in words)
        listed = frozenset(
            paths.join(folder, path) + "/" * path.endswith("/")
            for each in told
            for path in _named(each)
        )
        left_out = _CUT.search(text)
        alone = short and sum(c.words[:1] != ("cd",) for c in commands) == 1
        listing = _Listing(
            at=at,
            place=ran.place,
            dirty=listed,
            whole=not unseen and not left_out,
            staged=staged,
            gone=listed - {paths.join(folder, path) for path in _left(text, short=short)},
            cut=int(left_out[1] or 0) if left_out and alone else 0,
        )
        # A listing of some paths tells of no others.
        some = [paths.join(folder, w.rstrip("/")) for w in words[1:] if not w.startswith("-")]
        for path in some:
            self._keep(path, listing)
        if not some:
            self._list(folder, listing)

    def _list(self, folder: str, listing: _Listing) -> None:
        self._keep(folder, listing)
        self._held = folder

    def _keep(self, path: str, listing: _Listing) -> None:
        self._listed.pop(path, None)
        self._listed[path] = listing
        keep(self._listed, _MOST)


def _items(told: dict[str, str]) -> tuple[Item[str], ...]:
    return tuple(Item(text=text, evidence="observed", places=(at,)) for text, at in told.items())


def _left(text: str, *, short: bool) -> Iterator[str]:
    """The paths of the entries of files that were not deleted, those that only left the index too."""
    unstaged = text.find("Changes not staged")  # what only left the index stands above
    for entry in (_SHORT if short else _LONG).finditer(text):
        deleted = entry[0].startswith("\tdeleted: ") and entry.start() > unstaged >= 0
        if not (entry[0][:2] in _GONE if short else deleted):
            yield from _named(entry[1])


def _named(told: str) -> Iterator[str]:
    """The paths of an entry, of a renamed file both, without the quotes of those that need them."""
    told, inside = _SUBMODULE.subn("/", told.rstrip("\r"))
    for path in [told] if inside else told.split(" -> "):
        yield unquoted(path)
