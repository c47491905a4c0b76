"""Distil: commits, pushes, pull requests, tags and branches, read from what git printed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from onward.distill import paths
from onward.distill.checks import summary
from onward.distill.checks.decisive import decisive
from onward.distill.shell.forms import folder_of
from onward.distill.shell.split import Command, split
from onward.distill.text import one_line
from onward.distill.work import jujutsu
from onward.distill.work.git_acts import Act, observed, pushed, switched, tagged
from onward.distill.work.git_words import (
    files_in,
    git_words,
    opens_pull,
    sections,
    subject_of,
    takes_all,
)
from onward.model import Event, Item, Linked, Moved, Ran

_Split = tuple[Command, tuple[str, ...]]

_MOST = 200
_MADE = re.compile(
    r"^\[(?P<branch>detached HEAD|[^\]\s]+?)(?: \(root-commit\))? (?P<sha>[0-9a-f]{7,40})\] (?P<subject>.+)$",
    re.MULTILINE,
)
_ONELINE = re.compile(r"^([0-9a-f]{7,40}) (?:\([^)]*\) )?(.+)$", re.MULTILINE)
_PULL = re.compile(r"https://[\w.-]+/[\w./-]+?/(?:pull|merge_requests|pull-requests)/\d+")
_MENTIONED = re.compile(r"git|gh |glab|jj ")
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
        if not _MENTIONED.search(ran.command):
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
        if subs & {"show", "log"} and "--stat" in ran.command:
            self._shown(text)
        if "jj " in ran.command and not ran.failed:
            self._jujutsu(ran, [c for c, _ in commands], text, at)
        self._published(ran, commands, text, at)

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
            whole=self._whole or takes_all(words),
            paths=tuple(self._added),
        )
        self._add_act(act)
        self._added, self._whole, self._failed = [], False, None
        self.branch = act.branch or self.branch

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

    def _jujutsu(self, ran: Ran, commands: Sequence[Command], text: str, at: int) -> None:
        for made in jujutsu.commits(commands, text):
            named = (f"c:{made.sha}",) if made.sha else ()
            told = f"Committed {made.sha} {made.subject}".replace("  ", " ")
            act = Act(
                kind="commit",
                at=at,
                item=Item(text=told, evidence="observed", places=(*named, ran.place)),
                sha=made.sha,
                subject=made.subject,
                whole=not made.paths,
                paths=made.paths,
                change=made.change,
            )
            self._acts = [a for a in self._acts if not made.change or a.change != made.change]
            if made.subject:
                self._add_act(act)
        for name in jujutsu.pushes(commands, text):
            item = observed(f"Pushed {name}", ran.place)
            self._add_act(Act(kind="push", at=at, item=item, branch=name))

    def _quiet(self, ran: Ran, words: tuple[str, ...], text: str, at: int) -> None:
        """A commit that printed no line (`-q`): its subject, and its hash if a log follows."""
        subject = subject_of(words)
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
