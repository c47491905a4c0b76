"""Verbs that only look: they answer, and leave every file as it was."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.unit.commands.conftest import Script

from onward.briefing.tokens import estimate
from onward.cli import Call
from onward.search.excerpt import columns

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch, Session

LOOKING = [
    ["list"],
    ["sessions"],
    ["sessions", "--all"],
    ["resume"],
    ["resume", "add-jwt-login"],
    ["resume", "add-jwt-login", "--yes"],
    ["check"],
    ["show", "add-jwt-login"],
    ["show", "t:1"],
    ["show", "c:0000000"],
    ["brief", "add-jwt-login"],
    ["brief", "TRANSCRIPT"],
    ["brief", "TRANSCRIPT", "--no-drift"],
    ["distill", "TRANSCRIPT"],
    ["protocol", "load"],
    ["document", "list"],
    ["backup", "list"],
    ["completion", "bash"],
    ["--help"],
    ["save", "add-jwt-login"],
    ["delete", "no-such-name"],
    ["restore", "no-such-name"],
]


@pytest.mark.parametrize("words", LOOKING, ids=" ".join)
def test_a_verb_that_looks_changes_no_file(
    words: list[str],
    saved: Onward,
    scratch: Scratch,
    unchanged: Callable[[Path], Callable[[], bool]],
) -> None:
    saved("protocol", "save")
    words = [str(scratch.transcript) if word == "TRANSCRIPT" else word for word in words]
    same = [unchanged(folder) for folder in (scratch.root, scratch.home, scratch.data)]
    assert saved(*words).code in {0, 3, 5, 7}
    assert all(check() for check in same)


@pytest.mark.parametrize(
    "words",
    [
        ["list"],
        ["sessions"],
        ["resume"],
        ["check"],
        ["show", "add-jwt-login"],
        ["brief", "add-jwt-login"],
        ["distill", "TRANSCRIPT"],
        ["protocol", "load"],
        ["document", "list"],
        ["backup", "list"],
    ],
    ids=" ".join,
)
def test_json_is_json(words: list[str], saved: Onward, scratch: Scratch) -> None:
    saved("protocol", "save")
    words = [str(scratch.transcript) if word == "TRANSCRIPT" else word for word in words]
    assert saved(*words, "--json").data is not None


@pytest.mark.parametrize("length", [90, 185])
def test_a_title_and_a_last_prompt_are_cut_after_their_secrets_are_hidden(
    length: int, onward: Onward, scratch: Scratch
) -> None:
    """What tells that a value is one may stand behind the cut."""
    secret = "VMdm7SLUE_Q"
    words = "and looked at it again " * 20
    said = f"{words[:length]}('{secret}' | ConvertTo-SecureString -AsPlainText -Force)"
    script = Script(scratch.root, scratch.transcript.stem)
    script.user(said)
    script.says("Done.")
    script.write(scratch.transcript)
    out = onward("sessions").out + onward("sessions", "--json").out
    assert "and looked" in out
    assert secret not in out


def test_a_session_is_printed_in_the_lines_of_its_checkpoint(
    saved: Onward, scratch: Scratch
) -> None:
    """So that what one of them learns to tell, the other tells as well."""
    shown = saved("show", "add-jwt-login").out
    lines = saved("distill", str(scratch.transcript)).out.splitlines()
    assert any("pytest tests/test_auth.py" in line for line in lines)
    assert [line for line in lines if line not in shown] == []


def test_a_field_that_nobody_wrote_is_explained_by_its_template(
    onward: Onward, scratch: Scratch
) -> None:
    out = onward("distill", str(scratch.transcript), "--explain").out
    assert "template: first line of the request" in out
    assert "Status: " in out


def test_a_briefing_of_a_transcript_says_what_is_wanted_and_what_failed(
    onward: Onward, scratch: Scratch, planted: str
) -> None:
    out = onward("brief", str(scratch.transcript)).out
    assert "Use RS256" in out
    assert "tests/test_auth.py" in out
    assert planted not in out
    assert "maria" not in out


@pytest.mark.parametrize("budget", [300, 800, 1500])
def test_a_briefing_keeps_its_budget(budget: int, onward: Onward, scratch: Scratch) -> None:
    out = onward("brief", str(scratch.transcript), "--budget", str(budget)).out
    assert 0 < estimate(out) <= budget * 1.1


def test_no_drift_does_not_look_at_the_repository(saved: Onward, scratch: Scratch) -> None:
    (scratch.root / "src/auth.py").unlink()
    assert saved("brief", "add-jwt-login", "--json").data["drift"]["files"]
    assert saved("brief", "add-jwt-login", "--no-drift", "--json").data["drift"] is None


def test_a_session_of_a_folder_that_is_gone_is_briefed_without_drift(
    onward: Onward, scratch: Scratch
) -> None:
    text = scratch.transcript.read_text().replace(str(scratch.root), "/no/such/folder")
    elsewhere = scratch.home / "moved.jsonl"
    elsewhere.write_text(text)
    assert onward("brief", str(elsewhere), "--json").data["drift"] is None


def test_a_place_is_shown_redacted(saved: Onward, scratch: Scratch, planted: str) -> None:
    lines = len(scratch.transcript.read_text().splitlines())
    assert "Add a login with JWT" in saved("show", "t:1").out
    last = saved("show", f"t:{lines}").out
    assert "One test still fails" in last
    assert planted not in last


@pytest.fixture
def other(saved: Onward, scratch: Scratch, empty_session: Session) -> str:
    """The name of a newer checkpoint, which another session made."""
    script = empty_session(scratch.root, "77777777-4f50-4a61-8b72-9c83ad94be05")
    script.user("Fix the total of the cart in src/cart.py")
    script.says("I shall fix the total.")
    path = scratch.transcript.with_name(f"{script.session}.jsonl")
    script.write(path)
    made = saved("save", "fix-the-cart", "--session", str(path), "--draft")
    assert made.code == 0, made.err
    return "fix-the-cart"


def test_a_place_is_looked_up_in_the_session_of_the_checkpoint_named(
    saved: Onward, scratch: Scratch, other: str
) -> None:
    assert "Fix the total" in saved("show", other, "t:1").out
    document = scratch.root / "hand-over.md"
    saved("document", "hand-over.md", "--session", str(scratch.transcript))
    for name in ("add-jwt-login", scratch.transcript.stem[:8], document.name):
        assert "Add a login with JWT" in saved("show", name, "t:1").out, name


def test_a_place_alone_tells_whose_it_is(saved: Onward, other: str) -> None:
    answer = saved("show", "t:1")
    assert "Fix the total" in answer.out
    assert "of session 77777777; " in answer.err
    assert "of session" not in saved("show", other, "t:1").err


def test_a_transcript_that_is_not_on_this_machine_is_told_with_its_session(
    saved: Onward, scratch: Scratch
) -> None:
    scratch.transcript.unlink()
    answer = saved("show", "add-jwt-login", "t:1")
    assert answer.code == 3
    assert f"is not on this machine (of session {scratch.transcript.stem})" in answer.err


def test_a_transcript_that_the_client_deleted_is_read_in_its_raw_copy(
    saved: Onward, scratch: Scratch
) -> None:
    memory, name = scratch.root / ".claude/memory", "20260301_140000_logout.jsonl"
    (memory / "raw").mkdir(parents=True)
    scratch.transcript.rename(memory / "raw" / name)
    (memory / ".backup-log").write_text(
        f"2026-03-01T14:00:00+00:00 saved {name} session={scratch.transcript.stem} reason=logout\n"
    )
    for words in (("add-jwt-login", "t:1"), ("t:1",)):
        answer = saved("show", *words)
        assert answer.code == 0, answer.err
        assert "Add a login with JWT" in answer.out


@pytest.mark.parametrize("words", [("add-jwt-logn", "t:1"), ("add-jwt-login", "x:1")])
def test_a_slip_in_name_or_place_is_told(words: tuple[str, str], saved: Onward) -> None:
    answer = saved("show", *words)
    assert answer.code in {2, 3}
    assert "  try: onward show " in answer.err


def test_the_briefing_of_a_checkpoint_names_the_command_that_opens_its_places(
    saved: Onward,
) -> None:
    out = saved("resume", "add-jwt-login", "--yes").out
    (command,) = re.findall(r"Look further: `onward (show add-jwt-login t:\d+)`", out)
    assert saved(*command.split()).code == 0
    (command,) = re.findall(r"`onward (search WORDS --session add-jwt-login)` finds more", out)
    for words in ("RS256", "--by user"):
        assert "Use RS256" in saved(*command.replace("WORDS", words).split()).out


def test_the_briefing_of_a_transcript_names_its_file_once_in_a_command_that_works(
    onward: Onward, scratch: Scratch
) -> None:
    away = scratch.transcript.rename(scratch.home / "a copy.jsonl")
    out = onward("brief", str(away)).out
    (command,) = re.findall(r"Look further: `onward (show --session .* t:\d+)`", out)
    typed = command.replace("~", str(scratch.home))
    assert onward(*shlex.split(typed)).code == 0
    assert out.count(away.name) == 1


def test_a_commit_is_shown(saved: Onward, scratch: Scratch) -> None:
    out = saved("show", f"c:{scratch.git('rev-parse', '--short', 'HEAD')}").out
    assert "Start" in out
    assert "src/auth.py" in out
    assert "maria@example.org" not in out


def test_a_commit_of_many_files_is_read_page_by_page(saved: Onward, scratch: Scratch) -> None:
    names = [f"src/part_{n}/some_module_{n}.py" for n in range(300)]
    for name in names:
        (scratch.root / name).parent.mkdir(parents=True)
        (scratch.root / name).write_text("x = 1\n")
    place, seen, more = f"c:{scratch.commit('Add all')[:7]}", "", ["--offset", "0"]
    while more:
        page = saved("show", place, *more).out
        assert estimate(page) <= 1_500
        seen += page
        more = re.findall(r"follow: onward show c:\w+ (--offset) (\d+)\)$", page.strip())
        more = [*more[0]] if more else []
    assert [name for name in names if f"{name} " not in seen] == []
    assert saved("show", place, "--all").out.count("some_module_") == 300
    assert saved("show", place, "--offset", "999999").code == 2


@pytest.mark.parametrize("place", ["t:999", "c:0000000", "t:", "c:--help", "t:0"])
def test_a_place_that_is_not_there_is_an_error_of_its_own(place: str, saved: Onward) -> None:
    answer = saved("show", place)
    assert answer.code in {2, 3}
    assert "  try: " in answer.err


@pytest.mark.parametrize(
    "last", ["/checkpoint save add-jwt-login --task Add it", "Add a login with JWT to the shop"]
)
def test_the_list_of_sessions_repeats_neither_the_title_nor_our_commands(
    last: str, onward: Onward, scratch: Scratch, empty_session: Session
) -> None:
    script = empty_session(scratch.root, scratch.transcript.stem)
    script.user("Add a login with JWT to the shop" + " and so on" * 20)
    script.lines.append({"type": "last-prompt", "lastPrompt": last + " and so on" * 20})
    script.write(scratch.transcript)
    assert "last:" not in onward("sessions").out
    script.lines[-1]["lastPrompt"] = "Now the tests"
    script.write(scratch.transcript)
    assert "last: Now the tests" in onward("sessions").out


PEM = "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----".format(
    "\n".join(
        "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj" + f"AgEAAoIBAQC{n}x7Kp9Zq" for n in range(8)
    )
)


@pytest.mark.parametrize("where", ["memory/checkpoints/fix-gate.md", "notes.md"])
@pytest.mark.parametrize("verb", ["show", "resume", "brief"])
def test_a_key_of_many_lines_that_somebody_pasted_is_not_told_in_pieces(
    verb: str, where: str, onward: Onward, scratch: Scratch
) -> None:
    path = scratch.root / where
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"# Checkpoint: fix-gate\n\n**Task:** Fix {PEM}\n\n## Progress\n- x\n")
    answer = onward(verb, "fix-gate" if "checkpoints" in where else where)
    assert answer.code == 0, answer.err
    assert "REDACTED" in answer.out
    assert "MIIEvQ" not in answer.out
    assert "x7Kp9Zq" not in answer.out


@pytest.mark.parametrize("width", [40, 60, 100])
def test_the_list_of_sessions_fits_the_terminal(
    width: int,
    scratch: Scratch,
    empty_session: Session,
    onward: Onward,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    script = empty_session(scratch.root, scratch.transcript.stem)
    script.user("登录页面需要支持两种语言 " * 12)
    script.user("Now the tests, " + "and so on " * 20)
    script.write(scratch.transcript)
    in_a_pipe = onward("sessions", "--all").out
    assert max(columns(line) for line in in_a_pipe.splitlines()) > 100
    monkeypatch.setattr(Call, "width", width)
    lines = onward("sessions", "--all").out.splitlines()
    assert len(lines) == len(in_a_pipe.splitlines())
    assert max(columns(line) for line in lines) <= width
    assert lines[0].endswith("…")


def test_a_path_of_json_opens_the_file_where_no_shell_expands_it(saved: Onward) -> None:
    path = saved("sessions", "--json").data[0]["path"]
    assert path.startswith("~/.claude/projects/")
    for words in (["distill", path], ["brief", path], ["show", "t:1", "--session", path]):
        assert saved(*words).code == 0
    found = saved("search", "RS256", "--session", path, "--json").data["hits"]
    assert found
    for hit in found:
        assert hit["file"].startswith("~/")
        assert saved("show", hit["file"]).code == 0
    assert saved("save", "again-login", "--session", path).code == 0


def test_paths_are_told_from_the_folder_that_a_session_began_in(
    onward: Onward, tmp_path: Path
) -> None:
    script = Script(Path("/srv/gone/shop"), "5f0a5f0a-0000-4000-8000-000000000000")
    script.user("Count the orders in the API too")
    script.cwd += "/api"
    script.call("Read", {"file_path": "/srv/gone/shop/api/orders.py"}, "x = 1", {})
    script.says("The orders are counted.")
    path = tmp_path / "session.jsonl"
    script.write(path)
    told = onward("brief", str(path), "--no-drift").out
    assert "`/srv/gone/shop` (branch main); paths are relative to it" in told
    assert "`api/orders.py`" in told
