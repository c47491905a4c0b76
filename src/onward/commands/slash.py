"""What the slash commands run before the agent reads a word of them.

A problem is an answer as any other: with a status other than 0 the client would give up the whole
command (measured). It pastes what was typed into a shell text without quoting, so it comes on stdin, and
between two lines of one `"` each it passes the client's check that refuses JSON otherwise (measured).

A save writes down what it made and asks for a draft of what the agent alone knows; `add` reads the draft,
makes the save again with it, and removes it. Where the draft is refused, it stays to be fixed.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from onward.briefing import brief
from onward.briefing.text import code, count, shorten
from onward.commands import backup, document, listing, resume, save, source, thread
from onward.commands.result import Result, compose
from onward.commands.world import World
from onward.errors import NotFoundError, OnwardError, RefusedError, StorageError, UsageError
from onward.model import Checkpoint, CheckpointName, Clean
from onward.record.text import one_line
from onward.storage import backups, checkpoints, documents, live, sessions
from onward.transcripts import registry

_NO = "(no puts the checkpoint in the trash; any other answer leaves it as it is)"
_ADD = "add"
_SHELL = "shell-"
_RECENT = 60.0  # seconds for which a shell is remembered: its number comes round
_PATHS = ("document-and-save-to", "resume-from", "resume-latest", "discard-backup")
WITH_WORDS = (*_PATHS, "checkpoint")
_FRAME = re.compile(r'"\r?\n(.*)\r?\n"\s*', re.DOTALL)
_WORD = re.compile(r"""(?:"([^"]*)"|'([^']*)'|(\S+))(?!\S)|(\S+)""")
_DASH = re.compile(r"^[—–](?=[a-z])")
_TASK = re.compile(r"(?:^|\s)(?:--|[—–])task(?:=|\s+|$)")
_FLAG = re.compile(r"(?:^|\s)(?:--|[—–])(force|draft)$")
# Verbs of the command line and the slash commands that do the same.
_SAME = {
    "backup resume": "resume-latest",
    "backup discard": "discard-backup",
    "document list": "sessions-list",
    "document": "document-and-save",
    "protocol save": "save-session-protocol",
    "protocol load": "load-session-protocol",
    **{verb: f"checkpoint {verb}" for verb in ("save", "list", "delete", "resume")},
}
_LONGEST = 400  # characters of a line that tells of a problem
_KEY = "written"
_SAVED, _OVER, _NEW, _NOTED = "saved", "over", "new", "noted"
_OPEN = 4  # questions that a save asks
_COMMAND = 80  # characters of a command in one
_CORRECT = """\
Correct these lines once: write the whole note again into the same file, as it replaces this one, and
run `{command}`. A line that is right as it stands can stay: it is kept, marked unverified."""
_STAYS = "These lines are kept, marked unverified. Write no further note."
_ASKED = """\
Now add your note: write it as JSON into the file that the last line names, then run exactly `{command}`.
That checks the note against the record, {again} with it, and removes the file. Each path, commit, check
or task that does not agree is answered in one line; correct those once. If the file is refused, fix what
the answer names and run the same command again.
{unanswered}
Any of these fields and no others, at most five entries each, one sentence an entry, 16 KB in all. `next`
are the steps in order, each with its file or its command:

```json
{{
  "task": "Build the login page",
  "next": ["Run pytest tests/test_login.py; test_expiry still fails in src/login.py:88",
           "Compare in UTC in src/login.py:88, then run it again"],
  "why": "the expiry check compares local time with UTC",
  "progress": ["Wrote src/login.py lines 45-120, login flow complete"],
  "blockers": ["Merge conflict in src/main.py lines 80-95"],
  "decisions": [{{"text": "RS256, not HS256", "why": "the gateway has only the public key"}}],
  "constraints": ["The user wants verbose error messages"],
  "avoid": ["HS256: tried, the gateway refused the token"],
  "tasks": [{{"title": "Fix test_expiry", "status": "in_progress"}}],
  "context": ["The staging server is reached over the jump host"],
  "memory": ["Tests need TZ=UTC"]
}}
```

Bad: `{{"next": "Continue testing", "progress": ["Worked on auth"]}}`: nobody can do or verify that.

`tasks` is your own list. `memory` is for what still holds when this work is long done, three lines
at most, and is often empty. No raw conversation, no secrets.

Draft: {path}"""
_AGAIN = {
    "checkpoint": "saves the checkpoint again",
    "save-session-protocol": "writes the protocol again",
}


class Asked(NamedTuple):
    """One call: `command` without the plugin's prefix, which is "" or ends in a colon."""

    world: World
    command: str
    prefix: str
    text: str

    @property
    def typed(self) -> str:
        """The command as the user types it."""
        return f"/{self.prefix}{self.command}"


def unframed(raw: str) -> str:
    """What was typed, without the frame that the command file puts round it."""
    found = _FRAME.fullmatch(raw)
    return (found[1] if found else raw).strip()


def whole(text: str) -> str:
    """The text as one word, blanks and all: a path."""
    quoted = len(text) > 1 and text[0] in "\"'" and text.find(text[0], 1) == len(text) - 1
    return (text[1:-1] if quoted else text).strip()


def words(text: str) -> Iterator[str]:
    """The words of a text. A quote that is never closed is a letter, as in `don't`."""
    for found in _WORD.finditer(text):
        yield _DASH.sub("--", "".join(part or "" for part in found.groups()))


def wanted(text: str, command: str) -> save.Wish:
    """`NAME [--task TEXT] [--force] [--draft]`; more words are the task. Raises UsageError."""
    head, *rest = _TASK.split(text, maxsplit=1)
    line, flags = " ".join("".join(rest).split()), set[str]()
    while found := _FLAG.search(line):
        flags.add(found[1])
        line = line[: found.start()].rstrip()
    plain = list[str]()
    for word in words(head):
        if word in {"--force", "--draft"}:
            flags.add(word[2:])
        elif word.startswith("--"):
            known = "--task, --force and --draft"
            raise UsageError(f"{word} is no option here (there are {known})", f"{command} NAME")
        else:
            plain.append(word)
    name, *task = plain or [""]
    if task and not line and checkpoints.is_vague(name):
        meant = checkpoints.propose_name(" ".join([name, *task])) or "NAME"
        raise UsageError(f"`{name}` is too generic: a name is one word", f"{command} {meant}")
    said = " ".join([*task, whole(line)]).strip()
    return save.Wish(name=name, task=said, force="force" in flags, draft="draft" in flags)


def answer(*parts: str) -> Clean:
    """The parts that there are, a blank line between them. They are clean already."""
    return compose("\n\n".join(part.strip("\n") for part in parts if part.strip()))


def notes(result: Result) -> str:
    """What a verb says beside its answer."""
    return "\n".join(result.notes)


def problem(asked: Asked, error: OnwardError) -> Clean:
    """A foreseen failure as text: what is wrong, and what to type next."""
    redactor = asked.world.display_redactor
    said = [shorten(redactor.text(line), _LONGEST) for line in error.message.splitlines()]
    hints = (redactor.text(line) for line in error.hint.splitlines())
    said += [shorten(f"Try: {asked.world.typed(hint)}", _LONGEST) for hint in hints]
    return compose(*said)


def as_typed(command: str, prefix: str) -> str:
    """A command of the command line as the slash command that does the same; itself where none does."""
    try:
        onward, *words = shlex.split(command)
    except ValueError:  # redaction took a quote away
        return command
    # The agent's to run, not the user's to type; and what no slash command takes.
    if onward != "onward" or {"--yes", "--no", "--all"} & {*words}:
        return command
    number = next((n for n in (2, 1) if " ".join(words[:n]) in _SAME), 0)
    same, rest = _SAME.get(" ".join(words[:number]), ""), words[number:]
    if same == "document-and-save" and rest:
        same = "document-and-save-to"
    elif same == "checkpoint resume" and rest and source.is_path(rest[0]):
        same = "resume-from"
    return " ".join([f"/{prefix}{same}", *map(_quoted, rest)]) if same else command


def _quoted(word: str) -> str:
    """A word as it is typed behind a slash command: whole, in such quotes as do not stand in it."""
    if not any(sign.isspace() or sign in "'\"" for sign in word):
        return word
    quote = next((sign for sign in "'\"" if sign not in word), "")
    return f"{quote}{word}{quote}"


def document_and_save(asked: Asked) -> Clean:
    """The active context, then the session document, to the path that was typed if any."""
    has_path = asked.command == "document-and-save-to"
    path = whole(asked.text) if has_path else ""
    if has_path and len(path.splitlines()) != 1:
        fault = "is one line" if path else "is missing"
        raise UsageError(f"a path {fault}", f"{asked.typed} notes/hand-over.md")
    path = str(Path(path).expanduser()) if path else ""
    file, result = document.write(asked.world, path, "")
    return answer(notes(result), result.text, begin(asked, file))


def save_session_protocol(asked: Asked) -> Clean:
    """session-protocol.json."""
    result = document.save_protocol(asked.world, "", short=False)
    draft = begin(asked, documents.protocol(asked.world.project))
    return answer(notes(result), result.text, draft)


def checkpoint(asked: Asked) -> Clean:
    """A named checkpoint: `NAME [--task TEXT] [--force] [--draft]`."""
    wish = wanted(asked.text, f"{asked.typed} save")
    file = checkpoints.path_of(asked.world.project, CheckpointName(wish.name))
    try:
        result = save.save(asked.world, wish)
    except save.UnfinishedError as error:
        draft = begin(asked, file, wish.task, _OVER if wish.force else _NEW)
        missing = "write at least `next` into the draft"
        return answer(f"Not saved yet: {error.message}; {missing}.", draft)
    return answer(result.text, notes(result), begin(asked, file, wish.task))


def list_checkpoints(asked: Asked) -> Result:
    """The table of the checkpoints."""
    world = asked.world
    now, data, make = world.now.timestamp(), str(world.data), world.typed("onward save NAME")
    return listing.list_checkpoints(str(world.cwd), now, lambda: world, data=data, make=make)


def delete_checkpoint(asked: Asked) -> Result:
    """A checkpoint into the trash."""
    name = next(words(asked.text), "")
    if not name:
        raise UsageError("which checkpoint?", f"{asked.typed} list")
    return save.delete(asked.world, name)


def _number(asked: Asked) -> int:
    return backup.chosen(whole(asked.text), asked.typed)


def resume_latest(asked: Asked) -> Clean:
    """What is offered first, or under a number: a pending backup, taken in, or what was saved."""
    number, world = _number(asked), _begun(asked)
    project, pending = world.project, backups.pending(world.project)
    result, found = backup.resume_newest(world, number)
    left, taken = backups.pending(project), ""
    if gone := [path for path in pending if path not in left]:
        shown = world.redactor.text(world.local(gone[0]))
        # A session that ends without an answer leaves it pending again.
        is_asked = registry.current(world.env)
        until = "stays pending until the user answers" if is_asked else "is no longer pending"
        taken = f"Taken in: {shown}; it {until}."
    ready = resume.question(found)
    file = "" if found.kind == sessions.BACKUP else str(found.path)
    return answer(notes(result), taken, _await(world, file=file), result.text, ready)


def resume_from(asked: Asked) -> Clean:
    """The document that was typed; a pending backup is offered beside it."""
    world, name = _begun(asked), whole(asked.text)
    project = world.project
    if not name:
        result = document.list_documents(world)
        which = f"Which of them? {asked.typed} PATH"
        return answer(result.text, which)
    with suppress(StorageError):  # what cannot be written can still be read
        backups.clean(project)
    found = source.load(world, _place(asked, name))
    result = resume.Recovery(world, found).tell(resume.question(found), answered=True)
    thread.keep(world, found.kind, found.checkpoint)
    note = _await(world, file=str(found.path))
    choice = ""
    if pending := backups.pending(project):
        other = world.redactor.text(pending[0].name)
        command = f"/{asked.prefix}resume-latest"
        choice = f"Or the pending backup instead ({other})? Then the user types {command}"
    return answer(notes(result), note, result.text, choice)


def resume_checkpoint(asked: Asked) -> Clean:
    """A named checkpoint, the newest without a name; a plain no puts it into the trash."""
    world = _begun(asked)
    found, others = resume.chosen(world, next(words(asked.text), ""))
    place = resume.Recovery(world, found, others)
    result = place.tell(resume.question(found), answered=True)
    thread.keep(world, found.kind, found.checkpoint)
    note = _await(world, found.name)
    return answer(notes(result), note, f"{result.text.rstrip()}\n{_NO if found.is_own else ''}")


def load_session_protocol(asked: Asked) -> Clean:
    """The report of session-protocol.json, then what is in it."""
    world = asked.world
    found, result = document.load_protocol(world, short=False)
    thread.keep(world, found.kind, found.checkpoint, agreed=True)
    thread.brief(world, found.checkpoint)
    # The report tells what changed in git.
    told_of_it = brief(found.checkpoint, None, age=world.age(found.mtime))
    return answer(notes(result), result.text, told_of_it)


def _begun(asked: Asked) -> World:
    """The world. A question that was not answered changes nothing: its numbers still hold."""
    world = asked.world
    session = registry.current(world.env)
    if open_ := sessions.asked(str(world.data), session):
        resume.put_back(world, open_)
        sessions.answered(str(world.data), session)
    return world


def _await(world: World, name: str = "", file: str = "") -> str:
    """Let the next prompt's yes or no be understood. Returns where the agent's note goes."""
    session = registry.current(world.env)
    open_ = sessions.Question(name, str(world.project.root), at=world.now.timestamp(), file=file)
    sessions.ask(str(world.data), session, open_)
    thread.clear_draft(world, thread.session_of(world))
    return f"Note: {thread.draft_shown(world)}" if session else ""


def _place(asked: Asked, name: str) -> str:
    """The file that is meant, as typed or by its name in the memory folder. Raises UsageError."""
    world, project = asked.world, asked.world.project
    bare = Path(name).expanduser()
    folders = (world.cwd, project.root, project.memory)
    tried = [folder / form for folder in folders for form in (bare, Path(f"{bare}.md"))]
    found = next((path for path in tried if path.is_file()), None)
    if found is None and name not in checkpoints.names(project):
        raise UsageError(f"there is no file {name}", f"/{asked.prefix}sessions-list")
    return str(found) if found else name


# ------------------------------------------------------------------------ the agent's note


class Written(NamedTuple):
    """What a save made: `stamp` tells the file as it was then, `state` one of the four above."""

    command: str
    root: str
    file: str
    stamp: str
    task: str
    state: str


def begin(asked: Asked, file: Path, task: str = "", state: str = _SAVED) -> str:
    """Remember a save, or one that lacks the agent's words, and ask for the draft."""
    world = asked.world
    thread.clear_draft(world, thread.session_of(world))
    line = world.redactor.text(" ".join(task.split()))
    root = str(world.project.root)
    record = Written(asked.command, root, str(file), _stamp(file), line, state)
    live.put(str(world.data), thread.session_of(world), _KEY, *record)
    open_ = unanswered(source.load(world, str(file)).checkpoint) if state == _SAVED else ()
    return request(asked.command, asked.prefix, thread.draft_shown(world), open_)


def request(command: str, prefix: str, path: str, open_: tuple[str, ...] = ()) -> str:
    """What to write, the command to run then, and where (last line); `open_` are open questions."""
    told, again = "", _AGAIN.get(command, "writes both files again")
    if open_:
        told = "\nThe record has no answer to these; your note can:\n- " + "\n- ".join(open_) + "\n"
    adding = _adding(command, prefix)
    return _ASKED.format(command=adding, again=again, unanswered=told, path=path)


def unanswered(checkpoint: Checkpoint) -> tuple[str, ...]:
    """What the record of a session leaves open and its agent may know."""
    states = [task.status for task in checkpoint.tasks if task.status != "completed"]
    found = []
    if len(states) > 1 and states.count("in_progress") != 1:
        found.append(f"{count(len(states), 'open task')}: which is next?")
    failing = [run.command for run in checkpoint.runs if run.outcome == "failed"]
    known = {run.command for run in checkpoint.runs}
    failed = (each.command for each in checkpoint.failures if each.outcome == "failed")
    repeated = [command for command in failed if command not in known]
    running = [item.text for item in checkpoint.background]
    for commands, asked in (
        (failing, "failed when it last ran: is it understood?"),
        (repeated, "failed again and again: what is not to be repeated?"),
        (running, "runs in the background: is it needed?"),
    ):
        found += (f"{code(one_line(each, _COMMAND))} {asked}" for each in commands)
    if checkpoint.next_action is None and not states:
        found.append("No next action is recorded: what is the very next command or edit?")
    return tuple(found[:_OPEN])


def add(asked: Asked) -> Clean:
    """Make the last save of this session again, with the draft. Raises what saving raises."""
    world = asked.world
    session = thread.session_of(world)
    record = live.get(str(world.data), session, _KEY)
    if len(record) != len(Written._fields) or record[1] != str(world.project.root):
        raise RefusedError("this session has saved nothing here that could be added to")
    written, draft = Written(*record), thread.draft_place(world, session)
    if not draft.is_file():
        return answer("There is no draft: nothing was added.")
    result = _again(world, written, draft)
    thread.remove_draft(world, draft)
    written = written._replace(stamp=_stamp(Path(written.file)), state=_NOTED)
    live.put(str(world.data), session, _KEY, *written)
    correct = ""
    if result.findings:
        command = _adding(written.command, asked.prefix)
        correct = _STAYS if record[-1] == _NOTED else _CORRECT.format(command=command)
    return answer(notes(result), correct, result.text)


def _adding(command: str, prefix: str) -> str:
    return f"onward slash {prefix}{command} add"


def _again(world: World, written: Written, draft: Path) -> Result:
    if written.command == "save-session-protocol":  # which merges, whoever wrote meanwhile
        return document.save_protocol(world, "", short=False, words=draft)
    file, saved = Path(written.file), written.state in {_SAVED, _NOTED}
    if written.stamp != _stamp(file):
        shown = world.local(file)
        raise RefusedError(f"{shown} was changed meanwhile, and stays as it is")
    if written.command == "checkpoint":
        wish = save.Wish(name=file.stem, task=written.task, words=draft, again=saved, draft=True)
        return save.save(world, replace(wish, force=written.state != _NEW))
    return document.write(world, str(file), "", words=draft, over=True)[1]


def _stamp(file: Path) -> str:
    with suppress(OSError):
        found = file.stat()
        return f"{found.st_mtime_ns} {found.st_size}"
    return ""


# ---------------------------------------------------------------------------- all of them


Command = Callable[[Asked], Clean | Result]  # the text for the agent, or what a verb returned
_MODES: Mapping[str, Command] = {
    "save": checkpoint,
    "list": list_checkpoints,
    "resume": resume_checkpoint,
    "delete": delete_checkpoint,
}


def _checkpoint(asked: Asked) -> Clean | Result:
    mode, rest = (*asked.text.split(maxsplit=1), "", "")[:2]
    if mode not in _MODES:
        forms = "save NAME, list, resume NAME or delete NAME"
        raise UsageError(f"which of these? {forms}", f"{asked.typed} list")
    return _MODES[mode](asked._replace(text=rest))


COMMANDS: Mapping[str, Command] = {
    "document-and-save": document_and_save,
    "document-and-save-to": document_and_save,
    "resume-latest": resume_latest,
    "resume-from": resume_from,
    "sessions-list": lambda asked: document.list_documents(asked.world),
    "discard-backup": lambda asked: backup.discard(asked.world, _number(asked)),
    "checkpoint": _checkpoint,
    "save-session-protocol": save_session_protocol,
    "load-session-protocol": load_session_protocol,
}


def run(world: World, name: str, step: str, raw: str, shell: str) -> Clean:
    """The text for the agent; `name` may carry a plugin's prefix, `raw` is what was typed."""
    before, colon, command = name.rpartition(":")
    prefix = before + colon
    world = replace(world, typed=lambda said: as_typed(said, prefix))
    asked = Asked(world, command, prefix, unframed(raw))
    try:
        if command not in COMMANDS or step not in {"", _ADD}:
            raise NotFoundError(f"there is no slash command {name} {step}".rstrip(), "/help")
        # A typed line that ends the here-document could call the command again, with words of its
        # own: the client lets that pass (measured).
        data, session = str(world.data), registry.current(world.env)
        live.expire(data, session, _SHELL, world.now.timestamp() - _RECENT)
        if not step and not live.claim(data, session, f"{_SHELL}{shell}"):
            raise RefusedError("this command was run already; what stood behind it was left undone")
        told = add(asked) if step == _ADD else COMMANDS[command](asked)
        return answer(told.text, notes(told)) if isinstance(told, Result) else told
    except OnwardError as error:
        return problem(asked, error)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return problem(asked, StorageError(f"{error.filename or 'the disk'}: {reason}"))
