"""Each field of each client's transcript, of any other type: it costs itself, whatever reads it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from tests.canary import test_every_byte_of_chat_agents as chat
from tests.canary.carrier import Carrier
from tests.canary.machine import SESSION, CodexMachine, Machine
from tests.canary.planting import Garden
from tests.canary.rollout import Paginated, Wrapped
from tests.sampling import everything

from onward.agents.claude_code import reading
from onward.cli import BUG
from onward.model import Event, Reply
from onward.transcripts import registry

ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 10**30, 1.5, "", "x", "\ud800", "\x1b[31m", [], {}, [None], [[]]),
    {"type": []},
    {"a": {"b": []}},
    [{"type": "text"}, 7],
)
SHARES = 12 if everything() else 1
"""Parts of the mutants, each a test of its own: whole, one test of all took a minute, alone on its worker."""
STEP = SHARES if everything() else 149
"""Of the mutants every so many is read by a test; a sample takes no divisor of how many values are tried at a place."""
VERBS: tuple[tuple[str, ...], ...] = (
    ("distill", "FILE"), ("brief", "FILE"), ("show", "PLACE", "--session", "ID"),
    ("show", "ID"), ("view", "FILE"), ("sessions", "--all"), ("search", "the"), ("why", "src/login.py"),
    ("save", "fix-login", "--session", "ID"), ("resume", "fix-login"), ("protocol", "save"), ("document",), (),
)  # fmt: skip


class Plain(Garden):
    """Plants nothing."""

    def __init__(self) -> None:
        super().__init__([])

    def plant(self, field: str, words: str = "Then I ran it") -> str:
        return words

    def name(self, field: str, words: str = "work") -> str:
        return words


def claude_code(base: Path) -> tuple[Machine, str, Path]:
    machine = Machine(base)
    carrier = Carrier(Plain(), machine.root, SESSION)
    carrier.fill()
    carrier.write(machine.transcript())
    return machine, SESSION, machine.transcript()


def codex(form: type[Wrapped]) -> Callable[[Path], tuple[Machine, str, Path]]:
    def made(base: Path) -> tuple[Machine, str, Path]:
        machine = CodexMachine(base)
        path = machine.transcript()
        path.parent.mkdir(parents=True)
        form(path, SESSION, machine.root, Plain()).fill()
        return machine, SESSION, path

    return made


def opencode(base: Path) -> tuple[Machine, str, Path]:
    machine = Machine(base)
    session, path = chat.opencode(machine, Plain())
    machine.onward("sessions", "--all")  # copies the database
    return machine, session, path


def copilot(base: Path) -> tuple[Machine, str, Path]:
    machine = Machine(base)
    return (machine, *chat.copilot(machine, Plain()))


MAKERS = {
    "claude-code": claude_code,
    "codex": codex(Wrapped),
    "codex, paginated": codex(Paginated),
    "opencode": opencode,
    "copilot": copilot,
}


def varied(value: Any) -> Iterator[Any]:
    """The value with each of its parts in turn replaced by odd ones."""
    yield from ODD
    if isinstance(value, dict):
        for key, inner in value.items():
            yield {k: v for k, v in value.items() if k != key}
            yield from ({**value, key: each} for each in varied(inner))
    elif isinstance(value, list):
        for n, inner in enumerate(value):
            yield from ([*value[:n], each, *value[n + 1 :]] for each in varied(inner))


def mutants(lines: list[bytes], share: int) -> Iterator[tuple[int, Any, bytes]]:
    """A share of them, each with the index of the line that it stands for; the first line still tells whose
    it is.
    """
    every = ((n, value) for n, line in enumerate(lines) for value in varied(json.loads(line)))
    for n, value in islice(every, share, None, STEP):
        raw = json.dumps(value, separators=(",", ":")).encode() + b"\n"
        if n or raw.startswith(lines[0][:12]):
            yield n, value, raw


@pytest.mark.parametrize("share", range(SHARES))
@pytest.mark.parametrize("client", MAKERS)
def test_no_odd_field_stops_a_reader(tmp_path: Path, client: str, share: int) -> None:
    _, _, path = MAKERS[client](tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    agent = registry.agent_of(path)
    for n, value, raw in mutants(lines, share):
        path.write_bytes(b"".join([*lines[:n], raw, *lines[n + 1 :]]))
        opened = agent.open(path)
        list(opened)
        assert not opened.problems["unreadable"], value
        agent.look(path)
        agent.reader.facts(raw)
        agent.reader.render(raw)
        try:
            list(agent.reader.heard(raw))
        except ValueError:
            assert not isinstance(value, dict), value


@pytest.mark.parametrize("share", range(SHARES))
@pytest.mark.parametrize("client", MAKERS)
def test_no_odd_field_ends_a_verb(tmp_path: Path, client: str, share: int) -> None:
    machine, session, path = MAKERS[client](tmp_path)
    machine.git("init", "-q", "-b", "main")
    lines = path.read_bytes().splitlines(keepends=True)
    added: dict[int, list[bytes]] = {}
    for n, _, raw in mutants(lines, share):
        added.setdefault(n, []).append(raw)
    path.write_bytes(b"".join(b"".join([line, *added.get(n, [])]) for n, line in enumerate(lines)))
    place = f"t:{len(lines)}"
    for verb in VERBS:
        words = [{"FILE": str(path), "ID": session, "PLACE": place}.get(w, w) for w in verb]
        said = machine.onward(*words)
        assert said.code != BUG, (verb, said.err)
        assert verb[:1] not in {("distill",), ("brief",)} or said.code == 0, said.err


def test_a_record_that_no_rule_can_read_is_skipped_and_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine, _, path = claude_code(tmp_path)
    before = sum(isinstance(event, Reply) for event in registry.open_transcript(path))
    feed, broken = reading.Reading.feed, iter([False, True, True])

    def fed(self: Any, line: int, record: Any) -> Iterable[Event]:
        if record.type == "assistant" and next(broken, False):
            raise AttributeError
        yield from feed(self, line, record)

    monkeypatch.setattr(reading.Reading, "feed", fed)
    opened = registry.open_transcript(path)
    assert 0 < sum(isinstance(event, Reply) for event in opened) <= before
    assert opened.problems["unreadable"] == 2
    assert opened.origin.problems == 2
    monkeypatch.undo()
    assert machine.onward("distill", str(path)).code == 0
