"""What a slip of the finger does: nothing, and the answer is the whole command to type."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from onward.cli import main

SESSION = "0b1c2d3e-4f50-4a61-8b72-9c83ad94be05"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own, with one session of it in a home of its own."""
    home, root = tmp_path / "home", tmp_path / "shop"
    root.mkdir()
    record: dict[str, object] = {
        "type": "user",
        "sessionId": SESSION,
        "uuid": "u-1",
        "cwd": str(root),
    }
    record |= {"timestamp": "2026-03-01T10:00:00.000Z", "message": {"content": "Fix the cart"}}
    kept = home / ".claude/projects/shop"
    kept.mkdir(parents=True)
    (kept / f"{SESSION}.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    monkeypatch.chdir(root)
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setenv("ONWARD_DATA", str(tmp_path / "data"))
    return root


def test_a_name_typed_as_several_words_is_answered_with_the_name(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["save", "Update", "login", "page"]) == 2
    assert "  try: onward save update-login-page\n" in capsys.readouterr().err


def test_yes_and_no_at_once_is_neither(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = project / "memory/checkpoints/fix-the-cart.md"
    kept.parent.mkdir(parents=True)
    kept.write_text("**Task:** Fix the cart\n", encoding="utf-8")
    assert main(["resume", "fix-the-cart", "--yes", "--no"]) == 2
    assert kept.exists()
    assert capsys.readouterr().err.endswith("  try: onward resume fix-the-cart --yes\n")


@pytest.mark.parametrize("what", [SESSION, SESSION[:8]], ids=["whole", "short"])
def test_distill_takes_the_id_that_sessions_shows(
    what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["distill", what, "--json"]) == 0
    assert SESSION in capsys.readouterr().out
