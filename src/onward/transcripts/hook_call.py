"""One call of a hook, whichever client made it: the payload, what the client takes for an answer, and
how full the context is. Imported at once by every hook, so it imports next to nothing.
"""

from __future__ import annotations

from onward.transcripts import AGENTS, part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    Payload = Mapping[str, object]
    Env = Mapping[str, str]
else:
    Payload = Env = dict

TAIL = 256 * 1024
"""Bytes of a transcript's end that tell how full the context is: after a reply of two words
records of up to 200 KB may follow (measured).
"""

# The documents' commands belong to one client; in the others the same is done by the program.
_WORDS = (
    ("User should run /resume-latest ", "User should run `onward backup resume` "),
    ("or /discard-backup to", "or `onward backup discard` to"),
    ("the user types /resume-latest", "run `onward backup resume`"),
    ("the user types /checkpoint resume ", "run onward resume "),
    ("the user types /resume-from ", "run onward resume "),
    ("the user types /checkpoint list", "run `onward list`"),
    ("the user types /sessions-list", "run `onward backup list`"),
    ("the user types /load-session-protocol", "run `onward protocol load`"),
)


class HookCall:
    """What a client told when it called a hook; a text that it did not give is "".

    `event` is one of start, end, compact (it is about to be done), compacted (the session goes
    on after it), prompt, turn (the agent has answered) and tool (it is about to act); `detail`
    the client's word for how it came about. `helper` is the id of a sub-agent, "" in the main
    thread; `last` the agent's last words at a turn's end. `pid` is the client's process, 0 where
    unknown; `limit` the time limit in milliseconds that was declared for `command`, 0 for none.
    """

    agent = event = session = transcript = project = cwd = ""
    detail = prompt = prompt_id = last = command = helper = ""
    pid = limit = 0
    background = False

    def __init__(self, **fields: str | int) -> None:
        for name, value in fields.items():  # a NamedTuple would cost an import of 4 ms
            setattr(self, name, value)


def by_program(told: str) -> str:
    """What a handler tells, for a client that has none of the documents' commands."""
    for theirs, ours in _WORDS:
        told = told.replace(theirs, ours)
    return told


def home_folder(env: Mapping[str, str]) -> str:
    """The user's home folder."""
    import os  # noqa: PLC0415 - there already, and for two clients alone

    return env.get("HOME") or os.path.expanduser("~")  # noqa: PTH111 - pathlib costs more than the hook may


def text(fields: Mapping[str, object], *names: str) -> str:
    """The first of these fields of a payload that is a text with something in it."""
    for name in names:
        value = fields.get(name)
        if isinstance(value, str) and value:
            return value
    return ""


class _Plain:
    """What the scanner of CPython's json asks for; importing json would double a hook's start."""

    strict = False
    object_hook = object_pairs_hook = None
    parse_float = parse_constant = float
    parse_int = int


def value(text: str) -> tuple[object, int]:
    """The value that a text begins with, and its end. Raises ValueError: there is none, or it is too deep."""
    try:
        from _json import make_scanner  # noqa: PLC0415 - see _Plain

        found: tuple[object, int] = make_scanner(_Plain())(text, 0)  # type: ignore[arg-type]
    except (StopIteration, RecursionError, SystemError):
        # The last: the scanner looks for json's own error, and json is not imported.
        raise ValueError("no JSON") from None
    except (ImportError, AttributeError):  # another Python, or another release of it
        import json  # noqa: PLC0415 - dear

        found = json.JSONDecoder(strict=False).raw_decode(text)
    return found


def record(line: bytes) -> dict[str, object]:
    """The object that a line holds; {} for a torn one."""
    try:
        found, _ = value(line.decode("utf-8", "replace"))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def inner(found: object, *keys: str) -> object:
    """What stands behind these keys; None where there is nothing."""
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return found


def count(found: object, *keys: str) -> int:
    """A number above 0 behind these keys, else 0."""
    number = inner(found, *keys)
    return number if isinstance(number, int) and number > 0 else 0


# --------------------------------------------------------------------- the clients


class Client:
    """What one client tells its hooks, and what it takes from them."""

    NAME = PROJECT = ""
    """`PROJECT` is the variable that names the project, where the payload's `cwd` may be another folder."""
    HEARD: tuple[str, ...] = ()  # the events whose output reaches the model; () for all
    SIGNS: tuple[bytes, ...]
    """What the lines hold that tell how full the context is, or that it was emptied."""

    def parse(self, event: str, payload: Payload, env: Env, pid: int = 0) -> HookCall:
        """The call behind `payload`. Fields that are missing or of another type count as not given."""
        cwd = text(payload, "cwd")
        call = HookCall(
            agent=self.NAME,
            event=event,
            session=text(payload, "session_id", "sessionId"),
            transcript=text(payload, "transcript_path", "transcriptPath"),
            project=env.get(self.PROJECT) or cwd,
            cwd=cwd,
            detail=text(payload, "source", "reason", "stop_reason", "trigger", "tool_name"),
            prompt=text(payload, "prompt"),
            prompt_id=text(payload, "prompt_id", "turn_id"),
            last=text(payload, "last_assistant_message"),
            helper=text(payload, "agent_id"),
            pid=pid,
        )
        self.complete(call, payload, env)
        return call

    def complete(self, call: HookCall, payload: Payload, env: Env) -> None:
        """Add what this client alone tells."""

    def ahead(self, event: str) -> str:  # noqa: ARG002 - as every client is asked
        """What is printed before an event is served: that the client need not wait; "" where it does."""
        return ""

    def form(self, event: str, told: str) -> str:
        """What a handler tells, in the form that the client takes."""
        return by_program(told) if not self.HEARD or event in self.HEARD else ""

    def with_notice(self, told: str, notice: str, call: HookCall, env: Env) -> str:  # noqa: ARG002 - as every client is asked
        """What a start tells, with a line for the user on the client's terminal, if it has such a line."""
        return told

    def used(self, tail: bytes) -> tuple[int, int]:
        """Tokens of the last answer of the main thread and those that the context holds (0: not told),
        from the last bytes of a transcript; (0, 0) where they do not tell, or where a compaction came
        after it.
        """
        end, found = len(tail), None
        while end > 0 and found is None:
            start = tail.rfind(b"\n", 0, end) + 1
            line, end = tail[start:end], start - 1
            if any(sign in line for sign in self.SIGNS):
                found = self.counted(record(line))
        return found or (0, 0)

    def counted(self, line: dict[str, object]) -> tuple[int, int] | None:
        """The same of one record; None where it does not decide."""
        raise NotImplementedError


def client(name: str) -> Client:
    """By the name of the agent; imported when it is asked for."""
    if name not in AGENTS:
        raise KeyError(name)
    found: Client = part(name, "hook").CLIENT
    return found


def json_line(value: object) -> str:
    """An answer of JSON."""
    import json  # noqa: PLC0415 - slow to import, and most calls tell nothing

    return json.dumps(value) + "\n"
