"""What a text carries of what the work goes on to use; each measure 0 to 1.

None where a case gives no occasion: no known file is used again, no check was ever run.
"""

from __future__ import annotations

import re

from msgspec import Struct

from evals import stated, words
from evals.checks import Run
from evals.claims import false_claims
from evals.shell import spoken
from evals.truth import Truth, relative

MEASURES = ("request", "files", "names", "commands", "outcomes")
ENOUGH = 0.7
"""The share of an order's words at which it is told: nobody repeats all of them."""
ROOM = 3
"""Words of a passage for each word that is asked for: a whole page is no passage."""
NARROWEST = 60


class Score(Struct, frozen=True, kw_only=True):
    """The figures of one text in one case, and what they rest on."""

    figures: dict[str, float | None]
    missed: dict[str, list[str]]
    carried: dict[str, list[str]]
    wrong: list[str]


def score(truth: Truth, text: str) -> Score:
    """All measures of a text, `carry` (their plain mean) and `false`."""
    shown = words.readable(text)
    figures: dict[str, float | None] = {"request": request(truth, shown)}
    carried: dict[str, list[str]] = {}
    missed: dict[str, list[str]] = {}
    for name, found in (
        ("files", files(truth, shown)),
        ("names", named(truth, shown)),
        ("commands", commands(truth, shown)),
        ("outcomes", outcomes(truth, text)),
    ):
        total = sum(weight for _, weight, _ in found)
        figures[name] = sum(w * share for _, w, share in found) / total if total else None
        carried[name] = [what for what, _, share in found if share == 1.0]
        missed[name] = [what for what, _, share in found if share < 1.0]
    wrong, checked = false_claims(truth, text)
    told = [value for value in figures.values() if value is not None]
    figures["carry"] = sum(told) / len(told) if told else None
    figures["false"] = len(wrong) / checked if checked else None
    return Score(figures=figures, missed=missed, carried=carried, wrong=wrong)


Found = list[tuple[str, float, float]]
"""What was asked for, its weight, and the share of it that is there."""


def request(truth: Truth, text: str) -> float | None:
    """How much of the orders in force the text tells: for each the largest share of its content
    words in one passage; from `ENOUGH` on it is told.
    """
    if not truth.orders:
        return None
    got = sum(w * min(1.0, best_passage(text, asked) / ENOUGH) for w, asked in truth.orders)
    return got / sum(w for w, _ in truth.orders)


def best_passage(text: str, asked: tuple[str, ...]) -> float:
    """The largest share of the words that stand together, in neighbouring lines."""
    want = set(asked)
    room = max(NARROWEST, ROOM * len(asked))
    lines = [words.words(line) for line in text.split("\n")]
    best = 0.0
    for start in range(len(lines)):
        have: set[str] = set()
        size = 0
        for line in lines[start:]:
            have.update(want.intersection(line[: room - size]))
            size += len(line)
            if size >= room:
                break
        best = max(best, len(have) / len(want))
    return best


def files(truth: Truth, text: str) -> Found:
    """The known files, each told where the text names it and no other known file that way."""
    told = {relative(path, truth.roots) for path in words.paths(text)}
    return [(p, weight, float(_told(truth, p, told, text))) for p, weight in truth.files.items()]


def _told(truth: Truth, path: str, told: set[str], text: str) -> bool:
    if " " in path:  # no pattern cuts such a path out of prose
        return path in text
    base = path.rsplit("/", 1)[-1]
    for mention in told:
        if mention == path:
            return True
        if words.same_file(mention, path):
            others = truth.namesakes.get(base, set())
            if all(words.same_file(o, path) for o in others if words.same_file(mention, o)):
                return True
    return False


def named(truth: Truth, text: str) -> Found:
    """The known names, each told where the text holds it as a word of its own."""
    return [
        (n, w, float(re.search(rf"(?<![\w$]){re.escape(n)}(?![\w$])", text) is not None))
        for n, w in truth.names.items()
    ]


def commands(truth: Truth, text: str) -> Found:
    """The known commands, each told where a line gives it; half with another object."""
    lines = stated.numbered(text)
    found: Found = []
    for form in truth.commands:
        share = float(any(stated.gives(line, form, code=code) for line, code in lines))
        if not share and len(form) > 2:
            share = 0.5 * any(spoken(form[:2]).search(line) for line, _ in lines)
        found.append((" ".join(form), 1.0, share))
    return found


def outcomes(truth: Truth, text: str) -> Found:
    """The last runs of checks, each told where its end is stated, and rightly.

    By its command; where no line states it so, by the word for its kind ("the build passes"), if
    all checks of that kind ended alike. Of a failure half is for what failed: a failing test's
    name or the words of an error line. A text that says both has half.
    """
    found: Found = []
    for run in truth.runs:
        others = [other for other in truth.runs if other is not run]
        said = stated.of_run(text, run, others)
        alike = {r.verdict for r in truth.runs if r.kind == run.kind} == {run.verdict}
        if not said and alike:
            said = stated.of_kind(text, run.kind)
        share = float(run.verdict in said)
        if share and run.verdict == "failed" and run.decisive:
            share = 0.5 + 0.5 * decisive(run, text)
        share /= max(1, len(said))
        found.append((f"{' '.join(run.form)} ({run.verdict})", 1.0, share))
    return found


def decisive(run: Run, text: str) -> bool:
    """Whether a text tells what failed."""
    have = set(words.words(text))
    for line in run.decisive:
        test = re.split(r"::| \u203a | > |/", line.split(" - ", 1)[0])[-1].strip()
        if len(test) > 3 and test in text:
            return True
        want = words.content(line)[:16]
        if len(want) > 2 and len(have.intersection(want)) / len(want) >= ENOUGH:
            return True
    return False
