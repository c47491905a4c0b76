"""The documents' quality bar as code: is this checkpoint enough to carry on from?

Part of the core: pure, no file is opened; whether a path exists is asked of the caller.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Generic, Literal

from msgspec import Struct

from onward.model import Item, Snapshot, T

MAX_OUTPUT_LINES = 15
"""A longer text in one item is pasted output (the bar of "do not dump raw chat")."""

SectionName = Literal[
    "Task",
    "Progress",
    "Next Action",
    "Blockers",
    "Key Decisions",
    "Relevant Context",
    "Files",
    "Closing Comment",
]
GOOD: dict[SectionName, str] = {
    "Task": "Build login page with OAuth fallback",
    "Progress": "Wrote src/auth.py lines 45-120, login flow complete",
    "Next Action": "Run pytest tests/auth_test.py to verify login",
    "Blockers": "Git conflict in src/main.py lines 80-95",
    "Key Decisions": "Tokens last 1 h, because the mobile client refreshes hourly",
    "Relevant Context": "User prefers verbose error messages",
    "Files": "src/auth.py",
    "Closing Comment": "the one that the next save of this name writes",
}

_PATH = re.compile(r"(?<![\w/:.])(?:~/|\.{0,2}/)?(?:[\w.@+-]+/)+[\w.@+-]*\w\.\w{1,8}(?![\w/])")
_CONCRETE = re.compile(
    r"`[^`]+`|[\"“][^\"”]{3,}[\"”]|[\w-]+/[\w.-]+|\b[\w-]+\.[a-z]\w{0,5}\b|\d"
    r"|\b[a-z]+_[a-z_]+\b|\b[a-z]+[A-Z]\w+|\w+\(\)|--\w+"
)
_VAGUE_PROGRESS = re.compile(
    r"\W*(?:i |we )?(?:worked|working) (?:on|with)\b|\W*(?:made|making) (?:\w+ )?progress"
    r"|\W*continued?\b|\W*(?:did|doing) (?:some|more|stuff|a lot)|\W*looked (?:at|into)\b"
    r"|\W*(?:various|several|some|misc\w*) \w+|\W*fixed (?:some|several|stuff|things|bugs|issues)"
    r"|\W*(?:updated|changed|improved) (?:some|stuff|things|code|files|the code)\b"
    r"|\W*started on\b|\W*(?:处理了?|做了一些|继续)",
    re.IGNORECASE,
)
_VAGUE_NEXT = re.compile(
    r"\W*(?:continue|keep (?:going|working)|carry on|go on|resume|proceed|finish(?: up)?|wrap up"
    r"|work on|look into|test more|more test\w*|fix (?:it|the rest|remaining|things|everything)"
    r"|same|as (?:before|discussed|above)|tbd|to be decided|todo|next steps?|继续|接着)\b",
    re.IGNORECASE,
)
_OBSTACLE = re.compile(
    r"error|exception|fail|traceback|denied|timed? ?out|too long|limit|refused|conflict|missing|not found"
    r"|cannot|can't|wait(?:s|ing)? (?:for|on)|await\w*|decide|decision|approv\w*|question|\?|错误|失败|等待|fehler|warte|konflikt|erreur|attend|conflicto|espera|falha|conflito|aguarda",
    re.IGNORECASE,
)
_SOME = re.compile(r"\b(?:some|various|several|a few|stuff|things|issues?)\b", re.IGNORECASE)
_REASON = re.compile(
    r"\b(?:because|since|so that|so as|to avoid|to keep|in order|due to|as it|rather than"
    r"|instead of|otherwise|reason|therefore|needs?|requires?|weil|damit|sonst|denn|parce qu\w+|afin|puisque|porque|para que"
    r"|pois|ya que)\b|因为|为了|由于|以免|потому|чтобы|ため|ので|때문",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"^\W{0,3}(?:human|user|assistant|ai|agent|system|用户|助手)\W{0,3}[:：]",  # noqa: RUF001
    re.IGNORECASE | re.MULTILINE,
)
_RECORD = re.compile(r'"(?:type|role)":\s*"(?:user|assistant|human|system)"')
_RULE = re.compile(
    r"\b(?:no|never|always|don'?t|do not|must|only|should|prefer\w*|stays?|everywhere|every|please"
    r"|make sure|ensure|without)\b|^\W*(?:use|keep|avoid|write|name|put|run|leave|stick)\b"
    r"|不要|必须|总是|始终|永远|只用|nie|immer|jamais|toujours|nunca|siempre|sempre",
    re.IGNORECASE,
)
_CHOICE = re.compile(
    r"\b(?:decided|decision|chose|chosen|choose|picked|go(?:ing)? with|went with|switch(?:ed)? to"
    r"|over|versus|vs)\b|决定|选择",
    re.IGNORECASE,
)
_RULING = re.compile(r"(?:approved|accepted|rejected|sent|changed) the plan\b", re.IGNORECASE)
_LEAD_IN = re.compile(r"[^:：]{0,40}[:：]\s*(?=\S+(?:\s+\S+){2}|[^\x00-\x7f])")  # noqa: RUF001
_FOLDER = re.compile(r"\bin ([\w.@+-]+(?:/[\w.@+-]+)*)")
_GONE = re.compile(r"delet|remov|renam|moved|dropp", re.IGNORECASE)
_TO_MAKE = re.compile(
    r"\b(?:creat(?:e|ing)|write|add|start|new|crée\w*|crea(?:r)?)\b|anleg|erstell(?:e|en)\b|新建|创建",
    re.IGNORECASE,
)
_FEW = 3
"""Words; a title of fewer says little."""
_EMPTY_TASKS = frozenset(("", "task", "work", "save", "untitled", "backup", "tbd", "none"))


class Finding(Struct, Generic[T], frozen=True, kw_only=True):
    """One thing to fix. `line` is the place of the entry in its section, from 1; 0 where
    the section is empty. `good` is a line to imitate.
    """

    section: SectionName
    line: int
    text: T | None
    reason: str
    good: str


def check(checkpoint: Snapshot[T], exists: Callable[[str], bool] | None = None) -> list[Finding[T]]:
    """What a reader of the checkpoint would have to ask about, in the order of the file.

    `exists` tells whether a path of the project is there; without it paths are not checked.
    """
    found = [
        *_task(checkpoint),
        *_unverified(checkpoint),
        *_each("Progress", checkpoint.progress, _vague_progress),
        *_nothing(checkpoint),
        *_next(checkpoint),
        *_each("Blockers", checkpoint.blockers, _vague_blocker),
        *_each("Key Decisions", checkpoint.decisions, _without_reason),
        *_pasted(checkpoint),
    ]
    return [*found, *_paths(checkpoint, exists)] if exists else found


def _each(
    section: SectionName, items: Iterable[Item[T]], judge: Callable[[Item[T]], str]
) -> Iterator[Finding[T]]:
    for place, item in enumerate(items, 1):
        reason = judge(item)
        if reason:
            yield _finding(section, place, item.text, reason)


def _finding(section: SectionName, line: int, text: T | None, reason: str) -> Finding[T]:
    return Finding(section=section, line=line, text=text, reason=reason, good=GOOD[section])


def _task(checkpoint: Snapshot[T]) -> Iterator[Finding[T]]:
    text = checkpoint.task.text
    if text.strip().casefold() in _EMPTY_TASKS:
        yield _finding("Task", 0, None, "the task is missing: say in one line what this work is")
    elif _is_quoted(checkpoint.task) and (text.endswith("…") or _is_short(text)):
        reason = "only quotes a request: say in one line what this work is"
        yield _finding("Task", 1, text, reason)


def _is_quoted(item: Item[T]) -> bool:
    """Whether a template of the record made the line, which nobody wrote."""
    return not item.author and bool(item.places)


def _is_short(text: str) -> bool:
    return len(text.split()) < _FEW and text.isascii()


def _unverified(c: Snapshot[T]) -> Iterator[Finding[T]]:
    """Lines of a note that do not agree with the record."""
    for section, items in (("Task", (c.task,)), *_sections(c)):
        yield from _each(section, items, lambda item: item.unverified or "")


def _nothing(c: Snapshot[T]) -> Iterator[Finding[T]]:
    """A reader who finds none of these has to ask "what were we doing?"."""
    if not (c.progress or c.tasks or c.plan or c.runs or c.decisions):
        reason = "nothing is recorded that was done, planned or decided"
        yield _finding("Progress", 0, None, reason)
    if not (c.context or c.files or c.commands or c.requests or c.dead_ends or c.blocks):
        reason = "nothing to carry on with: name files, preferences, facts of the machine"
        yield _finding("Relevant Context", 0, None, reason)


def _next(checkpoint: Snapshot[T]) -> Iterator[Finding[T]]:
    action = checkpoint.next_action
    if action is None or not action.text.strip():
        done = any(task.status == "completed" for task in checkpoint.tasks)
        reason = "a task is marked complete but the next action is not defined"
        yield _finding("Next Action", 0, None, reason if done else "the next action is missing")
    elif _is_quoted(action) and checkpoint.status.kind not in {"waiting", "finished"}:
        reason = "only the record says so: say which file, command or decision comes next"
        yield _finding("Next Action", 1, action.text, reason)
    elif _is_vague_next(action):
        reason = "not executable as it stands: name the file, command or decision"
        yield _finding("Next Action", 1, action.text, reason)


def _is_vague_next(action: Item[T]) -> bool:
    # What the user asked is quoted as it is; only a bare "go on" says nothing by itself.
    concrete = _CONCRETE.search(action.text)
    if concrete:
        return False
    # "Go on with the task: …" is as good as what follows.
    text = _LEAD_IN.sub("", action.text, count=1) or action.text
    short = len(text.split()) < 4 and text.isascii()
    return bool(_VAGUE_NEXT.match(text)) or (short and action.evidence != "asked")


def _vague_progress(item: Item[T]) -> str:
    concrete = _CONCRETE.search(item.text)
    if _VAGUE_PROGRESS.match(item.text) and not re.search(r"\d", item.text):
        return "vague: say which file and lines, or which command gave what"
    if not concrete and item.evidence == "claimed" and not item.places:
        return "names no file, command or result that could be checked"
    return ""


def _vague_blocker(item: Item[T]) -> str:
    text = item.text
    named = _CONCRETE.search(text) or (_OBSTACLE.search(text) and not _SOME.search(text))
    return "" if named else "no error message, path or pending decision is named"


def _without_reason(item: Item[T]) -> str:
    # A plan holds its own reasons, and the words that sent it back are one; a rule that the
    # user set holds because they said so.
    if item.evidence == "asked" and _RULE.search(item.text) and not _CHOICE.search(item.text):
        return ""
    if item.why or _REASON.search(item.text) or _RULING.match(item.text):
        return ""
    return "no reason is given: the next session cannot tell whether it still holds"


def _sections(c: Snapshot[T]) -> tuple[tuple[SectionName, tuple[Item[T], ...]], ...]:
    """The lines of the document's sections."""
    return (
        ("Progress", c.progress),
        ("Next Action", (c.next_action,) if c.next_action else ()),
        ("Blockers", c.blockers),
        ("Key Decisions", c.decisions),
        ("Relevant Context", (*c.context, *c.dead_ends, *c.constraints)),
    )


def _pasted(checkpoint: Snapshot[T]) -> Iterator[Finding[T]]:
    for section, items in _sections(checkpoint):
        yield from _each(section, items, _transcript)
    yield from _each("Relevant Context", checkpoint.requests, _dialogue)


def _transcript(item: Item[T]) -> str:
    if item.text.count("\n") >= MAX_OUTPUT_LINES:
        return f"more than {MAX_OUTPUT_LINES} lines of one output: keep the decisive ones"
    return _dialogue(item)


def _dialogue(item: Item[T]) -> str:
    if len(_ROLE.findall(item.text)) > 1 or _RECORD.search(item.text):
        return "pasted transcript: say what came of it instead"
    return ""


def named_paths(c: Snapshot[T]) -> list[str]:
    """Paths in the words of a checkpoint that nobody recorded as files: those of lines without
    a place, which a user or another tool wrote. What was deleted or is still to be made is
    left out.
    """
    following = (c.next_action,) if c.next_action else ()
    items = (*c.progress, *following, *c.blockers, *c.decisions, *c.context)
    texts = (i.text for i in items if not i.places and not _GONE.search(i.text))
    known = {fact.path for fact in c.files}
    found = (path for text in texts if not _TO_MAKE.search(text) for path in _PATH.findall(text))
    return list(dict.fromkeys(path for path in found if path not in known))


def _paths(checkpoint: Snapshot[T], exists: Callable[[str], bool]) -> Iterator[Finding[T]]:
    reason = "this path does not exist"
    known: set[str] = set()
    for place, fact in enumerate(checkpoint.files, 1):
        known.add(fact.path)
        # What was only read elsewhere on the machine is nothing to come back to.
        outside = fact.change == "read" and fact.path.startswith(("~", "/"))
        if fact.change not in {"deleted", "renamed"} and not outside and not exists(fact.path):
            yield _finding("Files", place, fact.path, reason)
    for section, items in _sections(checkpoint):
        for place, item in enumerate(items, 1):
            # Words quoted from a transcript tell of their own time; what was written into
            # the checkpoint is meant for the next session.
            if item.places and section not in {"Progress", "Blockers"}:
                continue
            named = set(_PATH.findall(item.text)) - known
            # A command ran where it says: `pytest tests/x.py` in apps/api.
            folders = ("", *(f"{folder}/" for folder in _FOLDER.findall(item.text)))
            lost = (path for path in named if not any(exists(f + path) for f in folders))
            meant = _GONE.search(item.text) or _TO_MAKE.search(item.text)
            if not meant and any(lost):
                yield _finding(section, place, item.text, reason)
