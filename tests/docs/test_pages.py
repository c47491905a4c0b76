"""The pages are true: links lead somewhere, commands exist, generated pages are fresh."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from onward.cli.app import onward

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src/onward"
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted(SOURCE.rglob("*.md")),
]
LINK = re.compile(r"\]\((?!https?://|#)([^)#]+)")
COMMAND = re.compile(r"`(onward(?: [^`]+)?)`|^(?:    |\$ )(onward .+)$", re.MULTILINE)


def ids(pages: list[Path]) -> list[str]:
    return [page.relative_to(ROOT).as_posix() for page in pages]


@pytest.mark.parametrize("page", PAGES, ids=ids(PAGES))
def test_every_link_leads_to_a_file(page: Path) -> None:
    missing = [t for t in LINK.findall(page.read_text("utf-8")) if not (page.parent / t).exists()]
    assert missing == []


def commands(page: Path) -> list[list[str]]:
    """The words of every command that a page shows, comments and pipes cut off."""
    found = (a or b for a, b in COMMAND.findall(page.read_text("utf-8")))
    plain = (re.split(r"\s[#|>&]|\s<", line)[0] for line in found)
    return [shlex.split(line)[1:] for line in plain if line != "onward"]


@pytest.mark.parametrize("page", PAGES, ids=ids(PAGES))
def test_every_command_shown_has_a_verb_and_options_that_exist(page: Path) -> None:
    for words in commands(page):
        if words[0] in {"VERB", "…", "..."} or words[0].startswith("-"):
            continue
        command: click.Command = onward
        context = click.Context(onward, info_name="onward")
        rest = list(words)
        while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
            found = command.get_command(context, rest[0])
            if found is None:
                assert command is not onward, f"{page.name}: no verb {rest[0]}"
                break
            command = found
            rest.pop(0)
        options = {o for p in command.params for o in (*p.opts, *p.secondary_opts)}
        used = {w.split("=")[0] for w in rest if re.fullmatch(r"--[a-z][a-z-]*(=.*)?", w)}
        assert used <= options | {"--help", "--version"}, f"{page.name}: {' '.join(words)}"


def test_generated_pages_are_fresh() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools/docs.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
