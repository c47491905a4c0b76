"""What one transcript tells of the client that wrote it, for the doctor."""

from __future__ import annotations

from msgspec import Struct

from onward.model import Injection


class Survey(Struct, frozen=True, kw_only=True):
    """The newest injections last; `unknown` counts the kinds of record that no reader knows."""

    version: str = ""
    unknown: dict[str, int] = {}
    injections: tuple[Injection, ...] = ()
