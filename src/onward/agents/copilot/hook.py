"""What Copilot CLI tells its hooks, and what it takes from them."""

from __future__ import annotations

import time

from onward.transcripts.hook_call import (
    Client,
    Env,
    HookCall,
    Payload,
    count,
    home_folder,
    inner,
    json_line,
)


class _Copilot(Client):
    """Measured with 1.0.102: hooks run in the project's root, which COPILOT_PROJECT_DIR names, while the
    payload's `cwd` is where the session began; a start and a prompt do not name the transcript. Their
    `additionalContext` reaches the model. With `-p` a session's end is told after each turn. The
    transcript is written late, every 0.15 s, that a hook runs with the rest.
    """

    NAME, PROJECT = "copilot", "COPILOT_PROJECT_DIR"
    HEARD = ("start", "prompt")
    SIGNS = (b'"session.usage_record"', b'"session.compaction_complete"')
    READ = ("turn", "compact", "end")  # the events at which the transcript is looked into
    STEP, STEPS = 0.02, 50
    """Seconds between two looks at it, and how many there are."""
    LAST = 64 << 10

    def complete(self, call: HookCall, payload: Payload, env: Env) -> None:
        stamp = payload.get("timestamp")
        if call.detail == "new":
            call.detail = "startup"
        if (
            call.event == "turn"
        ):  # the payload holds no word of it: two short turns would look the same
            call.prompt_id = str(stamp)
        if call.session and not call.transcript and "/" not in call.session:
            top = env.get("COPILOT_HOME") or f"{home_folder(env)}/.copilot"
            call.transcript = f"{top}/session-state/{call.session}/events.jsonl"
        if call.event in self.READ and call.transcript and isinstance(stamp, int):
            self._wait(call.transcript, f'"timestamp":{stamp}'.encode())

    def _wait(self, transcript: str, sign: bytes) -> None:
        """Until the transcript tells of this very call, and so of all before it; not for ever."""
        for _ in range(self.STEPS):
            try:
                with open(transcript, "rb") as file:  # noqa: PTH123 - pathlib is slow to import
                    file.seek(max(0, file.seek(0, 2) - self.LAST))
                    if sign in file.read(self.LAST):
                        return
            except OSError:
                pass  # not there yet
            time.sleep(self.STEP)

    def form(self, event: str, told: str) -> str:
        made = super().form(event, told)
        return json_line({"additionalContext": made}) if made.strip() else ""

    def counted(self, line: dict[str, object]) -> tuple[int, int] | None:
        if line.get("type") != "session.usage_record":
            return 0, 0
        usage = inner(line, "data", "usage")
        tokens = count(usage, "inputTokens")
        if not tokens:
            return None
        return tokens + count(usage, "outputTokens"), count(usage, "maxPromptTokens")


CLIENT = _Copilot()
