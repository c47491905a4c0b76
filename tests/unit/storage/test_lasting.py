"""project-memory.md: lines are added at its end, and nothing of a user's changes."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.sampling import examples

from onward.errors import OnwardError
from onward.model import Clean
from onward.storage import documents
from onward.storage.project import Project

NEW = Clean("Tests need TZ=UTC")


def lasting(project: Project) -> bytes:
    return (project.memory / documents.LASTING).read_bytes()


def test_the_first_line_makes_the_file(project: Project) -> None:
    assert documents.add_lasting(project, [NEW]) == [NEW]
    assert lasting(project) == b"# Project Memory\n\n## Notes\n\n- Tests need TZ=UTC\n"


def test_later_lines_join_the_same_heading(project: Project) -> None:
    documents.add_lasting(project, [NEW])
    documents.add_lasting(project, [Clean("No Redis here")])
    assert lasting(project).endswith(b"## Notes\n\n- Tests need TZ=UTC\n- No Redis here\n")


@pytest.mark.parametrize(
    "known", ["- tests need tz=utc.", "* Tests  need TZ=UTC", "Tests need TZ=UTC"]
)
def test_what_is_known_is_not_said_twice(known: str, project: Project) -> None:
    path = project.memory / documents.LASTING
    path.parent.mkdir(parents=True)
    path.write_text(f"# Mine\n\n{known}\n")
    before = path.read_bytes()
    assert documents.add_lasting(project, [NEW, NEW]) == []
    assert path.read_bytes() == before


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(40))
@given(st.text(alphabet="ab#- \r\n\ufeff登é").map(str.encode))
def test_what_a_person_wrote_stays_to_the_byte(project: Project, mine: bytes) -> None:
    path = project.memory / documents.LASTING
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(mine)
    documents.add_lasting(project, [NEW])
    assert lasting(project).startswith(mine)
    assert lasting(project).decode().splitlines()[-1] == f"- {NEW}"


def test_a_link_out_of_the_project_is_refused(project: Project) -> None:
    outside = project.root.parent / "outside.md"
    outside.write_text("theirs")
    path = project.memory / documents.LASTING
    path.parent.mkdir(parents=True)
    path.symlink_to(outside)
    with pytest.raises(OnwardError):
        documents.add_lasting(project, [NEW])
    assert outside.read_text() == "theirs"
