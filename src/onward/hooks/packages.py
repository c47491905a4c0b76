"""Hooks: the packages that verbs need, in a Python that was started without them (`-S`).

Installed as usual they lie beside onward and are found without this; they do not in a work
tree of onward itself, nor where a system keeps them in several folders.
"""

from __future__ import annotations

import sys


def find() -> None:
    """Make installed packages importable, as a Python started without `-S` has them."""
    if sys.flags.no_site and "site" not in sys.modules:
        import site  # noqa: PLC0415 - what `-S` spares most calls

        site.main()
