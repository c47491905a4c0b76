"""Ways to reach or charge a user: e-mail addresses, and on request phone and card numbers."""

from __future__ import annotations

from collections.abc import Mapping

from onward.redaction.engine import Rule
from onward.redaction.rules.homes import LETTER, SIGN
from onward.redaction.rules.shared import lazy

_AT = r"(?:@|%(?:25){0,2}40|\\{1,7}u0040|&#(?:64|x40);)"
# What may stand before an address is nothing that an address may hold, so that a long word is
# looked at once, from its beginning, however little `re` remembers.
_BEFORE = (
    r"(?:^|[^0-9A-Za-z._%+\\\x80-\xff-]|\xc2[\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
    r"|\\{1,7}(?:[abfnrtv]|u(?:00[0-9aAbB]|[2-9a-fA-F][0-9a-fA-F]{2})[0-9a-fA-F])|%(?:25){0,2}[0-9A-Fa-f]{2})"
    r"[.+-]{0,3}"  # the sign of a diff, dots of a sentence
)
_ATOM = rf"{LETTER}(?:{LETTER}|[.+-])*"
_LOCAL = (
    rf"{_ATOM}(?:%(?:25){{0,2}}2[bB]{_ATOM})?"
    r"|\\{0,7}\"[^\s\"\\@][^\n\"\\@]{0,60}\\{0,7}\""  # quoted
)
_LABEL = rf"{LETTER}(?:{LETTER}|-)*"
_DOMAIN = (
    rf"(?:(?:{_LABEL}\.){{1,6}}"
    r"(?:(?:[A-Za-z]{2,24}|[xX][nN]--[0-9A-Za-z-]{2,59})\b|(?:[\xc3-\xdf][\x80-\xbf]){2,20})"
    r"|\[(?:IPv6:)?[0-9A-Fa-f.:]{3,45}\])"
)
_SIGNS = rf"(?:{SIGN}){{1,12}}@(?:{SIGN}){{1,12}}\.(?:(?:{SIGN}){{2,12}}|[a-z]{{2,24}}|xn--[0-9a-z-]{{2,59}})"

# The last part of what has the shape of a domain, and is a file, a unit or an attribute.
_NOT_A_DOMAIN = lazy(
    r"(?i:.*\.(?:png|jpe?g|gif|svg|webp|avif|ico|pdf|[cm]?[jt]sx?|css|scss|less|json|jsonl|map|tgz|gz"
    r"|whl|tar|ya?ml|toml|lock|patch|diff|txt|html?|xml|vue|php|java|kt|swift|cpp|hpp|ipynb|csv|log"
    r"|service|socket|timer|target|mount|path|slice|scope|device|git"
    r"|weights?|data|shape|grad|values?|numpy|dtype)"
    r"|self\..*|this\..*|v?\d+\.\d.*|[A-Z]+\.md|[a-z_]+\.py)"
)
_MIXED = lazy(r"\.[A-Za-z]*[a-z][A-Z][A-Za-z]*$")  # an attribute: `this@Main.appContext`
_NOT_A_MAILBOX = frozenset({"git", "hg", "svn", "this", "super", "return", "self"})
# What goes on so is a remote (`host:dir/`), a call, or a longer name.
_NO_END = lazy(r":(?:~|/|[\w.-]+/)|\(|-\w")
_SIGN_AT, _NO_DIGIT = lazy(_AT), lazy(r"\D")
_IN_NUMBER, _NUMBER_GOES_ON = lazy(r"[0-9A-Za-z_.+/-]\Z"), lazy(r"[0-9A-Za-z_]|[./-]\d")
_SSH = lazy(
    r"(?:^|[\s`\"'$(+-])(?:ssh|scp|sftp|rsync|mosh|ssh-copy-id|sshfs|autossh)\s[^\n|;&]{0,79}\Z"
)
_USER_INFO = lazy(r"://(?:[^\s/]*:)?\Z")
_ACTION = lazy(r"\buses:\s*[\"']?[\w./-]*\Z")


def address(value: str, before: str, after: str) -> bool:
    """An e-mail address, not a git remote, an image at double size, or a matrix product."""
    local, _, domain = _SIGN_AT.sub("@", value).partition("@")
    if _NOT_A_DOMAIN.fullmatch(domain) or _MIXED.search(domain):
        return False
    if local.lower() in _NOT_A_MAILBOX or _NO_END.match(after):
        return False
    return not any(shape.search(before) for shape in (_SSH, _USER_INFO, _ACTION))


EMAIL: tuple[Rule, ...] = (
    Rule(
        id="email",
        pattern=rf"{_BEFORE}((?:{_LOCAL}){_AT}{_DOMAIN}|{_SIGNS})",
        keywords=("@", "%40", "%2540", "u0040", "&#64;", "&#x40;"),
        source="RFC 5321, RFC 6531, as far as addresses are met",
        judge=address,
    ),
)

_CUE = r"(?i:\b(?:tel|telephone|telefon|phone|mobile|mobil|fax|whatsapp|sms|call (?:me|us))\b|\xe7\x94\xb5\xe8\xaf\x9d|\xe6\x89\x8b\xe6\x9c\xba)"
_ABROAD = r"\+[1-9]\d{0,2}(?:[ .\-/]{0,2}(?:\(\d{1,5}\)|\d{1,5})){1,6}"
_NORTH_AMERICA = r"(?:\b1[ .-])?(?:\([2-9]\d\d\) ?|\b[2-9]\d\d[ .-])[2-9]\d\d[ .-]\d{4}"
_GROUPS = r"\+?(?:\(\d{2,5}\)|\d{2,5})(?:[ .\-/]{1,3}\d{2,8}){1,5}"
# Country codes and how many digits a number has in all (ITU-T E.164, list of assigned codes).
_COUNTRIES = lazy(
    r"1[2-9]\d\d[2-9]\d{6}|7\d{10}|(?:2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])\d{7,12}"
    r"|(?:21[1-368]|2[2-6]\d|29[01789]|35\d|37\d|38\d|42[013]|50\d|59\d|67\d|68\d|69[0-2]|80[08]"
    r"|85[02356]|88[0-36]|96\d|97\d|99[2-8])\d{6,11}"
)
_WITHIN = lazy(r"[0-9A-Za-z_./+-]\Z|\d[,: ]\Z")
_GOES_ON = lazy(r"[0-9A-Za-z_]|[.,:/-]\d")
_NO_PHONE = lazy(r"\+\d{1,3}\.\d+|(?:19|20)\d\d[-./]\d\d[-./]\d\d.*")  # a place, a day


def phone(value: str, before: str, after: str) -> bool:
    """A phone number: with its country code (ITU-T E.164), in the North American form, or in
    any groups behind a word that announces it. Never a run of digits alone.
    """
    digits = _NO_DIGIT.sub("", value)
    if _WITHIN.search(before) or _GOES_ON.match(after) or _NO_PHONE.fullmatch(value):
        return False
    if not value.startswith("+"):
        return 7 <= len(digits) <= 15 and len(set(digits)) > 2
    return _COUNTRIES.fullmatch(digits) is not None


PHONE: tuple[Rule, ...] = (
    Rule(
        id="phone",
        pattern=rf"{_CUE}[^\n\d(+]{{0,20}}({_GROUPS})|({_ABROAD})|({_NORTH_AMERICA})",
        keywords=(),
        source="ITU-T E.164, E.123; North American Numbering Plan",
        judge=phone,
    ),
)

_ISSUERS = lazy(
    r"4(?:\d{12}|\d{15}|\d{18})"  # Visa
    r"|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}"  # Mastercard
    r"|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}"  # Amex, Diners, JCB
    r"|6(?:011|5\d\d|4[4-9]\d)\d{12}|62\d{14,17}|(?:5[06-9]|6[37])\d{14}"  # Discover, UnionPay, Maestro
)
_GROUPED = r"\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{1,4}(?:[ -]\d{3}\b)?|\d{4}[ -]\d{6}[ -]\d{4,5}"


def card(value: str, before: str, after: str) -> bool:
    """A payment card: prefix and length of an issuer, and the check digit (ISO/IEC 7812)."""
    digits = _NO_DIGIT.sub("", value)
    if _IN_NUMBER.search(before) or _NUMBER_GOES_ON.match(after):
        return False
    # Behind the last group there may be the code of the back.
    return any(_valid(each) for each in (digits, digits[:16] if value != digits else ""))


def _valid(digits: str) -> bool:
    doubled = (int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits)))
    whole = sum(each - 9 if each > 9 else each for each in doubled)
    return whole % 10 == 0 and _ISSUERS.fullmatch(digits) is not None


CARD: tuple[Rule, ...] = (
    Rule(
        id="card",
        pattern=rf"\b({_GROUPED}|\d{{14,16}})",
        keywords=(),
        source="ISO/IEC 7812; the issuers' ranges and test numbers",
        judge=card,
    ),
)

KINDS: Mapping[str, tuple[Rule, ...]] = {"phone": PHONE, "card": CARD}
"""What is taken out on request only, by the name it is asked for."""
