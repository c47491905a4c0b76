"""`python -m onward`."""

from __future__ import annotations


def main() -> None:
    """Start the command line."""
    from onward.cli import run  # noqa: PLC0415 - the import is the work

    run()


if __name__ == "__main__":
    main()
