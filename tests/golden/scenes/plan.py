"""Scene: a plan is made in plan mode, approved and begun."""

from __future__ import annotations

from tests.golden.scenes import notes
from tests.golden.scenes.script import Call, Keys, Prompt, Scene, bash, edit, read, says, write

ROOT = "/home/ada/fieldnotes"
PLAN = """# Mend the links and keep them whole

1. Mend the three broken links in `notes/index.md`, `notes/birds/herons.md` and the pier page.
2. Teach `tools/check_links.py` to check links with an anchor (`marsh.md#tides`) too.
3. Run it in the pre-commit hook, `.githooks/pre-commit`, so that no broken link is committed.

Not part of this: renaming pages. The names stay as they are; only links change."""

STEPS = (
    Prompt("Half the links in the notes are dead. Make a plan to mend them and keep them whole."),
    says(
        "I'll see what is broken and what the checker can do.",
        bash("python3 tools/check_links.py; git log --oneline", "Check links, show history"),
        read(f"{ROOT}/tools/check_links.py"),
        read(f"{ROOT}/notes/index.md"),
    ),
    says("", write("{PLAN_FILE}", PLAN)),
    says("", Call("ExitPlanMode", {})),
    Keys(r"Would you like to proceed|Yes, and", ("Enter",)),
    says(
        "Step 1: the links.",
        edit(f"{ROOT}/notes/index.md", "(places/pier.md)", "(places/old-pier.md)"),
        read(f"{ROOT}/notes/birds/herons.md"),
        bash(
            "sed -i 's|places/marsh.md|places/salt-marsh.md|' notes/birds/herons.md "
            "&& python3 tools/check_links.py",
            "Mend the link to the marsh and check",
        ),
    ),
    says(
        "",
        bash("git add -A && git commit -m 'Mend broken links between notes'", "Commit step 1"),
    ),
    says(
        "Step 1 is done: there were two broken links, not three, and the checker now finds none. "
        "On to step 2, links with an anchor.",
        edit(
            f"{ROOT}/tools/check_links.py",
            'LINK = re.compile(r"\\]\\(([^)#]+\\.md)\\)")',
            'LINK = re.compile(r"\\]\\(([^)#]+\\.md)(?:#([^)]+))?\\)")',
        ),
        bash("python3 tools/check_links.py", "Check links"),
    ),
    says(
        "The pattern now catches the anchor, so `findall` gives pairs and `broken()` fails with a "
        "TypeError until it takes them apart. That is the next edit, in `broken()`: unpack "
        "`link, anchor` and look for the heading in the page."
    ),
)

SCENE = Scene(
    name="plan",
    title="Mend links in the notes",
    project="fieldnotes",
    begin="2026-03-06T10:15",
    client="2.1.330",
    commits=notes.COMMITS,
    steps=STEPS,
    arguments=("--permission-mode", "plan", "--allow-dangerously-skip-permissions"),
)
