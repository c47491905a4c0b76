"""`backup`: the transcripts that were kept when a session ended or was compacted; and `keep`: those that stay
when their clients delete them.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from onward.briefing.text import count
from onward.commands import document, handover, offered, repository, resume, source, thread
from onward.commands.listing import table
from onward.commands.offered import Offer, Offers
from onward.commands.result import Notes, Result, compose
from onward.commands.source import Source
from onward.commands.world import Tell, World
from onward.documents import session_md, session_state, times
from onward.errors import InputError, NotFoundError, StorageError, UsageError
from onward.model import Clean, Draft
from onward.storage import atomic, backups, documents
from onward.storage.project import Project
from onward.storage.ranking import SHOWN, TRIVIAL
from onward.transcripts import disk, registry
from onward.transcripts.registry import AGENTS, Agent

_ASKED = "keep-offered"
_NAMED = 5  # files that could not be kept; the JSON has all


def list_backups(world: World) -> Result:
    """All of them, the newest first, and which are still pending."""
    project, redactor = world.project, world.redactor
    found = backups.entries(project)
    if not found:
        return Result(text=compose(), data=[], notes=("no backups in this project",))
    picks = "to pick one that is pending by its number: onward backup resume 2"
    offers = enumerate(offered.offers(world).entries, 1)
    numbers = {each.path: f", {n}" for n, offer in offers for each in offer.backups}
    data, cells = list[dict[str, object]](), list[Notes]()
    for each in found:
        # `20260301_140000` as `2026-03-01 14:00:00`
        taken = re.sub(r"(....)(..)(..)_(..)(..)(..)", r"\1-\2-\3 \4:\5:\6", each.taken)
        reason, session = redactor.text(each.reason), redactor.text(each.session)
        row = {"path": world.local(each.path), "taken": taken}
        row |= {"reason": reason, "session": session}
        data.append(row | {"size": each.size, "pending": each.pending})
        state = f"pending{numbers.get(each.path, '')}" if each.pending else ""
        size, kind = f"{each.size / 1e6:.1f} MB", SHOWN.get(each.standing, "")
        named = redactor.text(each.session[:8]), size, state, kind, redactor.text(each.path.name)
        cells.append((taken, reason or "compaction", *named))
    head = ("TAKEN", "REASON", "SESSION", "SIZE", "STATE", "KIND", "FILE")
    notes = (picks,) if len({*numbers.values()}) > 1 else ()
    return Result(text=compose(*table(head, cells)), data=data, notes=notes)


def resume_newest(world: World, number: int = 0) -> tuple[Result, Source]:
    """Brief from what is offered under that number, 0 for the first. The marker of a backup goes
    only after an active context that took it in is durable, with older ones of its thread and
    trivial ones.
    """
    found = offered.offers(world)
    pick = _pick(world, found, number)
    passed = list[Offer]()
    if pick.kind == offered.BACKUP:
        told, saved, passed = _take_in(world, found, pick)
    else:
        saved = source.load(world, pick.word)
        told = resume.Recovery(world, saved).tell()
        thread.keep(world, saved.kind, saved.checkpoint)
        none = "" if any(each.backups for each in found.entries) else "no backup is pending; "
        said = f"{none}this is {world.local(saved.path)}"
        told = told._replace(notes=(*told.notes, said))
    # The question may be answered by no word at all: then the first one stands where it stood.
    stays = bool(registry.current(world.env)) or pick.kind != offered.BACKUP
    gone = passed if stays else [pick, *passed]
    left = enumerate((each for each in found.entries if each not in gone), 1)
    numbered = [(n, each) for n, each in left if each is not pick]
    beside = offered.live_rows(world, found)
    notes = (*told.notes, *_others(world, numbered), *beside)
    return told._replace(notes=notes), saved


def _take_in(world: World, found: Offers, pick: Offer) -> tuple[Result, Source, list[Offer]]:
    """The briefing of a backup, what it holds, and the entries that were passed over with it."""
    project, newest = world.project, pick.path
    try:
        draft, root = _held(world, pick)
    except InputError as error:
        raise InputError(error.message, "onward backup discard") from None
    loaded = source.of_session(world, newest, draft, root)
    told = resume.Recovery(world, loaded).tell(waiting=False)
    context = None
    if not _is_overtaken(project, loaded):
        state, buffer = (
            documents.read(path, project.root) for path in (project.state_file, project.buffer)
        )
        now = replace(session_state.fill(draft, state, buffer), saved=times.utc(world.now))
        checkpoint = world.redactor.draft(repository.stamped(world, now))
        context = document.context_of(world, checkpoint, world.local(newest))
    before = pick.backups[0].taken if pick.standing != TRIVIAL else ""
    others = (each for each in found.entries if each.standing == TRIVIAL and each is not pick)
    passed = [each for each in others if each.backups[0].taken <= before]
    done = [each.path for offer in (pick, *pick.also, *passed) for each in offer.backups]
    try:
        backups.process(project, done, context, now=world.now)
    except StorageError as error:  # it is told all the same
        kept = f"the backup stays pending: {error.message}"
        return told._replace(notes=(*told.notes, kept)), loaded, []
    thread.keep(world, loaded.kind, loaded.checkpoint)
    return told, loaded, passed


def _held(world: World, pick: Offer) -> tuple[Draft, Path | None]:
    """What a backup holds, and the root of its paths: as it was prepared when the session ended, if
    the copy was not written to since. Raises InputError.
    """
    draft = handover.prepared(world, pick.session, since=pick.path.stat().st_ctime)
    if draft:  # as a transcript alone tells it
        return replace(draft, saved="", repo=None), world.project.root
    found = source.distilled(pick.path, world.redactor)
    return thread.carried(world, found.draft, found.root), found.root


def _is_overtaken(project: Project, backup: Source) -> bool:
    """Whether a newer session document exists: the active context must not become older than it."""
    written = documents.sessions(project)
    if not written or not project.active_context.is_file():
        return False
    saved = times.seconds(session_md.parse(documents.read(written[0])).saved)
    return (saved or written[0].stat().st_mtime) >= backup.mtime


def discard(world: World, number: int = 0, *, everything: bool = False) -> Result:
    """Put the backups under that number (0: the first), or all, into the trash unread."""
    project, redactor = world.project, world.redactor
    found = offered.offers(world)
    waiting = [each for each in (*found.entries, *found.live) if each.backups]
    if not waiting:
        raise _nothing(world)
    pick = _pick(world, found, number) if number else waiting[0]
    if not pick.backups:
        raise UsageError(f"{number} is no backup: it was saved, and stays", "onward backup list")
    picked = waiting if everything else [pick]
    group = [each for offer in picked for each in offer.backups]
    paths = [each.path for each in group]
    kept = backups.discard(project, paths, world.trash, now=world.now)
    names = [world.local(each.path) for each in group]
    stems = (redactor.text(path.stem) for path in kept)
    back = (f"to bring it back: onward restore {stem}" for stem in stems)
    stays = "too large for the trash, it stays until the copies outgrow their limit"
    lines = [
        f"Discarded {name}" if each.path in kept else f"Not offered any more: {name} ({stays})"
        for name, each in zip(names, group, strict=True)
    ]
    left = [each for each in found.entries if each not in picked]
    others = [(n, each) for n, each in enumerate(left, 1) if each.backups]
    notes = _others(world, others, "; to discard all: onward backup discard --all")
    return Result(text=compose(*lines), data={"discarded": names}, notes=(*back, *notes))


def chosen(text: str, usage: str) -> int:
    """The number that was typed behind a command, 0 for none. Raises UsageError for anything else."""
    if text and not (text.isascii() and text.isdecimal() and int(text[:9])):
        raise UsageError(f"{text!r} is no number of a backup that waits", f"{usage} 2")
    return int(text[:9] or 0)


def _pick(world: World, found: Offers, number: int) -> Offer:
    """The entry of that number, 0 for the first. Raises NotFoundError."""
    if not found.entries:
        raise _nothing(world, found)
    if number > len(found.entries):
        message = f"there is no {number} to pick: the last is {len(found.entries)}"
        raise NotFoundError(message, "onward backup list")
    return found.entries[max(number - 1, 0)]


def _nothing(world: World, found: Offers | None = None) -> NotFoundError:
    """The error where no backup waits: with what was saved last, or what is open elsewhere."""
    message = "no backup is pending in this project"
    if found and (rows := offered.live_rows(world, found)):
        return NotFoundError("\n".join([message, *rows]), "onward sessions")
    if word := source.newest_place(world):
        again = document.typed(world, Path(word)) if source.is_path(word) else word
        return NotFoundError(
            f"{message}; what was saved last is not lost", f"onward resume {again}"
        )
    return NotFoundError(message, "onward document list")


def _others(world: World, numbered: Sequence[tuple[int, Offer]], behind: str = "") -> Notes:
    """How many more are pending, then a row for each of the first ones with its number."""
    if not numbered:
        return ()
    waiting = sum(bool(each.backups) for _, each in numbered)
    more = "1 more backup is" if waiting == 1 else f"{waiting} more backups are"
    head = f"{more} pending (onward backup list){behind}:" if waiting else "also saved here:"
    return (head, *offered.rows(world, numbered))


# ---------------------------------------------- transcripts that stay when their clients delete them


def keep_all(world: World, tell: Tell) -> Result:
    """Keep every transcript that a client has now, with those of sub-agents."""
    faults: list[OSError] = []
    files = {path: agent for agent in AGENTS for path in agent.files(world.home, world.env, faults)}
    told = [f"{path}: {reason}" for path, reason, _ in registry.closed(faults)]
    return _keep(world, files, tell, told)


def keep_one(world: World, what: str) -> Result:
    """Keep the transcript of one session, with those of its sub-agents."""
    path = source.transcript(world, what)
    agent = registry.agent_of(path)
    return _keep(world, dict.fromkeys(_whole(path), agent), lambda *_: None, [])


def ask_to_keep(world: World) -> Clean:
    """The question whether to keep all; "" where it was asked before, or some are kept."""
    top, asked = disk.archive(world.home, world.env), world.data / _ASKED
    if top.is_dir() or asked.exists():
        return compose("")
    atomic.write_bytes(asked, b"", atomic.PRIVATE)
    where = world.redactor.text(world.shown(top))
    question = f"Keep all that exist now, and each session from then on, compressed in {where}?"
    return compose(f"Clients delete old transcripts, some after 30 days. {question}")


def keep_ended(world: World, transcript: Path) -> None:
    """Keep a session that ended, if the user ever asked to keep any. Raises OnwardError, OSError."""
    top = disk.archive(world.home, world.env)
    if top.is_dir() and transcript.is_file():
        client = registry.agent_of(transcript).NAME
        for each in _whole(transcript):
            disk.keep(each, top / client)


def _whole(transcript: Path) -> list[Path]:
    """With those of its sub-agents."""
    return [transcript, *sorted(transcript.with_suffix("").rglob("*.jsonl"))]


def _keep(world: World, files: dict[Path, Agent], tell: Tell, unread: list[str]) -> Result:
    world.data_folder()  # none is made up in a home that does not exist
    top, done = disk.archive(world.home, world.env), Counter[str]()
    is_first = not top.is_dir()
    top.mkdir(0o700, parents=True, exist_ok=True)
    sizes = {path: path.stat().st_size for path in files if path.is_file()}
    held = defaultdict[str, list[Path]](list)
    for path in top.rglob("*.jsonl"):
        held[path.name].append(path)
    size, total = 0, sum(sizes.values())
    for path, own in sizes.items():
        tell(size, total)
        size += own
        try:
            outcome, target = disk.keep(path, top / files[path].NAME, held[path.name])
        except FileNotFoundError:  # removed meanwhile
            continue
        except InputError as error:
            unread.append(error.message)
        except OSError as error:
            unread.append(f"{path}: {error.strerror or type(error).__name__}")
        else:
            done[outcome] += 1
            done["packed"] += target.stat().st_size
            held[target.name].append(target)
    clean = world.redactor.text
    folder, faults = clean(world.shown(top)), [clean(each) for each in unread]
    kinds = {kind: done[kind] for kind in ("new", "renewed", "known")}
    data = {"folder": folder, **kinds, "size": total, "packed": done["packed"], "unread": faults}
    new, renewed, known = kinds.values()
    lines = (
        f"{count(new + renewed + known, 'transcript')} kept: {new} new, {renewed} renewed, {known} as before",
        f"{total / 1e6:,.1f} MB as {done['packed'] / 1e6:,.1f} MB in {folder}",
    )
    notes = [f"not kept: {each}" for each in faults[:_NAMED]]
    if (left := len(faults) - _NAMED) > 0:
        notes.append(f"and {left} more not kept")
    if is_first:
        told = "from now on each session is kept as it ends, where the hooks of onward run"
        notes.append(f"{told}; to end that and remove all of it: rm -r {folder}")
    return Result(text=compose(*lines), data=data, notes=tuple(notes))
