from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward import paths
from onward.model import Edited, Event, Looked, Ran
from onward.record.edits import Edits, defined, join, merge
from onward.record.written import written

PLACES = st.tuples(st.integers(1, 500), st.integers(0, 50)).map(lambda p: (p[0], p[0] + p[1]))


def seen(*events: Event) -> Edits:
    edits = Edits("/w")
    for at, event in enumerate(events):
        edits.see(event, at)
    return edits


def ran(command: str, *, failed: bool = False) -> Ran:
    return Ran(line=9, command=command, cwd="/w", failed=failed)


def told(edits: Edits) -> list[tuple[str, str]]:
    return [(t.change, t.path) for t in edits.touches()]


@pytest.mark.parametrize(
    "script",
    [
        "p = 'a.md'\n" + "p = p / p\n" * 60 + "p.write_text('x')",
        f"x = {[f'{n}.md' for n in range(90)]}\n(x / (x / (x / (x / (x / x))))).unlink()",
        "-" * 30_000 + "1",
        "(" * 30_000,
        "p" + ".resolve()" * 3_000 + ".write_text('')",
        "def f(p): pass\nf(p" + ".resolve()" * 3_000 + ")",
        "open('a\\d.md')\x00",
        "x = '\\d'",
    ],
)
def test_no_script_fills_the_memory_or_makes_a_word(
    script: str, recwarn: pytest.WarningsRecorder, capfd: pytest.CaptureFixture[str]
) -> None:
    assert len(written(ran(f"python3 - <<'E'\n{script}\nE"))) <= 60
    assert (list(recwarn), capfd.readouterr()) == ([], ("", ""))


def test_a_file_of_a_moved_folder_came_from_where_that_was() -> None:
    edits = Edits("/w")
    edits.see(ran("mv app/org app/gym && mkdir app/gym/org && mv app/gym/page.tsx app/gym/org/"), 0)
    (touch,) = edits.touches()
    assert (touch.path, touch.to) == ("/w/app/org/page.tsx", "/w/app/gym/org/page.tsx")


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cp a.py b.py", [("created", "/w/b.py")]),
        ("cp a.py lib/", [("created", "/w/lib/a.py")]),
        ("cp a.py b.py lib", [("created", "/w/lib/a.py"), ("created", "/w/lib/b.py")]),
        ("cat > x.py <<'EOF'\nrm y.py\nEOF", [("created", "/w/x.py")]),
        ("cat a >> x.md", [("edited", "/w/x.md")]),
        ("echo hi | tee out.txt", [("edited", "/w/out.txt")]),
        ("cd sub && touch z.ts", [("created", "/w/sub/z.ts")]),
        ("sed -i 's/a/b/' src/a.py", [("edited", "/w/src/a.py")]),
        ("sed -i '' -e 's/a/b/g' src/a.py", [("edited", "/w/src/a.py")]),
        ("sed -E -i.bak 's/a/b/g' src/a.py", [("edited", "/w/src/a.py")]),
        ("sed --in-place=.bak 's/a/b/g' src/a.py", [("edited", "/w/src/a.py")]),
        ("sed -Ei 's/a/b/g' src/a.py", [("edited", "/w/src/a.py")]),
        ("perl -0pi -e 's/a.b/c/s' src/a.rs", [("edited", "/w/src/a.rs")]),
        ("perl -0777 -i.orig -pe 's{a}{b}' src/a.rs", [("edited", "/w/src/a.rs")]),
        ("perl -Ilib -ne 'print if /x/' src/a.rs", []),
        ("sed -n 1,9p src/a.py", []),
        ("git rm old.py", [("deleted", "/w/old.py")]),
        ("git rm --cached old.py", []),
        ("rm -rf node_modules/", [("deleted", "/w/node_modules")]),
        ("black a.py && prettier --write b.ts", [("edited", "/w/a.py"), ("edited", "/w/b.ts")]),
        ("npm test > test.log 2>&1", []),
        ("ls > /dev/null", []),
        ("cp a.py b.py 2>/dev/null; ls", []),
        ("cp $SRC $DST; rm *.pyc", []),
        ("Get-Date | Set-Content -Path a.txt -Encoding utf8", [("created", "/w/a.txt")]),
        ("'x' | Add-Content b.txt", [("edited", "/w/b.txt")]),
        (
            "python3 - <<'PY'\nfrom pathlib import Path\np = Path('a.md')\np.write_text('x')\nPY",
            [("created", "/w/a.md")],
        ),
        (
            "python - <<E\np='a.md'\ns=open(p).read()\nopen(p,'w').write(s)\nE",
            [("edited", "/w/a.md")],
        ),
        (
            "python3 -c \"from pathlib import Path; (Path('d') / 'a.md').write_text('')\"",
            [("created", "/w/d/a.md")],
        ),
        (
            "python3 - <<'E'\nfor p in ('a.md', 'b.md'):\n    with open(p, 'a') as f:\n        f.write('x')\nE",
            [("edited", "/w/a.md"), ("edited", "/w/b.md")],
        ),
        (
            "python3 - <<'E'\nfor p, new in {'a.md': 'x'}.items():\n    open(p, mode='w').write(new)\nE",
            [("created", "/w/a.md")],
        ),
        (
            "python3 - <<'E'\ndef put(p, s):\n    open(p, 'w').write(s)\nput('a.md', 'b.md')\nE",
            [("created", "/w/a.md")],
        ),
        ("python3 - <<'E'\nimport os\nos.remove('a.md')\nE", [("deleted", "/w/a.md")]),
        ("python3 - <<'E'\nimport os\nos.chdir('d')\nopen('a.md', 'w')\nE", []),
        ("python3 - <<'E'\nprint(open('a.md').read())\nE", []),
        ("python3 - <<'E'\nopen('a.md', 'w'\nE", []),
        ("python3 tool.py a.md <<'E'\nopen('a.md', 'w')\nE", []),
        ("cat <<'E'\nopen('a.md', 'w')\nE", []),
    ],
)
def test_a_command_tells_which_files_it_changes(
    command: str, expected: list[tuple[str, str]]
) -> None:
    assert [(w.change, w.path) for w in written(ran(command))] == expected


def test_of_a_failed_script_the_last_act_is_not_believed() -> None:
    assert [w.path for w in written(ran("cp a.py b.py && npm test", failed=True))] == ["/w/b.py"]
    assert written(ran("cp a.py b.py", failed=True)) == ()


def test_a_move_is_a_rename() -> None:
    assert [(w.path, w.to) for w in written(ran("git mv a.py b.py"))] == [("/w/a.py", "/w/b.py")]


def test_edits_of_one_file_are_one_entry_in_the_order_of_the_last() -> None:
    edits = seen(
        Edited(line=1, path="/w/a.py", change="created", added=10, spans=((1, 10),)),
        Edited(line=2, path="/w/b.py", added=1, removed=1, spans=((5, 5),)),
        Edited(line=3, path="/w/a.py", added=2, spans=((20, 21),), text="def run(): ..."),
    )
    assert told(edits) == [("created", "/w/a.py"), ("edited", "/w/b.py")]
    first = edits.touches()[0]
    assert (first.added, first.removed, first.spans, first.count) == (12, 0, ((1, 10), (20, 21)), 2)
    assert (first.names, first.places) == (("run",), ("t:1", "t:3"))


def test_a_file_that_was_there_before_is_edited_not_created() -> None:
    assert told(seen(Looked(line=1, path="/w/a.md"), ran("cat b > a.md"))) == [
        ("edited", "/w/a.md")
    ]


def test_moving_a_folder_moves_what_was_changed_in_it() -> None:
    (touch,) = seen(Edited(line=1, path="/w/[a]/x.py"), ran("git mv '[a]' '[b]'")).touches()
    assert (touch.change, touch.path, touch.to) == ("renamed", "/w/[a]/x.py", "/w/[b]/x.py")


def test_removing_a_file_that_was_only_edited_deletes_it() -> None:
    edits = seen(Edited(line=1, path="/w/a.py"), ran("rm a.py"))
    assert told(edits) == [("deleted", "/w/a.py")]


def test_a_file_that_comes_back_is_edited() -> None:
    edits = seen(ran("rm a.py"), Edited(line=2, path="/w/a.py", change="created"))
    assert told(edits) == [("edited", "/w/a.py")]


@pytest.mark.parametrize(
    "command",
    [
        "git checkout -- a.py",
        "git checkout HEAD -- a.py",
        "git checkout .",
        "git restore a.py",
        "git restore --staged --worktree a.py",
        "git reset --hard",
        "git -C /w checkout -- .",
    ],
)
def test_what_git_took_back_is_no_edit(command: str) -> None:
    edits = seen(Edited(line=1, path="/w/a.py"), ran(command))
    assert told(edits) == []
    assert "`a.py`" in edits.reverted()[0].text


@pytest.mark.parametrize(
    "command",
    [
        "git stash",
        "git stash && git stash drop",
        "git restore --staged a.py",
        "git checkout --theirs a.py",
        "git checkout -b a.py",
        "git checkout main",
        "git reset HEAD a.py",
    ],
)
def test_bookkeeping_is_no_undo(command: str) -> None:
    assert told(seen(Edited(line=1, path="/w/a.py"), ran(command))) == [("edited", "/w/a.py")]


def test_what_was_committed_before_is_not_taken_back() -> None:
    edits = seen(
        Edited(line=1, path="/w/a.py"), ran("git commit -am x"), ran("git checkout -- a.py")
    )
    assert told(edits) == [("edited", "/w/a.py")]


def test_a_revert_of_a_commit_is_told() -> None:
    assert seen(ran("git revert 1234abc")).reverted()[0].text == "Reverted commit 1234abc"


def test_a_rename_keeps_what_is_known() -> None:
    made = Edited(line=1, path="/w/a.py", change="created", added=3)
    assert told(seen(made, ran("git mv a.py b.py"))) == [("created", "/w/b.py")]
    (touch,) = seen(Edited(line=1, path="/w/a.py", added=3), ran("mv a.py b.py")).touches()
    assert (touch.change, touch.path, touch.to, touch.added) == ("renamed", "/w/a.py", "/w/b.py", 3)


def test_a_file_that_was_moved_and_moved_back_is_not_renamed() -> None:
    assert told(seen(ran("mv a.py b.py"), ran("mv b.py a.py"))) == []
    edited = Edited(line=1, path="/w/a.py", added=1)
    assert told(seen(edited, ran("mv a.py b.py"), ran("mv b.py a.py"))) == [("edited", "/w/a.py")]


def test_the_state_is_bounded() -> None:
    events = [Edited(line=n, path=f"/w/{n}.py") for n in range(900)]
    assert len(seen(*events).touches()) == 400


def test_an_edit_above_moves_what_stands_below() -> None:
    assert merge(((50, 60),), ((10, 14),), 5) == ((10, 14), (55, 65))
    assert merge(((10, 14),), ((50, 60),), 5) == ((10, 14), (50, 60))
    # Of an edit in two places, what stands below both moved by as much as both brought.
    assert merge(((5, 6), (90, 95)), ((10, 14), (50, 52)), 4) == (
        (5, 6),
        (10, 14),
        (50, 52),
        (94, 99),
    )


def test_lines_are_not_told_once_an_edit_moved_them_nobody_knows_where() -> None:
    assert merge(((50, 60),), (), 5) == ()
    assert merge(((50, 60),), (), 0) == ((50, 60),)


@given(st.lists(PLACES, max_size=40))
def test_joined_spans_are_sorted_and_apart(places: list[tuple[int, int]]) -> None:
    joined = join(tuple(places))
    assert len(joined) <= 12
    assert all(a[1] < b[0] for a, b in pairwise(joined))
    assert join(joined) == joined


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        (
            "async def load(): ...\nclass Store:\n    def put(self): ...",
            "a.py",
            ("load", "Store", "put"),
        ),
        ("export const useX = (a) => 1\nexport function go() {}", "a.ts", ("useX", "go")),
        ("func (s *T) Run() {}\ntype T struct {", "a.go", ("Run", "T")),
        ("pub fn main() {}\nimpl X {}", "a.rs", ("main",)),
        ("# Title here\n\ntext\n## Second part", "a.md", ("Title here", "Second part")),
        ("x = 1", "a.py", ()),
    ],
)
def test_names_that_an_edit_defines(text: str, path: str, expected: tuple[str, ...]) -> None:
    assert defined(text, path) == expected


@pytest.mark.parametrize(
    ("path", "root", "expected"),
    [
        ("/w/src/a.py", "/w", "src/a.py"),
        ("/w2/a.py", "/w", "/w2/a.py"),
        ("C:\\Work\\src\\a.py", "c:\\work", "src/a.py"),
        ("C:/work/a.py", "C:\\work\\", "a.py"),
        ("~/x", "/w", "~/x"),
        ("/w", "/w/", "."),
        ("a/../b.py", "", "b.py"),
    ],
)
def test_paths_are_told_from_the_root(path: str, root: str, expected: str) -> None:
    assert paths.relative(path, root) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cp a.py a.py.backup-1", []),
        ("cp conf/a.json conf/a.json.bak", [("created", "/w/conf/a.json.bak")]),
        ("cp app.env app.env-old", []),
        ("mv notes.md notes.old-md", [("renamed", "/w/notes.md")]),
        ("psql -h db2 -f x.sql > out.txt", [("created", "/w/out.txt")]),
    ],
)
def test_a_copy_beside_the_file_is_no_folder(command: str, expected: list[tuple[str, str]]) -> None:
    found = written(ran(command))
    assert [(w.change, w.path) for w in found] == expected
    assert all("backup-1/" not in w.to and "old-md/" not in w.to for w in found)


def made(line: int, name: str) -> Edited:
    return Edited(line=line, path=f"/w/{name}", change="created", added=3)


def test_a_change_by_command_takes_its_lines_from_the_client_and_counts_once() -> None:
    told = Edited(line=9, path="/w/notes/a.md", added=1, removed=1, spans=((3, 3),))
    (touch,) = seen(ran("sed -i 's|x|y|' notes/a.md"), told).touches()
    assert (touch.count, touch.added, touch.spans, touch.by_command) == (1, 1, ((3, 3),), False)


def test_a_file_made_and_removed_by_command_is_not_removed_twice() -> None:
    gone = Edited(line=9, path="/w/probe.js", change="deleted")
    edits = seen(Edited(line=1, path="/w/probe.js", change="created"), ran("rm probe.js"), gone)
    assert told(edits) == []


@pytest.mark.parametrize("folder", ["/w/docs", "/srv/projects/w"])
def test_an_edit_in_place_is_seen_in_any_folder(folder: str) -> None:
    run = Ran(line=1, command="sed -i 's/a/b.c/' notes/a.md", cwd=folder, failed=False)
    assert [w.path for w in written(run)] == [f"{folder}/notes/a.md"]
