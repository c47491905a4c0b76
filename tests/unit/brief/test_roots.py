"""A long folder that many paths share is said once."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.brief import brief
from onward.brief.tokens import estimate
from onward.model import Checkpoint, Clean, FileFact, Item, Run

TREE = "~/projects/acme/shop.worktrees/fix-the-rounding-of-totals"


def written(*paths: str) -> tuple[FileFact[Clean], ...]:
    return tuple(FileFact(path=Clean(path), places=(f"t:{n}",)) for n, path in enumerate(paths, 1))


def below(folder: str, count: int = 6) -> tuple[FileFact[Clean], ...]:
    return written(
        *(f"{folder}/{'tests' if n % 2 else 'src'}/part_{n}/money.py" for n in range(count))
    )


def told(
    files: tuple[FileFact[Clean], ...] = (),
    steps: tuple[str, ...] = (),
    runs: tuple[Run[Clean], ...] = (),
    *,
    commands: tuple[str, ...] = (),
    budget: int = 1500,
) -> str:
    trail = tuple(
        Item(text=Clean(step), evidence="observed", places=(f"t:{n}",))
        for n, step in enumerate(steps, 1)
    )
    typed = tuple(Item(text=Clean(command), evidence="observed") for command in commands)
    task: Item[Clean] = Item(text=Clean("Round the totals"))
    c = Checkpoint(task=task, files=files, trail=trail, runs=runs, commands=typed)
    return brief(c, None, budget=budget)


def test_the_folder_that_many_paths_share_is_said_once_in_the_head() -> None:
    text = told(below(TREE))
    assert f"In paths, `…/` stands for `{TREE}/`." in text.partition("##")[0]
    assert "`…/tests/part_5/money.py` edited" in text
    assert text.count(TREE) == 1


def test_where_a_command_ran_and_what_was_edited_is_told_from_the_folder_on() -> None:
    text = told(
        below(TREE, 2),
        (
            f"Ran in `{TREE}`: `make check`: passed",
            f"Edited `{TREE}/src/part_9/sum.py` line 3",
        ),
        (Run(command=Clean("make lint"), outcome="passed", cwd=Clean(f"{TREE}/src")),),
    )
    assert "- Ran in `…/`: `make check`: passed" in text
    assert "- Edited `…/src/part_9/sum.py` line 3" in text
    assert "- Passed in `…/src`: `make lint`" in text


def test_each_of_two_folders_has_a_sign_of_its_own() -> None:
    other = "/srv/customers/acme/reports__worktrees/fix-the-rounding-of-totals"
    steps = tuple(f"Ran in `{tree}`: `make check`: passed" for tree in (TREE, other))
    text = told((*below(TREE, 9), *below(other, 9)), steps, budget=4000)
    head = text.partition("##")[0]
    assert f"In paths, `A…/` stands for `{other}/`, `B…/` for `{TREE}/`." in head
    assert "`A…/src/part_0/money.py`" in text
    assert "- Ran in `B…/`: `make check`" in text


def test_a_folder_with_a_short_name_of_its_own_is_told_by_that_name() -> None:
    shop = "~/work/acme/backend-services/shop"
    text = told(below(shop))
    assert f"In paths, `shop/` stands for `{shop}/`." in text
    assert "`shop/tests/part_5/money.py` edited" in text
    assert f"`…/` stands for `{shop}/`" in told((*below(shop), *written("shop/odd.py")))


def test_a_file_is_told_from_where_commands_ran_and_from_no_folder_below() -> None:
    files = written(*(f"{TREE}/src/totals/part_{n}/money.py" for n in range(6)))
    text = told(files, (f"Ran in `{TREE}`: `make check`: passed",))
    assert "`…/src/totals/part_5/money.py`" in text


def test_a_command_that_ran_at_home_or_in_a_folder_of_many_projects_hides_no_folder() -> None:
    text = told(
        below(TREE), ("Ran in `~`: `ls`", "Ran in `~/projects`: `ls`", f"Ran in `{TREE}`: `ls`")
    )
    assert f"`…/` stands for `{TREE}/`" in text


def test_a_command_is_told_as_it_is_typed() -> None:
    typed = f"{TREE}/tools/check.sh"
    text = told(
        below(TREE),
        (f"Ran `{typed}`: passed", f"Ran in `{TREE}`: `{typed}`; `{TREE}/x.sh`: passed"),
        (Run(command=Clean(f"sh {TREE}/tools/lint.sh"), outcome="passed"),),
        commands=(f"cd {TREE} && make serve",),
    )
    assert f"Ran `{typed}`: passed" in text
    assert f"Ran in `…/`: `{typed}`; `{TREE}/x.sh`: passed" in text
    assert f"`sh {TREE}/tools/lint.sh`" in text
    assert f"`cd {TREE} && make serve`" in text


def test_a_piece_of_code_in_a_step_is_left_as_it_is() -> None:
    step = f"Edited `{TREE}/src/a.py` line 3 — `{TREE}/src is the root`"
    assert f"- Edited `…/src/a.py` line 3 — `{TREE}/src is the root`" in told(below(TREE), (step,))


@pytest.mark.parametrize("said", ["“See `{}/notes.md`, said in `{}`.”", "Refused `{}/run.sh`"])
def test_what_somebody_said_is_left_as_it_was_said(said: str) -> None:
    words = said.replace("{}", TREE)
    assert words in told(below(TREE), (words,))


def test_paths_of_the_project_and_few_others_are_told_whole() -> None:
    for files in (below("src/some/long/folder/of/the/project"), below(TREE, 1), ()):
        text = told(files)
        assert "stands for" not in text
        assert all(str(file.path) in text for file in files)


def test_a_folder_of_windows_is_told_once_as_well() -> None:
    text = told(below("C:/work/acme/shop.worktrees/fix-the-rounding-of-totals"))
    assert "`…/` stands for `C:/work/acme/shop.worktrees/fix-the-rounding-of-totals/`" in text


def test_where_a_path_begins_with_the_short_form_already_none_is_shortened() -> None:
    text = told((*below(TREE), *written("…/odd.py")))
    assert "stands for" not in text


def test_the_room_that_is_saved_goes_to_more_files() -> None:
    inside = below(TREE, 30)
    outside = tuple(
        FileFact(path=Clean(f"{n}/{f.path[2:]}"), places=f.places) for n, f in enumerate(inside)
    )
    assert told(inside, budget=600).count("money.py") > told(outside, budget=600).count("money.py")


FOLDERS = st.lists(st.sampled_from(["a", "src", "shop.worktrees", "ü b", "x-y-z"]), max_size=6)


@given(
    st.lists(
        st.tuples(st.sampled_from(["~", "", "C:", "lib"]), FOLDERS, st.sampled_from("abc")),
        max_size=30,
    ),
    st.integers(100, 3000),
)
def test_every_path_can_be_read_back_from_what_is_told(
    made: list[tuple[str, list[str], str]], budget: int
) -> None:
    paths = {"/".join([root, *folders, f"{name}.py"]) for root, folders, name in made}
    files = tuple(FileFact(path=Clean(path), change="created") for path in sorted(paths))
    text = told(files, budget=budget)
    head, _, rest = text.partition("##")
    shorts = dict(re.findall(r"`([^`]+/)` (?:stands )?for `([^`]+)`", head))
    for path in re.findall(r"`([^`]+\.py)`", rest):
        short = next((s for s in shorts if path.startswith(s)), "")
        assert (shorts[short] + path.removeprefix(short) if short else path) in paths
    assert estimate(text) <= budget * 1.1
