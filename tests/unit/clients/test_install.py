"""`onward install`: the documents' tree, and nothing of anybody else's."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.unit.clients.conftest import Place, Tree, tree
from tests.unit.clients.documents import REAL
from tests.unit.conftest import Obeying

from onward.agents.claude_code import install as claude_code
from onward.clients import files
from onward.clients.registry import ALL
from onward.errors import StorageError
from onward.storage import atomic

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
COMMANDS = (
    "document-and-save",
    "document-and-save-to",
    "resume-latest",
    "resume-from",
    "sessions-list",
    "discard-backup",
    "checkpoint",
    "save-session-protocol",
    "load-session-protocol",
)
SHIMS = [hook.shim for hook in claude_code.HOOKS]

GRANT = "Edit(/memory/.draft-*.json)"


def hooks_of(path: Path) -> dict[str, list[str]]:
    table = json.loads(path.read_bytes())["hooks"]
    return {
        event: [inner["command"] for entry in entries for inner in entry["hooks"]]
        for event, entries in table.items()
    }


def test_a_project_gets_the_tree_of_the_documents(place: Place) -> None:
    assert place.run("install").code == 0
    expected = {
        "CLAUDE.md",
        "settings.json",
        "onward.json",
        "scripts/discard-backup.sh",
        "memory/active-context.md",
        "memory/project-memory.md",
        *(f"commands/{name}.md" for name in COMMANDS),
        *(f"hooks/{name}" for name in [*SHIMS, "onward.sh"]),
        "skills/managing-session-continuity/SKILL.md",
        "skills/session-continuity/SKILL.md",
    }
    assert expected <= {
        f for f, data in tree(place.root / ".claude").items() if data != b"<folder>"
    }
    assert set(tree(place.root)) - {".claude"} == {
        f".claude/{name}" for name in tree(place.root / ".claude")
    }


def commands(level: claude_code.Registration) -> dict[str, list[str]]:
    """The command strings of each event."""
    table: dict[str, list[str]] = {}
    for hook in claude_code.HOOKS:
        table.setdefault(hook.event, []).append(claude_code.command(hook, level).command)
    return table


def test_each_event_calls_its_shim_in_the_project(place: Place) -> None:
    place.run("install")
    found = hooks_of(place.settings)
    assert found == commands("project")
    for hook in claude_code.HOOKS:
        assert (place.root / ".claude/hooks" / hook.shim).is_file()
    settings = json.loads(place.settings.read_bytes())
    assert set(settings) == {"hooks", "permissions"}, "no statusLine"
    assert settings["permissions"] == {"allow": [GRANT]}, "the note alone"


def test_the_imports_lead_to_the_memory(place: Place) -> None:
    place.run("install")
    rules = place.read(".claude/CLAUDE.md")
    imports = [line[1:] for line in rules.splitlines() if line.startswith("@")]
    assert imports == ["memory/active-context.md", "memory/project-memory.md"]
    assert all((place.root / ".claude" / name).is_file() for name in imports)


def test_where_the_memory_was_moved_the_imports_follow(place: Place) -> None:
    place.write("onward.toml", '[places]\nmemory = "docs/memory"\n')
    place.run("install")
    assert "@../docs/memory/active-context.md\n" in place.read(".claude/CLAUDE.md")
    assert (place.root / "docs/memory/active-context.md").is_file()
    assert not (place.root / ".claude/memory").exists()
    place.run("uninstall")
    assert set(tree(place.root)) == {"onward.toml"}


@pytest.mark.parametrize("name", REAL)
def test_what_others_have_in_the_settings_stays(place: Place, name: str) -> None:
    place.write(".claude/settings.json", REAL[name])
    assert place.run("install").code == 0
    was, found = (
        json.loads(text.removeprefix("\ufeff"))
        for text in (REAL[name], place.read(".claude/settings.json"))
    )
    assert found["permissions"]["allow"].pop() == GRANT
    was.setdefault("permissions", {}).setdefault("allow", [])
    assert {k: v for k, v in found.items() if k != "hooks"} == {
        k: v for k, v in was.items() if k != "hooks"
    }


def test_a_rule_of_the_user_that_reads_like_ours_stays_after_an_uninstall(place: Place) -> None:
    text = json.dumps({"permissions": {"allow": ["Bash(ls:*)", GRANT], "deny": ["Read(.env)"]}})
    place.write(".claude/settings.json", text)
    for verb in ("install", "install", "uninstall"):
        assert place.run(verb).code == 0
        assert place.read(".claude/settings.json").count(GRANT) == 1
    assert place.read(".claude/settings.json") == text


def test_permissions_that_are_no_list_are_refused_with_their_line(place: Place) -> None:
    place.write(".claude/settings.json", '{\n  "permissions": {"allow": "Bash"}\n}\n')
    answer = place.run("install")
    assert answer.code == 4
    assert 'line 2: "allow" must be a list' in answer.err


def test_installing_again_changes_nothing(place: Place) -> None:
    place.run("install")
    before, times = tree(place.root), {p: p.stat().st_mtime_ns for p in place.root.rglob("*")}
    answer = place.run("install")
    assert answer.code == 0
    assert answer.out == "All of it was installed already.\nCheck: onward doctor\n"
    assert tree(place.root) == before
    assert {p: p.stat().st_mtime_ns for p in place.root.rglob("*")} == times


def test_it_says_what_was_written_and_what_to_do_next(place: Place) -> None:
    out = place.run("install").out
    assert "  created .claude/settings.json\n" in out
    assert f"  created .claude/commands ({len(COMMANDS)} files)\n" in out
    assert "  created .claude/scripts (1 file)\n" in out
    first, *more = out.split("\n\n")[1].splitlines()
    assert first == "Start claude here and work as always; next time type /resume-latest."
    for words, line in zip(
        ("No, exit", "install --user", "keep --all", "onward doctor"), more, strict=True
    ):
        assert words in line


@pytest.mark.parametrize("moved", [False, True])
@pytest.mark.parametrize(
    ("known", "asks"),
    [
        ('{"projects": {"ROOT": {"hasTrustDialogAccepted": true, "x": [1]}}, "y": 1}', False),
        ('{"projects": {"ROOT": {"hasTrustDialogAccepted": false}}}', True),
        ('{"projects": {"ROOT": {}, "/else": {"hasTrustDialogAccepted": true}}}', True),
        ('{"projects": []}', True),
        ("{", True),
        ("", True),
    ],
)
def test_whoever_trusts_the_folder_already_is_not_told_of_the_question(
    place: Place, monkeypatch: pytest.MonkeyPatch, known: str, asks: bool, moved: bool
) -> None:
    folder = place.home / "config" if moved else place.home
    folder.mkdir(exist_ok=True)
    if moved:
        monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(folder))
    (folder / ".claude.json").write_text(known.replace("ROOT", str(place.root)))
    assert ("No, exit" in place.run("install").out) == asks


def test_the_shims_can_find_the_program_and_the_doctor_the_installation(place: Place) -> None:
    place.run("install")
    interpreter, entry = (place.data / "launcher").read_text().splitlines()
    assert Path(interpreter).is_file()
    assert entry.endswith("entry.py")
    [record] = (place.data / "installs").glob("*.json")
    assert json.loads(record.read_bytes())["root"] == str(place.root)
    place.run("uninstall")
    assert list((place.data / "installs").iterdir()) == []


# ------------------------------------------------------------------------- dry run


def test_a_dry_run_prints_a_diff_that_git_can_apply_and_changes_nothing(place: Place) -> None:
    place.write(".claude/settings.json", REAL["with hooks of a formatter"])
    place.write(".claude/CLAUDE.md", "# Rules\n\nBe brief.")
    before = tree(place.root)
    diff = place.run("install", "--dry-run").out
    assert tree(place.root) == before
    assert not place.data.exists()
    assert diff.startswith("Would be installed for this project:\n  created .claude/commands (")
    assert "\n  changed .claude/settings.json\n" in diff.partition("--- ")[0]
    place.git("apply", given=diff)
    by_hand = tree(place.root)
    for name in by_hand:
        if name not in before and (place.root / name).is_file():
            (place.root / name).unlink()
    place.write(".claude/settings.json", REAL["with hooks of a formatter"])
    place.write(".claude/CLAUDE.md", "# Rules\n\nBe brief.")
    place.run("install")
    assert tree(place.root) == by_hand


def test_a_dry_run_of_an_uninstall_prints_what_would_go(place: Place) -> None:
    place.run("install")
    before = tree(place.root)
    diff = place.run("uninstall", "--dry-run").out
    assert diff.startswith("Would be uninstalled for this project:\n")
    assert "--- a/.claude/settings.json\n+++ /dev/null\n" in diff
    assert tree(place.root) == before
    assert place.run("install", "--dry-run").out == "Nothing would change.\n"


def test_a_dry_run_shows_no_secret_of_the_settings(place: Place) -> None:
    place.write(".claude/settings.json", f'{{\n  "env": {{"GITHUB_TOKEN": "{TOKEN}"}}\n}}\n')
    out = place.run("install", "--dry-run").out
    assert '"GITHUB_TOKEN": "[REDACTED' in out
    assert TOKEN not in out


# ------------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '{\n  // mine\n  "model": "opus"\n}',
            "line 2: a comment, which JSON does not have: // mine",
        ),
        ('{\n  "model": "opus",\n}', "line 3: a comma that nothing follows: }"),
        ('{"hooks": []}', 'line 1: "hooks" must be an object, {…}: {"hooks": []}'),
        (
            '{\n  "hooks": {\n    "Stop": {}\n  }\n}',
            'line 3: "Stop" must be a list, […]: "Stop": {}',
        ),
        ("", "is empty: the client silently skips such a file"),
        (" \n", "is empty: the client silently skips such a file"),
    ],
)
@pytest.mark.parametrize("dry", [[], ["--dry-run"]], ids=["", "dry"])
def test_settings_that_cannot_be_read_are_refused_and_nothing_is_changed(
    place: Place, text: str, said: str, dry: list[str]
) -> None:
    place.write(".claude/settings.json", text)
    before = tree(place.root)
    answer = place.run("install", *dry)
    assert answer.code == 4
    assert f"{place.settings}" in answer.err
    assert said in answer.err
    assert "  try: " in answer.err
    assert tree(place.root) == before


def test_settings_that_are_no_utf_8_are_refused(place: Place) -> None:
    place.write(".claude/settings.json", "").write_bytes(b'{"language": "fran\xe7ais"}')
    answer = place.run("install")
    assert answer.code == 4
    assert "is not UTF-8" in answer.err


def test_the_snippet_of_a_refusal_shows_no_secret(place: Place) -> None:
    place.write(".claude/settings.json", f'{{"env": {{"GITHUB_TOKEN": "{TOKEN}",}}}}')
    err = place.run("install").err
    assert "[REDACTED" in err
    assert TOKEN not in err


@pytest.mark.parametrize(
    "text", ["<!-- onward: begin -->\n", "<!-- onward: end --> x <!-- onward: begin -->"]
)
def test_marks_that_do_not_pair_are_refused(place: Place, text: str) -> None:
    place.write(".claude/CLAUDE.md", text)
    before = tree(place.root)
    answer = place.run("install")
    assert answer.code == 4
    assert "do not pair" in answer.err
    assert tree(place.root) == before


def test_in_the_home_folder_and_at_the_root_nothing_is_installed(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in (place.home, Path(place.home.anchor)):
        monkeypatch.chdir(folder)
        answer = place.run("install")
        assert answer.code == 5
        assert "onward install --user" in answer.err
    assert tree(place.home) == {}


def test_a_folder_that_is_the_persons_own_settings_is_no_project(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(place.root / ".claude"))
    assert place.run("install").code == 5
    assert tree(place.root) == {}


@pytest.mark.parametrize("link", [".claude", ".claude/settings.json", ".claude/commands"])
def test_a_link_out_of_the_project_is_refused(place: Place, tmp_path: Path, link: str) -> None:
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    (outside / "settings.json").write_text("{}")
    path = place.root / link
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(outside / "settings.json" if path.suffix else outside)
    before = tree(outside)
    answer = place.run("install")
    assert answer.code == 5
    assert "through a link" in answer.err
    assert tree(outside) == before
    assert {n for n, d in tree(place.root).items() if d != b"<folder>"} <= {
        link,
        *([] if path.suffix else [f"{link}/settings.json"]),
    }


def test_what_cannot_be_written_is_told_before_anything_is(place: Place, obeying: Obeying) -> None:
    folder = place.root / ".claude/skills"
    folder.mkdir(parents=True)
    folder.chmod(0o555)
    before = tree(place.root)
    done = obeying("-m", "onward", "install", cwd=place.root)
    folder.chmod(0o755)
    assert done.returncode == 6
    assert "read-only" in done.stderr
    assert tree(place.root) == before


def test_a_file_in_a_folders_place_is_told_before_anything_is_written(place: Place) -> None:
    place.write(".claude/hooks", "mine")
    before = tree(place.root)
    answer = place.run("install")
    assert answer.code == 6
    assert tree(place.root) == before


@pytest.fixture(params=["install", "uninstall"])
def half(request: pytest.FixtureRequest, place: Place) -> tuple[str, Tree, Tree]:
    """A verb of many steps: the project at the very beginning, and before the verb."""
    place.write(".claude/settings.json", REAL["as the client writes it"])
    place.write(".claude/CLAUDE.md", "# Rules\n")
    bare = tree(place.root)
    if request.param == "uninstall":
        place.run("install")
    return request.param, bare, tree(place.root)


def steps(place: Place, verb: str) -> range:
    """The numbers of the writes and removals that a verb is about to make."""
    count = len(place.run(verb, "--dry-run", "--json").data["changes"])
    assert count > 20
    return range(1, count + 1)


def fail(patch: pytest.MonkeyPatch, root: Path, at: int, error: type[BaseException]) -> None:
    """The write or removal of that number in the project fails."""
    left = [at]

    def step(way: Callable[..., None]) -> Callable[..., None]:
        def counted(path: Path, *words: Any, **more: Any) -> None:
            left[0] -= path.is_relative_to(root)
            if left[0] == 0 and path.is_relative_to(root):
                raise error("no space left on the disk")
            way(path, *words, **more)

        return counted

    patch.setattr(atomic, "write_bytes", step(atomic.write_bytes))
    patch.setattr(atomic, "remove", step(atomic.remove))


def test_a_disk_that_fails_in_the_middle_leaves_all_as_it_was(
    place: Place, monkeypatch: pytest.MonkeyPatch, half: tuple[str, Tree, Tree]
) -> None:
    verb, _, before = half
    for number in steps(place, verb):
        with monkeypatch.context() as patch:
            fail(patch, place.root, number, StorageError)
            assert place.run(verb).code == 6
        assert tree(place.root) == before, f"step {number}"


def test_what_was_stopped_anywhere_is_completed_by_the_next_call(
    place: Place, monkeypatch: pytest.MonkeyPatch, half: tuple[str, Tree, Tree]
) -> None:
    verb, bare, before = half
    for number in steps(place, verb):
        if verb == "uninstall":
            place.run("install")
        assert tree(place.root) == before
        with monkeypatch.context() as patch:
            fail(patch, place.root, number, KeyboardInterrupt)
            assert place.run(verb).code == 130
        assert place.run(verb).code == 0
        assert place.run("uninstall").code == 0
        assert tree(place.root) == bare, f"step {number}"


# ------------------------------------------------------- files with our names


def test_a_persons_own_command_with_one_of_our_names_is_left_and_named(place: Place) -> None:
    mine = place.write(".claude/commands/checkpoint.md", "My own checkpoint\n")
    for _ in range(2):
        answer = place.run("install")
        assert answer.code == 0
        assert "Left, since it is yours: .claude/commands/checkpoint.md." in answer.out
        assert mine.read_text() == "My own checkpoint\n"
    assert ".claude/commands/checkpoint.md" not in place.record()["files"]
    place.run("uninstall")
    assert tree(place.root) == {
        ".claude": b"<folder>",
        ".claude/commands": b"<folder>",
        ".claude/commands/checkpoint.md": b"My own checkpoint\n",
    }


def test_a_file_of_a_former_release_is_upgraded(place: Place) -> None:
    place.run("install")
    now = place.read(".claude/commands/checkpoint.md")
    make_former(place, ".claude/commands/checkpoint.md", "As it was\n")
    answer = place.run("install")
    assert "  changed .claude/commands (1 file)\n" in answer.out
    assert place.read(".claude/commands/checkpoint.md") == now


def make_former(place: Place, name: str, text: str) -> None:
    """As if a former release had written that file so."""
    place.write(name, text)
    record = place.record()
    record["files"][name] = files.digest(text.encode())
    place.write(".claude/onward.json", json.dumps(record))


def test_a_file_that_only_a_former_release_had_goes(place: Place) -> None:
    place.run("install")
    make_former(place, ".claude/commands/gone.md", "As it was\n")
    make_former(place, ".claude/commands/kept.md", "As it was\n")
    place.write(".claude/commands/kept.md", "Changed\n")
    answer = place.run("install")
    assert not (place.root / ".claude/commands/gone.md").exists()
    assert "Left as you changed it: .claude/commands/kept.md\n" in answer.out


def test_a_file_of_ours_that_a_person_changed_stays_and_is_named(place: Place) -> None:
    place.run("install")
    place.write(".claude/commands/resume-latest.md", "Mine now\n")
    answer = place.run("install")
    assert "Left as you changed it: .claude/commands/resume-latest.md\n" in answer.out
    answer = place.run("uninstall")
    assert "Stays, since you changed it: .claude/commands/resume-latest.md\n" in answer.out
    assert place.read(".claude/commands/resume-latest.md") == "Mine now\n"


def test_a_block_of_ours_that_a_person_changed_stays_and_is_named(place: Place) -> None:
    place.run("install")
    changed = place.read(".claude/CLAUDE.md").replace("@memory/project-memory.md\n", "")
    place.write(".claude/CLAUDE.md", changed)
    assert "Left as you changed it: .claude/CLAUDE.md\n" in place.run("install").out
    assert "Stays, since you changed it: .claude/CLAUDE.md\n" in place.run("uninstall").out
    assert place.read(".claude/CLAUDE.md") == changed


@pytest.mark.parametrize("shim", ["on-session-start.sh", "onward.sh"])
def test_no_hook_calls_a_shim_that_is_not_ours(place: Place, shim: str) -> None:
    place.write(f".claude/hooks/{shim}", "#!/bin/bash\necho theirs\n")
    answer = place.run("install")
    assert f"Left, since it is yours: .claude/hooks/{shim}." in answer.out
    silent = SHIMS if shim == "onward.sh" else [shim]
    left = [hook.event for hook in claude_code.HOOKS if hook.shim not in silent]
    found = hooks_of(place.settings) if place.settings.exists() else {}
    assert sorted(found) == sorted(left)
    assert answer.out.count("No hook for ") == len(silent)


def test_memory_that_is_there_is_never_written_over(place: Place) -> None:
    place.write(".claude/memory/active-context.md", "# Mine\n")
    answer = place.run("install")
    assert "active-context" not in answer.out
    place.run("uninstall")
    assert place.read(".claude/memory/active-context.md") == "# Mine\n"


# -------------------------------------------------------------- for all projects


def test_for_all_projects_the_persons_own_folder_is_written(place: Place) -> None:
    answer = place.run("install", "--user")
    assert answer.code == 0
    assert tree(place.root) == {}
    own = place.home / ".claude"
    assert hooks_of(own / "settings.json") == commands("user")
    assert (own / "commands/resume-latest.md").is_file()
    assert (own / "hooks/onward.sh").is_file()
    assert not (own / "CLAUDE.md").exists()
    assert not (own / "memory").exists()
    assert "Start claude in any project" in answer.out
    assert "sub-folder" not in answer.out
    place.run("uninstall", "--user")
    assert tree(own) == {}


def test_the_clients_folder_may_be_elsewhere_and_linked(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dotfiles = tmp_path / "dotfiles"
    dotfiles.mkdir()
    (dotfiles / "settings.json").write_text('{"model": "opus"}\n')
    config = tmp_path / "config"
    config.mkdir()
    (config / "settings.json").symlink_to(dotfiles / "settings.json")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(config))
    assert place.run("install", "--user").code == 0
    assert (config / "settings.json").is_symlink()
    assert hooks_of(dotfiles / "settings.json") == commands("user")
    assert place.run("uninstall", "--user").code == 0
    assert (dotfiles / "settings.json").read_text() == '{"model": "opus"}\n'


def test_a_second_registration_is_named_with_what_ends_it(place: Place) -> None:
    place.run("install", "--user")
    out = place.run("install").out
    assert "also registered in ~/.claude/settings.json" in out
    assert "onward uninstall --user" in out
    out = place.run("install", "--user").out
    assert f"also registered in {place.settings}" in out


@pytest.mark.parametrize("level", [".claude/settings.json", ".claude/settings.local.json"])
def test_the_plugin_beside_the_project_is_named(place: Place, level: str) -> None:
    place.write(level, '{"enabledPlugins": {"onward@onward": true, "other@x": true}}')
    out = place.run("install").out
    assert "The plugin onward@onward registers the same hooks" in out
    assert "claude plugin uninstall onward@onward" in out


def test_settings_elsewhere_that_cannot_be_read_do_not_hinder(place: Place) -> None:
    (place.home / ".claude").mkdir()
    (place.home / ".claude/settings.json").write_text("{,}")
    assert place.run("install").code == 0


def test_for_all_projects_it_does_not_matter_what_this_one_is_like(place: Place) -> None:
    place.write("onward.toml", "places = 1\n")
    place.write(".claude/settings.json", "{,}")
    assert place.run("install", "--user").code == 0


def test_from_a_sub_folder_the_project_is_installed(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place.root / "src").mkdir()
    monkeypatch.chdir(place.root / "src")
    assert place.run("install").code == 0
    assert place.settings.is_file()
    assert not (place.root / "src/.claude").exists()


def test_a_home_that_does_not_exist_is_not_made(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = place.home / "gone"
    monkeypatch.setenv("HOME", str(gone))
    monkeypatch.setenv("ONWARD_DATA", str(gone / "data"))
    answer = place.run("install")
    assert answer.code == 6
    assert "ONWARD_DATA" in answer.err
    assert not gone.exists()
    assert tree(place.root) == {}


def test_the_answer_as_data_names_every_file(place: Place) -> None:
    place.write(".claude/commands/checkpoint.md", "mine")
    data = place.run("install", "--json").data
    assert {"path": ".claude/settings.json", "what": "created"} in data["changes"]
    assert data["foreign"] == [".claude/commands/checkpoint.md"]
    assert data["for"] == "project"


def test_our_templates_are_all_shipped_with_the_package() -> None:
    tops = [files.TEMPLATES, *(client.TEMPLATES for client in ALL)]
    assert all(top.name == "templates" for top in tops)
    shipped = {path.name for top in tops for path in top.rglob("*") if path.is_file()}
    assert {"onward.sh", "onward.js", "CLAUDE.md", "SKILL.md", "checkpoint.md"} <= shipped


@pytest.mark.parametrize("verb", [("install",), ("uninstall",), ("doctor",)])
def test_each_verb_removes_what_a_killed_one_left(place: Place, verb: tuple[str, ...]) -> None:
    assert place.run("install").code == 0
    old, new = (place.root / ".claude" / f".{name}{atomic.TEMPORARY}" for name in ("1-a", "2-b"))
    for path in (old, new):
        path.write_text("a key")
    os.utime(old, (1, 1))
    place.run(*verb)
    assert not old.exists()
    assert new.exists(), "another process is at it"
