"""`onward distill FILE`: every section, redacted, with evidence and places."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from onward.commands.distill import distill_file
from onward.errors import InputError, NotFoundError
from onward.model import Snapshot
from onward.redact import Redactor

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def record(n: int, kind: str, **more: object) -> str:
    base = {
        "type": kind,
        "uuid": f"00000000-0000-4000-8000-{n:012}",
        "sessionId": "11111111-1111-4111-8111-111111111111",
        "cwd": "/home/ann/shop",
        "gitBranch": "main",
        "version": "2.1.0",
        "timestamp": f"2026-03-01T10:00:{n:02}.000Z",
    }
    return json.dumps({**base, **more})


def transcript(folder: Path, *lines: str) -> Path:
    path = folder / "11111111-1111-4111-8111-111111111111.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture
def redactor() -> Redactor:
    return Redactor(b"k" * 32, home="/home/ann", user="ann")


def told(text: str) -> dict[str, object]:
    return {"message": {"role": "user", "content": text}}


def replied(text: str) -> dict[str, object]:
    content = [{"type": "text", "text": text}]
    return {"message": {"id": "m1", "role": "assistant", "content": content}}


def test_the_listing_names_sections_evidence_and_places(tmp_path: Path, redactor: Redactor) -> None:
    path = transcript(
        tmp_path,
        record(1, "user", **told(f"Add a login page; the token is {SECRET}")),
        record(2, "assistant", **replied("Done.\n\nShall I also add a logout button?")),
    )
    result = distill_file(path, redactor)
    assert result.text.startswith("# Add a login page")
    assert "## Next action" in result.text
    assert "Answer the agent's question" in result.text
    assert "(asked, [t:1])" in result.text
    assert "(claimed, [t:2])" in result.text
    assert isinstance(result.data, Snapshot)
    assert result.data.origin.session.startswith("11111111")


def test_no_secret_comes_out(tmp_path: Path, redactor: Redactor) -> None:
    path = transcript(tmp_path, record(1, "user", **told(f"The token is {SECRET}, use it now")))
    result = distill_file(path, redactor)
    assert SECRET not in result.text
    assert SECRET not in repr(result.data)


def test_what_the_agent_said_of_its_edit_stands_below_the_file_without_its_secrets(
    tmp_path: Path, redactor: Redactor
) -> None:
    given = {"file_path": f"{tmp_path}/login.py", "old_string": "a", "new_string": "b"}
    call = {"type": "tool_use", "id": "toolu_1", "name": "Edit", "input": given}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "edited"}
    path = transcript(
        tmp_path,
        record(1, "user", **told("Add a login page")),
        record(2, "assistant", **replied(f"Now let the page send the token {SECRET}:")),
        record(3, "assistant", message={"id": "m1", "role": "assistant", "content": [call]}),
        record(4, "user", message={"role": "user", "content": [result]}),
    )
    shown = distill_file(path, redactor).text
    assert "  said: Now let the page send the token" in shown
    assert SECRET not in shown


def test_lines_that_could_not_be_read_are_told(tmp_path: Path, redactor: Redactor) -> None:
    path = transcript(tmp_path, record(1, "user", **told("Add a login page")), "{broken")
    assert distill_file(path, redactor).notes == ("1 line of the transcript could not be read",)


def test_a_missing_file_and_an_empty_one_are_refused(tmp_path: Path, redactor: Redactor) -> None:
    with pytest.raises(NotFoundError):
        distill_file(tmp_path / "none.jsonl", redactor)
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    with pytest.raises(InputError):
        distill_file(empty, redactor)
