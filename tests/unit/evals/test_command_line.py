from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.programs import PYTHON

from evals.__main__ import main

QUICK = ["--text", "empty,tail,summary,onward", "--budget", "1000", "--jobs", "1", "--no-mid-task"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "make evals CORPUS=DIR"),
        (["/nowhere/at/all"], "is no folder: make evals CORPUS=DIR"),
        ([".", "--budget", "many"], "--budget many"),
        ([".", "--text", "greed"], "no text is called greed"),
        ([".", "--command", "brief {file}"], "write NAME=LINE"),
    ],
)
def test_a_wrong_command_line_says_what_to_type(
    capsys: pytest.CaptureFixture[str], words: list[str], says: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert says in capsys.readouterr().err


def test_a_folder_without_transcripts_is_said_to_be_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes.jsonl").write_text('{"a": 1}\n', "utf-8")
    assert main([str(tmp_path)]) == 2
    assert "there is no transcript" in capsys.readouterr().err


def test_a_name_that_no_case_has_leads_to_the_list(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(folder), "--show", "nothing-like-it"]) == 2
    assert "--list" in capsys.readouterr().err
    assert main([str(folder), "--list"]) == 0
    assert capsys.readouterr().out.startswith("compact:acme--app--s1@")


def test_the_tables_pages_and_json_tell_the_same(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages, figures = tmp_path / "pages", tmp_path / "figures.json"
    assert main([str(folder), *QUICK, "--report", str(pages), "--json", str(figures)]) == 0
    out = capsys.readouterr().out
    rows = json.loads(figures.read_text("utf-8"))["rows"]
    assert [row["source"] for row in rows] == ["empty", "tail", "summary", "onward"]
    ours = rows[-1]["figures"]["carry"]
    assert f"{ours:.2f}" in next(line for line in out.split("\n") if line.startswith("| onward"))
    assert "pieces of the transcripts" in out or "was not measured" in out
    assert "1 cases of 1 transcripts in 1 repositories" in out
    (page,) = pages.iterdir()
    text = page.read_text("utf-8")
    assert "files missed:" in text
    assert "No text could have known of what came next: 1 files, 1 names" in text


def test_show_prints_the_page_of_a_case(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(folder), *QUICK, "--show", "acme--app--s1"]) == 0
    assert "## onward, 1000 tokens" in capsys.readouterr().out


def test_json_goes_to_stdout_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(folder), *QUICK, "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"]


def test_any_other_program_can_be_scored(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = "import sys; print(open(sys.argv[1]).read().count(chr(10)), sys.argv[2])"
    line = f'lines={PYTHON} -c "{script}" {{file}} {{budget}}'
    assert main([str(folder), *QUICK, "--command", line, "--show", "compact"]) == 0
    out = capsys.readouterr().out
    cut = int(out.split("@", 1)[1].split("\n", 1)[0])
    assert f"    {cut} 1000" in out


def test_a_program_that_fails_has_its_error_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = f'bad={PYTHON} -c "import sys; sys.exit(str(3) * 4)"'
    assert main([str(folder), *QUICK, "--command", line]) == 0
    assert "3333" in capsys.readouterr().err
