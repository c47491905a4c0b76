"""Is what stands at a key a secret? In quotes the value decides, without them the line does."""

from __future__ import annotations

from collections.abc import Callable

from onward.redaction.rules import sites, values
from onward.redaction.rules.names import PASSWORDS, Telling, words_of
from onward.redaction.rules.settings import bare
from onward.redaction.rules.shared import is_random, is_words, lazy, words
from onward.redaction.rules.sites import QUOTES, Site

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
# `PWD` is where a shell stands, but a password behind another field of a connection.
_CONNECTION_FIELD = lazy(r"(?i)(?:uid|user(?: id)?|database|server)\s?=[^;\n]{0,60}; ?$")
_DEFAULTS = ("password", "secret", "passwd")
_ENDS = lazy(r"\\{0,7}[\"'][ \t,;)}\]]{0,3}(?:$|\r?\n|\\{1,7}[rn])")
_STRING_BEFORE = lazy(r"[\"'][\w.@+-]+\\*[\"'],\s?\\*[\"']$")
_DIRECTIVE = lazy(
    r"(?:(?:^|\n|\\n)[ \t]*\w+|(?:^|[\s({\[,]):\w+)[ \t]+\\*[\"']$"
)  # `password 'x'`, `:password "x"`
_ASKS = lazy(r"(?i)^(?:\w*\.)*(?:get|find|has|show|toggle|forgot|reset|is|on|by|label|hide|t$|_$)")
Known = Callable[[str, str], bool]


def password(value: str, before: str, after: str) -> bool:
    """Is what stands at a password-like key a password? Words count in quotes, in env
    files and alone on their line; types, references and labels never do.
    """
    site = Site(*sites.name_of(before), before, after)
    if site.name == "PWD" and _CONNECTION_FIELD.search(site.former):
        return sites.is_password(value, "password")
    return sites.telling(site.name) == "loose" and _at_key(site, value, sites.is_password)


def token(value: str, before: str, after: str) -> bool:
    """Is what stands at a token-like key a token? Only what no word or name looks like."""
    site = Site(*sites.name_of(before), before, after)
    known = _tokens(sites.telling(site.name), site.name)
    if known is None or (known is sites.is_weak_token and not _is_said(site)):
        return False
    return _at_key(site, value, known)


def _is_said(site: Site) -> bool:
    """Does more than the word `key` and a colon say that a value stands here?"""
    return site.sign.endswith((*QUOTES, "=")) or len(words_of(site.name)) > 1


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
    if "|" in site.sign and "||" not in site.sign:
        found = _in_cell(site, value, known)
    elif site.sign.endswith(QUOTES):
        found = _in_quotes(site, value, known)
    elif site.sign.endswith(">") and not site.sign.endswith("=>"):
        found = _ELEMENTS.match(site.after) is not None and known(value, site.name)
    else:
        found = _in_bare(site, value, known)
    return found


def _in_bare(site: Site, value: str, known: Known) -> bool:
    return (known(value, site.name) or _is_default(value, site.name)) and bare(site, value)


def _in_cell(site: Site, value: str, known: Known) -> bool:
    """The cell beside that of the name, in a table; a pipe and a type look like it."""
    closed = site.after.lstrip(" \t`*")[:1]
    return (
        not any(quote in site.sign for quote in "\"'")
        and (site.former.rstrip(" \t").endswith("|") or closed == "|")
        and closed in {"|", "\n", "\r", "\\", ""}
        and any(c.isdigit() for c in value)
        and not (is_words(value) or sites.is_code(value))
        and known(value, site.name)
    )


def _is_outcome(site: Site) -> bool:
    """Tests pass: `pass: 12, fail: 3`, `--- PASS: TestLogin`."""
    around = (site.before + site.after).lower()
    return "fail" in around or (site.name == "PASS" and ":" in site.sign)


def _in_quotes(site: Site, value: str, known: Known) -> bool:
    sign = site.sign
    joined = site.after[1:].lstrip().startswith(("+ ", ". $", "=>", ".concat("))
    one_of = sign[0] in QUOTES and sign[1:].startswith(" or ")  # `"Secret" or "ConfigMap"`
    choice = site.former.rstrip("\"'`\\ ").endswith("?")  # `ok ? "pass" : "fail"`
    if joined or one_of or choice or value[0].isspace():
        return False
    if site.after[:1] in {" ", "\t"} and not site.after.startswith(" \u2026"):  # never closed
        return is_random(value) and known(value, site.name)
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
        ends = _ENDS.match(after) is not None
        return ends and (len(words_of(name)) > 1 or _DIRECTIVE.search(before) is not None)
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
        and _STRING_BEFORE.search(before) is not None
    )


def named(value: str, before: str, after: str) -> bool:
    """`name: DB_PASSWORD` and below it `value: x`."""
    del after
    telling = (name for name in sites.names_in(before) if sites.telling(name) is not None)
    return any(values.is_secret(name, value) for name in list(telling)[:1])
