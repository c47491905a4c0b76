"""Named checkpoints: read, write, delete. What is replaced or deleted goes to the trash first.

The autosave lies beside them, in two files whose places no argument can change. A name is kebab-case,
specific, and harmless as a file's name everywhere.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from onward.errors import NotFoundError, RefusedError, UsageError
from onward.model import CheckpointName, Clean
from onward.storage import atomic, locks, reading
from onward.storage.project import Project
from onward.storage.trash import Trash

AUTOSAVE = CheckpointName("autosave")
AUTOSAVE_LOG = CheckpointName("autosave-log")
_FORBIDDEN = frozenset({"task", "work", "save", "untitled", "backup"})
_WORDS = (
    "login auth main feature build deploy release refactor cleanup test tests testing temp stuff "
    "thing things misc other various checkpoint session resume todo todos draft final latest newest "
    "current update updates change changes note notes done progress continue started project code "
    "file files demo example sample name hello asdf qwerty blah foobar stop pause today later next"
)
_EMPTY = frozenset(_WORDS.split())
_DATES = re.compile(
    r"(jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)(uary|ruary|ch|il|e|y|ust|tember|ober|ember)?"
    r"|may|(mon|tues?|wed(nes)?|thu(rs)?|fri|sat(ur)?|sun)(day)?|today|yesterday|tomorrow|[vwq]"
)
_DEVICES = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])")
_LONGEST = 64  # characters
_LONGEST_BYTES = 200  # of the 255 that file systems allow, less the ending
_PROPOSED_WORDS = 5
_SHORTEST = 3  # characters of a proposed name
_LETTERS = 4  # of a name of one word; a character of a script without letters says as much as two
_EXAMPLE = "fix-login-redirect"
_NO_PATH = "a checkpoint's name must not contain `/`, `\\` or `:`, nor begin with a dot"
_FILLERS = re.compile("an?|the|to|of|in|on|at|for|and|or|with|from|by|is|are|be|its?|this")
KIND = "checkpoint"
_LINES = 500  # of the autosave's log
_BYTES = 256 * 1024


def path_of(project: Project, name: CheckpointName) -> Path:
    """Where a checkpoint lies."""
    return project.checkpoints / f"{name}.md"


def names(project: Project) -> list[CheckpointName]:
    """All checkpoints, the newest first: those of other tools and the autosave among them."""
    found = reading.files(project.checkpoints, "*.md", inside=project.root)
    ordered = sorted(found, key=lambda path: (-found[path].st_mtime_ns, path.name))
    return [CheckpointName(path.stem) for path in ordered if path.stem != AUTOSAVE_LOG]


def read(project: Project, name: CheckpointName) -> str:
    """A checkpoint's text, which a user may have edited. Raises NotFoundError, InputError."""
    path = path_of(project, name)
    if not path.exists():
        raise NotFoundError(f"there is no checkpoint `{name}`", "onward list")
    return reading.text(path, inside=project.root)


def write(
    project: Project, name: CheckpointName, text: Clean, trash: Trash | None, *, over: bool = True
) -> Path:
    """Save under a name; what stood there goes to the trash first. Returns the path. Without `over`
    a name that is taken raises RefusedError, asked under the lock.
    """
    if name in {AUTOSAVE, AUTOSAVE_LOG}:
        raise RefusedError(f"`{name}` is written by autosave only", "onward list")
    path = path_of(project, name)
    with locks.of(project, path):
        if path.is_file() and not over:
            raise taken(name)
        if trash and path.is_file() and reading.data(path, inside=project.root) != text.encode():
            trash.put(path, KIND, project)
        atomic.write(path, text, inside=project.root)
    atomic.sweep(project.checkpoints)
    return path


def taken(name: str) -> RefusedError:
    """The error for a name that is not to be replaced."""
    return RefusedError(f"the checkpoint {name} exists already", f"onward save {name} --force")


def delete(project: Project, name: CheckpointName, trash: Trash) -> str:
    """Move a checkpoint to the trash; returns its id there. Raises NotFoundError."""
    path = path_of(project, name)
    with locks.of(project, path):
        if not path.is_file():
            raise NotFoundError(f"there is no checkpoint `{name}`", "onward list")
        kept = trash.put(path, KIND, project)
        atomic.remove(path, inside=project.root)
    return kept


def write_autosave(project: Project, text: Clean, entry: Clean) -> None:
    """Replace autosave.md, then log it. Neither may be a link to elsewhere. Raises RefusedError."""
    folder = atomic.within(project.checkpoints, project.root)
    with locks.of(project, path_of(project, AUTOSAVE)):
        atomic.write(folder / f"{AUTOSAVE}.md", text)
        _note(atomic.within(folder / f"{AUTOSAVE_LOG}.md", None), entry)


def _note(log: Path, entry: Clean) -> None:
    """Add one line; of a log that grew too long the newest lines stay."""
    new = " ".join(entry.splitlines()).encode()
    before = reading.data(log) if log.is_file() else b""
    lines = before.splitlines()
    if len(lines) < _LINES and len(before) + len(new) < _BYTES:
        atomic.append_bytes(log, new)
        return
    kept = [*lines, new][-_LINES:]
    while len(kept) > 1 and sum(map(len, kept)) + len(kept) > _BYTES:
        kept.pop(0)
    atomic.write_bytes(log, b"\n".join([*kept, b""]))


# ------------------------------------------------------------------------ names


def name_of(raw: str, task: str = "") -> CheckpointName:
    """The name, if it may be one. Raises UsageError, which proposes one from `raw` or `task`."""
    if fault := _fault(raw):
        better = propose_name(raw, task) or f"NAME (two words or more, as in {_EXAMPLE})"
        raise UsageError(fault, f"onward save {better}")
    return CheckpointName(raw)


def propose_name(raw: str, task: str = "") -> str:
    """A name that `name_of` takes, from what was typed or from the task; "" for neither."""
    typed = re.split(r"[/\\]", raw)[-1].removesuffix(".md")
    without_paths = re.sub(r"\S*[/\\]\S*", " ", task)
    candidates = (_kebab(typed), _kebab(without_paths), _kebab(task))
    good = (name for name in candidates if len(name) >= _SHORTEST and not _fault(name))
    return next(good, "")


def _kebab(text: str) -> str:
    # A capital behind a small letter begins a word: FixLogin is fix-login.
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", unicodedata.normalize("NFC", text))
    words = re.findall(r"[^\W_]+", parted.casefold())
    told = [word for word in words if not _FILLERS.fullmatch(word)]
    return "-".join(told[:_PROPOSED_WORDS])[:_LONGEST].rstrip("-")


def _fault(raw: str) -> str:
    """Why a name cannot be, as a sentence; "" if it can. The first fault in this order tells."""
    too_long = len(raw) > _LONGEST or len(raw.encode("utf-8", "replace")) > _LONGEST_BYTES
    faults = (
        (not raw, "a checkpoint needs a name"),
        (too_long, f"a checkpoint's name has at most {_LONGEST} characters"),
        (not raw.isprintable(), "a checkpoint's name holds no control characters"),
        (re.search(r"[/\\:]|^\.", raw), _NO_PATH),
        (not _is_kebab(raw), f"`{raw}` is not kebab-case (lower-case-words-like-these)"),
        (raw in {AUTOSAVE, AUTOSAVE_LOG}, f"`{raw}` is written by onward itself"),
        (_DEVICES.fullmatch(raw), f"`{raw}` is the name of a device on Windows"),
        (is_vague(raw), f"`{raw}` is too generic: use two words or more"),
    )
    return next((fault for wrong, fault in faults if wrong), "")


def _is_kebab(raw: str) -> bool:
    """Words of letters and digits; composed, so that one name is one file on every disk."""
    same = raw == raw.casefold() == unicodedata.normalize("NFC", raw)
    return same and all(word.isalnum() for word in raw.split("-"))


def is_vague(name: str) -> bool:
    """Whether a name does not say which work it is: only forbidden words, numbers, dates."""
    if not _is_kebab(name):
        return False
    words = {re.sub(r"\d+(st|nd|rd|th)?$", "", word) for word in name.split("-")}
    left = {word for word in words if word and not _DATES.fullmatch(word)}
    if left <= _FORBIDDEN:
        return True
    telling = {word for word in left if _weight(word) > 1}
    return len(telling) < 2 and all(_weight(w) < _LETTERS or w in _EMPTY for w in telling)


def _weight(word: str) -> int:
    """Letters of a word; those of scripts without case (登录) count twice."""
    return sum(1 if letter.lower() != letter.upper() else 2 for letter in word)
