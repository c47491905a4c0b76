"""Laws that hold for every session, whatever happens in it."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.sampling import examples

from onward.model import (
    Asked,
    Background,
    Compacted,
    Delegated,
    Draft,
    Edited,
    Event,
    Halt,
    Interrupt,
    Looked,
    Moved,
    Planned,
    Prompt,
    Question,
    Ran,
    Refusal,
    Reply,
    Titled,
    TodoItem,
    TodoList,
    Used,
)
from onward.record import record
from onward.record.consistency import contradictions

WORDS = st.sampled_from(
    [
        "",
        "yes",
        "继续",
        "Add a login page to the shop",
        "no, use tabs instead",
        "Which one?\n\n1. a\n2. b",
        "do the export later",
        "/review 12",
        "always answer in German",
        "git commit -m x",
        "pytest -q",
        "cd web && pytest -q | tail -3",
        "[main 1234567] x\n 1 file changed",
        "1 failed, 2 passed in 1s",
        "3 passed in 1s",
        "git checkout -- src/a.py",
        "npm install",
        "a\x00b\u202e",
    ]
) | st.text(max_size=40)
THREAD = st.sampled_from(["", "", "", "a1"])
EVENTS: st.SearchStrategy[Event] = st.one_of(
    st.builds(
        Prompt,
        line=st.just(0),
        thread=THREAD,
        text=WORDS,
        source=st.sampled_from(["typed", "queued", "command", "shell"]),
    ),
    st.builds(
        Reply, line=st.just(0), thread=THREAD, text=WORDS, message=st.sampled_from(["", "m"])
    ),
    st.builds(Halt, line=st.just(0), reason=WORDS),
    st.builds(Interrupt, line=st.just(0), act=WORDS),
    st.builds(Refusal, line=st.just(0), act=WORDS, words=WORDS),
    st.builds(
        Ran,
        line=st.just(0),
        thread=THREAD,
        command=WORDS,
        output=WORDS,
        failed=st.sampled_from([None, True, False]),
        state=st.sampled_from(["done", "open", "interrupted", "timeout", "cancelled", "denied"]),
        background=st.sampled_from(["", "b1"]),
    ),
    st.builds(
        Edited,
        line=st.just(0),
        thread=THREAD,
        path=st.sampled_from(["src/a.py", "b.md", "/tmp/x", "C:\\w\\c.ts"]),
        change=st.sampled_from(["created", "edited", "deleted"]),
    ),
    st.builds(
        TodoList,
        line=st.just(0),
        items=st.tuples(
            st.builds(
                TodoItem,
                title=WORDS,
                status=st.sampled_from(["pending", "in_progress", "completed"]),
            )
        ),
    ),
    st.builds(Planned, line=st.just(0), text=WORDS, approved=st.sampled_from([None, True, False])),
    st.builds(
        Asked,
        line=st.just(0),
        questions=st.tuples(st.builds(Question, text=WORDS, answer=WORDS)),
        answered=st.booleans(),
    ),
    st.builds(Delegated, line=st.just(0), task=WORDS, report=WORDS),
    st.builds(
        Background,
        line=st.just(0),
        id=st.just("b1"),
        state=st.sampled_from(["running", "done", "failed", "killed"]),
    ),
    st.builds(Compacted, line=st.just(0), summary=WORDS),
)
SESSIONS = st.lists(EVENTS, max_size=25)
IDLE: st.SearchStrategy[Event] = st.one_of(
    st.builds(Looked, line=st.just(0), path=WORDS),
    st.builds(Moved, line=st.just(0), branch=WORDS),
)


def numbered(events: list[Event]) -> list[Event]:
    return [msgspec.structs.replace(e, line=n) for n, e in enumerate(events, 1)]


@given(SESSIONS)
@settings(max_examples=examples(60), deadline=None)
def test_the_same_events_give_the_same_draft(events: list[Event]) -> None:
    assert record(iter(numbered(events))) == record(numbered(events))


@given(SESSIONS)
@settings(max_examples=examples(60), deadline=None)
def test_every_item_points_to_an_event_or_a_commit(events: list[Event]) -> None:
    places = {event.place for event in numbered(events)}
    draft = record(numbered(events))
    sections = [
        draft.requests,
        draft.progress,
        draft.blockers,
        draft.decisions,
        draft.dead_ends,
        draft.context,
    ]
    items = [item for section in sections for item in section]
    items += [i for i in (draft.next_action, draft.plan, draft.closing) if i]
    assert {p for i in items for p in i.places if p.startswith("t:")} <= places


@example([Planned(line=0, text="yes", approved=True), Planned(line=0, text="yes", approved=None)])
@given(SESSIONS)
@settings(max_examples=examples(200), deadline=None)
def test_no_line_contradicts_another(events: list[Event]) -> None:
    assert contradictions(record(numbered(events))) == []


@given(SESSIONS, st.lists(IDLE, min_size=1, max_size=4))
@settings(max_examples=examples(60), deadline=None)
def test_looking_around_changes_no_request_and_no_decision(
    events: list[Event], idle: list[Event]
) -> None:
    fixed = numbered(events)
    mixed = list(fixed)
    for event in idle:
        mixed.insert(len(mixed) // 2, event)
    plain, more = record(fixed), record(mixed)
    # Only how much was done for each is counted with them.
    uncounted = [
        [msgspec.structs.replace(each, work=0) for each in draft.requests]
        for draft in (plain, more)
    ]
    assert uncounted[0] == uncounted[1]
    assert plain.decisions == more.decisions
    assert (plain.plan, plain.tasks, plain.runs) == (more.plan, more.tasks, more.runs)


@example(
    [
        Delegated(line=0, task="look", report="Found it."),
        *(Prompt(line=0, text="on", thread=thread) for thread in ("", "", "a1", "a1")),
    ]
)
@given(SESSIONS)
@settings(max_examples=examples(40), deadline=None)
def test_only_the_main_threads_words_are_the_persons(events: list[Event]) -> None:
    fixed = numbered(events)
    without = [e for e in fixed if not (e.thread and isinstance(e, Prompt | Reply))]
    assert record(fixed) == record(without)


def test_a_draft_is_bounded_whatever_the_length() -> None:
    def long() -> list[Event]:
        events: list[Event] = []
        for n in range(500):
            events += [
                Prompt(line=0, text=f"no, always do part {n} later, {'word ' * 900}"),
                Edited(line=0, path=f"src/m{n}.py", added=n, text="x" * 500),
                Ran(line=0, command=f"pytest t{n}.py", failed=True, output="1 failed\n" * 300),
                Used(line=0, tool="web", detail="x" * 200),
                Titled(line=0, text=f"Title {n}"),
                Delegated(line=0, task=f"look {n}", report="Found it there and here. " * 300),
                Asked(
                    line=0, questions=(Question(text="q" * 900, answer="a" * 900),), answered=True
                ),
                Reply(line=0, text="Done so far. " * 600),
            ]
        return numbered(events)

    size = len(msgspec.json.encode(record(long())))
    assert size < 450_000


def test_a_draft_of_nothing_is_empty() -> None:
    assert record([]) == Draft(task=record([]).task)
    assert record([]).task.text == ""


def held_in(root: str) -> list[Event]:
    """One session with an edit, a run, an undo, a server and a task list, held in a folder."""
    return numbered(
        [
            Moved(line=0, cwd=root),
            Prompt(line=0, text="Add a login page to the shop, with one test per field"),
            Looked(line=0, path=f"{root}/src/c.py"),
            Edited(line=0, path=f"{root}/src/a.py", added=3, spans=((1, 3),)),
            Ran(line=0, command="pytest -q", cwd=root, failed=False, output="4 passed in 0.1s"),
            Ran(line=0, command="git checkout -- src/a.py", cwd=root, failed=False),
            TodoList(line=0, items=(TodoItem(title="Field tests"),)),
            Edited(line=0, path=f"{root}/src/b.py", added=1, spans=((4, 4),)),
            Ran(line=0, command="sed -i 's/a/b/' src/c.py", cwd=root, failed=False),
            Ran(line=0, command="npm run dev", cwd=root, failed=False, background="b1"),
            Ran(line=0, command="python tools/x.py", cwd=root, failed=True),
            Reply(line=0, text="The fields are there."),
        ]
    )


@pytest.mark.parametrize(
    "root", ["/tmp/pytest-1/shop", "C:/Users/ann/shop", "/private/var/folders/x/shop"]
)
def test_a_session_is_told_the_same_wherever_its_project_lies(root: str) -> None:
    expected = record(held_in("/home/ann/shop"), "/home/ann/shop")
    assert expected.dead_ends
    assert expected.runs[0].edits_after == 2
    assert record(held_in(root), root) == expected
    assert record(held_in(root)) == expected
