"""Which folder is the project, and where its files lie."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from onward.errors import InputError
from onward.storage.project import Settings, locate, shown, usual
from onward.storage.roots import PLACES


def test_the_git_root_is_the_project_wherever_one_stands_in_it(tmp_path: Path) -> None:
    (tmp_path / "a" / "memory" / "checkpoints").mkdir(parents=True)
    assert locate(tmp_path / "a", tmp_path).root == tmp_path


@pytest.mark.parametrize("sign", ["onward.toml", "sp.json", *PLACES.values()])
def test_without_git_the_nearest_folder_with_a_file_of_ours_is(tmp_path: Path, sign: str) -> None:
    (tmp_path / "shop" / "src" / "deep").mkdir(parents=True)
    place = tmp_path / "shop" / sign
    place.parent.mkdir(parents=True, exist_ok=True)
    place.touch()
    assert locate(tmp_path / "shop" / "src" / "deep", None).root == tmp_path / "shop"


def test_without_either_it_is_the_folder_one_stands_in(tmp_path: Path) -> None:
    assert locate(tmp_path, None).root == tmp_path


def test_the_home_folder_does_not_swallow_what_lies_below_it(tmp_path: Path) -> None:
    (tmp_path / ".claude" / "memory").mkdir(parents=True)
    (tmp_path / "notes").mkdir()
    assert locate(tmp_path / "notes", None, tmp_path).root == tmp_path / "notes"
    assert locate(tmp_path, None, tmp_path).root == tmp_path


def test_the_places_are_those_of_the_documents(tmp_path: Path) -> None:
    project = locate(tmp_path, tmp_path)
    assert project.checkpoints == tmp_path / "memory" / "checkpoints"
    assert project.state_file == tmp_path / "SESSION-STATE.md"
    assert project.buffer == tmp_path / "memory" / "working-buffer.md"
    assert project.memory == tmp_path / ".claude" / "memory"
    assert project.protocol == tmp_path / "session-protocol.json"
    assert project.active_context == tmp_path / ".claude" / "memory" / "active-context.md"


@pytest.mark.parametrize(
    ("name", "head"), [("onward.toml", "[places]"), ("pyproject.toml", "[tool.onward.places]")]
)
def test_settings_move_a_place_and_leave_the_others(tmp_path: Path, name: str, head: str) -> None:
    (tmp_path / name).write_text(f'{head}\ncheckpoints = "docs/checkpoints"\n')
    project = locate(tmp_path, tmp_path)
    assert project.checkpoints == tmp_path / "docs" / "checkpoints"
    assert project.protocol == tmp_path / "session-protocol.json"


def test_onward_toml_goes_before_pyproject(tmp_path: Path) -> None:
    (tmp_path / "onward.toml").write_text('[places]\nstate = "A.md"\n')
    (tmp_path / "pyproject.toml").write_text('[tool.onward.places]\nstate = "B.md"\n')
    assert locate(tmp_path, tmp_path).state_file == tmp_path / "A.md"


@pytest.mark.parametrize(
    "text", ["[project\nname = ", '[project]\nname = "shop"\n', "tool = 3 # onward\n"]
)
def test_a_pyproject_that_sets_nothing_of_ours_is_no_obstacle(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text(text)
    assert locate(tmp_path, tmp_path).state_file == tmp_path / "SESSION-STATE.md"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ('[places]\nstate = "A.md\n', 2, "not valid TOML"),
        ("[places\n", 1, "not valid TOML"),
        ('# ours\n[places]\nchekpoints = "x"\n', 3, "`chekpoints` is no place"),
        ("[places]\nstate = 3\n", 2, "inside the project"),
        ("places = 3\n", 1, "not a table"),
        ('[places]\nstate = "/etc/passwd"\n', 2, "inside the project"),
        ('[places]\nstate = "../other/A.md"\n', 2, "inside the project"),
        ('[places]\nstate = "a/../../A.md"\n', 2, "inside the project"),
        ('[places]\nstate = "C:\\\\A.md"\n', 2, "inside the project"),
        ('[places]\nstate = "..\\\\A.md"\n', 2, "inside the project"),
        ('[places]\nstate = ""\n', 2, "inside the project"),
        ('[places]\ncheckpoints = "."\n', 2, "inside the project"),
        ('[places]\nstate = "a\\u0000b"\n', 2, "inside the project"),
    ],
)
def test_broken_settings_are_told_with_their_line(
    tmp_path: Path, text: str, line: int, said: str
) -> None:
    (tmp_path / "onward.toml").write_text(text)
    with pytest.raises(InputError, match=said) as caught:
        locate(tmp_path, tmp_path)
    assert f"onward.toml, line {line}:" in caught.value.message
    assert f"line {line}" in caught.value.hint


def test_settings_in_another_encoding_are_told(tmp_path: Path) -> None:
    (tmp_path / "onward.toml").write_bytes(b'[places]\nstate = "\xe9.md"\n')
    with pytest.raises(InputError, match="not UTF-8"):
        locate(tmp_path, tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="links as POSIX has them")
def test_a_place_behind_a_link_out_of_the_project_is_refused(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    (root / "out").symlink_to(tmp_path)
    (root / "onward.toml").write_text('[places]\nstate = "out/A.md"\n')
    with pytest.raises(InputError, match="inside the project"):
        locate(root, root)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("onward.toml", "x = 1\n", "line 1: `x` is no setting"),
        ("onward.toml", "[places]\nstate = 7\n", "line 2: `state` must be a path"),
        ("onward.toml", '[place]\nstate = "s.md"\n', "line 1: `place` is no setting"),
        ("pyproject.toml", "[tool.onward]\nbudget = 7\n", "line 2: `budget` is no setting"),
        ("pyproject.toml", "[tool]\nonward = 7\n", "line 2: `tool.onward` is not a table"),
    ],
)
def test_a_setting_that_there_is_not_is_refused_with_its_line(
    name: str, text: str, said: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError) as caught:
        locate(tmp_path, None)
    assert said in caught.value.message


@pytest.mark.parametrize(
    ("name", "head"), [("onward.toml", "[hooks]"), ("pyproject.toml", "[tool.onward.hooks]")]
)
def test_settings_of_the_hooks_are_read_and_the_others_stay(
    tmp_path: Path, name: str, head: str
) -> None:
    assert locate(tmp_path, None).settings == Settings(True, 0, 10)
    (tmp_path / name).write_text(f"{head}\nhandover = false\nidle-minutes = 2.5\n")
    assert locate(tmp_path, None).settings == Settings(False, 0, 2.5)
    (tmp_path / name).write_text(f"{head}\ncontext-window = 1_000_000\nidle-minutes = 0\n")
    assert locate(tmp_path, None).settings == Settings(True, 1_000_000, 0)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("handover = 1", "`handover` must be true or false"),
        ('handover = "no"', "`handover` must be true or false"),
        ("context-window = true", "`context-window` must be a number of tokens"),
        ("context-window = 0", "`context-window` must be a number of tokens"),
        ("context-window = -1", "`context-window` must be a number of tokens"),
        ("context-window = 2.5", "`context-window` must be a number of tokens"),
        ("idle-minutes = nan", "`idle-minutes` must be a number of minutes"),
        ("idle-minutes = inf", "`idle-minutes` must be a number of minutes"),
        ("idle-minutes = -1", "`idle-minutes` must be a number of minutes"),
        ("idle_minutes = 1", "`idle_minutes` is no setting"),
    ],
)
def test_a_setting_of_the_hooks_that_cannot_be_meant_is_told(
    tmp_path: Path, line: str, said: str
) -> None:
    (tmp_path / "onward.toml").write_text(f"[hooks]\n{line}\n")
    with pytest.raises(InputError, match=said) as caught:
        locate(tmp_path, None)
    assert "onward.toml, line 2:" in caught.value.message


def test_the_usual_project_heeds_no_settings(tmp_path: Path) -> None:
    (tmp_path / "onward.toml").write_text("broken")
    assert usual(tmp_path).root == tmp_path
    assert usual(tmp_path).memory == tmp_path / ".claude" / "memory"


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/home/ann/shop/src/a.py", "src/a.py"),
        ("/home/ann/notes/b.md", "~/notes/b.md"),
        ("/etc/hosts", "/etc/hosts"),
        ("/home/ann", "/home/ann"),
    ],
)
def test_a_path_is_shown_from_the_project_else_from_the_home_folder(path: str, told: str) -> None:
    assert shown(Path(path), Path("/home/ann"), Path("/home/ann/shop")) == told
