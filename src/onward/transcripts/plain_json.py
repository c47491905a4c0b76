"""JSON for hooks, which must start at once, read without importing `json`."""

from __future__ import annotations


class _Plain:
    """What the scanner of CPython's json asks for; importing json would double a hook's start."""

    strict = False
    object_hook = object_pairs_hook = None
    parse_float = parse_constant = float
    parse_int = int


def value(text: str) -> tuple[object, int]:
    """The value that a text begins with, and where it ends. Raises ValueError where there is
    none, or one too deep to be read.
    """
    try:
        from _json import make_scanner  # noqa: PLC0415 - see _Plain

        found: tuple[object, int] = make_scanner(_Plain())(text, 0)  # type: ignore[arg-type]
    except (StopIteration, RecursionError, SystemError):
        # The last: the scanner looks for json's own error, and json is not imported.
        raise ValueError("no JSON") from None
    except (ImportError, AttributeError):  # another Python, or another release of it
        import json  # noqa: PLC0415 - dear

        found = json.JSONDecoder(strict=False).raw_decode(text)
    return found


def record(line: bytes) -> dict[str, object]:
    """The object that a line holds; {} for a torn one."""
    try:
        found, _ = value(line.decode("utf-8", "replace"))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
