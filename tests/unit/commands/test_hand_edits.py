"""What the user changes in a session document survives the next document of that session."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.unit.commands.conftest import Onward, Scratch


def documented(onward: Onward, scratch: Scratch) -> Path:
    answer = onward("document", "--json")
    assert answer.code == 0, answer.err
    return scratch.root / str(answer.data["document"])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("## Next Steps\n\n", "## Next Steps\n\n- Ask Ben for the key\n"),
        ("## Blockers\n", "## Blockers\n\n- Ask Ben for the key\n"),
        ("## Decisions\n\n", "## Decisions\n\n- Ask Ben for the key\n"),
        ("## Resume\n", "## My notes\n\nAsk Ben for the key\n\n## Resume\n"),
        ("\nstatus: ", "\nreviewer: Ask Ben for the key\nstatus: "),
    ],
)
def test_a_line_of_the_users_is_in_the_next_document(
    onward: Onward, scratch: Scratch, old: str, new: str
) -> None:
    first = documented(onward, scratch)
    text = first.read_text()
    assert old in text
    first.write_text(text.replace(old, new, 1))
    second = documented(onward, scratch)
    assert second != first
    assert second.read_text().count("Ask Ben for the key") == 1
    assert new.strip().split("\n")[0] in second.read_text()


def test_a_status_set_by_hand_stays(onward: Onward, scratch: Scratch) -> None:
    first = documented(onward, scratch)
    text = first.read_text()
    assert "status: in-progress" in text
    first.write_text(text.replace("status: in-progress", "status: blocked"))
    for _ in range(2):
        assert "\nstatus: blocked\n" in documented(onward, scratch).read_text()


def test_an_edited_task_line_leads(onward: Onward, scratch: Scratch) -> None:
    first = documented(onward, scratch)
    lines = first.read_text().split("\n")
    place = lines.index("## Summary") + 2
    lines[place] = "- Give the shop a login [claimed]"
    first.write_text("\n".join(lines))
    for _ in range(2):
        assert (
            "\n- Give the shop a login [asked by:user]\n" in documented(onward, scratch).read_text()
        )


def test_the_document_of_another_session_is_left_alone(
    onward: Onward, scratch: Scratch, session: object
) -> None:
    first = documented(onward, scratch)
    first.write_text(first.read_text().replace("## Resume\n", "## My notes\n\nBen\n\n## Resume\n"))
    other = scratch.transcript.with_name("1b1c2d3e-4f50-4a61-8b72-9c83ad94be05.jsonl")
    session(scratch.root, other.stem).write(other)  # type: ignore[operator]
    answer = onward("document", "--session", str(other), "--json")
    assert "My notes" not in (scratch.root / str(answer.data["document"])).read_text()


NOTE = "Ask Ben for the key"
EDITS = [
    ("## Progress\n", f"## Progress\n- {NOTE}\n"),
    ("## Requests\n", f"## Requests\n- {NOTE}\n"),
    ("## Next Action\n", f"## Blockers\n- {NOTE}\n## Next Action\n"),
    ("## Next Action\n", f"## My notes\n\n{NOTE}\n\n## Next Action\n"),
    ("**Task:** ", f"**Task:** {NOTE} "),
    ("# Active Context\n", f"# Active Context\n\n{NOTE}\n"),
]
"""Of an active context: what stands there, and what the user makes of it."""


def context_of(scratch: Scratch) -> Path:
    return scratch.root / ".claude/memory/active-context.md"


@pytest.mark.parametrize(("old", "new"), EDITS)
def test_an_edit_of_the_active_context_survives_every_later_document(
    onward: Onward, scratch: Scratch, old: str, new: str
) -> None:
    (scratch.root / "SESSION-STATE.md").write_text("## Progress\n- The token is written\n")
    documented(onward, scratch)
    context = context_of(scratch)
    text = context.read_text()
    assert old in text
    context.write_text(text.replace(old, new, 1))
    for _ in range(3):
        documented(onward, scratch)
        assert context.read_text().count(NOTE) == 1, context.read_text()


def test_a_context_that_nobody_edited_holds_nothing_of_the_users(
    onward: Onward, scratch: Scratch
) -> None:
    documented(onward, scratch)
    first = context_of(scratch).read_text()
    documented(onward, scratch)
    again = context_of(scratch).read_text()
    assert len(again.splitlines()) == len(first.splitlines())
    assert "by:user" not in again


def test_a_long_line_of_the_users_is_never_cut(onward: Onward, scratch: Scratch) -> None:
    documented(onward, scratch)
    long = "Never use the old key of the gateway " * 30
    context = context_of(scratch)
    context.write_text(context.read_text() + f"\n## Blockers\n- {long}\n")
    for _ in range(2):
        documented(onward, scratch)
        assert long.strip() in context.read_text()


def test_the_task_that_the_user_wrote_is_a_request_of_the_next_session(
    onward: Onward, scratch: Scratch, session: object
) -> None:
    documented(onward, scratch)
    context = context_of(scratch)
    context.write_text(context.read_text().replace("**Task:** ", f"**Task:** {NOTE} ", 1))
    other = scratch.transcript.with_name("1b1c2d3e-4f50-4a61-8b72-9c83ad94be05.jsonl")
    session(scratch.root, other.stem).write(other)  # type: ignore[operator]
    assert onward("document", "--session", str(other)).code == 0
    text = context.read_text()
    assert NOTE not in text.split("## ")[0]
    assert NOTE in text.split("## Requests")[1].split("## ")[0]


def test_an_active_context_of_an_earlier_version_goes_to_the_trash(
    onward: Onward, scratch: Scratch
) -> None:
    context = context_of(scratch)
    context.parent.mkdir(parents=True)
    before = f"# Active Context\n\n**Task:** {NOTE} [asked t:1]\n"
    context.write_text(before)
    documented(onward, scratch)
    assert onward("restore", "active-context", "--force").code == 0
    assert context.read_text() == before
