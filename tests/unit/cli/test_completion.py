"""What Tab does in a shell."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TAB = """
eval "$(onward completion bash)"
while read -r line; do
  eval "set -- $line"
  COMP_WORDS=(onward "$@")
  COMP_CWORD=$#
  COMPREPLY=()
  _onward_completion onward "${!#}" </dev/null
  echo "${COMPREPLY[@]}"
done
"""
ID = "0b1c2d3e-4f50-4a61-8b72-9c83ad94be05"
OFFERED = {
    "re": ["resume", "restore", "read"],
    "resume add-logi": ["add-login"],
    "resume add": ["add-login", "add-logout"],
    "delete ''": ["add-login", "add-logout", "fix-cart"],
    "save f": ["fix-cart"],
    "check f": ["fix-cart"],
    "show f": ["fix-cart"],
    "brief f": ["fix-cart"],
    "resume --y": ["--yes"],
    "note --as d": ["decision", "dead-end"],
    "protocol ''": ["done", "load", "next", "save"],
    "completion f": ["fish"],
    "restore ''": ["old-idea"],
    "scrub --also p": ["phone"],
    "brief 0b1c": [ID],
    "save fix --session 0b": [ID],
    "distill 0b": [ID],
    "help resu": ["resume"],
    "help protocol lo": ["load"],
}
"""What is typed before Tab, and what it may become."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    (folder / "memory/checkpoints").mkdir(parents=True)
    for name in ("add-login", "add-logout", "fix-cart"):
        (folder / f"memory/checkpoints/{name}.md").write_text(f"**Task:** {name}\n")
    return folder


@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX")
@pytest.mark.needs("bash")
def test_bash_completes_verbs_and_names(project: Path, tmp_path: Path) -> None:
    transcript = tmp_path / f".claude/projects/-shop/{ID}.jsonl"
    transcript.parent.mkdir(parents=True)
    transcript.write_text("{}\n")
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "onward").write_text(f"#!/bin/sh\nexec '{sys.executable}' -m onward \"$@\"\n")
    (programs / "onward").chmod(0o755)
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    data = str(tmp_path / "data")
    env = {"PATH": path, "HOME": str(tmp_path), "ONWARD_DATA": data}
    old = project / "memory/checkpoints/old-idea.md"
    old.write_text("**Task:** Old\n")
    subprocess.run(["onward", "delete", "old-idea"], cwd=project, env=env, check=True)
    done = subprocess.run(
        ["bash", "-c", TAB],
        cwd=project,
        env=env,
        input="".join(f"{typed}\n" for typed in OFFERED),
        capture_output=True,
        text=True,
        check=True,
    )
    answers = [sorted(line.split()) for line in done.stdout.splitlines()]
    assert dict(zip(OFFERED, answers, strict=True)) == {
        typed: sorted(offered) for typed, offered in OFFERED.items()
    }


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_script_asks_onward_itself(shell: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "onward", "completion", shell],
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"_ONWARD_COMPLETE={shell}_complete" in done.stdout
