"""The other two forms: session-protocol.json, and session documents with the active context."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch, Session


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


SAVES = {
    "checkpoint": ("save", "add-jwt-login"),
    "protocol": ("protocol", "save"),
    "document": ("document",),
}
RESUMES = {
    "checkpoint": ("resume", "--json"),
    "protocol": ("protocol", "load"),
    "document": ("backup", "resume", "--json"),
}
COMMON = (
    "task", "goal", "requests", "progress", "runs", "next_action", "blockers", "decisions",
    "dead_ends", "deferred", "commands", "context", "closing",
)  # fmt: skip


def saved_as(form: str, onward: Onward, scratch: Scratch) -> str:
    """Save in one form; the others, and the transcript, are gone. What `resume` takes."""
    before = scratch.transcript.read_bytes()
    assert onward(*SAVES[form]).code == 0
    scratch.transcript.unlink()
    (scratch.root / ".claude/memory/active-context.md").unlink(missing_ok=True)
    written = {
        "checkpoint": "add-jwt-login",
        "protocol": "session-protocol.json",
        "document": next(
            (str(p) for p in (scratch.root / ".claude/memory").glob("session-*.md")), ""
        ),
    }[form]
    scratch.transcript.with_suffix(".kept").write_bytes(before)
    return written


def again(scratch: Scratch) -> None:
    """A project in which nothing was saved."""
    kept = scratch.transcript.with_suffix(".kept")
    kept.rename(scratch.transcript)
    for path in (scratch.root / "memory", scratch.root / ".claude"):
        shutil.rmtree(path, ignore_errors=True)
    (scratch.root / "session-protocol.json").unlink(missing_ok=True)


def test_every_form_holds_the_same(onward: Onward, scratch: Scratch) -> None:
    found = {}
    for form in SAVES:
        checkpoint = onward("resume", saved_as(form, onward, scratch), "--json").data["checkpoint"]
        found[form] = {field: checkpoint.get(field) for field in COMMON}
        assert checkpoint["origin"]["session"] == scratch.transcript.stem
        again(scratch)
    assert found["protocol"] == found["checkpoint"]
    assert found["document"] == found["checkpoint"]


@pytest.mark.parametrize(
    ("saved", "resumed"),
    [pair for pair in product(SAVES, RESUMES) if pair[1] != "checkpoint" or pair[0] == pair[1]],
)
def test_saved_as_one_and_resumed_as_another(
    saved: str, resumed: str, onward: Onward, scratch: Scratch
) -> None:
    expected = onward("resume", saved_as(saved, onward, scratch), "--json").data
    answer = onward(*RESUMES[resumed])
    assert answer.code == 0, answer.err
    if resumed == "protocol":
        lines = answer.out.splitlines()
        assert lines[0] == f"Loaded {expected['path']} (0m old)"
        assert lines[-1] == f"Next: TASK_001 - {expected['task']}"
        assert any(line.startswith("- Git: main @ ") for line in lines)
    else:
        for field in ("task", "next_action", "checkpoint"):
            assert answer.data[field] == expected[field]


def test_many_saves_of_a_growing_session(onward: Onward, scratch: Scratch) -> None:
    lines = scratch.transcript.read_text().splitlines(keepends=True)
    path = scratch.root / "session-protocol.json"
    for count in range(3, len(lines) + 1):
        scratch.transcript.write_text("".join(lines[:count]))
        assert onward("protocol", "save").code == 0
        titles = [task["title"] for task in json.loads(path.read_text())["tasks"]]
        assert len(titles) == 1
    size = path.stat().st_size
    for _ in range(3):
        onward("protocol", "save")
    assert path.stat().st_size == size


def test_a_task_that_left_the_sessions_list_is_told(
    onward: Onward, scratch: Scratch, session: Session
) -> None:
    def todo(*titles: str) -> None:
        script = session(scratch.root, scratch.transcript.stem)
        items = [{"content": title, "status": "pending", "activeForm": title} for title in titles]
        script.call("TodoWrite", {"todos": items}, "ok", {"oldTodos": [], "newTodos": items})
        script.write(scratch.transcript)

    todo("Write the token", "Fix test_login")
    onward("protocol", "save")
    todo("Fix test_login")
    answer = onward("protocol", "save")
    assert "taken out, as no list has it any more: TASK_001\n" in answer.err
    kept = json.loads((scratch.root / "session-protocol.json").read_text())
    assert [task["id"] for task in kept["tasks"]] == ["TASK_002"]


def test_a_document_tells_of_a_pending_backup(
    onward: Onward, scratch: Scratch, tmp_path: Path
) -> None:
    raw = scratch.root / ".claude/memory/raw"
    raw.mkdir(parents=True)
    (raw / "20260301_140000.jsonl").write_bytes(scratch.transcript.read_bytes())
    (scratch.root / ".claude/memory/.pending-backup").write_text(
        f"{raw / '20260301_140000.jsonl'}\n"
    )
    answer = onward("document")
    assert "A backup is pending: 20260301_140000.jsonl (onward backup resume)" in answer.err
    assert (scratch.root / ".claude/memory/.pending-backup").exists()


def test_project_memory_is_a_persons_own(onward: Onward, scratch: Scratch) -> None:
    own = scratch.root / ".claude/memory/project-memory.md"
    own.parent.mkdir(parents=True)
    own.write_text("# Mine\n")
    for words in SAVES.values():
        assert onward(*words).code == 0
    assert own.read_text() == "# Mine\n"


def test_own_headings_in_the_active_context_survive(onward: Onward, scratch: Scratch) -> None:
    onward("document")
    active = scratch.root / ".claude/memory/active-context.md"
    active.write_text(f"{active.read_text()}\n## Remember\n\nnever touch prod\n")
    for _ in range(2):
        onward("document")
        assert active.read_text().count("## Remember\n\nnever touch prod\n") == 1


def test_tags_that_a_person_gave_go_on_within_a_session(onward: Onward, scratch: Scratch) -> None:
    onward("document")
    memory = scratch.root / ".claude/memory"
    (first,) = memory.glob("session-*.md")
    first.write_text(first.read_text().replace("tags: []", "tags: [auth, jwt]"))
    onward("document")
    (second,) = set(memory.glob("session-*.md")) - {first}
    assert "tags: [auth, jwt]" in second.read_text()


@pytest.mark.parametrize("name", ["README", "notes/hand.txt", "a.json"])
def test_a_document_that_could_not_be_resumed_is_refused(
    name: str, onward: Onward, scratch: Scratch
) -> None:
    answer = onward("document", name)
    assert answer.code == 2
    assert f"  try: onward document {name}.md\n" in answer.err
    assert not (scratch.root / ".claude").exists()


def test_what_is_told_to_type_works_in_a_sub_folder(
    onward: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(scratch.root / "src")
    for path in ((), ("../my notes/hand over.md",)):
        answer = onward("document", *path)
        assert answer.code == 0, answer.err
        typed = shlex.split(answer.out.splitlines()[-1].partition("onward ")[2])
        assert onward(*typed).code == 0
    assert "Wrote my notes/hand over.md" in answer.out


def test_what_earlier_lists_of_the_session_completed_counts_with_its_own_times(
    onward: Onward, scratch: Scratch, session: Session
) -> None:
    script = session(scratch.root, scratch.transcript.stem)

    def todo(**items: str) -> None:
        given = [
            {"content": k.replace("_", " "), "status": v, "activeForm": k} for k, v in items.items()
        ]
        script.call("TodoWrite", {"todos": given}, "ok", {"oldTodos": [], "newTodos": given})

    todo(Write_the_token="in_progress", Read_the_docs="pending")
    todo(Write_the_token="completed", Read_the_docs="pending")
    todo(Fix_the_test="in_progress", Push="pending")
    script.write(scratch.transcript)
    assert onward("protocol", "save").code == 0
    tasks = json.loads((scratch.root / "session-protocol.json").read_text())["tasks"]
    assert [(t["title"], t["status"]) for t in tasks] == [
        ("Fix the test", "in_progress"),
        ("Push", "pending"),
        ("Write the token", "completed"),
    ]
    done = tasks[-1]
    assert done["created"] < done["completed"] < "2026-03-01T14"
    assert tasks[0]["created"] > done["completed"]


def test_the_title_of_a_task_hides_what_was_told_later_and_the_task_stays_one(
    onward: Onward, scratch: Scratch, session: Session
) -> None:
    script = session(scratch.root, scratch.transcript.stem)
    items = [{"content": "Try Velvet570$x7", "status": "completed", "activeForm": "Trying"}]
    script.call("TodoWrite", {"todos": items}, "ok", {"oldTodos": [], "newTodos": items})
    script.user("login: ann  pass: Velvet570$x7 of course")
    script.write(scratch.transcript)
    assert onward("protocol", "save").code == 0
    text = (scratch.root / "session-protocol.json").read_text()
    assert "Velvet" not in text
    titles = [task["title"] for task in json.loads(text)["tasks"]]
    assert sum(title.startswith("Try ") for title in titles) == 1
    assert "Velvet" not in onward("view").out


def test_a_document_outside_of_the_project_is_named_as_it_is_typed_anywhere(
    onward: Onward, scratch: Scratch, tmp_path: Path
) -> None:
    inside, outside = scratch.home / "notes/hand-over.md", tmp_path / "far/hand-over.md"
    for path, typed in ((inside, "~/notes/hand-over.md"), (outside, str(outside))):
        assert (
            f"To continue from it: onward resume {typed}\n"
            in onward("document", str(path)).out + "\n"
        )
