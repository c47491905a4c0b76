"""The program itself, killed after each rename of each save: nothing waits for luck."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no SIGKILL on this system")

DYING = """
import os, signal, sys
from onward.cli import main
real, left = os.replace, int(sys.argv[1])
def replace(source, target):
    global left
    left += 1 if left < 0 else 0
    if left == 0 and int(sys.argv[1]) < 0:  # before the rename: the temporary file stays
        os.kill(os.getpid(), signal.SIGKILL)
    real(source, target)
    left -= 1 if left > 0 else 0
    if left == 0 and int(sys.argv[1]) > 0:
        os.kill(os.getpid(), signal.SIGKILL)
os.replace = replace
sys.exit(main(sys.argv[2:]))
"""
SESSION = "0b1c2d3e-4f50-4a61-8b72-9c83ad94be05"


def turn(number: int, cwd: Path) -> str:
    """A typed prompt and the answer, as the client writes them."""
    common = {"sessionId": SESSION, "cwd": str(cwd), "version": "2.1.0", "isSidechain": False}
    at = f"2026-03-01T13:{number:02}:00.000Z"
    said = {"role": "user", "content": f"Write part {number} of the login page"}
    text = [{"type": "text", "text": f"Part {number} is begun. Next: write its tests."}]
    reply = {"role": "assistant", "id": f"msg_{number}", "type": "message", "content": text}
    records = (
        {**common, "type": "user", "uuid": f"u{number}", "timestamp": at, "message": said},
        {**common, "type": "assistant", "uuid": f"a{number}", "timestamp": at, "message": reply},
    )
    return "".join(json.dumps(record) + "\n" for record in records)


class Ground:
    def __init__(self, base: Path) -> None:
        self.root, self.base = base / "shop", base
        self.memory = self.root / ".claude/memory"
        self.transcript = base / "home/.claude/projects/-shop" / f"{SESSION}.jsonl"
        self.root.mkdir(parents=True)
        self.transcript.parent.mkdir(parents=True)
        self.say(1)

    def say(self, number: int) -> None:
        with self.transcript.open("a") as file:
            file.write(turn(number, self.root))

    def pend(self) -> None:
        """A complete backup of what there is, and the marker of it."""
        raw = self.memory / "raw/20260301_140000.jsonl"
        raw.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(self.transcript, raw)
        (self.memory / ".pending-backup").write_text(f"{raw}\n")

    def run(self, *words: str, dies_at: int = 0) -> int:
        home = str(self.base / "home")
        env = {"PATH": os.environ["PATH"], "HOME": home, "ONWARD_DATA": str(self.base / "data")}
        command = [sys.executable, "-c", DYING, str(dies_at), *words]
        done = subprocess.run(command, cwd=self.root, env=env, check=False, capture_output=True)
        return done.returncode

    def parts(self, path: Path) -> int:
        """The newest part of the login page that a file knows of; 0 without the file."""
        text = path.read_text() if path.is_file() else ""
        return max((n for n in range(10) if f"part {n} of the login page" in text), default=0)

    def documents(self) -> list[Path]:
        return sorted(self.memory.glob("session-*.md"))


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path)


def killed(ground: Ground, *words: str, times: int) -> int:
    """Run it and kill it after the given rename; False where it has fewer."""
    code = ground.run(*words, dies_at=times)
    assert code in {0, -signal.SIGKILL}
    return code != 0


def test_3_a_document_killed_after_each_rename(ground: Ground) -> None:
    assert ground.run("document") == 0
    at, struck = 1, 0
    while True:
        ground.say(at + 1)
        was_killed = killed(ground, "document", times=at)
        newest = max(map(ground.parts, ground.documents()))
        assert ground.parts(ground.memory / "active-context.md") >= newest
        if not was_killed:
            break
        struck += 1
        at += 1
    assert struck == 3, "active context, document, and the record that this session was saved"
    assert newest == at + 1


def test_6_a_protocol_killed_after_each_rename(ground: Ground) -> None:
    path = ground.root / "session-protocol.json"
    assert ground.run("protocol", "save") == 0
    for at in (1, 2, 3):  # into the trash, the file, the record of the save
        ground.say(at + 1)
        assert killed(ground, "protocol", "save", times=at)
        assert ground.parts(path) == (1 if at == 1 else at + 1)
        assert [task["id"] for task in json.loads(path.read_text())["tasks"]] == ["TASK_001"]
    ground.say(5)
    assert not killed(ground, "protocol", "save", times=9)
    assert [task["id"] for task in json.loads(path.read_text())["tasks"]] == ["TASK_001"]


def test_2_a_backup_resumed_and_killed_keeps_its_marker(ground: Ground) -> None:
    assert ground.run("document", "list") == 0  # makes the key, which is a rename of its own
    ground.pend()
    assert killed(ground, "backup", "resume", times=1)
    assert (ground.memory / ".pending-backup").exists()
    assert ground.parts(ground.memory / "active-context.md") == 1
    assert not killed(ground, "backup", "resume", times=9)
    assert not (ground.memory / ".pending-backup").exists()


def files(ground: Ground) -> set[str]:
    paths = (path for path in ground.root.rglob("*") if path.is_file())
    return {path.relative_to(ground.root).as_posix() for path in paths}


KEY = "sk-ant-of-the-user"


def with_key(ground: Ground) -> Path:
    """The user's settings with a key in them, which nobody else may read."""
    path = ground.root / ".claude/settings.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"env": {"ANTHROPIC_API_KEY": KEY}}))
    path.chmod(0o600)
    return path


def test_9_an_install_killed_before_each_rename_shows_no_key_and_leaves_nothing(
    ground: Ground, tmp_path: Path
) -> None:
    whole = Ground(tmp_path / "whole")
    kept, _ = (with_key(each) for each in (ground, whole))
    assert whole.run("install") == 0
    at = 1
    while ground.run("install", dies_at=-at) == -signal.SIGKILL:
        assert KEY in kept.read_text()
        for path in ground.root.rglob("*"):
            if path.is_file() and KEY in path.read_text():
                assert path.stat().st_mode & 0o077 == 0
        at += 1
    assert at > 5, "settings, commands, skills, and the record of them"
    for path in ground.root.rglob(".*.onward-tmp"):
        os.utime(path, (1, 1))  # a young one may be that of a process which runs
    assert ground.run("install") == 0
    assert files(ground) == files(whole)
