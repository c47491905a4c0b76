"""Recall and precision over files in which somebody marked the secrets.

The labels are one table, comma- or tab-separated, with a first line that names its columns
(lines that begin with `#` are passed over):

    path   the file, relative to the table (or to `--labelled DIR`)
    line   its line, counted from 1
    value  the secret as it stands there; or `start` and `end`, characters counted from 0;
           neither: any place of the line
    label  `T` a secret, `F` looked at and none; anything else: nobody can tell, what is found
           there does not count; without the column every row is a secret
    kind   a word for the report, as `password`

The columns of CredData's tables are read as well (FilePath, LineStart, LineEnd, ValueStart,
ValueEnd, GroundTruth, Category). What is found in these files where no label is counts as false,
once with what nobody looked at and once without.
"""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

from redaction_texts import spans

from onward.redaction import engine, rules

NAMES = {
    "path": ("path", "FilePath"),
    "line": ("line", "LineStart"),
    "last": ("last", "LineEnd"),
    "start": ("start", "ValueStart"),
    "end": ("end", "ValueEnd"),
    "value": ("value",),
    "label": ("label", "GroundTruth"),
    "kind": ("kind", "Category"),
}


GENERIC = frozenset({"generic-api-key"})  # finds by what stands around


class Label(NamedTuple):
    """Bytes `start` to `end` of a file, and whether they are a secret."""

    start: int
    end: int
    is_secret: bool | None  # None: nobody can tell
    kind: str


class Score(NamedTuple):
    """How a set of rules did."""

    found: dict[tuple[Path, Label], set[str]]  # by which rules
    spans: int  # that met a label
    wrong: int  # of these, met none that is a secret
    elsewhere: int  # where nobody looked
    by_rule: dict[str, Counter[str]]


def read(table: Path, folder: Path) -> dict[Path, list[Label]]:
    """The labels by file. Raises OSError, KeyError or ValueError where they cannot be read."""
    labels: dict[Path, list[Label]] = defaultdict(list)
    texts: dict[Path, list[str]] = {}
    missing = 0
    with table.open(encoding="utf-8", newline="") as lines:
        rows = [line for line in lines if not line.startswith("#")]
        for raw in csv.DictReader(rows, delimiter="\t" if "\t" in rows[0] else ","):
            row = {
                name: next((raw[each] for each in names if raw.get(each)), "")
                for name, names in NAMES.items()
            }
            path = folder / row["path"]
            if path not in texts:
                text = path.read_bytes().decode(errors="replace") if path.is_file() else ""
                texts[path] = text.split("\n")
            label = _label(row, texts[path])
            missing += label is None
            if label:
                labels[path].append(label)
    if missing:
        print(f"  {missing} labels name a file or a line that is not there")
    return labels


def _label(row: dict[str, str], lines: list[str]) -> Label | None:
    """None: the file or the line is not there."""
    number = int(row["line"]) - 1
    last = int(row["last"] or row["line"])
    if not 0 <= number < len(lines):
        return None
    text, value = lines[number], row["value"]
    left, right = int(row["start"] or -1), int(row["end"] or -1)
    if value and value in text:
        left, right = text.index(value), text.index(value) + len(value)
    if last > number + 1 or left < 0:
        left, right = 0, -1
    base = len("\n".join([*lines[:number], ""]).encode())
    stop = len("\n".join(lines[:last]).encode())
    end = stop if right < left else base + len(text[:right].encode())
    is_secret = {"": True, "T": True, "F": False}.get(row["label"])
    return Label(base + len(text[:left].encode()), max(end, base + 1), is_secret, row["kind"])


def score(labels: dict[Path, list[Label]], table: engine.Table) -> Score:
    """Run the rules over each file whole."""
    found: dict[tuple[Path, Label], set[str]] = defaultdict(set)
    met_any = wrong = elsewhere = 0
    by_rule: dict[str, Counter[str]] = defaultdict(Counter)
    for path, wanted in labels.items():
        for span in spans(path.read_bytes().decode(errors="replace").encode(), table):
            met = [each for each in wanted if each.start < span.end and span.start < each.end]
            if met and all(each.is_secret is None for each in met):
                continue
            right = {(path, each) for each in met if each.is_secret}
            for each in right:
                found[each] |= set(span.rules)
            met_any += bool(met)
            wrong += bool(met) and not right
            elsewhere += not met
            outcome = "right" if right else "wrong" if met else "elsewhere"
            by_rule[span.rules[0]][outcome] += 1
    return Score(found, met_any, wrong, elsewhere, by_rule)


def report(labels: dict[Path, list[Label]], tables: dict[str, engine.Table]) -> None:
    """Print recall and precision of each table, recall by kind of label, and what each part of
    our rules (the first table) found.
    """
    secrets = {(path, each) for path, row in labels.items() for each in row if each.is_secret}
    others = sum(each.is_secret is False for row in labels.values() for each in row)
    print(f"  {len(labels)} files, {len(secrets)} secrets, {others} places that are none")
    scores = {name: score(labels, table) for name, table in tables.items()}
    for name, each in scores.items():
        right = each.spans - each.wrong
        recall = len(each.found) / max(1, len(secrets))
        print(
            f"  {name:10} recall {recall:.2f}  precision {right / max(1, each.spans):.2f}"
            f" where somebody looked, {right / max(1, each.spans + each.elsewhere):.2f} with the"
            f" {each.elsewhere} spans elsewhere"
        )
    mine = next(iter(scores.values()))
    kinds = Counter(label.kind or "(no kind)" for _, label in secrets)
    for kind, count in kinds.most_common():
        rates = (
            f"{name} {sum((label.kind or '(no kind)') == kind for _, label in each.found) / count:.2f}"
            for name, each in scores.items()
        )
        print(f"    {kind[:40]:40}{count:6}  {', '.join(rates)}")
    fixed = {rule.id for rule in rules.FIXED}
    for layer, is_ours in (("fixed formats", True), ("surroundings", False)):
        total: Counter[str] = Counter()
        for rule, outcome in mine.by_rule.items():
            total.update(outcome if (rule in fixed) is is_ours else {})
        told = ", ".join(f"{count} {name}" for name, count in total.items())
        print(f"    our layer of {layer}: {told or 'nothing'}")
    if len(scores) > 1:
        theirs = [*scores.values()][1].found
        known = {secret for secret, ids in theirs.items() if ids - GENERIC}
        print(
            f"    known formats (what gitleaks' rules find, but for {', '.join(GENERIC)}):"
            f" {len(known & set(mine.found))} of {len(known)} found by ours"
        )
