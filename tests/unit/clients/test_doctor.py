"""Each finding of the doctor, in a project that has it; and a well one, which has none."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from onward import __version__
from onward.agents.claude_code import install as claude_code
from onward.agents.claude_code.install import ClaudeCode
from onward.clients import doctor, files, plan
from onward.clients.doctor import Case, Finding
from onward.clients.settings import Hook
from onward.clients.target import Target
from onward.commands import setup
from onward.storage import backups
from onward.storage.project import usual
from onward.transcripts.reader import SessionInfo

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)
ID = "0b1c2d3e-4f50-4a61-8b72-9c83ad94be05"


def registered(level: claude_code.Registration, *, without: str = "") -> dict[str, Any]:
    table: dict[str, Any] = {}
    for hook in claude_code.HOOKS:
        if hook.shim != without:
            command = claude_code.command(hook, level).command
            inner = {"type": "command", "command": command, "timeout": hook.timeout}
            matcher = {"matcher": hook.matcher} if hook.matcher else {}
            table.setdefault(hook.event, []).append(matcher | {"hooks": [inner]})
    return {"hooks": table}


@dataclass
class Made:
    """A project with hooks, CLAUDE.md and one captured session; `change` bends the case."""

    root: Path
    home: Path
    data: Path
    env: dict[str, str]
    sessions: list[SessionInfo] = field(default_factory=list)
    cwd: Path | None = None
    top: Path | None = None

    @property
    def case(self) -> Case:
        return Case(
            project=usual(self.root),
            cwd=self.cwd or self.root,
            home=self.home,
            data=self.data,
            env=self.env,
            now=NOW,
            top=self.top,
            sessions=tuple(self.sessions),
        )

    @property
    def memory(self) -> Path:
        return self.root / ".claude/memory"

    def write(self, path: str | Path, text: str | Mapping[str, Any], mode: int = 0o644) -> Path:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text if isinstance(text, str) else json.dumps(text), "utf-8")
        target.chmod(mode)
        return target

    def session(self, *, days: float = 1, size: int = 100, **more: Any) -> SessionInfo:
        made = SessionInfo(
            agent="claude-code",
            session=more.pop("session", ID),
            branch="",
            started="",
            ended="",
            path=self.home / f".claude/projects/-shop/{ID}.jsonl",
            size=size,
            mtime=(NOW - timedelta(days=days)).timestamp(),
            cwd=more.pop("cwd", str(self.root)),
            **more,
        )
        self.sessions.append(made)
        return made

    def capture(self, size: int = 100, session: str = ID) -> Path:
        source = self.root.parent / "source.jsonl"
        source.write_text("x" * (size - 1) + "\n")
        kept = backups.save(
            usual(self.root), source, now=NOW - timedelta(hours=2), reason="other", session=session
        )
        assert kept is not None
        return kept


@pytest.fixture
def made(tmp_path: Path) -> Made:
    home, data, root = tmp_path / "home", tmp_path / "data", tmp_path / "shop"
    for folder in (home, data, root):
        folder.mkdir(mode=0o755)
    found = Made(root, home, data, {"PATH": os.environ["PATH"], "HOME": str(home)})
    found.write(".claude/settings.json", registered("project"))
    found.write(".claude/CLAUDE.md", "@memory/active-context.md\n@memory/project-memory.md\n")
    files.write_launcher(data)
    return found


def worse(findings: Iterable[Finding]) -> list[Finding]:
    return [each for each in findings if each.level != "ok"]


def only(findings: Iterable[Finding]) -> Finding:
    found = worse(findings)
    assert len(found) == 1, found
    assert found[0].why
    assert found[0].advice
    return found[0]


CHECKS = (
    doctor.settings_files,
    doctor.hooks,
    doctor.starts,
    doctor.launcher,
    doctor.captured,
    doctor.cleanup,
    doctor.modes,
    doctor.ignored,
    doctor.writable,
    doctor.log,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_well_project_has_nothing_to_fix(made: Made, check: Callable[..., Any]) -> None:
    made.top = made.root
    made.session()
    made.capture()
    found = list(check(made.case))
    assert worse(found) == []


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_folder_without_anything_of_ours_stops_no_check(
    tmp_path: Path, check: Callable[..., Any]
) -> None:
    bare = Made(tmp_path / "gone", tmp_path / "nobody", tmp_path / "none", {})
    list(check(bare.case))


# ------------------------------------------------------------------------ settings


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1"),
        ('{\n  "hooks": {},\n}', "line 3"),
        ('{\n  // mine\n  "hooks": {}\n}', "line 2"),
        ("[]", "must be an object"),
        ('{"hooks": []}', '"hooks" must be an object'),
        ('{"hooks": {"Stop": {}}}', '"Stop" must be a list'),
        ("[" * 100_000, ""),
    ],
)
def test_settings_that_the_client_skips_are_named_with_their_line(
    made: Made, text: str, said: str
) -> None:
    made.write(".claude/settings.local.json", text)
    found = only(doctor.settings_files(made.case))
    assert found.level == "broken"
    assert ".claude/settings.local.json" in found.text
    assert said in found.text


def test_a_byte_order_mark_is_no_fault(made: Made) -> None:
    made.write(".claude/settings.json", "\ufeff" + json.dumps(registered("project")))
    assert worse(doctor.settings_files(made.case)) == []
    assert worse(doctor.hooks(made.case)) == []


@pytest.mark.parametrize("level", ["user", "project", "local"])
def test_hooks_that_are_switched_off_at_any_level_are_told(made: Made, level: str) -> None:
    place = {
        "user": made.home / ".claude/settings.json",
        "project": made.root / ".claude/settings.json",
        "local": made.root / ".claude/settings.local.json",
    }[level]
    made.write(place, registered("project") | {"disableAllHooks": True})
    found = only(doctor.settings_files(made.case))
    assert "disableAllHooks" in found.text
    assert "disableAllHooks" in found.advice


def test_no_hook_of_ours_at_all_is_broken(made: Made) -> None:
    made.write(".claude/settings.json", {"hooks": {"Stop": [{"hooks": [{"command": "say done"}]}]}})
    found = only(doctor.hooks(made.case))
    assert (found.level, found.advice) == ("broken", "onward install")


@pytest.mark.parametrize("place", ["/", "home", "project"])
def test_nobody_is_told_to_install_where_installing_is_refused(made: Made, place: str) -> None:
    made.write(".claude/settings.json", "{}")
    root = {"/": Path(made.root.anchor), "home": made.home, "project": made.root}[place]
    case = Made(root, made.home, made.data, made.env).case
    fix = only(doctor.hooks(case)).advice
    assert fix == "cd into a project, then: " * (place != "project") + "onward install"


def test_at_the_root_of_the_disk_paths_are_whole(made: Made) -> None:
    root = Path(made.root.anchor)
    case = Made(root, root, made.data, made.env).case
    assert case.shown(made.data / "launcher") == str(made.data / "launcher")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of POSIX")
def test_what_git_would_wait_for_is_named(made: Made) -> None:
    made.write(".git/HEAD", "ref: refs/heads/main\n")
    os.mkfifo(made.root / ".git/packed-refs")
    (found,) = doctor.git(made.case)
    assert "packed-refs is no file" in found.text
    assert found.advice.startswith("look at it: ls -l")


def test_before_an_installation_nothing_is_said_of_the_launcher(made: Made) -> None:
    (made.data / "launcher").unlink()
    assert only(doctor.launcher(made.case)).fix == "launcher"
    made.write(".claude/settings.json", "{}")
    assert list(doctor.launcher(made.case)) == []


def test_another_ones_hook_with_the_name_of_our_shim_is_not_taken_for_ours(made: Made) -> None:
    command = "sh .claude/hooks/on-stop.sh"
    made.write(".claude/settings.json", {"hooks": {"Stop": [{"hooks": [{"command": command}]}]}})
    assert "none of ours" in only(doctor.hooks(made.case)).text


@pytest.mark.parametrize("hook", claude_code.HOOKS, ids=lambda hook: hook.shim)
def test_a_hook_that_is_missing_is_named(made: Made, hook: Hook) -> None:
    made.write(".claude/settings.json", registered("project", without=hook.shim))
    found = only(doctor.hooks(made.case))
    matcher = f" ({hook.matcher})" if hook.matcher else ""
    assert found.text == f".claude/settings.json lacks {hook.event}{matcher}"
    assert found.fix == "files"


def test_where_a_file_of_the_users_bears_the_name_of_a_shim_it_is_to_be_moved_away(
    made: Made,
) -> None:
    """An installation alone leaves it, and the event unserved, each time again."""
    made.write(".claude/hooks/on-stop.sh", "echo mine\n")
    made.write(".claude/settings.json", registered("project", without="on-stop.sh"))
    found = only(doctor.hooks(made.case))
    assert found.advice == "move away .claude/hooks/on-stop.sh, then: onward install"
    assert not found.fix


@pytest.mark.parametrize("odd", [{"Stop": [7]}, {"Stop": [{"hooks": 3}]}, {"Stop": [{}]}])
def test_odd_entries_of_others_are_passed_over(made: Made, odd: dict[str, Any]) -> None:
    made.write(".claude/settings.local.json", {"hooks": odd})
    assert worse(doctor.hooks(made.case)) == []


def test_two_registrations_are_named_with_both_files(made: Made) -> None:
    made.write(made.home / ".claude/settings.json", registered("user"))
    found = only(doctor.hooks(made.case))
    assert found.level == "warning"
    assert "~/.claude/settings.json and .claude/settings.json" in found.text
    assert "onward uninstall" in found.advice


def plugin(made: Made, *, kind: str) -> Path:
    """A plugin as the client lays it down: from a folder, or as its own copy."""
    root = made.root.parent / "market/plugins/onward"
    made.write(root / "hooks/hooks.json", registered("plugin"))
    folder = made.home / ".claude/plugins"
    market = {"source": {"source": kind}, "installLocation": str(made.root.parent / "market")}
    made.write(folder / "known_marketplaces.json", {"m": market})
    listed = {"plugins": [{"name": "onward", "source": "./plugins/onward"}]}
    made.write(made.root.parent / "market/.claude-plugin/marketplace.json", listed)
    copies = {"version": 2, "plugins": {"onward@m": [{"scope": "user", "installPath": str(root)}]}}
    made.write(folder / "installed_plugins.json", copies)
    return root


@pytest.mark.parametrize("kind", ["directory", "github"])
def test_a_plugin_counts_as_a_registration_where_it_is_switched_on(made: Made, kind: str) -> None:
    plugin(made, kind=kind)
    user = made.home / ".claude/settings.json"
    made.write(user, {"enabledPlugins": {"onward@m": True, "other@m": True}})
    assert "registered 2 times" in only(doctor.hooks(made.case)).text
    made.write(".claude/settings.local.json", {"enabledPlugins": {"onward@m": False}})
    assert worse(doctor.hooks(made.case)) == []


def test_a_plugin_whose_folder_is_gone_is_told(made: Made) -> None:
    made.write(made.home / ".claude/settings.json", {"enabledPlugins": {"onward@gone": True}})
    assert "its folder was not found" in only(doctor.settings_files(made.case)).text


def test_sessions_begun_in_a_sub_folder_had_no_hooks(made: Made) -> None:
    made.session(cwd=str(made.root / "web"))
    found = only(doctor.starts(made.case))
    assert "web" in found.text
    assert "onward install --user" in found.advice
    made.write(made.home / ".claude/settings.json", registered("user"))
    assert worse(doctor.starts(made.case)) == []


def test_a_person_in_a_sub_folder_is_told_before_they_start_there(made: Made) -> None:
    made.cwd = made.root / "web"
    assert "web" in only(doctor.starts(made.case)).text


# ------------------------------------------------------------------------ program


def test_without_a_launcher_hooks_are_slow_and_it_can_be_fixed(made: Made) -> None:
    (made.data / "launcher").unlink()
    found = only(doctor.launcher(made.case))
    assert (found.level, found.fix) == ("warning", "launcher")
    files.write_launcher(made.data)
    assert worse(doctor.launcher(made.case)) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a Python that is gone"),
        ("/no/such/python\n/no/such/entry.py\n", "a Python that is gone"),
        (f"{sys.executable}\n/no/such/entry.py\n", "a program that is gone"),
        (f"{sys.executable}\n", "a program that is gone"),
    ],
)
def test_a_stale_launcher_is_broken(made: Made, text: str, said: str) -> None:
    (made.data / "launcher").write_text(text)
    found = only(doctor.launcher(made.case))
    assert found.level == "broken"
    assert said in found.text
    assert found.fix == "launcher"


def test_a_python_that_cannot_load_us_is_broken(made: Made) -> None:
    other = made.write(made.home / "bin/python3.99", "#!/bin/sh\nexit 1\n", 0o755)
    entry = (made.data / "launcher").read_text().split("\n")[1]
    (made.data / "launcher").write_text(f"{other}\n{entry}\n")
    assert "another version of Python" in only(doctor.launcher(made.case)).text


def test_another_onward_behind_the_hooks_is_told(made: Made) -> None:
    package = made.home / "lib/onward"
    made.write(package / "__init__.py", '__version__ = "0.0.1"\n')
    entry = made.write(package / "hooks/entry.py", "")
    (made.data / "launcher").write_text(f"{sys.executable}\n{entry}\n")
    assert "another onward: ~/lib/onward" in only(doctor.launcher(made.case)).text


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (None, "there is no `onward`"),
        ("#!/bin/sh\nexit 1\n", "does not start"),
        ("#!/bin/sh\necho onward 0.0.1\n", "not the one that the hooks start"),
        (f"#!/bin/sh\necho onward {__version__}\n", ""),
    ],
)
def test_the_onward_on_path_is_asked_who_it_is(made: Made, script: str | None, said: str) -> None:
    made.env["PATH"] = str(made.home / "bin")
    if script:
        made.write(made.home / "bin/onward", script, 0o755)
    if said:
        assert said in only(doctor.on_path(made.case)).text
    else:
        assert worse(doctor.on_path(made.case)) == []


def test_without_git_drift_cannot_be_told(made: Made) -> None:
    made.env["PATH"] = str(made.home)
    assert only(doctor.git(made.case)).subject == "git"


# ------------------------------------------------------------------------ keeping


def test_the_last_capture_is_told_with_its_age(made: Made) -> None:
    made.session()
    kept = made.capture()
    (found,) = doctor.captured(made.case)
    assert found.text == f"the last one 2 hours ago: {kept.name}"


@pytest.mark.parametrize(("had", "said"), [(0, "nothing of it is kept"), (60, "40 bytes")])
def test_an_end_that_was_not_captured_is_told_with_what_to_type(
    made: Made, had: int, said: str
) -> None:
    made.session(size=100)
    if had:
        made.capture(had)
    found = only(doctor.captured(made.case))
    assert said in found.text
    assert found.advice == f"onward save NAME --session {ID}"


def test_a_session_that_may_still_be_open_is_left_alone(made: Made) -> None:
    made.session(days=0)
    assert worse(doctor.captured(made.case)) == []
    made.sessions.clear()
    made.session()
    made.write(made.data / f"live/{ID}/alive", "1\n1\n/shop\n\n/t.jsonl\n", 0o600)
    assert worse(doctor.captured(made.case)) == []


@pytest.mark.parametrize(
    ("days_old", "setting", "due"),
    [(1, None, False), (24, None, True), (40, None, True), (24, 90, False), (3, 7, True)],
)
def test_transcripts_that_the_client_will_soon_delete_are_named(
    made: Made, days_old: int, setting: int | None, *, due: bool
) -> None:
    made.session(days=days_old)
    if setting:
        made.write(made.home / ".claude/settings.json", {"cleanupPeriodDays": setting})
    if due:
        found = only(doctor.cleanup(made.case))
        goes = NOW + timedelta(days=(setting or 30) - days_old)
        assert f"{ID[:8]} on {goes:%Y-%m-%d}" in found.text
        assert ID in found.advice
    else:
        assert worse(doctor.cleanup(made.case)) == []


def test_one_of_which_there_is_a_copy_may_go(made: Made) -> None:
    made.session(days=29)
    made.capture()
    assert worse(doctor.cleanup(made.case)) == []


def test_one_that_onward_keeps_may_go(made: Made) -> None:
    made.session(days=29)
    kept = replace(made.case, kept=frozenset({ID}))
    assert worse(doctor.cleanup(kept)) == []


def test_the_stronger_level_sets_the_days(made: Made) -> None:
    made.session(days=24)
    made.write(made.home / ".claude/settings.json", {"cleanupPeriodDays": 10})
    made.write(".claude/settings.local.json", {"cleanupPeriodDays": 365})
    assert worse(doctor.cleanup(made.case)) == []


def test_a_very_large_number_of_days_means_for_ever(made: Made) -> None:
    made.session(days=24)
    made.write(".claude/settings.local.json", {"cleanupPeriodDays": 10**9})
    assert worse(doctor.cleanup(made.case)) == []


# ------------------------------------------------------------------------ injected


# ------------------------------------------------------------------------ folders


@pytest.mark.skipif(os.name == "nt", reason="modes as POSIX has them")
@pytest.mark.parametrize(
    ("which", "mode"),
    [
        ("raw", 0o644),
        ("marker", 0o640),
        ("log", 0o604),
        ("key", 0o644),
        ("live", 0o644),
        ("launcher", 0o666),
    ],
)
def test_what_others_may_get_at_is_told_and_can_be_fixed(made: Made, which: str, mode: int) -> None:
    kept = made.capture()
    path = {
        "raw": kept,
        "marker": made.memory / ".pending-backup",
        "log": made.memory / ".backup-log",
        "key": made.data / "key",
        "live": made.data / f"live/{ID}/alive",
        "launcher": made.data / "launcher",
    }[which]
    if which in {"key", "live"}:
        made.write(path, "x", mode)
    path.chmod(mode)
    found = only(doctor.modes(made.case))
    assert path.name in found.text
    for wrong, right in doctor.private(made.case).items():
        wrong.chmod(right)
    assert worse(doctor.modes(made.case)) == []
    assert path.stat().st_mode & 0o600 == 0o600


def test_a_link_is_never_followed_to_change_a_mode(made: Made) -> None:
    made.capture()
    target = made.write(made.home / "theirs.txt", "x", 0o644)
    (made.memory / "raw/link.jsonl").symlink_to(target)
    assert worse(doctor.modes(made.case)) == []


def test_raw_transcripts_that_git_would_take_up_are_broken(made: Made) -> None:
    made.capture()
    (made.memory / ".gitignore").unlink()
    assert worse(doctor.ignored(made.case)) == []
    made.top = made.root
    assert "raw/" in only(doctor.ignored(made.case)).advice


def test_raw_transcripts_that_git_tracks_already_are_broken(made: Made) -> None:
    kept = made.capture()
    made.top = made.root
    subprocess.run(["git", "init", "-q"], cwd=made.root, check=True)
    assert worse(doctor.ignored(made.case)) == []
    subprocess.run(["git", "add", "-f", str(kept)], cwd=made.root, check=True)
    assert only(doctor.ignored(made.case)).advice == "git rm -r --cached .claude/memory/raw"


def test_raw_transcripts_that_the_repository_takes_in_again_are_broken(made: Made) -> None:
    made.capture()
    made.top = made.root
    subprocess.run(["git", "init", "-q"], cwd=made.root, check=True)
    ignore = made.memory / ".gitignore"
    ignore.write_text(ignore.read_text() + "!raw/\n!raw/**")
    fix = only(doctor.ignored(made.case)).advice
    subprocess.run(["/bin/sh", "-c", fix], cwd=made.root, check=True)
    assert worse(doctor.ignored(made.case)) == []


def test_what_is_to_be_typed_names_a_folder_with_a_blank_as_one_word(made: Made) -> None:
    made.root = made.root.rename(made.root.with_name("a shop; x"))
    made.capture()
    made.top = made.root
    (made.memory / ".gitignore").unlink()
    fix = only(doctor.ignored(made.case)).advice
    assert shlex.split(fix)[-1] == str(made.memory / ".gitignore")


@pytest.mark.parametrize("name", [".claude/memory", ".claude/memory/raw", ".claude"])
def test_a_folder_that_leads_out_of_the_project_is_broken(made: Made, name: str) -> None:
    outside = made.home / "elsewhere"
    place = made.root / name
    if place.exists():
        place.rename(outside)
    else:
        outside.mkdir()
        place.parent.mkdir(exist_ok=True)
    place.symlink_to(outside, target_is_directory=True)
    found = worse(doctor.writable(made.case))
    assert found
    assert all("leads out of" in each.text and each.advice for each in found)


def test_a_folder_that_is_linked_within_the_project_is_well(made: Made) -> None:
    (made.root / "notes").mkdir()
    made.memory.symlink_to(made.root / "notes", target_is_directory=True)
    assert worse(doctor.writable(made.case)) == []


def test_a_file_in_a_folder_s_place_is_broken(made: Made) -> None:
    made.write("memory", "a file")
    assert "memory is a file" in only(doctor.writable(made.case)).text


def test_a_folder_that_cannot_be_written_is_broken(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    shut, allowed = made.data, os.access
    monkeypatch.setattr(os, "access", lambda path, how: path != shut and allowed(path, how))
    assert "is read-only" in only(doctor.writable(made.case)).text


def test_each_folder_that_cannot_be_written_is_told_once(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, how: False)
    found = worse(doctor.writable(made.case))
    shut = (made.root / ".claude", made.root, made.data)
    assert [each.advice for each in found] == [f"chmod u+w {path}" for path in shut]


# ------------------------------------------------------------------------ traces and files


def test_the_last_lines_of_the_hooks_log_are_shown(made: Made) -> None:
    log = made.write(made.data / "hooks.log", "".join(f"line {n}\n" for n in range(9)), 0o600)
    recent = (NOW - timedelta(hours=1)).timestamp()
    os.utime(log, (recent, recent))
    found = only(doctor.log(made.case))
    assert found.text.split("\n")[1:] == [f"line {n}" for n in range(4, 9)]
    os.utime(log, (recent - 9 * 86400,) * 2)
    assert worse(doctor.log(made.case)) == []


def install(made: Made) -> Target:
    """All files of ours, as an installation lays them."""
    into = ClaudeCode.of_project(usual(made.root), made.home)
    files.make(plan.install(into, str).changes, into.bound)
    return into


@pytest.mark.parametrize("hook", claude_code.HOOKS, ids=lambda hook: hook.shim)
def test_a_file_of_ours_that_is_missing_is_broken_and_can_be_fixed(made: Made, hook: Hook) -> None:
    install(made)
    assert worse(doctor.shipped(made.case)) == []
    (made.root / ".claude/hooks" / hook.shim).unlink()
    found = only(doctor.shipped(made.case))
    assert found.text == f"missing: .claude/hooks/{hook.shim}"
    assert (found.level, found.fix) == ("broken", "files")


def test_a_file_of_ours_that_was_changed_is_named_and_left(made: Made) -> None:
    install(made)
    made.write(".claude/hooks/on-stop.sh", "exit 0\n")
    found = only(doctor.shipped(made.case))
    assert found.level == "warning"
    assert "not as we wrote them: .claude/hooks/on-stop.sh" in found.text


def test_what_people_wrote_into_their_memory_is_no_finding(made: Made) -> None:
    install(made)
    made.write(".claude/memory/project-memory.md", "Ports below 1024 are taken.\n")
    (made.memory / "active-context.md").unlink()
    assert worse(doctor.shipped(made.case)) == []


def test_a_file_of_a_former_release_is_told(made: Made) -> None:
    into = install(made)
    old = made.write(".claude/hooks/on-stop.sh", "# of a former release\n")
    record = made.root / ".claude" / files.MANIFEST
    known = json.loads(record.read_text())
    known["files"][old.relative_to(into.root).as_posix()] = files.digest(old.read_bytes())
    record.write_text(json.dumps(known))
    assert "out of date: .claude/hooks/on-stop.sh" in only(doctor.shipped(made.case)).text


def test_a_command_of_the_person_that_hides_ours_is_named(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = made.root.parent / "templates"
    made.write(shipped / "commands/resume-latest.md", "ours")
    monkeypatch.setattr(ClaudeCode, "TEMPLATES", shipped)
    made.write(".claude/commands/resume-latest.md", "ours")
    assert worse(doctor.shadowed(made.case)) == []
    theirs = made.write(made.home / ".claude/commands/resume-latest.md", "theirs")
    assert "~/.claude/commands/resume-latest.md" in only(doctor.shadowed(made.case)).text
    theirs.write_text("ours")
    assert worse(doctor.shadowed(made.case)) == []
    made.write(".claude/skills/resume-latest/SKILL.md", "a skill")
    assert "SKILL.md" in only(doctor.shadowed(made.case)).text


def test_a_check_that_cannot_be_made_is_a_finding_itself(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    made.write(".claude/onward.json", "{")
    monkeypatch.setattr(setup, "CHECKS", (doctor.shipped,))
    found = only(setup.examine(made.case))
    assert found.subject == "doctor"
    assert "onward.json" in found.text


def test_nothing_is_written_by_looking(made: Made) -> None:
    made.session()
    made.capture()
    subprocess.run(["git", "init", "-q", str(made.root)], check=True)
    made.top = made.root

    def all_files() -> dict[Path, int]:
        tree = made.root.parent.rglob("*")
        return {path: path.stat().st_mtime_ns for path in tree if path.is_file()}

    before = all_files()
    for check in (*CHECKS, doctor.shipped, doctor.shadowed, doctor.on_path):
        list(check(made.case))
    assert all_files() == before
