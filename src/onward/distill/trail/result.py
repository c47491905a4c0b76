"""Distil: a command as a step: what was run, and the one line that tells how it ended."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from onward.distill import paths
from onward.distill.acts import act, code
from onward.distill.checks import summary
from onward.distill.checks.decisive import decisive, last_line, reason
from onward.distill.checks.outcome import Check, checks
from onward.distill.findings.blockers import Conflicts
from onward.distill.shell import prefixes
from onward.distill.shell.consulted import SEARCHES, consulted
from onward.distill.shell.forms import folder_of
from onward.distill.shell.looking import is_looking
from onward.distill.shell.parted import printed
from onward.distill.shell.split import Command, split
from onward.distill.text import one_line, vocabulary
from onward.distill.work.commits import Commits
from onward.model import Ran

_LONGEST = 300
_LINE = 120
_SHORT, _WHOLE = 5, 280
"""Lines and characters of an output that can be told whole."""
_CUT_OUTPUT = re.compile(
    r"\s{0,9}(?:2>&1\s{0,9})?\|\s{0,9}(?:head|tail)\b[^|;&]*$|\s{0,9}2>&1\s{0,9}$"
)
_STATES = {
    "open": "end not seen",
    "interrupted": "stopped by the person",
    "timeout": "timed out",
    "denied": "not allowed",
}
_ON = "on branch "
_SIDED = re.compile(r"^(\S[^\n]{0,300}?) {1,99}\d+-sided conflict\b", re.MULTILINE)
"""A file in conflict, as Jujutsu lists it."""
_SAYS = re.compile(r"\w{2}")
_NOISE = re.compile(
    r"\s*+(?:\[notice\]|npm notice|hint:|warning\b|[├└│─]|[{}\[\]()<>;,]+\s*$|$)", re.IGNORECASE
)
_PRINTED = re.compile(r"\bsed\s+-n\s+['\"]?(\d{1,8}),(\d{1,8})p\b")
_ANSWER = re.compile(r"^HTTP/[\d.]{1,4} \d{3}\b[^\r\n]{0,60}", re.MULTILINE)
"""How a server answered."""
_IDLE = vocabulary("mkdir touch chmod sleep cd export source set")
"""Programs whose use is no step of the work."""


class Result(Struct, frozen=True, kw_only=True):
    """What a command did, by what it did it to. `looks`: it only looked. `tells`: the words tell
    it without the command.
    """

    parts: dict[str, str]
    looks: bool = False
    tells: bool = False
    folder: str = ""
    """Where it ran, "" for the project's own folder."""


def result(ran: Ran, root: str) -> Result | None:
    """A command with how it ended; None where it never ran, or where there is nothing to tell but
    the files that it wrote.
    """
    commands = split(ran.command, ran.cwd)
    acts = [c for c in commands if not is_looking(c) or c.writes]
    done = ran.state == "done" and not ran.background
    if ran.state == "cancelled" or not commands:
        return None
    if done and not acts:
        return _look(ran, commands, root)
    if done and (found := checks(ran, root)):
        folder = _folder(folder_of(found[-1].command), root)
        return Result(parts={c.command.text: _checked(c) for c in found}, folder=folder)
    return None if done and _silent(ran, acts) else _act(ran, commands, root)


def _silent(ran: Ran, acts: list[Command]) -> bool:
    """Whether a command only made folders, or only wrote files (`cat > x <<EOF`) and said nothing."""
    if all(c.words[:1] and c.words[0] in _IDLE for c in acts):
        return True
    writes = all(c.words[:1] and (c.words[0] in _IDLE or c.writes) for c in acts)
    return writes and not ran.failed and not ran.output.strip()


def _act(ran: Ran, commands: tuple[Command, ...], root: str) -> Result | None:
    shown, done = shown_command(ran, root), _git(ran)
    if done and not ran.failed and not done[-1].startswith(_ON):
        return Result(parts={"; ".join(done): "; ".join([*done, *_conflicts(ran)])}, tells=True)
    if not _SAYS.search(shown):
        return None
    ended = _ended(ran, commands)
    parts = {shown: shown + (f": {ended}" if ended else "")}
    return Result(parts=parts, folder=_folder(ran.cwd, root))


def _folder(cwd: str, root: str) -> str:
    folder = paths.relative(cwd, root)
    return "" if folder == "." or not root else folder


def shown_command(ran: Ran, root: str) -> str:
    """The command as it was typed, without the way to the project and what only cuts the output."""
    text = ran.command.strip()
    commands = split(ran.command, ran.cwd)
    moves = len(commands) > 1 and commands[0].words[:1] == ("cd",)
    if moves and not _folder(commands[1].cwd, root) and commands[0].then in {"&&", ";"}:
        text = text.partition(commands[0].then)[2].strip() or text
    text = _CUT_OUTPUT.sub("", text)
    if len(text) <= _LONGEST and "\n" not in text:
        return code(text, _LONGEST)
    doing = [c for c in commands if c.words[:1] and c.words[0] not in _IDLE]
    acts = [c for c in doing if not is_looking(c)] or [c for c in doing if c.words[0] != "echo"]
    if acts and "\n" not in acts[-1].text and len(acts[-1].words) > 1:
        more = " and more before it" if len(acts) > 1 else ""
        return code(acts[-1].text, _LONGEST) + more
    return act(text)


def _look(ran: Ran, commands: tuple[Command, ...], root: str) -> Result:
    lines = _lines(ran, commands)
    files = [paths.relative(path, root) for path in consulted(ran)]
    searched = any(prefixes.name(c.words[0]) in SEARCHES for c in commands)
    told = _whole(lines)
    if files and not ran.failed and not (searched and told):
        where = _asked_for(ran.command) if len(files) == 1 else ""
        return Result(parts={path: code(path) + where for path in files}, looks=True)
    shown = shown_command(ran, root)
    if ran.failed and lines and not told:
        told = one_line(lines[-1], _LINE)
    return Result(parts={shown: shown + (f" ({told})" if told else "")}, looks=True)


def _lines(ran: Ran, commands: tuple[Command, ...]) -> list[str]:
    """The lines of an output without those that the script wrote above others in any case: what
    it says only `&&` or `||` something else is an answer.
    """
    answers = {n + 1 for n, command in enumerate(commands) if command.then in {"&&", "||"}}
    heads = {printed(command) for n, command in enumerate(commands) if n not in answers}
    lines = summary.clean(ran.output).splitlines()
    return [line for line in lines if line.strip() and line.strip() not in heads]


def _asked_for(command: str) -> str:
    """Which lines of a file were printed."""
    found = _PRINTED.search(command)
    return in_lines(int(found[1]), int(found[2])) if found else ""


def in_lines(first: int, last: int) -> str:
    """` line 7`, ` lines 7-9`, ` from line 7 on`; "" where neither is known."""
    if not last:
        return f" from line {first} on" if first > 1 else ""
    return f" line {last}" if first == last else f" lines {max(first, 1)}-{last}"


def _whole(lines: Sequence[str]) -> str:
    """An output of few and short lines, of a server's answer how it answered; "" for any other."""
    if answer := _answer("\n".join(lines)):
        return answer
    told = "; ".join(one_line(line, _LINE) for line in lines if _SAYS.search(line))
    return told if len(lines) <= _SHORT and len(told) <= _WHOLE else ""


def _answer(text: str) -> str:
    found = _ANSWER.search(text)
    return found[0].strip() if found else ""


def _checked(check: Check) -> str:
    text = f"{code(check.command.text, _LONGEST)}: "
    if check.outcome == "unseen":
        return text + "outcome not seen"
    counted = check.summary if check.outcome == "failed" or summary.counts(check.summary) else ""
    note = counted or next(iter(check.decisive), "")
    return text + check.outcome + (f" ({one_line(note, _LINE)})" if note else "")


def _ended(ran: Ran, commands: tuple[Command, ...]) -> str:
    """How it ended, in a line; "" where nothing is to be told."""
    if ran.state in _STATES:
        return _STATES[ran.state]
    if ran.background:
        return "left running in the background"
    told, clashing = _git(ran), _conflicts(ran)
    text = summary.clean(ran.output)
    if clashing:
        told += clashing
    elif ran.failed:
        line = next(iter(decisive(text)), "") or reason(text) or last_line(text)
        told.append("failed" + (f": {one_line(line, _LINE)}" if line else ""))
    elif not told and commands and is_looking(commands[-1]):
        told += filter(None, [_whole(_lines(ran, commands))])
    elif not told and commands:
        line = _answer(text) or last_line(text)
        tells = len(line) <= _LINE and _SAYS.search(line) and not _NOISE.match(line)
        told += [line] if tells else []
    return "; ".join(told)


def _git(ran: Ran) -> list[str]:
    """What git says that it did: commits, pushes, the branch, pull requests."""
    git = Commits()
    git.see(ran, 0)
    told = [item.text for item in git.items()]
    return [*told, f"{_ON}{git.branch}"] if git.branch and not git.commits else told


def _conflicts(ran: Ran) -> list[str]:
    found = Conflicts()
    found.see(ran, 0)
    files = [*found.files, *_SIDED.findall(ran.output)]
    return [f"conflicts in {', '.join(code(f) for f in dict.fromkeys(files))}"] if files else []
