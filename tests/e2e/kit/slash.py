"""End-to-end kit: slash commands as a user types them, and an agent that does what they say."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from tests.e2e.kit.lab import Answered, Lab
from tests.e2e.kit.model import Answer, Call, Request

UNDERSTOOD = "Aye."
_COMMAND = re.compile(r"<command-name>/?(\S+)</command-name>")
_DRAFT = re.compile(r"^Draft: (\S+)$", re.MULTILINE)
_RUN = re.compile(r"run exactly `([^`]+)`")


class Command(NamedTuple):
    """What the model was sent of the last slash command: `body` is the expanded text, `printed`
    what onward printed into it, `results` what the tool calls since then gave.
    """

    name: str
    body: str
    printed: str
    results: list[str]


class Ran(NamedTuple):
    """One headless run with a slash command. `command` is as the model was sent it last."""

    answered: Answered
    command: Command


def command_in(request: Request) -> Command | None:
    """The last slash command of a request, None where there is none."""
    blocks = [
        block for message in request.body["messages"] for block in _blocks(message["content"])
    ]
    texts = [str(block.get("text", "")) for block in blocks]
    begins = [at for at, text in enumerate(texts) if text.startswith("<command-message>")]
    if not begins:
        return None
    head, rest = texts[begins[-1]], blocks[begins[-1] + 1 :]
    (name,) = _COMMAND.findall(head)
    body = next(str(block["text"]) for block in rest if block.get("type") == "text")
    above = re.split(r"^(?:The lines above|If the lines above)", body, flags=re.MULTILINE)[0]
    results = [_text(block["content"]) for block in rest if block.get("type") == "tool_result"]
    return Command(name, body, above.partition("\n")[2].strip(), results)


def _blocks(content: Any) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _text(content: Any) -> str:
    return "\n".join(str(block.get("text", "")) for block in _blocks(content))


def obedient(
    lab: Lab, words: Mapping[str, Any] | None = None
) -> Callable[[Request], Answer | str | None]:
    """An agent that does what the command's text says: it writes these words where that says
    `Draft:`, and runs what that says to run then. Without words it only reads.
    """

    def answer(request: Request) -> Answer | str | None:
        command = command_in(request)
        if request.kind != "main" or command is None:
            return None
        draft, run = _DRAFT.search(command.printed), _RUN.search(command.body)
        done = len(command.results)
        if words is None or not draft or not run or done > 1:
            return UNDERSTOOD
        if not done:
            path = str(lab.project / draft[1])
            given = {"file_path": path, "content": json.dumps(words, ensure_ascii=False)}
            return Answer("I add what I know.", (Call("Write", given),))
        return Answer("", (Call("Bash", {"command": run[1], "description": "Add"}),))

    return answer


def ask(
    lab: Lab,
    typed: str,
    *options: str,
    words: Mapping[str, Any] | None = None,
) -> Ran:
    """Type a slash command in a headless run, in the default permission mode. Fails where it did
    not reach the model, and where a call was refused.
    """
    count = len(lab.requests())
    lab.model.script(obedient(lab, words))
    answered = lab.headless(typed, *options)
    requests = lab.requests()[count:]
    assert requests, f"{typed[:80]!r} did not reach the model: {answered.text or answered.err}"
    command = command_in(requests[-1])
    assert command, f"{typed[:80]!r} is no command"
    assert answered.data["permission_denials"] == []
    return Ran(answered, command)
