"""The boundary. `python -I -S entry.py AGENT EVENT [PID]` reads a payload on stdin and
prints what its handler answers; `python -I entry.py AGENT later` does the job on its stdin.

Whatever is raised within: nothing on stdout, one line in the log, status 0.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from onward.hooks.environment import Here

# One less than what the client is told.
_SECONDS = {"start": 9, "end": 29, "compact": 29, "compacted": 14}
_DEFAULT = 4
_LATER = 300
_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100, PTH120


class TimeIsUp(BaseException):
    """Our own limit, reached before the client's; no handler takes it for an error of its own."""


def main(words: list[str]) -> None:
    """Serve one call and end the process, always with status 0."""
    answer = b""
    agent, event, *rest = [*words, "", ""][: max(len(words), 2)]
    if _ROOT not in sys.path:
        sys.path.append(_ROOT)  # last: a name of the standard library is never ours
    from onward.hooks.environment import Here  # noqa: PLC0415 - found only now

    here = Here(os.environ, agent)
    try:
        _set_alarm(_LATER if event == "later" else _SECONDS.get(event, _DEFAULT))
        said = _later(here) if event == "later" else _serve(here, event, rest)
        answer = said.encode("utf-8", "replace")  # whatever the locale
    except BaseException as error:  # noqa: BLE001 - the boundary: one of the two in the program
        here.note(f"{agent} {event}", error)
    _print(answer)
    os._exit(0)  # nothing is left to tidy up, and Python's own end takes a millisecond


def _serve(here: Here, event: str, rest: list[str]) -> str:
    from onward.transcripts.hook_call import client  # noqa: PLC0415 - found only now

    agent = client(here.agent)
    pid = int(rest[0]) if rest and rest[0].isdigit() else 0
    # Before the payload is read, so that the log has its place.
    here.project = agent.parse(event, {}, here.env, pid).project
    call = agent.parse(event, decode(sys.stdin.buffer.read()), here.env, pid)
    here.project = call.project
    if not here.once(call):
        return ""
    _print(agent.ahead(event).encode())
    from onward.hooks import dispatch  # noqa: PLC0415 - not for a call that is another's

    told = agent.form(event, dispatch.run(call, here))
    return agent.with_notice(told, here.notice, call, here.env) if told and here.notice else told


def decode(data: bytes) -> dict[str, object]:
    """The object that a payload holds. Raises ValueError where it is none."""
    from onward.transcripts import hook_call  # noqa: PLC0415 - found only now

    text = data.decode("utf-8", "replace").strip()
    found, end = hook_call.value(text)
    if end != len(text) or not isinstance(found, dict):
        raise ValueError("no JSON object")
    return found


def _later(here: Here) -> str:
    from onward.hooks import detached, processes  # noqa: PLC0415 - the child's alone

    kind, fields = processes.read_job()
    here.project = fields.get("project", "")
    os.chdir(os.sep)  # the folder of the session may be removed meanwhile
    if hasattr(os, "nice"):
        os.nice(5)
    detached.run(kind, fields, here)
    return ""


def _set_alarm(seconds: int) -> None:
    if os.name == "nt":
        return
    import _signal  # type: ignore[import-not-found]  # noqa: PLC0415 - `signal` costs 3 ms

    _signal.signal(_signal.SIGALRM, _up)
    _signal.alarm(seconds)


def _up(*_: object) -> None:
    raise TimeIsUp


def _print(answer: bytes) -> None:
    """All of it; a reader that has gone is no fault of ours."""
    try:
        while answer:
            answer = answer[os.write(1, answer) :]
    except OSError:
        return


if __name__ == "__main__":
    main(sys.argv[1:])
