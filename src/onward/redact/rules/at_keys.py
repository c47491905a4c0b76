"""Is what stands at a key a secret? In quotes the value decides, without them the line does."""

from __future__ import annotations

import re
from collections.abc import Callable

from onward.redact.rules import sites, values
from onward.redact.rules.names import PASSWORDS, Telling, words_of
from onward.redact.rules.settings import bare
from onward.redact.rules.shared import is_words, lazy, words
from onward.redact.rules.sites import QUOTES, Site

_GENERAL = words("token tokens auth sid bearer jwt creds cred")
_ELEMENTS = lazy(
    r"(?i)</(?:[\w.:-]*(?:pass|pwd|secret|token|key|auth)[\w.-]*|property|entry|prop|param|value|arg|string)>"
)
# A map from the names of fields to themselves.
_IDENTITY = lazy(r"(\w{4,})\\*[\"']?\s?(?:=>|[:=])\s?\\*[\"']\1\\*[\"']")
_OWNERS = words(
    "mysql postgres postgresql pg db database root admin sa redis mongo rabbitmq mariadb oracle mssql "
    "minio elastic smtp ldap keycloak grafana user client keystore truststore ssl proxy"
)
_SETS = lazy(
    r"(?i)(?:put|set|define|setenv|getenv|environ\.\w+|env|property|default|add|append|param\w*|header|arg|config\w*|of|entry|containsEntry|with\w*|using\w*)"
    r"\(?\s*\\*[\"']?[^\"'\n]*[\"']\s*,\s*\\*[\"']$"
)
_DEFAULTS = ("password", "secret", "passwd")
_ASKS = lazy(r"(?i)^(?:\w*\.)*(?:get|find|has|show|toggle|forgot|reset|is|on|by|label|hide|t$|_$)")
Known = Callable[[str, str], bool]


def password(value: str, before: str, after: str) -> bool:
    """Is what stands at a password-like key a password? Words count in quotes, in env
    files and alone on their line; types, references and labels never do.
    """
    site = Site(*sites.name_of(before), before, after)
    return sites.telling(site.name) == "loose" and _at_key(site, value, sites.is_password)


def token(value: str, before: str, after: str) -> bool:
    """Is what stands at a token-like key a token? Only what no word or name looks like."""
    site = Site(*sites.name_of(before), before, after)
    known = _tokens(sites.telling(site.name), site.name)
    if known is None or (known is sites.is_weak_token and not site.sign.endswith((*QUOTES, "="))):
        return False
    return _at_key(site, value, known)


def _tokens(telling: Telling | None, name: str) -> Known | None:
    if telling == "strict":
        return sites.is_token if name.lower() in _GENERAL else sites.is_telling_token
    return sites.is_weak_token if telling == "weak" else None


def _at_key(site: Site, value: str, known: Known) -> bool:
    if site.before.rfind("[REDACTED:") > site.before.rfind("]"):  # inside a mark of ours
        return False
    if site.name == "nonce" and "=" in site.sign[:1]:  # a challenge, said in the open
        return False
    if site.name.lower() == "pass" and _is_outcome(site):
        return False
    if site.sign.endswith(QUOTES):
        return _in_quotes(site, value, known)
    if site.sign.endswith(">") and not site.sign.endswith("=>"):
        return _ELEMENTS.match(site.after) is not None and known(value, site.name)
    return (known(value, site.name) or _is_default(value, site.name)) and bare(site, value)


def _is_outcome(site: Site) -> bool:
    """Tests pass: `pass: 12, fail: 3`, `--- PASS: TestLogin`."""
    around = (site.before + site.after).lower()
    return "fail" in around or (site.name == "PASS" and ":" in site.sign)


def _in_quotes(site: Site, value: str, known: Known) -> bool:
    sign = site.sign
    joined = site.after[1:].lstrip().startswith(("+ ", ". $", "=>", ".concat("))
    one_of = sign[0] in QUOTES and " or " in sign  # `"Secret" or "ConfigMap"`
    choice = site.former.rstrip("\"'`\\ ").endswith("?")  # `ok ? "pass" : "fail"`
    if joined or one_of or choice or value[0].isspace():
        return False
    if sign[-1] == "`" and is_words(value) and words_of(site.name)[-1] not in PASSWORDS:
        return False  # Markdown quotes names as often as values
    return known(value, site.name) or _is_same(site, value)


def _is_default(value: str, name: str) -> bool:
    """`DB_PASSWORD=password` is one, `password=password` passes a variable on."""
    return value in _DEFAULTS and len(words_of(name)) > 1


def _is_same(site: Site, value: str) -> bool:
    """`{"user": "me", "password": "password"}` is a login and so is `DB_PASSWORD: "password"`;
    a constant or a map of fields holds the name of the field.
    """
    if value not in _DEFAULTS:
        return False
    if site.name.lower() != value:
        former, last = ("", "", *words_of(site.name))[-2:]
        return last == value and former in _OWNERS
    return site.name.islower() and not (
        _IDENTITY.search(site.former) or _IDENTITY.search(site.after)
    )


def argument(value: str, before: str, after: str) -> bool:
    """`put("password", "x")`: words only where the call says that it sets something."""
    name, sign = sites.name_of(before)
    name = name.removesuffix(".equals")
    telling = sites.telling(name)
    known = sites.is_password if telling == "loose" else _tokens(telling, name)
    if known is None or not (known(value, name) or (value in _DEFAULTS and sign[:1] == "(")):
        return False
    closed = after.lstrip("\\")[1:].lstrip()
    if sign[:1].isspace():  # `storePassword 'x'`
        return len(words_of(name)) > 1 and not closed
    if sign.startswith("("):  # `setPassword("x")`
        return closed.startswith(")") and _ASKS.search(name) is None
    # A list of names has one a line; a call may too, but begins with `(`.
    listed = "\n" in sign and not before[: before.rfind(name)].rstrip("\\\"'").endswith("(")
    if listed or closed[:1] not in {")", ","}:
        return False
    if not is_words(value) or any(c.isdigit() for c in value):
        return True
    return (name.isupper() and len(words_of(name)) > 1) or bool(_SETS.search(before))


def login(value: str, before: str, after: str) -> bool:
    """The last argument of a call that logs in: no field's name, path or label."""
    del after
    return (
        not value.startswith(("/", "."))
        and values.password(value, "login password")
        and re.search(r"[\"'][\w.@+-]+\\*[\"'],\s?\\*[\"']$", before) is not None
    )


def named(value: str, before: str, after: str) -> bool:
    """`name: DB_PASSWORD` and below it `value: x`."""
    del after
    telling = (name for name in sites.names_in(before) if sites.telling(name) is not None)
    return any(values.is_secret(name, value) for name in list(telling)[:1])
