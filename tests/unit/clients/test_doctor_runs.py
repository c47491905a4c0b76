"""The doctor runs what is registered, in a throw-away project, and believes only in work done."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from onward.agents.claude_code import install as claude_code
from onward.agents.claude_code.install import LOG
from onward.clients import files
from onward.clients.doctor import Case, Finding, trial
from onward.commands import setup
from onward.storage.project import usual

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the client's own shell is sh")

TRIAL = trial.Trial(
    subject="run",
    where="",
    commands=[],
    client=claude_code.ClaudeCode,
    install="",
)
NOTE = 'echo "$(date) $1" >>"$ONWARD_DATA/hooks.log"\n'
END = """\
transcript=$(sed -n 's/.*"transcript_path": "\\([^"]*\\)".*/\\1/p')
mkdir -p "$CLAUDE_PROJECT_DIR/.claude/memory/raw"
cp "$transcript" "$CLAUDE_PROJECT_DIR/.claude/memory/raw/$$.jsonl"
mkdir -p "$ONWARD_DATA/live/$CLAUDE_CODE_SESSION_ID"
: >"$ONWARD_DATA/live/$CLAUDE_CODE_SESSION_ID/checkpoint.json"
"""
START = "echo SESSION_BACKUP_PENDING: one\n"
WELL = {
    "on-session-start.sh": START,
    "on-session-start-compact.sh": "cat >/dev/null\n",
    "on-session-end.sh": END,
    "on-pre-compact.sh": END + "echo keep this\n",
    "on-user-prompt-submit.sh": "cat >/dev/null\n",
    "on-stop.sh": ":\n",
    "on-pre-tool-use.sh": ":\n",
    LOG: (files.TEMPLATES / "hooks" / LOG).read_text("utf-8"),
}


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Case:
    """A project whose shims are small stand-ins, and a folder for temporary files of its own."""
    root, temporary = tmp_path / "a shop", tmp_path / "tmp"
    for folder in (root / ".claude/hooks", temporary, tmp_path / "data", tmp_path / "home"):
        folder.mkdir(parents=True)
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    lay(root, WELL)
    trust(tmp_path / "home", root)
    return Case(
        project=usual(root),
        cwd=root,
        home=tmp_path / "home",
        data=tmp_path / "data",
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path / "home")},
        now=datetime(2026, 3, 10, 12, tzinfo=UTC),
        top=None,
    )


def register(level: claude_code.Registration) -> dict[str, Any]:
    table: dict[str, list[Any]] = {}
    for hook in claude_code.HOOKS:
        command = claude_code.command(hook, level).command
        inner = {"type": "command", "command": command, "timeout": hook.timeout}
        table.setdefault(hook.event, []).append({"matcher": hook.matcher, "hooks": [inner]})
    return {"hooks": table}


def trust(home: Path, root: Path) -> None:
    """As the client keeps that the user trusts a folder."""
    known = {"projects": {os.path.realpath(root): {"hasTrustDialogAccepted": True}}}
    (home / ".claude.json").write_text(json.dumps(known))


def lay(root: Path, shims: dict[str, str]) -> None:
    (root / ".claude/settings.json").write_text(json.dumps(register("project")))
    for name, text in shims.items():
        (root / ".claude/hooks" / name).write_text(text)


def raw(root: Path, command: str, event: str = "Stop", timeout: float = 5) -> None:
    """Another command in the place of one of ours, as it might be changed by a user."""
    path = root / ".claude/settings.json"
    data = json.loads(path.read_text())
    shim = next(hook.shim for hook in claude_code.HOOKS if hook.event == event)
    inner = {"type": "command", "command": f"{command} # /hooks/{shim} onward", "timeout": timeout}
    data["hooks"][event] = [{"hooks": [inner]}]
    path.write_text(json.dumps(data))


def worse(case: Case) -> list[Finding]:
    return [each for each in trial.commands(case) if each.level != "ok"]


def test_commands_that_do_their_work_are_measured(shop: Case) -> None:
    (found,) = trial.commands(shop)
    assert found.level == "ok"
    for hook in claude_code.HOOKS:
        matcher = f" ({hook.matcher})" if hook.matcher else ""
        assert re.search(rf"{hook.event}{re.escape(matcher)} \d+ ms", found.text)


PLANTED = 'touch "$HOME/pwned"\n'


def cloned(case: Case) -> Path:
    """Take the trust away; what a planted command leaves behind."""
    (case.home / ".claude.json").unlink()
    hooks = case.here.base / "hooks"
    for path, data in claude_code.shims(hooks.parent).items():
        path.write_bytes(data)
    return case.home / "pwned"


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
def test_a_command_that_came_with_a_repository_is_not_run(shop: Case, name: str) -> None:
    trace = cloned(shop)
    raw(shop.project.root, PLANTED.strip() + ";")
    (shop.here.base / "settings.json").rename(shop.here.base / name)
    (found,) = trial.commands(shop)
    assert found.level == "warning"
    assert "Stop in .claude/" in found.text
    assert not trace.exists()
    trust(shop.home, shop.project.root)
    list(trial.commands(shop))
    assert trace.exists()


@pytest.mark.parametrize("path", sorted(map(str, claude_code.shims())))
def test_a_shim_that_came_with_a_repository_is_not_run(shop: Case, path: str) -> None:
    trace = cloned(shop)
    (shop.here.base / path).write_text(PLANTED)
    (found,) = trial.commands(shop)
    assert found.level == "warning"
    assert f".claude/{path}" in found.text
    assert not trace.exists()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_is_as_onward_wrote_it_runs_wherever_it_came_from(shop: Case, end: str) -> None:
    cloned(shop)
    stop = shop.here.base / "hooks/on-stop.sh"
    stop.write_bytes(stop.read_bytes().replace(b"\n", end.encode()))
    assert not any("not run" in each.text for each in trial.commands(shop))


def test_the_persons_own_registration_runs_beside_one_that_is_not(shop: Case) -> None:
    trace = cloned(shop)
    (shop.here.base / "hooks/on-stop.sh").write_text(PLANTED)
    (shop.home / ".claude/hooks").mkdir(parents=True)
    for name, text in WELL.items():
        (shop.home / ".claude/hooks" / name).write_text(text)
    (shop.home / ".claude/settings.json").write_text(json.dumps(register("user")))
    assert [each.level for each in trial.commands(shop)] == ["ok", "warning"]
    assert not trace.exists()


def test_each_registration_is_tried_by_itself(shop: Case) -> None:
    """Beside each other one of them would find its work done by the other."""
    config, plugin = shop.home / ".claude", shop.home / "plugin"
    for folder in (config, plugin):
        (folder / "hooks").mkdir(parents=True)
        for name, text in WELL.items():
            (folder / "hooks" / name).write_text(text)
    switched = {"enabledPlugins": {"onward@m": True}}
    (config / "settings.json").write_text(json.dumps(register("user") | switched))
    (plugin / "hooks/hooks.json").write_text(json.dumps(register("plugin")))
    (config / "plugins").mkdir()
    copies = {"plugins": {"onward@m": [{"installPath": str(plugin)}]}}
    (config / "plugins/installed_plugins.json").write_text(json.dumps(copies))
    found = list(trial.commands(shop))
    assert [each.text.split(": ")[0] for each in found] == [
        "~/plugin/hooks/hooks.json",
        "~/.claude/settings.json",
        ".claude/settings.json",
    ]
    assert {each.level for each in found} == {"ok"}
    (plugin / "hooks/on-session-end.sh").unlink()
    (plugin / "hooks/on-pre-compact.sh").unlink()
    (only,) = worse(shop)
    assert "~/plugin/hooks/hooks.json kept no copy" in only.text


def test_nothing_of_the_persons_is_touched_and_nothing_is_left_behind(shop: Case) -> None:
    tree = shop.project.root.parent
    before = {path: path.stat().st_mtime_ns for path in tree.rglob("*") if path.is_file()}
    list(trial.commands(shop))
    assert before == {path: path.stat().st_mtime_ns for path in tree.rglob("*") if path.is_file()}
    assert list((tree / "tmp").iterdir()) == []


def test_the_environment_is_the_clients_and_our_folder_another(shop: Case) -> None:
    seen = shop.home / "seen"
    raw(shop.project.root, f'env >"{seen}"; pwd >>"{seen}"')
    worse(shop)
    told = dict(line.split("=", 1) for line in seen.read_text().split("\n") if "=" in line)
    assert told["ONWARD_DATA"] != str(shop.data)
    assert told["CLAUDE_PROJECT_DIR"] != str(shop.project.root)
    assert told["CLAUDECODE"] == "1"
    assert told["CLAUDE_PROJECT_DIR"] in seen.read_text().split("\n")


@pytest.mark.parametrize("left", ["SESSION", "shim", "both"])
def test_a_guarded_command_whose_work_is_not_done_is_broken_though_it_ends_well(
    shop: Case, left: str
) -> None:
    for name in ("on-session-end.sh", "on-pre-compact.sh"):
        path = shop.project.root / ".claude/hooks" / name
        if left == "shim":
            path.unlink()
        else:
            path.write_text(f"set -- {left}\n{NOTE}")
    found = worse(shop)
    assert [each.level for each in found] == ["broken"]
    assert "kept no copy" in found[0].text
    assert found[0].fix == "launcher"
    assert (left if left != "shim" else "failed") in found[0].text


def test_the_hook_after_a_compaction_is_called_for_one_that_is_not_written_down(
    shop: Case,
) -> None:
    seen = shop.home / "seen"
    lay(shop.project.root, {"on-session-start-compact.sh": f'cat >"{seen}"\n'})
    assert worse(shop) == []
    told = json.loads(seen.read_text())
    assert told["source"] == "compact"
    assert not Path(told["transcript_path"]).exists()


def test_a_copy_that_is_not_whole_is_no_copy(shop: Case) -> None:
    cut = END.replace('cp "$transcript"', 'head -1 "$transcript" >').replace('> "', '>"')
    lay(shop.project.root, {"on-session-end.sh": cut, "on-pre-compact.sh": ":\n"})
    assert "kept no copy" in worse(shop)[0].text


def test_a_start_that_does_not_tell_of_the_copy_is_broken(shop: Case) -> None:
    lay(shop.project.root, {"on-session-start.sh": ":\n"})
    (found,) = worse(shop)
    assert "did not tell" in found.text


def test_a_hand_over_that_is_never_ready_is_told(
    shop: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "_CHILD", 0.05)
    short = END.split('mkdir -p "$ONWARD', maxsplit=1)[0]
    lay(shop.project.root, {"on-session-end.sh": short, "on-pre-compact.sh": ":\n"})
    (found,) = worse(shop)
    assert found.level == "warning"
    assert "hand-over" in found.text


@pytest.mark.parametrize("code", [1, 2, 127])
def test_an_exit_code_is_broken(shop: Case, code: int) -> None:
    raw(shop.project.root, f"exit {code}")
    (found,) = worse(shop)
    assert f"Stop ended with status {code}" in found.text


def test_a_shell_error_in_the_command_is_broken(shop: Case) -> None:
    raw(shop.project.root, "a=(1 2);", "UserPromptSubmit")
    (found,) = worse(shop)
    assert "UserPromptSubmit ended with status 2" in found.text


def test_what_is_printed_with_nothing_to_say_is_broken(shop: Case) -> None:
    raw(shop.project.root, "echo welcome;", "UserPromptSubmit")
    (found,) = worse(shop)
    assert "printed 8 characters" in found.text


@pytest.mark.needs("ps")
def test_a_command_that_hangs_is_stopped_with_all_that_it_started(shop: Case) -> None:
    child = shop.home / "child"
    raw(shop.project.root, f'sleep 60 & echo $! >"{child}"; wait;', timeout=0.2)
    (found,) = worse(shop)
    assert "still running after 0.2 s" in found.text
    pid = child.read_text().strip()
    until = time.monotonic() + 10
    while (state := _state(pid)) not in {"", "Z"} and time.monotonic() < until:
        time.sleep(0.01)
    assert state in {"", "Z"}


def _state(pid: str) -> str:
    """The letter that `ps` has for a process; "" where there is none, Z for one that ended."""
    done = subprocess.run(
        ["ps", "-o", "stat=", "-p", pid], capture_output=True, text=True, check=False
    )
    return done.stdout.strip()[:1]


def test_where_there_is_no_room_for_a_throw_away_project_the_doctor_says_so(
    shop: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(shop.home / "none"))
    monkeypatch.setattr(setup, "CHECKS", (trial.commands,))
    (found,) = setup.examine(shop)
    assert found.level == "broken"
    assert str(shop.home / "none") in found.text


def test_a_throw_away_project_inside_a_repository_is_a_project_of_its_own(shop: Case) -> None:
    """A temporary folder may lie in the user's repository; what is captured must not."""
    above = shop.project.root.parent
    (above / ".git").mkdir()
    with trial.throw_away() as folder:
        stage = trial.Stage(shop, TRIAL, folder)
        assert (stage.project / ".git/HEAD").is_file()
        assert stage.env["GIT_CEILING_DIRECTORIES"] == str(stage.project.parent)


def test_what_a_slow_child_writes_after_the_end_is_removed_too(
    shop: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = 0

    def pause(_: float) -> None:
        """What the child does between two looks of the doctor: nothing twice, then it writes."""
        nonlocal looks
        looks += 1
        if looks == 3:
            late.mkdir(parents=True)

    with trial.throw_away() as folder:
        late = folder / "project/.claude/memory/raw"
        monkeypatch.setattr("onward.clients.doctor.trial.time.sleep", pause)
    assert looks > 3
    assert not folder.exists()
