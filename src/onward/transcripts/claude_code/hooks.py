"""A hook's payload as a `HookCall`. Imported at once by every hook.

Measured with 2.1.197 and 2.1.330: `cwd` follows the model's `cd` while CLAUDE_PROJECT_DIR
stays where the client was started; a session's end carries `reason`, which the documents call
`stop_reason`; inside a sub-agent `agent_id` is there, `transcript_path` is the main thread's.
"""

from __future__ import annotations

from onward.transcripts.hook_call import HookCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_AGENT = "claude-code"
# Hooks' texts after a compaction reach the model although the client has gone on (measured):
# in a turn with the second request, else with the next prompt. It reads whole lines.
_GOES_ON = '{"async":true,"asyncTimeout":15000}\n'
_DETAILS = ("source", "reason", "stop_reason", "trigger", "tool_name")


def parse(
    event: str, payload: Mapping[str, object], env: Mapping[str, str], pid: int = 0
) -> HookCall:
    """The call behind `payload`. Fields that are missing or of another type count as not given."""
    given = payload.get("tool_input")
    tool = given if isinstance(given, dict) else {}
    limit = tool.get("timeout")
    cwd = _text(payload, "cwd")
    return HookCall(
        agent=_AGENT,
        event=event,
        session=_text(payload, "session_id"),
        transcript=_text(payload, "transcript_path"),
        project=env.get("CLAUDE_PROJECT_DIR") or cwd,
        cwd=cwd,
        detail=_text(payload, *_DETAILS),
        prompt=_text(payload, "prompt"),
        prompt_id=_text(payload, "prompt_id"),
        last=_text(payload, "last_assistant_message"),
        command=_text(tool, "command"),
        helper=_text(payload, "agent_id"),
        pid=pid,
        background=tool.get("run_in_background") is True,
        limit=int(limit) if isinstance(limit, int | float) and 0 < limit < 1e12 else 0,
    )


def ahead(event: str) -> str:
    """What is printed before an event is served: that the client need not wait; "" where it does."""
    return _GOES_ON if event == "compacted" else ""


def form(event: str, told: str) -> str:
    """What a handler tells, in the form that the client takes."""
    if event != "compacted" or not told:
        return told
    import json  # noqa: PLC0415 - dear, and the client does not wait

    context = {"hookEventName": "SessionStart", "additionalContext": told}
    return json.dumps({"hookSpecificOutput": context}) + "\n"


def _text(fields: Mapping[str, object], *names: str) -> str:
    """The first of these fields that is a text with something in it."""
    for name in names:
        value = fields.get(name)
        if isinstance(value, str) and value:
            return value
    return ""
