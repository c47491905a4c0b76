"""Where a value stands: its name, what joins the two, the text on both sides.

The judges run on every place that a pattern finds, so they look at strings before they search.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from onward.redaction.rules import values
from onward.redaction.rules.names import secret_key
from onward.redaction.rules.shared import lazy

QUOTES = ('"', "'", "`")
_JOINERS = " \t\r\n\\\"'`=:>()[]{}|?!@$<\uff1a,&"
_TELLS = lazy(
    r"(?i)pass|pwd|pswd|pw|secret|psk|kennwort|senha|contrase|wachtwoord|密|口令|パスワード|пароль|비밀번호|token|key|auth|cred|jwt|"
    r"bearer|sid|salt|nonce|seed|pepper|pat"
)
_NAMES = lazy(r"[\w$][\w.$-]*")
_LABEL = lazy(
    r"(?i)\b(?:api|access|secret|private|auth|signing|encryption|master|client|account|licen[cs]e) key$"
)
_ESCAPED = lazy(r"\\+u([0-9a-fA-F]{4})")  # a letter, as JSON may spell it

telling = lru_cache(4096)(secret_key)
is_password = lru_cache(4096)(values.password)
is_token = lru_cache(4096)(values.token)
is_telling_token = lru_cache(4096)(values.telling_token)
is_weak_token = lru_cache(4096)(values.weak_token)
is_code = lru_cache(4096)(values.is_code)


class Site(NamedTuple):
    """Where a value stands: its name, what joins the two, the text on both sides."""

    name: str
    sign: str
    before: str
    after: str

    @property
    def former(self) -> str:
        """What stands before the name."""
        return self.before[: self.before.rfind(self.name)]


def name_of(before: str) -> tuple[str, str]:
    """The name that a value stands at, and what joins them."""
    if "\\u" in before:
        before = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), before)
    bare = before.rstrip(_JOINERS)
    each = _NAMES.findall(bare)
    name = each[-1] if each else ""
    if name[-3:].lower() == "key" and (label := _LABEL.search(bare)):
        return label[0], before[len(bare) :]
    if len(each) < 2 or telling(name) is not None or _TELLS.search(name):
        return name, before[len(bare) :]
    for other in each[-2:-6:-1]:  # a type or a call stands between: `password: str = `
        if _TELLS.search(other):
            return other, before[before.rfind(other) + len(other) :]
    return name, before[len(bare) :]


def names_in(text: str) -> list[str]:
    """All identifiers of a text, the last first."""
    return _NAMES.findall(text)[::-1]
