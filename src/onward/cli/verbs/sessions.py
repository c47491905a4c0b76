"""Verbs about sessions and their transcripts: sessions, go, search, why, keep, view, brief, distill."""

from __future__ import annotations

import base64
import os
import shlex
import shutil
import subprocess
import sys
import webbrowser
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from onward import commands
from onward.cli import Call, options, output
from onward.cli.options import verb
from onward.commands.result import Result, compose
from onward.errors import NotFoundError, UsageError

_STYLES = {"hit": "1;31", "head": "1", "dim": "2", "user": "32", "agent": "36", "result": "33"}
_MOST = 20
_LONG = 1_000_000_000  # bytes; less is looked through before anybody wonders
_ONE = "Only this session, with the text; `all` for every one."
_BEST = "Show so many, the best; without it at most 20, in 1,500 tokens."
_CHEAPER = (
    "With the client's own resume, or with the briefing; without either, with what costs less."
)
_text, _files = options.text, options.files
_agents = options.completed(lambda begun: [e.NAME for e in commands.search_files.named(begun)])


@verb("sessions")
@click.option("--all", "everywhere", is_flag=True, help="Of every project.")
def sessions(call: Call, *, everywhere: bool) -> Result:
    """List the sessions that were held in this project, the newest first.

    The id in front is taken by other verbs: `onward save NAME --session ID` saves that one,
    `onward brief ID` briefs from it, `onward distill ID` shows all of it.
    """
    return commands.sessions.sessions(call.world, everywhere=everywhere, width=call.width)


@verb("go")
@options.optional("what", metavar="[NAME|SESSION]", shell_complete=options.names_and_files)
@click.option(
    "--in",
    "client",
    type=click.Choice(list(commands.go.PROGRAMS)),
    help="In this client; without it, in the one that the session was held in.",
)
@click.option("--native/--briefing", "native", default=None, help=_CHEAPER)
@click.option("--dry-run", is_flag=True, help="Print the command and start nothing.")
@options.rules
def go(
    call: Call, *, what: str, client: str | None, native: bool | None, dry_run: bool
) -> Result | int:
    """Start the client where you left off, with the briefing as its first prompt.

    Without a name it takes up what was worked on last in this project, saved or not. It starts in
    the folder of that session, and says first what each way costs: the client's own resume reads
    the whole session again, the briefing is about 1,500 tokens. Where the own resume of a session
    costs less (it is short, or the model still has it cached), that is taken.
    """
    found = commands.go.prepare(call.world, what, client or "", native=native)
    if dry_run or call.json:
        line = compose(shlex.join(found.words))
        data = {"folder": str(found.folder), "words": found.words, "cost": found.cost}
        return Result(text=line, data=data, notes=(found.cost,) if found.cost else ())
    if not call.asking:
        raise UsageError("a client needs a terminal", f"onward go --dry-run {what}".rstrip())
    if found.cost:
        output.note(found.cost)
    return commands.go.start(found, call.world)


@verb("search")
@click.argument("words", nargs=-1)
@_text("--project", metavar="NAME|DIR", help="Only of this project; . is here.")
@_text("--agent", metavar="NAME", shell_complete=_agents, help="Only of this client's sessions.")
@_text("--since", metavar="TIME", help="2026-03-01, yesterday, 3d, 12h ...")
@_text("--until", metavar="TIME", help="The same; a day counts whole.")
@_text("--file", metavar="PATH", shell_complete=_files, help="Only what touches this file.")
@_text("--session", callback=options.named, metavar="ID|NAME", help=_ONE)
@click.option("--by", type=click.Choice(["user", "agent", "result"]), help="Only what these said.")
@click.option("--failed", is_flag=True, help="Only calls that failed, with their last lines.")
@click.option("--edits", is_flag=True, help="Only calls that edit files.")
@options.number("--limit", metavar="N", help=_BEST)
@click.option("--all", "whole", is_flag=True, help="Show all of them.")
@options.rules
def find(
    call: Call, /, *, words: tuple[str, ...], limit: int | None, whole: bool, **given: Any
) -> Result:
    """Find what was said in any session, of any project.

    onward search jwt gateway

    onward search "git push" --by user --since 2w

    onward search --file src/auth.py

    onward search "connection refused" --session build-login-page

    onward search --by user --session build-login-page

    onward search --failed --session build-login-page

    All words must stand in one record; what stands in quotes, as it was typed. Capital letters
    count where you type any. Where no record holds all of them, you are told how many hold each
    word, in any form, and the nearest are shown with the numbers of the words that they lack.

    --failed lists the calls whose result failed, by the client's own sign or an exit status, with
    their last lines; words may stand in the call or in its result. --edits lists the calls that
    edit files. Both need no words and begin with the newest.

    With --session, each hit tells the command or the file that it belongs to, a call how it ended,
    and the best three are printed with the text around the words. Without words, it tells all,
    the newest first. An agent whose session was given a briefing searches the session that this
    tells of, and is told so; --session all, --project or --agent look further.

    Looks through the agents' transcripts, the checkpoints and session documents of their
    projects, and the raw backups. Each hit tells who said it, when, and what to type to see all
    of it. The best come first: whole words before parts of words, the user before the
    agent before a result, new before old. Exit code 3 where nothing was found.
    """
    world, is_named = call.world, any(given[each] for each in ("agent", "project", "session"))
    briefed = None if is_named else commands.show.briefed(world)
    wish = commands.search_files.wish(world, words, briefed=briefed, **given)
    most = None if whole else limit or _MOST
    with output.percent("searching", least=_LONG) as tell:
        found = commands.search.search(world, wish, limit=most, tell=tell)
    if not whole and limit is None:
        found = commands.search_page.fitted(world, wish, found, as_json=call.json)
    code = 0 if found.rows and not found.is_near else NotFoundError.exit_code
    notes = tuple(commands.search_page.notes(world, wish, found))
    data = commands.search_page.data(wish, found) if call.json else None
    width = call.width
    if width is None or call.json:
        text = compose() if call.json else commands.search_page.lines(world, wish, found)
        return Result(text=text, data=data, exit_code=code, notes=notes)
    is_coloured = output.colourful(sys.stdout)

    def paint(style: str, text: str) -> str:
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if text and is_coloured else text

    # Clean before it was coloured; what cleans an answer would take the colours out.
    output.say("\n".join(commands.search_page.page(world, wish, found, width, paint)))
    return Result(text=compose(), exit_code=code, notes=notes)


@verb("keep")
@options.optional("what", metavar="[SESSION|FILE]", shell_complete=options.sessions_and_files)
@click.option("--all", "everything", is_flag=True, help="Every transcript on this machine.")
def keep(call: Call, *, what: str, everything: bool) -> Result:
    """Keep transcripts that their clients would delete, some of them after 30 days.

    onward keep --all

    They are compressed into the data folder, mode 0600. Once the client's own file is gone, the
    session is still listed, searched, shown, resumed and briefed from there. Typed again, it adds
    what is new; where the hooks of onward run, each session is kept as it ends from then on.
    """
    if everything == bool(what):
        raise UsageError("name one session, or keep all of them", "onward keep --all")
    if what:
        return commands.backup.keep_one(call.world, what)
    with output.percent("keeping transcripts") as tell:
        return commands.backup.keep_all(call.world, tell)


@verb("view")
@options.optional("what", metavar="[NAME|SESSION]", shell_complete=options.names_and_files)
@click.option("--open", "opened", is_flag=True, help="Open it in the browser.")
@options.path("--out", metavar="FILE", help="Write it to this file.")
@options.rules
def view(call: Call, *, what: str, opened: bool, out: Path | None) -> Result:
    """Show a session as one page of HTML: requests, edits, checks, commits, files touched.

    onward view --open

    The page needs nothing else: no script, no network. All of it is redacted. Without a name it
    shows what was worked on last in this project; without --open and --out it goes to stdout.
    """
    name, page = commands.view.page(call.world, what)
    if not (opened or out):
        if call.width is not None:
            raise UsageError("a page is for a browser", f"onward view --open {what}".rstrip())
        return Result(text=page, data={"page": page})
    path = out or call.world.data / "view" / f"{name}.html"
    written = commands.view.write(call.world, page, path)
    if opened and not webbrowser.open((call.world.cwd / path).resolve().as_uri()):
        note = f"no browser was found: open {path} in one"
        return written._replace(notes=(note,))
    return written


@verb("brief")
@options.optional("what", metavar="[FILE|NAME|SESSION]", shell_complete=options.names_and_files)
@click.option(
    "--budget",
    type=click.IntRange(min=200),
    default=1500,
    show_default=True,
    metavar="N",
    help="Tokens at most; 200 or more.",
)
@click.option("--no-drift", is_flag=True, help="Do not look at the repository.")
@click.option("--copy", "copied", is_flag=True, help="Onto the clipboard instead of printing it.")
@options.rules
def brief(call: Call, *, what: str, budget: int, no_drift: bool, copied: bool) -> Result:
    """Write the briefing for the next session, from a transcript or a saved place.

    The place may be a checkpoint's name (NAME@MACHINE for one of another machine), a session
    document or a protocol file; SESSION is the id of a transcript. Without any it is what was worked
    on last in this project.
    """
    told = commands.resume.brief_only(call.world, what, budget=budget, look=not no_drift)
    if not copied:
        return told
    by = _copy(told.text, f"onward brief {shlex.quote(what)}" if what else "onward brief")
    return told._replace(text=compose(), notes=(f"copied by {by}",))


_PROGRAMS = (
    ("", ("pbcopy",)),
    ("WAYLAND_DISPLAY", ("wl-copy",)),
    ("DISPLAY", ("xclip", "-selection", "clipboard")),
    ("DISPLAY", ("xsel", "--clipboard", "--input")),
    ("", ("clip.exe",)),
)
"""Each with the variable that must be set."""
_SECONDS = 10
_MOST = 70_000  # bytes that terminals take in one sequence


def _copy(text: str, instead: str) -> str:
    """Put a text on the clipboard and return by what. Raises NotFoundError, which names what to type
    `instead`, where nothing can. A terminal is not asked whether it took it: some do not.
    """
    data = text.encode("utf-8", "backslashreplace")
    for variable, words in _PROGRAMS:
        program = shutil.which(words[0], path=os.environ.get("PATH"))
        if not program or (variable and not os.environ.get(variable)):
            continue
        given = data if words[0] != "clip.exe" else b"\xff\xfe" + text.encode("utf-16-le")
        with suppress(OSError, subprocess.SubprocessError):
            subprocess.run(
                [program, *words[1:]],
                input=given,
                stdout=subprocess.DEVNULL,  # xclip stays, and would keep the pipe open
                stderr=subprocess.DEVNULL,
                timeout=_SECONDS,
                check=True,
            )
            return words[0]
    if sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb" and len(data) <= _MOST:
        sys.stderr.write(f"\x1b]52;c;{base64.b64encode(data).decode()}\a")
        sys.stderr.flush()
        return "the terminal, if it allows that"
    raise NotFoundError(
        "there is no clipboard here: no pbcopy, wl-copy, xclip, xsel or clip.exe", instead
    )


@verb("why")
@options.needed("file", metavar="FILE", shell_complete=options.files)
@options.rules
def why(call: Call, *, file: str) -> Result:
    """Tell what was changed, decided, refused and taken back in a file, newest first.

    Over the sessions of this project, whichever client they were held in: the edits with what the
    agent said it did there, answers and plans that name the file, refusals with your words, edits
    that were taken back; each with the place that `onward show` prints.
    """
    return commands.distill.why(call.world, file)


@verb("distill")
@options.needed("file", metavar="FILE|ID", shell_complete=options.sessions_and_files)
@click.option("--explain", is_flag=True, help="Which template filled a field, from which event.")
@options.rules
def distill(call: Call, *, file: str, explain: bool) -> Result:
    """Show all that a transcript holds for the next session, with evidence and places.

    What nobody wrote is made by a few templates that quote an event: --explain names them.
    """
    path = commands.source.transcript(call.world, file)
    return commands.distill.distill_file(path, call.world.redactor, explain=explain)
