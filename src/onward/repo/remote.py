"""repo.remote: fetching and pushing our refs, from our own repository, as the user would.

What the user's repository says of how a remote is reached (addresses, credentials, proxies, the ssh
command) is handed on, and nothing else: no hook, no filter, no refspec of theirs. A call asks nobody
unless somebody is there to answer, and ends in time.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from onward.errors import (
    InputError,
    NotFoundError,
    OnwardError,
    RefusedError,
    RemoteError,
    StorageError,
)
from onward.repo.git import ask, where
from onward.repo.invocation import OPTIONS, environment, variables
from onward.repo.objects import Bare

_REACHING = re.compile(
    r"url\..*\.(?:insteadof|pushinsteadof)|credential\..*|http\..*|ssh\.variant|protocol\..*"
    r"|core\.(?:sshcommand|gitproxy|askpass)",
    re.DOTALL,
)
_OF_REMOTE = re.compile(
    r"url|pushurl|proxy|proxyauthmethod|uploadpack|receivepack|vcs|serveroption"
)
_USUAL = "origin"
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://|[^/\\]*[:/\\]|\.")
"""What an address begins with that is no name: `https://`, `host:`, `../`, `C:\\`."""

PATIENCE = 120  # seconds for one call, unless the user says otherwise
_GROWTH = 2_000_000_000
"""Bytes that one fetch may bring: twice what a first pull of a thousand writers is, whose chains
are half as long as they get (docs/explanation/scale.md).
"""
_PAUSE = 0.25  # seconds between two looks at how much has come

_OURS = (
    *("-c", "gc.auto=0"),
    *("-c", "maintenance.auto=false"),
    *("-c", "fetch.writeCommitGraph=false"),
    *("-c", "push.pushOption="),
    # One stranger's odd object must not keep the others away: nothing is ever checked out, and
    # `commands.shared` reads each with suspicion.
    *("-c", "fetch.fsckObjects=false"),
)
"""Over whatever the user set for fetching and pushing their own work."""
_PROTOCOLS = "file:git:http:https:ssh"  # not `ext`, which runs what an address says

_AUTH = re.compile(
    r"authentication failed|could not read (?:username|password)|permission denied|access denied"
    r"|terminal prompts disabled|error: 40[13]|host key verification failed|not authorized"
    r"|invalid username",
    re.IGNORECASE,
)
_HIDDEN = re.compile(
    r"hidden ref|funny refname|declined|prohibited|not allowed|cannot (?:create|update)|invalid ref"
    r"|GH\d{3}|protected|forbidden",
    re.IGNORECASE,
)
_RACE = re.compile(r"stale info|failed to update ref|cannot lock ref|fetch first|failed to lock")
_ONE_REF = re.compile(r"cannot lock ref|unable to (?:create|update local ref)|refname conflict")

_LOCK = re.compile(r"Unable to create '[^\n]*?(packed-refs)?\.lock': File exists")


# ------------------------------------------------------------------------ how it is reached


class Connection(NamedTuple):
    """A remote as git is told of it. `name` is that of one of the user's, or an address;
    `settings` are those that hold in their repository alone: git finds the others by itself.
    """

    name: str
    top: Path  # where the user's work tree is: relative addresses start there
    settings: tuple[tuple[str, str], ...]
    digits: int  # of a hash in the user's repository, 40 or 64

    @property
    def addresses(self) -> str:
        """What tells this remote from others."""
        own = f"remote.{self.name}.url"
        return "\n".join(v for k, v in self.settings if k == own) or self.name

    @property
    def splits(self) -> bool:
        """Whether a push goes to another address than a fetch asks."""
        pushed = {v for k, v in self.settings if k == f"remote.{self.name}.pushurl"}
        return bool(pushed) and pushed != {self.addresses}


class Settings(NamedTuple):
    """All that git has set for a work tree, in git's order; keys as git lists them."""

    top: Path
    pairs: tuple[tuple[str, str], ...]
    alone: tuple[tuple[str, str], ...]  # those that hold in this repository and not everywhere

    def last(self, key: str) -> str:
        """The value that holds; "" without one."""
        return next((value for name, value in reversed(self.pairs) if name == key), "")

    def each(self, key: str) -> tuple[str, ...]:
        """All values of a key that may be given several times."""
        return tuple(value for name, value in self.pairs if name == key and value)


def settings(folder: Path) -> Settings:
    """Read them. Raises NotFoundError outside of a git repository."""
    here = where(folder)
    if here is None:
        message = f"sharing goes through git, and {folder} is in no git repository"
        raise NotFoundError(message, "git init")
    own = _list(here.top)
    if own is None:
        raise InputError(f"git cannot read its settings in {here.top}", "git config --list")
    # What a folder without a repository knows too stands in files that git reads anyway; told
    # once more, a list of credential helpers would count twice.
    usual = Counter(_list(Path(here.top.anchor)) or ())
    alone = []
    for pair in own:
        usual[pair] -= 1
        if usual[pair] < 0:
            alone.append(pair)
    return Settings(here.top, own, tuple(alone))


def _list(folder: Path) -> tuple[tuple[str, str], ...] | None:
    said = ask(folder, "config", "-z", "--includes", "--list")
    if said is None:
        return None
    pairs = (item.partition("\n") for item in said.decode("utf-8", "replace").split("\0") if item)
    return tuple((key, value) for key, _, value in pairs)


def connect(found: Settings, wanted: str, verb: str) -> Connection:
    """The remote `wanted` (a name or an address), else the one that `onward.remote` names, else
    origin, else the only one. Raises NotFoundError, RefusedError.
    """
    names = _names(found)
    name = wanted or found.last("onward.remote") or _usual(names, verb)
    if name.startswith("-"):
        raise RefusedError("a remote's name does not begin with a dash", "git remote -v")
    if name not in names and not _SCHEME.match(name):
        hint = "git remote -v" if names else f"git remote add {name} ADDRESS"
        raise NotFoundError(f"this repository has no remote named {name!r}", hint)
    own = f"remote.{name}."
    reaching = (pair for pair in found.alone if _REACHING.fullmatch(pair[0]))
    about = (pair for pair in found.pairs if pair[0].startswith(own))
    kept = (*reaching, *(pair for pair in about if _OF_REMOTE.fullmatch(pair[0][len(own) :])))
    said = ask(found.top, "rev-parse", "--show-object-format") or b""
    return Connection(name, found.top, kept, 64 if said.strip() == b"sha256" else 40)


def addresses(found: Settings) -> list[str]:
    """What tells each remote that has a name from others."""
    return [Connection(name, found.top, found.pairs, 0).addresses for name in _names(found)]


def _names(found: Settings) -> list[str]:
    urls = (key for key, _ in found.pairs if key.startswith("remote.") and key.endswith(".url"))
    return list(dict.fromkeys(key.removeprefix("remote.").removesuffix(".url") for key in urls))


def _usual(names: list[str], verb: str) -> str:
    if _USUAL in names or len(names) == 1:
        return _USUAL if _USUAL in names else names[0]
    if not names:
        raise NotFoundError(
            "this repository has no remote to share through",
            f"git remote add {_USUAL} ADDRESS\n{_naming(verb, 'ADDRESS')}",
        )
    raise NotFoundError(
        f"this repository has {len(names)} remotes, none of them {_USUAL}",
        "\n".join(_naming(verb, name) for name in names[:3]),
    )


def _naming(verb: str, remote: str) -> str:
    """The command that names a remote; what `forget` takes first is what is to be forgotten."""
    if verb == "forget":
        return f"onward forget NAME --remote {remote}"
    return f"onward {verb} {remote}"


# ------------------------------------------------------------------------ calls


Outcome = Literal["done", "same", "raced", "locked", "locked packed-refs"]


class Wish(NamedTuple):
    """How a call is made: whether somebody can be asked, and how long it may take."""

    verb: str
    asking: bool = False
    limit: float = PATIENCE


def fetch(bare: Bare, to: Connection, refspec: str, wish: Wish) -> None:
    """Fetch what `refspec` says; refs that are gone there go here. One that this disk takes no
    name for is left out. Raises OnwardError.
    """
    words = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance")
    more = ("--prune", "--no-recurse-submodules", "--refmap=", "--", to.name, refspec)
    code, _, said = _call(bare, to, (*words, *more), wish)
    if code and not _only_refs(said):
        raise _refused(to, said)


def refs(bare: Bare, to: Connection, prefix: str, wish: Wish) -> list[str]:
    """The names of the remote's refs that begin so; it sends all that it has. Raises OnwardError."""
    code, said, complaint = _call(bare, to, ("ls-remote", "--refs", "--", to.name), wish)
    if code:
        raise _refused(to, complaint)
    names = (line.partition("\t")[2] for line in said.splitlines())
    return [name for name in names if name.startswith(prefix)]


def push(bare: Bare, to: Connection, ref: str, moved: tuple[str, str], wish: Wish) -> Outcome:
    """Move a ref of the remote from its old commit, "" for not being there, to its new one; "raced"
    where it is no more at its old one, "locked" where another git has locked it, or all of them.
    Raises OnwardError.
    """
    old, new = moved
    words = ("push", "--porcelain", "--no-verify", "--no-signed", "--no-follow-tags")
    more = ("--recurse-submodules=no", f"--force-with-lease={ref}:{old}", "--", to.name)
    code, said, complaint = _call(bare, to, (*words, *more, f"{new}:{ref}"), wish)
    if code == 0:
        return "same" if f"=\t{new}:{ref}" in said else "done"
    line = next((line for line in said.splitlines() if line.startswith("!")), "")
    if line and (lock := _LOCK.search(complaint)):
        return "locked packed-refs" if lock[1] else "locked"
    if line and _RACE.search(f"{line}\n{complaint}"):
        return "raced"
    if line and _HIDDEN.search(f"{line}\n{complaint}"):
        raise RemoteError(
            f"the remote {to.name} takes no refs but branches and tags (or a rule there forbids it)",
            f"onward {wish.verb} ANOTHER-REMOTE\ngit config onward.remote ANOTHER-REMOTE",
        )
    raise _refused(to, complaint)


def _only_refs(said: str) -> bool:
    """Whether nothing went wrong but that some refs have no place on this disk."""
    errors = [line for line in said.splitlines() if line.startswith(("error:", "fatal:"))]
    return bool(errors) and all(_ONE_REF.search(line) for line in errors)


def _refused(to: Connection, said: str) -> OnwardError:
    """The error for a remote that did not do it. What it says itself is not repeated: it may say
    anything; `git fetch` shows it.
    """
    look = f"git fetch {to.name}" if not re.search(r"\s", to.name) else f'git fetch "{to.name}"'
    if _AUTH.search(said):
        return RemoteError(f"the remote {to.name} does not let you in", look)
    return RemoteError(
        f"the remote {to.name} cannot be reached, or is no git repository", f"{look}\ngit remote -v"
    )


def _call(bare: Bare, to: Connection, words: Sequence[str], wish: Wish) -> tuple[int, str, str]:
    """Exit status, stdout and stderr of git. Raises StorageError, and RemoteError for one that
    takes too long or brings too much.
    """
    command = ["git", *OPTIONS, *_OURS, f"--git-dir={bare.folder}", *words]
    before = _bytes(bare)  # nothing that git fetches may be in it
    try:
        process = subprocess.Popen(
            command,
            cwd=to.top,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_surroundings(to, wish),
            # Without a terminal nothing that git starts can ask there.
            start_new_session=not wish.asking,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0) if not wish.asking else 0,
        )
    except OSError as error:
        raise StorageError(f"git could not be run: {error.strerror}", "git --version") from None
    with process:
        try:
            out, err = _watched(process, bare, before, to, wish)
        finally:
            if process.returncode is None:
                _end(process, group=not wish.asking)
    return process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace")


def _watched(
    process: subprocess.Popen[bytes], bare: Bare, before: int, to: Connection, wish: Wish
) -> tuple[bytes, bytes]:
    until = time.monotonic() + wish.limit
    while True:
        try:
            return process.communicate(timeout=min(_PAUSE, wish.limit))
        except subprocess.TimeoutExpired:
            if time.monotonic() >= until:
                raise RemoteError(
                    f"the remote {to.name} did not answer within {wish.limit:g} s",
                    f"onward {wish.verb} --timeout {wish.limit * 5:g}",
                ) from None
            if _bytes(bare) - before > _GROWTH:
                raise RemoteError(
                    f"the remote {to.name} holds more than {_GROWTH // 1_000_000_000} GB for onward: that is not ours",
                    f"git ls-remote {to.name} 'refs/onward/*'",
                ) from None


def _bytes(bare: Bare) -> int:
    """How much lies in our repository's packs, those that are still coming among them."""
    try:
        with os.scandir(bare.folder / "objects" / "pack") as found:
            return sum(entry.stat().st_size for entry in found)
    except OSError:
        return 0


def _end(process: subprocess.Popen[bytes], *, group: bool) -> None:
    """End git and what it started, as far as they are a group of their own."""
    try:
        if group and hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    except OSError:  # it is gone already
        return


def _surroundings(to: Connection, wish: Wish) -> dict[str, str]:
    kept = environment()
    kept["GIT_ALLOW_PROTOCOL"] = os.environ.get("GIT_ALLOW_PROTOCOL", _PROTOCOLS)
    if wish.asking:
        del kept["GIT_TERMINAL_PROMPT"]
    else:
        kept |= {"GIT_ASKPASS": "", "SSH_ASKPASS": "", "SSH_ASKPASS_REQUIRE": "never"}
    return kept | variables(to.settings)
