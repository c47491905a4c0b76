"""Install, doctor: what is put before the model, how large it is, and whether it arrived."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from onward.briefing.tokens import estimate
from onward.clients.claude_code_hooks import HOOKS
from onward.clients.doctor.case import Case, Session
from onward.clients.doctor.finding import Finding, Fix, broken, ok, remark
from onward.clients.doctor.levels import entries, is_ours, levels
from onward.documents.times import age, moment
from onward.model import Fate
from onward.storage import backups, reading

CUT = 10_000
"""Characters of a hook's text above which the model gets a preview of 2 KB only (clients
2.1.197 and 2.1.330)."""
LARGE = 40_000
"""Characters of one imported file above which client 2.1.330 itself warns at its start."""
_LETTERS = 4  # characters of a token, roughly: the text itself is not at hand
_WRONG: dict[Fate, tuple[str, str, str, Fix]] = {
    "cut": (
        f"the text was over {CUT:,} characters",
        "the client put it into a file and gave the model the first 2 KB",
        'write "handover = false" below [hooks] in onward.toml',
        "",
    ),
    "cancelled": (
        "the hook was stopped at its time limit",
        "the model was told nothing",
        "onward doctor --fix",
        "launcher",
    ),
    "failed": (
        "the hook ended with an error",
        "the client threw its text away",
        "onward install",
        "files",
    ),
}
_IMPORT = re.compile(r"(?:^|\s)@([^\s`]+)")
# What is never closed goes on to the end, as in Markdown: else each one that opens would look there.
_FENCED = re.compile(r"^```.*?(?:^```|\Z)|`[^`\n]*`|<!--.*?(?:-->|\Z)", re.MULTILINE | re.DOTALL)


def imports(case: Case) -> Iterator[Finding]:
    """The two files that the client loads into each session, by an `@` line in CLAUDE.md."""
    project_level = any(entry.level.name == "project" for entry in entries(levels(case)))
    sources = (case.claude / "CLAUDE.md", case.project.root / "CLAUDE.md")
    named = {_real(source.parent / each): each for source in sources for each in _named(source)}
    for path in (case.project.active_context, case.project.memory / "project-memory.md"):
        shown = case.shown(path)
        if _real(path) in named:
            yield _size(shown, path)
        elif any(each.endswith(path.name) for each in named.values()):
            wrong = next(each for each in named.values() if each.endswith(path.name))
            yield broken(
                "imports",
                f"@{wrong} leads nowhere: {shown} is not loaded",
                "an import is relative to the file it stands in; the client says nothing where it fails",
                "in .claude/CLAUDE.md write @memory/" + path.name,
            )
        elif project_level:
            yield broken(
                "imports",
                f"{shown} is imported nowhere",
                "a new session does not begin with it, as the session rules say it does",
                "onward doctor --fix",
                "files",
            )


def _size(shown: str, path: Path) -> Finding:
    if not path.is_file():
        return ok("imports", f"{shown}: not written yet")
    text = reading.text(path)
    said = f"{shown}: {len(text):,} characters, about {estimate(text):,} tokens"
    if len(text) <= LARGE:
        return ok("imports", said)
    why = f"every session pays for it; the client warns above {LARGE:,} characters"
    return remark("imports", said, why, f"shorten {shown}")


def _named(source: Path) -> list[str]:
    if not source.is_file():
        return []
    return _IMPORT.findall(_FENCED.sub(" ", reading.text(source)))


def _real(path: Path) -> Path:
    try:
        return path.expanduser().resolve()
    except (OSError, RuntimeError, ValueError):  # no such user's home, a ring of links, a NUL
        return path


def last(case: Case) -> Iterator[Finding]:
    """The last text that a start's hook gave, as the client recorded it in the transcript."""
    shim = next(hook.shim for hook in HOOKS if hook.event == "SessionStart")
    found = [
        (each.at, session, each)
        for session in case.sessions
        for each in session.injections
        if is_ours(each.command, shim)
    ]
    if not found:
        if case.sessions and entries(levels(case)):
            yield _untold(case, case.sessions[0])
        return
    at, session, newest = max(found, key=lambda each: each[0])
    told = moment(at)
    when = f"{age(max(0.0, (case.now - told).total_seconds()))} ago" if told else "once"
    who = f"session {session.session[:8]}"
    if newest.fate in _WRONG:
        text, effect, advice, fix = _WRONG[newest.fate]
        yield broken("injection", f"{when}, for {who}: {text}", effect, advice, fix)
        return
    size = f"{newest.size:,} characters, about {newest.size // _LETTERS:,} tokens"
    state = "the model got it" if newest.fate == "reached" else "no answer has come since"
    yield ok("injection", f"{when}, for {who}: {size}; {state}")


def _untold(case: Case, session: Session) -> Finding:
    """A hook that has nothing to say leaves no trace; with a backup waiting it had something."""
    began = moment(session.started)
    stamp = began.astimezone(case.now.tzinfo).strftime("%Y%m%d_%H%M%S") if began else ""
    waiting = [
        each
        for each in backups.entries(case.project)
        if each.pending and each.taken < stamp and each.session != session.session
    ]
    if not waiting:
        return ok("injection", "nothing was told to the newest sessions")
    return remark(
        "injection",
        f"session {session.session[:8]} was told nothing; {waiting[0].path.name} was waiting",
        "the model did not know that there is something to resume",
        "see what is said of `run` and `log`; to resume now: onward backup resume",
    )
