"""Five labelled sets, written without the rules in view: what leaks, and what is hidden in error.

`labels/templates.tsv` holds the secrets, one line a plant, `labels/look_alikes.tsv` what must stay; the
`held_out`, `third`, `fourth` and `fifth` files are later sets of the same kind. The values are made here, from a fixed seed, so
that no file holds anything that looks like a secret to a scanner. The table in `docs/explanation/privacy.md` is `rows()`.

    python benchmarks/redaction_plants.py            the table
    python benchmarks/redaction_plants.py --list     each plant missed and each look-alike changed
"""

import base64
import json
import random
import re
import string
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

LABELS = Path(__file__).parent / "labels"
STYLES = {
    "env": "`.env` files",
    "conn": "connection strings",
    "cookie": "cookies, JWT",
    "curl": "curl",
    "docker": "Docker",
    "encoded": "encoded",
    "kube": "Kubernetes",
    "code": "one-time and recovery codes",
    "lang": "other human languages",
    "personal": "personal data",
    "power": "PowerShell, cmd",
    "key": "private keys",
    "prose": "prose",
    "rc": "rc files",
    "shell": "shell",
    "source": "source code",
    "split": "split over lines",
    "terraform": "Terraform",
    "token": "token formats",
}
SETS = (
    ("templates.tsv", "look_alikes.tsv"),
    ("held_out.tsv", "held_out_look_alikes.tsv"),
    ("third.tsv", "third_look_alikes.tsv"),
    ("fourth.tsv", "fourth_look_alikes.tsv"),
    ("fifth.tsv", "fifth_look_alikes.tsv"),
)
PROMISED = (
    "token",
    "env",
    "conn",
    "shell",
    "rc",
    "key",
    "cookie",
)  # the styles that must not leak at all

_LETTERS, _DIGITS = string.ascii_letters, string.digits
_ALPHABETS = {
    "an": _LETTERS + _DIGITS,
    "b64": _LETTERS + _DIGITS + "+/",
    "b64u": _LETTERS + _DIGITS + "-_",
    "bech": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
    "d": _DIGITS,
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "let": _LETTERS,
    "lo": string.ascii_lowercase + _DIGITS,
    "pw": _LETTERS + _DIGITS + "!#*+_-.",
    "pws": _LETTERS + _DIGITS + "!#*+&%^?~",
    "up": string.ascii_uppercase + "234567",
}
_WORDS = [
    "falcon",
    "velvet",
    "harbor",
    "tundra",
    "pepper",
    "copper",
    "lantern",
    "meadow",
    "rocket",
    "saffron",
]
_FIRST = ["Ján", "Petra", "Mikael", "Chloé", "Dörte", "Karol"]
_LAST = ["Novák", "Kowalska", "Virtanen", "Lefebvre", "Hübner", "Zajac"]
_USERS = ["hmueller", "tkowalska", "jnovak", "plefebvre", "mvirtanen", "dhuebner"]
_HOLE = re.compile(r"\{([A-Za-z0-9]+)(?::(\d+))?\}")
_MARK = re.compile(r"\[REDACTED:[a-z0-9-]+:[0-9a-f]{6}\]")
_MARKED = re.compile(r"⟦(.*?)⟧", re.DOTALL)


@dataclass(frozen=True)
class Plant:
    """One text of the set: its style, the text, the values that must not come out (none for a look-alike), and
    the text without them.
    """

    style: str
    text: str
    secrets: tuple[str, ...] = ()
    frame: str = ""

    def leaks(self, redacted: str) -> bool:
        """Whether a piece of a secret of eight characters (or the whole of a shorter one) is in `redacted`."""
        redacted = _MARK.sub("[]", redacted)
        for secret in self.secrets:
            size = min(len(secret), 8)
            pieces = {secret[at : at + size] for at in range(len(secret) - size + 1)}
            if any(piece in redacted and piece not in self.frame for piece in pieces):
                return True
        return False


def plants(name: str = "templates.tsv") -> Iterator[Plant]:
    """Each secret of a set, one text a line of the file."""
    for number, (style, template) in enumerate(_rows(name)):
        marked = _filled(template, random.Random(number))
        secrets = tuple(
            line for value in _MARKED.findall(marked) for line in value.split("\n") if line
        )
        yield Plant(
            style, marked.replace("⟦", "").replace("⟧", ""), secrets, _MARKED.sub("", marked)
        )


def look_alikes(name: str = "look_alikes.tsv") -> Iterator[Plant]:
    """What must stay as it is: each line of the file with two sets of values."""
    for number, (style, template) in enumerate(_rows(name)):
        for seed in (number, number + 10_000):
            yield Plant(style, _filled(template, random.Random(seed)))


def _rows(name: str) -> Iterator[list[str]]:
    for line in (LABELS / name).read_text("utf-8").splitlines():
        yield line.split("\t", 1)


def _filled(template: str, chance: random.Random) -> str:
    framed = (
        template.replace("\\\\", "\0").replace("\\n", "\n").replace("\\t", "\t").replace("\0", "\\")
    )
    framed = framed.replace("{user}", chance.choice(_USERS))  # one text tells of one user
    return _HOLE.sub(lambda hole: _value(hole[1], int(hole[2] or 0), chance) or hole[0], framed)


def _value(kind: str, size: int, chance: random.Random) -> str:
    """A made-up value of one kind; empty where the braces are no kind of ours."""
    if kind in _ALPHABETS and size:
        return _drawn(kind, size, chance)
    made = _MADE.get(kind)
    return made(size, chance) if made else ""


def _drawn(kind: str, size: int, chance: random.Random) -> str:
    drawn = "".join(chance.choices(_ALPHABETS[kind], k=size))
    if kind in (
        "pw",
        "pws",
    ):  # a letter at both ends, so that a sentence's end is not part of it; a digit inside
        middle = drawn[1 : size // 2] + str(chance.randrange(10)) + drawn[size // 2 + 1 : -1]
        return chance.choice(_LETTERS) + middle + chance.choice(_LETTERS)
    return drawn


def _password(_size: int, chance: random.Random) -> str:
    return (
        chance.choice(_WORDS).title()
        + str(chance.randrange(100, 999))
        + chance.choice(["!", "#x", "Wv", "_Q", "*z"])
    )


def _phrase(_size: int, chance: random.Random) -> str:
    return f"{chance.choice(_WORDS).title()} {chance.randrange(100, 999)}Wv with {chance.choice(_WORDS)}"


def _coded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _jwt(_size: int, chance: random.Random) -> str:
    head, body = (
        _coded(json.dumps(part)).rstrip("=")
        for part in ({"alg": "HS256"}, {"sub": str(chance.random())})
    )
    return f"{head}.{body}.{_drawn('b64u', 43, chance)}"


def _uuid(_size: int, chance: random.Random) -> str:
    return "-".join(_drawn("hex", size, chance) for size in (8, 4, 4, 4, 12))


def _basic(_size: int, chance: random.Random) -> str:
    return _coded(f"bob:{_password(0, chance)}")


def _docker(_size: int, chance: random.Random) -> str:
    return _coded(json.dumps({"auths": {"h.example": {"auth": _basic(0, chance)}}}))


_MADE: dict[str, Callable[[int, random.Random], str]] = {
    "b64pw": lambda size, chance: _coded(_password(size, chance)),
    "basic": _basic,
    "dockercfg": _docker,
    "email": lambda _size, chance: (
        f"{chance.choice(_USERS)}@{chance.choice(_WORDS)}-works.{chance.choice(['de', 'io'])}"
    ),
    "first": lambda _size, chance: chance.choice(_FIRST),
    "First": lambda _size, _chance: "Anna",
    "jwt": _jwt,
    "last": lambda _size, chance: chance.choice(_LAST),
    "Last": lambda _size, _chance: "Berg",
    "pass": _password,
    "pct": lambda size, chance: quote(_drawn("pws", size - 2, chance) + "@&", safe=""),
    "pem": lambda size, chance: "\n".join(_drawn("b64", 64, chance) for _ in range(size)),
    "phrase": _phrase,
    "seed": lambda _size, chance: " ".join(chance.choice(_WORDS) for _ in range(12)),
    "uni": lambda size, chance: "".join(
        f"\\u{ord(letter):04x}" for letter in _password(size, chance)
    ),
    "pem64": lambda _size, chance: _coded(
        f"-----BEGIN PRIVATE KEY-----\n{_drawn('b64', 64, chance)}"
    ),
    "uuid": _uuid,
    "word": lambda _size, chance: chance.choice(_WORDS),
}


class Count(NamedTuple):
    """One set under one redaction: how many plants a style has, which came out, which look-alikes changed."""

    total: Counter[str]
    missed: list[tuple[Plant, str]]
    stay: int
    changed: list[tuple[Plant, str]]

    def came_out(self, style: str) -> int:
        """How many plants of a style came out."""
        return sum(plant.style == style for plant, _ in self.missed)


def count(names: tuple[str, str], redact: Callable[[str], str]) -> Count:
    """Redact each text of a set."""
    total, missed = Counter[str](), []
    for plant in plants(names[0]):
        total[plant.style] += 1
        if plant.leaks(out := str(redact(plant.text))):
            missed.append((plant, out))
    stay = list(look_alikes(names[1]))
    changed = [(plant, out) for plant in stay if (out := str(redact(plant.text))) != plant.text]
    return Count(total, missed, len(stay), changed)


def rows(redact: Callable[[str], str]) -> list[str]:
    """The rows of the table: the style, and of each set the plants and how many came out."""
    counts = [count(names, redact) for names in SETS]
    lines = [
        f"| {told} | "
        + " | ".join(f"{each.total[style]} | {each.came_out(style)}" for each in counts)
        for style, told in STYLES.items()
    ]
    alls = " | ".join(
        f"{each.total.total()} | {len(each.missed)} ({len(each.missed) / each.total.total():.1%})"
        for each in counts
    )
    stays = " | ".join(f"{each.stay} | {len(each.changed)}" for each in counts)
    return [*(f"{line} |" for line in lines), f"| all | {alls} |", f"| look-alikes | {stays} |"]


def main() -> None:
    """Print the table by style; with `--list` each miss and each false redaction."""
    from onward.redaction import Redactor  # noqa: PLC0415 (the sets are read without it)

    redact = Redactor(b"benchmark").text
    if "--list" in sys.argv:
        for names in SETS:
            found = count(names, redact)
            for what, pairs in (("missed", found.missed), ("changed", found.changed)):
                for plant, out in pairs:
                    print(f"{what} {plant.style}\t{plant.text!r}\n\t→ {out!r}")
    print("\n".join(rows(redact)))


if __name__ == "__main__":
    main()
