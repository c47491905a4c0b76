"""Change the code a little, run its tests, count the changes that nobody notices.

`mutants.py [--count N] [--seed WORD] [TARGET ...]`: a fixed sample of changes for each
target of `TARGETS`, one at a time, in a copy of the tree with an interpreter of its own, so that
programs which the tests start run the changed code as well. A change is caught when a test fails
or takes too long. Ends with status 1 where a target's own tests fail without any change.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.util import cache_from_source
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]


class Target(NamedTuple):
    """Code, by the paths of files or folders in `src/onward`, and its tests, in `tests`."""

    code: tuple[str, ...]
    tests: tuple[str, ...]


TARGETS = {
    "redaction": Target(("redaction",), ("unit/redaction",)),
    "storage": Target(("storage",), ("unit/storage",)),
    "splice": Target(
        ("clients/splice.py",),
        (
            "unit/clients/test_splice.py",
            "unit/clients/test_settings.py",
            "unit/clients/test_install.py",
            "unit/clients/test_uninstall.py",
        ),
    ),
    "drift": Target(("drift.py",), ("unit/test_drift.py",)),
    "record": Target(("record",), ("unit/record",)),
}
_COPIED = (
    "src",
    "tests",
    "tools",
    "evals",
    "docs",
    "pyproject.toml",
    "README.md",
    ".claude-plugin",
)
_OPERATORS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "//"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}
_SLACK = 30.0  # seconds that a run may take beyond three times an unchanged one
_ALONE = ("-q", "-x", "-n", "0", "-p", "no:cacheprovider", "--hypothesis-seed=0", "--no-header")


Change = tuple[int, int, str]


class Mutant(NamedTuple):
    """`new` in the place of the bytes from `start` to `end` of a file."""

    path: Path
    line: int
    start: int
    end: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {' '.join(self.old.split())} -> {self.new}"


class _File:
    """The places of one file that can be changed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.data = (ROOT / path).read_bytes()
        self._lines = [0]
        for line in self.data.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))

    def mutants(self) -> Iterator[Mutant]:
        """All changes, in the order of the places."""
        tree = ast.parse(self.data)
        for node in _code(tree, table=True):
            for start, end, new in self._changes(node):
                old = self.data[start:end].decode()
                yield Mutant(self.path, node.lineno, start, end, old, new)

    def _changes(self, node: ast.stmt | ast.expr) -> Iterator[Change]:
        start, end = self._span(node)
        match node:
            case ast.Compare(left=left, ops=ops, comparators=others):
                for one, op, other in zip([left, *others], ops, others, strict=False):
                    yield from self._between(one, op, other)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                yield from self._between(left, op, right)
            case ast.BoolOp(op=op, values=[left, right, *_]):
                yield from self._between(left, op, right)
            case ast.Constant(value=value):
                yield from ((start, end, new) for new in _other(value))
            case ast.UnaryOp(op=ast.Not(), operand=test):
                yield start, end, f"({self._text(test)})"
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                yield *self._span(test), f"(not ({self._text(test)}))"
            case ast.stmt() if new := _instead(node):
                yield start, end, new

    def _text(self, node: ast.expr) -> str:
        start, end = self._span(node)
        return self.data[start:end].decode()

    def _between(self, left: ast.expr, op: ast.AST, right: ast.expr) -> Iterator[Change]:
        """The change of one operator; brackets and comments around it stay."""
        start, end = self._span(left)[1], self._span(right)[0]
        old, new = _OPERATORS[type(op)]
        at = self.data[start:end].find(old.encode())
        if at >= 0:
            yield start + at, start + at + len(old), new

    def _span(self, node: ast.stmt | ast.expr) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self._lines[node.lineno - 1] + node.col_offset
        return start, self._lines[node.end_lineno - 1] + node.end_col_offset


def _code(node: ast.AST, *, table: bool) -> Iterator[ast.stmt | ast.expr]:
    """All statements and expressions that do something: no docstring, annotation or list of
    names, and no string of a `table`, which is what stands outside of functions: most of those
    are words for readers. What stands in an f-string has no place of its own before Python 3.12.
    """
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.Expr(value=ast.Constant()) | ast.JoinedStr() | ast.arg():
                continue
            case ast.Constant(value=str()) if table:
                continue
            case ast.Assign(targets=[ast.Name(id="__all__")]):
                continue
            case ast.AnnAssign(value=value):
                yield from _code(ast.Expr(value), table=table) if value else ()
                continue
            case ast.FunctionDef(args=args, body=body):
                for part in (*args.defaults, *filter(None, args.kw_defaults), *body):
                    yield from _code(ast.Module([part], []), table=False)  # type: ignore[list-item]
                continue
            case ast.stmt() | ast.expr():
                yield child
        yield from _code(child, table=table)


def _other(value: object) -> Iterator[str]:
    """Another constant of the same type."""
    match value:
        case bool():
            yield str(not value)
        case int():
            yield str(value + 1)
        case str() if value:
            yield repr(value[:-1])


def _instead(node: ast.stmt) -> str:
    """Another statement in this one's place, "" where there is none."""
    match node:
        case ast.Return(value=None | ast.Constant(value=None)):
            return ""
        case ast.Return():
            return "return None"
        case ast.Break():
            return "continue"
        case ast.Continue():
            return "break"
        case ast.Expr(value=ast.Call()) | ast.Raise() | ast.AugAssign():
            return "pass"
    return ""


def sample(name: str, count: int, seed: str) -> list[Mutant]:
    """The changes of one target: the same for the same code, number and seed."""
    found: list[Mutant] = []
    for place in TARGETS[name].code:
        path = ROOT / "src/onward" / place
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path] * path.is_file():
            found += _File(file.relative_to(ROOT)).mutants()
    return random.Random(f"{seed} {name}").sample(found, min(count, len(found)))


class Copy:
    """The tree below `top`, with an interpreter that imports `onward` from it."""

    def __init__(self, top: Path) -> None:
        self.top = top
        for name in _COPIED:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, top / name, symlinks=True)
            elif (ROOT / name).exists():
                shutil.copy2(ROOT / name, top / name)
        subprocess.run(
            [sys.executable, "-m", "venv", "--without-pip", str(top / ".venv")], check=True
        )
        self.python = top / ".venv/bin/python"
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        (packages,) = (path for path in sys.path if path.endswith("site-packages"))
        own = top / ".venv/lib" / version / "site-packages/onward-copy.pth"
        own.write_text(f"{top / 'src'}\n{packages}\n")
        script = self.python.with_name("onward")
        script.write_text(f"#!{self.python}\nfrom onward.__main__ import main\nmain()\n")
        script.chmod(0o755)
        compileall.compile_dir(top, quiet=2)

    def run(self, tests: tuple[str, ...], limit: float) -> tuple[bool, str]:
        """Whether the tests pass within `limit` seconds, and their output's end."""
        words = [str(self.python), "-m", "pytest", *_ALONE, *(f"tests/{each}" for each in tests)]
        env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        process = subprocess.Popen(
            words,
            cwd=self.top,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            said, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return False, "too slow"
        return process.returncode == 0, said[-2000:]

    def survives(self, mutant: Mutant, tests: tuple[str, ...], limit: float) -> bool:
        """Whether the tests pass all the same with this change."""
        path = self.top / mutant.path
        whole = path.read_bytes()
        changed = whole[: mutant.start] + mutant.new.encode() + whole[mutant.end :]
        compiled = Path(cache_from_source(str(path)))
        compiled.unlink(missing_ok=True)  # it is told from the text by size and second alone
        path.write_bytes(changed)
        try:
            return self.run(tests, limit)[0]
        finally:
            path.write_bytes(whole)
            compiled.unlink(missing_ok=True)


def _nearest_first(tests: tuple[str, ...], mutant: Mutant) -> tuple[str, ...]:
    """The files of the tests, those whose names share a word with the changed module first."""
    files = [
        file.relative_to(ROOT / "tests")
        for path in (ROOT / "tests" / each for each in tests)
        for file in (sorted(path.rglob("test_*.py")) if path.is_dir() else [path])
    ]
    words = set(mutant.path.stem.split("_"))
    files.sort(key=lambda file: not words & set(file.stem.split("_")))
    return tuple(map(str, files))


def judge(name: str, mutants: list[Mutant], copy: Copy) -> bool:
    """Try all changes of a target and print what came of it. False: its tests are red."""
    tests = tuple(each for each in TARGETS[name].tests if (ROOT / "tests" / each).exists())
    began = time.monotonic()
    green, said = copy.run(tests, 1800)
    if not green:
        print(f"{name}: its tests fail without any change:\n{said}")
        return False
    limit = 3 * (time.monotonic() - began) + _SLACK
    alive = []
    for mutant in mutants:
        if copy.survives(mutant, _nearest_first(tests, mutant), limit):
            alive.append(mutant)
            print(f"  not noticed: {mutant}", flush=True)
    caught = len(mutants) - len(alive)
    spent = time.monotonic() - began
    print(f"{name}: {caught} of {len(mutants)} changes caught ({spent:.0f} s)", flush=True)
    return True


def main(words: list[str]) -> int:
    """All targets that there are, or those that were named."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--count", type=int, default=40, help="changes for each target")
    parser.add_argument("--seed", default="onward", help="another word, another sample")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    given = parser.parse_args(words)
    if unknown := set(given.targets) - set(TARGETS):
        parser.error(f"unknown target {', '.join(sorted(unknown))}; there are {', '.join(TARGETS)}")
    green = True
    with tempfile.TemporaryDirectory(prefix="onward-mutants-") as top:
        copy = Copy(Path(top).resolve())
        for name in given.targets or TARGETS:
            if mutants := sample(name, given.count, given.seed):
                green &= judge(name, mutants, copy)
            elif name in given.targets:
                green = False
                print(f"{name}: there is no such code")
    return 0 if green else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
