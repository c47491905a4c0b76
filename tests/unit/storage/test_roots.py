"""Which folder is the project, told without git: always as git and `locate` tell it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from onward.repo.git import common, top
from onward.storage import project, roots


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "protocol.file.allow=always"]
    subprocess.run(["git", "-C", str(folder), *who, *words], check=True, capture_output=True)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Only to be looked at: a repository `main` with a work tree `tree` and a submodule, a repository whose folder of
    git's lies apart, one that is bare, a broken one, a plain folder.
    """
    base = Path(os.path.realpath(tmp_path_factory.mktemp("base")))
    for name in ("main/src/deep", "other", "bare.git", "apart", "broken/src", "plain/src"):
        (base / name).mkdir(parents=True)
    git(base / "other", "init", "-q")
    git(base / "other", "commit", "-qm", "x", "--allow-empty")
    git(base / "main", "init", "-q")
    git(base / "main", "commit", "-qm", "x", "--allow-empty")
    git(base / "main", "submodule", "add", "-q", str(base / "other"), "part")
    git(base / "main", "worktree", "add", "-q", str(base / "tree"))
    git(base / "main", "worktree", "add", "-q", str(base / "main/.claude/trees/inner"))
    git(base / "apart", "init", "-q", "--separate-git-dir", str(base / "elsewhere"))
    git(base / "bare.git", "init", "-q", "--bare")
    (base / "broken" / ".git").write_text("gitdir: /nowhere\n")
    (base / "link").symlink_to(base / "main" / "src")
    return base


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """A folder outside of every repository, to write into."""
    plain = Path(os.path.realpath(tmp_path)) / "plain"
    (plain / "src").mkdir(parents=True)
    return plain


PLACES = [
    "main",
    "main/src/deep",
    "main/part",
    "main/.claude/trees/inner",
    "tree",
    "other",
    "apart",
    "bare.git",
    "broken/src",
    "plain/src",
    "link",
]


@pytest.mark.parametrize("place", PLACES)
def test_the_work_tree_is_the_one_that_git_tells(base: Path, place: str) -> None:
    folder = Path(os.path.realpath(base / place))
    told = top(folder), common(folder)
    found = roots.work_tree(str(folder))
    assert found == tuple(str(each or "") for each in told)


@pytest.mark.parametrize("place", PLACES)
def test_the_project_is_the_one_that_the_verbs_take(base: Path, place: str) -> None:
    folder = Path(os.path.realpath(base / place))
    expected = project.locate(folder, top(folder), base / "home").root
    assert roots.project(str(base / place), str(base / "home"))[0] == str(expected)


@pytest.mark.parametrize("sign", roots.SIGNS)
def test_without_git_a_file_of_ours_makes_a_project(plain: Path, sign: str) -> None:
    (plain / sign).parent.mkdir(parents=True, exist_ok=True)
    (plain / sign).touch()
    assert roots.project(str(plain / "src"), "") == (str(plain), "")


class TestHome:
    @pytest.mark.parametrize(
        ("sign", "is_one"),
        [
            ("", False),
            (".claude/memory/x", False),
            ("session-protocol.json", False),
            ("onward.toml", True),
            ("SESSION-STATE.md", True),
            ("memory/checkpoints/x.md", True),
            (".git/HEAD", True),
        ],
    )
    def test_is_a_project_only_where_somebody_made_it_one(
        self, plain: Path, sign: str, is_one: bool
    ) -> None:
        home = plain
        if sign:
            (home / sign).parent.mkdir(parents=True, exist_ok=True)
            (home / sign).touch()
        assert bool(roots.project(str(home), str(home))[0]) == is_one

    def test_is_none_of_the_folders_below_it(self, plain: Path) -> None:
        home = plain
        (home / ".claude/memory").mkdir(parents=True)
        assert roots.project(str(home / "src"), str(home))[0] == str(home / "src")


def test_the_root_of_the_disk_is_no_project() -> None:
    assert roots.project("/", "/home/x") == ("", "")


@pytest.mark.parametrize(
    ("name", "text", "may"),
    [
        ("onward.toml", "", True),
        ("pyproject.toml", "[tool.onward]\n", True),
        ("pyproject.toml", "[project]\n", False),
        ("other.toml", "onward", False),
    ],
)
def test_settings_are_told_by_the_name_of_their_file(
    tmp_path: Path, name: str, text: str, may: bool
) -> None:
    (tmp_path / name).write_text(text)
    assert roots.may_be_set(str(tmp_path)) == may
