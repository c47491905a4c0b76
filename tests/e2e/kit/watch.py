"""End-to-end kit: in which order the files of a folder come and go (inotify, Linux)."""

from __future__ import annotations

import ctypes
import os
import struct
from pathlib import Path
from typing import Self

_HEAD = struct.Struct("iIII")  # watch, what happened, cookie, length of the name
_WRITTEN, _COME, _GONE = 0x8, 0x80, 0x200  # IN_CLOSE_WRITE, IN_MOVED_TO, IN_DELETE


class Watch:
    """Watches one folder, not those below it, as long as the block lasts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._seen: list[str] = []

    def __enter__(self) -> Self:
        libc = ctypes.CDLL(None, use_errno=True)
        self._descriptor = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        name, wanted = os.fsencode(self.folder), _WRITTEN | _COME | _GONE
        if self._descriptor < 0 or libc.inotify_add_watch(self._descriptor, name, wanted) < 0:
            raise OSError(ctypes.get_errno(), "inotify", str(self.folder))
        return self

    def __exit__(self, *exc: object) -> None:
        self._read()
        os.close(self._descriptor)

    def of(self, *names: str) -> list[str]:
        """What happened to these files, in order: `+name` written, `-name` removed."""
        return [each for each in self._seen if each[1:] in names]

    def _read(self) -> None:
        try:
            data = os.read(self._descriptor, 1 << 20)
        except BlockingIOError:
            return
        while data:
            _, what, _, length = _HEAD.unpack_from(data)
            name = data[_HEAD.size : _HEAD.size + length].rstrip(b"\0").decode()
            self._seen.append(("-" if what & _GONE else "+") + name)
            data = data[_HEAD.size + length :]
