"""What the hooks ask: a payload as a `HookCall`, what the client takes for an answer, and how
full the context is. Imported at once by every hook, so it imports next to nothing.

Measured with 2.1.197 and 2.1.330: `cwd` follows the model's `cd` while CLAUDE_PROJECT_DIR
stays where the client was started; a session's end carries `reason`, which the documents call
`stop_reason`; inside a sub-agent `agent_id` is there, `transcript_path` is the main thread's.
"""

from __future__ import annotations

from onward.transcripts import hook_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# Hooks' texts after a compaction reach the model although the client has gone on (measured):
# in a turn with the second request, else with the next prompt. It reads whole lines.
_GOES_ON = '{"async":true,"asyncTimeout":15000}\n'
_DETAILS = ("source", "reason", "stop_reason", "trigger", "tool_name")
_CONTEXT = 200_000
_LARGE = 1_000_000
# Measured with 2.1.330 (`modelUsage.contextWindow`). 2.1.197 gives some of them 200,000 when
# they are named in full; sessions of it with more than that were seen all the same.
_LARGE_MODELS = (
    "claude-opus-5",
    "claude-opus-4-8",
    "claude-opus-4-7",
    "claude-sonnet-5",
    "claude-haiku-5",
    "claude-fable-5",
    "claude-mythos-5",
)
_COUNTS = (
    "input_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
    "output_tokens",
)


def parse(
    event: str, payload: Mapping[str, object], env: Mapping[str, str], pid: int = 0
) -> hook_call.HookCall:
    """The call behind `payload`."""
    call = hook_call.read("claude-code", event, payload, _DETAILS, pid)
    call.project = env.get("CLAUDE_PROJECT_DIR") or call.cwd
    given = payload.get("tool_input")
    tool = given if isinstance(given, dict) else {}
    limit = tool.get("timeout")
    call.command = hook_call.text(tool, "command")
    call.background = tool.get("run_in_background") is True
    call.limit = int(limit) if isinstance(limit, int | float) and 0 < limit < 1e12 else 0
    return call


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


def with_notice(told: str, notice: str, call: hook_call.HookCall, env: Mapping[str, str]) -> str:
    """What a start tells, with a line that the client's terminal shows to the user; as it is where no
    client with a screen waits for it: whoever runs the hook themselves reads it plain.
    """
    is_shown = env.get("CLAUDE_CODE_ENTRYPOINT") == "cli"
    if not is_shown or env.get("CLAUDE_CODE_SESSION_ID") != call.session:
        return told
    import json  # noqa: PLC0415 - dear, and only where something is told

    context = {"hookEventName": "SessionStart", "additionalContext": told}
    return json.dumps({"hookSpecificOutput": context, "systemMessage": notice}) + "\n"


def used(tail: bytes) -> tuple[int, int]:
    """Tokens of the last reply of the main thread and those that the context holds, from the last
    bytes of a transcript; (0, 0) where they do not tell, or where a compaction came after it.
    """
    for line in hook_call.backwards(tail, (b'"type":"assistant"', b'"compact_boundary"')):
        if b'"type":"progress"' in line:  # what a sub-agent does, repeated
            continue
        record = hook_call.record(line)
        if record.get("subtype") == "compact_boundary":
            return 0, 0
        if tokens := _tokens(record):
            return tokens, _context(record)
    return 0, 0


def _tokens(record: dict[str, object]) -> int:
    message = record.get("message")
    if record.get("type") != "assistant" or record.get("isSidechain") is True:
        return 0
    if not isinstance(message, dict) or message.get("model") == "<synthetic>":
        return 0
    usage = message.get("usage")
    counts = [usage.get(key) for key in _COUNTS] if isinstance(usage, dict) else []
    return sum(count for count in counts if isinstance(count, int) and count > 0)


def _context(record: dict[str, object]) -> int:
    """By the model that was asked for where the client says it (2.1.330: `requestedModel`), as
    only that one carries the `[1m]` of a large window.
    """
    message = record.get("message")
    answered = message.get("model") if isinstance(message, dict) else ""
    model = str(record.get("requestedModel") or answered or "")
    large = model.endswith("[1m]") or model.startswith(_LARGE_MODELS)
    return _LARGE if large else _CONTEXT
