"""Scene: a proposed edit is refused with words; another way is taken."""

from __future__ import annotations

from tests.golden.scenes import expenses
from tests.golden.scenes.script import Keys, Prompt, Scene, bash, edit, read, says

ROOT = "/home/ada/tally"
ASKS = r"Do you want to make this edit"
WITH_CACHE = """    with open(args.file, newline="") as file:
        totals = cache.load(args.file) or report(csv.DictReader(file))
    cache.store(args.file, totals)
"""
SKIP = """    for row in rows:
        if not row["amount"]:
            continue
"""

NO_CACHE = (
    "No cache files: the exports lie on a shared drive that is read-only for most of us. "
    "Make the loop itself faster, csv.reader instead of DictReader."
)

STEPS = (
    Prompt(
        "tally takes 40 seconds on our 2 GB export and dies on the rows without an amount. "
        "Please fix both."
    ),
    says(
        "I'll look at the reading loop.",
        read(f"{ROOT}/src/tally/cli.py"),
        bash("pytest -q", "See that the tests are green before I start"),
    ),
    says(
        "The loop itself is lean, so the time is spent reading the same file again and again. I'll "
        "keep the totals in a cache file beside the export.",
        edit(
            f"{ROOT}/src/tally/cli.py",
            '    with open(args.file, newline="") as file:\n'
            "        totals = report(csv.DictReader(file))\n",
            WITH_CACHE,
        ),
    ),
    Keys(
        ASKS,
        (
            "Down",
            "Down",
            "Tab",
            NO_CACHE,
            "Enter",
        ),
    ),
    says(
        "No cache then, and `csv.reader` in the loop. First the rows without an amount, which is "
        "the crash.",
        edit(f"{ROOT}/src/tally/cli.py", "    for row in rows:\n", SKIP),
    ),
    Keys(ASKS, ("Enter",)),
    says(
        "",
        bash("pytest -q 2>&1 | tail -1", "Run all tests"),
        bash(
            "git commit -qam 'Skip rows without an amount' && git log --oneline -1",
            "Commit the fix",
        ),
    ),
    says(
        "Rows without an amount are skipped, committed on its own.\n\n"
        "Next is the speed: `main()` passes a `csv.DictReader`, and building a dict per row is "
        "most of the time. I'd let `report()` take the rows of `csv.reader` with the column "
        "numbers of `category` and `amount`, which changes `tests/test_cli.py` too."
    ),
)

SCENE = Scene(
    name="refusal",
    title="Speed up tally on large exports",
    project="tally",
    begin="2026-03-05T08:30",
    client="2.1.330",
    commits=expenses.COMMITS,
    steps=STEPS,
    arguments=("--permission-mode", "default", "--allowedTools", "Bash,Read"),
)
