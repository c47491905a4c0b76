"""What each rule must find and what it must leave, made when it is needed.

`examples.txt` holds templates, so that no file of ours holds anything a scanner would report: for
each rule, in the order of the table, its id, and lines that begin with `+` (a secret stands in it)
or `-` (a near miss). `↵` is a line end; the secret stands between `«` and `»`, or is all of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from pathlib import Path
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits

from msgspec import Struct

from onward.redaction.engine import Rule
from onward.redaction.rules import RULES, personal

ALPHABETS = {
    "abc": ascii_letters,
    "an": ascii_letters + digits,
    "b32": ascii_uppercase + "234567",
    "b32low": "023456789acdefghjklmnpqrstuvwxyz",
    "b58": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
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


SURROUNDINGS: dict[str, Callable[[str], str]] = {
    "alone": lambda text: text,
    "prose": lambda text: f"Then I ran it with {text} and it worked.",
    "json": lambda text: json.dumps({"output": f"first\n{text}\nlast"}),
    "json in json": lambda text: json.dumps({"a": json.dumps({"b": f"x\n{text}\ty"})}),
    "yaml": lambda text: f"steps:\n  - run: |\n      {text}\n",
    "shell": lambda text: f"echo {text} | tee out.txt",
    "diff": lambda text: f"@@ -1 +1 @@\n-old\n+{text}\n",
    "log": lambda text: f"2026-03-01T10:00:00Z INFO [main] {text}",
    "numbered": lambda text: f"    12\t{text}\n    13\treturn 0",
    "colour": lambda text: f"\x1b[31m{text}\x1b[0m done",
    "escaped colour": lambda text: f"\\u001b[31m{text}\\u001b[0m done",
    "line": lambda text: f"a\r\n{text}\r\nb",
    "end of line": lambda text: f"a\n{text}",
}
"""What stands around any secret."""

TOKEN_SURROUNDINGS: dict[str, Callable[[str], str]] = {
    "quoted": lambda text: f'const x = "{text}";',
    "header": lambda text: f"X-Custom: {text}\r\nHost: a.test\r\n",
    "url": lambda text: f"https://a.test/v1?x=1&y={text}",
    "encoded url": lambda text: f"https://a.test/?q=y%3D{text}",
    "back-ticks": lambda text: f"use `{text}` here",
    "escaped tool output": lambda text: f'stdout: "ok\\n{text}\\n", stderr: ""',
}
"""What stands around a token that needs no key beside it."""


@cache
def _examples() -> dict[str, tuple[list[str], list[str]]]:
    """The examples and near misses of each rule, by its pattern: no two have the same."""
    text = (Path(__file__).parent / "examples.txt").read_text("utf-8").replace("\r\n", "\n")
    out: dict[str, tuple[list[str], list[str]]] = {}
    of_all = (*RULES, *personal.KINDS["phone"], *personal.KINDS["card"])
    for rule, section in zip(of_all, text.rstrip("\n").split("\n\n"), strict=True):
        name, *lines = section.split("\n")
        assert rule.id == name, f"{name} stands where the examples of {rule.id} are expected"
        found: tuple[list[str], list[str]] = ([], [])
        for line in lines:
            found["+-".index(line[0])].append(line[2:].replace("↵", "\n"))
        out[rule.pattern] = found
    return out


def hits(rule: Rule) -> list[str]:
    """The templates of what the rule must find."""
    return _examples()[rule.pattern][0]


def misses(rule: Rule) -> list[str]:
    """The templates of what it must leave."""
    return _examples()[rule.pattern][1]
