"""Scene 1, the bundled sample: a feature in mid-task, tasks open, a test red."""

from __future__ import annotations

from tests.golden.scenes import expenses
from tests.golden.scenes.script import (
    Prompt,
    Scene,
    bash,
    edit,
    plan_task,
    read,
    says,
    set_task,
    write,
)

ROOT = "/home/ada/tally"
RATES = '''"""Exchange rates."""

import tomllib
from decimal import Decimal


def load(path):
    """Rates by currency, one euro each: {"USD": Decimal("1.08")}."""
    with open(path, "rb") as file:
        return tomllib.load(file, parse_float=Decimal)["rates"]


def convert(cents, rate):
    """Cents in another currency, rounded to whole cents."""
    return int((Decimal(cents) * rate).quantize(Decimal(1)))
'''
TEST_RATES = """from decimal import Decimal

from tally import rates


def test_load_reads_exact_rates(tmp_path):
    file = tmp_path / "rates.toml"
    file.write_text("[rates]\\nUSD = 1.0842\\n")
    assert rates.load(file) == {"USD": Decimal("1.0842")}


def test_convert_gives_whole_cents():
    assert rates.convert(1000, Decimal("1.0842")) == 1084
"""
HALF_UP = """

def test_convert_rounds_half_up():
    assert rates.convert(1001, Decimal("0.5")) == 501
"""
TEST_TOTAL = """

def test_currency_converts_the_total_once(tmp_path, capsys):
    expenses = tmp_path / "expenses.csv"
    expenses.write_text("category,amount\\nfood,0.35\\nfood,0.35\\nfood,0.35\\n")
    rates = tmp_path / "rates.toml"
    rates.write_text("[rates]\\nXYZ = 0.5\\n")
    cli.main([str(expenses), "--currency", "XYZ", "--rates", str(rates)])
    assert "0.53" in capsys.readouterr().out
"""
OPTIONS = """    parser.add_argument("file")
    parser.add_argument("--currency", metavar="CODE", help="show totals in this currency")
    parser.add_argument("--rates", default="rates.toml", metavar="FILE")
    args = parser.parse_args(argv)
    rate = rates.load(args.rates)[args.currency] if args.currency else None
    with open(args.file, newline="") as file:
        totals = report(csv.DictReader(file), rate)
"""

STEPS = (
    Prompt(
        "Add a --currency option to tally: totals converted with the rates in a rates.toml. "
        "Amounts stay in whole cents everywhere, no floats, and no new dependency. Tests first."
    ),
    says(
        "I'll look at how amounts flow through the program first.",
        bash("git log --oneline && ls -R src tests", "Show history and files"),
        read(f"{ROOT}/src/tally/cli.py"),
        read(f"{ROOT}/src/tally/amounts.py"),
    ),
    says(
        "Small and clean: `amounts` does cents, `cli.report` adds up. I'll take it in four steps.",
        plan_task("Read rates from rates.toml", "rates.load, exact decimals", "Reading rates"),
        plan_task("Convert cents with a rate", "rates.convert, whole cents", "Converting"),
        plan_task("Add --currency to the command line", "cli.main and cli.report", "Adding option"),
        plan_task("Refuse an unknown currency", "exit 2, name the known ones", "Refusing unknown"),
        bash("git switch -c currency-option", "Create a branch"),
    ),
    says(
        "",
        set_task(1, "in_progress"),
        write(f"{ROOT}/tests/test_rates.py", TEST_RATES),
        bash("pytest -q tests/test_rates.py 2>&1 | tail -4", "Run the new tests"),
    ),
    says(
        "Red for the right reason. Now the module.",
        write(f"{ROOT}/src/tally/rates.py", RATES),
        bash("pytest -q", "Run all tests"),
    ),
    says(
        "Rates load exactly and convert to whole cents; all five tests pass.",
        set_task(1, "completed"),
        set_task(2, "completed"),
        bash(
            'git add -A && git commit -m "Read exchange rates and convert cents"',
            "Commit the rates module",
        ),
    ),
    says(
        "The rates module is in and committed. Next is the option itself.\n\n"
        "One thing to know: `convert` rounds half to even, Python's default for decimals."
    ),
    Prompt(
        "Not half-even: round half up, as the bank does. The accountant compares our totals with "
        "the statement every month."
    ),
    says(
        "Understood: half up, as on the statement. A test first.",
        bash(
            f"cat >> tests/test_rates.py <<'EOF'\n{HALF_UP}EOF\npytest -q tests/test_rates.py",
            "Add a test for half-up rounding and run it",
        ),
    ),
    says(
        "",
        edit(
            f"{ROOT}/src/tally/rates.py",
            "import tomllib\nfrom decimal import Decimal\n",
            "import tomllib\nfrom decimal import ROUND_HALF_UP, Decimal\n",
        ),
        edit(
            f"{ROOT}/src/tally/rates.py",
            ".quantize(Decimal(1))",
            ".quantize(Decimal(1), ROUND_HALF_UP)",
        ),
        bash("pytest -q", "Run all tests"),
    ),
    says(
        "",
        bash('git commit -qam "Round half up, as the bank does" && git log --oneline -1', "Commit"),
    ),
    says(
        "Rounding is half up now, with a test. On to the option. I'll try keeping amounts as "
        "`Decimal` inside `report`, so that nothing is rounded before the end.",
        set_task(3, "in_progress"),
        edit(
            f"{ROOT}/src/tally/amounts.py",
            '    whole, _, cents = text.partition(".")\n'
            '    return int(whole) * 100 + int((cents + "00")[:2])\n',
            "    return Decimal(text) * 100\n",
        ),
        bash("pytest -q", "Run all tests"),
    ),
    says(
        "That breaks `parse` for everybody and goes against whole cents everywhere. I'll put "
        "`amounts.py` back and convert in `report` instead.",
        bash("git checkout -- src/tally/amounts.py && git status --short", "Restore amounts.py"),
        edit(
            f"{ROOT}/src/tally/cli.py",
            "from tally import amounts\n",
            "from tally import amounts, rates\n",
        ),
        edit(
            f"{ROOT}/src/tally/cli.py",
            'def report(rows):\n    """Cents by category."""\n    totals = {}\n    for row in rows:\n'
            '        cents = amounts.parse(row["amount"])\n',
            'def report(rows, rate=None):\n    """Cents by category, converted if there is a rate."""\n'
            "    totals = {}\n    for row in rows:\n"
            '        cents = amounts.parse(row["amount"])\n        if rate is not None:\n'
            "            cents = rates.convert(cents, rate)\n",
        ),
        edit(
            f"{ROOT}/src/tally/cli.py",
            '    parser.add_argument("file")\n    args = parser.parse_args(argv)\n'
            '    with open(args.file, newline="") as file:\n        totals = report(csv.DictReader(file))\n',
            OPTIONS,
        ),
        bash("pytest -q", "Run all tests"),
    ),
    says("The option works on the existing tests. Shall I also describe it in the README?"),
    Prompt(
        "README later, once the option is released. But check that the total is converted once, "
        "not row by row: rounding every row makes us drift from the statement."
    ),
    says(
        "",
        bash(
            f"cat >> tests/test_cli.py <<'EOF'\n{TEST_TOTAL}EOF",
            "Add a test for converting the total",
        ),
        bash("pytest -q", "Run all tests"),
    ),
    says(
        "You were right: three rows of 0.35 at rate 0.5 give 0.54 row by row, and 0.53 when the "
        "total is converted.\n\n"
        "`test_currency_converts_the_total_once` fails for that reason. The fix is in "
        "`src/tally/cli.py`: add up cents in `report()` as before and convert the finished totals "
        "in `main()`. After that the unknown currency is left: `tally expenses.csv --currency ABC` "
        "ends in a KeyError today."
    ),
)

SCENE = Scene(
    name="tally",
    title="Add a currency option to tally",
    project="tally",
    begin="2026-03-03T09:12",
    client="2.1.197",
    commits=expenses.COMMITS,
    steps=STEPS,
)
