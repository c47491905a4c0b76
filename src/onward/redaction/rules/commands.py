"""Secrets on command lines and at a terminal: `--password x`, `-u name:x`, `-pX` of the database
clients, what is given to a program's input, shown once, or stands on the next line.
"""

from __future__ import annotations

from onward.redaction.rules import connections, values
from onward.redaction.rules.prose import strong
from onward.redaction.rules.table import lazy, read, words
from onward.redaction.rules.validators import (
    has_digit,
    is_filler,
    is_jumbled,
    is_reference,
    is_words,
    of_value,
    random,
    unpacked,
)
from onward.redaction.rules.values import secret_key

_FLAG = lazy(r"--?([A-Za-z][\w-]*)")
_LAST_FLAG = lazy(r"--?[A-Za-z][\w-]*[ \t]+$")
_OPTION = lazy(r"(?i)(?:option|argument|flag)\(")
_SHOWN = lazy(r"(?i)<?(?:user|user_?name|login)>?:[a-z<>_-]+")
_REQUEST = lazy(r"\b(?:curl|https?|wget)\s[^\n|;]*$")
_NO_PAIR, _WORD_PAIR = lazy(r"\d+:\d+|[a-z-]+:pass\w*"), lazy(r"[a-z-]+:[a-z-]+")
_QUOTED = lazy(r"[\"']$")
# Another flag beside it, a prompt, or a program with few words behind: not a sentence.
_LINE = lazy(r"(?:^|\\n|[\n\t+`\"'])(?:[ \t]*[$#%>+]+ )?[ \t]*[a-z][\w./-]*(?: [\w./:@=-]+){0,3} $")
_OTHER = lazy(r"(?:^|[\s\"'])--?[A-Za-z][\w-]*(?:=[^\s-]\S*)?(?: [^\s-]\S*)*[ \t]+$")
_NEXT = lazy(
    r"[\"']?(?:[ \t]+--?[A-Za-z]|[ \t]+[\w-]{0,40}[./][\w/]|[ \t]*(?:$|\r?\n|\\{1,7}[rn]|[|&;`]))"
)
_SAID_OF = words(
    "option options flag flags argument arguments parameter parameters switch instead via also only does "
    "support handling check checks parsing prompt prompts"
)
_PROSE = lazy(r"(?i)\b(?:the|a|an|with|and|or|use|its|via|of|pass|option|flag) [`\"']?--?[a-z-]+ $")


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


def pair(value: str, before: str, _after: str) -> bool:
    """`name:password`, not `uid:gid`, a time or a name and a label."""
    held = value.partition(":")[2]
    if (
        is_filler(held)
        or _SHOWN.fullmatch(value)
        or held.startswith("//")
        or _NO_PAIR.fullmatch(value)
    ):
        return False
    return _WORD_PAIR.fullmatch(value) is None or _REQUEST.search(before) is not None


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
    return strong(plain, "", "") or (
        connections.is_basic(value) and strong(plain.partition(":")[2], "", "")
    )


def mixed_case(value: str, before: str, after: str) -> bool:
    """A random value that has capital letters."""
    return random(value, before, after) and value.lower() != value


basic, session = of_value(connections.is_basic), connections.session


RULES = read(
    r"""
⟨word⟩	(?:\"([^\"\\\n]{3,})\"|'([^'\\\n]{3,})'|\\{1,7}[\"']([^\"'\\\n]{3,})\\|([^\s\"'`<>|;&(){}\[\]\\-][^\s\"'`<>|;&(){}\[\]\\]{2,}[^\s\"'`<>|;&(){}\[\]\\.,:]))
⟨rest⟩	(?:\.exe)?\b[^\n|;&]{0,80}?
⟨to secure⟩	⟨quote⟩([^\s\"'`|;&<>\\]{4,})⟨quote⟩\s?\|\s?ConvertTo-SecureString
⟨piece⟩	([^\s\"'`|;&<>\\]{3,})
⟨literal⟩	--from-literal[= ](?:⟨quote⟩)?[\w.-]{1,60}=(?:⟨quote⟩)?⟨piece⟩
⟨telling⟩	(?:CURLOPT_(?:PROXY)?USERPWD|BUNDLE_[A-Z0-9_]{2,80})[\"']?
⟨variable⟩	\w{0,40}(?:PASS|PASSWORD|TOKEN|SECRET|KEY|PWD)\w{0,8}
flag	flag	passw ¦ -pass ¦ pass ¦ pwd ¦ token ¦ secret ¦ key	manuals of the tools
  (?i)(?:^|[\s\"'`=(\[,])--?[a-z-]{0,24}(?:password|passwd|passphrase|pass|passw|pwd|token|secret|key)(?:
    ⟨quote⟩,(?:\s|\\{1,7}[nrt]){0,24}(?:\"([^\"\\\n]{3,})\"|'([^'\\\n]{3,})'|\\{1,7}\"([^\"\\\n]{3,})\\)|(?:[ \t]{1,3}|=)⟨word⟩
  )
user-password	pair	-u ¦ --user ¦ --proxy-user ¦ --creds ¦ -a ¦ --auth	curl manual
  (?:\s-u|--user|--proxy-user|--creds|--auth|\s-a[ =])[ =]?(?:\\{0,7}[\"'])?([0-9A-Za-z_.@-]{1,64}:(?:[^\s\"'`$<{\\]|\\{1,7}[$`!]){2,}(?:[^\s\"'`$<{\\.,]|\\{1,7}[$`!]))
client-password	client	mysql ¦ mariadb ¦ mycli ¦ mongo ¦ sshpass ¦ login ¦ cqlsh ¦ snowsql ¦ redis-cli ¦ sqlcmd ¦ bcp ¦ osql ¦ mosquitto_ ¦ zip ¦ ldap ¦ dblab ¦ isql ¦ kinit ¦ useradd ¦ send ¦ ssh-keygen ¦ twine ¦ ncftp ¦ lftp ¦ vault login ¦ put-parameter ¦ oathtool ¦ security add ¦ wpa_passphrase ¦ freerdp ¦ mstsc ¦ schtasks ¦ psexec ¦ expect ¦ 7z ¦ rar ¦ mc alias ¦ mc config ¦ openssl ¦ net use ¦ nmcli ¦ keyvault ¦ secretsmanager ¦ snmp	manuals of the clients
  ⟨edge⟩(?:
    (?:mysql|mysqldump|mysqladmin|mysqlimport|mysqlsh|mariadb|mariadb-dump|mycli)⟨rest⟩\s-p(?:⟨quote⟩)?([^\s\"'`|;&<>\\-][^\s\"'`|;&<>\\]{2,})
    (?:
      mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport|sshpass|cqlsh|snowsql|dblab
      (?:docker|podman|helm|oc|az|buildah|skopeo|nerdctl|ansible-galaxy)(?: registry)? login
    )⟨rest⟩\s-p[ \t]?⟨word⟩
    redis-cli⟨rest⟩\s(?:-a|(?i:auth))[ \t]{1,3}⟨word⟩|(?:7z|7za|7zz|rar|unrar)\s[axet]⟨rest⟩\s-p⟨word⟩
    openssl\s{1,3}\w{2,20}⟨rest⟩\s-[kK][ \t]{1,3}⟨word⟩
    net\s{1,3}user\s{1,3}[\w.-]{1,40}\s{1,3}⟨word⟩\s/
    net\s{1,3}use\s[^\n|;&]{1,80}?\s(?:⟨word⟩\s/user|/user:[^\s|;&]{1,60}\s{1,3}⟨word⟩)
    (?:mysqladmin|nmcli)⟨rest⟩\spassword[ \t]{1,3}⟨word⟩
    az\skeyvault\ssecret\sset⟨rest⟩\s--value[ =]⟨word⟩
    aws\ssecretsmanager\s(?:create|put|update)-secret[\w-]{0,8}⟨rest⟩\s--secret-string[ =]⟨word⟩
    (?:sqlcmd|bcp|osql|mosquitto_pub|mosquitto_sub|unzip|zip|isql)⟨rest⟩\s-P[ \t]?⟨word⟩
    useradd⟨rest⟩\s-p[ \t]?⟨word⟩|ssh-keygen⟨rest⟩\s-[NP][ \t]?⟨word⟩|(?:twine|ncftp\w{0,4})⟨rest⟩\s-p[ \t]?⟨word⟩|lftp⟨rest⟩\s-u\s[^\s,|;&]{1,40},⟨word⟩
    vault\slogin\s(?:-\S{1,40}\s){0,3}⟨word⟩|aws\sssm\sput-parameter⟨rest⟩\s--value[ =]⟨word⟩|oathtool(?:\s-[\w-]{1,12}){1,4}\s⟨word⟩
    security\sadd-(?:generic|internet)-password⟨rest⟩\s-w[ \t]?⟨word⟩
    wpa_passphrase\s[^\s|;&]{1,40}\s⟨word⟩
    (?:[xw]freerdp|mstsc|schtasks)⟨rest⟩\s/r?p[: ]⟨word⟩
    psexec(?:64)?⟨rest⟩\s-p\s⟨word⟩
    (?:expect\s-c\s[\"']|(?i:p?assword|passphrase|pin)\b[^\n]{0,24}\n?[^\n]{0,24}\b)send\s(?:-\w{0,8}\s)?\\{0,3}\"([^\"\\\n]{3,})\\{1,4}[rn]
    snmp\w{2,12}⟨rest⟩\s-A[ \t]?⟨word⟩
    mc\s(?:alias|config\shost)\s(?:set|add)\s\S{1,60}\s\S{1,120}\s\S{1,60}\s⟨word⟩
    (?:ldapsearch|ldapadd|ldapmodify|ldapwhoami|kinit)⟨rest⟩\s-w[ \t]{1,3}⟨word⟩
  )
command-password	client	openssl ¦ htpasswd ¦ --from-literal ¦ configure set ¦ userpwd ¦ bundle_ ¦ @1 ¦ @2 ¦ '@ ¦ gh secret ¦ gh variable ¦ setx ¦ env  ¦ env\t ¦ smb ¦ rabbitmqctl ¦ securestring ¦ chpasswd ¦ echo ¦ setenv ¦ set - ¦ > auth ¦ >auth ¦ config set ¦ snmp ¦ user=	manuals of the programs
  ⟨edge⟩(?:
    openssl\spasswd(?:\s-\w{1,8}){0,4}\s⟨word⟩
    openssl\b⟨rest⟩\s-?(?:pass|passin|passout)[ =]pass:⟨piece⟩
    htpasswd\s(?:-\w{1,8}\s){0,3}-[a-zA-Z]{0,4}b[a-zA-Z]{0,3}\s(?:-\w{1,8}\s){0,3}(?:[^\s;&|]{0,80}[./][^\s;&|]{0,80}\s)?[\w.@-]{1,40}\s(?:
      \"([^\"\\\n]{4,})\"|'([^'\\\n]{4,})'|([^\s\"'`|;&\\/-][^\s\"'`|;&\\]{3,})
    )
    (?i:config(?:ure)?\sset\s(?:--?[\w-]{1,16}\s){0,3}[\w./:@-]{0,60}(?:password|secret|token|secret_access_key|access_key_id|_auth|api_?key)\w{0,8}) ⟨word⟩
    ⟨telling⟩\s?(?:=>|[,:=])\s?(?:⟨quote⟩)?[\w.@-]{1,64}:⟨piece⟩
    [\w.-]{1,40}[/\\][\w.$-]{1,40}:(?:'([^'\n]{3,80})'@|⟨piece⟩@\d{1,3}(?:\.\d{1,3}){3})
    gh (?:secret|variable) set [\w-]{1,60} (?:-b|--body)[ =]?⟨word⟩
    (?:setx|setenv|set\s-[a-zA-Z]{1,3})\s{1,3}⟨variable⟩\s{1,3}⟨word⟩
    (?i:config\sset)\s(?:requirepass|masterauth)\s⟨word⟩
    [\w.-]{1,60}:\d{2,5}(?:\[\d{1,2}\])?>\s?(?i:auth\s(?:default\s)?)⟨word⟩
    ENV[ \t]+⟨variable⟩[ \t]+⟨word⟩
    smb\w+\s[^\n|;&]{0,80}?-U\s{0,2}(?:⟨quote⟩)?[\w.\\@-]{1,40}%⟨piece⟩
    snmp\w{2,12}⟨rest⟩\s-X[ \t]?⟨word⟩
    rabbitmqctl (?:add_user|change_password) [\w.-]{1,40} ⟨word⟩
    ConvertTo-SecureString\s{1,3}(?:-String\s{1,3})?⟨word⟩
    echo\s(?:-n\s)?(?:⟨quote⟩)?[\w.-]{1,40}:⟨piece⟩(?:⟨quote⟩)?\s?\|\s?(?:sudo )?chpasswd
  )
  \s-o\s{0,2}(?:⟨quote⟩)?(?:[\w.=-]{1,40},){0,6}user=[\w.@-]{1,40}:⟨piece⟩
  ⟨to secure⟩
  ⟨literal⟩
""",
    globals(),
)

TERMINAL = read(
    r"""
⟨reads⟩
  (?:
    sudo(?:\s-\w+){1,3}|su|kinit|cryptsetup|passwd|smbpasswd|gpg|read\s-\w{0,3}s
    read\s(?:-\w+\s)?(?i:\w{0,20}(?:pass|pwd|secret|token|key)\w{0,8})
    docker|podman|helm|kubectl|openssl|security|wpa_passphrase|vault|gh|wrangler|vercel|flyctl|fly|gcloud|oc|az|npm
  )
⟨input⟩	(?:\"([^\"\n\\]{3,80})|'([^'\n\\]{3,80})|([^\s\"'`<>|;&(){}\\]{4,80}))
⟨noun⟩	(?i:pass(?:word|wd|phrase|code)?|pwd|pw|secret)
⟨here⟩	[A-Z_]{1,12}
standard-input (json)	given	<<< ¦ echo ¦ printf	manuals of the shells and programs
  ⟨edge⟩(?:
    ⟨reads⟩\b[^\n|;&<]{0,80}<<<\s{0,2}⟨input⟩
    (?:echo|printf)\s(?:-\w+\s){0,2}(?:[\"']%s[^\s\"']{0,6}[\"']\s)?⟨input⟩(?:\\{1,8}n)?[\"']?(?:;\s?echo[^\n|]{0,80})?\)?\s{0,2}\|\s{0,2}(?:
      sudo\s-\w*S|su\b|runas|passwd|kinit|cryptsetup|smbpasswd|(?:docker|podman|helm|oc|az|nerdctl)\b
      (?:gh|wrangler|vercel|fly|flyctl|gcloud|npx wrangler)\b
    )
    -file=?\s?<\(\s?(?:echo|printf)\s(?:-n\s)?⟨input⟩
    (?:pass|password|passphrase|token|secret)-(?:command|cmd)[ =][\"']?(?:echo|printf)\s⟨input⟩
  )
here-document (json)	given	<<	manuals of the shells and of Ruby
  (?:
    ⟨edge⟩(?:passwd|chpasswd|smbpasswd|kinit|cryptsetup|sudo -S)\b[^\n]{0,80}|(?:⟨noun⟩|(?i:token|key))\w{0,12}\s?=\s?(?:[\"']?\$\(\s?cat\s)?
  )<<[-~]?\s?[\"']?⟨here⟩[\"']?\n([^\n]{3,120}(?:\n[^\n]{3,120}){0,2}?)\n\s{0,8}⟨here⟩\b
one-time-code (json)	code	code ¦ otp ¦ pin	observed in sessions
  (?i)⟨edge⟩(?:
    (?:[a-z]-)?(\d{4,8}) is your [\w ]{0,32}code
    (?:
      (?:verification|confirmation|one[- ]time|security|login|2fa|mfa|sms|otp|totp|auth(?:entication|enticator)?|device|passcode)[ _](?:pass)?code
      otp|--otp|pin(?: code)?|(?:enter|use|type) (?:the |this )?code|the code
    )(?: (?:is|was))?[\"']? {0,2}[:=]? {0,2}[\"'`*]{0,2}(\d{3}[ -]\d{3}\b|\d{4,8}\b|[0-9A-Z]{4}-[0-9A-Z]{4}\b)
  )
recovery-code (json)	code	code ¦ key	observed in sessions
  (?i)⟨edge⟩(?:
    (?:recovery|backup|rescue|scratch|emergency) (?:codes?|keys?)|(?:kit )?secret key
  )[\"'*]{0,3}\s{0,2}(?:is |are )?:?(?:\s|\\{1,7}n){1,4}((?:(?:\d{1,2}[.)] |[-*] )?[0-9a-z]{2,10}(?:-[0-9a-z]{3,10}){1,5}(?:\s|\\{1,7}n){0,4}|(?:\d{1,2}[.)] |[-*] )?\d{6,10}(?:\s|\\{1,7}n){1,4}){0,15}(?:(?:\d{1,2}[.)] |[-*] )?[0-9a-z]{2,10}(?:-[0-9a-z]{3,10}){1,5}|(?:\d{1,2}[.)] |[-*] )?\d{6,10}))\b
next-line (json)	below	pass ¦ pwd ¦ pw ¦ secret ¦ token ¦ key ¦ base64	YAML, shells; forms as they are copied
  (?:
    ⟨noun⟩[\"']?[ \t]{0,3}[:=]?|(?i:token|key)[\"']?[ \t]{0,3}[:=]|base64 (?:-d|--decode)
  )[ \t]{0,3}(?:[>|][-+]?|[\"'(])?[ \t]{0,3}\\?\r?\n[ \t]{0,24}[\"']?([0-9A-Za-z!#$%&*+/.:;=?@^_~-]{6,120})[\"']?[ \t]{0,3}(?:\s|[\"'\\]|$)
printed-secret (json)	below	vault ¦ get-parameter ¦ secretsmanager ¦ az keyvault ¦ az acr ¦ gcloud secrets ¦ pass show ¦ bw get ¦ op read ¦ op item ¦ wg gen ¦ base64 ¦ output -raw ¦ printenv ¦ config:get ¦ secrets get ¦ -generic-password ¦ -internet-password ¦ openssl rand ¦ get-login-password ¦ auth print- ¦ keyring get ¦ jsonpath ¦ aws configure ¦ az  ¦ gopass ¦ credstash ¦ chamber ¦ ansible-vault ¦ sops ¦ cat  ¦ echo  ¦ pwgen ¦ rails secret ¦ gen.secret ¦ key:generate ¦ random ¦ secrets.token ¦ argocd	manuals of the programs that print a secret alone
  ⟨edge⟩(?:
    vault\s(?:kv\s)?(?:get|read)\s[^\n]{0,80}-field|aws\sssm\sget-parameter[^\n]{0,80}--with-decryption|aws\s(?:secretsmanager\sget-secret-value|ecr[\w-]{0,8}\sget-login-password)
    az\s(?:keyvault\ssecret|acr\scredential)\sshow|gcloud\s(?:secrets\sversions\saccess|auth\s(?:application-default\s)?print-)
    (?:pass|lpass)\sshow|bw\sget\s(?:password|totp|notes)|op\s(?:read|item\sget)|wg\s(?:genkey|genpsk)|terraform\soutput\s-raw
    printenv\s\w{0,40}(?:PASS|TOKEN|SECRET|KEY|PWD)|heroku\sconfig:get|(?:doppler|infisical)\ssecrets\sget|security\sfind-(?:generic|internet)-password
    aws\sconfigure\s(?:get|export-credentials)|az\s[\w\s-]{1,40}\s(?:list-keys|keys\slist|get-access-token)|gopass\sshow|credstash\sget|chamber\sread|ansible-vault\s(?:view|decrypt)|sops\s(?:-d|--decrypt|decrypt)
    cat\s\S{0,80}(?:/run/secrets/|passw(?:or)?d|passphrase|secret|token|vault[_-]?pass)[^\s|;&]{0,40}|echo\s\"?\$\{?\w{0,40}(?:PASS|TOKEN|SECRET|KEY|PWD)
    pwgen|rails\ssecret|mix\sphx\.gen\.secret|php\sartisan\skey:generate|head\s-c\s?\d{1,4}\s/dev/u?random|secrets\.token_(?:hex|urlsafe)\(
    openssl\srand|keyring\sget|argocd\sadmin\sinitial-password|base64\s(?:-d|-D|--decode)|kubectl\s[^\n]{0,120}jsonpath=\S{0,12}\.data\.[\w.-]{0,30}(?:pass|token|secret|key)
  )[^\n]{0,200}\n([0-9A-Za-z!#$%&*+/.:;=?@^_~-]{7,399}[0-9A-Za-z!#$%&*+/=?@^_~-])[ \t]{0,3}(?:\s|[\"'\\]|$)
repeated-password (json)	strong	again ¦ retype ¦ re-enter ¦ repeat ¦ confirm ¦ verif	manuals of the programs that ask twice
  (?i:⟨noun⟩|pin)[^\n]{0,120}\n[^\n:]{0,16}(?i:again|retype|re-enter|repeat|confirm|verif)[^\n:]{0,40}:[ \t]{0,3}([^\s\"'`\\]{4,80})
approle (json)		secret_id	manual of Vault, the AppRole login	secret_id[\"']?\s{0,3}[:=]\s{0,3}[\"']?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b
joined-parts (json)	part	pass ¦ pwd ¦ secret ¦ token ¦ key	literals of the languages
  (?i)(?:pass(?:word|wd|phrase)?|pwd|secret|token|key)[\"']?\s{0,3}(?:[:=]|:=)\s{0,3}\(?(?:\s|\n){0,24}[\"'][^\"'\n\\]{4,80}[\"']\s{0,3}(?:\+|\\|\.|&|\.\.)?(?:\s|\n){0,24}[\"']([^\"'\n\\]{4,80})[\"']
cookie-file (json)	random	true ¦ false	curl manual, the cookie file	(?:TRUE|FALSE)\t/[^\t\n]*\t(?:TRUE|FALSE)\t\d{1,12}\t[^\t\n]{1,80}\t\"?([^\s\\\"]{8,})
cookie-value (json)	session	"value ¦ 'value ¦ jar. ¦ cookie ¦ -b  ¦ session= ¦ sid= ¦ auth_token=	browsers' and clients' manuals
  (?i)(?:
    [\"']name[\"']\s?:\s?[\"'][\w.-]{0,40}(?:sess|sid|auth|token)[\w.-]{0,40}[\"'],\s{0,24}[\"']value[\"']\s?:\s?
    cookies?\s?=\s?\{[^{}\n]{0,60}?:\s?
    \b(?:cookies?|jar)\.(?:set|put|add)\w{0,10}\([\"'][\w.-]{1,40}[\"'],\s?
    \s(?:-b|--cookie)\s[\"']?[\w.-]{1,40}=|(?:\b|_)(?:session|sid|auth_token)=
  )[\"']?([0-9A-Za-z%._~+/=-]{16,})
authorization-code (json)	random	code=	RFC 6749, section 4.1.2	[?&]code=([0-9A-Za-z._~%/+-]{20,})
sensitive-value (json)	given	"value ¦ random_password	Terraform, outputs and state
  (?:
    \"[\w.-]{0,40}(?i:password|passwd|secret|token|key|pw|pwd)[\w-]{0,16}\"\s{0,3}:\s{0,3}\{(?:\s{0,24}\"\w{1,24}\"\s?:\s?(?:true|false|\"\w{0,24}\"),){0,4}\s{0,24}\"value\"\s?:\s?
    random_password(?:\.[\w.\[\]-]{1,60}\.|\"[^{}]{1,60}\{[^{}]{1,200}\s)result\s{0,12}=\s?
  )\"([^\"\n\\]{4,200})\"
random-password (json)	strong	random_password ¦ bcrypt_hash	Terraform, the state of random_password	\"result\"\s{0,3}:\s{0,3}\"([^\"\n\\]{8,200})\"
encoded-login (json)	basic	atob ¦ decode ¦ base64 ¦ buffer	RFC 4648; RFC 7617
  (?:atob|b64decode|base64_decode|decode64|FromBase64String|Buffer\.from)\(\s?b?[\"']([0-9A-Za-z+/]{8,}={0,2})[\"']
encoded-password (json)	encoded_password	base64	RFC 4648
  ⟨edge⟩(?:
    echo\s(?:-n\s)?[\"']?([0-9A-Za-z+/]{8,}={0,2})[\"']?\s?\|\s?base64\s(?:-d|-D|--decode)
    base64(?:\s-\w{1,6}|\s--decode)?\s?(?:<<<|→|->|=>|\n)\s?[\"']?([0-9A-Za-z+/]{8,}={0,2})
  )
escaped-password (json)	given	u00 ¦ &quot; ¦ &#3 ¦ &apos;	RFC 8259; HTML	⟨noun⟩\\{0,3}[\"']?\s?[:=]\s?(?:\\{0,3}[\"']((?:\\{1,4}u00[0-9a-fA-F]{2}){4,})|&(?:quot|#34|#39|apos);([^&\s]{4,80})&)
docker-config (json)	given	dockerconfigjson ¦ eyjhdxrocyi6 ¦ eyaiyxv0ahmi ¦ ewojimf1dghz ¦ ewogicjhdxrocy ¦ ewogicagimf1dghz	Kubernetes manual, Secrets; the settings of Docker in base64
  dockerconfigjson\\{0,3}[\"']?:\s{0,3}\\{0,3}[\"']?([0-9A-Za-z+/]{16,}={0,2})
  ((?:eyJhdXRocyI6|eyAiYXV0aHMi|ewoJImF1dGhz|ewogICJhdXRocy|ewogICAgImF1dGhz)[0-9A-Za-z+/]{16,}={0,2})
login-pair (json)	given	user ¦ -u	curl manual, the file of settings
  (?:^|\n)\s{0,8}(?:user|-u|proxy-user)\s{0,3}=?\s{0,3}\"[\w.@-]{1,64}:([^\"\n]{2,79}[^\"\n\\])\"
  \s-u\s?[\w.@-]{1,64}:'([^'\n]{3,80})'
key-pair (json)	mixed_case	akia ¦ asia	AWS IAM manual, access keys
  ⟨edge⟩(?:AKIA|ASIA)[A-Z2-7]{16}(?:[\"' ,:/|\n\\]{1,12}|\t\S{1,40}\t)([0-9A-Za-z/+]{40})\b
""",
    globals(),
)
"""What is given to a program's input, shown once, or stands on the next line."""
