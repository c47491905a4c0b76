"""Every format in every field of a transcript: whatever is made of it holds no piece of one."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.canary.carrier import Carrier
from tests.canary.planting import Garden
from tests.examples import hits
from tests.sampling import sample

from onward.briefing import brief
from onward.commands.opening import open_transcript
from onward.documents import active_context, checkpoint_md, session_md
from onward.record import record
from onward.redaction import Redactor, Secrets, engine, rules

SESSION = "0b1c2d3e-4f50-4a61-8b72-9c83ad94be05"
REDACTOR = Redactor(b"k" * 32, home="/home/zoequist", user="zoequist")
PADS = (0, 37, 90, 150, 210, 270, 480)


@pytest.mark.parametrize("rule", sample(rules.RULES, 50, "rules"), ids=lambda rule: rule.id)
def test_no_piece_of_a_secret_is_left_in_what_is_made_of_a_session(
    rule: engine.Rule, tmp_path: Path
) -> None:
    number = rules.RULES.index(rule)
    garden = Garden([(rule.id, hit) for hit in hits(rule)], number)
    carrier = Carrier(garden, Path("/home/zoequist/shop"), SESSION, PADS[number % len(PADS)])
    carrier.fill()
    path = tmp_path / f"{SESSION}.jsonl"
    carrier.write(path)
    _, events = open_transcript(path, Secrets(REDACTOR))
    checkpoint = REDACTOR.draft(record(events, "/home/zoequist/shop"))
    texts = [
        checkpoint_md.render(checkpoint),
        session_md.render(checkpoint),
        active_context.render(checkpoint),
        brief(checkpoint, None, budget=9000),
        brief(checkpoint, None),
    ]
    whole = "\n".join(texts).encode() + msgspec.json.encode(checkpoint)
    assert garden.found(whole) == []
    assert b"[REDACTED:" in whole or rule.shown
