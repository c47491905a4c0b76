"""What the program really prints, for the README and its picture.

In a page, `<!-- printed: COMMAND -->` … `<!-- end -->` encloses what COMMAND printed in the
bundled sample's scratch project, with what stands in `STORY` done between.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.text import Text

from onward.cli.verbs.demo import Scratch, rename

BLOCK = re.compile(r"<!-- printed: (?P<command>[^\n]+?) -->\n.*?<!-- end -->", re.DOTALL)
LONGEST = 34  # lines of one output in a page
WIDTH = 100
PICTURE = "onward resume add-currency-option --yes"

# The picture must not fetch a font, as rich's own frame does.
FRAME = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, monospace; \
font-size: {char_height}px; line-height: {line_height}px; font-variant-east-asian: full-width; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">{matrix}</g>
</g>
</svg>
"""
STYLES = (
    (r"^\$ .*", "bold green"),
    (r"^(#+ .*|📌.*|✅.*|🔜.*|⚠️.*)", "bold cyan"),
    (r"\[(asked |claimed )?[tc]:[^\]]*\]", "dim"),
    (r"`[^`]+`", "yellow"),
    (r"\bFAILED\b.*", "red"),
    (r"^\s*> .*", "italic"),
)


def _story(scratch: Scratch) -> dict[str, Callable[[], object]]:
    """What happens before a command is typed."""

    def days_later() -> None:
        scratch.pass_time(days=2)
        rename(scratch)
        scratch.pass_time(days=1)

    return {"onward list": days_later}


def outputs(commands: list[str]) -> dict[str, str]:
    """Each command with what it printed, in one scratch project, in this order."""
    with Scratch() as scratch:
        story = _story(scratch)
        found = {}
        for command in commands:
            story.get(command, lambda: None)()
            found[command] = scratch.run(command).rstrip("\n")
        return found


def readme(path: Path) -> str:
    """The page with every printed block made anew."""
    page = path.read_text("utf-8")
    printed = outputs([m["command"] for m in BLOCK.finditer(page)])

    def block(match: re.Match[str]) -> str:
        command = match["command"]
        lines = printed[command].split("\n")
        left = len(lines) - LONGEST
        shown = [*lines[:LONGEST], f"… and {left} more lines"] if left > 0 else lines
        text = "\n".join([f"$ {command}", *shown])
        return f"<!-- printed: {command} -->\n```text\n{text}\n```\n<!-- end -->"

    return BLOCK.sub(block, page)


def pictures(folder: Path) -> dict[Path, str]:
    """The terminal as it looks after `PICTURE`."""
    printed = outputs(["onward save add-currency-option", "onward list", PICTURE])[PICTURE]
    lines = printed.split("\n")[: LONGEST + 6]
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    text = Text("\n".join([f"$ {PICTURE}", *lines, "…"]))
    for pattern, style in STYLES:
        text.highlight_regex(re.compile(pattern, re.MULTILINE), style)
    console.print(text)
    svg = console.export_svg(title="onward", code_format=FRAME, unique_id="onward")
    return {folder / "resume.svg": svg}
