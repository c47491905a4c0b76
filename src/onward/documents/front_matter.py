"""The YAML block at the head of a session document."""

from __future__ import annotations

import re
from collections.abc import Mapping
from io import StringIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ruamel.yaml import YAML

_BLOCK = re.compile(
    r"\A---[ \t]*\n(.*?)(?:^)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE
)


def _yaml() -> YAML:
    from ruamel.yaml import YAML  # noqa: PLC0415 - dear, and most of what is read has no such block

    return YAML(typ="safe", pure=True)


def split(text: str) -> tuple[str, str]:
    """The YAML between the rules, and the rest; "" where there is no such block."""
    found = _BLOCK.match(text)
    return (found[1], text[found.end() :]) if found else ("", text)


def load(source: str) -> dict[str, object]:
    """The fields of a block; {} where it is no mapping or no YAML."""
    if not source.strip():
        return {}
    from ruamel.yaml.error import YAMLError  # noqa: PLC0415 - as above

    try:
        value = _yaml().load(source)
    except (YAMLError, ValueError, RecursionError):
        # ValueError: `2026-02-31` has the shape of a date and is none.
        return {}
    return {str(key): content for key, content in value.items()} if isinstance(value, dict) else {}


def dump(fields: Mapping[str, object]) -> str:
    """The fields as YAML lines, in their order, one line a field where it is one value."""
    yaml: Any = _yaml()
    yaml.default_flow_style = None
    yaml.sort_base_mapping_type_on_output = False
    yaml.allow_unicode = True
    yaml.width = 10_000
    out = StringIO()
    yaml.dump(dict(fields), out)
    return out.getvalue()
