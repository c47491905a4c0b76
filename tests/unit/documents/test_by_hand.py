"""What a user wrote into a checkpoint file survives the next save of that name."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from msgspec.structs import replace
from tests.sampling import examples
from tests.unit.documents import strategies

from onward.documents import by_hand, checkpoint_md
from onward.model import (
    Block,
    Checkpoint,
    Clean,
    Draft,
    FileFact,
    Item,
    RepoState,
    Run,
    Section,
    Task,
)  # fmt: skip


def _clean(draft: Draft) -> Checkpoint:
    return draft  # type: ignore[return-value]


OURS = Draft(
    task=Item(text="Add a login", evidence="asked", places=("t:1",)),
    next_action=Item(text="Run pytest", evidence="observed", places=("t:9",)),
    progress=(Item(text="Wrote src/auth.py", evidence="observed", places=("t:4",)),),
    decisions=(Item(text="Use RS256", evidence="asked", places=("t:5",)),),
    tasks=(Task(title="Write the token", status="in_progress", places=("t:7",)),),
    files=(FileFact(path="src/auth.py", places=("t:4",)),),
    runs=(Run(command="pytest", outcome="failed", summary="1 failed", places=("t:9",)),),
    closing=Item(text="One test fails", places=("t:9",)),
    blocks=(Block(title="Gateway", content="It has the public key"),),
    repo=RepoState(root="/shop", branch="main", commit="9f5a3c7"),
)


def _written(draft: Draft = OURS, own: Draft | None = None) -> str:
    checkpoint = _clean(draft)
    marks = by_hand.marks(checkpoint, _clean(own) if own else None)
    return checkpoint_md.render(checkpoint, marks=marks)


def _again(text: str, new: Draft = OURS) -> Checkpoint:
    written = by_hand.read(text)
    return by_hand.keep(_clean(new), written, _clean).snapshot


def test_a_file_as_it_was_written_holds_nothing_of_a_person() -> None:
    written = by_hand.read(_written())
    assert by_hand.is_empty(written.draft)
    assert not written.gone
    assert _again(_written()) == OURS


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("## Blockers\n\nNone.", "## Blockers\n\n- Waiting for the key of the gateway"),
        ("## Key Decisions\n", "## Key Decisions\n\n- Waiting for the key of the gateway"),
        ("[observed]\n\n**Age", "[observed]\n- Waiting for the key of the gateway\n\n**Age"),
        ("\n<!-- onward", "\n- Waiting for the key of the gateway\n\n<!-- onward"),
    ],
)
def test_an_added_line_is_kept_as_the_persons_own(old: str, new: str) -> None:
    found = _again(_written().replace(old, new))
    items = (*found.blockers, *found.decisions, *found.context)
    mine = [item for item in items if item.text == "Waiting for the key of the gateway"]
    text = Clean("Waiting for the key of the gateway")
    assert mine == [Item(text=text, evidence="asked", author="user")]


def test_a_line_after_the_closing_comment_is_read() -> None:
    text = _written() + "- Ask Ben about the key\n"
    assert [item.text for item in checkpoint_md.parse(text).context] == ["Ask Ben about the key"]
    assert [item.text for item in _again(text).context] == ["Ask Ben about the key"]


def test_headings_of_ones_own_are_kept() -> None:
    text = _written().replace("<!-- onward", "## Ideas\n\nA dark mode\n\n<!-- onward")
    assert _again(text).extra == (Section(heading=Clean("Ideas"), body=Clean("A dark mode")),)


def test_a_changed_line_takes_the_place_of_the_one_that_stood_there() -> None:
    text = _written().replace("Run pytest", "Run make test").replace("Use RS256", "Use ES256")
    text = text.replace("[~] Write the token", "[x] Write the token")
    found = _again(text)
    expected = Item(text=Clean("Run make test"), evidence="asked", author="user")
    assert found.next_action == expected
    assert found.decisions == (Item(text=Clean("Use ES256"), evidence="asked", author="user"),)
    assert [(t.title, t.status) for t in found.tasks] == [("Write the token", "completed")]


def test_a_changed_line_stays_changed_over_many_saves() -> None:
    text = _written().replace("Use RS256", "Use ES256")
    for _ in range(3):
        written = by_hand.read(text)
        kept = by_hand.keep(_clean(OURS), written, _clean)
        assert [d.text for d in kept.snapshot.decisions] == ["Use ES256"]
        text = checkpoint_md.render(kept.snapshot, marks=kept.marks)


def test_what_is_theirs_stays_theirs_over_many_saves_and_is_said_once() -> None:
    text = _written().replace("## Key Decisions\n", "## Key Decisions\n\n- No cookies\n")
    for _ in range(3):
        written = by_hand.read(text)
        kept = by_hand.keep(_clean(OURS), written, _clean)
        assert [d.text for d in kept.snapshot.decisions] == ["No cookies", "Use RS256"]
        text = checkpoint_md.render(kept.snapshot, marks=kept.marks)


def test_a_file_that_git_left_in_conflict_brings_no_marks_of_it() -> None:
    text = _written().replace(
        "## Blockers\n\nNone.", "## Blockers\n\n<<<<<<< a\n- One key\n=======\n- Two\n>>>>>>> b"
    )
    assert [blocker.text for blocker in _again(text).blockers] == ["One key", "Two"]


def test_a_next_action_by_hand_is_not_told_for_ever() -> None:
    text = _written().replace("Run pytest", "Run make test")
    written = by_hand.read(text)
    kept = by_hand.keep(_clean(OURS), written, _clean)
    again = checkpoint_md.render(kept.snapshot, marks=kept.marks)
    assert _again(again).next_action == OURS.next_action


def test_without_the_hashes_the_lines_without_a_tag_are_theirs() -> None:
    text = checkpoint_md.render(_clean(OURS)).replace(
        "## Blockers\n\nNone.", "## Blockers\n\n- The key is missing"
    )
    found = _again(text.replace("Use RS256", "Use ES256"))
    assert [b.text for b in found.blockers] == ["The key is missing"]
    assert found.decisions == OURS.decisions


@settings(max_examples=examples(200), deadline=None)
@given(strategies.snapshots)
def test_whatever_was_written_is_not_taken_for_a_persons(snapshot: Checkpoint) -> None:
    plain = replace(snapshot, extra=())
    written = by_hand.read(checkpoint_md.render(plain, marks=by_hand.marks(plain, None)))
    assert by_hand.is_empty(written.draft)
    assert not written.gone


@settings(max_examples=examples(50), deadline=None)
@given(strategies.texts)
def test_any_text_can_be_saved_over(text: str) -> None:
    written = by_hand.read(text)
    found = by_hand.keep(_clean(OURS), written, _clean).snapshot
    assert found.progress[-1:] == OURS.progress[-1:] or written.draft.progress
