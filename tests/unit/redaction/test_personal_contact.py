"""E-mail addresses always, phone and card numbers on request: found, and not mistaken."""

from __future__ import annotations

import json
from collections.abc import Sequence
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import fill, hits, misses

from onward.redaction import Redactor, engine
from onward.redaction.engine import Rule
from onward.redaction.rules.personal import KINDS

PHONE, CARD = KINDS["phone"], KINDS["card"]

REDACTOR = Redactor(b"k" * 32)


def found(text: str, rules: Sequence[Rule]) -> list[str]:
    """The values that the rules find, in the order of the text."""
    data = text.encode()
    spans = sorted(
        (each.start, each.end) for each in engine.find(data, engine.compile_rules(rules))
    )
    return [data[start:end].decode() for start, end in spans]


# ----------------------------------------------------------------------------- e-mail


@pytest.mark.parametrize(
    "address",
    [
        "jane@example.org",
        "jane.doe@mail.example.co.uk",
        "jane+tag@example.org",
        "jane_doe-x@sub-domain.example.org",
        "j@x.example",
        "JANE@EXAMPLE.ORG",
        "søren@example.org",
        "jané@example.org",
        "иван@пример.рф",
        "jane@bücher.example",
        "jane@xn--bcher-kva.example",
        "jane@example.xn--p1ai",
        "用户@例子.公司",
        "jane@[192.0.2.7]",
        "1234567+jane@users.noreply.example.com",
        "noreply@example.com",
        "jane@163.example",
        "jane@corp.local",
    ],
)
@pytest.mark.parametrize(
    "around",
    ["{}", "mail {} now", "Author: Jane <{}>", "mailto:{}", "Email:{}", "'{}'", '"{}"', "({})",
     "a={}&b", "{}, b", "see {}.", "a\\n{}\\nb", "+{}\n", "\n+{}", "邮箱\uff1a{}", "https://a.test/?to={}"],
)  # fmt: skip
def test_an_address_is_found_wherever_it_stands(address: str, around: str) -> None:
    for text in (around.format(address), json.dumps(around.format(address), ensure_ascii=False)):
        assert address not in REDACTOR.text(text)
        assert "[REDACTED:email:" in REDACTOR.text(text)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("jane%40example.org", ""),
        ("to=jane%2540example.org", "to="),
        ("jane%2Bx%40example.org", ""),
        ("jane\\u0040example.org", ""),
        ("jane&#64;example.org", ""),
        ('"jane doe"@example.org', ""),
        ("联系jane@example.org谢谢", "联系谢谢"),
        ("«jane@example.org»", "«»"),
        ("jane@example.org/joe@example.org", "/"),
    ],
)
def test_an_address_is_found_however_it_is_spelled(text: str, left: str) -> None:
    clean = REDACTOR.text(text)
    assert "example" not in clean
    assert "jane" not in clean
    assert engine.MARK.sub(b"", clean.encode()).decode() == left


@pytest.mark.parametrize(
    "text",
    [
        "git@github.com:org/repo.git",
        "jane@host.example.org:/srv/x",
        "jane@host.example.org:~/x",
        "ssh://git@host.example.org/repo.git",
        "ssh jane@web1.example.org uptime",
        "rsync -av a/ jane@web1.example.org:b/",
        "@scope/pkg@1.2.3",
        "pkg@1.2.3-beta.rc",
        "pkg@3.6.0.patch",
        "npm i react@18.2.0 @types/node@20.1.0",
        "golang.org/x/tools@v0.1.2-pre.beta",
        "uses: actions/checkout@v4",
        "uses: org/tool@release.next",
        "@app.route('/')",
        "@pytest.mark.skip",
        "logo@2x.png",
        "icon@3x.webp",
        "q@self.weight",
        "y = q@k.transpose(-2, -1)",
        "x@W.T",
        "a@b.data",
        "sd_IN@devanagari.UTF-8",
        "this@MainActivity.applicationContext",
        "return@forEach",
        "getty@tty1.service",
        "user@1000.slice",
        "see @AGENTS.md and @CLAUDE.md",
        "+@AGENTS.md",
        "@media (min-width: 1px)",
        "image@sha256:{hex:64}",
        "a @ b.example",
        "jane@localhost",
        "%s@%s.example",
        "${user}@${host}.example",
        "@jane.doe",
        "Object@1a2b3c4d",
    ],
)
def test_what_only_holds_an_at_sign_stays(text: str) -> None:
    whole = fill(text).text
    for each in (whole, f"a\n{whole}\nb", json.dumps({"x": f"{whole} b"})):
        assert REDACTOR.text(each) == each


@given(
    st.from_regex(r"[a-z][a-z0-9]{1,8}([.+_-][a-z0-9]{1,8})?", fullmatch=True),
    st.from_regex(
        r"[a-z]{3,9}(-[a-z]{2,5})?\.(example|test|com|co\.uk|io|dev|support)", fullmatch=True
    ),
)
def test_no_layer_of_escaping_keeps_an_address(local: str, domain: str) -> None:
    if local in {"git", "hg", "svn", "this", "super", "return", "self"} or domain[:5] in {
        "self.",
        "this.",
    }:
        local, domain = "jane", "x.example"
    text = f"from {local}@{domain}, yes"
    for layer in (text, json.dumps(text), json.dumps(json.dumps(text)), quote(text)):
        clean = REDACTOR.text(layer)
        assert domain not in clean
        assert REDACTOR.text(clean) == clean


# ------------------------------------------------------------------------ on request


@pytest.mark.parametrize("rule", [*PHONE, *CARD], ids=lambda rule: rule.id)
@pytest.mark.parametrize("seed", range(4))
def test_the_examples_of_a_rule_hold(rule: Rule, seed: int) -> None:
    for hit in hits(rule):
        sample = fill(hit, seed)
        assert found(sample.text, [rule]) == [sample.secret]
    for miss in misses(rule):
        assert found(fill(miss, seed).text, [rule]) == []


def test_nobody_gets_them_unasked() -> None:
    text = "call +1 415 555 0132, pay with 4111 1111 1111 1111"
    assert REDACTOR.text(text) == text
    assert set(KINDS) == {"phone", "card"}


@pytest.mark.parametrize(
    "number",
    [
        "+14155550132",
        "+1-415-555-0132",
        "+1 (415) 555-0132",
        "+442079460958",
        "+44 (0)20 7946 0958",
        "+49 30 1234567",
        "+49 (0)171/1234567",
        "+33 1 23 45 67 89",
        "+86 138 1234 5678",
        "+7 912 345-67-89",
        "+91-98765-43210",
        "(415) 555-0132",
        "415-555-0132",
        "415.555.0132",
        "1-800-555-0199",
    ],
)
@pytest.mark.parametrize(
    "around", ["{}", "reach me at {} today", "tel:{}", '"{}"', "{}.", "a\n{}\nb"]
)
def test_a_phone_number_is_found(number: str, around: str) -> None:
    assert found(around.format(number), PHONE) == [number]


@pytest.mark.parametrize("number", ["020 7946 0958", "06 12 34 56 78", "0171 1234567", "030/1234567", "138 1234 5678"])  # fmt: skip
@pytest.mark.parametrize(
    "cue", ["Tel: ", "phone ", "Mobile: ", "fax: ", "WhatsApp ", "电话\uff1a", "手机 "]
)
def test_a_national_number_needs_a_word_that_announces_it(number: str, cue: str) -> None:
    assert found(cue + number, PHONE) == [number]
    assert found(f"total {number}", PHONE) == []


@pytest.mark.parametrize(
    "text",
    [
        "13812345678",
        "tel 13812345678",
        "1700000000 1700000000000",
        "+1700000000000",
        "+2147483648",
        "2026-03-01T10:00:00+0530",
        "2026-03-01 10:00:00.123 phone 2026-03-01",
        "@@ -100,7 +1234567,8 @@",
        "4.15.555.0132 192.168.100.200 10.0.0.1:8080",
        "+48.8566140, +2.3522219",
        "3f2c-415-555-0132",
        "415-555-0132-99",
        "{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}",
        "0000010 1234 5678 9abc",
        "123-456-7890",
        "file.py:415:555",
        "1e+1234567890",
        "555 555 5555",
    ],
)
def test_what_only_has_digits_is_no_phone_number(text: str) -> None:
    assert found(fill(text).text, PHONE) == []


@pytest.mark.parametrize(
    "number",
    [
        "4111 1111 1111 1111",
        "4111-1111-1111-1111",
        "4012888888881881",
        "5555 5555 5555 4444",
        "2223 0031 2200 3222",
        "3782 822463 10005",
        "378282246310005",
        "6011 1111 1111 1117",
        "3530 1113 3330 0000",
        "3056 930902 5904",
        "6200 0000 0000 0005",
    ],
)
@pytest.mark.parametrize(
    "around", ["{}", "card {} exp 12/27", '"{}"', "({})", "number={}&x", "a\n{}\nb"]
)
def test_a_card_number_is_found(number: str, around: str) -> None:
    assert found(around.format(number), CARD) == [number]


@given(st.integers(0, 10**15 - 1).map(lambda number: f"4{number:015d}"))
def test_a_number_with_a_wrong_check_digit_is_no_card(number: str) -> None:
    found_one = [digit for digit in "0123456789" if found(number[:15] + digit, CARD)]
    assert len(found_one) <= 1


@pytest.mark.parametrize(
    "text",
    [
        "1700000000000 1700000000000000",
        "0.4111111111111111",
        "4111111111111111.5",
        "id_4111111111111111",
        "{hex:8}-4111-1111-1111-{hex:12}",
        "41111111111111111111111",
        "9111 1111 1111 1111",
        "4444 4444 4444 4444",
    ],
)
def test_what_only_has_digits_is_no_card(text: str) -> None:
    assert found(fill(text).text, CARD) == []
