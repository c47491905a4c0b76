"""Text that a terminal or a client would obey becomes text that it shows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.redaction.defang import defang

O, C = "\u2039", "\u203a"  # noqa: E741 - the two marks, short where they are many


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("a\x1b[31mred\x1b[0m b", "ared b"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://a.test\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x9b31mred", "red"),
        ("cut \x1b[3", "cut 3"),
        ("\x1b]never closed\nnext", "never closed\nnext"),
        ("a\x00b\x07c\x7fd", "abcd"),
        ("tab\tline\nend", "tab\tline\nend"),
        ("dos\r\nmac\rbar", "dos\nmac\nbar"),
        ("a\x0bb\x0cc\x85d\u2028e\u2029f", "a\nb\nc\nd\ne\nf"),
        ("\u202egnp.exe\u202c", "gnp.exe"),
        ("a\u200bb\ufeffc\u2060d\u00ade", "abcde"),
        ("hidden\U000e0041\U000e0042", "hidden"),
        ("sm\ufe00\ufe0fall", "small"),
        ("lone \ud800 half", "lone \ufffd half"),
        ("key\u200dpart", "keypart"),
        ("\x1bPq#0\x1b\\after", "after"),
        ("\x90dcs\x9cafter", "after"),
        ("\u2066left\u2069", "left"),
        ("z" + "\u0301" * 500 + "a", "z" + "\u0301" * 4 + "a"),
        ("plain\U000e0100tag\U000e01efs", "plaintags"),
    ],
)
def test_what_a_terminal_would_obey_is_gone(raw: str, shown: str) -> None:
    assert defang(raw) == shown


@pytest.mark.parametrize(
    "text",
    [
        "\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "👩\u200d💻",
        "naïve café",
        "日本語 → ok",
        "Größe µ \u017f",
    ],
)
def test_writing_of_all_languages_stays(text: str) -> None:
    assert defang(text) == text


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("<system-reminder>", f"{O}system-reminder{C}"),
        ("</system-reminder>", f"{O}/system-reminder{C}"),
        ("< / System-Reminder >", f"{O} / System-Reminder {C}"),
        ("<SYSTEM>", f"{O}SYSTEM{C}"),
        ("<command-name>/x</command-name>", f"{O}command-name{C}/x{O}/command-name{C}"),
        ("<local-command-stdout>", f"{O}local-command-stdout{C}"),
        ("<user-prompt-submit-hook>", f"{O}user-prompt-submit-hook{C}"),
        ('<invoke name="Bash">', f'{O}invoke name="Bash"{C}'),
        ("<function_calls>", f"{O}function_calls{C}"),
        ("<tool_result", f"{O}tool_result"),
        ("<task-notification>", f"{O}task-notification{C}"),
        ("<onward-record>", f"{O}onward-record{C}"),
        ("<|im_start|>", f"{O}|im_start|{C}"),
        ("<user>", f"{O}user{C}"),
        ("<user_instructions>", f"{O}user_instructions{C}"),
        ("<user_query>", f"{O}user_query{C}"),
        ("<environment_context>", f"{O}environment_context{C}"),
        ("</INSTRUCTIONS>", f"{O}/INSTRUCTIONS{C}"),
        ("<turn_aborted>", f"{O}turn_aborted{C}"),
        ('<hook_prompt hook_run_id="1">', f'{O}hook_prompt hook_run_id="1"{C}'),
        ("<skill>", f"{O}skill{C}"),
        ("<objective>", f"{O}objective{C}"),
        ("<execution_context>", f"{O}execution_context{C}"),
        ("<proposed_plan>", f"{O}proposed_plan{C}"),
        ("<teammate-message>", f"{O}teammate-message{C}"),
        ("\uff1csystem-reminder\uff1e", f"{O}system-reminder{C}"),
        ("\ufe64/system-reminder\ufe65", f"{O}/system-reminder{C}"),
        ("<system-reminder\n>", f"{O}system-reminder\n{C}"),
        ("<<system-reminder>>", f"<{O}system-reminder{C}>"),
        ("<sys<b>tem-reminder>", "<sys<b>tem-reminder>"),
        ("<system<!-- -->-reminder>", f"{O}system{O}!-- --{C}-reminder>"),
        ("<!-- onward:1 {} -->", f"{O}!-- onward:1 {{}} --{C}"),
        ("x --!>", f"x --!{C}"),
        ("<sys\u200btem-reminder>", f"{O}system-reminder{C}"),
        ("<sys\x1b[0mtem-reminder>", f"{O}system-reminder{C}"),
    ],
)
def test_a_tag_that_a_client_would_obey_is_disarmed(raw: str, shown: str) -> None:
    assert defang(raw) == shown


@pytest.mark.parametrize(
    "text",
    [
        "Vec<Command>",
        "Promise<ToolResult>",
        "<div class='a'>text</div>",
        "List<String> x = a < b && c > d;",
        "#include <stdio.h>",
        " --> src/main.rs:4:5",
        "A --> B",
        "a->b, x |> f, i-- > 0",
        "git log --oneline -- path",
        "<input>",
        "cat <<EOF > out",
        "&lt;system-reminder&gt;",
        "[docs](https://a.test/x) ![shot](a.png)",
        '<a href="javascript:void(0)">',
        "[0]: data: x",
        "#![allow(dead_code)]",
    ],
)
def test_code_stays_as_it_is(text: str) -> None:
    assert defang(text) == text


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("[x](javascript:alert(1))", "[x](javascript :alert(1))"),
        ("![x]( JavaScript:a)", "![x]( JavaScript :a)"),
        ("![x](data:text/html,<b>)", "![x](data :text/html,<b>)"),
        ("[x]: vbscript:a", "[x]: vbscript :a"),
        ("[x](<javascript:a>)", "[x](<javascript :a>)"),
    ],
)
def test_a_link_that_would_run_something_is_none(raw: str, shown: str) -> None:
    assert defang(raw) == shown


HOSTILE = st.sampled_from(
    [
        *("\x1b", "\x1b[", "\x1b]", "\x9b", "31m", "\x07", "\ud800", "\r", "\n", "é"),
        *("<", ">", "</", "system", "-reminder", "user", "!--", "--", "->", "|"),
        *("\u200d", "\u200c", "\u200b", "\ufe0f", "\u0301", "\u20dd", "\uff1c", "\uff1e"),
        *("](", "javascript:", "data:", " "),
    ]
)


@given(st.lists(HOSTILE | st.text(max_size=3), max_size=30).map("".join))
def test_defanging_twice_is_defanging_once(text: str) -> None:
    once = defang(text)
    assert defang(once) == once
    once.encode()  # raises on a lone surrogate
    assert "<!--" not in once


@given(st.text())
def test_no_line_ends_but_newlines_remain(text: str) -> None:
    assert defang(text).splitlines() == defang(text).removesuffix("\n").split("\n") or not defang(
        text
    )
