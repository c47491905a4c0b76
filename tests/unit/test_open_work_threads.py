"""Sessions of one branch as one thread, and what git says of it now."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.model import Clean
from onward.open_work import Known, Sign, Thread, judge

ASKS = Sign(kind="question", text=Clean("Answer the agent's question: “Go on?”"))


def session(day: int, *signs: Sign, changed: str = "", loose: bool = False) -> Known:
    files = tuple(Clean(name) for name in changed.split())
    return Known(
        session=Clean(f"s{day}"),
        ended=f"2026-03-{day:02}T09:00:00Z",
        signs=signs,
        changed=files,
        loose=files if loose else (),
    )


def place(day: int, of: int = 0) -> Known:
    return Known(
        name=Clean(f"round-totals-{day}"),
        session=Clean(f"s{of}") if of else Clean(""),
        ended=f"2026-03-{day:02}T09:30:00Z",
    )


def kinds(thread: Thread) -> list[tuple[str, str]]:
    return [(sign.kind, sign.session) for sign in thread.reasons]


@pytest.mark.parametrize(
    ("sessions", "expected"),
    [
        ([session(1, ASKS)], [("question", "s1")]),
        ([session(1, ASKS), session(2)], [("question", "s1")]),
        ([session(1, ASKS, changed="a.py"), session(2, changed="a.py")], []),
        ([session(1, ASKS, changed="a.py"), session(2, changed="b.py")], [("question", "s1")]),
        ([session(1, ASKS), session(2, changed="b.py")], []),
        ([session(1), session(2)], []),
        (
            [session(1, ASKS, changed="a.py"), session(2, ASKS, changed="b.py")],
            [("question", "s2"), ("question", "s1")],
        ),
    ],
    ids=[
        "one session",
        "talk and talk",
        "taken up",
        "something else",
        "talk, then work",
        "finished",
        "both",
    ],
)
def test_an_earlier_session_counts_unless_a_later_one_went_on_with_it(
    sessions: list[Known], expected: list[tuple[str, str]]
) -> None:
    assert kinds(judge(sessions, [])) == expected


@pytest.mark.parametrize(
    ("dirty", "expected"),
    [
        (("a.py",), ("a.py",)),
        (("b.py",), ()),
        ((), ()),
        (("src/",), ("src/new.py",)),
        (("srcs/",), ()),
        (("a.py", "src/"), ("a.py", "src/new.py")),
    ],
)
def test_uncommitted_is_what_a_session_left_and_git_still_says_so(
    dirty: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    found = judge(
        [session(1, changed="a.py src/new.py", loose=True)], [], [Clean(each) for each in dirty]
    )
    assert found.uncommitted == expected
    assert found.is_open is bool(expected)


def test_the_open_session_tells_of_the_thread_even_when_a_finished_one_is_newer() -> None:
    found = judge([session(1, ASKS, changed="a.py"), session(2, changed="b.py")], [])
    assert found.lead.session == "s1"
    assert found.ended == "2026-03-02T09:00:00Z"


def test_a_checkpoint_of_the_session_that_was_saved_last_tells_of_the_thread() -> None:
    assert judge([session(1, ASKS)], [place(1, of=1)]).lead.name == "round-totals-1"
    assert judge([session(2, ASKS)], [place(1, of=2)]).lead.name == ""
    assert judge([session(1, ASKS)], [place(2, of=9)]).lead.name == ""
    assert judge([], [place(2), place(1)]).lead.name == "round-totals-2"


def test_what_the_place_says_comes_behind_what_the_sessions_say() -> None:
    held = session(1, ASKS, changed="a.py", loose=True)
    found = judge([held], [place(1)], [Clean("a.py")], operation="rebase", backups=1)
    assert [kind for kind, _ in kinds(found)] == [
        "question",
        "operation",
        "uncommitted",
        "backup",
        "checkpoint",
    ]


def test_the_questions_of_a_deleted_branch_are_over_and_its_checkpoints_are_not() -> None:
    assert not judge([session(1, ASKS)], [], branch_gone=True).is_open
    assert kinds(judge([session(1, ASKS)], [place(1)], branch_gone=True)) == [("checkpoint", "")]


@given(st.permutations([session(1, ASKS), session(2, changed="a.py"), session(3, ASKS)]))
def test_the_order_in_which_sessions_are_found_does_not_matter(order: list[Known]) -> None:
    assert judge(order, []) == judge(sorted(order, key=lambda k: k.ended), [])
