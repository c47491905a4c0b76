"""Verbs about machines: this one (install, uninstall, mcp, doctor), and others (push, pull, peers, forget)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import click

from onward import commands
from onward.cli import Call, options, output
from onward.cli.options import pass_call, verb
from onward.clients.registry import DEFAULT, OTHERS, Client
from onward.commands.result import Result, compose
from onward.errors import UsageError
from onward.repo.remote import Wish

_place = partial(click.option, "--project/--user", default=True)
_dry_run = click.option("--dry-run", is_flag=True, help="Print a diff and change nothing.")


def _client(function: Callable[..., Result]) -> Callable[..., Result]:
    """An option for each client besides the default one."""
    for word, other in reversed(list(OTHERS.items())):
        function = click.option(
            word,
            "client",
            flag_value=word,
            callback=lambda _, __, chosen: OTHERS[chosen] if chosen else DEFAULT,
            help=f"For {other.NAME} instead of {DEFAULT.NAME}.",
        )(function)
    return function


@verb("install")
@_place(help="Into this project (the default), or into your own settings for all projects.")
@_client
@click.option("--shared", is_flag=True, help="Leave checkpoints and SESSION-STATE.md to git.")
@click.option("--mcp", is_flag=True, help="Register `onward mcp` there too: tools for the model.")
@_dry_run
def install(call: Call, *, project: bool, client: Client, dry_run: bool, **more: bool) -> Result:
    """Put hooks, commands and skills into the client's folder.

    Whatever else stands in its settings stays as it is, byte for byte. Checkpoints, drafts and
    buffers are kept out of commits by the repository's own exclude file (.git/info/exclude). On a
    terminal it asks once whether to keep transcripts that their clients would delete.
    """
    asks = call.asking and not call.json and not dry_run
    done = commands.setup.install(
        call.world, user=not project, dry_run=dry_run, client=client, asks=asks, **more
    )
    if not asks or not (question := commands.backup.ask_to_keep(call.world)):
        return done
    output.emit(done, as_json=False)
    with suppress(click.Abort):
        if click.confirm(output.fitted(question), err=True):
            with output.percent("keeping transcripts") as tell:
                return commands.backup.keep_all(call.world, tell)
    return Result(text=compose("None kept. To keep them later: onward keep --all"))


@verb("uninstall")
@_place(help="From this project (the default), or from your own settings.")
@_client
@_dry_run
def uninstall(call: Call, *, project: bool, client: Client, dry_run: bool) -> Result:
    """Take hooks, commands and skills out again; what you changed or wrote stays."""
    return commands.setup.uninstall(call.world, user=not project, dry_run=dry_run, client=client)


@click.command("mcp")
@pass_call
def mcp(_: Call) -> int:
    """Let a client's model search, show and brief, over MCP on standard input and output.

    onward install --mcp

    That registers it beside the hooks of a project. A client that has none takes it by
    `CLIENT mcp add onward -- onward mcp`, or the command `onward mcp` in its settings. The three tools only read; what they answer is redacted and at most about 1,500 tokens
    long, unless a longer briefing is asked for.
    """
    from onward.cli import mcp as server  # noqa: PLC0415 - the other verbs do without

    return server.serve(sys.stdin.buffer, sys.stdout.buffer)


@verb("doctor")
@click.option("--fix", is_flag=True, help="Make the safe fixes first, and say which.")
def doctor(call: Call, *, fix: bool) -> Result:
    """Diagnose the installation and name what fixes each finding.

    The registered commands are run as they stand, in a throw-away project: nothing of yours is
    changed without --fix. Exit code 1 if anything is broken, 0 with warnings only.
    """
    return commands.setup.doctor(call.world, fix=fix)


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
    return commands.push.push(call.world, remote, Wish("push", call.asking, timeout))


@verb("pull")
@options.optional("remote")
@options.patience
def pull(call: Call, *, remote: str, timeout: int) -> Result:
    """Fetch what other machines pushed to REMOTE, else to the usual one (see `onward push --help`).

    Then `onward list` shows their checkpoints as NAME@MACHINE, and `onward resume NAME@MACHINE`
    takes one up, its paths those of this clone. Nothing in the project changes.
    """
    return commands.shared.pull(call.world, remote, Wish("pull", call.asking, timeout))


@verb("peers")
def peers(call: Call) -> Result:
    """List the machines that pushed: when, how much, and how old your copy of it is.

    Yours is marked. No remote is asked: `onward pull` does that.
    """
    return commands.shared.peers(call.world)


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
    return commands.push.forget(call.world, name, remote, Wish("forget", call.asking, timeout))
