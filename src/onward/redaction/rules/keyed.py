"""Secrets at a key: `password = "…"` in code, settings, YAML, JSON and XML, and among the arguments
of calls. In quotes the value decides; without them code has names there, files of settings have
values, and the line decides.

The judges run on every place that a pattern finds, so they look at strings before they search.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from onward.redaction.rules import values
from onward.redaction.rules.table import lazy, read, words
from onward.redaction.rules.validators import (
    has_digit,
    is_filler,
    is_random,
    is_reference,
    is_words,
    of_value,
)
from onward.redaction.rules.values import PASSWORDS, Telling, secret_key, words_of

QUOTES = ('"', "'", "`")
_JOINERS = " \t\r\n\\\"'`=:>()[]{}|?!@$<\uff1a,&"
_TELLS = lazy(
    r"(?i)pass|pwd|pswd|pw|secret|psk|kennwort|senha|contrase|wachtwoord|密|口令|パスワード|пароль|비밀번호|token|key|auth|cred|jwt|"
    r"bearer|sid|salt|nonce|seed|pepper|pat"
)
_NAMES = lazy(r"[\w$][\w.$-]*")
_NAME = lazy(r"[\w.:$>/\\~-]+")  # of what may be called or indexed: `get_token(…)`
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
        or (site.after.startswith(("(", "[")) and _NAME.fullmatch(value) is not None)
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
_JOINED = lazy(r"\s*(?:\+ ?[\"'`]|\. \$|=>|\.concat\()")
_DEFAULTS = ("password", "secret", "passwd")
_ENDS = lazy(r"\\{0,7}[\"'][ \t,;)}\]]{0,8}(?:$|\r?\n|\\{1,7}[rn])")
_STRING_BEFORE = lazy(r"[\"'][\w.@+-]+\\*[\"'](?:\.to_\w+\(\))?,\s?(?:Some\(|b)?\\*[\"']$")
_DIRECTIVE = lazy(
    r"(?:(?:^|\n|\\n)[ \t]*\w+|(?:^|[\s({\[,]):\w+)[ \t]+\\*[\"']$"
)  # `password 'x'`, `:password "x"`
_ASKS = lazy(r"(?i)^(?:\w*\.)*(?:get|find|has|show|toggle|forgot|reset|is|on|by|label|hide|t$|_$)")
Known = Callable[[str, str], bool]


def password(value: str, before: str, after: str) -> bool:
    """Is what stands at a password-like key a password? Words count in quotes, in env
    files and alone on their line; types, references and labels never do.
    """
    site = Site(*name_of(before), before, after)
    if site.name == "PWD" and _CONNECTION_FIELD.search(site.former):
        return is_password(value, "password")
    return telling(site.name) == "loose" and _at_key(site, value, is_password)


def token(value: str, before: str, after: str) -> bool:
    """Is what stands at a token-like key a token? Only what no word or name looks like."""
    site = Site(*name_of(before), before, after)
    known = _tokens(telling(site.name), site.name)
    if known is None:
        return False
    # At a weak name more than the word `key` and a colon is to say that a value stands there.
    said = site.sign.endswith((*QUOTES, "=")) or len(words_of(site.name)) > 1
    if known is is_weak_token and not said:
        return False
    return _at_key(site, value, known)


def _tokens(telling: Telling | None, name: str) -> Known | None:
    if telling == "strict":
        return is_token if name.lower() in _GENERAL else is_telling_token
    return is_weak_token if telling == "weak" else None


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
        # `DB_PASSWORD=password` is one, `password=password` passes a variable on.
        is_default = value in _DEFAULTS and len(words_of(site.name)) > 1
        found = (is_default or known(value, site.name)) and bare(site, value)
    return found


def _in_cell(site: Site, value: str, known: Known) -> bool:
    """The cell beside that of the name, in a table; a pipe and a type look like it."""
    closed = site.after.lstrip(" \t`*")[:1]
    return (
        not any(quote in site.sign for quote in "\"'")
        and (site.former.rstrip(" \t").endswith("|") or closed == "|")
        and closed in {"|", "\n", "\r", "\\", ""}
        and has_digit(value)
        and not (is_words(value) or is_code(value))
        and known(value, site.name)
    )


def _is_outcome(site: Site) -> bool:
    """Tests pass: `pass: 12, fail: 3`, `--- PASS: TestLogin`."""
    around = (site.before + site.after).lower()
    return "fail" in around or (site.name == "PASS" and ":" in site.sign)


def _in_quotes(site: Site, value: str, known: Known) -> bool:
    sign = site.sign
    rest = site.after[1:]
    # A `+` on the next line joins what is quoted there; else it is the sign of a diff.
    joined = (
        rest.lstrip(" \t").startswith(("+ ", ". $", "=>", ".concat("))
        or _JOINED.match(rest) is not None
    )
    one_of = sign[0] in QUOTES and sign[1:].startswith(" or ")  # `"Secret" or "ConfigMap"`
    choice = site.former.rstrip("\"'`\\ ").endswith("?")  # `ok ? "pass" : "fail"`
    if joined or one_of or choice or value[0].isspace():
        return False
    if site.after[:1] in {" ", "\t"} and not site.after.startswith(" \u2026"):  # never closed
        return is_random(value) and known(value, site.name)
    if sign[-1] == "`" and is_words(value) and words_of(site.name)[-1] not in PASSWORDS:
        return False  # Markdown quotes names as often as values
    return known(value, site.name) or _is_same(site, value)


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
    name, sign = name_of(before)
    name = name.removesuffix(".equals")
    how = telling(name)
    known = is_password if how == "loose" else _tokens(how, name)
    if known is None or not (known(value, name) or (value in _DEFAULTS and sign[:1] == "(")):
        return False
    closed = after.lstrip("\\\"'").lstrip()
    if sign[:1].isspace():  # `storePassword 'x'`
        ends = _ENDS.match(after) is not None
        return ends and (len(words_of(name)) > 1 or _DIRECTIVE.search(before) is not None)
    if sign.startswith("("):  # `setPassword("x")`
        return closed.startswith(")") and _ASKS.search(name) is None
    # A list of names has one a line; a call may too, but begins with `(`.
    listed = "\n" in sign and not before[: before.rfind(name)].rstrip("\\\"'").endswith("(")
    if listed or closed[:1] not in {")", ","}:
        return False
    if not is_words(value) or has_digit(value):
        return True
    return (name.isupper() and len(words_of(name)) > 1) or bool(_SETS.search(before))


def login(value: str, before: str, _after: str) -> bool:
    """The last argument of a call that logs in: no field's name, path or label."""
    return (
        not value.startswith(("/", "."))
        and values.password(value, "login password")
        and _STRING_BEFORE.search(before) is not None
    )


def named(value: str, before: str, _after: str) -> bool:
    """`name: DB_PASSWORD` and below it `value: x`."""
    names = reversed(_NAMES.findall(before))
    name = next((name for name in names if telling(name) is not None), None)
    return name is not None and values.is_secret(name, value)


_ALGORITHMS = lazy(r"(?i)(?:[hrep]s\d{3}|sha-?\d*|md5|utf-?8|hex|base64|ascii|latin1|none|binary)")
_LOGINS = words("root admin administrator sa postgres mysql user me app guest system oracle")


def signing(value: str, before: str, after: str) -> bool:
    """A key to sign or check with: words too, but no algorithm and no encoding."""
    return _ALGORITHMS.fullmatch(value) is None and typed(value, before, after)


@of_value
def grouped(value: str) -> bool:
    """Four groups of four letters, as the mail services make them, and no words of a sentence."""
    return is_random(value.replace(" ", "")) and not is_filler(value)


def typed(value: str, _before: str, after: str) -> bool:
    """What is typed into a field for passwords, or hashed as one."""
    return values.password(value, "typed password") and not is_reference(value, after)


def owner(value: str, before: str, after: str) -> bool:
    """The argument behind the name of somebody who logs in."""
    names = _ARGUMENTS.findall(before)
    known = bool(names) and (names[-1].lower() in _LOGINS or "@" in names[-1])
    return (known or has_digit(value)) and typed(value, before, after)


_ARGUMENTS = lazy(r"[\"']([^\"'\n\\]{1,60})\\*[\"'],\s*\\*[\"']?$")


RULES = read(
    r"""
⟨loose⟩
  (?:
    passw(?:or)?d|passord|passphrase|passcode|passwort|kennwort|passwd|pwd|pswd|secrets?|psk|pass|pw|senha|contrase(?:(?-i:\xc3\xb1)|n)a|mot_?de_?passe
    wachtwoord|has(?:(?-i:\xc5\x82)|l)o|heslo|adgangskode|salasana|l(?:(?-i:\xc3\xb6)|o)senord
    (?-i:
      \xe5\xaf\x86(?:\xe7\xa0\x81|\xe7\xa2\xbc)|\xe5\x8f\xa3\xe4\xbb\xa4
      \xe3\x83\x91\xe3\x82\xb9\xe3\x83\xaf\xe3\x83\xbc\xe3\x83\x89
      \xd0[\x9f\xbf]\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c
      \xeb\xb9\x84\xeb\xb0\x80\xeb\xb2\x88\xed\x98\xb8
    )
    \\{1,7}u(?:
      5bc6\\{1,7}u(?:7801|78bc)|53e3\\{1,7}u4ee4
      30d1\\{1,7}u30b9\\{1,7}u30ef\\{1,7}u30fc\\{1,7}u30c9
      04[13]f\\{1,7}u0430\\{1,7}u0440\\{1,7}u043e\\{1,7}u043b\\{1,7}u044c
      be44\\{1,7}ubc00\\{1,7}ubc88\\{1,7}ud638
    )
  )
⟨rest⟩	[\w.-]{0,16}
⟨type⟩	(?::[ \t]{0,3}[&'A-Za-z_\[][\w.|<>\[\]?&' ]{0,30}|[ \t]As[ \t]\w{1,20})[ \t]?=
⟨property⟩	\{ get; (?:private |protected )?(?:set|init); \}[ \t]?=
⟨sign⟩	(?:⟨type⟩|⟨property⟩|<-|:=|=>|[!=]={1,2}|:-|\|\||\?\?|\bor\b|(?-i:\xef\xbc\x9a)|\?:|[:=]|\|[ \t])
⟨attributes⟩	(?: [\w:.-]{1,30}=\"[^\"\n]{0,60}\"){0,2}
⟨is⟩	(?:⟨quote⟩)?\*{0,2}(?:\]|\)|\[\d{0,4}\])?(?:[ \t]*⟨sign⟩\*{0,2}|⟨attributes⟩>)
⟨fetch⟩
  [\w.$:>-]{0,40}(?:env|environ|get|fetch|config|setting|lookup|property|default|resolve)\w{0,16}[(\[]\s{0,8}⟨quote⟩[\w.-]{1,60}⟨quote⟩\s{0,2}(?:
    ,\s{0,24}(?:cast\s?=\s?\w{1,12},\s{0,24})?(?:default\w{0,6}\s?[:=]\s?|fallback\s?[:=]\s?)?|[)\]]{1,2}\s{0,2}(?:(?:\|\||\?\?|\?:|or|do)\s|\{\s)
  )
⟨else⟩	(?:⟨fetch⟩|[A-Za-z_][\w.$]{0,40} ?(?:\|\||\?\?|\?:|or) ?)?
⟨maker⟩	(?:String::from\(|Some\(|\[\]byte\(|str\(|bytes\(|Buffer\.from\(|new String\(|SecretStr\(|tostring\(|sensitive\(|Secret\(|SecureString[ (]|to_string\(|encode\(|(?:bytes\.)?fromhex\(|(?:binascii\.|base64\.)?(?:unhexlify|b64decode)\(|hex!?\(|hex\.DecodeString\(|@|\$)?
# A string of JSON that holds JSON is looked into.
⟨begins⟩	(?:[^\"\\\n{]|\\.|\{ ?[^\"\\\n ])
⟨quoted⟩
  \s*(?:\\[nt]\s*){0,2}⟨else⟩⟨maker⟩\(?\s*(?:
    (?:[bBfFrRuULN]{1,2})?\"(⟨begins⟩(?:[^\"\\\n]|\\.){2,})\"|(?:[bBfFrRuULN]{1,2})?'((?:[^'\\\n]|\\.){3,})'|`([^`\\\n]{3,})`|\\{1,7}[\"']([^\"'\\\n]{3,})\\
    \\{0,7}[\"']([^\s\"'`\\<>{}]{12,})(?:\s|\\|$)
    [\"']([^\"'\\\n]{4,}?) ?(?:(?-i:\xe2\x80\xa6)|\n|$)
  )
⟨bare end⟩	[^\s\"'`,;:.&<>(){}|\[\]\\]
⟨bare⟩	[^\s\"'`,;&<>(){}|\[\]\\]
⟨value⟩
  (?:
    ⟨quoted⟩
    [ \t]*(?:!!binary |&\w{1,24}[ \t])?(?:
      ([^\s\"'`,;&<>\\]{3,}⟨bare end⟩)[ \t]*⟨line end⟩|([^\s\"'`,;&<>=\\]{3,}[^\s\"'`,;:.&<>=(\[{}\\])\\{0,7}[\"']|(⟨bare⟩{3,}⟨bare end⟩)
    )
  )
⟨strict⟩
  (?:
    token|key|auth|cred(?:ential)?s?|jwt|bearer|sid|salt|nonce|seed|pepper|(?:password|pwd|pass|pw)_?hash|(?:access|recovery|unlock|backup)[_-]?code
    [_\"']pat|unseal key \d{1,2}
  )
⟨tells⟩	(?:⟨loose⟩|⟨strict⟩)
⟨fields⟩	(?:type|description|sensitive|noecho|nullable|title|format|\w{1,10}length|required|label)
⟨declared⟩	(?:\s|\\{1,7}[nrt]){1,24}(?:(?:⟨quote⟩)?⟨fields⟩(?:⟨quote⟩)?[ \t]*[:=][^\n\\]{0,40})?
⟨argument⟩	(?:[^()\n\"']{1,40}|\\{0,7}[\"'][^\"'\n]{0,60}[\"'](?:\.to_\w{2,8}\(\))?)
⟨last argument⟩	(?:Some\(|b)?\\{0,7}(?:\"([^\"\\\n]{4,})\\{0,7}\"|'([^'\\\n]{4,})')(?:\.to_\w{2,8}\(\))?\s?[,)]
⟨bytes⟩	(?:b|u|\[\]byte\(|Buffer\.from\(|bytes\()?
⟨literal⟩	\\{0,7}(?:\"([^\"\\\n]{4,})\\{0,7}\"|'([^'\\\n]{4,})\\{0,7}'|`([^`\\\n]{4,})`)
⟨field⟩	[\w#.\[\]=*^$@/ \"'-]{0,60}(?:password|passwd|passwort|passphrase|pwd)[\w\]\"'-]{0,16}
password	password	passw ¦ passphrase ¦ passcode ¦ kennwort ¦ pwd ¦ pswd ¦ secret ¦ psk ¦ pass ¦ pw ¦ senha ¦ contrase ¦ mot_de_passe ¦ motdepasse ¦ wachtwoord ¦ haslo ¦ hasło ¦ heslo ¦ adgangskode ¦ salasana ¦ senord ¦ 密 ¦ 口令 ¦ パスワード ¦ паро ¦ Паро ¦ 비밀번호 ¦ u5bc6 ¦ u53e3 ¦ u30d1 ¦ u043f ¦ u041f ¦ ube44	observed in public repositories
  (?i)⟨loose⟩⟨rest⟩⟨is⟩⟨value⟩
token	token	token ¦ key ¦ auth ¦ cred ¦ jwt ¦ bearer ¦ sid ¦ salt ¦ nonce ¦ seed ¦ pepper ¦ hash ¦ code ¦ pat	observed in public repositories	(?i)⟨strict⟩⟨rest⟩⟨is⟩⟨value⟩
app-password	grouped	pass ¦ pwd ¦ pw ¦ secret	Google Account help, app passwords	(?i)⟨loose⟩⟨rest⟩(?:⟨quote⟩)?\s?[:=]\s?(?:⟨quote⟩)?([0-9a-z]{4}(?: [0-9a-z]{4}){3})\b
changed-value	named	" -> ¦ " => ¦ ' -> ¦ ' => ¦ " → ¦ ' → ¦ \" ->	manual of Terraform, the plan
  (?i)⟨tells⟩⟨rest⟩(?:⟨quote⟩)?[ \t]*[:=][ \t]*⟨quote⟩[^\"'\n\\]{0,60}⟨quote⟩[ \t]*(?:->|=>|(?-i:\xe2\x86\x92))[ \t]*\\{0,7}[\"']([^\"'\\\n]{4,})
declared-default	named	default: ¦ default = ¦ default= ¦ default" ¦ default\	manuals of Terraform, CloudFormation and OpenAPI
  (?i)⟨tells⟩⟨rest⟩(?:⟨quote⟩)?[ \t]{0,3}[:{][{ \t,]{0,3}(?:⟨declared⟩){1,5}(?:⟨quote⟩)?default(?:⟨quote⟩)?[ \t]*[:=][ \t]*(?:
    \\{0,7}[\"']([^\"'\\\n]{4,})\\{0,7}[\"']|([^\s\"'`,;<>{}\\]{4,})
  )
password-argument	argument	pass ¦ pwd ¦ pw ¦ secret ¦ token ¦ key	manuals of the languages
  (?i)(?:
    [\"'][\w.-]{0,60}(?:⟨loose⟩|token|key|salt)⟨rest⟩⟨quote⟩[ \t]?,\s{0,24}|(?:⟨loose⟩|token|key|salt)⟨rest⟩(?:\(\s{0,8}|[ \t]{1,4})
  )(?:\"([^\"\\\n]{4,})\"|'([^'\\\n]{4,})'|\"?\\{1,7}\"([^\"\\\n]{4,})\\{1,7}\"{1,2})
login-argument	login	getconnection( ¦ pdo( ¦ mysqli ¦ mysql_connect( ¦ auth( ¦ auth=( ¦ auth = ( ¦ httpbasic( ¦ credentials( ¦ credential( ¦ credentials::new( ¦ credentials.new( ¦ token( ¦ authenticate( ¦ login( ¦ log_in( ¦ signin( ¦ sign_in(	manuals of the languages
  (?i)(?:
    (?:getConnection|PDO|mysqli|mysqli_connect|mysql_connect|PlainAuth)\((?:⟨argument⟩,\s?){2}⟨last argument⟩
    (?:
      HTTPBasicAuth|basic_?auth|auth|httpBasic|Credentials?(?:::new|\.new)?|UsernamePasswordToken|authenticate|login|sign_?in|log_?in
      UsernamePasswordAuthenticationToken
    )(?:\(|\s?=\s?\()(?:⟨argument⟩,\s?){1,2}?⟨last argument⟩
  )
named-value	named	value: ¦ value= ¦ value" ¦ value' ¦ value : ¦ value = ¦ value\	manuals of Kubernetes, NuGet and Spring
  (?i)(?:name|key)(?:⟨quote⟩)?\s{0,3}[:=]\s{0,3}(?:⟨quote⟩)?[\w.-]{0,40}⟨tells⟩⟨rest⟩(?:⟨quote⟩)?,?(?:\s|\\{1,7}[nrt]){0,40}(?:⟨quote⟩)?(?:default_?|parameter_?)?value(?:⟨quote⟩)?\s{0,3}[:=]\s{0,3}(?:
    \"([^\"\\\n]{4,})\"|'([^'\\\n]{4,})'|\\{1,7}\"([^\"\\\n]{4,})\\|([^\s\"'`,;<>{}\\]{4,})
  )
signing-key	signing	jwt. ¦ jsonwebtoken. ¦ jose. ¦ jws. ¦ createhmac( ¦ hmac.new( ¦ hash_hmac( ¦ secretkeyspec( ¦ aes.new( ¦ fernet( ¦ createcipheriv( ¦ createsecretkey( ¦ hmacsha ¦ symmetricsecuritykey(	manuals of jsonwebtoken, PyJWT, Node.js, Python, PHP, Java and .NET
  (?i)⟨edge⟩(?:
    (?:jwt|jsonwebtoken|jose|jws)\.(?:sign|verify|encode|decode)\([^()\n\"']{1,60},\s?⟨bytes⟩⟨literal⟩
    (?:crypto\.)?createHmac\(⟨quote⟩[\w-]{2,20}⟨quote⟩,\s?⟨bytes⟩⟨literal⟩
    (?:hmac\.new|AES\.new|Fernet|SecretKeySpec|(?:crypto\.)?createSecretKey)\(⟨bytes⟩⟨literal⟩
    (?:crypto\.)?createCipheriv\(⟨quote⟩[\w-]{2,20}⟨quote⟩,\s?⟨bytes⟩⟨literal⟩
    (?:HMACSHA\d{1,3}|SymmetricSecurityKey)\((?:[\w.]{1,40}GetBytes\()?⟨literal⟩
    hash_hmac\(⟨quote⟩\w{2,20}⟨quote⟩,[^\"'\n,]{1,60},\s?⟨literal⟩
  )
typed-password	typed	password ¦ passwd ¦ passwort ¦ passphrase ¦ pwd ¦ hashpw( ¦ bcrypt. ¦ argon2.	manuals of Cypress, Selenium, Playwright, bcrypt and Django
  (?i)(?:
    ⟨quote⟩⟨field⟩\]?⟨quote⟩\s?\){1,2}\.(?:clear\(\)\.)?(?:type|fill|send_?keys|set_?value|val|input|enterText)\(⟨bytes⟩⟨literal⟩
    ⟨quote⟩⟨field⟩⟨quote⟩\s?\){1,2},\s?⟨literal⟩
    ⟨edge⟩(?:fill|type|typeText|fill_in|fillField|sendKeys)\s?\(?⟨quote⟩⟨field⟩⟨quote⟩,\s?(?:with: ?)?⟨literal⟩
    ⟨edge⟩(?:
      generate_password_hash|make_password|password_hash|hash_password|hashpw|get_password_hash
      bcrypt\.(?:hash|hashSync|hashpw|compare|compareSync)
      argon2\.hash|hashPassword|GenerateFromPassword
    )\(⟨bytes⟩⟨literal⟩
  )
owner-password	owner	create_user( ¦ create_superuser( ¦ connect( ¦ start( ¦ login( ¦ open(	manuals of Django and of the database clients
  ⟨edge⟩(?:\w{1,20}\.)*(?:create_(?:super)?user\(|(?:DBI->)?connect\()(?:⟨quote⟩[^\"'\n\\]{0,60}⟨quote⟩|\$\w{1,20}),\s?⟨quote⟩[^\"'\n\\]{0,60}⟨quote⟩,\s?⟨literal⟩
  (?:connect|start|login|open)\(⟨quote⟩[\w.-]{1,60}⟨quote⟩,\s?(?:\d{1,5},\s?)?(?:⟨quote⟩[\w.-]{1,60}⟨quote⟩,\s?)?⟨quote⟩[\w.@-]{1,60}⟨quote⟩,\s?⟨literal⟩
""",
    globals(),
)
