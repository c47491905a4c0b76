"""Tool calls and their results, as events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from onward.model import (
    Asked,
    Background,
    Delegated,
    Edited,
    Event,
    Interrupt,
    Linked,
    Looked,
    Moved,
    Planned,
    Prompt,
    Question,
    Ran,
    Refusal,
    Searched,
    Titled,
    TodoList,
    Used,
)
from onward.transcripts import tool_calls

if TYPE_CHECKING:
    from tests.unit.transcripts.conftest import Script

REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it "
    "was a file edit, the new_string was NOT written to the file). "
)
WORDS = REFUSED + "To tell you how to proceed, the user said:\n"
STOP = REFUSED + "STOP what you are doing and wait for the user to tell you how to proceed."
NOTE = "\n\nNote: The user's next message may contain a correction or preference. Pay attention."


def only(events: list[Event]) -> Any:
    (event,) = events
    return event


def shell(script: Script, output: Any, extra: Any = None, **result: Any) -> Any:
    script.call("Bash", "toolu_1", command="npm test", description="Run tests")
    script.result("toolu_1", output, extra, **result)
    return only(script.events())


# ------------------------------------------------------------------------------ commands


@pytest.mark.parametrize(
    ("output", "extra", "error", "expected"),
    [
        ("ok", {"stdout": "ok", "stderr": ""}, False, (False, 0, "ok", "done")),
        ("ok", {"stdout": "ok\n", "stderr": "warn"}, False, (False, 0, "ok\nwarn", "done")),
        ("ok", None, False, (False, 0, "ok", "done")),
        ("ok\nShell cwd was reset to /home/ana", None, False, (False, 0, "ok", "done")),
        ("Shell cwd was reset to /home/ana\n", None, False, (False, 0, "", "done")),
        ([{"type": "text", "text": "ok"}], None, False, (False, 0, "ok", "done")),
        ("Exit code 2\nboom", "Error: Exit code 2\nboom", True, (True, 2, "boom", "done")),
        ("boom", "Error: boom", True, (True, None, "boom", "done")),
        (
            "Command timed out after 2m 0s",
            "Error: ...",
            True,
            (True, None, "Command timed out after 2m 0s", "timeout"),
        ),
        ("", {"stdout": "half", "interrupted": True}, False, (False, None, "half", "interrupted")),
        (
            "Exit code 137\n[Request interrupted by user for tool use]",
            "Error: ...",
            True,
            (True, 137, "[Request interrupted by user for tool use]", "interrupted"),
        ),
        (
            "(Bash completed with no output)",
            {"stdout": "", "returnCodeInterpretation": "No matches found"},
            False,
            (False, None, "", "done"),
        ),
        ("This command requires approval", "Error: ...", True, (None, None, "", "denied")),
        (
            "Permission to use Bash with command rm x has been denied.",
            None,
            True,
            (None, None, "", "denied"),
        ),
        (
            "<tool_use_error>Sibling tool call errored</tool_use_error>",
            None,
            True,
            (None, None, "", "cancelled"),
        ),
        ("Streaming fallback triggered", None, True, (None, None, "", "cancelled")),
        (
            "<tool_use_error>Cancelled: parallel tool call Bash(x) errored</tool_use_error>",
            None,
            True,
            (None, None, "", "cancelled"),
        ),
        (
            "Permission denied, please try again.",
            None,
            True,
            (True, None, "Permission denied, please try again.", "done"),
        ),
    ],
)
def test_a_command_and_its_outcome(
    script: Script, output: Any, extra: Any, error: bool, expected: tuple[Any, ...]
) -> None:
    ran = shell(script, output, extra, error=error)
    assert isinstance(ran, Ran)
    assert (ran.failed, ran.exit_code, ran.output, ran.state) == expected
    assert ran.command == "npm test"
    assert (ran.cwd, ran.line) == ("/home/ana/shop", 2)


def test_a_command_that_goes_on_in_the_background_names_its_task(script: Script) -> None:
    ran = shell(script, "Command running in background", {"stdout": "", "backgroundTaskId": "b1"})
    assert (ran.background, ran.exit_code) == ("b1", None)


def test_the_middle_of_a_long_output_is_cut_on_line_borders(script: Script) -> None:
    ran = shell(script, "x", {"stdout": "\n".join(f"line {n}" for n in range(2_000))})
    lines = ran.output.split("\n")
    assert len(ran.output) < 6_100
    assert (lines[0], lines[-1]) == ("line 0", "line 1999")
    (mark,) = [line for line in lines if not line.startswith("line ")]
    assert f"[... {2_000 - len(lines) + 1} lines cut ...]" == mark


def test_misuse_of_a_tool_is_noise_but_for_an_edit_that_failed(script: Script) -> None:
    for n, name in enumerate(("Edit", "Bash", "Read", "WebFetch")):
        script.call(name, f"toolu_{n}", command="x", file_path="/a")
        wrong = "<tool_use_error>String to replace not found in file.\nString: x</tool_use_error>"
        script.result(f"toolu_{n}", wrong, error=True)
    (used,) = script.events()
    assert isinstance(used, Used)
    assert (used.path, used.error) == ("/a", "String to replace not found in file.")


def test_a_call_without_a_result_is_open_at_the_end(script: Script) -> None:
    script.user("go")
    script.call("Bash", "toolu_1", command="npm test")
    ran = only(script.events(Ran))
    assert (ran.state, ran.failed, ran.line) == ("open", None, 2)


def test_a_call_that_a_new_prompt_cut_off_was_interrupted(script: Script) -> None:
    script.call("Bash", "toolu_1", command="npm test")
    script.user("leave that")
    ran, prompt = script.events()
    assert isinstance(ran, Ran)
    assert ran.state == "interrupted"
    assert isinstance(prompt, Prompt)


# -------------------------------------------------------------------------------- edits


PATCH = [
    {
        "oldStart": 8,
        "oldLines": 4,
        "newStart": 8,
        "newLines": 5,
        "lines": [" a", "-old", "+new", "+more", " b"],
    },
    {"oldStart": 40, "oldLines": 3, "newStart": 41, "newLines": 2, "lines": [" c", "-gone", " d"]},
]


def test_an_edit_has_the_lines_and_counts_of_its_patch(script: Script) -> None:
    script.call("Edit", "toolu_1", file_path="/home/ana/shop/a.py", old_string="old")
    extra = {
        "filePath": "/home/ana/shop/a.py",
        "structuredPatch": PATCH,
        "originalFile": "x" * 1000,
        "userModified": True,
    }
    script.result("toolu_1", "updated", extra)
    edit = only(script.events())
    assert isinstance(edit, Edited)
    assert (edit.path, edit.change) == ("/home/ana/shop/a.py", "edited")
    assert (edit.added, edit.removed, edit.spans) == (2, 2, ((9, 10), (42, 42)))
    assert (edit.text, edit.gone, edit.by_user) == ("new\nmore", "old\ngone", True)


def test_a_new_file_is_created_from_its_first_line_to_its_last(script: Script) -> None:
    script.call("Write", "toolu_1", file_path="/a.py", content="1\n2\n3\n")
    extra = {"type": "create", "filePath": "/a.py", "content": "1\n2\n3\n", "structuredPatch": []}
    script.result("toolu_1", "File created successfully at: /a.py", extra)
    edit = only(script.events())
    assert (edit.change, edit.added, edit.removed, edit.spans) == ("created", 3, 0, ((1, 3),))
    assert edit.text == "1\n2\n3"


def test_of_what_an_edit_put_in_the_first_24_lines_are_kept(script: Script) -> None:
    lines = [f"+line {n}" for n in range(30)]
    hunk = {"oldStart": 1, "oldLines": 0, "newStart": 1, "newLines": 30, "lines": lines}
    script.call("Edit", "toolu_1", file_path="/a.py", old_string="")
    script.result("toolu_1", "updated", {"filePath": "/a.py", "structuredPatch": [hunk]})
    script.call("Write", "toolu_2", file_path="/b.py", content="\n".join(lines))
    script.result("toolu_2", "File created successfully at: /b.py", {"type": "create"})
    texts = [e.text for e in script.events() if isinstance(e, Edited)]
    assert [text.count("line ") for text in texts] == [24, 24]
    assert all(text.endswith("line 23") for text in texts)


@pytest.mark.parametrize(
    ("name", "given", "counts"),
    [
        ("Edit", {"file_path": "/a", "old_string": "x", "new_string": "y\nz"}, (2, 1)),
        (
            "MultiEdit",
            {
                "file_path": "/a",
                "edits": [
                    {"old_string": "x", "new_string": "y"},
                    {"old_string": "p\nq", "new_string": ""},
                ],
            },
            (1, 3),
        ),
        ("NotebookEdit", {"notebook_path": "/a", "new_source": "y"}, (1, 0)),
    ],
)
def test_without_a_patch_the_input_tells(
    script: Script, name: str, given: dict[str, Any], counts: tuple[int, int]
) -> None:
    script.call(name, "toolu_1", **given)
    script.result("toolu_1", "The file /a has been updated.")
    edit = only(script.events())
    assert (edit.path, edit.added, edit.removed) == ("/a", *counts)


def test_an_edit_whose_call_is_missing_is_known_from_its_result(script: Script) -> None:
    script.result("REDACTED", "updated", {"filePath": "/a", "structuredPatch": PATCH})
    assert only(script.events()).path == "/a"


def test_calls_that_share_an_id_are_not_joined(script: Script) -> None:
    script.call("Bash", "REDACTED", command="a")
    script.call("Bash", "REDACTED", command="b")
    script.result("REDACTED", "out of which?")
    assert [e.state for e in script.events() if isinstance(e, Ran)] == ["open"]


def test_a_read_is_a_look(script: Script) -> None:
    script.call("Read", "toolu_1", file_path="/a.py")
    script.result("toolu_1", "1\tx", {"type": "text", "file": {"content": "x"}})
    assert only(script.events()) == Looked(line=2, at="2026-03-01T10:00:02.000Z", path="/a.py")


@pytest.mark.parametrize(
    ("given", "span"),
    [
        ({"offset": 40, "limit": 20}, (40, 59)),
        ({"limit": 20}, (0, 20)),
        ({"offset": 40}, (40, 0)),
        ({"offset": "40", "limit": 2.0}, (40, 41)),
        ({"offset": -1, "limit": "many"}, (0, 0)),
        ({"offset": 10**12, "limit": None}, (0, 0)),
    ],
)
def test_a_read_says_which_lines_it_asked_for(
    script: Script, given: dict[str, object], span: tuple[int, int]
) -> None:
    script.call("Read", "toolu_1", file_path="/a.py", **given)
    script.result("toolu_1", "1\tx", {"type": "text", "file": {"content": "x"}})
    looked = only(script.events(Looked))
    assert isinstance(looked, Looked)
    assert looked.span == span


@pytest.mark.parametrize(
    ("tool", "given", "text", "where", "found", "more"),
    [
        ("Grep", {"glob": "*.ts"}, "Found 2 files\na.ts\nb.ts", "*.ts", ("a.ts", "b.ts"), 0),
        ("Grep", {"path": "src"}, "No files found", "src", (), 0),
        ("Grep", {}, "a.py-1-x\na.py:2:total\n--\na.py-3-y", "", ("a.py:2:total",), 0),
        ("Glob", {}, "a.py\nb.py", "", ("a.py", "b.py"), 0),
        (
            "Grep",
            {},
            "a.py\n\n[Showing results with pagination = limit: 20, offset: 0]",
            "",
            ("a.py",),
            0,
        ),
        ("Glob", {}, "\n".join("abcdefghij"), "", tuple("abcdefgh"), 2),
    ],
)
def test_a_search_is_told_with_what_it_found(
    script: Script,
    tool: str,
    given: dict[str, str],
    text: str,
    where: str,
    found: tuple[str, ...],
    more: int,
) -> None:
    script.call(tool, "toolu_1", pattern="total", **given)
    script.result("toolu_1", text)
    (search,) = (e for e in script.events() if isinstance(e, Searched))
    assert (search.pattern, search.where) == ("total", where)
    assert (search.found, search.more) == (found, more)


def test_a_sub_agents_report_ends_before_what_the_client_writes_below_it(script: Script) -> None:
    foot = "\nagentId: a1b2 (for resuming to continue this agent's work if needed)"
    usage = "\n<usage>total_tokens: 9\ntool_uses: 1</usage>"
    script.call("Task", "toolu_1", prompt="Look")
    script.result("toolu_1", f"Two callers.{foot}{usage}")
    report = only(script.events(Delegated))
    assert isinstance(report, Delegated)
    assert report.report == "Two callers."


def test_any_other_tool_is_told_in_one_line(script: Script) -> None:
    script.call("mcp__tracker__find", "toolu_1", project="shop", limit=5, filter={"a": 1})
    script.result("toolu_1", [{"type": "text", "text": "no such\nproject"}], error=True)
    used = only(script.events())
    assert isinstance(used, Used)
    assert (used.tool, used.detail) == ("mcp__tracker__find", "shop · 5")
    assert used.error == "no such project"


# --------------------------------------------------------------------- with the user


@pytest.mark.parametrize(
    ("name", "given", "kind", "act"),
    [
        ("Bash", {"command": "git push\n--force"}, "command", "git push --force"),
        ("Edit", {"file_path": "/a.py", "old_string": "x"}, "edit", "edit /a.py"),
        ("mcp__mail__send", {"to": "ops"}, "other", "mcp__mail__send: ops"),
    ],
)
@pytest.mark.parametrize(
    ("text", "words"),
    [
        (WORDS + "as a separate PR", "as a separate PR"),
        (WORDS + "two\nlines" + NOTE, "two\nlines"),
        (REFUSED + "The user provided the following reason for the rejection:  not yet", "not yet"),
        (STOP, ""),
        (STOP + NOTE, ""),
        ("The user doesn't want to take this action right now. STOP what you are doing", ""),
    ],
)
def test_a_refusal_keeps_the_persons_words_and_the_act(
    script: Script, name: str, given: dict[str, Any], kind: str, act: str, text: str, words: str
) -> None:
    script.call(name, "toolu_1", **given)
    script.result("toolu_1", text, "User rejected tool use", error=True)
    refusal = only(script.events())
    assert isinstance(refusal, Refusal)
    assert (refusal.kind, refusal.act, refusal.words) == (kind, act, words)


def test_a_denied_edit_is_no_refusal_of_the_person(script: Script) -> None:
    script.call("Write", "toolu_1", file_path="/a", content="x")
    text = "Claude requested permissions to write to /a, but you haven't granted it yet."
    script.result("toolu_1", text, "Error: ...", error=True)
    used = only(script.events())
    assert isinstance(used, Used)
    assert used.error == text


def test_a_plan_approved_as_the_person_edited_it(script: Script) -> None:
    script.call("ExitPlanMode", "toolu_1", plan="# Login\n1. a", planFilePath="/p/plan.md")
    extra = {"plan": "# Login\n1. b", "filePath": "/p/plan.md", "isAgent": False}
    script.result("toolu_1", "User has approved your plan.", extra)
    plan = only(script.events())
    assert isinstance(plan, Planned)
    assert (plan.text, plan.approved, plan.path) == ("# Login\n1. b", True, "/p/plan.md")


def test_a_plan_refused_is_told_as_plan_and_as_refusal(script: Script) -> None:
    script.call("ExitPlanMode", "toolu_1", plan="# Plan: Login\n1. a")
    script.result("toolu_1", WORDS + "no class", "Error: ...", error=True)
    plan, refusal = script.events()
    assert isinstance(plan, Planned)
    assert (plan.approved, plan.words) == (False, "no class")
    assert isinstance(refusal, Refusal)
    assert (refusal.kind, refusal.act) == ("plan", "Login")


def test_a_plan_without_an_answer_waits(script: Script) -> None:
    script.call("ExitPlanMode", "toolu_1", plan="# Login")
    assert only(script.events()).approved is None


def test_the_plan_file_after_a_compaction_is_the_current_plan(script: Script) -> None:
    plan = {"type": "plan_file_reference", "planFilePath": "/p.md", "planContent": "# Login"}
    script.add("attachment", attachment=plan)
    found = only(script.events())
    assert (found.text, found.approved, found.path) == ("# Login", True, "/p.md")


QUESTIONS = [
    {
        "question": "Which store?",
        "header": "Store",
        "options": [{"label": "Redis", "description": "fast"}, {"label": "Disk"}],
    }
]
OFFERED = ("Redis", "Disk")


@pytest.mark.parametrize(
    ("extra", "answer"),
    [
        ({"answers": {"Which store?": "Redis"}}, "Redis"),
        ({"answers": {"Which store?": ["Redis", "Disk"]}}, "Redis, Disk"),
        (
            {
                "answers": {"Which store?": "Redis"},
                "annotations": {"Which store?": {"notes": "for now"}},
            },
            "Redis (for now)",
        ),
        (None, "Redis"),
    ],
)
def test_answers_of_the_person(script: Script, extra: Any, answer: str) -> None:
    script.call("AskUserQuestion", "toolu_1", questions=QUESTIONS)
    text = 'User has answered your questions: "Which store?"="Redis". You can now continue.'
    script.result("toolu_1", text, extra)
    asked = only(script.events())
    meaning = "fast" if answer == "Redis" else ""
    question = Question(text="Which store?", options=OFFERED, answer=answer, meaning=meaning)
    assert isinstance(asked, Asked)
    assert (asked.answered, asked.questions) == (True, (question,))


def test_questions_that_the_person_wants_to_clarify_are_open(script: Script) -> None:
    script.call("AskUserQuestion", "toolu_1", questions=QUESTIONS)
    script.result("toolu_1", WORDS + "The user wants to clarify these questions.", error=True)
    asked, refusal = script.events()
    assert isinstance(asked, Asked)
    assert not asked.answered
    assert isinstance(refusal, Refusal)
    assert (refusal.kind, refusal.words, refusal.act) == ("question", "", "Which store?")


def test_questions_without_an_answer_are_open(script: Script) -> None:
    script.call("AskUserQuestion", "toolu_1", questions=QUESTIONS)
    assert only(script.events()).answered is False


# --------------------------------------------------------------------------- task lists


def titles(events: list[Event]) -> list[list[tuple[str, str]]]:
    return [[(i.title, i.status) for i in e.items] for e in events if isinstance(e, TodoList)]


def test_the_first_generation_writes_whole_lists(script: Script) -> None:
    for n, status in enumerate(("pending", "pending", "in_progress")):
        script.call("TodoWrite", f"toolu_{n}", todos=[{"content": "a", "status": status}])
        script.result(f"toolu_{n}", "Todos have been modified", {"oldTodos": [], "newTodos": []})
    assert titles(script.events()) == [[("a", "pending")], [("a", "in_progress")]]


def test_the_second_generation_is_a_log_that_is_replayed(script: Script) -> None:
    def step(name: str, key: str, given: Any, text: str, extra: Any = None) -> None:
        script.call(name, key, **given)
        script.result(key, text, extra)

    step("TaskCreate", "t1", {"subject": "a"}, "Task #1 created", {"task": {"id": "1"}})
    step("TaskCreate", "t2", {"subject": "b"}, "Task #2 created successfully: b")
    changed = {"success": True, "taskId": "1", "updatedFields": []}
    step("TaskUpdate", "t3", {"taskId": "1", "status": "completed"}, "Updated", changed)
    failed = {"success": False, "taskId": "2", "error": "no"}
    step("TaskUpdate", "t4", {"taskId": "2", "status": "completed"}, "Failed", failed)
    step("TaskUpdate", "t5", {"taskId": "2", "status": "deleted"}, "Updated", {"success": True})
    assert titles(script.events()) == [
        [("a", "pending")],
        [("a", "pending"), ("b", "pending")],
        [("a", "completed"), ("b", "pending")],
        [("a", "completed")],
    ]


def test_what_is_shown_of_a_task_in_progress_is_read_and_holds_on(script: Script) -> None:
    script.call("TodoWrite", "t1", todos=[{"content": "a", "activeForm": "Doing a"}])
    script.result("t1", "Todos have been modified")
    script.call("TaskCreate", "t2", subject="b", activeForm="Doing b")
    script.result("t2", "Task #1 created", {"task": {"id": "1"}})
    script.call("TaskUpdate", "t3", taskId="1", activeForm="Blocked")
    script.result("t3", "Updated", {"success": True})
    script.call("TaskList", "t4")
    tasks = [{"id": "1", "subject": "b", "status": "in_progress"}]
    script.result("t4", "#1 b", {"tasks": tasks})
    told = [i.doing for e in script.events() if isinstance(e, TodoList) for i in e.items[-1:]]
    assert told == ["Doing a", "Doing b", "Blocked", "Blocked"]


@pytest.mark.parametrize("kind", ["todo_reminder", "task_reminder"])
def test_reminders_hold_the_whole_list(script: Script, kind: str) -> None:
    entries = [{"id": "1", "subject": "a", "status": "completed"}, {"content": "b"}]
    script.add("attachment", attachment={"type": kind, "content": entries, "itemCount": 2})
    script.add("attachment", attachment={"type": kind, "content": entries, "itemCount": 2})
    assert titles(script.events()) == [[("a", "completed"), ("b", "pending")]]


# --------------------------------------------------------------------------- sub-agents


def test_a_list_that_was_asked_for_is_in_the_order_of_its_numbers(script: Script) -> None:
    script.call("TaskList", "t1")
    tasks = [{"id": n, "subject": n, "status": "pending"} for n in ("10", "9", "2")]
    script.result("t1", "#10 [pending] 10", {"tasks": tasks})
    assert [name for name, _ in titles(script.events())[-1]] == ["2", "9", "10"]


def test_a_sub_agent_is_read_just_before_its_report(script: Script, helper: Script) -> None:
    helper.user("Find the bug")
    helper.call("Bash", "toolu_9", command="grep x")
    helper.result("toolu_9", "a.py")
    helper.call("TaskUpdate", "toolu_8", taskId="1", status="completed")
    helper.result("toolu_8", "Updated task #1 status")
    helper.open()
    script.call("TaskCreate", "toolu_0", subject="bug")
    script.result("toolu_0", "Task #1 created", {"task": {"id": "1"}})
    script.call("Task", "toolu_1", prompt="Find the bug", description="Search")
    report = [{"type": "text", "text": "It is in a.py"}]
    script.result("toolu_1", report, {"status": "completed", "agentId": "a1b2c3"})
    events = script.events(Ran, Delegated, TodoList, Prompt)
    assert [(type(e).__name__, e.place) for e in events] == [
        ("TodoList", "t:2"),
        ("Ran", "t:a1b2c3:3"),
        ("TodoList", "t:a1b2c3:5"),
        ("Delegated", "t:4"),
        ("TodoList", "t:4"),
    ]
    (done,) = [e for e in events if isinstance(e, Delegated)]
    assert (done.task, done.report) == ("Find the bug", "It is in a.py")
    assert (done.agent, done.state) == ("a1b2c3", "done")


def test_a_sub_agent_beside_the_session_is_found_too(script: Script, helper: Script) -> None:
    helper.path = script.path.parent / "agent-a1b2c3.jsonl"
    helper.user("Find")
    helper.reply("It is in a.py")
    helper.open()
    script.call("Task", "toolu_1", prompt="Find")
    script.result("toolu_1", "done", {"status": "completed", "agentId": "a1b2c3"})
    assert [e.thread for e in script.events()] == ["a1b2c3", ""]


def launch(script: Script) -> None:
    script.call("Agent", "toolu_1", prompt="Find", run_in_background=True)
    started = {"isAsync": True, "status": "async_launched", "agentId": "a1b2c3"}
    script.result("toolu_1", "Async agent launched successfully.", started)


def test_an_agent_in_the_background_is_running_until_told_otherwise(script: Script) -> None:
    launch(script)
    assert only(script.events()).state == "running"


NEWS = (
    "<task-notification>\n<task-id>a1b2c3</task-id>\n<status>completed</status>\n"
    "<result>It is in a.py</result>\n</task-notification>"
)


def test_an_agent_in_the_background_reports_by_notification_once(script: Script) -> None:
    launch(script)
    script.queue("enqueue", NEWS)
    script.queue("dequeue")
    script.user(NEWS, origin={"kind": "task-notification"})
    done = only(script.events())
    assert (done.report, done.state, done.line) == ("It is in a.py", "done", 3)


def test_an_agent_in_the_background_reports_when_asked(script: Script) -> None:
    launch(script)
    script.call("TaskOutput", "toolu_2", task_id="a1b2c3", block=True)
    task = {"task_id": "a1b2c3", "status": "completed", "output": "It is in a.py"}
    script.result("toolu_2", "...", {"retrieval_status": "success", "task": task})
    assert only(script.events()).report == "It is in a.py"


def test_a_sub_agent_that_was_cut_off_is_found_by_its_task(script: Script, helper: Script) -> None:
    helper.user("Find the bug")
    helper.call("Write", "toolu_9", file_path="/a.py", content="x")
    helper.result("toolu_9", "File created successfully at: /a.py")
    helper.open()
    script.call("Task", "toolu_1", prompt="Find the bug")
    edit, running = script.events()
    assert edit.place == "t:a1b2c3:3"
    assert isinstance(running, Delegated)
    assert (running.agent, running.state) == ("a1b2c3", "running")


def test_sidechain_records_inside_an_old_file_are_passed_over(script: Script) -> None:
    script.user("go")
    script.user("Find the bug", isSidechain=True)
    script.reply("Looking", isSidechain=True)
    script.reply("Done")
    assert [(e.thread, getattr(e, "text", "")) for e in script.events()] == [
        ("", "go"),
        ("", "Done"),
    ]


def test_a_sub_agents_file_opened_by_itself_was_asked_by_an_agent(helper: Script) -> None:
    helper.user("Find the bug")
    helper.reply("It is in a.py")
    prompt, reply = helper.events()
    assert (prompt.text, prompt.source) == ("Find the bug", "agent")  # type: ignore[attr-defined]
    assert (type(reply).__name__, reply.thread) == ("Reply", "")


# --------------------------------------------------------------------------- background


@pytest.mark.parametrize(
    ("name", "given", "text", "extra", "state"),
    [
        (
            "TaskOutput",
            {"task_id": "b1"},
            "",
            {"retrieval_status": "success", "task": {"task_id": "b1", "status": "completed"}},
            "done",
        ),
        (
            "TaskOutput",
            {"task_id": "b1"},
            "<retrieval_status>timeout</retrieval_status>",
            {"retrieval_status": "timeout", "task": None},
            "running",
        ),
        (
            "BashOutput",
            {"bash_id": "b1"},
            "<status>failed</status>\n<stdout>\nx</stdout>",
            {"shellId": "b1", "status": "failed", "exitCode": 1, "stdout": "x"},
            "failed",
        ),
        ("BashOutput", {"bash_id": "b1"}, "<status>completed</status>", None, "done"),
        ("KillShell", {"shell_id": "b1"}, "killed", {"message": "ok", "shell_id": "b1"}, "killed"),
        ("TaskStop", {"task_id": "b1"}, "stopped", {"task_id": "b1"}, "killed"),
    ],
)
def test_news_of_a_background_task(
    script: Script, name: str, given: Any, text: str, extra: Any, state: str
) -> None:
    script.call(name, "toolu_1", **given)
    script.result("toolu_1", text, extra)
    news = only(script.events())
    assert isinstance(news, Background)
    assert (news.id, news.state) == ("b1", state)


def test_a_shell_that_is_over_is_not_killed(script: Script) -> None:
    script.call("KillShell", "toolu_1", shell_id="b1")
    script.result(
        "toolu_1",
        "Shell b1 is not running, so cannot be killed (status: completed)",
        error=True,
    )
    script.call("KillShell", "toolu_2", shell_id="b2")
    script.result("toolu_2", "No shell found with ID: b2", error=True)
    news = only(script.events())
    assert (news.id, news.state) == ("b1", "done")


def test_a_notification_of_a_shell(script: Script) -> None:
    script.user(
        "<bash-notification>\n<shell-id>b1</shell-id>\n<status>failed</status>\n"
        "<summary>Server stopped</summary></bash-notification>"
    )
    news = only(script.events())
    assert (news.id, news.state, news.output) == ("b1", "failed", "Server stopped")


# -------------------------------------------------------------------------- the client


def test_moves_titles_and_links_are_told_when_they_change(script: Script) -> None:
    url = "https://example.org/ana/shop/pull/7"
    script.user("a")
    script.reply("b", gitBranch="login")
    script.reply("c", gitBranch="login", cwd="/home/ana/shop/web")
    for _ in range(2):
        script.bare("pr-link", prUrl=url, prNumber=7, prRepository="ana/shop")
        script.bare("ai-title", aiTitle="Login")
        script.bare("custom-title", customTitle="My login")
    found = list(script.open())
    moves = [(e.cwd, e.branch) for e in found if isinstance(e, Moved)]
    assert moves == [
        ("/home/ana/shop", "main"),
        ("/home/ana/shop", "login"),
        ("/home/ana/shop/web", "login"),
    ]
    assert [(e.url, e.title) for e in found if isinstance(e, Linked)] == [(url, "ana/shop#7")]
    named = [(e.text, e.by_user) for e in found if isinstance(e, Titled)]
    assert named == [("Login", False), ("My login", True)]


def test_the_origin_is_known_at_the_end(script: Script) -> None:
    script.user("a")
    script.reply("b", gitBranch="login")
    script.raw(b"{broken")
    transcript = script.open()
    list(transcript)
    origin = transcript.origin
    assert (origin.agent, origin.session) == ("claude-code", script.base["sessionId"])
    assert (origin.cwd, origin.branch, origin.version) == ("/home/ana/shop", "login", "2.1.60")
    assert (origin.started, origin.ended) == (
        "2026-03-01T10:00:01.000Z",
        "2026-03-01T10:00:02.000Z",
    )
    assert (origin.lines, origin.problems) == (3, 1)


@pytest.mark.parametrize(
    ("given", "text", "paths"),
    [
        ({"path": "src/a.py"}, "12:x = 1", ["src/a.py"]),
        ({"path": "src/a.py"}, "No matches found", []),
        ({"path": "src"}, "src/a.py:12:x\nsrc/a.py-13-y\nsrc/b.rs:1:x", ["src/a.py", "src/b.rs"]),
        ({}, "Found 2 files\nsrc/a.py\nsrc/b.py", []),
        ({}, "\n".join(f"src/a{n}.py:1:x" for n in range(30)), []),
    ],
)
def test_a_search_has_looked_into_the_few_files_whose_lines_it_printed(
    script: Script, given: dict[str, str], text: str, paths: list[str]
) -> None:
    script.call("Grep", "toolu_1", pattern="x", output_mode="content", **given)
    script.result("toolu_1", text)
    assert [e.path for e in script.events(Looked) if isinstance(e, Looked)] == paths


def test_an_entry_ticked_off_after_the_client_threw_the_list_away_is_done(script: Script) -> None:
    script.call("TaskCreate", "t1", subject="Ship it")
    script.result("t1", "Task #1 created", {"task": {"id": "1", "subject": "Ship it"}})
    for n, status in enumerate(("in_progress", "completed")):
        script.call("TaskUpdate", f"u{n}", taskId="1", status=status)
        script.result(f"u{n}", "Task not found", {"success": False, "taskId": "1"})
    lists = [e.items for e in script.events(TodoList) if isinstance(e, TodoList)]
    assert [[item.status for item in items] for items in lists] == [["pending"], ["completed"]]


# --------------------------------------------------------- Escape while a command runs

NO_WORDS = "The user doesn't want to proceed with this tool use. The tool use was rejected."


def escaped(script: Script, **asked: Any) -> list[Event]:
    script.call("Bash", "toolu_1", command="python3 rename.py")
    denial = {"toolDenialKind": "user-rejected", **asked}
    script.result("toolu_1", NO_WORDS, "User rejected tool use", error=True, **denial)
    return script.events()


def test_a_command_stopped_as_it_ran_is_no_refusal(script: Script) -> None:
    script.call("Bash", "toolu_1", command="python3 rename.py")
    line = script.result("toolu_1", NO_WORDS, error=True, toolDenialKind="user-rejected")
    script.user("[Request interrupted by user for tool use]", interruptedMessageId="msg-1")
    ran, interrupt = script.events()
    assert isinstance(ran, Ran)
    assert (ran.command, ran.state, ran.line) == ("python3 rename.py", "interrupted", line)
    assert isinstance(interrupt, Interrupt)
    assert interrupt.act == "python3 rename.py"


@pytest.mark.parametrize(
    ("asked", "stop"),
    [
        ({"permissionDecision": {"decision": "reject", "source": "user_reject"}}, {}),
        (
            {"permissionDecision": {"decision": "reject", "source": "user_reject"}},
            {"interruptedMessageId": "msg-1"},
        ),
        ({}, {}),
    ],
    ids=["asked", "asked-and-interrupted", "older"],
)
def test_a_refusal_stays_one(script: Script, asked: dict[str, Any], stop: dict[str, Any]) -> None:
    script.call("Bash", "toolu_1", command="python3 rename.py")
    denial = {"toolDenialKind": "user-rejected", **asked}
    script.result("toolu_1", NO_WORDS, error=True, **denial)
    script.user("[Request interrupted by user for tool use]", **stop)
    refusal, interrupt = script.events()
    assert isinstance(refusal, Refusal)
    assert isinstance(interrupt, Interrupt)


def test_a_refusal_at_the_end_of_the_file_is_told(script: Script) -> None:
    assert [type(event) for event in escaped(script)] == [Refusal]


# ------------------------------------------------------ what a shell command changed


def patch(path: str, *lines: str, old: int = 3, **more: Any) -> dict[str, Any]:
    hunk = {"oldStart": 1, "oldLines": old, "newStart": 1, "newLines": 3, "lines": list(lines)}
    return {"filePath": path, "hunks": [hunk], **more}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ([patch("/w/a.md", " x", "-y", "+z")], [("/w/a.md", "edited", 1, 1, ((2, 2),))]),
        ([patch("/w/a.md", "+y", "+z", old=0)], [("/w/a.md", "created", 2, 0, ((1, 2),))]),
        ([patch("/w/a.md", "-y", deleted=True)], [("/w/a.md", "deleted", 0, 0, ())]),
        ([], [("/w/b.md", "edited", 0, 0, ())]),
    ],
)
def test_what_a_command_changed_is_told_on_its_line(
    script: Script, files: list[dict[str, Any]], expected: list[tuple[object, ...]]
) -> None:
    changed = [one["filePath"] for one in files] or ["/w/b.md"]
    diff = {"files": files, "moreFiles": 0, "changedFiles": changed}
    script.call("Bash", "toolu_1", command="sed -i 's/y/z/' *.md")
    script.result("toolu_1", "", {"stdout": "", "stderr": "", "bashEditDiff": diff})
    ran, *edits = script.events()
    assert isinstance(ran, Ran)
    assert [
        (e.path, e.change, e.added, e.removed, e.spans) for e in edits if isinstance(e, Edited)
    ] == expected
    assert {e.place for e in edits} == {ran.place}


@pytest.mark.parametrize("command", ["git checkout -- a.md", "git -C x stash pop", "jj new main"])
def test_what_version_control_puts_in_place_is_no_edit(script: Script, command: str) -> None:
    diff = {"files": [patch("/w/a.md", "-y", "+z")], "changedFiles": ["/w/a.md"]}
    script.call("Bash", "toolu_1", command=command)
    script.result("toolu_1", "", {"stdout": "", "bashEditDiff": diff})
    assert [type(event) for event in script.events()] == [Ran]


def test_lines_that_a_patch_takes_out_and_puts_in_again_are_no_change() -> None:
    lines = [" a", "-old", "-same", "+same", "+new", "-x", "+y", "+x", " z"]
    told = tool_calls.diff([(1, ["-first", "+first", *lines])])
    assert (told.added, told.removed, told.gone) == (3, 2, "old\nsame")
    kept = tool_calls.diff([(7, [" a", "-b", "-c", "+b", "+c", "+d", " e"])])
    assert (kept.spans, kept.text, kept.added, kept.removed) == (((10, 10),), "d", 1, 0)


def test_a_sub_agent_that_was_stopped_with_its_turn_runs_no_more(script: Script) -> None:
    script.user("look into it")
    script.call("Agent", "c1", description="look", prompt="Look into it")
    script.user([{"type": "text", "text": "[Request interrupted by user for tool use]"}])
    script.user("go on")
    assert script.events(Delegated) == []


def test_a_sub_agent_whose_session_was_cut_off_may_still_run(script: Script) -> None:
    script.user("look into it")
    script.call("Agent", "c1", description="look", prompt="Look into it")
    assert [event.state for event in script.events(Delegated)] == ["running"]  # type: ignore[attr-defined]
