"""Files that somebody else may be changing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from onward.errors import InputError, RefusedError, StorageError
from onward.storage import reading


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"plain\n", "plain\n"),
        (b"\xef\xbb\xbfwith a mark", "with a mark"),
        (b"one\r\ntwo\r\n", "one\ntwo\n"),
        (b"caf\xe9", "caf\ufffd"),
        (b"", ""),
    ],
)
def test_text_of_any_editor_is_read(tmp_path: Path, raw: bytes, text: str) -> None:
    (tmp_path / "a").write_bytes(raw)
    assert reading.text(tmp_path / "a") == text


def test_what_cannot_be_read_is_told_with_its_path(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"a\.md cannot be read"):
        reading.data(tmp_path / "a.md")


@pytest.mark.skipif(os.name == "nt", reason="pipes and links of POSIX")
@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("folder", "a folder"),
        ("pipe", "a pipe or a device"),
        ("loop", "a link to itself"),
        ("device", "a pipe or a device"),
    ],
)
def test_what_is_no_file_is_not_waited_for(tmp_path: Path, kind: str, told: str) -> None:
    path = tmp_path / "a.md"
    match kind:
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case "loop":
            path.symlink_to(path)
        case "device":
            path.symlink_to("/dev/zero")
    with pytest.raises(InputError, match=rf"a\.md is {told}; a file belongs there"):
        reading.data(path)


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    with path.open("wb") as file:
        file.truncate(3 << 29)
    with pytest.raises(InputError, match=r"a\.md is larger than 8 MB"):
        reading.data(path)


def test_a_link_out_of_the_project_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "secret").write_text("x")
    link = tmp_path / "project/a.md"
    link.symlink_to(tmp_path / "secret")
    with pytest.raises(RefusedError, match="leads out of"):
        reading.data(link, inside=tmp_path / "project")
    assert reading.data(link) == b"x"


def test_files_are_the_regular_visible_ones(tmp_path: Path) -> None:
    for name in ("a.md", ".b.md", "c.txt"):
        (tmp_path / name).touch()
    (tmp_path / "d.md").mkdir()
    assert list(reading.files(tmp_path, "*.md")) == [tmp_path / "a.md"]
    assert reading.files(tmp_path / "missing", "*.md") == {}


def test_a_file_that_goes_while_it_is_listed_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.md").touch()
    (tmp_path / "b.md").touch()
    real = Path.is_file

    def is_file(path: Path) -> bool:
        found = real(path)
        if path.name == "a.md":
            path.unlink()
        return found

    monkeypatch.setattr(Path, "is_file", is_file)
    assert list(reading.files(tmp_path, "*.md")) == [tmp_path / "b.md"]
