"""Secrets on command lines and at a terminal: `--password x`, `-u name:x`, `-pX` of the database
clients, what is given to a program's input, shown once, or stands on the next line.
"""

from __future__ import annotations

from onward.redaction.engine import Rule
from onward.redaction.rules import values
from onward.redaction.rules.prose import strong
from onward.redaction.rules.shared import (
    EDGE,
    QUOTE,
    entries,
    has_digit,
    in_json,
    is_filler,
    is_jumbled,
    is_reference,
    is_words,
    lazy,
    of_value,
    random,
    unpacked,
    words,
)
from onward.redaction.rules.values import secret_key
from onward.redaction.rules.web import is_basic

_WORD = (
    r"(?:\"([^\"\\\n]{3,})\"|'([^'\\\n]{3,})'|"
    r"\\{1,7}[\"']([^\"'\\\n]{3,})\\|"
    r"([^\s\"'`<>|;&(){}\[\]\\-][^\s\"'`<>|;&(){}\[\]\\]{2,}[^\s\"'`<>|;&(){}\[\]\\.,:]))"
)
_FLAG = lazy(r"--?([A-Za-z][\w-]*)")
_LAST_FLAG = lazy(r"--?[A-Za-z][\w-]*[ \t]+$")
_OPTION = lazy(r"(?i)(?:option|argument|flag)\(")
_SHOWN = lazy(r"(?i)<?(?:user|user_?name|login)>?:[a-z<>_-]+")
_REQUEST = lazy(r"\b(?:curl|https?|wget)\s[^\n|;]*$")
_NO_PAIR, _WORD_PAIR = lazy(r"\d+:\d+|[a-z-]+:pass\w*"), lazy(r"[a-z-]+:[a-z-]+")
_QUOTED = lazy(r"[\"']$")
# Another flag beside it, a prompt, or a program with few words behind: not a sentence.
_LINE = lazy(r"(?:^|\\n|[\n\t+`\"'])(?:[ \t]*[$#%>+]+ )?[ \t]*[a-z][\w./-]*(?: [\w./:@=-]+){0,3} $")
_OTHER = lazy(r"(?:^|[\s\"'])--?[A-Za-z][\w-]*(?:[ =][^\s-][^\s]*)*[ \t]+$")
_NEXT = lazy(
    r"[\"']?(?:[ \t]+--?[A-Za-z]|[ \t]+[\w-]{0,40}[./][\w/]|[ \t]*(?:$|\r?\n|\\{1,7}[rn]|[|&;`]))"
)
_SAID_OF = words(
    "option options flag flags argument arguments parameter parameters switch instead via also only does "
    "support handling check checks parsing prompt prompts"
)
_PROSE = lazy(r"(?i)\b(?:the|a|an|with|and|or|use|its|via|of|pass|option|flag) [`\"']?--?[a-z-]+ $")
# What a client's name is followed by, up to the flag.
_REST = r"(?:\.exe)?\b[^\n|;&]{0,80}?"

_CLIENTS = (
    (
        rf"(?:mysql|mysqldump|mysqladmin|mysqlimport|mysqlsh|mariadb|mariadb-dump|mycli){_REST}"
        rf"\s-p(?:{QUOTE})?([^\s\"'`|;&<>\\-][^\s\"'`|;&<>\\]{{2,}})"
    ),
    (
        r"(?:mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport|sshpass|cqlsh|snowsql|dblab|"
        r"(?:docker|podman|helm|oc|az|buildah|skopeo|nerdctl|ansible-galaxy)(?: registry)? login)"
        rf"{_REST}\s-p[ \t]?{_WORD}"
    ),
    rf"redis-cli{_REST}\s(?:-a|(?i:auth))[ \t]{{1,3}}{_WORD}",
    rf"(?:7z|7za|7zz|rar|unrar)\s[axet]{_REST}\s-p{_WORD}",
    rf"openssl\s{{1,3}}\w{{2,20}}{_REST}\s-[kK][ \t]{{1,3}}{_WORD}",
    rf"net\s{{1,3}}user\s{{1,3}}[\w.-]{{1,40}}\s{{1,3}}{_WORD}\s/",
    rf"net\s{{1,3}}use\s[^\n|;&]{{1,80}}?\s(?:{_WORD}\s/user|/user:[^\s|;&]{{1,60}}\s{{1,3}}{_WORD})",
    rf"(?:mysqladmin|nmcli){_REST}\spassword[ \t]{{1,3}}{_WORD}",
    rf"az\skeyvault\ssecret\sset{_REST}\s--value[ =]{_WORD}",
    rf"aws\ssecretsmanager\s(?:create|put|update)-secret[\w-]{{0,8}}{_REST}\s--secret-string[ =]{_WORD}",
    rf"(?:sqlcmd|bcp|osql|mosquitto_pub|mosquitto_sub|unzip|zip|isql){_REST}\s-P[ \t]?{_WORD}",
    rf"useradd{_REST}\s-p[ \t]?{_WORD}",
    rf"ssh-keygen{_REST}\s-[NP][ \t]?{_WORD}",
    rf"(?:twine|ncftp\w{{0,4}}){_REST}\s-p[ \t]?{_WORD}",
    rf"lftp{_REST}\s-u\s[^\s,|;&]{{1,40}},{_WORD}",
    rf"vault\slogin\s(?:-\S{{1,40}}\s){{0,3}}{_WORD}",
    rf"aws\sssm\sput-parameter{_REST}\s--value[ =]{_WORD}",
    rf"oathtool(?:\s-[\w-]{{1,12}}){{1,4}}\s{_WORD}",
    rf"security\sadd-(?:generic|internet)-password{_REST}\s-w[ \t]?{_WORD}",
    rf"wpa_passphrase\s[^\s|;&]{{1,40}}\s{_WORD}",
    rf"(?:[xw]freerdp|mstsc|schtasks){_REST}\s/r?p[: ]{_WORD}",
    rf"psexec(?:64)?{_REST}\s-p\s{_WORD}",
    r"(?:expect\s-c\s[\"']|(?i:password|passphrase|pin)\b[^\n]{0,24}\n?[^\n]{0,24}\b)send\s(?:-\w{0,8}\s)?\\{0,3}\"([^\"\\\n]{3,})\\{1,4}[rn]",
    rf"(?:ldapsearch|ldapadd|ldapmodify|ldapwhoami|kinit){_REST}\s-w[ \t]{{1,3}}{_WORD}",
)
_VARIABLE = r"\w{0,40}(?:PASS|PASSWORD|TOKEN|SECRET|KEY|PWD)\w{0,8}"
_PIECE = r"([^\s\"'`|;&<>\\]{3,})"
_TELLING = r"(?:CURLOPT_(?:PROXY)?USERPWD|BUNDLE_[A-Z0-9_]{2,80})[\"']?"
_COMMANDS = (
    rf"openssl\spasswd(?:\s-\w{{1,8}}){{0,4}}\s{_WORD}",
    rf"openssl\b{_REST}\s-?(?:pass|passin|passout)[ =]pass:{_PIECE}",
    (
        r"htpasswd\s(?:-\w{1,8}\s){0,3}-[a-zA-Z]{0,4}b[a-zA-Z]{0,3}\s(?:-\w{1,8}\s){0,3}"
        r"(?:[^\s;&|]{0,80}[./][^\s;&|]{0,80}\s)?[\w.@-]{1,40}\s(?:\"([^\"\\\n]{4,})\"|'([^'\\\n]{4,})'|([^\s\"'`|;&\\/-][^\s\"'`|;&\\]{3,}))"
    ),
    rf"(?i:config(?:ure)?\sset\s(?:--?[\w-]{{1,16}}\s){{0,3}}[\w./:@-]{{0,60}}(?:password|secret|token|secret_access_key|access_key_id|_auth|api_?key)\w{{0,8}}) {_WORD}",
    rf"{_TELLING}\s?(?:=>|[,:=])\s?(?:{QUOTE})?[\w.@-]{{1,64}}:{_PIECE}",
    rf"[\w.-]{{1,40}}[/\\][\w.$-]{{1,40}}:(?:'([^'\n]{{3,80}})'@|{_PIECE}@\d{{1,3}}(?:\.\d{{1,3}}){{3}})",
    rf"gh (?:secret|variable) set [\w-]{{1,60}} (?:-b|--body)[ =]?{_WORD}",
    rf"(?:setx|setenv|set\s-[a-zA-Z]{{1,3}})\s{{1,3}}{_VARIABLE}\s{{1,3}}{_WORD}",
    rf"(?i:config\sset)\s(?:requirepass|masterauth)\s{_WORD}",
    rf"[\w.-]{{1,60}}:\d{{2,5}}(?:\[\d{{1,2}}\])?>\s?(?i:auth\s(?:default\s)?){_WORD}",
    rf"ENV[ \t]+{_VARIABLE}[ \t]+{_WORD}",
    rf"smb\w+\s[^\n|;&]{{0,80}}?-U\s{{0,2}}(?:{QUOTE})?[\w.\\@-]{{1,40}}%{_PIECE}",
    rf"rabbitmqctl (?:add_user|change_password) [\w.-]{{1,40}} {_WORD}",
    rf"ConvertTo-SecureString\s{{1,3}}(?:-String\s{{1,3}})?{_WORD}",
    rf"echo\s(?:-n\s)?(?:{QUOTE})?[\w.-]{{1,40}}:{_PIECE}(?:{QUOTE})?\s?\|\s?(?:sudo )?chpasswd",
)
_TO_SECURE = rf"{QUOTE}([^\s\"'`|;&<>\\]{{4,}}){QUOTE}\s?\|\s?ConvertTo-SecureString"
_LITERAL = rf"--from-literal[= ](?:{QUOTE})?[\w.-]{{1,60}}=(?:{QUOTE})?{_PIECE}"


def flag(value: str, before: str, after: str) -> bool:
    """The word after `--password`: not the next flag, not prose about the flag."""
    names = _FLAG.findall(before)
    telling = secret_key(names[-1]) if names else None
    if telling is None or value.startswith(("-", ".$", "id=", "type=", "env=", "src=")):
        return False
    if is_reference(value, after) or _OPTION.search(before):
        return False
    if telling != "loose":
        return values.telling_token(value, names[-1])
    if not values.password(value, f"flag {names[-1]}"):
        return False
    if not is_words(value) or has_digit(value) or _QUOTED.search(before):
        return True
    return _is_command(value, before, after)


def _is_command(value: str, before: str, after: str) -> bool:
    """A word as a password: on a command line, not in a sentence about the flag."""
    if value.isupper() or value.lower() in _SAID_OF or value in values.IN_SENTENCES:
        return False
    if before.endswith("="):
        return True
    line = _LAST_FLAG.sub("", before[before.rfind("\n") + 1 :])
    beside = _OTHER.search(line) is not None or _LINE.search(line) is not None
    return beside and _NEXT.match(after) is not None and not _PROSE.search(before)


def client(value: str, before: str, after: str) -> bool:
    """The password of a known program: words too, but no flag, file or reference."""
    return (
        not value.startswith(("-", "/", ".", "$", "%"))
        and values.password(value, "client")
        and not is_reference(value, after)
        and not _PROSE.search(before)
    )


def pair(value: str, before: str, after: str) -> bool:
    """`name:password`, not `uid:gid`, a time or a name and a label."""
    del after
    held = value.partition(":")[2]
    if (
        is_filler(held)
        or _SHOWN.fullmatch(value)
        or held.startswith("//")
        or _NO_PAIR.fullmatch(value)
    ):
        return False
    return _WORD_PAIR.fullmatch(value) is None or _REQUEST.search(before) is not None


_INPUT = r"(?:\"([^\"\n\\]{3,80})|'([^'\n\\]{3,80})|([^\s\"'`<>|;&(){}\\]{4,80}))"
_READS = (
    r"(?:sudo(?:\s-\w+){1,3}|su|kinit|cryptsetup|passwd|smbpasswd|gpg|read\s-\w{0,3}s|read\s(?:-\w+\s)?(?i:\w{0,20}(?:pass|pwd|secret|token|key)\w{0,8})|docker|podman|helm|"
    r"kubectl|openssl|security|wpa_passphrase|vault|gh|wrangler|vercel|flyctl|fly|gcloud|oc|az|npm)"
)
_NOUN = r"(?i:pass(?:word|wd|phrase|code)?|pwd|pw|secret)"
_HERE = r"(?:EOF|EOS|EOT|END|PW|PASS|SECRET)"


@of_value
def given(value: str) -> bool:
    """What a program that asks for a password reads: anything but a reference."""
    return not (
        is_filler(value) or value.startswith(("$", "/", "-", "<", "./")) or value in {"yes", "true"}
    )


@of_value
def code(value: str) -> bool:
    """A code has a digit, or is in groups that no word has."""
    in_groups = value.isupper() and "-" in value and is_jumbled(value.replace("-", ""))
    return (has_digit(value) or in_groups) and not is_filler(value)


@of_value
def part(value: str) -> bool:
    """A part of a secret: no word, and no place for a value."""
    return has_digit(value) and not (is_filler(value) or is_words(value) or "{" in value)


def below(value: str, before: str, after: str) -> bool:
    """A secret on the next line: no prompt of a shell, which follows an empty answer."""
    if ":~" in value:
        return False
    return strong(value, before, after) or (
        value.isascii()
        and "=" not in value.rstrip("=")
        and not is_reference(value, after)
        and values.weak_token(value, "secret key")
    )


@of_value
def encoded_password(value: str) -> bool:
    """Base64 of one word that could be a password, or of a login."""
    plain = unpacked(value).strip("\n") if len(value) % 4 == 0 else ""
    return strong(plain, "", "") or (is_basic(value) and strong(plain.partition(":")[2], "", ""))


RULES: tuple[Rule, ...] = (
    Rule(
        id="flag",
        pattern=(
            r"(?i)(?:^|[\s\"'`=(\[,])--?[a-z-]{0,24}(?:password|passwd|passphrase|pass|passw|pwd|token|secret|key)"
            rf"(?:{QUOTE},[ \t]{{0,3}}(?:\"([^\"\\\n]{{3,}})\"|'([^'\\\n]{{3,}})'|\\{{1,7}}\"([^\"\\\n]{{3,}})\\)|(?:[ \t]{{1,3}}|=){_WORD})"
        ),
        keywords=("passw", "-pass", "pass", "pwd", "token", "secret", "key"),
        source="manuals of the tools",
        judge=flag,
    ),
    Rule(
        id="user-password",
        pattern=r"(?:\s-u|--user|--proxy-user|--creds|--auth|\s-a[ =])[ =]?(?:\\{0,7}[\"'])?([0-9A-Za-z_.@-]{1,64}:[^\s\"'`$<{\\]{2,}[^\s\"'`$<{\\.,])",
        keywords=("-u", "--user", "--proxy-user", "--creds", "-a", "--auth"),
        source="curl manual",
        judge=pair,
    ),
    Rule(
        id="client-password",
        pattern=rf"{EDGE}(?:{'|'.join(_CLIENTS)})",
        keywords=entries(
            "mysql ¦ mariadb ¦ mycli ¦ mongo ¦ sshpass ¦ login ¦ cqlsh ¦ snowsql ¦ "
            "redis-cli ¦ sqlcmd ¦ bcp ¦ osql ¦ mosquitto_ ¦ zip ¦ ldap ¦ dblab ¦ isql ¦ "
            "kinit ¦ useradd ¦ send ¦ ssh-keygen ¦ twine ¦ ncftp ¦ lftp ¦ vault login ¦ put-parameter ¦ oathtool ¦ security add ¦ wpa_passphrase ¦ freerdp ¦ mstsc ¦ schtasks ¦ "
            "psexec ¦ expect ¦ 7z ¦ rar ¦ openssl ¦ net use ¦ nmcli ¦ keyvault ¦ "
            "secretsmanager"
        ),
        source="manuals of the clients",
        judge=client,
    ),
    Rule(
        id="command-password",
        pattern=rf"{EDGE}(?:{'|'.join(_COMMANDS)})|{_TO_SECURE}|{_LITERAL}",
        keywords=entries(
            "openssl ¦ htpasswd ¦ --from-literal ¦ configure set ¦ userpwd ¦ bundle_ ¦ @1 ¦ @2 ¦ '@ ¦ gh secret ¦ gh variable ¦ "
            "setx ¦ env  ¦ env\t ¦ smb ¦ rabbitmqctl ¦ securestring ¦ chpasswd ¦ echo ¦ "
            "setenv ¦ set - ¦ > auth ¦ >auth ¦ config set"
        ),
        source="manuals of the programs",
        judge=client,
    ),
)

TERMINAL: tuple[Rule, ...] = (
    Rule(
        id="standard-input",
        pattern=in_json(
            rf"{EDGE}(?:{_READS}\b[^\n|;&<]{{0,80}}<<<\s{{0,2}}{_INPUT}"
            rf"|(?:echo|printf)\s(?:-\w+\s){{0,2}}(?:[\"']%s[^\s\"']{{0,6}}[\"']\s)?{_INPUT}(?:\\{{1,8}}n)?[\"']?(?:;\s?echo[^\n|]{{0,80}})?\)?\s{{0,2}}\|\s{{0,2}}(?:sudo\s-\w*S|su\b|runas|passwd|kinit|cryptsetup|"
            r"smbpasswd|(?:docker|podman|helm|oc|az|nerdctl)\b|(?:gh|wrangler|vercel|fly|flyctl|gcloud|npx wrangler)\b)"
            rf"|-file=?\s?<\(\s?(?:echo|printf)\s(?:-n\s)?{_INPUT})"
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
            rf"(?i){EDGE}(?:(?:[a-z]-)?(\d{{4,8}}) is your [\w ]{{0,32}}code|(?:(?:verification|confirmation|one[- ]time|security|login|2fa|mfa|sms|otp|totp|auth(?:entication|enticator)?|device|passcode) (?:pass)?code"
            r"|otp|--otp|pin(?: code)?|(?:enter|use|type) (?:the |this )?code|the code)(?: (?:is|was))?[\"']? {0,2}[:=]? {0,2}[\"'`*]{0,2}"
            r"(\d{3}[ -]\d{3}\b|\d{4,8}\b|[0-9A-Z]{4}-[0-9A-Z]{4}\b))"
        ),
        keywords=("code", "otp", "pin"),
        source="observed in sessions",
        judge=code,
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
        judge=code,
    ),
    Rule(
        id="next-line",
        pattern=in_json(
            rf"(?:{_NOUN}[\"']?[ \t]{{0,3}}[:=]?|(?i:token|key)[\"']?[ \t]{{0,3}}[:=]|base64 (?:-d|--decode))[ \t]{{0,3}}(?:[>|][-+]?|[\"'(])?[ \t]{{0,3}}\\?\r?\n[ \t]{{0,24}}[\"']?([0-9A-Za-z!#$%&*+/.:;=?@^_~-]{{6,120}})[\"']?[ \t]{{0,3}}(?:\s|[\"'\\]|$)"
        ),
        keywords=("pass", "pwd", "pw", "secret", "token", "key", "base64"),
        source="YAML, shells; forms as they are copied",
        judge=below,
    ),
    Rule(
        id="joined-parts",
        pattern=in_json(
            r"(?i)(?:pass(?:word|wd|phrase)?|pwd|secret|token|key)[\"']?\s{0,3}(?:[:=]|:=)\s{0,3}\(?(?:\s|\n){0,24}[\"'][^\"'\n\\]{4,80}[\"']\s{0,3}(?:\+|\\|\.|&|\.\.)?(?:\s|\n){0,24}[\"']([^\"'\n\\]{4,80})[\"']"
        ),
        keywords=("pass", "pwd", "secret", "token", "key"),
        source="literals of the languages",
        judge=part,
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
            r"|cookies?\s?=\s?\{[^{}\n]{0,60}?:\s?|\b(?:cookies?|jar)\.(?:set|put|add)\w{0,10}\([\"'][\w.-]{1,40}[\"'],\s?|\s(?:-b|--cookie)\s[\"']?[\w.-]{1,40}=|\b(?:session|sid|auth_token)=)[\"']?([0-9A-Za-z%._~+/=-]{16,})"
        ),
        keywords=('"value', "'value", "jar.", "cookie", "-b ", "session=", "sid=", "auth_token="),
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
            r"|random_password(?:\.[\w.\[\]-]{1,60}\.|\"[^{}]{1,60}\{[^{}]{1,200}\s)result\s{0,12}=\s?)\"([^\"\n\\]{4,200})\""
        ),
        keywords=('"value', "random_password"),
        source="Terraform, outputs and state",
        judge=given,
    ),
    Rule(
        id="random-password",
        pattern=in_json(r"\"result\"\s{0,3}:\s{0,3}\"([^\"\n\\]{8,200})\""),
        keywords=("random_password", "bcrypt_hash"),
        source="Terraform, the state of random_password",
        judge=strong,
    ),
    Rule(
        id="encoded-login",
        pattern=in_json(
            r"(?:atob|b64decode|base64_decode|decode64|FromBase64String|Buffer\.from)\(\s?b?[\"']([0-9A-Za-z+/]{8,}={0,2})[\"']"
        ),
        keywords=("atob", "decode", "base64", "buffer"),
        source="RFC 4648; RFC 7617",
        judge=of_value(is_basic),
    ),
    Rule(
        id="encoded-password",
        pattern=in_json(
            rf"{EDGE}(?:echo\s(?:-n\s)?[\"']?([0-9A-Za-z+/]{{8,}}={{0,2}})[\"']?\s?\|\s?base64\s(?:-d|-D|--decode)"
            r"|base64(?:\s-\w{1,6}|\s--decode)?\s?(?:<<<|→|->|=>|\n)\s?[\"']?([0-9A-Za-z+/]{8,}={0,2}))"
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
            r"|((?:eyJhdXRocyI6|eyAiYXV0aHMi|ewoJImF1dGhz|ewogICJhdXRocy|ewogICAgImF1dGhz)[0-9A-Za-z+/]{16,}={0,2})"
        ),
        keywords=entries(
            "dockerconfigjson ¦ eyjhdxrocyi6 ¦ eyaiyxv0ahmi ¦ ewojimf1dghz ¦ ewogicjhdxrocy ¦ ewogicagimf1dghz"
        ),
        source="Kubernetes manual, Secrets; the settings of Docker in base64",
        judge=given,
    ),
    Rule(
        id="login-pair",
        pattern=in_json(
            r"(?:^|\n)\s{0,8}(?:user|-u|proxy-user)\s{0,3}=?\s{0,3}\"[\w.@-]{1,64}:([^\"\n]{2,79}[^\"\n\\])\"|\s-u\s?[\w.@-]{1,64}:'([^'\n]{3,80})'"
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
"""What is given to a program's input, shown once, or stands on the next line."""
