"""How long 100 KB of one shape take in each place of a transcript: `python benchmarks/shapes.py [WORDS]`.

Each shape (repeated, nested, unclosed; lists, questions, quotes, commands) stands once as the request, the agent's
message, a command, what a command printed, an edit, a summary and the task list; each verb that reads a transcript
runs in this process, and its CPU time without the shape is taken off. Prints what took longest; status 1 where
anything is above a second. WORDS: only shapes and verbs with one of them in their names.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from overview import record

from onward.cli import main as onward

SIZE = 100_000
BUDGET = 1.0  # seconds of CPU
FINDINGS = 7  # the status of `check` where it has something to say
SESSION = "5e551011-0000-4000-8000-00000000000f"
UNITS = {
    "list items": "- fix the parser of dates\n",
    "list items, marked": "* **Fix** `src/app.py:{n}`: dates\n",
    "numbered lines": "{n}. Fix the parser of dates\n",
    "questions": "Shall I fix the parser of dates? ",
    "question marks": "?",
    "open tasks": "- [ ] Fix the parser of dates\n",
    "headings": "## Fix the parser of dates\n",
    "table rows": "| a | b | c |\n",
    "quotes": "> ",
    "quoted lines": "> Fix the parser\n",
    "fences": "```\n",
    "backticks": "`",
    "stars": "**",
    "brackets": "[",
    "links": "[a](b",
    "round brackets": "(",
    "tags unclosed": "<system-reminder>",
    "tags closed": "</system-reminder>",
    "tags of commands": "<command-name>x</command-name>",
    "comments": "<!-- ",
    "angle brackets": "<",
    "at signs": "@a ",
    "at paths": "**@src/app.py** ",
    "marks of places": "[t:{n}] ",
    "escapes": "\x1b[31m",
    "backslashes": "\\",
    "quotation marks": '"',
    "apostrophes": "'",
    "blanks": " ",
    "tabs": "\t",
    "line ends": "\n",
    "carriage returns": "working\r",
    "one word": "x",
    "accents": "e\u0301",
    "emoji": "\U0001f469\u200d\U0001f4bb",
    "bidirectional": "\u202e",
    "Chinese": "\u4fee\u590d\u89e3\u6790\u5668\u3002",
    "paths": "src/a{n}.py ",
    "deep path": "/a",
    "places": "src/app.py:{n} ",
    "addresses": "https://example.com/a?b=c ",
    "hashes": "9f5a3c7{n} ",
    "passwords": 'password = "Velvet{n}x"\n',
    "rows with addresses": "1,c1@s1.com\n",
    "failures": "FAILED tests/test_a.py::test_{n} - assert 1 == 2\n",
    "failures of go": "--- FAIL: Test{n} (0.0s)\n",
    "counts": "1 failed, 2 passed in 0.1s\n",
    "errors": "src/a.py:{n}: error: no\n",
    "frames": '  File "src/a.py", line {n}, in f\n',
    "tracebacks": "Traceback (most recent call last):\n",
    "commits": "[main 9f5a3c7] Fix it\n 1 file changed\n",
    "added lines": "+x = {n}\n",
    "JSON": '{{"a": ',
    "JSON in JSON": '\\"a\\": ',
    "steps": "a; ",
    "chains": "cd a && ",
    "pipes": "cat a | ",
    "substitutions": "$(",
    "arithmetic": "$((",
    "here-documents": "cat > a <<EOF\n",
    "variables": "A=1 ",
    "conditions": "if true; then ",
    "runs": "pytest -q tests/a{n}.py; ",
    "runs in a chain": "pytest -q tests/a{n}.py && ",
    "runs with marks": "echo a{n}; pytest -q tests/a{n}.py; ",
    "commits made": "git commit -qm 'Fix {n}'; ",
    "pushes": "git push origin a{n}; ",
    "edits by sed": "sed -i s/a/b/ a{n}.py; ",
    "writes": "echo x > a{n}.py; ",
    "scripts": 'python -c \'open("a", "w")\'; ',
    "wrappers": "timeout 5 env A=1 nice ",
    "tests of the shell": "[ -f a{n} ] && ",
    "redirections": "2>&1 ",
    "loops": "for a in b; do ",
    "braces": "{{a,",
}
VERBS: dict[str, tuple[str, ...]] = {
    "distill": ("distill", "FILE"),
    "brief": ("brief", "FILE"),
    "view": ("view", "FILE"),
    "show": ("show", "t:1", "--session", "FILE"),
    "save": ("save", "fix-login", "--session", "FILE", "--force"),
    "resume": ("resume", "fix-login"),
    "check": ("check", "fix-login"),
    "document": ("document", "--session", "FILE"),
    "protocol": ("protocol", "save", "--session", "FILE"),
    "search": ("search", "parser"),
    "why": ("why", "src/app.py"),
    "sessions": ("sessions",),
    "overview": ("--all",),
}
ROLES = ("request", "answer", "command", "output", "edit", "summary", "task")


def shape(unit: str, size: int = SIZE) -> str:
    """So many characters of it, its numbers counted up."""
    if "{" not in unit:
        return (unit * (size // len(unit) + 1))[:size]
    return "".join(unit.format(n=number) for number in range(size // len(unit.format(n=1)) + 1))[
        :size
    ]


def transcript(root: Path, texts: dict[str, str]) -> str:
    """A session whose parts are these texts, by role; plain words where there is none."""
    lines: list[dict[str, Any]] = []

    def add(kind: str, content: Any, **more: Any) -> None:
        lines.append(record(kind, len(lines), root, SESSION, content) | more)

    def call(name: str, given: dict[str, Any], printed: str, result: Any = None) -> None:
        tool = f"toolu_{len(lines)}"
        add("assistant", [{"type": "tool_use", "id": tool, "name": name, "input": given}])
        told = {"type": "tool_result", "tool_use_id": tool, "content": printed}
        add("user", [told], toolUseResult=result or {"stdout": printed, "stderr": ""})

    if "summary" in texts:
        add("user", "continued from before: " + texts["summary"], isCompactSummary=True)
    add("user", texts.get("request", "Make the parser of dates quick"))
    add("assistant", [{"type": "text", "text": "I look at it."}])
    call("Bash", {"command": texts.get("command", "pytest -q")}, texts.get("output", "1 passed"))
    new, file = texts.get("edit", "x = 2"), str(root / "src/app.py")
    patch = {"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": ["-x", "+" + new]}
    given = {"file_path": file, "old_string": "x = 1", "new_string": new}
    call("Edit", given, "updated", {"filePath": file, "structuredPatch": [patch]})
    task = {"content": texts.get("task", "Fix it"), "status": "pending", "activeForm": "Fixing"}
    call("TodoWrite", {"todos": [task]}, "ok")
    add("assistant", [{"type": "text", "text": texts.get("answer", "It is quick now.")}])
    return "".join(json.dumps(line) + "\n" for line in lines)


def seconds(words: tuple[str, ...]) -> float:
    """CPU seconds of one call, in this process. Raises SystemExit where it fails: then nothing was measured."""
    quiet = io.TextIOWrapper(io.BytesIO(), "utf-8")
    start = time.process_time()
    with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
        code = onward(list(words))
    if code not in {0, FINDINGS}:
        raise SystemExit(f"status {code}: onward {' '.join(words)}")
    return time.process_time() - start


def measured(top: Path, is_meant: Callable[[str], bool]) -> Iterator[tuple[float, str, str, str]]:
    """Seconds beyond those of plain words, with the shape, its place and the verb."""
    root = top / "project"
    path = top / f"home/.claude/projects/p/{SESSION}.jsonl"
    verbs = {name: words for name, words in VERBS.items() if is_meant(name)} or VERBS
    units = {name: unit for name, unit in UNITS.items() if is_meant(name)} or UNITS

    def run(texts: dict[str, str]) -> dict[str, float]:
        path.write_text(transcript(root, texts))
        return {
            name: seconds(tuple(str(path) if word == "FILE" else word for word in words))
            for name, words in verbs.items()
        }

    run({})  # imports
    plain = run({})
    for name, unit in units.items():
        text = shape(unit)
        for role in ROLES:
            for verb, took in run({role: text}).items():
                yield took - plain[verb], name, role, verb


def main() -> int:
    """Measure; status 1 where something is above the budget."""
    words = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        (top / "home/.claude/projects/p").mkdir(parents=True)
        (top / "project/src").mkdir(parents=True)
        (top / "project/src/app.py").write_text("x = 1\n")
        subprocess.run(["git", "init", "-q", "-b", "main"], cwd=top / "project", check=True)
        for variable in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
            os.environ.pop(variable, None)
        os.environ |= {"HOME": str(top / "home"), "ONWARD_DATA": str(top / "data")}
        os.chdir(top / "project")
        found = sorted(
            measured(top, lambda name: not words or any(word in name for word in words)),
            reverse=True,
        )
    for took, shape_, role, verb in found[:20]:
        print(f"  {took:6.2f} s: {shape_}, as {role}, through {verb}")
    return 0 if found[0][0] <= BUDGET else 1


if __name__ == "__main__":
    sys.exit(main())
