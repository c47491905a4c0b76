"""What `show t:541`, `read` and `sessions` make of transcripts."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from onward.commands import places, sessions
from onward.commands.places import Place
from onward.commands.read import Reading, read_file
from onward.commands.world import World
from onward.errors import NotFoundError, UsageError
from onward.redaction import Redactor

if TYPE_CHECKING:
    from tests.unit.transcripts.conftest import Script

REDACTOR = Redactor(b"k" * 32, home="/home/ana", user="ana")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("t:541", Place("", 541, 541)),
        ("t:540-545", Place("", 540, 545)),
        ("t:a1b2:12", Place("a1b2", 12, 12)),
        ("t:a1b2:12-13", Place("a1b2", 12, 13)),
    ],
)
def test_places_that_are_understood(text: str, place: Place) -> None:
    assert places.parse(text) == place


@pytest.mark.parametrize(
    "text", ["t:", "t:0", "t:5-4", "t:x", "t:1-", "t:../x:1", "t:1-9999", "t:-1"]
)
def test_places_that_are_not(text: str) -> None:
    with pytest.raises(UsageError) as error:
        places.parse(text)
    assert error.value.hint.startswith("onward show t:")


def test_a_range_shows_its_lines_redacted(script: Script) -> None:
    script.user("one")
    script.user("look in /home/ana/shop/a.py")
    script.user("three")
    script.open()
    text = places.show_place(Place("", 2, 3), script.path, REDACTOR).text
    assert text.count(" · user · ") == 2
    assert "t:2 · user" in text
    assert "three" in text
    assert "/home/ana" not in text


def test_a_range_over_the_end_is_an_error(script: Script) -> None:
    script.user("one")
    script.open()
    with pytest.raises(NotFoundError):
        places.show_place(Place("", 1, 2), script.path, REDACTOR)


def test_counts_hold_no_word_of_the_transcript(script: Script) -> None:
    script.base["version"] = "a secret; not a version"
    script.user("one")
    script.user("<command-name>/review</command-name>")
    script.raw(b"{broken")
    script.open()
    result = read_file(script.path)
    assert isinstance(result.data, Reading)
    assert result.data.events == {"moved": 1, "prompt:typed": 1, "prompt:command": 1}
    assert (result.data.lines, result.data.lost, result.data.problems) == (3, 1, {"not-json": 1})
    assert "secret" not in result.text
    assert "1 not-json (lost)" in result.text


def test_work_trees_of_one_repository_belong_together_and_are_told_apart(
    script: Script, tmp_path: Path
) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", "-C", str(main), *words], check=True, capture_output=True)

    main, tree, other = (tmp_path / name for name in ("shop", "shop-login", "other"))
    for folder in (main, other):
        folder.mkdir()
    git("init", "-q")
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x")
    git("worktree", "add", "-q", str(tree))
    projects = tmp_path / ".claude" / "projects"
    for n, folder in enumerate((main, tree, other)):
        script.lines.clear()
        script.base |= {"cwd": str(folder), "sessionId": f"s{n}"}
        script.user(f"work in {folder.name}")
        script.path = projects / f"p{n}" / f"s{n}.jsonl"
        script.open()
    now = datetime(2026, 3, 2, tzinfo=UTC)
    world = World(now=now, cwd=main, home=tmp_path, data=tmp_path / "data", env={})
    found = {info.session for info in sessions.of_project(world, main)}
    assert found == {"s0", "s1"}
    rows = sessions.sessions(world, everywhere=False).data
    assert isinstance(rows, list)
    assert {row.session: bool(row.work_tree) for row in rows} == {"s0": False, "s1": True}
    everything = sessions.sessions(world, everywhere=True).data
    assert isinstance(everything, list)
    assert len(everything) == 3


def test_no_sub_agent_is_sought_inside_the_sessions_file(script: Script) -> None:
    script.user("one", isSidechain=True, agentId="a1b2")
    script.open()
    for thread in ("none", "a1b2"):
        with pytest.raises(NotFoundError):
            places.show_place(Place(thread, 1, 1), script.path, REDACTOR)
