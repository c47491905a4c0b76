"""Install, doctor: the program that the hooks and the commands start."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import onward
from onward.clients.doctor.case import Case
from onward.clients.doctor.finding import Finding, broken, ok, remark
from onward.clients.doctor.levels import entries, levels

_LIMIT = 20.0  # seconds for a start of Python on a busy machine
_OURS = Path(onward.__file__).resolve().parent
_ASK = (
    "import sys; sys.path.append(sys.argv[1]); import msgspec, onward; "
    "print('%d.%d' % sys.version_info[:2])"
)
"""What a hook's child needs; compiled packages serve one minor version of Python only."""


def launcher(case: Case) -> Iterator[Finding]:
    """The two lines by which a shim finds Python and our code."""
    path = case.data / "launcher"
    shown = case.shown(path)
    try:
        lines = path.read_text("utf-8", "replace").split("\n")
    except FileNotFoundError:
        if not entries(levels(case)):
            return  # nothing calls it, and installing writes it
        yield remark(
            "launcher",
            f"there is no {shown}",
            "each hook starts through `onward` on PATH, which takes several times as long",
            "onward doctor --fix",
            "launcher",
        )
        return
    except OSError as error:
        reason = error.strerror or type(error).__name__
        yield _stale(f"{shown} cannot be read: {reason}")
        return
    interpreter, entry = (Path(line) for line in (*lines, "", "")[:2])
    if not lines[0] or not os.access(interpreter, os.X_OK):
        yield _stale(f"{shown} names a Python that is gone: {case.shown(interpreter)}")
    elif not entry.is_file():
        yield _stale(f"{shown} names a program that is gone: {case.shown(entry)}")
    else:
        yield _started(case, interpreter, entry)


def _started(case: Case, interpreter: Path, entry: Path) -> Finding:
    package = entry.parent.parent
    said = _output([str(interpreter), "-I", "-c", _ASK, str(package.parent)], case)
    if said is None:
        return _stale(
            f"{case.shown(interpreter)} cannot load onward from {case.shown(package.parent)} "
            "(removed, or made for another version of Python)"
        )
    if package.resolve() != _OURS:
        return remark(
            "launcher",
            f"hooks run another onward: {case.shown(package)}",
            f"this one is {case.shown(_OURS)}: they may differ in what they write",
            "onward doctor --fix",
            "launcher",
        )
    return ok("launcher", f"Python {said.strip()} and onward {onward.__version__}")


def _stale(text: str) -> Finding:
    why = "the hooks fall back on `onward` on PATH; where there is none, nothing is captured"
    return broken("launcher", text, why, "onward doctor --fix", "launcher")


def on_path(case: Case) -> Iterator[Finding]:
    """Commands and skills call `onward` by its name."""
    found = shutil.which("onward", path=case.env.get("PATH", os.defpath))
    why = "the slash commands and skills call `onward` by its name"
    if found is None:
        folder = sysconfig.get_path("scripts")
        yield broken("PATH", "there is no `onward` on it", why, f'export PATH="{folder}:$PATH"')
        return
    shown = case.shown(Path(found))
    said = _output([found, "--version"], case)
    if said is None:
        yield broken(
            "PATH",
            f"{shown} does not start",
            why,
            f"install onward anew, or rm {shlex.quote(found)}",
        )
    elif said.split()[-1:] != [onward.__version__] or _elsewhere(found, case):
        yield remark(
            "PATH",
            f"`onward` is {shown} ({' '.join(said.split())}), not the one that the hooks start",
            "commands and hooks may differ in what they write",
            "uninstall one of the two, then: onward doctor --fix",
            "launcher",
        )
    else:
        yield ok("PATH", f"{shown}, {onward.__version__}")


def _elsewhere(found: str, case: Case) -> bool:
    """Whether the script runs another Python than the launcher names, where both can be told."""
    try:
        with Path(found).resolve().open("rb") as stream:
            first = stream.readline(4096).decode(errors="replace")
        chosen = (case.data / "launcher").read_text("utf-8", "replace").split("\n")[0]
    except OSError:
        return False
    interpreter = Path(first.removeprefix("#!").strip())
    if not first.startswith("#!") or "python" not in interpreter.name or not chosen:
        return False
    # A virtual environment's Python is a link: its folder is what tells it from another.
    return os.path.realpath(interpreter.parent) != os.path.realpath(Path(chosen).parent)


def git(case: Case) -> Iterator[Finding]:
    """Without git there is no drift; in a folder that is no repository there is none to tell."""
    if shutil.which("git", path=case.env.get("PATH", os.defpath)) is None:
        yield remark(
            "git",
            "there is no git on PATH",
            "what changed since a save (commits, branch, files) cannot be told",
            "install git",
        )
    elif case.top is not None:
        yield ok("git", f"{case.top.name} is a repository")


def _output(words: list[str], case: Case) -> str | None:
    """What a program prints; None where it does not end well. Nothing of ours is touched."""
    env = dict(case.env) | {"PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            words,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_LIMIT,
            check=False,
            stdin=subprocess.DEVNULL,
            env=env,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 and done.stdout.strip() else None
