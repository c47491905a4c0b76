"""What a session is told at its start, for each way to start that brings its history along."""

from __future__ import annotations

import pytest
from tests.e2e.kit.lab import Lab
from tests.e2e.kit.model import Request
from tests.e2e.kit.session import ASKED, PENDING, begin, leave, worked

CHANGED = "Changed since this session paused"
MEANWHILE = "Splice the mainsheet meanwhile"


@pytest.fixture
def lab(lab: Lab) -> Lab:
    """A lab with the hooks in its project."""
    lab.install("--project")
    return lab


def meanwhile(lab: Lab) -> str:
    """Somebody commits a change of a file that the session wrote; its short id."""
    lab.write("seams.md", "Seam 4: oakum, tar\n")
    lab.git("add", "seams.md")
    lab.git("commit", "--quiet", "-m", MEANWHILE)
    return lab.git("rev-parse", "--short=7", "HEAD").strip()


def again(lab: Lab, *words: str) -> Request:
    """The first request of a start with these words."""
    count = len(lab.requests())
    lab.model.script(["Let me see."])
    assert lab.headless("What now?", *words).code == 0
    return lab.requests()[count]


def drift(request: Request) -> list[str]:
    """The lines below the one that says that things changed."""
    _, _, rest = request.text.partition(CHANGED)
    lines = rest.splitlines()[1:]
    end = next((n for n, line in enumerate(lines) if not line.startswith("- ")), len(lines))
    return lines[:end]


@pytest.mark.parametrize("how", ["--resume", "--continue"])
def test_a_resumed_session_is_told_what_changed_since_and_not_of_its_own_backup(
    lab: Lab, how: str
) -> None:
    transcript = worked(lab)
    commit = meanwhile(lab)
    request = again(lab, how, *([transcript.stem] if how == "--resume" else []))
    told = "\n".join(drift(request))
    assert commit in told
    assert "seams.md" in told
    assert not PENDING.search(request.text), "it has all that is in its own backup"


def test_a_resumed_session_is_told_nothing_where_nothing_changed(lab: Lab) -> None:
    transcript = worked(lab)
    request = again(lab, "--resume", transcript.stem)
    assert CHANGED not in request.text
    assert not PENDING.search(request.text)


def test_a_session_resumed_in_a_window_is_told_the_same(lab: Lab) -> None:
    transcript = worked(lab)
    commit = meanwhile(lab)
    window = begin(lab, "--resume", transcript.stem)
    count = len(lab.requests())
    lab.model.script(["Let me see."])
    window.type("What now?")
    request = lab.model.wait(count=count + 1)
    assert any(commit in line for line in drift(request))
    leave(window)


def test_a_fork_is_told_nothing_of_the_session_that_it_came_from(lab: Lab) -> None:
    """Its start has an id of its own and names no other; the history is in it."""
    transcript = worked(lab)
    meanwhile(lab)
    request = again(lab, "--resume", transcript.stem, "--fork-session")
    assert request.where(ASKED)
    assert not PENDING.search(request.text)
    assert CHANGED not in request.text


@pytest.mark.versions("2.1.197")
def test_a_fork_that_starts_under_the_old_id_is_told_what_a_resumed_session_is(lab: Lab) -> None:
    transcript = worked(lab)
    commit = meanwhile(lab)
    request = again(lab, "--resume", transcript.stem, "--fork-session")
    assert any(commit in line for line in drift(request))
    assert not PENDING.search(request.text)
