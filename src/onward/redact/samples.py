"""Examples for the rules' proofs, made when they are needed.

The table holds templates, so that no file of ours holds anything a scanner would report.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits

from msgspec import Struct

ALPHABETS = {
    "abc": ascii_letters,
    "an": ascii_letters + digits,
    "b32": ascii_uppercase + "234567",
    "b64": ascii_letters + digits + "+/",
    "dig": digits,
    "hex": digits + "abcdef",
    "HEX": digits + "ABCDEF",
    "low": ascii_lowercase + digits,
    "up": ascii_uppercase + digits,
    "url": ascii_letters + digits + "-_",
}

_BLANK = re.compile(r"\{(\w+):(\d+)\}")


class Sample(Struct, frozen=True, kw_only=True):
    """An example: the text, and the part of it that must go."""

    text: str
    secret: str


def fill(template: str, seed: int = 0) -> Sample:
    """Fill each blank `{an:36}` with that many characters of an alphabet, the same for the
    same seed. The secret is what stands between `«` and `»`, else the whole text.
    """

    def characters(blank: re.Match[str]) -> str:
        alphabet, count = ALPHABETS[blank[1]], int(blank[2])
        stream = b"".join(
            blake2b(f"{seed}:{blank.start()}:{block}".encode()).digest()
            for block in range(count // 64 + 1)
        )
        return "".join(alphabet[byte % len(alphabet)] for byte in stream[:count])

    text = _BLANK.sub(characters, template)
    before, opened, rest = text.partition("«")
    if not opened:
        return Sample(text=text, secret=text)
    secret, _, after = rest.partition("»")
    return Sample(text=before + secret + after, secret=secret)
