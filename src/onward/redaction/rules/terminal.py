"""Secrets as they stand at a terminal: given to a program's input, shown once, or on the next line."""

from __future__ import annotations

from base64 import b64decode

from onward.redaction.engine import Rule
from onward.redaction.rules.headers import is_basic
from onward.redaction.rules.languages import strong
from onward.redaction.rules.shared import EDGE, in_json, is_filler, is_random, is_words, lazy

_WORD = r"(?:\"([^\"\n\\]{3,80})|'([^'\n\\]{3,80})|([^\s\"'`<>|;&(){}\\]{4,80}))"
_READS = (
    r"(?:sudo(?:\s-\w+){1,3}|su|kinit|cryptsetup|passwd|smbpasswd|gpg|read\s-\w{0,3}s|docker|podman|helm|"
    r"kubectl|openssl|security|wpa_passphrase|vault|gh|wrangler|vercel|flyctl|fly|gcloud|oc|az|npm)"
)
_NOUN = r"(?i:pass(?:word|wd|phrase|code)?|pwd|pw|secret)"
_HERE = r"(?:EOF|EOS|EOT|END|PW|PASS|SECRET)"
_HAS_DIGIT = lazy(r"\d")
_NAME = lazy(r"[\w.-]+")


def given(value: str, before: str, after: str) -> bool:
    """What a program that asks for a password reads: anything but a reference."""
    del before, after
    return not (
        is_filler(value) or value.startswith(("$", "/", "-", "<", "./")) or value in {"yes", "true"}
    )


def has_digit(value: str, before: str, after: str) -> bool:
    """A code has a digit."""
    del before, after
    return _HAS_DIGIT.search(value) is not None and not is_filler(value)


def has_digit_among_letters(value: str, before: str, after: str) -> bool:
    """A part of a secret: no word, and no place for a value."""
    return has_digit(value, before, after) and not is_words(value) and "{" not in value


def random(value: str, before: str, after: str) -> bool:
    """A long value that no word looks like."""
    del before, after
    return is_random(value) and not is_filler(value)


def encoded_login(value: str, before: str, after: str) -> bool:
    """Base64 of `user:password`."""
    del before, after
    return is_basic(value)


def encoded_password(value: str, before: str, after: str) -> bool:
    """Base64 of one word that could be a password."""
    del before, after
    try:
        plain = b64decode(value, validate=True).decode().strip("\n")
    except ValueError:
        return False
    return strong(plain, "", "")


RULES: tuple[Rule, ...] = (
    Rule(
        id="standard-input",
        pattern=in_json(
            rf"{EDGE}(?:{_READS}\b[^\n|;&<]{{0,80}}<<<\s{{0,2}}{_WORD}"
            rf"|(?:echo|printf)\s(?:-\w+\s){{0,2}}{_WORD}(?:\\{{1,8}}n)?[\"']?\s{{0,2}}\|\s{{0,2}}(?:sudo\s-\w*S|su\b|passwd|kinit|cryptsetup|"
            r"smbpasswd|(?:docker|podman|helm|oc|az|nerdctl)\s(?:registry\s)?(?:login|secret)|gh\s(?:auth|secret))"
            rf"|-file=?\s?<\(\s?(?:echo|printf)\s(?:-n\s)?{_WORD})"
        ),
        keywords=("<<<", "echo", "printf"),
        source="manuals of the shells and programs",
        judge=given,
    ),
    Rule(
        id="here-document",
        pattern=in_json(
            rf"(?:{EDGE}(?:passwd|chpasswd|smbpasswd|kinit|cryptsetup|sudo -S)\b[^\n]{{0,80}}|{_NOUN}\w{{0,12}}\s?=\s?)<<[-~]?\s?[\"']?{_HERE}[\"']?\n"
            rf"([^\n]{{3,120}}(?:\n[^\n]{{3,120}}){{0,2}}?)\n\s{{0,8}}{_HERE}\b"
        ),
        keywords=("<<",),
        source="manuals of the shells and of Ruby",
        judge=given,
    ),
    Rule(
        id="one-time-code",
        pattern=in_json(
            rf"(?i){EDGE}(?:(?:verification|confirmation|one[- ]time|security|login|2fa|mfa|sms|otp|totp|auth(?:entication|enticator)?|device|passcode) (?:pass)?code"
            r"|otp|--otp|pin(?: code)?|enter (?:the |this )?code|the code)(?: (?:is|was))?[\"']? {0,2}[:=]? {0,2}[\"'`*]{0,2}"
            r"(\d{3}[ -]\d{3}\b|\d{4,8}\b|[0-9A-Z]{4}-[0-9A-Z]{4}\b)"
        ),
        keywords=("code", "otp", "pin"),
        source="observed in sessions",
        judge=has_digit,
    ),
    Rule(
        id="recovery-code",
        pattern=in_json(
            rf"(?i){EDGE}(?:(?:recovery|backup|rescue|scratch|emergency) (?:codes?|keys?)|(?:kit )?secret key)[\"'*]{{0,3}}\s{{0,2}}(?:is |are )?:?(?:\s|\\{{1,7}}n){{1,4}}"
            r"((?:(?:\d{1,2}[.)] |[-*] )?[0-9a-z]{2,10}(?:-[0-9a-z]{3,10}){1,5}(?:\s|\\{1,7}n){0,4}|(?:\d{1,2}[.)] |[-*] )?\d{6,10}(?:\s|\\{1,7}n){1,4}){0,15}"
            r"(?:(?:\d{1,2}[.)] |[-*] )?[0-9a-z]{2,10}(?:-[0-9a-z]{3,10}){1,5}|(?:\d{1,2}[.)] |[-*] )?\d{6,10}))\b"
        ),
        keywords=("code", "key"),
        source="observed in sessions",
        judge=has_digit,
    ),
    Rule(
        id="next-line",
        pattern=in_json(
            rf"{_NOUN}[\"']?[ \t]{{0,3}}[:=]?[ \t]{{0,3}}(?:[>|][-+]?|[\"'(])?[ \t]{{0,3}}\\?\r?\n[ \t]{{0,24}}[\"']?([0-9A-Za-z!#$%&*+.:;=?@^_~-]{{6,80}})[\"']?[ \t]{{0,3}}(?:\s|[\"'\\]|$)"
        ),
        keywords=("pass", "pwd", "pw", "secret"),
        source="YAML, shells; forms as they are copied",
        judge=strong,
    ),
    Rule(
        id="joined-parts",
        pattern=in_json(
            r"(?i)(?:pass(?:word|wd|phrase)?|pwd|secret|token|key)[\"']?\s{0,3}(?:[:=]|:=)\s{0,3}\(?(?:\s|\n){0,24}[\"'][^\"'\n\\]{4,80}[\"']\s{0,3}(?:\+|\\|\.|&|\.\.)?(?:\s|\n){0,24}[\"']([^\"'\n\\]{4,80})[\"']"
        ),
        keywords=("pass", "pwd", "secret", "token", "key"),
        source="literals of the languages",
        judge=has_digit_among_letters,
    ),
    Rule(
        id="cookie-file",
        pattern=in_json(
            r"(?:TRUE|FALSE)\t/[^\t\n]*\t(?:TRUE|FALSE)\t\d{1,12}\t[^\t\n]{1,80}\t([^\s\\]{8,})"
        ),
        keywords=("true", "false"),
        source="curl manual, the cookie file",
        judge=random,
    ),
    Rule(
        id="cookie-value",
        pattern=in_json(
            r"(?i)(?:[\"']name[\"']\s?:\s?[\"'][\w.-]{0,40}(?:sess|sid|auth|token)[\w.-]{0,40}[\"'],\s{0,24}[\"']value[\"']\s?:\s?"
            r"|cookies?\s?=\s?\{[^{}\n]{0,60}?:\s?|\s(?:-b|--cookie)\s[\"']?[\w.-]{1,40}=|\b(?:session|sid|auth_token)=)[\"']?([0-9A-Za-z%._~+/=-]{16,})"
        ),
        keywords=('"value', "'value", "cookie", "-b ", "session=", "sid=", "auth_token="),
        source="browsers' and clients' manuals",
        judge=lambda value, before, after: (
            random(value, before, after) and not (value.count("-") == 4 and len(value) == 36)
        ),
    ),
    Rule(
        id="authorization-code",
        pattern=in_json(r"[?&]code=([0-9A-Za-z._~%/+-]{20,})"),
        keywords=("code=",),
        source="RFC 6749, section 4.1.2",
        judge=random,
    ),
    Rule(
        id="sensitive-value",
        pattern=in_json(
            r"(?:\"[\w.-]{0,40}(?i:password|passwd|secret|token|key|pw|pwd)[\w-]{0,16}\"\s{0,3}:\s{0,3}\{(?:\s{0,24}\"\w{1,24}\"\s?:\s?(?:true|false|\"\w{0,24}\"),){0,4}\s{0,24}\"value\"\s?:\s?"
            r"|random_password\.[\w.\[\]-]{1,60}\.result\s?=\s?)\"([^\"\n\\]{4,200})\""
        ),
        keywords=('"value', "random_password"),
        source="Terraform, outputs and state",
        judge=given,
    ),
    Rule(
        id="encoded-login",
        pattern=in_json(
            r"(?:atob|b64decode|base64_decode|decode64|FromBase64String|Buffer\.from)\(\s?b?[\"']([0-9A-Za-z+/]{8,}={0,2})[\"']"
        ),
        keywords=("atob", "decode", "base64", "buffer"),
        source="RFC 4648; RFC 7617",
        judge=encoded_login,
    ),
    Rule(
        id="encoded-password",
        pattern=in_json(
            rf"{EDGE}echo\s(?:-n\s)?[\"']?([0-9A-Za-z+/]{{8,}}={{0,2}})[\"']?\s?\|\s?base64\s(?:-d|-D|--decode)"
        ),
        keywords=("base64",),
        source="RFC 4648",
        judge=encoded_password,
    ),
    Rule(
        id="escaped-password",
        pattern=in_json(
            rf"{_NOUN}\\{{0,3}}[\"']?\s?[:=]\s?(?:\\{{0,3}}[\"']((?:\\{{1,4}}u00[0-9a-fA-F]{{2}}){{4,}})|&(?:quot|#34|#39|apos);([^&\s]{{4,80}})&)"
        ),
        keywords=("u00", "&quot;", "&#3", "&apos;"),
        source="RFC 8259; HTML",
        judge=given,
    ),
    Rule(
        id="docker-config",
        pattern=in_json(
            r"dockerconfigjson\\{0,3}[\"']?:\s{0,3}\\{0,3}[\"']?([0-9A-Za-z+/]{16,}={0,2})"
        ),
        keywords=("dockerconfigjson",),
        source="Kubernetes manual, Secrets",
        judge=given,
    ),
    Rule(
        id="login-pair",
        pattern=in_json(
            r"(?:^|\n)\s{0,8}(?:user|-u|proxy-user)\s{0,3}=?\s{0,3}\"[\w.@-]{1,64}:([^\"\n]{3,80})\"|\s-u\s?[\w.@-]{1,64}:'([^'\n]{3,80})'"
        ),
        keywords=("user", "-u"),
        source="curl manual, the file of settings",
        judge=given,
    ),
    Rule(
        id="key-pair",
        pattern=in_json(
            rf"{EDGE}(?:AKIA|ASIA)[A-Z2-7]{{16}}[\"' ,:\n\\]{{1,12}}([0-9A-Za-z/+]{{40}})\b"
        ),
        keywords=("akia", "asia"),
        source="AWS IAM manual, access keys",
        judge=lambda value, before, after: random(value, before, after) and value.lower() != value,
    ),
)
