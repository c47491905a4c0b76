"""Every real transcript of a folder (`pytest --corpus=DIR`): read, distilled, briefed, saved.

Without the option there is one test, which is skipped and says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import bpe_openai
import msgspec
import pytest
from msgspec.structs import replace

from onward.briefing import DEFAULT_BUDGET, brief
from onward.documents import checkpoint_md
from onward.errors import InputError
from onward.model import Checkpoint
from onward.record import record
from onward.record.consistency import contradictions
from onward.redaction import Redactor, engine, rules
from onward.transcripts.registry import open_transcript

pytestmark = pytest.mark.corpus
ENCODING = bpe_openai.get_encoding("o200k_base")
BUDGETS = (200, 300, 500, 1000, DEFAULT_BUDGET, 3000)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    folder = metafunc.config.getoption("--corpus")
    files = sorted(Path(folder).rglob("*.jsonl")) if folder else [Path("no-corpus-given")]
    if not files:
        raise pytest.UsageError(f"no *.jsonl in {folder}: unpack the transcripts first")
    metafunc.parametrize("path", files, ids=lambda path: path.name)


@cache
def redactor() -> Redactor:
    return Redactor(b"one key for all of the corpus")


def checkpoint(path: Path) -> Checkpoint | None:
    """None for what is no transcript of an agent that is known."""
    try:
        opened = open_transcript(path)
    except InputError:
        return None
    draft = record(iter(opened))
    return redactor().draft(msgspec.structs.replace(draft, origin=opened.origin))


def test_the_same_transcript_gives_the_same_checkpoint_and_a_briefing_in_its_budget(
    path: Path,
) -> None:
    found = checkpoint(path)
    assert found == checkpoint(path)
    if found is None:
        return
    for budget in BUDGETS:
        text = brief(found, None, budget=budget)
        assert len(ENCODING.encode_ordinary(text)) <= budget * 1.1


def test_no_line_contradicts_another(path: Path) -> None:
    found = checkpoint(path)
    assert found is None or contradictions(found) == []


def test_what_is_saved_is_read_back_and_holds_nothing_to_redact(path: Path) -> None:
    found = checkpoint(path)
    if found is None:
        return
    back = checkpoint_md.parse(checkpoint_md.render(found))
    assert redactor().draft(back) == back
    following = found.next_action and replace(found.next_action, template="")  # it is not saved
    assert (back.task.text, back.next_action, back.runs) == (
        found.task.text,
        following,
        found.runs,
    )


_WHOLE = re.compile(
    r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|(?<![\w-])[0-9a-f]{40}(?![\w-])"
    r"|\b(?:toolu|msg|req|call)_[0-9A-Za-z]{12,}|[/\\][\w.@+-]+\.(?:output|jsonl|py|tsx?|md|json|lock)\b"
)
_IS_SECRET = re.compile(r"(?i)(?:token|key|secret|password)\W{1,4}$")
_SECRETS = engine.compile_rules(
    rule for rule in rules.RULES if rule.id not in {each.id for each in rules.personal.RULES}
)


def test_redaction_takes_no_id_no_hash_and_no_file(path: Path) -> None:
    taken = []
    for line in path.read_bytes().splitlines():
        try:
            texts = set(_strings(msgspec.json.decode(line)))
        except msgspec.DecodeError:
            continue
        for data in (text.encode() for text in texts):
            for found in engine.find(data, _SECRETS):
                value = data[found.start : found.end].decode(errors="replace")
                before = data[max(0, found.start - 20) : found.start].decode(errors="replace")
                if _WHOLE.search(value) and not _IS_SECRET.search(before):
                    taken.append((found.rule.id, value))
    assert taken == []


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)
