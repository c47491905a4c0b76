"""What the hooks ask: a payload as a `HookCall`, what the client takes for an answer, and how
full the context is. Imported at once by every hook, so it imports next to nothing.

Measured with 0.169.0: the payload names session and transcript, and `cwd` is where the session
began, which may be below the project's root; no variable of the environment names either. What
is printed at a start or a prompt becomes a message of the model's input; a text that begins as
JSON does has to be JSON, and of more than 10,000 characters the middle is cut out. A sub-agent's
task comes as a prompt of the main thread's session, with `agent_id` and the sub-agent's transcript.
"""

from __future__ import annotations

from onward.transcripts import hook_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_DETAILS = ("source", "trigger", "reason")
_HEARD = ("start", "prompt")
"""The events whose output reaches the model as it is printed."""


def parse(
    event: str,
    payload: Mapping[str, object],
    env: Mapping[str, str],  # noqa: ARG001 - as every client is asked
    pid: int = 0,
) -> hook_call.HookCall:
    """The call behind `payload`. After a compaction the client begins the session anew, where
    others call a hook of its own.
    """
    call = hook_call.read("codex", event, payload, _DETAILS, pid)
    if (event, call.detail) == ("start", "compact"):
        call.event = "compacted"
    return call


def form(event: str, told: str) -> str:
    """What a handler tells, in the form that the client takes."""
    if event not in _HEARD:
        return ""
    told = hook_call.by_program(told)
    return told if told[:1] not in {"{", "["} else f"\n{told}"


def used(tail: bytes) -> tuple[int, int]:
    """Tokens of the last answer and those that the context holds, from the last bytes of a
    rollout, where the client writes both down after each answer; (0, 0) where they do not tell,
    or where a compaction came after it.
    """
    for line in hook_call.backwards(tail, (b'"token_count"', b'"compacted"')):
        record = hook_call.record(line)
        if record.get("type") == "compacted":
            return 0, 0
        info = hook_call.inner(record, "payload", "info")
        tokens = hook_call.inner(info, "last_token_usage", "total_tokens")
        size = hook_call.inner(info, "model_context_window")
        if isinstance(tokens, int) and isinstance(size, int) and tokens > 0 and size > 0:
            return tokens, size
    return 0, 0
