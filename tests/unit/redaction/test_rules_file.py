"""A user's own rules, as gitleaks.toml has them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.errors import InputError
from onward.redaction import Redactor, engine, user_rules

pytest.importorskip("re2")

KEY = b"k" * 32
RULE = """
[[rules]]
id = "Acme Token!"
description = "tokens of our own"
regex = '''acme_[a-z0-9]{8}'''
keywords = ["acme_"]
"""


def redacted(toml: str, text: str) -> str:
    return Redactor(KEY, extra=user_rules.read_rules(toml).rules).text(text)


def test_a_rule_of_the_file_is_one_of_ours() -> None:
    clean = redacted(RULE, "call acme_a1b2c3d4 now")
    assert clean.startswith("call [REDACTED:acme-token:")
    assert clean.endswith("] now")
    assert redacted(RULE, clean) == clean


def test_our_own_rules_go_on_working() -> None:
    assert "hunter2x" not in redacted(RULE, 'password = "hunter2x"')


@pytest.mark.parametrize(
    ("more", "text", "found"),
    [
        # groups
        ("regex = 'key=([a-z]+)(?:;|$)'", "key=abc;", "abc"),
        ("regex = 'key=([a-z]+)-([0-9]+)'\nsecretGroup = 2", "key=abc-123", "123"),
        ("regex = '(?:x)|key=([a-z]+)'", "key=abc", "abc"),
        # Go's own syntax
        ("regex = '(?i)ACME\\z'", "an acme", "acme"),
        ("regex = 'a(?i)CME'", "acme", "acme"),
        ("regex = '[[:upper:]]{4}'", "ABCD", "ABCD"),
        ("regex = '\\pL{4}\\d'", "äöüß1", "äöüß1"),
        ("regex = '[éè]x.'", "éxü", "éxü"),
        ("regex = '(?P<a>ab)c'", "abc", "ab"),
        # keywords: any letters, none at all
        ("regex = 'AcMe'\nkeywords = ['ACME']", "AcMe", "AcMe"),
        ("regex = 'acme'\nkeywords = ['other']", "acme", ""),
        ("regex = 'acme'\nkeywords = []", "acme", "acme"),
        ("regex = 'ÄCME'\nkeywords = ['ÄCME']", "ÄCME", "ÄCME"),
        # entropy
        ("regex = 'k-([a-z]+)'\nentropy = 3", "k-abcdefghijklmnop", "abcdefghijklmnop"),
        ("regex = 'k-([a-z]+)'\nentropy = 3", "k-aaaaaaaab", ""),
        # a path says where a rule is for; text has none
        ("regex = 'acme'\npath = '\\.yml$'", "acme", "acme"),
        # allowlists
        ("regex = 'k-([a-z]+)'\n[rules.allowlist]\nregexes = ['^abc$']", "k-abc", ""),
        ("regex = 'k-([a-z]+)'\n[[rules.allowlists]]\nregexes = ['^abc$']", "k-abcd", "abcd"),
        ("regex = 'k-([a-z]+)'\n[[rules.allowlists]]\nstopwords = ['Exam']", "k-myexample", ""),
        ("regex = 'k-([a-z]+)'\n[[rules.allowlists]]\npaths = ['x']", "k-abc", "abc"),
        (
            "regex = 'k-([a-z]+)'\n[[rules.allowlists]]\nregexTarget='match'\nregexes=['k-a']",
            "k-abc",
            "",
        ),
        (
            "regex = 'k-([a-z]+)'\n[[rules.allowlists]]\nregexTarget='match'\nregexes=['far']",
            "far k-abc",
            "abc",
        ),
        (
            "regex = 'k-([a-z]+)'\n[[rules.allowlists]]\nregexTarget='line'\nregexes=['far']",
            "far away k-abc",
            "",
        ),
        (
            "regex = 'k-([a-z]+)'\n[[rules.allowlists]]\nregexTarget='line'\nregexes=['far']",
            "far\nk-abc\nfar",
            "abc",
        ),
        (
            "regex='k-([a-z]+)'\n[[rules.allowlists]]\ncondition='AND'\nregexes=['^a']\nstopwords=['z']",
            "k-abc",
            "abc",
        ),
        (
            "regex='k-([a-z]+)'\n[[rules.allowlists]]\ncondition='AND'\nregexes=['^a']\nstopwords=['z']",
            "k-abz",
            "",
        ),
        (
            "regex='k-([a-z]+)'\n[[rules.allowlists]]\ncondition='AND'\nregexes=['^a']\npaths=['x']",
            "k-abc",
            "abc",
        ),
    ],
)
def test_every_part_of_a_rule_works(more: str, text: str, found: str) -> None:
    table = engine.compile_rules(
        user_rules.read_rules(f"[[rules]]\nid = 'a'\n{more}\n").rules, wide=True
    )
    data = text.encode()
    assert [data[f.start : f.end].decode() for f in engine.find(data, table)] == [found] * bool(
        found
    )


@pytest.mark.parametrize("head", ["[allowlist]", "[[allowlists]]"])
def test_an_allowlist_of_the_file_counts_for_all_rules(head: str) -> None:
    assert "acme_a1b2c3d4" in redacted(f"{head}\nregexes = ['b2']\n{RULE}", "acme_a1b2c3d4")


def test_an_allowlist_may_be_for_some_rules() -> None:
    for target, stays in (("Acme Token!", True), ("other", False)):
        toml = f"[[allowlists]]\ntargetRules = ['{target}']\nregexes = ['b2']\n{RULE}"
        assert ("acme_a1b2c3d4" in redacted(toml, "acme_a1b2c3d4")) is stays


@pytest.mark.parametrize(
    ("toml", "told"),
    [
        (f"[extend]\nuseDefault = true\n{RULE}", "not part of onward"),
        (f"[extend]\npath = 'x.toml'\n{RULE}", "another file, which is not read"),
        (f"{RULE}\n[[rules]]\nid = 'b'\npath = 'x'\n", "1 rule of gitleaks.toml without a `regex`"),
    ],
)
def test_what_is_left_aside_is_told(toml: str, told: str) -> None:
    notes = user_rules.read_rules(toml).notes
    assert len(notes) == 1
    assert told in notes[0]


@pytest.mark.parametrize(
    ("toml", "told"),
    [
        ("rules = ?\n", "not valid TOML at line 1"),
        ("rules = ", "not valid TOML"),
        ("a = " + "[" * 100_000, "gitleaks.toml"),
        ("", "holds no rule"),
        ("[extend]\nuseDefault = true\n", "holds no rule"),
        ("rules = 3", "`rules` is not a list"),
        ("rules = ['x']", "`rules` is not a list"),
        ("[[rules]]\nid='a'\nregex = 3", "rule 1 (a): `regex` is not a string"),
        ("[[rules]]\nid='a'\nregex = '('", "rule 1 (a): a pattern does not compile"),
        ("[[rules]]\nregex = 'a(?=b)'", "rule 1 (rule-1): a pattern does not compile"),
        ("[[rules]]\nregex = '(a)\\1'", "a pattern does not compile"),
        ("[[rules]]\nregex = '(((a{900}){900}){900})'", "a pattern does not compile"),
        ("[[rules]]\nregex = 'a'\nkeywords = 'a'", "`keywords` is not a list"),
        ("[[rules]]\nregex = '(a)'\nsecretGroup = 2", "`secretGroup`"),
        ("[[rules]]\nregex = '(a)'\nsecretGroup = true", "`secretGroup`"),
        ("[[rules]]\nregex = 'a'\nentropy = 'much'", "`entropy`"),
        ("[[rules]]\nregex = 'a'\n[[rules.allowlists]]\nregexes = ['(']", "does not compile"),
        ("[[rules]]\nregex = 'a'\n[[rules.allowlists]]\nregexes = 'x'", "is not a list"),
        (
            "[[rules]]\nregex = 'a'\n[[rules.allowlists]]\nregexTarget = 'file'\nstopwords=['x']",
            "`regexTarget`",
        ),
        ("[[rules]]\nregex = 'a'\n" * 1001, "more than 1000 rules"),
    ],
    ids=str,
)
def test_what_is_broken_is_refused_with_what_and_where(toml: str, told: str) -> None:
    with pytest.raises(InputError) as error:
        user_rules.read_rules(toml)
    assert told in error.value.message
    assert "so nothing is written" in error.value.message
    assert error.value.hint


def test_an_error_holds_no_words_of_the_file() -> None:
    secret = "\x1b[31mhunter2\u202e"
    for toml in (f"{secret} = ", f"[[rules]]\nid = {secret!r}\nregex = '({secret}'"):
        with pytest.raises(InputError) as error:
            user_rules.read_rules(toml)
        assert "\x1b" not in error.value.message
        assert "\u202e" not in error.value.message


def test_without_re2_a_file_of_rules_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "re2", None)
    with pytest.raises(InputError) as error:
        user_rules.read_rules(f"{RULE}# not read before")
    assert error.value.hint == "pip install google-re2"


@given(
    st.lists(
        st.sampled_from(["acme_a1b2c3d4", " ", "\n", "password=", "x", "é", ".", "[REDACTED:"])
    )
)
def test_with_rules_of_a_person_twice_is_once_all_the_same(pieces: list[str]) -> None:
    greedy = "[[rules]]\nid = 'all'\nregex = 'x.*'\n[[rules]]\nid = 'mark'\nregex = 'REDACTED'\n"
    redactor = Redactor(KEY, extra=user_rules.read_rules(RULE + greedy).rules)
    once = redactor.text("".join(pieces))
    assert redactor.text(once) == once
