"""`onward why FILE`: what sessions did to a file, and what was said of it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch, Session

OTHER = "ffffffff-4f50-4a61-8b72-9c83ad94be05"
REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was"
    " a file edit, the new_string was NOT written to the file). To tell you how to proceed, the"
    " user said:\nleave auth alone"
)


def test_all_sessions_tell_what_they_did_to_it_the_newest_first(
    onward: Onward, scratch: Scratch, session: Session
) -> None:
    later = session(scratch.root, OTHER)
    given = {"file_path": str(scratch.root / "src/auth.py"), "old_string": "a", "new_string": "b"}
    later.call("Edit", given, REFUSED, f"Error: {REFUSED}", bad=True)
    path = scratch.transcript.with_name(f"{OTHER}.jsonl")
    later.write(path)
    os.utime(path, (2_000_000_000, 2_000_000_000))
    answer = onward("why", "src/auth.py", "--json")
    assert [(row["session"], row["kind"]) for row in answer.data] == [
        (OTHER, "failed"),
        (OTHER, "changed"),
        (scratch.transcript.stem, "changed"),
    ]
    assert "leave auth alone" in answer.data[0]["text"]
    assert "+1 −0" in answer.data[1]["text"]
    assert onward(*answer.data[1]["show"].split()[1:]).code == 0
    assert "- changed: edited, +1 −0" in onward("why", "src/auth.py").out


def test_a_file_that_no_session_changed_is_said_to_be_one(onward: Onward, scratch: Scratch) -> None:
    (scratch.root / "LICENSE").write_text("MIT")
    for name, code in (("LICENSE", 3), ("no-such.py", 3), ("/etc/passwd", 2)):
        answer = onward("why", name)
        assert (answer.code, answer.out) == (code, "")
        assert "try: onward " in answer.err
