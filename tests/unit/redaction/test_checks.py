"""What tokens say of themselves: checksums and structures, both ways."""

from __future__ import annotations

import json
from base64 import b32encode, b64encode, urlsafe_b64encode
from binascii import crc_hqx
from collections.abc import Callable
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import fill

from onward.redaction import Redactor
from onward.redaction.rules import validators

BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


def github(body: str) -> str:
    number, tail = crc32(body.encode()), ""
    for _ in range(6):
        number, digit = divmod(number, 62)
        tail = BASE62[digit] + tail
    return f"ghp_{body}{tail}"


def cloudflare(body: str) -> str:
    return f"cfut_{body}{crc32(body.encode()):08x}"


def nats(seed: bytes) -> str:
    # 18 << 3 is the S of a seed, 20 << 3 the U of a user: five bits each.
    raw = bytes([18 << 3 | 20 >> 2, (20 & 3) << 6]) + seed
    return b32encode(raw + crc_hqx(raw, 0).to_bytes(2, "little")).decode().rstrip("=")


def bech32(prefix: str, data: list[int]) -> str:
    """BIP 173, the reference algorithm."""
    spread = [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix]
    check = 1
    for value in [*spread, *data, 0, 0, 0, 0, 0, 0]:
        top = check >> 25
        check = (check & 0x1FFFFFF) << 5 ^ value
        for bit, part in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            if top >> bit & 1:
                check ^= part
    tail = [(check ^ 1) >> 5 * (5 - place) & 31 for place in range(6)]
    return f"{prefix}1" + "".join(BECH32[value] for value in [*data, *tail])


def part(value: object) -> str:
    return urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


WHOLE = [
    (validators.github_or_npm, github(fill("{an:30}").text)),
    (validators.github_or_npm, github(fill("{an:30}", 1).text).replace("ghp_", "npm_")),
    (validators.cloudflare, cloudflare(fill("{an:40}").text)),
    (validators.nkey, nats(bytes(range(32)))),
    (validators.bech32, bech32("age-secret-key-", list(range(32)) + [3] * 20).upper()),
]


@pytest.mark.parametrize(("check", "token"), WHOLE)
def test_a_whole_token_passes_its_check(check: Callable[[str], bool], token: str) -> None:
    assert check(token)


@pytest.mark.parametrize(("check", "token"), WHOLE)
def test_one_other_character_anywhere_fails_it(check: Callable[[str], bool], token: str) -> None:
    # Of the last character in base 32 two bits count for nothing.
    for place in range(len(token) - 30, len(token) - 1):
        for other in "AZ2":
            changed = token[:place] + other + token[place + 1 :]
            assert check(changed) == (changed == token)
    assert not check(token[:-1])
    assert not check(token + "2")
    assert not check("")


@given(st.text())
def test_any_text_can_be_asked(text: str) -> None:
    for check in (
        validators.github_or_npm,
        validators.cloudflare,
        validators.nkey,
        validators.bech32,
        validators.encodes_a_token,
    ):
        assert check(text) in {True, False}


@pytest.mark.parametrize(
    ("header", "is_one"),
    [
        ({"alg": "HS256"}, True),
        ({"typ": "JWT", "alg": "none"}, True),
        ({"enc": "A128GCM"}, True),
        ({"version": 3, "sources": []}, False),
        ("alg", False),
        ([1, 2], False),
    ],
)
def test_a_jwt_begins_with_a_header_that_names_an_algorithm(header: object, is_one: bool) -> None:
    assert validators.is_jose(part(header) + ".x.y", "", "") is is_one


def test_base64_of_a_private_key_is_told_from_that_of_a_certificate() -> None:
    for kind, is_one in (("RSA PRIVATE KEY", True), ("PRIVATE KEY", True), ("CERTIFICATE", False)):
        pem = f"-----BEGIN {kind}-----\n{fill('{b64:64}').text}\n"
        assert validators.encoded_pem(b64encode(pem.encode()).decode(), "", "") is is_one


# ------------------------------------------------------------------- what judges make of it

REDACTOR = Redactor(b"k" * 32)


def test_a_token_whose_check_holds_goes_although_it_looks_like_a_placeholder() -> None:
    body = "xxxx" * 7 + "ab"
    assert body not in REDACTOR.text(github(body))
    assert github(body)[:-1] + "!" in REDACTOR.text(github(body)[:-1] + "!")


def test_a_token_whose_check_fails_goes_as_well() -> None:
    token = fill("ghp_{an:36}").text
    assert not validators.github_or_npm(token)
    assert token not in REDACTOR.text(token)


def test_a_jwt_with_any_payload_goes_if_its_header_decodes() -> None:
    payload, signature = fill("{url:60}").text, fill("{url:43}").text
    for header, is_one in (({"alg": "RS256"}, True), ({"version": 3}, False)):
        token = f"{part(header)}.{payload}.{signature}"
        assert (token not in REDACTOR.text(token)) is is_one
