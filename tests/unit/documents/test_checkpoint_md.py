from __future__ import annotations

import re
from datetime import timedelta, timezone

import pytest
from hypothesis import given, settings
from msgspec.structs import replace
from tests.sampling import examples
from tests.unit.documents import strategies

from onward.documents import checkpoint_md, times
from onward.model import (
    Checkpoint,
    Clean,
    Draft,
    FileFact,
    Item,
    Origin,
    RepoState,
    Section,
    Task,
)

SMALL: Checkpoint = Checkpoint(
    task=Item(text=Clean("Build login page"), evidence="asked", places=("t:3",)),
    name="build-login-page",
    saved="2026-03-01T13:40:09Z",
    progress=(
        Item(
            text=Clean("Wrote src/auth.py lines 45-120"),
            evidence="observed",
            places=("t:541", "c:9f5a3c7"),
            why=Clean("the form had no server side"),
        ),
    ),
    next_action=Item(text=Clean("Run pytest tests/auth_test.py")),
    tasks=(Task(title=Clean("Write the form"), status="completed", id="TASK_001"),),
    files=(FileFact(path=Clean("src/auth.py"), size=310, hash="0123456789abcdef"),),
    origin=Origin(session="s-1", lines=12),
    repo=RepoState(root=Clean("~/shop"), branch=Clean("main"), commit="9f5a3c7" * 5),
)


@settings(max_examples=examples(60), deadline=None)
@given(strategies.snapshots)
def test_what_is_rendered_is_parsed_back(snapshot: Checkpoint) -> None:
    assert checkpoint_md.parse(checkpoint_md.render(snapshot)) == snapshot


@settings(max_examples=examples(30), deadline=None)
@given(strategies.snapshots)
def test_the_main_headings_are_the_documents_own_in_its_order(snapshot: Checkpoint) -> None:
    above, _ = checkpoint_md.split(checkpoint_md.render(replace(snapshot, extra=())))
    heads = [line for line in above.split("\n") if re.match(r"##? ", line)]
    assert heads == [
        f"# Checkpoint: {snapshot.name}".rstrip(),
        "## Progress",
        "## Next Action",
        "## Blockers",
        "## Key Decisions",
        "## Relevant Context",
    ]


def test_the_file_reads_like_the_documents_template() -> None:
    text = checkpoint_md.render(SMALL, zone=timezone(timedelta(hours=8)))
    assert text.startswith(
        "# Checkpoint: build-login-page\n\n"
        "**Created:** 2026-03-01 21:40 GMT+8\n"
        "**Task:** Build login page [asked t:3]\n\n"
        "## Progress\n\n"
        "- Wrote src/auth.py lines 45-120 [observed t:541 c:9f5a3c7]\n"
        "  why: the form had no server side\n\n"
        "### Tasks\n\n"
        "- [x] Write the form [claimed TASK_001]\n\n"
        "## Next Action\n\n"
        "- Run pytest tests/auth_test.py [claimed]\n\n"
        "## Blockers\n\nNone.\n"
    )


def test_the_closing_comment_holds_no_words() -> None:
    comment = checkpoint_md.render(SMALL).rstrip("\n").split("\n")[-1]
    assert comment.startswith('<!-- onward:1 {"saved":"2026-03-01T13:40:09Z"')
    for words in ("login", "Wrote", "pytest", "form"):
        assert words not in comment


@settings(max_examples=examples(30), deadline=None)
@given(strategies.snapshots, strategies.texts)
def test_nothing_can_end_the_comment_early(snapshot: Checkpoint, cwd: str) -> None:
    origin = Origin(cwd=Clean(f"{cwd}-->"))
    text = checkpoint_md.render(replace(snapshot, origin=origin))
    assert text.rstrip("\n").split("\n")[-1].count("-->") == 1


def test_what_a_person_deletes_is_gone() -> None:
    text = checkpoint_md.render(SMALL)
    cut = re.sub(r"- src/auth.py.*\n", "", re.sub(r"- Wrote .*\n  why.*\n", "", text))
    draft = checkpoint_md.parse(cut)
    assert (draft.progress, draft.files) == ((), ())


@pytest.mark.parametrize(
    ("old", "new", "field", "expected"),
    [
        ("Run pytest tests/auth_test.py", "Run make", "next_action", Item(text="Run make")),
        ("Build login page [", "Build the page [", "task", None),
        ("2026-03-01 13:40 GMT", "2026-03-02 13:40 GMT", "created", "2026-03-02T13:40:00Z"),
        ("13:40 GMT", "13:40 GMT+1", "created", "2026-03-01T12:40:00Z"),
        ("- [x] Write", "- [ ] Write", "tasks", None),
    ],
)
def test_an_edit_above_the_comment_wins(old: str, new: str, field: str, expected: object) -> None:
    text = checkpoint_md.render(SMALL)
    assert old in text
    draft = checkpoint_md.parse(text.replace(old, new))
    changed = getattr(draft, field)
    assert changed != getattr(SMALL, field)
    if expected is not None:
        assert changed == expected
    assert draft.origin == SMALL.origin


def test_another_branch_above_the_comment_wins() -> None:
    text = checkpoint_md.render(SMALL).replace("- main @", "- release @")
    repo = checkpoint_md.parse(text).repo
    assert repo is not None
    assert (repo.branch, repo.root) == ("release", "~/shop")


@pytest.mark.parametrize(
    "comment", ["", "<!-- onward:1 {broken -->", '<!-- onward:1 {"saved":3} -->']
)
def test_a_missing_or_broken_comment_is_no_obstacle(comment: str) -> None:
    text = checkpoint_md.render(SMALL)
    without = text[: text.index("<!-- onward")] + comment + "\n"
    draft = checkpoint_md.parse(without)
    assert draft.progress == SMALL.progress
    assert draft.saved == "2026-03-01T13:40:00Z"
    assert draft.extra == ()


def test_a_newer_comment_is_read_as_far_as_it_is_known() -> None:
    text = checkpoint_md.render(SMALL).replace("onward:1 {", 'onward:7 {"moon":"full",')
    assert checkpoint_md.parse(text) == SMALL


@pytest.mark.parametrize(
    "progress", ["Progress", "PROGRESS:", "✅ Progress", "1. Progress", "进展"]
)
@pytest.mark.parametrize("bullet", ["- ", "* ", "1. ", "+ ", "• ", "- [x] ", ""])
@pytest.mark.parametrize("level", ["# ", "## ", "### ", "#### "])
def test_any_spelling_of_headings_bullets_and_levels_loads(
    progress: str, bullet: str, level: str
) -> None:
    text = f"# Login\n\nTask: Build it\n\n{level}{progress}\n{bullet}Wrote a.py\n"
    draft = checkpoint_md.parse(text)
    assert draft.task.text == "Build it"
    assert [item.text for item in draft.progress] == ["Wrote a.py"]


@pytest.mark.parametrize(
    "line",
    [
        "Task: Build it",
        "**Task:** Build it",
        "**Task**: Build it",
        "- Task: Build it",
        "任务\uff1aBuild it",
    ],
)
def test_a_task_line_is_read_in_any_dress(line: str) -> None:
    assert checkpoint_md.parse(f"# Checkpoint: a\n{line}\n").task.text == "Build it"


def test_a_foreign_title_is_the_task_where_there_is_no_other() -> None:
    draft = checkpoint_md.parse("# Fix the login loop\n\n## Next\nRun make\n")
    assert (draft.task.text, draft.name) == ("Fix the login loop", "")


def test_steps_of_someone_else_are_one_next_action() -> None:
    draft = checkpoint_md.parse("## Next Steps\n1. Run make\n2. Commit\n")
    assert draft.next_action == Item(text="Run make\nCommit")


def test_a_heading_with_its_content_beside_it() -> None:
    draft = checkpoint_md.parse("## Next Action: run make test\n")
    assert draft.next_action == Item(text="run make test")


@pytest.mark.parametrize(
    "word", ["None", "none.", "N/A", "(none)", "- None", "[None yet]", "无", "-"]
)
def test_a_placeholder_is_nothing(word: str) -> None:
    draft = checkpoint_md.parse(f"## Blockers\n{word}\n\n## Next Action\n{word}\n")
    assert (draft.blockers, draft.next_action) == ((), None)


@pytest.mark.parametrize(
    ("line", "path", "why"),
    [
        ("- src/auth.py", "src/auth.py", None),
        ("- `src/auth.py` - the login", "src/auth.py", "the login"),
        ("- **src/auth.py**: the login", "src/auth.py", "the login"),
        ("- src/auth.py (new)", "src/auth.py", "(new)"),
        ("| src/auth.py | the login |", "src/auth.py", "the login"),
    ],
)
def test_a_foreign_file_line_is_a_path_and_why(line: str, path: str, why: str | None) -> None:
    table = "| File | Why |\n|---|---|\n" if line.startswith("|") else ""
    draft = checkpoint_md.parse(f"## Files\n\n{table}{line}\n")
    assert [(fact.path, fact.why or None) for fact in draft.files] == [(path, why)]


def test_headings_of_a_persons_own_survive_with_all_below_them() -> None:
    body = "Text\n\n### Deeper\n\n```sh\n# comment\n```"
    draft = checkpoint_md.parse(f"## Ideas\n\n{body}\n\n## Progress\n- Wrote a.py\n")
    assert draft.extra == (Section(heading="Ideas", body=body),)
    assert [item.text for item in draft.progress] == ["Wrote a.py"]


def test_a_list_under_a_persons_own_sub_heading_belongs_to_its_section() -> None:
    draft = checkpoint_md.parse("## Progress\n- Wrote a.py\n### Backend\n- Wrote b.py\n")
    assert [item.text for item in draft.progress] == ["Wrote a.py", "Backend: Wrote b.py"]


def test_known_headings_under_an_unknown_one_are_found() -> None:
    draft = checkpoint_md.parse(
        "# Handoff\n## Session of Monday\nhello\n### Next Steps\n- Run make\n"
    )
    assert draft.next_action == Item(text="Run make")
    assert [section.heading for section in draft.extra] == ["Session of Monday"]


def test_words_before_the_first_section_survive() -> None:
    draft = checkpoint_md.parse("# Checkpoint: a\n**Task:** b\n**Owner:** Ana\n\n## Progress\n")
    assert draft.extra == (Section(heading="Preamble", body="**Owner:** Ana"),)


@settings(max_examples=examples(60), deadline=None)
@given(strategies.texts)
def test_any_text_at_all_is_read(text: str) -> None:
    draft = checkpoint_md.parse(text)
    again = checkpoint_md.parse(checkpoint_md.render(draft))  # type: ignore[arg-type]
    assert times.local(again.saved) == times.local(draft.saved)


TEMPLATE = """# Checkpoint: <name>
**Created:** YYYY-MM-DD HH:MM GMT+8
**Task:** <one-line task summary>
## Progress
<!-- What was completed — be specific -->
## Next Action
<!-- Exact next step: file, command, decision -->
## Blockers
<!-- Concrete obstacles: errors, conflicts, pending decisions -->
## Key Decisions
<!-- Reasoning that led to current state, not just facts -->
## Relevant Context
<!-- Files, paths, preferences, anything needed to continue -->
**Age:** Derived from file mtime at resume time (shown automatically by `/checkpoint list` script)
"""


def test_the_documents_template_as_it_stands_holds_nothing() -> None:
    assert checkpoint_md.parse(TEMPLATE) == Draft(task=Item(text=""))


def test_the_last_line_of_the_template_belongs_to_no_entry() -> None:
    filled = TEMPLATE.replace("anything needed to continue -->", "x -->\n- Uses port 8080")
    assert [item.text for item in checkpoint_md.parse(filled).context] == ["Uses port 8080"]


def test_what_is_written_has_the_lines_of_the_template_in_its_order() -> None:
    shown = checkpoint_md.render(Checkpoint(task=Item(text=Clean("T")), name="fix-cart"))
    lines = iter(shown.splitlines())
    for wanted in TEMPLATE.splitlines():
        head = wanted[: wanted.index(":**") + 3] if ":**" in wanted else wanted.split(" <")[0]
        assert wanted.startswith("<!--") or any(line.startswith(head) for line in lines), wanted


def test_boxes_without_bullets_are_lines_of_their_own_and_an_open_one_is_not_done() -> None:
    draft = checkpoint_md.parse("## Progress\n[x] Wrote a.py\n[ ] Write the docs\n- [~] Push\n")
    assert [item.text for item in draft.progress] == ["Wrote a.py"]
    assert [(task.title, task.status) for task in draft.tasks] == [
        ("Write the docs", "pending"),
        ("Push", "in_progress"),
    ]


@pytest.mark.parametrize(
    ("text", "task"),
    [
        ("Build the login page\nwith OAuth fallback", "Build the login page with OAuth fallback"),
        ("Build the login page.\nIt is half done.", "Build the login page."),
        ("Build the login page\n2. then the cart", "Build the login page"),
    ],
)
def test_a_task_that_was_only_wrapped_is_one_line(text: str, task: str) -> None:
    assert checkpoint_md.parse(f"## Task\n{text}\n").task.text == task


def test_a_file_in_conflict_says_what_both_sides_say() -> None:
    def conflict(ours: str, theirs: str) -> str:
        return f"<<<<<<< HEAD\n{ours}\n=======\n{theirs}\n>>>>>>> other branch\n"

    head = conflict("**Task:** Build the login", "**Task:** Build the logout")
    done = "- Wrote a.py\n" + conflict("- Wrote b.py", "- Wrote c.py")
    draft = checkpoint_md.parse(f"# Checkpoint: x\n{head}\n## Progress\n\n{done}")
    assert draft.task.text == "Build the login"
    assert [item.text for item in draft.context] == ["Build the logout"]
    assert [item.text for item in draft.progress] == ["Wrote a.py", "Wrote b.py", "Wrote c.py"]


def test_a_file_in_conflict_is_read_whatever_its_line_ends() -> None:
    text = (
        "<<<<<<< HEAD\n# Checkpoint: x\n=======\n# Checkpoint: y\n>>>>>>> other\n\n## Progress\n\n"
        "<<<<<<< HEAD\n- Wrote b.py\n=======\n- Wrote c.py\n>>>>>>> other\n\n## Next Action\n\n"
        "<<<<<<< HEAD\n- Run make\n=======\n- Run tox\n>>>>>>> other\n"
    )
    draft = checkpoint_md.parse(text)
    assert draft.next_action is not None
    assert draft.next_action.text == "Run make\nRun tox"
    assert checkpoint_md.parse(text.replace("\n", "\r\n")) == draft
    assert checkpoint_md.parse("\ufeff" + text) == draft


@pytest.mark.parametrize("head", ["{}:", "**{}**", "**{}:**", "__{}__:", "{}"])
def test_lines_that_stand_for_headings_count_where_there_are_none(head: str) -> None:
    first, second, third = map(head.format, ("Progress", "NEXT ACTION", "Blockers"))
    draft = checkpoint_md.parse(
        f"# Checkpoint: x\n**Task:** Build\n\n{first}\n- Wrote a.py\n\n{second}\nRun make\n\n{third}\nnone\n"
    )
    assert [item.text for item in draft.progress] == ["Wrote a.py"]
    assert draft.next_action is not None
    assert draft.next_action.text == "Run make"
    assert (draft.task.text, draft.blockers) == ("Build", ())


def test_such_a_line_is_only_a_line_where_there_are_headings() -> None:
    draft = checkpoint_md.parse("## Progress\n- a.py\n\n## My own\nBlockers:\n- none of yours\n")
    assert draft.extra[0].body == "Blockers:\n- none of yours"


@pytest.mark.parametrize(
    "heading", ["### Next: curl x | sh", "### Next Action", "### Blockers: all"]
)
def test_a_body_cannot_become_a_section_of_its_own(heading: str) -> None:
    body = f"what the agent said\n{heading}\nand more"
    extra = (Section(heading=Clean("Ideas"), body=Clean(body)),)
    snapshot = Checkpoint(task=Item(text=Clean("Build")), extra=extra)
    draft = checkpoint_md.parse(checkpoint_md.render(snapshot))
    assert (draft.next_action, draft.blockers) == (None, ())
    assert [section.body for section in draft.extra] == [body]
