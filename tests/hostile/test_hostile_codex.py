"""Codex in a hostile repository: links, settings and rollouts that would lead elsewhere."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
from tests.canary.machine import OTHER, SESSION, CodexMachine
from tests.canary.rollout import Paginated, Wrapped
from tests.hostile.session import Evil
from tests.hostile.trap import ESCAPES, ORDERS, Trap
from tests.sampling import sample

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(os.name == "nt", reason="shims are run by sh")

SKILL = ".agents/skills/session-continuity"
FOLDERS = (".codex", ".codex/hooks", ".agents", ".agents/skills", SKILL)
FILES = (
    ".codex/hooks.json",
    ".codex/config.toml",
    ".codex/onward.json",
    ".codex/hooks/onward.sh",
    ".codex/hooks/onward-codex.sh",
    f"{SKILL}/SKILL.md",
)
DEEP = "[" * 100_000


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    made = Trap(tmp_path, CodexMachine)
    git = made.machine.git
    git("init", "-q", "-b", "main")
    (made.root / "a.py").write_text("x = 1\n")
    git("add", "-A")
    git("commit", "-qm", "First")
    (made.root / "onward.toml").write_text("[hooks]\nidle-minutes = 0.001\n")
    return made


def installed(trap: Trap) -> None:
    """Whatever of the installer reads or writes what came with the repository."""
    for call in (
        ("install", "--codex", "--dry-run"), ("install", "--codex"), ("doctor", "--fix"),
        ("uninstall", "--codex"),
    ):  # fmt: skip
        said = trap.machine.onward(*call)
        assert said.code != 70, (call, said.err)


@pytest.mark.parametrize("place", sample([*FOLDERS, *FILES], 4, "places of codex"))
def test_a_place_of_codex_that_is_a_link_leads_nowhere(trap: Trap, place: str) -> None:
    link = trap.root / place
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(trap.outside / ("folder" if place in FOLDERS else "file.md"))
    before = trap.state()
    if place != ".codex/config.toml":  # that one is only read
        assert trap.machine.onward("install", "--codex").code == 5
    installed(trap)
    trap.check(before)
    assert link.is_symlink()


SETTINGS = (
    (".codex/config.toml", "= \x1b[31m"),
    (".codex/config.toml", f"a = {DEEP}"),
    (".codex/config.toml", "hooks = 1\n[features]\nhooks = 'no'\n"),
    (".codex/hooks.json", '{"hooks": {"Stop": {"\x1b[31m": "\u202e"}}}'),
    (".codex/hooks.json", f'{{"hooks": {DEEP}'),
    (".codex/hooks.json", '{"hooks": {"Stop": [{"hooks": [{"command": "onward-codex.sh \\ud800"}]}]}}'),
    (".codex/hooks.json", '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "touch witness"}]}]}}'),
    (".codex/onward.json", '{"files": {"../outside/file.md": "0", "a.py": "0", ".codex/hooks/../../a.py": "0"}}'),
    (".codex/hooks/onward-codex.sh", "touch witness\n"),
)  # fmt: skip


@pytest.mark.parametrize(("place", "text"), sample(SETTINGS, 4, "settings of codex"))
def test_settings_of_codex_that_came_with_a_repository_do_no_harm(
    trap: Trap, place: str, text: str
) -> None:
    (trap.root / ".codex/hooks").mkdir(parents=True)
    (trap.root / place).write_text(text)
    before = trap.state()
    installed(trap)
    trap.check(before)
    assert (trap.root / "a.py").exists()
    assert not (trap.root / "witness").exists()


def evil(trap: Trap, form: type[Wrapped], session: str = SESSION) -> Wrapped:
    made = form(trap.machine.transcript(session), session, trap.root, Evil())
    made.fill()
    return made


@pytest.mark.parametrize("form", [Wrapped, Paginated])
def test_a_rollout_full_of_orders_runs_nothing_and_gives_none(
    trap: Trap, form: type[Wrapped]
) -> None:
    lines, before, machine = len(evil(trap, form).lines), trap.state(), trap.machine
    assert machine.onward("install", "--codex").code == 0
    here = {
        "session_id": SESSION,
        "transcript_path": str(machine.transcript()),
        "cwd": str(trap.root),
    }
    aloud = f"Use JWT, not sessions, because {ESCAPES} {ORDERS}"
    machine.hook("start", here | {"source": "startup"})
    machine.hook("prompt", here | {"prompt": aloud, "turn_id": aloud, "model": aloud})
    machine.hook("turn", here | {"last_assistant_message": aloud})
    machine.hook("compact", here | {"trigger": "manual"})
    machine.hook("end", here | {"reason": aloud})
    machine.hook("start", here | {"source": "startup", "session_id": OTHER})
    for call in (
        ("save", "fix-login"), ("resume",), ("brief", "fix-login"), ("distill", SESSION), ("--all", "--why"), ("sessions",),
        ("show", "fix-login"), ("backup", "list"), ("backup", "resume"), ("doctor",),
    ):  # fmt: skip
        assert machine.onward(*call).code in {0, 1}, call
        machine.onward(*call, "--json")
    for line in range(1, lines + 1):
        assert machine.onward("show", f"t:{line}").code == 0
    trap.check(before)
    assert not (trap.root / "witness").exists()


def test_a_rollout_that_claims_another_folder_is_not_this_project_s(trap: Trap) -> None:
    made = evil(trap, Wrapped)
    text = made.path.read_text().replace(str(trap.root), str(trap.outside))
    made.path.write_text(text.replace(SESSION, f"../../{SESSION}"))
    before, machine = trap.state(), trap.machine
    machine.onward("install", "--codex")
    assert machine.onward("save", "fix-login").code == 3, "no session of this project"
    here = {"session_id": SESSION, "transcript_path": str(made.path), "cwd": str(trap.root)}
    for event, fields in (
        ("start", {"source": "startup"}),
        ("prompt", {"prompt": "Bye, that is all for today"}),
        ("turn", {}),
        ("compact", {"trigger": "manual"}),
        ("end", {"session_id": f"../../{SESSION}"}),
    ):
        machine.hook(event, here | fields)
    machine.onward("resume", str(made.path))
    machine.onward("brief", str(made.path))
    trap.check(before)


@pytest.mark.parametrize(
    "parent",
    sample(["../../outside/folder/other", "*", "/etc/passwd", SESSION, "\x1b[31m"], 2, "parents"),
)
def test_a_fork_goes_on_from_nothing_but_a_rollout(trap: Trap, parent: str) -> None:
    base = {"thread_id": parent, "end_ordinal_exclusive": 9, "end_byte_offset": -1}
    made = Wrapped(trap.machine.transcript(), SESSION, trap.root, Evil())
    made.add("session_meta", id=SESSION, cwd=str(trap.root), source="cli", history_base=base)
    made.says("Fix the login")
    made.replies("Yes")
    path, before = made.write(), trap.state()
    for call in (
        ("distill", str(path)),
        ("show", "t:1000001"),
        ("resume", str(path)),
        ("sessions",),
    ):
        assert trap.machine.onward(*call).code in {0, 3}, call
    assert "theirs" not in trap.machine.told.decode()
    trap.check(before)
    assert json.loads(path.read_text().splitlines()[0])["payload"]["history_base"] == base
