"""Scene: the person stops the agent in the middle of an act, and leaves."""

from __future__ import annotations

from tests.golden.scenes import notes
from tests.golden.scenes.script import Keys, Prompt, Scene, bash, says, write

ROOT = "/home/ada/fieldnotes"
RENAME = '''"""Put the year of the last change into the name of every note."""

import subprocess
import time
from pathlib import Path

for page in sorted(Path("notes").rglob("*.md")):
    year = "2026"
    subprocess.run(["git", "mv", page, page.with_stem(f"{page.stem}-{year}")], check=True)
    print(f"renamed {page}", flush=True)
    time.sleep(3)
'''

STEPS = (
    Prompt("Every note should carry the year in its file name, like herons-2026.md."),
    says(
        "A small script does that with `git mv`, so that history follows.",
        write(f"{ROOT}/tools/add_year.py", RENAME),
        bash("ls notes notes/*", "Show the notes"),
    ),
    says("Five notes. I'll run it now.", bash("python3 tools/add_year.py", "Rename all notes")),
    Keys(r"add_year|ename all notes", ("Escape",), after=6.0),
)

SCENE = Scene(
    name="interrupted",
    title="Put the year into note names",
    project="fieldnotes",
    begin="2026-03-11T16:20",
    client="2.1.330",
    commits=notes.COMMITS,
    steps=STEPS,
)
