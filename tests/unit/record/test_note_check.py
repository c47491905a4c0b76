"""Lines of a note that name something that is not so are marked; nothing else is judged."""

from __future__ import annotations

import pytest

from onward.model import Draft, FileFact, Item, RepoState, Run, Task
from onward.record.consistency import Facts, check, open_in_the_list

FILES = {"tests/test_rates.py", "src/rates.py"}
FACTS = Facts(
    exists=FILES.__contains__,
    is_commit="2db93cf0aa".startswith,
    nearest=lambda path: "tests/test_rates.py" if path == "tests/test_rate.py" else "",
)
RECORD = Draft(
    task=Item(text="Add rates"),
    runs=(
        Run(command="cd web && pytest -q", outcome="failed"),
        Run(command="ruff check", outcome="passed"),
    ),
    files=(FileFact(path="src/gone.py", change="deleted"), FileFact(path="a.py", commit="7586a64")),
    repo=RepoState(root="", commit="5661661ab"),
)


def note(field: str, text: str, author: str = "agent") -> Draft:
    item = Item(text=text, author=author)  # type: ignore[arg-type]
    value = item if field in {"task", "next_action"} else (item,)
    import msgspec  # noqa: PLC0415

    return msgspec.structs.replace(RECORD, **{field: value})


def reasons(field: str, text: str, author: str = "agent") -> list[str]:
    _, found = check(note(field, text, author), FACTS)
    return [finding.reason for finding in found]


def test_a_misspelt_path_is_found_with_the_one_that_was_meant() -> None:
    marked, (finding,) = check(note("next_action", "Run pytest tests/test_rate.py"), FACTS)
    assert (finding.field, finding.meant) == ("next", "tests/test_rates.py")
    assert marked.next_action
    assert marked.next_action.unverified == "`tests/test_rate.py` does not exist"


def test_a_step_may_name_a_file_that_it_creates() -> None:
    assert reasons("next_action", "Write src/totally_new.py") == []


def test_what_was_done_cannot_name_a_file_that_is_nowhere() -> None:
    assert reasons("progress", "Wrote src/totally_new.py") == [
        "`src/totally_new.py` does not exist"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Wrote src/rates.py",
        "Deleted src/gone.py",
        "Committed 7586a64",
        "Merged 5661661",
        "Rebased on 2db93cf",
    ],
)
def test_what_is_known_passes(text: str) -> None:
    assert reasons("progress", text) == []


def test_an_unknown_commit_is_found() -> None:
    assert reasons("decisions", "Went back to 0badc0de1") == ["no commit 0badc0de1 is known"]


def test_a_check_that_failed_is_not_called_done() -> None:
    assert len(reasons("progress", "All of `pytest -q` is green")) == 1
    assert reasons("progress", "`ruff check` is clean") == []
    assert reasons("blockers", "`pytest -q` fails") == []


def test_what_the_user_wrote_is_left_alone() -> None:
    marked, found = check(note("progress", "Wrote src/totally_new.py", "user"), FACTS)
    assert found == ()
    assert marked.progress[0].unverified is None


def test_a_note_that_holds_is_marked_no_more() -> None:
    import msgspec  # noqa: PLC0415

    doubted = note("progress", "Wrote src/rates.py")
    item = msgspec.structs.replace(doubted.progress[0], unverified="it did not exist")
    again, _ = check(msgspec.structs.replace(doubted, progress=(item,)), FACTS)
    assert again.progress[0].unverified is None


def test_a_completed_task_that_the_list_has_open_is_found() -> None:
    told = (Task(title="Ship it", status="completed"), Task(title="Docs", status="completed"))
    known = (Task(title="ship it", status="in_progress"), Task(title="Docs", status="completed"))
    (finding,) = open_in_the_list(told, known)
    assert "Ship it" in finding.reason
