"""Checklists in files: what the session wrote and ticked."""

from __future__ import annotations

from tests.unit.record.session import Session

from onward.checkboxes import boxes
from onward.model import Box, Checklist, Looked
from onward.transcripts.tool_calls import diff, replaced

LIST = "# Tasks\n- [x] T1 Set up\n  * [ ] T2 Write it\n3. [ ] T3 Ship it\n- [y] none\n- [ ]\nno [ ] box\n"


def checklists(session: Session) -> list[Checklist[str]]:
    return list(session.done().record().checklists)


def test_entries_of_a_text_are_read_in_order_and_through_line_numbers() -> None:
    assert boxes(LIST) == (
        Box("T1 Set up", True),
        Box("T2 Write it", False),
        Box("T3 Ship it", False),
    )
    assert boxes("     7\u2192- [X] T7 Numbered") == (Box("T7 Numbered", True),)
    assert boxes("- [ ] " + "x" * 301) == ()


def test_what_was_read_and_ticked_is_counted_with_what_comes_next() -> None:
    session = Session().user("Do phase 1 of tasks.md")
    session.add(Looked(line=9, path="specs/tasks.md", boxes=boxes(LIST)))
    ticked = diff([(3, [" # Tasks", "-  * [ ] T2 Write it", "+  * [x] T2 Write it"])])
    session.edited("specs/tasks.md", boxes=ticked.boxes, unboxed=ticked.unboxed)
    (told,) = checklists(session)
    assert (told.path, told.done, told.total, told.ticked) == ("specs/tasks.md", 2, 3, 1)
    assert told.open == ("T3 Ship it",)
    assert session.record().next_action is None  # not "nothing is pending"


def test_a_list_printed_by_a_command_counts_where_it_is_of_one_file() -> None:
    ticked = replaced([("- [ ] T2 Write it", "- [x] T2 Write it")])
    for command, total in (("cat tasks.md", 3), ("cat tasks.md other.md", 1)):
        session = Session().user("Go on").ran(command, LIST)
        session.edited("tasks.md", boxes=ticked.boxes, unboxed=ticked.unboxed)
        assert [each.total for each in checklists(session)] == [total]


def test_a_list_that_was_only_read_or_touched_is_none_of_the_work() -> None:
    session = Session().user("Look at it").ran("cat tasks.md", LIST)
    assert checklists(session) == []
    assert checklists(session.edited("tasks.md", boxes=boxes("- [ ] T4 Added"))) == []
    written = Session().user("Plan it").edited("plan.md", change="created", boxes=boxes(LIST))
    assert [(each.done, each.total, each.ticked) for each in checklists(written)] == [(1, 3, 0)]


def test_a_list_follows_its_file() -> None:
    written = Session().user("Plan it").edited("plan.md", change="created", boxes=boxes(LIST))
    moved = written.edited("plan.md", change="renamed", to="docs/plan.md")
    assert [each.path for each in checklists(moved)] == ["docs/plan.md"]
    assert checklists(moved.edited("docs/plan.md", change="deleted")) == []


def test_entries_that_cannot_be_told_apart_and_those_in_code_are_left_out() -> None:
    twice = boxes("- [x] Write tests\n- [ ] Write tests\n")
    session = Session().user("Plan it").edited("plan.md", change="created", boxes=twice)
    assert checklists(session) == []
    session = Session().user("Test it").edited("test_md.py", change="created", boxes=boxes(LIST))
    assert checklists(session) == []
