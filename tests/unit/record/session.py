"""Build the events of a session, one method a kind, in live order."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from onward.model import (
    Asked,
    Background,
    Delegated,
    Draft,
    Edited,
    Event,
    Halt,
    Interrupt,
    Moved,
    Planned,
    Prompt,
    Question,
    Ran,
    Refusal,
    Reply,
    TodoItem,
    TodoList,
    TurnEnded,
    Used,
)
from onward.record import record

ROOT = "/home/ann/shop"


class Session:
    """A session held in `ROOT`. Each event stands on the next line."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.add(Moved(line=0, cwd=ROOT))

    def add(self, event: Event) -> Session:
        self.events.append(replace(event, line=len(self.events) + 1))
        return self

    def user(self, text: str, **more: Any) -> Session:
        return self.add(Prompt(line=0, text=text, **more))

    def agent(self, text: str, **more: Any) -> Session:
        return self.add(Reply(line=0, text=text, **more))

    def done(self, text: str = "Done.") -> Session:
        return self.agent(text).add(TurnEnded(line=0))

    def ran(self, command: str, output: str = "", **more: Any) -> Session:
        given = {"cwd": ROOT, "failed": False, **more}
        return self.add(Ran(line=0, command=command, output=output, **given))

    def edited(self, path: str, **more: Any) -> Session:
        return self.add(Edited(line=0, path=f"{ROOT}/{path}", **more))

    def asked(self, text: str, answer: str = "", options: tuple[str, ...] = ()) -> Session:
        question = Question(text=text, options=options, answer=answer)
        return self.add(Asked(line=0, questions=(question,), answered=bool(answer)))

    def planned(self, text: str, *, approved: bool | None = None, words: str = "") -> Session:
        return self.add(Planned(line=0, text=text, approved=approved, words=words))

    def refused(self, act: str, words: str = "", **more: Any) -> Session:
        return self.add(Refusal(line=0, act=act, words=words, **more))

    def todos(self, **titles: str) -> Session:
        items = tuple(TodoItem(title=t.replace("_", " "), status=s) for t, s in titles.items())  # type: ignore[arg-type]
        return self.add(TodoList(line=0, items=items))

    def news(self, key: str, state: str, output: str = "") -> Session:
        return self.add(Background(line=0, id=key, state=state, output=output))  # type: ignore[arg-type]

    def interrupted(self, act: str = "") -> Session:
        return self.add(Interrupt(line=0, act=act))

    def halted(self, reason: str) -> Session:
        return self.add(Halt(line=0, reason=reason))

    def helper(self, task: str, report: str = "", state: str = "done") -> Session:
        return self.add(Delegated(line=0, task=task, report=report, agent=task, state=state))  # type: ignore[arg-type]

    def used(self, tool: str, **more: Any) -> Session:
        return self.add(Used(line=0, tool=tool, **more))

    def record(self) -> Draft:
        return record(self.events, ROOT)
