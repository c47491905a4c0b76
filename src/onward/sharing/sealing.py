"""Encrypting records to recipients, with age (https://age-encryption.org); names too.

A sealed record is `sealed/<32 hex digits>.age`. The digits are keyed by the machine, so that only
there they tell what changed; inside stands the record's path, a line break, and its bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

from onward.errors import InputError, RefusedError

FOLDER = "sealed"
ENDING = ".age"
_SSH = "ssh-"
_INSTALL = "pip install 'onward[encrypt]'"


class Sealer(NamedTuple):
    """For whom this machine encrypts."""

    key: bytes
    """Of this machine."""
    recipients: tuple[str, ...]

    def path(self, plain: str, oid: str) -> str:
        """Where a record lies: the same for the same words, path and recipients."""
        told = "\0".join((plain, oid, *sorted(self.recipients)))
        digits = blake2b(told.encode(), key=self.key[:64], digest_size=16).hexdigest()
        return f"{FOLDER}/{digits}{ENDING}"

    def seal(self, plain: str, data: bytes) -> bytes:
        """The bytes for the recipients. Raises InputError, RefusedError."""
        sealed = _age().encrypt(f"{plain}\n".encode() + data, _recipients(self.recipients))
        return bytes(sealed)


class Opener(NamedTuple):
    """The keys of this machine; none where nobody gave one."""

    identities: tuple[Any, ...] = ()

    def open(self, data: bytes) -> tuple[str, bytes] | None:
        """Path and bytes of a sealed record; None where it is for others, or none."""
        if not self.identities:
            return None
        age = _age()
        try:
            plain, found, content = age.decrypt(data, self.identities).partition(b"\n")
            return (plain.decode(), content) if found else None
        except (age.DecryptError, UnicodeDecodeError):
            return None


def opener(text: str, where: str) -> Opener:
    """The keys in a file as `age-keygen` or `ssh-keygen` write it. Raises InputError naming
    `where`, RefusedError.
    """
    age = _age()
    lines = [line.strip() for line in text.splitlines()]
    keys = [line for line in lines if line and not line.startswith("#")]
    try:
        if keys and keys[0].startswith("-----BEGIN "):
            return Opener((age.ssh.Identity.from_buffer(text.encode()),))
        found = tuple(age.x25519.Identity.from_str(line) for line in keys)
    except age.IdentityError:
        found = ()
    if not found:
        raise InputError(f"{where} holds no key that age knows", f"age-keygen -o {where}")
    return Opener(found)


def _recipients(told: Iterable[str]) -> Sequence[Any]:
    age = _age()
    found = []
    for number, each in enumerate(told, 1):
        kind = age.ssh if each.startswith(_SSH) else age.x25519
        try:
            found.append(kind.Recipient.from_str(each))
        except age.RecipientError:
            raise InputError(
                f"number {number} of the settings onward.recipient is no key of age or ssh",
                "git config --get-all onward.recipient",
            ) from None
    return found


def _age() -> Any:
    """The library, which comes with the extra `encrypt`. Raises RefusedError without it."""
    try:
        import pyrage  # noqa: PLC0415 - few need it
    except ImportError:
        raise RefusedError("encrypting needs the extra onward[encrypt]", _INSTALL) from None
    return pyrage
