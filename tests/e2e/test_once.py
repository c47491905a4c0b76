"""Registered as often as can be, each event's work is done once; and what goes on after the
client's end is done once as well, and leaves nothing that runs.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.e2e.kit import breakage
from tests.e2e.kit.lab import Lab
from tests.e2e.kit.model import Answer, Call
from tests.e2e.kit.processes import Process
from tests.e2e.kit.session import ASKED, DONE, FREE, HOW, PENDING, begin, leave, turn, work
from tests.e2e.kit.terminal import Window, until

PLUGIN = Path(__file__).resolve().parents[2] / "plugins" / "onward"
KEEP = "Facts recorded by onward"
RULE = "From now on always use oakum, never tar."


def sleepers(lab: Lab) -> list[Process]:
    return [each for each in lab.processes() if "idle.sh" in each.line]


def saved(lab: Lab) -> int:
    """How many backups the document's log tells of."""
    return lab.memory(".backup-log").read_text().count(" saved ")


def autosaves(lab: Lab) -> list[str]:
    """The signals of all autosaves, in order."""
    log = lab.project / "memory/checkpoints/autosave-log.md"
    lines = log.read_text().splitlines() if log.exists() else []
    return [line.split(" · ")[1] for line in lines if line.startswith("- ")]


@pytest.fixture
def calls(lab: Lab) -> Callable[[str], int]:
    """How often a Python was started for an event, in a lab with all three registrations."""
    lab.install("--project")
    lab.install("--user")
    return breakage.counted(lab)


@pytest.fixture
def window(lab: Lab, calls: Callable[[str], int]) -> Window:
    """The client in a terminal, with the plugin besides."""
    found = begin(lab, "--plugin-dir", str(PLUGIN))
    assert calls("start") == 3
    return found


def test_a_turn_is_worked_on_once(lab: Lab, window: Window, calls: Callable[[str], int]) -> None:
    work(lab, window)
    lab.wait_quiet()
    assert (calls("prompt"), calls("turn")) == (3, 3)
    assert len(sleepers(lab)) == 1
    slow = Call("Bash", {"command": "true", "timeout": 60_000, "description": "Wait"})
    lab.model.script([Answer("Noted.", (slow,)), "Oakum it is."])
    window.type(RULE)
    lab.wait_written("Oakum it is.")
    lab.wait_quiet()
    assert (calls("prompt"), calls("tool"), calls("turn")) == (6, 3, 6)
    assert autosaves(lab) == ["long"]
    assert (lab.project / "SESSION-STATE.md").read_text().count("always use oakum") == 1
    assert len(sleepers(lab)) == 1
    leave(window)
    lab.wait_quiet()
    assert not sleepers(lab)


def test_an_end_is_kept_once_and_told_once(
    lab: Lab, window: Window, calls: Callable[[str], int]
) -> None:
    work(lab, window)
    leave(window)
    lab.wait_quiet()
    assert calls("end") == 3
    assert (len(lab.raws()), len(lab.pending()), saved(lab)) == (1, 1, 1)
    assert lab.memory("active-context.md").read_text().count("Session ended") == 1
    lab.headless("What now?", "--plugin-dir", str(PLUGIN))
    assert calls("start") == 6
    told = lab.requests()[-1].text
    assert (len(PENDING.findall(told)), told.count(HOW)) == (1, 1)
    assert told.count("Previous session here") == 1


def test_a_compaction_is_kept_once_and_told_once(
    lab: Lab, window: Window, calls: Callable[[str], int]
) -> None:
    work(lab, window)
    lab.model.script(["Plank five is caulked."])  # 2.1.197 compacts no single exchange
    window.type("Go on with plank five")
    lab.wait_written("Plank five is caulked.")
    window.still()
    window.type("/compact")
    request = lab.model.wait("compact")
    window.wait("Compacted|compacted")
    window.still()
    lab.wait_quiet()
    assert (calls("compact"), calls("start")) == (3, 6)
    assert request.text.count(KEEP) == 1
    assert (len(lab.raws()), saved(lab)) == (1, 1)
    lab.model.script(["Let me see."])
    window.type("What now?")
    told = lab.model.wait(count=4).text
    assert (len(PENDING.findall(told)), told.count(HOW)) == (1, 1)
    lab.wait_written("Let me see.")
    leave(window)


def prepared(lab: Lab) -> list[Path]:
    """The hand-overs that are ready."""
    return list(lab.data.glob("live/*/checkpoint.json"))


def detached(lab: Lab) -> list[Process]:
    return [each for each in lab.processes() if each.line.endswith("entry.py claude-code later")]


class Gate:
    """git, that waits in a detached child of a hook until the gate is opened."""

    def __init__(self, lab: Lab) -> None:
        self.open = lab.top / "open"
        self.came = lab.top / "came"
        breakage.program(
            lab.home / ".local/bin/git",
            f"""case $(tr '\\0' ' ' </proc/$PPID/cmdline) in
  *"claude-code later "*)
    echo "$PPID" >>{self.came}
    until [ -e {self.open} ]; do sleep 0.02; done ;;
esac
exec /usr/bin/git "$@" """,
        )

    @property
    def children(self) -> set[str]:
        """The children that came to it."""
        return set(self.came.read_text().split()) if self.came.exists() else set()


@pytest.fixture
def gate(lab: Lab) -> Gate:
    lab.install("--project")
    return Gate(lab)


def headless(lab: Lab) -> None:
    lab.model.script(turn(lab))
    assert lab.headless(ASKED, FREE).code == 0


def in_a_window(ends: Callable[[Window], None]) -> Callable[[Lab], None]:
    def run(lab: Lab) -> None:
        window = begin(lab)
        work(lab, window)
        window.still()
        ends(window)
        window.wait_dead()

    return run


ENDS: dict[str, Callable[[Lab], None]] = {
    "headless": headless,
    "exit": in_a_window(lambda window: window.type("/exit")),
    "closed terminal": in_a_window(Window.close_pane),
    "SIGTERM": in_a_window(lambda window: window.kill(signal.SIGTERM)),
}


@pytest.mark.parametrize("end", ENDS)
def test_a_child_outlives_the_client_and_works_once(lab: Lab, gate: Gate, end: str) -> None:
    ENDS[end](lab)
    until(lambda: gate.children, lab.report, 20)
    assert not prepared(lab), "the client is gone before the work is done"
    assert len(lab.pending()) == 1, "the copy waits for nobody"
    assert len(detached(lab)) == 1
    gate.open.touch()
    lab.wait_quiet()
    assert [path.read_text().count(DONE) > 0 for path in prepared(lab)] == [True]
    assert len(gate.children) == 1
    assert saved(lab) == 1
    assert all(" saved " in line or " renewed " in line for line in lab.log().splitlines())
    assert not lab.windows or lab.tmux("kill-server") == ""
    until(lambda: not lab.processes(), lambda: str(lab.processes()), 20)


def test_a_start_does_not_wait_for_a_child_that_still_works(lab: Lab, gate: Gate) -> None:
    headless(lab)
    until(lambda: gate.children, lab.report, 20)
    lab.model.script(["Let me see."])
    assert lab.headless("What now?").text == "Let me see."
    told = lab.requests()[-1]
    assert len(PENDING.findall(told.text)) == 1
    assert told.where(ASKED), "the hand-over is made from the copy itself"
    gate.open.touch()
    lab.wait_quiet()
    assert len(prepared(lab)) == 1
