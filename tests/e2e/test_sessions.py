"""Several sessions in one project, and each in several parts: none hides or loses another."""

from __future__ import annotations

import json
import signal
import threading
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.e2e.kit.lab import Lab, conversation
from tests.e2e.kit.model import Answer, Call
from tests.e2e.kit.session import (
    ASKED,
    DONE,
    PENDING,
    assert_whole,
    backup_in,
    begin,
    leave,
    next_start,
    turn,
    work,
    worked,
)
from tests.e2e.kit.terminal import Window

OTHER = "Splice the mainsheet"
SPLICED = "The mainsheet is spliced."
MORE = "Caulk the garboard as well"
SEALED = "The garboard is caulked."
MANY = 3  # that end within a second: two of them in the same one


@pytest.fixture
def lab(lab: Lab) -> Lab:
    """A lab with the hooks in its project."""
    lab.install("--project")
    return lab


def two_that_ended(lab: Lab) -> tuple[Path, Path]:
    """The transcripts of two sessions that wait to be resumed, the newest last."""
    first = worked(lab)
    second = worked(lab, OTHER, SPLICED)
    assert [raw.read_bytes() for raw in lab.pending()] == [second.read_bytes(), first.read_bytes()]
    return first, second


def sessions_of(lab: Lab) -> list[str]:
    """The ids of the sessions whose backups are pending, the newest first."""
    found = json.loads(lab.onward("backup", "list", "--json"))
    return [each["session"] for each in found if each["pending"]]


# ------------------------------------------------------------------ two at once


def test_of_two_terminals_the_killed_one_is_offered_and_the_living_one_left_alone(
    lab: Lab,
) -> None:
    killed, living = begin(lab), begin(lab)
    lost = work(lab, killed)
    other = work(lab, living, OTHER, SPLICED)
    killed.kill(signal.SIGKILL)
    killed.wait_dead()
    request = next_start(lab)
    assert_whole(backup_in(request, lab), lost)
    assert not any(SPLICED in conversation(raw) for raw in lab.raws())
    work(lab, living, MORE, SEALED)
    leave(living)
    lab.wait_quiet()
    assert_whole(lab.pending()[0], other)
    assert lost.stem in sessions_of(lab)


def test_two_sessions_that_ended_both_wait_and_each_names_its_session(lab: Lab) -> None:
    first, second = two_that_ended(lab)
    assert sessions_of(lab) == [second.stem, first.stem]
    assert_whole(backup_in(next_start(lab), lab), second)


def by_hand(verb: str) -> Callable[[Lab], str]:
    return lambda lab: lab.onward("backup", verb, errors=True)


def typed(command: str) -> Callable[[Lab], str]:
    """The slash command in a window, which stays open; what the agent sees of it."""

    def run(lab: Lab) -> str:
        count = len(lab.requests())
        lab.model.script(["That is done."])
        window = begin(lab)
        window.type(command)
        window.wait("That is done")
        return lab.requests()[count].text

    return run


DISCARD = {"onward backup discard": by_hand("discard"), "/discard-backup": typed("/discard-backup")}
RESUME = {"onward backup resume": by_hand("resume"), "/resume-latest": typed("/resume-latest")}


@pytest.mark.parametrize("how", DISCARD)
def test_the_newest_backup_alone_is_discarded_and_the_other_one_is_told_of(
    lab: Lab, how: str
) -> None:
    first, _ = two_that_ended(lab)
    assert "1 more backup is pending (onward backup list)" in DISCARD[how](lab)
    assert sessions_of(lab) == [first.stem]
    (left,) = lab.raws()
    assert_whole(left, first)
    assert_whole(backup_in(next_start(lab), lab), first)


def test_the_one_of_a_number_is_resumed_and_the_newer_one_waits_on(lab: Lab) -> None:
    _, second = two_that_ended(lab)
    typed("/resume-latest 2")(lab)
    assert sessions_of(lab) == [second.stem]


@pytest.mark.parametrize("how", RESUME)
def test_the_newest_backup_alone_is_resumed_and_the_other_one_is_told_of(
    lab: Lab, how: str
) -> None:
    first, _ = two_that_ended(lab)
    told = RESUME[how](lab)
    assert OTHER in told
    assert "1 more backup is pending (onward backup list)" in told
    assert OTHER in lab.memory("active-context.md").read_text("utf-8")
    assert sessions_of(lab) == [first.stem]
    assert len(lab.raws()) == 2, "what was resumed stays on the disk"


def test_sessions_that_end_in_the_same_second_are_all_kept(lab: Lab) -> None:
    gate = threading.Barrier(MANY)
    lab.model.script([Answer(DONE, gate=lambda: gate.wait(60))] * MANY)
    with ThreadPoolExecutor(MANY) as pool:
        list(pool.map(lab.headless, [f"{ASKED}, side {side}" for side in range(MANY)]))
    lab.wait_quiet()
    seconds = {raw.name[:15] for raw in lab.raws()}
    assert len(seconds) < MANY, "they ended too far apart to tell anything"
    assert len(lab.pending()) == MANY
    assert sorted(map(conversation, lab.pending())) == sorted(map(conversation, lab.transcripts()))


def test_a_compaction_right_before_the_end_leaves_both_states_in_one_copy(lab: Lab) -> None:
    window = begin(lab)
    transcript = work(lab, window)
    work(lab, window, MORE, SEALED)
    before = conversation(transcript)
    window.still()
    window.type("/compact")
    window.wait("Compacted|compacted")
    leave(window)
    lab.wait_quiet()
    (backup,) = lab.pending()
    assert_whole(backup, transcript)
    assert conversation(backup).startswith(before)
    assert lab.raws() == [backup], "a copy that the newest one begins with is gone"


# ------------------------------------------------------------ markers and hiding


def test_a_stale_line_of_the_marker_goes_and_the_backup_behind_it_is_offered(lab: Lab) -> None:
    first, _ = two_that_ended(lab)
    lab.pending()[0].unlink()
    assert_whole(backup_in(next_start(lab), lab), first)
    assert all(raw.exists() for raw in lab.pending())


def test_a_marker_that_leads_nowhere_is_cleaned_and_nothing_is_offered(lab: Lab) -> None:
    lab.write(".claude/memory/.pending-backup", ".claude/memory/raw/20260101_000000.jsonl\n")
    window = begin(lab)
    window.type("What now?")
    assert not PENDING.search(lab.model.wait().text)
    assert not lab.memory(".pending-backup").exists()
    leave(window)


def look(lab: Lab) -> Window:
    """The window after `/resume-latest`, in which the question stands."""
    lab.model.script(["Ready to continue?", "Starting fresh."])
    window = begin(lab)
    window.type("/resume-latest")
    window.wait("Ready to continue")
    window.still()
    return window


def test_a_session_that_only_looked_hides_nothing(lab: Lab) -> None:
    _, second = two_that_ended(lab)
    before = lab.pending()
    leave(look(lab))
    lab.wait_quiet()
    assert lab.pending() == before
    assert_whole(backup_in(next_start(lab), lab), second)


def test_a_session_that_looked_and_said_no_hides_nothing(lab: Lab) -> None:
    first, _ = two_that_ended(lab)
    before = lab.pending()
    window = look(lab)
    window.type("no")
    window.wait("Starting fresh")
    leave(window)
    lab.wait_quiet()
    assert lab.requests()[-1].where("start fresh"), "the agent is told what the no means"
    assert lab.pending() == before[1:], "the answer stands: what was declined waits no more"
    assert lab.raws() == sorted(before), "nothing is deleted"
    assert_whole(backup_in(next_start(lab), lab), first)


# -------------------------------------------------------------- killed at any point


def hold(lab: Lab, *answers: Answer) -> Window:
    lab.model.script(answers)
    window = begin(lab)
    window.type(ASKED)
    return window


def before_the_first_answer(lab: Lab) -> Window:
    window = hold(lab, Answer(DONE, delay=60))
    lab.model.wait()
    lab.wait_written(ASKED)
    return window


def during_a_tool_call(lab: Lab) -> Window:
    waits = "touch began; until [ -e over ]; do sleep 0.1; done"
    call = Call("Bash", {"command": waits, "description": "Wait"})
    window = hold(lab, Answer("Waiting for the tide.", (call,)))
    lab.wait_written("Waiting for the tide.")
    lab.wait_file("began")
    return window


def between_two_tool_calls(lab: Lab) -> Window:
    window = hold(lab, turn(lab)[0], Answer(DONE, delay=60))
    lab.model.wait(count=2)
    lab.wait_written("tool_result")
    return window


def as_soon_as_the_answer_shows(lab: Lab) -> Window:
    window = hold(lab, *turn(lab))
    window.wait("Plank four is caulked")
    return window


def while_it_compacts(lab: Lab) -> Window:
    window = begin(lab)
    work(lab, window)
    work(lab, window, MORE, SEALED)
    lab.model.script(lambda request: Answer(delay=60) if request.kind == "compact" else None)
    window.still()
    window.type("/compact")
    lab.model.wait("compact")
    return window


def while_it_ends(lab: Lab) -> Window:
    window = begin(lab)
    work(lab, window)
    window.still()
    window.type("/exit")
    return window


POINTS: dict[str, Callable[[Lab], Window]] = {
    "before the first answer": before_the_first_answer,
    "during a tool call": during_a_tool_call,
    "between two tool calls": between_two_tool_calls,
    "as soon as the answer shows": as_soon_as_the_answer_shows,
    "while it compacts": while_it_compacts,
    "while it ends": while_it_ends,
}


@pytest.mark.parametrize("point", POINTS)
def test_a_session_that_is_killed_is_offered_whole(lab: Lab, point: str) -> None:
    window = POINTS[point](lab)
    window.kill(signal.SIGKILL)
    window.wait_dead()
    lab.write("over", "")  # whatever it left running
    before = [path.name for path in lab.transcripts()]
    request = next_start(lab, "/resume-latest")
    (transcript,) = (path for path in lab.transcripts() if path.name in before)
    assert_whole(backup_in(request, lab), transcript)
    assert request.where(ASKED)


# ------------------------------------------------------------------ taken up again


def test_an_unknown_session_leaves_nothing(lab: Lab) -> None:
    transcript = worked(lab)
    bare = lab.memory("active-context.md")
    bare.write_bytes(b"# Active Context\n")
    unknown = str(uuid.uuid4())
    assert lab.headless("Go on", "--resume", unknown).code == 1
    lab.wait_quiet()
    assert sessions_of(lab) == [transcript.stem]
    assert bare.read_bytes() == b"# Active Context\n", "no session ended here"
    assert unknown not in lab.log()


def test_what_a_resumed_session_adds_is_captured_and_the_shorter_copy_goes(lab: Lab) -> None:
    transcript = worked(lab)
    (shorter,) = lab.pending()
    window = begin(lab, "--resume", transcript.stem)
    lab.model.script([SEALED])
    window.type(MORE)
    lab.wait_written(SEALED)
    assert not PENDING.search(lab.requests()[-1].text), "it has all that is in its own backup"
    leave(window)
    lab.wait_quiet()
    (backup,) = lab.pending()
    assert_whole(backup, transcript)
    assert backup != shorter
    assert lab.raws() == [backup]
    assert_whole(backup_in(next_start(lab), lab), transcript)


def test_a_session_that_is_taken_up_and_left_without_a_word_stays_where_it_was(lab: Lab) -> None:
    first, second = two_that_ended(lab)
    leave(begin(lab, "--resume", first.stem))
    lab.wait_quiet()
    assert sessions_of(lab) == [second.stem, first.stem]
    assert_whole(backup_in(next_start(lab), lab), second)
