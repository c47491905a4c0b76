"""Distil: line ranges of one file over several edits."""

from __future__ import annotations

Span = tuple[int, int]

_NEAR = 3
"""Lines between two spans that are shown as one."""
_MOST = 12


def merge(before: tuple[Span, ...], new: tuple[Span, ...], shift: int) -> tuple[Span, ...]:
    """The spans of a file after one more edit, in its newest line numbers.

    `shift` is how many lines the edit added. What stood below it moved by as much; an edit
    in several places moves nothing here: which part moved what is not told.
    """
    if not new:
        return before
    if len(new) == 1 and shift:
        end = new[0][1] - shift
        before = tuple((a + shift, b + shift) if a > end else (a, b) for a, b in before)
    return join(tuple((a, b) for a, b in (*before, *new) if 0 < a <= b))


def join(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Sorted spans without overlaps, near ones as one; at most 12, the widest kept."""
    out: list[Span] = []
    for first, last in sorted(spans):
        if out and first <= out[-1][1] + _NEAR:
            out[-1] = (out[-1][0], max(out[-1][1], last))
        else:
            out.append((first, last))
    if len(out) > _MOST:
        out = sorted(sorted(out, key=lambda s: s[0] - s[1])[:_MOST])
    return tuple(out)
