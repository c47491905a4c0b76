"""Names in shared records. Those of strangers are only looked at: no file is ever called so."""

from __future__ import annotations

import re
import unicodedata

REFS = "refs/onward/v1/"
"""Where the refs of the writers lie on a remote, one for each."""
_WRITER = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?-[0-9a-f]{8}")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?")
_UNSAFE = re.compile(r"""[/\\:*?"<>|@`$;&]""")
_LONGEST = 64  # characters, as of a checkpoint's own name
_LONGEST_BYTES = 200
_SLUG = 20  # characters of a machine's name in that of its writer
_NO_NAME = "machine"


def is_writer(name: str) -> bool:
    """Whether a ref below `REFS` may be one of a writer: `maria-laptop-0a1b2c3d`."""
    return _WRITER.fullmatch(name) is not None


def writer(machine: str, digits: str) -> str:
    """The writer's name: the machine's in plain letters, then eight hex digits of its own."""
    plain = unicodedata.normalize("NFKD", machine).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_SLUG].strip("-")
    return f"{slug or _NO_NAME}-{digits}"


def fits(name: str) -> bool:
    """Whether a name can be typed and shown on any machine: one line without anything that a
    terminal, a shell or a disk would take for more than letters.
    """
    return (
        0 < len(name) <= _LONGEST
        and len(name.encode("utf-8", "replace")) <= _LONGEST_BYTES
        and name.isprintable()
        and name == unicodedata.normalize("NFC", name)
        and name == name.strip(" .-~")
        and not _UNSAFE.search(name)
        and not _DEVICE.fullmatch(name.casefold())
    )
