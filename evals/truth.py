"""What one cut asks of a text: what was known before it and used after it."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from pathlib import PurePosixPath

from msgspec import Struct

from evals import words
from evals.checks import Run, last_runs
from evals.entries import Call, Entry, Prompt, Reply, results, text_of
from evals.shell import commands, is_plain

FIRST_WORDS = 40
"""How many content words of a prompt are asked for: a pasted plan is not to be repeated."""
SUBSTANTIAL = 4
"""Content words from which on a prompt is an order of its own, and no mere consent."""
SHORT = 12
"""Below that an order may lean on the one before it."""
NAMES = 30
"""How many names a case asks for at most."""
EDITED, READ = 2.0, 1.0

_TASK_ID = re.compile(r"#(\d+)")


class Truth(Struct, frozen=True, kw_only=True, dict=True):
    """Everything that the measures compare a text with."""

    orders: tuple[tuple[float, tuple[str, ...]], ...]
    """Weight and content words of what the user wants."""
    files: dict[str, float]
    names: dict[str, float]
    commands: tuple[tuple[str, ...], ...]
    runs: list[Run]
    todos: dict[str, str]
    """The task list as it stood: title and state."""
    roots: tuple[str, ...]
    past: str
    """Everything that was said, called and answered, with `/` for every backslash."""
    edited: frozenset[str]
    scripts: str
    """All shell scripts, which may have changed a file that no tool did."""
    unknown: dict[str, int]
    """How much of the future no text could have known, by measure."""

    @cached_property
    def past_lower(self) -> str:
        """The past in lower case, for what is compared without regard to it."""
        return self.past.lower()

    @cached_property
    def namesakes(self) -> dict[str, set[str]]:
        """All spellings before the cut of files that are called like one that was used."""
        found: dict[str, set[str]] = {}
        for path in self.files:
            base = PurePosixPath(path).name
            pattern = rf"(?:[\w@.+-]*/)*{re.escape(base)}(?![\w-])"
            found[base] = {relative(p, self.roots) for p in re.findall(pattern, self.past)}
        return found


def truth_of(past: list[Entry], steps: list[Call], roots: tuple[str, ...]) -> Truth:
    """The truth of a cut."""
    texts = [text_of(entry).replace("\\", "/") for entry in past]
    blob = "\n".join(texts)
    roots = tuple(sorted((r.replace("\\", "/").rstrip("/") for r in roots), key=len, reverse=True))
    files, new_files = _files(steps, blob, roots)
    names, new_names = _names(steps, texts, blob)
    known, new_commands = _commands(past, steps)
    return Truth(
        orders=tuple(orders(past)),
        files=files,
        names=names,
        commands=known,
        runs=last_runs(past),
        todos=todos(past),
        roots=roots,
        past=blob,
        edited=frozenset(relative(p, roots) for e in past if isinstance(e, Call) for p in e.edits),
        scripts="\n".join(e.script for e in past if isinstance(e, Call)),
        unknown={"files": new_files, "names": new_names, "commands": new_commands},
    )


def relative(path: str, roots: tuple[str, ...]) -> str:
    """A path with `/`, relative to the innermost folder that holds it."""
    path = path.replace("\\", "/").removeprefix("./")
    for root in roots:
        if root and path.lower().startswith(f"{root.lower()}/"):
            return path[len(root) + 1 :]
    return path


def orders(past: list[Entry]) -> list[tuple[float, tuple[str, ...]]]:
    """What the user wants: the last prompt that is an order of its own (weight 2), the one
    before where the last is short and leans on it (1), what they added after (1 each, the last
    two), and the offer that a bare yes at the end said yes to (1).
    """
    before: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    added: list[tuple[str, ...]] = []
    offer: tuple[str, ...] = ()
    for entry in past:
        if isinstance(entry, Reply):
            offer = tuple(words.content(entry.text)[-FIRST_WORDS:]) or offer
        if not isinstance(entry, Prompt) or re.fullmatch(r"/\S+", entry.text):
            continue
        said = tuple(words.content(entry.text)[:FIRST_WORDS])
        if substance(said) >= SUBSTANTIAL:
            before, order, added = order, said, []
        elif substance(said) > 1:
            added.append(said)
        else:
            added = [*(each for each in added if each is not offer), offer]
    leans = [(1.0, before)] if before and substance(order) < SHORT else []
    return [(2.0, order), *leans, *((1.0, a) for a in added[-2:] if a)] if order else []


def substance(said: Iterable[str]) -> float:
    """How much a prompt says: a pair of Chinese characters is half a word."""
    return sum(1.0 if word.isascii() else 0.5 for word in said)


def todos(past: list[Entry]) -> dict[str, str]:
    """Title and state of every task of the list as it stood last."""
    whole: dict[str, str] = {}
    ids: dict[str, str] = {}
    told = results(past)
    for entry in past:
        if not isinstance(entry, Call):
            continue
        if entry.todos:
            whole = dict(entry.todos)
        id_, title, state = entry.task
        if title and not id_ and entry.id in told:
            made = _TASK_ID.search(told[entry.id].text)
            id_ = made[1] if made else ""
        if id_:
            title = title or ids.get(id_, "")
            ids[id_] = title
            if title and state:
                whole[title] = state
    return {title: state for title, state in whole.items() if title and state != "deleted"}


def used_files(call: Call) -> dict[str, float]:
    """The files of a call and what they weigh."""
    found = dict.fromkeys(_paths_of(call.script), READ)
    found |= dict.fromkeys(call.reads, READ)
    return found | dict.fromkeys(call.edits, EDITED)


def _paths_of(script: str) -> set[str]:
    return {
        p for c in commands(script) for w in c.words[1:] if " " not in w for p in words.paths(w)
    }


def _files(steps: list[Call], past: str, roots: tuple[str, ...]) -> tuple[dict[str, float], int]:
    found: dict[str, float] = {}
    for call in steps:
        for path, weight in used_files(call).items():
            short = relative(path, roots)
            found[short] = max(weight, found.get(short, 0.0))
    known = {path: weight for path, weight in found.items() if _known(path, past)}
    return known, len(found) - len(known)


def _known(path: str, past: str) -> bool:
    """Whether a file had been named: by its path, or its folder and its own name together."""
    tail = "/".join(path.split("/")[-2:])
    return re.search(rf"(?<![\w-]){re.escape(tail)}(?![\w-])", past) is not None


def _names(steps: list[Call], texts: list[str], past: str) -> tuple[dict[str, float], int]:
    """Names in the calls that the past holds: the rarer there and the oftener used, the heavier."""
    uses = Counter(name for call in steps for name in words.names(call.text))
    known = {
        n for n in uses if n in past and re.search(rf"(?<![\w$]){re.escape(n)}(?![\w$])", past)
    }
    weights = {
        name: min(3, uses[name]) * math.log(1 + len(texts) / sum(name in text for text in texts))
        for name in known
    }
    heaviest = sorted(weights, key=lambda name: (-weights[name], name))[:NAMES]
    return {name: weights[name] for name in heaviest}, len(uses) - len(known)


def _commands(past: list[Entry], steps: list[Call]) -> tuple[tuple[tuple[str, ...], ...], int]:
    before = set(_gists(entry for entry in past if isinstance(entry, Call)))
    after = list(dict.fromkeys(_gists(steps)))
    return tuple(g for g in after if g in before), sum(g not in before for g in after)


def _gists(calls: Iterable[Call]) -> Iterable[tuple[str, ...]]:
    for call in calls:
        for command in commands(call.script):
            if not is_plain(command.gist):
                yield command.gist
