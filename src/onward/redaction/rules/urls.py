"""Secrets in URLs: user and password before the host, keys in the query."""

from __future__ import annotations

from onward.redaction.engine import Rule
from onward.redaction.rules import values
from onward.redaction.rules.shared import EDGE, entries, is_filler, is_reference

_SHOWN = frozenset({"pass", "password", "passwd", "pwd", "passwort", "secret", "pw"})
_SHOWN_USERS = frozenset({"user", "username", "usr", "login", "name", "foo", "u", "me", "someone"})
_SHARED_USERS = frozenset(
    {"git", "hg", "svn", "root", "user", "username", "anonymous", "localhost"}
)


def url_password(value: str, before: str, after: str) -> bool:
    """`user:password@` is how documentation writes it; everything else is taken."""
    del after
    user = before.rpartition("://")[2].removesuffix(":")
    if value.isupper() and "_" in value:
        return False
    return not is_filler(value) and not (
        value.lower() in _SHOWN and user.lower() in {"", *_SHOWN, *_SHOWN_USERS}
    )


def url_user(value: str, before: str, after: str) -> bool:
    """A user or a token before the host; not the accounts that everyone shares."""
    del before, after
    return not is_filler(value) and value.lower() not in _SHARED_USERS


def query(value: str, before: str, after: str) -> bool:
    """What a key of the query holds, if it is more than a word."""
    del before
    return values.telling_token(value, "") and not is_reference(value, after)


RULES: tuple[Rule, ...] = (
    Rule(
        id="url-password",
        pattern=r"://[^\s:@/\"'`<>\\]*:([^\s/\"'`<>\\]{3,})@[0-9A-Za-z.\[_$-]",
        keywords=("://",),
        source="RFC 3986, section 3.2.1",
        judge=url_password,
    ),
    Rule(
        id="url-user",
        pattern=r"(?i)https?://([^\s:@/\"'`<>\\?#]{2,})@[0-9A-Za-z-]{1,63}\.",
        keywords=("://",),
        source="RFC 3986, section 3.2.1",
        judge=url_user,
    ),
    Rule(
        id="url-query",
        pattern=(
            rf"(?i)(?:[?&]|%26|%3F|{EDGE}amp;)(?:[a-z]{{2,20}}[_.-])?"
            r"(?:key|apikey|token|sig|signature|hmac|sid|auth|authkey|accesskey|passkey|code_verifier|private)"
            r"(?:=|%3D)([0-9A-Za-z_.~+/%-]{7,}[0-9A-Za-z_~+/%-]={0,2})"
        ),
        keywords=entries(
            "key= ¦ token= ¦ sig= ¦ signature= ¦ hmac= ¦ sid= ¦ auth= ¦ private= ¦ %3d"
        ),
        source="RFC 3986, section 3.4; manuals of web services",
        judge=query,
    ),
)
