"""The verbs in the order of the help page, and that page as plain text."""

from __future__ import annotations

from collections.abc import Mapping

SECTIONS: Mapping[tuple[str, str], Mapping[str, str]] = {
    ("Checkpoints", "checkpoints"): {
        "save": "Save your place under a name",
        "list": "List the checkpoints of this project",
        "resume": "Pick up where a checkpoint left off",
        "check": "Check a checkpoint's quality",
        "show": "Print a checkpoint, or the place that a line points to",
        "note": "Add a decision or a preference to SESSION-STATE.md",
        "delete": "Move a checkpoint to the trash",
        "restore": "Bring a deleted or replaced checkpoint back",
    },
    ("Sessions", "sessions"): {
        "sessions": "List the sessions that were held in this project",
        "go": "Start the client where you left off",
        "search": "Find what was said in any session, of any project",
        "why": "Tell what was changed and decided in a file, in which session",
        "keep": "Keep transcripts when their client deletes them",
        "view": "Show a session as a page in the browser",
        "brief": "Write the briefing for the next session",
        "distill": "Show all that a transcript holds, with evidence",
    },
    ("Other forms", "checkpoints"): {
        "protocol": "Save or load session-protocol.json, close its tasks",
        "document": "Write active-context.md and a session document",
        "backup": "List, resume or discard the raw backups",
    },
    ("Machines", "machines"): {
        "push": "Push checkpoints to a git remote",
        "pull": "Fetch checkpoints of other machines",
        "peers": "List the machines that pushed, and when",
        "forget": "Delete pushed checkpoints",
    },
    ("Redaction", "shell"): {"scrub": "Take secrets and personal data out of any text"},
    ("Set up", "machines"): {
        "install": "Put hooks, commands and skills where the client finds them",
        "uninstall": "Remove them, restoring files exactly",
        "mcp": "Let a client without hooks search, show and brief, over MCP",
        "doctor": "Diagnose the installation, name what fixes each finding",
        "demo": "Show save and resume on a bundled sample session",
    },
    ("Shell", "shell"): {
        "help": "Print the page of a verb",
        "completion": "Print the completion script for a shell",
    },
}
"""Each part of the page by its heading, and the module of `cli/verbs/` that has its verbs."""
SUMMARIES = {verb: text for verbs in SECTIONS.values() for verb, text in verbs.items()}
ABOUT = """Save your place in a coding-agent session; carry on from exactly there, days later.

`onward` alone tells what you were in the middle of, in all projects.
`onward save NAME` at the end, `onward resume NAME` at the next beginning."""

OPTIONS: Mapping[str, str] = {
    "--all": "Without a verb: finished work too.",
    "--why": "Without a verb: why each counts as open.",
    "--json": "Without a verb: print JSON.",
    "--version": "Show the version.",
    "-h, --help": "Show this page.",
}

MORE = "More about a verb: onward help VERB"


def page() -> str:
    """The help page of the program, written without click, whose import costs three starts of Python."""
    lines = ["Usage: onward VERB [OPTIONS] [ARGS]", "", *ABOUT.splitlines()]
    parts = ((title, rows) for (title, _), rows in SECTIONS.items())
    for title, rows in (*parts, ("Options", OPTIONS)):
        wide = max(map(len, OPTIONS if rows is OPTIONS else SUMMARIES))
        lines += ["", f"{title}:", *(f"  {words:{wide}}  {text}" for words, text in rows.items())]
    return "\n".join([*lines, "", MORE])
