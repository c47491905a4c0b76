"""The plants and look-alikes that were written without the rules in view (`benchmarks/labels/`)."""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path

import pytest
from tests.canary.machine import SESSION, Machine

from onward.redaction import Redactor

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "benchmarks"))

import redaction_plants as sets  # noqa: E402 - a folder of scripts, no package

REDACT = Redactor(b"benchmark").text
SAMPLE = 9  # every ninth plant goes through the command line


@cache
def counts() -> list[sets.Count]:
    return [sets.count(names, REDACT) for names in sets.SETS]


def test_it_is_large_enough() -> None:
    assert sum(each.total.total() for each in counts()) >= 1300
    assert sum(each.stay for each in counts()) >= 1300
    assert {style for each in counts() for style in each.total} == {*sets.STYLES}


@pytest.mark.parametrize("number", range(len(sets.SETS)))
def test_at_most_one_in_twenty_comes_out_and_none_of_the_promised_styles(number: int) -> None:
    found = counts()[number]
    assert len(found.missed) <= 0.05 * found.total.total()
    assert [plant.text for plant, _ in found.missed if plant.style in sets.PROMISED] == []


@pytest.mark.parametrize("number", range(len(sets.SETS)))
def test_at_most_one_look_alike_in_a_hundred_changes(number: int) -> None:
    found = counts()[number]
    assert len(found.changed) <= 0.01 * found.stay


def test_the_table_of_the_documentation_is_what_is_measured() -> None:
    told = (ROOT / "docs/explanation/privacy.md").read_text("utf-8")
    assert [row for row in sets.rows(REDACT) if row not in told] == []


def record(number: int, kind: str, content: object, root: Path) -> str:
    told = {
        "type": kind,
        "uuid": f"00000000-0000-4000-8000-{number:012}",
        "parentUuid": f"00000000-0000-4000-8000-{number - 1:012}" if number else None,
        "sessionId": SESSION,
        "timestamp": f"2026-05-01T10:{number // 60 % 60:02}:{number % 60:02}.000Z",
        "cwd": str(root),
        "version": "2.1.0",
        "message": {"role": kind, "content": content},
    }
    return json.dumps(told)


def test_what_redaction_knows_comes_out_of_no_verb(tmp_path: Path) -> None:
    here = Machine(tmp_path)
    here.git("init", "-q")
    planted = [each for names in sets.SETS for each in sets.plants(names[0])][::SAMPLE]
    known = [each for each in planted if not each.leaks(str(REDACT(each.text)))]
    lines = []
    for number, each in enumerate(known):
        lines += [
            record(2 * number, "user", each.text, here.root),
            record(2 * number + 1, "assistant", [{"type": "text", "text": each.text}], here.root),
        ]
    path = here.transcript()
    path.parent.mkdir(parents=True)
    path.write_text("\n".join(lines) + "\n", "utf-8")
    for words in (
        ("save", "plants-of-today", "--session", str(path)),
        ("brief", str(path)),
        ("distill", str(path)),
        ("show", "plants-of-today"),
        ("search", "password"),
        ("search", "token"),
    ):
        said = here.onward(*words)
        assert said.code == 0, (words, said.err)
    written = b"".join(
        each.read_bytes()
        for each in here.root.rglob("*")
        if each.is_file() and "raw" not in each.parts and ".git" not in each.parts
    )
    out = (here.told + written).decode("utf-8", "replace")
    assert len(known) > 60
    assert out.count("[REDACTED:") > 60
    assert [each.text for each in known if _whole(each, out)] == []


def _whole(plant: sets.Plant, out: str) -> bool:
    """Whether a secret stands there that no other text of the transcript could bring."""
    return any(
        len(secret) >= 12 and " " not in secret and secret in out for secret in plant.secrets
    )
