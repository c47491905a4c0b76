"""Every rule of the table, by the examples beside it: alone and in what surrounds text."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.errors import InputError
from onward.redact import Redactor, engine, rules
from onward.redact.defang import defang
from onward.redact.engine import MARK, Rule
from onward.redact.samples import Sample, fill

KEY = b"k" * 32
REDACTOR = Redactor(KEY)
KEYED = {rule.id for rule in rules.keyed.RULES} | {rule.id for rule in rules.personal.RULES}

SAMPLES = [
    (f"{rule.id}-{number}", rule, fill(hit))
    for rule in rules.RULES
    for number, hit in enumerate(rule.hits)
]
HITS = [pytest.param(rule, sample, id=name) for name, rule, sample in SAMPLES]
TOKENS = [
    pytest.param(sample.text, id=name)
    for name, rule, sample in SAMPLES
    if rule.id not in KEYED and sample.secret == sample.text
]
MISSES = [
    pytest.param(fill(miss).text, id=f"{rule.id}-{number}")
    for rule in rules.RULES
    for number, miss in enumerate(rule.misses)
]
SURROUNDINGS: dict[str, Callable[[str], str]] = {
    "alone": lambda text: text,
    "prose": lambda text: f"Then I ran it with {text} and it worked.",
    "json": lambda text: json.dumps({"output": f"first\n{text}\nlast"}),
    "json in json": lambda text: json.dumps({"a": json.dumps({"b": f"x\n{text}\ty"})}),
    "yaml": lambda text: f"steps:\n  - run: |\n      {text}\n",
    "shell": lambda text: f"echo {text} | tee out.txt",
    "diff": lambda text: f"@@ -1 +1 @@\n-old\n+{text}\n",
    "log": lambda text: f"2026-03-01T10:00:00Z INFO [main] {text}",
    "numbered": lambda text: f"    12\t{text}\n    13\treturn 0",
    "colour": lambda text: f"\x1b[31m{text}\x1b[0m done",
    "escaped colour": lambda text: f"\\u001b[31m{text}\\u001b[0m done",
    "end of line": lambda text: f"a\n{text}",
}
TOKEN_SURROUNDINGS: dict[str, Callable[[str], str]] = {
    "quoted": lambda text: f'const x = "{text}";',
    "header": lambda text: f"X-Custom: {text}\r\nHost: a.test\r\n",
    "url": lambda text: f"https://a.test/v1?x=1&y={text}",
    "encoded url": lambda text: f"https://a.test/?q=y%3D{text}",
    "back-ticks": lambda text: f"use `{text}` here",
}


@pytest.mark.parametrize("surroundings", SURROUNDINGS)
@pytest.mark.parametrize(("rule", "sample"), HITS)
def test_a_secret_is_found_wherever_it_stands(
    rule: Rule, sample: Sample, surroundings: str
) -> None:
    text = SURROUNDINGS[surroundings](sample.text)
    clean = REDACTOR.text(text)
    for spelled in (sample.secret, json.dumps(sample.secret)[1:-1]):
        assert spelled not in clean
    assert (rule.shown or f"[REDACTED:{rule.id}:") in clean


@pytest.mark.parametrize("surroundings", TOKEN_SURROUNDINGS)
@pytest.mark.parametrize("token", TOKENS)
def test_a_token_needs_no_context(token: str, surroundings: str) -> None:
    clean = REDACTOR.text(TOKEN_SURROUNDINGS[surroundings](token))
    assert max(re.findall(r"[0-9A-Za-z]+", token), key=len) not in clean
    assert MARK.search(clean.encode())


@pytest.mark.parametrize("text", MISSES)
def test_a_near_miss_is_left_alone(text: str) -> None:
    for surroundings in ("alone", "prose", "yaml", "shell", "diff", "numbered"):
        whole = SURROUNDINGS[surroundings](text)
        assert REDACTOR.text(whole) == whole


@pytest.mark.parametrize("surroundings", ["alone", "json", "yaml", "diff", "numbered"])
def test_a_word_alone_at_its_key_is_a_password(surroundings: str) -> None:
    text = SURROUNDINGS[surroundings]("db_password: swordfish")
    assert "swordfish" not in REDACTOR.text(text)


def test_each_rule_brings_its_proof() -> None:
    for rule in rules.RULES:
        assert len(rule.hits) >= 2, rule.id
        assert len(rule.misses) >= 2, rule.id
        assert rule.keywords, rule.id
        assert rule.source, rule.id
        assert re.fullmatch(r"[a-z0-9-]+", rule.id)
    assert len({rule.id for rule in rules.RULES}) == len(rules.RULES)


@pytest.mark.parametrize("surroundings", SURROUNDINGS)
def test_re2_and_re_find_the_same(surroundings: str) -> None:
    for _, _, sample in SAMPLES:
        _compare(defang(SURROUNDINGS[surroundings](sample.text)).encode())


PIECES = st.sampled_from(
    [
        *(fill(text).text for rule in rules.RULES for text in (*rule.hits, *rule.misses)),
        *(word for rule in rules.RULES for word in rule.keywords),
        *(
            "\n",
            " ",
            '"',
            "'",
            "\\",
            "\\n",
            "=",
            ": ",
            "/",
            "@",
            "é",
            "日本",
            "\u212a",
            "\u017f",
            "[REDACTED:x:aaaaaa]",
        ),
    ]
)


@given(st.lists(PIECES | st.text(max_size=6), max_size=12).map("".join))
def test_re2_and_re_find_the_same_in_any_text(text: str) -> None:
    _compare(defang(text).encode())


FAST = engine.compile_rules((*rules.RULES, *rules.personal.of("/home/søren", "søren")))
PLAIN = engine.compile_rules(
    (*rules.RULES, *rules.personal.of("/home/søren", "søren")), linear=False
)


def _compare(text: bytes) -> None:
    pytest.importorskip("re2")
    found = [
        [(each.start, each.end, each.rule.id) for each in engine.find(text, table)]
        for table in (FAST, PLAIN)
    ]
    assert found[0] == found[1]


def test_a_gate_that_ran_out_of_memory_falls_back_instead_of_letting_all_pass(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    re2 = pytest.importorskip("re2")
    exhausted = Mock(**{"Add.return_value": 0, "Match.return_value": None})
    monkeypatch.setattr(re2, "Set", Mock(**{"SearchSet.return_value": exhausted}))
    table = engine.compile_rules(rules.RULES)
    assert engine.find(("AKIA" + "Q" * 8 + "ABCD2345").encode(), table)


def test_a_rule_that_does_not_compile_stops_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Rule(id="broken", pattern="(", keywords=(), hits=(), misses=(), source="test")
    for linear in (True, False):
        with pytest.raises(InputError, match="'broken' does not compile"):
            engine.compile_rules([broken], linear=linear)
    monkeypatch.setattr(rules.personal, "of", lambda home, user: (broken,))
    with pytest.raises(InputError):
        Redactor(KEY)


@pytest.mark.parametrize("linear", [True, False])
@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.id)
def test_no_text_makes_a_rule_slow(rule: Rule, linear: bool) -> None:
    table = engine.compile_rules([rule], linear=linear)
    for text in (*(fill(hit).text for hit in rule.hits), *rule.keywords):
        times = 40_000 // len(text) + 1
        run = "a" * 40_000
        shapes = (text * times, f"{text} " * times, text[: len(text) // 2 + 1] * times)
        for hostile in (*shapes, text + run + "!", run + text, f"{text}='{run}", f'{text}="{run}"'):
            started = time.process_time()
            engine.find(hostile.encode(), table)
            # Quadratic time would be tens of seconds for 40 KB; linear is under a tenth.
            assert time.process_time() - started < 1.5
