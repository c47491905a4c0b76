"""Scene: the agent asks with a form, the person picks one answer and writes another."""

from __future__ import annotations

from tests.golden.scenes import durations
from tests.golden.scenes.script import Call, Keys, Prompt, Scene, bash, edit, read, says

ROOT = "/home/ada/tidepool"
FORM = Call(
    "AskUserQuestion",
    {
        "questions": [
            {
                "question": "Which unit should a day be?",
                "header": "Day",
                "multiSelect": False,
                "options": [
                    {"label": "24 hours", "description": "Plain time, as on a clock"},
                    {"label": "8 hours", "description": "A working day, as on a time sheet"},
                ],
            },
            {
                "question": "What should happen with weeks?",
                "header": "Weeks",
                "multiSelect": False,
                "options": [
                    {"label": "Add them now", "description": "1w is seven days"},
                    {"label": "Leave them out", "description": "Throw for 1w"},
                ],
            },
        ]
    },
)
TEST = """
test('a day is a working day', () => {
  assert.strictEqual(parse('1d 2h'), 10 * 3600);
});
"""

STEPS = (
    Prompt("Let tidepool read days too, like 2d 4h. The time sheets need it."),
    says("", read(f"{ROOT}/lib/parse.js"), bash("grep -rn 'parse(' README.md test", "Find uses")),
    says("Two things decide how this is built.", FORM),
    Keys("Which unit should a day be", ("Down", "Enter")),
    Keys(
        "What should happen with weeks",
        ("Down", "Down", "Not now, ask Ruth from payroll first: their weeks have 4 days", "Enter"),
    ),
    Keys("Submit answers|Ready to submit", ("Enter",)),
    says(
        "A day is eight hours, and weeks stay out until Ruth has answered.",
        edit(
            f"{ROOT}/lib/parse.js",
            "const UNITS = { s: 1, m: 60, h: 3600 };",
            "// A day is a working day, as on a time sheet.\n"
            "const UNITS = { s: 1, m: 60, h: 3600, d: 8 * 3600 };",
        ),
        bash(f"cat >> test/parse.test.js <<'EOF'\n{TEST}EOF", "Add a test for days"),
        bash("npm test", "Run the tests"),
    ),
    says(
        "Red: the pattern does not know `d` yet.",
        edit(f"{ROOT}/lib/parse.js", "/(\\d+)([smh])/g", "/(\\d+)([smhd])/g"),
        bash("npm test", "Run the tests"),
    ),
    says(
        "Days are read as eight hours; all three tests pass. Nothing is committed yet. What is "
        "left: a line in README.md about days, and the question to Ruth about weeks."
    ),
)

SCENE = Scene(
    name="answered",
    title="Read days in tidepool",
    project="tidepool",
    begin="2026-03-09T13:40",
    client="2.1.330",
    commits=durations.COMMITS,
    steps=STEPS,
    branch="days",
)
