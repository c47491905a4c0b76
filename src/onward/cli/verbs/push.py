"""`onward push`."""

from __future__ import annotations

import click

from onward.cli.help import Verb
from onward.cli.options import as_json, pass_call, patience, told
from onward.cli.surroundings import Call
from onward.commands.result import Result
from onward.commands.share import push
from onward.repo.remote import Wish


@click.command("push", cls=Verb)
@click.argument("remote", required=False, default="", callback=told)
@patience
@as_json
@pass_call
def command(call: Call, *, remote: str, timeout: int) -> Result:
    """Show your checkpoints, session documents and protocol file to your other machines.

    They go to REMOTE, a git remote's name or an address (else what `git config onward.remote` says,
    else origin), under one ref for this work tree: refs/onward/v1/... Secrets are taken out once
    more, transcripts never go. No branch, index or file of yours is touched, no hook of git's runs.
    Where nothing changed, nothing is pushed.

    `git config onward.machine NAME` says what this machine is called there.
    """
    return push.push(call.world, remote, Wish("push", asking=call.asking, limit=timeout))
