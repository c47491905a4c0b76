"""Secrets of the web: in URLs before the host and in the query, in HTTP headers, in cookies."""

from __future__ import annotations

from onward.redaction.engine import Rule
from onward.redaction.rules import values
from onward.redaction.rules.shared import (
    EDGE,
    QUOTE,
    entries,
    is_filler,
    is_mixed,
    is_random,
    is_reference,
    is_words,
    lazy,
    of_value,
    random,
    unpacked,
)

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


@of_value
def url_user(value: str) -> bool:
    """A user or a token before the host; not the accounts that everyone shares."""
    return not is_filler(value) and value.lower() not in _SHARED_USERS


def query(value: str, before: str, after: str) -> bool:
    """What a key of the query holds, if it is more than a word."""
    del before
    return values.telling_token(value, "") and not is_reference(value, after)


_IS = rf"(?:{QUOTE})?\]?(?:,\s{{0,24}}(?:{QUOTE})?value(?:{QUOTE})?)?(?:\s{{0,4}}(?:=>|[:=,])\s{{0,4}})"
_SCHEME = r"(?:bearer|basic|token|digest|negotiate|apikey|api-key|key|ntlm|jwt|oauth|sso-key|genie-?key|bot|hmac|gogs|splunk|klaviyo-api-key)"
_HEADER = lazy(
    r"(?i)authorization[\"'`\\]*\]?(?:,\s*[\"'\\]*value[\"'\\]*)?\s*(?:=>|[:=,])\s*[\"'`\\fbu]*(?:[\w-]+\s+)?$"
)
_COOKIE = lazy(r"(?i)(?:^|; ?)(?!expires|path|domain|max-age|samesite)[\w.%-]+=([\w.%+/=~:-]+)")
_UUID = lazy(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SESSION = (
    r"(?:_gitlab_session|sessionid|JSESSIONID|PHPSESSID|connect\.sid|ASP\.NET_SessionId|laravel_session|"
    r"ci_session|_session_id|rack\.session|user_session|csrftoken|XSRF-TOKEN|remember_(?:user_)?token|"
    r"(?:__Secure-)?(?:next-auth|authjs)\.session-token|\.AspNetCore\.[\w.]{1,40})"
)
_BASIC = lazy(r"(?i)basic\s+$")


def is_basic(value: str) -> bool:
    """Is it `user:password` in base64, as the Basic scheme has it?"""
    plain = unpacked(value)
    return plain.isprintable() and ":" in plain.strip(":")


def authorization(value: str, before: str, after: str) -> bool:
    """Credentials of any scheme; prose about them and references stay."""
    if "://" in value or is_filler(value) or is_reference(value, after) or values.is_code(value):
        return False
    if _BASIC.search(before) and is_basic(value):
        return True
    if is_random(value):
        return True
    # In the header itself short and odd ones count too.
    return bool(_HEADER.search(before)) and not is_words(value) and values.telling_token(value, "")


@of_value
def cookie(value: str) -> bool:
    """A cookie that could be a session; one of settings (`lang=en`) says nothing."""
    return any(_is_session(held) for held in _COOKIE.findall(value) if not is_filler(held))


@of_value
def session(value: str) -> bool:
    """The value of a cookie that is a session by its name; ids of sessions are no secrets."""
    return is_random(value) and not is_filler(value) and _UUID.fullmatch(value) is None


def _is_session(held: str) -> bool:
    return is_random(held) or (len(held) >= 8 and is_mixed(held))


RULES: tuple[Rule, ...] = (
    Rule(
        id="url-password",
        pattern=r"://[^\s:@/\"'`<>\\]*:([^\s/\"'`<>\\]{3,})@[0-9A-Za-z.\[_$-]",
        keywords=("://",),
        source="RFC 3986, section 3.2.1",
        judge=url_password,
    ),
    Rule(
        id="driver-password",
        pattern=rf"{EDGE}[\w.-]{{1,60}}:([^\s/\"'`<>\\]{{3,}})@(?:tcp6?|unix)\(",
        keywords=("@tcp", "@unix("),
        source="Go-MySQL-Driver manual, the data source name",
        judge=url_password,
    ),
    Rule(
        id="url-user",
        pattern=r"(?i)https?://([^\s:@/\"'`<>\\?#]{2,}|[0-9a-z]{20,}(?::[^\s:@/\"'`<>\\?#]{3,}))@[0-9A-Za-z-]{1,63}\.",
        keywords=("://",),
        source="RFC 3986, section 3.2.1",
        judge=url_user,
    ),
    Rule(
        id="url-query",
        pattern=(
            rf"(?i)(?:[?&]|%26|%3F|{EDGE}amp;)(?:[a-z]{{1,20}}[_.-]){{0,3}}"
            r"(?:key|apikey|token|sig|signature|hmac|sid|auth|authkey|accesskey|passkey|code_verifier|private)"
            r"(?:=|%3D)([0-9A-Za-z_.~+/%-]{7,}[0-9A-Za-z_~+/%-]={0,2})"
        ),
        keywords=entries(
            "key= ¦ token= ¦ sig= ¦ signature= ¦ hmac= ¦ sid= ¦ auth= ¦ private= ¦ %3d"
        ),
        source="RFC 3986, section 3.4; manuals of web services",
        judge=query,
    ),
    Rule(
        id="authorization",
        pattern=(
            rf"(?i)authorization{_IS}(?:[fbu]?{QUOTE})?(?:{_SCHEME}(?:\s{{1,3}}|[ \t]?\\\n\s{{0,8}}))?"
            r"([^\s\"'`\\,;<>(){}]{5,}[^\s\"'`\\,;<>(){}.])"
            r"|\b(?:bearer|basic)(?:\s{1,3}|[ \t]?\\\n\s{0,8})([0-9A-Za-z._~+/-]{15,}[0-9A-Za-z_~+/-]={0,2})"
        ),
        keywords=("authorization", "bearer", "basic"),
        source="RFC 7235, RFC 6750, RFC 7617",
        judge=authorization,
    ),
    Rule(
        id="authorization-part",
        pattern=r"(?i)\b(?:response|signature|oauth_(?:token|signature|consumer_key))=(?:\\{0,7}\")?([0-9A-Za-z+/%_-]{16,}={0,2})",
        keywords=("digest ", "aws4-hmac", "oauth_"),
        source="RFC 7616, RFC 5849; AWS Signature Version 4",
        judge=random,
    ),
    Rule(
        id="cookie",
        pattern=r"(?i)"
        + EDGE
        + r"(?:set-)?cookie(?:\\{0,7}[\"'])?\s{0,3}[:,]\s{0,3}(?:\\{0,7}[\"'])?([\w.%-]{1,80}=[^\r\n\"'\\]{6,}?) ?(?:(?-i:\xe2\x80\xa6)|[\r\n\"'\\]|$)",
        keywords=("cookie",),
        source="RFC 6265",
        judge=cookie,
    ),
    Rule(
        id="session-cookie",
        pattern=(
            rf"{EDGE}{_SESSION}(?:=|{QUOTE},\s{{0,24}}{QUOTE}value{QUOTE}\s?:\s?{QUOTE}|{QUOTE}\s?[:,]\s?{QUOTE})"
            r"([0-9A-Za-z%._~+/-]{15,}[0-9A-Za-z%_~+/-])"
        ),
        keywords=entries(
            "session ¦ sessid ¦ connect.sid ¦ csrftoken ¦ xsrf-token ¦ remember_ ¦ .aspnetcore."
        ),
        source="manuals of the web frameworks",
        judge=session,
    ),
)
