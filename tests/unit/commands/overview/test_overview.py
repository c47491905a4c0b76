"""What bare `onward` tells of a home on a Monday morning."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from msgspec.structs import replace

from onward.cli import Call, main
from onward.commands import overview, thread
from onward.commands.overview import Row, threads
from onward.commands.result import compose
from onward.commands.world import World
from onward.model import Draft, Item
from onward.open_work import Known
from onward.storage import sessions
from onward.storage.sessions import Running

Rows = Callable[..., list[dict[str, Any]]]
Told = Callable[..., dict[str, dict[str, Any]]]

if TYPE_CHECKING:
    from tests.unit.commands.overview.conftest import Monday


@pytest.fixture
def rows(capsys: pytest.CaptureFixture[str]) -> Rows:
    """Runs bare `onward` with these options and returns its rows."""

    def run(*words: str) -> list[dict[str, Any]]:
        capsys.readouterr()
        assert main([*words, "--json"]) == 0
        found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
        return found

    return run


@pytest.fixture
def told(rows: Rows) -> Told:
    """The same by project."""
    return lambda *words: {row["project"]: row for row in rows(*words)}


def kinds(row: dict[str, Any]) -> list[str]:
    return [each["kind"] for each in row["reasons"]]


def test_open_work_of_both_agents_is_told_newest_first(monday: Monday, told: Told) -> None:
    monday.fill()
    rows = told()
    assert list(rows) == ["shop", "notes", "prototype", "atlas"]
    assert [rows[name]["agent"] for name in rows] == ["claude-code"] * 3 + ["codex"]
    assert rows["shop"]["branch"] == "fix-refund"
    assert rows["shop"]["age"] == "2 days"
    assert rows["shop"]["wanted"].startswith("Make the refund idempotent")
    assert rows["shop"]["next_action"].startswith("Fix the failing test run: `pytest -q`")
    assert rows["shop"]["uncommitted"] == ["src/app.py"]
    assert kinds(rows["shop"]) == ["failing", "uncommitted"]
    assert kinds(rows["notes"]) == ["question"]
    assert rows["notes"]["reasons"][0]["places"] == ["t:4"]


def test_finished_work_is_told_only_when_asked_for(monday: Monday, told: Told) -> None:
    monday.fill()
    assert "ledger" not in told()
    ledger = told("--all")["ledger"]
    assert not ledger["open"]
    assert ledger["state"] == "finished"


def test_what_no_person_held_is_never_told(monday: Monday, told: Told) -> None:
    monday.fill()
    assert not {"robot", "nightly"} & told("--all").keys()


def test_a_folder_that_is_gone_says_so_and_starts_nothing(monday: Monday, told: Told) -> None:
    monday.fill()
    gone = told()["prototype"]
    assert gone["state"] == "waits for you · folder is gone"
    assert gone["start"] == ""


def test_the_command_starts_the_agent_of_the_session(monday: Monday, told: Told) -> None:
    monday.fill()
    rows = told()
    assert rows["shop"]["start"].endswith("/shop && claude")
    assert rows["atlas"]["start"].endswith("/atlas && codex")


def test_files_that_were_committed_by_hand_since_are_no_longer_open(
    monday: Monday, told: Told
) -> None:
    root = monday.project("shop")
    made = monday.session(root)
    made.user("Make the refund idempotent, and leave the commit to me")
    monday.edits(made, root)
    made.says("The refund is idempotent now.")
    monday.keep(made)
    assert kinds(told()["shop"]) == ["uncommitted"]
    monday.commit(root)
    assert told() == {}


def test_sessions_of_one_branch_are_one_thread_and_a_work_tree_is_another(
    monday: Monday, rows: Rows
) -> None:
    root, tree = monday.project("shop"), monday.top / "shop-search"
    monday.git(root, "worktree", "add", "-q", "-b", "search", str(tree))
    for place, branch, day in ((root, "main", 1), (root, "main", 2), (tree, "search", 3)):
        made = monday.session(place, branch, day)
        made.user(f"Look into the slow query of {branch} on day {day}")
        monday.edits(made, place)
        monday.asks(made, "There are two ways. Which one do you want?")
        monday.keep(made)
    found = rows()
    assert [(row["project"], row["branch"], row["work_tree"]) for row in found] == [
        ("shop", "search", "shop-search"),
        ("shop", "main", ""),
    ]
    assert found[1]["wanted"].endswith("day 2")
    assert kinds(found[1]) == ["question", "uncommitted"]


def test_an_earlier_question_that_nothing_took_up_is_still_open(monday: Monday, told: Told) -> None:
    root = monday.project("shop")
    for day, name, words in (
        (1, "src/app.py", "Shall I go on with the other half?"),
        (2, "src/tax.py", "It is rounded."),
    ):
        made = monday.session(root, day=day)
        made.user(f"Round the amounts of {name} to whole cents")
        monday.edits(made, root, name)
        if words.endswith("?"):
            monday.asks(made, words)
        else:
            made.says(words)
        monday.keep(made)
    monday.commit(root)
    found = told()["shop"]
    assert kinds(found) == ["question"]
    assert found["wanted"].endswith("src/app.py to whole cents")
    # The age of the row is the newer session's, and the words are not.
    assert " · as of a session " in found["state"]


def test_a_branch_that_was_deleted_since_has_no_open_questions(
    monday: Monday, told: Told, capsys: pytest.CaptureFixture[str]
) -> None:
    root = monday.project("shop")
    made = monday.session(root, "fix-tax")
    made.user("Round the tax of each line of the bill to cents")
    monday.edits(made, root)
    monday.asks(made, "Done. Should I also round the totals?")
    monday.keep(made)
    monday.commit(root)
    assert told() == {}
    row = told("--all")["shop"]
    assert (row["branch_gone"], row["reasons"]) == (True, [])
    assert main(["--all", "--why"]) == 0
    why = capsys.readouterr().out
    assert "its branch was deleted" in why
    assert "the last turn ended" not in why, "nobody answered the question"
    monday.git(root, "branch", "fix-tax")
    row = told()["shop"]
    assert (kinds(row), row["branch_gone"]) == (["question"], False)


def test_a_named_checkpoint_is_open_until_it_is_deleted(
    monday: Monday, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monday.fill()
    monkeypatch.chdir(monday.top / "ledger")
    assert main(["save", "round-ledger-totals"]) == 0
    ledger = told()["ledger"]
    assert ledger["checkpoints"] == ["round-ledger-totals"]
    assert kinds(ledger) == ["checkpoint"]
    assert ledger["state"] == "checkpoint round-ledger-totals"
    assert main(["delete", "round-ledger-totals"]) == 0
    assert "ledger" not in told()


def test_a_checkpoint_is_found_when_its_transcript_is_gone(
    monday: Monday, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monday.fill()
    monkeypatch.chdir(monday.top / "notes")
    assert main(["save", "export-notes-attachments"]) == 0
    monkeypatch.chdir(monday.top)
    for path in (monday.home / ".claude/projects").glob("*notes*/*"):
        path.unlink()
    notes = told()["notes"]
    assert notes["wanted"] == "Find out why the export of notes drops the attachments"
    assert notes["next_action"].startswith("Waiting for the user's answer")


def test_a_backup_that_waits_is_told_with_its_session(monday: Monday, told: Told) -> None:
    monday.fill()
    memory = monday.top / "ledger/.claude/memory"
    raw = memory / "raw/20260304_140000_prompt_input_exit.jsonl"
    raw.parent.mkdir(parents=True)
    own = next((monday.home / ".claude/projects").glob("*ledger*/*"))
    raw.write_bytes(own.read_bytes())
    (memory / ".pending-backup").write_text(f"{raw}\n")
    (memory / ".backup-log").write_text(
        f"2026-03-04T14:00:00 saved {raw.name} session={own.stem} reason= bytes=1\n"
    )
    assert told()["ledger"]["state"] == "backup pending"


def test_a_backup_tells_of_a_session_whose_transcript_is_gone(
    monday: Monday, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monday.fill()
    raw = monday.top / "ledger/.claude/memory/raw/20260304_140000_prompt_input_exit.jsonl"
    raw.parent.mkdir(parents=True)
    own = next((monday.home / ".claude/projects").glob("*ledger*/*"))
    own.rename(raw)
    (raw.parent.parent / ".pending-backup").write_text(f"{raw}\n")
    monkeypatch.chdir(monday.top / "ledger")
    ledger = told()["ledger"]
    assert ledger["pending_backups"] == 1
    assert ledger["wanted"].startswith("Round the totals")


def test_a_reason_has_the_fields_that_the_page_of_json_tells(monday: Monday, rows: Rows) -> None:
    monday.fill()
    page = Path(__file__).resolve().parents[4] / "docs/reference/json.md"
    [cell] = re.findall(r"^\| `reasons` \| (.*) \|$", page.read_text("utf-8"), re.MULTILINE)
    found = [reason for row in rows() for reason in row["reasons"]]
    assert {frozenset(each) for each in found} == {frozenset(re.findall(r"`(\w+)`", cell))}


def test_a_merge_that_is_under_way_is_open_work(monday: Monday, told: Told) -> None:
    monday.fill()
    (monday.top / "notes/.git/MERGE_HEAD").write_text("0" * 40)
    assert kinds(told()["notes"]) == ["question", "operation"]
    assert told()["notes"]["state"] == "waits for you · merge is under way"


def test_a_second_look_reads_no_transcript(
    monday: Monday, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monday.fill()
    first = rows("--all")
    monkeypatch.setattr(threads.Finder, "read", None)
    assert rows("--all") == first


def test_a_first_look_asks_git_as_often_for_many_sessions_of_a_folder_as_for_one(
    monday: Monday, rows: Rows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process for each took a third of the time of a hundred thousand of them."""
    log, bin_, real = tmp_path / "calls", tmp_path / "counting", shutil.which("git")
    bin_.mkdir()
    (bin_ / "git").write_text(f'#!/bin/sh\necho "$*" >> "{log}"\nexec "{real}" "$@"\n')
    (bin_ / "git").chmod(0o755)
    root = monday.project("shop")

    def look(sessions: int) -> int:
        for _ in range(sessions):
            made = monday.session(root)
            made.user("Look into the slow query of the shop's front page")
            monday.edits(made, root)
            monday.keep(made)
        log.write_text("")
        monkeypatch.setenv("PATH", f"{bin_}{os.pathsep}{os.environ['PATH']}")
        assert len(rows("--all")) == 1
        return len(log.read_text().splitlines())

    assert look(1) == look(6)


def test_a_session_under_the_name_of_an_option_is_not_put_into_a_command(
    monday: Monday, rows: Rows
) -> None:
    root = monday.project("shop")
    made = monday.session(root)
    made.session = "--dangerous"
    made.user("Look into the slow query of the shop's front page")
    monday.edits(made, root)
    monday.asks(made, "Which of the two ways do you want?")
    for line in made.lines:
        line["sessionId"] = made.session
    monday.keep(made)
    look = overview.overview(Call().world, lambda *_: None)
    told = overview.going_on(Call().world, look.seen[0], look.rows[0])
    assert "/shop && claude" in told.text
    assert "--resume" not in told.text


def test_what_was_read_before_ctrl_c_need_not_be_read_again(
    monday: Monday, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monday.fill()
    whole, taken = threads.Finder.read, list[Path]()

    def read(self: threads.Finder, path: Path, root: Path | None) -> Known:
        if len(taken) == 3:
            raise KeyboardInterrupt
        taken.append(path)
        return whole(self, path, root)

    monkeypatch.setattr(threads.Finder, "read", read)
    assert main([]) == 130
    again: list[Path] = []

    def read_rest(self: threads.Finder, path: Path, root: Path | None) -> Known:
        again.append(path)
        return whole(self, path, root)

    monkeypatch.setattr(threads.Finder, "read", read_rest)
    assert len(rows("--all")) == 5
    assert again
    assert not set(again) & set(taken)


def test_what_was_read_before_a_kill_need_not_be_read_again(
    monday: Monday, rows: Rows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monday.fill()
    monkeypatch.setattr(threads, "_EVERY", 2)
    whole, taken, again = threads.Finder.read, list[Path](), list[Path]()

    def read(self: threads.Finder, path: Path, root: Path | None) -> Known:
        if len(taken) == 3:
            raise SystemExit  # nothing of ours sees it
        taken.append(path)
        return whole(self, path, root)

    monkeypatch.setattr(threads.Finder, "read", read)
    with pytest.raises(SystemExit):
        main([])

    def read_rest(self: threads.Finder, path: Path, root: Path | None) -> Known:
        again.append(path)
        return whole(self, path, root)

    monkeypatch.setattr(threads.Finder, "read", read_rest)
    assert len(rows("--all")) == 5
    assert again
    assert not set(again) & set(taken[:2])


def test_the_briefing_names_the_session_and_no_path_that_redaction_may_change(
    monday: Monday,
) -> None:
    monday.fill()
    look = overview.overview(Call().world, lambda *_: None)
    told = overview.going_on(Call().world, look.seen[0], look.rows[0])
    assert f"onward show --session {look.rows[0].session}" in told.text


def test_what_is_kept_may_be_spoilt_or_deleted_at_any_time(monday: Monday, rows: Rows) -> None:
    monday.fill()
    first, kept = rows(), monday.data / "overview.json"
    kept.write_bytes(kept.read_bytes()[:-20])
    assert rows() == first
    kept.unlink()
    assert rows() == first
    assert kept.stat().st_mode & 0o777 == 0o600 or os.name == "nt"


def test_a_session_that_grew_is_read_again(monday: Monday, told: Told) -> None:
    root = monday.project("shop")
    made = monday.session(root)
    made.user("Look into the slow query of the shop's front page")
    monday.runs(made, "grep -rn query src", "none")
    monday.asks(made, "There are two ways. Which one do you want?")
    monday.keep(made)
    assert kinds(told()["shop"]) == ["question"]
    made.user("The first one, please, and tell me what it costs")
    monday.runs(made, "grep -rn cost src", "none")
    made.says("It costs one index. The query is quick now.")
    monday.keep(made)
    assert told() == {}


def test_a_secret_is_neither_kept_nor_told(
    monday: Monday, rows: Rows, planted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    root = monday.project("shop")
    made = monday.session(root, f"fix-{planted}")
    made.user(f"Use the key {planted} for the shop and mail ben@example.org about it")
    monday.edits(made, root, f"src/{planted}.py")
    monday.asks(made, f"Shall I keep {planted} in the settings?")
    monday.keep(made)
    monday.git(root, "branch", f"fix-{planted}")
    assert rows()
    for words in ([], ["--why"], ["--json"]):
        assert main(words) == 0
        out, err = capsys.readouterr()
        assert planted[4:] not in out + err
        assert "ben@example.org" not in out + err
    kept = (monday.data / "overview.json").read_text()
    assert "Use the key" in kept
    assert planted[4:] not in kept
    assert "ben@example.org" not in kept


def test_a_rule_that_the_project_adds_later_holds_for_what_was_kept(
    monday: Monday, rows: Rows
) -> None:
    root = monday.project("shop")
    made = monday.session(root)
    made.user("Ship the parcel of order PX-77-1234 before the others")
    monday.edits(made, root)
    monday.asks(made, "Which carrier do you want for PX-77-1234?")
    monday.keep(made)
    assert "PX-77-1234" in json.dumps(rows())
    rule = '[[rules]]\nid = "order"\nregex = "PX-[0-9]{2}-[0-9]{4}"\n'
    (root / "rules.toml").write_text(rule)
    (root / "onward.toml").write_text('[redaction]\nrules = "rules.toml"\n')
    found = json.dumps(rows())
    assert "Ship the parcel" in found
    assert "PX-77-1234" not in found


def test_settings_that_cannot_be_read_hide_that_project_and_no_other(
    monday: Monday, told: Told, capsys: pytest.CaptureFixture[str]
) -> None:
    monday.fill()
    settings = monday.top / "notes/onward.toml"
    settings.write_text("[redaction\n")
    found = told()
    assert "shop" in found
    assert "attachments" not in json.dumps(found)
    assert main([]) == 0
    assert "1 file left out: the settings of the project are broken" in capsys.readouterr().err
    settings.unlink()
    assert "notes" in told()


def test_a_transcript_that_cannot_be_read_is_counted(
    monday: Monday, capsys: pytest.CaptureFixture[str]
) -> None:
    monday.fill()
    bad = monday.home / ".claude/projects/-x/bad.jsonl"
    bad.parent.mkdir(parents=True)
    bad.write_text("no record\n")
    assert main([]) == 0
    err = capsys.readouterr().err
    assert "1 file left out: not to be read; to see which: onward sessions --all" in err


def test_in_a_pipe_each_thread_is_one_line_of_fields(
    monday: Monday, capsys: pytest.CaptureFixture[str]
) -> None:
    monday.fill()
    capsys.readouterr()
    assert main([]) == 0
    out, err = capsys.readouterr()
    lines = [line.split("\t") for line in out.splitlines()]
    assert [len(line) for line in lines] == [7] * 4
    assert lines[0][1:5] == ["fix-refund", "2 days", "00000001", "test fails · 1 uncommitted"]
    assert err == "1 finished left out; to see them too: onward --all\n"


def test_why_names_the_evidence_of_each_reason(
    monday: Monday, capsys: pytest.CaptureFixture[str]
) -> None:
    monday.fill()
    assert main(["--why"]) == 0
    out = capsys.readouterr().out
    assert "\n\topen, test fails (observed, session 00000001, t:5): `pytest -q` fails" in out
    assert "\topen, 1 uncommitted (observed): src/app.py\n" in out


def test_why_gives_each_reason_one_line_though_the_question_has_several(
    monday: Monday, told: Told
) -> None:
    monday.fill()
    row = msgspec.convert(told()["notes"], Row)
    asked = {**row.reasons[0], "text": compose("Want me to:\n1. Fix it?\n2. Leave it?")}
    [line] = overview.reasons(replace(row, reasons=(asked,)))
    assert line.endswith(": Want me to: 1. Fix it? 2. Leave it?")


def test_a_machine_without_a_session_is_told_the_first_step(
    monday: Monday, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([]) == 0
    out, err = capsys.readouterr()
    assert "\n  onward install\n" in out
    assert err == ""
    assert main(["--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []


def test_options_of_the_bare_call_are_refused_before_a_verb(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--why", "list"]) == 2
    assert "  try: onward list --help\n" in capsys.readouterr().err


def test_a_session_of_another_machine_is_not_taken_for_a_folder_of_this_one(
    monday: Monday, rows: Rows
) -> None:
    (monday.home / "shop").mkdir()
    made = monday.session(Path("/Users/ben/shop"))
    made.user("Look into the slow query of the shop's front page")
    monday.runs(made, "grep -rn query src", "none")
    monday.asks(made, "There are two ways. Which one do you want?")
    monday.keep(made)
    for _ in range(2):  # read, then remembered
        (found,) = rows()
        assert (found["folder"], found["state"]) == ("~/shop", "waits for you · folder is gone")
        assert found["start"] == ""


def test_an_autosave_tells_only_of_a_session_whose_transcript_is_gone(
    monday: Monday, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monday.fill()
    monkeypatch.chdir(monday.top / "notes")
    assert main(["save", "export-notes"]) == 0
    folder = monday.top / "notes/memory/checkpoints"
    saved = folder / "export-notes.md"
    text = saved.read_text().replace("Answer the agent's question", "Wait for the user")
    (folder / "autosave.md").write_text(text)
    saved.unlink()
    notes = told()["notes"]
    assert notes["checkpoints"] == []
    assert notes["next_action"].startswith("Waiting for the user's answer")
    for path in (monday.home / ".claude/projects").glob("*notes*/*"):
        path.unlink()
    notes = told()["notes"]
    assert notes["checkpoints"] == []
    assert notes["next_action"].startswith("Waiting for the user's answer")


def test_a_session_that_is_open_elsewhere_is_told_as_such_behind_the_others(
    monday: Monday, told: Told
) -> None:
    monday.fill()
    shop = told()["shop"]
    assert shop["live"] is False
    pid = str(os.getpid())
    record = Running(pid, sessions.began(pid), str(monday.top / "shop"), "", "x")
    sessions.run(str(monday.data), shop["session"], record)
    rows = told()
    assert list(rows) == ["notes", "prototype", "atlas", "shop"]
    assert rows["shop"]["live"] is True
    assert rows["shop"]["state"].startswith("open in another window · ")


def test_the_task_of_a_note_is_told_and_not_in_the_words_of_a_request(
    monday: Monday, told: Told, capsys: pytest.CaptureFixture[str]
) -> None:
    monday.fill()
    row = told()["shop"]
    assert row["noted"] is False
    world = World(now=datetime.now(UTC), cwd=monday.top, home=monday.home, data=monday.data, env={})
    note = Draft(task=Item(text="Settle refunds once, whoever posts them", author="agent"))
    (path,) = monday.home.glob(f".claude/projects/*/{row['session']}.jsonl")
    thread.keep_note(world, row["session"], note, path)
    row = told()["shop"]
    assert row["wanted"] == row["task"] == "Settle refunds once, whoever posts them"
    assert row["noted"] is True


def test_the_age_of_a_later_session_of_the_thread_is_called_that(
    monday: Monday, told: Told
) -> None:
    monday.fill()
    root = monday.top / "notes"
    made = monday.session(root, day=8)
    made.user("What does the word attachment mean in here, by the way?")
    monday.runs(made, "ls", "src")
    made.says("It is a file.")
    monday.keep(made)
    row = told()["notes"]
    assert row["age"] == "23 hours" or row["age"].endswith("hours")
    assert row["wanted"].startswith("Find out why the export")
    assert "as of a session 3 days ago" in row["state"]
