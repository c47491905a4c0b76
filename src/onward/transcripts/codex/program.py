"""Commands and patches within a program of "code mode" (clients since 0.145).

There the agent writes JavaScript that calls its tools. It is read, never run: a command is found
where its text stands in the program, whole; what the program puts together is passed over.
"""

from __future__ import annotations

import json
import re
from typing import Final

from msgspec import Struct

_CALL: Final = re.compile(r"tools\.(?:exec_command|shell_command|shell)\(\s*\{")
_OTHER: Final = re.compile(r"tools\.(?!exec_command\b|apply_patch\b|write_stdin\b)(\w+)\(")
_CMD: Final = re.compile(r"[{,\s]\"?(?:cmd|command)\"?\s*(?::\s*|(?=[,}]))")
_DIR: Final = re.compile(r"[{,\s]\"?workdir\"?\s*:\s*")
# No text begins behind a backslash: else each of many escaped quotation marks would be tried.
_TEXT: Final = re.compile(
    r"(?<!\\)(?:\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'|`(?:[^`\\]|\\.)*+`)", re.DOTALL
)
_NAMED: Final = re.compile(r"\b(?:const|let|var)\s+(cmd|command)\s*=\s*")
_PATCH: Final = "*** Begin Patch"
_MOST: Final = 20
"""Commands of one program: a loop over more says little."""
_ESCAPE: Final = re.compile(
    r"\\(u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|\n|.)", re.DOTALL
)
_SIGNS: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0", "\n": ""}


class Command(Struct, frozen=True):
    """A shell command in a program, and the folder that it names."""

    text: str
    folder: str = ""


class Program(Struct, frozen=True):
    """What a program would have its tools do."""

    commands: tuple[Command, ...] = ()
    patches: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    """Names of other tools."""


def read(text: str) -> Program:
    """The commands, patches and other tools of a program, in order."""
    commands: list[Command] = []
    for call in list(_CALL.finditer(text))[:_MOST]:
        # Up to the next call: an object that is not closed must not take that one's fields.
        rest = text[call.end() - 1 : _next(text, call.end())]
        if command := _command(rest, text):
            commands.append(Command(command, _value(rest, _DIR)))
    patches = tuple(
        literal
        for found in (_TEXT.finditer(text) if _PATCH in text else ())
        if _PATCH in found[0] and (literal := _literal(found[0])).lstrip().startswith(_PATCH)
    )
    return Program(tuple(commands), patches, tuple(dict.fromkeys(_OTHER.findall(text))))


def _next(text: str, start: int) -> int:
    found = _CALL.search(text, start)
    return found.start() if found else len(text)


def _command(rest: str, program: str) -> str:
    if value := _value(rest, _CMD):
        return value
    named = _NAMED.search(program)
    literal = _TEXT.match(program, named.end()) if named and _CMD.search(rest) else None
    return _literal(literal[0]) if literal else ""


def _value(rest: str, key: re.Pattern[str]) -> str:
    """The text that a field has; "" where it is not written out."""
    found = key.search(rest)
    literal = _TEXT.match(rest, found.end()) if found else None
    return _literal(literal[0]) if literal else ""


def _literal(source: str) -> str:
    """The text that a JavaScript literal stands for; `${}` stays as it is written."""
    if source.startswith('"'):
        try:
            return str(json.loads(source, strict=False))
        except ValueError:
            pass
    return _ESCAPE.sub(_sign, source[1:-1])


def _sign(found: re.Match[str]) -> str:
    sign = found[1]
    if sign[0] in "ux" and len(sign) > 1:
        return chr(min(int(sign[1:].strip("{}"), 16), 0x10FFFF))
    return _SIGNS.get(sign, sign)
