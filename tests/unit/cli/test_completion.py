"""What Tab does in a shell."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

import pytest
from tests.programs import stand_in

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
    "re": ["resume", "restore"],
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


class Terminal:
    """An interactive shell on a terminal of its own."""

    def __init__(self, words: list[str], folder: Path, env: dict[str, str]) -> None:
        import pty  # noqa: PLC0415 - not on Windows

        self._master, slave = pty.openpty()
        self._shell = subprocess.Popen(
            words, cwd=folder, env=env, stdin=slave, stdout=slave, stderr=slave, process_group=0
        )
        os.close(slave)
        self._seen = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._shell.kill()
        self._shell.wait()
        os.close(self._master)

    def type(self, keys: str, *awaited: str) -> None:
        """Type, and wait until all of that came behind one another."""
        self._seen = ""
        os.write(self._master, keys.encode())
        end = time.monotonic() + 30
        while not re.search(".*".join(map(re.escape, awaited)), self._seen, re.DOTALL):
            assert time.monotonic() < end, self._seen
            if select.select([self._master], [], [], 0.2)[0]:
                self._seen += os.read(self._master, 65536).decode().replace("\r\n", "\n")

    def printed(self) -> str:
        """What stands between the marks of the last line that was printed."""
        return self._seen.rpartition("\n<")[2].partition(">")[0]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    (folder / "memory/checkpoints").mkdir(parents=True)
    for name in ("add-login", "add-logout", "fix-cart"):
        (folder / f"memory/checkpoints/{name}.md").write_text(f"**Task:** {name}\n")
    return folder


@pytest.fixture
def env(project: Path, tmp_path: Path) -> dict[str, str]:
    """Where `onward` is on the PATH, a session exists, and one checkpoint lies in the trash."""
    transcript = tmp_path / f".claude/projects/-shop/{ID}.jsonl"
    transcript.parent.mkdir(parents=True)
    transcript.write_text("{}\n")
    programs = tmp_path / "bin"
    stand_in(programs / "onward", sys.executable, "-m", "onward")
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    data = str(tmp_path / "data")
    found = {"PATH": path, "HOME": str(tmp_path), "ONWARD_DATA": data, "TERM": "dumb"}
    old = project / "memory/checkpoints/old-idea.md"
    old.write_text("**Task:** Old\n")
    subprocess.run(["onward", "delete", "old-idea"], cwd=project, env=found, check=True)
    return found


def run(words: list[str], folder: Path, env: dict[str, str], given: str = "") -> str:
    done = subprocess.run(
        words, cwd=folder, env=env, input=given, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX")
@pytest.mark.needs("bash")
def test_bash_completes_verbs_and_names(project: Path, env: dict[str, str]) -> None:
    told = run(["bash", "-c", TAB], project, env, "".join(f"{typed}\n" for typed in OFFERED))
    answers = [sorted(line.split()) for line in told.splitlines()]
    assert dict(zip(OFFERED, answers, strict=True)) == {
        typed: sorted(offered) for typed, offered in OFFERED.items()
    }


@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX")
@pytest.mark.needs("fish")
def test_fish_completes_verbs_and_names(project: Path, env: dict[str, str]) -> None:
    asked = [typed.replace("''", "") for typed in OFFERED]
    lines = ["onward completion fish | source"]
    lines += [f'complete -C "onward {typed}"; echo ---' for typed in asked]
    told = run(["fish", "--no-config", "-c", "\n".join(lines)], project, env)
    answers = [
        sorted(line.partition("\t")[0] for line in part.splitlines() if line)
        for part in told.split("---\n")[:-1]
    ]
    assert answers == [sorted(offered) for offered in OFFERED.values()]


@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX")
@pytest.mark.needs("zsh")
def test_zsh_completes_verbs_names_and_ids_without_compinit(
    project: Path, env: dict[str, str]
) -> None:
    only = {typed: offered[0] for typed, offered in OFFERED.items() if len(offered) == 1}
    wanted = {
        f"onward {typed.replace(chr(39) * 2, '')}": f"onward {typed.rpartition(' ')[0]} {whole}"
        for typed, whole in only.items()
    }
    with Terminal(["zsh", "-f", "-i"], project, env) as zsh:
        zsh.type('PS1=; eval "$(onward completion zsh)"; print rea""dy\n', "\nready")
        for typed, line in wanted.items():
            # Tab, then to the front of the line, to see what became of it.
            zsh.type(f"{typed}\t", line)
            zsh.type("\x01print -r -- '<'\x05'>'\n", "\n<", ">")
            assert zsh.printed() == line


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_script_asks_onward_itself(shell: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "onward", "completion", shell],
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"_ONWARD_COMPLETE={shell}_complete" in done.stdout
