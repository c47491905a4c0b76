"""What Codex tells its hooks, and what it takes from them."""

from __future__ import annotations

from onward.transcripts.hook_call import Client, Env, HookCall, Payload, count, inner


class _Codex(Client):
    """Measured with 0.169.0: the payload names session and transcript, and `cwd` is where the session
    began, which may be below the project's root; no variable of the environment names either. What
    is printed at a start or a prompt becomes a message of the model's input; a text that begins as
    JSON does has to be JSON, and of more than 10,000 characters the middle is cut out. A sub-agent's
    task comes as a prompt of the main thread's session, with `agent_id` and the sub-agent's transcript.
    """

    NAME = "codex"
    HEARD = ("start", "prompt")
    SIGNS = (b'"token_count"', b'"compacted"')

    def complete(self, call: HookCall, _: Payload, __: Env) -> None:
        """After a compaction the client begins the session anew, where others call a hook of its own."""
        if (call.event, call.detail) == ("start", "compact"):
            call.event = "compacted"

    def form(self, event: str, told: str) -> str:
        made = super().form(event, told)
        return made if made[:1] not in {"{", "["} else f"\n{made}"

    def counted(self, line: dict[str, object]) -> tuple[int, int] | None:
        """The client writes both down after each answer."""
        if line.get("type") == "compacted":
            return 0, 0
        info = inner(line, "payload", "info")
        tokens, size = (
            count(info, "last_token_usage", "total_tokens"),
            count(info, "model_context_window"),
        )
        return (tokens, size) if tokens and size else None


CLIENT = _Codex()
