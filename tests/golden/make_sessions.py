"""Make the golden sessions again: play each scene with the real client and keep what it wrote.

    sudo .venv/bin/python -m tests.golden.make_sessions [SCENE ...]

Needs Linux, tmux, git, root (for a namespace of its own, see `making/client.py`) and the clients
that `tools/clients.py` installs; see `tests/e2e` for the kit that plays. A session goes to
`tests/golden/sessions/<scene>/`, the sample's to `src/onward/samples/<scene>/`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from tests.golden.making import tidy
from tests.golden.making.api import Part
from tests.golden.making.client import HOME, Terminal
from tests.golden.scenes import SCENES
from tests.golden.scenes.script import Scene

import clients

HERE = Path(__file__).resolve().parent
SAMPLES = HERE.parents[1] / "src/onward/samples"
MODULE = "tests.golden.make_sessions"
INSIDE = "ONWARD_INSIDE"
SETUP = 'ip link set lo up && mount -t tmpfs tmpfs /home && exec "$@"'


def make(scene: Scene) -> Path:
    """Play one scene; returns the folder it was kept in."""
    shutil.rmtree(HOME, ignore_errors=True)
    start = tidy.begin(scene.begin)
    part = Part(scene)
    program = clients.executable(scene.client)
    terminal = Terminal(scene, program, part, int(start.timestamp()))
    try:
        terminal.play()
    finally:
        terminal.tmux("kill-server")
        part.model.close()
    return keep(scene, terminal)


def keep(scene: Scene, terminal: Terminal) -> Path:
    """Write the tidied transcripts and the state of the repository."""
    target = (SAMPLES if scene.name == "tally" else HERE / "sessions") / scene.name
    (found,) = (HOME / ".claude/projects").glob("*/*.jsonl")
    helpers = sorted((found.with_suffix("") / "subagents").glob("agent-*.jsonl"))
    files = [path.read_text() for path in (found, *helpers)]
    tidied = tidy.Tidy(scene.name, tidy.begin(scene.begin), files)
    for old in [*target.glob("session*"), *target.glob("repository*")]:
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    target.mkdir(parents=True, exist_ok=True)
    names = ["session.jsonl", *(f"session/subagents/{helper.name}" for helper in helpers)]
    for name, text in zip(names, files, strict=True):
        kept = target / name
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(tidied.file(text))
    (target / "repository.export").write_text(terminal.git("fast-export", "--all"))
    (target / "repository.head").write_text(terminal.git("symbolic-ref", "HEAD"))
    terminal.git("add", "-A", "-N")
    (target / "repository.patch").write_text(terminal.git("diff", "--binary", "HEAD"))
    return target


def main() -> int:
    """Play the scenes that were named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scene", nargs="*", choices=[[], *SCENES])
    args = parser.parse_args()
    if INSIDE not in os.environ:
        inside = ["unshare", "-n", "-m", "sh", "-c", SETUP, "sh", sys.executable, "-m", MODULE]
        inside += sys.argv[1:]
        return subprocess.run(inside, env={**os.environ, INSIDE: "1"}, check=False).returncode
    for name in args.scene or SCENES:
        sys.stdout.write(f"{make(SCENES[name])}\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
