"""Commits, pushes, merges and pull requests, read from what git printed."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from onward import paths
from onward.model import MERGED, Background, Event, Item, Linked, Ran
from onward.record.commands import folder_of
from onward.record.runners import clean
from onward.record.shell import Command, bare, program_name, split
from onward.record.text import keep, one_line

_MOST = 200
_STAT = re.compile(r"^ {1,8}(\S[^|\n]{0,300}?) +\| +(?:\d+(?: [+-]+)?|Bin\b.*)$", re.MULTILINE)
_MODE = re.compile(r"^ (?:create|delete) mode \d{6} (.+)$", re.MULTILINE)
_RENAME = re.compile(r"^ (?:rename|copy) (.+) \(\d+%\)$", re.MULTILINE)
_ARROW = re.compile(r"\{([^{}]*) => ([^{}]*)\}")
_CHANGED = re.compile(r"^ (\d+) files? changed", re.MULTILINE)
_ESCAPED = re.compile(rb"\\([0-7]{3}|.)")
PUSHED = re.compile(
    r"^ [ +*] (?:\[new (?:branch|tag)\]|[0-9a-f]{7,}\.{2,3}[0-9a-f]{7,})\s+(\S+) -> (\S+)( \(forced update\))?",
    re.MULTILINE,
)
_REBASED = re.compile(r"^(?:Successfully rebased|Rebasing \(\d)", re.MULTILINE)
_SENT = re.compile(r"^ [ +] [0-9a-f]{7,}\.{2,3}([0-9a-f]{7,})\s", re.MULTILINE)
"""What a push sent: the commit at its end."""
_MADE = re.compile(
    r"^\[(?:detached HEAD|[^\]\s]+?)(?: \(root-commit\))? (?P<sha>[0-9a-f]{7,40})\] (?P<subject>.+)$",
    re.MULTILINE,
)
_MERGED = re.compile(r"^(?:Fast-forward|Merge made by)", re.MULTILINE)
_FORWARD = re.compile(r"^Updating [0-9a-f]{7,40}\.\.([0-9a-f]{7,40})$", re.MULTILINE)
_ONELINE = re.compile(r"^([0-9a-f]{7,40}) (?:\([^)]*\) )?(.+)$", re.MULTILINE)
PULL = re.compile(r"https://[\w.-]+/[\w./-]+?/(?:pull|merge_requests|pull-requests)/\d+")
_LOGGED = re.compile(r"^commit ([0-9a-f]{7,40}).*\n(?:[A-Z]\w+:.*\n)+\n {4}(.+)$", re.MULTILINE)
_EXISTS = re.compile(r"^a pull request for branch .* already exists:$", re.MULTILINE)
_OPENS_PULL = {("pr", "create"), ("mr", "create"), ("pr", "merge")}
_MENTIONED = re.compile(r"git|gh |glab|jj |push|commit")
_SECTION = re.compile(r"^(?:commit )?([0-9a-f]{7,40})\b.*$", re.MULTILINE)
_MOVED = re.compile(
    r"^  (?:bookmark: (?P<name>\S+) \[(?P<gone>delete)?"
    r"|(?:(?P<away>Delete) |(?:\w+ ){1,2})bookmark (?P<old>\S+) (?:from|to) )",
    re.MULTILINE,
)
"""What jj says of each bookmark that it pushes."""
_PARENT = re.compile(
    r"^Parent commit(?: \(@-\))? *: (?P<change>[k-z]+) (?P<sha>[0-9a-f]{7,40}) (?P<subject>.+)$",
    re.MULTILINE,
)
_CHANGE = re.compile(
    r"^(?:Parent commit|Working copy)\b[^:\n]{0,20}: ([k-z]{8,}) ([0-9a-f]{8,40})\b", re.MULTILINE
)
"""A change of jj and its commit, as jj tells them after what it did."""
_EMPTY = re.compile(r"^Working copy .*\(empty\)", re.MULTILINE)
_MAKES = {("commit",), ("squash",)}
_COMMITTING = frozenset({"commit", "merge", "cherry-pick", "revert", "rebase", "am", "pull"})
_OF_HEAD = re.compile(
    r"\d+|-\d+|-n\d*|-p|--oneline|--stat|--name-(?:only|status)|--(?:no-)?decorate.*"
    r"|--(?:format|pretty)=(?:t?format:)?(?:oneline|%[Hh](?:\W.*)?)",
    re.DOTALL,
)
"""Words with which `git log` begins at HEAD."""
_MOVES = frozenset({"checkout", "switch", "reset", "stash", "bisect"})
_NOT_MADE = re.compile(
    r"nothing to commit|no changes added|nothing added to commit|did not match any|not a git repo|"
    r"Please tell me who you are|unable to auto-detect|index\.lock|Aborting commit|CONFLICT|"
    r"unknown (?:switch|option)|pathspec|^usage: git",
)


class Act(Struct, frozen=True, kw_only=True):
    """One thing done with git or its host, as its own output shows."""

    kind: Literal["commit", "amended", "other"] = "other"
    at: int
    item: Item[str]
    sha: str = ""
    change: str = ""
    """The change of jj, which keeps its name when its commit is another."""
    subject: str = ""
    folder: str = ""
    whole: bool = False
    """The commit took in every change (`git add -A`, `commit -a`)."""
    paths: tuple[str, ...] = ()
    """Paths and patterns that were added before it, joined with their folder."""
    files: tuple[str, ...] = ()
    """Files in it as git printed them, from the root of the work tree."""
    complete: bool = False
    """Whether `files` are all of them."""
    total: int = 0
    """How many there are, as git counted; 0 where it did not."""
    summed_up: bool = False
    """Whether git's whole summary was seen, which names what was created, deleted and renamed."""


class Commits:
    """Collects what was committed, pushed, merged and opened."""

    def __init__(self, root: str = "") -> None:
        self._root = root
        self._acts: list[Act] = []
        self._added: list[str] = []
        self._whole = False
        self._here: tuple[str, ...] = ()
        """Those that the script that is being looked at added."""
        self._started: dict[str, Ran] = {}
        self._rebased = ("", "")
        """The last commit before a rebase, by the hash that it had, and its folder."""
        self._logged: dict[str, set[str]] = {}
        """The commits that `git log` listed in a folder since the session moved there."""
        self._unseen: deque[int] = deque(maxlen=_MOST)

    def see(self, event: Event, at: int) -> None:
        """Take note of shell runs and of pull requests."""
        match event:
            case Ran() if _MENTIONED.search(event.command):
                if event.background:
                    self._started[event.background] = event
                    keep(self._started, _MOST)
                self._ran(event, at)
            case Background(state="done" | "failed") if event.id in self._started:
                # A commit or push that ran in the background prints with the news of its end.
                ran, failed = self._started.pop(event.id), event.state == "failed"
                self._ran(replace(ran, output=event.output, failed=failed, background=""), at)
            case Ran() if _MADE.search(event.output):
                self._unseen.append(at)  # by a script of the project
            case Linked():
                self._link(event.url, event.title, event.place, at)
            case _:
                pass

    @property
    def commits(self) -> tuple[Act, ...]:
        """The commits alone, in order of time, those that were amended under their last hash."""
        return tuple(act for act in self._acts if act.kind in {"commit", "amended"})

    @property
    def others(self) -> tuple[int, ...]:
        """The running numbers of what was done beside commits, and of commits whose end was not seen."""
        return (*(act.at for act in self._acts if act.kind == "other"), *self._unseen)

    def items(self) -> tuple[Item[str], ...]:
        """What was done, in order of time."""
        return tuple(act.item for act in self._acts if act.kind != "amended")

    def _ran(self, ran: Ran, at: int) -> None:
        if ran.state != "done" or ran.failed is None or ran.background:
            self._unseen += [at] if "commit" in ran.command else []
            return
        text = clean(ran.output)
        # What was tried in a scratch repository is none of the project's commits.
        ours = [c for c in split(ran.command, ran.cwd) if not self._is_apart(folder_of(c))]
        commands = [(command, git_words(command)) for command in ours]
        # `git add` and `git commit` of one script belong together, whatever stands between.
        pending = len(self._added)
        for command, words in commands:
            if words[:1] in {("add",), ("stage",)}:
                self._add(command, words[1:])
        self._here = tuple(self._added[pending:])
        subs = {words[0] for _, words in commands if words}
        self._jj(ran, [command for command, _ in commands], text, at)
        if subs & _COMMITTING:
            self._committed(ran, commands, text, at)
        logs = [(c, words) for c, words in commands if words[:1] == ("log",)]
        # Of another branch or path it tells other commits.
        if len(logs) == 1 and all(w[:1] == "-" or w.isdecimal() for w in logs[0][1][1:]):
            self._renamed(text, folder_of(logs[0][0]))
        self._see_head(split(ran.command, ran.cwd), text, ran.place, at)
        if subs & {"show", "log"} and "--stat" in ran.command:
            self._shown(text)
        self._moved(commands, subs, text)
        for name, to, forced in PUSHED.findall(text) if "push" in subs else ():
            where = "" if name == to else f" to {to}"
            self.tell(f"Pushed {name}{where}{forced}", ran.place, at)
        self._pulls(ran, [command for command, _ in commands], text, at)

    def _is_apart(self, folder: str) -> bool:
        path = paths.relative(folder, self._root)
        return bool(self._root) and paths.absolute(path) and paths.apart(f"{path}/")

    def _pulls(self, ran: Ran, commands: Sequence[Command], text: str, at: int) -> None:
        """Pull requests that were opened, and merged with what git said of it."""
        acts = [(c, words) for c in commands if (words := bare(c.words)[1:3]) in _OPENS_PULL]
        merges = [c for c, words in acts if words == ("pr", "merge")]
        if not ran.failed and not any("--auto" in c.words or c.hidden for c in merges):
            self._merged(merges, text, ran.place, at)
        there = "it was there already" if ran.failed and _EXISTS.search(text) else ""
        for url in PULL.findall(text) if acts else ():
            self._link(url, there, ran.place, at)

    def _jj(self, ran: Ran, commands: Sequence[Command], text: str, at: int) -> None:
        """What jj committed, and the bookmarks that it pushed; with the repository, if it was named."""
        if any(git_words(command, "jj") for command in commands):
            newest = dict(_CHANGE.findall(text))
            for act in self.commits:
                if sha := newest.get(act.change, "")[:7]:
                    self._rehash(act.sha, sha)
        for command in commands if not ran.failed else ():
            words = git_words(command, "jj")
            named = (
                command.words[command.words.index("-R") + 1 :][:1] if "-R" in command.words else ()
            )
            where = f" in {named[0]}" if named and named != (".",) else ""
            for found in _MOVED.finditer(text) if words[:2] == ("git", "push") else ():
                verb = "Deleted on the remote:" if found["gone"] or found["away"] else "Pushed"
                self.tell(f"{verb} {found['name'] or found['old']}{where}", ran.place, at)
            # What is put into the working copy is in no commit yet.
            open_ = "--into" in words and words[words.index("--into") + 1 :][:1] == ("@",)
            if words[:1] in _MAKES and not open_ and (made := _PARENT.search(text)):
                # The name of the change holds on when the hash is another.
                again = ("--amend",) if words[0] == "squash" else ()
                self._made(made["sha"], made["subject"], ran, again, at, change=made["change"])
                act = self._acts[-1]
                item = replace(act.item, text=f"{act.item.text} (change {made['change']}{where})")
                taken = (folder_of(command),) if takes_all(command, text) else ()
                self._acts[-1] = replace(act, item=item, paths=taken)

    def _add(self, command: Command, words: Sequence[str]) -> None:
        folder = folder_of(command)
        for word in words:
            if word in {"-A", "--all", "-u", ":/"} or (word == "." and not folder):
                self._whole = True
            elif not word.startswith("-"):
                self._added.append(paths.join(folder, word))
        self._added = self._added[-_MOST:]

    def _committed(
        self, ran: Ran, commands: Sequence[tuple[Command, tuple[str, ...]]], text: str, at: int
    ) -> None:
        committing = [(c, w) for c, w in commands if w[:1] == ("commit",)]
        command, words = committing[0] if committing else (None, ())
        if command and "--" in words:
            self._add(command, words[words.index("--") + 1 :])
        made = list(_MADE.finditer(text))
        for found, rest in _sections(made, text):
            self._made(found["sha"], found["subject"], ran, words, at)
            self._stat(-1, rest)
        if made or ran.failed:
            return
        subject = _subject_of(words)
        if subject and not any(c.hidden for c, _ in committing) and not _NOT_MADE.search(text):
            # One that printed no line (`-q`): its hash is told if a log follows.
            sha = next((m[1] for m in _ONELINE.finditer(text) if m[2] == subject), "")
            self._made(sha, subject, ran, words, at)
        elif not words and _MERGED.search(text):
            merges = [c for c, w in commands if w[:1] in {("merge",), ("pull",)}]
            self._merged(merges[:1], text, ran.place, at)

    def _merged(self, merges: Sequence[Command], text: str, place: str, at: int) -> None:
        to = "".join(f", now at {found[:7]}" for found in _FORWARD.findall(text)[-1:])
        for merge in merges:
            told = f"Merged: {one_line(merge.text, 120)}{to}"
            self.tell(told, place, at, template=MERGED)

    def _made(
        self, sha: str, subject: str, ran: Ran, words: tuple[str, ...], at: int, *, change: str = ""
    ) -> None:
        short = sha[:7]
        made = split(ran.command, ran.cwd)
        commits = (c for c in made if (git_words(c) or git_words(c, "jj"))[:1] in _MAKES)
        folder = next(map(folder_of, commits), "")
        if "--amend" in words:
            anew = any(re.fullmatch(r"-[a-z]*[mF]|--(?:message|file)(?:=.*)?", w) for w in words)
            self._amend(short, folder, "" if anew else subject, change)
        text = f"Committed {short} {subject}" if sha else f"Committed: {subject}"
        text += " (amended)" if "--amend" in words else ""
        where = (f"c:{short}", ran.place) if sha else (ran.place,)
        every = any(w == "--all" or re.fullmatch(r"-[a-z]*a[a-z]*", w) for w in words)
        self._note(
            Act(
                kind="commit",
                at=at,
                item=Item(
                    text=text,
                    evidence="observed",
                    places=where,
                ),
                sha=short,
                change=change,
                subject=subject,
                folder=folder,
                whole=self._whole or every,
                summed_up=bool(sha) and not any(c.piped for c in made),
                paths=tuple(self._added),
            )
        )
        self._added, self._whole = [], False

    def _amend(self, sha: str, folder: str, subject: str, change: str) -> None:
        """What the last commit of a folder took in is in this one now, or that of the same subject, if
        it got no new one; jj may put it into any, which keeps its change.
        """
        made = [act for act in reversed(self._acts) if act.kind == "commit"]
        own = [act for act in made if not folder or act.folder in {folder, ""}]
        same = (a for a in own if (a.change == change if a.change else a.subject == subject))
        last = next(same, None if change or not own else own[0])
        if last is not None:
            gone = [
                act is last or (act.kind == "amended" and act.sha == last.sha) for act in self._acts
            ]
            self._acts = [
                replace(act, kind="amended", sha=sha) if is_gone else act
                for act, is_gone in zip(self._acts, gone, strict=True)
            ]

    def _stat(self, index: int, text: str) -> None:
        """What git printed of the files of one act."""
        files, total = files_in(text)
        if not files and not total:
            return
        act = self._acts[index]
        item = act.item
        if act.whole and total and not act.total:
            item = replace(item, text=f"{item.text} ({total} file{'s' * (total > 1)})")
        complete = bool(_STAT.search(text)) and total == len(_STAT.findall(text))
        # What was added before may have left the index, with a switch of the branch say.
        added = self._here if total == len(self._here) else act.paths
        self._acts[index] = replace(
            act,
            item=item,
            files=files,
            complete=complete,
            total=total,
            paths=added,
        )

    def _renamed(self, text: str, folder: str) -> None:
        """`git log`: a commit that was amended elsewhere stands under another hash."""
        found = (each.finditer(text) for each in (_ONELINE, _LOGGED))
        lines = [(m[1][:7], m[2].strip()) for m in chain(*found)]
        logged = {subject: sha for sha, subject in reversed(lines)}
        known = {act.sha for act in self._acts}
        mine = [n for n, act in enumerate(self._acts) if act.subject and act.folder == folder]
        last = {self._acts[index].subject: index for index in mine}
        for subject, index in last.items():
            act, new = self._acts[index], logged.get(subject, "")
            if act.sha and new not in {"", *known} and act.sha not in {sha for sha, _ in lines}:
                self._rehash(act.sha, new)

    def _moved(
        self, commands: Sequence[tuple[Command, tuple[str, ...]]], subs: set[str], text: str
    ) -> None:
        """What is sent from a folder right after a rebase ends in the commit that was the last before."""
        if subs & (_COMMITTING | _MOVES):
            self._logged.clear()
            self._rebased = ("", "")
        for command, words in commands:
            if words[:1] == ("push",):
                sent = _SENT.findall(text)
                if self._rebased[0] and self._rebased[1] == folder_of(command) and len(sent) == 1:
                    self._rehash(self._rebased[0], sent[0][:7])
                self._rebased = ("", "")
            elif words[:1] in {("rebase",), ("pull",)} and _REBASED.search(text) and self.commits:
                self._rebased = (self.commits[-1].sha, folder_of(command))

    def _see_head(self, every: Sequence[Command], text: str, place: str, at: int) -> None:
        """A newest commit that an earlier log did not list: somebody else made it since, or moved there.
        Only where a log prints the first line, as it is.
        """
        first = next((c for c in every if c.words[:1] != ("cd",)), None)
        words = git_words(first) if first else ()
        asked = words[:1] == ("log",) and all(map(_OF_HEAD.fullmatch, words[1:]))
        top = _SECTION.match(text)
        if first is None or first.piped or not asked or top is None:
            return
        known = self._logged.setdefault(folder_of(first), set())
        own, sha = {act.sha for act in self.commits}, top[1][:7]
        # One of its own that the session did not see the hash of may be this.
        if known and sha not in known | own and "" not in own:
            self.tell(f"HEAD was at {sha}, not seen to be made in this session", place, at)
        known.update(found[1][:7] for found in _SECTION.finditer(text))

    def _rehash(self, old: str, new: str) -> None:
        """The commit `old` is `new` now, in every act that tells of it."""
        for index, act in enumerate(self._acts if old else ()):
            if act.sha == old != new:
                text = act.item.text.replace(old, new, 1)
                item = replace(act.item, text=text, places=(f"c:{new}", *act.item.places[1:]))
                self._acts[index] = replace(act, item=item, sha=new)

    def _shown(self, text: str) -> None:
        """`git show --stat`: the files of commits that were made here."""
        for found, rest in _sections(list(_SECTION.finditer(text)), text):
            for index, act in enumerate(self._acts):
                if act.sha and found[1].startswith(act.sha):
                    self._stat(index, rest)

    def _link(self, url: str, title: str, place: str, at: int) -> None:
        if not any(url in act.item.text for act in self._acts):
            self.tell(f"Pull request {url}" + (f" ({title})" if title else ""), place, at)

    def tell(self, text: str, place: str, at: int, *, template: str = "") -> None:
        """Note something that was done beside commits."""
        item = Item(text=text, evidence="observed", places=(place,), template=template)
        self._note(Act(at=at, item=item))

    def _note(self, act: Act) -> None:
        self._acts.append(act)
        del self._acts[:-_MOST]


def git_words(command: Command, program: str = "git") -> tuple[str, ...]:
    """The words behind `git`, or `jj`, and its own options; () for any other program."""
    words = bare(command.words)
    if not words or program_name(words[0]) != program:
        return ()
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in {"-C", "-c", "-R", "--git-dir", "--work-tree"} else 1
    return words[at:]


def takes_all(command: Command, text: str) -> bool:
    """Whether jj left nothing to commit, as it does unless paths or a choice are given."""
    words = git_words(command, "jj")
    whole = words[:1] == ("commit",) and all(word[:1] == "-" for word in words[1::2])
    return whole or (words[:1] == ("squash",) and _EMPTY.search(text) is not None)


def _subject_of(words: tuple[str, ...]) -> str:
    """First line of the message of `… commit -m …`, here-documents in `$(cat …)` too."""
    for at, word in enumerate(words[:-1]):
        if re.fullmatch(r"-[a-z]*m|--message", word):
            message = re.sub(r"^\$\(cat <<-?\s*['\"]?\w+['\"]?\s*\n", "", words[at + 1])
            return message.strip().split("\n", 1)[0].strip()[:200]
    return ""


def _sections(heads: Sequence[re.Match[str]], text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Each head with what stands between it and the next one."""
    for at, head in enumerate(heads):
        end = heads[at + 1].start() if at + 1 < len(heads) else len(text)
        yield head, text[head.end() : end]


def files_in(text: str) -> tuple[tuple[str, ...], int]:
    """The files that `--stat` or a commit's own output names, renamed ones by both names, and how
    many it counted; 0 where there is no count, or several.
    """
    named = [*_STAT.findall(text), *_MODE.findall(text), *_RENAME.findall(text)]
    total = _CHANGED.findall(text)
    whole = (name for entry in named for name in both(unquoted(entry.strip())))
    files = tuple(dict.fromkeys(whole))
    return files, int(total[0]) if len(total) == 1 else 0


def unquoted(name: str) -> str:
    """A path without the quotes and escapes in which git prints one that needs them."""
    if not (name.startswith('"') and name.endswith('"') and len(name) > 2):
        return name
    return _ESCAPED.sub(_byte, name[1:-1].encode()).decode("utf-8", "replace")


def _byte(found: re.Match[bytes]) -> bytes:
    code = found[1]
    if len(code) > 1:
        return bytes([int(code, 8) % 256])
    return {b"n": b"\n", b"t": b"\t"}.get(code, code)


def both(name: str) -> tuple[str, ...]:
    """`src/{a => b}/x.py` is `src/a/x.py` and `src/b/x.py`; `.../x.py` is `x.py`."""
    name = name.removeprefix(".../")
    if _ARROW.search(name):
        return tuple(_ARROW.sub(rf"\{n}", name).replace("//", "/") for n in (1, 2))
    return tuple(name.split(" => "))
