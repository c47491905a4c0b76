"""Packets for a reader, and grades that only the transcript decides."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.programs import PYTHON

from evals.readers import graded, main, unseal

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from evals.readers import Key


def key_in(folder: Path) -> Key:
    return unseal(json.loads((folder / "key.json").read_text("utf-8"))["sealed"])["01"]


def test_a_packet_holds_the_text_and_nothing_of_the_answers(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "packets"
    assert main(["make", str(folder), "--out", str(out), "--text", "tail", "--limit", "1"]) == 0
    key = key_in(out)
    assert key.artefacts == ["src/fetcher.py"]
    assert key.continuation
    sealed = (out / "key.json").read_text("utf-8")
    assert "fetcher" not in sealed
    question = (out / "packet-01.md").read_text("utf-8").partition("# Question")[2]
    assert '"artefacts"' in question
    assert "fetcher.py" not in question


def test_who_knows_what_came_next_is_right_and_who_guesses_is_not(
    folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "packets"
    main(["make", str(folder), "--out", str(out), "--text", "tail", "--limit", "1"])
    key = key_in(out)
    steps = [{"file": key.files[n % len(key.files)], "command": ""} for n in range(5)]
    knows = {"steps": steps, "usable": 5, "artefacts": key.artefacts, "recall": key.recall,
             "continuation": key.continuation, "decisions": key.decisions}  # fmt: skip
    assert set(graded(knows, key).values()) == {1.0, 5.0}
    guesses = {"steps": [{"file": "src/none.py"}] * 5, "artefacts": ["a.py"], "continuation": "hm"}
    assert set(graded(guesses, key).values()) == {0.0}


def test_a_program_answers_and_the_grades_are_printed(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "packets"
    main(["make", str(folder), "--out", str(out), "--text", "tail", "--limit", "1"])
    assert main(["ask", str(out)]) == 0
    assert "write the answer into" in capsys.readouterr().out
    reader = tmp_path / "reader.py"
    reader.write_text('print(\'Here: {"steps": [{"file": "src/fetcher.py"}], "usable": 4}\')')
    assert main(["ask", str(out), "--reader", f"{PYTHON} {reader}"]) == 0
    assert main(["grade", str(out)]) == 0
    told = capsys.readouterr().out
    assert "usable        4.00 of 1" in told
    (out / "answer-01.json").write_text("no answer", "utf-8")
    assert main(["grade", str(out)]) == 2
    assert "no answer that can be read" in capsys.readouterr().err


def test_packets_are_dealt_so_that_no_reader_has_a_case_twice(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["cases", str(folder)]) == 0
    case, note = capsys.readouterr().out.splitlines()[0].split("\t")
    (tmp_path / note).write_text(
        '{"task": "Retry the fetcher", "next": ["Run pytest -q"]}', "utf-8"
    )
    monkeypatch.setenv("ONWARD_EVALS_NOTES", str(tmp_path))
    out = tmp_path / "packets"
    words = ["make", str(folder), "--out", str(out), "--only", case, "--limit", "0"]
    assert main([*words, "--text", "tail,noted", "--readers", "2"]) == 0
    dealt = sorted(path.parent.name for path in out.rglob("packet-*.md"))
    assert dealt == ["reader-1", "reader-2"]
    assert any("Retry the fetcher" in p.read_text("utf-8") for p in out.rglob("packet-*.md"))
    for path in out.rglob("packet-*.md"):
        path.with_name(path.name.replace("packet", "answer")).with_suffix(".json").write_text(
            '{"steps": [], "usable": 3}', "utf-8"
        )
    assert main(["grade", str(out)]) == 0
    assert capsys.readouterr().out.count("usable") == 2
