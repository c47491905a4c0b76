"""Secrets leave a transcript's events before anything cuts or parts their words."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.examples import fill
from tests.unit.commands.conftest import Script

from onward.commands.opening import hidden
from onward.commands.source import distilled
from onward.model import Asked, Edited, Event, Prompt, Question, Ran, Reply
from onward.record import record
from onward.redaction import Redactor, Secrets

REDACTOR = Redactor(b"k" * 32, home="/home/maria", user="maria")
TOKEN = fill("ghp_{an:36}").text


def _hidden(events: list[Event]) -> list[Event]:
    secrets = Secrets(REDACTOR)
    return [hidden(event, secrets.hide) for event in events]


@pytest.mark.parametrize(
    "event",
    [
        Prompt(line=1, text=f"use {TOKEN} please"),
        Ran(line=1, command=f"curl https://a.test/?x=1&sig={TOKEN}", output=TOKEN),
        Asked(line=1, questions=(Question(text="which?", options=("a", TOKEN), answer=TOKEN),)),
        Edited(line=1, path="a.py", text=f'key = "{TOKEN}"'),
    ],
)
def test_no_field_of_an_event_keeps_a_secret(event: Event) -> None:
    found = hidden(event, Secrets(REDACTOR).hide)
    assert type(found) is type(event)
    assert TOKEN not in repr(found)
    assert "[REDACTED:github-token:" in repr(found)


def test_whatever_else_an_event_says_stays_as_it_is() -> None:
    events = [
        Reply(line=1, text="<b>done</b> \x1b[31m in /home/maria/shop/src/a.py"),
        Ran(line=2, command="cat /home/maria/shop/a.py", cwd="/home/maria/shop", exit_code=0),
    ]
    assert _hidden(events) == events


def test_a_secret_among_many_events_is_found_and_their_order_stays() -> None:
    events: list[Event] = [Reply(line=n, text=f"step {n}") for n in range(1, 700)]
    events[450] = Reply(line=451, text=TOKEN)
    found = _hidden(events)
    assert [event.line for event in found] == [event.line for event in events]
    assert TOKEN not in repr(found)


def test_a_command_that_is_taken_apart_leaves_no_piece_of_a_secret() -> None:
    parts = fill("{an:43}").text
    events = [
        Prompt(line=1, text="upload it"),
        Ran(line=2, command=f"make up && az copy ?sv=2022-11-02&sig={parts}%3D", exit_code=0),
    ]
    draft = record(_hidden(events), "")
    assert parts not in repr(draft)


def test_a_value_is_hidden_where_it_stood_before_it_was_told(tmp_path: Path) -> None:
    session = Script(tmp_path, "0b1c2d3e-0000-4000-8000-000000000001")
    session.user("open the server with Velvet570$x7 and look what runs")
    session.says("Velvet570$x7 was refused.")
    session.user("login: ann  pass: Velvet570$x7 of course")
    path = tmp_path / "session.jsonl"
    session.write(path)
    draft = distilled(path, REDACTOR, lambda _: None).draft
    assert len(draft.requests) == 2
    assert "Velvet" not in repr(draft)
