"""What a call came to, out of the text that the model was shown.

Each generation heads that text in its own way; where none of them stands there, it is shown as
it is and nothing is known of its end.
"""

from __future__ import annotations

import re
from typing import Final, Literal

import msgspec
from msgspec import Struct

from onward.decode import UNREADABLE
from onward.transcripts.codex.records import Output, Shown

Kind = Literal["done", "failed", "running", "refused", "interrupted", "timeout", "misuse"]

_HEAD: Final = ("Command: ", "Chunk ID: ", "Exit code: ", "Wall time", "Process ", "Script ")
# From a line's end on, which is found at once, where its beginning would be tried at every letter.
_CODE: Final = re.compile(r"\n(?:Exit code:|Process exited with code) (-?\d+)")
_RUNNING: Final = re.compile(r"\nProcess running with session ID (\S+)")
_CELL: Final = re.compile(r"\AScript running with cell ID (\S+)")
_OUTPUT: Final = "\nOutput:\n"
_RESULT: Final = '"output"'
_LONGEST: Final = 8_000
"""Characters within which the head ends; a command of some length may stand in it."""
_COUNTS: Final = re.compile(
    r"(?:(?:Warning: truncated output \([^\n]*\)|Total output lines: \d+)\n+)+"
)
_REFUSED: Final = re.compile(r"[^\n]{0,40}rejected by user")
_ABORTED: Final = re.compile(r"(?:Wall time: [\d.]+ seconds\n)?aborted(?: by user)?")
_SANDBOX: Final = re.compile(
    r"failed in sandbox \w+ with execution error: sandbox denied exec error, "
    r"exit code: (-?\d+), stdout: "
)
_DENIED: Final = re.compile(r"exit_code: (\d+)")
_FAILED: Final = ("failed in sandbox", "execution error: ", "exec_command failed", "Script failed")
_MISUSE: Final = (
    "unsupported call: ",
    "unsupported custom tool call: ",
    "failed to parse function arguments",
    "apply_patch verification failed",
    "error: Failed to find ",
    "error: invalid hunk",
    "error: invalid patch",
    "write_stdin failed",
)
_TIMEOUT: Final = 124
_SHOWN: Final = msgspec.json.Decoder(Shown)


class Result(Struct, frozen=True):
    """What a call came to. `code` is None where the status is not told; `session` names what
    still runs.
    """

    kind: Kind = "done"
    text: str = ""
    code: int | None = None
    session: str = ""


def result(output: Output) -> Result:
    """The result behind an output: a text, or a list of pieces."""
    if isinstance(output, tuple):
        first, *more = [part.text for part in output if part.text is not None] or [""]
        return parse(first, "\n".join(more))
    if isinstance(output, dict):
        return parse(msgspec.json.encode(output).decode(errors="replace"))
    return parse(output or "")


def parse(text: str, more: str = "") -> Result:
    """The result that a text tells; `more` is what the script itself printed."""
    if text.startswith('{"output"') and (shown := _json(text)):
        code = shown.metadata.exit_code if shown.metadata else shown.exit_code
        return _ended(shown.output or "", code)
    if text.startswith(_HEAD) and text.find(_OUTPUT, 0, _LONGEST) >= 0:
        return _headed(text, more)
    return _said(text) or Result("done", f"{text}\n{more}" if more else text)


def _said(text: str) -> Result | None:
    """What the client itself says of a call that did not end by itself."""
    if _REFUSED.match(text):
        return Result("refused")
    if _ABORTED.fullmatch(text.strip()):
        return Result("interrupted")
    if text.startswith(_MISUSE):
        return Result("misuse", text)
    if denied := _SANDBOX.match(text):
        out, _, err = text[denied.end() :].partition(", stderr: ")
        return _ended("\n".join(part for part in (out, err) if part), int(denied[1]))
    if text.startswith(_FAILED):
        status = _DENIED.search(text)
        return Result("failed", text, int(status[1]) if status else None)
    return None


def _headed(text: str, more: str) -> Result:
    head, _, body = text.partition(_OUTPUT)
    lines = f"\n{head}"
    if counts := _COUNTS.match(body):
        body = body[counts.end() :]
    if cell := _CELL.match(head):
        return Result("running", body + more, session=f"cell {cell[1]}")
    if running := _RUNNING.search(lines):
        return Result("running", body, session=running[1])
    if head.startswith("Script failed"):
        return Result("failed", body + more)
    if head.startswith("Script "):
        return Result("done", body + more)
    code = _CODE.search(lines)
    if code is None and body.startswith(("Exit code: ", '{"output"')):
        return parse(body)
    return _ended(body, int(code[1]) if code else None)


def _ended(text: str, code: int | None) -> Result:
    if text.startswith(_MISUSE):
        return Result("misuse", text)
    if code == _TIMEOUT and text.startswith("command timed out after "):
        return Result("timeout", text.partition("\n")[2], code)
    return Result("failed" if code else "done", text, code)


def printed(text: str) -> list[Shown]:
    """What a program printed of its commands: the results among its lines, which are JSON."""
    if _RESULT not in text:
        return []
    lines = (line for line in text.splitlines() if _RESULT in line)
    return [shown for line in lines if line.lstrip().startswith("{") and (shown := _json(line))]


def _json(text: str) -> Shown | None:
    try:
        return _SHOWN.decode(text)
    except UNREADABLE:
        return None
