"""Verbs about what is saved: save, list, resume, check, show, note, delete, restore; and the other forms:
protocol, document, backup.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path
from shlex import quote
from typing import Any

import click
from msgspec.structs import replace

from onward import commands
from onward.cli import Call, options, output
from onward.cli.options import verb
from onward.commands.result import Result, compose
from onward.errors import OnwardError, RefusedError, UsageError
from onward.storage import checkpoints

_number = partial(click.option, type=click.IntRange(min=0), default=0, metavar="N")
_KINDS = click.Choice(list(commands.autosave.HEADINGS))
_write = click.option(
    "--write",
    is_flag=False,
    flag_value="",
    metavar="[CLIENT]",
    help="Let your own client (or the one named) write the note: one call, at your cost.",
)


@verb("save")
@click.argument(
    "name", nargs=-1, required=True, metavar="NAME", shell_complete=options.checkpoint_names
)
@options.text("--task", help="One line: what this work is.")
@options.text("--next", "following", help="One line: the very next step.")
@options.session
@options.words
@click.option("--draft", is_flag=True, help="Save a session of one reply without edits too.")
@click.option("--force", is_flag=True, help="Replace a checkpoint of that name.")
@_write
@options.rules
def save(call: Call, /, name: tuple[str, ...], write: str | None, **words: Any) -> Result:
    """Save your place under NAME, in kebab-case: build-login-page.

    Reads SESSION-STATE.md first, then the transcript of the session that this is called in, else
    of the newest of this project. A replaced checkpoint goes to the trash; `onward restore NAME
    --force` brings it back. What you wrote into it stays. On a terminal, it asks once for the next
    step where only the record knows one.

    No model is asked, except with --write: then your own client is run once on the redacted record.
    """
    # Several words are taken for one name, which is refused with the name they would make.
    wish = commands.save.Wish(name=" ".join(name), **words)
    if not wish.force and call.asking and wish.name in checkpoints.names(call.world.project):
        question = f"The checkpoint {wish.name} exists. Replace it?"
        if not click.confirm(question, err=True):
            raise RefusedError(f"the checkpoint {wish.name} stays as it is", "choose another name")
        wish = replace(wish, force=True)
    ask = partial(_asked, call, wish, asking=write is None)
    return _written(call, write, wish.name, commands.save.save(call.world, wish, ask))


def _written(call: Call, write: str | None, name: str, done: Result) -> Result:
    """What was done, with the note that the client writes for the checkpoint `name`. Whatever fails
    is told beside it: the record is saved already.
    """
    note = commands.save
    chosen = note.note_writer(call.world) if write is None else write
    if chosen is None:
        return done
    try:
        added = note.write_note(call.world, name, chosen, output.note, output.waiting)
    except OnwardError as error:
        reason = call.world.redactor.text(error.message)
        failed = f"no note was written: {reason}; the record stands"
        return done._replace(notes=(*done.notes, failed))
    return done._replace(text=compose(done.text, added.text), notes=(*done.notes, *added.notes))


def _asked(call: Call, wish: commands.save.Wish, stands: str, *, asking: bool) -> str:
    """The next step in the user's words, "" where they leave what stands or nobody can answer."""
    is_told = wish.following.strip() or (stands and (wish.words or not asking))
    if call.json or not call.asking or is_told:
        return ""
    if stands:
        output.note(f"Next action, from the record: {' '.join(stands.split())}")
    question = "The next step in your words (Enter keeps it)" if stands else "The next step"
    with suppress(click.Abort):
        answer = click.prompt(question, default="", show_default=False, err=True)
        return str(answer).strip()
    return ""


@verb("list")
def list_all(call: Call) -> Result:
    """List the checkpoints of this project, the newest first.

    With name, creation, task, and age: how long since it was last saved. What `onward pull` brought
    from other machines is among them, as NAME@MACHINE.
    """
    return commands.listing.list_checkpoints(
        call.cwd, call.seconds, lambda: call.world, call.width, data=call.data
    )


@verb("resume")
@options.optional("name", shell_complete=options.names_and_files)
@click.option("--yes", is_flag=True, help="Continue without asking.")
@click.option("--no", is_flag=True, help="Put it in the trash.")
@_write
def resume(call: Call, *, name: str, yes: bool, no: bool, write: str | None) -> Result:
    """Pick up where checkpoint NAME left off; without NAME, the newest one.

    Shows what was done, the next action, and what changed since. On a terminal it then asks:
    yes prints the briefing, no puts the checkpoint in the trash, Enter or q changes nothing.
    Anywhere else it only prints. Without any checkpoint it takes the newest session of this project.
    NAME may also be a session document, a protocol file, a transcript or a session's id, and
    NAME@MACHINE is one that `onward pull` brought; nothing changes on that machine.

    With --write, a checkpoint that has no note yet gets one first, and keeps it.
    """
    if write is not None and not no and not commands.save.is_noted(call.world, name):
        for line in _written(call, write, name, Result(text=compose())).notes:
            output.note(line)
    if yes and no:
        hint = " ".join(["onward resume", *([quote(name)] if name else []), "--yes"])
        raise UsageError("--yes and --no exclude each other", hint)
    if no:
        return commands.resume.decline(call.world, name)
    if not yes and call.asking and not call.json:
        found, others = commands.resume.chosen(call.world, name)
        place = commands.resume.Recovery(call.world, found, others)
        output.emit(place.glance(), as_json=False)
        # An empty default: a stray Enter must not put it in the trash.
        answer = click.prompt(
            output.fitted(commands.resume.terminal_question(found)),
            prompt_suffix=" ",
            err=True,
            default="",
            show_default=False,
            value_proc=_answer,
        )
        if answer:
            return place.go_on()
        if answer is not None and found.is_own:
            return commands.resume.decline(call.world, found.name)
        return Result(text=compose(), notes=("nothing was changed",))
    return commands.resume.present(call.world, name, accepted=yes)


def _answer(typed: str) -> bool | None:
    """Yes or no; None to leave it as it is. What is none of them is asked for again."""
    answers = {"y": True, "yes": True, "n": False, "no": False, "": None, "q": None}
    if (word := typed.strip().casefold().rstrip(".!")) in answers:
        return answers[word]
    raise click.UsageError("answer yes or no; Enter or q leaves everything as it is")


@verb("check")
@options.optional("name", metavar="[NAME|FILE]", shell_complete=options.names_and_files)
def check(call: Call, *, name: str) -> Result:
    """Check a checkpoint's quality; without NAME, the newest one's.

    Each finding names the line, the reason, and a good form. Exit code 7 with findings.
    """
    return commands.check.check(call.world, name)


@verb("show")
@options.needed("what", metavar="NAME|PLACE", shell_complete=options.all_names)
@options.optional("place")
@options.of_session(help="Whose transcript a place is of.")
@_number("--before", help="Also the N records before.")
@_number("--after", help="Also the N records after.")
@options.text("--find", metavar="TEXT", help="Begin at the line that holds TEXT.")
@_number("--offset", help="Begin after N characters.")
@click.option("--all", "whole", is_flag=True, help="All of it, however long.")
@options.rules
def show(call: Call, /, *, what: str, place: str, session: str, **view: Any) -> Result:
    """Print a checkpoint, or what stands at a place: t:541, t:720-746, t:last, c:9f5a3c7.

    onward show t:541

    onward show build-login-page t:720-746

    onward show 0b1c2d3e t:last --before 5

    With both, the place is looked up in the session that the checkpoint was made from; NAME may
    also be a document, a transcript or a session's id. A place alone is looked up in the session that
    an agent was briefed on, else in that of the newest checkpoint, else in the newest of this project;
    you are told in which. Of another machine's checkpoint,
    NAME@MACHINE, the words are here but not the session.

    One call prints up to 1,500 tokens of a place or commit, and of each text that is cut the command that
    reads on. With a tool call comes its result, with a result its call, as far as there is room.
    The records around it take one line each: place, who, size.
    """
    shown, of = (place, what) if place else (what, "")
    return commands.show.show(call.world, shown, session, of=of, view=commands.show.View(**view))


@verb("note")
@click.argument("text")
@click.option(
    "--as", "kind", type=_KINDS, default="decision", show_default=True, help="What it is."
)
@options.rules
def note(call: Call, *, text: str, kind: str) -> Result:
    """Add TEXT to SESSION-STATE.md, where the next save reads it first."""
    return commands.autosave.note(call.world, text, kind)


@verb("delete")
@options.needed("name", shell_complete=options.checkpoint_names)
def delete(call: Call, *, name: str) -> Result:
    """Move checkpoint NAME to the trash, when its task is done.

    `onward restore NAME` brings it back.
    """
    return commands.save.delete(call.world, name)


@verb("restore")
@options.needed("name", shell_complete=options.deleted_names)
@click.option("--force", is_flag=True, help="Also where NAME exists: that one goes to the trash.")
def restore(call: Call, *, name: str, force: bool) -> Result:
    """Bring the checkpoint NAME that was deleted or replaced last back from the trash.

    With --force the one that exists goes to the trash, and the newest kept one that differs
    from it comes back; the same again swaps them.
    """
    return commands.save.restore(call.world, name, force=force)


@click.group("protocol", cls=options.VerbGroup)
def protocol() -> None:
    """Save or load session-protocol.json; close or reorder its tasks."""


@verb("save", of=protocol)
@options.session
@click.option("--brief", "short", is_flag=True, help="Report in one line.")
@options.words
@options.rules
def _protocol_save(call: Call, *, session: str, short: bool, words: Path | None) -> Result:
    """Merge this session's tasks and context into session-protocol.json."""
    return commands.document.save_protocol(call.world, session, short=short, words=words)


@verb("load", of=protocol)
@click.option("--brief", "short", is_flag=True, help="Report in one line.")
def _protocol_load(call: Call, *, short: bool) -> Result:
    """Read session-protocol.json: age, counts, changes in git, next task."""
    return commands.document.load_protocol(call.world, short=short)[1]


@verb("done", of=protocol)
@click.argument("task", metavar="TASK_ID")
def _protocol_done(call: Call, *, task: str) -> Result:
    """Mark a task as completed: TASK_003, or 3.

    It stays completed whatever later saves say. The former file goes to the trash.
    """
    return commands.document.edit_protocol(call.world, task, first=False)


@verb("next", of=protocol)
@click.argument("task", metavar="TASK_ID")
def _protocol_next(call: Call, *, task: str) -> Result:
    """Make an open task the next one: TASK_003, or 3.

    It stays first until it is completed. The former file goes to the trash.
    """
    return commands.document.edit_protocol(call.world, task, first=True)


@verb("document")
@click.argument("path", required=False, default="", metavar="[PATH|list]")
@options.session
@options.words
@options.rules
def document(call: Call, *, path: str, session: str, words: Path | None) -> Result:
    """Write active-context.md, then the session document (to PATH, if given).

    `onward document list` lists the documents, a pending backup on top.
    """
    if path == "list":
        return commands.document.list_documents(call.world)
    return commands.document.write(call.world, path, session, words=words)[1]


@click.group("backup", cls=options.VerbGroup)
def backup() -> None:
    """List, resume or discard the raw backups."""


@verb("list", of=backup)
def _backup_list(call: Call) -> Result:
    """List the raw backups, the newest first, and which are pending."""
    return commands.backup.list_backups(call.world)


@verb("resume", of=backup)
@click.argument("number", required=False, default="", metavar="[NUMBER]")
def _backup_resume(call: Call, *, number: str) -> Result:
    """Brief from the pending backup.

    Of several, the newest with work in it, or the one of NUMBER.

    active-context.md is brought up to date, then the marker goes. Without a pending backup, brief
    from what was saved last.
    """
    picked = commands.backup.chosen(number, "onward backup resume")
    return commands.backup.resume_newest(call.world, picked)[0]


@verb("discard", of=backup)
@click.argument("number", required=False, default="", metavar="[NUMBER]")
@click.option("--all", "everything", is_flag=True, help="All that are pending.")
def _backup_discard(call: Call, *, number: str, everything: bool) -> Result:
    """Put the pending backup into the trash without reading it, and take it off the marker.

    Of several, the one that is offered first, or the one of NUMBER.
    """
    picked = commands.backup.chosen(number, "onward backup discard")
    return commands.backup.discard(call.world, picked, everything=everything)
