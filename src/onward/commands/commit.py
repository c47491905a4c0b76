"""`show c:9f5a3c7`: a commit that a line points to."""

from __future__ import annotations

import re
from pathlib import Path

from onward import evidence, repo
from onward.commands.result import Result, compose
from onward.errors import NotFoundError, UsageError
from onward.redaction import Redactor
from onward.repo.git import ask, decode

_HASH = re.compile(r"c:([0-9a-fA-F]{4,64})")


def is_commit(what: str) -> bool:
    """Whether a word of the command line is meant as a commit."""
    return what.startswith("c:")


def show_commit(what: str, root: Path, redactor: Redactor) -> Result:
    """Who, when, what and which files, redacted. Raises UsageError, NotFoundError."""
    found = _HASH.fullmatch(what)
    if not found:
        raise UsageError(f"{what!r} is no commit", "onward show c:9f5a3c7")
    form = "--format=commit %H%nDate: %cI%n%n%B"
    if repo.top(root) is None:
        raise NotFoundError(f"{root} is in no git repository, so it has no commits", "git init")
    said = ask(root, "show", "--stat", "--no-ext-diff", form, f"{found[1]}^{{commit}}", "--")
    if said is None:
        raise NotFoundError(f"the commit {found[1]} is not in this repository", "git fetch --all")
    text = redactor.text(decode(said))
    return Result(text=compose(evidence.escape(text)), data={"place": what, "text": text})
