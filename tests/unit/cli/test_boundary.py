"""Whatever happens, the user is told one thing, and the exit code says which kind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from onward import cli
from onward.cli import Call, app
from onward.errors import (
    InputError,
    NotFoundError,
    OnwardError,
    QualityError,
    RefusedError,
    StorageError,
    UsageError,
)


def _raising(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def call(args: list[str], shared: Call) -> int:
        raise error

    monkeypatch.setattr(app, "call", call)


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (OnwardError, 1),
        (UsageError, 2),
        (NotFoundError, 3),
        (InputError, 4),
        (RefusedError, 5),
        (StorageError, 6),
        (QualityError, 7),
    ],
)
def test_each_kind_of_error_has_its_own_exit_code(
    kind: type[OnwardError],
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _raising(monkeypatch, kind("it is wrong", "onward list"))
    assert cli.main(["sessions"]) == code
    assert capsys.readouterr() == ("", "error: it is wrong\n  try: onward list\n")


def test_an_error_without_a_hint_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _raising(monkeypatch, InputError("it is wrong"))
    cli.main(["sessions"])
    assert capsys.readouterr().err == "error: it is wrong\n"


def test_two_ways_out_are_two_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _raising(monkeypatch, InputError("it is wrong", "onward list\nonward sessions"))
    cli.main(["sessions"])
    assert capsys.readouterr().err.endswith("  try: onward list\n  try: onward sessions\n")


def test_the_home_folder_in_an_error_is_a_tilde(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    _raising(monkeypatch, StorageError(f"{tmp_path / 'x'} is read-only", f"ls {tmp_path}"))
    cli.main(["sessions"])
    assert str(tmp_path) not in capsys.readouterr().err


def test_ctrl_c_ends_with_130_and_no_trace(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _raising(monkeypatch, KeyboardInterrupt())
    assert cli.main(["sessions"]) == 130
    assert "Traceback" not in capsys.readouterr().err


def test_a_refusal_of_the_system_counts_as_the_disk(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _raising(monkeypatch, PermissionError(13, "Permission denied", "notes.md"))
    assert cli.main(["sessions"]) == 6
    assert "Permission denied: notes.md" in capsys.readouterr().err


def test_a_fault_of_ours_ends_with_70_and_a_report_without_its_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("ONWARD_DATA", str(tmp_path / "data"))
    _raising(monkeypatch, ZeroDivisionError("words of a transcript"))
    assert cli.main(["sessions"]) == 70
    log = tmp_path / "data" / "onward.log"
    assert str(log) in capsys.readouterr().err
    assert "ZeroDivisionError" in log.read_text()
    assert "words of a transcript" not in log.read_text()
    if os.name == "posix":
        assert log.stat().st_mode & 0o777 == 0o600


def test_a_fault_is_told_where_no_report_can_be_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "data").write_text("a file where the folder belongs")
    monkeypatch.setenv("ONWARD_DATA", str(tmp_path / "data"))
    _raising(monkeypatch, ZeroDivisionError())
    assert cli.main(["sessions"]) == 70
    assert "ZeroDivisionError" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="Windows has no closed pipes of this kind")
def test_a_reader_that_leaves_early_hears_nothing() -> None:
    program = "import sys; from onward.cli import main; sys.exit(main(['--help']))"
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-c", program], stdout=write, stderr=subprocess.PIPE, check=False
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


def test_any_text_is_printed_where_the_locale_is_c(tmp_path: Path) -> None:
    folder = tmp_path / "memory" / "checkpoints"
    folder.mkdir(parents=True)
    (folder / "plan.md").write_text("# Checkpoint: plan\n**Task:** 分析日志\n", encoding="utf-8")
    (tmp_path / ".git").mkdir()
    env = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [sys.executable, "-m", "onward", "list"],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        check=True,
    )
    assert "分析日志" in done.stdout.decode("utf-8")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such locales")
def test_a_project_with_any_name_is_found_where_the_locale_is_c(tmp_path: Path) -> None:
    folder = tmp_path / "täst 日本"
    (folder / "src").mkdir(parents=True)
    (folder / "SESSION-STATE.md").write_text("## Task\nFix the cart\n## Next\nRun make\n", "utf-8")
    env = {name: text for name, text in os.environ.items() if not name.startswith(("LC_", "LANG"))}
    env |= {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "HOME": str(tmp_path)}
    env["ONWARD_DATA"] = str(tmp_path / "data")
    for words in (["save", "fix-cart"], ["list"]):
        done = subprocess.run(
            [sys.executable, "-m", "onward", *words],
            cwd=folder / "src",
            env=env,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    assert "Fix the cart" in done.stdout.decode("utf-8")


@pytest.mark.parametrize(
    ("epoch", "seconds"), [("1772366400", 1772366400.0), ("soon", None), ("", None), ("-1", None)]
)
def test_the_clock_can_be_set_so_that_output_is_the_same_again(
    epoch: str, seconds: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    call = Call()
    assert (call.seconds == seconds) is (seconds is not None)
    now = call.world.now
    assert (now.isoformat() == "2026-03-01T12:00:00+00:00") is (seconds is not None)
    assert now.tzinfo is not None
