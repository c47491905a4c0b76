"""Paths of one machine as another's."""

from __future__ import annotations

import pytest

from onward.model import Draft, FileFact, Item, RepoState
from onward.sharing import relocate

HERE = "/srv/bob/shop"


def text(words: str, root: str, here: str = HERE) -> str:
    return relocate(Draft(task=Item(text=words)), [root], here).task.text


@pytest.mark.parametrize(
    ("words", "root", "expected"),
    [
        ("cd ~/code/shop", "~/code/shop", "cd /srv/bob/shop"),
        ("cd ~/code/shop && make", "~/code/shop", "cd /srv/bob/shop && make"),
        ("see ~/code/shop/src/a.py:45", "~/code/shop", "see /srv/bob/shop/src/a.py:45"),
        ("(~/code/shop/a.py), then", "~/code/shop", "(/srv/bob/shop/a.py), then"),
        ("in ~/code/shop.", "~/code/shop", "in /srv/bob/shop."),
        ("`/work/shop/x`", "/work/shop", "`/srv/bob/shop/x`"),
        (r"open C:\code\shop\src\a.py", r"C:\code\shop", "open /srv/bob/shop/src/a.py"),
        (r"open c:/Code/shop/src/a.py", r"C:\code\shop", "open /srv/bob/shop/src/a.py"),
        (r"~\code\shop\src\a.py", r"~\code\shop", "/srv/bob/shop/src/a.py"),
    ],
)
def test_the_projects_folder_is_this_clone(words: str, root: str, expected: str) -> None:
    assert text(words, root) == expected


@pytest.mark.parametrize(
    ("words", "root"),
    [
        ("~/code/shop-old/a.py", "~/code/shop"),
        ("~/code/shopping", "~/code/shop"),
        ("~/code/shop.bak/a", "~/code/shop"),
        ("/mnt/work/shop/a", "/work/shop"),
        ("a/work/shop/a", "/work/shop"),
        ("~ and / and /srv", "/srv"),
        ("~/x", "~"),
        ("/", "/"),
        ("anything", ""),
        ("/a" * 600, "/a" * 600),
    ],
)
def test_what_only_looks_like_it_stays(words: str, root: str) -> None:
    assert text(words, root) == words


def test_separators_become_those_of_a_windows_clone() -> None:
    assert text("cat ~/code/shop/src/a.py", "~/code/shop", r"D:\shop") == r"cat D:\shop\src\a.py"


def test_files_within_the_project_become_relative() -> None:
    draft = Draft(
        task=Item(text=""),
        files=(
            FileFact(path="/work/shop/src/a.py", change="renamed", to="/work/shop/src/b.py"),
            FileFact(path="src/c.py"),
            FileFact(path="/etc/hosts"),
        ),
        repo=RepoState(root="/work/shop"),
    )
    moved = relocate(draft, ["/work/shop"], HERE)
    assert [(fact.path, fact.to) for fact in moved.files] == [
        ("src/a.py", "src/b.py"),
        ("src/c.py", None),
        ("/etc/hosts", None),
    ]
    assert moved.repo is not None
    assert moved.repo.root == HERE


def test_a_long_text_without_it_takes_linear_work() -> None:
    words = "~/code/sho" * 20_000
    assert text(words, "~/code/shop") == words
