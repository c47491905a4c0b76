"""Cutting text: never through a word, a path or a command; the request survives the paste."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.distill.text import abridge, is_log, one_line, sentences, shorten, words

LOG = "\n".join(f"2026-03-01 10:00:{n:02d} INFO worker {n} took {n} ms" for n in range(60))


def test_a_path_is_kept_whole_or_left_out() -> None:
    assert shorten("Look at src/onward/auth/login.py now", 20) == "Look at …"


def test_text_without_spaces_is_cut_between_its_characters() -> None:
    assert shorten("请把登录页面改成支持手机号登录并且加上验证码", 12) == "请把登录页面改成支持 …"


@pytest.mark.parametrize("where", ["head", "tail", "both"])
def test_the_request_around_a_pasted_log_is_kept(where: str) -> None:
    head = "Why does the worker stall after a minute?" if where != "tail" else ""
    tail = "Please find out where it waits." if where != "head" else ""
    short = abridge(f"{head}\n{LOG}\n{tail}".strip(), 600)
    assert head in short
    assert tail in short
    assert "lines cut]" in short
    assert "took 30 ms" not in short


def test_the_mark_says_how_many_lines_went() -> None:
    assert "[54 lines cut]" in abridge(f"Look:\n{LOG}\nMend it.")


def test_a_fenced_block_is_cut_to_its_ends() -> None:
    block = "\n".join(["```python", *[f"value_{n} = compute({n})" for n in range(30)], "```"])
    short = abridge(f"Clean this up\n{block}\nand keep the names")
    assert "value_0" in short
    assert "value_15" not in short
    assert short.endswith("and keep the names")


def test_the_last_line_of_a_trace_names_the_error_and_stays() -> None:
    frames = "\n".join(f'  File "app/m{n}.py", line {n}, in run' for n in range(20))
    trace = f"Traceback (most recent call last):\n{frames}\nValueError: no such plan"
    assert "ValueError: no such plan" in abridge(f"I get this:\n{trace}")


def test_of_a_pasted_stack_the_error_stays_and_the_calls_within_go() -> None:
    stack = "\n".join(
        ["signIn @ 556-22a4.js?dpl=dpl_4Y:6"] + [f"u{n} @ 4bd-15c0.js:1" for n in range(30)]
    )
    lines = [
        stack,
        "page.js:1 POST https://x.example/token 400 (Bad Request)",
        stack,
        "page.js:1 ok 1",
    ]
    short = abridge("It fails:\n" + "\n".join(lines))
    assert "400 (Bad Request)" in short
    assert "signIn @" in short
    assert "u15 @" not in short
    assert short.count("lines cut]") == short.count("[")


def test_of_a_long_log_what_says_that_something_failed_stays_before_what_is_marked_as_wrong() -> (
    None
):
    log = LOG.splitlines()
    for n in (20, 24, 28, 32, 36):
        log[n] = f"\u274c item {n} is not there"
    log[40] = "TypeError: f.connect is not a function"
    short = abridge("It hangs:\n" + "\n".join(log))
    assert log[40] in short
    assert log[20] in short
    assert log[36] not in short


def test_the_same_failure_is_told_once() -> None:
    log = [*LOG.splitlines()[:20], *["ERROR /token 400 (Bad Request)"] * 5, *LOG.splitlines()[20:]]
    assert abridge("It fails:\n" + "\n".join(log)).count("400 (Bad Request)") == 1


def test_a_gap_of_one_line_is_none() -> None:
    log = LOG.splitlines()[:9]
    log[3] = "ERROR 500"
    short = abridge("Look:\n" + "\n".join(log))
    assert "[1 lines cut]" not in short
    assert log[2] in short


def test_a_quoted_sentence_within_another_does_not_end_it() -> None:
    assert sentences('"It is done." is a bold claim. "Is it?" We see.') == [
        '"It is done." is a bold claim.',
        '"Is it?',
        "We see.",
    ]


def test_a_short_prompt_is_untouched() -> None:
    assert abridge("Add a logout button\n\nto the header") == "Add a logout button\n\nto the header"


@given(st.text(max_size=4000), st.integers(min_value=60, max_value=1500))
def test_abridging_never_raises_and_stays_within_the_limit(text: str, limit: int) -> None:
    assert len(abridge(text, limit)) <= limit


@given(st.text(max_size=500), st.integers(min_value=4, max_value=300))
def test_shortening_stays_within_the_limit_and_changes_nothing_short(text: str, limit: int) -> None:
    assert len(shorten(text, limit)) <= limit
    if len(text.strip()) <= limit:
        assert shorten(text, limit) == text.strip()


def test_sentences_do_not_end_inside_versions_and_paths() -> None:
    assert sentences("Use 2.1.0 of a.b.c. Then stop! 好的。继续") == [
        "Use 2.1.0 of a.b.c.",
        "Then stop!",
        "好的。",
        "继续",
    ]


def test_words_of_scripts_without_spaces_are_characters() -> None:
    assert words("Fix 登录 don't") == ["fix", "登", "录", "don't"]


def test_one_line_joins_lines() -> None:
    assert one_line("a\n  b\tc") == "a b c"


def test_a_drawn_line_is_told_by_three_of_its_signs() -> None:
    assert abridge(f"Mend this:\n{'=' * 70} FAIL {'─' * 60}\nplease") == (
        "Mend this:\n=== FAIL ───\nplease"
    )


@pytest.mark.parametrize(
    "line",
    [
        "curl -X POST localhost:3000/login returns 500, why is that so",
        "RUN ./install.sh on the server and tell me what it says",
        "Total: 3 bugs, 2 features to do by Monday",
        "hint: the totals are added up in cart.py",
    ],
)
def test_what_a_person_types_is_not_taken_for_a_log(line: str) -> None:
    assert not is_log(line)


@pytest.mark.parametrize(
    "line",
    [
        "remote: The project you were looking for could not be found",
        " RUN  v1.6.1 ~/shop",
        " FAIL  tests/cart.test.ts > adds up",
        "shop-api-1    | auth.denied",
        "Build: 0 ok, 0 failed",
        "  4:10  error  'Cart' is defined but never used",
    ],
)
def test_what_a_program_printed_is_a_log(line: str) -> None:
    assert is_log(line)


def test_settings_that_a_person_asks_for_are_told_whole() -> None:
    settings = "\n".join(f"  key{n}: value{n}" for n in range(20))
    text = f"Write this file:\n{settings}\nand restart"
    assert abridge(text) == text
