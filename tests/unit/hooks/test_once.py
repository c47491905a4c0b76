"""Two registrations of one hook do its work once; and where our own things lie."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from onward.cli import Call
from onward.commands.world import World
from onward.hooks.environment import Here
from onward.storage.machine import data_folder
from onward.transcripts.hook_call import HookCall

NOW = datetime(2026, 3, 1, 10, 0, tzinfo=UTC)
FIELDS = {
    "session": "5f0a",
    "event": "turn",
    "detail": "",
    "prompt_id": "u1",
    "prompt": "",
    "last": "the secret words",
    "command": "",
    "helper": "",
}


def call(**fields: str) -> HookCall:
    return HookCall(**{**FIELDS, **fields})


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def here(data: Path, now: float = 1000.0) -> Here:
    found = Here({"ONWARD_DATA": str(data)})
    found.now = now
    return found


def marks(data: Path) -> set[str]:
    return {path.name for path in (data / "claimed").iterdir()}


def test_the_second_of_two_calls_leaves_the_work_to_the_first(data: Path) -> None:
    assert here(data).once(call())
    assert not here(data, 1000.2).once(call())


@pytest.mark.parametrize("name", FIELDS)
def test_calls_that_differ_in_anything_are_two(data: Path, name: str) -> None:
    assert here(data).once(call())
    assert here(data).once(call(**{name: "another"}))


def test_calls_of_two_clients_are_two(data: Path) -> None:
    assert here(data).once(HookCall(session="5f0a", event="start", detail="resume", pid=1))
    assert here(data).once(HookCall(session="5f0a", event="start", detail="resume", pid=2))


@pytest.mark.parametrize("later", [1003.0, 1e9, 0.0])
def test_a_claim_is_good_for_three_seconds(data: Path, later: float) -> None:
    assert here(data).once(call())
    assert here(data, later).once(call())


def test_of_many_at_once_one_does_the_work(data: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        for number in range(10):
            one = call(prompt_id=str(number))
            assert sum(pool.map(lambda _, one=one: here(data).once(one), range(16))) == 1


def test_no_words_of_a_session_lie_among_the_claims(data: Path) -> None:
    here(data).once(call())
    for path in (data / "claimed").iterdir():
        assert "secret" not in path.name
        assert "5f0a" not in path.name
        assert path.read_bytes() == b""
    assert (data / "claimed").stat().st_mode & 0o777 == 0o700


def test_short_words_cannot_be_guessed_from_the_claims_alone(data: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    for folder in (data, other):
        here(folder).once(call(prompt="yes"))
    assert not marks(data) & marks(other)


def test_the_key_of_claims_is_that_of_redaction(data: Path, tmp_path: Path) -> None:
    world = World(now=NOW, cwd=tmp_path, home=tmp_path, data=data, env={})
    here(data).once(call())
    key = (data / "key").read_bytes()
    assert (len(key), (data / "key").stat().st_mode & 0o777) == (32, 0o600)
    world.key()
    here(data).once(call(prompt="another"))
    assert (data / "key").read_bytes() == key
    assert sorted(path.name for path in data.iterdir()) == ["claimed", "key"]


def test_the_key_that_is_there_marks_the_claims(data: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    for folder in (data, other):
        folder.mkdir()
        (folder / "key").write_bytes(b"one and the same")
        here(folder).once(call())
    assert marks(data) == marks(other)


def test_where_no_key_can_be_made_the_work_is_done(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(1, "not here")

    monkeypatch.setattr("onward.storage.machine.os.fsync", refuse)
    assert here(data).once(call())
    assert here(data).once(call())
    assert list(data.iterdir()) == []


def test_old_claims_are_forgotten(data: Path) -> None:
    for number in range(50):
        here(data, 1000.0 + number).once(call())
    assert len(marks(data)) <= 4


@pytest.mark.parametrize("border", [999.0, 1000.5, 1002.0])
def test_two_calls_at_the_border_of_two_spans_of_time_are_one(data: Path, border: float) -> None:
    assert here(data, border - 0.01).once(call())
    assert not here(data, border + 0.01).once(call())


def test_where_nothing_can_be_claimed_the_work_is_done(tmp_path: Path, data: Path) -> None:
    data.write_text("a file in the way")
    assert here(data).once(call())
    assert here(data).once(call())
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked/claimed").symlink_to(tmp_path / "elsewhere")
    assert here(tmp_path / "linked").once(call())
    assert not (tmp_path / "elsewhere").exists()


def test_a_home_that_does_not_exist_is_not_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "gone"
    monkeypatch.setenv("HOME", str(home))
    found = Here({"HOME": str(home)})
    assert not found.ready()
    assert found.once(call())
    assert not home.exists()


@pytest.mark.parametrize(
    "chosen",
    [
        {},
        {"ONWARD_DATA": "/d/own"},
        {"ONWARD_DATA": ""},
        {"XDG_DATA_HOME": "/x d/share"},
        {"XDG_DATA_HOME": "/x/share/"},
        {"XDG_DATA_HOME": "relative"},
        {"XDG_DATA_HOME": ""},
        {"XDG_DATA_HOME": "/x", "ONWARD_DATA": "own"},
    ],
)
def test_hooks_and_command_line_share_one_folder(
    chosen: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ONWARD_DATA", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/h/ü x")
    for name, value in chosen.items():
        monkeypatch.setenv(name, value)
    home = os.path.expanduser("~")  # noqa: PTH111 - as the hooks do
    assert Path(data_folder(os.environ, home)) == Path(Call().data)
    assert Path(Here(os.environ).data) == Path(Call().data)
