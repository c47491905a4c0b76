"""Decisions, refusals, rules, deferred work, plans, tasks, blockers and context."""

from __future__ import annotations

import msgspec
import pytest

from onward.distill import distill
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
    Item,
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


def said(text: str) -> Prompt:
    return Prompt(line=0, text=text)


def reply(text: str) -> Reply:
    return Reply(line=0, text=text)


def todo(*entries: tuple[str, str]) -> TodoList:
    items = [{"title": title, "status": status} for title, status in entries]
    return TodoList(line=0, items=msgspec.convert(items, tuple[TodoItem, ...]))


def session(*events: Event) -> Draft:
    return distill(msgspec.structs.replace(e, line=n) for n, e in enumerate(events, 1))


def texts(items: tuple[Item[str], ...]) -> list[str]:
    return [item.text for item in items]


# -------------------------------------------------------------------------- decisions


def test_an_answer_in_a_form_is_a_decision_with_what_else_was_offered() -> None:
    question = Question(text="Which store?", options=("SQLite", "plain files"), answer="SQLite")
    form = Asked(line=0, questions=(question,), answered=True)
    (item,) = session(said(LONG), form).decisions
    assert item.text == "Which store? → SQLite"
    assert item.why == "also offered: plain files"
    assert (item.evidence, item.places) == ("asked", ("t:2",))


def test_a_form_that_was_not_answered_decides_nothing() -> None:
    form = Asked(line=0, questions=(Question(text="Which store?", options=("A", "B")),))
    assert not session(said(LONG), form).decisions


def test_an_approved_plan_is_a_decision_and_a_superseded_one_is_not() -> None:
    old = Planned(line=0, text="# Plan: Use Redis", approved=False, words="no servers please")
    new = Planned(line=0, text="# Plan: Move to SQLite", approved=True)
    draft = session(said(LONG), old, new)
    assert "Approved the plan: Move to SQLite" in texts(draft.decisions)
    assert "Approved the plan: Use Redis" not in texts(draft.decisions)
    assert any("no servers please" in text for text in texts(draft.decisions))
    assert "The person did not approve the plan: Use Redis" in texts(draft.dead_ends)


def test_a_refusal_with_words_is_a_decision_and_the_act_a_dead_end() -> None:
    no = Refusal(line=0, act="npm install left-pad", words="no new packages", kind="command")
    draft = session(said(LONG), no)
    assert draft.decisions[0].text.startswith("no new packages")
    assert draft.dead_ends[0].text == "The person refused: npm install left-pad"
    assert draft.dead_ends[0].why == "no new packages"


def test_a_pick_is_kept_with_what_was_offered() -> None:
    offer = reply("Two ways:\n\n1. one table\n2. two tables\n\nWhich one?")
    (item,) = session(said(LONG), offer, said("option 2, detail view only")).decisions
    assert item.text == "Which one? → option 2, detail view only (2: two tables)"
    assert item.why == "also offered: 1: one table"


@pytest.mark.parametrize("pick", ["2", "(2)", "option 2", "B", "b."])
@pytest.mark.parametrize(
    "form", ["{} two tables", "- **{}** two tables", "{} **two tables**: slow"]
)
def test_a_bare_number_is_told_with_the_option_that_it_picks(pick: str, form: str) -> None:
    key = {"2": "2.", "b": "B)"}["2" if "2" in pick else "b"]
    first = form.format("1." if key == "2." else "A)").replace("two", "one")
    offer = reply(f"Two ways:\n\n{first}\n{form.format(key)}\n\nWhich one?")
    (item,) = session(said(LONG), offer, said(pick)).decisions
    assert item.text.startswith(f"Which one? → {pick}: two tables")


@pytest.mark.parametrize("text", ["yes", "continue", "thanks", "继续"])
def test_a_bare_assent_decides_nothing(text: str) -> None:
    assert not session(said(LONG), reply("Shall I commit?"), said(text)).decisions


def test_the_agents_own_decisions_are_none() -> None:
    assert not session(said(LONG), reply("Decision: I'll go with Redis instead.")).decisions


def test_words_right_after_an_interrupt_are_a_correction() -> None:
    stop = Interrupt(line=0, act="rm -r build")
    (item,) = session(said(LONG), EDIT, stop, said("keep the build folder as it is")).decisions
    assert item.text == "keep the build folder as it is"
    assert item.why == "the person stopped the agent at `rm -r build`"


def test_an_act_that_was_stopped_is_no_reason_for_words_about_something_else() -> None:
    stop = Interrupt(line=0, act="rm -r build")
    for words in (
        "use tabs in all of the new templates, not spaces",
        "use pnpm for the build and for all of what comes after it, not npm",
    ):
        (item,) = session(said(LONG), EDIT, stop, said(words)).decisions
        assert (item.text, item.why) == (words, None)


def test_an_act_that_was_stopped_stands_with_words_that_name_it() -> None:
    words = "No, never reset this tree: half of the seams are not committed"
    stop = Interrupt(line=0, act="git reset --hard")
    (item,) = session(said(LONG), EDIT, stop, said(words)).decisions
    assert item.why == "the person stopped the agent at `git reset --hard`"


def test_what_led_up_to_a_question_is_told_in_whole_sentences() -> None:
    lead = f"The old host is slow. {'It is told at length what the old host does. ' * 9}"
    offer = reply(f"{lead}\n\nWant me to leave the old host or not?")
    (item,) = session(said(LONG), offer, said("yes but keep the old host running")).decisions
    assert item.why is None or (len(item.why) < 180 and item.why.endswith("."))


@pytest.mark.parametrize(
    ("before", "why"),
    [
        ("The export is written with floats.", "said after: “The export is written with floats.”"),
        ("The two workers are still running.", None),
    ],
)
def test_words_are_told_with_what_they_were_said_to_where_it_is_about_the_same(
    before: str, why: str | None
) -> None:
    words = "never use floats in the export of prices, they are whole cents"
    (item,) = session(said(LONG), EDIT, reply(before), said(words)).decisions
    assert (item.text, item.why) == (words, why)


def test_an_answer_without_a_word_of_the_question_is_told_without_it() -> None:
    offer = reply("The files are there.\n\nShall I start the server now?")
    words = "let's keep all of the old templates in one folder next to the new ones"
    (item,) = session(said(LONG), EDIT, offer, said(words)).decisions
    assert item.text == words


@pytest.mark.parametrize(
    "text",
    [
        "Why are you writing TypeScript?",
        "Can we undo it with a revert or rather restore it, not sure of the difference",
    ],
)
def test_what_the_person_asks_is_no_decision(text: str) -> None:
    offer = reply("Two ways:\n\nA) clean up both\nB) revert one\n\nWhich?")
    assert not session(said(LONG), EDIT, offer, said(text), EDIT).decisions


@pytest.mark.parametrize("words", ["add the output to the README", "do the tests first"])
def test_a_refusal_that_asks_for_something_more_rules_nothing_out(words: str) -> None:
    no = Refusal(line=0, act="git push origin main", words=words, kind="command")
    draft = session(said(LONG), no)
    assert draft.decisions[0].text == words
    assert not draft.dead_ends


def test_a_plan_that_was_sent_back_to_be_changed_is_no_dead_end() -> None:
    words = "The second site is live too and belongs between the first and the third."
    plan = Planned(line=0, text="# Plan: Move both sites", approved=False, words=words)
    draft = session(said(LONG), plan)
    assert words in draft.decisions[0].text
    assert not draft.dead_ends


def test_a_plan_that_was_taken_up_again_under_a_new_name_is_no_dead_end() -> None:
    first = Planned(line=0, text="# Plan: Use Redis for sessions", approved=False, words="no, wait")
    second = Planned(line=0, text="# Plan: Sessions in Redis, on two hosts", approved=None)
    assert session(said(LONG), first).dead_ends
    assert not session(said(LONG), first, second).dead_ends


def test_a_rule_said_twice_ranks_first_with_both_places() -> None:
    question = Question(text="Which store?", options=("A", "B"), answer="A")
    draft = session(
        said(LONG),
        EDIT,
        said("Stop. What does @GUIDE.md say?"),
        EDIT,
        Asked(line=0, questions=(question,), answered=True),
        said("No, follow @GUIDE.md exactly. Read that file again"),
        EDIT,
    )
    assert draft.decisions[0].places == ("t:3", "t:6")
    assert "@GUIDE.md" in draft.decisions[0].text


def test_decisions_are_bounded() -> None:
    events: list[Event] = [said(f"no, use way {n} for part {n * 7} of it") for n in range(80)]
    assert len(session(*events).decisions) <= 8


@pytest.mark.parametrize(
    "text",
    [
        "EXPLAIN the dev server of the bridge",
        "PLUGIN SETTINGS hold the keys of the shop",
        "more tweaks and fixes, review",
        "I fixed it, check please",
        "why did you take so long for this?",
        "still the same error as before",
        "'User' is defined but never used",
        "重新启动测试环境",
    ],
)
def test_requests_remarks_and_complaints_decide_nothing(text: str) -> None:
    offer = reply("Done.\n\nShall I start the server?")
    assert not session(said(LONG), EDIT, offer, said(text), EDIT).decisions


def test_a_yes_with_a_condition_is_kept_with_its_question() -> None:
    offer = reply("It is ready. Want me to deploy it?")
    (item,) = session(said(LONG), offer, said("yes but keep the old host running")).decisions
    assert item.text == "Want me to deploy it? → yes but keep the old host running"


def test_several_picks_are_told_with_what_they_stand_for() -> None:
    offer = reply("I can:\n\n1. add tests\n2. write the manual\n3. tag it\n\nWhich of these?")
    (item,) = session(said(LONG), offer, said("1 + 2")).decisions
    assert item.text == "Which of these? → 1 + 2 (1: add tests; 2: write the manual)"
    assert item.why == "also offered: 3: tag it"


@pytest.mark.parametrize(
    "rule",
    [
        "always run the linter first",
        "use `tool` instead of make",
        "in German please",
        "follow @GUIDE.md rules",
    ],
)
def test_a_rule_stands_before_newer_decisions_for_the_whole_session(rule: str) -> None:
    commit = Ran(line=0, command="git commit -am done", failed=False)
    question = Question(text="Which store?", options=("A", "B"), answer="A")
    form = Asked(line=0, questions=(question,), answered=True)
    draft = session(said(LONG), said(rule), EDIT, commit, said(LONG + " again"), form, EDIT)
    assert draft.decisions[0].text == rule
    assert "Which store? → A" in texts(draft.decisions)


def test_what_was_decided_for_an_older_topic_stands_last() -> None:
    old = Asked(
        line=0, questions=(Question(text="Old?", options=("A", "B"), answer="A"),), answered=True
    )
    commit = Ran(line=0, command="git commit -am done", failed=False)
    now = said("Move the importer over to the other database driver, let's use psycopg for it")
    draft = session(said(LONG), old, EDIT, commit, now, EDIT)
    assert "psycopg" in draft.decisions[0].text
    assert draft.decisions[-1].text == "Old? → A"


def test_a_plan_that_was_approved_tells_what_it_is_for() -> None:
    text = "# Plan: Move to SQLite\n\nThe files are too slow for a thousand rows. So we move.\n\n1. Schema"
    (item,) = session(said(LONG), Planned(line=0, text=text, approved=True)).decisions
    assert item.text == "Approved the plan: Move to SQLite"
    assert item.why == "The files are too slow for a thousand rows."


# --------------------------------------------------------------------------- deferred


def test_a_request_that_another_was_put_before_is_still_to_be_done() -> None:
    stop = Interrupt(line=0, act="npm test")
    draft = session(said(LONG), EDIT, stop, said("mend the login page first, it is broken"), EDIT)
    assert draft.deferred[0].text == f"Asked before and not seen to be done: “{LONG}”"
    assert draft.deferred[0].places == ("t:1", "t:4")


def test_a_prompt_that_nothing_followed_before_the_last_one_is_still_to_be_done() -> None:
    draft = session(said(LONG), EDIT, said("Write the manual of it too"), said("and tag a release"))
    assert "“Write the manual of it too”" in draft.deferred[0].text


def test_a_refinement_after_an_interrupt_leaves_nothing_undone() -> None:
    stop = Interrupt(line=0, act="npm test")
    assert not session(said(LONG), EDIT, stop, said("use the small fixture"), EDIT).deferred


def test_what_was_put_off_is_kept_in_the_persons_words() -> None:
    draft = session(said(LONG), said("add it to the todo list, not urgent: dark mode"), EDIT)
    assert texts(draft.deferred) == ["add it to the todo list, not urgent: dark mode"]
    assert draft.deferred[0].evidence == "asked"


def test_what_the_agent_puts_off_is_not_deferred_by_the_person() -> None:
    assert not session(said(LONG), reply("We can do the export later.")).deferred


# ------------------------------------------------------------------------------- plan


def test_the_plan_is_told_by_title_file_and_steps() -> None:
    text = "# Plan: Move to SQLite\n\nWhy: speed.\n\n- Keep the old files.\n\n## Steps\n\n1. Write the schema\n2. Port the queries\n"
    plan = Planned(line=0, text=text, approved=True, path="plans/calm-otter.md")
    item = session(said(LONG), plan).plan
    assert item is not None
    assert item.text.splitlines() == [
        "Move to SQLite (plans/calm-otter.md)",
        "Why: speed. Keep the old files.",
        "- Write the schema",
        "- Port the queries",
    ]


def test_of_a_long_plan_whole_steps_are_kept_and_the_rest_is_counted() -> None:
    steps = "\n".join(f"{n}. Step number {n} " + "with many words " * 5 for n in range(1, 30))
    item = session(said(LONG), Planned(line=0, text=f"# Move\n\n{steps}", approved=True)).plan
    assert item is not None
    assert len(item.text) <= 930
    *_, last, more = item.text.splitlines()
    assert last.endswith("with many words")
    assert more.startswith("- and ")


def test_the_points_of_a_plan_without_numbers_are_its_steps() -> None:
    text = "# Move\n\nWhy.\n\n## Changes\n\n- Write the schema file\n- Port the queries to it"
    item = session(said(LONG), Planned(line=0, text=text, approved=True)).plan
    assert item is not None
    assert item.text.splitlines()[-2:] == ["- Write the schema file", "- Port the queries to it"]


def test_a_plan_that_waits_is_shown_as_not_approved() -> None:
    item = session(said(LONG), Planned(line=0, text="# Move\n\n1. Schema")).plan
    assert item is not None
    assert item.text.splitlines()[0] == "Move — not approved yet"
    assert item.evidence == "claimed"


def test_a_plan_that_is_only_shown_again_is_not_approved_anew() -> None:
    plan = Planned(line=0, text="# Plan: Move to SQLite\n\n1. Schema", approved=True)
    commit = Ran(line=0, command="git commit -am done", failed=False)
    draft = session(said("How do we move off the files?"), plan, commit, said(LONG), EDIT, plan)
    assert draft.plan is None
    assert texts(draft.decisions) == ["Approved the plan: Move to SQLite"]
    assert draft.decisions[0].places == ("t:2",)


def test_a_plan_that_was_sent_back_twice_is_one_dead_end_with_the_newest_words() -> None:
    first = Planned(line=0, text="# Plan: Use Redis", approved=False, words="no servers please")
    second = Planned(line=0, text="# Plan: Use Redis", approved=False, words="I said no servers")
    (item,) = session(said(LONG), first, second).dead_ends
    assert item.why == "I said no servers"
    approved = Planned(line=0, text="# Plan: Use Redis", approved=True)
    assert not session(said(LONG), first, approved).dead_ends


def test_a_rejected_plan_is_no_plan() -> None:
    assert session(Planned(line=0, text="# Plan: Redis", approved=False)).plan is None


# ------------------------------------------------------------------------------ tasks


def test_open_tasks_come_before_done_ones() -> None:
    tasks = session(
        said(LONG), todo(("A", "completed"), ("B", "pending"), ("C", "in_progress"))
    ).tasks
    assert [(t.title, t.status) for t in tasks] == [
        ("C", "in_progress"),
        ("B", "pending"),
        ("A", "completed"),
    ]
    assert {t.evidence for t in tasks} == {"claimed"}


def test_a_list_that_the_work_has_left_behind_says_so() -> None:
    tasks = session(said(LONG), todo(("B", "pending")), EDIT, EDIT).tasks
    assert tasks[0].context == "2 edits came after the list's last update"


def test_a_finished_list_of_an_earlier_request_is_history() -> None:
    draft = session(said(LONG), todo(("A", "completed"), ("B", "completed")), said(LONG + " twice"))
    assert not draft.tasks
    assert any("2 entries: A; B" in item.text for item in draft.progress)


# --------------------------------------------------------------------------- blockers


def test_a_halt_at_the_end_is_a_blocker_and_one_that_passed_is_not() -> None:
    halt = Halt(line=0, reason="usage limit reached")
    assert "usage limit reached" in session(said(LONG), EDIT, halt).blockers[0].text
    assert not session(said(LONG), halt, reply("Back again.")).blockers


@pytest.mark.parametrize("reason", ["Prompt is too long", "Context limit reached"])
def test_a_context_that_was_full_blocks_no_session_after_it(reason: str) -> None:
    assert not session(said(LONG), EDIT, Halt(line=0, reason=reason)).blockers


def test_a_command_that_a_rule_refused_is_a_blocker_until_it_was_done() -> None:
    denied = Ran(line=0, command="make deploy", state="denied")
    done = Ran(line=0, command="make deploy", failed=False)
    assert session(said(LONG), denied).blockers[0].text == (
        "Not allowed without the person: `make deploy`"
    )
    assert not session(said(LONG), denied, done, reply("Done.")).blockers


def test_a_merge_conflict_is_a_blocker_until_it_was_committed() -> None:
    out = "Auto-merging src/a.py\nCONFLICT (content): Merge conflict in src/a.py\n"
    merge = Ran(line=0, command="git merge dev", failed=True, output=out)
    commit = Ran(line=0, command="git commit --no-edit", failed=False)
    assert "Merge conflict in src/a.py" in texts(session(said(LONG), merge).blockers)
    assert "Merge conflict in src/a.py" not in texts(session(said(LONG), merge, commit).blockers)


def test_an_open_question_blocks() -> None:
    found = session(said(LONG), reply("Which bank comes first?")).blockers
    assert texts(found) == ["Waits for the person's answer: “Which bank comes first?”"]


# ---------------------------------------------------------------------------- context


def test_a_lasting_rule_is_told_once_as_the_first_decision() -> None:
    question = Question(text="Which store?", options=("A", "B"), answer="A")
    form = Asked(line=0, questions=(question,), answered=True)
    draft = session(said(LONG), said("From now on answer in German."), EDIT, form, said(LONG + "!"))
    assert draft.decisions[0].text == "From now on answer in German."
    assert not draft.context


def test_a_background_task_was_running_and_is_never_said_to_run() -> None:
    start = Ran(line=0, command="npm run dev", cwd="app", background="b1", failed=False)
    (item,) = session(said(LONG), start).context
    assert item.text == "Was running in the background: npm run dev (in app)"
    ended = Background(line=0, id="b1", state="done")
    assert not session(said(LONG), start, ended).context


def test_a_look_that_was_still_running_is_not_told() -> None:
    look = Ran(line=0, command="rg -n issue ~/projects", background="b1", failed=False)
    assert not session(said(LONG), look).context


def test_what_was_learned_the_hard_way_is_kept_whole() -> None:
    draft = session(
        said(LONG),
        Ran(line=0, command="psql --host localhost shop", failed=True, output="refused"),
        said("the database is on host db2"),
        Ran(line=0, command="psql --host db2 shop", failed=False),
    )
    (item,) = draft.context
    assert "localhost" in item.text
    assert "the database is on host db2" in item.text
    assert "`psql --host db2 shop` worked" in item.text
    assert item.places == ("t:2", "t:3", "t:4")


@pytest.mark.parametrize(
    ("words", "worked"),
    [
        ("yes", "psql --host db2 shop"),
        ("the database is on host db2", "git status"),
        ("the database is on host db2", "npm run build"),
        ("the database is on host db2", "psql --host localhost shop"),
        ("write a summary of what was discussed first", "psql --host db2 shop"),
    ],
)
def test_no_lesson_is_seen_where_nothing_was_learned(words: str, worked: str) -> None:
    draft = session(
        said(LONG),
        Ran(line=0, command="psql --host localhost shop", failed=True, output="refused"),
        said(words),
        Ran(line=0, command=worked, failed=False),
    )
    assert not draft.context


def test_a_program_that_is_missing_is_told_until_it_works() -> None:
    missing = Ran(line=0, command="jq . a.json", failed=True, output="bash: jq: command not found")
    works = Ran(line=0, command="jq . a.json", failed=False)
    assert texts(session(said(LONG), missing).context) == ["Not installed here: jq"]
    assert not session(said(LONG), missing, works).context


@pytest.mark.parametrize("says", ["zsh:1: command not found: nvm", "sh: 1: nvm: not found"])
def test_each_shell_says_in_its_own_way_what_is_missing(says: str) -> None:
    missing = Ran(line=0, command="nvm use 20", failed=True, output=says)
    assert texts(session(said(LONG), missing).context) == ["Not installed here: nvm"]


def test_a_sub_agents_report_is_the_agents_claim_in_short() -> None:
    report = "## Findings\n\nThe importer is used in three places of the shop. " + "More. " * 300
    done = Delegated(line=0, task="Find uses of the importer", report=report)
    (item,) = session(said(LONG), done).context
    assert "three places" in item.text
    assert len(item.text) < 450
    assert item.evidence == "claimed"


def test_of_a_report_only_what_it_states_is_told() -> None:
    report = (
        "# Report\n\nI have now read all of it.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
        "```\n├── src\n```\n\n- `src/app.py` opens the file twice and never closes it\n"
    )
    task = "You are the reviewer of the importer. " + "Read on and on. " * 9
    (item,) = session(said(LONG), Delegated(line=0, task=task, report=report)).context
    assert item.text == (
        "Sub-agent (reviewer of the importer.) reported: "
        "`src/app.py` opens the file twice and never closes it"
    )


def test_a_sub_agent_that_was_told_nothing_readable_may_report() -> None:
    done = Delegated(line=0, task="\x1f", report="The parser reads each file of the folder twice.")
    (item,) = session(said(LONG), done).context
    assert item.text.startswith("Sub-agent reported: The parser")


def test_a_notice_of_an_end_is_no_report() -> None:
    done = Delegated(line=0, task="Review it", report='Agent "Review it" completed.')
    assert not session(said(LONG), done).context


def test_a_sub_agent_without_a_report_can_be_started_again() -> None:
    task = "Find all uses of the importer. " + "Look into each folder. " * 20
    running = Delegated(line=0, task=task, state="running")
    (item,) = session(said(LONG), running).blockers
    assert item.text.endswith("Look into each folder.")


def test_a_summary_counts_only_for_what_is_not_in_the_file() -> None:
    summary = Compacted(line=0, summary="Earlier: the schema was agreed on.")
    assert "the schema was agreed on" in session(summary, said(LONG)).context[0].text
    assert not session(said(LONG), EDIT, summary, said(LONG)).context


# ---------------------------------------------------------------------------- closing


def test_the_closing_words_are_claimed_and_bounded() -> None:
    item = session(said(LONG), reply("All is done. " * 500)).closing
    assert item is not None
    assert item.evidence == "claimed"
    assert len(item.text) <= 1400


def test_a_halt_leaves_the_words_before_it_as_closing() -> None:
    item = session(said(LONG), reply("I begin."), Halt(line=0, reason="API error")).closing
    assert item is not None
    assert item.text == "I begin."


@pytest.mark.parametrize(
    "output",
    [
        "1/2 ERROR: provider: 401 Provided authentication token is expired. Sign in again.",
        "remote: error: HTTP 403 Forbidden for url https://api.example.org",
        "You are not logged in to any host. Run the login first.",
    ],
)
def test_a_command_that_was_not_let_in_blocks_until_it_was_done(output: str) -> None:
    shut = Ran(line=0, command="shop eval run a.yaml", failed=True, exit_code=2, output=output)
    (blocker,) = session(said(LONG), shut).blockers
    assert blocker.text.startswith("`shop eval run a.yaml` waits for access: ")
    assert blocker.places == ("t:2",)
    action = session(said(LONG), shut).next_action
    assert action is not None
    assert action.why == f"blocked: {blocker.text}"
    again = msgspec.structs.replace(shut, failed=False, output="2 passed")
    assert not session(said(LONG), shut, again, reply("Done.")).blockers
    checked = msgspec.structs.replace(shut, command="pytest tests/test_login.py")
    assert not [b for b in session(said(LONG), checked).blockers if "access" in b.text]
