from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from onward.documents.protocol_records import TaskEntry
from onward.documents.protocol_tasks import OTHER, consolidate

NOW = "2026-03-20T12:00:00Z"


def done(number: int, title: str, day: int = 1, **fields: Any) -> TaskEntry:
    return TaskEntry(
        id=f"TASK_{number:03}",
        title=title,
        status="completed",
        created=f"2026-03-{day:02}T08:00:00Z",
        completed=f"2026-03-{day:02}T09:00:00Z",
        **fields,
    )


def tidy(*records: TaskEntry) -> list[TaskEntry]:
    return list(consolidate(records, NOW)[0])


HOMEPAGE = [done(n, f"Redesign homepage part {n}", day=n) for n in range(1, 12)]


def test_the_five_newest_stay_and_the_rest_of_an_area_becomes_one() -> None:
    tasks = tidy(*HOMEPAGE)
    singles = [task.id for task in tasks if not task.consolidated]
    assert singles == [f"TASK_{n:03}" for n in range(11, 6, -1)]
    (group,) = [task for task in tasks if task.consolidated]
    assert (group.id, group.title, group.consolidated_count) == (
        "TASK_001",
        "Redesign homepage part",
        6,
    )
    assert group.completed == "2026-03-06T09:00:00Z"
    assert group.context is not None
    assert group.context.startswith("Summary: Redesign homepage part 1; ")


def test_references_to_consolidated_tasks_are_known() -> None:
    renamed = consolidate(HOMEPAGE, NOW)[1]
    assert renamed == {f"TASK_{n:03}": "TASK_001" for n in range(1, 7)}


def test_consolidating_twice_is_consolidating_once() -> None:
    once = consolidate(HOMEPAGE, NOW)[0]
    assert consolidate(once, NOW)[0] == once


def test_five_or_fewer_are_never_consolidated() -> None:
    tasks = tidy(*HOMEPAGE[:5])
    assert not any(task.consolidated for task in tasks)


@pytest.mark.parametrize(
    "special",
    [
        done(1, "Redesign homepage bug", priority="P1", category="BUGFIX"),
        done(1, "Redesign homepage nav", context="Pitfall: grid in Safari"),
        done(1, "Redesign homepage nav", day=19),
        done(1, "Blocking thing"),
    ],
    ids=["critical fix", "pitfall", "recent", "named by open work"],
)
def test_what_the_matrix_protects_stays_individual(special: TaskEntry) -> None:
    open_task = TaskEntry(id="TASK_090", title="Then undo the blocking thing")
    tasks = tidy(special, *HOMEPAGE[1:], open_task)
    assert special in tasks


def test_a_task_with_fields_of_someone_elses_stays_individual() -> None:
    special = replace(HOMEPAGE[0], other={"estimate": 2})
    assert special in consolidate([special, *HOMEPAGE[1:]], NOW)[0]


def test_a_group_that_meets_two_conditions_only_stays_as_it_is() -> None:
    # One area, no lesson; but only five related tasks, and the last is two days old.
    related = [
        done(n, f"Tune cache size {n}", day=day) for n, day in enumerate((4, 5, 6, 7, 18), 1)
    ]
    newer = [done(n, word, day=19) for n, word in enumerate(("amber", "birch", "cedar"), 10)]
    tasks = tidy(*related, *newer)
    assert not any(task.consolidated for task in tasks)


def test_one_more_related_task_makes_it_three_conditions() -> None:
    days = (3, 4, 5, 6, 7, 18)
    related = [done(n, f"Tune cache size {n}", day=day) for n, day in enumerate(days, 1)]
    newer = [done(n, word, day=19) for n, word in enumerate(("amber", "birch", "cedar"), 10)]
    (group,) = [task for task in tidy(*related, *newer) if task.consolidated]
    assert group.consolidated_count == 4


def test_an_existing_group_of_the_area_grows() -> None:
    group = TaskEntry(
        id="TASK_050",
        title="Redesign",
        status="completed",
        completed="2026-02-01T00:00:00Z",
        consolidated=True,
        consolidated_count=12,
        context="Summary: nav.",
    )
    tasks = tidy(group, *HOMEPAGE)
    (grown,) = [task for task in tasks if task.consolidated]
    assert (grown.id, grown.consolidated_count) == ("TASK_050", 18)


def test_a_group_that_we_made_grows_and_keeps_its_title() -> None:
    first = consolidate(HOMEPAGE, NOW)[0]
    later = [done(n, f"Redesign homepage part {n}", day=n) for n in range(12, 17)]
    (grown,) = [task for task in tidy(*first, *later) if task.consolidated]
    assert (grown.title, grown.consolidated_count) == ("Redesign homepage part", 11)
    assert grown.context is not None
    assert grown.context.startswith("Summary: Redesign homepage part 1; ")
    assert ". Also: Redesign homepage part 7; " in grown.context


def test_two_areas_that_go_into_one_group_lose_nothing() -> None:
    group = TaskEntry(
        id="TASK_090",
        title="Navbar footer",
        status="completed",
        completed="2026-02-01T00:00:00Z",
        consolidated=True,
        consolidated_count=3,
        context="Summary: old ones.",
    )
    navbar = [done(n, f"Navbar {n}", day=n) for n in range(1, 8)]
    footer = [done(n, f"Footer {n}", day=n) for n in range(8, 15)]
    tasks = tidy(group, *navbar, *footer)
    (one,) = [task for task in tasks if task.consolidated]
    assert one.consolidated_count + sum(not t.consolidated for t in tasks) == 3 + 14
    assert all(f"{task.title}" in str(one.context) for task in navbar)


def test_completed_tasks_stand_in_order_of_time_and_groups_last() -> None:
    tasks = tidy(*HOMEPAGE, TaskEntry(id="TASK_099", title="Open"))
    assert [task.id for task in tasks] == [
        "TASK_099",
        *(f"TASK_{n:03}" for n in range(11, 6, -1)),
        "TASK_001",
    ]


def test_a_groups_name_begins_and_ends_in_a_word_that_says_something() -> None:
    titles = [done(n, f"Nav {n} on the homepage now it is", day=n) for n in range(1, 12)]
    assert [task.title for task in tidy(*titles) if task.consolidated] == ["homepage"]


def test_what_a_task_noted_goes_into_the_summary() -> None:
    noted = done(1, "Redesign homepage nav", context="Sticky, since " + "the header scrolls " * 9)
    (group,) = [task for task in tidy(noted, *HOMEPAGE[1:]) if task.consolidated]
    assert group.context is not None
    assert "Redesign homepage nav (Sticky, since the header" in group.context
    assert " …);" in group.context


def test_a_summary_stays_bounded_and_keeps_the_newest() -> None:
    group: tuple[TaskEntry, ...] = ()
    for week in range(40):
        new = [done(100 * week + n, f"Tune the cache {week} {n}", day=n + 1) for n in range(12)]
        group = consolidate([*group, *new], NOW)[0]
    (one,) = [task for task in group if task.consolidated]
    assert one.context is not None
    assert len(one.context) < 4100
    assert one.context.startswith("Summary: … Tune the cache")
    assert one.consolidated_count > 400


def test_tasks_of_no_area_are_grouped_under_a_plain_name() -> None:
    words = [
        "amber",
        "birch",
        "cedar",
        "dahlia",
        "elder",
        "fir",
        "ginkgo",
        "hazel",
        "iris",
        "juniper",
        "kelp",
        "larch",
    ]
    tasks = tidy(*[done(n, word, day=n) for n, word in enumerate(words, 1)])
    assert [task.title for task in tasks if task.consolidated] == [OTHER]


def test_open_tasks_are_never_touched() -> None:
    open_tasks = [TaskEntry(id=f"TASK_1{n:02}", title=f"Redesign homepage {n}") for n in range(9)]
    kept = consolidate([*HOMEPAGE, *open_tasks], NOW)[0]
    assert all(record in kept for record in open_tasks)
