"""`push`: this work tree's records onto its own ref of a remote."""

from __future__ import annotations

from msgspec import Struct

from onward.commands import workspace
from onward.commands.result import Result, compose
from onward.commands.share import place, pushing
from onward.commands.share.place import Place
from onward.commands.share.wording import count
from onward.commands.world import World
from onward.repo import connection
from onward.repo.connection import Connection
from onward.repo.remote import Wish


class Pushed(Struct, frozen=True, kw_only=True):
    """What `push --json` prints."""

    remote: str
    writer: str
    machine: str
    outcome: str
    """`pushed`, or `nothing new`."""
    written: int
    removed: int
    skipped: int
    commit: str


def push(world: World, name: str, wish: Wish) -> Result:
    """Bring the remote's ref of this work tree up to date. Raises OnwardError."""
    settings = connection.settings(world.cwd)
    to = connection.connect(settings, name, wish.verb)
    with place.opened(world, settings, to, wish.limit) as here:
        done = pushing.send(world, here, to, wish)
    return _told(world, to, here, done)


def _told(world: World, to: Connection, here: Place, sent: pushing.Sent) -> Result:
    name = workspace.redactor(world).text(to.name)
    data = Pushed(
        remote=name,
        writer=here.writer,
        machine=here.machine,
        outcome="pushed" if sent.outcome == "done" else "nothing new",
        written=sent.written,
        removed=sent.removed,
        skipped=sent.skipped,
        commit=sent.commit,
    )
    notes: tuple[str, ...] = ()
    if sent.skipped:
        notes += (
            f"not shared: {count(sent.skipped, 'file')} with a name or a size that others cannot take",
        )
    if sent.rewritten:
        notes += (
            f"{name} had another state of this machine, made by somebody else; it is yours again",
        )
    if not sent.commit:
        notes += ("to make one: onward save NAME",)
        return Result(text=compose("There is no checkpoint to push yet."), data=data, notes=notes)
    if sent.outcome != "done":
        return Result(text=compose(f"Nothing new for {name}."), data=data, notes=notes)
    gone = f", {sent.removed} removed" if sent.removed else ""
    text = (
        f"Pushed to {name} as {here.machine}: {count(sent.written, 'record')} new or changed{gone}."
    )
    return Result(text=compose(text), data=data, notes=notes)
