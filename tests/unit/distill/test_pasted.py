"""What a person pasted from a console: what it says stays, where a packed script said it goes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.distill import distill
from onward.distill.pasted import bared
from onward.model import Prompt

PACKED = "55647-22a479ba632064b9.js?dpl=dpl_4Ys:6"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Mend app.js:12, it fails", "Mend app.js:12, it fails"),
        (f"{PACKED} GET /x 404 (Not Found)", "> GET /x 404 (Not Found)"),
        ("14(index):1 no title", "> no title"),
        (f"I see this {PACKED} GET /x 404", "I see this\n> GET /x 404"),
        ("app.js:12 Uncaught TypeError", "app.js:12 Uncaught TypeError"),
        ("open.js?v=2:6 x\nsignIn @ a.js?v=2:6", "open.js:6 x\nsignIn @ a.js:6"),
    ],
)
def test_a_line_of_a_console_does_not_say_which_packed_script_it_came_from(
    text: str, left: str
) -> None:
    assert bared(text) == left


def test_of_a_stack_the_first_calls_with_a_name_are_left() -> None:
    calls = ["tC", "(anonymous)", "signIn", "u2", "submitForm", "handleClick"]
    stack = "\n".join(f"{name} @ {PACKED}" for name in calls)
    left = bared(f"It fails\n{stack}\nafter that").splitlines()
    named = [line.partition(" @")[0] for line in left]
    assert named == ["It fails", "signIn", "submitForm", "after that"]


def test_of_a_stack_the_calls_of_libraries_go() -> None:
    own = "    at handler (/w/api/auth.ts:116:12)"
    foreign = "    at async Auth (file:///w/node_modules/@auth/core/index.js:109:34)"
    assert bared(f"Error: no\n{foreign}\n{foreign}\n{own}") == f"Error: no\n{own}"


def test_what_stands_between_two_calls_goes_with_them() -> None:
    stack = f"signIn @ {PACKED}\nawait in signIn\nu1 @ {PACKED}\nsetTimeout\nu2 @ {PACKED}"
    assert bared(f"{stack}\nMend it") == "signIn @ 55647-22a479ba632064b9.js:6\nMend it"


def test_what_a_console_prints_again_and_again_is_left_once() -> None:
    text = "\n".join(["(index):1 loading", "(index):1 no title"] * 9)
    assert bared(text) == "> loading\n> no title"


def test_a_trace_of_python_is_left_as_it_is() -> None:
    frames = "\n".join(f'  File "app/m{n}.py", line {n}, in run\n    go(x)' for n in range(9))
    trace = f"Traceback (most recent call last):\n{frames}\nValueError: no such plan"
    assert bared(trace) == trace


@given(st.text())
def test_a_text_without_calls_and_consoles_is_as_it_was(text: str) -> None:
    if not any(mark in text for mark in (":", "@")):
        assert bared(text) == text


@given(st.lists(st.sampled_from(["a b", f"u1 @ {PACKED}", f"{PACKED} no", "at go (a.js:1:2)"])))
def test_what_was_bared_stays_as_it_is(lines: list[str]) -> None:
    once = bared("\n".join(lines))
    assert bared(once) == once


def test_the_error_in_a_long_paste_is_among_the_persons_words() -> None:
    stack = "\n".join(f"u{n} @ {PACKED}" for n in range(400))
    text = f"Login fails {PACKED} started\n{stack}\n{PACKED} AuthApiError: bad\n{stack}"
    (item,) = distill([Prompt(line=1, text=text)]).requests
    assert item.text == "Login fails\n> started\n> AuthApiError: bad"
