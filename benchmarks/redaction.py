"""What redaction finds, spares and costs: `python benchmarks/redaction.py`.

Corpora are given by path; what was not measured for want of one is said. Without `--source`
Python's own library is the ordinary source code.

    --corpus DIR     transcripts (`.jsonl`, below it)
    --source DIR     ordinary source code; may be repeated
    --locks DIR      lock files and lists of paths
    --labels FILE    files with marked secrets (the form: redaction_labels.py); may be repeated
    --labelled DIR   what the labels' paths are relative to (the table's folder)
    --gitleaks FILE  gitleaks.toml, whose rules are then run over the same texts
    --spans FILE     every span is written there, with the value, to be read: keep it private

Status 1 where an example is missed, a near miss touched, something in a checkpoint damaged,
ordinary source has more than 2 spans a MB or lock files have one, or a law does not hold.
"""

from __future__ import annotations

import argparse
import sys
from itertools import chain
from pathlib import Path

import redaction_labels as labels
from redaction_damage import Spans, checkpoints, found_in
from redaction_examples import examples
from redaction_laws import idempotent, linear, settled
from redaction_speed import speed
from redaction_texts import Text, files, ours, standard_library, transcripts

from onward.redaction import engine, user_rules

SPANS_A_MB = 2.0
CANARY = "pytest tests/canary"


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("source", "labels"):
        parser.add_argument(f"--{name}", type=Path, action="append", help=argparse.SUPPRESS)
    for name in ("corpus", "locks", "labelled", "gitleaks", "spans"):
        parser.add_argument(f"--{name}", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def missing(what: str, option: str) -> bool:
    """Say so; nothing that was not measured is a failure."""
    print(f"  {what}: not measured, give it with {option}")
    return True


def theirs(path: Path | None) -> engine.Table | None:
    """The rules of a gitleaks.toml, for our engine."""
    if path is None:
        missing("gitleaks' rules over the same text", "--gitleaks FILE")
        return None
    loaded = user_rules.read_rules(path.read_text("utf-8"), path.name)
    for note in loaded.notes:
        print(f"  {note}")
    return engine.compile_rules(loaded.rules, wide=True)


def damage(
    args: argparse.Namespace, source: list[Text], listed: Spans, other: engine.Table | None
) -> bool:
    """Checkpoints, briefings, transcripts, source, lock files."""
    kept = found_in("source code", source, listed, other) <= SPANS_A_MB
    if args.locks:
        kept &= found_in("lock files, path lists", files([args.locks]), listed, other) == 0
    else:
        missing("lock files and path lists", "--locks DIR")
    if not args.corpus:
        return missing("transcripts, checkpoints, briefings", "--corpus DIR") and kept
    found_in("transcripts, decoded", transcripts(args.corpus), listed, other)
    return checkpoints(args.corpus, listed) and kept


def labelled(args: argparse.Namespace, other: engine.Table | None) -> None:
    """Recall and precision, beside gitleaks' rules in the same engine."""
    if not args.labels:
        missing("recall and precision", "--labels FILE")
    tables = {"onward": ours()} | ({"gitleaks": other} if other else {})
    for table in args.labels or ():
        print(f"  {table.name}")
        labels.report(labels.read(table, args.labelled or table.parent), tables)


def main() -> int:
    """Measure everything; status 1 where something does not hold."""
    args = arguments()
    source = list(files(args.source or standard_library()))
    print("== our own examples", flush=True)
    kept = examples()
    print(f"== no planted secret in anything written: {CANARY}", flush=True)
    print("== damage", flush=True)
    listed = Spans()
    other = theirs(args.gitleaks)
    kept &= damage(args, source, listed, other)
    if args.spans:
        args.spans.write_text("\n".join(listed.lines), encoding="utf-8")
    print("== speed", flush=True)
    speed(source)
    print("== laws", flush=True)
    kept &= idempotent(chain(source, transcripts(args.corpus) if args.corpus else ()))
    kept &= settled()
    kept &= linear()
    print("== labelled files", flush=True)
    labelled(args, other)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
