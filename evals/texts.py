"""The texts that are compared: the product's briefing and what there is without it.

onward         `onward brief --no-drift`, as the command makes it, in this process
noted          the same of a checkpoint that was saved with the agent's note, taken from the folder
               that ONWARD_EVALS_NOTES names: one file `CASE.json`, its name as `evals.readers cases` prints it
with-state     the client's summary, whole, and behind it the verified state of the session
empty          nothing: the floor
dump           the commonest names and paths in bare lists: nobody could read it, so it must lose
tail           the end of the transcript as plain text: what a user pastes who has no tool
summary        the client's own summary, written by a model that saw everything, cut to the budget
summary-whole  the same, whole
future         what the agent did next, word for word: no text has it; the ceiling of the scorer
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from evals import tokens, words
from evals.cases import Case, compacted_of, past_of, prefix_of, steps_of, summary_of
from evals.entries import Call, Prompt, Reply, Result, text_of
from onward.commands.compaction import after_compaction
from onward.commands.resume import brief_only as brief
from onward.commands.world import World
from onward.errors import OnwardError

TAIL_OF = 400
"""Characters of one result that a user would paste."""
_A_LINE = 8
_TIME_LIMIT = 120.0


class Made(Struct, frozen=True, kw_only=True):
    """A text, how long it took, and why there is none."""

    text: str = ""
    seconds: float = 0.0
    error: str = ""


def onward(case: Case, budget: int) -> Made:
    """The product's briefing of the prefix, alone in an empty folder with an empty home."""
    with tempfile.TemporaryDirectory(prefix="cut-") as name:
        world, file = _empty_world(Path(name)), _file(case, Path(name))
        begin = time.perf_counter()
        try:
            text = str(brief(world, str(file), budget=budget, look=False).text)
        except OnwardError as error:
            return Made(error=str(error))
        return Made(text=text, seconds=time.perf_counter() - begin)


def _empty_world(folder: Path) -> World:
    (folder / "home").mkdir()
    (folder / "work").mkdir()
    return World(
        now=datetime.now(UTC),
        cwd=folder / "work",
        home=folder / "home",
        data=folder / "home/data",
        env={},
    )


def _file(case: Case, folder: Path) -> Path:
    file = folder / "work" / case.path.name
    file.write_bytes(prefix_of(case))
    return file


def note_of(case: Case) -> Path:
    """Where the note of a case is looked for: its name, with what no file name has replaced."""
    name = "".join(c if c.isalnum() or c in "-@." else "_" for c in case.name)
    return Path(os.environ.get("ONWARD_EVALS_NOTES", "notes")) / f"{name}.json"


def noted(case: Case, budget: int) -> Made:
    """The briefing of a checkpoint with a note; none where nobody wrote one for the case."""
    if not note_of(case).is_file():
        return Made(error=f"no note: {note_of(case)}")
    with tempfile.TemporaryDirectory(prefix="cut-") as name:
        world, file = _empty_world(Path(name)), _file(case, Path(name))
        draft = shutil.copy(note_of(case), world.cwd / "note.json")  # a save removes it
        begin = time.perf_counter()
        saved = _onward(
            world, "save", "evaluated-work", "--session", str(file), "--from", str(draft)
        )
        if saved.error:
            return saved
        words = ("brief", "evaluated-work", "--no-drift", "--budget", str(budget))
        return Made(text=_onward(world, *words).text, seconds=time.perf_counter() - begin)


def _onward(world: World, *arguments: str) -> Made:
    done = subprocess.run(
        [sys.executable, "-m", "onward", *arguments],
        cwd=world.cwd,
        env={**os.environ, "HOME": str(world.home), "ONWARD_DATA": str(world.data)},
        capture_output=True,
        text=True,
        timeout=_TIME_LIMIT,
        check=False,
    )
    return Made(text=done.stdout, error=done.stderr if done.returncode else "")


def with_state(case: Case, _budget: int) -> Made:
    """What a context begins with after a compaction where our hook adds the verified state."""
    summary = summary_of(case)
    if not summary:
        return Made()
    with tempfile.TemporaryDirectory(prefix="cut-") as name:
        world, file = _empty_world(Path(name)), _file(case, Path(name))
        file.write_bytes(prefix_of(case) + compacted_of(case))
        last = max((entry.at for entry in past_of(case) if entry.at is not None), default=0.0)
        now = datetime.fromtimestamp(last, UTC)
        then = World(now=now, cwd=world.cwd, home=world.home, data=world.data, env={})
        # The project is where the session was held; nothing is read there.
        folder = re.search(rb'"cwd":"([^"]+)"', prefix_of(case))
        root = Path(folder[1].decode()) if folder else world.cwd
        there = replace(then, known=then.project._replace(root=root))
        return Made(text=f"{summary}\n\n{after_compaction(there, file)}")


def empty(_case: Case, _budget: int) -> Made:
    """Nothing."""
    return Made()


def dump(case: Case, budget: int) -> Made:
    """The commonest names and paths, eight a line."""
    found: Counter[str] = Counter()
    for entry in past_of(case):
        text = text_of(entry)
        found.update(words.names(text) | words.paths(text))
    listed = [each for each, _ in found.most_common(budget)]
    lines = [" ".join(listed[n : n + _A_LINE]) for n in range(0, len(listed), _A_LINE)]
    return Made(text=tokens.first("\n".join(lines), budget))


def tail(case: Case, budget: int) -> Made:
    """The end of the session, as a user would copy it."""
    lines = []
    for entry in past_of(case)[-400:]:
        if isinstance(entry, Prompt):
            lines.append(f"> {entry.text}")
        elif isinstance(entry, Reply):
            lines.append(entry.text)
        elif isinstance(entry, Call):
            lines.append(
                f"$ {entry.script}" if entry.script else f"{entry.tool} {entry.text}"[:200]
            )
        elif isinstance(entry, Result):
            lines.append(entry.text[-TAIL_OF:])
    return Made(text=tokens.last("\n".join(lines), budget))


def summary(case: Case, budget: int) -> Made:
    """The client's summary, as much as fits."""
    return Made(text=tokens.first(summary_of(case), budget))


def summary_whole(case: Case, _budget: int) -> Made:
    """The client's summary."""
    return Made(text=summary_of(case))


def future(case: Case, _budget: int) -> Made:
    """The calls that come next."""
    return Made(text="\n".join(call.script or call.text for call in steps_of(case)))


Maker = Callable[[Case, int], Made]
MAKERS: dict[str, Maker] = {
    "onward": onward,
    "noted": noted,
    "with-state": with_state,
    "empty": empty,
    "dump": dump,
    "tail": tail,
    "summary": summary,
    "summary-whole": summary_whole,
    "future": future,
}
ONLY_WHERE_READABLE = ("summary", "summary-whole", "with-state")
"""Texts that only some cases have: the others are left out of their rows."""


def command(template: str) -> Maker:
    """A text by any other program: a command line with `{file}` and `{budget}` in it."""

    def make(case: Case, budget: int) -> Made:
        with tempfile.TemporaryDirectory(prefix="cut-") as name:
            world, file = _empty_world(Path(name)), _file(case, Path(name))
            line = [
                word.replace("{file}", str(file)).replace("{budget}", str(budget))
                for word in shlex.split(template)
            ]
            begin = time.perf_counter()
            try:
                done = subprocess.run(
                    line,
                    cwd=world.cwd,
                    env={**os.environ, "HOME": str(world.home), "NO_COLOR": "1"},
                    capture_output=True,
                    timeout=_TIME_LIMIT,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                return Made(error=f"took longer than {_TIME_LIMIT:.0f} s")
            said = done.stdout.decode("utf-8", "replace")
            error = done.stderr.decode("utf-8", "replace")[-300:] if done.returncode else ""
            return Made(text=said, seconds=time.perf_counter() - begin, error=error)

    return make
