"""Which names hold secrets, and what a map holds at them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import fill

from onward.redaction.rules.values import Telling, is_secret, secret_key, words_of

NAMES: dict[Telling | None, str] = {
    "loose": "password db_password dbPassword DB_PASSWORD PGPASSWORD password2 newPasswordConfirmation "
    "passwd pwd userPwd pass smtp_pass dbpass passphrase client_secret clientSecret JWT_SECRET "
    "SECRET_KEY secret_key_base Passwort mot_de_passe passWord passWd haslo 密码 пароль 비밀번호 spring.mail.password",
    "strict": "token authToken access_token api_key apiKey APIKEY x-api-key accessKey private_key "
    "auth credentials jwt encryption_key password_hash csrfToken pw_hash recovery_code authCode awssecretkey "
    "openai_key enc_key secretOrKey",
    "weak": "key salt nonce seed someKey",
    None: "password_hint passwordField max_tokens token_type token_count next_token PWD OLDPWD compass "
    "bypass passed author authority secretName secret_id existingSecret public_key primary_key "
    "cache_key error_code area_code hashed_secret min_password no_password tokenizer keyboard pin text value name",
}


@pytest.mark.parametrize(
    ("name", "telling"), [(name, how) for how, names in NAMES.items() for name in names.split()]
)
def test_a_name_says_whether_a_secret_stands_at_it(name: str, telling: Telling | None) -> None:
    assert secret_key(name) == telling


@pytest.mark.parametrize(
    ("name", "value", "goes"),
    [
        ("password", "sword" + "fish", True),
        ("password", "correct horse battery staple", True),
        ("password", "Enter your password", False),
        ("password", "password", False),
        ("password", "${DB_PASSWORD}", False),
        ("password", "[REDACTED:password:aaaaaa]", False),
        ("api_key", fill("{hex:32}").text, True),
        ("api_key", "none", False),
        ("token", "IDENTIFIER", False),
        ("key", "user.name", False),
        ("key", fill("{hex:40}").text, False),
        ("colour", fill("{an:32}").text, False),
    ],
)
def test_a_value_in_a_map_is_judged_by_its_name(name: str, value: str, goes: bool) -> None:
    assert is_secret(name, value) is goes


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("dbPassword2", ["db", "password", "2"]),
        ("DBPassword", ["db", "password"]),
        ("X-Api-Key", ["x", "api", "key"]),
        ("_", []),
    ],
)
def test_identifiers_are_taken_apart(name: str, words: list[str]) -> None:
    assert words_of(name) == words


@given(st.text(), st.text())
def test_any_name_and_value_can_be_judged(name: str, value: str) -> None:
    assert is_secret(name, value) in {True, False}
    assert secret_key(name) in {"loose", "strict", "weak", None}
