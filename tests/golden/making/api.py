"""Golden sessions, making: what the scripted model answers in a scene."""

from __future__ import annotations

import json
import re
from dataclasses import replace

from tests.e2e.kit.model import Answer, Call, Model, Request
from tests.golden.scenes.script import Scene

_PLAN_FILE = re.compile(r"/home/ada/\.claude/plans/[\w-]+\.md")


class Part:
    """The model's part: one list for the main thread, one for sub-agents, one summary."""

    def __init__(self, scene: Scene) -> None:
        answers = [step for step in scene.steps if isinstance(step, Answer)]
        self.left = {"main": answers, "helper": list(scene.helper)}
        self.stock = {
            "title": json.dumps({"title": scene.title}),
            "compact": f"<analysis>-</analysis>\n<summary>\n{scene.summary}\n</summary>",
        }
        self.served = 0
        """Answers given to the main thread so far."""
        self.count = 0
        self.model = Model(self.answer)

    def answer(self, request: Request) -> Answer:
        """The next answer of the kind that this request is of."""
        self.count += 1
        script = self.left.get(request.kind)
        answer = script.pop(0) if script else None
        self.served += request.kind == "main" and answer is not None
        if answer is None:
            answer = Answer(self.stock.get(request.kind, "ok"))
        plan_file = _PLAN_FILE.search(json.dumps(request.body))
        return replace(
            answer,
            calls=tuple(
                _with_plan(call, plan_file[0] if plan_file else "") for call in answer.calls
            ),
            usage={
                "input_tokens": 3,
                "output_tokens": 40 + len(answer.text) // 4,
                "cache_creation_input_tokens": 900,
                "cache_read_input_tokens": 14_000 + 1_200 * self.count,
            },
        )


def _with_plan(call: Call, plan_file: str) -> Call:
    given = json.dumps(dict(call.input)).replace("{PLAN_FILE}", plan_file)
    return Call(call.name, json.loads(given))
