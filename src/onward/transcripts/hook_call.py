"""One call of a hook, whichever client made it: the payload, what the client takes for an answer, and
how full the context is. Imported at once by every hook, so it imports next to nothing.
"""

from __future__ import annotations

import time

from onward.storage.machine import data_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Payload = Mapping[str, object]
    Env = Mapping[str, str]

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


def by_program(told: str) -> str:
    """What a handler tells, for a client that has none of the documents' commands."""
    for theirs, ours in _WORDS:
        told = told.replace(theirs, ours)
    return told


def _home(env: Mapping[str, str]) -> str:
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


# --------------------------------------------------------------------- the clients


class Client:
    """What one client tells its hooks, and what it takes from them."""

    NAME = PROJECT = ""
    """`PROJECT` is the variable that names the project, where the payload's `cwd` may be another folder."""
    HEARD: tuple[str, ...] = ()
    """The events whose output reaches the model; () for all."""
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
        """What a start tells, with a line that the client's terminal shows to the user; as it is where
        the client has no such line.
        """
        return told

    def used(self, tail: bytes) -> tuple[int, int]:
        """Tokens of the last answer of the main thread and those that the context holds (0: not told),
        from the last bytes of a transcript; (0, 0) where they do not tell, or where a compaction came
        after it.
        """
        for line in backwards(tail, self.SIGNS):
            found = self.counted(record(line))
            if found is not None:
                return found
        return 0, 0

    def counted(self, line: dict[str, object]) -> tuple[int, int] | None:
        """The same of one record; None where it does not decide."""
        raise NotImplementedError


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
        """The size by the model that was asked for where the client says it (2.1.330:
        `requestedModel`), as only that one carries the `[1m]` of a large window.
        """
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
        home = _home(env)
        call.transcript = f"{data_folder(env, home)}/opencode/{call.session}.jsonl"
        if call.event in self.READ:
            from onward.transcripts import opencode_copies as copies  # noqa: PLC0415 - slow to import

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


class _Copilot(Client):
    """Measured with 1.0.102: hooks run in the project's root, which COPILOT_PROJECT_DIR names, while the
    payload's `cwd` is where the session began; a start and a prompt do not name the transcript. Their
    `additionalContext` reaches the model. With `-p` a session's end is told after each turn. The
    transcript is written late, every 0.15 s, that a hook runs with the rest.
    """

    NAME, PROJECT = "copilot", "COPILOT_PROJECT_DIR"
    HEARD = ("start", "prompt")
    SIGNS = (b'"session.usage_record"', b'"session.compaction_complete"')
    READ = ("turn", "compact", "end")
    """The events at which the transcript is looked into."""
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
            top = env.get("COPILOT_HOME") or f"{_home(env)}/.copilot"
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
        return _json({"additionalContext": made}) if made.strip() else ""

    def counted(self, line: dict[str, object]) -> tuple[int, int] | None:
        if line.get("type") != "session.usage_record":
            return 0, 0
        usage = inner(line, "data", "usage")
        tokens = count(usage, "inputTokens")
        if not tokens:
            return None
        return tokens + count(usage, "outputTokens"), count(usage, "maxPromptTokens")


CLIENTS = {each.NAME: each for each in (_ClaudeCode(), _Codex(), _Opencode(), _Copilot())}


def _context(told: str, **more: str) -> str:
    """What Claude Code takes at a session's start."""
    context = {"hookEventName": "SessionStart", "additionalContext": told}
    return _json({"hookSpecificOutput": context, **more})


def _json(value: object) -> str:
    import json  # noqa: PLC0415 - slow to import, and most calls tell nothing

    return json.dumps(value) + "\n"
