"""Write the generated pages, or say which are stale (`--check`).

docs/reference/cli.md           every verb, from its own help
docs/reference/exit-codes.md    from the classes in errors.py
docs/man/onward.1               the man page, from both (manual.py)
README.md, docs/images/*.svg    what the program really printed (printed.py)
plugins/, .claude-plugin/       the plugin, from the templates of `onward install` (plugin.py)
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import click

import manual
import plugin
from onward import errors
from onward.cli.app import onward
from printed import pictures, readme

ROOT = Path(__file__).resolve().parent.parent
NOTICE = "<!-- Written by `make docs`; edit the program instead. -->\n"


def verbs(group: click.Group, context: click.Context) -> Iterator[tuple[str, click.Context]]:
    """Every verb below a group, in the order of the help page, with the words to call it."""
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        inner = click.Context(command, info_name=name, parent=context, max_content_width=100)
        yield inner.command_path, inner
        if isinstance(command, click.Group):
            yield from verbs(command, inner)


def cli_page() -> str:
    """The reference of the command line."""
    top = click.Context(onward, info_name="onward", **onward.context_settings)
    out = ["# Command line\n", NOTICE, f"```text\n{top.get_help()}\n```\n"]
    for path, context in verbs(onward, top):
        out.append(f"## `{path}`\n\n```text\n{context.get_help()}\n```\n")
    return "\n".join(out)


def man_page() -> str:
    """The man page."""
    top = click.Context(onward, info_name="onward", **onward.context_settings)
    return manual.page(verbs(onward, top), _codes())


def _codes() -> list[tuple[int, str]]:
    rows = [(0, "Done."), *((c.exit_code, _first(c)) for c in _error_classes())]
    rows.append((70, "A fault of ours: a report lies in the log, its place is printed."))
    rows += [(130, "Stopped with Ctrl-C."), (141, "The reader of a pipe went away.")]
    return sorted(rows)


def exit_page() -> str:
    """The reference of exit codes."""
    table = "\n".join(f"| {code} | {text} |" for code, text in _codes())
    return f"# Exit codes\n\n{NOTICE}\n| code | when |\n|---|---|\n{table}\n"


def _error_classes() -> list[type[errors.OnwardError]]:
    found: list[type[errors.OnwardError]] = [errors.OnwardError]
    found += errors.OnwardError.__subclasses__()
    codes = [c.exit_code for c in found]
    assert len(codes) == len(set(codes)), "two error classes share an exit code"
    return found


def _first(of: type[errors.OnwardError]) -> str:
    return (of.__doc__ or "").strip().split("\n\n")[0].replace("\n", " ")


def pages() -> dict[Path, str]:
    """Every generated file with its content."""
    return {
        ROOT / "docs/reference/cli.md": cli_page(),
        ROOT / "docs/reference/exit-codes.md": exit_page(),
        ROOT / "docs/man/onward.1": man_page(),
        ROOT / "README.md": readme(ROOT / "README.md"),
        **pictures(ROOT / "docs/images"),
        **plugin.files(),
    }


def main() -> int:
    """Write or check."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; 1 if one is stale")
    args = parser.parse_args()
    fresh = pages()
    stale = [p for p, text in fresh.items() if not p.exists() or p.read_text("utf-8") != text]
    for path in stale:
        name = path.relative_to(ROOT)
        if args.check:
            print(f"stale: {name}  (make docs)", file=sys.stderr)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(fresh[path], encoding="utf-8", newline="\n")
            print(f"wrote {name}")
    return int(args.check and bool(stale))


if __name__ == "__main__":
    raise SystemExit(main())
