"""What is added to redaction counts wherever something is written or shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from onward.cli import Call
from onward.storage.project import shown

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch

pytest.importorskip("re2")

WORD = "HS256"  # stands in what the user said and decided
RULES = f"[[rules]]\nid = 'project'\nregex = '{WORD}|gateway'\n"
VERBS = pytest.mark.parametrize(
    "words",
    [
        ["distill", "0b1c2d3e"],
        ["brief", "0b1c2d3e"],
        ["save", "add-jwt-login"],
        ["document"],
        ["protocol", "save"],
        ["note", f"Not {WORD}"],
        ["show", "t:5", "--session", "0b1c2d3e"],
    ],
    ids=" ".join,
)


def written(root: Path) -> str:
    files = [p for p in root.rglob("*") if p.is_file() and ".git/" not in p.as_posix()]
    return "\n".join(
        p.read_text(errors="replace")
        for p in files
        if p.suffix in {".md", ".json"} and "raw" not in p.parts
    )


@VERBS
def test_without_rules_the_word_is_there(
    onward: Onward, scratch: Scratch, words: list[str]
) -> None:
    plain = onward(*words)
    assert WORD in plain.out + written(scratch.root)


@VERBS
def test_rules_of_the_command_line_count(
    onward: Onward, scratch: Scratch, tmp_path: Path, words: list[str]
) -> None:
    (tmp_path / "own.toml").write_text(RULES)
    answer = onward(*words, "--rules", str(tmp_path / "own.toml"))
    assert answer.code == 0, answer.err
    assert WORD not in answer.out + answer.err + written(scratch.root)
    assert "[REDACTED:project:" in answer.out + written(scratch.root)


@VERBS
def test_rules_of_the_settings_count(onward: Onward, scratch: Scratch, words: list[str]) -> None:
    (scratch.root / "own.toml").write_text(RULES)
    (scratch.root / "onward.toml").write_text("[redaction]\nrules = 'own.toml'\n")
    answer = onward(*words)
    assert answer.code == 0, answer.err
    assert WORD not in answer.out + answer.err + written(scratch.root)


@VERBS
@pytest.mark.parametrize(
    "settings",
    ["[redaction]\nrules = 'gone.toml'\n", "[redaction]\nrules = 'bad.toml'\n", "[redaction\n"],
)
def test_broken_rules_stop_the_write(
    onward: Onward,
    scratch: Scratch,
    words: list[str],
    settings: str,
    unchanged: Callable[[Path], Callable[[], bool]],
) -> None:
    (scratch.root / "bad.toml").write_text("[[rules]]\nid = 'x'\nregex = '('\n")
    (scratch.root / "onward.toml").write_text(settings)
    same = unchanged(scratch.root)
    answer = onward(*words)
    assert answer.code in {3, 4}
    assert answer.out == ""
    assert ".toml" in answer.err
    assert "try:" in answer.err
    assert same()


def test_list_asks_the_rules_too(saved: Onward, scratch: Scratch) -> None:
    assert WORD in saved("list").out
    (scratch.root / "own.toml").write_text(RULES)
    (scratch.root / "onward.toml").write_text("[redaction]\nrules = 'own.toml'\n")
    assert WORD not in saved("list").out


def test_personal_data_that_a_project_asks_for_goes(onward: Onward, scratch: Scratch) -> None:
    (scratch.root / "onward.toml").write_text("[redaction]\nalso = ['phone']\n")
    assert "[REDACTED:phone:" in onward("note", "Call +49 170 555 01 23 first").out


def test_what_is_ignored_is_so_in_a_sub_folder_and_nowhere_else(
    onward: Onward, scratch: Scratch, planted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (scratch.root / ".onwardignore").write_text(f"{planted}\n")
    monkeypatch.chdir(scratch.root / "src")
    assert planted in onward("note", f"The example key is {planted}").out
    (tmp_path / "other/.git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "other")
    assert planted not in Call().world.redactor.text(planted)


def test_the_root_of_the_disk_stays_on_a_path(scratch: Scratch) -> None:
    assert shown(Path("/a/b"), scratch.home, Path("/")) == str(Path("/a/b"))


def test_the_doctor_names_what_stops_the_saving(onward: Onward, scratch: Scratch) -> None:
    (scratch.root / "onward.toml").write_text("[redaction]\nrules = 'gone.toml'\n")
    assert "broken  redaction: there is no file of rules" in onward("doctor").out
    (scratch.root / "onward.toml").write_text("")
    (scratch.root / ".onwardignore").write_text("ab\n")
    assert "broken  redaction: .onwardignore, line 1" in onward("doctor").out
