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
        hits=(
            "sudo -S <<< «Velvet{dig:3}Wv»",
            "printf '«Velvet{dig:3}Wv»\\n' | sudo -S id",
            'su - bob <<< "«Velvet{dig:3}»"',
            "rsync --password-file=<(echo «Velvet{dig:3}») a b",
            "echo «{an:9}.{an:6}» | docker login -u ci --password-stdin",
        ),
        misses=("sudo -S <<< $PASS", "echo 'x1234' | sudo tee a", 'read -s PW <<< "$1"'),
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
        hits=(
            "passwd bob <<EOF\n«Velvet{dig:3}\nVelvet{dig:3}»\nEOF",
            "PASSWORD = <<~EOS\n«{an:12}»\nEOS",
        ),
        misses=("cat <<EOF\n{an:12}\nEOF", "passwd bob <<EOF\n$PASS\nEOF"),
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
        hits=(
            "Your verification code is «{dig:6}»",
            "OTP: «{dig:6}»",
            "npm publish --otp=«{dig:6}»",
            "PIN: «{dig:4}»",
        ),
        misses=(
            "exit code 1371",
            "status code: 4040",
            "error code: 500123",
            "pin the version 1.2.3",
        ),
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
        hits=(
            "Recovery codes:\n«{low:4}1-{low:5}\n{low:5}-{low:5}»",
            "Backup codes:\n  «1. {dig:8}\n  2. {dig:8}»",
            "recovery key: «{up:5}1-{up:6}-{up:6}»",
        ),
        misses=("recovery codes: see the page", "backup codes are read-only"),
        source="observed in sessions",
        judge=has_digit,
    ),
    Rule(
        id="next-line",
        pattern=in_json(
            rf"{_NOUN}[\"']?[ \t]{{0,3}}[:=]?[ \t]{{0,3}}(?:[>|][-+]?|[\"'(])?[ \t]{{0,3}}\\?\r?\n[ \t]{{0,24}}[\"']?([0-9A-Za-z!#$%&*+.:;=?@^_~-]{{6,80}})[\"']?[ \t]{{0,3}}(?:\s|[\"'\\]|$)"
        ),
        keywords=("pass", "pwd", "pw", "secret"),
        hits=(
            "password:\n  «Velvet{dig:3}_Q»",
            "Password\n«Velvet{dig:3}_Q»",
            "--password \\\n  «Velvet{dig:3}*z»",
        ),
        misses=("password:\n  required", "password:\n  - bob\n", "def password\n  user_name1\n"),
        source="YAML, shells; forms as they are copied",
        judge=strong,
    ),
    Rule(
        id="joined-parts",
        pattern=in_json(
            r"(?i)(?:pass(?:word|wd|phrase)?|pwd|secret|token|key)[\"']?\s{0,3}(?:[:=]|:=)\s{0,3}\(?(?:\s|\n){0,24}[\"'][^\"'\n\\]{4,80}[\"']\s{0,3}(?:\+|\\|\.|&|\.\.)?(?:\s|\n){0,24}[\"']([^\"'\n\\]{4,80})[\"']"
        ),
        keywords=("pass", "pwd", "secret", "token", "key"),
        hits=(
            'const password = "{an:8}1" + "«{an:8}2»"',
            'SECRET = (\n    "{an:12}1"\n    "«{an:12}2»"\n)',
        ),
        misses=('key = "user" + "name"', 'password = "a" + name'),
        source="literals of the languages",
        judge=has_digit_among_letters,
    ),
    Rule(
        id="cookie-file",
        pattern=in_json(
            r"(?:TRUE|FALSE)\t/[^\t\n]*\t(?:TRUE|FALSE)\t\d{1,12}\t[^\t\n]{1,80}\t([^\s\\]{8,})"
        ),
        keywords=("true", "false"),
        hits=(
            "#HttpOnly_.a.test\tTRUE\t/\tFALSE\t0\tauth\t«{hex:40}»",
            ".a.test\tTRUE\t/\tTRUE\t1893456000\tsid\t«{an:40}»",
        ),
        misses=(
            "TRUE\t/\tno",
            ".a.test\tTRUE\t/\tTRUE\t1893456000\tlang\ten",
        ),
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
        hits=(
            '{"name":"SESSION","value":"«{an:40}»"}',
            "cookies={'session': '«{an:40}»'}",
            "curl -b 'session=«{an:40}»'",
        ),
        misses=(
            '{"name":"lang","value":"{an:40}"}',
            "session={hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}",
        ),
        source="browsers' and clients' manuals",
        judge=lambda value, before, after: (
            random(value, before, after) and not (value.count("-") == 4 and len(value) == 36)
        ),
    ),
    Rule(
        id="authorization-code",
        pattern=in_json(r"[?&]code=([0-9A-Za-z._~%/+-]{20,})"),
        keywords=("code=",),
        hits=(
            "/cb?x=1&code=«{an:24}7»",
            "https://a.test/cb?code=«{an:43}»&state=1",
        ),
        misses=("/x?code=404", "?code=the-page-was-not-found-here"),
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
        hits=(
            '"db_password": {"value": "«Velvet{dig:3}!»", "sensitive": true}',
            'random_password.x.result = "«{an:14}»"',
        ),
        misses=('"colour": {"value": "Velvet123!"}', '"db_password": {"value": "${PASS}"}'),
        source="Terraform, outputs and state",
        judge=given,
    ),
    Rule(
        id="encoded-login",
        pattern=in_json(
            r"(?:atob|b64decode|base64_decode|decode64|FromBase64String|Buffer\.from)\(\s?b?[\"']([0-9A-Za-z+/]{8,}={0,2})[\"']"
        ),
        keywords=("atob", "decode", "base64", "buffer"),
        hits=(
            'Buffer.from("«YWRtaW46aHVudGVyMg==»")',
            'atob("«Ym9iOk1lYWRvdzI3MyN4»")',
        ),
        misses=(
            'atob("abc")',
            'atob("aGVsbG8gd29ybGQ=")',
        ),
        source="RFC 4648; RFC 7617",
        judge=encoded_login,
    ),
    Rule(
        id="encoded-password",
        pattern=in_json(
            rf"{EDGE}echo\s(?:-n\s)?[\"']?([0-9A-Za-z+/]{{8,}}={{0,2}})[\"']?\s?\|\s?base64\s(?:-d|-D|--decode)"
        ),
        keywords=("base64",),
        hits=(
            "echo -n «Q29wcGVyNjg4X1E=» | base64 --decode",
            "echo «Q29wcGVyNjg4X1E=» | base64 -d",
        ),
        misses=(
            "echo $X | base64 -d",
            "echo aGVsbG8gd29ybGQ= | base64 -d",
        ),
        source="RFC 4648",
        judge=encoded_password,
    ),
    Rule(
        id="escaped-password",
        pattern=in_json(
            rf"{_NOUN}\\{{0,3}}[\"']?\s?[:=]\s?(?:\\{{0,3}}[\"']((?:\\{{1,4}}u00[0-9a-fA-F]{{2}}){{4,}})|&(?:quot|#34|#39|apos);([^&\s]{{4,80}})&)"
        ),
        keywords=("u00", "&quot;", "&#3", "&apos;"),
        hits=(
            'password: "«\\u0043\\u006f\\u0034\\u0032\\u0023»"',
            "password=&quot;«Velvet{dig:3}»&quot;",
        ),
        misses=("password=&quot;&quot;", "password: \\u00e9t\\u00e9"),
        source="RFC 8259; HTML",
        judge=given,
    ),
    Rule(
        id="docker-config",
        pattern=in_json(
            r"dockerconfigjson\\{0,3}[\"']?:\s{0,3}\\{0,3}[\"']?([0-9A-Za-z+/]{16,}={0,2})"
        ),
        keywords=("dockerconfigjson",),
        hits=(
            '".dockerconfigjson": "«eyJ{b64:40}»"',
            ".dockerconfigjson: «eyJ{b64:40}»",
        ),
        misses=(
            "dockerconfigjson: none",
            "type: kubernetes.io/dockerconfigjson",
        ),
        source="Kubernetes manual, Secrets",
        judge=given,
    ),
    Rule(
        id="login-pair",
        pattern=in_json(
            r"(?:^|\n)\s{0,8}(?:user|-u|proxy-user)\s{0,3}=?\s{0,3}\"[\w.@-]{1,64}:([^\"\n]{3,80})\"|\s-u\s?[\w.@-]{1,64}:'([^'\n]{3,80})'"
        ),
        keywords=("user", "-u"),
        hits=(
            '\nuser = "admin:«Velvet{dig:3}»"',
            "curl -u admin:'«Velvet&{dig:3}*»' https://a.test",
        ),
        misses=(
            "user = admin",
            '\nuser = "admin:$PASS"',
        ),
        source="curl manual, the file of settings",
        judge=given,
    ),
    Rule(
        id="key-pair",
        pattern=in_json(
            rf"{EDGE}(?:AKIA|ASIA)[A-Z2-7]{{16}}[\"' ,:\n\\]{{1,12}}([0-9A-Za-z/+]{{40}})\b"
        ),
        keywords=("akia", "asia"),
        hits=(
            "AKIA{b32:16} «{b64:38}/7»",
            '("AKIA{b32:16}", "«{b64:40}»")',
        ),
        misses=(
            "AKIA none",
            "ASIA{b32:5} {b64:40}",
        ),
        source="AWS IAM manual, access keys",
        judge=lambda value, before, after: random(value, before, after) and value.lower() != value,
    ),
)
