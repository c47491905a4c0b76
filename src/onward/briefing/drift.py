"""Drift in words: what changed since the save, each line with what it means."""

from __future__ import annotations

from onward.briefing.text import code, count, listed, one_line
from onward.model import Clean, Commit, Drift, FileDrift, TreeDrift

SUBJECTS_SHOWN = 5
PATHS_SHOWN = 8


def sentences(drift: Drift[Clean]) -> list[str]:
    """One line for each thing that changed, the most consequential first; none: unchanged."""
    told = "No git repository here any more: what was committed can be neither seen nor compared"
    lines = [*([told] if drift.repo_gone else []), *_position(drift), *_history(drift)]
    for tree in drift.trees:
        own = (*_position(tree), *_history(tree))
        lines += [f"In {code(tree.root or '')}: {line}" for line in own]
    lines += [_file(f, drift) for f in drift.files]
    if drift.dirty:
        lines.append(f"Uncommitted now, but not at the save: {listed(drift.dirty, PATHS_SHOWN)}")
    if drift.uncommitted:
        lines.append(f"Still uncommitted: {listed(drift.uncommitted, PATHS_SHOWN)}")
    return lines


def _position(drift: TreeDrift[Clean]) -> list[str]:
    lines = []
    if drift.operation:
        lines.append(f"A {drift.operation} is under way: finish or abort it before anything else")
    if drift.branch_was is not None and drift.branch_now is not None:
        lines.append(
            f"Branch: {drift.branch_was} → {drift.branch_now}: the work was on {drift.branch_was}"
        )
    if drift.detached:
        on = f" (the work was on {drift.branch_was})" if drift.branch_was else ""
        at = f" at {drift.commit_now[:7]}" if drift.commit_now else ""
        lines.append(f"HEAD is detached{at}{on}: commits made here belong to no branch")
    return lines


def _history(drift: TreeDrift[Clean]) -> list[str]:
    if drift.commit_gone:
        gone = f"The saved commit {drift.commit_was[:7]} no longer exists here"
        return [f"{gone} (rebased, amended or not fetched): compare by content, not by history"]
    lines = []
    if drift.stashes:
        lines.append(
            f"{count(drift.stashes, 'stash')} made since the save: {code('git stash list')}"
        )
    if drift.ahead:
        lines.append(f"{count(drift.ahead, 'commit')} made since the save{_subjects(drift)}")
    if drift.behind:
        lines.append(
            f"{count(drift.behind, 'commit')} of the saved state {'is' if drift.behind == 1 else 'are'} "
            "not in this history: the branch was moved back or rewritten"
        )
    return lines


def _subjects(drift: TreeDrift[Clean]) -> str:
    shown = [f"{c.hash[:7]} {one_line(c.subject)}" for c in drift.commits[:SUBJECTS_SHOWN]]
    if not shown:
        return ""
    more = drift.ahead - len(shown)
    return ": " + "; ".join(shown) + (f"; and {more} older" if more > 0 else "")


def _file(file: FileDrift[Clean], drift: Drift[Clean]) -> str:
    path, by = code(file.path), _by(file.commit, drift)
    match file.change:
        case "deleted":
            return f"{path} was deleted{by}"
        case "reverted":
            return f"{path}: the uncommitted edits of the session are gone (reverted, stashed or reset)"
        case "renamed":
            return f"{path} is now {code(file.to or '')}{by}"
        case "moved":
            by = by if file.commit else ""  # moved by what came above it, committed or not
            return f"{code(f'{file.path}:{file.line}')} is now line {file.to_line}{by}"
        case "missing":
            return f"{path} was not found"
        case _:
            return f"{path} was changed{by}"


def _by(commit: Commit[Clean] | None, drift: Drift[Clean]) -> str:
    if commit:
        return f" by {commit.hash[:7]} ({one_line(commit.subject)})"
    return ", not committed" if not (drift.no_git or drift.behind) else ""
