"""What Claude Code tells its hooks, and what it takes from them."""

from __future__ import annotations

from onward.transcripts.hook_call import Client, Env, HookCall, Payload, count, inner, json_line


class _ClaudeCode(Client):
    """Measured with 2.1.197 and 2.1.330: `cwd` follows the model's `cd` while CLAUDE_PROJECT_DIR stays
    where the client was started; a session's end carries `reason`, which the documents call
    `stop_reason`; inside a sub-agent `agent_id` is there, `transcript_path` is the main thread's.
    """

    NAME, PROJECT = "claude-code", "CLAUDE_PROJECT_DIR"
    SIGNS = (b'"type":"assistant"', b'"compact_boundary"')
    # Hooks' texts after a compaction reach the model although the client has gone on (measured):
    # in a turn with the second request, else with the next prompt. It reads whole lines.
    GOES_ON = '{"async":true,"asyncTimeout":15000}\n'
    # Measured with 2.1.330 (`modelUsage.contextWindow`). 2.1.197 gives some of them 200,000 when
    # they are named in full; sessions of it with more than that were seen all the same.
    LARGE = (
        *("claude-opus-5", "claude-opus-4-8", "claude-opus-4-7", "claude-sonnet-5"),
        *("claude-haiku-5", "claude-fable-5", "claude-mythos-5"),
    )
    COUNTS = (
        *("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"),
        "output_tokens",
    )

    def complete(self, call: HookCall, payload: Payload, _: Env) -> None:
        limit = inner(payload, "tool_input", "timeout")
        command = inner(payload, "tool_input", "command")
        call.command = command if isinstance(command, str) else ""
        call.background = inner(payload, "tool_input", "run_in_background") is True
        call.limit = int(limit) if isinstance(limit, int | float) and 0 < limit < 1e12 else 0

    def ahead(self, event: str) -> str:
        return self.GOES_ON if event == "compacted" else ""

    def form(self, event: str, told: str) -> str:
        return _context(told) if event == "compacted" and told else told

    def with_notice(self, told: str, notice: str, call: HookCall, env: Env) -> str:
        """As it is, too, where no client with a screen waits: whoever runs the hook reads it plain."""
        is_shown = env.get("CLAUDE_CODE_ENTRYPOINT") == "cli"
        if not is_shown or env.get("CLAUDE_CODE_SESSION_ID") != call.session:
            return told
        return _context(told, systemMessage=notice)

    def counted(self, line: dict[str, object]) -> tuple[int, int] | None:
        """The size by the model that was asked for (2.1.330): only that one carries the `[1m]` of a large window."""
        if line.get("subtype") == "compact_boundary":
            return 0, 0
        model = inner(line, "message", "model")
        tokens = sum(count(line, "message", "usage", key) for key in self.COUNTS)
        is_answer = line.get("type") == "assistant" and line.get("isSidechain") is not True
        if not tokens or not is_answer or model == "<synthetic>":
            return None
        asked = str(line.get("requestedModel") or model or "")
        is_large = asked.endswith("[1m]") or asked.startswith(self.LARGE)
        return tokens, 1_000_000 if is_large else 200_000


def _context(told: str, **more: str) -> str:
    """What Claude Code takes at a session's start."""
    context = {"hookEventName": "SessionStart", "additionalContext": told}
    return json_line({"hookSpecificOutput": context, **more})


CLIENT = _ClaudeCode()
