"""`python -m evals.readers`: what a reader who has only a text would do, graded by the transcript.

    make CORPUS --out DIR [--text onward,summary-whole] [--budget 1500] [--kind compact] [--limit 12]
                          [--only CASE,CASE] [--readers N]
    cases CORPUS [--kind compact]    the names that `--only` takes, a line each
    ask DIR --reader 'PROGRAM …'     the packet on its stdin, the answer on its stdout
    grade DIR

`make` writes `packet-NN.md` in shuffled order and `key.json`, sealed so that nothing shows by
accident. With `--readers` the packets are dealt to that many folders, `reader-1` and so on: each has as
many of every text, and none a case twice if there are at least as many readers as texts. A reader is a person or any program; it must see neither transcript nor key. Besides the
next steps and how usable the text is, each packet asks what the transcript answers exactly: the last
error line (recall), the files that were changed (artefacts), the last request (continuation), and
what the user decided or refused (decisions). What a case does not have is not asked.
"""

from __future__ import annotations

import argparse
import base64
import json
import random
import re
import shlex
import subprocess
import sys
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from evals import measures, scoring, shell, texts, truth, words
from evals.averages import mean
from evals.cases import Case, cases, past_of, steps_of
from evals.entries import Call, Prompt, Result, results

STEPS = 5
_LIMIT = 600.0
_LAST_FAILURES = 30
_ERROR = re.compile(r"error|exception|failed|fatal|panic|denied|not found", re.IGNORECASE)
_ANSWERED = re.compile(r'"([^"\n]{8,300})"="([^"\n]{1,300})"')
_REFUSED = "The user doesn't want to proceed with this tool use"
_ENOUGH = 0.6
"""Share of the content words from which on an answer says the same."""
_QUESTION = """You take over this work now. Answer with JSON only:
{{"steps": [{{"file": "path or empty", "command": "command or empty", "what": "why"}}, five of them: the next
steps you would take], "usable": 1-5: how well you could go on, "missing": "what you would have needed",
{probes}}}
"""
_PROBES = {
    "recall": '"recall": "the error line of the command that failed last, word for word"',
    "artefacts": '"artefacts": ["every file that the session changed", "…"]',
    "continuation": '"continuation": "what the user asked for last"',
    "decisions": '"decisions": ["each thing that the user decided or refused", "…"]',
}


class Key(Struct, kw_only=True):
    """What the transcript answers for one packet."""

    case: str
    repository: str
    source: str
    roots: list[str]
    files: list[str]
    """Files and commands of the next 20 calls."""
    commands: list[list[str]]
    recall: str = ""
    artefacts: list[str] = []
    continuation: str = ""
    decisions: list[str] = []


def key_of(case: Case, source: str) -> Key:
    """The answers of one case."""
    past, steps = past_of(case), steps_of(case)
    known = scoring.truth_for(case)
    edits = (e for entry in past if isinstance(entry, Call) for e in entry.edits)
    prompts = [entry.text for entry in past if isinstance(entry, Prompt)]
    used = {truth.relative(p, known.roots) for call in steps for p in truth.used_files(call)}
    ran = {
        c.gist for call in steps for c in shell.commands(call.script) if not shell.is_plain(c.gist)
    }
    return Key(
        case=case.name,
        repository=case.repository,
        source=source,
        roots=list(known.roots),
        files=sorted(used),
        commands=sorted(map(list, ran)),
        recall=_last_error(case),
        artefacts=list(dict.fromkeys(truth.relative(e, known.roots) for e in edits)),
        continuation=prompts[-1] if prompts else "",
        decisions=list(_decided(case)),
    )


def _last_error(case: Case) -> str:
    failed = [e for e in past_of(case) if isinstance(e, Result) and e.failed]
    for result in reversed(failed[-_LAST_FAILURES:]):
        for line in reversed(result.text.splitlines()):
            if _ERROR.search(line) and 20 <= len(line.strip()) <= 300:
                return line.strip()
    return ""


def _decided(case: Case) -> Iterator[str]:
    past = past_of(case)
    told = results(past)
    for entry in past:
        if not isinstance(entry, Call) or entry.id not in told:
            continue
        said = told[entry.id].text
        if entry.tool == "AskUserQuestion":
            yield from (f"{asked} {answer}" for asked, answer in _ANSWERED.findall(said))
        elif said.startswith(_REFUSED):
            what = entry.script.strip() or next(iter((*entry.edits, *entry.reads)), "")
            if what:
                yield what.splitlines()[0][:200]


# ------------------------------------------------------------------------------ packets


def make(args: argparse.Namespace) -> int:
    """Write the packets and the key."""
    found = _cases(args.corpus, args.kind)
    if args.only:
        found = [case for case in found if case.name in args.only.split(",")]
    every = max(1, len(found) // args.limit) if args.limit else 1
    chosen, sources = found[::every][: args.limit or None], args.text.split(",")
    jobs = [
        (case, source, (n + at) % args.readers + 1 if args.readers else 0)
        for n, case in enumerate(chosen)
        for at, source in enumerate(sources)
    ]
    random.Random(args.seed).shuffle(jobs)
    keys: dict[str, Key] = {}
    for case, source, reader in jobs:
        made = texts.MAKERS[source](case, args.budget)
        if not made.text.strip():
            print(f"no {source} of {case.name}: {made.error}", file=sys.stderr)
            continue
        name, key = f"{len(keys) + 1:02}", key_of(case, source)
        keys[name] = key
        folder = args.out / f"reader-{reader}" if reader else args.out
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"packet-{name}.md").write_text(packet(made.text, key), "utf-8")
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "key.json").write_text(json.dumps({"sealed": seal(keys)}), "utf-8")
    print(f"{len(keys)} packets in {args.out}; to grade: python -m evals.readers grade {args.out}")
    return 0 if keys else 2


def _cases(corpus: Path, kind: str) -> list[Case]:
    found, _ = cases(corpus, lambda _: None)
    return [case for case in found if kind in {"", case.kind}]


def list_cases(args: argparse.Namespace) -> int:
    """Print the names of the cases, and of the file in which a note is looked for."""
    for case in _cases(args.corpus, args.kind):
        print(f"{case.name}\t{texts.note_of(case).name}")
    return 0


def packet(text: str, key: Key) -> str:
    """A text and the question about it."""
    probes = ",\n".join(asked for name, asked in _PROBES.items() if getattr(key, name))
    question = _QUESTION.format(probes=probes).replace(",\n}", "}")
    return f"# Briefing\n\n{text.strip()}\n\n---\n\n# Question\n\n{question}"


def seal(keys: dict[str, Key]) -> str:
    """The key, packed so that a look at the file tells nothing."""
    return base64.b64encode(zlib.compress(msgspec.json.encode(keys))).decode()


def unseal(text: str) -> dict[str, Key]:
    """The key again. Raises msgspec.DecodeError."""
    return msgspec.json.decode(zlib.decompress(base64.b64decode(text)), type=dict[str, Key])


def ask(args: argparse.Namespace) -> int:
    """Let a program answer every packet that has no answer yet; without one, print them."""
    for path in sorted(args.folder.rglob("packet-*.md")):
        target = path.with_name(path.name.replace("packet", "answer")).with_suffix(".json")
        if target.exists():
            continue
        if not args.reader:
            print(f"{path.read_text('utf-8')}\n(write the answer into {target})\n{'=' * 80}")
            continue
        done = subprocess.run(
            shlex.split(args.reader), input=path.read_bytes(), capture_output=True,
            timeout=_LIMIT, check=False,
        )  # fmt: skip
        if done.returncode:
            print(f"{path.name}: {done.stderr.decode('utf-8', 'replace')[-300:]}", file=sys.stderr)
            continue
        target.write_bytes(done.stdout)
    return 0


# ------------------------------------------------------------------------------- grades


def graded(answer: dict[str, Any], key: Key) -> dict[str, float]:
    """Each measure from 0 to 1, `usable` from 1 to 5; what was not asked is left out."""
    steps = [step for step in answer.get("steps") or () if isinstance(step, dict)][:STEPS]
    found = {"right": sum(_is_right(step, key) for step in steps) / STEPS}
    usable = answer.get("usable")
    if isinstance(usable, int | float):
        found["usable"] = float(usable)
    if key.recall:
        said = _flat(answer.get("recall"))
        line = _flat(key.recall)
        found["recall"] = float(bool(said) and (line in said or (len(said) >= 20 and said in line)))
    if key.artefacts:
        told = [truth.relative(p, tuple(key.roots)) for p in _each(answer.get("artefacts"))]
        hit = sum(any(words.same_file(path, t) for t in told) for path in key.artefacts)
        true = sum(any(words.same_file(path, t) for path in key.artefacts) for t in told)
        recall, precision = hit / len(key.artefacts), true / len(told) if told else 0.0
        found["artefacts"] = 2 * recall * precision / (recall + precision) if hit and true else 0.0
    if key.continuation:
        found["continuation"] = float(_says(_flat(answer.get("continuation")), key.continuation))
    if key.decisions:
        told_text = "\n".join(_each(answer.get("decisions")))
        found["decisions"] = sum(_says(told_text, d) for d in key.decisions) / len(key.decisions)
    return found


def _is_right(step: dict[str, Any], key: Key) -> bool:
    path = truth.relative(str(step.get("file") or "").strip("` "), tuple(key.roots))
    if path and any(words.same_file(used, path) for used in key.files):
        return True
    ran = {tuple(each) for each in key.commands}
    script = str(step.get("command") or "").strip("` ")
    if any(command.gist in ran for command in shell.commands(script)):
        return True
    named = words.paths(script)
    return any(words.same_file(used, p) for used in key.files for p in named if "/" in p)


def _says(text: str, wanted: str) -> bool:
    asked = tuple(words.content(wanted)[: truth.FIRST_WORDS])
    if not asked:
        return wanted in text
    return measures.best_passage(text, asked) >= _ENOUGH


def _each(value: Any) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list) else [str(value or "")]


def _flat(value: Any) -> str:
    return " ".join(str(value or "").split()).strip("`\"' ")


def grade(args: argparse.Namespace) -> int:
    """Print the mean of each measure by text, with 90 % of draws over repositories."""
    keys = unseal(json.loads((args.folder / "key.json").read_text("utf-8"))["sealed"])
    found: dict[str, dict[str, list[tuple[str, float]]]] = defaultdict(lambda: defaultdict(list))
    missing = 0
    for name, key in keys.items():
        path = next(args.folder.rglob(f"answer-{name}.json"), None)
        raw = path.read_text("utf-8", "replace") if path else ""
        body = re.search(r"\{.*\}", raw, re.DOTALL)
        try:
            answer = json.loads(body[0]) if body else None
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            missing += 1
            continue
        for measure, value in graded(answer, key).items():
            found[key.source][measure].append((key.repository, value))
    for source, by_measure in found.items():
        print(f"\n{source}")
        for measure, values in by_measure.items():
            if told := mean(values):
                ends = f" ({told.low:.2f}-{told.high:.2f})" if told.low is not None else ""
                print(f"  {measure:13} {told.value:.2f}{ends} of {told.cases}")
    if missing:
        print(
            f"\n{missing} of {len(keys)} packets have no answer that can be read", file=sys.stderr
        )
    return 0 if found else 2


def main(line: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.readers", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    verbs = parser.add_subparsers(required=True)
    one = verbs.add_parser("make", help="write packets")
    one.add_argument("corpus", type=Path)
    one.add_argument("--out", type=Path, required=True)
    one.add_argument("--text", default="onward", help=f"of: {', '.join(texts.MAKERS)}")
    one.add_argument("--budget", type=int, default=1500)
    one.add_argument("--kind", default="")
    one.add_argument("--limit", type=int, default=12, help="cases; 0 for all")
    one.add_argument("--only", default="", help="names of cases")
    one.add_argument("--readers", type=int, default=0, help="deal the packets to so many")
    one.add_argument("--seed", type=int, default=1)
    one.set_defaults(run=make)
    names = verbs.add_parser("cases", help="list the cases of a corpus")
    names.add_argument("corpus", type=Path)
    names.add_argument("--kind", default="")
    names.set_defaults(run=list_cases)
    two = verbs.add_parser("ask", help="let a reader answer them")
    two.add_argument("folder", type=Path)
    two.add_argument("--reader", default="", help="a program; without it, packets are printed")
    two.set_defaults(run=ask)
    three = verbs.add_parser("grade", help="hold the answers against the transcripts")
    three.add_argument("folder", type=Path)
    three.set_defaults(run=grade)
    args = parser.parse_args(line)
    return int(args.run(args))


if __name__ == "__main__":
    sys.exit(main())
