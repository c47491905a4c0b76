"""What was installed: the programs that hooks and commands start, our files, the hooks' log; and whether
Claude Code will call us, and how often: its settings at each level, our hooks in them.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path

import onward
from onward import regular
from onward.clients import claude_code, files, plan
from onward.clients.claude_code import Level
from onward.clients.doctor import Case, Finding, Fix, broken, ok, some, warning
from onward.clients.registry import OTHERS
from onward.clients.target import Target
from onward.documents.times import age
from onward.repo import git as repo_git
from onward.storage.reading import LARGEST

_LIMIT = 20.0  # seconds for a start of Python on a busy machine
_OURS = Path(onward.__file__).resolve().parent
_ASK = (
    "import sys; sys.path.append(sys.argv[1]); import msgspec, onward; "
    "print('%d.%d' % sys.version_info[:2])"
)
"""What a hook's child needs; compiled packages serve one minor version of Python only."""
_LINES = 5
_RECENT = 7 * 86400.0  # seconds
_TAIL = 8192  # bytes


# ------------------------------------------------------------------------ programs


def launcher(case: Case) -> Iterator[Finding]:
    """The two lines by which a shim finds Python and our code."""
    path = case.data / files.LAUNCHER
    shown = case.shown(path)
    try:
        lines = regular.head(path, LARGEST).decode("utf-8", "replace").split("\n")
    except FileNotFoundError:
        if any(level.hooks for level in levels(case)):  # else installing writes it
            why = "each hook starts through `onward` on PATH, which takes several times as long"
            text = f"there is no {shown}"
            yield warning("launcher", text, why, "onward doctor --fix", "launcher")
        return
    except OSError as error:
        yield _stale(f"{shown} cannot be read: {error.strerror or type(error).__name__}")
        return
    interpreter, entry = (Path(line) for line in (*lines, "", "")[:2])
    package = entry.parent.parent
    if not lines[0] or not os.access(interpreter, os.X_OK):
        yield _stale(f"{shown} names a Python that is gone: {case.shown(interpreter)}")
    elif not entry.is_file():
        yield _stale(f"{shown} names a program that is gone: {case.shown(entry)}")
    elif not (said := _output([str(interpreter), "-I", "-c", _ASK, str(package.parent)], case)):
        yield _stale(
            f"{case.shown(interpreter)} cannot load onward from {case.shown(package.parent)} "
            "(removed, or made for another version of Python)"
        )
    elif package.resolve() != _OURS:
        text = f"hooks run another onward: {case.shown(package)}"
        why = f"this one is {case.shown(_OURS)}: they may differ in what they write"
        yield warning("launcher", text, why, "onward doctor --fix", "launcher")
    else:
        yield ok("launcher", f"Python {said.strip()} and onward {onward.__version__}")


def _stale(text: str) -> Finding:
    why = "the hooks fall back on `onward` on PATH; where there is none, nothing is captured"
    return broken("launcher", text, why, "onward doctor --fix", "launcher")


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
    try:
        done = subprocess.run(
            words,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_LIMIT,
            check=False,
            stdin=subprocess.DEVNULL,
            env={**case.env, "PYTHONDONTWRITEBYTECODE": "1"},
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""


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
    found = levels(case)
    if any(level.fault for level in found):
        return  # nothing would be written; the broken file has a finding of its own
    names = {level.name for level in found if level.hooks}
    if "project" in names or case.here.is_installed():
        yield from _shipped(case, case.here, pieces(case.here, "files", "onward install", "files"))
    if "user" in names:
        yield from _shipped(case, case.user, pieces(case.user, "files", "onward install --user"))


def _shipped(case: Case, target: Target, faults: Iterator[Finding]) -> list[Finding]:
    text = f"commands, skills and hooks in {case.shown(target.base)} are as we wrote them"
    return list(faults) or [ok("files", text)]


def pieces(
    target: Target,
    subject: str,
    install: str,
    fix: Fix = "",
    older: Callable[..., Finding] = warning,
) -> Iterator[Finding]:
    """What `install` would write in a place, and what of it is somebody else's now; `older` tells of
    what is there and out of date.
    """
    # Of a file that is no JSON no line is shown: of a secret that is cut no rule knows.
    found = plan.install(target, lambda _: "…")
    wanted = [
        change
        for change in found.changes
        if change.path.name != files.MANIFEST and change.path.parent != target.memory
    ]
    if missing := [change.name for change in wanted if change.before is None]:
        why = "what each is there for is not done, and nobody is told"
        yield broken(subject, f"missing: {some(missing)}", why, install, fix)
    if there := [change.name for change in wanted if change.before is not None]:
        why = "they are of another release, or something of ours was taken out of them"
        yield older(subject, f"out of date: {some(there)}", why, install, fix)
    if other := [*found.foreign, *found.changed]:
        why = "they are yours and are left alone, and may not do what the documents say"
        hint = f"to have ours: move them away (an entry of the settings: delete it), then {install}"
        yield warning(subject, f"not as we wrote them: {some(other)}", why, hint)


def shadowed(case: Case) -> Iterator[Finding]:
    """Of two commands with one name the user's own beats the project's, a skill beats both."""
    own = case.here.base
    for template in sorted((files.TEMPLATES / "commands").glob("*.md")):
        name = template.stem
        stronger = [base / "skills" / name / "SKILL.md" for base in (case.config, own)]
        if (own / "commands" / template.name).is_file():
            stronger.append(case.config / "commands" / template.name)
        ours = files.digest(template.read_bytes())
        for path in stronger:
            if path.is_file() and files.digest(regular.head(path, LARGEST)) != ours:
                shown = case.shown(path)
                why = "the client takes the stronger of two commands with one name"
                text = f"/{name} runs {shown}, not ours"
                yield warning("commands", text, why, f"rename {shown}")


def log(case: Case) -> Iterator[Finding]:
    """What went wrong in a hook: the client is told nothing, so it stands here alone."""
    path = case.data / "hooks.log"
    lines, old = list[str](), 0.0
    if regular.is_file(path):
        with path.open("rb") as stream:
            stream.seek(max(0, path.stat().st_size - _TAIL))
            lines = stream.read().decode(errors="replace").split("\n")
        old = max(0.0, case.now.timestamp() - path.stat().st_mtime)
    last = [line.strip() for line in lines if line.strip()][-_LINES:]
    if not last or old > _RECENT:
        yield ok("log", f"no hook has failed for {age(old)}" if last else "no hook has failed")
        return
    text = "\n".join([f"the last lines of {case.shown(path)}, {age(old)} old:", *last])
    advice = f"onward doctor --fix, then: rm {path}"
    yield warning("log", text, "a hook that fails tells nobody else", advice, "launcher")


def levels(case: Case) -> list[Level]:
    """The settings of the client, the strongest last."""
    return claude_code.levels(case.here, case.config)


def settings_files(case: Case) -> Iterator[Finding]:
    """The client skips a file that it cannot read, and all hooks where one file says so."""
    found = levels(case)
    for each in found:
        shown = case.shown(each.path)
        if each.fault:
            why = "the client silently skips the whole file, and the hooks in it"
            yield broken("settings", f"{shown}{each.fault}", why, f"fix {shown}")
        if each.data.get("disableAllHooks") is True:
            yield broken(
                "settings",
                f"{shown}: disableAllHooks is true",
                "no hook runs, whoever registered it: nothing is captured and nothing is told",
                f"take disableAllHooks out of {shown}",
            )
    if found and not any(each.fault for each in found):
        yield ok("settings", f"{len(found)} read: {', '.join(case.shown(f.path) for f in found)}")


def hooks(case: Case) -> Iterator[Finding]:
    """All of our events, once. None at all is no fault where another client has them."""
    found = [level for level in levels(case) if level.hooks]
    others = (t for c in OTHERS.values() for t in case.targets(c))
    if not found and not any(each.is_installed() for each in others):
        refused = case.here.refusal(case.user)
        yield broken(
            "hooks",
            "none of ours is registered for this project",
            "nothing is captured when a session ends, and no new session is told of the last one",
            "cd into a project, then: onward install" if refused else "onward install",
        )
    for level in found:
        there = {hook.shim for hook in level.hooks}
        wanted = [hook for hook in case.here.hooks() if hook.shim not in there]
        shown = case.shown(level.path)
        if missing := [hook.name for hook in wanted]:
            install = {"plugin": "claude plugin update onward", "user": "onward install --user"}
            yield broken(
                "hooks",
                f"{shown} lacks {', '.join(missing)}",
                "these events are not served",
                install.get(level.name, "onward install"),
                "files" if level.name == "project" else "",
            )
        else:
            yield ok("hooks", f"{len(there)} hooks in {shown} ({level.name})")
    if len(found) > 1:
        yield warning(
            "hooks",
            f"registered {len(found)} times: {' and '.join(case.shown(f.path) for f in found)}",
            "the work is done once, but each event starts us as often",
            "keep one: onward uninstall, onward uninstall --user, or claude plugin uninstall onward",
        )


def starts(case: Case) -> Iterator[Finding]:
    """A client started in a sub-folder reads none of the project's settings."""
    named = {level.name for level in levels(case) if level.hooks}
    if not named or "user" in named:
        return
    root = case.project.root
    why = "the client reads the settings of the folder it was started in: no hook of ours ran there"
    advice = f"start the client in {root}, or: onward install --user"
    inner = [each for each in case.claude_sessions if root in Path(each.began_in).parents]
    if inner:
        ids = some([each.session[:8] for each in inner], 3)
        where = case.shown(Path(inner[0].began_in))
        yield warning("hooks", f"begun in a sub-folder ({where}): session {ids}", why, advice)
    elif root in case.cwd.parents:
        text = f"a client started in {case.shown(case.cwd)} has no hooks"
        yield warning("hooks", text, why, advice)
