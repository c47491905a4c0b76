"""What `show t:541` and `sessions` make of transcripts."""

from __future__ import annotations

import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from onward.agents.claude_code.sessions import AGENT as CLAUDE_CODE
from onward.briefing.tokens import estimate
from onward.commands import sessions, show
from onward.commands.show import Place, View
from onward.commands.world import World
from onward.errors import NotFoundError, UsageError
from onward.model import Delegated, Edited, TodoList
from onward.redaction import Redactor

if TYPE_CHECKING:
    from tests.unit.transcripts.conftest import Script

REDACTOR = Redactor(b"k" * 32, home="/home/ana", user="ana")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("t:541", Place("", 541, 541)),
        ("t:540-545", Place("", 540, 545)),
        ("t:a1b2:12", Place("a1b2", 12, 12)),
        ("t:a1b2:12-13", Place("a1b2", 12, 13)),
        ("t:1-9999", Place("", 1, 9999)),
        ("t:last", Place("", 0, 0)),
        ("t:a1b2:last", Place("a1b2", 0, 0)),
    ],
)
def test_places_that_are_understood(text: str, place: Place) -> None:
    assert show.parse(text) == place


@pytest.mark.parametrize(
    "text", ["t:", "t:0", "t:5-4", "t:x", "t:1-", "t:../x:1", "t:-1", "t:last-3"]
)
def test_places_that_are_not(text: str) -> None:
    with pytest.raises(UsageError) as error:
        show.parse(text)
    assert error.value.hint.startswith("onward show t:")


def test_a_range_shows_its_lines_redacted(script: Script) -> None:
    script.user("one")
    script.user("look in /home/ana/shop/a.py")
    script.user("three")
    script.open()
    text = show.show_place(Place("", 2, 3), script.path, REDACTOR).text
    assert "\n\nt:3 · user" in text
    assert text.startswith("  t:1 · user · 3 characters · one\nt:2 · user · ")
    assert "three" in text
    assert "/home/ana" not in text


def test_a_range_over_the_end_shows_what_there_is(script: Script) -> None:
    script.user("one")
    script.open()
    found = show.show_place(Place("", 1, 2), script.path, REDACTOR)
    assert "one" in found.text
    assert found.notes == ("the last line is t:1",)
    with pytest.raises(NotFoundError) as error:
        show.show_place(Place("", 2, 2), script.path, REDACTOR)
    assert "it ends at 1" in error.value.message
    assert error.value.hint.endswith("t:last")


def test_what_only_the_client_notes_is_skipped_and_told(script: Script) -> None:
    script.user("one")
    script.add("progress", data={"step": 1})
    script.add("system", subtype="turn_duration", durationMs=3)
    script.user("two")
    script.add("system", subtype="turn_duration", durationMs=3)
    script.open()
    found = show.show_place(Place("", 2, 2), script.path, REDACTOR)
    assert "\nt:4 · user" in found.text
    assert found.notes == ("t:2 holds nothing that was said or done: t:4 is shown instead",)
    last = show.show_place(Place("", 0, 0), script.path, REDACTOR)
    assert (last.text.splitlines()[-2:], last.notes) == (["two", "  (nothing follows)"], ())
    assert "two" in show.show_place(Place("", 5, 5), script.path, REDACTOR).text


def test_what_a_client_writes_twice_is_one_neighbour(script: Script) -> None:
    for text in ("one", "one", "two"):
        script.user(text)
    script.open()
    assert show.show_place(Place("", 3, 3), script.path, REDACTOR).text.count("one") == 1
    assert "t:2 · user" in show.show_place(Place("", 2, 2), script.path, REDACTOR).text


def test_more_records_on_either_side_are_shown_in_full(script: Script) -> None:
    for number in range(1, 8):
        script.user(f"number {number}")
    script.open()
    view = View(before=1, after=2)
    text = show.show_place(Place("", 3, 3), script.path, REDACTOR, view=view).text
    assert [int(n) for n in re.findall(r"^number (\d)", text, re.MULTILINE)] == [2, 3, 4, 5]
    assert text.endswith(
        "t:6 · user · 8 characters · number 6\n  t:7 · user · 8 characters · number 7"
    )


def test_a_long_record_is_read_page_by_page_without_loss(script: Script) -> None:
    lines = [f"line {number} of the ticket" for number in range(2_000)]
    script.user("\n".join(lines))
    script.open()
    seen, offset = [], 0
    while True:
        view = View(offset=offset)
        text = show.show_place(Place("", 1, 1), script.path, REDACTOR, "0b1c", view).text
        assert estimate(text) <= 1_500
        more = re.search(r"onward show 0b1c t:1 --offset (\d+)\)$", text, re.MULTILINE)
        # The first page shows the end, too.
        assert offset or text.endswith(f"\n{lines[-1]}\n  (nothing follows)")
        read = text[: more.end()] if more else text
        seen += re.findall(r"^line \d+ of the ticket$", read, re.MULTILINE)
        if more is None:
            break
        offset = int(more[1])
    assert seen == lines
    whole = show.show_place(Place("", 1, 1), script.path, REDACTOR, view=View(whole=True)).text
    assert "--offset" not in whole
    assert lines[-1] in whole


def test_what_only_the_client_notes_is_shown_where_it_is_asked_for_and_no_neighbour(
    script: Script,
) -> None:
    script.user("one")
    script.add("system", subtype="informational", content="Conversation compacted")
    script.user("two")
    script.open()
    for place in (1, 3):
        text = show.show_place(Place("", place, place), script.path, REDACTOR).text
        assert "compacted" not in text
    assert "compacted" in show.show_place(Place("", 2, 2), script.path, REDACTOR).text


def test_of_a_range_short_records_are_whole_and_long_ones_share_what_is_left(
    script: Script,
) -> None:
    questions = [f"question {n}: {'what is in the file, and why? ' * 4}".strip() for n in range(6)]
    for question in questions[:5]:
        script.user(question)
    script.reply("\n".join(f"line {n} of the file" for n in range(5_000)))
    script.reply("x" * 90_000)
    script.user(questions[5])
    script.open()
    text = show.show_place(Place("", 1, 8), script.path, REDACTOR, "0b1c").text
    assert estimate(text) <= 1_500
    for told in (*questions, "line 0 of", "line 4999 of"):
        assert told in text
    cuts = re.findall(r"left out: onward show 0b1c t:(\d+) --offset (\d+)\)", text)
    assert [place for place, _ in cuts] == ["6", "7"]
    before = text[: text.index("characters left out")].splitlines()[-2]
    rest = show.show_place(
        Place("", 6, 6), script.path, REDACTOR, view=View(offset=int(cuts[0][1]))
    ).text
    number = int(before.split()[1])
    assert rest.splitlines()[1] == f"line {number + 1} of the file"


def test_nothing_of_a_range_that_fits_is_cut(script: Script) -> None:
    for number in range(4):
        script.user(f"{number} " + "look into the parser first " * (4 + 8 * number))
    script.open()
    text = show.show_place(Place("", 1, 4), script.path, REDACTOR).text
    assert "left out" not in text
    assert text.count("look into") == 64


def test_a_range_of_many_records_is_read_page_by_page(script: Script) -> None:
    for number in range(60):
        script.user(f"request {number}: " + "look into the parser " * 40)
    script.open()
    seen, place = set[int](), Place("", 1, 60)
    for _ in range(20):
        text = show.show_place(place, script.path, REDACTOR, "0b1c").text
        assert estimate(text) <= 1_500
        seen.update(map(int, re.findall(r"^request (\d+)", text, re.MULTILINE)))
        more = re.search(r"^\(\d+ more records?: onward show 0b1c (\S+)\)$", text, re.MULTILINE)
        if more is None:
            break
        place = show.parse(more[1])
    assert seen == set(range(60))


def test_a_page_begins_at_the_line_that_was_looked_for(script: Script) -> None:
    script.user("\n".join(f"line {number}" for number in range(5_000)))
    script.open()
    view = View(find="LINE 4321")
    text = show.show_place(Place("", 1, 1), script.path, REDACTOR, view=view).text
    assert text.splitlines()[1:5] == [f"line {number}" for number in range(4318, 4322)]
    script.user("the kerning table")
    script.open()
    view = View(find="Kerning")
    text = show.show_place(Place("", 1, 2), script.path, REDACTOR, view=view).text
    assert text.splitlines()[-2:] == ["the kerning table", "  (nothing follows)"]
    view = View(find="no such text")
    found = show.show_place(Place("", 1, 1), script.path, REDACTOR, view=view)
    assert "line 0\n" in found.text
    assert found.notes == ("the text is not there: shown from the beginning",)


def test_the_other_half_of_a_call_and_the_file_of_an_edit_are_named(script: Script) -> None:
    script.call("Edit", "k1", file_path="src/a.py", old_string="x", new_string="y")
    script.user("meanwhile")
    script.result("k1", "done", toolUseResult={"filePath": "src/a.py"})
    for number in range(4):
        script.user(f"question {number}")
    script.call("Edit", "k2", file_path="src/b.py", old_string="x", new_string="y")
    script.user("and then?")
    script.user("and else?")
    script.user("and now?")
    script.result("k2", "done", toolUseResult={"filePath": "src/b.py"})
    script.open()
    call = show.show_place(Place("", 1, 2), script.path, REDACTOR, "0b1c").text
    assert "\n  t:3 · result of t:1 · 13 characters · ✓ done" in call
    assert "files of" not in call
    result = show.show_place(Place("", 2, 3), script.path, REDACTOR, "0b1c")
    assert "  t:1 · call of t:3 · 60 characters · Edit: src/a.py\n" in result.text
    far = show.show_place(Place("", 11, 12), script.path, REDACTOR, "0b1c").text
    assert "\ncall of t:12: onward show 0b1c t:8 · Edit: src/b.py\nfiles of t:12: src/b.py" in far
    assert isinstance(result.data, list)
    shown = [(each.place, each.pairs) for each in result.data if each.text]
    assert shown == [("t:2", ()), ("t:3", ("t:1",))]


def test_the_other_half_of_a_call_is_printed_as_far_as_there_is_room(script: Script) -> None:
    script.call("Bash", "k1", command="pytest -q tests/test_cart.py")
    script.user("meanwhile")
    script.result("k1", "E  assert 41 == 42")
    script.call("Bash", "k2", command="make report")
    script.result("k2", "\n".join(f"row {n} of the report" for n in range(5_000)))
    script.open()
    call = show.show_place(Place("", 1, 1), script.path, REDACTOR, "0b1c").text
    assert "pytest -q" in call
    assert "\n\nt:3 · result" in call
    assert "assert 41 == 42" in call
    assert "pytest -q" in show.show_place(Place("", 3, 3), script.path, REDACTOR).text
    long = show.show_place(Place("", 4, 4), script.path, REDACTOR, "0b1c").text
    assert estimate(long) <= 1_500
    assert "row 4999" in long
    assert re.search(r"left out: onward show 0b1c t:5 --offset \d+\)", long)
    # A full page leaves no room: then it is named.
    result = show.show_place(Place("", 5, 5), script.path, REDACTOR, "0b1c").text
    assert "  t:4 · call of t:5 · " in result


def test_calls_that_share_an_id_go_with_the_result_that_follows(script: Script) -> None:
    for n in range(40):
        script.call("Bash", "same", command=f"make {n}")
        script.result("same", f"made {n}" + " and more" * 900 * (n == 20))
    script.open()
    for place in (41, 42):
        text = show.show_place(Place("", place, place), script.path, REDACTOR, "0b1c").text
        assert estimate(text) <= 1_400
        assert ("make 20" in text, "made 20 and more" in text, "make 12" in text) == (
            True,
            True,
            False,
        )
    data = show.show_place(Place("", 42, 42), script.path, REDACTOR).data
    assert isinstance(data, list)
    assert [each.pairs for each in data if each.place == "t:42"] == [("t:41",)]


def test_a_result_without_output_says_so(script: Script) -> None:
    script.call("Bash", "k1", command="true")
    script.result("k1", "")
    script.user("and now?")
    script.open()
    text = show.show_place(Place("", 3, 3), script.path, REDACTOR).text
    assert "  t:2 · result · 20 characters · ✓ (no output)\n" in text


def test_an_edit_is_not_printed_twice(script: Script) -> None:
    lines = [f"total = {n} * price" for n in range(10)]
    script.call("Edit", "k1", file_path="a.py", old_string="x", new_string="\n".join(lines))
    script.result("k1", "\n".join(f"{n:>6}→{line}" for n, line in enumerate(lines, 40)))
    script.open()
    for place in (1, 2):
        text = show.show_place(Place("", place, place), script.path, REDACTOR).text
        assert text.count("total = 5 * price") == 1


@pytest.mark.parametrize("place", [1, 2, 3])
def test_a_password_that_one_command_gives_away_is_hidden_in_all(
    script: Script, place: int
) -> None:
    script.user("run plink -P Zx81qwerty9 host")
    script.user("or sshpass -p Zx81qwerty9 ssh host")
    script.user("Zx81qwerty9 is it, not Zx81qwerty99")
    script.open()
    text = show.show_place(Place("", place, place), script.path, REDACTOR).text
    assert not re.search(r"Zx81qwerty9\b", text)
    assert text.count("[REDACTED:client-password:") == 3
    assert "Zx81qwerty99" in text


def test_work_trees_of_one_repository_belong_together_and_are_told_apart(
    script: Script, tmp_path: Path
) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", "-C", str(main), *words], check=True, capture_output=True)

    main, tree, other = (tmp_path / name for name in ("shop", "shop-login", "other"))
    for folder in (main, other):
        folder.mkdir()
    git("init", "-q")
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x")
    git("worktree", "add", "-q", str(tree))
    projects = tmp_path / ".claude" / "projects"
    for n, folder in enumerate((main, tree, other)):
        script.lines.clear()
        script.base |= {"cwd": str(folder), "sessionId": f"s{n}"}
        script.user(f"work in {folder.name}")
        script.path = projects / f"p{n}" / f"s{n}.jsonl"
        script.open()
    now = datetime(2026, 3, 2, tzinfo=UTC)
    world = World(now=now, cwd=main, home=tmp_path, data=tmp_path / "data", env={})
    found = {info.session for info in sessions.of_project(world, main)}
    assert found == {"s0", "s1"}
    rows = sessions.sessions(world, everywhere=False).data
    assert isinstance(rows, list)
    assert {row["session"]: bool(row["work_tree"]) for row in rows} == {"s0": False, "s1": True}
    everything = sessions.sessions(world, everywhere=True).data
    assert isinstance(everything, list)
    assert len(everything) == 3


def test_no_sub_agent_is_sought_inside_the_sessions_file(script: Script) -> None:
    script.user("one", isSidechain=True, agentId="a1b2")
    script.open()
    for thread in ("none", "a1b2"):
        with pytest.raises(NotFoundError):
            show.show_place(Place(thread, 1, 1), script.path, REDACTOR)


def copied(script: Script, block: dict[str, Any], kind: str = "assistant") -> int:
    message = {"role": kind, "content": [block]}
    inner = {"type": kind, "timestamp": "2026-03-01T10:00:00.000Z", "message": message}
    data = {"type": "agent_progress", "agentId": "a1b2", "message": inner}
    return script.add("progress", data=data)


def test_what_a_sub_agent_without_a_file_did_is_read_from_the_copies(script: Script) -> None:
    script.user("Write the page")
    script.call("Agent", "toolu_1", description="Page", prompt="Write it")
    given = {"file_path": "/home/ana/shop/page.py", "content": "x = 1\n"}
    copied(script, {"type": "tool_use", "id": "toolu_2", "name": "Write", "input": given})
    done = {"type": "tool_result", "tool_use_id": "toolu_2", "content": "File created"}
    line = copied(script, done, "user")
    script.add("progress", data={"type": "agent_progress", "agentId": 5, "message": [1]})
    (edited,) = [event for event in script.events() if isinstance(event, Edited)]
    assert (edited.path, edited.change) == ("/home/ana/shop/page.py", "created")
    assert edited.place == f"t:a1b2:{line}"
    assert "File created" in show.show_place(Place("a1b2", line, line), script.path, REDACTOR).text
    own = script.path.with_suffix("") / "subagents"
    own.mkdir(parents=True)
    (own / "agent-a1b2.jsonl").write_text("")
    assert not [event for event in script.events() if isinstance(event, Edited)]


def test_what_a_sub_agent_was_given_is_read_once(
    script: Script, helper: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    helper.user("Another task")
    helper.open()
    script.user("Write the page")
    for n in range(5):
        script.call("Agent", f"toolu_{n}", description="Page", prompt=f"Write page {n}")
    reader, read = type(CLAUDE_CODE.reader), list[Path]()
    sought = reader.sought

    def noted(self: Any, path: Path, *wanted: Any) -> Any:
        read.append(path)
        return sought(self, path, *wanted)

    monkeypatch.setattr(reader, "sought", noted)
    assert len(script.events(Delegated)) == 5
    assert read.count(helper.path) == 1


def test_a_sub_agent_ticks_the_sessions_tasks_and_keeps_a_list_of_its_own(script: Script) -> None:
    script.user("Write the page")
    script.call("TaskCreate", "toolu_1", subject="Page")
    script.result("toolu_1", "Task #1 created successfully: Page", {"task": {"id": "1"}})
    done = {"taskId": "1", "status": "completed"}
    todos = [{"content": "Look around", "status": "pending"}]
    for n, (name, given) in enumerate((("TaskUpdate", done), ("TodoWrite", {"todos": todos}))):
        copied(script, {"type": "tool_use", "id": f"toolu_{n}2", "name": name, "input": given})
        told = {"type": "tool_result", "tool_use_id": f"toolu_{n}2", "content": "Updated"}
        copied(script, told, "user")
    lists = [event for event in script.events() if isinstance(event, TodoList) and not event.thread]
    assert [(one.title, one.status) for one in lists[-1].items] == [("Page", "completed")]
