"""Secrets in files that only hold them (netrc, pgpass, Kubernetes, JWK, server settings), and in SQL."""

from __future__ import annotations

from base64 import b64decode

from onward.redaction.engine import Rule
from onward.redaction.rules import values
from onward.redaction.rules.shared import (
    EDGE,
    LINE_END,
    LINE_START,
    QUOTE,
    entries,
    has_digit,
    is_filler,
    is_random,
    is_reference,
    is_words,
    lazy,
    not_filler,
    of_value,
)

# What a Secret holds beside its secrets.
_SHOWN = lazy(
    r"(?i)(?:user(?:_?name)?(?:_in)?|host(?:name)?|address|port|e?mail|region|namespace|database|db_?name|"
    r"account_?name|name|kind|type|apiversion|bucket)[\"'\\]*:[ \t]*[\"'\\]*$"
)
_ENDS = lazy(r"[ \t]*(?:\r?\n|\\+[rn])")
_SPACE = r"(?:\s|\\{1,7}[nrt])+"


def in_base64(value: str, before: str, after: str) -> bool:
    """Text in base64, as the data of a Kubernetes Secret is."""
    del after
    if len(value) % 4 or value.isdigit() or _SHOWN.search(before):
        return False
    try:
        plain = b64decode(value, validate=True)
    except ValueError:
        return False
    if value.endswith("="):
        return True
    try:
        return plain.decode().replace("\n", "").replace("\r", "").isprintable()
    except UnicodeDecodeError:
        return is_random(value)


def in_clear(value: str, before: str, after: str) -> bool:
    """A value below `stringData`: no name of a user or place, nothing that a template fills in."""
    return (
        "stringdata" in before.lower()
        and _SHOWN.search(before) is None
        and (not is_words(value) or has_digit(value))
        and values.password(value, "")
        and not is_reference(value, after)
    )


def setting(value: str, before: str, after: str) -> bool:
    """The one word behind a directive; a comment about it goes on."""
    del before
    alone = not after.strip(" \t") or _ENDS.match(after)
    odd = has_digit(value) and not is_words(value)
    return (
        (alone or odd)
        and values.password(value.rstrip(",;"), "")
        and not is_reference(value, after)
    )


def pgpass(value: str, before: str, after: str) -> bool:
    """The last field of `host:port:database:user:password`."""
    del before
    return not is_filler(value) and not is_reference(value, after) and not value.startswith("//")


_USER = r"(?:create|alter)\s{1,4}(?:user|role|login|group)\s{1,4}(?:if\s(?:not\s)?exists\s)?[\w\"'`@%.\\-]{1,60}"
_METHOD = r"(?:with|via)\s{1,4}[\w\"'`]{1,40}\s{1,4}"
_QUOTED = r"\s{0,4}\(?N?\\{0,7}['\"]([^'\"\\\n]{3,})"
_COLUMN = r"[\"`\[]?\w*(?:password|passwd|passwort|passphrase|secret|pwd)[\"`\]]?"
_CELL = r"\s{0,4}(?:N?\\{0,3}'[^'\n\\]*\\{0,3}'|[^',()\n\\]+),"
_MOST = 6
"""Columns before that of the password."""


@of_value
def clause(value: str) -> bool:
    """What stands in quotes at a clause for passwords, but no sentence."""
    return values.password(value, "sql password") and not value.startswith(("=", "<", ">"))


@of_value
def cell(value: str) -> bool:
    """What a statement puts into the column; a word is a password there too."""
    return not is_filler(value) and values.password(value, "sql value")


def _inserted(before: int) -> str:
    """A row whose password stands behind so many other columns."""
    names = rf"(?:\s{{0,4}}[\w\"`\[\]]+\s?,){{{before}}}" if before else ""
    cells = rf"(?:{_CELL}){{{before}}}" if before else ""
    return (
        rf"\({names}\s{{0,4}}{_COLUMN}\s{{0,4}}(?:,[^()]*)?\)\s{{0,4}}values\s{{0,4}}"
        rf"\({cells}\s{{0,4}}(?:\w{{1,12}}\()?N?\\{{0,3}}'([^'\\\n]{{4,}})\\{{0,3}}'"
    )


RULES: tuple[Rule, ...] = (
    Rule(
        id="netrc",
        pattern=EDGE
        + rf"(?:machine{_SPACE}[^\s\\]+|default){_SPACE}login{_SPACE}[^\s\\]+{_SPACE}password{_SPACE}([^\s\\\"'<>]*[^\s\\\"'<>.,])",
        keywords=("machine", "default"),
        source="netrc(5)",
        judge=not_filler,
    ),
    Rule(
        id="pgpass",
        pattern=(
            r"(?:[\w-]{1,40}(?:\.[\w-]{1,40}){0,5}|\*):(?:(?:5432|5433|6432):(?:[\w-]{1,60}|\*)|\*:\*):[\w.-]{1,60}:"
            r"([^\s:\"'`\\]{2,}[^\s:\"'`\\.,])"
        ),
        keywords=(":5432:", ":5433:", ":6432:", ":*:"),
        source="PostgreSQL manual, the password file",
        judge=pgpass,
    ),
    Rule(
        id="kube-secret",
        pattern=(
            r"[\w.-]{1,80}(?:\\{0,7}\")?:[ \t]{0,4}(?:\\{0,7}[\"'])?([0-9A-Za-z+/]{4,}={0,2})"
            rf"(?:{QUOTE})?[ \t]*(?:{LINE_END}|[,}}#])"
        ),
        keywords=entries('kind: secret ¦ kind": "secret ¦ kind":"secret ¦ kind\\": \\"secret'),
        source="Kubernetes manual, Secrets",
        judge=in_base64,
    ),
    Rule(
        id="kube-string",
        pattern=(
            r"[\w.-]{1,80}(?:\\{0,7}\")?:[ \t]{1,4}(?:\\{0,7}[\"'])?([^\s\"'{}\[\]&|>*#,\\][^\s\"'\\]{3,})"
            rf"(?:{QUOTE})?[ \t]*(?:{LINE_END}|[,}}#])"
        ),
        keywords=("stringdata",),
        source="Kubernetes manual, Secrets",
        judge=in_clear,
    ),
    Rule(
        id="jwk",
        pattern=(
            r"\\{0,7}\"(?:d|p|q|dp|dq|qi|k)\\{0,7}\"\s{0,4}:\s{0,4}\\{0,7}\"([0-9A-Za-z_-]{22,})\\{0,7}\""
            r"|<(?:D|P|Q|DP|DQ|InverseQ)>\s{0,8}([0-9A-Za-z+/=]{22,})\s{0,8}</"
        ),
        keywords=('"kty', "'kty", "rsakeyvalue"),
        source="RFC 7518, section 6; XML Signature, RSAKeyValue as .NET writes it",
    ),
    Rule(
        id="directive",
        pattern=(
            LINE_START + r"(?:requirepass|masterauth|rootpw|bindpw|SMTP_PASSWD|"
            r"ldap_default_authtok|wpa-psk|user-pass|password|passwd|pass|secret|psk)[ \t]{1,16}\\{0,7}\"?(?:([^\s\"'`<>=:\\(\[{][^\s\"'`<>=:\\]{2,}[^\s\"'`<>=:\\.,;]))"
        ),
        keywords=entries("requirepass ¦ masterauth ¦ pw  ¦ passw ¦ psk ¦ pass ¦ secret ¦ authtok"),
        source="manuals of Redis, OpenLDAP and chrony",
        judge=setting,
    ),
    Rule(
        id="oracle-login",
        pattern=EDGE
        + r"(?:jdbc:oracle:(?:thin|oci):|(?:sqlplus|exp|imp|expdp|impdp)\s(?:-\w\s)?)[\w$]{1,30}/([^\s\"'`@/\\]{3,})@",
        keywords=("oracle", "sqlplus", "expdp", "impdp", "exp ", "imp "),
        source="Oracle JDBC manual",
        judge=not_filler,
    ),
    Rule(
        id="sql-password",
        pattern=(
            rf"(?i)\bidentified\s{{1,4}}(?:{_METHOD}as|(?:{_METHOD})?by)(?:\s{{1,4}}password)?{_QUOTED}"
            rf"|(?:with|encrypted|unencrypted|login|user\s[\w\"]{{1,40}}|role\s[\w\"]{{1,40}}|set)\s{{1,4}}password{_QUOTED}"
            rf"|{_USER}(?:\s{{1,4}}\w{{2,20}}){{0,6}}\s{{1,4}}password\s{{0,4}}=?{_QUOTED}"
            rf"|set\s{{1,4}}password\s{{1,4}}for\s{{1,4}}[^\s=]{{1,80}}\s{{0,4}}=\s{{0,4}}(?:password\()?{_QUOTED}"
            rf"|password\s{{0,4}}=\s{{0,4}}(?:password|md5|sha\d{{0,3}}|crypt|encrypt|hash\w{{0,12}})\({_QUOTED}"
            rf"|{_USER}\s{{1,4}}identified\s{{1,4}}by\s{{1,4}}([^\s\"'`;,\\$:&<(]{{3,}})"
        ),
        keywords=("identified", "password"),
        source="manuals of PostgreSQL, MySQL, Oracle and SQL Server",
        judge=clause,
    ),
    Rule(
        id="sql-value",
        pattern="(?i)" + "|".join(map(_inserted, range(_MOST + 1))),
        keywords=("insert into", "replace into"),
        source="SQL-92, the insert statement",
        judge=cell,
    ),
)
