from __future__ import annotations

from pathlib import Path

import pytest

from onward.errors import RefusedError
from onward.model import Clean
from onward.storage import checkpoints
from onward.storage.project import Project


def log(project: Project) -> Path:
    return project.checkpoints / "autosave-log.md"


def write(project: Project, entry: str) -> None:
    checkpoints.write_autosave(project, Clean("# Checkpoint: autosave\n"), Clean(entry))


def test_each_autosave_replaces_the_file_and_adds_one_line(project: Project) -> None:
    write(project, "- one")
    write(project, "- two\nin two lines")
    assert (project.checkpoints / "autosave.md").read_text() == "# Checkpoint: autosave\n"
    assert log(project).read_text() == "- one\n- two in two lines\n"


def test_the_newest_500_lines_stay(project: Project) -> None:
    project.checkpoints.mkdir(parents=True)
    log(project).write_text("".join(f"- {n}\n" for n in range(600)))
    write(project, "- new")
    lines = log(project).read_text().splitlines()
    assert (len(lines), lines[0], lines[-1]) == (500, "- 101", "- new")


def test_the_log_stays_below_256_kb_however_long_its_lines(project: Project) -> None:
    project.checkpoints.mkdir(parents=True)
    log(project).write_text("".join(f"- {n} {'x' * 4000}\n" for n in range(100)))
    write(project, "- new")
    text = log(project).read_text()
    assert len(text) <= 256 * 1024 < len(text) + 4100
    assert text.endswith("\n- new\n")


@pytest.mark.parametrize("name", ["autosave.md", "autosave-log.md"])
def test_a_link_to_a_named_checkpoint_is_refused(name: str, project: Project) -> None:
    project.checkpoints.mkdir(parents=True)
    named = project.checkpoints / "build-login-page.md"
    named.write_text("by hand\n")
    (project.checkpoints / name).symlink_to(named)
    with pytest.raises(RefusedError):
        write(project, "- one")
    assert named.read_text() == "by hand\n"
