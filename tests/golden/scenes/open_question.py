"""Scene: the session ends on a question to the person; a probe was made and removed."""

from __future__ import annotations

from tests.golden.scenes import durations
from tests.golden.scenes.script import Prompt, Scene, bash, edit, read, says, write

ROOT = "/home/ada/tidepool"
PROBE = """const { parse } = require('./lib/parse');

for (const text of ['1.5h', 'h', '10', '1h30', '']) console.log(JSON.stringify(text), parse(text));
"""
NEW_TESTS = """
test('refuses what is no duration', () => {
  for (const text of ['', 'h', '10', '1h30']) assert.throws(() => parse(text), RangeError);
});
"""
STRICT = """/** Seconds in a text like "1h 30m". Throws RangeError for anything else. */
function parse(text) {
  if (!/^\\s*(\\d+[smh]\\s*)+$/.test(text)) throw new RangeError(`not a duration: ${text}`);
"""

STEPS = (
    Prompt(
        "parse() silently returns 0 for garbage and 5 hours for '1.5h'. A customer was billed for "
        "that. Make it throw on anything that is not a duration."
    ),
    says(
        "Let me see what it does with odd input today.",
        read(f"{ROOT}/lib/parse.js"),
        write(f"{ROOT}/probe.js", PROBE),
        bash("node probe.js", "Show what odd input gives"),
    ),
    says(
        "Confirmed: `1.5h` is read as `5h`, and garbage is 0. A test for the clear cases first.",
        bash("rm probe.js", "Remove the probe"),
        bash(f"cat >> test/parse.test.js <<'EOF'\n{NEW_TESTS}EOF", "Add a test for garbage"),
        bash("npm test 2>&1 | grep -E '^# (pass|fail)'", "Run the tests"),
    ),
    says(
        "",
        edit(
            f"{ROOT}/lib/parse.js",
            '/** Seconds in a text like "1h 30m". */\nfunction parse(text) {\n',
            STRICT,
        ),
        bash("npm test 2>&1 | grep -E '^# (pass|fail)'", "Run the tests"),
    ),
    says(
        "",
        bash(
            "git add -A && git commit -m 'Throw on what is no duration' && git status --short",
            "Commit",
        ),
    ),
    says(
        "`parse` now throws a `RangeError` for empty text, a bare unit, a bare number and a "
        "missing last unit, with a test; committed.\n\n"
        "`1.5h` throws as well now. That ends the wrong bills, but the old documentation site shows "
        "`1.5h` as an example, so some callers may rely on fractions.\n\n"
        "Should `1.5h` stay an error, or do you want fractions read as 5400 seconds?"
    ),
)

SCENE = Scene(
    name="open-question",
    title="Make parse strict",
    project="tidepool",
    begin="2026-03-04T14:02",
    client="2.1.330",
    commits=durations.COMMITS,
    steps=STEPS,
)
