"""What one case carried and missed, as a page for a user."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from evals.measures import MEASURES
from evals.scoring import Row

_PARTS = ("files", "names", "commands", "outcomes")


def page(rows: Sequence[Row], *, text: bool = True) -> str:
    """All rows of one case as Markdown. Whoever reads it reads a transcript: keep it private."""
    first = rows[0]
    out = [f"# {first.case}", f"{first.agent}, {first.kind}, {first.repository}"]
    out += [
        "No text could have known of what came next: "
        + ", ".join(f"{count} {name}" for name, count in first.unknown.items())
    ]
    for row in rows:
        out += [f"## {row.source}, {row.budget} tokens", _figures(row)]
        if row.error:
            out.append(f"**{row.error}**")
        for part in _PARTS:
            out += _list(f"{part} carried", row.carried[part])
            out += _list(f"{part} missed", row.missed[part])
        out += _list("false", row.wrong)
        if text and row.text:
            out.append("\n".join(f"    {line}" for line in row.text.split("\n")))
    return "\n\n".join(out) + "\n"


def _figures(row: Row) -> str:
    shown = ("carry", *MEASURES, "false", "tokens")
    return " · ".join(
        f"{name} {value:.0f}" if name == "tokens" else f"{name} {value:.2f}"
        for name in shown
        if (value := row.figures.get(name)) is not None
    )


def _list(heading: str, lines: Sequence[str]) -> list[str]:
    return [f"{heading}:\n\n" + "\n".join(f"- `{line}`" for line in lines)] if lines else []


def write(rows: Sequence[Row], folder: Path) -> int:
    """One page a case; how many there are."""
    folder.mkdir(parents=True, exist_ok=True)
    cases = dict.fromkeys(row.case for row in rows)
    for case in cases:
        mine = [row for row in rows if row.case == case]
        name = re.sub(r"[^\w.@-]", "-", case)
        (folder / f"{name}.md").write_text(page(mine), "utf-8", "replace")
    return len(cases)
