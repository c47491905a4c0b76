"""The other two forms: session-protocol.json, and session documents with the active context."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch


def test_the_protocol_is_one_line_of_the_schema(onward: Onward, scratch: Scratch) -> None:
    answer = onward("protocol", "save")
    assert answer.code == 0, answer.err
    raw = (scratch.root / "session-protocol.json").read_text()
    assert len(raw.splitlines()) == 1
    assert ": " not in re.sub(r'"(?:[^"\\]|\\.)*"', '""', raw)
    kept = json.loads(raw)
    assert kept["metadata"]["version"] == "2.0"
    assert kept["metadata"]["git_branch"] == "main"
    assert kept["metadata"]["git_commit"] == scratch.git("rev-parse", "HEAD")
    assert kept["tasks"]
    assert kept["tasks"][0]["id"] == "TASK_001"
    lines = answer.out.splitlines()
    assert lines[0] == "Saved → session-protocol.json"
    assert lines[-1].startswith("Next: TASK_001 - ")


def test_saving_again_merges(onward: Onward, scratch: Scratch) -> None:
    onward("protocol", "save")
    path = scratch.root / "session-protocol.json"
    kept = json.loads(path.read_text())
    kept["mine"] = {"kept": True}
    kept["tasks"].append({"id": "TASK_009", "title": "By hand", "status": "pending", "own": 1})
    path.write_text(json.dumps(kept))
    onward("protocol", "save")
    again = json.loads(path.read_text())
    assert again["mine"] == {"kept": True}
    assert {"TASK_001", "TASK_009"} <= {task["id"] for task in again["tasks"]}
    assert len({task["id"] for task in again["tasks"]}) == len(again["tasks"])
    assert next(t for t in again["tasks"] if t["id"] == "TASK_009")["own"] == 1


def test_loading_tells_age_counts_git_and_next(onward: Onward, scratch: Scratch) -> None:
    onward("protocol", "save")
    lines = onward("protocol", "load").out.splitlines()
    assert re.fullmatch(r"Loaded session-protocol\.json \(\d+m old\)", lines[0])
    assert "pend" in lines[1] or "prog" in lines[1]
    assert lines[2].startswith("- Git: main @ ")
    assert lines[-1].startswith("Next: TASK_001 - ")


def test_loading_tells_what_changed_in_git(onward: Onward, scratch: Scratch) -> None:
    onward("protocol", "save")
    scratch.git("checkout", "-q", "-b", "other")
    (scratch.root / "new.txt").write_text("new")
    scratch.commit("Add new.txt")
    answer = onward("protocol", "load")
    told = answer.out + answer.err
    assert "Git state changed" in told
    assert "Branch: main → other" in told
    assert "(1 commit ahead)" in told


def test_both_reports_have_a_short_form(onward: Onward) -> None:
    assert len(onward("protocol", "save", "--brief").out.splitlines()) == 1
    assert len(onward("protocol", "load", "--brief").out.splitlines()) == 1


def test_the_two_error_sentences_are_word_for_word(onward: Onward, scratch: Scratch) -> None:
    path = scratch.root / "session-protocol.json"
    path.write_text('{"metadata": ')
    answer = onward("protocol", "load")
    assert answer.code == 4
    assert "Cannot load: invalid JSON" in answer.err
    path.write_text('{"tasks": []}')
    answer = onward("protocol", "load")
    assert answer.code == 4
    assert "Cannot load: missing metadata" in answer.err


def test_saving_over_a_broken_protocol_file_loses_nothing(onward: Onward, scratch: Scratch) -> None:
    path = scratch.root / "session-protocol.json"
    path.write_text('{"metadata": ')
    assert onward("protocol", "save").code == 4
    assert path.read_text() == '{"metadata": '


def test_loading_what_is_not_there_says_how_to_make_it(onward: Onward) -> None:
    answer = onward("protocol", "load")
    assert answer.code == 3
    assert "  try: onward protocol save\n" in answer.err


def test_without_git_the_protocol_says_nothing_of_it(onward: Onward, scratch: Scratch) -> None:
    (scratch.root / ".git").rename(scratch.root.parent / "git")
    assert onward("protocol", "save").code == 0
    assert "Git" not in onward("protocol", "load").out


def test_a_document_is_written_after_the_active_context(onward: Onward, scratch: Scratch) -> None:
    answer = onward("document")
    assert answer.code == 0, answer.err
    memory = scratch.root / ".claude/memory"
    (document,) = memory.glob("session-????-??-??-????.md")
    active = memory / "active-context.md"
    assert active.stat().st_mtime_ns <= document.stat().st_mtime_ns
    assert document.name in active.read_text()
    assert f"onward resume .claude/memory/{document.name}" in answer.out
    front = document.read_text().split("---")[1]
    for key in ("date:", "project: shop", "status:", "branch: main"):
        assert key in front


def test_a_document_goes_where_it_is_told(onward: Onward, scratch: Scratch) -> None:
    answer = onward("document", "notes/handover.md")
    assert answer.code == 0, answer.err
    assert (scratch.root / "notes/handover.md").is_file()
    assert (scratch.root / ".claude/memory/active-context.md").is_file()
    again = onward("document", "notes/handover.md")
    assert again.code == 5


def test_the_second_document_names_the_first(onward: Onward, scratch: Scratch) -> None:
    onward("document")
    onward("document")
    names = sorted(path.name for path in (scratch.root / ".claude/memory").glob("session-*.md"))
    assert len(names) == 2
    texts = [(scratch.root / ".claude/memory" / name).read_text() for name in names]
    assert any(name in text.split("---")[1] for name in names for text in texts)


def test_documents_are_listed_newest_first_with_a_pending_backup_on_top(
    onward: Onward, scratch: Scratch
) -> None:
    assert onward("document", "list").code == 0
    onward("document")
    raw = scratch.root / ".claude/memory/raw"
    raw.mkdir()
    (raw / "20260301_140000.jsonl").write_bytes(scratch.transcript.read_bytes())
    marker = scratch.root / ".claude/memory/.pending-backup"
    marker.write_text(f"{raw / '20260301_140000.jsonl'}\n")
    lines = onward("document", "list").out.splitlines()
    assert "20260301_140000.jsonl" in lines[0]
    assert "onward backup resume" in lines[0]
    assert any("session-" in line for line in lines[1:])


def test_nothing_secret_is_in_any_form(onward: Onward, scratch: Scratch, planted: str) -> None:
    onward("protocol", "save")
    onward("document")
    for path in [*scratch.root.rglob("*.md"), *scratch.root.rglob("*.json")]:
        assert planted not in path.read_text()
        assert "maria" not in path.read_text()
