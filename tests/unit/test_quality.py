from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from onward import quality
from onward.model import Draft, FileFact, Item, Status, Task

GOOD: Draft = Draft(
    task=Item(text="Build login page with OAuth fallback"),
    progress=(Item(text="Wrote src/auth.py lines 45-120, login flow complete"),),
    next_action=Item(text="Run pytest tests/auth_test.py to verify login"),
    blockers=(Item(text="Git conflict in src/main.py lines 80-95"),),
    decisions=(Item(text="Tokens last 1 h", why="the mobile client refreshes hourly"),),
    context=(Item(text="User prefers verbose error messages"),),
    files=(FileFact(path="src/auth.py"),),
)


def sections(draft: Draft, **fields: Any) -> list[tuple[str, int]]:
    found = quality.check(replace(draft, **fields))
    return [(finding.section, finding.line) for finding in found]


def test_the_documents_good_examples_pass() -> None:
    assert quality.check(GOOD, lambda path: True) == []


@pytest.mark.parametrize(
    "text",
    [
        "Worked on auth",
        "Worked on the task",
        "Made good progress",
        "Made progress on the login",
        "Fixed some bugs",
        "Various improvements",
        "Updated the code",
        "Continued the refactoring",
        "Login flow complete",
        "处理了登录",
    ],
)
def test_vague_progress_is_found(text: str) -> None:
    good = (Item(text="Wrote a.py"), Item(text=text))
    assert sections(GOOD, progress=good) == [("Progress", 2)]


@pytest.mark.parametrize(
    "item",
    [
        Item(text="Login flow complete", evidence="observed", places=("t:5",)),
        Item(text="18 tests pass"),
        Item(text="Renamed parse_head to read_head"),
        Item(text="Ran `make test`, all green"),
        Item(text="Fixed 3 bugs in the parser"),
    ],
)
def test_progress_that_can_be_checked_passes(item: Item[str]) -> None:
    assert sections(GOOD, progress=(item,)) == []


@pytest.mark.parametrize(
    "text",
    ["Continue testing", "Continue", "keep going", "Finish up", "TBD", "more testing", "fix it",
     "as discussed", "Deploy"],
)  # fmt: skip
def test_a_next_action_that_cannot_be_executed_is_found(text: str) -> None:
    assert sections(GOOD, next_action=Item(text=text)) == [("Next Action", 1)]


@pytest.mark.parametrize(
    "item",
    [
        Item(text="Continue with src/auth.py line 80"),
        Item(text="Run make"),
        Item(text="Ask Ana whether the old form stays the default choice"),
        Item(text="Which colour?", evidence="asked"),
        Item(text="Run `make`"),
        Item(text="Go on with the task: fix the error of the new form"),
    ],
)
def test_a_next_action_that_names_its_object_passes(item: Item[str]) -> None:
    expected = [] if item.text != "Run make" else [("Next Action", 1)]
    assert sections(GOOD, next_action=item) == expected


@pytest.mark.parametrize("action", [None, Item(text="  ")])
@pytest.mark.parametrize("status", ["pending", "completed"])
def test_a_missing_next_action_is_found(action: Item[str] | None, status: Any) -> None:
    draft = replace(GOOD, next_action=action, tasks=(Task(title="a", status=status),))
    (finding,) = quality.check(draft)
    assert (finding.section, finding.line) == ("Next Action", 0)
    assert ("marked complete" in finding.reason) is (status == "completed")


@pytest.mark.parametrize(
    "text", ["Need to fix some conflicts", "Some issues", "It is slow", "things fail"]
)
def test_a_blocker_without_error_or_path_is_found(text: str) -> None:
    assert sections(GOOD, blockers=(Item(text=text),)) == [("Blockers", 1)]


@pytest.mark.parametrize(
    "text",
    ["KeyError: 'state'", "EACCES 13 from the registry", "Waiting for the key from Ana",
     "Merge conflict in src/main.py", "Decision pending: old form or new?",
     "Waits for the user's word on the plan: New checkout", "Warte auf den Schlüssel von Ana"],
)  # fmt: skip
def test_a_concrete_blocker_passes(text: str) -> None:
    assert sections(GOOD, blockers=(Item(text=text),)) == []


@pytest.mark.parametrize("text", ["Use JWT", "Tabs"])
def test_a_decision_without_reason_is_found(text: str) -> None:
    assert sections(GOOD, decisions=(Item(text=text),)) == [("Key Decisions", 1)]


@pytest.mark.parametrize(
    "text",
    ["Use JWT because sessions do not scale", "用 JWT 因为更简单", "Token gilt 1 h, weil die App",
     "JWT parce que le mobile", "JWT porque el móvil", "Approved the plan: New checkout",
     "Sent the plan back (New checkout): one page, not three"],
)  # fmt: skip
def test_a_reason_in_the_same_line_counts(text: str) -> None:
    assert sections(GOOD, decisions=(Item(text=text),)) == []


@pytest.mark.parametrize(
    "text",
    [
        "Human: do it\nAssistant: done in a.py",
        "**User:** go\n**Agent:** yes",
        "用户: 好\n助手: 是的",
        '{"type":"assistant","message":{}}',
        "\n".join(f"line {n}" for n in range(17)),
    ],
)
def test_pasted_transcript_is_found(text: str) -> None:
    assert ("Relevant Context", 1) in sections(GOOD, context=(Item(text=text),))


def test_the_json_of_an_error_is_no_transcript() -> None:
    blocker = Item(text='API error 400 {"type":"error","message":"too long"}')
    assert sections(GOOD, blockers=(blocker,)) == []


def test_fifteen_lines_are_still_an_excerpt() -> None:
    text = "\n".join(f"line {n}" for n in range(15))
    assert sections(GOOD, context=(Item(text=text),)) == []


def test_a_long_request_of_the_person_is_not_pasted_output() -> None:
    text = "\n".join(f"point {n}" for n in range(40))
    assert sections(GOOD, requests=(Item(text=text, evidence="asked"),)) == []


@pytest.mark.parametrize("text", ["", " ", "task", "Work", "untitled"])
def test_a_missing_task_is_found(text: str) -> None:
    assert sections(GOOD, task=Item(text=text)) == [("Task", 0)]


QUOTED = Item(text="Fix it", evidence="asked", places=("t:3",))


@pytest.mark.parametrize(
    ("item", "found"),
    [
        (QUOTED, [("Task", 1)]),
        (replace(QUOTED, text="Add the login and everything that …"), [("Task", 1)]),
        (replace(QUOTED, text="Add the login page"), []),
        (replace(QUOTED, author="user"), []),
        (replace(QUOTED, text="修复登录"), []),
    ],
)
def test_a_title_that_only_quotes_a_few_words_is_weak(
    item: Item[str], found: list[tuple[str, int]]
) -> None:
    assert sections(GOOD, task=item) == found


@pytest.mark.parametrize(
    ("kind", "found"),
    [
        ("cut-off", [("Next Action", 1)]),
        ("unknown", [("Next Action", 1)]),
        ("waiting", []),
        ("finished", []),
    ],
)
def test_a_next_action_of_a_template_is_weak_unless_the_status_decides_it(
    kind: Any, found: list[tuple[str, int]]
) -> None:
    made = Item(text="Continue the task: Write src/auth.py", places=("t:4",))
    assert sections(GOOD, next_action=made, status=Status(kind=kind)) == found
    said = replace(made, author="agent")
    assert sections(GOOD, next_action=said, status=Status(kind=kind)) == []


def test_an_unverified_line_is_found_with_its_reason() -> None:
    item = Item(text="Wrote src/a.py", author="agent", unverified="`src/a.py` does not exist")
    (found,) = quality.check(replace(GOOD, progress=(item,)))
    assert (found.section, found.reason) == ("Progress", item.unverified)


def test_paths_that_do_not_exist_are_found_once() -> None:
    draft = replace(
        GOOD,
        progress=(Item(text="Wrote src/gone.py lines 1-9"), Item(text="Wrote src/auth.py")),
        files=(
            FileFact(path="src/auth.py"),
            FileFact(path="src/old.py", change="deleted"),
            FileFact(path="src/lost.py"),
            FileFact(path="~/Downloads/screen.png", change="read"),
        ),
    )
    there = {"src/auth.py", "src/main.py", "tests/auth_test.py"}
    found = quality.check(draft, there.__contains__)
    assert [(f.section, f.line, f.text) for f in found] == [
        ("Files", 3, "src/lost.py"),
        ("Progress", 1, "Wrote src/gone.py lines 1-9"),
    ]


WRITTEN = Item(text="Edit src/nope/x.py line 45, because of the timeout")


@pytest.mark.parametrize(
    ("change", "section"),
    [
        ({"decisions": (WRITTEN,)}, "Key Decisions"),
        ({"context": (WRITTEN,)}, "Relevant Context"),
    ],
)
def test_a_path_written_into_any_section_has_to_exist(change: dict[str, Any], section: str) -> None:
    draft = replace(GOOD, **change)
    found = quality.check(draft, lambda path: path != "src/nope/x.py")
    assert [f.section for f in found] == [section]


def test_a_path_quoted_from_the_transcript_tells_of_its_own_time() -> None:
    quoted = replace(WRITTEN, places=("t:5",), evidence="asked")
    assert (
        quality.check(replace(GOOD, context=(quoted,)), lambda path: path != "src/nope/x.py") == []
    )


def test_a_recorded_deletion_may_name_what_is_no_longer_there() -> None:
    gone = (FileFact(path="src/gone.py", change="deleted"),)
    draft = replace(GOOD, progress=(Item(text="Deleted src/gone.py"),), files=gone)
    assert quality.check(draft, lambda path: path != "src/gone.py") == []


def test_a_file_that_is_still_to_be_made_need_not_be_there() -> None:
    draft = replace(GOOD, next_action=Item(text="Write tests/test_cli.py, then run `make test`"))
    assert quality.check(draft, lambda path: path != "tests/test_cli.py") == []


def test_every_finding_gives_a_good_form_to_imitate() -> None:
    bad: Draft = Draft(task=Item(text=""), progress=(Item(text="Worked on auth"),))
    assert {f.section for f in quality.check(bad)} >= {"Task", "Progress", "Relevant Context"}
    for finding in quality.check(bad):
        assert finding.good == quality.GOOD[finding.section]
        assert finding.reason


def test_a_path_is_looked_for_where_its_command_ran() -> None:
    item = Item(text="`pytest tests/a.py` in apps/api passed", evidence="observed")
    draft = replace(
        GOOD, progress=(item,), blockers=(), files=(), next_action=Item(text="Run `make`")
    )
    assert quality.check(draft, {"apps/api/tests/a.py"}.__contains__) == []
    assert quality.check(draft, {"apps/web/tests/a.py"}.__contains__) != []


@pytest.mark.parametrize(
    ("field", "section", "good", "bad"),
    [
        ("progress", "Progress", "Wrote src/auth.py lines 45-120, login flow complete", "Worked on auth"),
        ("next_action", "Next Action", "Run pytest tests/auth_test.py to verify login", "Continue testing"),
        ("blockers", "Blockers", "Git conflict in src/main.py lines 80-95", "Need to fix some conflicts"),
        ("context", "Relevant Context", "User prefers verbose error messages", None),
    ],
)  # fmt: skip
def test_the_documents_table_of_good_and_bad(
    field: str, section: str, good: str, bad: str | None
) -> None:
    def with_text(text: str | None) -> Draft:
        item = Item(text=text) if text else None
        return replace(
            GOOD, files=(), **{field: item if field == "next_action" else (item,) if item else ()}
        )

    assert quality.check(with_text(good)) == []
    assert [finding.section for finding in quality.check(with_text(bad))] == [section]


def test_one_that_says_nothing_of_what_was_done_is_not_complete() -> None:
    draft = replace(GOOD, progress=(), decisions=())
    assert [(f.section, f.line) for f in quality.check(draft)] == [("Progress", 0)]
    assert quality.check(replace(draft, tasks=(Task(title="Write the form"),))) == []
