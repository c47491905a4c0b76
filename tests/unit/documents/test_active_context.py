from __future__ import annotations

import pytest
from hypothesis import given, settings
from msgspec.structs import replace
from tests.sampling import examples
from tests.unit.documents import strategies

from onward.documents import active_context as active
from onward.documents import times
from onward.model import Checkpoint, Clean, Item, RepoState, Section, Task

SMALL: Checkpoint = Checkpoint(
    task=Item(text=Clean("Build login page"), evidence="asked"),
    saved="2026-03-01T13:40:00Z",
    next_action=Item(text=Clean("Run make test"), evidence="observed", places=("t:5",)),
    tasks=(Task(title=Clean("Test it")), Task(title=Clean("Done"), status="completed")),
    repo=RepoState(root=Clean("~/shop"), branch=Clean("dev"), commit="9f5a3c7" * 5),
)


def long(words: str, count: int) -> tuple[Item[Clean], ...]:
    return tuple(Item(text=Clean(f"{words} {n} " * 60), places=("t:1",) * 9) for n in range(count))


@settings(max_examples=examples(60), deadline=None)
@given(strategies.snapshots)
def test_it_is_always_short(snapshot: Checkpoint) -> None:
    text = active.render(snapshot, document="docs/session.md")
    assert text.count("\n") <= active.MAX_LINES
    assert len(text.encode()) <= active.MAX_BYTES


@pytest.mark.parametrize("branch", ["dev", None])
def test_a_repository_without_a_commit_is_read_back(branch: Clean | None) -> None:
    repo = RepoState(root=Clean(""), branch=branch)
    assert active.parse(active.render(replace(SMALL, repo=repo))).repo == repo


def test_it_is_short_for_a_long_session_in_a_wide_script() -> None:
    text = active.render(
        replace(
            SMALL,
            task=long("登录页面", 1)[0],
            progress=long("登录页面", 50),
            blockers=long("x", 50),
            decisions=long("登录页面", 50),
            dead_ends=long("登录页面", 50),
            tasks=tuple(Task(title=Clean("登录页面" * 99)) for _ in range(50)),
        )
    )
    assert len(text.encode()) <= active.MAX_BYTES
    assert "more)" in text


def test_the_newest_progress_is_what_stays() -> None:
    text = active.render(replace(SMALL, progress=long("step", 20)))
    assert "step 19" in text
    assert "step 0 " not in text


def test_it_is_read_back() -> None:
    draft = active.parse(active.render(SMALL, document="docs/session.md"))
    assert draft.task == SMALL.task
    assert draft.next_action == SMALL.next_action
    assert [task.title for task in draft.tasks] == ["Test it"]
    assert draft.saved == "2026-03-01T13:40:00Z"
    assert draft.repo == RepoState(root="", branch="dev", commit="9f5a3c7" * 5)
    assert draft.extra == ()


def test_the_exit_is_stamped_once_and_nothing_else_changes() -> None:
    text = active.render(SMALL)
    once = times.with_exit(text, "2026-03-01T14:00:00Z")
    twice = times.with_exit(once, "2026-03-01T15:00:00Z")
    assert "**Session ended:** 2026-03-01 14:00 GMT\n" in once
    assert twice.count("Session ended") == 1
    assert twice.replace("**Session ended:** 2026-03-01 15:00 GMT\n", "") == text


def test_the_exit_is_stamped_into_anybodys_file() -> None:
    assert times.with_exit("# Mine\n\nhello\n", "2026-03-01T14:00:00Z") == (
        "# Mine\n\n**Session ended:** 2026-03-01 14:00 GMT\nhello\n"
    )
    assert times.with_exit("", "2026-03-01T14:00:00Z").startswith("**Session ended:**")


def test_one_that_says_nothing_is_not_called_older() -> None:
    for text, count in (("# Active Context\n", 0), ("# Active Context\n\n## Next Action\n", 1)):
        stamped = times.with_exit(text, "2026-03-01T14:00:00Z", is_older=True)
        assert stamped.count("Older than the last session") == count


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Answer the agent's question: " + "需要我继续吗" * 60, "需 …"),
        ("Run the tests again " * 12 + "`pytest -k 'a or b' tests/login " + "x" * 99, "again …"),
        ("`pytest " + "tests/login.py " * 30 + "`", "tests/login.py …"),
    ],
)
def test_a_long_line_is_cut_where_it_can_be_read(text: str, shown: str) -> None:
    line = active.render(replace(SMALL, next_action=Item(text=Clean(text)))).split("Next Action\n")[
        1
    ]
    first = line.split("\n")[0].removesuffix(" [claimed]")
    assert first.endswith(shown)
    assert 200 < len(first) <= 304


def test_a_persons_own_headings_stay_whole_below_the_state() -> None:
    own = (Section(heading=Clean("Remember"), body=Clean("never touch prod\n" * 200)),)
    text = active.render(replace(SMALL, extra=own, progress=long("step", 50)))
    assert text.index("## Next Action") < text.index("## Remember")
    assert active.parse(text).extra == (Section(heading="Remember", body=own[0].body.strip()),)
    assert len(text.encode()) < len(own[0].body) + 1200


def test_not_even_a_monstrous_path_makes_it_long() -> None:
    assert len(active.render(SMALL, document="a/" * 5000).encode()) <= active.MAX_BYTES
