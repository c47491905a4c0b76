"""Install the pinned real clients into `.clients/<name>`: `clients.py [NAME ...]`.

From npm, without any install script: the program is the executable of the platform's package,
which needs no Node to run. It happens once; a stamp says that it is done. Ends with status 1 and
one sentence where something is missing.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

VERSIONS = ("2.1.330", "2.1.197")
"""The newest when it was pinned, and the last one that has a task list."""
CODEX = "codex-0.169.0"
OPENCODE = "opencode-1.18.33"
COPILOT = "copilot-1.0.102"
"""The other agents' clients: a name is the program's and the version."""
FOLDER = Path(__file__).resolve().parents[1] / ".clients"
_NPM = ("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
_SECONDS = 600


class MissingError(Exception):
    """A client that cannot be had, and what to do about it."""


class _Package(NamedTuple):
    """What npm calls a client, and where its program lies below `node_modules`."""

    name: str
    version: str
    program: str

    @property
    def spec(self) -> str:
        """The package at the version, as npm takes it."""
        return f"{self.name}@{self.version}"


def executable(version: str) -> Path:
    """The client's program. Raises MissingError where it is not installed."""
    found = _program(FOLDER / version)
    if found is None or not _stamp(version).is_file():
        raise MissingError(f"client {version} is not installed: python tools/clients.py {version}")
    return found


def install(version: str) -> Path:
    """Install one client unless it is there. Raises MissingError where that does not work."""
    if _stamp(version).is_file() and (found := _program(FOLDER / version)):
        return found
    if shutil.which("npm") is None:
        raise MissingError("npm is not on PATH: install Node.js (https://nodejs.org), then again")
    folder = FOLDER / version
    shutil.rmtree(folder, ignore_errors=True)  # what an interrupted install left
    folder.mkdir(parents=True)
    package = _package(version)
    _run(version, *_NPM, "--prefix", str(folder), package.spec)
    program = _program(folder)
    if program is None:
        raise MissingError(f"client {version} has no program for this platform ({sys.platform})")
    if package.version not in _run(version, str(program), "--version").replace(".\n", "\n").split():
        raise MissingError(f"{program} is not the client {version}")
    _stamp(version).touch()
    return program


def _stamp(version: str) -> Path:
    return FOLDER / version / ".ready"


_PACKAGES = {
    "": ("@anthropic-ai/claude-code", "@anthropic-ai/claude-code-*/claude*"),
    "codex": ("@openai/codex", "@openai/codex-*/vendor/*/bin/codex*"),
    "opencode": ("opencode-ai", "opencode-*-*[!e]/bin/opencode*"),  # not those for old processors
    "copilot": ("@github/copilot", "@github/copilot-*/copilot*"),
}
"""By the program's name: the package, and where its program lies below `node_modules`."""
_PROGRAMS = {name or "claude" for name in _PACKAGES}


def _package(version: str) -> _Package:
    program, _, number = version.rpartition("-")
    name, place = _PACKAGES[program]
    return _Package(name, number, place)


def _program(folder: Path) -> Path | None:
    found = sorted((folder / "node_modules").glob(_package(folder.name).program))
    return next((path for path in found if path.name.removesuffix(".exe") in _PROGRAMS), None)


def _run(version: str, *words: str) -> str:
    """Standard output of a program; what it complained of goes into the error."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise MissingError(f"client {version}: {words[0]} took over {_SECONDS} s") from None
    if done.returncode:
        said = "\n".join((done.stderr or done.stdout).strip().splitlines()[-6:])
        raise MissingError(f"client {version} could not be installed; {words[0]} said:\n{said}")
    return done.stdout


def main(versions: list[str]) -> int:
    """Install those that were named, or all."""
    for version in versions or (*VERSIONS, CODEX, OPENCODE, COPILOT):
        try:
            install(version)
        except MissingError as error:
            sys.stderr.write(f"clients: {error}\n")
            return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
