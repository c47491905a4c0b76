"""One call of a hook, whichever client made it. Imported at once by every hook."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

TAIL = 256 * 1024
"""Bytes of a transcript's end that tell how full the context is: after a reply of two words
records of up to 200 KB may follow (measured, Claude Code 2.1.330).
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


def read(
    agent: str, event: str, payload: Mapping[str, object], details: tuple[str, ...], pid: int
) -> HookCall:
    """The call behind a payload, by the names that clients share; `details` are those of the
    client's word for how it came about. Fields that are missing or of another type count as not
    given.
    """
    return HookCall(
        agent=agent,
        event=event,
        session=text(payload, "session_id"),
        transcript=text(payload, "transcript_path"),
        project=text(payload, "cwd"),
        cwd=text(payload, "cwd"),
        detail=text(payload, *details),
        prompt=text(payload, "prompt"),
        prompt_id=text(payload, "prompt_id", "turn_id"),
        last=text(payload, "last_assistant_message"),
        helper=text(payload, "agent_id"),
        pid=pid,
    )


def by_program(told: str) -> str:
    """What a handler tells, for a client that has none of the documents' commands."""
    for theirs, ours in _WORDS:
        told = told.replace(theirs, ours)
    return told


def home(env: Mapping[str, str]) -> str:
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


def backwards(tail: bytes, signs: tuple[bytes, ...]) -> Iterator[bytes]:
    """The lines with one of the signs, the last one first."""
    end = len(tail)
    while end > 0:
        start = tail.rfind(b"\n", 0, end) + 1
        line = tail[start:end]
        end = start - 1
        if any(sign in line for sign in signs):
            yield line


class _Plain:
    """What the scanner of CPython's json asks for; importing json would double a hook's start."""

    strict = False
    object_hook = object_pairs_hook = None
    parse_float = parse_constant = float
    parse_int = int


def value(text: str) -> tuple[object, int]:
    """The value that a text begins with, and where it ends. Raises ValueError where there is
    none, or one too deep to be read.
    """
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
