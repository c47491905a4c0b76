"""Secrets among the arguments of calls that sign, hash, log in or fill in a form."""

from __future__ import annotations

from onward.redaction.engine import Rule
from onward.redaction.rules import values
from onward.redaction.rules.shared import EDGE, entries, is_reference, lazy, words

_Q = r"\\{0,7}[\"'`]"
_VALUE = r"\\{0,7}(?:\"([^\"\\\n]{4,})\\{0,7}\"|'([^'\\\n]{4,})\\{0,7}'|`([^`\\\n]{4,})`)"
_MAKER = r"(?:b|u|\[\]byte\(|Buffer\.from\(|bytes\()?"
_FIELD = r"[\w#.\[\]=*^$@/ -]{0,60}(?:password|passwd|passwort|passphrase|pwd)[\w\]-]{0,16}"
_ALGORITHMS = lazy(r"(?i)(?:[hrep]s\d{3}|sha-?\d*|md5|utf-?8|hex|base64|ascii|latin1|none|binary)")
_OWNERS = words("root admin administrator sa postgres mysql user me app guest system oracle")


def signing(value: str, before: str, after: str) -> bool:
    """A key to sign or check with: words too, but no algorithm and no encoding."""
    del before
    return (
        _ALGORITHMS.fullmatch(value) is None
        and values.password(value, "signing password")
        and not is_reference(value, after)
    )


def typed(value: str, before: str, after: str) -> bool:
    """What is typed into a field for passwords, or hashed as one."""
    del before
    return values.password(value, "typed password") and not is_reference(value, after)


def owner(value: str, before: str, after: str) -> bool:
    """The argument behind the name of somebody who logs in."""
    names = _ARGUMENTS.findall(before)
    known = bool(names) and (names[-1].lower() in _OWNERS or "@" in names[-1])
    return (known or any(c.isdigit() for c in value)) and typed(value, before, after)


_ARGUMENTS = lazy(r"[\"']([^\"'\n\\]{1,60})\\*[\"'],\s*\\*[\"']?$")

RULES: tuple[Rule, ...] = (
    Rule(
        id="signing-key",
        pattern=(
            rf"(?i){EDGE}(?:(?:jwt|jsonwebtoken|jose|jws)\.(?:sign|verify|encode|decode)\([^()\n\"']{{1,60}},\s?{_MAKER}{_VALUE}"
            rf"|(?:crypto\.)?createHmac\({_Q}[\w-]{{2,20}}{_Q},\s?{_MAKER}{_VALUE}"
            rf"|hmac\.new\({_MAKER}{_VALUE}"
            rf"|hash_hmac\({_Q}\w{{2,20}}{_Q},[^\"'\n,]{{1,60}},\s?{_VALUE})"
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
            rf"(?i)(?:{_Q}{_FIELD}\]?{_Q}\s?\){{1,2}}\.(?:clear\(\)\.)?(?:type|fill|send_?keys|set_?value|val|input|enterText)\({_MAKER}{_VALUE}"
            rf"|{_Q}{_FIELD}{_Q}\s?\){{1,2}},\s?{_VALUE}"
            rf"|{EDGE}(?:fill|type|typeText|fill_in|fillField|sendKeys)\s?\(?{_Q}{_FIELD}{_Q},\s?(?:with: ?)?{_VALUE}"
            rf"|{EDGE}(?:generate_password_hash|make_password|password_hash|hash_password|hashpw|get_password_hash|"
            rf"bcrypt\.(?:hash|hashSync|hashpw|compare|compareSync)|argon2\.hash|hashPassword|GenerateFromPassword)\({_MAKER}{_VALUE})"
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
            rf"{EDGE}(?:\w{{1,20}}\.)*(?:create_(?:super)?user\(|connect\()(?:{_Q}[^\"'\n\\]{{0,60}}{_Q},\s?){{2}}{_VALUE}"
        ),
        keywords=("create_user(", "create_superuser(", "connect("),
        source="manuals of Django and of the database clients",
        judge=owner,
    ),
)
