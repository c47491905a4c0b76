"""Golden sessions, scenes: `fieldnotes`, a folder of documents with a script that checks links."""

from __future__ import annotations

CHECK = '''"""Say which links between the notes lead nowhere."""

import re
import sys
from pathlib import Path

LINK = re.compile(r"\\]\\(([^)#]+\\.md)\\)")


def broken(root):
    """(file, link) pairs that lead nowhere."""
    for page in sorted(root.rglob("*.md")):
        for link in LINK.findall(page.read_text()):
            if not (page.parent / link).exists():
                yield page.relative_to(root), link


if __name__ == "__main__":
    found = list(broken(Path("notes")))
    for page, link in found:
        print(f"{page}: {link}")
    print(f"{len(found)} broken links")
    sys.exit(bool(found))
'''

COMMITS = (
    (
        "Start the notes",
        {
            "README.md": "# Field notes\n\nBegin with [the index](notes/index.md).\n",
            "notes/index.md": (
                "# Index\n\n- [Herons](birds/herons.md)\n- [Terns](birds/terns.md)\n"
                "- [Salt marsh](places/salt-marsh.md)\n- [Old pier](places/pier.md)\n"
            ),
            "notes/birds/herons.md": "# Herons\n\nSeen at the [marsh](../places/marsh.md).\n",
            "notes/birds/terns.md": "# Terns\n\nBreed near the [pier](../places/old-pier.md).\n",
            "notes/places/salt-marsh.md": "# Salt marsh\n\nFloods at spring tide.\n",
            "notes/places/old-pier.md": "# Old pier\n\nClosed since the storm.\n",
        },
    ),
    ("Check links", {"tools/check_links.py": CHECK}),
)
