"""The YAML block at the head of a session document. Part of the formats room."""

from __future__ import annotations

import re
from collections.abc import Mapping
from io import StringIO
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

_BLOCK = re.compile(
    r"\A---[ \t]*\n(.*?)(?:^)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE
)


def split(text: str) -> tuple[str, str]:
    """The YAML between the rules, and the rest; "" where there is no such block."""
    found = _BLOCK.match(text)
    return (found[1], text[found.end() :]) if found else ("", text)


def load(source: str) -> dict[str, object]:
    """The fields of a block; {} where it is no mapping or no YAML."""
    try:
        value = YAML(typ="safe", pure=True).load(source)
    except (YAMLError, ValueError, RecursionError):
        # ValueError: `2026-02-31` has the shape of a date and is none.
        return {}
    return {str(key): content for key, content in value.items()} if isinstance(value, dict) else {}


def dump(fields: Mapping[str, object]) -> str:
    """The fields as YAML lines, in their order, one line a field where it is one value."""
    yaml: Any = YAML(typ="safe", pure=True)
    yaml.default_flow_style = None
    yaml.sort_base_mapping_type_on_output = False
    yaml.allow_unicode = True
    yaml.width = 10_000
    out = StringIO()
    yaml.dump(dict(fields), out)
    return out.getvalue()
