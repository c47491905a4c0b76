"""Scene: the conversation is compacted in the middle; the last order comes after it."""

from __future__ import annotations

from tests.golden.scenes import expenses
from tests.golden.scenes.script import Prompt, Scene, bash, edit, read, says, write

ROOT = "/home/ada/tally"
TEST = """from tally import months

ROWS = [
    {"date": "2026-01-31", "category": "food", "amount": "10"},
    {"date": "2026-02-01", "category": "food", "amount": "5.50"},
    {"date": "2026-02-14", "category": "travel", "amount": "20"},
]


def test_split_gives_one_list_a_month():
    assert [(month, len(rows)) for month, rows in months.split(ROWS)] == [
        ("2026-01", 1),
        ("2026-02", 2),
    ]
"""
MONTHS = '''"""Rows by month."""

from itertools import groupby


def split(rows):
    """(month, rows) pairs in order; a month is "2026-01"."""
    ordered = sorted(rows, key=lambda row: row["date"])
    for month, group in groupby(ordered, key=lambda row: row["date"][:7]):
        yield month, list(group)
'''
SUMMARY = """1. Primary request: the person wants `tally --monthly FILE`, one block of totals for each
month. Dates are ISO dates in a column `date`. Months without rows are not printed.
2. Done: `src/tally/months.py` with `split(rows)` and `tests/test_months.py`, committed.
3. Pending: the `--monthly` option in `src/tally/cli.py`.
4. Current work: about to edit `main()` in `src/tally/cli.py`."""

STEPS = (
    Prompt(
        "I want tally --monthly expenses.csv: one block of totals per month. The date column is "
        "ISO. Don't print months that have no rows."
    ),
    says("", read(f"{ROOT}/src/tally/cli.py"), bash("git switch -c monthly", "Create a branch")),
    says(
        "Splitting by month is a function of its own; a test first.",
        write(f"{ROOT}/tests/test_months.py", TEST),
        write(f"{ROOT}/src/tally/months.py", MONTHS),
        bash("pytest -q", "Run all tests"),
    ),
    says(
        "",
        bash("git add -A && git commit -m 'Split rows by month'", "Commit"),
    ),
    says("`months.split` is in, with a test. Next is the option in `main()`."),
    Prompt("Good. Also keep in mind: never sort in memory, the exports are ordered by date."),
    says(
        "Then `split` must not sort either; that changes the test's promise, not its result.",
        edit(
            f"{ROOT}/src/tally/months.py",
            '    ordered = sorted(rows, key=lambda row: row["date"])\n'
            '    for month, group in groupby(ordered, key=lambda row: row["date"][:7]):\n',
            '    for month, group in groupby(rows, key=lambda row: row["date"][:7]):\n',
        ),
        bash("pytest -q", "Run all tests"),
    ),
    says("`split` no longer sorts; all tests pass. It is not committed yet."),
    Prompt("/compact"),
    Prompt(
        "Now the option. And print a line with the total of all months at the end, headed 'all'."
    ),
    says(
        "",
        read(f"{ROOT}/src/tally/cli.py"),
        edit(
            f"{ROOT}/src/tally/cli.py",
            '    parser.add_argument("file")\n',
            '    parser.add_argument("file")\n'
            '    parser.add_argument("--monthly", action="store_true", help="totals by month")\n',
        ),
    ),
    says(
        "The option is declared in `src/tally/cli.py`, but `main()` does not use it yet. Next: call "
        "`months.split` there and print one block a month, then the block headed `all`."
    ),
)

SCENE = Scene(
    name="compacted",
    title="Monthly totals in tally",
    project="tally",
    begin="2026-03-10T09:05",
    client="2.1.330",
    commits=expenses.COMMITS,
    steps=STEPS,
    summary=SUMMARY,
)
