"""Packages for verbs that hooks call: found without a start of all of Python's own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import onward

_SOURCE = str(Path(onward.__file__).parents[1])
_BEGIN = f"import sys; sys.path.append({_SOURCE!r}); from onward.hooks import context; context.find_packages(); "


def told(words: str) -> str:
    """What an isolated Python prints, started as a hook is."""
    command = [sys.executable, "-I", "-S", "-c", _BEGIN + words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_what_a_checkpoint_needs_is_there() -> None:
    assert told("import onward.commands.compaction; print('yes')") == "yes"


def test_what_typing_has_itself_is_not_imported_for_it() -> None:
    assert told("print('msgspec' in sys.modules, 'inspect' in sys.modules)") == "True False"


def test_whoever_needs_that_package_still_gets_it() -> None:
    assert told("import typing_extensions as t; print(bool(t.NotRequired))") == "True"
