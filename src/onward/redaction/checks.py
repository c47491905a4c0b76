"""Checksums and structures that tokens carry inside: offline proof that one is real.

A check that holds outweighs the suspicion that a value is a placeholder. One that fails
proves nothing: people paste parts of tokens, and a part is to go as well.
"""

from __future__ import annotations

import re
from base64 import b32decode, b64decode
from binascii import crc32, crc_hqx
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits

_BASE62 = digits + ascii_uppercase + ascii_lowercase
_BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_GENERATORS = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
_BASE64 = frozenset(ascii_letters + digits + "+/")


def github_or_npm(token: str) -> bool:
    """Is `ghp_…` or `npm_…` whole? Its last six characters are the CRC-32 of the thirty before
    them in base 62 (GitHub engineering blog, 2021).
    """
    found = re.fullmatch(r"[a-z]{3}_([0-9A-Za-z]{30})([0-9A-Za-z]{6})", token)
    return found is not None and _base62(crc32(found[1].encode())) == found[2]


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


def jose_header(token: str) -> bool:
    """Does it begin with the header of a JWT (RFC 7519, 7516): JSON that names an algorithm?"""
    return (
        re.match(r'\s*\{.*"(?:alg|enc|typ|kid)"\s*:', _decoded(token.partition(".")[0])) is not None
    )


def private_key(text: str) -> bool:
    """Is it the base64 of a PEM block that holds a private key?"""
    return "PRIVATE KEY" in _decoded(text[:200])


def encodes_a_token(text: str) -> bool:
    """Is it the base64 of one word of printable ASCII, as a token is?"""
    decoded = _decoded(text)
    return bool(decoded) and re.fullmatch(r"[!-~]+", decoded.rstrip("\0\n")) is not None


def _base62(number: int) -> str:
    out = ""
    while number:
        number, rest = divmod(number, 62)
        out = _BASE62[rest] + out
    return out.rjust(6, "0")


def _decoded(text: str) -> str:
    """The text behind base64 of either alphabet, as far as whole groups of four go."""
    plain = text.replace("-", "+").replace("_", "/").rstrip("=")
    if not _BASE64.issuperset(plain):
        return ""
    return b64decode(plain + "A" * (-len(plain) % 4)).decode(errors="replace")
