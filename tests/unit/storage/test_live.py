"""Small records of sessions on this machine."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.storage import live

SESSION = "9f5a3c7e-0000-4000-8000-000000000001"


@pytest.fixture
def data(tmp_path: Path) -> str:
    return str(tmp_path / "data")


def test_what_was_put_is_got_and_what_was_dropped_is_not(data: str) -> None:
    assert live.get(data, SESSION, "alive") == []
    live.put(data, SESSION, "alive", "4711", "", "/a b/ü")
    assert live.get(data, SESSION, "alive") == ["4711", "", "/a b/ü"]
    assert live.sessions(data) == [SESSION]
    live.drop(data, SESSION, "alive")
    live.drop(data, SESSION, "alive")
    assert live.get(data, SESSION, "alive") == []


@given(
    st.lists(
        st.text(st.characters(exclude_characters="\n\0", exclude_categories=["Cs"])), min_size=1
    )
)
def test_lines_come_back_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    data = str(tmp_path_factory.getbasetemp() / "lines")
    live.put(data, SESSION, "key", *lines)
    # Empty lines at the very end are not told from none.
    found = live.get(data, SESSION, "key")
    assert found == ("\n".join(lines).rstrip("\n").split("\n") if "".join(lines) else found)


def test_a_path_that_is_no_utf_8_comes_back(data: str) -> None:
    live.put(data, SESSION, "alive", os.fsdecode(b"/caf\xe9"))
    assert live.get(data, SESSION, "alive") == [os.fsdecode(b"/caf\xe9")]


@pytest.mark.parametrize(
    "session",
    ["", ".", "..", "a/b", "a\\b", "../../etc", "a" * 101, "a\0b", "ü", "a b", "-", "a\n"],
)
def test_an_id_that_could_name_another_place_is_refused(data: str, session: str) -> None:
    live.put(data, session, "alive", "1")
    assert live.get(data, session, "alive") == []
    live.drop(data, session, "alive")
    live.forget(data, session)
    assert not Path(data).exists()


def test_nobody_else_can_read_it(data: str) -> None:
    live.put(data, SESSION, "alive", "1")
    place = Path(live.folder(data, SESSION))
    assert stat.S_IMODE((place / "alive").stat().st_mode) == 0o600
    assert stat.S_IMODE(place.stat().st_mode) == 0o700


def test_a_line_break_in_a_value_makes_no_lines_of_its_own(data: str) -> None:
    live.put(data, SESSION, "alive", "1\n2")
    assert live.get(data, SESSION, "alive") == []


@pytest.mark.parametrize("content", ["", "\0\0\0"])
def test_what_a_power_cut_emptied_counts_as_none(data: str, content: str) -> None:
    live.put(data, SESSION, "alive", "1")
    Path(live.folder(data, SESSION), "alive").write_text(content)
    assert live.get(data, SESSION, "alive") == []


def test_a_disk_that_says_no_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    live.put(str(tmp_path / "data"), SESSION, "alive", "1")
    assert live.get(str(tmp_path / "data"), SESSION, "alive") == []
    assert live.sessions(str(tmp_path / "data")) == []


def test_a_home_that_does_not_exist_is_not_made_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "nobody"
    monkeypatch.setenv("HOME", str(home))
    live.put(str(home / ".local/share/onward"), SESSION, "alive", "1")
    assert not home.exists()


def test_a_link_is_not_followed(data: str, tmp_path: Path) -> None:
    live.put(data, SESSION, "other", "1")
    (tmp_path / "theirs").write_text("theirs")
    Path(live.folder(data, SESSION), "alive").symlink_to(tmp_path / "theirs")
    assert live.get(data, SESSION, "alive") == []
    live.put(data, SESSION, "alive", "ours")
    assert (tmp_path / "theirs").read_text() == "theirs"


def test_forgetting_a_session_leaves_the_others(data: str) -> None:
    live.put(data, SESSION, "alive", "1")
    live.put(data, SESSION, "captured", "1")
    live.put(data, "other", "alive", "1")
    live.forget(data, SESSION)
    live.forget(data, SESSION)
    assert live.sessions(data) == ["other"]


def test_without_a_place_nothing_is_sought_in_the_working_folder(
    data: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = os.listdir
    monkeypatch.setattr(os, "listdir", lambda place: names(place or "."))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").write_text("mine")
    for folder, session in (("", SESSION), (data, "../x")):
        live.forget(folder, session)
        live.expire(folder, session, "", float("inf"))
    assert (tmp_path / "mine").read_text() == "mine"


def test_a_claim_is_made_once(data: str) -> None:
    assert live.claim(data, SESSION, "block-1")
    assert not live.claim(data, SESSION, "block-1")
    assert live.claim(data, SESSION, "block-2")
    kept = Path(live.folder(data, SESSION)) / "block-1"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_a_claim_that_cannot_be_kept_stands_in_nobodys_way(tmp_path: Path) -> None:
    (tmp_path / "live").write_text("a file")
    assert live.claim(str(tmp_path), SESSION, "block-1")
    assert live.claim(str(tmp_path), "", "block-1")
