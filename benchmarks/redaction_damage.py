"""What redaction changes that it should not: in checkpoints and briefings, source, lock files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from redaction_texts import Text, ours, personal, spans

from onward.briefing import brief
from onward.commands.opening import open_transcript
from onward.errors import OnwardError
from onward.model import Checkpoint
from onward.record import record
from onward.redaction import Redactor, Secrets, engine
from onward.redaction.defang import defang
from onward.transcripts import registry

KINDS = {
    "uuid": r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b",
    "hash": r"(?<![0-9A-Za-z_-])(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}(?![0-9A-Za-z_-])",
    "id": r"\b(?:toolu|msg|req|call|task|agent|item|rs|fc)_[0-9A-Za-z]{8,}",
    "path": (
        r"(?:~|\.{1,2}|\b[A-Za-z]:)(?:[/\\][\w.@+-]+)+|(?:[/\\][\w.@+-]+){2,}"
        r"|(?<![@\w.-])[\w.-]+(?:/[\w.@+-]+)+"
    ),
    "line number": r"[\w-]+\.[A-Za-z]{1,5}:\d+",
    "pointer": r"\b[tc]:[0-9a-f]+\b",
}
TOKEN = re.compile("|".join(f"({pattern})" for pattern in KINDS.values()))
# A home folder is to become `~`, also where a client made one name of a path: of a path the last
# name is compared, that of a home is passed over.
HOME_NAME = re.compile(r"(?:[A-Za-z]-)?-(?:Users|home)-.*|-?~.*|-|[A-Za-z]:")
HOME = re.compile(r"(?:home|Users)[/\\]+[^/\\]+$")
ADDRESS = re.compile(r"\w@[\w-]+\.\w")  # taken out, and then no path any more


class Spans:
    """What was found, for a user to read: a line each."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, corpus: str, origin: str, what: str, context: str) -> None:
        """One line more."""
        self.lines.append(f"{corpus}\t{origin}\t{what}\t{context!r}")


def found_in(
    name: str, texts: Iterable[Text], listed: Spans, theirs: engine.Table | None = None
) -> float:
    """Count the spans of a corpus; secrets a MB. `theirs`: other rules, only counted."""
    size = secrets = people = other = 0
    by_rule: Counter[str] = Counter()
    for origin, text in texts:
        data = defang(text).encode()
        size += len(data)
        other += len(spans(data, theirs)) if theirs else 0
        for table in (ours(), personal()):
            for start, end, ids in spans(data, table):
                by_rule[ids[0]] += 1
                secrets += table is ours()
                people += table is personal()
                line = data.count(b"\n", 0, start) + 1
                context = data[max(0, start - 60) : end + 40].decode(errors="replace")
                value = data[start:end].decode(errors="replace")
                listed.add(name, f"{origin}:{line}", ids[0], f"{value} <- {context}")
    megabytes = max(size / 1e6, 1e-9)
    print(
        f"  {name:22}{megabytes:8.1f} MB  {secrets:6} secrets ({secrets / megabytes:6.2f} a MB)"
        f"  {people:6} e-mail addresses and home folders"
    )
    if theirs:
        print(f"    gitleaks' rules: {other} ({other / megabytes:.2f} a MB)")
    print("    " + ", ".join(f"{rule} {count}" for rule, count in by_rule.most_common(12)))
    return secrets / megabytes


def checkpoints(folder: Path, listed: Spans) -> bool:
    """Distil and brief every transcript with and without redaction, and compare the tokens of
    each string and of the briefing; whether none was changed.
    """
    redactor = Redactor(b"a key for the benchmark")
    kept: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    sessions = unread = 0
    for path in sorted(folder.rglob("*.jsonl")):
        try:
            draft = record(iter(registry.open_transcript(path)))
        except OnwardError:
            unread += 1
            continue
        sessions += 1
        clean = redactor.draft(record(open_transcript(path, Secrets(redactor))[1]))
        plain = msgspec.convert(_defanged(msgspec.to_builtins(draft)), Checkpoint)
        before, after = (Counter(_all_tokens(each)) for each in (plain, clean))
        kept.update(kind for kind, _ in (before & after).elements())
        # A mark is shorter or longer than what it stands for: another line may be chosen.
        told = {*_tokens(brief(plain, None))} - {*_tokens(brief(clean, None))} - {*after}
        for where, gone in (("checkpoint", before - after), ("briefing", Counter(told))):
            for (kind, token), count in gone.items():
                if kind == "pointer" and (kind, token) in after:
                    continue  # to a sentence that, without its secret, is told in one place less
                lost[f"{kind} of a {where}"] += count
                listed.add(where, path.name, kind, token)
    print(f"  {sessions} sessions ({unread} files are none that onward reads); unchanged in")
    print("    checkpoints and briefings: " + ", ".join(f"{kind} {kept[kind]}" for kind in KINDS))
    print("    changed: " + (", ".join(f"{kind} {n}" for kind, n in lost.items()) or "none"))
    return not lost


def _defanged(value: Any) -> Any:
    """The same builtins, defanged, with all that redaction takes out."""
    if isinstance(value, str):
        return defang(value)
    if isinstance(value, dict):
        return {name: _defanged(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_defanged(each) for each in value]
    return value


def _all_tokens(checkpoint: Checkpoint) -> Iterator[tuple[str, str]]:
    stack = [msgspec.to_builtins(checkpoint)]
    while stack:
        value = stack.pop()
        if isinstance(value, str):
            yield from _tokens(value)
        elif isinstance(value, dict):
            stack.extend(value.values())
        elif isinstance(value, list | tuple):
            stack.extend(value)


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    for match in TOKEN.finditer(text):
        kind, token = tuple(KINDS)[(match.lastindex or 1) - 1], match[0]
        if kind == "path":
            names = re.split(r"[/\\]+", HOME.sub("", token))
            token = next((each for each in names[::-1] if not HOME_NAME.fullmatch(each)), "")
        if token and not ADDRESS.search(token):
            yield kind, token
