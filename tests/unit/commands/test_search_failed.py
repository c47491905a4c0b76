"""`onward search --failed`: the calls whose result failed, the newest first."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Any

from tests.unit.commands.conftest import SESSION, Script

from onward.briefing.tokens import estimate

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch

LOGIN = "pytest tests/test_auth.py"


def failed(onward: Onward, *words: str) -> list[dict[str, Any]]:
    answer = onward("search", "--failed", *words, "--json")
    assert answer.code in {0, 3}, answer.err
    found = answer.data["hits"]
    assert isinstance(found, list)
    return found


def runs(scratch: Scratch, *calls: tuple[str, str, bool]) -> None:
    script = Script(scratch.root, SESSION)
    script.user("Run all of it")
    for command, result, bad in calls:
        script.call("Bash", {"command": command}, result, {"stdout": result}, bad=bad)
    script.write(scratch.transcript)


def test_a_failed_call_is_told_with_its_command_and_its_last_lines(onward: Onward) -> None:
    (hit,) = failed(onward, "--session", SESSION)
    assert (hit["by"], hit["failed"], hit["call"]) == ("result", True, f"Bash: {LOGIN}")
    assert hit["whole"].endswith(
        "FAILED tests/test_auth.py::test_login - assert False\n1 failed in 0.12s"
    )
    assert "test_login - assert False" in onward(*shlex.split(hit["show"])[1:]).out
    assert f"[✗ Bash: {LOGIN}]" in onward("search", "--failed", "--session", SESSION).out


def test_each_failed_call_is_listed_the_newest_first_and_no_other(
    onward: Onward, scratch: Scratch
) -> None:
    runs(
        scratch,
        ("make a", "Error: nothing was built", True),
        ("grep error", "error: all of it FAILED", False),
        ("make b", "Error: nothing was built", True),
    )
    for words in (["--session", SESSION], [], ["--by", "result"]):
        assert [hit["call"] for hit in failed(onward, *words)] == ["Bash: make b", "Bash: make a"]
    assert failed(onward, "--by", "agent") == []


def test_the_command_is_told_however_much_stands_before_it(
    onward: Onward, scratch: Scratch
) -> None:
    """Beyond what is searched for secrets, too."""
    runs(scratch, ("cat log", "all well " * 260_000, False), ("make a", "no rule", True))
    (hit,) = failed(onward)
    assert hit["call"] == "Bash: make a"


def test_words_stand_in_the_call_or_in_its_result(onward: Onward, scratch: Scratch) -> None:
    runs(
        scratch,
        ("make kerning", "Error: no table", True),
        ("make glyphs", "Error: no kerning", True),
        ("make other", "Error: no font", True),
    )
    found = failed(onward, "kerning", "--session", SESSION)
    assert [hit["call"] for hit in found] == ["Bash: make glyphs", "Bash: make kerning"]
    (hit,) = failed(onward, "kerning", "table", "Bash")
    assert hit["excerpt"] == "Error: no table"
    assert [hit["call"] for hit in failed(onward, "ligature")] == []


def test_a_file_is_the_one_that_the_call_names(onward: Onward) -> None:
    (hit,) = failed(onward, "--file", "tests/test_auth.py")
    assert hit["call"] == f"Bash: {LOGIN}"
    assert failed(onward, "--file", "src/auth.py") == []


def test_of_a_long_result_the_end_is_shown(onward: Onward, scratch: Scratch) -> None:
    log = "\n".join(f"step {n} of the build went well" for n in range(900))
    runs(scratch, *((f"make {n}", f"{log}\n{n} went wrong", True) for n in range(30)))
    answer = onward("search", "--failed", "--session", SESSION)
    assert estimate(answer.out + answer.err) <= 1_400
    ends = [int(n) for n in re.findall(r"(\d+) went wrong", answer.out)]
    assert ends == sorted(ends, reverse=True)
    assert (ends[0], len(ends)) >= (29, 9)
    hits = failed(onward, "--session", SESSION)
    assert hits[0]["excerpt"].endswith("step 899 of the build went well 29 went wrong")
    # The place that is printed shows the end, too.
    assert "29 went wrong" in onward(*shlex.split(hits[0]["show"])[1:]).out


def test_what_a_page_has_no_room_for_follows_in_the_next(onward: Onward, scratch: Scratch) -> None:
    runs(scratch, *((f"make {n}", f"{n} went wrong " * 40, True) for n in range(29)))
    seen, more = list[str](), list[str]()
    while True:
        answer = onward("search", "--failed", "--session", SESSION, *more)
        seen += re.findall(r"Bash: make \d+", answer.out)
        older = re.search(r"records in 1 session; older: (--until \S+)$", answer.err, re.MULTILINE)
        if older is None:
            break
        more = older[1].split()
    assert list(dict.fromkeys(seen)) == [f"Bash: make {n}" for n in reversed(range(29))]


def test_of_calls_that_share_an_id_each_result_tells_its_own(
    onward: Onward, scratch: Scratch
) -> None:
    runs(scratch, ("make a", "no rule for a", True), ("make b", "no rule for b", True))
    scratch.transcript.write_text(re.sub(r"toolu_\d+", "same", scratch.transcript.read_text()))
    for words in (["--failed"], ["rule"]):
        found = onward("search", *words, "--session", SESSION, "--json").data["hits"]
        assert {(hit["call"], hit["whole"]) for hit in found} == {
            ("Bash: make b", "no rule for b"),
            ("Bash: make a", "no rule for a"),
        }


def test_where_nothing_failed_it_says_so(onward: Onward, scratch: Scratch) -> None:
    runs(scratch, ("make", "fine", False))
    answer = onward("search", "--failed", "--session", SESSION)
    assert (answer.code, answer.out) == (3, "")
    assert "no record in 1 file" in answer.err


def test_the_edits_of_a_session_are_listed_the_newest_first(
    onward: Onward, scratch: Scratch
) -> None:
    script = Script(scratch.root, SESSION)
    script.user("Edit the parser")
    for n in range(3):
        given = {"file_path": f"src/{n}.py", "old_string": f"old {n}", "new_string": f"new {n}"}
        script.call("Edit", given, f"src/{n}.py was updated", {"filePath": f"src/{n}.py"})
        script.call("Read", {"file_path": f"src/{n}.py"}, f"new {n}", {})
    script.write(scratch.transcript)
    found = onward("search", "--edits", "--session", SESSION, "--json").data["hits"]
    assert [hit["call"] for hit in found] == [f"Edit: src/{n}.py" for n in (2, 1, 0)]
    assert found[0]["whole"].endswith("\n  old_string: old 2\n  new_string: new 2")
    assert found[0]["result"].startswith("t:11 ✓ src/2.py was updated")
    (hit,) = onward("search", "old", "--edits", "--file", "src/1.py", "--json").data["hits"]
    assert hit["call"] == "Edit: src/1.py"
    script.call("Edit", {"file_path": "src/4.py"}, "String to replace not found", {}, bad=True)
    script.call("Bash", {"command": "make"}, "no rule", {}, bad=True)
    script.write(scratch.transcript)
    (hit,) = failed(onward, "--edits")
    assert hit["call"] == "Edit: src/4.py"


def test_a_file_is_named_from_the_sessions_folder_and_once(
    onward: Onward, scratch: Scratch
) -> None:
    script = Script(scratch.root, SESSION)
    path = f"{scratch.root}/{'deep/' * 30}parser.py"
    script.user("Edit the parser")
    for n in range(5):
        given = {"file_path": path, "old_string": f"old {n}", "new_string": f"new {n}"}
        script.call("Edit", given, "updated", {"filePath": path})
    script.write(scratch.transcript)
    for hit in onward("search", "--edits", "--json").data["hits"]:
        assert hit["call"].startswith("Edit: deep/deep/")
        assert hit["excerpt"].startswith("old ")


def test_a_record_without_words_tells_what_it_is(onward: Onward, scratch: Scratch) -> None:
    script = Script(scratch.root, SESSION)
    script.add("user", [{"type": "image", "source": {}}])
    script.call("Bash", {"command": "false"}, "", {"stdout": ""}, bad=True)
    script.write(scratch.transcript)
    (hit,) = onward("search", "--by", "user", "--session", SESSION, "--json").data["hits"]
    assert hit["excerpt"] == "[image]"
    (hit,) = failed(onward)
    assert hit["excerpt"] == "✗ result (no output)"


def test_an_edit_is_told_by_the_lines_that_it_changed_where_its_client_noted_them(
    onward: Onward,
) -> None:
    (hit,) = onward("search", "--edits", "--session", SESSION, "--json").data["hits"]
    assert (
        hit["whole"]
        == "@@ line 1 @@\n-def login(user):\n+def login(user):\n+    return token(user)"
    )
    assert hit["result"].startswith("t:4 ✓ The file ")


def test_a_short_name_of_a_file_cuts_no_secret_in_half(
    onward: Onward, scratch: Scratch, planted: str
) -> None:
    script = Script(scratch.root, SESSION)
    script.user("Edit it")
    for _ in range(5):
        given = {"old_string": planted, "file_path": "a", "new_string": "none"}
        script.call("Edit", given, "updated", {"filePath": "a"})
    script.write(scratch.transcript)
    for words in (["--edits"], ["--edits", "none"]):
        out = onward("search", *words).out
        assert "Edit: a" in out
        assert planted.partition("a")[2] not in out
