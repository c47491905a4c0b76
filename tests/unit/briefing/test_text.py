"""Text is cut between words, and quoted text cannot pass for the briefing's own."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.briefing.text import code, fitted, last_line, quote, shorten, tag


@given(st.text(max_size=500), st.integers(10, 300))
def test_a_shortened_text_is_short_and_made_of_whole_words(text: str, limit: int) -> None:
    short = shorten(text, limit)
    assert len(short) <= limit + 4
    if text.isascii():
        assert set(short.replace("[…]", " ").split()) <= set(text.split())


def test_head_and_tail_stay_and_the_middle_goes() -> None:
    short = shorten("Fix the parser. " + "log line " * 100 + "It must accept empty input.", 120)
    assert short.startswith("Fix the parser.")
    assert short.endswith("must accept empty input.")


@pytest.mark.parametrize("limit", range(20, 100, 7))
def test_a_command_in_a_code_span_is_whole_or_absent(limit: int) -> None:
    command = "`pytest -q tests/test_a.py --maxfail 1`"
    short = shorten(f"Fix the failing run: {command} and it failed after the last edit", limit)
    assert command in short or "`" not in short


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("ls", "`ls`"),
        ("echo `date`", "`` echo `date` ``"),
        ("a\n  b", "`a b`"),
        ("x``y", "```x``y```"),
    ],
)
def test_a_code_span_survives_what_it_holds(text: str, span: str) -> None:
    assert code(text) == span


def test_a_quotation_escapes_headings_and_marks() -> None:
    assert quote("one\n\n# Note\n[t:4] [x] [Asked t:2]") == (
        "> one\n> \\# Note\n> \\[t:4] [x] \\[Asked t:2]"
    )


@given(
    st.lists(st.text(st.characters(exclude_categories=["Cc", "Zl", "Zp"]), max_size=200)),
    st.integers(200, 900),
)
def test_lines_that_are_fitted_say_how_many_are_missing(lines: list[str], limit: int) -> None:
    told = fitted("\n".join(lines), limit)
    assert len(told) <= max(limit, 240) * 2
    rules = {
        sign * n for sign in "-=*_~" for n in range(3, 201)
    }  # only part what stands round them
    full = [line for line in lines if line.strip() and line.strip() not in rules]
    if "omitted]" not in told and len(full) > 1:
        assert len(told.splitlines()) == len(full)


def test_the_points_of_a_list_stay_before_the_prose_between_them() -> None:
    text = "\n".join(
        ["Do this:", *(f"- point {n}" for n in range(8)), *("prose " * 30 for _ in range(9)), "Bye"]
    )
    told = fitted(text, 300)
    assert all(f"- point {n}" in told for n in range(8))


def test_an_outline_has_the_headings_before_what_stands_below_them() -> None:
    part = "\n".join(
        ["## Part {}", "---", "- point", "  - inside", "```", "code()", "```", "prose " * 30]
    )
    told = fitted("\n".join(part.replace("{}", str(n)) for n in range(6)), 250)
    assert all(f"## Part {n}" in told for n in range(6))
    assert told.count("- point") == 6 > told.count("- inside")
    assert "code()" not in told


def test_a_line_is_never_left_with_its_bullet_alone() -> None:
    link = f"[a/file.py](/a/{'very/' * 60}long/path/file.py)"
    text = "\n".join(["Changed:", *(f"- {link} and it works" for _ in range(6)), "Done."])
    told = fitted(text, 500).splitlines()
    assert "[6 lines omitted]" in told
    assert all(any(sign.isalnum() for sign in line) for line in told)


def test_observed_is_unsaid() -> None:
    assert tag(("t:4",), "observed") == " [t:4]"
    assert tag(("t:4", "t:5", "t:6"), "asked") == " [asked t:4 t:5]"
    assert tag(()) == ""


def test_a_drawn_line_costs_three_signs_and_what_it_parts_stays() -> None:
    drawn = f"{chr(0x23AF) * 60} Failed Suites 1 {chr(0x23AF) * 60}\n| a |\n|---------|\n------x\nno...... end"
    told = quote(drawn).split("\n")
    assert told[0] == f"> {chr(0x23AF) * 3} Failed Suites 1 {chr(0x23AF) * 3}"
    assert told[1:] == ["> | a |", "> ------x", "> no...... end"]


def test_of_a_message_that_is_answered_the_last_part_comes_first() -> None:
    parts = [f"## Part {n}\n" + "\n".join(f"- point {n}.{m}" for m in range(6)) for n in range(5)]
    told = fitted("\n".join(parts), 200, end=True)
    assert all(f"- point 4.{m}" in told for m in range(6))


@pytest.mark.parametrize("text", ["intro\n```\n" + "x\n" * 60_000, "```\n" * 60_000])
def test_a_fence_that_is_not_closed_takes_no_longer_than_prose(text: str) -> None:
    before = process_time()
    assert fitted(text, 6000)
    assert process_time() - before < 20  # what takes its square takes minutes


def test_of_a_pasted_log_the_end_is_kept() -> None:
    lines = [f"09:20:{n:02}.091 step {n} of the build" for n in range(40)]
    log = "\n".join([*lines, "09:21:00.000", "09:21:01.788 Error: exited with 1"])
    told = fitted(log, 200).splitlines()
    assert told[0] == lines[0]
    assert told[-2:] == [lines[-1], "09:21:01.788 Error: exited with 1"]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("[src/a.py](~/app/src/a.py:12)", "`src/a.py:12`"),
        ("[`!/a b.md`](~/app/!/a%20b.md#L5)", "`!/a b.md:5`"),
        (r"see [a.py](C:\app\src\a.py).", "see `C:/app/src/a.py`."),
        ("[a.py](~/app%0A/a.py)", "[a.py](~/app%0A/a.py)"),
        # What it looks through is bounded.
        (f"[{'a' * 301}](~/{'a' * 301})", f"[{'a' * 301}](~/{'a' * 301})"),
        (f"[a](~/{'b/' * 400}a)", f"[a](~/{'b/' * 400}a)"),
        ("[the page](~/app/src/a.py)", "[the page](~/app/src/a.py)"),
        ("[a.py](https://example.org/a.py)", "[a.py](https://example.org/a.py)"),
    ],
)
def test_a_link_to_a_file_names_it_once(said: str, told: str) -> None:
    assert quote(said) == f"> {told}"


def test_a_list_keeps_the_line_that_leads_to_it() -> None:
    prose = [
        f"What has to be said before it, part {n}, is long and told elsewhere." for n in range(9)
    ]
    lines = [
        "# Plan",
        *prose,
        "Not modified (the rules forbid it)",
        "- `a.md`",
        "- `b.md`",
        "Done.",
    ]
    told = fitted("\n".join(lines), 160)
    assert "Not modified (the rules forbid it)\n- `a.md`\n- `b.md`" in told


def test_the_last_line_is_one_that_says_something() -> None:
    assert last_line("Done.\nCommit it?\n`─────────`") == "Commit it?"
    assert last_line("Done.\n## Next\n1. Push it\n2. Tell Ann") == "Next 1. Push it 2. Tell Ann"
    assert last_line("Done.\n**Left:**\nPush it.") == "**Left:** Push it."


def test_the_mark_between_the_sides_of_a_conflict_stays_in_a_quotation() -> None:
    assert quote("<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs").count("\n") == 4
    assert quote("Title\n==========\ntext") == "> Title\n> text"


def test_an_end_that_begins_inside_a_list_keeps_the_line_that_leads_to_it() -> None:
    points = [f"- point {n} of a list that is rather long" for n in range(20)]
    text = "\n".join(["Found:", *["other words"] * 9, "Not done:", *points])
    kept = fitted(text, 200, end=True).splitlines()
    assert "Not done:" in kept
    assert kept[-1] == points[-1]


def test_the_last_line_keeps_its_end_where_something_is_asked() -> None:
    last = "No key stands in the files now. " * 8 + "Did it come up again, or did you only note it?"
    kept = fitted("It is clean.\nNothing is left.\n" + last, 200).splitlines()[-1]
    assert kept.endswith("[…] Did it come up again, or did you only note it?")
