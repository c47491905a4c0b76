"""What git and the files say: a real git, a repository of its own for each test."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from onward.drift import compare
from onward.errors import OnwardError
from onward.model import Anchor, Draft, Drift, FileDrift, FileFact, Item, Run, Task
from onward.repo import git
from onward.repo.files import places, stamp
from onward.repo.git import commit_at, common, state, top
from onward.repo.invocation import sign
from onward.repo.observing import drifted, observe

TEXT = "".join(f"value_{number} = {number}\n" for number in range(1, 31))


class Repo:
    """A repository in a folder, with clock and author fixed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def git(self, *words: str) -> str:
        return subprocess.run(
            ["git", *words], cwd=self.folder, check=True, capture_output=True, text=True
        ).stdout.strip()

    def tries(self, *words: str) -> None:
        """A call that is meant to stop on a conflict."""
        done = subprocess.run(["git", *words], cwd=self.folder, check=False, capture_output=True)
        assert done.returncode != 0

    def write(self, name: str, text: str = TEXT) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        return path

    def commit(self, subject: str, **files: str) -> str:
        for name, text in files.items():
            self.write(name.replace("__", "/") + ".py", text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", subject)
        return self.git("rev-parse", "HEAD")

    def conflict(self) -> None:
        """Two branches, `main` (checked out) and `other`, that change the same line."""
        self.git("checkout", "-q", "-b", "other")
        self.commit("Theirs", a="theirs\n")
        self.git("checkout", "-q", "main")
        self.commit("Ours", a="ours\n")


@pytest.fixture(autouse=True)
def _own_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    home = tmp_path / "home"
    home.mkdir()
    config = "[user]\nname = A\nemail = a@example.org\n[init]\ndefaultBranch = main\n"
    config += '[protocol "file"]\nallow = always\n[advice]\ndetachedHead = false\n'
    (home / ".gitconfig").write_text(config, encoding="utf-8")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / ".gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2026-03-01T12:00:00Z")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-03-01T12:00:00Z")


@pytest.fixture
def empty(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path / "work")
    repo.git("init", "-q")
    return repo


@pytest.fixture
def repo(empty: Repo) -> Repo:
    """One commit with `a.py`, thirty different lines."""
    empty.commit("Begin", a=TEXT)
    return empty


def draft(*names: str, **more: object) -> Draft:
    made = Draft(
        task=Item(text="count words"),
        saved="2026-03-01T12:30:00Z",
        files=tuple(FileFact(path=name) for name in names),
    )
    return msgspec.structs.replace(made, **more)


def drift_of(saved: Draft, repo: Repo) -> Drift[str]:
    return compare(saved, observe(saved, repo.folder))


# ---------------------------------------------------------------------- top and common


def test_the_root_is_found_from_a_folder_below(repo: Repo) -> None:
    below = repo.folder / "src" / "deep"
    below.mkdir(parents=True)
    assert top(below) == repo.folder.resolve()


def test_outside_of_a_repository_there_is_nothing(tmp_path: Path) -> None:
    assert top(tmp_path) is None
    assert common(tmp_path) is None
    assert state(tmp_path) is None


def test_odd_folders_are_no_repository(repo: Repo, tmp_path: Path) -> None:
    repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    for folder in ("bare.git", "work/.git", "gone", "work/a.py"):
        assert top(tmp_path / folder) is None
        assert state(tmp_path / folder) is None


def test_work_trees_of_one_repository_share_its_common_folder(repo: Repo, tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    repo.git("worktree", "add", "-q", "-b", "fix", str(linked))
    assert common(linked) == common(repo.folder) == repo.folder.resolve() / ".git"
    assert top(linked) == linked.resolve()
    there, here = state(linked), state(repo.folder)
    assert there is not None
    assert here is not None
    assert (there.worktree, there.branch) == (True, "fix")
    assert (here.worktree, here.branch) == (False, "main")


def test_a_submodule_is_a_repository_of_its_own(repo: Repo, tmp_path: Path) -> None:
    inner = Repo(tmp_path / "inner")
    inner.git("init", "-q")
    inner.commit("Inner", b=TEXT)
    repo.git("submodule", "--quiet", "add", str(inner.folder), "lib")
    repo.commit("Add lib")
    assert top(repo.folder / "lib") == repo.folder.resolve() / "lib"
    found = state(repo.folder / "lib")
    assert found is not None
    assert not found.worktree
    saved = stamp(draft("a.py", "lib/b.py"), repo.folder)
    repo.write("lib/b.py", "changed = True\n")
    found_now = drifted(saved, repo.folder, None)
    assert found_now.files == (FileDrift(path="lib/b.py", change="changed"),)


def test_the_variables_of_a_git_hook_do_not_mislead(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Repo(tmp_path / "other")
    other.git("init", "-q")
    monkeypatch.setenv("GIT_DIR", str(other.folder / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "no-index"))
    found = state(repo.folder)
    assert found is not None
    assert found.root == str(repo.folder.resolve())
    assert found.dirty == ()


@pytest.mark.skipif(sys.platform == "win32", reason="no line break in a name there")
def test_a_folder_with_a_line_break_in_its_name_is_found(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "two\nlines")
    repo.git("init", "-q")
    repo.commit("Begin", a=TEXT)
    assert top(repo.folder) == repo.folder.resolve()
    found = state(repo.folder)
    assert found is not None
    assert not found.worktree


# ------------------------------------------------------------------------------- state


def test_a_state_names_branch_commit_and_root(repo: Repo) -> None:
    found = state(repo.folder)
    assert found is not None
    assert (found.branch, found.commit) == ("main", repo.git("rev-parse", "HEAD"))
    assert found.root == str(repo.folder.resolve())
    assert (found.dirty, found.operation, found.stashes) == ((), "", 0)


NAMES = ["with space.py", "naïve-配置.py", "app/[id]/page.tsx", "-dash", " lead"]
if sys.platform != "win32":
    NAMES += ["line\nbreak.py", 'quote".py', "back\\slash.py", "tab\t.py", ":colon.py"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("how", ["changed", "untracked", "renamed"])
def test_uncommitted_files_of_any_name_are_listed(repo: Repo, name: str, how: str) -> None:
    if how == "untracked":
        (repo.folder / name).parent.mkdir(parents=True, exist_ok=True)
        repo.write(Path(name).parent.joinpath("sibling").as_posix())
        repo.commit("Sibling")
        repo.write(name)
    elif how == "renamed":
        (repo.folder / name).parent.mkdir(parents=True, exist_ok=True)
        repo.git("mv", "--", "a.py", name)
    else:
        repo.write(name)
        repo.commit("Add")
        repo.write(name, "other = 1\n")
    found = state(repo.folder)
    assert found is not None
    assert found.dirty == (name,)


def test_before_the_first_commit_there_is_a_branch_but_no_commit(empty: Repo) -> None:
    empty.write("a.py")
    found = state(empty.folder)
    assert found is not None
    assert (found.branch, found.commit, found.dirty) == ("main", "", ("a.py",))


def test_a_detached_head_has_no_branch(repo: Repo) -> None:
    repo.git("checkout", "-q", "--detach")
    found = state(repo.folder)
    assert found is not None
    assert found.branch is None


def test_upstream_and_stashes_are_counted(repo: Repo, tmp_path: Path) -> None:
    clone = Repo(tmp_path / "clone")
    clone.git("clone", "-q", str(repo.folder), ".")
    repo.commit("There")
    clone.git("fetch", "-q")
    clone.commit("Here")
    clone.commit("Here too")
    clone.write("a.py", "stashed = 1\n")
    clone.git("stash", "-q")
    found = state(clone.folder)
    assert found is not None
    assert (found.upstream, found.ahead, found.behind, found.stashes) == ("origin/main", 2, 1, 1)


def reverts(repo: Repo) -> None:
    repo.commit("More", a="more\n")
    repo.tries("revert", "HEAD~1")


def bisects(repo: Repo) -> None:
    repo.git("bisect", "start")


OPERATIONS: dict[str, Callable[[Repo], None]] = {
    "merge": lambda repo: repo.tries("merge", "other"),
    "rebase": lambda repo: repo.tries("rebase", "other"),
    "cherry-pick": lambda repo: repo.tries("cherry-pick", "other"),
    "revert": reverts,
    "bisect": bisects,
}


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_under_way_is_named(repo: Repo, name: str) -> None:
    repo.conflict()
    saved = stamp(draft("a.py"), repo.folder)
    OPERATIONS[name](repo)
    found = state(repo.folder)
    assert found is not None
    assert found.operation == name
    assert drift_of(saved, repo).operation == name


def test_an_apply_rebase_is_a_rebase_too(repo: Repo) -> None:
    repo.conflict()
    repo.tries("rebase", "--apply", "other")
    found = state(repo.folder)
    assert found is not None
    assert found.operation == "rebase"


# -------------------------------------------------------------- how git itself is called


def test_looking_writes_nothing_and_runs_nothing_of_the_repository(repo: Repo) -> None:
    trap = repo.folder / ".git" / "trap"
    script = f'#!/bin/sh\necho ran >> "{trap.as_posix()}"\n'
    program = repo.folder / ".git" / "program"
    program.write_text(script, encoding="utf-8")
    program.chmod(0o755)
    hook = repo.folder / ".git" / "hooks" / "post-index-change"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(script, encoding="utf-8")
    hook.chmod(0o755)
    saved = stamp(draft("a.py"), repo.folder)
    repo.commit("Later", a="later = 1\n")
    signed = repo.git("cat-file", "commit", "HEAD").replace(
        "\n\n", "\ngpgsig -----BEGIN PGP SIGNATURE-----\n x\n -----END PGP SIGNATURE-----\n\n", 1
    )
    repo.write(".git/signed", signed + "\n")
    repo.git("reset", "-q", repo.git("hash-object", "-t", "commit", "-w", ".git/signed"))
    trap.unlink(missing_ok=True)
    for setting in ("core.fsmonitor", "core.pager", "diff.external", "gpg.program"):
        repo.git("config", setting, program.as_posix())
    repo.git("config", "log.showSignature", "true")
    (repo.folder / "a.py").touch()
    before = (repo.folder / ".git" / "index").read_bytes()
    assert drift_of(saved, repo).ahead == 1
    assert not trap.exists()
    assert (repo.folder / ".git" / "index").read_bytes() == before


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script as filter")
def test_looking_runs_nothing_of_a_submodule(repo: Repo, tmp_path: Path) -> None:
    inner = Repo(tmp_path / "inner")
    inner.git("init", "-q")
    inner.commit("Inner", b=TEXT)
    repo.git("-c", "protocol.file.allow=always", "submodule", "-q", "add", str(inner.folder), "lib")
    repo.commit("Add lib")
    trap = tmp_path / "trap"
    lib = Repo(repo.folder / "lib")
    lib.git("config", "filter.x.clean", f"echo ran >> '{trap}'; cat")
    lib.write(".gitattributes", "*.py filter=x\n")
    saved = stamp(draft("a.py"), repo.folder)
    lib.write("b.py", TEXT.replace("1", "2"))
    trap.unlink(missing_ok=True)
    found = state(repo.folder)
    assert found is not None
    assert sign(str(repo.folder), str(repo.folder / ".git"), ["a.py"])
    drift_of(saved, repo)
    assert not trap.exists()


def test_a_work_tree_whose_filters_cannot_be_read_in_time_is_not_looked_at(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.git("config", "filter.x.clean", f"echo ran >> '{repo.folder / 'trap'}'; cat")
    repo.write(".gitattributes", "*.py filter=x\n")
    repo.write("a.py", TEXT.replace("1", "2"))
    (repo.folder / "trap").unlink(missing_ok=True)

    def late(*_words: object, **_options: object) -> None:
        raise subprocess.TimeoutExpired("git", 5)

    with monkeypatch.context() as patch:
        patch.setattr(subprocess, "run", late)
        with pytest.raises(OnwardError):
            state(repo.folder)
        assert not sign(str(repo.folder), str(repo.folder / ".git"), [])
    assert not (repo.folder / "trap").exists()


@pytest.mark.skipif(os.name == "nt", reason="no alarm there")
@pytest.mark.parametrize("way", ["sign", "ask"])
def test_no_git_is_left_behind_when_the_alarm_of_a_hook_rings(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    (tmp_path / "git").write_text(f"#!/bin/sh\necho $$ > '{tmp_path}/pid'\nexec sleep 60\n")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")

    class TimeIsUpError(BaseException):
        pass

    def ring(*_: object) -> None:
        raise TimeIsUpError

    asking: dict[str, Callable[[], object]] = {
        "sign": lambda: sign(str(repo.folder), str(repo.folder / ".git"), []),
        "ask": lambda: git.ask(repo.folder, "status"),
    }
    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        with pytest.raises(TimeIsUpError):
            asking[way]()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_settings_of_the_user_do_not_change_what_is_seen(repo: Repo) -> None:
    for setting, value in (
        ("status.showUntrackedFiles", "no"),
        ("status.relativePaths", "true"),
        ("status.renames", "false"),
        ("color.ui", "always"),
        ("log.showRoot", "false"),
        ("core.quotePath", "true"),
    ):
        repo.git("config", "--global", setting, value)
    saved = stamp(draft("a.py"), repo.folder)
    later = repo.commit("Later", a="later = 1\n")
    repo.git("mv", "a.py", "ünew.py")
    drift = drift_of(saved, repo)
    assert [file.to for file in drift.files] == ["ünew.py"]
    assert [one.hash for one in drift.commits] == [later]
    repo.write("yet.py")
    found = state(repo.folder)
    assert found is not None
    assert found.dirty == ("ünew.py", "yet.py")


def test_a_repository_of_another_user_is_refused_in_words(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    for ask in (top, common, state):
        with pytest.raises(OnwardError, match="belongs to another user") as caught:
            ask(repo.folder)
        assert "safe.directory" in caught.value.hint


def test_a_broken_index_is_told_with_the_command_that_shows_it(repo: Repo) -> None:
    (repo.folder / ".git" / "index").write_bytes(b"no index")
    with pytest.raises(OnwardError, match="git status failed") as caught:
        state(repo.folder)
    assert "status" in caught.value.hint
    assert top(repo.folder) == repo.folder.resolve()


def test_without_git_there_is_no_repository(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repo.folder / "nothing"))
    assert top(repo.folder) is None
    saved = stamp(draft("a.py"), repo.folder)
    assert saved.repo is None
    assert saved.files[0].size == len(TEXT)


def test_where_git_is_too_slow_it_is_asked_again_without_untracked_files(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.write("a.py", "changed = 1\n")
    repo.write("new.py")
    monkeypatch.setattr(git, "_QUICK", 0.0)
    found = state(repo.folder)
    assert found is not None
    assert (found.branch, found.dirty) == ("main", ("a.py",))


@pytest.mark.skipif(sys.platform == "win32", reason="a script for sh")
def test_a_git_that_hangs_is_left_behind(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = shutil.which("git")
    script = f'#!/bin/sh\ncase " $* " in *" status "*) sleep 30;; esac\nexec {real} "$@"\n'
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "git").write_text(script, encoding="utf-8")
    (tmp_path / "bin" / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(git, "_QUICK", 0.2)
    monkeypatch.setattr(git, "_PATIENT", 0.2)
    start = time.monotonic()
    with pytest.raises(OnwardError, match="git status"):
        state(repo.folder)
    assert time.monotonic() - start < 15


@pytest.mark.parametrize(("commits", "calls"), [(0, 3), (1, 6)])
def test_git_is_called_a_few_times_however_many_files_are_recorded(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, commits: int, calls: int
) -> None:
    names = [f"n{number}.py" for number in range(30)]
    for name in names:
        repo.write(name)
    repo.commit("Add")
    saved = stamp(draft(*names), repo.folder)
    for name in names:
        repo.git("mv", name, f"m{name}")
    if commits:
        repo.commit("Move all")
    made = []
    popen = subprocess.Popen

    def counted(words: list[str], **more: Any) -> subprocess.Popen[bytes]:
        made.append(words)
        return popen(words, **more)

    monkeypatch.setattr(subprocess, "Popen", counted)
    observe(saved, repo.folder)
    assert len(made) == calls


# ------------------------------------------------------------------------------- stamp


def test_a_stamp_holds_size_hash_and_state(repo: Repo) -> None:
    saved = stamp(draft("a.py"), repo.folder)
    digest = hashlib.sha256(TEXT.encode()).hexdigest()[:16]
    assert saved.files == (FileFact(path="a.py", size=len(TEXT), hash=digest),)
    assert saved.repo == state(repo.folder)


WORDS: dict[str, dict[str, object]] = {
    "next action": {"next_action": Item(text="fix `a.py:7` first")},
    "request": {"requests": (Item(text="look at (a.py:7)"),)},
    "a reason": {"decisions": (Item(text="keep it", why="see a.py:7."),)},
    "dead end": {"dead_ends": (Item(text="./a.py:7 did not work"),)},
    "task": {"tasks": (Task(title="a.py:7:12 is wrong"),)},
    "failing test": {"runs": (Run(command="make", decisive=("a.py:7: error: x",)),)},
}


@pytest.mark.parametrize("where", WORDS)
def test_a_line_that_the_words_name_is_anchored(repo: Repo, where: str) -> None:
    saved = stamp(draft("a.py", **WORDS[where]), repo.folder)
    assert saved.files[0].anchors == (Anchor(line=7, text="value_7 = 7"),)


def test_the_first_line_of_an_edit_is_anchored(repo: Repo) -> None:
    fact = FileFact(path="a.py", spans=((3, 5), (9, 9)))
    saved = stamp(draft(files=(fact,)), repo.folder)
    assert [anchor.line for anchor in saved.files[0].anchors] == [3, 9]


@pytest.mark.parametrize("line", ["", "   ", "}", "else:", "});", "same = 1", "x" * 400])
def test_a_line_that_tells_nothing_is_not_anchored(repo: Repo, line: str) -> None:
    repo.write("b.py", f"first = 1\n{line}\nsame = 1\nsame = 1\n")
    saved = stamp(draft("b.py", next_action=Item(text="see b.py:2")), repo.folder)
    assert saved.files[0].anchors == ()


def test_a_name_without_its_folder_means_the_one_recorded_file(repo: Repo) -> None:
    repo.write("src/b.py")
    repo.write("src/c.py")
    repo.write("lib/c.py")
    words = Item(text="b.py:2 and c.py:3 and nowhere.py:4 and example.org:443")
    saved = stamp(draft("src/b.py", "src/c.py", "lib/c.py", next_action=words), repo.folder)
    assert [[anchor.line for anchor in file.anchors] for file in saved.files] == [[2], [], []]


@pytest.mark.parametrize("absolute", [False, True])
def test_a_file_known_only_by_a_named_line_is_recorded(repo: Repo, absolute: bool) -> None:
    name = str(repo.folder / "a.py") if absolute else "a.py"
    saved = stamp(draft(next_action=Item(text=f"fix {name}:7")), repo.folder)
    assert [(file.path, file.change) for file in saved.files] == [("a.py", "named")]
    again = stamp(draft("a.py", next_action=Item(text=f"fix {name}:7")), repo.folder)
    assert [(file.path, file.change) for file in again.files] == [("a.py", "edited")]


@pytest.mark.parametrize(
    "recorded", ["../secret.py", "/etc/hostname", "link/secret.py", "a\0b", "~/x"]
)
def test_a_path_that_leads_out_of_the_project_is_not_followed(
    repo: Repo, tmp_path: Path, recorded: str
) -> None:
    (tmp_path / "secret.py").write_text("x = 1\n", encoding="utf-8")
    (tmp_path / "home" / "x").write_text("x = 1\n", encoding="utf-8")
    if sys.platform != "win32":
        (repo.folder / "link").symlink_to(tmp_path)
    saved = draft(recorded)
    assert stamp(saved, repo.folder).files == saved.files
    assert observe(saved, repo.folder).files == ()


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of POSIX")
def test_links_folders_and_pipes_are_not_read(repo: Repo, tmp_path: Path) -> None:
    (tmp_path / "secret.py").write_text("x = 1\n", encoding="utf-8")
    (repo.folder / "link.py").symlink_to(tmp_path / "secret.py")
    (repo.folder / "loop").symlink_to("loop")
    (repo.folder / "folder").mkdir()
    os.mkfifo(repo.folder / "pipe")
    saved = draft("link.py", "loop", "loop/x", "folder", "pipe")
    assert stamp(saved, repo.folder).files == saved.files
    assert drift_of(saved, repo).files == ()


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
@pytest.mark.parametrize("name", ["HEAD", "config", "index", "packed-refs"])
def test_where_git_would_wait_for_a_pipe_it_is_not_called(
    repo: Repo, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repo.folder / ".git" / name).unlink(missing_ok=True)
    os.mkfifo(repo.folder / ".git" / name)
    called = []
    monkeypatch.setattr(subprocess, "Popen", lambda *words, **_: called.append(words))
    git.in_the_way.cache_clear()
    assert top(repo.folder) is None
    assert top(repo.folder / "src") is None
    assert called == []
    assert git.in_the_way(repo.folder) == repo.folder / ".git" / name


def test_of_a_big_file_only_the_size_is_kept(repo: Repo) -> None:
    with (repo.folder / "big.bin").open("wb") as big:
        big.truncate(5_000_001)
    saved = stamp(draft("big.bin"), repo.folder)
    assert (saved.files[0].size, saved.files[0].hash) == (5_000_001, "")
    repo.commit("Take it in")
    assert drift_of(saved, repo).files == ()
    with (repo.folder / "big.bin").open("wb") as big:
        big.truncate(5_000_002)
    assert drift_of(saved, repo).files == (FileDrift(path="big.bin", change="changed"),)


def test_a_big_file_is_told_with_its_commit_though_it_is_not_read(repo: Repo) -> None:
    big = repo.folder / "big.bin"
    big.write_bytes(bytes(5_000_001))
    repo.commit("Add big")
    saved = stamp(draft("big.bin"), repo.folder)
    big.write_bytes(b"1" * 5_000_001)
    commit = repo.commit("Change big")
    (file,) = drift_of(saved, repo).files
    assert (file.change, file.commit.hash if file.commit else "") == ("changed", commit)


def test_paths_may_be_written_with_backslashes(repo: Repo) -> None:
    repo.write("src/b.py")
    saved = stamp(draft("src\\b.py", next_action=Item(text="src\\b.py:4")), repo.folder)
    assert [anchor.line for anchor in saved.files[0].anchors] == [4]


def test_a_stamp_leaves_out_what_was_only_heard_of_and_is_not_there(repo: Repo) -> None:
    repo.write("there.py", "x = 1\n")
    files = (
        FileFact(path="there.py", change="read"),
        FileFact(path="places/pier.md", change="named"),
        FileFact(path="gone.py", change="edited"),
        FileFact(path="/etc/elsewhere.conf", change="read"),
    )
    stamped = stamp(Draft(task=Item(text="t"), files=files), repo.folder)
    assert [f.path for f in stamped.files] == ["there.py", "gone.py", "/etc/elsewhere.conf"]


def test_a_stamp_keeps_a_bounded_list_of_uncommitted_files_with_the_work_first(repo: Repo) -> None:
    for number in range(250):
        repo.write(f"n{number:03}.py", "x\n")
    repo.write("z.py")
    saved = stamp(draft("z.py"), repo.folder)
    assert saved.repo is not None
    assert len(saved.repo.dirty) == 200
    assert saved.repo.dirty[0] == "z.py"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see src/a.py:45", [("src/a.py", 45)]),
        ("(`src/a.py:45`), b.py:6:2", [("src/a.py", 45), ("b.py", 6)]),
        ("C:\\x\\a.py:45", [("/x/a.py", 45)]),
        ("at 12:30 and 10:15:20", []),
        ("a.py:0 a.py:45px :45 ..:3", []),
        ("app/[id]/page.tsx:9", [("app/[id]/page.tsx", 9)]),
        ("x" * 5000 + ":45", [("x" * 300, 45)]),
    ],
)
def test_places_in_a_text(text: str, expected: list[tuple[str, int]]) -> None:
    assert list(places(text)) == expected


# ------------------------------------------------------------- observe, then compare


def test_nothing_changed_is_an_empty_drift(repo: Repo) -> None:
    saved = stamp(draft("a.py", next_action=Item(text="a.py:7")), repo.folder)
    assert drift_of(saved, repo) == Drift()


def test_commits_ahead_are_told_newest_first(repo: Repo) -> None:
    saved = stamp(draft("a.py"), repo.folder)
    for number in range(12):
        repo.commit(f"Step {number}")
    drift = drift_of(saved, repo)
    assert (drift.ahead, drift.behind) == (12, 0)
    assert [one.subject for one in drift.commits] == [f"Step {n}" for n in range(11, 1, -1)]
    assert drift.commits[0].hash == drift.commit_now == repo.git("rev-parse", "HEAD")


def test_a_reset_leaves_the_save_behind(repo: Repo) -> None:
    repo.commit("Second", a="second = 2\n")
    saved = stamp(draft("a.py"), repo.folder)
    repo.git("reset", "-q", "--hard", "HEAD~1")
    drift = drift_of(saved, repo)
    assert (drift.ahead, drift.behind, drift.commits) == (0, 1, ())
    assert drift.files == (FileDrift(path="a.py", change="changed"),)


def test_an_amended_commit_is_ahead_and_behind(repo: Repo) -> None:
    repo.commit("Second", a="second = 2\n")
    saved = stamp(draft("a.py"), repo.folder)
    repo.git("commit", "-q", "--amend", "-m", "Second, better")
    drift = drift_of(saved, repo)
    assert (drift.ahead, drift.behind, drift.commit_gone, drift.files) == (1, 1, False, ())


def test_a_switched_branch_is_told(repo: Repo) -> None:
    saved = stamp(draft("a.py"), repo.folder)
    repo.git("checkout", "-q", "-b", "fix")
    assert drift_of(saved, repo) == Drift(branch_was="main", branch_now="fix")


def test_a_detached_head_is_told(repo: Repo) -> None:
    saved = stamp(draft("a.py"), repo.folder)
    repo.git("checkout", "-q", "--detach")
    assert drift_of(saved, repo) == Drift(branch_was="main", detached=True)


@pytest.mark.parametrize("name", [name for name in NAMES if "\\" not in name])
def test_a_changed_file_is_told_with_its_newest_commit(repo: Repo, name: str) -> None:
    repo.write(name)
    repo.commit("Add")
    saved = stamp(draft(name), repo.folder)
    repo.write(name, TEXT + "more = 1\n")
    repo.commit("More")
    repo.write(name, TEXT + "more = 2\n")
    newest = repo.commit("Most")
    repo.commit("Else", else_="x\n")
    (file,) = drift_of(saved, repo).files
    assert (file.path, file.change) == (name, "changed")
    assert file.commit is not None
    assert (file.commit.hash, file.commit.subject) == (newest, "Most")


def test_a_file_changed_and_not_committed_has_no_commit(repo: Repo) -> None:
    saved = stamp(draft("a.py"), repo.folder)
    repo.write("a.py", "x = 1\n")
    assert drift_of(saved, repo) == Drift(files=(FileDrift(path="a.py", change="changed"),))


def test_committing_what_was_there_at_the_save_changes_no_file(repo: Repo) -> None:
    repo.write("a.py", "x = 1\n")
    repo.write("new.py")
    saved = stamp(draft("a.py", "new.py"), repo.folder)
    assert drift_of(saved, repo) == Drift(uncommitted=("a.py", "new.py"))
    repo.commit("Take it in")
    drift = drift_of(saved, repo)
    assert (drift.ahead, drift.files, drift.uncommitted) == (1, (), ())


def test_what_a_script_left_uncommitted_is_told_though_no_record_names_it(repo: Repo) -> None:
    repo.write("made-by-script.py", "x = 1\n")
    saved = stamp(draft("a.py"), repo.folder)
    assert drift_of(saved, repo) == Drift(uncommitted=("made-by-script.py",))


def test_what_somebody_else_left_uncommitted_since_is_told(repo: Repo) -> None:
    saved = stamp(draft("a.py"), repo.folder)
    repo.write("elsewhere.py", "y = 2\n")
    assert drift_of(saved, repo) == Drift(dirty=("elsewhere.py",))


def test_a_new_file_in_a_new_folder_is_uncommitted(repo: Repo) -> None:
    repo.write("src/new.py")
    saved = stamp(draft("src/new.py"), repo.folder)
    assert drift_of(saved, repo) == Drift(uncommitted=("src/new.py",))


@pytest.mark.parametrize("committed", [False, True])
def test_a_deleted_file_is_told(repo: Repo, committed: bool) -> None:
    saved = stamp(draft("a.py"), repo.folder)
    (repo.folder / "a.py").unlink()
    commit = repo.commit("Drop a") if committed else ""
    (file,) = drift_of(saved, repo).files
    assert (file.path, file.change) == ("a.py", "deleted")
    assert (file.commit.hash if file.commit else "") == commit


@pytest.mark.parametrize("edited", [False, True])
@pytest.mark.parametrize("how", ["committed", "staged"])
def test_a_renamed_file_is_followed(repo: Repo, how: str, edited: bool) -> None:
    saved = stamp(draft("a.py", next_action=Item(text="a.py:7")), repo.folder)
    (repo.folder / "src").mkdir()
    repo.git("mv", "a.py", "src/b c.py")
    if edited:
        repo.write("src/b c.py", "first = 0\n" + TEXT)
        repo.git("add", "--all")
    commit = repo.commit("Move a") if how == "committed" else ""
    file, *moved = drift_of(saved, repo).files
    assert (file.path, file.change, file.to) == ("a.py", "renamed", "src/b c.py")
    assert (file.commit.hash if file.commit else "") == commit
    line = FileDrift(path="a.py", change="moved", to="src/b c.py", line=7, to_line=8)
    assert moved == ([line] if edited else [])


def test_a_rename_after_a_rename_is_followed_to_its_end(repo: Repo) -> None:
    saved = stamp(draft("a.py"), repo.folder)
    repo.git("mv", "a.py", "b.py")
    repo.commit("Once")
    repo.git("mv", "b.py", "c.py")
    (file,) = drift_of(saved, repo).files
    assert (file.change, file.to) == ("renamed", "c.py")


@pytest.mark.parametrize("committed", [False, True])
def test_a_file_that_git_did_not_know_is_followed_by_its_content(
    repo: Repo, committed: bool
) -> None:
    path = repo.write("draft.py", "draft = 1\n" + TEXT)
    saved = stamp(draft("draft.py"), repo.folder)
    path.rename(repo.folder / "final.py")
    if committed:
        repo.commit("Take it in")
    (file,) = drift_of(saved, repo).files
    assert (file.change, file.to) == ("renamed", "final.py")


def test_of_two_copies_neither_is_taken_for_the_renamed_file(repo: Repo) -> None:
    path = repo.write("draft.py", "draft = 1\n" + TEXT)
    saved = stamp(draft("draft.py"), repo.folder)
    path.rename(repo.folder / "one.py")
    repo.write("two.py", "draft = 1\n" + TEXT)
    assert drift_of(saved, repo).files == (FileDrift(path="draft.py", change="deleted"),)


@pytest.mark.parametrize("committed", [False, True])
def test_a_recorded_line_is_found_again(repo: Repo, committed: bool) -> None:
    saved = stamp(draft("a.py", next_action=Item(text="fix a.py:7")), repo.folder)
    repo.write("a.py", "# new\n" * 16 + TEXT.replace("value_3", "changed"))
    if committed:
        repo.commit("Add a head")
    changed, moved = drift_of(saved, repo).files
    assert changed.change == "changed"
    assert moved == FileDrift(path="a.py", change="moved", line=7, to_line=23)


def test_a_recorded_line_that_is_gone_or_stands_twice_is_not_guessed(repo: Repo) -> None:
    saved = stamp(draft("a.py", next_action=Item(text="a.py:7 a.py:9")), repo.folder)
    repo.write("a.py", "# new\n" + TEXT.replace("value_7 =", "seven =") + "value_9 = 9\n")
    assert [file.change for file in drift_of(saved, repo).files] == ["changed"]


def test_without_a_repository_files_are_compared_by_content(tmp_path: Path) -> None:
    plain = Repo(tmp_path / "plain")
    for name in ("a.py", "b.py", "c.py"):
        plain.write(name)
    saved = stamp(draft("a.py", "b.py", "c.py", "never.py"), plain.folder)
    assert saved.repo is None
    plain.write("a.py", "x = 1\n")
    (plain.folder / "b.py").unlink()
    kinds = {file.path: file.change for file in drift_of(saved, plain).files}
    assert kinds == {"a.py": "changed", "b.py": "deleted", "never.py": "missing"}
    assert msgspec.structs.replace(drift_of(saved, plain), files=()) == Drift(no_git=True)


def test_a_repository_that_is_gone_is_told(repo: Repo) -> None:
    saved = stamp(draft("a.py"), repo.folder)
    (repo.folder / ".git").rename(repo.folder.parent / "elsewhere")
    assert drift_of(saved, repo) == Drift(no_git=True, repo_gone=True)


@pytest.mark.parametrize("base", ["f" * 40, "fedcba9"])
def test_a_commit_that_no_longer_exists_is_told_with_the_commits_since_the_save(
    repo: Repo, monkeypatch: pytest.MonkeyPatch, base: str
) -> None:
    saved = stamp(draft("a.py"), repo.folder)
    assert saved.repo is not None
    saved = msgspec.structs.replace(saved, repo=msgspec.structs.replace(saved.repo, commit=base))
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-03-02T12:00:00Z")
    later = repo.commit("Later", a="later = 1\n")
    drift = drift_of(saved, repo)
    assert (drift.commit_gone, drift.ahead, drift.behind) == (True, 1, 0)
    assert [one.hash for one in drift.commits] == [later]
    (file,) = drift.files
    assert (file.change, file.commit) == ("changed", drift.commits[0])


def test_a_commit_beyond_the_end_of_a_shallow_clone_is_gone(repo: Repo, tmp_path: Path) -> None:
    saved = stamp(draft("a.py"), repo.folder)
    repo.commit("Second")
    repo.commit("Third")
    shallow = Repo(tmp_path / "shallow")
    shallow.git("clone", "-q", "--depth=1", repo.folder.as_uri(), ".")
    drift = drift_of(saved, shallow)
    assert drift.commit_gone
    assert drift.files == ()


def test_a_partial_clone_is_never_made_to_fetch(repo: Repo, tmp_path: Path) -> None:
    repo.git("config", "uploadpack.allowFilter", "true")
    saved = stamp(draft("a.py"), repo.folder)
    repo.git("mv", "a.py", "b.py")
    repo.write("b.py", TEXT + "more = 1\n")
    repo.commit("Move a")
    partial = Repo(tmp_path / "partial")
    partial.git("clone", "-q", "--filter=blob:none", repo.folder.as_uri(), ".")
    packs = partial.folder / ".git" / "objects" / "pack"
    before = sorted(packs.iterdir())
    (file,) = drift_of(saved, partial).files
    assert (file.change, file.commit.subject if file.commit else "") == ("deleted", "Move a")
    assert sorted(packs.iterdir()) == before


def test_saved_before_the_first_commit(empty: Repo) -> None:
    empty.write("a.py")
    empty.write("b.py")
    saved = stamp(draft("a.py", "b.py"), empty.folder)
    (empty.folder / "b.py").rename(empty.folder / "c.py")
    first = empty.commit("Begin")
    drift = drift_of(saved, empty)
    assert (drift.commit_was, drift.commit_now, drift.ahead) == ("", first, 1)
    assert [one.subject for one in drift.commits] == ["Begin"]
    (file,) = drift.files
    assert (file.path, file.change, file.to) == ("b.py", "renamed", "c.py")


def test_a_branch_without_commits_is_no_fault(repo: Repo) -> None:
    saved = stamp(draft("a.py"), repo.folder)
    repo.git("checkout", "-q", "--orphan", "fresh")
    drift = drift_of(saved, repo)
    assert (drift.branch_now, drift.commit_gone, drift.files) == ("fresh", False, ())


def test_a_project_may_be_a_folder_of_the_repository(repo: Repo) -> None:
    repo.write("web/app/x.ts")
    repo.commit("Add web")
    web = repo.folder / "web"
    saved = stamp(draft("app/x.ts"), web)
    (web / "lib").mkdir()
    repo.git("mv", "web/app/x.ts", "web/lib/y.ts")
    commit = repo.commit("Move x")
    (file,) = compare(saved, observe(saved, web)).files
    assert (file.path, file.change, file.to) == ("app/x.ts", "renamed", "lib/y.ts")
    assert file.commit is not None
    assert file.commit.hash == commit


def test_a_linked_work_tree_is_compared_with_its_own_files(repo: Repo, tmp_path: Path) -> None:
    linked = Repo(tmp_path / "linked")
    repo.git("worktree", "add", "-q", "-b", "fix", str(linked.folder))
    saved = stamp(draft("a.py"), linked.folder)
    repo.commit("On main", a="main = 1\n")
    assert drift_of(saved, linked) == Drift()


def test_a_file_without_a_stamp_is_judged_by_what_git_compares(repo: Repo) -> None:
    repo.write("gone.py")
    base = repo.commit("Add gone")
    stamped = stamp(draft(), repo.folder).repo
    assert stamped is not None
    short = msgspec.structs.replace(stamped, root="", commit=base[:7])
    saved = draft("a.py", "gone.py", "never.py", repo=short)
    assert [file.change for file in drift_of(saved, repo).files] == ["missing"]
    (repo.folder / "gone.py").unlink()
    repo.commit("Change a", a="x = 1\n")
    kinds = [(file.path, file.change) for file in drift_of(saved, repo).files]
    assert kinds == [("a.py", "changed"), ("gone.py", "deleted"), ("never.py", "missing")]


def test_a_path_that_redaction_changed_is_not_called_missing(repo: Repo) -> None:
    saved = draft("conf/[REDACTED:token:a1b2c3].py")
    assert drift_of(saved, repo).files == ()


@pytest.mark.parametrize("commit", ["--output=x", "HEAD~1", "main", "zzzz", "@{upstream}"])
def test_a_commit_that_a_person_typed_is_never_an_option_of_git(repo: Repo, commit: str) -> None:
    stamped = stamp(draft("a.py"), repo.folder)
    assert stamped.repo is not None
    state_then = msgspec.structs.replace(stamped.repo, commit=commit)
    saved = msgspec.structs.replace(stamped, repo=state_then)
    assert drift_of(saved, repo) == Drift()
    assert not (repo.folder / "x").exists()


# ------------------------------------------------------------------- when the session ended


def test_the_commit_of_a_moment_is_told_by_the_reflog(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = repo.git("rev-parse", "HEAD")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-03-02T12:00:00Z")
    second = repo.commit("Count words", a="more\n")
    moment = datetime(2026, 3, 1, 18, tzinfo=UTC)
    assert commit_at(repo.folder, moment) == first
    assert commit_at(repo.folder, moment + timedelta(days=1)) == second
    assert commit_at(repo.folder, moment - timedelta(days=9)) == ""


@pytest.mark.parametrize("how", [("checkout", "--", "a.py"), ("stash",), ("reset", "--hard")])
def test_edits_that_were_taken_back_are_gone(repo: Repo, how: tuple[str, ...]) -> None:
    repo.write("a.py", "the work\n")
    saved = stamp(draft("a.py"), repo.folder)
    repo.git(*how)
    drift = drift_of(saved, repo)
    assert [(f.path, f.change) for f in drift.files] == [("a.py", "reverted")]
    assert drift.stashes == (how == ("stash",))


# --------------------------------------------------------------------- other work trees


def test_a_file_of_a_submodule_is_asked_of_the_submodule(repo: Repo, tmp_path: Path) -> None:
    library = Repo(tmp_path / "library")
    library.git("init", "-q")
    library.commit("Begin", lib=TEXT)
    repo.git("submodule", "--quiet", "add", str(library.folder), "lib")
    repo.commit("Add the library")
    inside = Repo(repo.folder / "lib")
    inside.write("lib.py", "changed\n")
    saved = stamp(draft("lib/lib.py", "a.py"), repo.folder)
    assert saved.repo is not None
    assert saved.repo.dirty == ("lib/lib.py",)
    assert drifted(saved, repo.folder, None).uncommitted == ("lib/lib.py",)
    taken = inside.commit("Take it in")
    found = drifted(saved, repo.folder, None)
    assert "lib/lib.py" not in (*found.uncommitted, *found.dirty)
    at = datetime.now(UTC) - timedelta(hours=1)
    assert taken not in [
        c.hash for tree in drifted(saved, repo.folder, at).trees for c in tree.commits
    ]


def test_a_linked_work_tree_beside_the_project_says_what_came_since(
    repo: Repo, tmp_path: Path
) -> None:
    beside = Repo(tmp_path / "beside")
    repo.git("worktree", "add", "-q", "-b", "login", str(beside.folder))
    beside.write("page.py")
    name = str(beside.folder / "page.py")
    saved = draft(name)
    assert drifted(saved, repo.folder, None).uncommitted == (name,)
    ended = datetime.now(UTC) + timedelta(seconds=1)
    beside.commit("Add the page")
    beside.git("checkout", "-q", "--detach")
    (found,) = drifted(saved, repo.folder, ended).trees
    assert found.root == str(beside.folder)
    assert found.detached
    assert drifted(saved, repo.folder, ended).uncommitted == ()


def test_a_folder_of_repositories_asks_each_of_them(tmp_path: Path) -> None:
    one, two = Repo(tmp_path / "all" / "one"), Repo(tmp_path / "all" / "two")
    for repo in (one, two):
        repo.git("init", "-q")
        repo.commit("Begin", a=TEXT)
    one.write("a.py", "changed\n")
    found = drifted(draft("one/a.py", "two/a.py"), tmp_path / "all", None)
    assert (found.no_git, found.uncommitted) == (False, ("one/a.py",))
    assert drifted(draft("one/a.py", "c.py"), tmp_path / "all", None).no_git


def test_what_the_session_only_read_elsewhere_is_not_looked_at(repo: Repo, tmp_path: Path) -> None:
    other = Repo(tmp_path / "other")
    other.git("init", "-q")
    read = FileFact(path=str(other.write("a.py")), change="read")
    assert drifted(draft(files=(read,)), repo.folder, None).trees == ()
