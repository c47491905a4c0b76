"""share: what machines show each other of one project, as values. No git, no files.

First what one writer's commit holds, version 1; docs/formats/shared.md has the page. Its tree has
`machine.json` (who writes), `checkpoints/<name>.md`, `documents/<name>.md` and `protocol.json`, or
instead of these three `sealed/<digits>.age` where they are encrypted, and `forgotten.json`: what the
writer took back. Names are only looked at: no file is ever called as a stranger calls something.

Then what all writers of a project hold together, what `NAME@MACHINE` means in it, and one machine's
paths as another's.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from onward.decode import mapped
from onward.errors import InputError, RefusedError
from onward.model import Draft
from onward.paths import relative

_T = TypeVar("_T")
VERSION = 1
MACHINE = "machine.json"
FORGOTTEN = "forgotten.json"
PROTOCOL = "protocol"

Kind = Literal["checkpoint", "document", "protocol"]
FOLDERS: Mapping[str, Kind] = {"checkpoints": "checkpoint", "documents": "document"}

LARGEST = 1_000_000
"""Bytes of one record; a checkpoint of ours has some ten thousand."""
MOST = 20_000
"""Records of one writer."""
LARGEST_ALL = 64_000_000
"""Bytes of all records of one writer."""
LARGEST_TREE = 4_000_000
"""Bytes of one folder's list of names."""
MOST_WRITERS = 1_000
"""Writers on one remote that are read."""
REFS = "refs/onward/v1/"
"""Where the refs of the writers lie on a remote, one for each."""
_WRITER = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?-[0-9a-f]{8}")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?")
_UNSAFE = re.compile(r"""[/\\:*?"<>|@`$;&]""")
_LONGEST_NAME = 64  # characters, as of a checkpoint's own name
_LONGEST_BYTES = 200
_SLUG = 20  # characters of a machine's name in that of its writer


class Machine(Struct, frozen=True, kw_only=True):
    """`machine.json`. A version that we do not know is not read further."""

    version: int
    name: str = ""
    root: str = ""
    """The folder of the project there, without the user's name."""
    written: str = ""
    """UTC, `2026-03-01T13:40:00Z`."""


class Tombstone(Struct, frozen=True, kw_only=True, order=True):
    """A record that was taken back: its name and the hash of its blob, and no word of it."""

    kind: Kind | Literal["sealed"]
    name: str
    """"" of an encrypted one."""
    hash: str


class Graves(Struct, frozen=True, kw_only=True):
    """`forgotten.json`."""

    version: int = VERSION
    forgotten: tuple[Tombstone, ...] = ()


def path(kind: Kind, name: str) -> str:
    """Where a record lies in the tree."""
    if kind == "protocol":
        return f"{PROTOCOL}.json"
    folder = next(key for key, value in FOLDERS.items() if value == kind)
    return f"{folder}/{name}.md"


def parse_path(name: str) -> tuple[Kind, str] | None:
    """Kind and name of a path that `path` gave; None for any other."""
    folder, _, file = name.rpartition("/")
    if not folder:
        return ("protocol", PROTOCOL) if file == f"{PROTOCOL}.json" else None
    if folder not in FOLDERS or not file.endswith(".md"):
        return None
    return FOLDERS[folder], file.removesuffix(".md")


def grave(path: str, oid: str) -> Tombstone | None:
    """What is left of the record at a path, once it is taken back; None for what is no record."""
    folder, _, file = path.partition("/")
    if folder == FOLDER and file.endswith(ENDING):
        return Tombstone(kind="sealed", name="", hash=file.removesuffix(ENDING))
    key = parse_path(path)
    return Tombstone(kind=key[0], name=key[1], hash=oid) if key else None


def encode(value: Machine | Graves) -> bytes:
    """The file's bytes: the same for the same value."""
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


def machine(data: bytes) -> Machine | None:
    """What `machine.json` says; None where it is none of a version that we read."""
    found = _decoded(data, Machine)
    return found if found and found.version == VERSION else None


def graves(data: bytes) -> tuple[Tombstone, ...]:
    """What `forgotten.json` says; nothing where it cannot be read."""
    found = _decoded(data, Graves)
    return found.forgotten if found else ()


def _decoded(data: bytes, kind: type[_T]) -> _T | None:
    with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return msgspec.json.decode(data, type=kind)
    return None


def is_writer(name: str) -> bool:
    """Whether a ref below `REFS` may be one of a writer: `maria-laptop-0a1b2c3d`."""
    return _WRITER.fullmatch(name) is not None


def writer(machine: str, digits: str) -> str:
    """The writer's name: the machine's in plain letters, then eight hex digits of its own."""
    plain = unicodedata.normalize("NFKD", machine).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_SLUG].strip("-")
    return f"{slug or 'machine'}-{digits}"


def fits(name: str) -> bool:
    """Whether a name can be typed and shown on any machine: one line, safe for shell and disk."""
    return (
        0 < len(name) <= _LONGEST_NAME
        and len(name.encode("utf-8", "replace")) <= _LONGEST_BYTES
        and name.isprintable()
        and name == unicodedata.normalize("NFC", name)
        and name == name.strip(" .-~")
        and not _UNSAFE.search(name)
        and not _DEVICE.fullmatch(name.casefold())
    )


FOLDER = "sealed"
ENDING = ".age"


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
        kind = age.ssh if each.startswith("ssh-") else age.x25519
        try:
            found.append(kind.Recipient.from_str(each))
        except age.RecipientError:
            message = f"number {number} of the settings onward.recipient is no key of age or ssh"
            raise InputError(message, "git config --get-all onward.recipient") from None
    return found


def _age() -> Any:
    """The library, which comes with the extra `encrypt`. Raises RefusedError without it."""
    try:
        import pyrage  # noqa: PLC0415 - few need it
    except ImportError:
        hint = "pip install 'onward[encrypt]'"
        raise RefusedError("encrypting needs the extra onward[encrypt]", hint) from None
    return pyrage


# ------------------------------------------------------------------ all writers together

_FIRST: Mapping[Kind, int] = {"checkpoint": 0, "document": 1, "protocol": 2}


class Held(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One record of a writer. All text in it is clean; times are UTC."""

    kind: Kind
    name: str
    oid: str
    """Of the blob that holds it."""
    created: str = ""
    saved: str = ""
    task: str = ""
    sealed: bool = False
    """The blob is encrypted."""

    @property
    def grave(self) -> Tombstone:
        """What is left of it once it is hidden."""
        return Tombstone(kind=self.kind, name=self.name, hash=self.oid)


class Peer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One writer, as its last commit that was pulled shows it."""

    writer: str
    machine: str
    """The name it shows, else the writer's own."""
    label: str = ""
    """What it is called here: `machine`, but where two are called so, the writer's own name."""
    remote: str
    """Which remote it was pulled from: eight hex digits."""
    commit: str
    written: str = ""
    root: str = ""
    held: tuple[Held, ...] = ()
    refused: int = 0
    """Records that are none: odd names, links, sizes, bytes that are no text."""
    sealed: int = 0
    """Records that this machine has no key for."""
    forgotten: frozenset[str] = frozenset()
    """The names of what it took back."""
    fault: str = ""
    """Why nothing of it is read; "" where it is."""


class Index(Struct, frozen=True, kw_only=True):
    """All that was pulled of a project; `own` is this work tree's writer, which is left out, and
    `unread` counts the writers that were too many.
    """

    version: int = 1
    unread: int = 0
    own: str = ""
    machine: str = ""
    """The name that this machine shows others."""
    pulled: str = ""
    peers: tuple[Peer, ...] = ()
    unnamed: tuple[str, ...] = ()
    """Remotes that were pulled by their addresses: no settings name them."""
    hidden: tuple[tuple[str, Tombstone], ...] = ()
    """Records of others, each with its writer, that are not to be shown here."""


def index(found: Index) -> Index:
    """The same with each writer once, as it wrote last, called so that it is told from all others
    and from this machine, and without what is hidden.
    """
    latest = {peer.writer: peer for peer in sorted(found.peers, key=lambda peer: peer.written)}
    # A machine that calls itself as another's writer is, is told from it too.
    called = [(peer.machine, peer.writer) for peer in latest.values()]
    called.append((found.machine, found.own))
    times = Counter(name for machine, writer in called for name in {machine.casefold(), writer})
    shown = tuple(
        replace(
            peer,
            label=peer.machine if times[peer.machine.casefold()] == 1 else peer.writer,
            held=tuple(held for held in peer.held if (peer.writer, held.grave) not in found.hidden),
        )
        for _, peer in sorted(latest.items())
    )
    return replace(found, peers=shown)


def find(known: Index, name: str, machine: str) -> list[tuple[Peer, Held]]:
    """The records that `NAME@MACHINE` can mean, the newest first: a checkpoint before a session
    document of that name.
    """
    found = [
        (peer, held) for peer in _called(known, machine) for held in peer.held if held.name == name
    ]
    found.sort(key=lambda pair: pair[1].saved, reverse=True)
    found.sort(key=lambda pair: _FIRST[pair[1].kind])
    return [pair for pair in found if pair[1].kind == found[0][1].kind]


def taken_back(known: Index, address: str) -> Peer | None:
    """The writer that took back what `NAME@MACHINE` was, if it says so."""
    name, _, machine = address.rpartition("@")
    called = _called(known, machine)
    return next((peer for peer in called if name in peer.forgotten), None)


def _called(known: Index, machine: str) -> list[Peer]:
    """The writers that `MACHINE` can mean: the one of that very name, else those that show it."""
    wanted = machine.casefold()
    exact = [peer for peer in known.peers if peer.writer == wanted]
    return exact or [
        peer for peer in known.peers if wanted in {peer.label.casefold(), peer.machine.casefold()}
    ]


def addresses(known: Index) -> list[str]:
    """All checkpoints of others, as `NAME@MACHINE`, the newest first."""
    found = [
        (held.saved, f"{held.name}@{peer.label}")
        for peer in known.peers
        for held in peer.held
        if held.kind == "checkpoint"
    ]
    return [address for _, address in sorted(found, reverse=True)]


_BEFORE = r"(?<![\w.~/\\-])"
_END = r"(?![\w~-]|\.\w)"
_REST = r"""(?P<rest>[/\\][^\s"'`<>|*?:;,)\]}]*)?"""
_WINDOWS = re.compile(r"^[A-Za-z]:[/\\]|\\")
_LONGEST = 1000  # characters: no disk takes longer ones, and a stranger may claim any
_SHORTEST = 2  # parts: a root like `/srv` or `~` would be found where nobody meant it


def relocate(draft: Draft, roots: Iterable[str], here: str) -> Draft:
    """The draft with each of `roots`, as the other machine spells the project's folder, turned
    into `here`, this machine's; files within it become relative. Separators follow.
    """
    for root in dict.fromkeys(roots):
        if (pattern := _pattern(root)) is None:
            continue
        slash = "\\" if _WINDOWS.search(here) else "/"
        change = partial(_moved, pattern, here.rstrip("/\\"), slash)
        draft = msgspec.convert(mapped(msgspec.to_builtins(draft), change, names=False), Draft)
    files = tuple(
        replace(fact, path=relative(fact.path, here), to=fact.to and relative(fact.to, here))
        for fact in draft.files
    )
    return replace(draft, files=files)


def _pattern(root: str) -> re.Pattern[str] | None:
    parts = [part for part in re.split(r"[/\\]+", root) if part]
    if len(parts) < _SHORTEST or len(root) > _LONGEST:
        return None
    lead = r"[/\\]" if root[:1] in "/\\" else ""
    flags = re.IGNORECASE if _WINDOWS.search(root) else 0
    spelt = lead + r"[/\\]+".join(map(re.escape, parts))
    return re.compile(f"{_BEFORE}{spelt}{_REST}{_END}", flags)


def _moved(pattern: re.Pattern[str], here: str, slash: str, text: str) -> str:
    return pattern.sub(
        lambda found: here + re.sub(r"[/\\]", lambda _: slash, found["rest"] or ""), text
    )
