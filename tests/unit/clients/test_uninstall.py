"""`onward uninstall`: what came with `install` goes, to the byte, and nothing else."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.clients.conftest import Place, tree
from tests.unit.clients.documents import REAL

from onward.agents.claude_code import install as claude_code
from onward.agents.codex import install as codex
from onward.clients import files
from onward.storage import atomic, backups
from onward.storage.project import usual

IGNORE = ".claude/memory/.gitignore"
OURS = files.BEGIN + b"\nrules\n@memory/x.md\n" + files.END
PROJECTS: dict[str, dict[str, str]] = {
    "nothing": {},
    "settings and rules": {
        ".claude/settings.json": REAL["with hooks of a formatter"],
        ".claude/settings.local.json": '{"permissions": {"allow": ["Bash"]}}',
        ".claude/CLAUDE.md": "# Rules\n\nBe brief.",
        "CLAUDE.md": "@.claude/CLAUDE.md\n",
    },
    "own commands, agents and skills": {
        ".claude/commands/deploy.md": "Deploy\n",
        ".claude/commands/checkpoint.md": "Mine\n",
        ".claude/agents/reviewer.md": "Review\n",
        ".claude/skills/session-continuity/notes.md": "Mine\n",
        ".claude/hooks/format.py": "pass\n",
        ".claude/settings.json": "{}\n",
    },
    "memory": {
        ".claude/memory/active-context.md": "# Active Context\n\nOurs to keep\n",
        ".claude/memory/session-2026-03-01-1400.md": "# Session\n",
        ".claude/memory/raw/20260301_140000.jsonl": "{}\n",
        ".claude/memory/.pending-backup": "raw/20260301_140000.jsonl\n",
        "memory/checkpoints/add-login.md": "**Task:** Add a login\n",
    },
    "empty files": {".claude/CLAUDE.md": "", "README.md": ""},
    "Windows lines": {
        ".claude/settings.json": REAL["tabs and Windows lines"],
        ".claude/CLAUDE.md": "# Rules\r\n\r\nBe brief.\r\n",
    },
}


@pytest.mark.parametrize("project", PROJECTS.values(), ids=PROJECTS)
def test_installed_and_uninstalled_a_project_is_what_it_was_to_the_byte(
    place: Place, project: dict[str, str]
) -> None:
    for name, text in project.items():
        place.write(name, text)
    before = tree(place.root)
    assert place.run("install").code == 0
    assert place.run("install").code == 0
    assert place.run("uninstall").code == 0
    assert tree(place.root) == before


@pytest.mark.parametrize("name", REAL)
def test_real_settings_are_what_they_were_to_the_byte(place: Place, name: str) -> None:
    place.write(".claude/settings.json", REAL[name])
    place.run("install")
    place.run("uninstall")
    assert place.read(".claude/settings.json") == REAL[name]


def test_what_was_written_since_stays(place: Place) -> None:
    place.run("install")
    place.write(".claude/commands/deploy.md", "Deploy\n")
    place.write(".claude/CLAUDE.md", "# Mine\n\n" + place.read(".claude/CLAUDE.md") + "More.\n")
    place.write(".claude/memory/active-context.md", "# Active Context\n\nAt work\n")
    place.write(".claude/memory/raw/20260301_140000.jsonl", "{}\n")
    settings = json.loads(place.settings.read_bytes())
    settings["model"] = "opus"
    place.write(".claude/settings.json", json.dumps(settings, indent=4))
    answer = place.run("uninstall")
    assert tree(place.root) == {
        ".claude": b"<folder>",
        ".claude/CLAUDE.md": b"# Mine\n\nMore.\n",
        ".claude/commands": b"<folder>",
        ".claude/commands/deploy.md": b"Deploy\n",
        ".claude/memory": b"<folder>",
        IGNORE: backups.ignoring(b""),
        ".claude/memory/active-context.md": b"# Active Context\n\nAt work\n",
        ".claude/memory/raw": b"<folder>",
        ".claude/memory/raw/20260301_140000.jsonl": b"{}\n",
        ".claude/settings.json": b'{\n    "model": "opus"\n}',
    }
    assert "Stays, since it is yours:\n  .claude/memory " in answer.out


def test_an_entry_that_a_person_changed_stays_and_is_named(place: Place) -> None:
    place.run("install")
    text = place.read(".claude/settings.json").replace('"timeout": 10', '"timeout": 20')
    place.write(".claude/settings.json", text)
    assert (
        "Left as you changed it: .claude/settings.json, line 6 (SessionStart)\n"
        in place.run("install").out
    )
    answer = place.run("uninstall")
    assert (
        "Stays, since you changed it: .claude/settings.json, line 6 (SessionStart)\n" in answer.out
    )
    assert list(json.loads(place.settings.read_bytes())["hooks"]) == ["SessionStart"]


def test_where_nothing_is_installed_nothing_is_done(place: Place) -> None:
    place.write(".claude/settings.json", REAL["minified"])
    before = tree(place.root)
    answer = place.run("uninstall")
    assert answer.code == 0
    assert answer.out == "Nothing of onward is installed here.\n"
    assert tree(place.root) == before
    assert place.run("uninstall", "--user").out == "Nothing of onward is installed in ~/.claude.\n"


def test_what_stays_is_listed_with_its_size_and_what_removes_it(place: Place) -> None:
    place.run("install")
    place.write(".claude/memory/raw/20260301_140000.jsonl", "x" * 2_345_678)
    place.write("SESSION-STATE.md", "# State\n")
    place.write("memory/check points/add-login.md", "x" * 3210)
    place.write("onward.toml", '[places]\ncheckpoints = "memory/check points"\n')
    (place.data / "trash").mkdir()
    (place.data / "trash/one.md").write_text("x" * 999)
    (place.root / "memory/check points/link.md").symlink_to(place.root / "onward.toml")
    answer = place.run("uninstall")
    launcher = (place.data / "launcher").stat().st_size
    sums = {
        ".claude/memory": "2 files, 2.3 MB",  # with the lines that keep raw/ out of git
        ".claude/memory/raw": "1 file, 2.3 MB",
        "memory/check points": "1 file, 3.2 KB",
        "SESSION-STATE.md": "1 file, 8 bytes",
        str(place.data): f"2 files, {(launcher + 999) / 1000:.1f} KB, of all projects",
    }
    width = max(map(len, sums))
    stays = [f"  {path:{width}}  {size}" for path, size in sums.items()]
    mine = ".claude/memory 'memory/check points' SESSION-STATE.md"
    assert answer.out.splitlines()[-8:] == [
        "Stays, since it is yours:",
        *stays,
        f"To remove it, in the project's folder: rm -r {mine}",
        f"To remove the trash, the log and the key of all projects: rm -r {place.data}",
    ]
    again = place.run("uninstall", "--json").data
    assert [each["path"] for each in again["stays"]] == list(sums)
    assert again["stays"][1] == {
        "path": ".claude/memory/raw",
        "files": 1,
        "bytes": 2_345_678,
    }


# ------------------------------------------------------ what git leaves alone

RAW = ".claude/memory/raw/20260301_140000.jsonl"


def test_after_a_first_session_git_sees_nothing_new_of_ours(place: Place) -> None:
    place.run("install")
    place.git("add", "-A")
    place.git("commit", "-qm", "Start")
    source = place.home / "s.jsonl"
    source.write_text("{}\n")
    backups.save(usual(place.root), source, now=datetime(2026, 3, 1, tzinfo=UTC))
    assert place.git("status", "--short") == ""


@pytest.mark.parametrize("left", [RAW, ".claude/memory/.backup-log"])
def test_the_lines_for_git_stay_as_long_as_there_is_something_to_leave_alone(
    place: Place, left: str
) -> None:
    place.run("install")
    lines = place.read(IGNORE)
    place.write(left, "{}\n")
    assert "Stays, since you changed it" not in place.run("uninstall").out
    assert place.read(IGNORE) == lines
    (place.root / left).unlink()
    if left == RAW:
        (place.root / left).parent.rmdir()
    place.run("install")
    place.run("uninstall")
    assert tree(place.root) == {}


@pytest.mark.parametrize("own", ["*.bak\n", "*.bak", "raw/\n", ""])
def test_lines_for_git_of_a_persons_own_are_left_as_they_are(place: Place, own: str) -> None:
    place.write(IGNORE, own)
    assert "gitignore" not in place.run("install").out
    assert place.read(IGNORE) == own
    place.run("uninstall")
    assert tree(place.root) == {
        ".claude": b"<folder>",
        ".claude/memory": b"<folder>",
        IGNORE: own.encode(),
    }


def test_an_uninstall_and_an_install_leave_the_committed_files_as_they_were(place: Place) -> None:
    place.run("install")
    place.git("add", "-A")
    place.git("commit", "-qm", "Start")
    place.write(".claude/memory/active-context.md", "# Active Context\n\nAt work\n")
    place.write(".claude/memory/project-memory.md", "# Project\n\nTabs\n")
    place.write(RAW, "{}\n")
    for verb in ("install", "uninstall", "install"):
        place.run(verb)
    changed = place.git("status", "--short").split()
    assert changed == [
        "M",
        ".claude/memory/active-context.md",
        "M",
        ".claude/memory/project-memory.md",
    ]


# ------------------------------------------------------------- a former release


def test_the_commands_of_before_are_put_right_and_taken_out(place: Place) -> None:
    place.write(".claude/settings.json", REAL["with hooks of a formatter"])
    place.run("install")
    now = place.settings.read_bytes()
    settings, count = json.loads(now), 0
    before = {hook.shim: hook.older[0] for hook in claude_code.hooks("project")}
    for hook in claude_code.HOOKS:
        for entry in settings["hooks"][hook.event]:
            if entry["hooks"][0]["command"] == claude_code.command(hook, "project").command:
                entry["hooks"][0]["command"] = before[hook.shim]
                count += 1
    assert count == len(claude_code.HOOKS)
    place.write(".claude/settings.json", json.dumps(settings, indent=4))
    answer = place.run("install")
    assert "  changed .claude/settings.json\n" in answer.out
    assert json.loads(place.settings.read_bytes()) == json.loads(now)
    place.write(".claude/settings.json", json.dumps(settings, indent=4))
    assert "Stays, since you changed it" not in place.run("uninstall").out
    assert json.loads(place.settings.read_bytes()) == json.loads(REAL["with hooks of a formatter"])


def test_settings_that_cannot_be_read_are_refused_and_nothing_goes(place: Place) -> None:
    place.run("install")
    place.write(".claude/settings.json", place.read(".claude/settings.json") + "// mine\n")
    before = tree(place.root)
    answer = place.run("uninstall")
    assert answer.code == 4
    assert "a comment, which JSON does not have" in answer.err
    assert tree(place.root) == before


@pytest.mark.parametrize("left", ["", " \n", None])
def test_settings_that_a_person_emptied_or_removed_do_not_hinder(
    place: Place, left: str | None
) -> None:
    place.run("install")
    place.settings.unlink()
    if left is not None:
        place.write(".claude/settings.json", left)
    assert place.run("uninstall").code == 0
    found = {name: data for name, data in tree(place.root).items() if data != b"<folder>"}
    assert found == ({} if left is None else {".claude/settings.json": left.encode()})


@pytest.mark.parametrize("ends", ["input", "true"])
def test_a_clone_on_another_machine_is_freed_as_well(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    place.write("README.md", "Shop\n")
    place.write(".claude/settings.json", REAL["as the client writes it"])
    place.run("install")
    place.git("add", "-A")
    place.git("commit", "-qm", "Start")
    clone = tmp_path / "clone"
    place.git("clone", "-q", "-c", f"core.autocrlf={ends}", str(place.root), str(clone))
    monkeypatch.chdir(clone)
    monkeypatch.setenv("ONWARD_DATA", str(tmp_path / "other"))
    # Only git's own exclude file is not cloned.
    assert place.run("install").out.splitlines()[1:-1] == ["  changed .git/info/exclude"]
    assert "All of it was installed already." in place.run("install").out
    answer = place.run("uninstall")
    assert "Stays, since you changed it" not in answer.out
    left = {n: d.replace(b"\r\n", b"\n") for n, d in tree(clone).items() if d != b"<folder>"}
    assert left == {
        "README.md": b"Shop\n",
        ".claude/settings.json": REAL["as the client writes it"].encode(),
    }


def test_without_the_record_what_is_ours_is_known_by_its_bytes(place: Place) -> None:
    place.write(".claude/settings.json", REAL["as the client writes it"])
    before = tree(place.root)
    place.run("install")
    (place.root / ".claude/onward.json").unlink()
    assert place.run("uninstall").code == 0
    assert tree(place.root) == before


@pytest.mark.parametrize(
    "name", ["../outside.md", "/etc/hosts", "README.md", ".claude/commands/../../README.md", "C:x"]
)
def test_a_record_cannot_name_files_that_are_not_ours(
    place: Place, tmp_path: Path, name: str
) -> None:
    place.write("README.md", "Shop\n")
    (tmp_path / "outside.md").write_text("Mine\n")
    place.run("install")
    record = place.record()
    for text in (b"Shop\n", b"Mine\n"):
        record["files"][name] = files.digest(text)
        place.write(".claude/onward.json", json.dumps(record))
        assert place.run("install").code == 0
        assert place.run("uninstall").code == 0
        assert (tmp_path / "outside.md").is_file()
        assert place.read("README.md") == "Shop\n"
        place.run("install")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not as onward wrote it"),
        ('{"files": []}', "is not as onward wrote it"),
        ('{"version": 99}', "was written by a newer onward"),
        ('{"settings": {"hooks": "{\\"Stop\\": []}"}}', "holds more than empty places"),
    ],
)
@pytest.mark.parametrize("verb", ["install", "uninstall"])
def test_a_record_that_is_not_ours_is_refused(
    place: Place, text: str, said: str, verb: str
) -> None:
    place.run("install")
    place.write(".claude/onward.json", text)
    before = tree(place.root)
    answer = place.run(verb)
    assert answer.code == 4
    assert said in answer.err
    assert tree(place.root) == before


def test_what_a_hook_left_behind_says_after_an_uninstall_is_nothing(place: Place) -> None:
    """The registered string is run by a shell, whatever has become of the file that it names."""
    place.run("install")
    shutil.rmtree(place.root / ".claude")
    for hook in claude_code.HOOKS:
        done = subprocess.run(
            ["/bin/sh", "-c", claude_code.command(hook, "project").command],
            env={"CLAUDE_PROJECT_DIR": str(place.root), "PATH": "/usr/bin:/bin"},
            input=b"{}",
            capture_output=True,
            check=False,
            cwd=place.root,
        )
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert tree(place.root) == {}


@pytest.mark.parametrize("verb", ["install", "uninstall", "doctor"])
def test_what_a_killed_call_left_behind_goes(place: Place, verb: str) -> None:
    place.run("install")
    left = [
        place.root / name / f".1-abcd{atomic.TEMPORARY}"
        for name in (".", ".claude", ".claude/hooks")
    ]
    for path in left:
        path.write_text("key")
        os.utime(path, (0, 0))
    fresh = place.root / ".claude" / f".2-abcd{atomic.TEMPORARY}"
    fresh.write_text("being written")
    place.run(verb)
    assert not [path for path in left if path.exists()]
    assert fresh.exists()


def _without_processes() -> None:
    import resource  # noqa: PLC0415 - POSIX only

    if os.getuid() == 0:  # the limit does not hold for root
        os.setgid(65534)
        os.setuid(65534)
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))


@pytest.mark.skipif(sys.platform != "linux", reason="limits as Linux has them")
@pytest.mark.parametrize(
    "command",
    [
        *(claude_code.command(hook, "project").command for hook in claude_code.HOOKS),
        *(codex.command(hook, "project").command for hook in codex.HOOKS),
    ],
)
def test_a_hook_blocks_nothing_where_no_process_can_be_started(command: str) -> None:
    # Not bash: it tries a fork again for 15 s.
    for shell in filter(None, map(shutil.which, ("dash",))):
        done = subprocess.run(
            [shell, "-c", command],
            env={"CLAUDE_PROJECT_DIR": "/", "PATH": "/usr/bin:/bin"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            cwd="/",
            preexec_fn=_without_processes,
        )
        assert (done.returncode, done.stdout) == (0, b""), shell


# ----------------------------------------------------------- the block in CLAUDE.md

PIECES = st.sampled_from(
    [b"a", b"\n", b"\r\n", b"\r", b"# Rules", b"@x.md", b"\xff", b"<!-- x -->", b" "]
)
TEXTS = st.lists(PIECES, max_size=6).map(b"".join)


@given(st.none() | TEXTS)
def test_a_block_put_in_and_taken_out_leaves_the_file_as_it_was(text: bytes | None) -> None:
    held = files.with_block(text, OURS)
    assert files.with_block(held, OURS) == held
    assert files.without_block(held) == text


@given(st.none() | TEXTS, TEXTS, TEXTS)
def test_what_is_written_round_the_block_stays(
    text: bytes | None, before: bytes, after: bytes
) -> None:
    left = files.without_block(before + files.with_block(text, OURS) + after) or b""
    if text is None and before and after and not before.endswith(b"\n"):
        assert left == before + b"\n" + after, "two lines of theirs must not become one"
    else:
        assert left == before + (text or b"") + after


def test_a_newer_block_takes_the_place_of_the_older_one() -> None:
    held = files.with_block(b"# Rules\n", OURS) + b"more\n"
    newer = OURS.replace(b"rules", b"other rules")
    assert files.with_block(held, newer) == held.replace(OURS, newer)
