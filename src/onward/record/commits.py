"""Commits, pushes, pull requests, tags and branches, read from what git printed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from onward import paths
from onward.model import Background, Event, Item, Linked, Moved, Ran
from onward.record.collector import keep
from onward.record.commands import folder_of, is_looking
from onward.record.runners import clean
from onward.record.shell import Command, bare, program_name, split
from onward.record.text import one_line

_STAT = re.compile(r"^ (\S[^|\n]{0,300}?) +\| +(?:\d+(?: [+-]+)?|Bin\b.*)$", re.MULTILINE)
_MODE = re.compile(r"^ (?:create|delete) mode \d{6} (.+)$", re.MULTILINE)
_RENAME = re.compile(r"^ (?:rename|copy) (.+) \(\d+%\)$", re.MULTILINE)
_ARROW = re.compile(r"\{([^{}]*) => ([^{}]*)\}")
_CHANGED = re.compile(r"^ (\d+) files? changed", re.MULTILINE)


def git_words(command: Command) -> tuple[str, ...]:
    """The words behind `git` and its own options; () for any other program."""
    words = bare(command.words)
    if not words or program_name(words[0]) != "git":
        return ()
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in {"-C", "-c", "--git-dir", "--work-tree"} else 1
    return words[at:]


def takes_all(words: tuple[str, ...]) -> bool:
    """Whether `git commit` was told to take in every change: `-a`, `-am`."""
    return any(w == "--all" or re.fullmatch(r"-[a-z]*a[a-z]*", w) for w in words)


def opens_pull(command: Command) -> bool:
    """Whether a command of the host opens or merges a pull request."""
    words = bare(command.words)
    return words[1:3] in {("pr", "create"), ("mr", "create"), ("pr", "merge")}


def subject_of(words: tuple[str, ...]) -> str:
    """First line of the message of `… commit -m …`, here-documents in `$(cat …)` too."""
    for at, word in enumerate(words[:-1]):
        if re.fullmatch(r"-[a-z]*m|--message", word):
            message = re.sub(r"^\$\(cat <<-?\s*['\"]?\w+['\"]?\s*\n", "", words[at + 1])
            return message.strip().split("\n", 1)[0].strip()[:200]
    return ""


def sections(heads: Sequence[re.Match[str]], text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Each head with what stands between it and the next one."""
    for at, head in enumerate(heads):
        end = heads[at + 1].start() if at + 1 < len(heads) else len(text)
        yield head, text[head.end() : end]


def files_in(text: str) -> tuple[tuple[str, ...], bool]:
    """The files that `--stat` or a commit's own output names, renamed ones by both names, and
    whether they are all of them.
    """
    stat = _STAT.findall(text)
    named = [*stat, *_MODE.findall(text), *_RENAME.findall(text)]
    total = _CHANGED.findall(text)
    whole = bool(stat) and len(total) == 1 and int(total[0]) == len(stat)
    return tuple(dict.fromkeys(name for entry in named for name in _both(entry.strip()))), whole


def _both(name: str) -> tuple[str, ...]:
    """`src/{a => b}/x.py` is `src/a/x.py` and `src/b/x.py`; `.../x.py` is `x.py`."""
    name = name.removeprefix(".../")
    if _ARROW.search(name):
        return tuple(_ARROW.sub(rf"\{n}", name).replace("//", "/") for n in (1, 2))
    return tuple(name.split(" => "))


_PUSHED = re.compile(
    r"^ [ +*] (?:\[new (?:branch|tag)\]|[0-9a-f]{7,}\.{2,3}[0-9a-f]{7,})\s+(\S+) -> (\S+)",
    re.MULTILINE,
)
_SWITCHED = re.compile(
    r"^Switched to (?:a new )?branch '([^']+)'|^branch '([^']+)' set up", re.MULTILINE
)
_TAG = re.compile(r"v?\d[\w.+-]*")
_LISTS = frozenset({"-l", "--list", "-d", "-n"})

ActKind = Literal["commit", "amended", "push", "pr", "tag", "branch", "merge"]


class Act(Struct, frozen=True, kw_only=True):
    """One thing done with git or its host, as its own output shows."""

    kind: ActKind
    at: int
    item: Item[str]
    sha: str = ""
    subject: str = ""
    branch: str = ""
    whole: bool = False
    """The commit took in every change (`git add -A`, `commit -a`)."""
    paths: tuple[str, ...] = ()
    """Paths that were added before it, joined with their folder."""
    files: tuple[str, ...] = ()
    """Files in it as git printed them, from the root of the work tree."""
    complete: bool = False
    """Whether `files` are all of them."""


def observed(text: str, place: str) -> Item[str]:
    """A line that a result vouches for."""
    return Item(text=text, evidence="observed", places=(place,))


def pushed(text: str, place: str, at: int) -> list[Act]:
    """The branches and tags that a push moved."""
    out: list[Act] = []
    for name, to in _PUSHED.findall(text):
        told = f"Pushed {name}" if name == to else f"Pushed {name} to {to}"
        out.append(Act(kind="push", at=at, item=observed(told, place), branch=name))
    return out


def switched(text: str, place: str, at: int) -> list[Act]:
    """The branches that were switched to."""
    names = [one or other for one, other in _SWITCHED.findall(text)]
    return [
        Act(kind="branch", at=at, item=observed(f"Switched to branch {n}", place), branch=n)
        for n in names
    ]


def tagged(scripts: Sequence[tuple[str, ...]], place: str, at: int) -> list[Act]:
    """The tags that `git tag` made, by the words of each git command."""
    names = [
        next((w for w in words[1:] if _TAG.fullmatch(w)), "")
        for words in scripts
        if words[:1] == ("tag",) and not _LISTS & set(words)
    ]
    return [Act(kind="tag", at=at, item=observed(f"Tagged {n}", place)) for n in names if n]


_Split = tuple[Command, tuple[str, ...]]

_MOST = 200
_MADE = re.compile(
    r"^\[(?P<branch>detached HEAD|[^\]\s]+?)(?: \(root-commit\))? (?P<sha>[0-9a-f]{7,40})\] (?P<subject>.+)$",
    re.MULTILINE,
)
_ONELINE = re.compile(r"^([0-9a-f]{7,40}) (?:\([^)]*\) )?(.+)$", re.MULTILINE)
_PULL = re.compile(r"https://[\w.-]+/[\w./-]+?/(?:pull|merge_requests|pull-requests)/\d+")
_MENTIONED = re.compile(r"git|gh |glab")
_SECTION = re.compile(r"^(?:commit )?([0-9a-f]{7,40})\b.*$", re.MULTILINE)
_COMMITTING = frozenset({"commit", "merge", "cherry-pick", "revert", "rebase", "am", "pull"})
_NOT_HOOK = re.compile(
    r"nothing to commit|no changes added|nothing added to commit|did not match any|not a git repo|"
    r"Please tell me who you are|unable to auto-detect|index\.lock|Aborting commit|CONFLICT|"
    r"unknown (?:switch|option)|pathspec|^usage: git",
)


class Commits:
    """Collects what was committed, pushed, opened, tagged and switched to."""

    def __init__(self) -> None:
        self._acts: list[Act] = []
        self._added: list[str] = []
        self._whole = False
        self._started: dict[str, Ran] = {}
        self.branch = ""
        """The branch as of the last event, "" if it was never told."""

    def see(self, event: Event, at: int) -> None:
        """Take note of shell runs, of pull requests, and of the branch in the records."""
        if isinstance(event, Ran):
            if event.background and _MENTIONED.search(event.command):
                self._started[event.background] = event
                keep(self._started, _MOST)
            self._ran(event, at)
        elif isinstance(event, Background):
            self._ended(event, at)
        elif isinstance(event, Linked):
            self._link(event.url, event.title, event.place, at)
        elif isinstance(event, Moved) and event.branch and not event.thread:
            self.branch = event.branch

    @property
    def commits(self) -> tuple[Act, ...]:
        """The commits alone, in order of time, those that were amended under their last hash."""
        return tuple(act for act in self._acts if act.kind in {"commit", "amended"})

    def items(self) -> tuple[Item[str], ...]:
        """What was done, in order of time, without mere switches of the branch."""
        return tuple(act.item for act in self._acts if act.kind not in {"branch", "amended"})

    def _ended(self, news: Background, at: int) -> None:
        """A commit or push that ran in the background prints with the news of its end."""
        ran = self._started.get(news.id)
        if ran is None or news.state == "killed":
            return
        if news.state != "running":
            del self._started[news.id]
        self._ran(
            replace(ran, output=news.output, failed=news.state == "failed", background=""), at
        )

    def _ran(self, ran: Ran, at: int) -> None:
        if not _MENTIONED.search(ran.command):
            self._look_at_output(ran, at)
            return
        if ran.state != "done" or ran.failed is None or ran.background:
            return
        text = clean(ran.output)
        # `git add` and `git commit` of one script belong together, whatever stands between.
        commands = [(c, git_words(c)) for c in split(ran.command, ran.cwd)]
        for command, words in commands:
            if words[:1] == ("add",) or words[:1] == ("stage",):
                self._add(command, words)
        subs = {words[0] for _, words in commands if words}
        if subs & _COMMITTING:
            self._commit(ran, commands, text, at)
        if subs & {"show", "log"} and "--stat" in ran.command:
            self._shown(text)
        self._published(ran, commands, text, at)

    def _look_at_output(self, ran: Ran, at: int) -> None:
        """`cat /tmp/…/b12.output`: what the background run `b12` has printed so far."""
        found = next((name for name in self._started if len(name) > 2 and name in ran.command), "")
        if found and all(map(is_looking, split(ran.command))):
            started = self._started[found]
            before = len(self._acts)
            self._ran(replace(started, output=ran.output, failed=False, background=""), at)
            if len(self._acts) > before:
                del self._started[found]

    def _published(self, ran: Ran, commands: Sequence[_Split], text: str, at: int) -> None:
        """Pushes, switches of the branch, tags and pull requests of one script."""
        subs = {words[0] for _, words in commands if words}
        if "push" in subs:
            self._acts += pushed(text, ran.place, at)
        if subs & {"checkout", "switch"}:
            self._acts += (acts := switched(text, ran.place, at))
            self.branch = acts[-1].branch if acts else self.branch
        if "tag" in subs and not ran.failed:
            self._acts += tagged([words for _, words in commands], ran.place, at)
        del self._acts[:-_MOST]
        if any(opens_pull(command) for command, _ in commands):
            for url in dict.fromkeys(_PULL.findall(text)):
                self._link(url, "", ran.place, at)

    def _add(self, command: Command, words: tuple[str, ...]) -> None:
        folder = folder_of(command)
        for word in words[1:]:
            if word in {"-A", "--all", "-u", ":/"} or (word == "." and not folder):
                self._whole = True
            elif paths.known(word):
                self._added.append(paths.join(folder, word))
        self._added = self._added[-_MOST:]

    def _commit(self, ran: Ran, commands: Sequence[_Split], text: str, at: int) -> None:
        command, words = next(((c, w) for c, w in commands if w[:1] == ("commit",)), (None, ()))
        if command and "--" in words:
            self._add(command, words[words.index("--") :])
        made = list(_MADE.finditer(text))
        for found, rest in sections(made, text):
            self._made(found["sha"], found["subject"], found["branch"], ran, words, at)
            self._stat(-1, rest)
        if made:
            return
        if (
            words
            and not ran.failed
            and not any(c.piped for c, w in commands if w[:1] == ("commit",))
        ):
            self._quiet(ran, words, text, at)
        elif re.search(r"^(?:Fast-forward|Merge made by)", text, re.MULTILINE):
            self._merged(ran, commands, at)

    def _made(  # noqa: PLR0917 - the parts of one output line, and where it stood
        self, sha: str, subject: str, branch: str, ran: Ran, words: tuple[str, ...], at: int
    ) -> None:
        if "--amend" in words:
            self._amend(sha[:7])
        short = sha[:7]
        named = ("c:" + short,) if sha else ()
        text = f"Committed {short} {subject}".replace("  ", " ") if sha else f"Committed: {subject}"
        act = Act(
            kind="commit",
            at=at,
            item=Item(text=text, evidence="observed", places=(*named, ran.place)),
            sha=short,
            subject=subject,
            branch="" if branch == "detached HEAD" else branch,
            whole=self._whole or takes_all(words),
            paths=tuple(self._added),
        )
        self._add_act(act)
        self._added, self._whole = [], False
        self.branch = act.branch or self.branch

    def _amend(self, sha: str) -> None:
        """What the last commit took in is in this one now."""
        at = next(
            (n for n in reversed(range(len(self._acts))) if self._acts[n].kind == "commit"), -1
        )
        if at >= 0:
            old = self._acts[at]
            self._acts = [
                replace(a, sha=sha) if a.kind == "amended" and a.sha == old.sha else a
                for a in self._acts
            ]
            self._acts[at] = replace(old, kind="amended", sha=sha)

    def _stat(self, index: int, text: str) -> None:
        """What git printed of the files of one act."""
        files, complete = files_in(text)
        if files:
            self._acts[index] = replace(self._acts[index], files=files, complete=complete)

    def _shown(self, text: str) -> None:
        """`git show --stat`: the files of commits that were made here."""
        for found, rest in sections(list(_SECTION.finditer(text)), text):
            for index, act in enumerate(self._acts):
                if act.sha and found[1].startswith(act.sha):
                    self._stat(index, rest)

    def _quiet(self, ran: Ran, words: tuple[str, ...], text: str, at: int) -> None:
        """A commit that printed no line (`-q`): its subject, and its hash if a log follows."""
        subject = subject_of(words)
        if not subject or _NOT_HOOK.search(text):
            return
        sha = next((m[1] for m in _ONELINE.finditer(text) if m[2] == subject), "")
        self._made(sha, subject, self.branch, ran, words, at)

    def _merged(self, ran: Ran, commands: Sequence[_Split], at: int) -> None:
        command = next((c for c, w in commands if w[:1] in {("merge",), ("pull",)}), None)
        if command:
            text = f"Merged: {one_line(command.text, 120)}"
            self._add_act(Act(kind="merge", at=at, item=observed(text, ran.place)))

    def _link(self, url: str, title: str, place: str, at: int) -> None:
        if any(url in act.item.text for act in self._acts):
            return
        text = f"Pull request {url}" + (f" ({title})" if title else "")
        self._add_act(Act(kind="pr", at=at, item=observed(text, place)))

    def _add_act(self, act: Act) -> None:
        self._acts.append(act)
        del self._acts[:-_MOST]
