"""Checks that the user ran and pasted into a message, told by the runner's own summary lines alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from onward import paths
from onward.model import Event, Prompt, Ran
from onward.record.checks import Check, checks
from onward.record.commands import Form, kind_of
from onward.record.runners import clean, counted, is_printed, printed_by, read

_LONGEST = 200_000
"""Characters of a message, of its end, that are looked at."""
_PROMPT = re.compile(
    r"(?:\([\w.-]{1,40}\) )?"
    r"(?:\u279c +\S+ git:\([^)\n]{1,80}\)(?: \u2717)?|[\u276f\u279c$%\u00bb]|PS [A-Z]:\\[^>\n]{0,200}>"
    r"|[^\s@]{1,64}@[^\s@]{1,64}(?:[ :][^@$#%\u276f\n]{0,200})?[$#%\u276f])"
    r"(?: +(?P<command>\S.*)|[ \t]*$)"
)
"""A line that begins with the prompt of a shell: it was copied from a terminal."""
_ABOVE = re.compile(r"[~/\[]|\S+@\S")
"""The first line of a prompt of two lines: the folder, or user and machine."""
_FOLDER = re.compile(r"(?:^|[ :])((?:[~/]|[A-Z]:\\)[^\s$#%>\u276f]*)(?=\s*(?:[$#%>(\u276f]|$))")
_PRINTS = {"go": "test", "vite": "build"}
"""Which subcommand prints the lines of those that are no checks by themselves and count no tests."""


@lru_cache(maxsize=4)
def pasted(event: Event, root: str = "") -> tuple[Check, ...]:
    """The checks that ended in what the user typed or pasted, in order, each under the command behind
    the prompt right before its output, else under its runner's name. Of these only failures: a pass
    may be a part.
    """
    if not isinstance(event, Prompt) or event.thread or event.source not in {"typed", "queued"}:
        return ()
    text = clean(event.text[-_LONGEST:])
    found = (c for part in _parts(text, root) for c in checks(part, root))
    # A program that nobody knows may be no command at all.
    known = (c for c in found if c.form.sub or kind_of(c.form, c.command.words))
    return tuple(replace(c, pasted=True) for c in known if c.outcome != "unseen")


def _parts(text: str, root: str) -> Iterator[Ran]:
    """Each command with what stands behind it up to the next prompt or fence."""
    command, folder, before, lines = "", "", "", list[str]()
    for line in [*text.splitlines(), "$"]:
        prompt = _PROMPT.match(line)
        if prompt or line.startswith(("```", "~~~")):
            output = "\n".join(lines)
            yield Ran(line=0, command=command or _runner(output), output=output, cwd=folder)
            command, lines = (prompt and prompt["command"]) or "", []
            where = _FOLDER.search(line.removesuffix(command))
            where = where or (_FOLDER.search(before) if _ABOVE.match(before) else None)
            folder = paths.join(root, where[1]) if command and where else ""
        elif command.endswith("\\") and not lines:
            command = command[:-1] + line.lstrip("> ")
        else:
            lines.append(line)
        before = line


def _runner(output: str) -> str:
    """What failed in an output of which no command is known: `vitest`, `cargo test`; "" for nothing."""
    runner = printed_by(output)
    own = kind_of(Form(runner))
    kind = "test" if counted(output) else own or _PRINTS.get(runner)
    said = read(output, "", kind) if runner and kind else None
    return (runner if own else f"{runner} {kind}") if said and said.said == "failed" else ""


def opening(lines: list[str]) -> tuple[str | None, list[str]]:
    """The first command of lines that begin with what was copied from a terminal, "" where it is not
    known, None where they begin otherwise; with the lines, without these where others stand behind
    a prompt without a command.
    """
    first = [line for line in lines if line.strip()][:2]
    most = 2 if first and _ABOVE.match(first[0]) else 1
    prompt = next(filter(None, map(_PROMPT.match, first[:most])), None)
    if first and not prompt and not is_printed(first[0]):
        return None, lines
    ends = [n for n, line in enumerate(lines, 1) if (m := _PROMPT.match(line)) and not m["command"]]
    behind = [line for line in lines[ends[-1] :] if line.strip()] if ends else []
    return (None, behind) if behind else ((prompt and prompt["command"]) or "", lines)
