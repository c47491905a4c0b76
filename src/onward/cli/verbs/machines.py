"""Verbs about other machines: push, pull, peers, forget."""

from __future__ import annotations

import click

from onward.cli import options
from onward.cli.options import verb
from onward.cli.surroundings import Call
from onward.commands import push as pushing
from onward.commands import shared
from onward.commands.result import Result
from onward.errors import UsageError
from onward.repo.remote import Wish


@verb("push")
@options.optional("remote")
@options.patience
def push(call: Call, *, remote: str, timeout: int) -> Result:
    """Push your checkpoints, session documents and protocol file to a git remote.

    They go to REMOTE, a git remote's name or an address (else what `git config onward.remote` says,
    else origin), under one ref for this work tree: refs/onward/v1/... Secrets are taken out once
    more, transcripts never go. No branch, index or file of yours is touched, no hook of git's runs.
    Where nothing changed, nothing is pushed.

    `git config onward.machine NAME` says what this machine is called there.
    """
    return pushing.push(call.world, remote, Wish("push", asking=call.asking, limit=timeout))


@verb("pull")
@options.optional("remote")
@options.patience
def pull(call: Call, *, remote: str, timeout: int) -> Result:
    """Fetch what other machines pushed to REMOTE, else to the usual one (see `onward push --help`).

    Then `onward list` shows their checkpoints as NAME@MACHINE, and `onward resume NAME@MACHINE`
    takes one up, its paths those of this clone. Nothing in the project changes.
    """
    return shared.pull(call.world, remote, Wish("pull", asking=call.asking, limit=timeout))


@verb("peers")
def peers(call: Call) -> Result:
    """List the machines that pushed: when, how much, and how old your copy of it is.

    Yours is marked. No remote is asked: `onward pull` does that.
    """
    return shared.peers(call.world)


@verb("forget")
@options.optional("name", shell_complete=options.all_names)
@click.option("--all", "everything", is_flag=True, help="All that was pushed from here.")
@click.option("--remote", default="", metavar="REMOTE", help="Take it back from this remote.")
@options.patience
def forget(call: Call, *, name: str, everything: bool, remote: str, timeout: int) -> Result:
    """Delete what was pushed under NAME: others lose it with their next pull.

    The remote's ref of this machine is written anew, so that nothing there leads to it; the server
    itself may keep the bytes until it cleans up. Your own file stays (`onward delete NAME` is for
    that), and is pushed again once it says something else. NAME may be a checkpoint, a session
    document or `protocol`.

    NAME@MACHINE, of another machine, is only hidden here.
    """
    if everything == bool(name):
        raise UsageError("forget takes a NAME or --all", "onward forget --all")
    wish = Wish("forget", asking=call.asking, limit=timeout)
    return pushing.forget(call.world, name, remote, wish)
