"""Install, doctor: what one check found."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Level = Literal["ok", "remark", "broken"]
Fix = Literal["", "launcher", "modes", "markers", "files"]
"""Which of the safe fixes would end it; see `fixes`."""


class Finding(Struct, frozen=True, kw_only=True):
    """What is so, why it matters, and what to type.

    A word may be a path of this machine or come from somebody's file: it is redacted before
    it is shown.
    """

    level: Level
    subject: str
    text: str
    why: str = ""
    advice: str = ""
    fix: Fix = ""


def ok(subject: str, text: str) -> Finding:
    """All is well, in few words."""
    return Finding(level="ok", subject=subject, text=text)


def remark(subject: str, text: str, why: str, advice: str, fix: Fix = "") -> Finding:
    """It works, and somebody would want to know."""
    return Finding(level="remark", subject=subject, text=text, why=why, advice=advice, fix=fix)


def broken(subject: str, text: str, why: str, advice: str, fix: Fix = "") -> Finding:
    """Something that was meant to work does not."""
    return Finding(level="broken", subject=subject, text=text, why=why, advice=advice, fix=fix)
