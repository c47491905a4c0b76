"""What is saved without being asked: the four signals, and that nobody sees any of it."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator

import pytest
from tests.e2e.kit.lab import Lab
from tests.e2e.kit.model import Answer, Call, Request
from tests.e2e.kit.saved import (
    CHECKPOINTS,
    SMALL,
    autosaved,
    bash,
    entries,
    filled,
    say,
    signals,
    wait_signals,
    write,
)
from tests.e2e.kit.session import ASKED, DONE, FREE, begin, leave, turn, worked
from tests.e2e.kit.terminal import Window, until

NAMED = "# Checkpoint: lay-the-keel\n**Task:** Lay the keel\n\n## Next Action\nFetch the adze\n"
MINE = ("autosave.md", "autosave-log.md", "lay-the-keel.md")
SECONDS = "idle-minutes = 0.04\n"  # 2.4 s
UNSEEN = ("onward", "autosave", "hook")


@pytest.fixture
def lab(lab: Lab) -> Iterator[Lab]:
    """A lab with the hooks in its project and a checkpoint that somebody named: no autosave may
    change that one, or leave anything else beside it.
    """
    lab.install("--project")
    named = lab.write(str(CHECKPOINTS / "lay-the-keel.md"), NAMED)
    before = named.stat()
    yield lab
    after = named.stat()
    assert (named.read_text(), after.st_mtime_ns, after.st_ino) == (
        NAMED,
        before.st_mtime_ns,
        before.st_ino,
    )
    there = {path.name for path in named.parent.iterdir() if path.suffix == ".md"}
    assert there <= set(MINE)


def settings(lab: Lab, lines: str) -> None:
    """The project's own settings of the hooks."""
    lab.write("onward.toml", f"[hooks]\n{lines}")


def headless(lab: Lab, prompt: str, *answers: Answer | str, words: tuple[str, ...] = ()) -> None:
    """One headless run and what it leaves to be done."""
    lab.model.script(answers)
    assert lab.headless(prompt, FREE, *words).code == 0
    lab.wait_quiet()


def sleepers(lab: Lab) -> list[str]:
    """The shells that wait beside sessions."""
    return [each.line for each in lab.processes() if "idle.sh" in each.line]


# -------------------------------------------------------------------- the context


LARGER = {
    "by the model": ("claude-opus-4-8", 1_000_000, ""),
    "by the settings": (SMALL[1], 400_000, "context-window = 400_000\n"),
}


@pytest.mark.parametrize("kind", LARGER)
def test_a_larger_context_takes_longer_to_fill(lab: Lab, kind: str) -> None:
    model, window, lines = LARGER[kind]
    settings(lab, lines)
    words: tuple[str, ...] = ("--model", model)
    for percent, saved in ((70, []), (72, ["context"])):
        steps = filled(60, "", write(lab), window=window), filled(percent, DONE, window=window)
        headless(lab, ASKED, *steps, words=words)
        assert signals(lab) == saved
        words = (*words, "--continue")


def test_the_fuller_the_context_the_newer_the_autosave(lab: Lab) -> None:
    window = begin(lab, *SMALL)
    say(lab, window, ASKED, filled(60, "", write(lab)), filled(70, DONE))
    assert signals(lab) == []
    say(lab, window, "Now the mast", filled(72, "The mast is up."))
    assert signals(lab) == ["context"]
    first = autosaved(lab)
    assert "Now the mast" in first, "the turn that crossed the line is in it"
    say(lab, window, "Now the rudder", filled(74, "The rudder hangs."))
    assert autosaved(lab) == first
    say(lab, window, "Now the tiller", filled(79, "The tiller is set."))
    assert signals(lab) == ["context", "context"]
    assert "Now the tiller" in autosaved(lab)
    leave(window)


# ------------------------------------------------------------------------ farewell


STAYS = ("what does exit code 2 mean", "add a logout button", "Thanks, goodnight")
LEAVES = ("Goodnight!", "晚安", "明天见")


def test_only_a_farewell_is_one(lab: Lab) -> None:
    window = begin(lab)
    say(lab, window, ASKED, *turn(lab))
    for prompt in STAYS:
        say(lab, window, prompt)
    assert signals(lab) == []
    for count, prompt in enumerate(LEAVES, 1):
        transcript = say(lab, window, prompt)
        assert wait_signals(lab, count) == ["farewell"] * count
    assert {entry.session for entry in entries(lab)} == {transcript.stem[:8]}
    assert ASKED in autosaved(lab)
    leave(window)


def test_a_farewell_without_a_terminal_is_one_too(lab: Lab) -> None:
    """In a terminal the word `exit` never comes so far: the client takes it for its command."""
    worked(lab)
    headless(lab, "exit", words=("--continue",))
    assert signals(lab) == ["farewell"]
    assert ASKED in autosaved(lab)


# ---------------------------------------------------------------------------- idle


def test_a_session_that_is_left_alone_is_saved_and_stays_open(lab: Lab) -> None:
    settings(lab, SECONDS)
    window = begin(lab)
    say(lab, window, ASKED, *turn(lab))
    assert wait_signals(lab, 1) == ["idle"]
    assert sleepers(lab) == []
    first = autosaved(lab)
    assert ASKED in first
    say(lab, window, "Now the rudder", "The rudder hangs.")
    assert wait_signals(lab, 2) == ["idle", "idle"]
    assert "Now the rudder" in autosaved(lab)
    assert window.alive
    leave(window)


ENDS: dict[str, Callable[[Window], None]] = {
    "at its end": leave,
    "when it is killed": lambda window: window.kill(signal.SIGKILL),
}


@pytest.mark.parametrize("way", ENDS)
def test_whoever_waits_for_idleness_goes_with_the_session(lab: Lab, way: str) -> None:
    settings(lab, "idle-minutes = 0.1\n")
    window = begin(lab)
    say(lab, window, ASKED, *turn(lab))
    assert len(sleepers(lab)) == 1
    ENDS[way](window)
    window.wait_dead()
    until(lambda: not sleepers(lab), lambda: str(sleepers(lab)), 10)
    lab.wait_quiet()
    assert signals(lab) == []


# ---------------------------------------------------------------- a long operation


LONG: dict[str, dict[str, object]] = {
    "a timeout over 30 s": {"timeout": 31_000},
    "in the background": {"run_in_background": True},
}
UNTIL_SAVED = f"until [ -e {CHECKPOINTS}/autosave.md ]; do sleep 0.1; done; touch saved-first"


@pytest.mark.parametrize("kind", LONG)
def test_a_long_command_finds_the_state_saved(lab: Lab, kind: str) -> None:
    """The command itself ends only once there is an autosave."""
    call = bash(UNTIL_SAVED, **LONG[kind])
    headless(lab, ASKED, Answer("", (write(lab),)), Answer("", (call,)), DONE)
    lab.wait_file("saved-first")
    assert signals(lab) == ["long"]
    assert "seams.md" in autosaved(lab)


def test_a_short_command_saves_nothing(lab: Lab) -> None:
    calls = (bash("true"), bash("true", timeout=30_000), bash('echo "run_in_background":true'))
    headless(lab, ASKED, Answer("", (write(lab),)), Answer("", calls), DONE)
    assert not autosaved(lab)


# ------------------------------------------------------------- in none of our ways


def test_a_session_without_work_leaves_no_trace(lab: Lab) -> None:
    settings(lab, SECONDS)
    headless(lab, "goodnight")
    headless(lab, "Hello", filled(80, "Ahoy."), words=SMALL)
    window = begin(lab)
    say(lab, window, "晚安")
    until(lambda: not sleepers(lab), lambda: str(sleepers(lab)), 20)
    lab.wait_quiet()
    assert not autosaved(lab)
    assert signals(lab) == []
    leave(window)


def test_what_a_sub_agent_does_is_no_signal(lab: Lab) -> None:
    given = {"description": "Sound", "prompt": "How deep?", "subagent_type": "general-purpose"}
    main = iter([Answer("", (write(lab),)), Answer("", (Call("Agent", given),)), Answer(DONE)])
    helper = iter([filled(75, "", bash("sleep 0.1", timeout=60_000)), filled(90, "Goodnight.")])

    def answers(request: Request) -> Answer | None:
        said = {"main": main, "helper": helper}.get(request.kind)
        return next(said, None) if said else None

    lab.model.script(answers)
    lab.headless(ASKED, FREE, *SMALL)
    lab.wait_quiet()
    assert len(lab.requests("helper")) == 2
    assert not autosaved(lab)
    assert not (lab.project / "memory" / "working-buffer.md").exists()


def voyage(lab: Lab) -> tuple[list[str], str]:
    """A session with three signals; what the model was sent last, and all that was on the screen."""
    settings(lab, "handover = false\n")
    window = begin(lab, *SMALL)
    say(lab, window, ASKED, filled(60, "", write(lab)), filled(75, DONE))
    say(
        lab,
        window,
        "Run the tests",
        filled(75, "", bash("true", timeout=60_000)),
        filled(76, "Green."),
    )
    say(lab, window, "goodnight", filled(76, "Sleep well."))
    say(lab, window, "What now?", "Nothing.")
    shown = screen_of(window)
    texts = [text for place, text in lab.requests()[-1].said if place.startswith("messages")]
    leave(window)
    commit = lab.git("rev-parse", "--short", "HEAD").strip()
    return [t.replace(lab.project.name, "ship").replace(commit, "0") for t in texts], shown


def screen_of(window: Window) -> str:
    return window.tmux("capture-pane", "-p", "-S", "-", "-t", window.pane)


def test_neither_the_person_nor_the_agent_sees_any_of_it(lab: Lab) -> None:
    """The same words in a project whose hooks are off give the same requests."""
    told, shown = voyage(lab)
    assert signals(lab) == ["context", "long", "farewell"]
    assert not [word for word in UNSEEN if word in shown.casefold()], shown
    lab.folder("oars")
    lab.install("--project")
    lab.write(str(CHECKPOINTS / "lay-the-keel.md"), NAMED)
    lab.write(".claude/settings.local.json", json.dumps({"disableAllHooks": True}))
    without, _ = voyage(lab)
    assert signals(lab) == []
    assert told == without
