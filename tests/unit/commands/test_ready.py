"""A hand-over that lies ready is told in the same words as one that is worked out anew."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from onward.commands import handover
from onward.errors import InputError
from onward.hooks import context, detached, dispatch, entry, greeting, processes, start
from onward.hooks.environment import Here
from onward.storage import live
from onward.transcripts.hook_call import HookCall

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Scratch, Script

SESSION = "0b1c2d3e-4f50-4a61-8b72-9c83ad94be05"
OTHER = "0b1c2d3e-4f50-4a61-8b72-9c83ad94be06"

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there it is always worked out anew")


class Place:
    """A project in which a session has ended, and the next one starts."""

    def __init__(self, scratch: Scratch) -> None:
        self.scratch, self.root = scratch, scratch.root
        self.memory = scratch.root / ".claude/memory"
        self.later = 0.0

    @property
    def here(self) -> Here:
        here = Here({"ONWARD_DATA": str(self.scratch.data), "USER": "maria"}, "claude-code")
        here.now += self.later
        return here

    def call(self, event: str, session: str, detail: str) -> str:
        words = {"session": session, "project": str(self.root), "event": event, "detail": detail}
        return dispatch.run(
            HookCall(transcript=str(self.scratch.transcript), pid=os.getpid(), **words),
            self.here,
        )

    def end(self, detail: str = "prompt_input_exit") -> None:
        self.call("end", SESSION, detail)

    def start(self, detail: str = "startup") -> str:
        return self.call("start", OTHER, detail)

    def saves(self, session: str, seconds: float = 0.0) -> None:
        """A save as its verb records it."""
        file = self.root / "memory/checkpoints/add-login.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("# Checkpoint: add-login\n")
        at = str(self.here.now + seconds)
        lines = ("checkpoint", "add-login", str(self.root), str(file), "0", at, "2")
        live.put(str(self.scratch.data), session, "saved", *lines)

    def beside(self, name: str, *, first: bool = False) -> None:
        """Another backup, of a word and its answer."""
        other, marker = self.memory / "raw" / name, self.memory / ".pending-backup"
        shutil.copy(self.backup, other)
        with (self.memory / ".backup-log").open("a") as log:
            log.write(f"2999-01-01T10:00:00+00:00 saved {name} session=x reason= bytes=1 trivial\n")
        lines = [f"{other}\n", marker.read_text()]
        marker.write_text("".join(lines if first else reversed(lines)))

    @property
    def record(self) -> Path:
        return self.scratch.data / "live" / SESSION / "handover"

    @property
    def backup(self) -> Path:
        [found] = (self.memory / "raw").glob("*.jsonl")
        return found


@pytest.fixture
def place(scratch: Scratch, monkeypatch: pytest.MonkeyPatch) -> Place:
    made = Place(scratch)
    monkeypatch.setattr(processes, "later", lambda _, kind, job: detached.run(kind, job, made.here))
    monkeypatch.setattr(detached, "_LATE", 0.0)
    (scratch.root / "notes.txt").write_text("one\n")
    (scratch.root / ".gitignore").write_text(".claude/\n")
    scratch.commit("Add notes")
    return made


def both(place: Place, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """What is told from what lies ready ("" where nothing does), and what is worked out."""
    with monkeypatch.context() as patch:
        patch.setattr(greeting, "text", lambda *_: "")
        light = place.start()
    with monkeypatch.context() as patch:
        patch.setattr(start, "prepared", lambda *_: "")
        return light, place.start()


def test_a_resume_of_the_copy_need_not_read_it(place: Place) -> None:
    place.end()
    world = context.world(place.here, str(place.root))
    written = place.backup.stat().st_ctime
    assert handover.prepared(world, SESSION, since=written) is not None


@pytest.mark.parametrize("seconds", [0, 61, 7200, 300_000])
@pytest.mark.parametrize("reason", ["prompt_input_exit", "clear", "other", "lost", ""])
def test_where_nothing_changed_it_is_told_in_the_same_words(
    place: Place, monkeypatch: pytest.MonkeyPatch, seconds: float, reason: str
) -> None:
    place.end(reason)
    place.later = seconds
    light, full = both(place, monkeypatch)
    assert light == full
    assert "Add a login with JWT" in light
    assert "SESSION_BACKUP_PENDING" in light


def test_after_clear_too_but_not_where_a_client_brings_the_history(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.end()
    monkeypatch.setattr(greeting, "text", lambda *_: "worked out")
    assert "Add a login with JWT" in place.start("clear")
    for detail in ("resume", "fork", "compact", ""):
        assert place.start(detail) == "worked out"


def test_a_word_and_its_answer_do_not_stand_before_it(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.end()
    before = both(place, monkeypatch)
    place.beside("29990101_100000.jsonl")
    assert both(place, monkeypatch) == before
    assert before[0] == before[1] != ""


def test_what_it_was_saved_as_before_is_told_in_both(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.saves(SESSION, -60.0)
    monkeypatch.setattr("onward.hooks.triage.is_settled", lambda *_: False)
    place.end()
    light, full = both(place, monkeypatch)
    assert light == full
    assert "Saved before that: `add-login`; 2 prompts since." in light


def conflict(place: Place) -> None:
    for branch in ("one", "two"):
        place.scratch.git("checkout", "-q", "-b", branch, "main")
        (place.root / "notes.txt").write_text(f"by {branch}\n")
        place.scratch.commit(f"From {branch}")
    merged = ["git", "-C", str(place.root), "merge", "-q", "one"]
    assert subprocess.run(merged, check=False, capture_output=True).returncode


CHANGES: dict[str, Callable[[Place], object]] = {
    "a recorded file": lambda p: (p.root / "src/auth.py").write_text("def login():\n    pass\n"),
    "a recorded file is gone": lambda p: (p.root / "src/auth.py").unlink(),
    "a file that nobody recorded": lambda p: (p.root / "notes.txt").write_text("two\n"),
    "a new file": lambda p: (p.root / "new.txt").write_text("new\n"),
    "a commit": lambda p: p.scratch.git("commit", "-q", "--allow-empty", "-m", "Empty"),
    "a branch": lambda p: p.scratch.git("checkout", "-q", "-b", "other"),
    "no branch": lambda p: p.scratch.git("checkout", "-q", "--detach"),
    "a merge that stopped": conflict,
    "a rebase that stopped": lambda p: (p.root / ".git/rebase-merge").mkdir(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_changed_is_told(
    place: Place, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    place.end()
    light, unchanged = both(place, monkeypatch)
    assert light == unchanged
    CHANGES[change](place)
    light, full = both(place, monkeypatch)
    assert full != unchanged
    assert light == ""


def test_one_that_was_uncommitted_already_counts(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = place.root / "src/auth.py"
    file.write_text("def login():\n    return 1\n")
    place.end()
    assert both(place, monkeypatch)[0]
    file.write_text("def login():\n    return 2\n")
    light, full = both(place, monkeypatch)
    assert light == ""
    assert "`src/auth.py` was changed" in full


QUIET: dict[str, Callable[[Place], object]] = {
    "an index that is written anew": lambda p: p.scratch.git("read-tree", "HEAD"),
    "another file of ours": lambda p: (p.memory / "active-context.md").write_text("# Context\n"),
    "an ignored file": lambda p: (p.root / ".claude/other").write_text("x"),
}


@pytest.mark.parametrize("change", QUIET)
def test_what_is_no_drift_changes_nothing(
    place: Place, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    place.end()
    before = both(place, monkeypatch)
    QUIET[change](place)
    assert both(place, monkeypatch) == before


def again(place: Place) -> None:
    name = place.backup.name.replace(".jsonl", "-2.jsonl")
    shutil.copy(place.backup, place.backup.with_name(name))
    marker = place.memory / ".pending-backup"
    marker.write_text(f"{place.memory}/raw/{name}\n{marker.read_text()}")


def linked(place: Place) -> None:
    backup = place.backup
    backup.symlink_to(shutil.move(backup, place.root / "elsewhere.jsonl"))


def renamed(place: Place, name: str) -> None:
    place.backup.rename(place.memory / "raw" / name)
    (place.memory / ".pending-backup").write_text(f"{place.memory}/raw/{name}\n")
    log = place.memory / ".backup-log"
    log.write_text(f"2026-03-01T10:00:00+00:00 saved {name} session={SESSION} reason=\n")


def stale(place: Place) -> None:
    marker = place.memory / ".pending-backup"
    marker.write_text(f"{marker.read_text()}/gone.jsonl\n")


def cut(place: Place) -> None:
    place.record.write_text("\n".join(place.record.read_text().split("\n")[:-3]) + "\n")


ODD: dict[str, Callable[[Place], object]] = {
    "no record": lambda p: p.record.unlink(),
    "a torn record": cut,
    "an odd record": lambda p: p.record.write_text("a\nb\nc\nd\ne\nf\nend\n"),
    "another release": lambda p: p.record.write_text(f"0{p.record.read_text()}"),
    "a record of before": lambda p: os.utime(p.record, (1, 1)),
    "settings": lambda p: (p.root / "onward.toml").write_text("[hooks]\nhandover = false\n"),
    "a stale line": stale,
    "another marker": lambda p: (p.memory / ".pending-backup-exit").write_text("/gone.jsonl\n"),
    "a second one of this second": again,
    "a relative line": lambda p: (p.memory / ".pending-backup").write_text(
        f".claude/memory/raw/{p.backup.name}\n"
    ),
    "a name of somebody else": lambda p: renamed(p, "session.jsonl"),
    "a name like a secret": lambda p: renamed(p, f"20260301_100000_{'ghp_' + 'a' * 36}.jsonl"),
    "a link": linked,
    "no log": lambda p: (p.memory / ".backup-log").unlink(),
    "an empty backup": lambda p: p.backup.write_text(""),
    "a note that came later": lambda p: (p.record.parent / live.NOTE).write_text("{}"),
    "a save that came later": lambda p: p.saves(OTHER, 60.0),
    "a word and its answer on top": lambda p: p.beside("29990101_100000.jsonl", first=True),
}


@pytest.mark.parametrize("case", ODD)
def test_all_that_is_odd_is_looked_at_closely(
    place: Place, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    place.end()
    ODD[case](place)
    assert both(place, monkeypatch)[0] == ""


def test_a_session_without_work_is_told_in_two_lines(
    place: Place, monkeypatch: pytest.MonkeyPatch, empty_session: type[Script]
) -> None:
    script = empty_session(place.root, SESSION)
    script.user("hello")
    script.says("Hello! What shall we do?")
    script.write(place.scratch.transcript)
    place.end()
    light, full = both(place, monkeypatch)
    assert light == full
    assert len(light.splitlines()) == 2


def test_what_changes_while_it_is_made_ready_is_not_taken_for_told(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = handover._text

    def slow(*words: object) -> object:
        made = text(*words)  # type: ignore[arg-type]
        (place.root / "notes.txt").write_text("meanwhile\n")
        return made

    monkeypatch.setattr(handover, "_text", slow)
    place.end()
    assert not place.record.exists()


def test_a_session_that_goes_on_has_nothing_ready_until_it_is_prepared_again(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.end()
    assert place.record.exists()
    monkeypatch.setattr("onward.commands.handover._distilled", lambda *_: refuse())
    detached.run("prepare", job(place), place.here)
    assert not place.record.exists()
    assert "no hand-over was prepared" in (Path(place.here.data) / "hooks.log").read_text()


def refuse() -> None:
    raise InputError("no")


def job(place: Place) -> dict[str, str]:
    transcript = str(place.scratch.transcript)
    return {"project": str(place.root), "session": SESSION, "transcript": transcript}


def test_the_record_is_private_and_holds_no_secret(place: Place, planted: str) -> None:
    place.scratch.git("checkout", "-q", "-b", planted)
    (place.root / planted).write_text("x\n")
    place.end()
    assert planted not in place.record.read_text()
    assert place.record.stat().st_mode & 0o777 == 0o600
    assert live.get(str(place.scratch.data), SESSION, "handover")[-1] == "end"


def test_git_that_never_answers_holds_up_nothing(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.end()
    tools = place.scratch.home / "bin"
    tools.mkdir()
    (tools / "git").write_text("#!/bin/sh\nexec sleep 60\n")
    (tools / "git").chmod(0o755)
    monkeypatch.setattr("onward.repo.invocation._LIMIT", 0.1)
    monkeypatch.setattr(greeting, "text", lambda *_: "worked out")
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    before = time.monotonic()
    assert place.start() == "worked out"
    assert time.monotonic() - before < 30


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="names of CPython's modules")
def test_it_imports_next_to_nothing(place: Place) -> None:
    place.end()
    program = f"""
import sys
sys.path.append({str(Path(entry.__file__).parents[2])!r})
from onward.transcripts.hook_call import HookCall
from onward.hooks import dispatch
from onward.hooks.environment import Here
bare = set(sys.modules)
call = HookCall(event="start", session={OTHER!r}, project={str(place.root)!r}, pid=1,
                transcript="/nowhere", detail="startup")
told = dispatch.run(call, Here({{"ONWARD_DATA": {str(place.scratch.data)!r}}}))
assert "Add a login with JWT" in told
print(*sorted(name for name in set(sys.modules) - bare if not name.startswith("onward")))
"""
    words = [sys.executable, "-I", "-S", "-c", program]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= {"_blake2", "fcntl", "select"}
