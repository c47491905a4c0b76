"""Commands, slash: what the agent alone knows, laid over a save that is done already.

The save writes down what it made and asks for a draft; the agent writes it; this reads the draft, makes
the save again with it, and removes it. Where the agent does nothing, the first save stands; where the
draft is refused, it stays to be fixed.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from onward.briefing.text import code, count
from onward.commands import document, protocol, save, source, thread, workspace
from onward.commands.result import Result
from onward.commands.slash.words import Asked, answer, notes
from onward.commands.world import World
from onward.errors import RefusedError
from onward.model import Checkpoint, Clean
from onward.record.text import one_line
from onward.storage import live
from onward.storage.project import Project

_KEY = "written"
_SAVED, OVER, NEW, _NOTED = "saved", "over", "new", "noted"
_OPEN = 4  # questions that a save asks
_COMMAND = 80  # characters of a command in one
_CORRECT = """\
Correct these lines once, in the same file, and run `{command}` again; what is right as it stands
can stay: it is kept, marked unverified."""
_STAYS = "These lines stay as they are, marked unverified: go on, and write no further note."
_ASKED = """\
Now add your note: write the file named in the last line as JSON, then run exactly `{command}`. That
reads the file, {again}, and removes it. Where it refuses the file, fix that as it says and run the
same again. Paths, commits and checks are compared with the record: what does not agree is answered
in one line each, to be corrected once.
{unanswered}
Any of these fields and no others, at most five entries each, one sentence an entry, 16 KB in all:

```json
{{
  "task": "Build the login page",
  "next": "Run pytest tests/test_login.py; test_expiry still fails in src/login.py:88",
  "why": "the expiry check compares local time with UTC",
  "progress": ["Wrote src/login.py lines 45-120, login flow complete"],
  "blockers": ["Merge conflict in src/main.py lines 80-95"],
  "decisions": [{{"text": "RS256, not HS256", "why": "the gateway has only the public key"}}],
  "constraints": ["The user wants verbose error messages"],
  "avoid": ["HS256: tried, the gateway refused the token"],
  "tasks": [{{"title": "Fix test_expiry", "status": "in_progress"}}],
  "context": ["The staging server is reached over the jump host"],
  "memory": ["Tests need TZ=UTC"]
}}
```

Bad: `{{"next": "Continue testing", "progress": ["Worked on auth"]}}`: nobody can do or verify that.

`tasks` is your own list. `memory` is for what still holds when this work is long done, three lines
at most, and is often empty. No raw conversation, no secrets.

Draft: {path}"""
_AGAIN = {
    "checkpoint": "saves the checkpoint again",
    "save-session-protocol": "writes the protocol again",
}


class Written(NamedTuple):
    """What a save made. `stamp` tells the file as it was then, "" where there was none. `state` is
    "saved"; or, where the save still waits for the agent's words, "new", "over" if it may replace.
    """

    command: str
    root: str
    file: str
    stamp: str
    task: str
    state: str


def begin(asked: Asked, project: Project, file: Path, task: str = "", state: str = _SAVED) -> str:
    """Remember a save, or one that could not be made without the agent's words (`state` is then
    `OVER` if it may replace, else `NEW`), make room for the draft, and ask the agent for it.
    """
    world = asked.world
    thread.clear_draft(world, project, thread.session_of(world))
    line = workspace.redactor(world).text(" ".join(task.split()))
    record = Written(asked.command, str(project.root), str(file), _stamp(file), line, state)
    live.put(str(world.data), thread.session_of(world), _KEY, *record)
    open_ = unanswered(source.load(world, str(file)).checkpoint) if state == _SAVED else ()
    return request(asked.command, asked.prefix, thread.draft_shown(world, project), open_)


def request(command: str, prefix: str, path: str, open_: tuple[str, ...] = ()) -> str:
    """What to write, the command to run then, and where (last line); `open_` are open questions."""
    told = "".join(f"- {line}\n" for line in open_)
    return _ASKED.format(
        command=_adding(command, prefix),
        again=_AGAIN.get(command, "writes both files again"),
        unanswered=f"\nThe record has no answer to these; your note can:\n{told}" if told else "",
        path=path,
    )


def unanswered(checkpoint: Checkpoint) -> tuple[str, ...]:
    """What the record of a session leaves open and its agent may know."""
    tasks = [task for task in checkpoint.tasks if task.status != "completed"]
    doing = [task for task in tasks if task.status == "in_progress"]
    found = []
    if len(tasks) > 1 and len(doing) != 1:
        found.append(f"{count(len(tasks), 'open task')}: which is next?")
    failing = [run.command for run in checkpoint.runs if run.outcome == "failed"]
    known = {*failing, *(run.command for run in checkpoint.runs)}
    repeated = [each.command for each in checkpoint.failures if each.command not in known]
    running = [item.text for item in checkpoint.background]
    for commands, asked in (
        (failing, "failed when it last ran: is it understood?"),
        (repeated, "never worked: what is not to be repeated?"),
        (running, "runs in the background: is it needed?"),
    ):
        found += (f"{code(one_line(each, _COMMAND))} {asked}" for each in commands)
    if checkpoint.next_action is None and not tasks:
        found.append("No next action is recorded: what is the very next command or edit?")
    return tuple(found[:_OPEN])


def add(asked: Asked) -> Clean:
    """Make the last save of this session again, with the draft. Raises what saving raises."""
    world, project = asked.world, workspace.here(asked.world)
    session = thread.session_of(world)
    record = live.get(str(world.data), session, _KEY)
    if len(record) != len(Written._fields) or record[1] != str(project.root):
        raise RefusedError("this session has saved nothing here that could be added to")
    written, draft = Written(*record), thread.draft_place(project, session)
    if not draft.is_file():
        return answer("There is no draft: nothing was added.")
    result = _again(world, project, written, draft)
    thread.remove_draft(project, draft)
    written = written._replace(stamp=_stamp(Path(written.file)), state=_NOTED)
    live.put(str(world.data), session, _KEY, *written)
    correct = ""
    if result.findings:
        command = _adding(written.command, asked.prefix)
        correct = _STAYS if record[-1] == _NOTED else _CORRECT.format(command=command)
    return answer(notes(result), correct, result.text)


def _adding(command: str, prefix: str) -> str:
    return f"onward slash {prefix}{command} add"


def _again(world: World, project: Project, written: Written, draft: Path) -> Result:
    if written.command == "save-session-protocol":  # which merges, whoever wrote meanwhile
        return protocol.save(world, "", short=False, words=draft)
    file, saved = Path(written.file), written.state in {_SAVED, _NOTED}
    if written.stamp != _stamp(file):
        shown = workspace.shown(file, world, project.root)
        raise RefusedError(f"{shown} was changed meanwhile, and stays as it is")
    if written.command == "checkpoint":
        wish = save.Wish(name=file.stem, task=written.task, words=draft, again=saved, draft=True)
        return save.save(world, replace(wish, force=written.state != NEW))
    return document.write(world, str(file), "", words=draft, over=True)[1]


def _stamp(file: Path) -> str:
    with suppress(OSError):
        found = file.stat()
        return f"{found.st_mtime_ns} {found.st_size}"
    return ""
