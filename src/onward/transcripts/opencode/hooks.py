"""What our plugin asks: a payload as a `HookCall`, the answer, and how full the context is.
Imported at once by every call, so it imports next to nothing.

Measured with 1.18.33: the plugin runs in the client's process and names our events itself; its
payload has our names. What is printed goes into the message of the user that it answers, or to the
end of what the model is asked at a compaction. The client says nothing of the context's size.
"""

from __future__ import annotations

from onward.storage.machine import data_folder
from onward.transcripts import hook_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_LONGEST = 100
_READ = ("turn", "compact", "compacted", "end")
"""The events at which the transcript is looked into: its copy is brought up to date."""


def parse(
    event: str, payload: Mapping[str, object], env: Mapping[str, str], pid: int = 0
) -> hook_call.HookCall:
    """The call behind `payload`."""
    call = hook_call.read("opencode", event, payload, ("source", "trigger", "reason"), pid)
    if call.session.replace("_", "").replace("-", "").isalnum() and len(call.session) <= _LONGEST:
        home = hook_call.home(env)
        call.transcript = f"{data_folder(env, home)}/opencode/{call.session}.jsonl"
        if event in _READ:
            _copy(home, env, call.session)
    return call


def _copy(home: str, env: Mapping[str, str], session: str) -> None:
    """Bring a copy up to date; where the database cannot be read, that of before stays."""
    from onward.transcripts.opencode import copies  # noqa: PLC0415 - dear

    try:
        for _ in copies.refresh(copies.database(home, env), copies.folder(home, env), session):
            pass
    except OSError:
        pass


def form(event: str, told: str) -> str:  # noqa: ARG001 - as every client is asked
    """What a handler tells, as the plugin hands it on."""
    return hook_call.by_program(told)


def used(tail: bytes) -> tuple[int, int]:
    """Tokens of the last answer, from the last bytes of a copy; (0, 0) where they do not tell, or
    where a compaction came after it.
    """
    for line in hook_call.backwards(tail, (b'"opencode":"message"',)):
        data = hook_call.inner(hook_call.record(line), "data")
        if hook_call.inner(data, "summary") is True:
            return 0, 0
        if tokens := hook_call.count(data, "tokens", "total"):
            return tokens, 0
    return 0, 0
