"""What the person wants now: which prompts are kept, and with what beside them."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.distill import distill
from onward.distill.said.title import headline
from onward.model import (
    Compacted,
    Draft,
    Edited,
    Event,
    Interrupt,
    Planned,
    Prompt,
    Ran,
    Refusal,
    Reply,
    Titled,
    TodoItem,
    TodoList,
)


def said(text: str, **more: object) -> Prompt:
    return msgspec.convert({"line": 0, "text": text, "type": "Prompt", **more}, Prompt)


def reply(text: str) -> Reply:
    return Reply(line=0, text=text)


def ran(command: str) -> Ran:
    return Ran(line=0, command=command, failed=False)


EDIT = Edited(line=0, path="src/app.py", added=3)


def session(*events: Event) -> Draft:
    return distill(msgspec.structs.replace(e, line=n) for n, e in enumerate(events, 1))


def kept(*events: Event) -> list[str]:
    return [item.text for item in session(*events).requests]


def test_words_that_came_with_a_refusal_are_the_last_words() -> None:
    no = Refusal(
        line=0, act="git commit -m x", words="put the output into the README", kind="command"
    )
    item = session(said("Add a login page to the shop"), EDIT, no, EDIT).requests[-1]
    assert (item.text, item.places) == ("put the output into the README", ("t:3",))
    assert item.why == "said in place of: `git commit -m x`"
    again = said("Now add a logout button to the header of every page")
    assert kept(said("Add a login page to the shop"), EDIT, no, EDIT, again)[-1] == again.text
    bare = Refusal(line=0, act="git commit -m x", words="no", kind="command")
    assert kept(said("Add a login page to the shop"), EDIT, bare) == [
        "Add a login page to the shop"
    ]


def test_all_requests_of_unfinished_work_are_kept_in_order_of_time() -> None:
    draft = session(
        said("Add a login page to the shop"),
        EDIT,
        reply("Added."),
        said("Now add a logout button to the header of every page, right of the basket"),
        EDIT,
    )
    assert [(i.text[:12], i.evidence, i.places) for i in draft.requests] == [
        ("Add a login ", "asked", ("t:1", "t:3")),  # and the reply that ended it
        ("Now add a lo", "asked", ("t:4",)),
    ]
    assert draft.goal is None


LATER = "Now write the page that shows what was imported, newest first, with its totals"
LONG = "Write an importer for the bank's statements, with one test per column and a clear error"


@pytest.mark.parametrize(
    "finish",
    [
        [ran("git add -A && git commit -m 'Add login'")],
        [ran("git push origin main")],
        [ran("gh pr create --fill")],
        [Compacted(line=0, automatic=True)],
        [Compacted(line=0)],
    ],
)
def test_what_was_asked_before_the_last_finished_thing_is_gone(finish: list[Event]) -> None:
    events = [said("Add a login page to the shop"), EDIT, *finish, said(LONG), EDIT]
    draft = session(*events)
    assert [i.text for i in draft.requests] == [LONG]
    assert draft.goal is not None
    assert draft.goal.text == "Add a login page to the shop"


def test_a_commit_that_failed_finishes_nothing() -> None:
    failed = Ran(line=0, command="git commit -m x", failed=True)
    assert len(kept(said("Add a login page to the shop"), failed, said(LONG), EDIT)) == 2


def test_a_break_of_hours_is_a_boundary() -> None:
    events = [
        said("Add a login page to the shop", at="2026-03-01T10:00:00Z"),
        Edited(line=0, path="a.py", at="2026-03-01T10:05:00Z"),
        said(LONG, at="2026-03-01T15:00:00.5Z"),
    ]
    assert kept(*events) == [LONG]


def test_a_short_last_request_brings_the_one_before_although_that_was_committed() -> None:
    texts = kept(said(LONG), EDIT, ran("git commit -am x"), said("Rename the column please"), EDIT)
    assert texts == [LONG, "Rename the column please"]


def test_a_bare_yes_carries_the_offer_that_it_answers() -> None:
    draft = session(
        said("Clean up the importer and its tests"),
        EDIT,
        reply("The importer is clean.\n\nShould I also delete `old_import.py`?"),
        said("yes"),
    )
    assert draft.requests[-1].text == "yes"
    assert draft.requests[-1].why == "Should I also delete `old_import.py`?"


def test_a_yes_to_an_offer_that_names_nothing_carries_what_was_said_of_it() -> None:
    told = "A day would be read as `d`, eight hours long.\n\nWant me to implement this?"
    draft = session(
        said("Could it read days too, and how long are they?"), reply(told), said("yes")
    )
    assert draft.requests[-1].why == (
        "A day would be read as `d`, eight hours long.\nWant me to implement this?"
    )


def test_a_yes_to_a_list_of_offers_carries_the_whole_list() -> None:
    offers = "I can:\n\n1. add tests\n2. write the manual\n3. tag a release\n\nShall I do these?"
    draft = session(said("Look at the repository as a whole"), reply(offers), said("Yes to all"))
    assert draft.requests[-1].why is not None
    for part in ("add tests", "write the manual", "tag a release"):
        assert part in draft.requests[-1].why


def test_a_continue_after_an_interrupt_carries_the_act_that_was_stopped() -> None:
    draft = session(
        said("Run everything, all of the suites"),
        Interrupt(line=0, act="npm test"),
        said("continue"),
    )
    assert draft.requests[-1].why == "stopped: `npm test`"


def test_slash_commands_are_requests_only_where_they_ask_for_work() -> None:
    texts = kept(
        said("/review 172", source="command"),
        reply("Looks right."),
        said("/tidy", source="command"),
        EDIT,
    )
    assert texts == ["/review 172", "/tidy"]


def test_a_bare_command_that_the_agent_works_on_is_what_is_wanted() -> None:
    draft = session(said(LONG), reply("Done."), said("/tidy", source="command"), EDIT)
    assert draft.next_action is not None
    assert "“/tidy”" in draft.next_action.text


def test_a_short_request_carries_no_statement_that_stood_before_it() -> None:
    draft = session(said(LONG), reply("All of the tests pass."), said("清理旧代码"), EDIT)
    assert draft.requests[-1].why is None


def test_a_continue_after_mere_narration_carries_none_of_it() -> None:
    draft = session(said(LONG), reply("Now let me read the rest:"), said("continue"), EDIT)
    assert draft.requests[-1].why is None


def test_a_pick_is_told_with_the_option_that_it_picks() -> None:
    offer = "Where to?\n\n1. a file at the root\n2. nowhere\n\nWhich lane?"
    draft = session(said(LONG), reply(offer), said("1 with the other findings"))
    assert draft.requests[-1].text == "1 with the other findings (1: a file at the root)"


def test_a_number_of_a_list_brings_the_entry_that_it_names() -> None:
    offer = "These are new:\n\n- #5 a backup\n- #6 keep comments and blank lines"
    draft = session(said("look at the list"), reply(offer), said("Do #6 before all of the others"))
    assert draft.requests[-1].why == "#6: keep comments and blank lines"


def test_short_words_that_point_bring_what_they_point_at() -> None:
    draft = session(
        said(LONG),
        reply("I looked. We could store the text as it was typed."),
        said("plan this out"),
    )
    assert draft.requests[-1].why == "I looked. We could store the text as it was typed."


def test_a_continue_after_a_report_of_what_is_done_carries_none_of_it() -> None:
    draft = session(said(LONG), reply("The seventh part is written."), said("continue"), EDIT)
    assert draft.requests[-1].why is None


def test_commands_that_the_person_ran_are_no_requests() -> None:
    assert kept(said("Find the slow query in the log"), said("ls -la", source="shell")) == [
        "Find the slow query in the log"
    ]


def test_thanks_and_farewells_are_no_requests() -> None:
    assert kept(said("Find the slow query in the log"), reply("Found."), said("thanks!")) == [
        "Find the slow query in the log"
    ]


def test_the_same_words_twice_are_one_request_at_their_later_place() -> None:
    draft = session(said(LONG), Interrupt(line=0), said(LONG), EDIT)
    assert [(i.text, i.places) for i in draft.requests] == [(LONG, ("t:3",))]


def test_a_long_text_put_in_again_with_another_order_is_one_request() -> None:
    pasted = "\n".join(f"finding {n}: the part {n} is written by two programs" for n in range(8))
    draft = session(
        said(f"do step one of this:\n{pasted}"),
        Interrupt(line=0),
        said(f"do option one of this:\n{pasted}"),
        EDIT,
    )
    assert [i.text[:13] for i in draft.requests] == ["do option one"]


def test_prompts_of_sub_agents_are_the_agents_words() -> None:
    inner = Prompt(line=1, text="Search the code for all uses of the importer", thread="a1")
    assert session(said(LONG), inner).requests == session(said(LONG)).requests


def test_a_picture_without_words_is_still_a_request() -> None:
    assert kept(said("", images=1)) == ["(a picture)"]
    assert kept(said("Why does it look like this here?", images=2)) == [
        "Why does it look like this here? (with 2 pictures)"
    ]


def test_requests_are_bounded_in_number_and_length() -> None:
    events: list[Event] = []
    for n in range(60):
        events += [said(f"Do the thing number {n} " + "very well " * 300), EDIT]
    draft = session(*events)
    assert len(draft.requests) <= 10
    assert "number 59" in draft.requests[-1].text
    assert all(len(item.text) <= 3010 for item in draft.requests)


# ------------------------------------------------------------------------------- task


@pytest.mark.parametrize(
    ("prompt", "line"),
    [
        ("can you please add a logout button to the header?", "Add a logout button to the header?"),
        ("I want you to rewrite the parser. Take your time.", "Rewrite the parser"),
        ("Hi! Let's make the build faster", "Make the build faster"),
        ("请帮我修复登录页面的错误", "修复登录页面的错误"),
        (
            "\u276f ./run.sh\n[+] Building 1.3s\n=> load 2B\nError: exit code: 1\n\u276f ",
            "Look into the pasted output: Error: exit code: 1",
        ),
        (
            "2026-03-01 10:00:00 ERROR boom\nwhy does this happen at start?",
            "Why does this happen at start?",
        ),
        (
            "Good, the test passes now. I am seeing these lint errors.\n\n src/a.ts\n"
            + "  5:11  error  unused  no-vars\n" * 7,
            "I am seeing these lint errors",
        ),
        (
            "Fix the header. It fails on Safari.\n" + "  5:11  error  unused  no-vars\n" * 7,
            "Fix the header",
        ),
        (
            "curl -H 'Accept: text' http://shop.example/cron\nThe page could not be found",
            "The page could not be found",
        ),
        (
            "I don't understand what it says:\n$ make all\nSummary of the rows that were built\n$ make test",
            "I don't understand what it says",
        ),
        (
            "i'm not sure if this works:\n  path: ./scripts/totals.js\n\nplease ensure it runs daily.",
            "Ensure it runs daily",
        ),
    ],
)
def test_the_task_line_is_the_request_without_its_polite_opening(prompt: str, line: str) -> None:
    assert session(said(prompt), EDIT).task.text == line


@given(st.text(max_size=200))
def test_any_prompt_gives_a_task_line(prompt: str) -> None:
    assert len(session(said(prompt), EDIT).task.text) <= 100
    headline(prompt)


def test_the_task_line_is_short_and_one_line() -> None:
    text = session(said("Rewrite " + "the very long thing\nand " * 40), EDIT).task.text
    assert len(text) <= 100
    assert "\n" not in text


def test_an_insult_is_no_title_but_an_order_for_idiots_is() -> None:
    insult = said("YOU BLIND IDIOT, IT'S RIGHT IN FRONT OF YOU")
    assert session(said(LONG), EDIT, insult, EDIT).task.text.startswith("Write an importer")
    order = said("make the importer idiot proof with clear errors for every column")
    assert session(order, EDIT).task.text.startswith("Make the importer")
    assert "Answer the person" not in str(session(order).next_action)


def test_a_title_of_the_person_is_the_task_and_one_of_the_client_only_at_need() -> None:
    mine = Titled(line=0, text="Importer rework", by_person=True)
    theirs = Titled(line=0, text="Some guess")
    assert session(said(LONG), mine, theirs).task.text == "Importer rework"
    assert session(said(LONG), theirs).task.text.startswith("Write an importer")
    assert session(theirs).task.text == "Some guess"


def test_an_approved_plan_names_the_task_until_something_else_is_begun() -> None:
    plan = Planned(line=0, text="# Plan: Move to SQLite\n\n1. Schema\n2. Queries", approved=True)
    assert session(said("How do we move off the files?"), plan, EDIT).task.text == "Move to SQLite"
    after = session(plan, EDIT, ran("git commit -am done"), said(LONG), EDIT)
    assert after.task.text.startswith("Write an importer")


@pytest.mark.parametrize(
    "last",
    ["There is a new work tree", "continue", "is it used everywhere?", "ok now do it", "commit"],
)
def test_a_remark_or_a_question_at_the_end_does_not_name_the_task(last: str) -> None:
    draft = session(said(LONG), EDIT, reply("Done."), said(last), EDIT)
    assert draft.task.text.startswith("Write an importer")


def test_a_plan_that_was_ticked_off_before_the_last_words_names_the_task_no_more() -> None:
    plan = Planned(line=0, text="# Plan: Move to SQLite\n\n1. Schema\n2. Rows", approved=True)
    done = TodoList(line=0, items=(TodoItem(title="Schema", status="completed"),))
    words = "You switched the branch under someone else"
    draft = session(said("How do we move off the files?"), plan, EDIT, done, said(words), EDIT)
    assert draft.task.text == words
    assert session(said(LONG), plan, EDIT, done).task.text == "Move to SQLite"


@pytest.mark.parametrize(
    ("status", "asked", "named"),
    [
        ("in_progress", 6, "Resolve the rebase"),
        ("in_progress", 2, "Write an importer"),
        ("completed", 6, "Write an importer"),
    ],
)
def test_a_task_under_way_names_the_work_where_the_request_for_it_lies_far_back(
    status: str, asked: int, named: str
) -> None:
    items = (msgspec.convert({"title": "Resolve the rebase", "status": status}, TodoItem),)
    begun = (said(LONG), EDIT, TodoList(line=0, items=items))
    later = [e for n in range(asked) for e in (said(f"is number {n} used?"), EDIT, reply("Yes."))]
    assert session(*begun, *later).task.text.startswith(named)


ASKED = "Could we also read the statements of the second bank with what is there now?"
DOING = TodoList(
    line=0,
    items=(
        msgspec.convert(
            {"title": "Read the second bank's columns", "status": "in_progress"}, TodoItem
        ),
    ),
)


def test_a_task_under_way_names_the_work_where_only_a_question_does_so() -> None:
    reads = [said(ASKED), reply("We can. Shall I begin?"), said("yes")]
    assert session(*reads, DOING, EDIT).task.text == "Read the second bank's columns"
    assert session(DOING, *reads, EDIT).task.text.startswith("Read the statements")
    assert session(said(LONG), EDIT, said("yes"), DOING).task.text.startswith("Write an importer")


def test_an_offer_that_was_accepted_names_the_work_where_only_a_question_does_so() -> None:
    offer = reply("We can. Want me to add a reader for the second bank's columns?")
    named = "Add a reader for the second bank's columns"
    assert session(said(ASKED), offer, said("yes, please"), EDIT).task.text == named
    assert session(said(ASKED), offer, said("no, wait"), EDIT).task.text != named
    assert session(said(LONG), offer, said("yes, please"), EDIT).task.text.startswith("Write an")


def test_a_long_task_line_ends_with_a_clause_that_tells_enough() -> None:
    clause = "When removing an item do not remove the table"
    prompt = (
        f"{clause}, also I think empty fields are fine but please check whether the comments hold"
    )
    assert session(said(prompt), EDIT).task.text == clause


def test_words_that_say_little_leave_the_name_to_the_approved_plan() -> None:
    plan = Planned(line=0, text="# Plan: Move to SQLite\n\n1. Schema", approved=True)
    after = session(
        said(LONG), plan, EDIT, ran("git commit -am done"), said("ok now do part 2"), EDIT
    )
    assert after.task.text == "Move to SQLite"


def test_a_plan_that_waits_names_the_task() -> None:
    plan = Planned(line=0, text="# Plan: Move to SQLite\n\n1. Schema")
    assert session(said("How do we move off the files?"), plan).task.text == "Move to SQLite"


@pytest.mark.parametrize(
    "last",
    [
        "Not half-even: round half up, as the bank does on every statement",
        "README later, once the option is released. But check that the total is converted once",
        "Now the option. And print a line with the total of all months at the end",
        "Good. Also keep in mind: never sort in memory, the exports are ordered by date",
        "Also print a line with the total of all months at the end, please",
    ],
)
def test_words_that_refine_the_work_do_not_name_it(last: str) -> None:
    draft = session(said(LONG), EDIT, ran("git commit -am x"), said(last), EDIT)
    assert draft.task.text.startswith("Write an importer for the bank's statements")


def test_a_long_addition_after_a_commit_names_the_task() -> None:
    last = (
        "also every example needs a file with the answers so that we can run them all without a"
        " model and see whether they still work, can you start a helper in the background for this"
    )
    draft = session(said(LONG), EDIT, ran("git commit -am x"), said(last), EDIT)
    assert draft.task.text.startswith("Every example needs a file with the answers")


@pytest.mark.parametrize(("yes", "named"), [("", True), ("yes, ", False)])
def test_a_long_answer_names_the_task_unless_it_is_a_yes(yes: str, named: bool) -> None:
    last = (
        f"{yes}implement the first way of the two with great care, so that none of the steps before"
        " it breaks, and show me the whole list of lines that you changed in the installer script"
    )
    draft = session(said(LONG), reply("Two ways. Shall I show the code?"), said(last), EDIT)
    assert draft.task.text.startswith("Implement the first way") == named


def test_new_work_after_a_commit_names_the_task() -> None:
    last = "Translate the error messages of the importer into German"
    draft = session(said(LONG), EDIT, ran("git commit -am x"), said(last), EDIT)
    assert draft.task.text == last


@pytest.mark.parametrize(("status", "held"), [("completed", False), ("in_progress", True)])
def test_a_plan_whose_tasks_are_all_ticked_off_is_told_no_more_after_the_next_words(
    status: str, held: bool
) -> None:
    plan = Planned(line=0, text="# Plan: Move to SQLite\n\n1. Schema\n2. Rows", approved=True)
    draft = session(
        said("How do we move off the files?"),
        plan,
        EDIT,
        TodoList(line=0, items=(msgspec.convert({"title": "Schema", "status": status}, TodoItem),)),
        ran("git commit -am x"),
        said("You switched the branch under someone else"),
    )
    assert (draft.plan is not None) == held


@pytest.mark.parametrize("slight", ["Serena", "!", "Sorry, my mistake"])
def test_earlier_words_that_nothing_came_of_and_that_say_nothing_are_left_out(slight: str) -> None:
    assert kept(said(LONG), EDIT, said(slight), EDIT, said(LATER)) == [LONG, LATER]


def test_an_earlier_word_that_a_commit_came_of_is_kept() -> None:
    made = Ran(
        line=0,
        command="git commit -m 'Add importer'",
        failed=False,
        output="[main 9f5a3c7] Add importer\n 1 file changed, 3 insertions(+)",
    )
    lean = "and the totals"
    found = session(said(LONG), EDIT, said("Finish"), made, said(lean), EDIT).requests
    assert [item.places for item in found if item.text == "Finish"] == [("t:3", "c:9f5a3c7")]


def test_a_slash_command_that_reached_the_agent_as_words_is_left_out() -> None:
    typed = "/plugin marketplace add acme/tools\n   /plugin install shop@acme"
    no = reply("Those are no commands of this client.")
    assert kept(said(LONG), EDIT, said(typed), no, said(LATER)) == [LONG, LATER]
    assert typed in kept(said(LONG), EDIT, said(typed), EDIT, no, said(LATER))


def test_a_path_is_no_slash_command() -> None:
    path = "/home/maria/shop/importer.py is the one to read"
    no = reply("It reads the statements line by line.")
    assert path in kept(said(LONG), EDIT, said(path), no, said(LATER))
