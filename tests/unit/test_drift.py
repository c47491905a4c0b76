"""The saved state against today's, as a pure function."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.drift import Observed, SeenFile, compare, is_commit, same_commit, standing
from onward.model import Anchor, Commit, Draft, Drift, FileDrift, FileFact, Item, RepoState

ONE, TWO = "1" * 40, "2" * 40
STATE = RepoState(root="/p", branch="main", commit=ONE)
WORK = Commit(hash=TWO, subject="Count words once")


def saved(*files: FileFact[str], repo: RepoState[str] | None = STATE) -> Draft:
    return Draft(task=Item(text="count words"), files=files, repo=repo)


def seen(**today: object) -> SeenFile:
    return msgspec.convert({"path": "a.py", "size": 9, "hash": "same"} | today, SeenFile)


FACT = FileFact(path="a.py", size=9, hash="same")

# ------------------------------------------------------------------------------ files


@pytest.mark.parametrize(
    ("fact", "today", "expected"),
    [
        (FACT, seen(), None),
        (
            FACT,
            seen(hash="other", commit=WORK),
            FileDrift(path="a.py", change="changed", commit=WORK),
        ),
        (FACT, seen(hash="other"), FileDrift(path="a.py", change="changed")),
        (FACT, seen(touched=True, commit=WORK), None),
        (FACT, seen(exists=False), FileDrift(path="a.py", change="deleted")),
        (
            FACT,
            seen(exists=False, commit=WORK),
            FileDrift(path="a.py", change="deleted", commit=WORK),
        ),
        (FACT, seen(to="b.py"), FileDrift(path="a.py", change="renamed", to="b.py")),
        (FileFact(path="a.py"), seen(exists=False), FileDrift(path="a.py", change="missing")),
        (
            FileFact(path="a.py"),
            seen(exists=False, touched=True),
            FileDrift(path="a.py", change="deleted"),
        ),
        (FileFact(path="a.py"), seen(touched=True), FileDrift(path="a.py", change="changed")),
        (FileFact(path="a.py"), seen(), None),
        (
            FileFact(path="a.py", size=9),
            seen(size=10, hash=""),
            FileDrift(path="a.py", change="changed"),
        ),
        (FileFact(path="a.py", size=9), seen(hash=""), None),
        (FileFact(path="a.py", change="deleted"), seen(exists=False, touched=True), None),
        (FileFact(path="a.py", change="deleted"), seen(), FileDrift(path="a.py", change="changed")),
        (FileFact(path="old.py", change="renamed", to="a.py", size=9, hash="same"), seen(), None),
    ],
    ids=[
        "the same content",
        "other content, committed",
        "other content, not committed",
        "what was there at the save was committed since",
        "gone",
        "gone by a commit",
        "renamed",
        "recorded, but not there at the save either",
        "not stamped, gone by a commit",
        "not stamped, touched by a commit",
        "not stamped, nothing known",
        "too big to read, other size",
        "too big to read, same size",
        "deleted by the session and still gone",
        "deleted by the session and back again",
        "renamed by the session itself",
    ],
)
def test_what_became_of_a_recorded_file(
    fact: FileFact[str], today: SeenFile, expected: FileDrift[str] | None
) -> None:
    drift = compare(saved(fact), Observed(repo=STATE, files=(today,)))
    assert drift == Drift(files=(expected,) if expected else ())


def test_a_file_outside_the_project_is_no_drift() -> None:
    elsewhere = FileFact(path="/etc/hosts", size=1, hash="x")
    assert compare(saved(elsewhere), Observed(repo=STATE)) == Drift()


@pytest.mark.parametrize("to", [None, "b.py"])
def test_a_recorded_line_is_found_where_it_stands_now(to: str | None) -> None:
    fact = msgspec.structs.replace(FACT, anchors=(Anchor(line=45, text="def total():"),))
    today = seen(hash="other", lines=((45, 61),), to=to or "")
    files = compare(saved(fact), Observed(repo=STATE, files=(today,))).files
    assert files[-1] == FileDrift(path="a.py", change="moved", to=to, line=45, to_line=61)
    assert [file.change for file in files] == ["renamed" if to else "changed", "moved"]


def test_a_line_that_stayed_is_not_told() -> None:
    today = seen(hash="other", lines=((45, 45),))
    files = compare(saved(FACT), Observed(repo=STATE, files=(today,))).files
    assert [file.change for file in files] == ["changed"]


def test_files_come_in_the_order_in_which_they_were_recorded() -> None:
    names = ["c.py", "a.py", "b.py"]
    facts = [FileFact(path=name, hash="x", size=1) for name in names]
    today = tuple(SeenFile(path=name, exists=False) for name in sorted(names))
    drift = compare(saved(*facts), Observed(repo=STATE, files=today))
    assert [file.path for file in drift.files] == names


# ------------------------------------------------------------------------ uncommitted


@pytest.mark.parametrize(
    ("then", "today", "change", "expected"),
    [
        (("a.py",), seen(dirty=True), "edited", ("a.py",)),
        (("a.py",), seen(dirty=True, hash="other"), "edited", ("a.py",)),
        ((), seen(dirty=True), "edited", ("a.py",)),
        ((), seen(dirty=True, hash="other"), "edited", ()),
        ((), seen(dirty=True, exists=False), "edited", ()),
        ((), seen(dirty=True, to="b.py"), "edited", ()),
        (("a.py",), seen(), "edited", ()),
        (("a.py",), seen(dirty=True), "read", ()),
        (("a.py",), seen(dirty=True), "named", ()),
    ],
    ids=[
        "dirty then and now",
        "dirty then and now, edited between",
        "in a new folder, which git names as a whole",
        "clean then, changed since: told as changed",
        "clean then, deleted since",
        "clean then, renamed since",
        "committed since",
        "only read by the session",
        "only named by the session",
    ],
)
def test_which_files_are_still_not_committed(
    then: tuple[str, ...], today: SeenFile, change: str, expected: tuple[str, ...]
) -> None:
    fact = msgspec.convert(msgspec.to_builtins(FACT) | {"change": change}, FileFact[str])
    before = saved(fact, repo=msgspec.structs.replace(STATE, dirty=then))
    assert compare(before, Observed(repo=STATE, files=(today,))).uncommitted == expected


def test_a_recorded_file_stands_under_its_new_name_only_where_it_was_renamed() -> None:
    assert standing(FileFact(path="a.py", to="b.py", change="renamed")) == "b.py"
    assert standing(FileFact(path="a.py", to="b.py", change="edited")) == "a.py"
    assert standing(FileFact(path="a.py", change="renamed")) == "a.py"


@pytest.mark.parametrize(
    ("then", "now", "beside", "since"),
    [
        (("gen.csv",), ("gen.csv",), ("gen.csv",), ()),
        (("gen.csv",), (), (), ()),
        ((), ("gen.csv",), (), ("gen.csv",)),
        (("a.py",), ("a.py",), (), ()),
        (("src/",), ("src/",), ("src/",), ()),
        ((), ("lib/",), (), ()),
        (("lib/",), ("lib/",), (), ()),
        (("lib/x",), ("lib/",), (), ()),
    ],
    ids=[
        "a script wrote it before the save",
        "and it was committed since",
        "it came after the save",
        "a recorded file is told as such",
        "a new folder without recorded files",
        "a new folder that holds a recorded file",
        "the same folder, new as a whole then and now",
        "a folder that stands for a file of then",
    ],
)
def test_what_no_record_tells_of_and_is_not_committed(
    then: tuple[str, ...],
    now: tuple[str, ...],
    beside: tuple[str, ...],
    since: tuple[str, ...],
) -> None:
    facts = (FACT, FileFact(path="lib/b.py", size=9, hash="same"))
    files = (seen(dirty="a.py" in now), seen(path="lib/b.py", dirty=False))
    before = saved(*facts, repo=msgspec.structs.replace(STATE, dirty=then))
    today = Observed(repo=msgspec.structs.replace(STATE, dirty=now), files=files)
    drift = compare(before, today)
    assert (set(drift.uncommitted) - {"a.py"}, drift.dirty) == (set(beside), since)


def test_a_save_that_kept_only_some_uncommitted_paths_calls_none_of_the_others_new() -> None:
    every = tuple(f"gen/{n}.csv" for n in range(300))
    before = saved(FACT, repo=msgspec.structs.replace(STATE, dirty=every[:200]))
    today = Observed(repo=msgspec.structs.replace(STATE, dirty=every), files=(seen(),))
    assert compare(before, today).dirty == ()


# ------------------------------------------------------------------------------- git


@pytest.mark.parametrize(
    ("then", "now", "expected"),
    [
        (STATE, {"branch": "fix"}, Drift(branch_was="main", branch_now="fix")),
        (STATE, {"branch": None}, Drift(branch_was="main", detached=True)),
        (RepoState(root="/p", commit=ONE), {"branch": "fix"}, Drift()),
        (RepoState(root="", branch="HEAD", commit=ONE), {"branch": "fix"}, Drift()),
        (RepoState(root="", branch="main", commit="1" * 7), {}, Drift()),
        (RepoState(root="", branch="main", commit="1" * 24), {}, Drift()),
        (STATE, {"operation": "rebase"}, Drift(operation="rebase")),
        (STATE, {"commit": TWO}, Drift(commit_was=ONE, commit_now=TWO)),
        (RepoState(root="/p", branch="main"), {"commit": TWO}, Drift(commit_now=TWO)),
        (RepoState(root="", branch="main"), {"commit": TWO}, Drift()),
        (RepoState(root="", branch="main", commit="--all"), {}, Drift()),
        (STATE, {"commit": ""}, Drift(commit_was=ONE)),
        (None, {"branch": "fix", "commit": TWO}, Drift()),
    ],
    ids=[
        "another branch",
        "a detached head",
        "from a detached head to a branch",
        "a detached head as other tools write it",
        "a short hash of the same commit",
        "a cut hash of the same commit",
        "a rebase under way",
        "another commit",
        "the first commit came after the save",
        "a hand-written state without a commit",
        "a commit that is none",
        "a branch without commits",
        "saved outside of a repository",
    ],
)
def test_what_became_of_the_repository(
    then: RepoState[str] | None, now: dict[str, object], expected: Drift[str]
) -> None:
    today = msgspec.convert(msgspec.to_builtins(STATE) | now, RepoState[str])
    assert compare(saved(repo=then), Observed(repo=today)) == expected


def test_commits_since_the_save_are_handed_on() -> None:
    today = msgspec.structs.replace(STATE, commit=TWO)
    drift = compare(saved(), Observed(repo=today, ahead=3, behind=1, commits=(WORK,)))
    assert (drift.ahead, drift.behind, drift.commits) == (3, 1, (WORK,))


def test_a_saved_commit_that_is_gone_is_said() -> None:
    today = msgspec.structs.replace(STATE, commit=TWO)
    assert compare(saved(), Observed(repo=today, commit_exists=False)).commit_gone


def test_without_a_repository_only_files_are_compared() -> None:
    drift = compare(saved(FACT), Observed(commit_exists=False, ahead=2, files=(seen(hash="o"),)))
    changed = FileDrift(path="a.py", change="changed")
    assert drift == Drift(files=(changed,), no_git=True, repo_gone=True)


@pytest.mark.parametrize(
    "text", ["", "abc", "HEAD", "main", "--all", "g" * 40, "1" * 65, "1 2 3 4"]
)
def test_what_is_no_hash_is_never_given_to_git(text: str) -> None:
    assert not is_commit(text)


def test_hashes_are_one_commit_when_one_begins_the_other() -> None:
    assert same_commit("ABC1234", "abc1234def")
    assert not same_commit("", "abc1234")
    assert not same_commit("abc1234", "abd1234")


# ------------------------------------------------------------------------------- laws

WORDS = st.text(alphabet="abc/.", min_size=1, max_size=5)
FACTS = st.builds(
    FileFact,
    path=WORDS,
    change=st.sampled_from(["created", "edited", "deleted", "renamed", "read", "named"]),
    to=st.none() | WORDS,
    size=st.none() | st.integers(0, 9),
    hash=st.sampled_from(["", "1a", "2b"]),
    anchors=st.lists(st.builds(Anchor, line=st.integers(1, 9), text=WORDS), max_size=2).map(tuple),
)
STATES = st.builds(
    RepoState,
    root=st.sampled_from(["", "/p"]),
    branch=st.none() | st.sampled_from(["main", "fix"]),
    commit=st.sampled_from(["", ONE, TWO]),
    dirty=st.lists(WORDS, max_size=3).map(tuple),
    operation=st.sampled_from(["", "rebase", "merge"]),
)
DRAFTS = st.builds(
    Draft,
    task=st.just(Item(text="t")),
    repo=st.none() | STATES,
    files=st.lists(FACTS, max_size=4, unique_by=standing).map(tuple),
)


def unchanged(draft: Draft) -> Observed:
    """Today, if nothing happened since the save."""
    dirty = draft.repo.dirty if draft.repo else ()
    files = tuple(
        SeenFile(
            path=standing(fact),
            exists=fact.size is not None or bool(fact.hash),
            size=fact.size,
            hash=fact.hash,
            dirty=standing(fact) in dirty,
            lines=tuple((anchor.line, anchor.line) for anchor in fact.anchors),
        )
        for fact in draft.files
    )
    return Observed(repo=draft.repo, files=files)


@given(DRAFTS)
def test_where_nothing_changed_only_standing_conditions_are_told(draft: Draft) -> None:
    drift = compare(draft, unchanged(draft))
    rest = msgspec.structs.replace(drift, detached=False, operation="", uncommitted=(), files=())
    assert rest == Drift(no_git=drift.no_git)
    assert {file.change for file in drift.files} <= {"missing"}


@given(DRAFTS)
def test_a_clean_tree_on_a_branch_that_stayed_so_has_no_drift(draft: Draft) -> None:
    repo = draft.repo and msgspec.structs.replace(draft.repo, branch="main", operation="", dirty=())
    there = tuple(fact for fact in draft.files if fact.size is not None)
    clean = msgspec.structs.replace(draft, repo=repo, files=there)
    assert compare(clean, unchanged(clean)) == Drift(no_git=clean.repo is None)


@given(DRAFTS, DRAFTS)
def test_whatever_is_compared_every_finding_is_about_something_the_save_knew(
    draft: Draft, other: Draft
) -> None:
    drift = compare(draft, unchanged(other))
    recorded = {standing(fact) for fact in draft.files}
    dirty = set(draft.repo.dirty) if draft.repo else set()
    assert {file.path for file in drift.files} <= recorded
    assert set(drift.uncommitted) <= recorded | dirty
    assert compare(draft, unchanged(other)) == drift


# ------------------------------------------------------------------- edits that are gone


def test_uncommitted_edits_that_git_no_longer_shows_are_gone() -> None:
    dirty = msgspec.structs.replace(STATE, dirty=("a.py",))
    back = Observed(repo=STATE, files=(seen(hash="other"),))
    assert [f.change for f in compare(saved(FACT, repo=dirty), back).files] == ["reverted"]
    edited = Observed(repo=dirty, files=(seen(hash="other", dirty=True),))
    assert [f.change for f in compare(saved(FACT, repo=dirty), edited).files] == ["changed"]
    taken = Observed(repo=STATE, files=(seen(hash="other", commit=WORK),))
    assert [f.change for f in compare(saved(FACT, repo=dirty), taken).files] == ["changed"]


def test_stashes_made_since_and_a_repository_that_is_gone_are_told() -> None:
    now = Observed(repo=msgspec.structs.replace(STATE, stashes=2))
    assert compare(saved(), now).stashes == 2
    assert not compare(saved(), now).no_git
    assert compare(saved(), Observed()).repo_gone
    assert not compare(saved(repo=None), Observed()).repo_gone


def test_commits_that_the_upstream_does_not_have_are_told() -> None:
    now = Observed(repo=msgspec.structs.replace(STATE, upstream="origin/main", ahead=2))
    assert compare(saved(), now).unpushed == 2


def test_a_path_that_was_only_mentioned_is_not_missed() -> None:
    mentioned = FileFact(path="a/b.go", change="named", places=("t:9",))
    typed = FileFact(path="c.go", change="named")  # in a file that somebody wrote by hand
    gone = tuple(SeenFile(path=path, exists=False) for path in ("a/b.go", "c.go"))
    drift = compare(saved(mentioned, typed), Observed(files=gone))
    assert drift.files == (FileDrift(path="c.go", change="missing"),)
