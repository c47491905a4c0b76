"""`onward check`: the quality bar."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch, Session

GOOD = """# Checkpoint: fix-the-cart
**Task:** Fix the cart's total

## Progress
- Wrote src/auth.py lines 1-2, login flow complete

## Next Action
Run pytest tests/test_auth.py to verify the login

## Blockers

## Key Decisions
- Use RS256, because the gateway has only the public key

## Relevant Context
- The user prefers verbose error messages
"""


def _write(scratch: Scratch, text: str) -> None:
    scratch.checkpoints.mkdir(parents=True, exist_ok=True)
    (scratch.checkpoints / "fix-the-cart.md").write_text(text)


def test_a_complete_one_passes(onward: Onward, scratch: Scratch) -> None:
    _write(scratch, GOOD)
    answer = onward("check", "fix-the-cart")
    assert (answer.code, answer.out) == (0, "fix-the-cart: complete\n")
    assert onward("check", "fix-the-cart", "--json").data == []


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("Wrote src/auth.py lines 1-2, login flow complete", "Worked on auth"),
        ("Run pytest tests/test_auth.py to verify the login", "Continue testing"),
        ("Run pytest tests/test_auth.py to verify the login", ""),
        ("## Blockers\n", "## Blockers\n- Need to fix some conflicts\n"),
        ("Use RS256, because the gateway has only the public key", "Use RS256"),
        ("src/auth.py lines 1-2", "src/gone.py lines 1-2"),
    ],
)
def test_each_fault_is_found_with_its_reason_and_a_good_form(
    good: str, bad: str, onward: Onward, scratch: Scratch
) -> None:
    assert good in GOOD
    _write(scratch, GOOD.replace(good, bad))
    answer = onward("check", "fix-the-cart")
    assert answer.code == 7
    assert answer.out.startswith("fix-the-cart: 1 error\n")
    finding = onward("check", "fix-the-cart", "--json").data[0]
    assert finding["reason"]
    assert finding["good"] in answer.out


def test_a_file_can_be_checked_by_its_path(onward: Onward, scratch: Scratch) -> None:
    (scratch.root / "other.md").write_text(GOOD)
    assert onward("check", "other.md").code == 0


def test_saving_tells_of_findings_and_saves_all_the_same(onward: Onward, scratch: Scratch) -> None:
    (scratch.root / "SESSION-STATE.md").write_text("## Decisions\n- Use tabs\n")
    answer = onward("save", "add-jwt-login")
    assert answer.code == 0
    assert "onward check add-jwt-login" in answer.err


def test_findings_of_one_kind_stand_under_one_reason(onward: Onward, scratch: Scratch) -> None:
    _write(
        scratch, GOOD.replace("- Wrote src/auth.py", "- Worked on auth\n- Worked on it\n- Wrote x")
    )
    out = onward("check", "fix-the-cart").out
    assert out.count("good: ") == 1
    assert "  line 5: Worked on auth\n  line 6: Worked on it\n" in out


def test_a_finding_names_its_line_in_the_file_though_the_words_stand_elsewhere_too(
    onward: Onward, scratch: Scratch
) -> None:
    files = "\n### Files\n- src/auth.py\n- src/gone.py\n"
    text = GOOD.replace("verbose error", "src/gone.py and verbose error") + files
    _write(scratch, text)
    answer = onward("check")
    line = text.splitlines().index("- src/gone.py") + 1
    assert f"  line {line}: src/gone.py\n" in answer.out
    assert onward("check", "--json").data[0]["line"] == line
    assert "edit memory/checkpoints/fix-the-cart.md" in answer.err


def test_a_path_in_the_home_folder_is_looked_up_there(onward: Onward, scratch: Scratch) -> None:
    (scratch.home / "plans").mkdir()
    (scratch.home / "plans" / "login.md").write_text("")
    _write(scratch, GOOD + "\n### Files\n- ~/plans/login.md\n")
    assert onward("check").code == 0
    (scratch.home / "plans" / "login.md").unlink()
    assert onward("check").code == 7


def test_many_faults_of_one_kind_are_cut_for_the_eye_only(onward: Onward, scratch: Scratch) -> None:
    files = "\n### Files\n" + "".join(f"- src/gone{n}.py\n- src/gone{n}.py.bak\n" for n in range(9))
    _write(scratch, GOOD + files)
    out = onward("check").out
    assert out.count("  line ") == 8
    assert "  and 10 more\n" in out
    lines = [finding["line"] for finding in onward("check", "--json").data]
    assert len(set(lines)) == 18


def test_what_the_user_noted_needs_no_reason(onward: Onward, scratch: Scratch) -> None:
    onward("note", "amounts stay exact, no floats")
    onward("note", "Short errors", "--as", "preference")
    onward("note", "We chose Redis over Postgres")
    onward("save", "add-jwt-login")
    faulted = [f["text"] for f in onward("check", "--json").data if "reason" in f["reason"]]
    assert faulted == []
    shown = (scratch.checkpoints / "add-jwt-login.md").read_text()
    assert "- amounts stay exact, no floats [asked by:user]\n" in shown


def test_a_json_file_that_is_no_protocol_file_is_told_as_such(
    onward: Onward, scratch: Scratch
) -> None:
    (scratch.root / "x.json").write_text('{"name": "shop"}')
    answer = onward("check", "x.json")
    assert answer.code == 4
    assert answer.err == (
        "error: Cannot load: missing metadata (x.json is no protocol file)\n  try: onward list\n"
    )


def test_a_next_action_that_only_the_record_made_fails_until_somebody_says_it(
    onward: Onward, scratch: Scratch, session: Session
) -> None:
    script = session(scratch.root, scratch.transcript.stem)
    script.user("Now make the test pass and commit it")
    script.write(scratch.transcript)
    onward("save", "add-jwt-login")
    answer = onward("check", "add-jwt-login")
    assert answer.code == 7
    assert "Next Action: only the record says so" in answer.out
    assert "onward save add-jwt-login --force --next TEXT" in answer.err
    onward("save", "add-jwt-login", "--force", "--next", "Fix test_login in tests/test_auth.py")
    assert "Next Action" not in onward("check", "add-jwt-login").out


def test_a_line_of_a_note_that_does_not_agree_with_the_record_fails(
    onward: Onward, scratch: Scratch
) -> None:
    (scratch.root / "d.json").write_text('{"next": "Run it", "progress": "Wrote src/nowhere.py"}')
    answer = onward("save", "add-jwt-login", "--from", "d.json")
    assert "progress: `src/nowhere.py` does not exist" in answer.err
    assert "Progress: `src/nowhere.py` does not exist" in onward("check").out


def test_what_cannot_be_looked_up_is_not_called_missing(
    onward: Onward, scratch: Scratch, tmp_path: Path
) -> None:
    """A session of a folder that is not on this machine: neither its files nor its commits are known."""
    there = tmp_path / "elsewhere.jsonl"
    text = scratch.transcript.read_text().replace(str(scratch.root), "/nowhere/shop")
    there.write_text(text)
    (scratch.root / "d.json").write_text(
        '{"next": "Run it", "progress": "Wrote src/nowhere.py, as of e02e27f"}'
    )
    answer = onward("save", "add-jwt-login", "--session", str(there), "--from", "d.json")
    assert answer.code == 0, answer.err
    assert "does not exist" not in answer.err
    assert "is known" not in answer.err
    assert "unverified" not in onward("brief", "add-jwt-login").out


def test_lines_that_contradict_each_other_fail(onward: Onward, scratch: Scratch) -> None:
    tasks = "\n### Tasks\n- [x] Write the token\n- [ ] Write the token\n"
    _write(scratch, GOOD.replace("\n## Next Action", f"{tasks}\n## Next Action"))
    answer = onward("check")
    assert answer.code == 7
    assert "contradicts another line" in answer.out


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ('"lines":', '"lines":7,"lines2":', "the field `lines`"),
        ('"saved":', '"saved"', "character "),
    ],
)
def test_a_closing_comment_that_an_edit_broke_is_named_with_line_and_field(
    old: str, new: str, named: str, saved: Onward, scratch: Scratch
) -> None:
    path = scratch.checkpoints / "add-jwt-login.md"
    before, comment, after = path.read_text().rpartition("<!-- onward:")
    path.write_text(before + comment + new.join(after.rsplit(old, 1)))
    answer = saved("check", "add-jwt-login")
    assert answer.code == 7
    assert f"Closing Comment: {named}" in answer.out
    assert f"line {before.count(chr(10)) + 1}: " in answer.out
