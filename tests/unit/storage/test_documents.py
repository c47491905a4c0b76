"""Session documents and the files that are merged in place."""

from __future__ import annotations

import os
import threading
from datetime import datetime
from pathlib import Path

import pytest

from onward.errors import InputError, OnwardError, RefusedError, StorageError
from onward.model import Clean
from onward.storage import documents
from onward.storage.project import Project


def compose(path: Path) -> tuple[Clean, Clean]:
    return Clean(f"see {path.name}"), Clean(f"I am {path.name}")


def test_both_are_written_and_speak_of_each_other(project: Project, now: datetime) -> None:
    path = documents.save(project, compose, now=now)
    assert path == project.memory / "session-2026-03-01-2140.md"
    assert path.read_text() == "I am session-2026-03-01-2140.md"
    assert project.active_context.read_text() == "see session-2026-03-01-2140.md"


def test_a_second_one_in_the_same_minute_gets_its_own_name(project: Project, now: datetime) -> None:
    paths = [documents.save(project, compose, now=now) for _ in range(3)]
    assert [path.name for path in paths] == [
        "session-2026-03-01-2140.md",
        "session-2026-03-01-2140-2.md",
        "session-2026-03-01-2140-3.md",
    ]
    assert documents.sessions(project) == paths[::-1]
    assert [path.read_text() for path in paths] == [f"I am {path.name}" for path in paths]


def test_active_context_is_written_before_the_document(
    project: Project, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    real = os.replace

    def replace(source: Path, target: Path) -> None:
        order.append(target.name)
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)
    documents.save(project, compose, now=now)
    assert order == ["active-context.md", "session-2026-03-01-2140.md"]


def test_a_path_of_the_persons_choice_is_taken(
    project: Project, now: datetime, tmp_path: Path
) -> None:
    path = tmp_path / "elsewhere" / "notes.md"
    assert documents.save(project, compose, now=now, to=path) == path
    assert path.read_text() == "I am notes.md"
    assert project.active_context.read_text() == "see notes.md"
    assert documents.sessions(project) == []


@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_taken_path_is_refused_before_anything_is_written(
    project: Project, now: datetime, tmp_path: Path, what: str
) -> None:
    path = tmp_path / "notes.md"
    path.mkdir() if what == "folder" else path.write_text("mine")
    with pytest.raises(RefusedError, match="not overwritten"):
        documents.save(project, compose, now=now, to=path)
    assert not project.active_context.exists()


@pytest.mark.parametrize("what", ["below a file", "a link"])
def test_a_path_that_cannot_be_is_told_before_anything_is_written(
    project: Project, now: datetime, tmp_path: Path, what: str
) -> None:
    (tmp_path / "file").write_text("mine")
    path = tmp_path / "file" / "notes.md"
    if what == "a link":
        path = tmp_path / "link.md"
        path.symlink_to(tmp_path / "nowhere.md")
    with pytest.raises(OnwardError):
        documents.save(project, compose, now=now, to=path)
    assert not project.active_context.exists()


def test_documents_of_other_names_are_listed_by_their_time(project: Project, now: datetime) -> None:
    mine = documents.save(project, compose, now=now)
    older, newer = project.memory / "session-auth.md", project.memory / "session-api.md"
    for path, year in ((older, 1), (newer, 40)):
        path.write_text("x")
        os.utime(
            path, (year * 31_557_600 + 86_400 * 365 * 20, year * 31_557_600 + 86_400 * 365 * 20)
        )
    (project.memory / "session-folder.md").mkdir()
    assert documents.sessions(project) == [newer, mine, older]


def test_reading_is_tolerant(tmp_path: Path) -> None:
    path = tmp_path / "SESSION-STATE.md"
    assert documents.read(path) == ""
    path.write_bytes(b"\xef\xbb\xbfa\xff")
    assert documents.read(path) == "a\ufffd"
    with pytest.raises(InputError):
        documents.read(tmp_path)


class TestProtocol:
    def test_the_short_name_is_read_while_there_is_no_long_one(self, project: Project) -> None:
        assert documents.protocol(project) == project.protocol
        (project.root / "sp.json").write_text("{}")
        assert documents.protocol(project) == project.root / "sp.json"
        project.protocol.write_text("{}")
        assert documents.protocol(project) == project.protocol

    def test_a_save_takes_the_short_ones_content_on(self, project: Project) -> None:
        (project.root / "sp.json").write_text("[1]")
        documents.rewrite(project, project.protocol, lambda old: Clean(old + "[2]"))
        assert project.protocol.read_text() == "[1][2]"
        assert (project.root / "sp.json").read_text() == "[1]"

    def test_two_at_once_lose_neither_change(self, project: Project) -> None:
        def add(number: int) -> None:
            for _ in range(5):
                documents.rewrite(project, project.protocol, lambda old: Clean(f"{old}{number}"))

        threads = [threading.Thread(target=add, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(project.protocol.read_text()) == sorted("0123" * 5)

    def test_a_change_that_fails_leaves_the_old_file(self, project: Project) -> None:
        project.protocol.write_text("old")

        def fail(_: str) -> Clean:
            raise InputError("no JSON")

        with pytest.raises(InputError):
            documents.rewrite(project, project.protocol, fail)
        assert project.protocol.read_text() == "old"
        assert [path.name for path in project.root.iterdir()] == ["session-protocol.json"]


def test_a_full_disk_between_the_two_leaves_the_newer_context(
    project: Project, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents.save(project, compose, now=now)
    real = os.replace

    def replace(source: Path, target: Path) -> None:
        if target.name.startswith("session-"):
            raise OSError(28, "full")
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(StorageError, match="no space left"):
        documents.save(project, compose, now=now)
    assert project.active_context.read_text() == "see session-2026-03-01-2140-2.md"
    assert [path.name for path in documents.sessions(project)] == ["session-2026-03-01-2140.md"]
