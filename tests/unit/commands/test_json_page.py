"""What `--json` really prints has the fields that docs/reference/json.md tells."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch

PAGE = Path(__file__).resolve().parents[3] / "docs/reference/json.md"


def told(verb: str) -> set[str]:
    """The names in the first column of a verb's table."""
    section = PAGE.read_text("utf-8").split(f"## `onward {verb}`\n")[1].split("\n## ")[0]
    cells = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    return {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}


@pytest.mark.parametrize(
    ("verb", "words"),
    [
        ("save", ["save", "add-rs256-tokens"]),
        ("list", ["list"]),
        ("resume", ["resume", "add-jwt-login"]),
        ("show", ["show", "t:1"]),
        ("show c:9f5a3c7", ["show", "c:HEAD"]),
        ("note", ["note", "amounts stay exact"]),
        ("sessions", ["sessions"]),
        ("search", ["search", "gateway"]),
        ("brief", ["brief", "add-jwt-login"]),
        ("document", ["document"]),
        ("document list", ["document", "list"]),
        ("protocol save", ["protocol", "save"]),
        ("protocol save", ["protocol", "load"]),
        ("keep", ["keep", "--all"]),
        ("install", ["install", "--dry-run"]),
        ("install", ["uninstall", "--dry-run"]),
        ("doctor", ["doctor"]),
        ("delete", ["delete", "add-jwt-login"]),
        ("restore", ["restore", "add-login-page"]),
        ("backup discard", ["backup", "discard"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_json_has_the_fields_that_its_page_tells(
    verb: str, words: list[str], saved: Onward, scratch: Scratch
) -> None:
    if verb == "restore":
        saved("save", "add-login-page")
        saved("delete", "add-login-page")
    if verb == "backup discard":
        raw = scratch.root / ".claude/memory/raw/20260301_140000_logout.jsonl"
        raw.parent.mkdir(parents=True)
        raw.write_bytes(scratch.transcript.read_bytes())
        (raw.parents[1] / ".pending-backup").write_text(f"{raw}\n")
        listed = saved("backup", "list", "--json").data
        assert set(listed[0]) == told("backup list")
    words = [word.replace("HEAD", scratch.git("rev-parse", "HEAD")) for word in words]
    words = [word.replace("TRANSCRIPT", str(scratch.transcript)) for word in words]
    data = saved(*words, "--json").data
    assert set(data[0] if isinstance(data, list) else data) == told(verb)


def test_the_list_of_documents_has_the_fields_that_its_page_tells(saved: Onward) -> None:
    assert saved("document").code == 0
    section = PAGE.read_text("utf-8").split("## `onward document list`\n")[1].split("\n## ")[0]
    [cell] = re.findall(r"^\| `documents` \| (.*) \|$", section, re.MULTILINE)
    [row] = saved("document", "list", "--json").data["documents"]
    assert set(row) == set(re.findall(r"`(\w+)`", cell))
