"""`onward install --codex` and back: hooks in the client's file, a skill, and nobody else's bytes."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from tests.unit.clients.conftest import Place, tree
from tests.unit.clients.documents import REAL

from onward.agents.codex import install as codex

HOOKS = ".codex/hooks.json"
SKILL = ".agents/skills/session-continuity/SKILL.md"
THEIRS = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}'
PROJECTS: dict[str, dict[str, str]] = {
    "nothing": {},
    "hooks of a formatter": {HOOKS: REAL["with hooks of a formatter"]},
    "one line": {HOOKS: THEIRS},
    "tabs and Windows lines": {HOOKS: REAL["tabs and Windows lines"]},
    "config": {".codex/config.toml": 'model = "x"\n\n[hooks]\n# mine\n', HOOKS: "{}"},
    "own skills": {
        ".agents/skills/deploy/SKILL.md": "---\nname: deploy\n---\n",
        ".codex/hooks/format.py": "pass\n",
        "AGENTS.md": "# Rules\n",
    },
}
# What the client (0.169.0) takes no hook of, by the reason that is told.
UNREAD = {
    "byte order mark": b"\xef\xbb\xbf" + THEIRS.encode(),
    "it holds more than `description` and `hooks`": b'{"$schema": "x", "hooks": {}}',
    "what stands at `$.hooks.Stop[0]` is not": b'{"hooks": {"Stop": [null]}}',
    "what stands at `$.hooks.Stop[0].hooks[0].timeout` is not": THEIRS.replace(
        "}]", ', "timeout": "5"}]', 1
    ).encode(),
    "what stands at `$.hooks.Stop[0].hooks[0].commandWindows` is not": THEIRS.replace(
        "}]", ', "commandWindows": 5}]', 1
    ).encode(),
    "what stands at `$.hooks.PostToolUse[0].hooks[0].type` is not": (
        b'{"hooks": {"PostToolUse": [{"hooks": [{"type": "http"}]}]}}'
    ),
}
TAKEN = {
    "an event that it does not know": '{"hooks": {"Foo": 5}}',
    "fields that it does not know": '{"hooks": {"Stop": [{"a": 1, "hooks": [{"type": "prompt", "b": 1}]}]}}',
    "no matcher": '{"description": "x", "hooks": {"Stop": [{"matcher": null}]}}',
}
KNOWN = {
    "SessionStart": ("start", 10),
    "UserPromptSubmit": ("prompt", 5),
    "PreCompact": ("compact", 30),
    "Stop": ("turn", 5),
    "SessionEnd": ("end", 3),
}
PROJECT = (
    'exec sh "$(git rev-parse --show-toplevel 2>/dev/null || pwd)"/.codex/hooks/onward-codex.sh '
)
PERSON = 'exec sh "${CODEX_HOME:-$HOME/.codex}"/hooks/onward-codex.sh '


@pytest.fixture(autouse=True)
def _usual(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CODEX_HOME", raising=False)


def test_a_project_gets_hooks_and_a_skill(place: Place) -> None:
    assert place.run("install", "--codex").code == 0
    found = {name for name, data in tree(place.root).items() if data != b"<folder>"}
    shims = {f".codex/hooks/{name}.sh" for name in ("onward", "onward-codex", "onward-log")}
    assert found == {HOOKS, ".codex/onward.json", SKILL, *shims}


@pytest.mark.parametrize(
    ("words", "file", "begin"),
    [
        ((), "shop/.codex/hooks.json", PROJECT),
        (("--user",), "home/maria/.codex/hooks.json", PERSON),
    ],
)
def test_the_entries_are_those_that_people_have_trusted(
    place: Place, words: tuple[str, ...], file: str, begin: str
) -> None:
    """Whoever changes one of these makes every installation go dead until it is reviewed again."""
    place.run("install", "--codex", *words)
    table = json.loads((place.root.parent / file).read_bytes())
    assert table == {
        "hooks": {
            event: [
                {
                    "hooks": [
                        {
                            "type": "command",
                            "command": "trap 'exit 0' EXIT; "
                            f'sh -c \'{begin}{kind} "$1"\' onward "$PPID" 2>/dev/null || true',
                            "commandWindows": f"onward hook codex {kind} 0",
                            "timeout": seconds,
                        }
                    ]
                }
            ]
            for event, (kind, seconds) in KNOWN.items()
        }
    }
    assert list(table["hooks"]) == list(KNOWN)


@pytest.mark.parametrize("project", PROJECTS.values(), ids=PROJECTS)
def test_installed_and_uninstalled_a_project_is_what_it_was_to_the_byte(
    place: Place, project: dict[str, str]
) -> None:
    for name, text in project.items():
        place.write(name, text)
    before = tree(place.root)
    assert place.run("install", "--codex").code == 0
    assert tree(place.root) != before
    assert place.run("uninstall", "--codex").code == 0
    assert tree(place.root) == before


def test_what_others_registered_stays_in_front_of_ours(place: Place) -> None:
    place.write(HOOKS, THEIRS)
    place.run("install", "--codex")
    stop = json.loads(place.read(HOOKS))["hooks"]["Stop"]
    assert stop[0] == json.loads(THEIRS)["hooks"]["Stop"][0]
    assert len(stop) == 2


def test_a_second_installation_changes_nothing(place: Place) -> None:
    place.run("install", "--codex")
    before = tree(place.root)
    assert "All of it was installed already." in place.run("install", "--codex").out
    assert tree(place.root) == before


def test_the_clients_own_settings_are_never_written(place: Place) -> None:
    config = place.home / ".codex/config.toml"
    config.parent.mkdir()
    config.write_text("[hooks.state]\n")
    place.run("install", "--codex", "--user")
    place.run("uninstall", "--codex", "--user")
    assert tree(config.parent) == {"config.toml": b"[hooks.state]\n"}


@pytest.mark.parametrize("client", ["--codex", ""])
def test_a_persons_folder_goes_with_the_installation_that_made_it(
    place: Place, client: str
) -> None:
    folder = place.home / (".codex" if client else ".claude")
    words = [client] if client else []
    place.run("install", *words, "--user")
    place.run("install", *words, "--user")
    assert folder.is_dir()
    place.run("uninstall", *words, "--user")
    assert not folder.exists()


@pytest.mark.parametrize("client", ["--codex", ""])
def test_a_persons_folder_that_was_there_before_stays_though_it_is_empty(
    place: Place, client: str
) -> None:
    folder = place.home / (".codex" if client else ".claude")
    words = [client] if client else []
    folder.mkdir()
    place.run("install", *words, "--user")
    place.run("uninstall", *words, "--user")
    assert tree(folder) == {}


def test_a_dry_run_shows_every_file_and_writes_none(place: Place) -> None:
    out = place.run("install", "--codex", "--dry-run").out
    assert "+++ b/.codex/hooks.json" in out
    assert f"+++ b/{SKILL}" in out
    assert tree(place.root) == {}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{\n  "hooks": {,}\n}', "line 2: a key in double quotes belongs here"),
        ('{"hooks": []}', 'line 1: "hooks" must be an object'),
        ("", "is empty"),
    ],
)
def test_a_file_of_hooks_that_is_no_good_is_refused_with_its_line(
    place: Place, text: str, said: str
) -> None:
    place.write(HOOKS, text)
    before = tree(place.root)
    answer = place.run("install", "--codex")
    assert answer.code
    assert said in answer.err
    assert tree(place.root) == before


def test_each_client_is_installed_and_uninstalled_by_itself(place: Place) -> None:
    place.run("install")
    claude = tree(place.root)
    place.run("install", "--codex")
    both = tree(place.root)
    assert claude.items() <= both.items()
    place.run("uninstall", "--codex")
    assert tree(place.root) == claude
    place.run("install", "--codex")
    place.run("uninstall")
    assert (place.root / HOOKS).read_bytes() == both[HOOKS]
    assert (place.root / ".codex/hooks/onward.sh").is_file()


def test_who_uninstalls_the_wrong_client_is_told_of_the_other(place: Place) -> None:
    assert "Nothing of onward is installed here.\n" in place.run("uninstall").out
    place.run("install", "--codex")
    assert (
        "Nothing of onward is installed here for Claude Code.\n"
        "For Codex it is: onward uninstall --codex\n"
    ) in place.run("uninstall").out
    place.run("uninstall", "--codex")
    place.run("install", "--user")
    assert "For Claude Code it is: onward uninstall --user\n" in (
        place.run("uninstall", "--codex", "--user").out
    )


def test_trusting_is_left_to_the_person_and_said(place: Place) -> None:
    out = place.run("install", "--codex").out
    assert "type /hooks in codex" in out
    assert "whether you trust this folder" in out


def test_a_folder_that_is_trusted_is_not_asked_for(place: Place) -> None:
    config = place.home / ".codex/config.toml"
    config.parent.mkdir()
    config.write_text(f'[projects."{os.path.realpath(place.root)}"]\ntrust_level = "trusted"\n')
    assert "whether you trust this folder" not in place.run("install", "--codex").out


@pytest.mark.parametrize("reason", UNREAD)
def test_it_is_said_that_the_client_would_take_no_hook_of_the_file(
    place: Place, reason: str
) -> None:
    (place.root / ".codex").mkdir()
    (place.root / HOOKS).write_bytes(UNREAD[reason])
    done = place.run("install", "--codex")
    assert done.code == 0
    (line,) = [each for each in done.out.splitlines() if each.startswith("Codex takes no hook")]
    assert reason in line
    place.run("uninstall", "--codex")
    assert (place.root / HOOKS).read_bytes() == UNREAD[reason]


@pytest.mark.parametrize("text", TAKEN.values(), ids=TAKEN)
def test_nothing_is_said_of_a_file_that_the_client_takes(place: Place, text: str) -> None:
    place.write(HOOKS, text)
    assert "takes no hook" not in place.run("install", "--codex").out


def test_a_second_registration_is_told(place: Place) -> None:
    place.run("install", "--codex", "--user")
    out = place.run("install", "--codex").out
    assert "To end that: onward uninstall --codex --user" in out


def test_the_clients_folder_may_be_moved(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    moved = place.root.parent / "moved"
    moved.mkdir()
    monkeypatch.setenv("CODEX_HOME", str(moved))
    place.run("install", "--codex", "--user")
    assert (moved / "skills/session-continuity/SKILL.md").is_file()
    assert (moved / "hooks.json").is_file()


@pytest.mark.parametrize("shell", ["sh", "bash"])
@pytest.mark.parametrize("registration", ["project", "user"])
@pytest.mark.parametrize("broken", ["", "exit 2", "echo oops; exit 1", "if"])
def test_a_command_ends_well_whatever_becomes_of_its_shim(
    tmp_path: Path, shell: str, registration: codex.Registration, broken: str
) -> None:
    if broken:
        shim = tmp_path / ".codex/hooks" / codex.SHIM
        shim.parent.mkdir(parents=True)
        shim.write_text(f"{broken}\n")
    for hook in codex.HOOKS:
        done = subprocess.run(
            [shell, "-c", codex.command(hook, registration).command],
            cwd=tmp_path,
            env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]},
            input=b"{}",
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0
        assert not done.stderr
        assert done.stdout == (b"oops\n" if "oops" in broken else b"")


def test_a_command_finds_its_shim_from_below_the_root(place: Place) -> None:
    place.run("install", "--codex")
    shim = place.root / ".codex/hooks" / codex.SHIM
    shim.write_text('echo "$1 $2"\n')
    (place.root / "src").mkdir()
    done = subprocess.run(
        ["sh", "-c", codex.command(codex.HOOKS[0], "project").command],
        cwd=place.root / "src",
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"start {os.getpid()}\n"


@pytest.mark.parametrize("name", [".codex", ".agents", ".codex/hooks.json"])
def test_a_link_out_of_the_project_is_not_followed(place: Place, name: str) -> None:
    outside = place.root.parent / "outside"
    outside.mkdir()
    path = place.root / name
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(outside / "file" if name.endswith(".json") else outside)
    assert place.run("install", "--codex").code
    assert tree(outside) == {}
