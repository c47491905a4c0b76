"""The boundary: whatever breaks behind it, the client sees status 0 and an empty stdout."""

from __future__ import annotations

import json
import marshal
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import onward

SOURCE = Path(onward.__file__).parent
LIGHT = (
    "__init__.py",
    "regular.py",
    *(f"agents/{name}.py" for name in ("__init__", "claude_code/__init__", "claude_code/hook")),
    "transcripts/__init__.py",
    "transcripts/hook_call.py",
    *(f"hooks/{n}.py" for n in ("__init__", "entry", "environment", "processes")),
    "storage/__init__.py",
    "storage/live.py",
    "storage/machine.py",
    "storage/sessions.py",
)
PAYLOAD = json.dumps({"session_id": "5f0a", "prompt": "a planted word"}).encode()
# 4 to 16 ms each on the machine where the whole of bare Python takes 8
DEAR = {"json", "re", "typing", "pathlib", "contextlib", "collections", "subprocess", "signal"}

Serve = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """The light modules alone, as nothing else may be needed; a test adds the handlers."""
    root = tmp_path / "site"
    for name in LIGHT:
        target = root / "onward" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SOURCE / name, target)
    return root / "onward"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def serve(package: Path, data: Path, tmp_path: Path) -> Serve:
    (tmp_path / "p/.claude/memory").mkdir(parents=True)

    def run(
        handler: str, *words: str, payload: bytes = PAYLOAD, stdout: Any = subprocess.PIPE
    ) -> subprocess.CompletedProcess[bytes]:
        (package / "hooks/dispatch.py").write_text(handler)
        given = words or ("claude-code", "prompt", "77")
        return subprocess.run(
            [sys.executable, "-I", "-S", str(package / "hooks/entry.py"), *given],
            input=payload,
            stdout=stdout,
            stderr=subprocess.PIPE,
            check=False,
            cwd=tmp_path,
            env={"ONWARD_DATA": str(data), "CLAUDE_PROJECT_DIR": str(tmp_path / "p")},
        )

    return run


def answering(expression: str) -> str:
    return f"def run(call, here):\n    return {expression}\n"


def lines(data: Path) -> list[str]:
    log = data / "hooks.log"
    return log.read_text().splitlines() if log.exists() else []


def test_the_answer_of_the_handler_is_printed_as_it_is(serve: Serve, data: Path) -> None:
    done = serve(answering("f'{call.session} {call.event} {call.pid} \\u00fc \\ud800\\n'"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "5f0a prompt 77 ü ?\n".encode(), b"")
    assert lines(data) == []


def test_the_second_registration_says_nothing(serve: Serve) -> None:
    assert serve(answering("'once'")).stdout == b"once"
    assert serve(answering("'once'")).stdout == b""


class TestTheHookThatTheClientDoesNotWaitFor:
    AHEAD = b'{"async":true,"asyncTimeout":15000}\n'
    WORDS = ("claude-code", "compacted", "77")

    def test_lets_it_go_on_before_the_handler_is_even_imported(
        self, serve: Serve, tmp_path: Path
    ) -> None:
        out = tmp_path / "out"
        handler = f"seen = open({str(out)!r}, 'rb').read()\n{answering('repr(seen)')}"
        with out.open("wb") as stdout:
            serve(handler, *self.WORDS, stdout=stdout)
        ahead, answer = out.read_bytes().splitlines(keepends=True)
        assert ahead == self.AHEAD
        told = json.loads(answer)["hookSpecificOutput"]["additionalContext"]
        assert told == repr(self.AHEAD)

    @pytest.mark.parametrize("handler", [answering("''"), "raise OSError\n", "def run(call"])
    def test_says_nothing_more_where_there_is_nothing_or_it_breaks(
        self, serve: Serve, data: Path, handler: str
    ) -> None:
        done = serve(handler, *self.WORDS)
        assert (done.returncode, done.stdout, done.stderr) == (0, self.AHEAD, b"")
        assert len(lines(data)) == (0 if "''" in handler else 1)

    def test_is_served_beside_the_start_it_belongs_to_and_once_for_two_registrations(
        self, serve: Serve
    ) -> None:
        start = ("claude-code", "start", "77")
        assert serve(answering("'told'"), *start).stdout == b"told"
        assert serve(answering("'told'"), *self.WORDS).stdout.startswith(self.AHEAD)
        assert serve(answering("'told'"), *self.WORDS).stdout == b""

    def test_has_nothing_to_say_to_a_payload_that_is_no_json(self, serve: Serve) -> None:
        assert serve(answering("'told'"), *self.WORDS, payload=b"{").stdout == b""


@pytest.mark.parametrize(
    ("handler", "kind"),
    [
        ("def run(call, here):\n    raise ValueError(call.prompt)\n", "ValueError"),
        ("def run(call, here):\n    raise SystemExit(2)\n", "SystemExit"),
        ("def run(call, here):\n    raise KeyboardInterrupt\n", "KeyboardInterrupt"),
        ("def run(call, here):\n    raise MemoryError\n", "MemoryError"),
        ("def run(call, here):\n    return run(call, here)\n", "RecursionError"),
        ("def run(call, here):\n    return None\n", "AttributeError"),
        ("def run(call):\n    return ''\n", "TypeError"),
        ("def run(call, here)\n", "SyntaxError"),
        ("import onward.nothing\n", "ModuleNotFoundError"),
        ("", "AttributeError"),
    ],
)
def test_whatever_is_raised_leaves_one_line_in_the_log(
    serve: Serve, data: Path, handler: str, kind: str
) -> None:
    done = serve(handler)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    (line,) = lines(data)
    assert f"claude-code prompt: {kind}" in line
    assert "planted" not in line
    assert (data / "hooks.log").stat().st_mode & 0o777 == 0o600


def test_the_line_names_the_place_in_our_code(serve: Serve, data: Path) -> None:
    serve("def run(call, here):\n    raise OSError\n")
    assert lines(data)[0].endswith("OSError at hooks/dispatch.py:2")


def test_of_a_foreseen_error_it_says_what_that_says(
    serve: Serve, package: Path, data: Path
) -> None:
    shutil.copy(SOURCE / "errors.py", package / "errors.py")
    begin = "from onward.errors import StorageError\n"
    serve(f"{begin}def run(call, here):\n    raise StorageError('the disk is full')\n")
    assert lines(data)[0].endswith("StorageError at hooks/dispatch.py:3: the disk is full")


@pytest.mark.parametrize("payload", [b"", b"{", b"[]", b"planted", b"\xff", b"[" * 100_000])
def test_a_payload_that_is_no_json_is_a_line_in_the_log(
    serve: Serve, data: Path, payload: bytes
) -> None:
    done = serve(answering("'said'"), payload=payload)
    assert (done.returncode, done.stdout) == (0, b"")
    (line,) = lines(data)
    assert "planted" not in line


@pytest.mark.parametrize("words", [("",), ("claude-code",), ("no-such", "turn"), ("..", "turn")])
def test_words_that_name_no_hook_are_a_line_in_the_log(
    serve: Serve, data: Path, words: tuple[str, ...]
) -> None:
    done = serve("", *words)
    assert (done.returncode, done.stdout) == (0, b"")
    assert len(lines(data)) == 1


@pytest.mark.skipif(os.name == "nt", reason="no alarm there")
def test_a_handler_that_hangs_is_given_up_before_the_client_gives_us_up(
    serve: Serve, package: Path, data: Path
) -> None:
    entry = package / "hooks/entry.py"
    entry.write_text(entry.read_text().replace("_DEFAULT = 4", "_DEFAULT = 1"))
    hang = "import time\ndef run(call, here):\n    while True:\n        try: time.sleep(9)\n"
    done = serve(hang + "        except Exception: pass\n")
    assert (done.returncode, done.stdout) == (0, b"")
    assert lines(data)[0].endswith("TimeIsUp at hooks/dispatch.py:4")


def test_a_reader_that_has_gone_is_no_fault(serve: Serve, package: Path, data: Path) -> None:
    (package / "hooks/dispatch.py").write_text(answering("'x' * 200_000"))
    with subprocess.Popen(
        [sys.executable, "-I", "-S", str(package / "hooks/entry.py"), "claude-code", "turn"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={"ONWARD_DATA": str(data)},
    ) as hook:
        assert hook.stdout is not None
        assert hook.stdin is not None
        hook.stdout.close()
        hook.stdin.write(PAYLOAD)
        hook.stdin.close()
        assert hook.wait() == 0
    assert lines(data) == []


def test_no_file_of_another_shadows_the_standard_library(
    serve: Serve, package: Path, tmp_path: Path, data: Path
) -> None:
    for folder in (tmp_path, package.parent, package / "hooks"):
        for name in ("json", "time", "types", "fcntl", "marshal", "subprocess"):
            (folder / f"{name}.py").write_text("raise SystemExit(2)")
    done = serve(
        "def run(call, here):\n    import json, types, marshal, subprocess\n    return 'fine'\n"
    )
    assert (done.stdout, lines(data)) == (b"fine", [])


def test_where_our_folder_cannot_be_the_project_s_log_takes_the_line(
    serve: Serve, data: Path, tmp_path: Path
) -> None:
    data.write_text("a file in the way")
    serve("def run(call, here):\n    raise OSError\n")
    log = tmp_path / "p/.claude/memory/.backup-log"
    assert log.read_text().count("\n") == 1


@pytest.mark.parametrize("link", [".claude", ".claude/memory", ".claude/memory/.backup-log"])
def test_no_link_of_a_repository_leads_the_line_elsewhere(
    serve: Serve, data: Path, tmp_path: Path, link: str
) -> None:
    data.write_text("a file in the way")
    project, other = tmp_path / "p", tmp_path / "other"
    (other / "memory").mkdir(parents=True)
    place = project / link
    shutil.rmtree(project / ".claude")
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(other / ".backup-log" if link.endswith("log") else other)
    serve("def run(call, here):\n    raise OSError\n")
    assert sorted(p.name for p in other.rglob("*")) == ["memory"]


def test_the_log_stays_bounded(serve: Serve, data: Path) -> None:
    data.mkdir()
    (data / "hooks.log").write_text("x" * 65_536 + "\n")
    for number in range(2):
        serve("def run(call, here):\n    raise OSError\n", "claude-code", "turn", str(number))
    assert len(lines(data)) == 1
    assert (data / "hooks.log.1").stat().st_size < 70_000


def test_until_there_is_work_nothing_dear_is_imported(serve: Serve) -> None:
    done = serve("import sys\ndef run(call, here):\n    return ' '.join(sys.modules)\n")
    loaded = set(done.stdout.decode().split())
    assert "onward.hooks.environment" in loaded
    assert loaded & DEAR == set()


def test_a_job_runs_away_from_the_session_s_folder(
    package: Path, data: Path, tmp_path: Path
) -> None:
    (package / "hooks/detached.py").write_text(
        "import os\ndef run(kind, fields, here):\n"
        "    found = [kind, fields['a'], os.getcwd(), here.project]\n"
        "    open(fields['to'], 'w').write(repr(found))\n"
    )
    job = tmp_path / "job"
    fields = {"a": "ü\0\ud800", "to": str(tmp_path / "out"), "project": "/p"}
    job.write_bytes(marshal.dumps(("prepare", fields)))
    with job.open("rb") as stdin:
        subprocess.run(
            [sys.executable, "-I", "-S", str(package / "hooks/entry.py"), "claude-code", "later"],
            stdin=stdin,
            check=True,
            env={"ONWARD_DATA": str(data)},
        )
    assert (tmp_path / "out").read_text() == repr(["prepare", "ü\0\ud800", os.sep, "/p"])
    assert lines(data) == []
