"""The options by which a verb is told whose client it is about."""

from __future__ import annotations

import click

from onward.clients.registry import DEFAULT, OTHERS, Client


def _client(_: click.Context, __: click.Parameter, word: str | None) -> Client:
    return OTHERS[word] if word else DEFAULT


((_WORD, _OTHER),) = OTHERS.items()

client = click.option(
    _WORD,
    "client",
    flag_value=_WORD,
    callback=_client,
    help=f"For {_OTHER.NAME} instead of {DEFAULT.NAME}.",
)
