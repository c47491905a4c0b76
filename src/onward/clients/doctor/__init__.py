"""The doctor's checks: what they are told (`Case`) and tell (`Finding`), and all that is looked at
without running it; what is run is in `trial`.
"""

from __future__ import annotations

import os
import shlex
import shutil
import stat
import subprocess
import sysconfig
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

import onward
from onward import regular
from onward.clients import files, plan
from onward.clients.registry import DEFAULT, OTHERS
from onward.clients.target import Level, Target
from onward.documents.times import age
from onward.errors import RefusedError
from onward.repo import git as repo_git
from onward.storage import atomic, backups, sessions
from onward.storage.project import Project, shown
from onward.storage.reading import LARGEST
from onward.transcripts.registry import SessionInfo

Fix = Literal["", "launcher", "modes", "files"]  # the safe fix that would end it


class Finding(Struct, frozen=True):
    """What is so, why it matters, and what to type; redacted before it is shown."""

    level: Literal["ok", "warning", "broken"]
    subject: str
    text: str
    why: str = ""
    advice: str = ""
    fix: Fix = ""


Maker = Callable[..., Finding]
ok = partial(Finding, "ok")  # all is well, in few words
warning = partial(Finding, "warning")  # it works, and somebody would want to know
broken = partial(Finding, "broken")  # something that was meant to work does not


class Case(Struct, frozen=True, kw_only=True):
    """One project on one machine. Times are aware, in the user's own zone."""

    project: Project
    cwd: Path
    home: Path
    data: Path
    env: Mapping[str, str]
    now: datetime
    top: Path | None  # the root of the git work tree; None where there is none
    sessions: tuple[SessionInfo, ...] = ()  # those of this project, the newest first
    kept: frozenset[str] = frozenset()  # ids of those of which `onward keep --all` has a copy

    def targets(self, client: type[Target]) -> tuple[Target, Target]:
        """The project, and the user's own folder, as targets of a client."""
        project = client.of_project(self.project, self.home)
        return project, client.of_user(self.home, self.env)

    @property
    def here(self) -> Target:
        """The project as a target of the default client."""
        return DEFAULT.of_project(self.project, self.home)

    @property
    def user(self) -> Target:
        """The user's own folder of the default client as a target."""
        return DEFAULT.of_user(self.home, self.env)

    @property
    def config(self) -> Path:
        """The default client's own folder, with the links in its path."""
        return DEFAULT.user_folder(self.home, self.env)

    @property
    def own_sessions(self) -> list[SessionInfo]:
        """The sessions of the default client: those whose transcripts lie in its folder."""
        return [each for each in self.sessions if each.path.is_relative_to(self.config)]

    def levels(self) -> list[Level]:
        """The settings of the default client, the strongest last."""
        return self.here.levels(self.config)

    def shown(self, path: Path) -> str:
        """As `storage.project.shown` has it; the project itself by its whole name."""
        root = self.project.root
        return shown(path, self.home, None if path == root else root)


def some(names: list[str], most: int = 4) -> str:
    """The first names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


# ------------------------------------------------------------------------ programs

_LIMIT = 20.0  # seconds for a start of Python on a busy machine
_OURS = Path(onward.__file__).resolve().parent
# What a hook's child needs; compiled packages serve one minor version of Python only.
_ASK = """
import sys; sys.path.append(sys.argv[1]); import msgspec, onward
print('%d.%d' % sys.version_info[:2])"""


def launcher(case: Case) -> Iterator[Finding]:
    """The two lines by which a shim finds Python and our code."""
    path = case.data / files.LAUNCHER
    shown = case.shown(path)
    why = "the hooks fall back on `onward` on PATH; where there is none, nothing is captured"
    stale = partial(broken, "launcher", why=why, advice="onward doctor --fix", fix="launcher")
    try:
        lines = regular.head(path, LARGEST).decode("utf-8", "replace").split("\n")
    except FileNotFoundError:
        if any(level.hooks for level in case.levels()):  # else installing writes it
            why = "each hook starts through `onward` on PATH, which takes several times as long"
            yield replace(stale(f"there is no {shown}"), level="warning", why=why)
        return
    except OSError as error:
        yield stale(f"{shown} cannot be read: {error.strerror or type(error).__name__}")
        return
    interpreter, entry = (Path(line) for line in (*lines, "", "")[:2])
    package = entry.parent.parent
    if not lines[0] or not os.access(interpreter, os.X_OK):
        yield stale(f"{shown} names a Python that is gone: {case.shown(interpreter)}")
    elif not entry.is_file():
        yield stale(f"{shown} names a program that is gone: {case.shown(entry)}")
    elif not (said := _output([str(interpreter), "-I", "-c", _ASK, str(package.parent)], case)):
        text = f"{case.shown(interpreter)} cannot load onward from {case.shown(package.parent)}"
        yield stale(f"{text} (removed, or made for another version of Python)")
    elif package.resolve() != _OURS:
        text = f"hooks run another onward: {case.shown(package)}"
        why = f"this one is {case.shown(_OURS)}: they may differ in what they write"
        yield warning("launcher", text, why, "onward doctor --fix", "launcher")
    else:
        yield ok("launcher", f"Python {said.strip()} and onward {onward.__version__}")


def on_path(case: Case) -> Iterator[Finding]:
    """Commands and skills call `onward` by its name."""
    found = shutil.which("onward", path=case.env.get("PATH", os.defpath))
    why = "the slash commands and skills call `onward` by its name"
    if found is None:
        folder = sysconfig.get_path("scripts")
        yield broken("PATH", "there is no `onward` on it", why, f'export PATH="{folder}:$PATH"')
        return
    shown, said = case.shown(Path(found)), _output([found, "--version"], case)
    if not said:
        advice = f"install onward anew, or rm {shlex.quote(found)}"
        yield broken("PATH", f"{shown} does not start", why, advice)
    elif said.split()[-1:] != [onward.__version__]:
        text = f"`onward` is {shown} ({' '.join(said.split())}), not the one that the hooks start"
        why = "commands and hooks may differ in what they write"
        advice = "uninstall one of the two, then: onward doctor --fix"
        yield warning("PATH", text, why, advice, "launcher")
    else:
        yield ok("PATH", f"{shown}, {onward.__version__}")


def _output(words: list[str], case: Case) -> str:
    """What a program prints; "" where it does not end well. Nothing of ours is touched."""
    env = {**case.env, "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            words,
            check=True,
            capture_output=True,
            timeout=_LIMIT,
            stdin=subprocess.DEVNULL,
            env=env,
        )
        return done.stdout.decode(errors="replace")
    except (OSError, subprocess.SubprocessError):
        return ""


def git(case: Case) -> Iterator[Finding]:
    """Without git no drift can be told."""
    why = "what changed since a save (commits, branch, files) cannot be told"
    if shutil.which("git", path=case.env.get("PATH", os.defpath)) is None:
        yield warning("git", "there is no git on PATH", why, "install git")
    elif odd := repo_git.in_the_way(case.project.root):
        text = f"{case.shown(odd)} is no file: git would wait for it, and is not asked"
        yield broken("git", text, why, f"look at it: ls -l {shlex.quote(str(odd))}")


# ------------------------------------------------------------------------ files of ours


def shipped(case: Case) -> Iterator[Finding]:
    """What installing would write, in each place that was installed into."""
    found = case.levels()
    if any(level.fault for level in found):
        return  # nothing would be written; the broken file has a finding of its own
    names = {level.name for level in found if level.hooks}
    targets = list[tuple[Target, str, Fix]]()
    if "project" in names or case.here.is_installed():
        targets.append((case.here, "onward install", "files"))
    if "user" in names:
        targets.append((case.user, "onward install --user", ""))
    for target, install, fix in targets:
        text = f"commands, skills and hooks in {case.shown(target.base)} are as we wrote them"
        yield from list(pieces(target, "files", install, fix)) or [ok("files", text)]


def pieces(
    target: Target, subject: str, install: str, fix: Fix = "", older: Maker = warning
) -> Iterator[Finding]:
    """What `install` would write in a place, and what is changed there; `older` for what is old."""
    # Of a file that is no JSON no line is shown: of a secret that is cut no rule knows.
    found = plan.install(target, lambda _: "…")
    ours = (each for each in found.changes if each.path.parent != target.memory)
    wanted = [each for each in ours if each.path.name != files.MANIFEST]
    if missing := [each.name for each in wanted if each.before is None]:
        why = "what each is there for is not done, and nobody is told"
        yield broken(subject, f"missing: {some(missing)}", why, install, fix)
    if there := [each.name for each in wanted if each.before is not None]:
        why = "they are of another release, or something of ours was taken out of them"
        yield older(subject, f"out of date: {some(there)}", why, install, fix)
    if other := [*found.foreign, *found.changed]:
        why = "they are yours and are left alone, and may not do what the documents say"
        hint = f"to have ours: move them away (an entry of the settings: delete it), then {install}"
        yield warning(subject, f"not as we wrote them: {some(other)}", why, hint)


def shadowed(case: Case) -> Iterator[Finding]:
    """Of two commands with one name the user's own beats the project's, a skill beats both."""
    own = case.here.base
    for template in sorted((case.here.TEMPLATES / "commands").glob("*.md")):
        name = template.stem
        stronger = [base / "skills" / name / "SKILL.md" for base in (case.config, own)]
        if (own / "commands" / template.name).is_file():
            stronger.append(case.config / "commands" / template.name)
        ours = files.digest(template.read_bytes())
        for path in stronger:
            if path.is_file() and files.digest(regular.head(path, LARGEST)) != ours:
                shown, why = case.shown(path), "the client takes the stronger of two commands"
                yield warning("commands", f"/{name} runs {shown}, not ours", why, f"rename {shown}")


def log(case: Case) -> Iterator[Finding]:
    """What went wrong in a hook: the client is told nothing, so it stands here alone."""
    path = case.data / "hooks.log"
    lines, old = list[str](), 0.0
    if regular.is_file(path):
        with path.open("rb") as stream:
            stream.seek(max(0, path.stat().st_size - 8192))
            lines = stream.read().decode(errors="replace").split("\n")
        old = max(0.0, case.now.timestamp() - path.stat().st_mtime)
    last = [line.strip() for line in lines if line.strip()][-5:]
    if not last or old > 7 * 86400:
        yield ok("log", "no hook has failed of late")
        return
    text = "\n".join([f"the last lines of {case.shown(path)}, {age(old)} old:", *last])
    advice = f"onward doctor --fix, then: rm {path}"
    yield warning("log", text, "a hook that fails tells nobody else", advice, "launcher")


def settings_files(case: Case) -> Iterator[Finding]:
    """The client skips a file that it cannot read, and all hooks where one file says so."""
    found = case.levels()
    for each in found:
        shown = case.shown(each.path)
        if each.fault:
            why = "the client silently skips the whole file, and the hooks in it"
            yield broken("settings", f"{shown}{each.fault}", why, f"fix {shown}")
        if each.data.get("disableAllHooks") is True:
            text, why = f"{shown}: disableAllHooks is true", "no hook runs, whoever registered it"
            yield broken("settings", text, why, f"take disableAllHooks out of {shown}")
    if found and not any(each.fault for each in found):
        yield ok("settings", f"{len(found)} read: {', '.join(case.shown(f.path) for f in found)}")


def hooks(case: Case) -> Iterator[Finding]:
    """All of our events, once. None at all is no fault where another client has them."""
    found = [level for level in case.levels() if level.hooks]
    others = (t for c in OTHERS.values() for t in case.targets(c))
    if not found and not any(each.is_installed() for each in others):
        hint = "cd into a project, then: " * bool(case.here.refusal(case.user)) + "onward install"
        why = "nothing is captured when a session ends, and no new session is told of the last one"
        yield broken("hooks", "none of ours is registered for this project", why, hint)
    for level in found:
        there = {hook.shim for hook in level.hooks}
        wanted = [hook for hook in case.here.hooks() if hook.shim not in there]
        shown = case.shown(level.path)
        if missing := [hook.name for hook in wanted]:
            advice, fix = _to_hook(case, level)
            text = f"{shown} lacks {', '.join(missing)}"
            yield broken("hooks", text, "these events are not served", advice, fix)
        else:
            yield ok("hooks", f"{len(there)} hooks in {shown} ({level.name})")
    if len(found) > 1:
        where = " and ".join(case.shown(each.path) for each in found)
        why = "the work is done once, but each event starts us as often"
        plugin = f"{case.here.PROGRAM} plugin uninstall onward"
        ways = f"onward uninstall, onward uninstall --user, or {plugin}"
        yield warning("hooks", f"registered {len(found)} times: {where}", why, f"keep one: {ways}")


def _to_hook(case: Case, level: Level) -> tuple[str, Fix]:
    """What registers the hooks that a level lacks. Beside a file of the user's under the name of a shim an
    installation alone would leave them out again.
    """
    plugin = f"{case.here.PROGRAM} plugin update onward"
    install = {"plugin": plugin, "user": "onward install --user"}
    advice = install.get(level.name, "onward install")
    if level.name in {"project", "user"} and not any(each.fault for each in case.levels()):
        target = case.here if level.name == "project" else case.user
        found = plan.install(target, lambda _: "…")
        if found.unhooked:
            return f"move away {some([*found.foreign])}, then: {advice}", ""
    return advice, "files" if level.name == "project" else ""


def starts(case: Case) -> Iterator[Finding]:
    """A client started in a sub-folder reads none of the project's settings."""
    named = {level.name for level in case.levels() if level.hooks}
    if not named or "user" in named:
        return
    root = case.project.root
    why = "the client reads the settings of the folder it was started in: no hook of ours ran there"
    advice = f"start the client in {root}, or: onward install --user"
    if inner := [each for each in case.own_sessions if root in Path(each.cwd).parents]:
        ids = some([each.session[:8] for each in inner], 3)
        where = case.shown(Path(inner[0].cwd))
        yield warning("hooks", f"begun in a sub-folder ({where}): session {ids}", why, advice)
    elif root in case.cwd.parents:
        text = f"a client started in {case.shown(case.cwd)} has no hooks"
        yield warning("hooks", text, why, advice)


# -------------------------------------------------------------------- what was captured


DAYS = 30  # `cleanupPeriodDays` where nobody set it (clients 2.1.197 and 2.1.330)
_SOON = 7  # days
_QUIET = 600.0  # seconds after which a session that wrote nothing is taken for ended
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_WRITE = stat.S_IWGRP | stat.S_IWOTH


def captured(case: Case) -> Iterator[Finding]:
    """The newest copy, and whether the end of the newest session is in one."""
    kept = backups.entries(case.project)
    if kept:
        when = datetime.strptime(kept[0].taken, "%Y%m%d_%H%M%S").replace(tzinfo=case.now.tzinfo)
        seconds = max(0.0, (case.now - when).total_seconds())
        yield ok("capture", f"the last one {age(seconds)} ago: {kept[0].path.name}")
    elif not case.sessions:
        yield ok("capture", "no session of this project yet")
    for newest in case.sessions[:1]:
        have = max((each.size for each in kept if each.session == newest.session), default=0)
        may_run = case.now.timestamp() - newest.mtime < _QUIET or sessions.running(
            str(case.data), newest.session
        )
        if have < newest.size and not may_run:  # the next start looks after a killed one
            missing = f"{newest.size - have:,} bytes of it are not kept"
            text = f"session {newest.session[:8]} ended and {missing if have else 'nothing of it is kept'}"
            why = "the client deletes its own transcripts after some weeks"
            yield warning("capture", text, why, f"onward save NAME --session {newest.session}")


def cleanup(case: Case) -> Iterator[Finding]:
    """The client deletes transcripts that nobody wrote to for some days; copies of ours stay."""
    key, found = "cleanupPeriodDays", [each for each in case.levels() if not each.plugin]
    value = next((each.data[key] for each in reversed(found) if key in each.data), None)
    days = value if type(value) is int and value > 0 else DAYS
    if case.sessions and not case.own_sessions:
        return
    kept = case.kept | {each.session for each in backups.entries(case.project)}
    alone = [s for s in case.own_sessions if s.session not in kept]
    alone.sort(key=lambda each: each.mtime)
    said = f"the client deletes transcripts after {days} days"
    due = [each for each in alone if _due(each, days, case) - case.now < timedelta(days=_SOON)]
    if not due:
        first = f"; the next one goes on {_due(alone[0], days, case):%Y-%m-%d}" if alone else ""
        yield ok("clean-up", said + first)
        return
    named = some([f"{s.session[:8]} on {_due(s, days, case):%Y-%m-%d}" for s in due], 3)
    text, why = f"{said}; of these there is no copy: {named}", "what is not saved by then is gone"
    ways = f"onward keep --all\nonward save NAME --session {due[0].session}"
    more = f'or set a larger "cleanupPeriodDays" in {case.shown(case.config / "settings.json")}'
    yield warning("clean-up", text, why, f"{ways}\n{more}")


def _due(session: SessionInfo, days: int, case: Case) -> datetime:
    try:
        return datetime.fromtimestamp(session.mtime, case.now.tzinfo) + timedelta(days=days)
    except (OverflowError, ValueError):  # "for ever" is written as a very large number
        return datetime.max.replace(tzinfo=case.now.tzinfo)


def private(case: Case) -> dict[Path, int]:
    """What others may read or write and must not: the mode that each should have."""
    if os.name == "nt":
        return {}
    memory, data, hooks = case.project.memory, case.data, case.here.base / "hooks"
    copies = (*memory.glob("raw/*.jsonl"), *memory.glob(f"{backups.MARKER}*"))
    records = (memory / backups.LOG, data / "key", data / "hooks.log", *data.glob("live/*/*"))
    secret = (*copies, *records)
    wanted = {path: _mode(path) & ~_OTHERS for path in secret if _mode(path) & _OTHERS}
    # Whoever may write these chooses what our hooks run.
    ours = (data, data / files.LAUNCHER, hooks, *hooks.glob("*.sh"))
    return wanted | {path: _mode(path) & ~_WRITE for path in ours if _mode(path) & stat.S_IWOTH}


def _mode(path: Path) -> int:
    try:
        found = path.lstat()
    except OSError:
        return 0
    return 0 if stat.S_ISLNK(found.st_mode) else stat.S_IMODE(found.st_mode)


def modes(case: Case) -> Iterator[Finding]:
    """Raw transcripts hold whatever was said and shown."""
    if wrong := private(case):
        names = some([case.shown(path) for path in wrong], 3)
        text = f"others on this machine may get at {names}"
        why = "they hold whole conversations, or say what the hooks run"
        yield broken("modes", text, why, "onward doctor --fix", "modes")
    else:
        yield ok("modes", "raw transcripts and our own records are for you alone")


def writable(case: Case) -> Iterator[Finding]:
    """Folders that are to be written to; the nearest one that is there decides."""
    project, why, fine = case.project, "nothing can be saved there", True
    wanted = (project.memory, project.checkpoints, project.root, case.data)
    nearest = [next((p for p in (path, *path.parents) if p.exists()), path) for path in wanted]
    for path in dict.fromkeys(nearest):
        shown = case.shown(path)
        if not path.is_dir():
            fine, text = False, f"{shown} is a file; a folder belongs there"
            yield broken("folders", text, why, "move it away")
        elif not os.access(path, os.W_OK):
            fine, advice = False, f"chmod u+w {shlex.quote(str(path))}"
            yield broken("folders", f"{shown} is read-only", why, advice)
    for path in (project.memory, project.memory / "raw", project.checkpoints):
        try:
            atomic.within(path, project.root)
        except RefusedError as error:
            fine = False
            yield broken("folders", error.message, why, error.hint)
    if fine:
        yield ok("folders", "ours can be written")


def ignored(case: Case) -> Iterator[Finding]:
    """Raw transcripts stay out of git; a file of ours in their folder sees to it."""
    memory = case.project.memory
    raw, ignore = memory / "raw", memory / backups.IGNORE
    why = "raw transcripts hold secrets, and would go wherever the repository goes"
    if case.top is None or not raw.is_dir():
        return
    loose = repo_git.ask(memory, "ls-files", "--others", "--exclude-standard", "--", "raw")
    named = ignore.is_file() and b"raw/" in regular.head(ignore, LARGEST).split()
    if loose or (loose is None and not named):
        text, advice = (
            f"{case.shown(ignore)} does not keep raw/ out of git",
            shlex.quote(str(ignore)),
        )
        yield broken("git", text, why, f"printf '\\nraw/\\n' >> {advice}")
    if repo_git.ask(memory, "ls-files", "--", "raw"):
        shown = case.shown(raw)
        advice = f"git rm -r --cached {shlex.quote(shown)}"
        yield broken("git", f"git tracks files in {shown}", why, advice)
