"""Scene: all done, committed, tests green, nothing open."""

from __future__ import annotations

from tests.golden.scenes import durations
from tests.golden.scenes.script import Prompt, Scene, bash, edit, read, says

ROOT = "/home/ada/tidepool"
TEST = """
test('reads capital letters', () => {
  assert.strictEqual(parse('1H 5M'), 3900);
});
"""

STEPS = (
    Prompt("Bug: parse('1H 5M') gives 0. Capital units should work like small ones. Commit it."),
    says(
        "A test that shows it, first.",
        read(f"{ROOT}/lib/parse.js"),
        bash(f"cat >> test/parse.test.js <<'EOF'\n{TEST}EOF", "Add a test for capitals"),
        bash("npm test 2>&1 | tail -25 | grep -E '^# (pass|fail)'", "Run the tests"),
    ),
    says(
        "Red as expected.",
        edit(
            f"{ROOT}/lib/parse.js",
            "text.matchAll(/(\\d+)([smh])/g)",
            "text.toLowerCase().matchAll(/(\\d+)([smh])/g)",
        ),
        bash("npm test", "Run the tests"),
    ),
    says(
        "",
        bash("git commit -qam 'Read capital units' && git log --oneline -1", "Commit the fix"),
    ),
    says("Fixed and committed: `parse('1H 5M')` is 3900."),
    Prompt("Thanks. Bump the version to 1.2.1, add that to the commit history as well, then done."),
    says(
        "",
        read(f"{ROOT}/package.json"),
        edit(f"{ROOT}/package.json", '"version": "1.2.0"', '"version": "1.2.1"'),
        bash("npm test", "Run the tests"),
    ),
    says(
        "",
        bash(
            "git commit -am 'Version 1.2.1' && git status --short --branch",
            "Commit the version and look at the tree",
        ),
    ),
    says("Version 1.2.1 is committed, all three tests pass and the work tree is clean."),
)

SCENE = Scene(
    name="finished",
    title="Read capital units",
    project="tidepool",
    begin="2026-03-12T11:00",
    client="2.1.330",
    commits=durations.COMMITS,
    steps=STEPS,
)
