"""What only a terminal, or a stream that takes nothing, brings to light."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from onward.cli import main


@pytest.mark.parametrize("verb", ["backup", "protocol"])
def test_a_group_without_a_verb_prints_its_page(
    verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([verb]) == 2
    out, err = capsys.readouterr()
    assert out.startswith(f"Usage: onward {verb} ")
    assert len(out.splitlines()) > 5
    assert err == ""


@pytest.mark.parametrize("verb", ["distill", "resume", "brief", "show", "delete", "check"])
def test_an_empty_word_is_a_slip(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([verb, ""]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith(f"  try: onward {verb} --help\n")


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full is of Linux")
@pytest.mark.parametrize(
    "words", [["list"], ["--help"], ["save", "--help"], ["completion", "bash"]]
)
def test_an_answer_that_cannot_be_written_is_one_clear_sentence(
    words: list[str], tmp_path: Path
) -> None:
    folder = tmp_path / "memory/checkpoints"
    folder.mkdir(parents=True)
    (folder / "add-login.md").write_text("**Task:** Add a login\n")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "onward", *words],
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 6
    assert done.stderr.startswith("error: ")
    assert "No space left on device" in done.stderr
    assert "Exception" not in done.stderr


def test_a_home_that_is_not_there_is_named_in_full_and_listing_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "memory/checkpoints"
    folder.mkdir(parents=True)
    # Not plain: the rules of redaction have to look at it.
    (folder / "add-login.md").write_text("**Task:** Mail ben@example.org about it\n")
    home = tmp_path / "gone"
    env = {
        name: text for name, text in os.environ.items() if not name.startswith(("ONWARD", "XDG"))
    }
    env |= {"HOME": str(home), "USERPROFILE": str(home), "LOCALAPPDATA": str(home / "data")}
    run = [sys.executable, "-m", "onward"]
    listed = subprocess.run(
        [*run, "list"], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert listed.returncode == 0, listed.stderr
    assert "add-login" in listed.stdout
    assert "ben@example.org" not in listed.stdout
    noted = subprocess.run(
        [*run, "note", "No floats"],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert noted.returncode == 6
    assert f"the home folder {home} does not exist" in noted.stderr
    assert not home.exists()
