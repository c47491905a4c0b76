"""What words alone tell, in several languages, with the false friends of each."""

# ruff: noqa: RUF001 - prompts come with the punctuation of their languages

from __future__ import annotations

import pytest

from onward.distill.said.cues import (
    is_assent,
    is_choice,
    is_correction,
    is_courtesy,
    is_later,
    is_offer_of_courtesy,
    is_pick,
    is_rule,
    is_substantial,
)


@pytest.mark.parametrize(
    "text",
    [
        "yes",
        "Yes!",
        "y",
        "ok go ahead",
        "do it",
        "Continue.",
        "both",
        "yes to all",
        "please continue",
        "sounds good, go ahead",
        "继续",
        "好的",
        "好的，继续",
        "可以",
        "请继续",
        "开始吧",
        "はい",
        "続けてください",
        "sí",
        "dale",
        "continúa por favor",
        "weiter",
    ],
)
def test_a_bare_go_ahead_is_an_assent(text: str) -> None:
    assert is_assent(text)
    assert not is_substantial(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no",
        "yes but use tabs",
        "continue with the parser",
        "好的，把按钮改成红色",
        "fix it",
        "thanks",
    ],
)
def test_words_with_content_are_no_assent(text: str) -> None:
    assert not is_assent(text)


@pytest.mark.parametrize(
    "text", ["hi", "Thanks!", "thank you so much", "good night", "你好", "谢谢", "hola"]
)
def test_greetings_and_thanks_ask_for_nothing(text: str) -> None:
    assert is_courtesy(text)
    assert not is_substantial(text)


@pytest.mark.parametrize(
    "text", ["2", "B", "option 2, detail view only", "1 and 3", "both", "方案二", "第一个"]
)
def test_a_pick_is_seen(text: str) -> None:
    assert is_pick(text)


@pytest.mark.parametrize(
    "text",
    [
        "add two buttons",
        "make the option list longer",
        "a"[:0],
        "go on",
        "bye " * 60 + "x",  # hours, where blanks may belong to two parts of the pattern
        "1 , " * 70 + "x",
    ],
)
def test_a_request_is_no_pick(text: str) -> None:
    assert not is_pick(text)


@pytest.mark.parametrize(
    "text",
    [
        "no, that is the wrong file",
        "Stop. Read the guide first",
        "why are you writing TypeScript?",
        "still no delete button",
        "I said tabs",
        "Don't touch the schema",
        "不对，应该是左边",
        "为什么要改这个文件",
        "No, así no",
    ],
)
def test_a_correction_is_seen(text: str) -> None:
    assert is_correction(text)


@pytest.mark.parametrize(
    "text", ["no", "nope", "hmm", "Nothing else", "why is the build slow?", "notify me"]
)
def test_answers_and_questions_are_no_corrections(text: str) -> None:
    assert not is_correction(text)


@pytest.mark.parametrize(
    "text",
    ["always answer in German", "never push to main", "以后都用中文回答", "follow @GUIDE.md rules"],
)
def test_a_lasting_rule_is_seen(text: str) -> None:
    assert is_rule(text)


@pytest.mark.parametrize(
    "text", ["let's use sqlite", "skip that, use a set instead", "改成红色", "I decided it stays"]
)
def test_a_choice_is_seen(text: str) -> None:
    assert is_choice(text)


@pytest.mark.parametrize(
    "text",
    [
        "add to todo list not urgent: dark mode",
        "we can do the export later",
        "that is a follow-up",
        "leave it for now",
        "as a separate PR",
        "这个以后再做",
        "後で直す",
        "por ahora no",
    ],
)
def test_what_is_put_off_is_seen(text: str) -> None:
    assert is_later(text)


@pytest.mark.parametrize(
    "text", ["two days later it failed", "use a later version", "follow the guide"]
)
def test_later_in_a_report_puts_nothing_off(text: str) -> None:
    assert not is_later(text)


@pytest.mark.parametrize(
    "text",
    [
        "Anything else?",
        "Let me know if you have questions?",
        "What would you like to work on next?",
        "还有什么需要吗？",
    ],
)
def test_a_courtesy_asks_for_nothing_in_particular(text: str) -> None:
    assert is_offer_of_courtesy(text)


@pytest.mark.parametrize(
    "text", ["Ready to commit these changes?", "Which user name should I take?", "要提交吗？"]
)
def test_a_question_that_names_an_act_is_real(text: str) -> None:
    assert not is_offer_of_courtesy(text)


def test_a_lone_sign_sends_the_agent_on_and_silence_does_not() -> None:
    assert is_assent(".")
    assert not is_assent("  ")
