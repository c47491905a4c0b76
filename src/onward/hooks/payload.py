"""Hooks: the JSON that a client hands over, read without importing json."""

from __future__ import annotations


class _Context:
    """How the scanner of CPython's json is set up; importing json would double the start."""

    strict = False
    object_hook = object_pairs_hook = None
    parse_float = parse_constant = float
    parse_int = int


def decode(data: bytes) -> dict[str, object]:
    """The object that `data` holds. Raises ValueError where it is none."""
    text = data.decode("utf-8", "replace").strip()
    try:
        from _json import make_scanner  # noqa: PLC0415 - see _Context

        found, end = make_scanner(_Context())(text, 0)  # type: ignore[arg-type]
    except StopIteration:
        raise ValueError("no JSON") from None
    except (ImportError, AttributeError):  # another Python, or another release of it
        import json  # noqa: PLC0415 - dear

        found, end = json.loads(text), len(text)
    if end != len(text) or not isinstance(found, dict):
        raise ValueError("no JSON object")
    return found
