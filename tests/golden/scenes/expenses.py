"""Golden sessions, scenes: the little program `tally` that several of them work on."""

from __future__ import annotations

AMOUNTS = '''"""Amounts of money, in cents."""


def parse(text):
    """The cents in a text like "12.50"."""
    whole, _, cents = text.partition(".")
    return int(whole) * 100 + int((cents + "00")[:2])


def show(cents):
    """A text like "12.50"."""
    return f"{cents // 100}.{cents % 100:02d}"
'''

CLI = '''"""The command line: tally FILE."""

import argparse
import csv

from tally import amounts


def report(rows):
    """Cents by category."""
    totals = {}
    for row in rows:
        cents = amounts.parse(row["amount"])
        totals[row["category"]] = totals.get(row["category"], 0) + cents
    return totals


def main(argv=None):
    """Print the totals of a CSV file."""
    parser = argparse.ArgumentParser(prog="tally")
    parser.add_argument("file")
    args = parser.parse_args(argv)
    with open(args.file, newline="") as file:
        totals = report(csv.DictReader(file))
    for category in sorted(totals):
        print(f"{category:<12}{amounts.show(totals[category]):>10}")
    return 0
'''

TEST_AMOUNTS = """from tally import amounts


def test_parse_reads_cents():
    assert amounts.parse("12.50") == 1250
    assert amounts.parse("7") == 700


def test_show_writes_two_digits():
    assert amounts.show(1205) == "12.05"
"""

TEST_CLI = """from tally import cli

ROWS = [
    {"category": "food", "amount": "12.50"},
    {"category": "food", "amount": "3.25"},
    {"category": "travel", "amount": "40"},
]


def test_report_adds_up_by_category():
    assert cli.report(ROWS) == {"food": 1575, "travel": 4000}
"""

FILES = {
    ".gitignore": "__pycache__/\n.pytest_cache/\n",
    "README.md": "# tally\n\nAdds up expenses from a CSV file.\n\n    tally expenses.csv\n",
    "pyproject.toml": (
        '[project]\nname = "tally"\nversion = "0.3.0"\nrequires-python = ">=3.11"\n\n'
        '[project.scripts]\ntally = "tally.cli:main"\n\n'
        '[tool.pytest.ini_options]\npythonpath = ["src"]\n'
    ),
    "src/tally/__init__.py": "",
    "src/tally/amounts.py": AMOUNTS,
    "tests/test_amounts.py": TEST_AMOUNTS,
}

COMMITS = (
    ("Read and show amounts in cents", FILES),
    ("Add up expenses by category", {"src/tally/cli.py": CLI, "tests/test_cli.py": TEST_CLI}),
)
