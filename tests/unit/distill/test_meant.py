"""What the agent said right before it changed a file is kept with the file."""

from __future__ import annotations

from itertools import count

from onward.distill import distill
from onward.model import Edited, Event, Looked, Prompt, Ran, Reply, Searched


def said_of(path: str, *events: Event) -> tuple[str, ...]:
    """What a session keeps of a file; the events get their lines in order."""
    facts = distill(iter([prompt(), *events]), "/work/shop").files
    return next(fact.said for fact in facts if fact.path == path)


_lines = count(1)


def prompt() -> Prompt:
    return Prompt(line=next(_lines), text="make the report exact")


def reply(text: str, thread: str = "") -> Reply:
    return Reply(line=next(_lines), text=text, thread=thread)


def edit(path: str, thread: str = "") -> Edited:
    return Edited(line=next(_lines), path=f"/work/shop/{path}", added=1, thread=thread)


def looked(path: str) -> Looked:
    return Looked(line=next(_lines), path=f"/work/shop/{path}")


def ran(command: str) -> Ran:
    return Ran(line=next(_lines), command=command, cwd="/work/shop", failed=False)


ROWS = "Now skip the rows that have no date:"


def test_the_last_sentence_before_an_edit_is_kept_without_its_colon() -> None:
    found = said_of("rows.py", reply(f"The total is off by one row.\n\n{ROWS}"), edit("rows.py"))
    assert found == ("Now skip the rows that have no date",)


def test_of_several_sentences_the_one_that_names_the_file_is_kept() -> None:
    text = "In parallel I clean up ResultTable so that it has types. The screenshots need a token."
    assert said_of("ResultTable.tsx", reply(text), edit("ResultTable.tsx")) == (
        "In parallel I clean up ResultTable so that it has types.",
    )


def test_words_that_say_no_more_than_the_name_of_the_file_are_not_kept() -> None:
    assert said_of("rows.py", reply("Now update `rows.py`:"), edit("rows.py")) == ()


def test_words_before_a_command_or_a_search_are_not_about_the_edit_after_it() -> None:
    search = Searched(line=next(_lines), pattern="date", found=("rows.py",))
    assert said_of("rows.py", reply(ROWS), search, edit("rows.py")) == ()
    assert said_of("rows.py", reply(ROWS), ran("pytest"), edit("rows.py")) == ()


def test_a_look_at_the_same_file_comes_between_but_not_at_another() -> None:
    assert said_of("rows.py", reply(ROWS), looked("rows.py"), edit("rows.py"))
    assert said_of("rows.py", reply(ROWS), looked("page.py"), edit("rows.py")) == ()


def test_words_speak_of_the_first_four_files_after_them() -> None:
    names = [f"part{n}.py" for n in range(5)]
    facts = distill(iter([prompt(), reply(ROWS), *map(edit, names)]), "/work/shop").files
    assert {fact.path for fact in facts if fact.said} == set(names[:4])


def test_words_of_a_sub_agent_are_not_about_what_the_session_edits() -> None:
    assert said_of("rows.py", reply(ROWS, "a1"), edit("rows.py")) == ()
    assert said_of("rows.py", reply(ROWS, "a1"), edit("rows.py", "a1"))


def test_words_before_a_new_prompt_are_about_nothing_after_it() -> None:
    assert said_of("rows.py", reply(ROWS), prompt(), edit("rows.py")) == ()


def test_a_file_that_a_command_writes_is_spoken_of_too() -> None:
    assert said_of("notes.txt", reply(ROWS), ran("cat > notes.txt <<'E'\nrows\nE"))


def test_the_two_messages_that_tell_the_most_are_kept_in_order_of_time() -> None:
    told = (
        "Read the exchange rates of every day from the bank's feed.",
        "Fix the lint.",
        "Then round each amount of the invoice half up to cents.",
    )
    events = [event for text in told for event in (reply(text), edit("rates.py"))]
    assert said_of("rates.py", *events) == (told[0], told[2])


def test_a_look_at_a_file_whose_name_ends_alike_is_no_look_at_the_same() -> None:
    assert said_of("data.py", reply(ROWS), Looked(line=9, path="a.py"), edit("data.py")) == ()


def test_a_name_within_another_word_does_not_name_the_file() -> None:
    text = "The report.py parser is ready. Reporting comes next, with the rows of each month."
    assert said_of("reporting_rules.py", reply(text), edit("reporting_rules.py")) == (
        "Reporting comes next, with the rows of each month.",
    )
    text = "Now the reporters get their rows. Then each amount is rounded half up to cents."
    assert said_of("report.py", reply(text), edit("report.py")) == (
        "Then each amount is rounded half up to cents.",
    )
