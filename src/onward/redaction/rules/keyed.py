"""Secrets at a key: `password = "…"` in code, settings, YAML, JSON and XML, and among the arguments
of calls. In quotes the value decides, without them the line does.
"""

from __future__ import annotations

from collections.abc import Callable

from onward.redaction.engine import Rule
from onward.redaction.rules import sites, values
from onward.redaction.rules.shared import (
    EDGE,
    LINE_END,
    QUOTE,
    entries,
    has_digit,
    is_filler,
    is_random,
    is_reference,
    is_words,
    lazy,
    words,
)
from onward.redaction.rules.sites import QUOTES, Site, bare
from onward.redaction.rules.values import PASSWORDS, Telling, words_of

_GENERAL = words("token tokens auth sid bearer jwt creds cred")
_ELEMENTS = lazy(
    r"(?i)</(?:[\w.:-]*(?:pass|pwd|secret|token|key|auth)[\w.-]*|property|entry|prop|param|value|arg|string)>"
)
# A map from the names of fields to themselves.
_IDENTITY = lazy(r"(\w{4,})\\*[\"']?\s?(?:=>|[:=])\s?\\*[\"']\1\\*[\"']")
_OWNERS = words(
    "mysql postgres postgresql pg db database root admin sa redis mongo rabbitmq mariadb oracle mssql "
    "minio elastic smtp ldap keycloak grafana user client keystore truststore ssl proxy"
)
_SETS = lazy(
    r"(?i)(?:put|set|define|setenv|getenv|environ\.\w+|env|property|default|add|append|param\w*|header|arg|config\w*|of|entry|containsEntry|with\w*|using\w*)"
    r"\(?\s*\\*[\"']?[^\"'\n]*[\"']\s*,\s*\\*[\"']$"
)
# `PWD` is where a shell stands, but a password behind another field of a connection.
_CONNECTION_FIELD = lazy(r"(?i)(?:uid|user(?: id)?|database|server)\s?=[^;\n]{0,60}; ?$")
_DEFAULTS = ("password", "secret", "passwd")
_ENDS = lazy(r"\\{0,7}[\"'][ \t,;)}\]]{0,8}(?:$|\r?\n|\\{1,7}[rn])")
_STRING_BEFORE = lazy(r"[\"'][\w.@+-]+\\*[\"'](?:\.to_\w+\(\))?,\s?(?:Some\(|b)?\\*[\"']$")
_DIRECTIVE = lazy(
    r"(?:(?:^|\n|\\n)[ \t]*\w+|(?:^|[\s({\[,]):\w+)[ \t]+\\*[\"']$"
)  # `password 'x'`, `:password "x"`
_ASKS = lazy(r"(?i)^(?:\w*\.)*(?:get|find|has|show|toggle|forgot|reset|is|on|by|label|hide|t$|_$)")
Known = Callable[[str, str], bool]


def password(value: str, before: str, after: str) -> bool:
    """Is what stands at a password-like key a password? Words count in quotes, in env
    files and alone on their line; types, references and labels never do.
    """
    site = Site(*sites.name_of(before), before, after)
    if site.name == "PWD" and _CONNECTION_FIELD.search(site.former):
        return sites.is_password(value, "password")
    return sites.telling(site.name) == "loose" and _at_key(site, value, sites.is_password)


def token(value: str, before: str, after: str) -> bool:
    """Is what stands at a token-like key a token? Only what no word or name looks like."""
    site = Site(*sites.name_of(before), before, after)
    known = _tokens(sites.telling(site.name), site.name)
    if known is None or (known is sites.is_weak_token and not _is_said(site)):
        return False
    return _at_key(site, value, known)


def _is_said(site: Site) -> bool:
    """Does more than the word `key` and a colon say that a value stands here?"""
    return site.sign.endswith((*QUOTES, "=")) or len(words_of(site.name)) > 1


def _tokens(telling: Telling | None, name: str) -> Known | None:
    if telling == "strict":
        return sites.is_token if name.lower() in _GENERAL else sites.is_telling_token
    return sites.is_weak_token if telling == "weak" else None


def _at_key(site: Site, value: str, known: Known) -> bool:
    if site.before.rfind("[REDACTED:") > site.before.rfind("]"):  # inside a mark of ours
        return False
    if site.name == "nonce" and "=" in site.sign[:1]:  # a challenge, said in the open
        return False
    if site.name.lower() == "pass" and _is_outcome(site):
        return False
    if "|" in site.sign and "||" not in site.sign:
        found = _in_cell(site, value, known)
    elif site.sign.endswith(QUOTES):
        found = _in_quotes(site, value, known)
    elif site.sign.endswith(">") and not site.sign.endswith("=>"):
        found = _ELEMENTS.match(site.after) is not None and known(value, site.name)
    else:
        found = _in_bare(site, value, known)
    return found


def _in_bare(site: Site, value: str, known: Known) -> bool:
    return (known(value, site.name) or _is_default(value, site.name)) and bare(site, value)


def _in_cell(site: Site, value: str, known: Known) -> bool:
    """The cell beside that of the name, in a table; a pipe and a type look like it."""
    closed = site.after.lstrip(" \t`*")[:1]
    return (
        not any(quote in site.sign for quote in "\"'")
        and (site.former.rstrip(" \t").endswith("|") or closed == "|")
        and closed in {"|", "\n", "\r", "\\", ""}
        and has_digit(value)
        and not (is_words(value) or sites.is_code(value))
        and known(value, site.name)
    )


def _is_outcome(site: Site) -> bool:
    """Tests pass: `pass: 12, fail: 3`, `--- PASS: TestLogin`."""
    around = (site.before + site.after).lower()
    return "fail" in around or (site.name == "PASS" and ":" in site.sign)


def _in_quotes(site: Site, value: str, known: Known) -> bool:
    sign = site.sign
    joined = site.after[1:].lstrip().startswith(("+ ", ". $", "=>", ".concat("))
    one_of = sign[0] in QUOTES and sign[1:].startswith(" or ")  # `"Secret" or "ConfigMap"`
    choice = site.former.rstrip("\"'`\\ ").endswith("?")  # `ok ? "pass" : "fail"`
    if joined or one_of or choice or value[0].isspace():
        return False
    if site.after[:1] in {" ", "\t"} and not site.after.startswith(" \u2026"):  # never closed
        return is_random(value) and known(value, site.name)
    if sign[-1] == "`" and is_words(value) and words_of(site.name)[-1] not in PASSWORDS:
        return False  # Markdown quotes names as often as values
    return known(value, site.name) or _is_same(site, value)


def _is_default(value: str, name: str) -> bool:
    """`DB_PASSWORD=password` is one, `password=password` passes a variable on."""
    return value in _DEFAULTS and len(words_of(name)) > 1


def _is_same(site: Site, value: str) -> bool:
    """`{"user": "me", "password": "password"}` is a login and so is `DB_PASSWORD: "password"`;
    a constant or a map of fields holds the name of the field.
    """
    if value not in _DEFAULTS:
        return False
    if site.name.lower() != value:
        former, last = ("", "", *words_of(site.name))[-2:]
        return last == value and former in _OWNERS
    return site.name.islower() and not (
        _IDENTITY.search(site.former) or _IDENTITY.search(site.after)
    )


def argument(value: str, before: str, after: str) -> bool:
    """`put("password", "x")`: words only where the call says that it sets something."""
    name, sign = sites.name_of(before)
    name = name.removesuffix(".equals")
    telling = sites.telling(name)
    known = sites.is_password if telling == "loose" else _tokens(telling, name)
    if known is None or not (known(value, name) or (value in _DEFAULTS and sign[:1] == "(")):
        return False
    closed = after.lstrip("\\\"'").lstrip()
    if sign[:1].isspace():  # `storePassword 'x'`
        ends = _ENDS.match(after) is not None
        return ends and (len(words_of(name)) > 1 or _DIRECTIVE.search(before) is not None)
    if sign.startswith("("):  # `setPassword("x")`
        return closed.startswith(")") and _ASKS.search(name) is None
    # A list of names has one a line; a call may too, but begins with `(`.
    listed = "\n" in sign and not before[: before.rfind(name)].rstrip("\\\"'").endswith("(")
    if listed or closed[:1] not in {")", ","}:
        return False
    if not is_words(value) or has_digit(value):
        return True
    return (name.isupper() and len(words_of(name)) > 1) or bool(_SETS.search(before))


def login(value: str, before: str, after: str) -> bool:
    """The last argument of a call that logs in: no field's name, path or label."""
    del after
    return (
        not value.startswith(("/", "."))
        and values.password(value, "login password")
        and _STRING_BEFORE.search(before) is not None
    )


def named(value: str, before: str, after: str) -> bool:
    """`name: DB_PASSWORD` and below it `value: x`."""
    del after
    telling = (name for name in sites.names_in(before) if sites.telling(name) is not None)
    return any(values.is_secret(name, value) for name in list(telling)[:1])


# Only to find the place cheaply; `names.secret_key` reads the whole name.
_LOOSE = (
    r"(?:passw(?:or)?d|passord|passphrase|passcode|passwort|kennwort|passwd|pwd|pswd|secrets?|psk|pass|pw|"
    r"senha|contrase(?:(?-i:\xc3\xb1)|n)a|mot_?de_?passe|wachtwoord|"
    r"has(?:(?-i:\xc5\x82)|l)o|heslo|adgangskode|salasana|l(?:(?-i:\xc3\xb6)|o)senord|"
    # In Latin-1 a folded half of a UTF-8 character would be half of another one.
    r"(?-i:\xe5\xaf\x86(?:\xe7\xa0\x81|\xe7\xa2\xbc)|"
    r"\xe5\x8f\xa3\xe4\xbb\xa4|\xe3\x83\x91\xe3\x82\xb9\xe3\x83\xaf\xe3\x83\xbc\xe3\x83\x89|"
    r"\xd0[\x9f\xbf]\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c|"
    r"\xeb\xb9\x84\xeb\xb0\x80\xeb\xb2\x88\xed\x98\xb8)|"
    # The same letters as JSON may spell them.
    r"\\{1,7}u(?:5bc6\\{1,7}u(?:7801|78bc)|53e3\\{1,7}u4ee4|"
    r"30d1\\{1,7}u30b9\\{1,7}u30ef\\{1,7}u30fc\\{1,7}u30c9|"
    r"04[13]f\\{1,7}u0430\\{1,7}u0440\\{1,7}u043e\\{1,7}u043b\\{1,7}u044c|"
    r"be44\\{1,7}ubc00\\{1,7}ubc88\\{1,7}ud638))"
)
_STRICT = (
    r"(?:token|key|auth|cred(?:ential)?s?|jwt|bearer|sid|salt|nonce|seed|pepper|"
    r"(?:password|pwd|pass|pw)_?hash|(?:access|recovery|unlock|backup)[_-]?code|[_\"']pat|unseal key \d{1,2})"
)
_REST = r"[\w.-]{0,16}"
_TYPE = r"(?::[ \t]{0,3}[&'A-Za-z_\[][\w.|<>\[\]?&' ]{0,30}|[ \t]As[ \t]\w{1,20})[ \t]?="
_PROPERTY = r"\{ get; (?:private |protected )?(?:set|init); \}[ \t]?="
_SIGN = rf"(?:{_TYPE}|{_PROPERTY}|<-|:=|=>|[!=]={{1,2}}|:-|\|\||\?\?|\bor\b|(?-i:\xef\xbc\x9a)|\?:|[:=]|\|[ \t])"
_ATTRIBUTES = r"(?: [\w:.-]{1,30}=\"[^\"\n]{0,60}\"){0,2}"
_IS = rf"(?:{QUOTE})?\*{{0,2}}(?:\]|\)|\[\d{{0,4}}\])?(?:[ \t]*{_SIGN}\*{{0,2}}|{_ATTRIBUTES}>)"
_MAKER = (
    r"(?:String::from\(|Some\(|\[\]byte\(|str\(|bytes\(|Buffer\.from\(|new String\(|SecretStr\(|tostring\(|sensitive\(|"
    r"Secret\(|SecureString[ (]|to_string\(|encode\(|@|\$)?"
)
# Where the value comes from the environment, what stands for it otherwise.
_FETCH = (
    rf"[\w.$:>-]{{0,40}}(?:env|environ|get|fetch|config|setting|lookup|property|default|resolve)\w{{0,16}}"
    rf"[(\[]\s{{0,8}}{QUOTE}[\w.-]{{1,60}}{QUOTE}\s{{0,2}}"
    r"(?:,\s{0,24}(?:cast\s?=\s?\w{1,12},\s{0,24})?(?:default\w{0,6}\s?[:=]\s?|fallback\s?[:=]\s?)?"
    r"|[)\]]{1,2}\s{0,2}(?:(?:\|\||\?\?|\?:|or|do)\s|\{\s))"
)
_ELSE = rf"(?:{_FETCH}|[A-Za-z_][\w.$]{{0,40}} ?(?:\|\||\?\?|\?:|or) ?)?"
_QUOTED = (
    rf"\s*(?:\\[nt]\s*){{0,2}}{_ELSE}{_MAKER}\(?\s*"
    r"(?:(?:[bBfFrRuULN]{1,2})?\"((?:[^\"\\\n]|\\.){3,})\""
    r"|(?:[bBfFrRuULN]{1,2})?'((?:[^'\\\n]|\\.){3,})'"
    r"|`([^`\\\n]{3,})`"
    r"|\\{1,7}[\"']([^\"'\\\n]{3,})\\"  # in JSON in JSON
    r"|\\{0,7}[\"']([^\s\"'`\\<>{}]{12,})(?:\s|\\|$)"  # its end lost, the text goes on
    r"|[\"']([^\"'\\\n]{4,}?) ?(?:(?-i:\xe2\x80\xa6)|\n|$))"  # cut off
)
_BARE = r"[^\s\"'`,;&<>(){}|\[\]\\]"
_BARE_END = r"[^\s\"'`,;:.&<>(){}|\[\]\\]"
_VALUE = (
    rf"(?:{_QUOTED}|[ \t]*(?:!!binary |&\w{{1,24}}[ \t])?(?:"
    rf"([^\s\"'`,;&<>\\]{{3,}}{_BARE_END})[ \t]*{LINE_END}"
    rf"|([^\s\"'`,;&<>=\\]{{3,}}[^\s\"'`,;:.&<>=(\[{{}}\\])\\{{0,7}}[\"']"
    rf"|({_BARE}{{3,}}{_BARE_END})))"
)
_MAYBE_QUOTE = rf"(?:{QUOTE})?"
_TELLS = rf"(?:{_LOOSE}|{_STRICT})"
_FIELDS = (
    r"(?:type|description|sensitive|noecho|nullable|title|format|\w{1,10}length|required|label)"
)
_DECLARED = rf"(?:\s|\\{{1,7}}[nrt]){{1,24}}(?:{_MAYBE_QUOTE}{_FIELDS}{_MAYBE_QUOTE}[ \t]*[:=][^\n\\]{{0,40}})?"


_Q = r"\\{0,7}[\"'`]"
_LITERAL = r"\\{0,7}(?:\"([^\"\\\n]{4,})\\{0,7}\"|'([^'\\\n]{4,})\\{0,7}'|`([^`\\\n]{4,})`)"
_BYTES = r"(?:b|u|\[\]byte\(|Buffer\.from\(|bytes\()?"
_FIELD = r"[\w#.\[\]=*^$@/ \"'-]{0,60}(?:password|passwd|passwort|passphrase|pwd)[\w\]\"'-]{0,16}"
_ARGUMENT = r"(?:[^()\n\"']{1,40}|\\{0,7}[\"'][^\"'\n]{0,60}[\"'](?:\.to_\w{2,8}\(\))?)"
_LAST_ARGUMENT = r"(?:Some\(|b)?\\{0,7}(?:\"([^\"\\\n]{4,})\\{0,7}\"|'([^'\\\n]{4,})')(?:\.to_\w{2,8}\(\))?\s?[,)]"
_ALGORITHMS = lazy(r"(?i)(?:[hrep]s\d{3}|sha-?\d*|md5|utf-?8|hex|base64|ascii|latin1|none|binary)")
_LOGINS = words("root admin administrator sa postgres mysql user me app guest system oracle")


def signing(value: str, before: str, after: str) -> bool:
    """A key to sign or check with: words too, but no algorithm and no encoding."""
    del before
    return (
        _ALGORITHMS.fullmatch(value) is None
        and values.password(value, "signing password")
        and not is_reference(value, after)
    )


def grouped(value: str, before: str, after: str) -> bool:
    """Four groups of four letters, as the mail services make them, and no words of a sentence."""
    del before, after
    return is_random(value.replace(" ", "")) and not is_filler(value)


def typed(value: str, before: str, after: str) -> bool:
    """What is typed into a field for passwords, or hashed as one."""
    del before
    return values.password(value, "typed password") and not is_reference(value, after)


def owner(value: str, before: str, after: str) -> bool:
    """The argument behind the name of somebody who logs in."""
    names = _ARGUMENTS.findall(before)
    known = bool(names) and (names[-1].lower() in _LOGINS or "@" in names[-1])
    return (known or has_digit(value)) and typed(value, before, after)


_ARGUMENTS = lazy(r"[\"']([^\"'\n\\]{1,60})\\*[\"'],\s*\\*[\"']?$")


RULES: tuple[Rule, ...] = (
    Rule(
        id="password",
        pattern=rf"(?i){_LOOSE}{_REST}{_IS}{_VALUE}",
        keywords=entries(
            "passw ¦ passphrase ¦ passcode ¦ kennwort ¦ pwd ¦ pswd ¦ secret ¦ psk ¦ pass ¦ "
            "pw ¦ senha ¦ contrase ¦ mot_de_passe ¦ motdepasse ¦ wachtwoord ¦ haslo ¦ "
            "hasło ¦ heslo ¦ adgangskode ¦ salasana ¦ senord ¦ 密 ¦ 口令 ¦ パスワード ¦ паро ¦ "
            "Паро ¦ 비밀번호 ¦ u5bc6 ¦ u53e3 ¦ u30d1 ¦ u043f ¦ u041f ¦ ube44"
        ),
        source="observed in public repositories",
        judge=password,
    ),
    Rule(
        id="token",
        pattern=rf"(?i){_STRICT}{_REST}{_IS}{_VALUE}",
        keywords=entries(
            "token ¦ key ¦ auth ¦ cred ¦ jwt ¦ bearer ¦ sid ¦ salt ¦ nonce ¦ seed ¦ pepper ¦ "
            "hash ¦ code ¦ pat"
        ),
        source="observed in public repositories",
        judge=token,
    ),
    Rule(
        id="app-password",
        pattern=rf"(?i){_LOOSE}{_REST}(?:{QUOTE})?\s?[:=]\s?(?:{QUOTE})?([0-9a-z]{{4}}(?: [0-9a-z]{{4}}){{3}})\b",
        keywords=("pass", "pwd", "pw", "secret"),
        source="Google Account help, app passwords",
        judge=grouped,
    ),
    Rule(
        id="changed-value",
        pattern=(
            rf"(?i){_TELLS}{_REST}(?:{QUOTE})?[ \t]*[:=][ \t]*{QUOTE}[^\"'\n\\]{{0,60}}{QUOTE}"
            r"[ \t]*(?:->|=>|(?-i:\xe2\x86\x92))[ \t]*\\{0,7}[\"']([^\"'\\\n]{4,})"
        ),
        keywords=('" ->', '" =>', "' ->", "' =>", '" →', "' →", '\\" ->'),
        source="manual of Terraform, the plan",
        judge=named,
    ),
    Rule(
        id="declared-default",
        pattern=(
            rf"(?i){_TELLS}{_REST}(?:{QUOTE})?[ \t]{{0,3}}[:{{][{{ \t,]{{0,3}}(?:{_DECLARED}){{1,5}}"
            rf"(?:{QUOTE})?default(?:{QUOTE})?[ \t]*[:=][ \t]*"
            r"(?:\\{0,7}[\"']([^\"'\\\n]{4,})\\{0,7}[\"']|([^\s\"'`,;<>{}\\]{4,}))"
        ),
        keywords=("default:", "default =", "default=", 'default"', "default\\"),
        source="manuals of Terraform, CloudFormation and OpenAPI",
        judge=named,
    ),
    Rule(
        id="password-argument",
        pattern=(
            rf"(?i)(?:[\"'][\w.-]{{0,60}}(?:{_LOOSE}|token|key|salt){_REST}{QUOTE}[ \t]?,\s{{0,24}}"
            rf"|(?:{_LOOSE}|token|key|salt){_REST}(?:\(\s{{0,8}}|[ \t]{{1,4}}))"
            r"(?:\"([^\"\\\n]{4,})\"|'([^'\\\n]{4,})'|\"?\\{1,7}\"([^\"\\\n]{4,})\\{1,7}\"{1,2})"
        ),
        keywords=("pass", "pwd", "secret", "token", "key"),
        source="manuals of the languages",
        judge=argument,
    ),
    Rule(
        id="login-argument",
        pattern=(
            r"(?i)(?:(?:getConnection|PDO|mysqli|mysqli_connect|mysql_connect|PlainAuth)"
            rf"\((?:{_ARGUMENT},\s?){{2}}{_LAST_ARGUMENT}"
            r"|(?:HTTPBasicAuth|basic_?auth|auth|httpBasic|Credentials?(?:::new|\.new)?|UsernamePasswordToken|"
            r"authenticate|login|sign_?in|log_?in|UsernamePasswordAuthenticationToken)"
            rf"(?:\(|=\()(?:{_ARGUMENT},\s?){{1,2}}?{_LAST_ARGUMENT})"
        ),
        keywords=entries(
            "getconnection( ¦ pdo( ¦ mysqli ¦ mysql_connect( ¦ auth( ¦ auth=( ¦ httpbasic( ¦ "
            "credentials( ¦ credential( ¦ credentials::new( ¦ credentials.new( ¦ token( ¦ authenticate( ¦ login( ¦ log_in( ¦ "
            "signin( ¦ sign_in("
        ),
        source="manuals of the languages",
        judge=login,
    ),
    Rule(
        id="named-value",
        pattern=(
            rf"(?i)(?:name|key){_MAYBE_QUOTE}\s{{0,3}}[:=]\s{{0,3}}{_MAYBE_QUOTE}[\w.-]{{0,40}}{_TELLS}{_REST}{_MAYBE_QUOTE},?(?:\s|\\{{1,7}}[nrt]){{0,40}}"
            rf"{_MAYBE_QUOTE}(?:default_?|parameter_?)?value{_MAYBE_QUOTE}\s{{0,3}}[:=]\s{{0,3}}"
            r"(?:\"([^\"\\\n]{4,})\"|'([^'\\\n]{4,})'|\\{1,7}\"([^\"\\\n]{4,})\\|([^\s\"'`,;<>{}\\]{4,}))"
        ),
        keywords=("value:", "value=", 'value"', "value'", "value :", "value =", "value\\"),
        source="manuals of Kubernetes, NuGet and Spring",
        judge=named,
    ),
    Rule(
        id="signing-key",
        pattern=(
            rf"(?i){EDGE}(?:(?:jwt|jsonwebtoken|jose|jws)\.(?:sign|verify|encode|decode)\([^()\n\"']{{1,60}},\s?{_BYTES}{_LITERAL}"
            rf"|(?:crypto\.)?createHmac\({_Q}[\w-]{{2,20}}{_Q},\s?{_BYTES}{_LITERAL}"
            rf"|hmac\.new\({_BYTES}{_LITERAL}"
            rf"|hash_hmac\({_Q}\w{{2,20}}{_Q},[^\"'\n,]{{1,60}},\s?{_LITERAL})"
        ),
        keywords=entries(
            "jwt. ¦ jsonwebtoken. ¦ jose. ¦ jws. ¦ createhmac( ¦ hmac.new( ¦ hash_hmac("
        ),
        source="manuals of jsonwebtoken, PyJWT, Node.js, Python and PHP",
        judge=signing,
    ),
    Rule(
        id="typed-password",
        pattern=(
            rf"(?i)(?:{_Q}{_FIELD}\]?{_Q}\s?\){{1,2}}\.(?:clear\(\)\.)?(?:type|fill|send_?keys|set_?value|val|input|enterText)\({_BYTES}{_LITERAL}"
            rf"|{_Q}{_FIELD}{_Q}\s?\){{1,2}},\s?{_LITERAL}"
            rf"|{EDGE}(?:fill|type|typeText|fill_in|fillField|sendKeys)\s?\(?{_Q}{_FIELD}{_Q},\s?(?:with: ?)?{_LITERAL}"
            rf"|{EDGE}(?:generate_password_hash|make_password|password_hash|hash_password|hashpw|get_password_hash|"
            rf"bcrypt\.(?:hash|hashSync|hashpw|compare|compareSync)|argon2\.hash|hashPassword|GenerateFromPassword)\({_BYTES}{_LITERAL})"
        ),
        keywords=entries(
            "password ¦ passwd ¦ passwort ¦ passphrase ¦ pwd ¦ hashpw( ¦ bcrypt. ¦ argon2."
        ),
        source="manuals of Cypress, Selenium, Playwright, bcrypt and Django",
        judge=typed,
    ),
    Rule(
        id="owner-password",
        pattern=(
            rf"{EDGE}(?:\w{{1,20}}\.)*(?:create_(?:super)?user\(|(?:DBI->)?connect\()(?:{_Q}[^\"'\n\\]{{0,60}}{_Q}|\$\w{{1,20}}),\s?{_Q}[^\"'\n\\]{{0,60}}{_Q},\s?{_LITERAL}"
        ),
        keywords=("create_user(", "create_superuser(", "connect("),
        source="manuals of Django and of the database clients",
        judge=owner,
    ),
)
