"""repo.connection: what the user set for reaching a remote, read from their repository.

Everything that says how a remote is reached is handed on (addresses, credentials, proxies, the
ssh command), and nothing else: no hook, no filter, no refspec of theirs.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from onward.errors import InputError, NotFoundError, RefusedError
from onward.repo.git import ask, where

_REACHING = re.compile(
    r"url\..*\.(?:insteadof|pushinsteadof)|credential\..*|http\..*|ssh\.variant|protocol\..*"
    r"|core\.(?:sshcommand|gitproxy|askpass)",
    re.DOTALL,
)
_OF_REMOTE = frozenset(
    (
        "url",
        "pushurl",
        "proxy",
        "proxyauthmethod",
        "uploadpack",
        "receivepack",
        "vcs",
        "serveroption",
    )
)
_USUAL = "origin"
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://|[^/\\]*[:/\\]|\.")
"""What an address begins with that is no name: `https://`, `host:`, `../`, `C:\\`."""


class Connection(NamedTuple):
    """A remote as git is told of it. `name` is that of one of the user's, or an address;
    `settings` are those that hold in their repository alone: git finds the others by itself.
    """

    name: str
    top: Path
    """Where the user's work tree is: relative addresses start there."""
    settings: tuple[tuple[str, str], ...]
    digits: int
    """Of a hash in the user's repository, 40 or 64."""

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
    alone: tuple[tuple[str, str], ...]
    """Those that hold in this repository and not everywhere."""

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
    kept = (*reaching, *(pair for pair in about if pair[0][len(own) :] in _OF_REMOTE))
    said = ask(found.top, "rev-parse", "--show-object-format") or b""
    return Connection(name, found.top, kept, 64 if said.strip() == b"sha256" else 40)


def addresses(found: Settings) -> list[str]:
    """What tells each remote that has a name from others."""
    return [Connection(name, found.top, found.pairs, 0).addresses for name in _names(found)]


def _names(found: Settings) -> list[str]:
    urls = (key for key, _ in found.pairs if key.startswith("remote.") and key.endswith(".url"))
    return list(dict.fromkeys(key.removeprefix("remote.").removesuffix(".url") for key in urls))


def _usual(names: list[str], verb: str) -> str:
    if _USUAL in names or not names:
        if not names:
            raise NotFoundError(
                "this repository has no remote to share through",
                f"git remote add {_USUAL} ADDRESS\n{_naming(verb, 'ADDRESS')}",
            )
        return _USUAL
    if len(names) == 1:
        return names[0]
    raise NotFoundError(
        f"this repository has {len(names)} remotes, none of them {_USUAL}",
        "\n".join(_naming(verb, name) for name in names[:3]),
    )


def _naming(verb: str, remote: str) -> str:
    """The command that names a remote; what `forget` takes first is what is to be forgotten."""
    if verb == "forget":
        return f"onward forget NAME --remote {remote}"
    return f"onward {verb} {remote}"


def variables(pairs: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """The settings as git takes them from its environment, where no list of processes shows
    the passwords that some of them hold.
    """
    found = {"GIT_CONFIG_COUNT": str(len(pairs))}
    for number, (key, value) in enumerate(pairs):
        found |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return found
