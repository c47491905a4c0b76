"""End-to-end kit: ways to break an installed onward, and programs put in the place of others."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.kit.lab import Lab
from tests.programs import PYTHON

import onward

ENTRY = Path("hooks", "entry.py")
_PACKAGE = Path(onward.__file__).resolve().parent
_MINORS = range(9, 20)


def launcher(lab: Lab, python: Path | str = "", entry: Path | str = "") -> None:
    """Let the shims start another Python, or another program in it."""
    python = python or sys.executable
    (lab.data / "launcher").write_text(f"{python}\n{entry or _PACKAGE / ENTRY}\n")


def package(lab: Lab, **changed: str) -> Path:
    """A copy of our own code that the hooks run from now on. `changed`: text of modules of the
    hooks room, by name. Returns the copy.
    """
    copy = lab.top / "site" / "onward"
    shutil.copytree(_PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in changed.items():
        (copy / "hooks" / f"{name}.py").write_text(text)
    launcher(lab, entry=copy / ENTRY)
    return copy


def program(path: Path, text: str) -> Path:
    """A shell script that can be started."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def without_processes(lab: Lab) -> Path:
    """A program that runs a command of the shell as a user for whom no process is left."""
    text = (
        "import os, resource, sys\n"
        "if os.getuid() == 0:  # the limit does not hold for root\n"
        "    os.setgid(65534)\n"
        "    os.setuid(65534)\n"
        "resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))\n"
        "os.execv('/bin/sh', ['sh', '-c', sys.argv[1]])\n"
    )
    lab.top.chmod(0o755)
    path = program(lab.top / "no-processes", f'exec {PYTHON} "$0.py" "$@"')
    path.with_suffix(".py").write_text(text)
    return path


def another_python(lab: Lab) -> Path:
    """A Python of another minor version, from PATH or pyenv; where the machine has none, one
    without any of our packages, which is what another version comes to.
    """
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    minors = [minor for minor in _MINORS if minor != sys.version_info.minor]
    for minor in sorted(minors, key=lambda each: abs(each - sys.version_info.minor)):
        found = shutil.which(f"python3.{minor}", path="/usr/local/bin:/usr/bin")
        folders = pyenv.glob(f"versions/3.{minor}.*/bin/python3")
        if path := Path(found) if found else next(folders, None):
            return path
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", lab.top / "bare"], check=True)
    return lab.top / "bare" / "bin" / "python"


@contextmanager
def full_disk(folder: Path) -> Iterator[None]:
    """Put a folder, with all that is in it, on a disk of its own on which nothing is free.
    Needs a machine that lets us mount.
    """
    kept = folder.with_name(f"{folder.name}.kept")
    shutil.copytree(folder, kept, symlinks=True)
    _mount("-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder))
    try:
        shutil.copytree(kept, folder, symlinks=True, dirs_exist_ok=True)
        _fill(folder / ".filler")
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)
        shutil.rmtree(kept)


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Let nobody write in a folder, root included. Needs a machine that lets us mount."""
    _mount("--bind", str(folder), str(folder))
    try:
        _mount("-o", "remount,bind,ro", str(folder))
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def _fill(path: Path) -> None:
    file = os.open(path, os.O_WRONLY | os.O_CREAT)
    try:
        for size in (65536, 4096, 1):
            try:
                while True:
                    os.write(file, b"x" * size)
            except OSError:
                continue
    finally:
        os.close(file)


def _mount(*words: str) -> None:
    done = subprocess.run(["mount", *words], capture_output=True, text=True, check=False)
    said = f"this test needs to mount (run it as root): mount {' '.join(words)}: {done.stderr}"
    assert done.returncode == 0, said


def counted(lab: Lab) -> Callable[[str], int]:
    """Let each start of Python for a hook be counted; returns what tells how many there were."""
    log = lab.top / "calls"
    log.touch()
    lines = f"""printf '%s\\n' "$7" >>{log}\nexec {PYTHON} "$@" """
    launcher(lab, python=program(lab.top / "counting", lines))
    return lambda event: log.read_text().splitlines().count(event)
