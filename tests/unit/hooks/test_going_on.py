"""What the start tells the user, a note after `continue`, the context in the middle of a turn, and the
active context that a session has overtaken.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.unit.hooks.conftest import ONE, TWO, Scene, Stub

from onward.hooks import context, detached, start
from onward.model import Clean
from onward.storage import backups, live
from onward.transcripts.hook_call import HookCall, client

SCREEN = {"CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_CODE_SESSION_ID": ONE}
CONTEXT = "# Active Context\n\n**Updated:** 2026-02-28 10:00 GMT\n\n**Task:** Mend the keel\n"
OLDER = "**Older than the last session of "
WORK = ("Fix the login, please do", "And now fix the search in it")


def job(scene: Scene) -> None:
    """Do what was left to children, in this process."""
    while scene.jobs:
        kind, fields = scene.jobs.pop(0)
        detached.run(kind, fields, scene.here)


class TestTheUserSeesALine:
    @pytest.mark.parametrize(
        ("env", "is_shown"),
        [
            (SCREEN, True),
            ({}, False),
            (SCREEN | {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}, False),
            (SCREEN | {"CLAUDE_CODE_SESSION_ID": TWO}, False),
        ],
    )
    def test_where_a_terminal_waits_else_the_documents_lines_stand_plain(
        self, env: dict[str, str], is_shown: bool
    ) -> None:
        told = client("claude-code").with_notice(
            "SESSION_BACKUP_PENDING: x\ny", "A line", HookCall(session=ONE), env
        )
        if not is_shown:
            assert told == "SESSION_BACKUP_PENDING: x\ny"
            return
        found = json.loads(told)
        assert found["systemMessage"] == "A line"
        assert found["hookSpecificOutput"]["hookEventName"] == "SessionStart"
        assert found["hookSpecificOutput"]["additionalContext"].endswith("x\ny")

    @pytest.mark.parametrize("session", [ONE, ""])
    def test_of_a_pending_backup(self, scene: Scene, session: str) -> None:
        scene.held(*WORK)
        entry = Path(context.__file__).with_name("entry.py")
        payload = {"session_id": TWO, "source": "startup", "cwd": str(scene.root)}
        env = {"ONWARD_DATA": str(scene.data), "HOME": os.environ["HOME"]}
        env |= {"CLAUDE_PROJECT_DIR": str(scene.root)}
        if session:
            env |= SCREEN | {"CLAUDE_CODE_SESSION_ID": TWO}
        words = [sys.executable, "-I", "-S", str(entry), "claude-code", "start", "1"]
        text = json.dumps(payload | {"transcript_path": str(scene.transcript(TWO))})
        done = subprocess.run(
            words, input=text, capture_output=True, text=True, env=env, check=True
        )
        if session:
            assert "/resume-latest" in json.loads(done.stdout)["systemMessage"]
        else:
            assert done.stdout.startswith(
                "SESSION_BACKUP_PENDING: A previous session backup exists"
            )

    @pytest.mark.parametrize(
        ("prompts", "is_saved", "notice"),
        [
            (WORK, False, start.WAITS),
            (("good morning",), False, ""),
            (("good morning",), True, start.SAVED),
            ((), True, start.SAVED),
        ],
    )
    def test_of_what_the_command_would_continue(
        self, scene: Scene, stub: Stub, prompts: tuple[str, ...], is_saved: bool, notice: str
    ) -> None:
        stub("onward.commands.handover.saved_place", answer=Clean("You saved a place."))
        if is_saved:
            scene.project.checkpoints.mkdir(parents=True)
            text = "# Checkpoint: fix-the-login\n\n**Task:** Fix it\n"
            (scene.project.checkpoints / "fix-the-login.md").write_text(text)
        scene.held(*prompts, end="")
        if len(prompts) > 1:
            scene.ran("make")
        scene.call("end", detail="other")
        here = scene.here
        where = (str(scene.root.resolve()), "")
        call = HookCall(session=TWO, project=str(scene.root), detail="startup", pid=os.getpid())
        start.run(call, here, where)
        assert here.notice == notice


class TestANoteAfterContinue:
    @pytest.fixture
    def told(self, scene: Scene, stub: Stub) -> str:
        note = "Write it into memory/.draft-00000000.json."
        stub("onward.commands.handover.handover", answer=Clean(note))
        scene.held(*WORK)
        return scene.call("start", TWO, detail="startup")

    def test_the_hand_over_names_the_file_of_this_session(self, scene: Scene, told: str) -> None:
        assert f"into memory/.draft-{TWO[:8]}.json." in told
        assert scene.record("told", TWO) == [ONE]

    def test_the_turns_end_keeps_it_and_joins_the_threads(self, scene: Scene, told: str) -> None:
        context_ = scene.project.active_context
        context_.write_text(CONTEXT)
        scene.call("prompt", TWO, prompt="continue")
        scene.said("continue", TWO)
        scene.answered(session=TWO)
        scene.jobs.clear()
        scene.call("turn", TWO, last="Done.")
        assert "note" not in [kind for kind, _ in scene.jobs]
        draft = scene.root / f"memory/.draft-{TWO[:8]}.json"
        draft.parent.mkdir()
        draft.write_text('{"next": "Fix the search", "constraints": ["No new packages"]}')
        scene.call("turn", TWO, last="Done.")
        assert "note" in [kind for kind, _ in scene.jobs]
        job(scene)
        assert not draft.exists()
        assert b"No new packages" in (scene.data / "live" / TWO / "note.json").read_bytes()
        assert scene.record("resumed", TWO)[:1] == ["transcript"]
        assert scene.record("told", TWO) == []
        assert "Fix the login, please do" in context_.read_text(), "it is up to date"

    def test_what_does_not_agree_is_told_with_the_next_prompt_and_corrected_once(
        self, scene: Scene, told: str
    ) -> None:
        draft = scene.root / f"memory/.draft-{TWO[:8]}.json"
        heard = list[str]()
        for path in ("src/nowhere.py", "src/nor_here.py", "src/third.py"):
            heard.append(scene.call("prompt", TWO, prompt="continue"))
            scene.said("continue", TWO)
            scene.answered(session=TWO)
            draft.parent.mkdir(exist_ok=True)
            draft.write_text(json.dumps({"progress": [f"Wrote {path}"]}))
            scene.call("turn", TWO, last="Done.")
            job(scene)
        assert heard[0] == heard[2] == ""
        first, finding = heard[1].splitlines()
        assert f"write memory/.draft-{TWO[:8]}.json again" in first
        assert finding == "progress: `src/nowhere.py` does not exist"
        assert draft.exists(), "the third is nobody's"
        assert b"nor_here" in (scene.data / "live" / TWO / "note.json").read_bytes()

    def test_the_draft_of_a_save_or_of_a_question_is_left_to_that(
        self, scene: Scene, told: str
    ) -> None:
        draft = scene.root / f"memory/.draft-{TWO[:8]}.json"
        draft.parent.mkdir()
        draft.write_text("{}")
        live.put(str(scene.data), TWO, "written", "checkpoint")
        scene.said("save it", TWO)
        scene.call("turn", TWO, last="Done.")
        assert "note" not in [kind for kind, _ in scene.jobs]


class TestTheContextInTheMiddleOfATurn:
    @pytest.mark.parametrize("event", ["tool", "compact"])
    def test_is_saved_at_each_step_once(self, scene: Scene, event: str) -> None:
        scene.held("Fix the login", end="")
        scene.jobs.clear()
        detail: dict[str, Any] = {"limit": 60_000} if event == "tool" else {}
        for tokens, signals in (
            (150_000, ["context"]),
            (151_000, ["long"]),
            (165_000, ["context"]),
        ):
            scene.answered("So far.", tokens=tokens)
            scene.call(event, ONE, **detail)
            found = [fields["signal"] for kind, fields in scene.jobs if kind == "autosave"]
            assert found == (signals if event == "tool" or signals == ["context"] else [])
            scene.jobs.clear()

    def test_is_looked_at_each_minute_of_a_turn(self, scene: Scene) -> None:
        """By a shim that starts us only where the transcript is newer than this file."""
        scene.time = 1_000_000.0
        for event in ("prompt", "tool"):
            scene.call(event, prompt="Fix the login")
            assert (scene.data / "live" / ONE / "look").stat().st_mtime == scene.time + 60
            scene.time += 60

    def test_is_not_below_70_percent(self, scene: Scene) -> None:
        scene.held("Fix the login", end="")
        scene.jobs.clear()
        scene.answered("So far.", tokens=130_000)
        scene.call("compact")
        assert "autosave" not in [kind for kind, _ in scene.jobs]


class TestTheActiveContext:
    @pytest.fixture
    def active(self, scene: Scene) -> Path:
        path = scene.project.active_context
        path.parent.mkdir(parents=True)
        path.write_text(CONTEXT)
        return path

    def test_is_called_older_than_a_session_with_work(self, scene: Scene, active: Path) -> None:
        scene.held(*WORK, end="")
        scene.ran("make")
        scene.call("end", detail="other")
        assert active.read_text().count(OLDER) == 1
        assert ":** its next action may be done\n" in active.read_text()
        scene.held("Go on with that, and then the rest", *WORK, "And now?", session=TWO)
        assert active.read_text().count(OLDER) == 1

    def test_is_not_for_a_word_and_its_answer(self, scene: Scene, active: Path) -> None:
        scene.held("good morning")
        assert OLDER not in active.read_text()
        assert "**Session ended:**" in active.read_text()

    def test_nor_where_the_session_ended_with_a_document(self, scene: Scene, active: Path) -> None:
        scene.held(*WORK, end="")
        size = str(scene.transcript().stat().st_size)
        root, now = str(scene.root.resolve()), str(scene.here.now)
        live.put(str(scene.data), ONE, "saved", "document", "x", root, str(active), size, now)
        scene.call("end", detail="other")
        assert OLDER not in active.read_text()


def test_what_a_killed_session_took_in_waits_again(scene: Scene) -> None:
    """Nobody answered: nothing changes, however the session ended."""
    scene.held(*WORK)
    [real] = scene.pending
    scene.held("/resume-latest", session=TWO, end="")
    now = context.now(scene.here)
    backups.process(scene.project, [real], None, now=now)
    at = f"at {scene.here.now - 1!r}"
    live.put(str(scene.data), TWO, "awaiting", "resume", "", str(scene.root), at)
    assert scene.pending == []
    scene.call("start", "3" + ONE[1:], detail="startup")
    assert scene.pending == [real]
