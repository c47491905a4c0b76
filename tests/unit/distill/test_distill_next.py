"""The next action: which of several candidates is chosen, and that it can be carried out."""

from __future__ import annotations

import msgspec
import pytest

from onward.distill import distill
from onward.model import (
    Asked,
    Background,
    Delegated,
    Draft,
    Edited,
    Event,
    Halt,
    Interrupt,
    Item,
    Looked,
    Planned,
    Prompt,
    Question,
    Ran,
    Refusal,
    Reply,
    TodoItem,
    TodoList,
)

LONG = "Write an importer for the bank's statements, with one test per column and a clear error"
EDIT = Edited(line=0, path="src/app.py", added=3)
FAIL = Ran(
    line=0,
    command="pytest -q",
    failed=True,
    exit_code=1,
    output="FAILED tests/test_a.py::test_one - assert 1 == 2\n1 failed, 3 passed in 0.10s\n",
)
PASS = Ran(line=0, command="pytest -q", failed=False, output="4 passed in 0.10s\n")


def said(text: str) -> Prompt:
    return Prompt(line=0, text=text)


def reply(text: str) -> Reply:
    return Reply(line=0, text=text)


def todo(*entries: tuple[str, str]) -> TodoList:
    items = [{"title": title, "status": status} for title, status in entries]
    return TodoList(line=0, items=msgspec.convert(items, tuple[TodoItem, ...]))


def session(*events: Event) -> Draft:
    return distill(msgspec.structs.replace(e, line=n) for n, e in enumerate(events, 1))


def following(*events: Event) -> Item[str]:
    found = session(*events).next_action
    assert found is not None
    return found


def test_a_question_left_open_comes_first() -> None:
    item = following(
        said(LONG), FAIL, EDIT, reply("Done so far.\n\nWhich bank comes first, A or B?")
    )
    assert item.text == "Answer the agent's question: “Which bank comes first, A or B?”"
    assert item.places == ("t:4",)


def test_an_offer_to_commit_says_that_nothing_is_committed() -> None:
    item = following(said(LONG), EDIT, reply("All done. Ready to commit these changes?"))
    assert "Ready to commit these changes?" in item.text
    assert "(no commit was seen for 1 changed file)" in item.text


def test_a_form_without_answers_is_the_open_question_with_its_options() -> None:
    form = Asked(line=0, questions=(Question(text="Which store?", options=("SQLite", "files")),))
    assert following(said(LONG), form).text == (
        "Answer the agent's question: “Which store? (SQLite / files)”"
    )


def test_a_plan_without_an_answer_waits_for_approval() -> None:
    plan = Planned(line=0, text="# Plan: Move to SQLite")
    assert following(said(LONG), plan).text.endswith("waits for an answer: Move to SQLite")


@pytest.mark.parametrize("end", ["Anything else?", "Let me know if you want changes?", "It works."])
def test_a_courtesy_is_no_open_question(end: str) -> None:
    assert "Answer" not in following(said(LONG), EDIT, reply(end)).text


def test_a_prompt_without_an_answer_is_to_be_begun() -> None:
    item = following(said("Add a login page"), EDIT, reply("Done."), said(LONG))
    assert item.text == f"Do what was asked last and not begun: “{LONG}”"
    assert item.evidence == "asked"


def test_an_unanswered_yes_is_worded_as_what_it_agrees_to() -> None:
    item = following(said(LONG), reply("Shall I delete `old.py`?"), said("yes"))
    assert item.text == "Do what was agreed to with “yes”: “Shall I delete `old.py`?”"


def test_an_interrupted_act_is_named_with_its_request() -> None:
    item = following(said(LONG), Interrupt(line=0, act="npm test"))
    assert item.text.startswith("Go on with the interrupted act: `npm test`")
    assert "stopped by the person" in item.text


def test_an_act_that_was_refused_is_not_to_be_repeated() -> None:
    no = Refusal(line=0, act="git commit -m x", kind="command")
    item = following(said(LONG), EDIT, no, Interrupt(line=0, act="git commit -m x"))
    assert item.text.startswith("Ask how to go on: the person refused `git commit -m x`")
    no = Refusal(line=0, act="edit a.py", words="use b.py", kind="edit")
    assert (
        following(said(LONG), no).text
        == "Do what the person said instead of edit `a.py`: “use b.py”"
    )


def test_a_halt_is_no_end_of_the_work() -> None:
    item = following(said(LONG), EDIT, Halt(line=0, reason="usage limit reached"))
    assert "usage limit reached" in item.text
    assert LONG in item.text


def test_a_failing_run_is_to_be_mended_with_its_decisive_lines() -> None:
    item = following(said(LONG), EDIT, FAIL, reply("I will look into it."))
    assert item.text.startswith("Mend the failing run: `pytest -q`")
    assert "test_one" in item.text
    assert item.evidence == "observed"


def test_what_failed_and_later_passed_is_not_open() -> None:
    draft = session(said(LONG), FAIL, EDIT, PASS, reply("Green."))
    assert draft.next_action is not None
    assert "Mend" not in draft.next_action.text
    assert not draft.blockers


def test_the_task_in_progress_comes_before_the_pending_one() -> None:
    tasks = todo(("Schema", "completed"), ("Docs", "pending"), ("Queries", "in_progress"))
    assert (
        following(said(LONG), tasks, reply("On it."), EDIT).text
        == "Go on with the task: Queries; then: Docs"
    )
    assert (
        following(said(LONG), todo(("Docs", "pending")), reply("ok")).text == "Begin the task: Docs"
    )


def test_a_task_that_the_agent_may_have_finished_is_to_be_checked_first() -> None:
    item = following(said(LONG), todo(("Queries", "in_progress")), EDIT, reply("All is done."))
    assert item.text == "Check whether it is done, else go on with the task: Queries"
    assert item.why == "1 edit came after the list's last update"


def test_a_list_of_an_earlier_request_is_not_what_comes_next() -> None:
    old = todo(("Queries", "in_progress"))
    item = following(said("Move to SQLite please"), old, EDIT, said(LONG), EDIT)
    assert "Queries" not in item.text


def test_work_broken_off_goes_on_with_the_request_and_the_last_act() -> None:
    item = following(said(LONG), reply("I begin."), EDIT)
    assert item.text.startswith("Go on with what was asked, begun and not finished")
    assert "edit `src/app.py`" in item.text


def test_work_broken_off_in_a_command_begins_with_that_command_again() -> None:
    item = following(said(LONG), EDIT, msgspec.structs.replace(PASS, state="open", failed=None))
    assert item.text.endswith(" — run again first, its end was not seen: `pytest -q`")


@pytest.mark.parametrize("command", ["git push origin main", "pytest -q && git commit -m done"])
def test_a_command_that_is_not_to_be_done_twice_is_looked_after_first(command: str) -> None:
    item = following(said(LONG), Ran(line=0, command=command, state="open"))
    assert item.text.endswith(
        f" — see first whether it was done, its end was not seen: `{command}`"
    )


def test_work_broken_off_a_few_acts_after_an_announcement_tells_it_with_the_last_act() -> None:
    words = "Now let me read the columns of the second bank:"
    item = following(said(LONG), reply(words), EDIT)
    announced = (
        "in the middle of what it announced: “Now let me read the columns of the second bank”"
    )
    assert item.text.endswith(f" — {announced}; last act: edit `src/app.py`")


def test_an_announcement_that_came_before_the_last_words_is_not_told_of_them() -> None:
    item = following(reply("Now let me read the columns:"), said(LONG), EDIT)
    assert "announced" not in item.text


def test_a_build_that_another_check_of_the_same_files_overtook_is_not_to_be_mended() -> None:
    failed = Ran(
        line=0, command="go build ./api/...", failed=True, output="api/a.go:3: undefined: x"
    )
    passed = Ran(line=0, command="go vet ./api/...", failed=False)
    assert "go build" in following(said(LONG), failed, EDIT).text
    assert "go build" not in following(said(LONG), failed, passed, EDIT).text
    elsewhere = msgspec.structs.replace(passed, command="go vet ./web/...")
    assert "go build" in following(said(LONG), failed, elsewhere, EDIT).text


def test_a_check_of_another_kind_overtakes_no_failure_of_the_same_files() -> None:
    failed = Ran(line=0, command="mypy src/shop", failed=True, output="src/shop/a.py:3: error: x")
    passed = Ran(line=0, command="ruff check src/shop", failed=False, output="All checks passed!")
    assert "mypy src/shop" in following(said(LONG), failed, passed, EDIT).text


def test_work_broken_off_after_an_announcement_says_what_was_announced() -> None:
    item = following(said(LONG), EDIT, reply("Now let me run the tests:"))
    assert item.text.endswith(" — announced last: “Now let me run the tests:”")


def test_work_broken_off_tells_all_sentences_at_the_end_that_say_what_comes_next() -> None:
    words = "I see the menu. Now I need to add the banner. Let me find the render section."
    item = following(said(LONG), EDIT, reply(words))
    told = "Now I need to add the banner. Let me find the render section."
    assert item.text.endswith(f" — announced last: “{told}”")


def test_work_broken_off_goes_on_by_the_list_that_the_agent_made_of_it() -> None:
    made = reply(
        "You have nine of twelve functions. I'll add these:\n\n1. **Badges** (in the client)\n"
        "2. A map pin\n\nLet me read the files."
    )
    listed = "as it announced: “I'll add these: Badges (in the client); A map pin”"
    item = following(said(LONG), made, EDIT)
    assert item.text.endswith(f" — {listed}; last act: edit `src/app.py`")
    assert "announced" not in following(said(LONG), made, said("Now the docs, please"), EDIT).text


def test_of_open_tasks_the_one_whose_file_was_changed_last_is_in_hand() -> None:
    tasks = todo(
        ("Move `badge.tsx` over", "in_progress"),
        ("Move `row.tsx` over", "pending"),
        ("Move `card.tsx` over", "pending"),
    )
    badge, row = (Edited(line=0, path=f"src/{name}.tsx", added=3) for name in ("badge", "row"))
    item = following(said(LONG), tasks, badge, row)
    assert item.text == "Go on with the task: Move `row.tsx` over; then: Move `card.tsx` over"
    assert "badge" in following(said(LONG), tasks, badge).text


def test_a_task_list_grown_old_is_gone_back_to_with_the_note_that_was_written_last() -> None:
    tasks = todo(("Resolve the conflicts", "in_progress"), ("Push", "pending"))
    note = Edited(line=0, path="notes/status.md", change="created", added=9)
    asked = said("Write a status file for tomorrow, with all that was decided so far in it")
    item = following(said(LONG), tasks, asked, note, reply("The status is in notes/status.md."))
    assert item.text == (
        "First read `notes/status.md`, which the agent wrote last. "
        "Check whether it is done, else go on with the task: Resolve the conflicts; then: Push"
    )
    assert item.why == "1 edit and 1 request came after the list's last update"
    first = Edited(line=0, path="notes/first.md", change="created", added=9)
    both = reply("See notes/status.md, and notes/first.md before it.")
    last = following(said(LONG), tasks, asked, first, note, both)
    assert last.text.startswith("First read `notes/status.md`, which the agent wrote last. ")
    done = following(said(LONG), todo(("Push", "completed")), asked, note, reply("It is done."))
    assert done.text.startswith("Ask the person what comes next")


def test_a_plan_put_aside_without_a_word_is_asked_about_with_its_file() -> None:
    plan = Planned(
        line=0, text="# Plan: One importer\n\n1. Read", approved=False, path="plans/a.md"
    )
    refused = Refusal(line=0, act="One importer", kind="plan")
    item = following(said(LONG), plan, refused)
    assert item.text.startswith(
        "Ask whether the plan in plans/a.md is to be carried out: One importer"
    )


def test_what_blocks_the_next_action_stands_before_why_it_is_the_next() -> None:
    shut = Ran(line=0, command="shop deploy", failed=True, output="You are not logged in.")
    item = following(said(LONG), todo(("Deploy", "in_progress")), EDIT, shut)
    assert item.why == (
        "blocked: `shop deploy` waits for access: not logged in.; "
        "1 edit came after the list's last update"
    )


def test_a_check_outside_of_the_project_is_not_run_again() -> None:
    probe = Ran(line=0, command="bash /tmp/test-quotes.sh", failed=False, output="2 passed\n")
    item = following(said(LONG), probe, EDIT, reply("The quotes are right now."))
    assert "/tmp" not in item.text


@pytest.mark.parametrize(
    "words", ["Now I add the banner. Let me find the render section:", "现在修改\uff1a"]
)
def test_words_that_announce_the_next_act_are_no_closing_words(words: str) -> None:
    item = following(said(LONG), EDIT, reply(words))
    assert item.text.startswith("Go on with what was asked, begun and not finished")


def test_next_steps_in_the_closing_words_are_the_agents_claim() -> None:
    item = following(
        said(LONG), EDIT, reply("Done.\n\n## Next steps\n- Run the migration\n- Tell Ann")
    )
    assert "Run the migration" in item.text
    assert item.evidence == "claimed"


def test_a_check_that_edits_made_stale_is_to_be_run_again() -> None:
    item = following(said(LONG), PASS, EDIT, reply("All is done and green."))
    assert item.text == "Run `pytest -q` again: 1 edit came after it last passed"


def test_an_older_build_need_not_be_run_again_where_the_tests_passed_since() -> None:
    build = Ran(line=0, command="cargo build", failed=False, output="Finished in 2s")
    item = following(said(LONG), build, EDIT, PASS, reply("All is done and green."))
    assert "cargo build" not in item.text


def test_changes_without_a_commit_are_to_be_looked_over() -> None:
    item = following(said(LONG), EDIT, PASS, reply("All is done and green."))
    assert "src/app.py" in item.text
    assert "commit" in item.text


@pytest.mark.parametrize(
    "events",
    [
        [said("hi")],
        [said("继续")],
        [said(LONG), reply("Finished.")],
        [Interrupt(line=0)],
        [reply("I looked around.")],
        [EDIT],
        [todo(("Docs", "pending"))],
    ],
)
def test_it_is_never_empty_where_there_is_anything(events: list[Event]) -> None:
    assert following(*events).text


@pytest.mark.parametrize(
    "words",
    ["Why did you switch the branch?", "You switched the branch under my feet", "is it done"],
)
def test_a_question_or_a_complaint_is_to_be_answered(words: str) -> None:
    item = following(said(LONG), EDIT, reply("Done."), said(words))
    assert item.text == f"Answer the person: “{words}”"


def test_a_complaint_that_was_answered_is_not_called_done() -> None:
    item = following(said(LONG), EDIT, reply("Done."), said("You broke the login"), reply("I did."))
    assert item.text.startswith("Ask the person whether this is settled: “You broke the login”")
    assert "“I did.”" in item.text


def test_a_question_under_work_is_to_be_answered_after_the_last_act() -> None:
    item = following(said(LONG), reply("Done."), said("is the old column still used?"), EDIT)
    assert item.text == (
        "Go on with the work that their question led to, and answer it: “is the old column still used?”"
        " (last act: edit `src/app.py`)"
    )


def test_a_correction_is_told_beside_the_work_that_it_corrects() -> None:
    item = following(said(LONG), EDIT, said("no, follow the guide"), EDIT)
    assert f"“{LONG}”, minding “no, follow the guide”" in item.text


def test_a_picture_alone_is_to_be_looked_at() -> None:
    shot = Prompt(line=0, text="", images=1)
    item = following(said(LONG), reply("Which error do you see?"), shot)
    assert item.text == (
        "Look at the picture that the person sent last, in answer to “Which error do you see?”"
    )


def test_an_offer_before_the_end_of_the_last_message_is_open() -> None:
    words = "Two gaps are left. Want me to close them?\n\nThe list is in `gaps.md`."
    item = following(said(LONG), EDIT, reply(words))
    assert item.text == "Answer the agent's question: “Want me to close them?”"


def test_an_offer_that_another_request_passed_over_is_named_again() -> None:
    item = following(
        said("Compare the two pages and tell me the gaps"),
        reply("Three gaps. Want me to close them?"),
        said("Move all of the documents into the folder docs/me"),
        reply("All is moved."),
    )
    assert "never answered: “Want me to close them?”" in item.text


def test_a_request_in_the_words_of_the_offer_has_answered_it() -> None:
    item = following(
        said("Review the fourth milestone and tell me the gaps"),
        reply("Three gaps. Do you want me to fix the M4 issues now?"),
        said("Please fix issues with M4"),
        EDIT,
        reply("All are fixed."),
    )
    assert "never answered" not in item.text


def test_a_message_of_nothing_that_can_be_seen_does_not_end_an_act() -> None:
    item = following(
        said("Close the cycle and write the notes for it"),
        EDIT,
        reply("May I commit and push?"),
        said("yes commit using shipit push"),
        reply("Committing and pushing. I'll go silent and wait for you."),
        Ran(line=0, command="shipit push main --title 'close the cycle'"),
        reply("\u200b"),
    )
    assert item.text.startswith("Go on with what was asked")
    assert "shipit push main" in item.text


def test_work_that_the_client_broke_off_is_told_with_what_the_agent_was_about_to_do() -> None:
    item = following(
        said("Mend the total of the cart, and say what was wrong"),
        EDIT,
        reply("The total is rounded twice. Let me look at the export."),
        Looked(line=0, path="src/export.py"),
        Halt(line=0, reason="Prompt is too long"),
    )
    assert "broke off (Prompt is too long" in item.text
    assert "announced last: “Let me look at the export.”" in item.text


@pytest.mark.parametrize(
    "words",
    ["use `tool ..`", "use `tool` instead of pytest", "Use `tool` when testing from here on"],
)
def test_a_check_that_the_person_refused_is_never_proposed(words: str) -> None:
    no = Refusal(line=0, act="pytest -q", words=words, kind="command")
    item = following(said(LONG), PASS, EDIT, no, reply("All is done."))
    assert (
        item.text
        == f"Run the tests again with `tool` (“{words}”): 1 edit came after it last passed"
    )
    failing = following(said(LONG), EDIT, FAIL, no, reply("All is done."))
    assert "pytest" not in failing.text


def test_a_refusal_that_names_no_other_way_bars_no_check() -> None:
    no = Refusal(line=0, act="pytest -q", words="not while the server is down", kind="command")
    assert "`pytest -q` again" in following(said(LONG), PASS, EDIT, no, reply("Done.")).text


def test_a_task_that_a_later_report_names_is_done() -> None:
    tasks = todo(("Helper 9: Delivery plan", "in_progress"), ("Helper 10: Synthesis", "pending"))
    ninth = Delegated(
        line=0, task="You are Helper 9, write the delivery plan", report="Written: x."
    )
    tenth = Delegated(line=0, task="You are Helper 10, write the synthesis", report="Written: y.")
    item = following(said(LONG), tasks, ninth, reply("All of it is written."))
    assert item.text == "Begin the task: Helper 10: Synthesis"
    item = following(said(LONG), tasks, ninth, tenth, reply("All of it is written."))
    assert item.text.startswith("Ask the person what comes next")


def test_the_next_action_is_short_and_its_marks_are_closed() -> None:
    act = Ran(line=0, command="make " + "target " * 100, failed=False)
    options = "\n".join(f"{n}. `option {n}` " + "in many words " * 9 for n in range(9))
    for events in ([said(LONG * 9), act], [said(LONG), reply(f"{options}\n\nWhich one?")]):
        text = following(*events).text
        assert len(text) <= 400
        assert text.count("“") == text.count("”")
        assert text.count("`") % 2 == 0


def test_the_last_act_is_told_only_if_it_came_after_the_last_words() -> None:
    item = following(said(LONG), EDIT, reply("Done."), said(LONG + " anew"), reply("Let me see:"))
    assert "last act" not in item.text


def test_a_request_that_only_points_is_told_beside_the_work_that_it_points_at() -> None:
    item = following(said(LONG), EDIT, said("plan this out"), EDIT)
    assert f"“{LONG}”, minding “plan this out”" in item.text


def test_a_failing_run_is_told_in_one_sentence_with_the_fix_that_the_agent_names() -> None:
    output = (
        "E       AssertionError: assert 1 == 2\nE        +  where 1 = f()\n"
        "FAILED tests/test_a.py::test_one - AssertionErr...\n1 failed, 3 passed in 0.10s\n"
    )
    red = Ran(line=0, command="pytest -q", failed=True, exit_code=1, output=output)
    item = following(said(LONG), EDIT, red, reply("It is red. The fix is in `a.py`: add up first."))
    assert item.text == (
        "Mend the failing run: `pytest -q` (1 failed, 3 passed): "
        "tests/test_a.py::test_one: assert 1 == 2"
    )
    assert item.why == "claimed by the agent: “The fix is in `a.py`: add up first.”"
    assert item.places == ("t:3", "t:4")


def test_words_before_a_failing_run_name_no_fix_for_it() -> None:
    assert following(said(LONG), reply("The fix is in `a.py`."), EDIT, FAIL).why is None


@pytest.mark.parametrize(
    "words",
    [
        "Next: call `months.split` there and print one block a month.",
        "Next is the speed: one dict a row is most of the time. I'd pass plain rows.",
        "That is the next edit, in `broken()`: unpack both.",
        "What is left: a line in README.md about days.",
        "After that the unknown currency is left.",
        "Remaining: the docs of the importer.",
        "Still open: the docs of the importer.",
        "下一步是给 `show` 加测试。",
        "Falta la prueba de `show`.",
    ],
)
def test_a_next_step_in_prose_is_the_next_action(words: str) -> None:
    item = following(said(LONG), EDIT, PASS, EDIT, reply(f"The rows are read.\n\nGreen. {words}"))
    assert item.text == f"Go by the agent's last words on what comes next: “{words}”"
    assert item.evidence == "claimed"


def test_nothing_left_is_no_next_step() -> None:
    item = following(said(LONG), EDIT, PASS, reply("All rows are read. Remaining: nothing."))
    assert item.text.startswith("Ask the person what comes next")


@pytest.mark.parametrize(
    "words",
    [
        "Tell me when you have looked at it, then I'll commit both files.",
        "I'm waiting for you to restart the server.",
        "Once you have set the key, I'll run the import.",
        "I'll push the branch as soon as you agree.",
    ],
)
def test_what_the_agent_waits_for_is_a_blocker_and_comes_first(words: str) -> None:
    draft = session(said(LONG), FAIL, EDIT, reply(f"The rows are read. {words}"))
    assert draft.next_action is not None
    assert draft.next_action.text == f"Wait for the person: “{words}”"
    assert [b.text for b in draft.blockers][-1] == f"Waits for the person: “{words}”"


@pytest.mark.parametrize(
    "meant",
    [
        "Let me just rename the `remove.rs` tests",
        "Now I'll run the migration on a copy",
        "Agora vou verificar e commitar tudo",
        "让我先重命名这些测试",
    ],
)
def test_what_the_agent_says_last_that_it_does_next_comes_before_a_stale_check(meant: str) -> None:
    words = f"The tests at lines 131 and 147 are still correct. {meant}."
    item = following(said(LONG), PASS, EDIT, reply(words))
    assert f"announced last: “{meant}" in item.text
    assert "131" not in item.text


@pytest.mark.parametrize(
    "words",
    [
        "The importer is done. Let me know when you want the next bank.",
        "The importer is done. I'll leave the rest to you.",
        "The importer is done. Let me explain it:\n```\ncode\n```\nAll columns are read.",
    ],
)
def test_an_end_that_only_sounds_like_an_announcement_is_none(words: str) -> None:
    assert "announced" not in following(said(LONG), PASS, EDIT, reply(words)).text


@pytest.mark.parametrize("words", ["Let me know if you want more.", "I waited for your server."])
def test_a_courtesy_waits_for_nobody(words: str) -> None:
    assert "Wait" not in following(said(LONG), EDIT, reply(f"Done. {words}")).text


def test_an_act_that_was_stopped_half_way_may_have_done_a_part() -> None:
    cut = Ran(line=0, command="python3 rename.py", state="interrupted")
    item = following(said(LONG), cut, Interrupt(line=0, act="python3 rename.py"))
    assert "stopped by the person half-way; it may have done part of its work" in item.text


def server(*after: Event) -> Draft:
    start = Ran(line=0, command="npm run dev", background="b1", failed=False)
    return session(said(LONG), start, Background(line=0, id="b1", state="killed"), *after)


def test_a_server_that_ended_with_the_session_is_no_dead_end() -> None:
    draft = server()
    assert not draft.dead_ends
    assert "Was running in the background, ended with the session: npm run dev" in [
        item.text for item in draft.context
    ]
    assert not server(said("Now add a test")).dead_ends


def test_a_server_that_the_work_went_on_without_was_stopped() -> None:
    assert [i.text for i in server(EDIT).dead_ends] == ["Stopped in the background: npm run dev"]


def test_a_failure_that_the_person_and_the_agent_left_behind_is_not_what_comes_next() -> None:
    later = Prompt(line=0, text="Now write the page on imports for the handbook, please, all of it")
    talk = [Prompt(line=0, text=LONG), EDIT, FAIL, later]
    near = session(*talk, *[EDIT] * 5, Reply(line=0, text="The page is written."))
    assert near.next_action is not None
    assert near.next_action.text.startswith("Run `pytest -q` again: 5 edits came after it failed")
    far = session(*talk, *[EDIT] * 20, Reply(line=0, text="The page is written."))
    assert far.next_action is not None
    assert "pytest" not in far.next_action.text
    assert [run.outcome for run in far.runs] == ["failed"]


def test_the_save_that_reads_the_transcript_is_not_the_last_act() -> None:
    asked = Prompt(line=0, text=LONG)
    save = Ran(line=0, command="touch done; onward save importer", state="open")
    draft = session(asked, EDIT, save)
    assert draft.next_action is not None
    assert "onward save" not in draft.next_action.text


def test_a_note_that_the_agent_began_is_not_urged_into_the_history() -> None:
    told = [
        Ran(line=0, command="git commit -am x", failed=False, output="[main 1a2b3c4] x\n"),
        said("Also start a helper that writes the missing example files for us"),
        Edited(line=0, path="prompts/helper.md", change="created", added=40),
        reply("Started.\n\nHelper:\n- works on the branch `examples`"),
    ]
    before = [said("Mend the importer for the bank's statements"), EDIT]
    item = following(*before, *told)
    assert item.text.startswith("Ask the person what comes next")
    assert "“Started. works on the branch `examples`”" in item.text
    assert "no commit was seen for the changes in prompts/helper.md" in item.text
