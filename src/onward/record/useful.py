"""Commands that will be needed again, and of which no failure was seen."""

from __future__ import annotations

import re
from collections import Counter

from msgspec import Struct
from msgspec.structs import replace

from onward import paths
from onward.model import PIPED, Background, Event, Item, Ran
from onward.record.checks import checks, decisive
from onward.record.commands import (
    Form,
    folder_of,
    is_inline,
    is_looking,
    is_plain,
    kind_of,
    kind_of_word,
    named_files,
    normal_form,
)
from onward.record.edits import Edits
from onward.record.runners import clean
from onward.record.shell import SET_UP, Command, bare, program_name, split
from onward.record.text import keep, one_line, vocabulary
from onward.record.written import packages

_MOST, _ESCALATED = 20, 6
_KEPT = 300
_ONCE = 3
"""Commands of no known purpose that ran but once, the newest."""
_VARIANTS = 4
_OTHER_GITS = vocabulary("jj hg sl")
"""Where a project is kept in another way than git, how to look at it is worth knowing."""
_LONGEST = 160
"""Characters of a command that anyone would type again."""
_SERVES = vocabulary("dev start serve server watch preview runserver up storybook run-server s")
_SERVERS = vocabulary(
    "uvicorn gunicorn flask http-server nodemon vite next live-server hypercorn php"
)
_OF_HOSTS = frozenset({"gh", "glab"})
_DEPLOYS = vocabulary("deploy publish release migrate migration upgrade push apply rollout seed")
_INSTALLS = vocabulary("install i ci add sync bootstrap setup")
_UNDOES = vocabulary(
    "restore revert reset abandon undo rm delete del destroy drop clean prune purge uninstall teardown kill stop"
)
"""Subcommands that take away what is there: no command to be typed again without a thought."""
_PIECE = re.compile(r"^[^{]*\}|\{[^}]*$|^\{|^\.\w+$|^\w+\s+=\s|^foreach\b|\$_\b")
"""A piece of a block of a script, a property, a setting, what only a loop knows."""
_SHELLS = vocabulary("bash sh zsh")
_SAYS = vocabulary("-m --message --body --title --notes --description -F --body-file")
"""Options with words that are said once: a commit message, a comment."""


class _Use(Struct, frozen=True, kw_only=True):
    item: Item[str]
    form: Form
    hidden: bool
    """Whether it went into a pipe, whose exit status is that of its last command."""
    files: tuple[str, ...]
    packages: frozenset[str]
    count: int
    at: int


class Useful:
    """Collects commands that worked, by normal form and folder."""

    def __init__(self, root: str, edits: Edits) -> None:
        self._root = root
        self._edits = edits
        self._uses: dict[tuple[str, Form], _Use] = {}
        self._started: dict[str, Ran] = {}
        self._escalated: dict[tuple[str, str], Item[str]] = {}
        """By program and subcommand, the commands that ran outside of the sandbox last."""

    def see(self, event: Event, at: int) -> None:
        """Take note of the commands of a script that did not fail."""
        if isinstance(event, Background) and event.state == "failed":
            if started := self._started.pop(event.id, None):
                # Which of its commands failed was not seen.
                place = (started.place,)
                self._uses = {k: u for k, u in self._uses.items() if u.item.places != place}
            return
        if not isinstance(event, Ran) or event.state not in {"done", "open"}:
            return
        if event.background:
            self._started[event.background] = event
            keep(self._started, _KEPT)
        if event.failed and not event.background:
            self._unlearn(event)
            return
        self._note_escalated(event)
        found = checks(event, self._root)
        failed = [check.index for check in found if check.outcome == "failed"]
        passed = {check.index for check in found if check.outcome == "passed"}
        # Of a pipe the status says nothing; what it printed may.
        every = split(event.command, event.cwd)
        lost = any(c.hidden for c in every) and bool(decisive(clean(event.output)))
        left_running = any(c.then == "&" for c in every)
        if lost:
            self._unlearn(event)
        piped = False
        for index, command in enumerate(every):
            # What stands behind a failure may never have run, and the end of a pipe says nothing
            # by itself.
            if (
                not piped
                and command.before != "||"  # which may not have run
                and (command.then != "||" or index in passed)  # whose failure is hushed
                and not (lost and command.hidden and index not in passed)
                and (not failed or index < failed[0] or index in passed)
            ):
                hidden = command.hidden and index not in passed
                # What `&` left running goes on, and not the last.
                last = command is every[-1] and not left_running
                goes_on = bool(event.background) and last
                self._take(command, event, at, hidden=hidden, goes_on=goes_on)
            elif lost and command.hidden:
                form = normal_form(command.words, self._root)
                self._uses = {
                    k: u for k, u in self._uses.items() if k != (self._folder(command), form)
                }
            piped = command.piped

    def items(self) -> tuple[Item[str], ...]:
        """Commands that ran outside of the sandbox; at most 20 others, newest first, and of one
        program's many variants only four, `why` says what for. Of one whose `template` is PIPED the
        exit status is not known.
        """
        escalated = [*reversed(self._escalated.values())][:_ESCALATED]
        told = {item.text for item in escalated}
        there = (u for u in self._uses.values() if u.item.text not in told and not self._is_lost(u))
        uses = sorted(there, key=lambda u: -u.at)
        worth = [u for u in uses if u.item.why or u.count > 1]
        worth += [u for u in uses if u not in worth][:_ONCE]
        variants: Counter[tuple[str, str]] = Counter()
        chosen: list[_Use] = []
        for use in sorted(worth, key=lambda u: not u.item.why):
            variants[use.form[:2]] += 1
            chosen += [use] if variants[use.form[:2]] <= _VARIANTS else []
        return (
            *escalated,
            *(
                replace(u.item, template=PIPED) if u.hidden else u.item
                for u in sorted(
                    chosen[:_MOST], key=lambda u: (not u.item.why and u.count < 2, -u.at)
                )
            ),
        )

    def _note_escalated(self, ran: Ran) -> None:
        for command in split(ran.command, ran.cwd):
            form = normal_form(command.words, self._root)
            if form is None or (is_plain(form) and form.program != "git"):
                continue
            if form.program in _OF_HOSTS or is_looking(command):
                continue
            if form.sub or form.program not in _SHELLS:
                self._escalated.pop(form[:2], None)
                if ran.escalated and (text := self._again(command, form)):
                    own = form.program == "git"
                    why = "" if own else _purpose(form, command, background=bool(ran.background))
                    self._escalated[form[:2]] = Item(
                        text=text,
                        evidence="observed",
                        places=(ran.place,),
                        why=f"{f'{why}, ' if why else ''}outside of the sandbox",
                    )
        keep(self._escalated, _KEPT)

    def _again(self, command: Command, form: Form) -> str:
        """The command as it can be typed again; of one with words of its own, a message say, or too
        long, only the program and its subcommand, if it begins with these; else "".
        """
        if _whole(command) and not _says(command):
            return self._from(command)
        name = [*filter(None, form[:2])]
        return " ".join(name) if list(bare(command.words)[: len(name)]) == name else ""

    def _is_lost(self, use: _Use) -> bool:
        """Whether a file that it names was removed since, its script say."""
        return any(self._edits.is_removed(path, use.at) for path in use.files)

    def _take(self, command: Command, ran: Ran, at: int, *, hidden: bool, goes_on: bool) -> None:
        form, named = normal_form(command.words, self._root), packages(command)
        if named:  # a package that was installed anew, or taken away, replaces what stood there
            folder, uses = self._folder(command), self._uses.items()
            self._uses = {k: u for k, u in uses if k[0] != folder or not named & u.packages}
        if form is None or is_plain(form) or form.program in _OF_HOSTS or not _whole(command):
            return  # what is done to a pull request or an issue is done once
        if is_inline(form) or (not form.arg and form.program in _SHELLS):
            return  # the script itself stood behind it
        if is_looking(command) and (form.program not in _OTHER_GITS or "--help" in command.words):
            return
        undoes = {form.sub.lower(), form.arg.lower()} & _UNDOES
        unready = len(command.needs) > SET_UP  # as it stands it would not run
        scratch = any(map(paths.apart, (self._folder(command), form.program, form.arg)))
        if _says(command) or undoes or scratch or unready:
            return
        key = (self._folder(command), form)
        before = self._uses.pop(key, None)
        why = _purpose(form, command, background=goes_on)
        if command.then == "&":  # the exit status is that of being started
            why = f"{why or 'start'}, end not seen"
        self._uses[key] = _Use(
            item=Item(
                text=self._from(command),
                evidence="observed",
                places=(ran.place,),
                why=why or None,
            ),
            form=form,
            hidden=hidden,
            files=named_files(command),
            packages=named,
            count=before.count + 1 if before else 1,
            at=at,
        )
        keep(self._uses, _KEPT)

    def _unlearn(self, ran: Ran) -> None:
        """A command that failed the last time it was used alone is not worth keeping."""
        acts = [c for c in split(ran.command, ran.cwd) if not is_looking(c)]
        form = normal_form(acts[0].words, self._root) if len(acts) == 1 else None
        if form and not kind_of(form, acts[0].words):
            self._uses.pop((self._folder(acts[0]), form), None)

    def _folder(self, command: Command) -> str:
        cwd = paths.relative(folder_of(command), self._root)
        return "" if cwd == "." else cwd

    def _from(self, command: Command) -> str:
        """The command with the folder it needs: `cd app && npm run dev`."""
        cwd = paths.relative(command.cwd, self._root)
        text = one_line(command.typed, 2 * _LONGEST)
        folder = f'"{cwd}"' if " " in cwd else cwd
        return text if cwd in {"", "."} or not self._root else f"cd {folder} && {text}"


def _says(command: Command) -> bool:
    """Whether it says something that is said once: a commit's message, the text of an issue."""
    return bool(_SAYS & set(command.words)) or any("body=" in w for w in command.words)


def _whole(command: Command) -> bool:
    """Whether a command can be typed as it stands: short, in one line, and no piece of a script."""
    text = command.text
    if "\n" in text or "$(" in text or len(text) > _LONGEST:
        return False
    value = len(command.words) == 1 and text.startswith(("'", '"'))
    return not (value or _PIECE.search(text))


def _purpose(form: Form, command: Command, *, background: bool) -> str:
    """What a command is for, in a word or two; "" where it cannot be said."""
    kind = kind_of(form, command.words)
    if not kind and not form.sub:
        kind = kind_of_word(form.arg, command.words)
    if kind:
        return "type check" if kind == "types" else kind
    program = program_name(form.program).lower()
    subs = set(form.sub.lower().replace(":", " ").replace("-", " ").split())
    if subs & _SERVES or program in _SERVERS or form.arg in _SERVES or background:
        return "start"
    if subs & _INSTALLS:
        return "install"
    if subs & {"run", "exec"} or form.program == "python":
        return "run"
    if subs & _DEPLOYS or "deploy" in program or "migrate" in program:
        return "deploy or migrate"
    return ""
