"""What a user or an agent wrote is cut between words, wherever it is shown."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch, Session

NEW = "ffffffff-4f50-4a61-8b72-9c83ad94be05"
FIELDS = ("progress", "blockers", "constraints", "avoid")


def words(kind: str, count: int) -> str:
    return " ".join(f"{kind}plank{number:04}end" for number in range(count))


@pytest.mark.parametrize(
    "verb",
    [
        ("list", "--json"), ("sessions",), ("brief", NEW), ("brief", NEW, "--budget", "300"),
        ("resume", "caulk-seams"), ("show", "t:last", "--session", NEW), ("show", "caulk-seams"),
        ("view", NEW), ("search", "noteplank0003end"), ("--all", "--why"), ("--json",),
    ],
)  # fmt: skip
def test_no_word_is_cut(
    onward: Onward, scratch: Scratch, session: Session, verb: tuple[str, ...]
) -> None:
    made = session(scratch.root, NEW)
    made.user(words("request", 500))
    made.says(words("reply", 500))
    made.user(words("last", 300))
    made.write(scratch.transcript.with_name(f"{NEW}.jsonl"))
    assert onward("note", words("note", 90)).code == 0
    note = {"task": words("task", 230), "next": [words("next", 60)], "why": words("why", 60)}
    note |= {field: [words(field, 60)] for field in FIELDS}
    draft = scratch.root / "memory/.draft.json"
    draft.parent.mkdir(exist_ok=True)
    draft.write_text(json.dumps(note))
    saved = onward("save", "caulk-seams", "--session", NEW, "--from", str(draft))
    assert saved.code == 0, saved.err
    told = onward(*verb)
    found = re.findall(r"[a-z]+plank\w*|\b[a-z]+plan\b|\b[a-z]+pla\b", told.out + told.err)
    assert found
    assert {word for word in found if not re.fullmatch(r"[a-z]+plank\d{4}end", word)} == set()
