"""`onward scrub`: text in, clean text out; or what is there and where."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from ruamel.yaml import YAML

from onward.cli import main
from onward.commands import scrub

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch

TOKEN = "ghp_" + "Zz9Yy8Xx7Ww6Vv5Uu4Tt3Ss2Rr1Qq0Pp9Oo8"
ADDRESS = "ben" + "@example.org"


class Told(NamedTuple):
    code: int
    out: bytes
    err: str


Scrub = Callable[..., Told]


@pytest.fixture
def scrubbed(
    scratch: Scratch, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Scrub:
    """Runs the verb in the scratch project with these bytes on stdin."""

    def run(text: bytes | str, *words: str) -> Told:
        raw = text.encode() if isinstance(text, str) else text
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8"))
        capfdbinary.readouterr()
        code = main(["scrub", *words])
        out, err = capfdbinary.readouterr()
        return Told(code, out, err.decode())

    return run


# --------------------------------------------------------------------------- a filter


def test_the_clean_text_goes_out_and_the_findings_beside_it(scrubbed: Scrub) -> None:
    told = scrubbed(f"a {TOKEN}\r\nb {ADDRESS}\n~/x /home/maria/x\n")
    first, second, third = told.out.split(b"\n")[:3]
    assert first.startswith(b"a [REDACTED:github-token:")
    assert first.endswith(b"]\r")
    assert second.startswith(b"b [REDACTED:email:")
    assert third == b"~/x ~/x"
    assert told.err.splitlines()[:2] == ["1:3: github-token", "2:3: email"]
    assert told.code == 0
    assert TOKEN not in told.err


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\n",
        b"plain",
        b"\xff\xfe latin \xe9 \xf0\x9f\x98 half\r\n",
        b"nul \x00 and \x1b[31mred\x1b[0m\n",
        "é\u200b日本\u2028x\ufeff".encode(),
        b"\xef\xbb\xbfwith a mark\n",
        "\ufeffwide\r\n".encode("utf-16-le"),
        b"\xff\xfe\x00",
        b'{"a": 1.50, "b":"\\u00e9"}',
        b'{"a": "\xff"}\n',
    ],
)
def test_what_holds_nothing_comes_out_byte_for_byte(scrubbed: Scrub, raw: bytes) -> None:
    assert scrubbed(raw) == Told(0, raw, "")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"\xff " + TOKEN.encode() + b" \xfe\n", (b"\xff ", b" \xfe\n")),
        (
            f"\ufeffx {TOKEN} é\r\n".encode("utf-16-le"),
            ("\ufeffx ".encode("utf-16-le"), "] é\r\n".encode("utf-16-le")),
        ),
        (
            f"\ufeffx {TOKEN}".encode("utf-16-be"),
            ("\ufeffx ".encode("utf-16-be"), "]".encode("utf-16-be")),
        ),
    ],
)
def test_bytes_of_any_kind_stay_round_a_secret(
    scrubbed: Scrub, before: bytes, after: tuple[bytes, bytes]
) -> None:
    told = scrubbed(before)
    assert told.out.startswith(after[0])
    assert told.out.endswith(after[1])
    assert TOKEN.encode() not in told.out.replace(b"\0", b"")


def test_json_stays_json_and_its_keys_are_context(scrubbed: Scrub) -> None:
    text = json.dumps({"db": {"password": "swordfish"}, "log": f"x\n{TOKEN}\ty", "n": 1})
    told = scrubbed(text)
    found = json.loads(told.out)
    assert found["db"]["password"].startswith("[REDACTED:password:")
    assert found["log"].startswith("x\n[REDACTED:github-token:")
    assert told.err.splitlines() == ["1:22: password", "1:46: github-token"]


def test_the_same_secret_reads_the_same_as_in_what_onward_writes(
    scrubbed: Scrub, scratch: Scratch, planted: str
) -> None:
    main(["note", f"The key is {planted}"])
    mark = scrubbed(planted).out.decode()
    assert mark in (scratch.root / "SESSION-STATE.md").read_text()


def test_findings_can_be_had_as_json(scrubbed: Scrub) -> None:
    told = scrubbed(f"é {TOKEN}\n", "--json")
    assert json.loads(told.err) == [
        {"path": "", "line": 1, "column": 3, "length": 40, "rule": "github-token"}
    ]
    assert told.out.startswith("é [REDACTED".encode())
    assert json.loads(scrubbed("nothing", "--json").err) == []


def test_files_come_out_one_after_the_other(scrubbed: Scrub, scratch: Scratch) -> None:
    (scratch.root / "a.txt").write_text(f"a {TOKEN}\n")
    (scratch.root / "b.txt").write_text(f"b {ADDRESS}")
    told = scrubbed("stdin is not asked", "a.txt", "b.txt")
    assert told.out.startswith(b"a [REDACTED:github-token:")
    assert b"\nb [REDACTED:email:" in told.out
    assert told.err.splitlines() == ["a.txt:1:3: github-token", "b.txt:1:3: email"]


def test_a_long_text_takes_bounded_memory_and_loses_nothing(
    scrubbed: Scrub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scrub, "PIECE", 1000)
    lines = [
        f"line {n} {TOKEN}\r\n" if n % 50 == 0 else f"line {n} \xe9\r\n" for n in range(20_000)
    ]
    told = scrubbed("".join(lines))
    assert told.out.count(b"\r\n") == 20_000
    assert told.out.count(b"[REDACTED:github-token:") == 400
    assert told.err.splitlines()[1:3] == ["51:9: github-token", "101:10: github-token"]
    assert (
        scrubbed("".join(lines).replace(TOKEN, "x")).out
        == "".join(lines).replace(TOKEN, "x").encode()
    )


def test_a_line_without_end_is_refused(scrubbed: Scrub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scrub, "PIECE", 1000)
    monkeypatch.setattr(scrub, "LONGEST", 5000)
    told = scrubbed("a" * 9000)
    assert told.code == 5
    assert told.out == b""
    assert "has a line of more than" in told.err


# ----------------------------------------------------------------------------- a check


def test_a_check_names_places_and_writes_nothing(
    scrubbed: Scrub, scratch: Scratch, unchanged: Callable[[Path], Callable[[], bool]]
) -> None:
    (scratch.root / "src/a.py").write_text(f"x = 1\nkey = '{TOKEN}'\n# {ADDRESS}\n")
    (scratch.root / "src/b.py").write_text("x = 1\n")
    main(["list"])
    same = unchanged(scratch.root)
    told = scrubbed("", "--check", "src/a.py", "src/b.py")
    assert told == Told(1, b"src/a.py:2:8: github-token\nsrc/a.py:3:3: email\n", "")
    assert scrubbed("", "--check", "src/b.py") == Told(0, b"", "")
    assert same()


def test_a_check_of_stdin(scrubbed: Scrub) -> None:
    assert scrubbed(f"a {TOKEN}", "--check") == Told(1, b"1:3: github-token\n", "")
    assert scrubbed("a", "--check") == Told(0, b"", "")


def test_a_check_as_json_goes_to_stdout(scrubbed: Scrub, scratch: Scratch) -> None:
    (scratch.root / "a.txt").write_text(f"\n {TOKEN}\n")
    told = scrubbed("", "--check", "--json", "a.txt")
    assert told.code == 1
    assert json.loads(told.out) == [
        {"path": "a.txt", "line": 2, "column": 2, "length": 40, "rule": "github-token"}
    ]
    assert TOKEN.encode() not in told.out


def test_a_hook_on_source_may_look_for_secrets_alone(scrubbed: Scrub) -> None:
    text = f"{ADDRESS} /home/maria/x /home/ben/x {TOKEN}\n"
    assert scrubbed(text, "--check", "--secrets-only").out == b"1:43: github-token\n"


def test_a_binary_file_is_left_out_with_a_word(scrubbed: Scrub, scratch: Scratch) -> None:
    (scratch.root / "a.png").write_bytes(b"\x89PNG\0\0" + TOKEN.encode())
    assert scrubbed("", "--check", "a.png") == Told(0, b"", "a.png: binary, left out\n")


@pytest.mark.parametrize(
    ("words", "code", "told", "hint"),
    [
        (["gone.txt"], 3, "there is no file gone.txt", "onward scrub <"),
        (["--check", "src/auth.py", "gone.txt"], 3, "there is no file gone.txt", "onward scrub <"),
        (["src"], 2, "src is a folder", "git ls-files -z src | xargs -0 onward scrub --check"),
        (["--also", "shoe-size"], 2, "--also takes phone and card", "--also phone,card"),
        (["--rules", "gone.toml"], 3, "there is no file of rules gone.toml", "ls"),
    ],
    ids=str,
)
def test_a_slip_is_told_with_what_to_type(
    scrubbed: Scrub, words: list[str], code: int, told: str, hint: str
) -> None:
    answer = scrubbed(TOKEN, *words)
    assert (answer.code, answer.out) == (code, b"")
    assert told in answer.err
    assert hint in answer.err


def test_on_a_terminal_without_text_it_says_what_to_type(
    scratch: Scratch, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    assert main(["scrub"]) == 2
    assert "try: onward scrub < notes.txt > clean.txt" in capsys.readouterr().err


def test_text_that_cannot_be_read_is_told(
    scratch: Scratch, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Broken()))
    assert main(["scrub"]) == 6
    assert "standard input cannot be read: Input/output error" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="Windows has no closed pipes of this kind")
def test_a_reader_that_leaves_early_hears_nothing(scratch: Scratch) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "onward", "scrub"],
        input=b"x\n" * 9,
        stdout=write,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


def test_escapes_in_a_file_name_stay_off_the_terminal(scrubbed: Scrub, scratch: Scratch) -> None:
    name = "a\x1b[31m.txt"
    if os.name == "nt":
        pytest.skip("Windows has no such names")
    (scratch.root / name).write_text(TOKEN)
    assert scrubbed("", "--check", name).out == b"a.txt:1:1: github-token\n"
    assert "\x1b" not in scrubbed("", "--check", f"gone{name}").err


def test_it_works_where_there_is_no_project_and_no_home(
    scrubbed: Scrub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ONWARD_DATA")
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path / "gone"))
    (tmp_path / "bare").mkdir()
    monkeypatch.chdir(tmp_path / "bare")
    assert scrubbed(TOKEN).out.startswith(b"[REDACTED:github-token:")
    assert list((tmp_path / "bare").iterdir()) == []
    assert not (tmp_path / "gone").exists()


# ------------------------------------------------ what a user adds, and false alarms


def test_personal_data_goes_on_request(scrubbed: Scrub) -> None:
    text = "call +49 170 555 01 23 now\n"
    assert scrubbed(text).out == text.encode()
    assert b"555" not in scrubbed(text, "--also", "phone").out
    assert b"555" not in scrubbed(text, "--also", "card,phone").out


def test_rules_of_a_person_are_added(scrubbed: Scrub, scratch: Scratch) -> None:
    pytest.importorskip("re2")
    rules = scratch.root / "own.toml"
    rules.write_text(
        "[extend]\nuseDefault = true\n[[rules]]\nid = 'project'\nregex = 'nightingale'\n"
    )
    told = scrubbed(f"nightingale {TOKEN}", "--rules", "own.toml", "--check")
    assert told.out.splitlines() == [b"1:1: project", b"1:13: github-token"]
    assert "not part of onward" in told.err
    rules.write_text("[[rules]]\nid = 'project'\nregex = '('\n")
    told = scrubbed("nightingale", "--rules", "own.toml")
    assert (told.code, told.out) == (4, b"")
    assert "own.toml, rule 1 (project): a pattern does not compile" in told.err


def test_an_ignored_value_or_mark_is_no_finding(scrubbed: Scrub, scratch: Scratch) -> None:
    mark = scrubbed(TOKEN).out.decode()
    for entry in (TOKEN, mark):
        (scratch.root / ".onwardignore").write_text(f"# an example\n{entry}\n")
        assert scrubbed(f"a {TOKEN} b", "--check") == Told(0, b"", "")
        assert scrubbed(f"a {TOKEN} b") == Told(0, f"a {TOKEN} b".encode(), "")
    (scratch.root / ".onwardignore").write_text("a\n")
    told = scrubbed(TOKEN)
    assert (told.code, told.out) == (4, b"")
    assert ".onwardignore, line 1" in told.err


def test_a_line_can_be_allowed_in_a_file_of_ones_own(scrubbed: Scrub) -> None:
    text = f"{TOKEN}  # onward:allow\n{TOKEN}\n"
    assert scrubbed(text, "--check").out == b"2:1: github-token\n"
    assert scrubbed(json.dumps({"x": f"{TOKEN} onward:allow"}), "--check").code == 1


def test_a_line_of_a_transcript_cannot_allow_itself(onward: Onward, planted: str) -> None:
    onward("note", f"{planted} onward:allow")
    for words in (("save", "add-jwt-login"), ("distill", "0b1c2d3e"), ("brief", "add-jwt-login")):
        answer = onward(*words)
        assert planted not in answer.out + answer.err


def test_the_hook_that_pre_commit_reads_calls_what_is_there(
    scrubbed: Scrub, scratch: Scratch
) -> None:
    root = Path(__file__).resolve().parents[3]
    (hook,) = YAML(typ="safe").load((root / ".pre-commit-hooks.yaml").read_text("utf-8"))
    words: list[str] = [*hook["entry"].split(), *hook["args"]]
    assert words[:2] == ["onward", "scrub"]
    (scratch.root / "a.py").write_text(f"{TOKEN}\n")
    assert scrubbed("", *words[2:], "a.py").code == 1
    assert scrubbed("", *words[2:], "src/auth.py").code == 0
