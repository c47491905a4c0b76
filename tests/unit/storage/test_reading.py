"""Files that somebody else may be changing."""

from __future__ import annotations

from pathlib import Path

import pytest

from onward.errors import StorageError
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


@pytest.mark.parametrize("what", ["folder", "missing"])
def test_what_cannot_be_read_is_told_with_its_path(tmp_path: Path, what: str) -> None:
    path = tmp_path / "a.md"
    if what == "folder":
        path.mkdir()
    with pytest.raises(StorageError, match=r"a\.md cannot be read"):
        reading.data(path)


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
