"""Every command that any text of the program suggests can be typed as it stands."""

from __future__ import annotations

import ast
import io
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import onward
from onward.cli import table

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch

SOURCE = Path(onward.__file__).parent
VERBS = "|".join(table.SUMMARIES)
COMMAND = re.compile(rf"\bonward (?:{VERBS})\b[^\n;,`()]*")
# What stands for a word that the user puts in, and for a hole that the program fills in.
WORDS = {
    "NAME": "add-jwt-login",
    "VERB": "save",
    "DRAFT.json": "draft.json",
    "FILE": "TRANSCRIPT",
    "ID": "TRANSCRIPT",
}
HOLES = {
    "verb": "resume",
    "propose(raw, task)": "fix-the-cart",
    "first": "1",
    "first + _MOST - 1": "2",
    "path": "TRANSCRIPT",
    "place": "t:1",
    "client.OPTION": "--opencode",
    "self.OPTION": "--opencode",
    "target.OPTION": "--opencode",
    "more": "",
    "installed": "codex",
    "places[-1]": "t:1",
    "self.mark('last')": "t:last",
    "what": "c:9f5a3c7",
    "end": "7",
}


def _text(node: ast.expr) -> str:
    """A string of the source, its holes filled in."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    assert isinstance(node, ast.JoinedStr)
    return "".join(
        HOLES.get(ast.unparse(part.value), "add-jwt-login")
        if isinstance(part, ast.FormattedValue)
        else _text(part)
        for part in node.values
    )


def _strings(tree: ast.AST) -> Iterator[str]:
    inner = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in node.values
    }
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr | ast.Constant) and id(node) not in inner | docs:
            yield _text(node)


def _commands() -> list[str]:
    found = set()
    for path in sorted(SOURCE.rglob("*.py")):
        for text in _strings(ast.parse(path.read_text(encoding="utf-8"))):
            found |= {match[0].strip(" .,:") for match in COMMAND.finditer(text)}
    return sorted(found)


def _filled(command: str, transcript: Path) -> list[str]:
    for word, sample in WORDS.items():
        command = re.sub(rf"(?<![\w-]){re.escape(word)}(?![\w-])", sample, command)
    return shlex.split(command.replace("TRANSCRIPT", shlex.quote(str(transcript))))[1:]


def test_hints_are_found_in_the_source() -> None:
    assert len(_commands()) > 10


@pytest.mark.parametrize("command", _commands())
def test_a_suggested_command_is_one_that_onward_takes(
    command: str, saved: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
    (scratch.root / "draft.json").write_text('{"next": "Run pytest tests/test_auth.py"}')
    words = _filled(command, scratch.transcript)
    answer = saved(*words)
    # 1 is the doctor's verdict on a project in which nothing is installed.
    assert answer.code in {0, 3, 5, 7, *([1] if words[0] == "doctor" else [])}, (words, answer.err)
