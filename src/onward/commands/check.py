"""`check`: a checkpoint against the quality bar."""

from __future__ import annotations

from itertools import groupby

from onward import quality
from onward.commands import rim, source
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.errors import QualityError
from onward.model import Clean
from onward.quality import Finding

_LONGEST = 120  # characters of a line that is quoted


def check(world: World, what: str) -> Result:
    """Each finding with its line, its reason and a good form; exit code 7 if there is one."""
    project = rim.here(world)
    found = source.load(world, what or source.newest(project), verb="check")
    root = found.root or project.root
    findings = quality.check(found.checkpoint, lambda path: (root / path).exists())
    shown = found.name or rim.shown(found.path, world, project.root)
    if not findings:
        return Result(text=compose(f"{shown}: complete"), data=findings)
    lines = [f"{shown}: {len(findings)} to mend"]
    for (section, reason, good), alike in groupby(findings, _kind):
        lines += ["", f"{section}: {reason}"]
        lines += [_quoted(finding) for finding in alike if finding.line]
        lines += [f"  good: {good}"]
    return Result(text=compose(*lines), data=findings, exit_code=QualityError.exit_code)


def _kind(finding: Finding[Clean]) -> tuple[str, str, str]:
    return finding.section, finding.reason, finding.good


def _quoted(finding: Finding[Clean]) -> str:
    text = " ".join((finding.text or "").split())
    shown = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return f"  line {finding.line}: {shown}"
