"""What has the shape of a token and is none: placeholders, words, pieces of base64."""

from __future__ import annotations

import pytest
from tests.examples import fill, hits

from onward.redaction import Redactor, engine, rules
from onward.redaction.rules import validators

TOKEN = fill("ghp_{an:36}").text
HARD = fill("hf_{abc:34}").text


@pytest.mark.parametrize(
    "words",
    [
        "sk_test_connection",
        "github_pat_of_the_first_step",
        "glpat-your-own-token",
        "as-internationalization1",
        "fw_loadFirmwareImageFromDisk",
        "NTUserDefaults.shared.synchronizeAll",
        "API-REFERENCE",
        "step-2-of-10",
    ],
)
def test_words_are_known_in_every_spelling(words: str) -> None:
    assert validators.is_phrase(words)
    assert not validators.weak_prefix(words, "", "")
    assert not validators.no_words(words, "", "")


@pytest.mark.parametrize("body", ["glpat-{an:20}", "hvs.{url:24}", "dckr_pat_{an:27}"])
def test_random_characters_are_no_words(body: str) -> None:
    assert not any(validators.is_phrase(fill(body, seed).text) for seed in range(50))


@pytest.mark.parametrize(
    ("before", "alone"),
    [
        ("", True),
        ("key: ", True),
        ("a\n", True),
        ('"', True),
        ("y=", True),
        ("stdout: ok\\n", True),
        ("x%3D", True),
        ("\\u001b[31m", True),
        ("cache-", False),
        ("node_", False),
        ("icons/", False),
        ("a.", False),
    ],
)
def test_a_weak_shape_must_not_end_a_longer_name(before: str, alone: bool) -> None:
    assert validators.standing_alone(TOKEN, before, "") is alone


@pytest.mark.parametrize(
    ("before", "inside"),
    [
        (fill("{url:80}").text + "-", True),
        (fill("{b64:60}").text + "/", True),
        (fill("{b64:60}").text + " ", False),
        (fill("{b64:60}").text + '"', False),
        ("export MY_VERY_LONG_NAME_OF_A_VARIABLE_IN_THE_ENVIRONMENT=", False),
        ("--theNameOfTheOptionOfTheToolThatTakesTheAccessToken=", False),
        ("src/onward/redaction/rules/and/many/other/folders/behind-", False),
        ("", False),
    ],
)
def test_a_prefix_inside_a_run_of_base64_is_chance(before: str, inside: bool) -> None:
    assert validators.embedded(before) is inside
    assert validators.token(TOKEN, before, "") is not inside
    text = f"{before}{HARD}"
    assert (HARD in Redactor(b"k").text(text)) is inside


@pytest.mark.parametrize("after", ["A", "/", "=", "+"])
def test_base64_of_zeros_is_no_token(after: str) -> None:
    value = "A" * 21 + fill("M{an:80}").text
    assert validators.whole_run(value, "", "")
    assert validators.whole_run(value, "\n+", "\n")
    assert not validators.whole_run(value, "", after)
    assert not validators.whole_run(value, "zM/", "")


def test_a_long_token_is_no_placeholder_for_four_equal_characters() -> None:
    token = fill("dop_v1_{hex:30}xxxx{hex:30}").text
    assert validators.token(token, "", "")
    for value in ("dop_v1_" + "0" * 64, "dop_v1_12ab" + "x" * 60, "xoxb-" + "xxxx-" * 12):
        assert not validators.token(value, "", "")


@pytest.mark.parametrize("value", ["ghp_xxxxxxxxxxxx", "glpat-your-token-here", "npm_${TOKEN}"])
def test_a_placeholder_passes_unless_a_check_speaks_for_it(value: str) -> None:
    assert not validators.token(value, "", "")
    assert not validators.sound(validators.github_or_npm)(value, "", "")
    assert validators.sound(lambda _: True)(value, "", "")
    assert validators.sound(lambda _: True, spells=True)(value, "", "")


@pytest.mark.parametrize("before", ["x", "9", "_", "the_", "EMAIL9"])
def test_no_token_begins_inside_a_word(before: str) -> None:
    for rule in rules.FIXED:
        table = engine.compile_rules([rule])
        for hit in hits(rule):
            head, _, body = hit.partition("{")
            if "«" in hit or not head.isidentifier() or not body:
                continue
            assert not engine.find(f"{before}{fill(hit).text}".encode(), table), rule.id
