"""What the hooks ask: a payload as a `HookCall`, the answer in the client's form, and how full the
context is. Imported at once by every hook, so it imports next to nothing.

Measured with 1.0.102: hooks run in the project's root, which COPILOT_PROJECT_DIR names, while the
payload's `cwd` is where the session began; a start and a prompt do not name the transcript. Their
`additionalContext` reaches the model. With `-p` a session's end is told after each turn. The
transcript is written late, every 0.15 s, that a hook runs with the rest.
"""

from __future__ import annotations

import time

from onward.transcripts import hook_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_HEARD = ("start", "prompt")
_READ = ("turn", "compact", "end")
"""The events at which the transcript is looked into."""
_STEP, _STEPS = 0.02, 50
"""Seconds between two looks at it, and how many there are."""
_TAIL = 64 << 10


def parse(
    event: str, payload: Mapping[str, object], env: Mapping[str, str], pid: int = 0
) -> hook_call.HookCall:
    """The call behind `payload`."""
    call = hook_call.read("copilot", event, payload, ("source", "trigger", "reason"), pid)
    call.session = hook_call.text(payload, "sessionId")
    call.transcript = hook_call.text(payload, "transcriptPath")
    call.project = env.get("COPILOT_PROJECT_DIR") or call.cwd
    if call.detail == "new":
        call.detail = "startup"
    if event == "turn":  # the payload holds no word of it: two short turns would look the same
        call.prompt_id = str(payload.get("timestamp"))
    if call.session and not call.transcript and "/" not in call.session:
        top = env.get("COPILOT_HOME") or f"{hook_call.home(env)}/.copilot"
        call.transcript = f"{top}/session-state/{call.session}/events.jsonl"
    if event in _READ and call.transcript:
        _wait(call.transcript, payload.get("timestamp"))
    return call


def _wait(transcript: str, stamp: object) -> None:
    """Until the transcript tells of this very call, and so of all before it; not for ever."""
    sign = f'"timestamp":{stamp}'.encode()
    for _ in range(_STEPS if isinstance(stamp, int) else 0):
        try:
            with open(transcript, "rb") as file:  # noqa: PTH123 - pathlib is slow to import
                file.seek(max(0, file.seek(0, 2) - _TAIL))
                if sign in file.read(_TAIL):
                    return
        except OSError:
            pass  # not there yet
        time.sleep(_STEP)


def form(event: str, told: str) -> str:
    """What a handler tells, in the form that the client takes."""
    if event not in _HEARD or not told.strip():
        return ""
    import json  # noqa: PLC0415 - dear, and most calls tell nothing

    return json.dumps({"additionalContext": hook_call.by_program(told)}) + "\n"


def used(tail: bytes) -> tuple[int, int]:
    """Tokens of the last answer and those that the context holds, from the last bytes of a
    transcript; (0, 0) where they do not tell, or where a compaction came after it.
    """
    signs = (b'"session.usage_record"', b'"session.compaction_complete"')
    for line in hook_call.backwards(tail, signs):
        record = hook_call.record(line)
        if record.get("type") != "session.usage_record":
            return 0, 0
        usage = hook_call.inner(record, "data", "usage")
        if tokens := hook_call.count(usage, "inputTokens"):
            tokens += hook_call.count(usage, "outputTokens")
            return tokens, hook_call.count(usage, "maxPromptTokens")
    return 0, 0
