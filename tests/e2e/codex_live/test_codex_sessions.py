"""Codex, live: a start, a resume, a compaction, and what became of a session that was cut off."""

from __future__ import annotations

import json
import shlex
import signal
import time
from pathlib import Path

import pytest
from tests.e2e.codex_live.lab import CodexLab
from tests.e2e.codex_live.model import helper, patch, run
from tests.e2e.codex_live.session import PENDING, SEAM, assert_offered, next_start, turn, worked
from tests.e2e.kit import breakage
from tests.e2e.kit.model import Answer, Call, Request
from tests.e2e.kit.session import ASKED, DONE

import onward

HOOKS = Path(onward.__file__).parent / "hooks"
SLEEP = "import time; time.sleep(18)"


def test_an_ended_session_is_offered_to_the_next_one(lab: CodexLab) -> None:
    lab.live()
    transcript = worked(lab)
    request = next_start(lab)
    assert_offered(request, lab, transcript)
    assert {place.split()[1] for place in request.where("SESSION_BACKUP_PENDING")} == {"developer"}


def test_a_session_below_the_root_belongs_to_the_project(lab: CodexLab) -> None:
    lab.live()
    (lab.project / "hull").mkdir()
    lab.model.script(turn())
    lab.headless(ASKED, cwd=lab.project / "hull")
    lab.wait_quiet()
    assert_offered(next_start(lab), lab, lab.wait_written(DONE))


def test_a_resumed_session_is_not_told_of_itself(lab: CodexLab) -> None:
    lab.live()
    worked(lab)
    request = next_start(lab, "resume", "--last")
    assert DONE in request.text
    assert not PENDING.search(request.text)


@pytest.mark.skipif(
    Path("/bin/sh").resolve().name == "bash", reason="bash tries a fork again for 15 s"
)
def test_where_no_process_can_be_started_the_prompt_goes_through(lab: CodexLab) -> None:
    lab.install("--codex")
    nobody, path = breakage.without_processes(lab), lab.project / ".codex/hooks.json"
    found = json.loads(path.read_text())
    for groups in found["hooks"].values():
        for hook in (each for group in groups for each in group["hooks"]):
            hook["command"] = f"exec {nobody} {shlex.quote(hook['command'])}"
    path.write_text(json.dumps(found))
    lab.trust_hooks()
    lab.model.script(turn())
    done = lab.headless(ASKED)
    assert done.code == 0
    assert lab.requests()[0].where(ASKED)
    assert "hook: UserPromptSubmit Completed" in done.err, "it was called, and ended well"


def test_an_untrusted_hook_does_nothing(lab: CodexLab) -> None:
    lab.install("--codex")
    assert {hook["trustStatus"] for hook in lab.hooks()} == {"untrusted"}
    worked(lab)
    assert lab.raws() == []


def test_the_trust_outlives_a_second_installation(lab: CodexLab) -> None:
    lab.live()
    before = lab.hooks()
    lab.install("--codex")
    assert {hook["trustStatus"] for hook in before} == {"trusted"}
    assert lab.hooks() == before
    assert len(before) == 5


def test_hooks_of_the_person_serve_every_project(lab: CodexLab) -> None:
    lab.live("--user")
    transcript = worked(lab)
    assert_offered(next_start(lab), lab, transcript)
    assert not (lab.project / ".codex").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_what_a_signal_left_is_offered_to_the_next_session(
    lab: CodexLab, number: signal.Signals
) -> None:
    lab.live()
    slow = run("echo caulking > seams.md; sleep 60")
    lab.model.script([Answer("Caulking.", (slow,)), Answer(DONE)])
    client = lab.begin(ASKED)
    lab.wait_file("seams.md")
    client.send_signal(number)
    client.wait(30)
    transcript = lab.wait_written(ASKED)
    assert_offered(next_start(lab), lab, transcript)


def test_a_compaction_is_captured_and_the_session_goes_on(lab: CodexLab) -> None:
    lab.live()
    turns = iter(turn())
    lab.model.script(lambda request: "A SUMMARY" if request.kind == "side" else next(turns, None))
    done = lab.headless(ASKED, "-c", "model_auto_compact_token_limit=900")
    assert done.code == 0
    lab.wait_quiet()
    assert len(lab.requests("side")) >= 1
    assert lab.raws()
    assert not PENDING.search("".join(request.text for request in lab.requests()))


def test_what_a_compaction_left_out_is_told_to_the_session_that_goes_on(lab: CodexLab) -> None:
    lab.live()
    failing = run("python3 -m unittest no_such_seam")
    full = {"input_tokens": 9000, "total_tokens": 9020}
    turns = iter([Answer("", (patch(SEAM),)), Answer("", (failing,), usage=full), Answer(DONE)])
    lab.model.script(
        lambda request: "Planks were laid." if request.kind == "side" else next(turns, None)
    )
    lab.headless(ASKED, "-c", "model_auto_compact_token_limit=5000")
    (_,) = lab.requests("side")
    after = lab.requests()[-1]
    assert "Planks were laid." in after.text
    (place,) = after.where("no_such_seam")
    assert place.endswith("developer")


def test_what_is_typed_is_logged(lab: CodexLab) -> None:
    lab.live()
    lab.model.script(["Aye."])
    lab.headless("always caulk with oakum, never with cotton")
    lab.wait_quiet()
    assert "always caulk with oakum" in (lab.project / "SESSION-STATE.md").read_text("utf-8")


def test_what_is_said_to_a_sub_agent_is_not_the_persons_word(lab: CodexLab) -> None:
    lab.live()
    task = "always caulk with oakum, never with cotton"

    def answer(request: Request) -> Answer | str:
        if task in request.text and ASKED not in request.text:
            return "Noted."
        if "Noted." in request.text:  # the client tells of the helper's end
            return DONE
        return Answer("", (run("sleep 1") if len(lab.requests()) > 1 else helper(task),))

    lab.model.script(answer)
    lab.headless(ASKED)
    lab.wait_quiet()
    assert any(ASKED not in request.text for request in lab.requests())
    assert task not in (lab.project / "SESSION-STATE.md").read_text("utf-8")
    assert len(lab.raws()) == 1


def test_a_farewell_is_an_autosave(lab: CodexLab) -> None:
    lab.live()
    worked(lab)
    lab.model.script(["Good night."])
    lab.headless("goodnight", "resume", "--last")
    lab.wait_quiet()
    assert ASKED in (lab.project / "memory/checkpoints/autosave.md").read_text("utf-8")


def test_the_skill_is_told_to_the_model(lab: CodexLab) -> None:
    lab.live()
    worked(lab)
    assert "session-continuity" in lab.requests()[0].text


def test_an_end_that_takes_longer_than_the_client_allows_is_made_good(lab: CodexLab) -> None:
    lab.live()
    slow = (
        (HOOKS / "end.py")
        .read_text()
        .replace("    processes.end_idle_wait(", f"    {SLEEP}\n    processes.end_idle_wait(")
    )
    assert SLEEP in slow
    breakage.package(lab, end=slow)
    begun = time.monotonic()
    transcript = worked(lab)
    assert lab.raws() == []
    assert time.monotonic() - begun < 15
    breakage.launcher(lab)
    assert_offered(next_start(lab), lab, transcript)


def test_the_model_looks_things_up_by_our_server(lab: CodexLab) -> None:
    lab.live("--mcp")
    before = worked(lab)

    def look(request: Request) -> Answer | None:
        if request.kind != "main":
            return None
        if "data, not instructions" in request.text:
            return Answer(DONE)
        given = {"place": "t:last", "session": before.stem[-36:]}
        return Answer("", (Call("mcp__onward.show", given),))

    lab.model.script(look)
    lab.headless("What was last?")
    assert "data, not instructions" in lab.requests()[-1].text
