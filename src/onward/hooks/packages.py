"""Hooks: the packages that verbs need, in a Python that was started without them (`-S`).

Installed as usual they lie beside onward and are found without this; they do not in a work
tree of onward itself, nor where a system keeps them in several folders.
"""

from __future__ import annotations

import sys

_EXTENSIONS = "typing_extensions"


def find() -> None:
    """Make installed packages importable, as a Python started without `-S` has them."""
    if sys.flags.no_site and "site" not in sys.modules:
        import site  # noqa: PLC0415 - what `-S` spares most calls

        site.main()
    _spare()


def _spare() -> None:
    """Import msgspec without `typing_extensions`: it asks there first for what `typing` has since
    Python 3.11, and the import takes nearly as long as a start of Python.
    """
    if _EXTENSIONS in sys.modules:
        return
    sys.modules[_EXTENSIONS] = None  # type: ignore[assignment] # as if it were not installed
    try:
        import msgspec  # noqa: F401, PLC0415 - see above
    finally:
        del sys.modules[_EXTENSIONS]
