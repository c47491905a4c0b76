"""Install, doctor: what our own log and the newest transcripts say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from onward.clients.doctor.case import Case
from onward.clients.doctor.finding import Finding, ok, remark
from onward.documents.times import age

_LINES = 5
_RECENT = 7 * 86400.0  # seconds
_TAIL = 8192  # bytes


def log(case: Case) -> Iterator[Finding]:
    """What went wrong in a hook: the client is told nothing, so it stands here alone."""
    path = case.data / "hooks.log"
    try:
        changed = path.stat().st_mtime
        with path.open("rb") as stream:
            stream.seek(max(0, path.stat().st_size - _TAIL))
            lines = stream.read().decode(errors="replace").split("\n")
    except OSError:
        yield ok("log", "no hook has failed")
        return
    last = [line.strip() for line in lines if line.strip()][-_LINES:]
    old = max(0.0, case.now.timestamp() - changed)
    if not last or old > _RECENT:
        yield ok("log", f"no hook has failed for {age(old)}" if last else "no hook has failed")
        return
    yield remark(
        "log",
        "\n".join([f"the last lines of {case.shown(path)}, {age(old)} old:", *last]),
        "a hook that fails tells nobody else",
        f"onward doctor --fix, then: rm {path}",
        "launcher",
    )


def records(case: Case) -> Iterator[Finding]:
    """Kinds of record that no reader knows: a new client may say something in a new way."""
    unknown: Counter[str] = Counter()
    for session in case.sessions:
        unknown.update(session.unknown)
    version = next((each.version for each in case.sessions if each.version), "")
    client = f" (client {version})" if version else ""
    if not unknown:
        if case.sessions:
            yield ok("transcripts", f"every kind of record is known{client}")
        return
    kinds = ", ".join(f"{kind or '(none)'} ×{count}" for kind, count in unknown.most_common(8))
    yield remark(
        "transcripts",
        f"records of a kind that is not known{client}: {kinds}",
        "they are skipped; what they say is in no checkpoint",
        "bring onward up to date; if that does not help, report the kinds",
    )
