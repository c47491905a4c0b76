"""Run a program where nothing but the loopback is up: `loopback.py PROGRAM [WORD ...]`.

Namespaces of its own for network and mounts, so that a test may fill a small disk (Linux, as root
or where users may make them). Where the machine does not allow that, it says so and runs the
program all the same.
"""

from __future__ import annotations

import os
import shutil
import socket
import struct
import subprocess
import sys
from typing import NoReturn

_UP = "up"
_SIOCSIFFLAGS, _IFF_UP = 0x8914, 1  # linux/sockios.h, net/if.h


def raise_loopback() -> None:
    """`ip link set lo up`, which a bare machine need not have."""
    if sys.platform != "linux":
        return
    import fcntl  # noqa: PLC0415 - not on every platform

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _IFF_UP))


def prefix() -> list[str]:
    """The words to put before a program, [] where this machine makes no namespace."""
    if shutil.which("unshare") is None:
        return []
    for words in (["unshare", "-n", "-m"], ["unshare", "-r", "-n", "-m"]):
        inside = [*words, sys.executable, __file__, _UP]
        if subprocess.run([*inside, "true"], capture_output=True, check=False).returncode == 0:
            return inside
    return []


def main(words: list[str]) -> NoReturn:
    """Become the program."""
    if words[:1] == [_UP]:
        raise_loopback()
        os.execvp(words[1], words[1:])
    inside = prefix()
    if not inside:
        sys.stderr.write("loopback: no network namespace here; the network stays reachable\n")
    os.execvp((inside + words)[0], inside + words)


if __name__ == "__main__":
    main(sys.argv[1:])
