"""Scene: a sub-agent looks things up, and a command keeps running in the background."""

from __future__ import annotations

from tests.golden.scenes import notes
from tests.golden.scenes.script import Call, Prompt, Scene, bash, edit, read, says

ROOT = "/home/ada/fieldnotes"
REPORT = """Three pages need work:

1. `notes/birds/herons.md` links to `../places/marsh.md`; the page is `salt-marsh.md`.
2. `notes/index.md` links to `places/pier.md`; the page is `old-pier.md`.
3. `notes/places/salt-marsh.md` links nowhere: a dead end for readers, though not an error.

No other link is broken. I changed nothing."""

HELPER = (
    says(
        "",
        bash("python3 tools/check_links.py", "Check links"),
        bash("grep -rn ']( *' notes | head -20; ls -R notes", "Show links and pages"),
    ),
    says(REPORT),
)

STEPS = (
    Prompt(
        "Start the preview server, then have a look at which pages are badly linked and mend them. "
        "Leave the salt marsh page alone, I'm rewriting it on paper."
    ),
    says(
        "",
        bash(
            "python3 -m http.server 8123 --bind 127.0.0.1",
            "Serve the notes for a preview",
            run_in_background=True,
        ),
        Call(
            "Agent",
            {
                "description": "Find badly linked pages",
                "prompt": (
                    "Look through notes/ of this repository. Which pages have links that lead "
                    "nowhere, and which link to nothing at all? Report pages and the right "
                    "targets. Change nothing."
                ),
                "subagent_type": "general-purpose",
            },
        ),
    ),
    says(
        "The preview is up on http://127.0.0.1:8123, and a second agent goes through the pages. I "
        "wait for its report."
    ),
    says(
        "Two links are really broken. The salt marsh page stays as it is, as you asked.",
        bash(
            "sed -i 's|places/marsh.md|places/salt-marsh.md|' notes/birds/herons.md",
            "Mend the link to the marsh",
        ),
        read(f"{ROOT}/notes/index.md"),
        edit(f"{ROOT}/notes/index.md", "(places/pier.md)", "(places/old-pier.md)"),
        bash("python3 tools/check_links.py", "Check links"),
    ),
    says(
        "Both links are mended and the checker finds none broken; not committed yet. The preview "
        "still runs on http://127.0.0.1:8123 in the background. Tell me when you have looked at "
        "it, then I'll commit `notes/index.md` and `notes/birds/herons.md`."
    ),
)

SCENE = Scene(
    name="helpers",
    title="Mend badly linked pages",
    project="fieldnotes",
    begin="2026-03-13T15:30",
    client="2.1.330",
    commits=notes.COMMITS,
    steps=STEPS,
    helper=HELPER,
    leaves="",
)
