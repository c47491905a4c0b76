"""`make demo`: the main job on the bundled sample: distil, save, a change, resume with drift."""

from __future__ import annotations

import io
import sys
import textwrap

from scratch import Scratch

WIDTH = 96
FEW = 14  # lines of `distill`, which has a hundred


def main() -> int:
    """Play it."""
    colour = sys.stdout.isatty()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    with Scratch() as scratch:
        say("A session was held in ~/tally. It stopped in mid-task, with a test red.", colour)
        show(scratch, "onward sessions", colour)
        show(scratch, f"onward distill {scratch.session[:8]}", colour, lines=FEW)
        show(scratch, "onward save add-currency-option", colour)
        show(scratch, "onward list", colour)

        say("Two days later Ben renames a module, and a line is edited by hand.", colour)
        scratch.pass_time(days=2)
        for line in rename(scratch):
            command(line, colour)
        scratch.pass_time(days=1)
        say("\nThe next morning, in a fresh session:", colour)
        show(scratch, "onward resume add-currency-option --yes", colour)
    return 0


def rename(scratch: Scratch) -> list[str]:
    """What happens to the repository meanwhile; the commands as one would type them."""
    lines = [
        "git mv src/tally/rates.py src/tally/exchange.py",
        "git commit -m 'Name the module by what it does' --author 'Ben Okafor <ben@example.com>'",
    ]
    for line in lines:
        scratch.run(line)
    cli = scratch.read("src/tally/cli.py")
    scratch.write("src/tally/cli.py", cli.replace("{category:<12}", "{category:<14}"))
    return [*lines, "sed -i 's/category:<12/category:<14/' src/tally/cli.py"]


def show(scratch: Scratch, line: str, colour: bool, lines: int = 0) -> None:
    """One command as typed, and what it prints; `lines`: only so many of them."""
    command(line, colour)
    out = scratch.run(line).rstrip("\n").split("\n")
    left = len(out) - lines if lines else 0
    for each in out[:lines] if left > 0 else out:
        print("\n".join(textwrap.wrap(each, WIDTH, subsequent_indent=" " * 4)) if each else "")
    if left > 0:
        print(f"... and {left} more lines")
    print()


def command(line: str, colour: bool) -> None:
    """The prompt of a shell and what is typed there."""
    print(f"\x1b[1;32m$\x1b[0m \x1b[1m{line}\x1b[0m" if colour else f"$ {line}", flush=True)


def say(text: str, colour: bool) -> None:
    """A line between two commands."""
    lead = "\n" * text.startswith("\n")
    text = f"# {text.lstrip()}"
    print(f"{lead}\x1b[36m{text}\x1b[0m\n" if colour else f"{lead}{text}\n")


if __name__ == "__main__":
    raise SystemExit(main())
