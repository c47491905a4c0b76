"""The figures as Markdown tables."""

from __future__ import annotations

from collections.abc import Sequence

from evals import tokens
from evals.averages import Mean, mean, quantile
from evals.cases import KINDS
from evals.measures import MEASURES
from evals.midtask import Carried
from evals.scoring import Row

_COLUMNS = ("carry", *MEASURES, "false", "tokens", "over")


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table, its columns as wide as they must be."""
    widths = [max(len(line[n]) for line in (head, *rows)) for n in range(len(head))]
    lines = [head, ["-" * width for width in widths], *rows]
    return "\n".join(
        "| "
        + " | ".join(f"{cell:{width}}" for cell, width in zip(line, widths, strict=True))
        + " |"
        for line in lines
    )


def _mean(rows: Sequence[Row], column: str) -> Mean | None:
    return mean((row.repository, row.figures.get(column)) for row in rows)


def _cell(rows: Sequence[Row], column: str, *, interval: bool = False) -> str:
    found = _mean(rows, column)
    if found is None:
        return "–"
    if column in {"tokens", "ms"}:
        return f"{found.value:.0f}"
    text = f"{found.value:.3f}" if column == "false" else f"{found.value:.2f}"
    if interval and found.low is not None and found.high is not None:
        text += f" ({found.low:.2f}–{found.high:.2f})"
    return text


def _sources(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(row.source for row in rows))


def _budgets(rows: Sequence[Row]) -> list[int]:
    return sorted({row.budget for row in rows})


def side_by_side(rows: Sequence[Row], budget: int) -> str:
    """Every text at one budget, all measures; `carry` with its interval."""
    out = []
    for source in _sources(rows):
        mine = [row for row in rows if row.source == source and row.budget == budget]
        cells = [_cell(mine, column, interval=column == "carry") for column in _COLUMNS]
        out.append([source, str(len(mine)), *cells])
    return table(["text", "cases", *_COLUMNS], out)


def by_group(rows: Sequence[Row], budget: int) -> str:
    """`carry` of every text by agent and kind of cut, with intervals."""
    groups = [(agent, kind) for agent in sorted({r.agent for r in rows}) for kind in KINDS]
    out = []
    for source in _sources(rows):
        mine = [row for row in rows if row.source == source and row.budget == budget]
        cells = []
        for agent, kind in groups:
            these = [r for r in mine if (r.agent, r.kind) == (agent, kind)]
            cells.append(_cell(these, "carry", interval=True))
        out.append([source, *cells])
    return table(["carry", *(f"{agent} {kind}" for agent, kind in groups)], out)


def kinds(rows: Sequence[Row], source: str, budget: int) -> str:
    """All measures of one text by agent and kind of cut."""
    mine = [row for row in rows if row.source == source and row.budget == budget]
    out = []
    for agent in sorted({row.agent for row in mine}):
        for kind in KINDS:
            these = [r for r in mine if (r.agent, r.kind) == (agent, kind)]
            if these:
                cells = [_cell(these, column) for column in _COLUMNS]
                out.append([f"{agent} {kind}", str(len(these)), *cells])
    return table([source, "cases", *_COLUMNS], out)


def sizes(rows: Sequence[Row]) -> str:
    """How good the estimate of tokens is, and how far a briefing goes over its budget."""
    ours = [row for row in rows if row.source == "onward" and row.text]
    out = []
    for budget in _budgets(ours):
        mine = [row for row in ours if row.budget == budget]
        errors = [e for row in mine if (e := row.figures["estimate"]) is not None]
        shares = [(row.figures["tokens"] or 0.0) / budget for row in mine]
        times = [ms for row in mine if (ms := row.figures["ms"]) is not None]
        cells = [quantile(errors, 0.5), quantile(errors, 0.95), quantile(shares, 1.0)]
        shown = ["–" if cell is None else f"{cell:.1%}" for cell in cells]
        paces = [quantile(times, 0.5), quantile(times, 0.95)]
        out.append([str(budget), *shown, *("–" if p is None else f"{p:.0f}" for p in paces)])
    head = ["budget", "estimate off, median", "p95", "largest, of budget", "ms, median", "ms, p95"]
    return table(head, out)


def pieces(errors: Sequence[float]) -> str:
    """How far the estimate is off on pieces of transcripts, as a sentence."""
    median, most = quantile(errors, 0.5), quantile(errors, 0.95)
    if median is None or most is None:
        return "No tokenizer is installed: the estimate was not measured."
    return (
        f"On {len(errors)} pieces of the transcripts the estimate is off by {median:.1%} in the "
        f"median, {most:.1%} at p95."
    )


def counted_by() -> str:
    """How tokens were counted, as a sentence."""
    name, _ = tokens.counter()
    return f"Tokens by {name}." + ("" if tokens.exact() else " Install bpe-openai for true counts.")


def mid_task(rows: Sequence[Carried]) -> str:
    """Sessions cut in mid-task: what each text still holds of what was in hand."""
    names = list(rows[0].held)
    out = []
    for row in rows:
        cells = ["–" if pair is None else _share(*pair) for pair in row.held.values()]
        size, pace = f"{row.megabytes:.1f}", f"{row.ms:.0f}" if row.ms else "–"
        out.append([row.source, row.name, size, row.of, *cells, str(row.tokens), pace])
    whole = [
        f"- {source}: everything in {sum(r.whole for r in mine)} of {len(mine)} sessions"
        for source in dict.fromkeys(row.source for row in rows)
        if (mine := [row for row in rows if row.source == source])
    ]
    head = ["text", "session", "MB", "task", *names, "tokens", "ms"]
    return table(head, out) + "\n\n" + "\n".join(whole)


def _share(have: int, of: int) -> str:
    return f"{have}/{of}" if of > 1 else ("yes" if have else "NO")
