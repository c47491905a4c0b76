"""Secrets that only their surroundings give away: a key, a header, a flag, a URL."""

from __future__ import annotations

import re

from onward.redact.engine import Rule
from onward.redact.rules.shared import (
    EDGE,
    QUOTE,
    is_filler,
    is_random,
    is_reference,
    is_words,
    not_filler,
)

_LOOSE = r"(?:password|passwd|passphrase|passcode|pwd|secret|[_-]pass|[\"']pass)"
_STRICT = (
    r"(?:token|(?:api|app|access|private|secret|auth|account|signing|encryption|master|client|"
    r"service|shared|storage|subscription|license|webhook|deploy|session)[_.-]?(?:access)?[_.-]?key|apikey|auth|"
    r"credentials?|client[_-]?id[_-]?secret|jwt|bearer)"
)
_IS = rf"(?:{QUOTE})?\]?(?:\s{{0,4}}(?::\s{{0,3}}[A-Za-z_][\w.|\[\]]{{1,30}} =|:=|=>|={{1,3}}|:)\s{{0,4}}|>)"
_SPACE = r"(?:\s|\\{1,7}[nrt]){1,80}"
_QUOTED_VALUE = (
    r"(?:[bfru]?\"((?:[^\"\\\n]|\\.){4,})\""  # quoted
    r"|[bfru]?'((?:[^'\\\n]|\\.){4,})'"
    r"|\\{1,7}[\"']([^\"'\\\n]{4,})\\"  # quoted, in JSON in JSON
)
_BARE = r"[^\s\"'`,;&<>(){}|\[\]\\]{4,}"
_BARE_STRICT = r"[^\s\"'`,;&<>(){}|\[\]\\@]{4,}"  # no `@`: behind it a host begins
_TYPES = re.compile(
    r"(?i:str(?:ing)?|text|bool(?:ean)?|int(?:eger)?|number|any|none|null|nil|undefined|true|false|"
    r"required|optional|hidden|unknown|bytes|(?:var)?char|object|password|passwd|secret|token|"
    r"value|key|field|input|validation|process|self|this|config|settings|user|todo|missing|"
    r"empty|invalid|expired|wrong|changed|reset|done|fixed|disabled|enabled|yes|never|always)"
)
_ENV_KEY = re.compile(r"[A-Z][A-Z0-9_]{2,}=$")
# A line may carry its number or the sign of a diff before it.
_LINE_KEY = re.compile(
    r"(?:^|\n|\\n)[ \t]*(?:\d+[\t\u2192:][ \t]*)?(?:[+-] *)?[\"']?[\w.-]+[\"']?:[ \t]*$"
)
_AUTHORITY = re.compile(r"://[^\s/]*$")  # a URL, which has rules of its own
_CODE = re.compile(r"[\d.]+|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|[\W_]+")
_QUOTED = re.compile(r"[\"']$")
_PROSE = re.compile(r"[A-Z][a-z]+(?: [a-z]+)*[.!?…]?|[a-z]+(?: [a-z]+){2,}[.!?…]?")


def password(value: str, before: str, after: str) -> bool:
    """Is what stands at a password-like key a password? Words count in quotes, in env
    files and alone on their line; types, references and labels never do.
    """
    if is_filler(value) or is_reference(value, after) or _TYPES.fullmatch(value):
        return False
    if _QUOTED.search(before) or after.startswith("</"):
        return not _PROSE.fullmatch(value)
    if before.endswith(">") and not before.endswith("=>"):
        return False
    return not ("@" in value and _AUTHORITY.search(before)) and _bare_password(value, before, after)


def _bare_password(value: str, before: str, after: str) -> bool:
    if any(c.isdigit() for c in value) or not is_words(value):
        return not _CODE.fullmatch(value)
    alone = after.startswith(("\n", "\\n")) or not after
    plain = alone and value.isalpha() and value.islower()
    return bool(_ENV_KEY.search(before) or (plain and _LINE_KEY.search(before)))


def token(value: str, before: str, after: str) -> bool:
    """Is what stands at a token-like key a token? Only what no word or name looks like."""
    del before
    return is_random(value) and not is_filler(value) and not is_reference(value, after)


def url_password(value: str, before: str, after: str) -> bool:
    """`user:password@` is how documentation writes it; everything else is taken."""
    del before, after
    return not is_filler(value) and value.lower() not in {"pass", "password", "passwd", "pwd"}


def url_user(value: str, before: str, after: str) -> bool:
    """A person or a token before the host; not the accounts that everyone shares."""
    del before, after
    return not is_filler(value) and value.lower() not in {"git", "hg", "svn", "root", "user"}


def flag(value: str, before: str, after: str) -> bool:
    """The word after `--password`: not the next flag, not prose about the flag."""
    if value.startswith("-") or is_reference(value, after) or is_filler(value):
        return False
    return not is_words(value) or any(c.isdigit() for c in value) or bool(_QUOTED.search(before))


# Of two that find the same value the first gives the name.
RULES: tuple[Rule, ...] = (
    Rule(
        id="url-password",
        pattern=r"://[^\s:@/\"'`<>\\]*:([^\s@/\"'`<>\\]{3,})@[0-9A-Za-z.\[_$-]",
        keywords=("://",),
        hits=(
            "postgres://app:«{an:12}»@db.internal:5432/app",
            "https://x-access-token:«{an:36}»@github.com/o/r.git",
            "redis://:«{an:16}»@cache:6379/0",
        ),
        misses=(
            "postgres://user:password@localhost/db",
            "https://user:$PASS@host/",
            "http://localhost:8080/@scope/pkg",
            "mongodb://user:<password>@cluster0",
        ),
        source="RFC 3986, section 3.2.1",
        judge=url_password,
    ),
    Rule(
        id="url-user",
        pattern=r"(?i)https?://([^\s:@/\"'`<>\\?#]{2,256})@[0-9A-Za-z-]{1,63}\.",
        keywords=("://",),
        hits=("https://«{an:40}»@github.com/o/r.git", "https://«jdoe»@bitbucket.org/o/r.git"),
        misses=("https://git@github.com/o/r.git", "https://unpkg.com/react@18.2.0/umd"),
        source="RFC 3986, section 3.2.1",
        judge=url_user,
    ),
    Rule(
        id="password",
        pattern=rf"(?i){_LOOSE}{_IS}{_QUOTED_VALUE}|({_BARE}))",
        keywords=("passw", "passphrase", "passcode", "pwd", "secret", "pass"),
        hits=(
            'password = "«{an:9}»"',
            '"db_password": "«correct horse {dig:2}»"',
            '{\\"password\\": \\"«{an:12}»\\"}',
            "DB_PASSWORD=«hunter»",
            "clientSecret: '«{url:32}»',",
            "os.environ['PGPASSWORD'] = '«{an:10}»'",
            "Server=db;User Id=sa;Password=«{an:10}!»;Encrypt=yes",
            "SMTP_PASS=«{an:12}»",
            "if (password === '«{an:9}$»') {",
            'const password: string = "«{an:9}»"',
            "<password>«{an:9}»</password>",
        ),
        misses=(
            "password: string",
            "password = getpass()",
            'password: "Enter your password"',
            "PASSWORD=${DB_PASSWORD}",
            "secret: your-key-here",
            "hashed_password = hash_of_it",
            "password=args.password",
            'password: "********"',
            "self.password = password",
            "secret=<your secret>",
            "postgresql://me:<PASSWORD>@10.0.0.1:5432/db",
            "Fix password: validation of length",
        ),
        source="tech notes of the key=value layers; labelled public corpora",
        judge=password,
    ),
    Rule(
        id="token",
        pattern=rf"(?i){_STRICT}{_IS}{_QUOTED_VALUE}|({_BARE_STRICT}))",
        keywords=("token", "key", "auth", "credential", "jwt", "bearer"),
        hits=(
            'api_key = "«{an:32}»"',
            "ACCESS_TOKEN=«{url:40}»",
            '"accessKey": "«{hex:32}»"',
            "aws_secret_access_key = «{b64:40}»",
            "x-api-key: «{an:24}»",
            '{\\"authToken\\": \\"«{an:20}»\\"}',
            "AccountKey=«{b64:86}==»;EndpointSuffix=core.windows.net",
            '"auth": "«{b64:40}=»"',
        ),
        misses=(
            "max_tokens: 4096",
            "token = next_token",
            "js-tokens: ^4.0.0",
            "api_key = os.environ['API_KEY_2']",
            "code: 'auth/user-not-found-404'",
            "author: someone1234567890",
            "private_key: /etc/ssl/private/server1.pem",
            "REGEX_TOKEN: NAME",
            "api_key: YOUR_API_KEY_1",
            '"session_id": "{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}"',
        ),
        source="tech notes of the key=value layers; labelled public corpora",
        judge=token,
    ),
    Rule(
        id="authorization",
        pattern=(
            rf"(?i)authorization{_IS}(?:{QUOTE})?(?:(?:bearer|basic|token|digest|negotiate|apikey)\s{{1,3}})?"
            r"([^\s\"'`\\,;<>(){}]{8,})"
            r"|\b(?:bearer|basic)\s{1,3}([0-9A-Za-z._~+/-]{16,}={0,2})"
        ),
        keywords=("authorization", "bearer", "basic"),
        hits=(
            "Authorization: Bearer «{url:40}»",
            'curl -H "Authorization: Basic «{b64:24}==»" https://host.test',
            "'Authorization': 'token «{hex:40}»'",
            "sent bearer «{an:32}» to it",
        ),
        misses=(
            "Authorization: Bearer ${TOKEN}",
            "Authorization: Bearer <token>",
            "basic configuration",
            "Authorization: required",
            "bearer authentication-scheme-handler",
        ),
        source="RFC 7235, RFC 6750, RFC 7617",
        judge=token,
    ),
    Rule(
        id="cookie",
        pattern=r"(?i)"
        + EDGE
        + r"(?:set-)?cookie(?:\\{0,7}[\"'])?\s{0,3}:\s{0,3}(?:\\{0,7}[\"'])?([\w.%-]{1,80}=[^\r\n\"'\\]{6,})",
        keywords=("cookie",),
        hits=(
            "Cookie: «sid={an:32}; theme=dark»",
            "set-cookie: «session={url:40}; Path=/; HttpOnly»",
            '-H "cookie: «a={an:20}»"',
        ),
        misses=("Cookie: consent banner", "cookie: none", "cookie: a=$SID"),
        source="RFC 6265",
        judge=lambda value, _before, _after: not is_filler(value.partition("=")[2]),
    ),
    Rule(
        id="flag",
        pattern=(
            r"(?i)(?:^|[\s\"'`=(\[])--?[a-z-]{0,24}(?:password|passwd|passphrase|pass|token|secret|api-?key|access-?key)[ \t]{1,3}"
            r"(?:\"([^\"\\\n]{4,})\"|'([^'\\\n]{4,})'|([^\s\"'`<>|;&(){}\[\]\\]{4,}))"
        ),
        keywords=("passw", "-pass", "token", "secret", "key"),
        hits=(
            "tool login --password «{an:10}»",
            "deploy --api-key «{an:32}» --yes",
            "gh auth --with-token '«{hex:40}»'",
            "mysql --user root --password «hunter{dig:2}»",
        ),
        misses=(
            "--password --verbose",
            "--token $TOKEN",
            "the --password flag",
            "a two-pass processing2: step",
            "docker login --password-stdin registry1.test",
        ),
        source="manuals of the tools",
        judge=flag,
    ),
    Rule(
        id="user-password",
        pattern=r"(?:\s-u|--user|--proxy-user)[ =]?(?:\\{0,7}[\"'])?([0-9A-Za-z_.@-]{1,64}:[^\s\"'`$<{\\]{3,128})",
        keywords=("-u", "--user", "--proxy-user"),
        hits=(
            "curl -u «admin:{an:12}» https://host.test",
            "curl --user '«me:{an:12}»' https://host.test",
        ),
        misses=(
            "curl -u $USER:$PASS https://host.test",
            "docker run -u 1000:1000 image",
            "git push -u origin main",
            "date -u +%H:%M:%S",
        ),
        source="curl manual",
        judge=lambda value, _before, _after: (
            not is_filler(value) and not re.fullmatch(r"[\d]+:[\d]+|[a-z-]+:[a-z-]+", value)
        ),
    ),
    Rule(
        id="netrc",
        pattern=EDGE
        + rf"machine{_SPACE}[^\s\\]+{_SPACE}login{_SPACE}[^\s\\]+{_SPACE}password{_SPACE}([^\s\\\"'<>]+)",
        keywords=("machine",),
        hits=(
            "machine host.test login me password «{an:12}»",
            "machine h\n  login u\n  password «{an:8}»",
        ),
        misses=("a machine to login with a password", "machine h login u password $PASS"),
        source="netrc(5)",
        judge=not_filler,
    ),
    Rule(
        id="said-password",
        pattern=r"(?i)\b(?:password|passwd|passphrase|pwd|pin)\s{1,2}(?:is|was|to|=)\s{1,2}(?:\\{0,7}[\"'`])?([^\s\"'`<>,\\]{4,128})",
        keywords=("passw", "passphrase", "pwd", "pin"),
        hits=("the password is «{an:9}42», keep it", 'its password was "«hunter{dig:2}»"'),
        misses=("the password is required", "the password is wrong.", "password to ${X}"),
        source="observed in prompts",
        judge=lambda value, _before, after: (
            any(c.isdigit() for c in value)
            and any(c.isalpha() for c in value)
            and not is_filler(value)
            and not is_reference(value, after)
        ),
    ),
)
