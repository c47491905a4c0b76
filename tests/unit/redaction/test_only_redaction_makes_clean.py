"""`Clean` is a promise: only redaction may give it, and what joins clean pieces."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import onward

SOURCE = Path(onward.__file__).parent

JOINERS = {
    "briefing": "lays out a Checkpoint, all of whose text is Clean",
    "documents": "lays out a Checkpoint, all of whose text is Clean",
    "open_work.py": "picks and joins lines of a Checkpoint, all of whose text is Clean",
    "search/excerpt.py": "cuts a text that is Clean",
    "search/query.py": "cuts a text that is Clean",
    "commands/result.py": "joins lines that are Clean by type",
    "cli/verbs/shell.py": "prints a script that the argument parser made",
}


def _makes_clean(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func).rpartition(".")[2]
        to_clean = bool(node.args) and "Clean" in ast.unparse(node.args[0])
        if called == "Clean" or (called in {"cast", "convert"} and to_clean):
            yield node.lineno


def test_clean_text_is_made_by_redaction_and_joined_in_few_places() -> None:
    elsewhere = [
        f"{name}:{line}"
        for file in sorted(SOURCE.rglob("*.py"))
        if not (name := file.relative_to(SOURCE).as_posix()).startswith("redaction/")
        and not any(name == place or name.startswith(f"{place}/") for place in JOINERS)
        for line in _makes_clean(ast.parse(file.read_text(encoding="utf-8")))
    ]
    assert elsewhere == []


def test_the_check_sees_each_way_of_making_it() -> None:
    code = "Clean(x)\nmodel.Clean(x)\ncast('Clean', x)\ncast(Clean, x)\nstr(x)\n"
    assert list(_makes_clean(ast.parse(code))) == [1, 2, 3, 4]
