"""The man page, made from the program's own help: `docs/man/onward.1`, installed with the package."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import click

from onward.cli import table

_NOTICE = '.\\" Written by `make docs`; edit the program instead.'
_LITERAL = re.compile(r"^(?:onward|CLIENT) ")


def page(verbs: Iterable[tuple[str, click.Context]], codes: Iterable[tuple[int, str]]) -> str:
    """The page in roff: every verb with its options, then the exit codes."""
    first, rest = table.ABOUT.split("\n\n", 1)
    lines = [
        _NOTICE,
        '.TH ONWARD 1 "" onward "User Commands"',
        ".SH NAME",
        f"onward \\- {_text(first.rstrip('.').replace(';', ','))}",
        ".SH SYNOPSIS",
        r".B onward",
        r"[\fIVERB\fR] [\fIOPTIONS\fR] [\fIARGS\fR]",
        ".SH DESCRIPTION",
        *_paragraphs(rest),
        ".SH VERBS",
    ]
    for path, context in verbs:
        lines += _verb(path, context)
    lines.append(".SH EXIT STATUS")
    for code, meaning in codes:
        lines += [".TP", f".B {code}", _text(meaning)]
    return "\n".join(lines) + "\n"


def _verb(path: str, context: click.Context) -> Iterator[str]:
    command = context.command
    yield f".SS {_text(' '.join([path, *command.collect_usage_pieces(context)]))}"
    yield from _paragraphs(command.help or "")
    for option in command.params:
        told = option.get_help_record(context) if isinstance(option, click.Option) else None
        if told:
            yield from (".TP", f".B {_text(told[0])}", _text(told[1]))


def _paragraphs(told: str) -> Iterator[str]:
    for paragraph in told.split("\n\n"):
        text = " ".join(paragraph.split())
        if text:
            yield ".PP"
            yield f"\\fB{_text(text)}\\fR" if _LITERAL.match(text) else _text(text)


def _text(told: str) -> str:
    """What roff would read as its own is escaped; what stands in back-ticks is bold."""
    text = " ".join(told.split()).replace("\\", "\\e").replace("-", "\\-")
    text = re.sub(r"`([^`]+)`", r"\\fB\1\\fR", text)
    return f"\\&{text}" if text.startswith((".", "'")) else text
