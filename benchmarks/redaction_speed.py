"""How fast redaction is, beside a one-regex entropy scan and beside detect-secrets."""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from itertools import islice

from redaction_texts import Text
from tests.examples import fill, hits, misses

from onward.redaction import Redactor, rules
from onward.redaction.rules.validators import entropy

MEGABYTES = 2.0
DETECT_SECRETS_MEGABYTES = 0.1  # it takes a second for each
ROUNDS = 5
RUN = re.compile(r"[0-9A-Za-z+/=_-]{20,}")
HEX = re.compile(r"[0-9a-fA-F]+")
FIRST_CALL = """
import time
start = time.perf_counter()
from onward.redaction import Redactor
imported = time.perf_counter()
redactor = Redactor(b"key")
ready = time.perf_counter()
redactor.text("one short line without anything in it")
first = time.perf_counter()
redactor.text("password = 'hunter2' # and api_key=" + "a1b2c3d4" * 5)
second = time.perf_counter()
print(*(1000 * each for each in (imported - start, ready - imported, first - ready, second - first)))
"""


def sample(texts: list[Text]) -> list[str]:
    """A few megabytes, evenly out of all the texts."""
    step = max(1, int(sum(len(each.text) for each in texts) / (MEGABYTES * 1e6)))
    return [each.text for each in islice(texts, 0, None, step)]


def entropy_scan(text: str) -> list[str]:
    """The usual scan: every long run of base64 or hex whose characters are too even."""
    return [
        run for run in RUN.findall(text) if entropy(run) >= (3.0 if HEX.fullmatch(run) else 4.5)
    ]


def speed(texts: list[Text]) -> None:
    """Print megabytes a second of all three in the same rounds, and what a checkpoint costs."""
    chosen = sample(texts)
    size = sum(len(text.encode()) for text in chosen) / 1e6
    redactor = Redactor(b"a key for the benchmark")
    pairs = [(seconds(redactor.text, chosen), seconds(entropy_scan, chosen)) for _ in range(ROUNDS)]
    mine, theirs = (statistics.median(side) for side in zip(*pairs, strict=True))
    print(f"  ours, everything       {size / mine:8.2f} MB/s over {size:.1f} MB")
    print(
        f"  one-regex entropy scan {size / theirs:8.2f} MB/s (ours takes {mine / theirs:.1f} times as long)"
    )
    detect_secrets(chosen, redactor)
    whole = "\n".join(chosen)
    for length in (30_000, 300_000):
        parts = [whole[at : at + length] for at in range(0, min(len(whole), 6 * length), length)]
        took = statistics.median(seconds(redactor.text, [part]) for part in parts)
        print(f"  {length // 1000:3} KB at once          {took * 1000:8.1f} ms")
    first_call()


def detect_secrets(texts: list[str], redactor: Redactor) -> None:
    """Its default plugins over the lines of a part of the same texts, ours over the same part."""
    try:
        scan_line = import_module("detect_secrets.core.scan").scan_line
        default_settings = import_module("detect_secrets.settings").default_settings
    except ImportError:
        print("  detect-secrets         not measured: pip install detect-secrets")
        return
    part, size = [], 0
    for text in texts:
        if len(text) < 20_000 and size < DETECT_SECRETS_MEGABYTES * 1e6:
            part.append(text)
            size += len(text.encode())

    def scan(text: str) -> None:
        for line in text.splitlines():
            list(scan_line(line))

    with default_settings():
        theirs = seconds(scan, part)
    mine = seconds(redactor.text, part)
    print(
        f"  detect-secrets         {size / 1e6 / theirs:8.2f} MB/s over {size / 1e6:.2f} MB"
        f" (it takes {theirs / mine:.0f} times as long as ours)"
    )


def shapes(limit: int = 100_000) -> None:
    """The shapes that take longest: pieces of the rules' examples and keywords, repeated, nested and unclosed,
    and for each how the time grows with the text. Above 1 s for 100 KB, or far above 4, is a defect.
    """
    redactor = Redactor(b"a key for the benchmark", "/home/jdoe", "jdoe")
    plain = _slowness(redactor, "The parser reads each line once and keeps what it found.\n", limit)
    print(f"  {plain:6.2f} s: prose without anything in it, the reference")
    pieces = {"1,c1@s1.com\n", 'password="'}
    for rule in rules.RULES:
        for text in (fill(each).text for each in (*hits(rule), *misses(rule))):
            half = len(text) // 2
            pieces |= {text, f"{text}\n", text[:half], text[-half:]}
        for word in rule.keywords:
            pieces |= {word, f'{word}="', f"{word}: \n", f'{word}{{{{["'}
    first = sorted(
        ((_slowness(redactor, each, limit // 20), each) for each in pieces if each), reverse=True
    )
    for _, piece in first[:20]:
        small, large = (_slowness(redactor, piece, size) for size in (limit // 4, limit))
        print(
            f"  {large:6.2f} s, {large / max(small, 0.001):4.1f} times that of a quarter, "
            f"{large / max(plain, 0.001):5.0f} times the reference: {piece[:60]!r}"
        )


def _slowness(redactor: Redactor, piece: str, size: int) -> float:
    text = (piece * (size // len(piece) + 1))[:size]
    return max(
        seconds(way, [text])
        for way in (redactor.text, lambda each: [*map(redactor.hide, each.splitlines())])
    )


def first_call() -> None:
    """What a process pays before its first text."""
    rounds = []
    for _ in range(ROUNDS):
        words = [sys.executable, "-c", FIRST_CALL]
        printed = subprocess.run(words, check=True, capture_output=True, text=True).stdout
        rounds.append([float(word) for word in printed.split()])
    names = ("import", "rules made ready", "first text", "first text with secrets")
    middle = (statistics.median(column) for column in zip(*rounds, strict=True))
    told = ", ".join(f"{name} {ms:.1f} ms" for name, ms in zip(names, middle, strict=True))
    print(f"  in a new process       {told}")


def seconds(work: Callable[[str], object], texts: list[str]) -> float:
    """How long all the texts take."""
    start = time.process_time()
    for text in texts:
        work(text)
    return time.process_time() - start


if __name__ == "__main__":
    shapes()
