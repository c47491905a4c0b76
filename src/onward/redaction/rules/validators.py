"""Validators: whether a value looks like a secret, may pass although it has the shape of a token,
and whether the checksum that a token carries inside holds.

A checksum that holds outweighs the suspicion that a value is a placeholder. One that fails
proves nothing: people paste parts of tokens, and a part is to go as well.
"""

from __future__ import annotations

import re
from base64 import b32decode, b64decode
from binascii import crc32, crc_hqx
from collections import Counter
from collections.abc import Callable
from functools import reduce, wraps
from itertools import pairwise
from math import log2
from string import ascii_lowercase, ascii_uppercase, digits

from onward.redaction.engine import Judge
from onward.redaction.rules.table import ESCAPED, lazy, words

_FILLER = lazy(
    r"(?i)x{4,}|(?:^|[-_])x{3,}(?:$|[-_])|\*{3,}|\.{3,}|\u2026|\$\{|\{\{|%\(|%[sdvnq@](?:$|\W)|"
    r"^\$+(?:\w+(?:$|[;:, .>\[-])|[{(])|^%[\w.()]+%?$|^\{.*\}$|\{[a-z]+(?:_[a-z]+)*\}|^\[.*\]$|<[\w -]+>|"
    r"^(?:your|insert|enter|replace)[-_ ]|(?:^|[-_ ])(?:here|placeholder|redacted|goes|todo)(?:$|[-_ ])|"
    r"^change[-_]?(?:me|this)(?:$|[-_ ])|^change-it|^example[-_ .]"
)
_WORDS = lazy(r"[A-Za-z]+\d{0,3}(?:[_./: -]+(?:[A-Za-z]+\d{0,3}|\d{1,3}))*")
_PATH = lazy(
    r"(?:~|\.\.?|[A-Za-z]:)?(?:[/\\][\w.@-]+)+/?|(?:\w{1,16}:){1,3}(?:/[\w.@-]+){3,}|[\w.-]+\.(?:pem|key|crt|json|ya?ml|txt|py|ts|js|md)"
)
_PARTS = lazy(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_VOWEL = lazy(r"[aeiouyAEIOUY]")
_DENSE = lazy(r"[\w+/=.~-]+")
_HARD = lazy(r"[bcdfghjklmnpqrstvwxz]{6}")  # no word has as many consonants in a row
_VERSION = lazy(r"[\^~>=<v]*\d+(?:\.\d+)+[\w.+-]{0,20}")


def of_value(says: Callable[[str], bool]) -> Judge:
    """A judge that looks at the value alone."""

    @wraps(says)
    def judge(value: str, _before: str, _after: str) -> bool:
        return says(value)

    return judge


# For each letter those that often stand behind it in words and identifiers, counted in 11,000
# words of source code: nine pairs in ten of a word are among them, four in ten of chance.
_PAIRS = {
    pairs[0]: pairs[1:]
    for pairs in words(
        "abcdgiklmnprstuvy baeilorsu cacehiklorstu dadeilorsu eabcdefgilmnpqrstvwx faefiloru "
        "gaehilnorsu haeilnortu iabcdefglmnoprstvxz jaeou kaeilnos ladeilostuy mabeimopsu "
        "nacdefgiklnopstuv oabcdgiklmnoprstuvw paehiloprstuy qu racdegiklmnorstuvy sacehilopstuy "
        "tacehiloprstuyz uabcegilmnprst vaeio waehior xaceipt yaelmopst zaeiotuz"
    )
}
_READABLE = 0.6


def is_filler(value: str) -> bool:
    """Does this stand for a secret instead of being one (`${TOKEN}`, `your-key`, `xxxx`)?"""
    return (len(value) >= 6 and len(set(value[-6:])) == 1) or _FILLER.search(value) is not None


@of_value
def not_filler(value: str) -> bool:
    """The judge of fixed formats: the prefix says what it is, only fillers are let pass."""
    return not is_filler(value)


def is_reference(value: str, after: str) -> bool:
    """Is it a path, a version, or code that fetches the value (`get_token()`)?"""
    return bool(after.startswith(("(", "[")) or _PATH.fullmatch(value) or _VERSION.fullmatch(value))


def is_words(value: str) -> bool:
    """Words and identifiers (`user_token`, `auth/not-found`, `config.db2`)."""
    return _WORDS.fullmatch(value) is not None and not is_jumbled(value)


def entropy(value: str) -> float:
    """Shannon entropy in bits a character."""
    return -sum(n / len(value) * log2(n / len(value)) for n in Counter(value).values())


def is_jumbled(value: str) -> bool:
    """Letters that no identifier has: the case changes every other one, no vowel comes, or no
    pair of them is at home in words.
    """
    if is_unreadable(value):
        return True
    if len(value) < 8 or not _DENSE.fullmatch(value):
        return False
    if entropy(value) < min(3.2, 0.85 * log2(len(value))):  # `aaaa…`, `----`
        return False
    parts = _PARTS.findall(value)
    return len(parts) * 2.8 >= len(value) or any(
        len(part) >= 8 and part.isalpha() and (not _VOWEL.search(part) or _HARD.search(part))
        for part in parts
    )


def is_unreadable(value: str) -> bool:
    """Twelve letters or more, and nothing else, that no language puts in such a row."""
    if len(value) < 12 or not (value.isascii() and value.isalpha()):
        return False
    if entropy(value) < min(3.2, 0.75 * log2(len(value))) or value[:4].lower() == "abcd":
        return False
    known = sum(second in _PAIRS[first] for first, second in pairwise(value.lower()))
    return known < _READABLE * (len(value) - 1)


def is_random(value: str) -> bool:
    """Letters and digits mixed as no word is, long enough for a key."""
    return (
        (
            len(value) >= 10
            and is_mixed(value)
            and not is_words(value)
            and entropy(value) >= 2.8  # below: counters and repeated words
        )
        or (len(value) >= 16 and is_jumbled(value))
        or is_unreadable(value)
    )


@of_value
def random(value: str) -> bool:
    """The judge of a long value that no word looks like."""
    return is_random(value) and not is_filler(value)


def has_digit(value: str) -> bool:
    """Is a digit in it?"""
    return any(c.isdigit() for c in value)


def is_mixed(value: str) -> bool:
    """Are digits and letters in it?"""
    return has_digit(value) and any(c.isalpha() for c in value)


def unpacked(value: str, errors: str = "strict") -> str:
    """The text behind base64 of either alphabet, with or without its padding, as far as whole bytes
    go; "" where it is none.
    """
    plain = value.replace("-", "+").replace("_", "/").rstrip("=")
    plain = plain[:-1] if len(plain) % 4 == 1 else plain
    try:
        return b64decode(plain + "=" * (-len(plain) % 4), validate=True).decode(errors=errors)
    except ValueError:  # not base64, or not text
        return ""


_WORD = r"(?:[A-Z]{0,4}[a-z]+(?:[A-Z][a-z]+)*\d{0,2}|[A-Z]+\d{0,2}|\d{1,4})"
_PHRASE = lazy(rf"{_WORD}(?:[-_.:/]{{1,2}}{_WORD})*")
_ENOUGH = 400  # characters to judge by; nearly all tokens are shorter
_PIECES = lazy(r"[A-Z]?[a-z]+|[A-Z]+")
_SAME = lazy(r"(.)\1{3,}")
_INSIDE = lazy(r"[0-9A-Za-z_]\Z")
_GLUED = lazy(r"[\w./-]\Z")
_ESCAPE = lazy(rf"(?:{ESCAPED})\Z")
_RUN = lazy(r"[0-9A-Za-z+/_=-]{32}\Z")
_PIECE = lazy(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_BASE64_BEFORE = lazy(r"(?:[0-9A-Za-z+/][+/]|[0-9A-Za-z+/_-]{8})\Z")
_BASE64_AFTER = lazy(r"[0-9A-Za-z+/=%]")


def is_phrase(value: str) -> bool:
    """Words in one case or in camel case (`sk_test_connection`, `asLoadTheImage`)."""
    head = value[:_ENOUGH]
    if not _PHRASE.fullmatch(head):
        return False
    # What came out so by chance is in pieces of two letters.
    pieces = _PIECES.findall(head)
    return sum(map(len, pieces)) >= 3 * len(pieces)


def is_placeholder(value: str) -> bool:
    """A filler, unless enough is left without its runs of one character: chance makes an
    `xxxx` in one of ten thousand long tokens.
    """
    head = value[:_ENOUGH]
    return is_filler(head) and len(_SAME.sub("", head.lower())) < 40


def embedded(before: str) -> bool:
    """Does what stands before end in a run of base64? Prefixes occur in it by chance: of 32
    random characters some 16 pieces differ in kind, of the name of a variable under 12.
    """
    run = _RUN.search(before)
    return run is not None and len(_PIECE.findall(run[0])) >= 12


def begins(before: str) -> bool:
    """May a token begin behind this? The judges ask what `table.EDGE` says in a pattern: one
    that begins with its literal is ten times as fast, as re2 leaps from literal to literal.
    """
    return not _INSIDE.search(before) or _ESCAPE.search(before) is not None


def token(value: str, before: str, _after: str) -> bool:
    """The judge of most formats: the prefix says what it is, only placeholders pass."""
    return begins(before) and not (is_placeholder(value) or embedded(before))


def sound(check: Callable[[str], bool] = lambda _: False, *, spells: bool = False) -> Judge:
    """A judge: what passes the check goes, whatever it looks like; else all but fillers and, where
    the alphabet `spells` names as well, with `-` or `_`, all but phrases.
    """
    return lambda value, before, after: (
        begins(before)
        and (check(value) or (token(value, before, after) and not (spells and is_phrase(value))))
    )


def standing_alone(value: str, before: str, after: str) -> bool:
    """A shape that also ends longer names (`cache-key-…`): no name may stand before it."""
    glued = _GLUED.search(before) and not _ESCAPE.search(before)
    return token(value, before, after) and not glued


def weak_prefix(value: str, before: str, after: str) -> bool:
    """A prefix that words begin with as well: the value stands alone and is no phrase."""
    return standing_alone(value, before, after) and not is_phrase(value)


def distinct(value: str, before: str, after: str) -> bool:
    """A prefix that says next to nothing: digits or both cases must be among the letters."""
    mixed = has_digit(value) or value not in {value.lower(), value.upper()}
    return mixed and weak_prefix(value, before, after)


def whole_run(value: str, before: str, after: str) -> bool:
    """A shape that base64 of zeros has as well: the run of base64 must end where it ends."""
    inside = _BASE64_BEFORE.search(before) or _BASE64_AFTER.match(after)
    return begins(before) and not (inside or is_placeholder(value))


_BASE62 = digits + ascii_uppercase + ascii_lowercase
_BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_GENERATORS = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)


def github_or_npm(token: str) -> bool:
    """Is `ghp_…` or `npm_…` whole? Its last six characters are the CRC-32 of the thirty before
    them in base 62 (GitHub engineering blog, 2021).
    """
    found = re.fullmatch(r"[a-z]{3}_([0-9A-Za-z]{30})([0-9A-Za-z]{6})", token)
    said = reduce(lambda number, c: 62 * number + _BASE62.index(c), found[2] if found else "", 0)
    return found is not None and crc32(found[1].encode()) == said


def cloudflare(token: str) -> bool:
    """Is `cfut_…` whole? Its last eight characters are the CRC-32 of the forty before them in
    hexadecimal (Cloudflare documentation, token formats; secretlint).
    """
    found = re.fullmatch(r"cf(?:ut|at|k)_([0-9A-Za-z]{40})([0-9a-f]{8})", token)
    return found is not None and f"{crc32(found[1].encode()):08x}" == found[2]


def nkey(seed: str) -> bool:
    """Is `SU…` a NATS seed? Its last two bytes are the CRC-16 of the others (nkeys, XMODEM)."""
    if not re.fullmatch(r"S[A-Z][A-Z2-7]{56}", seed):
        return False
    raw = b32decode(seed + "=" * (-len(seed) % 8))
    return crc_hqx(raw[:-2], 0) == int.from_bytes(raw[-2:], "little")


def bech32(text: str) -> bool:
    """Does the checksum of a Bech32 string hold (BIP 173; age keys)?"""
    prefix, _, data = text.lower().rpartition("1")
    if not prefix or any(c not in _BECH32 for c in data):
        return False
    high, low = [ord(c) >> 5 for c in prefix], [ord(c) & 31 for c in prefix]
    check = 1
    for value in (*high, 0, *low, *(_BECH32.index(c) for c in data)):
        top = check >> 25
        check = (check & 0x1FFFFFF) << 5 ^ value
        for bit, generator in enumerate(_GENERATORS):
            check ^= generator if top >> bit & 1 else 0
    return check == 1


def encodes_a_token(text: str) -> bool:
    """Is it the base64 of one word of printable ASCII, as a token is?"""
    return re.fullmatch(r"[!-~]+", unpacked(text).rstrip("\n")) is not None


_JWE_PARTS = 5


def is_jose(value: str, before: str, _after: str) -> bool:
    """Two parts that begin as JSON does, the five parts of a JWE, or a header that decodes to JSON
    which names an algorithm (RFC 7519, 7516).
    """
    if is_placeholder(value) or not begins(before):
        return False
    parts = value.split(".")
    by_shape = value.startswith("eyJ") and (parts[1].startswith("eyJ") or len(parts) == _JWE_PARTS)
    named = re.match(r'\s*\{.*"(?:alg|enc|typ|kid)"\s*:', unpacked(parts[0]))
    return by_shape or named is not None


def encoded_pem(value: str, before: str, _after: str) -> bool:
    """The base64 of a PEM block that holds a private key, from its beginning."""
    return begins(before) and "PRIVATE KEY" in unpacked(value[:200], errors="replace")


_BAR = lazy(r"\||%7[Cc]")
_DIGEST = lazy(r"(?i)\b(?:sha\d{1,3}|md5|blake2b)[=:-]$")


def beside_no_hash(value: str, before: str, after: str) -> bool:
    """Chance makes the prefix in the digests of lists of files (`sha256=…`)."""
    return distinct(value, before, after) and not _DIGEST.search(before)


def app_secret(value: str, before: str, after: str) -> bool:
    """The part after the bar; columns of a table stand there as well."""
    return distinct(_BAR.split(value)[1], before, after)


def distinct_or_nkey(value: str, before: str, after: str) -> bool:
    """A NATS seed by its checksum, or by its looks."""
    return nkey(value) or distinct(value, before, after)


base64_of_a_token = of_value(encodes_a_token)
no_words, no_words_or_github = sound(spells=True), sound(github_or_npm, spells=True)
sound_bech32, sound_cloudflare, sound_github_or_npm = map(
    sound, (bech32, cloudflare, github_or_npm)
)
