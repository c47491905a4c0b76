"""Commands, slash: what the agent alone knows, laid over a save that is done already.

The save writes down what it made and asks for a draft; the agent writes it; this reads the draft, makes
the save again with it, and removes it. Where the agent does nothing, the first save stands; where the
draft is refused, it stays to be fixed.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from onward.commands import document, protocol, save, workspace
from onward.commands.result import Result
from onward.commands.slash.words import Asked, answer, notes
from onward.commands.world import World
from onward.errors import RefusedError
from onward.model import Clean
from onward.storage import atomic, live
from onward.storage.project import Project
from onward.transcripts import registry

_KEY = "written"
_NOBODY = "nobody"  # whose records are those of an agent that does not tell its session
_NAME = re.compile(rf"\.draft-(?:[0-9a-f]{{8}}|{_NOBODY})\.json")
_LEFT_OVER = 3600.0  # seconds between the command and its draft: no turn takes so long
_SAVED, _OVER, _NEW = "saved", "over", "new"
_ASKED = """\
Now add what only you know: write the file named in the last line as JSON, any of the fields below
and no others, then run exactly `{command}`. That reads the file, {again}, and removes it. Where it
refuses the file, fix that as it says and run the same again. Paths, commits and checks are compared
with the record: what does not agree is answered in one line each, to be corrected once.

```json
{{
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

Say what was done, not that something was done: paths, lines, commands, error messages. `next` can
be carried out by somebody who knows nothing of this session. `tasks` is your own list, if you keep
one. `memory` is for what still holds when this work is long done, three lines at most, and is often
empty. No raw conversation, no secrets.

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
    """Remember a save, make room for the draft, and ask the agent for it."""
    world = asked.world
    draft = _draft(world, project)
    _clear(draft, world, project)
    line = workspace.redactor(world).text(" ".join(task.split()))
    record = Written(asked.command, str(project.root), str(file), _stamp(file), line, state)
    live.put(str(world.data), _session(world), _KEY, *record)
    shown = str(draft)
    with suppress(ValueError):  # another drive of Windows
        shown = Path(os.path.relpath(draft, world.cwd)).as_posix()
    return request(asked.command, asked.prefix, shown)


def waiting(asked: Asked, project: Project, file: Path, task: str, *, over: bool) -> str:
    """The same for a save that could not be made without the agent's words."""
    return begin(asked, project, file, task, _OVER if over else _NEW)


def add(asked: Asked) -> Clean:
    """Make the last save of this session again, with the draft. Raises what saving raises."""
    world, project = asked.world, workspace.here(asked.world)
    record = live.get(str(world.data), _session(world), _KEY)
    if len(record) != len(Written._fields) or record[1] != str(project.root):
        raise RefusedError("this session has saved nothing here that could be added to")
    written, draft = Written(*record), _draft(world, project)
    if not draft.is_file():
        return answer("There is no draft: nothing was added.")
    result = _again(world, project, written, draft)
    atomic.remove(draft, inside=project.root)
    with suppress(OSError):  # other things are in it
        draft.parent.rmdir()
    begin(asked._replace(command=written.command), project, Path(written.file), written.task)
    return answer(notes(result), result.text)


def _again(world: World, project: Project, written: Written, draft: Path) -> Result:
    if written.command == "save-session-protocol":  # which merges, whoever wrote meanwhile
        return protocol.save(world, "", short=False, words=draft)
    file, saved = Path(written.file), written.state == _SAVED
    if written.stamp != _stamp(file):
        shown = workspace.shown(file, world, project.root)
        raise RefusedError(f"{shown} was changed meanwhile, and stays as it is")
    if written.command == "checkpoint":
        return save.save(
            world,
            save.Wish(
                name=file.stem,
                task=written.task,
                words=draft,
                force=written.state != _NEW,
                again=saved,
                draft=True,
            ),
        )
    return document.write(world, str(file), "", words=draft, over=True)[1]


def _clear(draft: Path, world: World, project: Project) -> None:
    """Remove what a turn that was broken off left, also of sessions that ended long ago."""
    for left in draft.parent.glob(".draft-*.json"):
        # A user may call a file of theirs much the same.
        if left != draft and not _NAME.fullmatch(left.name):
            continue
        with suppress(FileNotFoundError):  # its own session was just done with it
            if left == draft or world.now.timestamp() - left.stat().st_mtime > _LEFT_OVER:
                atomic.remove(left, inside=project.root)


def _stamp(file: Path) -> str:
    with suppress(OSError):
        found = file.stat()
        return f"{found.st_mtime_ns} {found.st_size}"
    return ""


def _session(world: World) -> str:
    return registry.current(world.env) or _NOBODY


def _draft(world: World, project: Project) -> Path:
    """Each session has its own: two may save in one project at once."""
    return project.root / "memory" / f".draft-{_session(world)[:8]}.json"


def request(command: str, prefix: str, path: str) -> str:
    """What to write, where (in the last line), and the one command to run then."""
    again = _AGAIN.get(command, "writes both files again")
    return _ASKED.format(command=f"onward slash {prefix}{command} add", again=again, path=path)
