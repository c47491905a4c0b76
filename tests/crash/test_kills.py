"""Real processes: killed at random moments, and saving at the same time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.sampling import everything

from onward.model import CheckpointName
from onward.storage import backups, checkpoints, documents
from onward.storage.project import locate
from onward.storage.trash import Trash

SAVERS = Path(__file__).with_name("savers.py")
KILLS = 40 if everything() else 15
WHO = ("a", "b", "c")


def start(*words: str) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, str(SAVERS), *words], stdout=pipe, stderr=pipe, text=True
    )


def finish(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    return out


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_6_a_process_killed_at_random_moments_leaves_everything_readable(tmp_path: Path) -> None:
    lives_that_got_far = int(finish(start("kills", str(tmp_path), str(KILLS))))
    assert lives_that_got_far > 1


def test_5_two_sessions_at_once_lose_neithers_write(tmp_path: Path) -> None:
    for process in [start("many", str(tmp_path), who) for who in WHO]:
        finish(process)
    project, trash = locate(tmp_path, tmp_path), Trash(tmp_path / "trash")
    saved = sorted(f"{who}{turn}" for who in WHO for turn in range(6))

    for text in saved:
        name = CheckpointName(f"place-{text[0]}-{text[1]}")
        assert checkpoints.read(project, name) == text
    shared = checkpoints.read(project, CheckpointName("shared-place"))
    before = [
        (trash.folder / entry.id).read_text().partition("\n")[2] for entry in trash.entries(project)
    ]
    assert sorted([shared, *before]) == saved
    assert sorted(path.read_text() for path in documents.sessions(project)) == saved
    assert sorted(project.protocol.read_text().split()) == saved
    assert sorted((project.checkpoints / "autosave-log.md").read_text().split()) == saved
    copies = backups.entries(project)
    assert len({copy.path.read_bytes() for copy in copies}) == len(saved)
    assert sum(copy.pending for copy in copies) == len(saved)
    assert {(copy.session, copy.session in copy.path.read_text()) for copy in copies} == {
        (who, True) for who in WHO
    }
