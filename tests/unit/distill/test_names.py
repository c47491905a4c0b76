"""Names that the work stands at: which words are names, which come first, whose they are."""

from __future__ import annotations

from time import process_time

import pytest

from onward.distill import distill
from onward.distill.work import naming
from onward.distill.work.names import Names, Told, is_name, names_in
from onward.model import Edited, Event, Moved, Prompt, Ran, Reply


@pytest.mark.parametrize(
    "word",
    [
        "load_cases",
        "MAX_SIZE",
        "loadCases",
        "LoadCases",
        "HTTPServer",
        "--dry-run",
        "PROJ-12",
        "TS2345",
        "vc-x1",
        "retire-old-flags",
        "_hard_delete",
    ],
)
def test_what_a_program_calls_things_is_a_name(word: str) -> None:
    assert is_name(word)


@pytest.mark.parametrize(
    "word",
    [
        "Parser",
        "word",
        "well-known",
        "HELLO",
        "abc",
        "bg-gray-200",
        "--help",
        "useState",
        "L45C1",
        "0b7d2f1e-1111-4222-8333-444455556666",
        "end-to-end",
        "x" * 30 + "_" + "y" * 30,
        "dual_fixture_",
        "DB7093",
        "E402",
        "UTF-8",
    ],
)
def test_plain_words_measures_and_what_all_projects_share_are_no_names(word: str) -> None:
    assert not is_name(word)


def test_parts_of_a_file_name_are_no_names_but_a_folder_is() -> None:
    text = "see src/load_cases.py and my_notes.md, then cd apps/pay_backend and call next_row()"
    assert list(names_in(text)) == ["pay_backend", "next_row"]


def names(*events: Event) -> Names:
    found = Names()
    for at, event in enumerate(events):
        found.see(event, at)
    return found


def test_names_said_often_and_late_come_first() -> None:
    found = names(
        Reply(line=1, text="`old_name` once"),
        *(Reply(line=n, text="more of `often_said`") for n in range(2, 6)),
        Reply(line=7, text="`said_last` at the end"),
    )
    assert [n.text for n in found.names] == ["often_said", "said_last", "old_name"]


def test_a_name_fades_with_the_session() -> None:
    talk = [Reply(line=n, text="no name here") for n in range(500)]
    found = names(
        Reply(line=1, text="`early_one` `early_one`"), *talk, Ran(line=2, command="x --late-one")
    )
    assert [n.text for n in found.names] == ["--late-one"]


def test_an_edits_names_belong_to_its_file_and_no_other() -> None:
    found = names(
        Moved(line=1, cwd="/w"),
        Edited(line=2, path="src/a.py", text="def parse_row(): next_row()"),
        Edited(line=3, path="/w/src/b.py", text="load_cases()"),
        Reply(line=4, text="`only_said`"),
    )
    assert found.of_files() == {
        "/w/src/a.py": Told(own=("parse_row",), other=("next_row",)),
        "/w/src/b.py": Told(other=("load_cases",)),
    }


def test_a_name_belongs_to_the_one_file_that_was_read_or_spoken_of_with_it() -> None:
    found = names(
        Moved(line=1, cwd="/w"),
        Ran(line=2, command="sed -n 1,9p src/a.rs", cwd="/w", output="fn read_it()", failed=False),
        Ran(line=3, command="cat src/a.rs src/b.rs", cwd="/w", output="two_files", failed=False),
        Ran(line=4, command="cargo test", cwd="/w", output="at runner_inside", failed=False),
        Reply(
            line=5, text="The fault is `parse_row` in `src/c.rs`.\n`both_of` in src/a.rs, src/c.rs"
        ),
    )
    assert found.of_files() == {
        "/w/src/c.rs": Told(other=("parse_row",)),
        "/w/src/a.rs": Told(other=("read_it",)),
    }
    assert "runner_inside" not in {n.text for n in found.names}


def test_what_an_edit_put_in_belongs_there_and_not_where_it_was_read() -> None:
    found = names(
        Moved(line=1, cwd="/w"),
        Edited(line=2, path="src/a.py", text="parse_row()"),
        Ran(line=3, command="grep parse_row src/b.py", cwd="/w", failed=False),
    )
    assert found.of_files() == {"/w/src/a.py": Told(other=("parse_row",))}


def test_a_sub_agents_names_are_not_the_sessions() -> None:
    assert names(Reply(line=1, thread="a1", text="`its_name`")).names == []


def test_a_file_is_told_with_the_names_that_its_edits_put_in_last() -> None:
    draft = distill(
        [
            Moved(line=1, cwd="/home/u/w"),
            Prompt(line=2, text="Mend the importer, please, for empty rows"),
            Edited(line=3, path="/home/u/w/src/a.py", text="x = first_part(row)"),
            Edited(line=4, path="/home/u/w/src/a.py", text="x = second_part(row)"),
            Ran(line=5, command="grep second_part src/a.py", cwd="/home/u/w", failed=False),
        ]
    )
    (fact,) = [f for f in draft.files if f.path == "src/a.py"]
    assert fact.why is not None
    assert fact.why.split(", ")[:2] == ["second_part", "first_part"]


def test_what_is_called_on_something_is_a_librarys_unless_it_is_on_oneself() -> None:
    text = "rows.unwrap_all(); self.parse_row(); this.nextRow(); load_cases()"
    assert list(names_in(text)) == ["parse_row", "nextRow", "load_cases"]


def test_a_name_that_an_edit_defines_comes_before_one_that_it_only_uses() -> None:
    found = names(
        Edited(line=1, path="a.py", text="def own_name():\n    pass"),
        Edited(line=2, path="a.py", text="x = used_name(1)"),
    )
    assert [n.text for n in found.names] == ["own_name", "used_name"]


@pytest.mark.parametrize(
    "text",
    [
        *("a" + "A" * 40 + "-b ", "a/" * 1900, "a-" * 1900, "A1" * 1900, "_" * 3900, "x." * 1900),
        *("import {\n", "from a import (\n", "use a::{\n", "const a = ", "import a, ", " " * 50),
    ],
)
def test_hostile_words_take_no_longer_than_plain_ones(text: str) -> None:
    began = process_time()
    long = (text * 4000)[:4000]
    list(names_in(long))
    assert len(names(Edited(line=1, path="a", text=long)).names) < 2
    assert process_time() - began < 0.5


def test_an_edit_is_about_its_head_and_its_inside_only_gives_names() -> None:
    head = "def first_one():\n" + "    pass\n" * 5
    assert naming.about(f"{head}def later_one():\n", "a.py") == ("first_one",)
    found = names(Edited(line=1, path="/w/a.py", text=f"{head}def later_one(): inner_call()"))
    told = found.of_files()["/w/a.py"]
    assert told == Told(own=("first_one", "later_one"), other=("inner_call",))


@pytest.mark.parametrize("text", [r'write("date\nmaxRate")', r"C:\work\newShop\src"])
def test_behind_what_may_be_a_line_s_end_no_name_is_read(text: str) -> None:
    assert list(names_in(text)) == []


def test_a_name_at_the_very_start_is_read() -> None:
    assert list(names_in("maxRate")) == ["maxRate"]


def test_a_name_is_a_files_own_only_where_its_own_edits_define_it() -> None:
    found = names(
        Edited(line=1, path="/w/a.py", text="def parse_row():\n    pass"),
        Edited(line=2, path="/w/test_a.py", text="def test_rows():\n    parse_row()"),
    )
    assert found.of_files() == {"/w/test_a.py": Told(own=("test_rows",), other=("parse_row",))}


@pytest.mark.parametrize(
    "source",
    [
        "from rows import TakenName, more_taken",
        "from rows import (\n    TakenName,\n    more_taken,\n)",
        "import { TakenName } from './rows'",
        "import type {\n  TakenName,\n} from './rows'",
        "use crate::rows::{TakenName, more_taken};",
        "pub use rows::TakenName;",
        '#include "TakenName_rows"',
        "const { TakenName } = require('rows')",
    ],
)
def test_what_an_edit_imports_is_told_after_what_it_does(source: str) -> None:
    (told,) = (
        names(
            *(Edited(line=n, path="/w/a.x", text=source) for n in (1, 2)),
            Edited(line=3, path="/w/a.x", text="x = next_row(1)"),
            *(Edited(line=n, path="/w/a.x", text="\n") for n in range(4, 40)),
        )
        .of_files()
        .values()
    )
    assert told.other[0] == "next_row"
    assert len(told.other) > 1


def test_what_an_edit_defines_is_told_before_what_it_uses() -> None:
    draft = distill(
        [
            Moved(line=1, cwd="/home/u/w"),
            Prompt(line=2, text="Mend the importer, please, for empty rows"),
            Edited(
                line=3, path="/home/u/w/a.py", text="def parse_row(row):\n    return next_row(row)"
            ),
            Edited(line=4, path="/home/u/w/b.py", text="x = last_row(2)"),
        ]
    )
    assert {f.path: f.why for f in draft.files} == {
        "a.py": "defines parse_row; also next_row",
        "b.py": "last_row",
    }
