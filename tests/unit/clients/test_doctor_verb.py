"""`onward doctor` as a user types it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from onward.cli import main
from onward.clients.doctor import Finding, broken, ok, warning
from onward.commands import setup

Run = Callable[..., tuple[int, str]]
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository, a home, an `onward` on PATH, nothing of the machine's own."""
    root, home = tmp_path / "shop", tmp_path / "home" / "maria"
    for folder in (root, home, tmp_path / "tmp"):
        folder.mkdir(parents=True)
    for name in [n for n in os.environ if n.startswith(("GIT_", "CLAUDE", "XDG_", "ONWARD"))]:
        monkeypatch.delenv(name)
    scripts = Path(sys.executable).parent
    for name, value in {
        "HOME": str(home),
        "USERPROFILE": str(home),
        "USER": "maria",
        "ONWARD_DATA": str(tmp_path / "data"),
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        "TMPDIR": str(tmp_path / "tmp"),
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(root)
    subprocess.run(["git", "init", "-q", "-b", "main"], check=True)
    return root


@pytest.fixture
def onward(shop: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*words: str) -> tuple[int, str]:
        capsys.readouterr()
        code = main(words)
        out, err = capsys.readouterr()
        return code, out + err

    return run


def told(monkeypatch: pytest.MonkeyPatch, *findings: Finding) -> None:
    monkeypatch.setattr(setup, "examine", lambda _: list(findings))


def test_after_an_installation_nothing_is_broken(onward: Run) -> None:
    assert onward("install")[0] == 0
    code, said = onward("doctor")
    assert "0 broken" in said, said
    assert code == 0


def test_a_project_without_an_installation_is_told_to_install(onward: Run) -> None:
    code, said = onward("doctor")
    assert code == 1
    assert "→ onward install" in said


def test_looking_writes_nothing(onward: Run, shop: Path) -> None:
    onward("install")
    tree = shop.parent
    before = {path: path.stat().st_mtime_ns for path in tree.rglob("*")}
    onward("doctor")
    after = {path: path.stat().st_mtime_ns for path in tree.rglob("*")}
    assert {p: t for p, t in after.items() if p != tree / "tmp"} == {
        p: t for p, t in before.items() if p != tree / "tmp"
    }


def test_fix_fixes_what_is_safe_and_says_what_it_did(onward: Run, shop: Path) -> None:
    onward("install")
    launcher = shop.parent / "data/launcher"
    launcher.write_text("/gone/python\n/gone/entry.py\n")
    shim = shop / ".claude/hooks/on-stop.sh"
    whole = shim.read_bytes()
    shim.unlink()
    assert onward("doctor")[0] == 1
    code, said = onward("doctor", "--fix")
    assert "fixed: wrote" in said
    assert "fixed: did what `onward install` does" in said
    assert launcher.read_text().startswith(sys.executable)
    assert shim.read_bytes() == whole
    assert code == 0, said


def test_with_warnings_only_the_exit_code_is_0(
    onward: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    told(monkeypatch, warning("git", "there is none", "it would help", "install git"))
    code, said = onward("doctor")
    assert code == 0
    assert said.startswith("0 broken, 1 warning, 0 fine\n\nwarning  git: there is none\n")
    assert said.endswith("\n  it would help\n  → install git\n")


def test_what_is_broken_comes_first_and_what_is_fine_last(
    onward: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    told(
        monkeypatch,
        ok("a", "one"),
        warning("b", "two", "why", "do"),
        broken("c", "three\nlines", "why", "do\nor"),
    )
    code, said = onward("doctor")
    assert code == 1
    assert [line.split(":")[0] for line in said.split("\n") if ":" in line] == [
        "broken  c",
        "warning  b",
        "ok  a",
    ]
    assert "  → do\n  → or\n" in said


def test_json_has_all_of_it(onward: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    told(monkeypatch, broken("c", "text", "why", "do", "modes"), ok("a", "one"))
    code, said = onward("doctor", "--json")
    data: dict[str, Any] = json.loads(said)
    assert code == 1
    assert data["fixed"] == []
    assert [each["level"] for each in data["findings"]] == ["broken", "ok"]
    assert data["findings"][0] == {
        "level": "broken",
        "subject": "c",
        "text": "text",
        "why": "why",
        "advice": "do",
        "fix": "modes",
    }


def test_no_secret_and_no_user_name_is_shown(onward: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    told(monkeypatch, broken("c", f"token {SECRET}", "why", "look at /home/maria/x"))
    for words in (("doctor",), ("doctor", "--json")):
        said = onward(*words)[1]
        assert SECRET not in said
        assert "maria" not in said


def test_broken_settings_of_ours_are_a_finding_and_the_rest_is_looked_at(
    onward: Run, shop: Path
) -> None:
    onward("install")
    (shop / "onward.toml").write_text("[hooks]\nhandover = maybe\n")
    code, said = onward("doctor")
    assert code == 1
    assert "broken  onward.toml:" in said
    assert "line 2" in said
    assert "ok  hooks:" in said


def test_a_fixing_that_does_not_succeed_is_told(
    onward: Run, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told(monkeypatch, broken("launcher", "text", "why", "do", "launcher"))
    (shop.parent / "data").write_text("a file in the folder's place")
    code, said = onward("doctor", "--fix")
    assert code == 1
    assert "broken  --fix:" in said
