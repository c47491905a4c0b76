"""End-to-end kit: what onward saved without being asked, and the turns that make it do so."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from tests.e2e.kit.lab import Lab, conversation, records
from tests.e2e.kit.model import Answer, Call
from tests.e2e.kit.terminal import Window, until

CHECKPOINTS = Path("memory", "checkpoints")
SMALL = ("--model", "claude-sonnet-4-5")
"""A model with a context of 200,000 tokens in both clients."""
_WINDOW = 200_000


class Entry(NamedTuple):
    """A line of the autosave's log."""

    signal: str
    session: str
    task: str


def entries(lab: Lab) -> list[Entry]:
    """The lines of the autosave's log, the newest last."""
    log = lab.project / CHECKPOINTS / "autosave-log.md"
    lines = log.read_text("utf-8").splitlines() if log.exists() else []
    return [Entry(*line.split(" · ")[1:4]) for line in lines]


def signals(lab: Lab) -> list[str]:
    """The signals that were logged, the newest last."""
    return [entry.signal for entry in entries(lab)]


def wait_signals(lab: Lab, count: int) -> list[str]:
    """The same, once there are so many and nobody is at work any more."""
    until(lambda: len(entries(lab)) >= count, lambda: f"{count} in {entries(lab)}", 20)
    lab.wait_quiet()
    return signals(lab)


def autosaved(lab: Lab) -> str:
    """The text of the autosave; "" where there is none."""
    path = lab.project / CHECKPOINTS / "autosave.md"
    return path.read_text("utf-8") if path.exists() else ""


def filled(percent: float, text: str = "", *calls: Call, window: int = _WINDOW) -> Answer:
    """An answer behind which the context is so full."""
    tokens = {"input_tokens": round(window * percent / 100) - 50, "output_tokens": 50}
    return Answer(text, calls, usage=tokens)


def write(lab: Lab, name: str = "seams.md") -> Call:
    """A tool call that is work."""
    return Call("Write", {"file_path": str(lab.project / name), "content": "Oakum, pitch\n"})


def bash(command: str, **more: object) -> Call:
    """A tool call of the shell."""
    return Call("Bash", {"command": command, "description": "Go", **more})


def say(lab: Lab, window: Window, prompt: str, *answers: Answer | str) -> Path:
    """One whole turn in a window, its hooks with it; the session's transcript. Without answers
    the agent says a word.
    """
    last = f"Aye, number {len(lab.requests())}."
    lab.model.script(answers or [last])
    if answers:
        end = answers[-1]
        last = end.text if isinstance(end, Answer) else end
    before = _turns(lab)
    window.still()
    window.type(prompt)
    until(lambda: _turns(lab) > before, lambda: f"the end of {last!r}", 40)
    transcript = lab.transcripts()[-1]
    assert last in conversation(transcript)
    lab.wait_quiet()
    return transcript


def _turns(lab: Lab) -> int:
    """How many turns the client has closed in windows, which it does after their hooks."""
    found = (each for path in lab.transcripts() for each in records(path.read_bytes()))
    return sum(each.get("subtype") == "turn_duration" for each in found)
