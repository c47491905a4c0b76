"""Golden sessions, scenes: `tidepool`, a little Node package that reads durations."""

from __future__ import annotations

PARSE = """'use strict';

const UNITS = { s: 1, m: 60, h: 3600 };

/** Seconds in a text like "1h 30m". */
function parse(text) {
  let seconds = 0;
  for (const [, number, unit] of text.matchAll(/(\\d+)([smh])/g)) {
    seconds += Number(number) * UNITS[unit];
  }
  return seconds;
}

module.exports = { parse };
"""

TEST = """'use strict';

const test = require('node:test');
const assert = require('node:assert');
const { parse } = require('../lib/parse');

test('adds up units', () => {
  assert.strictEqual(parse('1h 30m'), 5400);
});

test('reads seconds', () => {
  assert.strictEqual(parse('45s'), 45);
});
"""

COMMITS = (
    (
        "Read durations",
        {
            "package.json": (
                '{\n  "name": "tidepool",\n  "version": "1.2.0",\n  "main": "lib/parse.js",\n'
                '  "scripts": { "test": "node --test" },\n  "license": "MIT"\n}\n'
            ),
            "README.md": "# tidepool\n\nReads durations: `parse('1h 30m')` is 5400.\n",
            "lib/parse.js": PARSE,
            "test/parse.test.js": TEST,
        },
    ),
    ("Say how to run the tests", {"CONTRIBUTING.md": "Run `npm test` before you commit.\n"}),
)
