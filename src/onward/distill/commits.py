"""Distil: commits, pushes, pull requests, tags and branches, read from what git printed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from onward.distill import paths, prefixes, summary
from onward.distill.bursts import shown
from onward.distill.decisive import decisive
from onward.distill.shell import Command, split
from onward.model import Event, Item, Linked, Moved, Ran

ActKind = Literal["commit", "push", "pr", "tag", "branch", "merge"]

_Split = tuple[Command, tuple[str, ...]]

_MOST = 200
_MADE = re.compile(
    r"^\[(?P<branch>detached HEAD|[^\]\s]+?)(?: \(root-commit\))? (?P<sha>[0-9a-f]{7,40})\] (?P<subject>.+)$",
    re.MULTILINE,
)
_ONELINE = re.compile(r"^([0-9a-f]{7,40}) (?:\([^)]*\) )?(.+)$", re.MULTILINE)
_PUSHED = re.compile(
    r"^ [ +*] (?:\[new (?:branch|tag)\]|[0-9a-f]{7,}\.{2,3}[0-9a-f]{7,})\s+(\S+) -> (\S+)",
    re.MULTILINE,
)
_PULL = re.compile(r"https://[\w.-]+/[\w./-]+?/(?:pull|merge_requests|pull-requests)/\d+")
_SWITCHED = re.compile(
    r"^Switched to (?:a new )?branch '([^']+)'|^branch '([^']+)' set up", re.MULTILINE
)
_COMMITTING = frozenset({"commit", "merge", "cherry-pick", "revert", "rebase", "am", "pull"})
_NOT_HOOK = re.compile(
    r"nothing to commit|no changes added|nothing added to commit|did not match any|not a git repo|"
    r"Please tell me who you are|unable to auto-detect|index\.lock|Aborting commit|CONFLICT|"
    r"unknown (?:switch|option)|pathspec|^usage: git",
)


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


class Commits:
    """Collects what was committed, pushed, opened, tagged and switched to."""

    def __init__(self) -> None:
        self._acts: list[Act] = []
        self._added: list[str] = []
        self._whole = False
        self._failed: Item[str] | None = None
        self.branch = ""
        """The branch as of the last event, "" if it was never told."""

    def see(self, event: Event, at: int) -> None:
        """Take note of shell runs, of pull requests, and of the branch in the records."""
        if isinstance(event, Ran):
            self._ran(event, at)
        elif isinstance(event, Linked):
            self._link(event.url, event.title, event.place, at)
        elif isinstance(event, Moved) and event.branch and not event.thread:
            self.branch = event.branch

    @property
    def acts(self) -> tuple[Act, ...]:
        """Everything done, in order of time; at most 200, the newest."""
        return tuple(self._acts)

    @property
    def commits(self) -> tuple[Act, ...]:
        """The commits alone, in order of time."""
        return tuple(act for act in self._acts if act.kind == "commit")

    @property
    def hook_failure(self) -> Item[str] | None:
        """A commit that its hooks refused and that was not made since."""
        return self._failed

    def items(self) -> tuple[Item[str], ...]:
        """What was done, in order of time, without mere switches of the branch."""
        return tuple(act.item for act in self._acts if act.kind != "branch")

    def _ran(self, ran: Ran, at: int) -> None:
        if "git" not in ran.command and "gh " not in ran.command and "glab" not in ran.command:
            return
        if ran.state != "done" or ran.failed is None:
            return
        text = summary.clean(ran.output)
        # `git add` and `git commit` of one script belong together, whatever stands between.
        commands = [(c, git_words(c)) for c in split(ran.command, ran.cwd)]
        for command, words in commands:
            if words[:1] == ("add",) or words[:1] == ("stage",):
                self._add(command, words)
        subs = {words[0] for _, words in commands if words}
        if subs & _COMMITTING:
            self._commit(ran, commands, text, at)
        self._published(ran, commands, text, at)

    def _published(self, ran: Ran, commands: Sequence[_Split], text: str, at: int) -> None:
        """Pushes, switches of the branch, tags and pull requests of one script."""
        subs = {words[0] for _, words in commands if words}
        if "push" in subs:
            self._push(ran, text, at)
        if subs & {"checkout", "switch"}:
            self._switch(ran, text, at)
        if "tag" in subs and not ran.failed:
            self._tag(ran, commands, at)
        if any(_opens_pull(command) for command, _ in commands):
            for url in dict.fromkeys(_PULL.findall(text)):
                self._link(url, "", ran.place, at)

    def _add(self, command: Command, words: tuple[str, ...]) -> None:
        for word in words[1:]:
            if word in {"-A", "--all", ".", "-u", ":/"}:
                self._whole = True
            elif paths.known(word):
                self._added.append(paths.join(command.cwd, word))
        self._added = self._added[-_MOST:]

    def _commit(self, ran: Ran, commands: Sequence[_Split], text: str, at: int) -> None:
        words = next((w for _, w in commands if w[:1] == ("commit",)), ())
        made = list(_MADE.finditer(text))
        for found in made:
            self._made(found["sha"], found["subject"], found["branch"], ran, words, at)
        if made:
            return
        if words and ran.failed:
            self._refused(ran, text)
        elif words and not any(c.piped for c, w in commands if w[:1] == ("commit",)):
            self._quiet(ran, words, text, at)
        elif re.search(r"^(?:Fast-forward|Merge made by)", text, re.MULTILINE):
            self._merged(ran, commands, at)

    def _made(  # noqa: PLR0917 - the parts of one output line, and where it stood
        self, sha: str, subject: str, branch: str, ran: Ran, words: tuple[str, ...], at: int
    ) -> None:
        if "--amend" in words:
            last = next((a for a in reversed(self._acts) if a.kind == "commit"), None)
            if last:
                self._acts.remove(last)
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
            whole=self._whole or _takes_all(words),
            paths=tuple(self._added),
        )
        self._add_act(act)
        self._added, self._whole, self._failed = [], False, None
        self.branch = act.branch or self.branch

    def _quiet(self, ran: Ran, words: tuple[str, ...], text: str, at: int) -> None:
        """A commit that printed no line (`-q`): its subject, and its hash if a log follows."""
        subject = _subject(words)
        if not subject or _NOT_HOOK.search(text):
            return
        sha = next((m[1] for m in _ONELINE.finditer(text) if m[2] == subject), "")
        self._made(sha, subject, self.branch, ran, words, at)

    def _refused(self, ran: Ran, text: str) -> None:
        lines = decisive(text)
        if lines and not _NOT_HOOK.search(text):
            said = "; ".join(lines[:3])
            self._failed = Item(
                text=f"The commit was refused by its hooks: {said}",
                evidence="observed",
                places=(ran.place,),
            )

    def _merged(self, ran: Ran, commands: Sequence[_Split], at: int) -> None:
        command = next((c for c, w in commands if w[:1] in {("merge",), ("pull",)}), None)
        if command:
            text = f"Merged: {shown(command.text, 120)}"
            self._add_act(Act(kind="merge", at=at, item=_observed(text, ran.place)))

    def _push(self, ran: Ran, text: str, at: int) -> None:
        for found in _PUSHED.finditer(text):
            text_ = (
                f"Pushed {found[1]} to {found[2]}" if found[1] != found[2] else f"Pushed {found[1]}"
            )
            act = Act(kind="push", at=at, item=_observed(text_, ran.place), branch=found[1])
            self._add_act(act)

    def _switch(self, ran: Ran, text: str, at: int) -> None:
        for found in _SWITCHED.finditer(text):
            self.branch = found[1] or found[2]
            item = _observed(f"Switched to branch {self.branch}", ran.place)
            self._add_act(Act(kind="branch", at=at, item=item, branch=self.branch))

    def _tag(self, ran: Ran, commands: Sequence[_Split], at: int) -> None:
        for _, words in commands:
            if words[:1] == ("tag",) and not {"-l", "--list", "-d", "-n"} & set(words):
                name = next((w for w in words[1:] if re.fullmatch(r"v?\d[\w.+-]*", w)), "")
                if name:
                    self._add_act(
                        Act(kind="tag", at=at, item=_observed(f"Tagged {name}", ran.place))
                    )

    def _link(self, url: str, title: str, place: str, at: int) -> None:
        if any(url in act.item.text for act in self._acts):
            return
        text = f"Pull request {url}" + (f" ({title})" if title else "")
        self._add_act(Act(kind="pr", at=at, item=_observed(text, place)))

    def _add_act(self, act: Act) -> None:
        self._acts.append(act)
        del self._acts[:-_MOST]


def git_words(command: Command) -> tuple[str, ...]:
    """The words behind `git` and its own options; () for any other program."""
    words = prefixes.bare(command.words)
    if not words or prefixes.name(words[0]) != "git":
        return ()
    at = 1
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in {"-C", "-c", "--git-dir", "--work-tree"} else 1
    return words[at:]


def _takes_all(words: tuple[str, ...]) -> bool:
    return any(w == "--all" or re.fullmatch(r"-[a-z]*a[a-z]*", w) for w in words)


def _opens_pull(command: Command) -> bool:
    words = prefixes.bare(command.words)
    return words[1:3] in {("pr", "create"), ("mr", "create"), ("pr", "merge")}


def _subject(words: tuple[str, ...]) -> str:
    """First line of the message of `git commit -m …`, here-documents in `$(cat …)` too."""
    for at, word in enumerate(words[:-1]):
        if re.fullmatch(r"-[a-z]*m|--message", word):
            message = re.sub(r"^\$\(cat <<-?\s*['\"]?\w+['\"]?\s*\n", "", words[at + 1])
            return message.strip().split("\n", 1)[0].strip()[:200]
    return ""


def _observed(text: str, place: str) -> Item[str]:
    return Item(text=text, evidence="observed", places=(place,))
