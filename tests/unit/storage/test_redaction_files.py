"""What a project and a user add to redaction: settings, rules files, `.onwardignore`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from onward.errors import InputError, NotFoundError
from onward.redaction.rules import personal
from onward.storage import project
from onward.storage.project import KINDS, Redaction, locate
from onward.storage.project import redaction as asked

RULES = "[[rules]]\nid = 'project'\nregex = 'nightingale'\n"
FILES = pytest.mark.parametrize(
    ("name", "head"),
    [("onward.toml", "[redaction]"), ("pyproject.toml", "[tool.onward.redaction]")],
)


def test_without_settings_nothing_is_asked(tmp_path: Path) -> None:
    assert asked(tmp_path) == Redaction()
    (tmp_path / "onward.toml").write_text("[hooks]\nhandover = false\n")
    assert asked(tmp_path) == Redaction()


@FILES
def test_a_project_may_ask_for_more(tmp_path: Path, name: str, head: str) -> None:
    (tmp_path / name).write_text(f"{head}\nrules = 'conf/own.toml'\nalso = ['phone']\n")
    assert asked(tmp_path) == Redaction(rules=tmp_path / "conf/own.toml", also=("phone",))
    locate(tmp_path, tmp_path)


def test_the_kinds_are_those_that_there_are_rules_for() -> None:
    assert sorted(KINDS) == sorted(personal.KINDS)


@FILES
@pytest.mark.parametrize(
    "line",
    [
        "rules = '../own.toml'",
        "rules = '/etc/own.toml'",
        "rules = 'C:\\own.toml'",
        "rules = 3",
        "rules = ''",
        "also = ['shoe-size']",
        "also = 3",
        "also = [['phone']]",
        "off = true",
        "secrets = false",
    ],
)
def test_what_is_no_setting_is_refused_by_all_who_write(
    tmp_path: Path, name: str, head: str, line: str
) -> None:
    (tmp_path / name).write_text(f"{head}\n{line}\n")
    for read in (asked, lambda root: locate(root, root)):
        with pytest.raises(InputError) as error:
            read(tmp_path)
        assert f"{name}, line 2" in error.value.message


def test_a_link_out_of_the_project_is_no_rules_file(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "own.toml").write_text(RULES)
    (tmp_path / "shop/own.toml").symlink_to(tmp_path / "own.toml")
    (tmp_path / "shop/onward.toml").write_text("[redaction]\nrules = 'own.toml'\n")
    with pytest.raises(InputError, match="inside the project"):
        asked(tmp_path / "shop")


@pytest.mark.parametrize("text", ["[redaction\n", "redaction = 3\n", "redaction = ?\n"])
def test_settings_that_cannot_be_read_stop_what_would_be_written(tmp_path: Path, text: str) -> None:
    (tmp_path / "onward.toml").write_text(text)
    with pytest.raises(InputError):
        asked(tmp_path)


def test_faults_of_other_settings_stop_no_hook(tmp_path: Path) -> None:
    (tmp_path / "onward.toml").write_text("[places\n")
    assert asked(tmp_path) == Redaction()


# ------------------------------------------------------------------------ rules files


def test_rules_are_read(tmp_path: Path) -> None:
    pytest.importorskip("re2")
    (tmp_path / "own.toml").write_text(RULES)
    assert [rule.id for rule in project.rules(tmp_path / "own.toml").rules] == ["project"]


def test_a_rules_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        project.rules(tmp_path / "own.toml")


def test_one_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(InputError, match="not UTF-8"):
        project.rules(tmp_path / "own.toml")
    with pytest.raises(InputError):
        project.rules(tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pipes with names of files")
def test_a_pipe_that_a_repository_brought_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "own.toml")
    with pytest.raises(InputError):
        project.rules(tmp_path / "own.toml")


# ---------------------------------------------------------------------- .onwardignore


def test_without_the_file_nothing_is_allowed(tmp_path: Path) -> None:
    assert not project.allowances(tmp_path).values


def test_entries_are_read(tmp_path: Path) -> None:
    (tmp_path / ".onwardignore").write_text("hunter2x\n")
    assert project.allowances(tmp_path).values == {b"hunter2x"}


def test_a_link_is_refused_for_it_could_lead_to_the_secrets_themselves(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "token").write_text("hunter2x\n")
    (tmp_path / "shop/.onwardignore").symlink_to(tmp_path / "token")
    with pytest.raises(InputError, match="no file of its own"):
        project.allowances(tmp_path / "shop")


def test_what_is_no_file_or_too_large_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".onwardignore").mkdir()
    with pytest.raises(InputError):
        project.allowances(tmp_path)
    (tmp_path / "b").mkdir()
    (tmp_path / "b/.onwardignore").write_bytes(b"#" * 1_000_001)
    with pytest.raises(InputError, match="larger than 1 MB"):
        project.allowances(tmp_path / "b")
