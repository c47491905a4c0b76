"""Secrets at a key: `password = "…"` in code, settings, YAML, JSON, XML and arguments."""

from __future__ import annotations

from onward.redaction.engine import Rule
from onward.redaction.rules import at_keys
from onward.redaction.rules.shared import LINE_END, QUOTE, entries

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
    r"(?:password|pwd|pass|pw)_?hash|(?:access|recovery|unlock|backup)[_-]?code|[\"']pat)"
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
        judge=at_keys.password,
    ),
    Rule(
        id="token",
        pattern=rf"(?i){_STRICT}{_REST}{_IS}{_VALUE}",
        keywords=entries(
            "token ¦ key ¦ auth ¦ cred ¦ jwt ¦ bearer ¦ sid ¦ salt ¦ nonce ¦ seed ¦ pepper ¦ "
            "hash ¦ code ¦ pat"
        ),
        source="observed in public repositories",
        judge=at_keys.token,
    ),
    Rule(
        id="changed-value",
        pattern=(
            rf"(?i){_TELLS}{_REST}(?:{QUOTE})?[ \t]*[:=][ \t]*{QUOTE}[^\"'\n\\]{{0,60}}{QUOTE}"
            r"[ \t]*(?:->|=>|(?-i:\xe2\x86\x92))[ \t]*\\{0,7}[\"']([^\"'\\\n]{4,})"
        ),
        keywords=('" ->', '" =>', "' ->", "' =>", '" →', "' →", '\\" ->'),
        source="manual of Terraform, the plan",
        judge=at_keys.named,
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
        judge=at_keys.named,
    ),
    Rule(
        id="password-argument",
        pattern=(
            rf"(?i)(?:[\"'][\w.-]{{0,60}}(?:{_LOOSE}|token|key|salt){_REST}{QUOTE}[ \t]?,\s{{0,24}}"
            rf"|(?:{_LOOSE}|token|key|salt){_REST}(?:\(\s{{0,8}}|[ \t]{{1,4}}))"
            r"(?:\"([^\"\\\n]{4,})\"|'([^'\\\n]{4,})'|\\{1,7}\"([^\"\\\n]{4,})\\{1,7}\")"
        ),
        keywords=("pass", "pwd", "secret", "token", "key"),
        source="manuals of the languages",
        judge=at_keys.argument,
    ),
    Rule(
        id="login-argument",
        pattern=(
            r"(?i)(?:getConnection|PDO|mysqli|mysqli_connect|mysql_connect|HTTPBasicAuth|basic_?auth|auth|httpBasic|"
            r"UsernamePasswordCredentials|NetworkCredential|UsernamePasswordToken|authenticate|login|sign_?in|log_?in|"
            r"UsernamePasswordAuthenticationToken|PlainAuth)(?:\(|=\()(?:[^()\n\"']{1,40},\s?|\\{0,7}[\"'][^\"'\n]{0,60}[\"'],\s?){1,3}"
            r"\\{0,7}(?:\"([^\"\\\n]{4,})\\{0,7}\"|'([^'\\\n]{4,})')\s?[,)]"
        ),
        keywords=entries(
            "getconnection( ¦ pdo( ¦ mysqli ¦ mysql_connect( ¦ auth( ¦ auth=( ¦ httpbasic( ¦ "
            "credentials( ¦ credential( ¦ token( ¦ authenticate( ¦ login( ¦ log_in( ¦ "
            "signin( ¦ sign_in("
        ),
        source="manuals of the languages",
        judge=at_keys.login,
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
        judge=at_keys.named,
    ),
)
