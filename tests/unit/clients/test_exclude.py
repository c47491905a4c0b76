"""What of ours is of one machine stays out of git by the repository's own exclude file."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.unit.clients.conftest import Place

FILES = ("memory/checkpoints/a.md", "memory/working-buffer.md", "memory/.draft-0b1c2d3e.json",
         "SESSION-STATE.md")  # fmt: skip


def seen(place: Place) -> set[str]:
    """What git would add."""
    told = subprocess.run(
        ["git", "status", "--porcelain", "-uall"],
        cwd=place.root, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return {line[3:] for line in told.stdout.splitlines()} & set(FILES)


@pytest.fixture
def repository(place: Place) -> Place:
    subprocess.run(["git", "init", "-q"], cwd=place.root, check=True)
    for name in FILES:
        place.write(name, "x\n")
    return place


def test_git_adds_nothing_of_one_machine(repository: Place) -> None:
    assert repository.run("install").code == 0
    assert seen(repository) == set()


def test_what_is_to_be_shared_is_left_to_git(repository: Place) -> None:
    repository.run("install")
    repository.run("install", "--shared")
    assert seen(repository) == {"memory/checkpoints/a.md", "SESSION-STATE.md"}


@pytest.mark.parametrize("before", [None, "", "*.log\n", "*.log", "# onward\n\n*.log\r\n"])
def test_the_file_is_what_it_was_after_an_uninstall(repository: Place, before: str | None) -> None:
    file = repository.root / ".git/info/exclude"
    file.unlink(missing_ok=True)
    if before is not None:
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(before.encode())
    repository.run("install")
    repository.run("install", "--codex")
    assert "info/exclude" in repository.run("install", "--shared", "--dry-run").out
    repository.run("uninstall")
    assert seen(repository) == set(), "the other client is still here"
    repository.run("uninstall", "--codex")
    assert (file.read_bytes().decode() if file.exists() else None) == before


def test_without_a_repository_nothing_is_written(place: Place) -> None:
    shutil.rmtree(place.root / ".git", ignore_errors=True)
    (place.root / "memory").mkdir()
    assert place.run("install").code == 0
    assert not (place.root / ".git").exists()
