"""Who may read and write our files, and what git may take up."""

from __future__ import annotations

import os
import shlex
import stat
from collections.abc import Iterator
from pathlib import Path

from onward import regular
from onward.clients.doctor.findings import Case, Finding, broken, ok, some
from onward.errors import RefusedError
from onward.repo.git import ask
from onward.storage import atomic, backups, markers
from onward.storage.reading import LARGEST

_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_WRITE = stat.S_IWGRP | stat.S_IWOTH


def private(case: Case) -> dict[Path, int]:
    """What others may read or write and must not: the mode that each should have."""
    if os.name == "nt":
        return {}
    memory, data = case.project.memory, case.data
    secret = [
        *memory.glob("raw/*.jsonl"),
        *memory.glob(f"{markers.MARKER}*"),
        memory / backups.LOG,
        data / "key",
        data / "hooks.log",
        *data.glob("live/*/*"),
    ]
    wanted = {path: _mode(path) & ~_OTHERS for path in secret if _mode(path) & _OTHERS}
    # Whoever may write these chooses what our hooks run.
    ours = (data, data / "launcher", case.claude / "hooks", *case.claude.glob("hooks/*.sh"))
    return wanted | {path: _mode(path) & ~_WRITE for path in ours if _mode(path) & stat.S_IWOTH}


def modes(case: Case) -> Iterator[Finding]:
    """Raw transcripts hold whatever was said and shown."""
    wrong = private(case)
    if not wrong:
        yield ok("modes", "raw transcripts and our own records are for you alone")
        return
    yield broken(
        "modes",
        f"others on this machine may get at {some([case.shown(path) for path in wrong], 3)}",
        "they hold whole conversations, or say what the hooks run",
        "onward doctor --fix",
        "modes",
    )


def writable(case: Case) -> Iterator[Finding]:
    """Folders that are to be written to; the nearest one that is there decides."""
    project, why = case.project, "nothing can be saved there"
    wanted = (project.memory, project.checkpoints, project.root, case.data)
    nearest = [next((p for p in (path, *path.parents) if p.exists()), path) for path in wanted]
    there = list(dict.fromkeys(nearest))
    files = [path for path in there if not path.is_dir()]
    for path in files:
        text = f"{case.shown(path)} is a file; a folder belongs there"
        yield broken("folders", text, why, "move it away")
    shut = [path for path in there if path not in files and not os.access(path, os.W_OK)]
    if shut:
        text = f"{', '.join(map(case.shown, shut))} {'are' if shut[1:] else 'is'} read-only"
        advice = f"chmod u+w {' '.join(shlex.quote(str(path)) for path in shut)}"
        yield broken("folders", text, why, advice)
    out = list(_leading_out(case))
    for error in out:
        yield broken("folders", error.message, why, error.hint)
    if not files and not shut and not out:
        yield ok("folders", "ours can be written")


def _leading_out(case: Case) -> Iterator[RefusedError]:
    """Folders of the project behind a link that leads out of it, which no write of ours follows."""
    project = case.project
    for path in (project.memory, project.memory / "raw", project.checkpoints):
        try:
            atomic.within(path, project.root)
        except RefusedError as error:
            yield error


def ignored(case: Case) -> Iterator[Finding]:
    """Raw transcripts stay out of git; a file of ours in their folder sees to it."""
    memory = case.project.memory
    raw = memory / "raw"
    if case.top is None or not raw.is_dir():
        return
    loose = ask(memory, "ls-files", "--others", "--exclude-standard", "--", "raw")
    if loose or (loose is None and not _names_raw(memory)):
        yield broken(
            "git",
            f"{case.shown(memory / '.gitignore')} does not keep raw/ out of git",
            "raw transcripts hold secrets, and the next `git add` would take them up",
            f"printf '\\nraw/\\n' >> {shlex.quote(str(memory / '.gitignore'))}",
        )
    if ask(memory, "ls-files", "--", "raw"):
        shown = case.shown(raw)
        yield broken(
            "git",
            f"git tracks files in {shown}",
            "raw transcripts hold secrets, and go wherever the repository goes",
            f"git rm -r --cached {shlex.quote(shown)}",
        )


def _names_raw(memory: Path) -> bool:
    """Where git does not answer: whether our own line is there."""
    try:
        return b"raw/" in regular.head(memory / ".gitignore", LARGEST).split()
    except OSError:
        return False


def _mode(path: Path) -> int:
    try:
        found = path.lstat()
    except OSError:
        return 0
    return 0 if stat.S_ISLNK(found.st_mode) else stat.S_IMODE(found.st_mode)
