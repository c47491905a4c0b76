"""Which files a Python script of the agent writes, read from its syntax tree."""

from __future__ import annotations

import ast
import itertools
import re
import warnings
from collections.abc import Iterator
from typing import Literal

from onward.record.shell import Command, bare, program_name

_PYTHON = re.compile(r"python[\d.]*|py|pypy3?")
_LONGEST, _ALTERNATIVES, _PATH = 40_000, 60, 400
"""Characters of a script, values of one name and characters of a value that are looked at."""
_WRITES = frozenset({"write_text", "write_bytes"})
_SAME = frozenset({"resolve", "absolute", "expanduser", "as_posix"})

Change = Literal["created", "edited", "deleted"]


def python_source(command: Command) -> str:
    """The script that Python was given in the command itself, by `-c` or a here-document."""
    words = bare(command.words)
    if not words or not _PYTHON.fullmatch(program_name(words[0])):
        return ""
    inline = [after for word, after in itertools.pairwise(words) if word == "-c"]
    given = inline or ([command.given] if set(words[1:]) <= {"-", "-u", "-I"} else [])
    return "".join(given[:1])


def files_written(source: str) -> tuple[tuple[Change, str], ...]:
    """The files that a script writes or removes, as far as their names stand in it: `edited` where
    it read the file as well. () where it is no Python, or goes to another folder.
    """
    if len(source) > _LONGEST or "chdir" in source:
        return ()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of another's script nobody here wants to hear
            tree = ast.parse(source)
        script = _Script(tree)
        script.visit(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    return tuple(
        ("edited" if change == "created" and path in script.read else change, path)
        for path, change in script.changed.items()
    )


class _Script(ast.NodeVisitor):
    """One walk over a script: what its names stand for, and what is opened under which."""

    def __init__(self, tree: ast.Module) -> None:
        self.changed: dict[str, Change] = {}
        self.read: set[str] = set()
        self._names: dict[str, list[str]] = {}
        self._takes = {
            node.name: [each.arg for each in node.args.args]
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                for name, given in zip(self._takes.get(node.func.id, ()), node.args, strict=False):
                    self._bind(ast.Name(name), given)

    def visit_Assign(self, node: ast.Assign) -> None:
        """Take note of what a name stands for."""
        for target in node.targets:
            if isinstance(target, ast.Name):
                self._names[target.id] = self._paths(node.value)
        self.generic_visit(node)

    def visit_For(self, node: ast.For) -> None:
        """Take note of all that a loop's names stand for."""
        for each in node.iter.elts if isinstance(node.iter, ast.Tuple | ast.List) else ():
            self._bind(node.target, each)
        match node.target, node.iter:
            case target, ast.Name():
                self._bind(target, node.iter)
            case ast.Tuple(elts=[first, *_]), ast.Call(func=ast.Attribute(value, "items")):
                self._bind(first, value)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        """Take note of what is written, read and removed."""
        func, given = node.func, [*node.args, *(k.value for k in node.keywords if k.arg == "mode")]
        if isinstance(func, ast.Name) and func.id == "open":
            self._open(given[:1], given[1:])
        elif isinstance(func, ast.Attribute):
            if func.attr in _WRITES:
                self._change("created", func.value)
            elif func.attr in {"read_text", "read_bytes"}:
                self.read.update(self._paths(func.value))
            elif func.attr == "open":
                self._open([func.value], given)
            elif func.attr == "unlink" and not given:
                self._change("deleted", func.value)
            elif (
                func.attr == "remove" and isinstance(func.value, ast.Name) and func.value.id == "os"
            ):
                for each in given:
                    self._change("deleted", each)
        self.generic_visit(node)

    def _open(self, files: list[ast.expr], modes: list[ast.expr]) -> None:
        mode = modes[0] if modes else None
        text = mode.value if isinstance(mode, ast.Constant) and isinstance(mode.value, str) else "r"
        for file in files:
            if {"w", "x"} & set(text):
                self._change("created", file)
            elif {"a", "+"} & set(text):
                self._change("edited", file)
            else:
                self.read.update(self._paths(file))

    def _change(self, change: Change, file: ast.expr) -> None:
        for path in self._paths(file):
            self.changed[path] = change

    def _bind(self, target: ast.expr, given: ast.expr) -> None:
        if isinstance(target, ast.Name):
            known = self._names.setdefault(target.id, [])
            known += self._paths(given)[: max(0, _ALTERNATIVES - len(known))]
        elif isinstance(target, ast.Tuple) and isinstance(given, ast.Tuple | ast.List):
            for each, value in zip(target.elts, given.elts, strict=False):
                self._bind(each, value)

    def _paths(self, node: ast.expr) -> list[str]:
        """What an expression may stand for, as text."""
        short = (value for value in self._values(node) if len(value) <= _PATH)
        return list(itertools.islice(short, _ALTERNATIVES))

    def _values(self, node: ast.expr) -> Iterator[str]:
        match node:
            case ast.Constant(value=str(text)):
                yield text
            case ast.Name(id=name):
                yield from self._names.get(name, ())
            case ast.List(elts=elts) | ast.Tuple(elts=elts) | ast.Dict(keys=elts):
                for each in filter(None, elts):
                    yield from self._paths(each)
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                folders, names = self._paths(left), self._paths(right)
                yield from (f"{folder}/{name}" for folder in folders for name in names)
            case ast.Call(func=ast.Attribute(attr=attr, value=value), args=[]) if attr in _SAME:
                yield from self._paths(value)
            case ast.Call(args=[first]) if _is_path(node.func):
                yield from self._paths(first)
            case _:
                return


def _is_path(func: ast.expr) -> bool:
    name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
    return name in {"Path", "PurePath", "PosixPath", "str"}
