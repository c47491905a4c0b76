"""What one session took up is carried on in what is saved of it, and on into the next."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from onward.commands import autosave, handover, resume, source, thread
from onward.commands.world import World
from onward.errors import StorageError
from onward.model import Checkpoint, Draft, Item, Origin
from onward.redaction import Redactor
from onward.storage import atomic, live

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch, Script

LOOKED = "I looked at the failing test. It needs a key, which is not here."
HEADER = "Before that fix the typo in the header of README.md"
DECIDED = "Use RS256, not HS256"
NEXT = "Fix the failing test run: `pytest tests/test_auth.py`"
TASK = "Add the refresh endpoint"
REDACTOR = Redactor(b"key")


class Day:
    """One session, from its first prompt to its end."""

    def __init__(self, number: int, script: Script, scratch: Scratch, onward: Onward) -> None:
        self.number, self.script, self.scratch, self.onward = number, script, scratch, onward
        self.id = script.session
        self.transcript = scratch.transcript.with_name(f"{self.id}.jsonl")
        self.world = World(
            now=datetime(2026, 3, number, 16, tzinfo=UTC),
            cwd=scratch.root,
            home=scratch.home,
            data=scratch.data,
            env={"USER": "maria"},
        )

    def command(self, name: str, words: str = "") -> None:
        shown = f"<command-message>{name}</command-message>\n<command-name>/{name}</command-name>"
        self.script.user(f"{shown}\n<command-args>{words}</command-args>")

    def slash(self, name: str, words: str = "") -> str:
        """The command as its file runs it, and the agent's repeating of the question."""
        self.command(name, words)
        os.environ["CLAUDE_CODE_SESSION_ID"] = self.id
        sys.stdin = io.TextIOWrapper(io.BytesIO(f'"\n{words}\n"\n'.encode()), encoding="utf-8")
        told = self.onward("slash", name)
        assert (told.code, told.err) == (0, "")
        asked = [line for line in told.out.splitlines() if "Ready to continue?" in line]
        self.script.says("\n\n".join(["Here it is.", *asked[-1:]]))
        return told.out

    def says(self, words: str) -> None:
        """The user types it; the hook sees it first."""
        resume.answer(self.world, self.id, words)
        self.script.user(words)

    def edits(self, name: str) -> None:
        path = str(self.scratch.root / name)
        patch: dict[str, Any] = {"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 2}
        patch["lines"] = ["-a", "+b"]
        given = {"file_path": path, "old_string": "a", "new_string": "b"}
        detail = {"filePath": path, "structuredPatch": [patch], "userModified": False}
        self.script.call("Edit", given, "updated", detail)

    def runs(self, command: str, printed: str) -> None:
        detail = {"stdout": printed, "stderr": "", "interrupted": False}
        given = {"command": command, "description": "run"}
        self.script.call("Bash", given, printed, detail)

    def lists(self, **tasks: str) -> None:
        todos = [{"content": t, "status": s, "activeForm": t} for t, s in tasks.items()]
        self.script.call("TodoWrite", {"todos": todos}, "ok", {"oldTodos": [], "newTodos": todos})

    def written(self) -> Path:
        for line in self.script.lines:
            line["timestamp"] = line["timestamp"].replace("03-01", f"03-{self.number:02}")
        self.script.write(self.transcript)
        return self.transcript

    def ends(self) -> str:
        """A backup of it waits; what the next start is told of it."""
        copy = f"2026030{self.number}_170000_prompt_input_exit.jsonl"
        raw = self.scratch.root / ".claude/memory/raw" / copy
        raw.parent.mkdir(parents=True, exist_ok=True)
        raw.write_bytes(self.written().read_bytes())
        (self.scratch.root / ".claude/memory/.pending-backup").write_text(f"{raw}\n")
        handover.prepare(self.world, self.id, self.transcript)
        return str(handover.handover(self.world, self.id, self.transcript))

    def draft(self) -> Checkpoint:
        """What is known of it by now."""
        return source.load(self.world, str(self.written())).checkpoint

    def record(self) -> list[str]:
        return live.get(str(self.scratch.data), self.id, "resumed")


Begin = Callable[[], Day]


@pytest.fixture(autouse=True)
def surroundings(scratch: Scratch, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a day changes of them is put back."""
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "")
    monkeypatch.setattr(sys, "stdin", sys.stdin)
    shells = count()  # each slash command has one of its own
    monkeypatch.setattr(os, "getsid", lambda _: next(shells), raising=False)


@pytest.fixture
def begin(
    scratch: Scratch,
    onward: Onward,
    empty_session: Callable[[Path, str], Script],
) -> Begin:
    """The next day's session, which has said nothing yet."""
    days: list[Day] = []

    def day() -> Day:
        number = len(days) + 2
        id_ = f"{number}{scratch.transcript.stem[1:]}"
        days.append(Day(number, empty_session(scratch.root, id_), scratch, onward))
        return days[-1]

    return day


@pytest.fixture
def first(scratch: Scratch, session: Callable[[Path, str], Script], onward: Onward) -> Day:
    """Day 1: a login, half done; it has ended, and its backup waits."""
    day = Day(1, session(scratch.root, scratch.transcript.stem), scratch, onward)
    words = day.script.lines.pop()
    day.lists(**{TASK: "in_progress", "Document the login": "pending"})
    day.script.lines.append(words)
    day.ends()
    return day


@pytest.fixture
def second(first: Day, begin: Begin) -> Day:
    """Day 2: it took day 1 up, and was told to go on."""
    day = begin()
    day.slash("resume-latest")
    day.says("yes")
    return day


def texts(items: tuple[Item[Any], ...]) -> str:
    return "\n".join(item.text for item in items)


# ------------------------------------------------------------------------- what is kept


def test_of_a_day_that_did_little_the_day_before_is_not_lost(second: Day, begin: Begin) -> None:
    second.script.says(LOOKED)
    told = second.ends()
    assert NEXT in told
    third = begin().slash("resume-latest")
    for words in (NEXT, DECIDED, TASK, "Document the login", LOOKED):
        assert words in third, words
    assert "\n> yes" not in third


def test_of_a_day_with_other_work_both_are_told(second: Day, begin: Begin) -> None:
    second.says(HEADER)
    second.edits("README.md")
    second.script.says("The header is fixed.")
    second.ends()
    third = begin()
    told = third.slash("resume-latest")
    for words in (HEADER, DECIDED, TASK, "README.md", "src/auth.py", NEXT):
        assert words in told, words
    memory = third.scratch.root / ".claude/memory/active-context.md"
    assert TASK in memory.read_text("utf-8")


def test_three_days_that_did_little_still_hand_the_first_one_on(second: Day, begin: Begin) -> None:
    second.script.says(LOOKED)
    second.ends()
    for _ in range(2):
        day = begin()
        day.slash("resume-latest")
        day.says("yes")
        day.script.says("There is no key yet.")
        day.ends()
    said = begin().slash("resume-latest")
    for words in (NEXT, DECIDED, TASK):
        assert words in said, words
    assert said.count(f"> {DECIDED}") == 1


def test_no_place_of_the_transcript_before_is_told(second: Day) -> None:
    second.says(HEADER)
    second.edits("README.md")
    draft = second.draft()
    carried = [request.places for request in draft.requests if request.text != HEADER]
    carried += [run.places for run in draft.runs] + [task.places for task in draft.tasks]
    assert set(carried) == {()}
    assert [f.places for f in draft.files if f.path == "src/auth.py"] == [()]
    assert all(f.places for f in draft.files if f.path == "README.md")


def test_what_was_done_since_is_open_no_more(second: Day) -> None:
    second.edits("src/auth.py")
    second.runs("pytest tests", "3 passed in 0.12s")
    second.runs(
        "git commit -qam 'Add the refresh endpoint'",
        "[main 9f5a3c7] Add the refresh endpoint\n 1 file changed",
    )
    second.script.says("The login tests pass.")
    draft = second.draft()
    assert [run.outcome for run in draft.runs] == ["passed"]
    assert draft.blockers == ()
    assert [task.title for task in draft.tasks] == ["Document the login"]
    assert draft.next_action
    assert "Document the login" in draft.next_action.text
    assert sum(fact.path == "src/auth.py" for fact in draft.files) == 1


def test_a_failure_that_nobody_looked_at_again_says_how_much_was_edited_since(second: Day) -> None:
    second.edits("src/auth.py")
    (run,) = second.draft().runs
    assert (run.outcome, run.edits_after) == ("failed", 1)


# ------------------------------------------------------------------------ every way in


@pytest.mark.parametrize("ending", ["save", "document", "protocol", "autosave"])
def test_every_save_carries_it_on(ending: str, second: Day, scratch: Scratch) -> None:
    second.script.says(LOOKED)
    path = second.written()
    match ending:
        case "save":
            assert second.onward("save", "login-with-jwt").code == 0
            saved = (scratch.checkpoints / "login-with-jwt.md").read_text("utf-8")
        case "document":
            assert second.onward("document").code == 0
            saved = next((scratch.root / ".claude/memory").glob("session-*.md")).read_text("utf-8")
        case "protocol":
            assert second.onward("protocol", "save").code == 0
            saved = (scratch.root / "session-protocol.json").read_text("utf-8")
        case _:
            assert autosave.autosave(second.world, second.id, path, "farewell")
            saved = (scratch.checkpoints / "autosave.md").read_text("utf-8")
    for words in (DECIDED, TASK):
        assert words in saved, words


def place_of(kind: str, day: Day) -> tuple[str, str]:
    """The slash command for a saved place of that kind, which is made first."""
    os.environ["CLAUDE_CODE_SESSION_ID"] = day.id
    match kind:
        case "checkpoint":
            day.onward("save", "login-with-jwt")
            return "checkpoint", "resume login-with-jwt"
        case "document":
            day.onward("document", "hand-over.md")
            return "resume-from", "hand-over.md"
        case _:
            day.onward("protocol", "save")
            return "load-session-protocol", ""


@pytest.mark.parametrize("kind", ["checkpoint", "document", "protocol"])
def test_every_form_of_a_place_is_carried_on(kind: str, first: Day, begin: Begin) -> None:
    command = place_of(kind, first)
    day = begin()
    day.slash(*command)
    assert day.record()[:2] == [kind, str(day.scratch.root)]
    day.says("yes")
    day.script.says(LOOKED)
    draft = day.draft()
    assert TASK in [task.title for task in draft.tasks]
    assert DECIDED in texts(draft.requests)


def test_a_resume_on_the_command_line_counts_within_a_session(first: Day, begin: Begin) -> None:
    place_of("checkpoint", first)
    day = begin()
    os.environ["CLAUDE_CODE_SESSION_ID"] = ""
    first.onward("resume", "login-with-jwt", "--yes")
    assert live.sessions(str(day.scratch.data)) == [first.id]
    os.environ["CLAUDE_CODE_SESSION_ID"] = day.id
    day.onward("resume", "login-with-jwt")
    assert not day.record(), "nobody has agreed to it"
    day.onward("resume", "login-with-jwt", "--yes")
    assert day.record() == ["checkpoint", str(day.scratch.root), "yes"]
    day.onward("resume", "login-with-jwt", "--no")
    assert not day.record()


def test_a_place_of_the_session_itself_is_nothing_to_carry_on(first: Day) -> None:
    first.slash(*place_of("checkpoint", first))
    assert not first.record()


# ----------------------------------------------------------------------- yes, no, again


def test_a_no_ends_the_thread(first: Day, begin: Begin) -> None:
    day = begin()
    day.slash("resume-latest")
    assert day.record()
    day.says("no")
    assert not day.record()
    assert not (day.scratch.data / "live" / day.id / "resumed.md").exists()
    day.says(HEADER)
    day.script.says("Done.")
    draft = day.draft()
    assert (draft.tasks, draft.runs) == ((), ())
    assert TASK not in day.ends()


@pytest.mark.parametrize("agreed", [True, False])
def test_a_second_place_that_is_declined_leaves_what_was_agreed_to(
    agreed: bool, first: Day, begin: Begin
) -> None:
    other = begin()
    other.script.user("Translate the invoices into French and Italian")
    other.lists(**{"Translate the footer": "pending"})
    other.edits("README.md")
    other.written()
    os.environ["CLAUDE_CODE_SESSION_ID"] = other.id
    saved = other.onward("save", "translate-invoices")
    assert saved.code == 0, saved.err
    day = begin()
    day.slash("resume-latest")
    if agreed:
        day.says("yes")
    day.slash("checkpoint", "resume translate-invoices")
    both = [task.title for task in day.draft().tasks]
    assert ("Translate the footer" in both, TASK in both) == (True, agreed)
    day.says("no")
    left = [task.title for task in day.draft().tasks]
    assert ("Translate the footer" in left, TASK in left) == (False, agreed)


def test_the_same_place_twice_says_nothing_twice(second: Day, first: Day) -> None:
    second.onward("resume", str(first.transcript), "--yes")
    second.script.says(LOOKED)
    draft = second.draft()
    assert texts(draft.requests).count(DECIDED) == 1
    assert sum(task.title == TASK for task in draft.tasks) == 1
    assert len(draft.runs) == 1


# ------------------------------------------------------------------------------ bounds


def test_a_session_that_resumed_nothing_keeps_its_very_draft(first: Day, scratch: Scratch) -> None:
    draft = source.distilled(first.transcript, REDACTOR).draft
    assert thread.carried(first.world, draft, scratch.root) is draft


def test_a_session_that_was_held_elsewhere_is_left_alone(second: Day, tmp_path: Path) -> None:
    second.script.says(LOOKED)
    draft = source.distilled(second.written(), REDACTOR).draft
    assert thread.carried(second.world, draft, second.scratch.root) is not draft
    assert thread.carried(second.world, draft, tmp_path) is draft
    assert thread.carried(second.world, draft, None) is draft


@pytest.mark.parametrize("harm", ["gone", "huge", "odd"])
def test_a_record_that_cannot_be_read_is_none(harm: str, second: Day) -> None:
    second.script.says(LOOKED)
    kept = second.scratch.data / "live" / second.id / "resumed.md"
    match harm:
        case "gone":
            kept.unlink()
        case "huge":
            kept.write_text("# x\n" * 400_000)
        case _:
            kept.write_bytes(b"\xff\xfe\0")
    assert second.draft().tasks == ()


def test_the_kept_place_is_private_and_holds_no_secret(second: Day, planted: str) -> None:
    kept = second.scratch.data / "live" / second.id / "resumed.md"
    assert planted not in kept.read_text("utf-8")
    if os.name != "nt":
        assert kept.stat().st_mode & 0o777 == 0o600


def test_a_disk_that_is_full_does_not_stop_a_resume(
    first: Day, begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, *_: object, **__: object) -> None:
        raise StorageError(f"{path}: the disk is full", "df")

    place_of("checkpoint", first)
    monkeypatch.setattr(atomic, "write", full)
    day = begin()
    assert "📌 Resume: " in day.slash("checkpoint", "resume login-with-jwt")
    assert not day.record()


def test_only_so_much_comes_along(scratch: Scratch, begin: Begin) -> None:
    day = begin()
    os.environ["CLAUDE_CODE_SESSION_ID"] = day.id
    many = tuple(Item(text=f"Decision number {n}") for n in range(500))
    place = Draft(task=Item(text="Lay the keel"), decisions=many, origin=Origin(session="x"))
    clean = day.world.redactor.draft(place)
    world = World(
        now=day.world.now,
        cwd=scratch.root,
        home=scratch.home,
        data=scratch.data,
        env={"CLAUDE_CODE_SESSION_ID": day.id},
    )
    thread.keep(world, "checkpoint", clean, agreed=True)
    day.script.user("Go on")
    assert 0 < len(day.draft().decisions) <= 20


def test_a_save_of_nothing_but_a_resume_is_refused(first: Day, begin: Begin) -> None:
    day = begin()
    day.slash("resume-latest")
    day.written()
    answer_ = day.onward("document", "--json")
    assert answer_.code != 0
    assert "nothing was done in this session yet" in answer_.err
    assert day.record()


def test_a_session_that_only_agreed_is_told_of_by_what_it_agreed_to(second: Day) -> None:
    assert source.distilled(second.written(), REDACTOR).counted.trivial
    assert NEXT in second.ends()


def test_after_four_hops_no_line_stands_there_twice(second: Day, begin: Begin) -> None:
    day = second
    for _ in range(4):
        day.ends()
        day = begin()
        day.slash("resume-latest")
        day.says("yes")
        day.script.says(LOOKED)
    text = day.onward("show", str(day.written())).out
    lines = [line for line in text.splitlines() if line.startswith("- ")]
    assert len(set(lines)) == len(lines), lines
    draft = day.draft()
    said = [each.text for each in (*draft.requests, *draft.progress, *draft.trail)]
    assert len(set(said)) == len(said), said
