"""`python -m evals CORPUS`: score briefings on real transcripts, side by side with what there is
without them. `CORPUS` is a folder with transcripts (`*.jsonl`) anywhere below it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from evals import estimates, midtask, report, scoring, tables, texts, tokens
from evals.cases import KINDS, Case, cases

_SOURCES = ("empty", "dump", "tail", "summary", "summary-whole", "onward")
_MID_TASK = ("tail", "onward")


def arguments(words: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m evals", description=f"{__doc__}\n{texts.__doc__}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("corpus", type=Path, nargs="?", help="the folder (make evals CORPUS=DIR)")
    parser.add_argument("--budget", default="1000,1500", help="tokens, several with commas")
    parser.add_argument("--text", default=",".join(_SOURCES), help=f"of: {', '.join(texts.MAKERS)}")
    parser.add_argument("--command", action="append", default=[], metavar="NAME=LINE",
                        help="any other program: a line with {file} and {budget}; repeatable")  # fmt: skip
    parser.add_argument("--agent", default="", help="only this agent's cases")
    parser.add_argument("--kind", default="", choices=("", *KINDS), help="only this kind of cut")
    parser.add_argument("--show", default="", metavar="NAME", help="print the pages of these cases")
    parser.add_argument(
        "--list", action="store_true", help="print the names of the cases, and stop"
    )
    parser.add_argument("--report", type=Path, metavar="DIR", help="write one page a case")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures; - for stdout")
    parser.add_argument("--no-mid-task", action="store_true", help="leave the second test out")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    args = parser.parse_args(words)
    if args.corpus is None:
        parser.error("say which folder of transcripts: make evals CORPUS=DIR")
    if not args.corpus.is_dir():
        parser.error(f"{args.corpus} is no folder: make evals CORPUS=DIR")
    args.budgets = budgets(parser, args.budget)
    args.sources = tuple(filter(None, args.text.split(",")))
    if unknown := [name for name in args.sources if name not in texts.MAKERS]:
        parser.error(f"no text is called {unknown[0]}; there are {', '.join(texts.MAKERS)}")
    if wrong := [line for line in args.command if "=" not in line]:
        parser.error(f"--command {wrong[0]}: write NAME=LINE")
    args.commands = dict(line.split("=", 1) for line in args.command)
    return args


def budgets(parser: argparse.ArgumentParser, text: str) -> tuple[int, ...]:
    """Numbers of tokens, as they are typed."""
    parts = text.split(",")
    if not all(part.isdigit() and int(part) for part in parts):
        parser.error(f"--budget {text}: write tokens, several with commas, as in 1000,1500")
    return tuple(map(int, parts))


def progress(text: str) -> None:
    """One line on a terminal that is always the newest; nothing where nobody looks."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def main(line: Sequence[str] | None = None) -> int:
    """Choose, score, print; 2 where the folder holds nothing to score."""
    args = arguments(line)
    found, transcripts = cases(args.corpus, progress)
    chosen = [c for c in found if args.agent in {"", c.agent} and args.kind in {"", c.kind}]
    chosen = [c for c in chosen if args.show in c.name]
    progress("")
    if not chosen:
        print(_nothing(args, transcripts, len(found)), file=sys.stderr)
        return 2
    if args.list:
        print("\n".join(case.name for case in chosen))
        return 0
    jobs = [
        scoring.Job(case=case, sources=args.sources, budgets=args.budgets, commands=args.commands)
        for case in chosen
    ]
    rows = scoring.run(jobs, args.jobs, progress)
    progress("")
    if args.report:
        print(f"{report.write(rows, args.report)} pages in {args.report}", file=sys.stderr)
    if args.show:
        for case in chosen:
            print(report.page([row for row in rows if row.case == case.name]))
        return 0
    mid = [] if args.no_mid_task else _mid_task(args.corpus)
    if args.json:
        _write_json(args.json, rows, mid)
    if str(args.json) != "-":
        _print(chosen, transcripts, rows, mid)
    return 0


def _nothing(args: argparse.Namespace, transcripts: int, found: int) -> str:
    if not transcripts:
        return f"there is no transcript (*.jsonl of a known agent) in {args.corpus} or below it"
    if not found:
        return f"none of the {transcripts} transcripts in {args.corpus} goes on after a cut"
    return f"none of the {found} cases is left; their names: python -m evals {args.corpus} --list"


def _mid_task(corpus: Path) -> list[midtask.Carried]:
    found = list(midtask.sessions(corpus, progress))
    rows = [
        midtask.row(case, source, tokens.count)
        for number, case in enumerate(found, 1)
        for source in _MID_TASK
        if _said(progress, f"mid-task {number}/{len(found)}")
    ]
    progress("")
    return rows


def _said(say: Callable[[str], None], text: str) -> bool:
    say(text)
    return True


def _print(
    chosen: Sequence[Case],
    transcripts: int,
    rows: Sequence[scoring.Row],
    mid: Sequence[midtask.Carried],
) -> None:
    repositories = len({case.repository for case in chosen})
    print(f"{len(chosen)} cases of {transcripts} transcripts in {repositories} repositories.")
    print(f"{tables.counted_by()} In brackets: 90 % of draws over repositories.")
    for budget in sorted({row.budget for row in rows}):
        print(f"\n## {budget} tokens\n\n{tables.side_by_side(rows, budget)}")
        print(f"\n{tables.by_group(rows, budget)}")
        if any(row.source == "onward" for row in rows):
            print(f"\n{tables.kinds(rows, 'onward', budget)}")
    if any(row.source == "onward" for row in rows):
        print(f"\n## Sizes and times\n\n{tables.sizes(rows)}")
        print(f"\n{tables.pieces(estimates.errors(chosen))}")
    if mid:
        print(f"\n## In mid-task, {midtask.BUDGET} tokens\n\n{tables.mid_task(mid)}")
    for row in [row for row in rows if row.error][:5]:
        print(f"{row.case}, {row.source}: {row.error}", file=sys.stderr)


def _write_json(target: Path, rows: Sequence[scoring.Row], mid: Sequence[midtask.Carried]) -> None:
    data: dict[str, Any] = {
        "tokenizer": tokens.counter()[0],
        "rows": [scoring.plain(row) for row in rows],
        "mid_task": [{name: getattr(row, name) for name in row.__struct_fields__} for row in mid],
    }
    text = json.dumps(data, ensure_ascii=True, indent=1)
    if str(target) == "-":
        print(text)
    else:
        target.write_text(text, "utf-8")


if __name__ == "__main__":
    sys.exit(main())
