"""Remember: what a prompt settles goes into SESSION-STATE.md as it comes.

The documents' write-ahead log: "updated on every significant human input". Hooks call it.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from msgspec.structs import replace

from onward import repo
from onward.agents import registry
from onward.commands import excerpt, rim
from onward.commands.note import note
from onward.commands.world import World
from onward.distill.said.significant import significant
from onward.distill.said.talk import Talk
from onward.distill.text import words
from onward.errors import InputError, RefusedError
from onward.store import documents, live
from onward.store.project import Project

_ANSWER = 300  # characters; longer words lean on nothing that the agent said
_READ = 16 << 20  # bytes of a transcript that are read for what it said last
_TAIL = 1 << 20
_NOTED = "noted"
_MARKS = 500  # of lines that were added, the newest
_TAG = re.compile(r"\s*\[(?:asked|observed|claimed)[^\[\]]*\]\s*$")


def remember(world: World, project: Project, session: str, transcript: Path, prompt: str) -> int:
    """Add what the prompt settles, at most three lines, each once; returns how many were added.

    Nothing is written in a folder that is no project, nor a line again that the person took out
    since. Raises what reading the transcript and writing raise.
    """
    here = replace(world, cwd=project.root)
    if not _is_project(here, project):
        return 0
    before = _offer(world, transcript, prompt.strip()) if len(prompt) <= _ANSWER else ""
    redactor = rim.redactor(here)
    found = significant(redactor.hide(prompt), redactor.hide(before))
    if not found:
        return 0
    known = {_plain(line) for line in documents.read(project.state_file).splitlines()}
    marks = live.get(str(world.data), session, _NOTED)
    added = 0
    for kind, raw in found:
        line = redactor.text(raw)
        mark = hashlib.sha256(_plain(line).encode()).hexdigest()[:16]
        if _plain(line) in known or mark in marks:
            continue
        note(here, line, kind)
        known.add(_plain(line))
        marks.append(mark)
        added += 1
    if added:
        live.put(str(world.data), session, _NOTED, *marks[-_MARKS:])
    return added


def _is_project(world: World, project: Project) -> bool:
    try:
        rim.at_work(world, project)
    except RefusedError:
        return False
    # Copies of transcripts are kept wherever a session was: the memory folder alone is no sign.
    signs = (*project.places, project.active_context, project.root / "onward.toml")
    found = any(os.path.lexists(sign) for sign in signs if sign != project.memory)
    return found or repo.top(project.root) is not None


def _offer(world: World, transcript: Path, prompt: str) -> str:
    """What the agent said last before the prompt, which the client may have written or not."""
    if not transcript.is_file() or not transcript.stat().st_size:
        return ""
    talk = Talk()
    with excerpt.within(world, transcript, _READ, _TAIL) as (path, _):
        try:
            events = registry.open_transcript(path)
        except InputError:  # a session's first lines are nobody's yet (measured, 2.1.330)
            return ""
        for at, event in enumerate(events):
            talk.see(event, at)
    last = talk.last_prompt()
    return last.offer if last and last.text == prompt else talk.reply


def _plain(line: str) -> str:
    return " ".join(words(_TAG.sub("", line)))
