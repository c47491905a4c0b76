"""Named checkpoints, the autosave beside them, and the trash behind them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from onward.errors import InputError, NotFoundError, RefusedError, StorageError
from onward.model import CheckpointName, Clean
from onward.storage import checkpoints
from onward.storage.checkpoints import AUTOSAVE, AUTOSAVE_LOG
from onward.storage.project import Project
from onward.storage.trash import Trash

LOGIN = CheckpointName("build-login-page")
SEARCH = CheckpointName("fix-search")


def test_what_is_saved_is_read(project: Project, trash: Trash) -> None:
    path = checkpoints.write(project, LOGIN, Clean("# Checkpoint\n"), trash)
    assert path == project.root / "memory" / "checkpoints" / "build-login-page.md"
    assert checkpoints.read(project, LOGIN) == "# Checkpoint\n"
    assert sorted(p.name for p in path.parent.iterdir()) == ["build-login-page.md"]


def test_a_checkpoint_is_there_once_it_was_saved(project: Project, trash: Trash) -> None:
    assert checkpoints.path_of(project, LOGIN).is_file() is False
    checkpoints.write(project, LOGIN, Clean("first"), trash)
    assert checkpoints.path_of(project, LOGIN).is_file() is True
    assert checkpoints.path_of(project, SEARCH).is_file() is False


def test_a_deleted_checkpoint_is_not_read_and_the_error_says_what_to_type(
    project: Project, trash: Trash
) -> None:
    path = checkpoints.write(project, LOGIN, Clean("first"), trash)
    checkpoints.delete(project, LOGIN, trash)
    with pytest.raises(NotFoundError) as told:
        checkpoints.read(project, LOGIN)
    assert told.value.hint == "onward list"
    assert not path.exists()


def test_what_is_saved_over_goes_to_the_trash(project: Project, trash: Trash) -> None:
    checkpoints.write(project, LOGIN, Clean("first"), trash)
    checkpoints.write(project, LOGIN, Clean("second"), trash)
    assert checkpoints.read(project, LOGIN) == "second"
    [entry] = trash.entries(project)
    assert (entry.name, entry.kind) == (LOGIN, "checkpoint")


def test_a_name_that_was_taken_meanwhile_is_not_written_over(
    project: Project, trash: Trash
) -> None:
    checkpoints.write(project, LOGIN, Clean("theirs"), trash)
    with pytest.raises(RefusedError):
        checkpoints.write(project, LOGIN, Clean("ours"), trash, over=False)
    assert checkpoints.read(project, LOGIN) == "theirs"
    assert trash.entries(project) == []


def test_saving_the_same_again_fills_no_trash(project: Project, trash: Trash) -> None:
    checkpoints.write(project, LOGIN, Clean("same"), trash)
    checkpoints.write(project, LOGIN, Clean("same"), trash)
    assert trash.entries(project) == []


def test_names_are_the_newest_first_with_those_of_others(project: Project, trash: Trash) -> None:
    checkpoints.write(project, LOGIN, Clean("a"), trash)
    checkpoints.write(project, SEARCH, Clean("b"), trash)
    checkpoints.write_autosave(project, Clean("c"), Clean("entry"))
    (project.checkpoints / "By Hand_1.md").write_text("d")
    (project.checkpoints / ".hidden.md").write_text("e")
    (project.checkpoints / "notes.txt").write_text("f")
    (project.checkpoints / "folder.md").mkdir()
    for age, name in enumerate([AUTOSAVE, SEARCH, "By Hand_1", LOGIN]):
        os.utime(project.checkpoints / f"{name}.md", (1000 - age, 1000 - age))
    assert checkpoints.names(project) == [AUTOSAVE, SEARCH, "By Hand_1", LOGIN]


def test_a_project_without_the_folder_has_none_and_gets_none(project: Project) -> None:
    assert checkpoints.names(project) == []
    assert list(project.root.iterdir()) == []


def test_what_a_person_edited_is_read_whatever_its_encoding(project: Project) -> None:
    project.checkpoints.mkdir(parents=True)
    checkpoints.path_of(project, LOGIN).write_bytes(b"\xef\xbb\xbf# caf\xe9\r\nx")
    assert checkpoints.read(project, LOGIN) == "# caf\ufffd\nx"


def test_reading_what_is_not_there_or_no_file_is_told(project: Project) -> None:
    with pytest.raises(NotFoundError, match="build-login-page"):
        checkpoints.read(project, LOGIN)
    checkpoints.path_of(project, LOGIN).mkdir(parents=True)
    with pytest.raises(InputError, match="is a folder"):
        checkpoints.read(project, LOGIN)


def test_delete_and_restore_bring_back_bytes_and_age(project: Project, trash: Trash) -> None:
    path = checkpoints.write(project, LOGIN, Clean("mine"), trash)
    path.write_bytes(b"edited \xff\r\n")
    os.utime(path, ns=(5_000_000_000, 5_000_000_000))
    kept = checkpoints.delete(project, LOGIN, trash)
    assert not checkpoints.path_of(project, LOGIN).is_file()
    assert [entry.id for entry in trash.entries(project)] == [kept]
    assert trash.restore(LOGIN, project) == path
    assert path.read_bytes() == b"edited \xff\r\n"
    assert path.stat().st_mtime_ns == 5_000_000_000
    assert trash.entries(project) == []


def test_delete_of_what_is_not_there_is_told(project: Project, trash: Trash) -> None:
    with pytest.raises(NotFoundError):
        checkpoints.delete(project, LOGIN, trash)


class TestRestore:
    def test_takes_the_newest_of_a_name_then_the_one_before(
        self, project: Project, trash: Trash
    ) -> None:
        for text in ("one", "two"):
            checkpoints.write(project, LOGIN, Clean(text), trash)
            checkpoints.delete(project, LOGIN, trash)
        assert trash.restore(LOGIN, project).read_text() == "two"
        checkpoints.path_of(project, LOGIN).unlink()
        assert trash.restore(LOGIN, project).read_text() == "one"

    def test_takes_an_older_one_by_its_id(self, project: Project, trash: Trash) -> None:
        checkpoints.write(project, LOGIN, Clean("one"), trash)
        older = checkpoints.delete(project, LOGIN, trash)
        checkpoints.write(project, LOGIN, Clean("two"), trash)
        checkpoints.delete(project, LOGIN, trash)
        assert trash.restore(older, project).read_text() == "one"

    def test_overwrites_nothing(self, project: Project, trash: Trash) -> None:
        checkpoints.write(project, LOGIN, Clean("old"), trash)
        checkpoints.write(project, LOGIN, Clean("new"), trash)
        with pytest.raises(RefusedError, match="not overwritten"):
            trash.restore(LOGIN, project)
        assert checkpoints.read(project, LOGIN) == "new"
        assert len(trash.entries(project)) == 1

    def test_of_another_projects_checkpoint_finds_nothing(
        self, project: Project, trash: Trash, tmp_path: Path
    ) -> None:
        checkpoints.write(project, LOGIN, Clean("old"), trash)
        checkpoints.delete(project, LOGIN, trash)
        other = project._replace(root=tmp_path / "other")
        with pytest.raises(NotFoundError):
            trash.restore(LOGIN, other)

    def test_of_a_broken_or_foreign_file_in_the_trash_is_no_obstacle(
        self, project: Project, trash: Trash
    ) -> None:
        checkpoints.write(project, LOGIN, Clean("old"), trash)
        checkpoints.delete(project, LOGIN, trash)
        (trash.folder / "deadbeef").write_bytes(b"\xff\x00 not ours")
        (trash.folder / "cafe").mkdir()
        assert trash.restore(LOGIN, project).read_text() == "old"


def test_the_same_thing_is_kept_once(project: Project, trash: Trash) -> None:
    ids = set()
    for _ in range(2):
        checkpoints.write(project, LOGIN, Clean("same"), trash)
        ids.add(checkpoints.delete(project, LOGIN, trash))
    assert len(ids) == 1
    assert len(list(trash.folder.iterdir())) == 1


@pytest.mark.skipif(os.name == "nt", reason="modes as POSIX has them")
def test_the_trash_is_private(project: Project, trash: Trash) -> None:
    checkpoints.write(project, LOGIN, Clean("x"), trash)
    kept = checkpoints.delete(project, LOGIN, trash)
    assert trash.folder.stat().st_mode & 0o777 == 0o700
    assert (trash.folder / kept).stat().st_mode & 0o777 == 0o600


def test_a_checkpoint_that_cannot_go_to_the_trash_is_not_overwritten(
    project: Project, trash: Trash
) -> None:
    checkpoints.write(project, LOGIN, Clean("old"), trash)
    trash.folder.parent.mkdir(parents=True)
    trash.folder.write_text("a file in the trash's place")
    for act in (
        lambda: checkpoints.write(project, LOGIN, Clean("new"), trash),
        lambda: checkpoints.delete(project, LOGIN, trash),
    ):
        with pytest.raises(StorageError):
            act()
        assert checkpoints.read(project, LOGIN) == "old"


class TestAutosave:
    def test_replaces_itself_and_notes_it(self, project: Project) -> None:
        checkpoints.write_autosave(project, Clean("one"), Clean("21:40 close signal"))
        checkpoints.write_autosave(project, Clean("two"), Clean("21:50 idle"))
        assert (project.checkpoints / "autosave.md").read_text() == "two"
        log = (project.checkpoints / "autosave-log.md").read_text()
        assert log == "21:40 close signal\n21:50 idle\n"

    def test_never_changes_a_named_checkpoint(self, project: Project, trash: Trash) -> None:
        checkpoints.write(project, LOGIN, Clean("mine"), trash)
        before = {path: path.read_bytes() for path in project.checkpoints.iterdir()}
        checkpoints.write_autosave(project, Clean("x"), Clean("y"))
        assert {path: path.read_bytes() for path in before} == before
        assert len(list(project.checkpoints.iterdir())) == len(before) + 2

    @pytest.mark.parametrize("name", [AUTOSAVE, AUTOSAVE_LOG])
    def test_is_not_written_by_a_named_save(
        self, project: Project, trash: Trash, name: CheckpointName
    ) -> None:
        with pytest.raises(RefusedError):
            checkpoints.write(project, name, Clean("x"), trash)

    @pytest.mark.skipif(os.name == "nt", reason="links as POSIX has them")
    def test_does_not_reach_a_named_one_through_a_link(
        self, project: Project, trash: Trash
    ) -> None:
        named = checkpoints.write(project, LOGIN, Clean("mine"), trash)
        (project.checkpoints / "autosave.md").symlink_to(named.name)
        with pytest.raises(RefusedError):
            checkpoints.write_autosave(project, Clean("x"), Clean("y"))
        assert named.read_text() == "mine"
