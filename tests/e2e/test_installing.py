"""Put in and taken out with the real client: it works at once, and nothing of it stays behind."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.kit import breakage
from tests.e2e.kit.lab import Lab, conversation
from tests.e2e.kit.model import Answer, Call
from tests.e2e.kit.session import DONE, FREE, backup_in, begin, leave, next_start, work, worked
from tests.e2e.kit.terminal import PROMPT, Window

Tree = dict[str, tuple[bytes, int]]
ODD = (
    '\ufeff{"model":"opus",\r\n\t"permissions" :{ "allow":["Bash(ls:*)" ] },\r\n'
    '   "hooks":{"Stop":[ {"hooks":[{"type":"command","command":"echo caf\\u00e9 >>stops.txt"}]}],'
    '"Notification":[]},\r\n\t"env": {"KEEL":"1e2", "n": ""}\r\n}'
)
RULES = "# Rules of the yard\n\nNo tar on deck.  \n"


def tree(folder: Path) -> Tree:
    """Every file below a folder, with its bytes and mode, and every folder; git's own aside."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if name.split("/")[0] != ".git":
            data = path.read_bytes() if path.is_file() else b""
            found[name + "/" * path.is_dir()] = (data, path.stat().st_mode)
    return found


def less(found: Tree, *folders: str) -> Tree:
    """A tree without what lies in these folders, and without the folders."""
    return {name: what for name, what in found.items() if not name.startswith(folders)}


def live_in(folder: Path) -> None:
    """A user's own things in a client's folder, in a style of their own."""
    (folder / "commands").mkdir(parents=True, exist_ok=True)
    (folder / "settings.json").write_bytes(ODD.encode())
    (folder / "commands" / "launch.md").write_bytes(b"Launch the boat.\r\n")
    (folder / "CLAUDE.md").write_text(RULES)


def findings(lab: Lab, code: int, *words: str) -> list[dict[str, Any]]:
    """What the doctor finds."""
    found: list[dict[str, Any]] = json.loads(lab.onward("doctor", "--json", *words, code=code))[
        "findings"
    ]
    return found


def told(found: list[dict[str, Any]], level: str) -> list[str]:
    """The findings of one level, as subject, text and advice."""
    lines = (f"{each['subject']}: {each['text']} → {each['advice']}" for each in found)
    return [line for line, each in zip(lines, found, strict=True) if each["level"] == level]


def headless(lab: Lab) -> Path:
    return worked(lab)


def in_a_window(lab: Lab) -> Path:
    window = begin(lab)
    transcript = work(lab, window)
    leave(window)
    lab.wait_quiet()
    return transcript


@pytest.mark.parametrize("session", [headless, in_a_window])
@pytest.mark.parametrize("where", ["--project", "--user"])
def test_hooks_work_from_the_next_start_on(
    lab: Lab, where: str, session: Callable[[Lab], Path]
) -> None:
    lab.install(where)
    transcript = session(lab)
    (kept,) = lab.pending()
    assert conversation(kept) == conversation(transcript)
    assert backup_in(next_start(lab), lab) == kept


@pytest.mark.parametrize("where", ["--project", "--user"])
def test_what_was_installed_is_taken_out_to_the_last_byte(lab: Lab, where: str) -> None:
    folder = lab.config if where == "--user" else lab.project / ".claude"
    live_in(folder)
    lab.headless("Hello")  # what the client makes at its first start is its own
    before = tree(lab.home), (lab.home / ".claude.json").read_bytes()
    lab.install(where)
    assert tree(folder) != before[0]
    lab.onward("uninstall", *[where] * (where == "--user"))
    after = tree(lab.home), (lab.home / ".claude.json").read_bytes()
    assert less(after[0], ".local/") == less(before[0], ".local/")
    assert after[1] == before[1]


@pytest.mark.parametrize("where", ["--project", "--user"])
def test_the_client_runs_on_as_before_it_was_installed(lab: Lab, where: str) -> None:
    folder = lab.config if where == "--user" else lab.project / ".claude"
    live_in(folder)
    lab.headless("Hello", FREE)  # the client notes in the user's settings that FREE was used
    own = tree(lab.project)
    settings = (folder / "settings.json").read_bytes()
    lab.install(where)
    worked(lab)
    ours = breakage.counted(lab)
    lab.headless("Hello")
    assert ours("turn") == 1
    stops = (lab.project / "stops.txt").read_text()
    assert stops == "caf\u00e9\n" * 3, "the user's own hook runs beside ours"
    lab.onward("uninstall", *[where] * (where == "--user"))
    made = (".claude/memory/", "stops.txt", "seams.md", "memory/", "SESSION-STATE.md")
    after = less(tree(lab.project), *made)
    if where == "--user":
        assert after.pop(".claude/"), "of it there is the memory alone, which is the user's"
    assert after == less(own, *made)
    assert (folder / "settings.json").read_bytes() == settings
    kept = lab.raws()
    done = lab.headless("And now?")
    assert (done.code, done.text, done.err) == (0, "ok", "")
    assert (lab.raws(), ours("turn")) == (kept, 1)
    assert "SESSION_BACKUP_PENDING" not in lab.requests()[-1].text


def test_a_session_outlives_the_uninstalling(lab: Lab) -> None:
    lab.install("--project")
    lab.write("onward.toml", "[hooks]\nidle-minutes = 1\n")  # the sleeper looks every 6 s
    window = begin(lab)
    work(lab, window)
    window.still()
    lab.onward("uninstall")
    lab.model.script(["Plank five is caulked."])
    window.type("Go on with plank five")
    lab.wait_written("Plank five is caulked.")
    assert "hook error" not in window.still().lower()
    leave(window)
    assert "hook" not in window.screen.lower()


@pytest.mark.parametrize("start", ["headless", "terminal"])
def test_whoever_never_had_onward_is_left_in_peace_by_settings_that_name_it(
    lab: Lab, start: str
) -> None:
    lab.install("--project")
    shutil.rmtree(lab.data)
    (lab.home / ".local/bin/onward").unlink()
    before = tree(lab.project)
    if start == "headless":
        done = lab.headless("Hello")
        assert (done.code, done.text, done.err) == (0, "ok", "")
    else:
        window = lab.terminal()
        window.type("Hello")
        lab.wait_written('"ok"')
        assert "hook" not in window.still().lower()
        leave(window)
    assert tree(lab.project) == before
    assert not lab.data.exists()
    assert "hook success" not in lab.requests()[0].text


def test_commands_that_are_left_without_their_shims_stay_silent(lab: Lab) -> None:
    lab.install("--project")
    shutil.rmtree(lab.data)
    (lab.home / ".local/bin/onward").unlink()
    shutil.rmtree(lab.project / ".claude/hooks")
    before = tree(lab.project)
    done = lab.headless("Hello")
    assert (done.code, done.text, done.err) == (0, "ok", "")
    assert tree(lab.project) == before
    assert not lab.data.exists()


def test_the_doctor_finds_a_new_installation_sound(lab: Lab) -> None:
    lab.install("--project")
    assert told(findings(lab, 0), "broken") == []
    worked(lab)
    next_start(lab)
    lab.wait_quiet()
    found = findings(lab, 0)
    assert told(found, "broken") == []
    assert told(found, "warning") == []


def no_python(lab: Lab) -> None:
    breakage.launcher(lab, python=lab.top / "no" / "python")


def no_shim(lab: Lab) -> None:
    (lab.project / ".claude/hooks/on-session-end.sh").unlink()


def switched_off(lab: Lab) -> None:
    lab.write(".claude/settings.local.json", '{"disableAllHooks": true}')


FAULTS: dict[str, tuple[Callable[[Lab], None], str, bool]] = {
    "Python is gone": (no_python, "launcher: .*names a Python that is gone", True),
    "a shim is gone": (no_shim, "files: missing: .claude/hooks/on-session-end.sh", True),
    "hooks are switched off": (switched_off, "settings: .*disableAllHooks is true", False),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_doctor_names_what_keeps_the_client_from_us(lab: Lab, fault: str) -> None:
    plants, pattern, mended = FAULTS[fault]
    lab.install("--project")
    plants(lab)
    if fault == "Python is gone":
        (lab.home / ".local/bin/onward").rename(lab.top / "onward")
    worked(lab)
    assert lab.pending() == [], "the fault is real"
    if fault == "Python is gone":
        (lab.top / "onward").rename(lab.home / ".local/bin/onward")
    broken = told(findings(lab, 1), "broken")
    assert [line for line in broken if re.search(pattern, line)], broken
    assert all(line.partition(" → ")[2] for line in broken), "each says what to type"
    findings(lab, 0 if mended else 1, "--fix")
    lab.headless("Hello")
    assert any("Hello" in conversation(path) for path in lab.pending()) == mended


def test_a_start_in_a_sub_folder_has_no_hooks_of_the_project_and_the_doctor_says_so(
    lab: Lab,
) -> None:
    lab.install("--project")
    calls = breakage.counted(lab)
    deck = lab.project / "deck"
    deck.mkdir()
    lab.headless("Hello", cwd=deck)
    assert calls("start") == 0
    assert lab.raws() == []
    warnings = told(findings(lab, 0), "warning")
    assert [line for line in warnings if "begun in a sub-folder" in line and "--user" in line]


def test_a_start_in_a_sub_folder_has_the_persons_hooks(lab: Lab) -> None:
    lab.install("--user")
    deck = lab.project / "deck"
    deck.mkdir()
    lab.headless("Hello", cwd=deck)
    lab.wait_quiet()
    (kept,) = lab.pending()
    assert "Hello" in conversation(kept)
    lab.headless("What now?", cwd=deck)
    assert kept.name in lab.requests()[-1].text


def new_folder(lab: Lab) -> Window:
    """A clone of the project that the client has never seen, opened in a terminal."""
    clone = lab.home / "clone"
    shutil.copytree(lab.project, clone)
    window = lab.tmux.start([str(lab.client)], lab.env, clone)
    lab.windows.append(window)
    window.wait("trust")
    window.still()
    return window


def test_nothing_of_ours_runs_in_a_folder_that_is_not_trusted(lab: Lab) -> None:
    lab.install("--project")
    calls = breakage.counted(lab)
    window = new_folder(lab)
    assert (lab.top / "calls").read_text() == ""
    window.key("Escape")
    window.wait_dead()
    lab.wait_quiet()
    assert (lab.top / "calls").read_text() == ""
    assert calls("end") == 0


def test_hooks_run_once_a_folder_is_trusted(lab: Lab) -> None:
    lab.install("--project")
    calls = breakage.counted(lab)
    window = new_folder(lab)
    if re.search(f"{PROMPT} *No, exit", window.screen):  # 2.1.330, where there are hooks
        window.key("Down")
        window.wait(f"{PROMPT} *Yes")
    window.key("Enter")
    window.wait_gone("trust this folder")
    window.wait(PROMPT)
    window.still()
    lab.wait_quiet()
    assert calls("start") == 1
    leave(window)


def test_the_model_looks_things_up_by_our_server(lab: Lab) -> None:
    lab.install("--project", "--mcp")
    before = worked(lab)
    # What the user answers when the client asks whether they want the project's server.
    lab.write(".claude/settings.local.json", json.dumps({"enabledMcpjsonServers": ["onward"]}))
    call = Call("mcp__onward__show", {"place": "t:last", "session": before.stem})
    count = len(lab.requests())
    lab.model.script([Answer("", (call,)), "There."])
    answer = lab.headless("What was last?", "--allowedTools=mcp__onward__show")
    assert answer.text == "There.", answer
    told = lab.requests()[-1].text
    assert len(lab.requests()) == count + 2
    assert "data, not instructions" in told
    assert DONE in told
