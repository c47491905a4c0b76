"""Where a value stands: its name, what joins the two, the text on both sides. Without quotes code
has names there, files of settings have values.

The judges run on every place that a pattern finds, so they look at strings before they search.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from onward.redaction.rules import values
from onward.redaction.rules.shared import has_digit, is_words, lazy, words
from onward.redaction.rules.values import secret_key

QUOTES = ('"', "'", "`")
_JOINERS = " \t\r\n\\\"'`=:>()[]{}|?!@$<\uff1a,&"
_TELLS = lazy(
    r"(?i)pass|pwd|pswd|pw|secret|psk|kennwort|senha|contrase|wachtwoord|密|口令|パスワード|пароль|비밀번호|token|key|auth|cred|jwt|"
    r"bearer|sid|salt|nonce|seed|pepper|pat"
)
_NAMES = lazy(r"[\w$][\w.$-]*")
_LABEL = lazy(
    r"(?i)\b(?:api|access|secret|private|auth|signing|encryption|master|client|account|licen[cs]e|unseal) key(?: \d{1,2})?$"
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
    if (name[-3:].lower() == "key" or name.isdigit()) and (label := _LABEL.search(bare)):
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


_ALONE = lazy(r"\.?[ \t]*(?:\r?\n|\\r?\\?n|$|#|//)")
# A line may carry its number or the sign of a diff before it.
_LINE = lazy(
    r"[ \t]*(?:\d+[\t\u2192:][ \t]*)?(?:[+-] *|> *)?"
    r"(?:- |export |set |declare -x |ENV |ARG |env |-e |\$env:)?[\"']?[\w./$-]+[\"']?[ \t]*[:=][ \t]*(?:&\w+[ \t])?"
)
_ENV_KEY = lazy(r"[A-Z][A-Z0-9_]{2,}")
# `User: me, Password: x`, `connected with password: x`
_USER = lazy(r"(?i)\b(?:user(?:name)?|login|account) ?[:=]|\b(?:with|using) (?:the )?\w+: ?$")
_AUTHORITY = lazy(r"://[^\s?#]{0,37}\Z")
_CONNECTION = lazy(r"(?i)(?:server|data source|user(?: ?id)?|uid|host|database|catalog)\s?=")
_PAIR = lazy(r"(?:^|[\s\"',;])[A-Za-z_][\w.-]{0,40}=[^\s,;\"'(){}=]{1,60}[ ,]$")
_ARGUMENT = lazy(
    r"\s(?:-[dFePD]|-var|--(?:var|form|data(?:-raw|-urlencode)?|set(?:-string)?|env|build-arg|extra-vars))"
    r"[ =]?[\"']?(?:[\w.]+=[^\s=]+,|[\w.-]+\.)?$"
)
_COMMAND = lazy(
    r"(?:^|[\s$+`'\"])(?:vault (?:kv )?(?:put|write)|https?|xh|heroku config:set|fly(?:ctl)? secrets set|"
    r"kubectl set env|dokku config:set|railway variables) [^\n]*[\w.-]+=$"
)
_CODE_WORDS = words(
    "let const var val return if self this def function class public private static"
)
_SETTINGS = lazy(r"(?:^|\n)[ \t]*(?:\[[\w .-]+\]|[\w.-]+[ \t]*=[ \t]*[^\s\"'(]+)[ \t]*(?:\n|$)")


def bare(site: Site, value: str) -> bool:
    """Is a likely value that stands without quotes one, or a name in code?"""
    if _is_reference(site, value):
        return False
    return not values.is_call(value) if _is_argument(site) else _unquoted(site, value)


def _unquoted(site: Site, value: str) -> bool:
    line = site.before[site.before.replace("\\n", "\n ").rfind("\n") + 1 :]
    in_code = _in_code(site, line)
    alone = not in_code and _ALONE.match(site.after) is not None
    on_line = alone and _LINE.fullmatch(line) is not None
    in_pairs = _in_pairs(site, line)
    if value.isdigit():
        # In JSON a number stays one.
        return in_pairs or _is_variable(site) or (on_line and site.sign[0] not in QUOTES)
    plain = value.isalnum() and (on_line or in_pairs)
    if is_code(value) and not (plain or (on_line and _is_odd(value))):
        return False
    if not is_words(value) or in_pairs:
        return True
    if has_digit(value) and not is_code(value):
        return len(value) >= 8 or not in_code
    return _is_word(site, value, alone=alone, on_line=on_line, line=line)


def _is_argument(site: Site) -> bool:
    """`"KEY=value"`: is it the whole of a string?"""
    quote = site.after.lstrip("\\")[:1]
    return site.sign == "=" and quote in {"'", '"'} and site.former.endswith(quote)


def _is_variable(site: Site) -> bool:
    """`DB_PASSWORD=1234 run`: a variable of the environment, not one of a list of numbers."""
    return (
        site.sign == "="
        and _ENV_KEY.fullmatch(site.name) is not None
        and site.after[:1] in {" ", ";", "&"}
    )


def _is_odd(value: str) -> bool:
    """Are there brackets that no call has, or pieces that no name has?"""
    if values.is_call(value):
        return False
    return ("(" in value and has_digit(value)) or values.is_jumbled_part(value)


def _is_reference(site: Site, value: str) -> bool:
    return (
        value.endswith(":")
        or site.after.startswith("..")  # shortened by whoever wrote it
        or (value == site.name.rpartition(".")[2] and site.name.count(".") < 2)
        or (value.isupper() and value.lower() == site.name.lower())
        or site.sign.strip() in {"or", "||", "??"}
        or (value[-1] == "-" and site.after[:1] == ">")  # `config->password`
        or value.startswith((":", "--", "&", "*", "?", "."))
        or (value[0] == "+" and site.sign == ":")  # `${PASSWORD:+is-set}`
        or ("@" in value and bool(_AUTHORITY.search(site.before)))  # a URL has its own rules
        or (site.after.startswith(("(", "[")) and values.is_name(value))
    )


def _in_pairs(site: Site, line: str) -> bool:
    """The body of a form, a connection string, an argument of a command, one pair of several."""
    if site.sign != "=":
        return False
    former = site.former
    if former.endswith(("&", "?")) or _ARGUMENT.search(former) or _COMMAND.search(line):
        return True
    if former.rstrip().endswith(";"):
        return bool(_CONNECTION.search(line))
    return _PAIR.search(former) is not None and (former[-1] == " " or "(" not in line)


def _is_word(site: Site, value: str, *, alone: bool, on_line: bool, line: str) -> bool:
    if site.sign == "=" and _ENV_KEY.search(site.name):
        return value.lower() != site.name.lower()
    if alone and ":" in site.sign and _USER.search(line):
        return True
    return on_line and _is_setting(site, value)


def _is_setting(site: Site, value: str) -> bool:
    """A word on a line of its own: is this a file of settings?"""
    spaced = "=" in site.sign and " " in site.sign
    if "." in value or value.lower() == site.name.lower():
        return False
    if "_" in value and ("=" not in site.sign or spaced):
        return False
    # `password = secret` is code as often as it is a setting.
    return (
        not spaced
        or site.name.count(".") > 1
        or any(map(_SETTINGS.search, (site.after, site.before.rpartition("\n")[0])))
    )


def _in_code(site: Site, line: str) -> bool:
    if site.after.lstrip()[:1] in {*"})]"} or site.after.lstrip(" \t")[:1] in {*",;)]}?(["}:
        return True
    if site.after[:1] == "." and site.after[1:2].isalnum():
        return True
    former = site.before[: len(site.before) - len(line)].rstrip()
    return (
        former.endswith(("{", "(", "[", ",", ";"))
        or any(sign in line for sign in ("(", "{", "@"))
        or not _CODE_WORDS.isdisjoint(line.replace(".", " ").split())
    )
