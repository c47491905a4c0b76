"""Secrets in files that only hold them: netrc, pgpass, Kubernetes, JWK, server settings, SQL."""

from __future__ import annotations

import re
from base64 import b64decode

from onward.redact.engine import Rule
from onward.redact.rules import values
from onward.redact.rules.shared import (
    EDGE,
    LINE_END,
    LINE_START,
    QUOTE,
    is_filler,
    is_random,
    is_reference,
    is_words,
    not_filler,
)

_SPACE = r"(?:\s|\\{1,7}[nrt])+"


def in_base64(value: str, before: str, after: str) -> bool:
    """Text in base64, as the data of a Kubernetes Secret is."""
    del before, after
    if len(value) % 4 or value.isdigit():
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


def sql(value: str, before: str, after: str) -> bool:
    """What stands in quotes at a clause for passwords, but no sentence."""
    del before, after
    return values.password(value, "sql password") and not re.match(r"[=<>]", value)


def setting(value: str, before: str, after: str) -> bool:
    """The one word behind a directive; a comment about it goes on."""
    del before
    alone = not after.strip(" \t") or re.match(r"[ \t]*(?:\r?\n|\\+[rn])", after)
    odd = any(c.isdigit() for c in value) and not is_words(value)
    return (
        (alone or odd)
        and values.password(value.rstrip(",;"), "")
        and not is_reference(value, after)
    )


def pgpass(value: str, before: str, after: str) -> bool:
    """The last field of `host:port:database:user:password`."""
    del before
    return not is_filler(value) and not is_reference(value, after) and not value.startswith("//")


RULES: tuple[Rule, ...] = (
    Rule(
        id="netrc",
        pattern=EDGE
        + rf"machine{_SPACE}[^\s\\]+{_SPACE}login{_SPACE}[^\s\\]+{_SPACE}password{_SPACE}([^\s\\\"'<>]+)",
        keywords=("machine",),
        hits=(
            "machine host.test login me password «{an:12}»",
            "machine h\n  login u\n  password «{an:8}»",
        ),
        misses=(
            "a machine to login with a password",
            "machine h login u password $PASS",
        ),
        source="netrc(5)",
        judge=not_filler,
    ),
    Rule(
        id="pgpass",
        pattern=(
            r"(?:[\w-]{1,40}(?:\.[\w-]{1,40}){0,5}|\*):(?:5432|5433|6432):(?:[\w-]{1,60}|\*):[\w.-]{1,60}:"
            r"([^\s:\"'`\\]{3,})"
        ),
        keywords=(":5432:", ":5433:", ":6432:"),
        hits=("db.test:5432:app:me:«{an:9}»", "*:5432:*:postgres:«swordfish»"),
        misses=("5432:5432:tcp:x", "db.test:5432:app:me:$PASS", "a:5432:app:me"),
        source="PostgreSQL manual, the password file",
        judge=pgpass,
    ),
    Rule(
        id="kube-secret",
        pattern=(
            r"[\w.-]{1,80}(?:\\{0,7}\")?:[ \t]{0,4}(?:\\{0,7}[\"'])?([0-9A-Za-z+/]{4,}={0,2})"
            rf"(?:{QUOTE})?[ \t]*(?:{LINE_END}|[,}}])"
        ),
        keywords=(
            "kind: secret",
            'kind": "secret',
            'kind":"secret',
            'kind\\": \\"secret',
        ),
        hits=(
            "kind: Secret\ndata:\n  user: «YWRtaW4=»\n",
            "kind: Secret\nmetadata:\n  name: a\ndata:\n  tls.key: «{b64:43}=»\n",
        ),
        misses=(
            "kind: Secret\ntype: Opaque\n",
            "kind: Secret\nmetadata:\n  name: resource\n",
        ),
        source="Kubernetes manual, Secrets",
        judge=in_base64,
    ),
    Rule(
        id="jwk",
        pattern=r"\\{0,7}\"(?:d|p|q|dp|dq|qi|k)\\{0,7}\"\s{0,4}:\s{0,4}\\{0,7}\"([0-9A-Za-z_-]{22,})\\{0,7}\"",
        keywords=('"kty', "'kty"),
        hits=(
            '{"kty":"EC","crv":"P-256","d":"«{url:43}»"}',
            '{"kty": "oct", "k": "«{url:43}»"}',
            '{\\"kty\\":\\"RSA\\",\\"d\\":\\"«{url:86}»\\"}',
        ),
        misses=('{"kty":"EC","x":"{url:43}"}', '{"d":"M10 10 20 20 30 30 40 40"}'),
        source="RFC 7518, section 6",
    ),
    Rule(
        id="sql-password",
        pattern=(
            r"(?i)\b(?:identified\s{1,4}(?:(?:with|via)\s{1,4}[\w\"'`]{1,40}\s{1,4}as|(?:(?:with|via)\s{1,4}[\w\"'`]{1,40}\s{1,4})?by)(?:\s{1,4}password)?"
            r"|(?:with|encrypted|unencrypted|login|user\s[\w\"]{1,40}|role\s[\w\"]{1,40}|set)\s{1,4}password)"
            r"\s{0,4}\(?\\{0,7}['\"]([^'\"\\\n]{3,})"
        ),
        keywords=("identified", "password"),
        hits=(
            "CREATE USER 'app'@'%' IDENTIFIED BY '«{an:9}»';",
            "ALTER ROLE app WITH PASSWORD '«{an:9}»';",
        ),
        misses=(
            "IDENTIFIED BY '${DB_PASSWORD}'",
            "with password 'must not be empty'",
            "identified by its name",
        ),
        source="manuals of PostgreSQL, MySQL, Oracle and SQL Server",
        judge=sql,
    ),
    Rule(
        id="directive",
        pattern=(
            LINE_START + r"(?:requirepass|masterauth|rootpw|bindpw|SMTP_PASSWD|"
            r"ldap_default_authtok|wpa-psk|user-pass|password|passwd|pass|secret|psk)[ \t]{1,16}\\{0,7}\"?([^\s\"'`<>=:\\(\[{][^\s\"'`<>=:\\]{3,})"
        ),
        keywords=(
            "requirepass",
            "masterauth",
            "pw ",
            "passw",
            "psk",
            "pass",
            "secret",
            "authtok",
        ),
        hits=("\nrequirepass «{an:8}-7{an:4}»", "\n  bindpw «{an:6}-4{an:3}»\n"),
        misses=(
            "\nrequirepass $PASS",
            "\npassword is required",
            "\nsecret sauce for all of us",
        ),
        source="manuals of Redis, OpenLDAP and chrony",
        judge=setting,
    ),
    Rule(
        id="oracle-login",
        pattern=EDGE
        + r"(?:jdbc:oracle:(?:thin|oci):|(?:sqlplus|exp|imp|expdp|impdp)\s(?:-\w\s)?)[\w$]{1,30}/([^\s\"'`@/\\]{3,})@",
        keywords=("oracle", "sqlplus", "expdp", "impdp", "exp ", "imp "),
        hits=(
            "jdbc:oracle:thin:scott/«{an:9}»@//db:1521/x",
            "sqlplus me/«swordfish»@db",
        ),
        misses=("jdbc:oracle:thin:@//db:1521/x", "sqlplus me/$PASS@db"),
        source="Oracle JDBC manual",
        judge=not_filler,
    ),
)
