"""Settings files as people, editors and tools leave them, for any test that states a law."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from hypothesis import strategies as st

EVENTS = ("SessionStart", "SessionEnd", "PreCompact", "UserPromptSubmit", "Stop", "PreToolUse")
WORDS = (
    "model",
    "env",
    "permissions",
    "allow",
    "Bash(ls:*)",
    "Ω",
    "\u2028",
    "a/b",
    '"',
    "\\",
    "\ud800",
)
SPACES = ("", "", " ", "\n", "\t", "\r\n", "  ", "\n\n    ")


class Members(list[tuple[str, Any]]):
    """An object whose keys may stand twice."""


names = st.sampled_from(WORDS) | st.text(max_size=5)
scalars = (
    names
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.booleans()
    | st.none()
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.lists(st.tuples(names, inner), max_size=3).map(Members)
    ),
    max_leaves=6,
)
others = st.builds(
    lambda command, matcher: Members(
        [*matcher, ("hooks", [Members([("type", "command"), ("command", command)])])]
    ),
    st.sampled_from(("echo hi", "sh .claude/hooks/on-stop.sh", "~/bin/onward-like", "")),
    st.lists(st.tuples(st.just("matcher"), st.sampled_from(("", "*", "Bash"))), max_size=1),
)
lists = st.lists(others | values, max_size=3)
tables = st.dictionaries(
    st.sampled_from((*EVENTS, "Notification", "PostToolUse")), lists, max_size=4
).map(lambda table: Members(table.items()))


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A settings file: any keys, perhaps hooks of others, in any style of writing."""
    members = [
        (name, value)
        for name, value in draw(st.lists(st.tuples(names, values), max_size=3))
        if name not in {"hooks", "permissions"}
    ]
    if draw(st.booleans()):  # once, as the hooks: a doubled key that is written to is refused
        members.insert(draw(st.integers(0, len(members))), ("permissions", draw(values)))
    if draw(st.booleans()):
        members.insert(draw(st.integers(0, len(members))), ("hooks", draw(tables)))
    return written(Members(members), draw)


def written(value: Any, draw: st.DrawFn) -> str:
    """The value as text: set out, on one line, or ragged."""
    kind = draw(st.sampled_from(("set out", "set out", "one line", "tight", "ragged")))
    newline = draw(st.sampled_from(("\n", "\n", "\r\n")))
    unit = draw(st.sampled_from(("  ", "    ", "\t", " ")))
    dice = Random(draw(st.integers(0, 2**32)))
    writer = Writer(kind, newline, unit, dice)
    head = draw(st.sampled_from(("", "", "\ufeff", newline, " ")))
    tail = draw(st.sampled_from(("", newline, newline, newline * 2, " \t")))
    return head + writer.text(value, 0) + tail


class Writer:
    """Writes JSON in one style."""

    def __init__(self, kind: str, newline: str, unit: str, dice: Random) -> None:
        self.kind, self.newline, self.unit, self.dice = kind, newline, unit, dice

    def text(self, value: Any, depth: int) -> str:
        if isinstance(value, Members):
            parts = [
                self.string(name) + self.gap() + ":" + self.gap(" ") + self.text(inner, depth + 1)
                for name, inner in value
            ]
            return self.bracketed("{", parts, "}", depth)
        if isinstance(value, list):
            return self.bracketed("[", [self.text(v, depth + 1) for v in value], "]", depth)
        return self.string(value) if isinstance(value, str) else json.dumps(value)

    def bracketed(self, opening: str, parts: list[str], closing: str, depth: int) -> str:
        if not parts:
            return opening + self.gap() + closing
        first = self.line(depth + 1)
        between = self.gap() + "," + self.line(depth + 1, " ")
        return opening + first + between.join(parts) + self.line(depth) + closing

    def line(self, depth: int, else_: str = "") -> str:
        if self.kind == "set out":
            return self.newline + self.unit * depth
        return self.gap(else_)

    def gap(self, usual: str = "") -> str:
        if self.kind == "ragged":
            return self.dice.choice(SPACES)
        return "" if self.kind == "tight" else usual

    def string(self, text: str) -> str:
        plain = json.dumps(text, ensure_ascii=self.dice.random() < 0.5)
        plain = plain.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
        return plain.replace("/", "\\/") if self.dice.random() < 0.2 else plain


REAL = {
    "as the client writes it": """{
  "$schema": "https://json.schemastore.org/claude-code-settings.json",
  "model": "opus",
  "permissions": {
    "allow": [
      "Bash(npm run test:*)",
      "Edit(/src/**)"
    ],
    "deny": []
  },
  "enabledPlugins": {
    "formatter@team": true
  }
}
""",
    "with hooks of a formatter": """{
    "hooks": {
        "PostToolUse": [
            {
                "matcher": "Write|Edit",
                "hooks": [
                    {
                        "type": "command",
                        "command": "jq -r '.tool_input.file_path' | xargs -r npx prettier --write"
                    }
                ]
            }
        ],
        "Stop": [{"hooks": [{"type": "command", "command": "afplay /System/Library/Sounds/Glass.aiff"}]}]
    },
    "env": {"DISABLE_TELEMETRY": "1"}
}""",
    "tabs and Windows lines": '{\r\n\t"hooks": {\r\n\t\t"SessionStart": [\r\n\t\t\t{\r\n\t\t\t\t"matcher": "startup",\r\n\t\t\t\t"hooks": [{ "type": "command", "command": "git status" }]\r\n\t\t\t}\r\n\t\t]\r\n\t}\r\n}\r\n',
    "one line": '{"permissions": {"defaultMode": "plan"}, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}',
    "minified": '{"statusLine":{"type":"command","command":"~/.claude/statusline.sh"},"hooks":{"PreToolUse":[]}}',
    "empty": "{}",
    "empty with a line": "{}\n",
    "empty over lines": "{\n}\n",
    "empty hooks": '{\n  "hooks": {}\n}\n',
    "byte order mark": '\ufeff{\n  "language": "deutsch – \\u00e4"\n}\n',
    "commas in front": '{ "a": 1\n, "hooks": { "Stop": [ 1\n                   , 2 ]\n           }\n, "b": "x" }\n',
    "keys that stand twice": '{\n  "env": {"A": "1", "A": "2"},\n  "env": {},\n  "hooks": {"Notification": []}\n}\n',
    "no line end": '{\n  "cleanupPeriodDays": 99999\n}',
}
"""Files in the manner of those that people have."""
