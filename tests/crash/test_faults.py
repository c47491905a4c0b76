"""A fault at every system call of every save: each file stays wholly old or wholly new.

The writer's calls are counted; the n-th one fails, for n = 1, 2, … until the save succeeds
without meeting its fault. Three kinds of fault:

full    the call says ENOSPC once (a write puts half of its bytes down first)
frozen  the call and all later ones say EROFS, so nothing can be cleaned up either
cut     the power goes: no later call happens, bytes without fsync are gone, and a rename
        that its folder's fsync had not made last is undone
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta, timezone
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from onward.errors import NotFoundError, RefusedError, StorageError
from onward.model import CheckpointName, Clean
from onward.storage import atomic, backups, checkpoints, documents, locks
from onward.storage.project import Project, locate
from onward.storage.trash import Trash

pytestmark = pytest.mark.skipif(os.name == "nt", reason="folders are not flushed there")

NOW = datetime(2026, 3, 1, 21, 40, tzinfo=timezone(timedelta(hours=8)))
LATER = NOW + timedelta(hours=1)
NAMED = CheckpointName("build-login-page")
OTHER = CheckpointName("fix-search")
LOGS = (backups.LOG, "autosave-log.md")
CALLS = {"open", "write", "fsync", "close", "replace", "unlink", "mkdir", "chmod", "ftruncate"}
FIRST = '{"n":1}\n'
SECOND = FIRST + '{"n":2}\n'
KINDS = ("full", "frozen", "cut")


class Cut(BaseException):
    """The power is gone: not even a handler of errors runs."""


class Faults:
    """Stands in for the module `os`; the call number `at` fails in the way of `kind`."""

    def __init__(self, kind: str = "", at: int = 0) -> None:
        self.kind, self.at, self.count, self.struck = kind, at, 0, False
        self.paths: dict[int, Path] = {}
        self.loose: dict[Path, tuple[Path, bytes | None]] = {}
        self.unsynced: set[Path] = set()

    def __getattr__(self, name: str) -> object:
        real = getattr(os, name)
        if name not in CALLS:
            return real

        def call(*args: object) -> object:
            self.count += 1
            if self.count == self.at or (self.struck and self.kind != "full"):
                self.strike(name, args)
            return self.watched(name, args, real)

        return call

    def strike(self, name: str, args: tuple[object, ...]) -> None:
        first, self.struck = not self.struck, True
        if name == "write" and first:
            descriptor, data = args
            assert isinstance(descriptor, int)
            assert isinstance(data, memoryview)
            os.write(descriptor, data[: len(data) // 2])
        if name == "close":
            assert isinstance(args[0], int)
            os.close(args[0])
        if self.kind == "cut":
            if first:
                self.lose()
            raise Cut
        raise OSError(errno.ENOSPC if self.kind == "full" else errno.EROFS, "injected")

    def watched(self, name: str, args: tuple[object, ...], real: Callable[..., object]) -> object:
        """Do it, and remember what a cut would take back. Nothing is really flushed: quick."""
        if name == "fsync":
            assert isinstance(args[0], int)
            path = self.paths[args[0]]
            self.unsynced.discard(path)
            self.loose.pop(path, None)
            return None
        if name == "replace":
            source, target = (Path(str(arg)) for arg in args)
            old = target.read_bytes() if target.exists() else None
            self.loose[target.parent] = (target, old)
            if source in self.unsynced:
                self.unsynced.add(target)
        result = real(*args)
        if name == "open":
            assert isinstance(result, int)
            self.paths[result] = Path(str(args[0]))
            if Path(str(args[0])).suffix == atomic.TEMPORARY:
                self.unsynced.add(Path(str(args[0])))
        return result

    def lose(self) -> None:
        for path in self.unsynced:
            if path.exists():
                path.write_bytes(b"")
        for target, old in self.loose.values():
            target.unlink(missing_ok=True)
            if old is not None:
                target.write_bytes(old)


class Ground(NamedTuple):
    """One project with everything in it, and what else a save needs."""

    project: Project
    trash: Trash
    transcript: Path


def lay(base: Path) -> Ground:
    root = base / "shop"
    root.mkdir(parents=True)
    ground = Ground(locate(root, root), Trash(base / "data" / "trash"), base / "t.jsonl")
    project = ground.project
    ground.transcript.write_text(FIRST)
    checkpoints.write(project, NAMED, Clean("named, old"), ground.trash)
    checkpoints.write(project, OTHER, Clean("other"), ground.trash)
    checkpoints.delete(project, OTHER, ground.trash)
    checkpoints.write_autosave(project, Clean("autosave, old"), Clean("first entry"))
    documents.save(project, texts("old"), now=NOW)
    project.protocol.write_text("protocol, old")
    backups.save(project, ground.transcript, now=NOW, reason="exit", session="s")
    ground.transcript.write_text(SECOND)
    return ground


def texts(state: str) -> Callable[[Path], tuple[Clean, Clean]]:
    return lambda path: (Clean(f"context {state}"), Clean(f"document {state}"))


def read(base: Path) -> dict[str, bytes]:
    """Every file but locks and left temporary ones; of a trash entry what was kept."""
    found = {}
    for path in base.rglob("*"):
        if path.is_file() and path.suffix not in {".lock", atomic.TEMPORARY}:
            data = path.read_bytes()
            in_trash = path.parent.name == "trash"
            found[str(path.relative_to(base))] = data.partition(b"\n")[2] if in_trash else data
    return found


def waiting(ground: Ground) -> list[Path]:
    return backups.pending(ground.project)


SAVES: dict[str, Callable[[Ground], object]] = {
    "a new checkpoint": lambda g: checkpoints.write(g.project, OTHER, Clean("new"), g.trash),
    "a checkpoint over one": lambda g: checkpoints.write(g.project, NAMED, Clean("new"), g.trash),
    "delete": lambda g: checkpoints.delete(g.project, NAMED, g.trash),
    "restore": lambda g: g.trash.restore(OTHER, g.project),
    "autosave": lambda g: checkpoints.write_autosave(
        g.project, Clean("autosave, new"), Clean("entry")
    ),
    "document": lambda g: documents.save(g.project, texts("new"), now=LATER),
    "protocol": lambda g: documents.rewrite(
        g.project, g.project.protocol, lambda old: Clean(f"{old}, new")
    ),
    "backup": lambda g: backups.save(
        g.project, g.transcript, now=LATER, reason="exit", session="s"
    ),
    "process": lambda g: backups.process(g.project, waiting(g), Clean("context new"), now=LATER),
    "discard": lambda g: backups.discard(g.project, waiting(g), g.trash, now=LATER),
    "clean": lambda g: backups.clean(g.project),
    "prune": lambda g: backups.prune(g.project, now=LATER, cap=0),
}


Files = dict[str, bytes]


class Outcome(NamedTuple):
    """What one fault left: all files, and whether a temporary one is among them."""

    files: Files
    litter: bool

    def text(self, end: str) -> str:
        """The one file whose path ends so; "" if there is none."""
        return next((data.decode() for path, data in self.files.items() if path.endswith(end)), "")

    def pending(self) -> list[str]:
        """The contents of the backups that the marker names, "" for one that is missing."""
        names = [Path(line).name for line in self.text(backups.MARKER).splitlines()]
        return [self.text(f"raw/{name}") for name in names]


class Bench:
    """Runs a save with a fault at each call in turn, always from the same ground."""

    def __init__(self, folder: Path) -> None:
        self.base, self.folder = folder / "ground", folder
        self.ground = lay(self.base)
        shutil.copytree(self.base, folder / "model")
        self.known: dict[tuple[str, str], list[Outcome]] = {}

    def reset(self, name: str) -> None:
        shutil.rmtree(self.base)
        shutil.copytree(self.folder / "model", self.base)
        if name == "prune":
            backups.save(self.ground.project, self.ground.transcript, now=LATER, reason="exit")
        if name == "clean":
            with (self.ground.project.memory / backups.MARKER).open("a") as file:
                file.write("/nowhere/gone.jsonl\n")

    def clean(self, name: str) -> tuple[Files, Files]:
        """All files before the save and after one without a fault."""
        self.reset(name)
        before = read(self.base)
        SAVES[name](self.ground)
        return before, read(self.base)

    def outcomes(self, name: str, kind: str) -> list[Outcome]:
        if (name, kind) not in self.known:
            self.known[name, kind] = list(self.run(name, kind))
        return self.known[name, kind]

    def run(self, name: str, kind: str) -> Iterator[Outcome]:
        for number in range(1, 200):
            self.reset(name)
            faults = Faults(kind, number)
            with pytest.MonkeyPatch.context() as patch:
                for module in (atomic, locks):
                    patch.setattr(module, "os", faults)
                with suppress(Cut, StorageError):
                    SAVES[name](self.ground)
            if not faults.struck:
                return
            yield Outcome(read(self.base), any(self.base.rglob(f"*{atomic.TEMPORARY}")))
            self.go_on(name)
        pytest.fail("the save never ended")

    def go_on(self, name: str) -> None:
        """Whatever was left, the next saves work."""
        checkpoints.write(self.ground.project, NAMED, Clean("afterwards"), self.ground.trash)
        with suppress(RefusedError, NotFoundError):  # it was done already
            SAVES[name](self.ground)


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    """In memory where the system has such a folder: cuts are played, nothing need be flushed."""
    memory = Path("/dev/shm")
    where = memory if os.access(memory, os.W_OK) else None
    with TemporaryDirectory(dir=where) as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        yield Bench(Path(os.path.realpath(folder)))


every_save = pytest.mark.parametrize("name", SAVES)
every_kind = pytest.mark.parametrize("kind", KINDS)


@every_save
@every_kind
def test_6_a_kill_at_any_system_call_leaves_old_or_new(bench: Bench, name: str, kind: str) -> None:
    before, after = bench.clean(name)
    outcomes = bench.outcomes(name, kind)
    assert len(outcomes) > 5, "a save of so few calls cannot be safe"
    for outcome in outcomes:
        for path in before | after | outcome.files:
            old, new, now = (files.get(path) for files in (before, after, outcome.files))
            if path.endswith(LOGS):
                assert (now or b"").startswith(old or b""), path
            else:
                assert now in {old, new}, path
        assert kind != "full" or not outcome.litter


@every_save
@every_kind
def test_1_a_marker_names_only_complete_backups(bench: Bench, name: str, kind: str) -> None:
    for outcome in bench.outcomes(name, kind):
        assert set(outcome.pending()) <= {FIRST, SECOND, *({""} if name == "clean" else ())}


@every_kind
def test_2_a_marker_goes_only_after_active_context_is_durable(bench: Bench, kind: str) -> None:
    seen = set()
    for outcome in bench.outcomes("process", kind):
        taken_in = outcome.text("active-context.md") == "context new"
        assert taken_in or outcome.pending()
        seen.add((taken_in, bool(outcome.pending())))
    assert {(False, True), (True, True)} <= seen


@every_kind
def test_3_active_context_is_never_older_than_the_newest_session_document(
    bench: Bench, kind: str
) -> None:
    seen = set()
    for outcome in bench.outcomes("document", kind):
        context = outcome.text("active-context.md").removeprefix("context ")
        newest = "new" if outcome.text("session-2026-03-01-2240.md") else "old"
        assert (context, newest) != ("old", "new")
        seen.add((context, newest))
    assert {("old", "old"), ("new", "old")} <= seen


@every_kind
def test_4_autosave_never_changes_a_named_checkpoint(bench: Bench, kind: str) -> None:
    for outcome in bench.outcomes("autosave", kind):
        assert outcome.text(f"{NAMED}.md") == "named, old"


@pytest.mark.parametrize("name", ["a checkpoint over one", "delete", "restore"])
@every_kind
def test_what_is_replaced_or_deleted_is_always_in_its_place_or_in_the_trash(
    bench: Bench, name: str, kind: str
) -> None:
    kept = b"other" if name == "restore" else b"named, old"
    for outcome in bench.outcomes(name, kind):
        assert kept in outcome.files.values()


@every_kind
def test_a_pruned_backup_is_always_contained_in_one_that_stays(bench: Bench, kind: str) -> None:
    for outcome in bench.outcomes("prune", kind):
        assert outcome.pending()[:1] == [SECOND]


def write_in_place(path: Path, data: bytes, *_: object, **__: object) -> None:
    writer = atomic.__dict__["os"]
    descriptor = writer.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    try:
        writer.write(descriptor, memoryview(data))
        writer.fsync(descriptor)
    finally:
        writer.close(descriptor)


def fill_without_flush(path: Path, data: bytes) -> None:
    writer = atomic.__dict__["os"]
    descriptor = writer.open(path, os.O_WRONLY | atomic.NEW, atomic.PRIVATE)
    try:
        writer.write(descriptor, memoryview(data))
    finally:
        writer.close(descriptor)


@pytest.mark.parametrize(
    ("part", "wrong"), [("write_bytes", write_in_place), ("_fill", fill_without_flush)]
)
def test_the_bench_itself_finds_an_unsafe_writer(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, part: str, wrong: Callable[..., None]
) -> None:
    monkeypatch.setattr(atomic, part, wrong)
    left = {outcome.text("session-protocol.json") for outcome in bench.run("protocol", "cut")}
    assert not left <= {"protocol, old", "protocol, old, new"}
