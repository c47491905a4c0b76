"""`onward resume`: present, ask, go on or put away."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from onward.briefing.tokens import estimate
from onward.cli import Call

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch


def _terminal(monkeypatch: pytest.MonkeyPatch, *, yes: bool) -> None:
    monkeypatch.setattr(Call, "asking", True)
    monkeypatch.setattr("click.prompt", lambda *_, **__: yes)


def test_the_briefing_has_the_form_of_the_document(saved: Onward, scratch: Scratch) -> None:
    old = time.time() - 3 * 86400 - 60
    os.utime(scratch.checkpoints / "add-jwt-login.md", (old, old))
    lines = saved("resume", "add-jwt-login").out.splitlines()
    assert lines[0].startswith("📌 Resume: ")
    assert lines[1].startswith("Saved: 20")
    assert lines[1].endswith("(3 days)")
    assert lines[2] == "✅ Progress:"
    assert lines[3].startswith("- ")
    following = next(line for line in lines if line.startswith("🔜 Next action: "))
    assert "tests/test_auth.py" in following


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone is set by the system")
def test_all_times_of_one_answer_are_in_one_zone(
    saved: Onward, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Asia/Singapore")
        time.tzset()
        told = saved("resume", "add-jwt-login").out
    time.tzset()
    zones = re.findall(r"\d\d:\d\d (GMT[+\d]*|UTC)", told)
    assert set(zones) == {"GMT+8"}


def test_without_a_terminal_nothing_happens_but_printing(saved: Onward, scratch: Scratch) -> None:
    answer = saved("resume", "add-jwt-login")
    assert answer.code == 0
    assert (scratch.checkpoints / "add-jwt-login.md").exists()
    assert "onward resume add-jwt-login --yes" in answer.err
    assert "onward resume add-jwt-login --no" in answer.err


def test_nothing_changed_means_no_warnings(saved: Onward, scratch: Scratch) -> None:
    assert "⚠️" not in saved("resume", "add-jwt-login").out


def test_changed_and_deleted_files_are_warned_of_before_anything_is_asked(
    saved: Onward, scratch: Scratch
) -> None:
    (scratch.root / "src/auth.py").unlink()
    commit = scratch.commit("Drop the login")
    out = saved("resume", "add-jwt-login").out
    assert "⚠️ Stale warnings:" in out
    warnings = out.split("⚠️ Stale warnings:")[1].split("\n\n")[0]
    assert "src/auth.py" in warnings
    assert commit[:7] in warnings


def test_yes_ends_in_the_next_action(saved: Onward) -> None:
    answer = saved("resume", "add-jwt-login", "--yes")
    assert "tests/test_auth.py" in answer.out.rstrip().splitlines()[-1]


def test_yes_tells_to_verify_lost_paths_first(saved: Onward, scratch: Scratch) -> None:
    (scratch.root / "src/auth.py").unlink()
    assert "src/auth.py" in saved("resume", "--yes").out.rstrip().splitlines()[-2]


@pytest.mark.parametrize(("year", "is_new"), [(2020, True), (2999, False)])
def test_yes_brings_an_older_active_context_up_to_date(
    saved: Onward, scratch: Scratch, year: int, is_new: bool
) -> None:
    context = scratch.root / ".claude/memory/active-context.md"
    context.parent.mkdir(parents=True)
    context.write_text(f"# Active Context\n\n**Updated:** {year}-03-01 10:00 GMT\n\nMine\n")
    saved("resume", "add-jwt-login")
    assert "add-jwt-login.md" not in context.read_text()
    saved("resume", "add-jwt-login", "--yes")
    assert ("add-jwt-login.md" in context.read_text()) == is_new


@pytest.mark.parametrize("asked", [True, False], ids=["on a terminal", "--yes"])
def test_yes_empties_the_working_buffer(
    asked: bool, saved: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = scratch.root / "memory/working-buffer.md"
    log.parent.mkdir(exist_ok=True)
    log.write_text("# Working Buffer\n\n## [2026-03-01 16:00 GMT] Human\n\nAdd the fallback\n")
    if asked:
        _terminal(monkeypatch, yes=True)
    saved("resume", "add-jwt-login", *([] if asked else ["--yes"]))
    assert log.read_text() == "# Working Buffer\n"


def test_a_buffer_that_cannot_be_emptied_does_not_stop_a_resume(
    saved: Onward, scratch: Scratch, tmp_path: Path
) -> None:
    there = tmp_path / "elsewhere.md"
    there.write_text("## [2026-03-01 16:00 GMT] Human\n\nAdd the fallback\n")
    log = scratch.root / "memory/working-buffer.md"
    log.parent.mkdir(exist_ok=True)
    log.symlink_to(there)
    assert saved("resume", "add-jwt-login", "--yes").code == 0
    assert "Add the fallback" in there.read_text()


def test_no_puts_it_in_the_trash_and_says_how_to_get_it_back(
    saved: Onward, scratch: Scratch
) -> None:
    path = scratch.checkpoints / "add-jwt-login.md"
    before = path.read_bytes()
    answer = saved("resume", "add-jwt-login", "--no")
    assert not path.exists()
    assert "onward restore add-jwt-login" in answer.out
    assert saved("restore", "add-jwt-login").code == 0
    assert path.read_bytes() == before


def test_on_a_terminal_yes_is_asked_for_after_the_briefing(
    saved: Onward, monkeypatch: pytest.MonkeyPatch, scratch: Scratch
) -> None:
    _terminal(monkeypatch, yes=True)
    out = saved("resume", "add-jwt-login").out
    assert out.startswith("📌 Resume: ")
    assert "tests/test_auth.py" in out.rstrip().splitlines()[-1]
    assert (scratch.checkpoints / "add-jwt-login.md").exists()


def test_on_a_terminal_no_puts_it_in_the_trash(
    saved: Onward, monkeypatch: pytest.MonkeyPatch, scratch: Scratch
) -> None:
    _terminal(monkeypatch, yes=False)
    assert "onward restore add-jwt-login" in saved("resume", "add-jwt-login").out
    assert not (scratch.checkpoints / "add-jwt-login.md").exists()


def test_without_a_name_it_is_the_newest_and_the_others_are_told_of(
    saved: Onward, scratch: Scratch
) -> None:
    first = scratch.checkpoints / "add-jwt-login.md"
    os.utime(first, (1e9, 1e9))
    saved("save", "fix-the-cart", "--task", "Fix the cart")
    answer = saved("resume")
    assert answer.out.startswith("📌 Resume: Fix the cart\n")
    assert "onward list" in answer.err
    assert saved("resume", "--json").data["others"] == ["add-jwt-login"]


@pytest.mark.parametrize("verb", ["resume", "delete", "check", "brief", "show"])
def test_a_slip_in_a_name_is_answered_with_the_whole_command(verb: str, saved: Onward) -> None:
    answer = saved(verb, "add-jtw-login")
    assert answer.code == 3
    assert f"  try: onward {verb} add-jwt-login\n" in answer.err


@pytest.mark.parametrize("verb", ["resume", "check"])
def test_nothing_to_resume_says_what_to_do(verb: str, onward: Onward, scratch: Scratch) -> None:
    scratch.transcript.unlink()
    answer = onward(verb)
    assert answer.code == 3
    assert "  try: onward" in answer.err


def test_a_file_that_a_person_wrote_is_resumed_as_it_is(onward: Onward, scratch: Scratch) -> None:
    scratch.checkpoints.mkdir(parents=True)
    (scratch.checkpoints / "by-hand.md").write_text(
        "# My checkpoint\n**Task:** Fix the cart\n\n# progress\n* Wrote src/cart.py lines 1-9\n\n"
        "# next action\nRun pytest tests/test_cart.py\n"
    )
    out = onward("resume", "by-hand").out
    assert "📌 Resume: Fix the cart" in out
    assert "- Wrote src/cart.py lines 1-9" in out
    assert "🔜 Next action: Run pytest tests/test_cart.py" in out


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("### Tasks\n\n- [x] Fix the cart\n- [ ] Ship it\n", "- Completed: Fix the cart"),
        ("### Tasks\n\n- [x] Fix it [observed t:9]\n", "- Completed: Fix it [t:9]"),
        ("### Files\n\n- a.py [observed deleted t:9]\n", "- Changed `a.py` (deleted)"),
        ("### Files\n\n- src/cart.py [observed edited t:9]\n", "- Changed `src/cart.py`"),
        ("", "- none noted"),
    ],
)
def test_without_noted_progress_the_block_tells_what_the_record_shows_as_done(
    written: str, told: str, onward: Onward, scratch: Scratch
) -> None:
    scratch.checkpoints.mkdir(parents=True)
    head = "# Checkpoint: cart\n\n**Task:** Fix the cart\n\n## Progress\n\n"
    parts = written.replace("### Files", "## Relevant Context\n\n### Files")
    (scratch.checkpoints / "cart.md").write_text(f"{head}{parts}\n## Next Action\n\nShip it\n")
    lines = onward("resume", "cart").out.splitlines()
    start = lines.index("✅ Progress:")
    assert lines[start + 1].startswith(told)


def test_a_briefing_without_a_name_is_of_what_was_worked_on_last(onward: Onward) -> None:
    newest = onward("sessions", "--json").data[0]["session"]
    assert onward("brief").out == onward("brief", newest).out != ""
    onward("save", "add-jwt-login")
    assert onward("brief").out == onward("brief", "add-jwt-login").out


def test_a_secret_that_was_typed_into_the_file_is_not_shown(
    saved: Onward, scratch: Scratch, planted: str
) -> None:
    path = scratch.checkpoints / "add-jwt-login.md"
    path.write_text(path.read_text().replace("## Blockers", f"## Blockers\n- {planted}"))
    for words in (
        ["resume"],
        ["resume", "--json"],
        ["show", "add-jwt-login"],
        ["brief", "add-jwt-login"],
    ):
        assert planted not in saved(*words).out


@pytest.mark.parametrize("form", ["document", "protocol"])
def test_any_form_can_be_resumed(form: str, onward: Onward, scratch: Scratch) -> None:
    if form == "document":
        onward("document")
        path = next((scratch.root / ".claude/memory").glob("session-*.md"))
    else:
        onward("protocol", "save")
        path = scratch.root / "session-protocol.json"
    answer = onward("resume", str(path.relative_to(scratch.root)))
    assert answer.code == 0, answer.err
    assert "📌 Resume: " in answer.out
    assert onward("resume", str(path), "--no").code == 5
    assert path.exists()


def test_what_is_neither_yes_nor_no_is_asked_again_and_says_what_can_be_answered(
    saved: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter(["maybe", "ja", "YES"])
    monkeypatch.setattr(Call, "asking", True)
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda _: next(answers))
    answer = saved("resume")
    assert answer.err.count("answer yes or no; Enter or q leaves everything as it is") == 2
    assert "Continue with: " in answer.out
    assert (scratch.checkpoints / "add-jwt-login.md").exists()
    assert list(answers) == []


@pytest.mark.parametrize("typed", ["", "q"])
def test_enter_and_q_change_nothing(
    typed: str, saved: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Call, "asking", True)
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda _: typed)
    answer = saved("resume")
    assert (answer.code, "nothing was changed" in answer.err) == (0, True)
    assert "Continue with: " not in answer.out
    assert (scratch.checkpoints / "add-jwt-login.md").exists()


def test_a_no_to_a_session_changes_nothing_and_says_so_before(
    onward: Onward, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def prompt(text: str, **_: object) -> bool:
        asked.append(text)
        return False

    monkeypatch.setattr(Call, "asking", True)
    monkeypatch.setattr("click.prompt", prompt)
    answer = onward("resume")
    assert answer.code == 0, answer.err
    assert "nothing was changed" in answer.err
    assert asked[0].endswith("(no changes nothing)")


def test_the_sentence_of_the_document_asks_at_the_end(saved: Onward) -> None:
    last = saved("resume", "add-jwt-login").out.rstrip().splitlines()[-1]
    assert re.fullmatch(
        r"Resuming: .+\. Last progress: .+\. Next action: .*tests/test_auth\.py.*\."
        r" Ready to continue\? \(yes/no\)",
        last,
    )
    assert "Ready to continue?" not in saved("resume", "add-jwt-login", "--yes").out


def test_on_a_terminal_the_block_and_the_question_fit_on_a_screen(
    saved: Onward, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = []

    def prompt(text: str, **_: object) -> bool:
        shown.append(text)
        raise KeyboardInterrupt

    monkeypatch.setattr(Call, "asking", True)
    monkeypatch.setattr("click.prompt", prompt)
    answer = saved("resume", "add-jwt-login")
    assert answer.code == 130
    assert answer.out.startswith("📌 Resume: ")
    assert len(answer.out.splitlines()) < 24
    question, what_no_does = shown[0].splitlines()
    assert question.endswith("Ready to continue? (yes/no)")
    assert what_no_does == "(no puts the checkpoint in the trash; Enter or q leaves it as it is)"
    assert "--yes" not in answer.err


def test_an_answer_is_about_the_one_that_was_shown(
    saved: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    def prompt(*_: object, **__: object) -> bool:
        (scratch.checkpoints / "fix-the-cart.md").write_text("# Checkpoint: fix-the-cart\n")
        return False

    monkeypatch.setattr(Call, "asking", True)
    monkeypatch.setattr("click.prompt", prompt)
    saved("resume")
    assert [path.name for path in scratch.checkpoints.glob("*.md")] == ["fix-the-cart.md"]


@pytest.mark.parametrize("head", ["**Created:** 2026-02-01 21:40 GMT+8\n", ""])
def test_a_file_changed_after_the_save_does_not_look_younger(
    head: str, onward: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1772366400")  # 2026-03-01 12:00 UTC
    scratch.checkpoints.mkdir(parents=True)
    path = scratch.checkpoints / "by-hand.md"
    path.write_text(f"# Checkpoint: x\n{head}**Task:** Fix the cart\n")
    os.utime(path, (1772366400 - 7200, 1772366400 - 7200))
    saved_at = onward("resume", "by-hand").out.splitlines()[1]
    assert saved_at == (
        "Saved: 2026-02-01 13:40 GMT (27 days; file changed 2 hours ago)"
        if head
        else "Saved: 2026-03-01 10:00 GMT (2 hours)"
    )


def test_a_file_is_called_by_its_name(onward: Onward, scratch: Scratch) -> None:
    scratch.checkpoints.mkdir(parents=True)
    (scratch.checkpoints / "fix-cart.md").write_text("# Checkpoint: Another title\n")
    assert "onward show fix-cart" in onward("resume", "fix-cart").out


def test_what_the_block_says_is_not_said_again(saved: Onward, scratch: Scratch) -> None:
    (scratch.root / "src/auth.py").unlink()
    out = saved("resume", "add-jwt-login").out
    assert out.count("`src/auth.py` was deleted") == 1


def test_what_is_still_uncommitted_is_said_and_is_no_warning(
    onward: Onward, scratch: Scratch
) -> None:
    (scratch.root / "src/auth.py").write_text("def login(user):\n    return jwt(user)\n")
    onward("save", "add-jwt-login")
    out = onward("resume", "add-jwt-login").out
    assert "⚠️" not in out
    assert "Still uncommitted: `src/auth.py`\n" in out
    assert onward("resume", "add-jwt-login", "--json").data["stale"] == []


def test_paths_that_a_person_named_are_looked_up_too(onward: Onward, scratch: Scratch) -> None:
    scratch.checkpoints.mkdir(parents=True)
    (scratch.checkpoints / "by-hand.md").write_text(
        "# Checkpoint: by-hand\n**Task:** Fix the cart\n\n"
        "## Progress\n- Wrote src/auth.py lines 1-9\n- Wrote src/cart.py lines 1-9\n"
        "- Deleted src/old.py\n\n## Next Action\nCreate src/new.py\n\n"
        "## Relevant Context\n- See docs/plan.md and https://example.org/a/b.html\n"
    )
    answer = onward("resume", "by-hand", "--json")
    # No rule reads "Deleted": that a file which the user's own line names is gone is so.
    names = ("src/cart.py", "src/old.py", "docs/plan.md")
    assert answer.data["stale"] == [f"`{name}` was not found" for name in names]
    assert "⚠️ Stale warnings:\n- `src/cart.py` was not found" in onward("resume", "by-hand").out


def test_without_a_checkpoint_the_newest_other_form_is_resumed(saved: Onward) -> None:
    saved("document")
    saved("delete", "add-jwt-login")
    answer = saved("resume")
    assert answer.code == 0
    assert answer.out.startswith("📌 Resume: ")


def test_a_pending_backup_is_told_of(saved: Onward, scratch: Scratch) -> None:
    memory = scratch.root / ".claude/memory"
    (memory / "raw").mkdir(parents=True)
    (memory / "raw/20260301_134000.jsonl").write_text('{"type":"user"}\n')
    (memory / ".pending-backup").write_text(f"{memory}/raw/20260301_134000.jsonl\n")
    assert "onward backup resume" in saved("resume", "add-jwt-login").err


def test_block_and_briefing_together_keep_the_budget(saved: Onward, scratch: Scratch) -> None:
    path = scratch.checkpoints / "add-jwt-login.md"
    lines = "\n".join(
        f"- src/part{n}/module.py: the part that does the work of number {n} in the shop"
        for n in range(60)
    )
    more = "\n".join(f"- Wrote docs/page{n}.md lines 1-{n + 2}, about the login" for n in range(60))
    text = path.read_text().replace("## Progress\n", f"## Progress\n\n{more}\n")
    path.write_text(text.replace("### Files\n", f"### Files\n\n{lines}\n"))
    for words in ([], ["--yes"]):
        out = saved("resume", "add-jwt-login", *words).out
        assert estimate(out) <= 1550
    (found,) = [
        line for line in out.splitlines() if line.startswith("Locate these moved or missing files")
    ]
    assert found.count(", ") <= 10
    assert " more" in found


def test_a_file_that_somebody_left_uncommitted_is_told_and_our_own_are_not(
    saved: Onward, scratch: Scratch
) -> None:
    (scratch.root / "left-open.py").write_text("x = 1\n")
    out = saved("resume", "add-jwt-login").out
    assert "Uncommitted now, but not at the save: `left-open.py`\n" in out


def test_a_line_of_the_block_that_only_the_agent_vouches_for_says_so(
    saved: Onward, scratch: Scratch
) -> None:
    path = scratch.checkpoints / "add-jwt-login.md"
    text = path.read_text().replace("## Progress\n", "## Progress\n\n- Wrote docs/login.md\n", 1)
    path.write_text(re.sub(r"(## Next Action\n\n)- .*", r"\1- Read docs/login.md aloud", text))
    block = saved("resume", "add-jwt-login").out.split("## What")[0]
    assert "🔜 Next action: Read docs/login.md aloud [claimed]\n" in block


@pytest.mark.parametrize(
    ("data", "told"), [(b"", "is empty"), (b" \n\n", "is empty"), (bytes(range(256)), "is no text")]
)
@pytest.mark.parametrize("named", ["broken-work", "memory/checkpoints/broken-work.md"])
def test_a_checkpoint_without_text_says_so(
    onward: Onward, scratch: Scratch, data: bytes, told: str, named: str
) -> None:
    scratch.checkpoints.mkdir(parents=True)
    (scratch.checkpoints / "broken-work.md").write_bytes(data)
    for verb in ("resume", "brief", "check"):
        answer = onward(verb, named)
        assert answer.code == 4, (verb, answer)
        assert f"broken-work.md {told}" in answer.err
    assert onward("delete", "broken-work").code == 0


def test_a_note_is_written_for_a_checkpoint_alone(onward: Onward) -> None:
    session = onward("sessions", "--json").data[0]["session"]
    answer = onward("resume", session, "--write", "claude")
    assert answer.code == 2
    assert "a note is kept in a checkpoint" in answer.err
