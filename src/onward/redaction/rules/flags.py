"""Secrets on command lines: `--password x`, `-u name:x`, `-pX` of the database clients."""

from __future__ import annotations

from onward.redaction.engine import Rule
from onward.redaction.rules import values
from onward.redaction.rules.names import secret_key
from onward.redaction.rules.shared import (
    EDGE,
    QUOTE,
    entries,
    is_filler,
    is_reference,
    is_words,
    lazy,
    words,
)

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
    rf"net\s{{1,3}}use\s[^\n|;&]{{1,80}}?\s{_WORD}\s/user",
    rf"(?:mysqladmin|nmcli){_REST}\spassword[ \t]{{1,3}}{_WORD}",
    rf"az\skeyvault\ssecret\sset{_REST}\s--value[ =]{_WORD}",
    rf"aws\ssecretsmanager\s(?:create|put|update)-secret[\w-]{{0,8}}{_REST}\s--secret-string[ =]{_WORD}",
    rf"(?:sqlcmd|bcp|osql|mosquitto_pub|mosquitto_sub|unzip|zip|isql){_REST}\s-P[ \t]?{_WORD}",
    rf"useradd{_REST}\s-p[ \t]?{_WORD}",
    rf"security\sadd-(?:generic|internet)-password{_REST}\s-w[ \t]?{_WORD}",
    rf"wpa_passphrase\s[^\s|;&]{{1,40}}\s{_WORD}",
    rf"(?:[xw]freerdp|mstsc|schtasks){_REST}\s/r?p[: ]{_WORD}",
    rf"psexec(?:64)?{_REST}\s-p\s{_WORD}",
    r"expect\s-c\s[\"']send\s\\{0,3}\"([^\"\\\n]{3,})\\{1,4}[rn]",
    rf"(?:ldapsearch|ldapadd|ldapmodify|ldapwhoami|kinit){_REST}\s-w[ \t]{{1,3}}{_WORD}",
)
_NAME = r"\w{0,40}(?:PASS|PASSWORD|TOKEN|SECRET|KEY|PWD)\w{0,8}"
_PIECE = r"([^\s\"'`|;&<>\\]{3,})"
_COMMANDS = (
    rf"openssl\b{_REST}\s-?(?:pass|passin|passout)[ =]pass:{_PIECE}",
    (
        r"htpasswd\s(?:-\w{1,8}\s){0,3}-[a-zA-Z]{0,4}b[a-zA-Z]{0,3}\s(?:-\w{1,8}\s){0,3}"
        r"(?:[^\s;&|]{0,80}[./][^\s;&|]{0,80}\s)?[\w.@-]{1,40}\s([^\s\"'`|;&\\/-][^\s\"'`|;&\\]{3,})"
    ),
    rf"aws configure set [\w.-]{{0,40}}(?:secret_access_key|session_token|access_key_id) {_WORD}",
    rf"gh (?:secret|variable) set [\w-]{{1,60}} (?:-b|--body)[ =]?{_WORD}",
    rf"(?:setx|setenv|set\s-[a-zA-Z]{{1,3}})\s{{1,3}}{_NAME}\s{{1,3}}{_WORD}",
    rf"(?i:config\sset)\s(?:requirepass|masterauth)\s{_WORD}",
    rf"[\w.-]{{1,60}}:\d{{2,5}}(?:\[\d{{1,2}}\])?>\s?(?i:auth\s(?:default\s)?){_WORD}",
    rf"ENV[ \t]+{_NAME}[ \t]+{_WORD}",
    rf"smb\w+\s[^\n|;&]{{0,80}}?-U\s{{0,2}}[\w.\\@-]{{1,40}}%{_PIECE}",
    rf"rabbitmqctl (?:add_user|change_password) [\w.-]{{1,40}} {_WORD}",
    rf"ConvertTo-SecureString\s{{1,3}}(?:-String\s{{1,3}})?{_WORD}",
    rf"\(?{QUOTE}([^\s\"'`|;&<>\\\\]{{4,}}){QUOTE}\s?\|\s?ConvertTo-SecureString",
    rf"echo\s(?:-n\s)?(?:{QUOTE})?[\w.-]{{1,40}}:{_PIECE}(?:{QUOTE})?\s?\|\s?(?:sudo )?chpasswd",
    rf"echo\s(?:-n\s)?{_WORD}\s?\|\s?(?:docker|podman|helm|sudo -S|gh|cryptsetup|passwd|wrangler|vercel|fly|flyctl|gcloud|npx wrangler)\b",
)
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
    if not is_words(value) or any(c.isdigit() for c in value) or _QUOTED.search(before):
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
        pattern=r"(?:\s-u|--user|--proxy-user|--creds|\s-a[ =])[ =]?(?:\\{0,7}[\"'])?([0-9A-Za-z_.@-]{1,64}:[^\s\"'`$<{\\]{2,}[^\s\"'`$<{\\.,])",
        keywords=("-u", "--user", "--proxy-user", "--creds", "-a"),
        source="curl manual",
        judge=pair,
    ),
    Rule(
        id="client-password",
        pattern=rf"{EDGE}(?:{'|'.join(_CLIENTS)})",
        keywords=entries(
            "mysql ¦ mariadb ¦ mycli ¦ mongo ¦ sshpass ¦ login ¦ cqlsh ¦ snowsql ¦ "
            "redis-cli ¦ sqlcmd ¦ bcp ¦ osql ¦ mosquitto_ ¦ zip ¦ ldap ¦ dblab ¦ isql ¦ "
            "kinit ¦ useradd ¦ security add ¦ wpa_passphrase ¦ freerdp ¦ mstsc ¦ schtasks ¦ "
            "psexec ¦ expect ¦ 7z ¦ rar ¦ openssl ¦ net use ¦ nmcli ¦ keyvault ¦ "
            "secretsmanager"
        ),
        source="manuals of the clients",
        judge=client,
    ),
    Rule(
        id="command-password",
        pattern=rf"{EDGE}(?:{'|'.join(_COMMANDS)})|{_LITERAL}",
        keywords=entries(
            "openssl ¦ htpasswd ¦ --from-literal ¦ aws configure ¦ gh secret ¦ gh variable ¦ "
            "setx ¦ env  ¦ env\t ¦ smb ¦ rabbitmqctl ¦ securestring ¦ chpasswd ¦ echo ¦ "
            "setenv ¦ set - ¦ > auth ¦ >auth ¦ config set"
        ),
        source="manuals of the programs",
        judge=client,
    ),
)
