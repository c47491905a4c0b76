"""Every rule of the table, by the examples beside it: alone and in what surrounds text."""

from __future__ import annotations

import json
import re
from unittest.mock import Mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import SURROUNDINGS, TOKEN_SURROUNDINGS, fill, hits, misses

from onward.errors import InputError
from onward.redaction import Redactor, engine, rules
from onward.redaction.defang import defang
from onward.redaction.engine import MARK, Rule

KEY = b"k" * 32
REDACTOR = Redactor(KEY)
HITS = [(rule, hit) for rule in rules.RULES for hit in hits(rule)]


@pytest.mark.parametrize("surroundings", SURROUNDINGS)
def test_a_secret_is_found_wherever_it_stands(surroundings: str) -> None:
    for rule, hit in HITS:
        sample = fill(hit)
        clean = REDACTOR.text(SURROUNDINGS[surroundings](sample.text))
        for spelled in (sample.secret, json.dumps(sample.secret)[1:-1]):
            assert spelled not in clean, rule.id
        assert (rule.shown or f"[REDACTED:{rule.id}:") in clean, rule.id


@pytest.mark.parametrize("surroundings", TOKEN_SURROUNDINGS)
def test_a_token_needs_no_context(surroundings: str) -> None:
    for hit in (hit for rule in rules.FIXED for hit in hits(rule) if "«" not in hit):
        token = fill(hit).text
        clean = REDACTOR.text(TOKEN_SURROUNDINGS[surroundings](token))
        assert token[len(hit.partition("{")[0]) :] not in clean
        assert MARK.search(clean.encode())


@pytest.mark.parametrize(
    "surroundings", ["alone", "prose", "yaml", "shell", "diff", "numbered", "line"]
)
def test_a_negative_example_is_left_alone(surroundings: str) -> None:
    for miss in (miss for rule in rules.RULES for miss in misses(rule)):
        whole = SURROUNDINGS[surroundings](fill(miss).text)
        assert REDACTOR.text(whole) == defang(whole)


# Every other prefix is telling: twenty characters behind it are enough.
EXACT = {
    "jwt",
    "encoded-jwt",
    "encoded-token",
    "wallet-key",
    "password-hash",
    "jetbrains-token",
    "crates-token",
    "nuget-key",
    "infracost-key",
    "terraform-token",
    "google-messaging-key",
    "yandex-oauth",
    "aws-ecr-password",
    "azure-key",
    "azure-refresh-token",
    "cloudflare-token",
    "cloudflare-tunnel-token",
    "databricks-token",
    "clickhouse-key",
    "confluent-secret",
    "elevenlabs-key",
    "stripe-key",
    "square-access-token",
    "braintree-token",
    "live-key",
    "mercadopago-token",
    "telegram-token",
    "mail-key",
    "intercom-token",
    "courier-key",
    "klaviyo-key",
    "facebook-token",
    "twitter-token",
    "grafana-token",
    "newrelic-key",
    "dynatrace-token",
    "statsig-key",
    "ubidots-token",
    "adafruit-key",
    "notion-token",
    "maxmind-key",
    "authress-key",
    "salesforce-token",
    "zoho-token",
    "calcom-key",
    "onepassword-secret-key",
    "sendgrid-key",
    "discord-token",
    "twilio-key",
    "nats-seed",
    "airtable-token",
    "harness-token",
    "infisical-token",
    "resend-key",
    "fireworks-key",
    "modal-token",
    "voyage-key",
    "firecrawl-key",
    "dropbox-token",
    "yandex-static-key",
    "octopus-key",
    "phabricator-token",
    "launchdarkly-key",
    "asana-token",
    "facebook-app-token",
}


def test_what_is_left_of_a_token_that_was_cut_goes_as_well() -> None:
    telling = [rule for rule in rules.FIXED if rule.id not in EXACT]
    for hit in (hit for rule in telling for hit in hits(rule) if "«" not in hit):
        head = len(hit.partition("{")[0])
        part = fill(hit).text[: head + 20]
        for text in (part, f"a\n{part}", f"a\n{part}\nb", f'{{"x": "{part}'):
            assert part[head:] not in REDACTOR.text(text)


def test_a_token_is_found_whatever_its_characters() -> None:
    for rule in rules.FIXED:
        table = engine.compile_rules([rule])
        samples = [fill(hit, seed).text for hit in hits(rule) for seed in range(1, 21)]
        found = sum(bool(engine.find(sample.encode(), table)) for sample in samples)
        # One in fifty may look like words, or like a placeholder.
        assert found >= 0.95 * len(samples), rule.id


def test_the_same_token_reads_the_same_wherever_it_stands() -> None:
    for rule in rules.FIXED:
        for sample in map(fill, hits(rule)):
            if sample.secret != sample.text or "\n" in sample.text:
                continue
            marks = {
                MARK.findall(REDACTOR.text(text).encode())[-1]
                for text in (
                    sample.text,
                    f"is {sample.text}.",
                    f'"{sample.text}", "x"',
                    f"({sample.text})",
                )
            }
            assert len(marks) == 1, sample.text


@pytest.mark.parametrize("surroundings", ["alone", "json", "yaml", "diff", "numbered"])
def test_a_word_alone_at_its_key_is_a_password(surroundings: str) -> None:
    text = SURROUNDINGS[surroundings]("db_password: swordfish")
    assert "swordfish" not in REDACTOR.text(text)


def test_each_rule_brings_its_proof() -> None:
    for rule in rules.RULES:
        assert len(hits(rule)) >= 2, rule.id
        assert len(misses(rule)) >= 2, rule.id
        assert rule.keywords, rule.id
        assert rule.source, rule.id
        assert re.fullmatch(r"[a-z0-9-]+", rule.id)
    assert len({rule.pattern for rule in rules.RULES}) == len(rules.RULES)


@pytest.mark.parametrize("surroundings", SURROUNDINGS)
def test_re2_and_re_find_the_same(surroundings: str) -> None:
    for rule in rules.RULES:
        for hit in hits(rule):
            _compare(defang(SURROUNDINGS[surroundings](fill(hit).text)).encode())


PIECES = st.sampled_from(
    [
        *(fill(text).text for rule in rules.RULES for text in (*hits(rule), *misses(rule))),
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
    broken = Rule(id="broken", pattern="(", keywords=(), source="test")
    for linear in (True, False):
        with pytest.raises(InputError, match="'broken' does not compile"):
            engine.compile_rules([broken], linear=linear)
    monkeypatch.setattr(rules.personal, "of", lambda home, user: (broken,))
    with pytest.raises(InputError):
        Redactor(KEY)
