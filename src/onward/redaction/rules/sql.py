"""Passwords in SQL: clauses for them, and values beside a column of that name."""

from __future__ import annotations

from onward.redaction.engine import Rule
from onward.redaction.rules import values
from onward.redaction.rules.shared import is_filler

_USER = r"(?:create|alter)\s{1,4}(?:user|role|login|group)\s{1,4}(?:if\s(?:not\s)?exists\s)?[\w\"'`@%.\\-]{1,60}"
_METHOD = r"(?:with|via)\s{1,4}[\w\"'`]{1,40}\s{1,4}"
_QUOTED = r"\s{0,4}\(?N?\\{0,7}['\"]([^'\"\\\n]{3,})"
_COLUMN = r"[\"`\[]?\w*(?:password|passwd|passwort|passphrase|secret|pwd)[\"`\]]?"
_CELL = r"\s{0,4}(?:N?\\{0,3}'[^'\n\\]*\\{0,3}'|[^',()\n\\]+),"
_MOST = 6
"""Columns before that of the password."""


def clause(value: str, before: str, after: str) -> bool:
    """What stands in quotes at a clause for passwords, but no sentence."""
    del before, after
    return values.password(value, "sql password") and not value.startswith(("=", "<", ">"))


def cell(value: str, before: str, after: str) -> bool:
    """What a statement puts into the column; a word is a password there too."""
    del before, after
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
