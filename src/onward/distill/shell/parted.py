"""Distil: the part of a script's output that one of its commands printed."""

from __future__ import annotations

from collections.abc import Sequence

from onward.distill.shell.split import Command

Part = tuple[int, int]


def part_of(index: int, commands: Sequence[Command], text: str) -> Part:
    """Where a command's output begins and ends: between the lines that `echo "--- test ---"` and
    its like printed before and after it; the whole output where there are none.
    """
    start, end, at = 0, len(text), 0
    for number, command in enumerate(commands):
        line = printed(command)
        found = f"\n{text}\n".find(f"\n{line}\n", at) if line else -1
        if found < 0:
            continue
        at = found + len(line) + 1
        if number < index:
            start = min(at, len(text))
        else:
            end = max(found - 1, start)
            break
    return start, end


def printed(command: Command) -> str:
    """The line that an `echo` prints, if it is the same each time."""
    words = command.words
    if words[:1] != ("echo",) or command.writes or command.then == "|":
        return ""
    line = " ".join(words[1:])
    return "" if "$" in line or "`" in line or line.startswith("-e") else line.strip()
