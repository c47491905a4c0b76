"""Secrets by which programs reach each other: URLs, headers and cookies, files that hold nothing else
(netrc, pgpass, Kubernetes, JWK, server settings), and SQL.
"""

from __future__ import annotations

from onward.redaction.rules import values
from onward.redaction.rules.table import lazy, read
from onward.redaction.rules.validators import (
    has_digit,
    is_filler,
    is_mixed,
    is_random,
    is_reference,
    is_words,
    not_filler,
    of_value,
    random,
    unpacked,
)

_PLACEHOLDERS = frozenset({"pass", "password", "passwd", "pwd", "passwort", "secret", "pw"})
_PLACEHOLDER_USERS = frozenset(
    {"user", "username", "usr", "login", "name", "foo", "u", "me", "someone"}
)
_SHARED_USERS = frozenset(
    {"git", "hg", "svn", "root", "user", "username", "anonymous", "localhost"}
)


def url_password(value: str, before: str, _after: str) -> bool:
    """`user:password@` is how documentation writes it; everything else is taken."""
    user = before.rpartition("://")[2].removesuffix(":")
    if value.isupper() and "_" in value:
        return False
    return not is_filler(value) and not (
        value.lower() in _PLACEHOLDERS and user.lower() in {"", *_PLACEHOLDERS, *_PLACEHOLDER_USERS}
    )


@of_value
def url_user(value: str) -> bool:
    """A user or a token before the host; not the accounts that everyone shares."""
    return not is_filler(value) and value.lower() not in _SHARED_USERS


def query(value: str, _before: str, after: str) -> bool:
    """What a key of the query holds, if it is more than a word."""
    return values.telling_token(value, "") and not is_reference(value, after)


_HEADER = lazy(
    r"(?i)authorization[\"'`\\]*\]?(?:,\s*[\"'\\]*value[\"'\\]*)?\s*(?:=>|[:=,])\s*[\"'`\\fbu]*(?:[\w-]+\s+)?$"
)
_COOKIE = lazy(r"(?i)(?:^|; ?)(?!expires|path|domain|max-age|samesite)[\w.%-]+=([\w.%+/=~:-]+)")
_UUID = lazy(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
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
    return any(
        is_random(held) or (len(held) >= 8 and is_mixed(held))
        for held in _COOKIE.findall(value)
        if not is_filler(held)
    )


@of_value
def session(value: str) -> bool:
    """The value of a cookie that is a session by its name; ids of sessions are no secrets."""
    return is_random(value) and not is_filler(value) and _UUID.fullmatch(value) is None


# What a Secret holds beside its secrets.
_SHOWN = lazy(
    r"(?i)(?:user(?:_?name)?(?:_in)?|host(?:name)?|address|port|e?mail|region|namespace|database|db_?name|"
    r"account_?name|name|kind|type|apiversion|bucket)[\"'\\]*:[ \t]*[\"'\\]*$"
)
_ENDS = lazy(r"[ \t]*(?:\r?\n|\\+[rn])")


def in_base64(value: str, before: str, _after: str) -> bool:
    """Text in base64, as the data of a Kubernetes Secret is."""
    if len(value) % 4 or value.isdigit() or _SHOWN.search(before):
        return False
    if value.endswith("="):
        return True
    plain = unpacked(value)
    return plain.replace("\n", "").replace("\r", "").isprintable() if plain else is_random(value)


def in_clear(value: str, before: str, after: str) -> bool:
    """A value below `stringData`: no name of a user or place, nothing that a template fills in."""
    return (
        "stringdata" in before.lower()
        and _SHOWN.search(before) is None
        and (not is_words(value) or has_digit(value))
        and values.password(value, "")
        and not is_reference(value, after)
    )


def setting(value: str, _before: str, after: str) -> bool:
    """The one word behind a directive; a comment about it goes on."""
    alone = not after.strip(" \t") or _ENDS.match(after)
    odd = has_digit(value) and not is_words(value)
    return (
        (alone or odd)
        and values.password(value.rstrip(",;"), "")
        and not is_reference(value, after)
    )


def pgpass(value: str, _before: str, after: str) -> bool:
    """The last field of `host:port:database:user:password`."""
    return not is_filler(value) and not is_reference(value, after) and not value.startswith("//")


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


RULES = read(
    r"""
⟨is⟩	(?:⟨quote⟩)?\]?(?:,\s{0,24}(?:⟨quote⟩)?value(?:⟨quote⟩)?)?(?:\s{0,4}(?:=>|[:=,])\s{0,4})
⟨scheme⟩	(?:bearer|basic|token|digest|negotiate|apikey|api-key|key|ntlm|jwt|oauth|sso-key|genie-?key|bot|hmac|gogs|splunk|klaviyo-api-key)
⟨session⟩
  (?:
    _gitlab_session|sessionid|JSESSIONID|PHPSESSID|connect\.sid|ASP\.NET_SessionId|laravel_session|ci_session|_session_id|rack\.session|user_session
    csrftoken|XSRF-TOKEN|remember_(?:user_)?token|(?:__Secure-)?(?:next-auth|authjs)\.session-token|\.AspNetCore\.[\w.]{1,40}
  )
url-password	url_password	://	RFC 3986, section 3.2.1	://[^\s:@/\"'`<>\\]*:([^\s/\"'`<>\\]{3,})@[0-9A-Za-z.\[_$-]
driver-password	url_password	@tcp ¦ @unix(	Go-MySQL-Driver manual, the data source name	⟨edge⟩[\w.-]{1,60}:([^\s/\"'`<>\\]{3,})@(?:tcp6?|unix)\(
url-user	url_user	://	RFC 3986, section 3.2.1	(?i)https?://([^\s:@/\"'`<>\\?#]{2,}|[0-9a-z]{20,}(?::[^\s:@/\"'`<>\\?#]{3,}))@[0-9A-Za-z-]{1,63}\.
url-query	query	key= ¦ token= ¦ sig= ¦ signature= ¦ hmac= ¦ sid= ¦ auth= ¦ private= ¦ %3d	RFC 3986, section 3.4; manuals of web services
  (?i)(?:[?&]|%26|%3F|⟨edge⟩amp;)(?:[a-z]{1,20}[_.-]){0,3}(?:
    key|apikey|token|sig|signature|hmac|sid|auth|authkey|accesskey|passkey|code_verifier|private
  )(?:=|%3D)([0-9A-Za-z_.~+/%-]{7,}[0-9A-Za-z_~+/%-]={0,2})
authorization	authorization	authorization ¦ bearer ¦ basic	RFC 7235, RFC 6750, RFC 7617
  (?i)authorization⟨is⟩(?:[fbu]?⟨quote⟩)?(?:⟨scheme⟩(?:\s{1,3}|[ \t]?\\\n\s{0,8}))?([^\s\"'`\\,;<>(){}]{5,}[^\s\"'`\\,;<>(){}.])
  \b(?:bearer|basic)(?:\s{1,3}|[ \t]?\\\n\s{0,8})([0-9A-Za-z._~+/-]{15,}[0-9A-Za-z_~+/-]={0,2})
authorization-part	random	digest  ¦ aws4-hmac ¦ oauth_	RFC 7616, RFC 5849; AWS Signature Version 4
  (?i)\b(?:response|signature|oauth_(?:token|signature|consumer_key))=(?:\\{0,7}\")?([0-9A-Za-z+/%_-]{16,}={0,2})
cookie	cookie	cookie	RFC 6265	(?i)⟨edge⟩(?:set-)?cookie(?:\\{0,7}[\"'])?\s{0,3}[:,]\s{0,3}(?:\\{0,7}[\"'])?([\w.%-]{1,80}=[^\r\n\"'\\]{6,}?) ?(?:(?-i:\xe2\x80\xa6)|[\r\n\"'\\]|$)
session-cookie	session	session ¦ sessid ¦ connect.sid ¦ csrftoken ¦ xsrf-token ¦ remember_ ¦ .aspnetcore.	manuals of the web frameworks
  ⟨edge⟩⟨session⟩(?:=|⟨quote⟩,\s{0,24}⟨quote⟩value⟨quote⟩\s?:\s?⟨quote⟩|⟨quote⟩\s?[:,]\s?⟨quote⟩)([0-9A-Za-z%._~+/-]{15,}[0-9A-Za-z%_~+/-])
⟨space⟩	(?:\s|\\{1,7}[nrt])+
⟨method⟩	(?:with|via)\s{1,4}[\w\"'`]{1,40}\s{1,4}
⟨quoted⟩	\s{0,4}\(?N?\\{0,7}['\"]([^'\"\\\n]{3,})
⟨user⟩	(?:create|alter)\s{1,4}(?:user|role|login|group)\s{1,4}(?:if\s(?:not\s)?exists\s)?[\w\"'`@%.\\-]{1,60}
netrc	not_filler	machine ¦ default	netrc(5)	⟨edge⟩(?:machine⟨space⟩[^\s\\]+|default)⟨space⟩login⟨space⟩[^\s\\]+⟨space⟩password⟨space⟩([^\s\\\"'<>]*[^\s\\\"'<>.,])
pgpass	pgpass	:5432: ¦ :5433: ¦ :6432: ¦ :*:	PostgreSQL manual, the password file
  (?:[\w-]{1,40}(?:\.[\w-]{1,40}){0,5}|\*):(?:(?:5432|5433|6432):(?:[\w-]{1,60}|\*)|\*:\*):[\w.-]{1,60}:([^\s:\"'`\\]{2,}[^\s:\"'`\\.,])
kube-secret	in_base64	kind: secret ¦ kind": "secret ¦ kind":"secret ¦ kind\": \"secret	Kubernetes manual, Secrets
  [\w.-]{1,80}(?:\\{0,7}\")?:[ \t]{0,4}(?:\\{0,7}[\"'])?([0-9A-Za-z+/]{4,}={0,2})(?:⟨quote⟩)?[ \t]*(?:⟨line end⟩|[,}#])
kube-string	in_clear	stringdata	Kubernetes manual, Secrets	[\w.-]{1,80}(?:\\{0,7}\")?:[ \t]{1,4}(?:\\{0,7}[\"'])?([^\s\"'{}\[\]&|>*#,\\][^\s\"'\\]{3,})(?:⟨quote⟩)?[ \t]*(?:⟨line end⟩|[,}#])
jwk		"kty ¦ 'kty ¦ rsakeyvalue	RFC 7518, section 6; XML Signature, RSAKeyValue as .NET writes it
  \\{0,7}\"(?:d|p|q|dp|dq|qi|k)\\{0,7}\"\s{0,4}:\s{0,4}\\{0,7}\"([0-9A-Za-z_-]{22,})\\{0,7}\"
  <(?:D|P|Q|DP|DQ|InverseQ)>\s{0,8}([0-9A-Za-z+/=]{22,})\s{0,8}</
directive	setting	requirepass ¦ masterauth ¦ pw  ¦ passw ¦ psk ¦ pass ¦ secret ¦ authtok	manuals of Redis, OpenLDAP and chrony
  ⟨line start⟩(?:
    requirepass|masterauth|rootpw|bindpw|SMTP_PASSWD|ldap_default_authtok|wpa-psk|user-pass|password|passwd|pass|secret|psk
  )[ \t]{1,16}\\{0,7}\"?(?:([^\s\"'`<>=:\\(\[{][^\s\"'`<>=:\\]{2,}[^\s\"'`<>=:\\.,;]))
oracle-login	not_filler	oracle ¦ sqlplus ¦ expdp ¦ impdp ¦ exp  ¦ imp 	Oracle JDBC manual
  ⟨edge⟩(?:jdbc:oracle:(?:thin|oci):|(?:sqlplus|exp|imp|expdp|impdp)\s(?:-\w\s)?)[\w$]{1,30}/([^\s\"'`@/\\]{3,})@
sql-password	clause	identified ¦ password	manuals of PostgreSQL, MySQL, Oracle and SQL Server
  (?i)\bidentified\s{1,4}(?:⟨method⟩as|(?:⟨method⟩)?by)(?:\s{1,4}password)?⟨quoted⟩
  (?:with|encrypted|unencrypted|login|user\s[\w\"]{1,40}|role\s[\w\"]{1,40}|set)\s{1,4}password⟨quoted⟩
  ⟨user⟩(?:\s{1,4}\w{2,20}){0,6}\s{1,4}password\s{0,4}=?⟨quoted⟩
  set\s{1,4}password\s{1,4}for\s{1,4}[^\s=]{1,80}\s{0,4}=\s{0,4}(?:password\()?⟨quoted⟩
  password\s{0,4}=\s{0,4}(?:password|md5|sha\d{0,3}|crypt|encrypt|hash\w{0,12})\(⟨quoted⟩
  ⟨user⟩\s{1,4}identified\s{1,4}by\s{1,4}([^\s\"'`;,\\$:&<(]{3,})
sql-value	cell	insert into ¦ replace into	SQL-92, the insert statement	(?i)⟨inserted⟩
""",
    globals() | {"random": random, "not_filler": not_filler},
    inserted="|".join(map(_inserted, range(_MOST + 1))),
)
