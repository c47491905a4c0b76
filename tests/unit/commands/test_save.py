"""`onward save`: the session as a named checkpoint."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click
import pytest

from onward.cli import Call

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch, Session

HEADINGS = ["Progress", "Next Action", "Blockers", "Key Decisions", "Relevant Context"]


def test_the_confirmation_names_checkpoint_task_next_action_and_file(onward: Onward) -> None:
    answer = onward("save", "add-jwt-login")
    assert answer.code == 0
    lines = answer.out.splitlines()
    assert lines[0] == "Saved checkpoint: add-jwt-login"
    assert lines[1].startswith("Task: ")
    assert len(lines[1]) > len("Task: ")
    assert lines[2].startswith("Next action: ")
    assert "tests/test_auth.py" in lines[2]
    assert lines[3] == "File: memory/checkpoints/add-jwt-login.md"


def test_the_file_has_every_section_of_the_document(saved: Onward, scratch: Scratch) -> None:
    text = (scratch.checkpoints / "add-jwt-login.md").read_text()
    assert text.startswith("# Checkpoint: add-jwt-login\n")
    found = [line[3:] for line in text.splitlines() if line.startswith("## ")]
    assert [heading for heading in found if heading in HEADINGS] == HEADINGS
    assert "src/auth.py" in text
    assert "RS256" in text


def test_nothing_secret_or_personal_is_written(
    saved: Onward, scratch: Scratch, planted: str
) -> None:
    text = (scratch.checkpoints / "add-jwt-login.md").read_text()
    assert planted not in text
    assert str(scratch.home) not in text
    assert "maria" not in text


def test_the_session_used_is_told_and_that_there_are_others(
    onward: Onward, scratch: Scratch, session: Session
) -> None:
    answer = onward("save", "add-jwt-login")
    assert "from session 0b1c2d3e, the newest" in answer.err
    other = "ffffffff-4f50-4a61-8b72-9c83ad94be05"
    session(scratch.root, other).write(scratch.transcript.with_name(f"{other}.jsonl"))
    answer = onward("save", "add-jwt-login", "--force")
    assert "the newest of 2; to see the others: onward sessions" in answer.err


@pytest.mark.parametrize("how", ["id", "short", "file"])
def test_another_session_can_be_chosen(how: str, onward: Onward, scratch: Scratch) -> None:
    chosen = {
        "id": scratch.transcript.stem,
        "short": scratch.transcript.stem[:8],
        "file": str(scratch.transcript),
    }[how]
    answer = onward("save", "add-jwt-login", "--session", chosen, "--json")
    assert answer.data["session"] == scratch.transcript.stem


def test_the_task_given_wins(onward: Onward, scratch: Scratch) -> None:
    answer = onward("save", "add-jwt-login", "--task", "Build the  login page", "--json")
    assert answer.data["task"] == "Build the login page"


def test_session_state_is_read_first_and_never_rewritten(onward: Onward, scratch: Scratch) -> None:
    state = (
        "# session state\n\n## DECISIONS made\n- Keep the old cookie path because mobile needs it\n"
    )
    (scratch.root / "SESSION-STATE.md").write_text(state)
    onward("save", "add-jwt-login")
    text = (scratch.checkpoints / "add-jwt-login.md").read_text()
    assert "Keep the old cookie path" in text
    decisions = text.split("## Key Decisions")[1].split("\n## ")[0]
    assert decisions.index("Keep the old cookie path") < text.index(
        "RS256, not HS256", text.index("## Key Decisions")
    )
    assert (scratch.root / "SESSION-STATE.md").read_text() == state


def test_an_empty_session_state_is_no_obstacle(onward: Onward, scratch: Scratch) -> None:
    (scratch.root / "SESSION-STATE.md").write_text("")
    assert onward("save", "add-jwt-login").code == 0


def test_session_state_alone_is_enough(onward: Onward, scratch: Scratch) -> None:
    scratch.transcript.unlink()
    state = "## Task\nAdd the login\n\n## Next Action\nRun pytest tests/test_auth.py\n"
    (scratch.root / "SESSION-STATE.md").write_text(state)
    answer = onward("save", "add-jwt-login", "--json")
    assert answer.code == 0
    assert "pytest tests/test_auth.py" in answer.data["next_action"]


def test_a_name_that_is_taken_is_kept(saved: Onward, scratch: Scratch) -> None:
    path = scratch.checkpoints / "add-jwt-login.md"
    before = path.read_bytes()
    answer = saved("save", "add-jwt-login", "--task", "Another one")
    assert answer.code == 5
    assert "  try: onward save add-jwt-login --force\n" in answer.err
    assert path.read_bytes() == before


def test_force_replaces_and_the_former_can_be_had_back(saved: Onward, scratch: Scratch) -> None:
    path = scratch.checkpoints / "add-jwt-login.md"
    former = path.read_bytes()
    assert saved("save", "add-jwt-login", "--force", "--task", "Another task").code == 0
    assert b"Another task" in path.read_bytes()
    assert saved("delete", "add-jwt-login").code == 0
    assert saved("restore", "add-jwt-login").code == 0
    assert b"Another task" in path.read_bytes()
    path.unlink()
    assert saved("restore", "add-jwt-login").code == 0
    assert path.read_bytes() == former


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("n\n", 5)])
def test_on_a_terminal_it_asks_before_it_replaces(
    answer: str, code: int, saved: Onward, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Call, "asking", True)
    monkeypatch.setattr("click.confirm", lambda *_, **__: answer == "y\n")
    monkeypatch.setattr("click.prompt", lambda *_, **__: "")
    assert saved("save", "add-jwt-login", "--task", "Another").code == code


def _asked(monkeypatch: pytest.MonkeyPatch, answer: str) -> list[str]:
    questions: list[str] = []

    def prompt(text: str, **_: object) -> str:
        questions.append(text)
        if answer == "ctrl-c":
            raise click.Abort
        return answer

    monkeypatch.setattr(Call, "asking", True)
    monkeypatch.setattr("click.prompt", prompt)
    return questions


def test_on_a_terminal_it_asks_once_for_the_next_step(
    onward: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = _asked(monkeypatch, "Fix test_login in src/auth.py")
    answer = onward("save", "add-jwt-login")
    assert (answer.code, len(questions)) == (0, 1)
    assert "Next action: Fix test_login in src/auth.py" in answer.out
    text = (scratch.checkpoints / "add-jwt-login.md").read_text()
    assert "- Fix test_login in src/auth.py [asked by:user]" in text
    assert onward("restore", "add-jwt-login", "--force").code == 3  # nothing went to the trash


@pytest.mark.parametrize("typed", ["", "ctrl-c"])
def test_enter_takes_what_stands(
    typed: str, onward: Onward, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = _asked(monkeypatch, typed)
    answer = onward("save", "add-jwt-login")
    assert (answer.code, len(questions)) == (0, 1)
    assert "Next action: Fix the failing test run" in answer.out


@pytest.mark.parametrize("more", [["--next", "Fix test_login"], ["--json"], ["--from", "d.json"]])
def test_nobody_is_asked_who_has_said_it_already_or_reads_json(
    more: list[str], onward: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    (scratch.root / "d.json").write_text('{"progress": "Wrote src/auth.py"}')
    questions = _asked(monkeypatch, "Something else")
    assert onward("save", "add-jwt-login", *more).code == 0
    assert questions == []


def test_without_a_terminal_nobody_is_asked(
    onward: Onward, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions = _asked(monkeypatch, "Something else")
    monkeypatch.setattr(Call, "asking", False)
    assert onward("save", "add-jwt-login").code == 0
    assert questions == []


def test_a_session_of_one_reply_without_edits_needs_a_word_more(
    onward: Onward, scratch: Scratch, empty_session: Session
) -> None:
    script = empty_session(scratch.root, scratch.transcript.stem)
    script.user("What does HS256 mean?")
    script.says("It is an HMAC with SHA-256.")
    script.write(scratch.transcript)
    answer = onward("save", "learn-hs256")
    assert answer.code == 5
    assert "onward save learn-hs256 --draft" in answer.err
    assert not scratch.checkpoints.exists()
    assert onward("save", "learn-hs256", "--draft").code == 0


@pytest.mark.parametrize(
    "name",
    ["task", "work-2", "Login", "../escape", "/etc/passwd", "a\tb", "con", "autosave", "a/b", ""],
)
def test_bad_names_are_refused_with_a_better_one(
    name: str, onward: Onward, scratch: Scratch
) -> None:
    answer = onward("save", name, "--task", "Add a JWT login")
    assert answer.code == 2
    assert "  try: onward save " in answer.err
    assert not scratch.checkpoints.exists()


def test_the_words_of_the_agent_come_on_top_and_their_file_goes(
    onward: Onward, scratch: Scratch
) -> None:
    words = scratch.root / "memory" / ".draft.json"
    words.parent.mkdir()
    words.write_text(
        json.dumps(
            {
                "next": "Fix token() in src/auth.py, then run pytest tests/test_auth.py",
                "decisions": [{"text": "No cookies", "why": "the mobile app has none"}],
            }
        )
    )
    answer = onward("save", "add-jwt-login", "--from", "memory/.draft.json", "--json")
    assert answer.data["next_action"].startswith("Fix token()")
    text = (scratch.checkpoints / "add-jwt-login.md").read_text()
    assert "No cookies [claimed by:agent]" in text
    assert "the mobile app has none" in text
    assert not words.exists()


def test_the_words_stay_where_the_save_failed(onward: Onward, scratch: Scratch) -> None:
    words = scratch.root / "draft.json"
    words.write_text('{"next": "Run pytest"}')
    assert onward("save", "work", "--from", "draft.json").code == 2
    words_broken = scratch.root / "broken.json"
    words_broken.write_text('{"next": ')
    assert onward("save", "add-jwt-login", "--from", "broken.json").code == 4
    assert words.exists()
    assert words_broken.exists()
    assert not scratch.checkpoints.exists()


def test_finished_tasks_without_a_next_action_are_refused(onward: Onward, scratch: Scratch) -> None:
    scratch.transcript.unlink()
    (scratch.root / "d.json").write_text('{"tasks": [{"title": "A", "status": "completed"}]}')
    answer = onward("save", "add-jwt-login", "--from", "d.json")
    assert answer.code == 5
    assert not scratch.checkpoints.exists()


def test_without_any_session_it_says_where_to_look(onward: Onward, scratch: Scratch) -> None:
    scratch.transcript.unlink()
    answer = onward("save", "add-jwt-login")
    assert answer.code == 3
    assert "onward sessions --all" in answer.err


def test_created_stays_while_the_same_name_is_saved_again(saved: Onward, scratch: Scratch) -> None:
    path = scratch.checkpoints / "add-jwt-login.md"
    text = path.read_text()
    old = text.replace(text.splitlines()[2], "**Created:** 2026-03-01 21:40 GMT+8")
    path.write_text(old)
    saved("save", "add-jwt-login", "--force")
    row = saved("list", "--json").data[0]
    assert row["created"].startswith("2026-03-01 13:40")


def test_a_session_of_another_project_is_told_as_such(onward: Onward, scratch: Scratch) -> None:
    elsewhere = scratch.home / "elsewhere.jsonl"
    elsewhere.write_text(scratch.transcript.read_text().replace(str(scratch.root), "/no/folder"))
    answer = onward("save", "add-jwt-login", "--session", str(elsewhere))
    assert answer.code == 0
    assert "held in another project" in answer.err
    assert "another project" not in onward("save", "add-jwt-login", "--force").err


def test_a_session_of_another_work_tree_is_one_of_this_project(
    onward: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = scratch.root.parent / "tree"
    scratch.git("worktree", "add", "-q", str(tree))
    monkeypatch.chdir(tree)
    answer = onward("save", "add-jwt-login")
    assert answer.code == 0
    assert "another project" not in answer.err
    assert (tree / "memory/checkpoints/add-jwt-login.md").is_file()


def test_our_own_files_do_not_count_as_uncommitted_work(saved: Onward, scratch: Scratch) -> None:
    for words in (["note", "Keep JWT"], ["document"], ["protocol", "save"]):
        assert saved(*words).code == 0
    (scratch.root / "src/new.py").write_text("")
    saved("save", "add-jwt-login", "--force")
    kept = saved("show", "add-jwt-login", "--json").data
    assert kept["repo"]["dirty"] == ["src/new.py"]


def test_without_a_task_the_better_name_comes_from_the_session(
    onward: Onward, scratch: Scratch
) -> None:
    (scratch.root / "SESSION-STATE.md").write_text("## Task\nFix the cart total\n")
    assert "  try: onward save use-rs256-not-hs256-because\n" in onward("save", "work").err


def test_of_a_session_that_said_nothing_yet_no_other_work_is_proposed(
    onward: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "00000000-0000-4000-8000-000000000000")
    assert "  try: onward save NAME (" in onward("save", "work").err


def test_a_task_that_was_given_once_stays_until_another_is_given(
    onward: Onward, scratch: Scratch
) -> None:
    def task(*words: str) -> tuple[str, str]:
        answer = onward("save", "add-jwt-login", *words)
        return answer.out.splitlines()[1], answer.err

    assert task("--task", "Add the  login — with JWT")[0] == "Task: Add the login — with JWT"
    for _ in range(2):
        told, err = task("--force")
        assert told == "Task: Add the login — with JWT"
        assert "for another: --task TEXT" in err
        assert "by hand" not in err
    assert task("--force", "--task", "Fix the cart")[0] == "Task: Fix the cart"
    assert task("--force")[0] == "Task: Fix the cart"


def test_a_name_says_what_the_work_is_where_nothing_else_does(
    onward: Onward, scratch: Scratch
) -> None:
    scratch.transcript.unlink()
    (scratch.root / "d.json").write_text('{"next": "Run pytest tests/test_auth.py"}')
    assert onward("save", "add-jwt-login", "--from", "d.json").out.splitlines()[1] == (
        "Task: Add jwt login"
    )


def test_steps_are_one_line_in_the_confirmation(onward: Onward, scratch: Scratch) -> None:
    (scratch.root / "d.json").write_text('{"next": "Run make test\\n\\n  then push"}')
    out = onward("save", "add-jwt-login", "--from", "d.json").out
    assert "\nNext action: Run make test; then push\nFile: " in out
    kept = onward("show", "add-jwt-login", "--json").data
    assert "d.json" not in kept["repo"].get("dirty", [])


def test_findings_are_told_by_section(onward: Onward, scratch: Scratch) -> None:
    state = "## Decisions\n- Use tabs\n- Use four\n\n## Blockers\n- Some issues\n"
    (scratch.root / "SESSION-STATE.md").write_text(state)
    err = onward("save", "add-jwt-login").err
    assert "3 findings: Blockers, Key Decisions (2); see: onward check add-jwt-login\n" in err


def test_what_a_person_wrote_survives_the_next_save(saved: Onward, scratch: Scratch) -> None:
    path = scratch.checkpoints / "add-jwt-login.md"
    text = path.read_text().replace("## Key Decisions\n", "## Key Decisions\n\n- No cookies\n")
    before, _, after = text.partition("## Next Action\n\n- ")
    text = f"{before}## Next Action\n\n- Call Ben first {after[after.index('[') :]}"
    path.write_text(text + "\n## Ideas\n\nA dark mode\n")
    for _ in range(2):
        answer = saved("save", "add-jwt-login", "--force")
        assert "by hand is kept" in answer.err
        kept = path.read_text()
        assert kept.count("- No cookies [asked by:user]") == 1
        assert kept.count("A dark mode") == 1
    path.write_text(text)
    assert saved("save", "add-jwt-login", "--force", "--json").data["next_action"] == (
        "Call Ben first"
    )


def test_words_of_the_agent_lead_and_the_persons_next_action_stays_a_wish(
    saved: Onward, scratch: Scratch
) -> None:
    path = scratch.checkpoints / "add-jwt-login.md"
    head, _, rest = path.read_text().partition("## Next Action\n")
    path.write_text(
        f"{head}## Next Action\n\nCall Ben first\n\n## Blockers{rest.partition('## Blockers')[2]}"
    )
    (scratch.root / "d.json").write_text('{"next": "Run pytest tests/test_auth.py"}')
    answer = saved("save", "add-jwt-login", "--force", "--from", "d.json", "--json")
    assert answer.code == 0, answer.err
    assert answer.data["next_action"] == "Run pytest tests/test_auth.py"
    assert "Call Ben first [asked by:user]" in path.read_text()


def test_an_untouched_one_is_replaced_without_a_word_of_hands(saved: Onward) -> None:
    assert "by hand" not in saved("save", "add-jwt-login", "--force").err


@pytest.mark.parametrize("words", [("build", "login", "page"), ("build login page",)])
def test_a_name_of_several_words_is_refused_with_the_name_they_make(
    onward: Onward, scratch: Scratch, words: tuple[str, ...]
) -> None:
    answer = onward("save", *words)
    assert answer.code == 2
    assert "  try: onward save build-login-page\n" in answer.err
    assert not scratch.checkpoints.exists()
