"""A hook in a locale that is not UTF-8, and what is read whatever encoding the system prefers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.needs import lack

from onward.agents.codex.install import TARGET
from onward.cli.verbs.demo import Scratch
from onward.clients.files import write_launcher

SESSION = "9f5a3c70-0000-4000-8000-000000000007"


@pytest.mark.needs("localedef")
def test_a_session_at_a_path_beyond_ascii_is_kept_in_any_locale(tmp_path: Path) -> None:
    made = ["localedef", "-i", "de_DE", "-f", "ISO-8859-1", str(tmp_path / "de_DE.ISO-8859-1")]
    if subprocess.run(made, capture_output=True, check=False).returncode:
        lack("localedef")  # of its package only the program is there, not the locales' sources
    root, data = tmp_path / "pröject", tmp_path / "data"
    (root / ".git").mkdir(parents=True)
    for path, data_of in TARGET(root=root, base=root / ".codex", home=tmp_path).shipped().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data_of)
    data.mkdir()
    write_launcher(data)
    transcript = tmp_path / TARGET.PROBE.name.replace("SESSION", SESSION)
    text = TARGET.PROBE.read_text("utf-8").replace("SESSION", SESSION)
    now = "2026-03-02T10:00:00.000Z"
    transcript.write_text(text.replace("PROJECT", str(root)).replace("NOW", now), "utf-8")
    payload = {"session_id": SESSION, "transcript_path": str(transcript), "cwd": str(root)}
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "ONWARD_DATA": str(data),
        "LOCPATH": str(tmp_path),
        "LC_ALL": "de_DE.ISO-8859-1",
    }
    subprocess.run(
        ["sh", str(root / ".codex/hooks/onward-codex.sh"), "end", "0"],
        input=json.dumps(payload, ensure_ascii=False).encode(), env=env, check=True,
    )  # fmt: skip
    (kept,) = (root / ".claude/memory/raw").glob("*.jsonl")
    assert kept.read_bytes() == transcript.read_bytes()


@pytest.mark.parametrize(
    "line", ["onward save place", "onward view", "onward install", "onward doctor --json"]
)
def test_no_file_is_read_in_the_encoding_that_the_system_prefers(line: str) -> None:
    with Scratch() as scratch:
        scratch.env |= {
            "PYTHONWARNDEFAULTENCODING": "1",
            "PYTHONWARNINGS": "error::EncodingWarning",
        }
        scratch.env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        told = scratch.run(line, code=1 if "doctor" in line else 0)
    assert "EncodingWarning" not in told
