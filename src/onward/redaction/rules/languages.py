"""Passwords that a sentence or a label gives, in 30 languages."""

from __future__ import annotations

import re

from onward.redaction.engine import Rule
from onward.redaction.rules import values
from onward.redaction.rules.shared import (
    EDGE,
    entries,
    in_json,
    is_filler,
    is_reference,
    is_words,
    lazy,
)

_VALUE = r"(?:[\"'`(]|(?:“|„|«|「) ?|\*{2})?([0-9A-Za-z!#$%*+.:=?@^_~-]{3,}[0-9A-Za-z!#$%*+@^_~-])"
_WIDE_COLON = "\uff1a"
_PHRASE = r"[\"'`]([^\"'`\n\\]{8,60})[\"'`]"


_WORDS_FOR_IT = entries(
    "heslo ¦ adgangskode ¦ kodeord ¦ passwort ¦ kennwort ¦ zugangscode ¦ κωδικός ¦ "
    "κωδικός πρόσβασης ¦ password ¦ passphrase ¦ passcode ¦ passwd ¦ contraseña ¦ "
    "contrasena ¦ clave de acceso ¦ salasana ¦ mot de passe ¦ mdp ¦ סיסמה ¦ סיסמא ¦ "
    "पासवर्ड ¦ lozinka ¦ šifra ¦ jelszó ¦ kata sandi ¦ parola d'ordine ¦ parola chiave ¦ "
    "パスワード ¦ 비밀번호 ¦ 암호 ¦ wachtwoord ¦ passord ¦ hasło ¦ haslo ¦ senha ¦ palavra-passe ¦ "
    "palavra passe ¦ parolă ¦ parola ¦ пароль ¦ пасс ¦ lösenord ¦ парола ¦ รหัสผ่าน ¦ "
    "şifre ¦ sifre ¦ mật khẩu ¦ 密码 ¦ 密碼 ¦ 口令 ¦ كلمة المرور ¦ كلمة السر"
)
"""The word for a password, in 30 languages."""
_JOINING = entries(
    "je ¦ er ¦ ist ¦ lautet ¦ war ¦ είναι ¦ is ¦ was ¦ 's ¦ ( ¦ to ¦ changed from ¦ es ¦ "
    "era ¦ on ¦ oli ¦ est ¦ était ¦ היא ¦ है ¦ adalah ¦ è ¦ e' ¦ は ¦ 는 ¦ 은 ¦ jest ¦ é ¦ e ¦ "
    "este ¦ это ¦ är ¦ е ¦ คือ ¦ це ¦ là ¦ 是 ¦ 为 ¦ 為 ¦ هي"  # noqa: RUF001 - Cyrillic
)
"""What may stand between it and the value."""


def _spellings(word: str) -> set[str]:
    """In the cases that occur: a pattern over bytes folds ASCII only."""
    return {word, word.upper(), word[:1].upper() + word[1:]}


_NOUNS = sorted({each for word in _WORDS_FOR_IT for each in _spellings(word)})
_PLACE = lazy(r"\d+-[a-z]+|@.*|.*:\d+|.*\.[cm]?[jt]sx?.*")


def _any(each: list[str]) -> str:
    return "|".join(
        "".join(map(_spelled, word)) for word in sorted(each, key=lambda word: -len(word))
    )


def _spelled(letter: str) -> str:
    """A letter as text has it, and beyond ASCII as JSON may escape it."""
    plain = re.escape(letter)
    return plain if letter.isascii() else rf"(?:{plain}|\\{{1,7}}u{ord(letter):04x})"


def _noun() -> str:
    """Any of them; one that begins with an ASCII letter is no end of a longer word."""
    plain, other = (
        [word for word in _NOUNS if word[0].isascii() is kind] for kind in (True, False)
    )
    return rf"(?:(?:{EDGE}|_)(?:{_any(plain)})|{_any(other)})"


_NOUN = _noun()


def _keywords() -> tuple[str, ...]:
    """The nouns, as text and as JSON spell them."""
    first = {f"u{ord(letter):04x}" for word in _NOUNS for letter in word if not letter.isascii()}
    return tuple(sorted({*(word.lower() for word in _NOUNS), *_NOUNS, *first}))


def given(value: str, before: str, after: str) -> bool:
    """Digits among letters, as no word has them: no code, path or name of a file."""
    del before
    if (
        "](" in value
        or _PLACE.fullmatch(value)
        or is_filler(value)
        or is_reference(value, after)
        or values.is_code(value)
    ):
        return False
    if any(c.isspace() for c in value):
        return values.password(value, "password")
    mixed = any(c.isdigit() for c in value) and any(c.isalpha() for c in value)
    return (mixed and not is_words(value.lower())) or is_strong(value)


def is_strong(value: str) -> bool:
    """Digits, and letters in both cases or signs that words do not have."""
    letters = {c.isupper() for c in value if c.isalpha()}
    return (
        len(value) >= 6
        and any(c.isdigit() for c in value)
        and bool(letters)
        and (len(letters) == 2 or any(c in "!#$%^&*+~?@" for c in value))
        and "(" not in value
        and "/" not in value
        and not is_filler(value)
        and not values.is_call(value)
    )


def strong(value: str, before: str, after: str) -> bool:
    """`is_strong`, as a validator."""
    del before
    return is_strong(value) and not _PLACE.fullmatch(value) and not is_reference(value, after)


RULES: tuple[Rule, ...] = (
    Rule(
        id="password-said",
        pattern=in_json(
            rf"{_NOUN}(?: {{0,2}}(?:(?:[:=]|{_WIDE_COLON}|\||->?|–|—)(?:\*\*)?|{_any(sorted(_JOINING))}) {{0,2}}(?:{_VALUE}|{_PHRASE}))"
        ),
        keywords=_keywords(),
        source="observed in prompts of many languages",
        judge=given,
    ),
    Rule(
        id="password-for",
        pattern=in_json(
            rf"{_NOUN}(?: [^\s:=\"'`(){{}}\[\],;]{{1,80}}){{1,3}} {{0,2}}(?:[:=]|{_WIDE_COLON}| - |–) {{0,2}}{_VALUE}"
        ),
        keywords=_keywords(),
        source="observed in prompts of many languages",
        judge=strong,
    ),
    Rule(
        id="password-changed",
        pattern=in_json(
            r"(?i)password (?:was |is )?(?:changed |updated |reset )?(?:from [^\s\"'`]{4,40} )?to [\"'`]?([0-9A-Za-z!#$%*+.:=?@^_~-]{4,}[0-9A-Za-z!#$%*+@^_~-])"
        ),
        keywords=("password",),
        source="observed in prompts",
        judge=strong,
    ),
    Rule(
        id="login-said",
        pattern=in_json(
            rf"(?i){EDGE}"
            r"(?:log(?:ged)? ?in|sign(?:ed)? in|user) (?:as )?[\w.@-]{1,40} (?:with|pass|pw|using) [\"'`]?([0-9A-Za-z!#$%*+.:=?@^_~-]{4,}[0-9A-Za-z!#$%*+@^_~-])"
        ),
        keywords=("log", "sign", "user "),
        source="observed in prompts",
        judge=strong,
    ),
)
