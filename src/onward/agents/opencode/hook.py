"""What opencode tells our plugin's calls, and what it takes from them."""

from __future__ import annotations

from onward.storage.machine import data_folder
from onward.transcripts.hook_call import Client, Env, HookCall, Payload, count, home_folder, inner


class _Opencode(Client):
    """Measured with 1.18.33: the plugin runs in the client's process and names our events itself; its
    payload has our names. What is printed goes into the message of the user that it answers, or to the
    end of what the model is asked at a compaction. The client says nothing of the context's size.
    """

    NAME = "opencode"
    READ = ("turn", "compact", "compacted", "end")
    """The events at which the transcript is looked into: its copy is brought up to date."""
    LONGEST = 100
    SIGNS = (b'"opencode":"message"',)

    def complete(self, call: HookCall, _: Payload, env: Env) -> None:
        plain = call.session.replace("_", "").replace("-", "")
        if not plain.isalnum() or len(call.session) > self.LONGEST:
            return
        home = home_folder(env)
        call.transcript = f"{data_folder(env, home)}/opencode/{call.session}.jsonl"
        if call.event in self.READ:
            from onward.agents.opencode import copies  # noqa: PLC0415 - slow to import

            try:  # where the database cannot be read, the copy of before stays
                base, into = copies.database(home, env), copies.folder(home, env)
                list(copies.refresh(base, into, call.session))
            except OSError:
                pass

    def counted(self, line: dict[str, object]) -> tuple[int, int] | None:
        if inner(line, "data", "summary") is True:
            return 0, 0
        tokens = count(line, "data", "tokens", "total")
        return (tokens, 0) if tokens else None


CLIENT = _Opencode()
