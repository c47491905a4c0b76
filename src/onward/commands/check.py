"""`check`: a checkpoint against the quality bar."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import attrgetter

from msgspec.structs import replace

from onward import quality
from onward.briefing.text import count
from onward.commands import source
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.documents import checkpoint_md
from onward.documents.headings import field_of
from onward.documents.markdown import line_of, parts
from onward.errors import QualityError, RefusedError
from onward.model import Checkpoint, Clean
from onward.quality import Finding, SectionName
from onward.record.consistency import Rule, contradictions
from onward.record.text import one_line
from onward.redaction import Redactor
from onward.storage import reading

_NOTED = {"Task", "Next Action"}
_SECTIONS: Mapping[Rule, SectionName] = {
    "commit": "Files",
    "check": "Progress",
    "question": "Next Action",
    "plan": "Next Action",
    "task": "Progress",
    "pending": "Next Action",
    "background": "Relevant Context",
}
_LONGEST = 120  # characters of a line that is quoted
_MOST = 8  # lines with the same fault; `--json` has all


def check(world: World, what: str) -> Result:
    """The findings, each with its line, reason and a good form; exit code 7 if there is one."""
    found = source.load(world, what or source.newest_name(world), verb="check")
    if found.machine:
        message = f"{found.name} lies on another machine: only a file here can be fixed"
        raise RefusedError(message, f"onward show {found.name}")
    root = found.root or world.project.root
    findings = [
        *quality.check(found.checkpoint, world.finder(root)),
        *_contradictions(found.checkpoint, world.redactor),
    ]
    path = world.local(found.path)
    shown = found.name or path
    if is_text := found.kind in {"checkpoint", "document"}:
        text = reading.text(found.path)
        findings = [*_with_lines(text, findings), *_closing(text)]
    if not findings:
        return Result(text=compose(f"{shown}: complete"), data=findings)
    notes: tuple[str, ...] = ()
    if is_text:
        notes = (f"to fix it, edit {path}",)
        if found.kind == "checkpoint" and any(f.section in _NOTED for f in findings):
            again = f"onward save {found.name} --force"
            notes = (*notes, f"or save it with your own words: {again} --next TEXT")
    lines = [f"{shown}: {count(len(findings), 'error')}"]
    same = attrgetter("section", "reason", "good")
    for (section, reason, good), alike in groupby(findings, same):
        lines += ["", f"{section}: {reason}"]
        texts = ((one_line(each.text, _LONGEST), each.line) for each in alike if each.text)
        quoted = [f"  line {line}: {text}" if line else f"  {text}" for text, line in texts]
        lines += quoted[:_MOST]
        if len(quoted) > _MOST:
            lines.append(f"  and {len(quoted) - _MOST} more")
        lines.append(f"  good: {good}")
    code = QualityError.exit_code
    return Result(text=compose(*lines), data=findings, exit_code=code, notes=notes, prose=True)


def _contradictions(checkpoint: Checkpoint, redactor: Redactor) -> Iterator[Finding[Clean]]:
    """Lines that cannot both be so."""
    for found in contradictions(checkpoint):
        section, text = _SECTIONS[found.rule], redactor.text(found.one)
        reason = redactor.text(f"contradicts another line: {found.other}")
        yield quality.finding(section, 0, text, reason)


def _closing(text: str) -> Iterator[Finding[Clean]]:
    """The closing comment, where an edit broke it: the lines above it count all the same."""
    line, fault = checkpoint_md.fault(text)
    if line:
        reason = f"{fault} cannot be read: times, git state and hashes of files are unknown"
        yield quality.finding("Closing Comment", line, compose("<!-- onward:"), reason)


def _with_lines(text: str, findings: list[Finding[Clean]]) -> Iterator[Finding[Clean]]:
    """The findings with the line of the file, from 1, that each entry stands in; 0 if not found."""
    taken: set[int] = set()
    for finding in findings:
        words = (finding.text or "").split("\n", maxsplit=1)[0].strip()
        wanted = field_of(finding.section)
        inside = (part for part in parts(text) if words and field_of(part.title) == wanted)
        numbered = (pair for part in inside for pair in enumerate(part.body, part.first))
        places = (number for number, line in numbered if words in line and number not in taken)
        line = next(places, 0) or line_of(text, words)
        taken.add(line)
        yield replace(finding, line=line)
