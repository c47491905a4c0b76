"""Agents: folders as clients of either system spell them."""

from __future__ import annotations


def below(folder: str, top: str) -> bool:
    """Whether a folder is `top` or lies in it, in the spelling of either system."""
    one, other = _spelled(folder), _spelled(top)
    return one == other or one.startswith(f"{other}/")


def _spelled(folder: str) -> str:
    plain = folder.replace("\\", "/").rstrip("/")
    return plain.casefold() if plain[1:2] == ":" else plain
