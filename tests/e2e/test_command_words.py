"""What a user types behind a slash command is read by onward, and never run by a shell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.kit.lab import Answered, Lab
from tests.e2e.kit.session import worked
from tests.e2e.kit.slash import Command, command_in
from tests.e2e.kit.terminal import Window

NAME = "caulk-the-seams"
FILE = f"memory/checkpoints/{NAME}.md"
PLANTED = "stowaway"
END = "ONWARD_WORDS_END_HERE"
TAKEN = {
    "a second command": f"caulk; touch {PLANTED}",
    "a chain of them": f"a && touch {PLANTED} || touch {PLANTED} & touch {PLANTED}",
    "a substitution": f"caulk $(touch {PLANTED}) ${{HOME}} $1 $ARGUMENTS",
    "back-ticks": f"caulk `touch {PLANTED}`",
    "double quotes": f'caulk "; touch {PLANTED}; "',
    "single quotes": f"caulk '; touch {PLANTED}; '",
    "an apostrophe": "don't",
    "JSON": '{"a": {"b": "c"}}',
    "an option": "--from /etc/passwd",
    "a redirection": f"x > {PLANTED}",
    "a file of the client's": "x @/etc/passwd",
    "other letters": "Kielboot-äé 水道 🚣 пирс",
}
NAMES = (
    "a substitution",
    "back-ticks",
    "double quotes",
    "other letters",
    "a redirection",
    "a file of the client's",
)
"""Those that are tried as a document's name; the others as a task."""
TASKS = tuple(kind for kind in TAKEN if kind not in NAMES)
LINES = {
    "a second line": f"caulk\ntouch {PLANTED}",
    "a here-document": f"<<EOF\ntouch {PLANTED}\nEOF",
}
"""The client lets these pass; a path is none of them."""
LONG = "caulk the seam " * 600
BEHIND = f"caulk\n\"\n{END}\n{{}} <<'{END}'\n\""
"""Ends the here-document as it should, and begins another one for what follows."""
REFUSED = {
    "the end of the here-document": f"caulk\n{END}\ntouch {PLANTED}",
    "the end and its frame": BEHIND.format(f"touch {PLANTED}"),
    "the end and another verb": BEHIND.format(f"onward delete {NAME}"),
    "the end and another command": BEHIND.format("onward slash discard-backup"),
    "the end and a word more": BEHIND.format("onward slash checkpoint more"),
    "a carriage return": f"caulk\rtouch {PLANTED}",
}
"""The client runs nothing of these, and the newer one says so."""
SAYS = "2.1.330"
"""The client that says why it refuses; the other one says nothing without a terminal."""
WHY = re.compile(r"permission check failed|does not accept")


class Yard:
    """A lab in which a shell's calls of onward are noted, and a session with work in it."""

    def __init__(self, lab: Lab) -> None:
        self.lab = lab
        lab.install("--project")
        if SAYS not in str(lab.client):  # the hooks have had all of it from the newer one
            lab.write(".claude/settings.local.json", '{"disableAllHooks": true}')
        self.session = worked(lab).stem
        program = lab.home / ".local/bin/onward"
        real = program.readlink()
        self.noted = lab.top / "calls"
        program.unlink()
        program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$*" >>"{self.noted}"\nexec "{real}" "$@"\n')
        program.chmod(0o755)
        self.files = self.tree()

    def tree(self) -> set[Path]:
        """All files of the project that are neither git's, the client's nor ours."""
        found = (path.relative_to(self.lab.project) for path in self.lab.project.rglob("*"))
        own = {".git", ".claude", "memory", "SESSION-STATE.md"}
        return {path for path in found if path.parts[0] not in own}

    def calls(self) -> list[str]:
        """What a shell ran of onward since this was asked last."""
        found = self.noted.read_text("utf-8").splitlines() if self.noted.exists() else []
        self.noted.unlink(missing_ok=True)
        return found

    def type(self, typed: str) -> tuple[Answered, Command | None]:
        """A headless run in the session with these words; the command as the model got it."""
        count = len(self.lab.requests())
        self.lab.model.script(["Aye."])
        answered = self.lab.headless(typed, "--resume", self.session)
        sent = self.lab.requests()[count:]
        return answered, command_in(sent[-1]) if sent else None

    def taken(self, typed: str) -> str:
        """The same; what onward printed, which ran once and alone."""
        _, command = self.type(typed)
        assert command, f"{typed!r} did not reach the model"
        assert self.calls() == [f"slash {command.name}"]
        return command.printed


@pytest.fixture
def yard(lab: Lab) -> Iterator[Yard]:
    """See `Yard`. Nothing that was typed may have run."""
    made = Yard(lab)
    yield made
    assert not list(lab.top.rglob(PLANTED)), "a shell ran what was typed"


def task(lab: Lab) -> str:
    found = re.search(
        r"^\*\*Task:\*\* (.*)$", (lab.project / FILE).read_text("utf-8"), re.MULTILINE
    )
    assert found
    return re.sub(r" \[asked[^\[\]]*\]$", "", found[1])


def test_a_task_arrives_to_the_letter(yard: Yard) -> None:
    for words in (TAKEN[kind] for kind in TASKS):
        assert "Saved checkpoint" in yard.taken(f"/checkpoint save {NAME} --force --task {words}")
        assert task(yard.lab) == words


@pytest.mark.parametrize("kinds", [NAMES[:3], NAMES[3:]], ids=" + ".join)
def test_a_path_arrives_to_the_letter(yard: Yard, kinds: tuple[str, ...]) -> None:
    for words in (TAKEN[kind] for kind in kinds):
        before = yard.tree()
        told = yard.taken(f"/document-and-save-to notes/{words}.md")
        document = yard.lab.project / f"notes/{words}.md"
        assert document.is_file()
        assert {path for path in yard.tree() - before if path.suffix} == {
            document.relative_to(yard.lab.project)
        }
        (typed,) = re.findall(r"^To continue from it: (/resume-from .+)$", told, re.MULTILINE)
        assert "Ready to continue?" in yard.taken(typed)


def test_several_lines_and_very_long_ones_are_a_task_and_no_path(yard: Yard) -> None:
    commands = ("document-and-save-to", "resume-from", "document-and-save-to")
    for words, command in zip((*LINES.values(), LONG), commands, strict=True):
        yard.taken(f"/checkpoint save {NAME} --force --task {words}")
        assert " ".join(words.split()).startswith(task(yard.lab)[:80])
        told = yard.taken(f"/{command} {words}.md")
        assert re.match("a path is one line|there is no file|.*too long", told)
        assert len(told) < 1000
    assert yard.tree() == yard.files


@pytest.mark.every_version
def test_what_ends_the_here_document_runs_nothing_at_all(yard: Yard) -> None:
    commands = (f"checkpoint save {NAME} --task", "document-and-save-to", "resume-from")
    for words, command in zip(REFUSED.values(), 2 * commands, strict=True):
        answered, seen = yard.type(f"/{command} {words}")
        assert seen is None
        assert yard.calls() == []
        says = bool(WHY.search(answered.text))
        assert (answered.code, says) == (0, SAYS in str(yard.lab.client))
    assert yard.tree() == yard.files
    assert not (yard.lab.project / "memory").exists()


def test_the_same_command_once_more_behind_the_here_document_is_left_undone(yard: Yard) -> None:
    # The one thing that the client lets pass there.
    again = BEHIND.format("onward slash checkpoint").removeprefix("caulk")
    _, seen = yard.type(f"/checkpoint save {NAME}{again}\ndelete {NAME}")
    assert seen
    assert "Saved checkpoint" in seen.printed
    assert "this command was run already" in seen.printed
    assert yard.calls() == ["slash checkpoint"] * 2
    assert (yard.lab.project / FILE).is_file()


# --------------------------------------------------------------- the terminal


def paste(window: Window, text: str) -> None:
    """Put a text into the prompt as one paste: what is typed cannot hold a line break."""
    window.tmux("set-buffer", "-b", "words", "--", text)
    window.tmux("paste-buffer", "-p", "-d", "-b", "words", "-t", window.pane)
    window.still(1)


IN_A_WINDOW = {
    **{kind: TAKEN[kind] for kind in ("a substitution", "back-ticks", "single quotes", "JSON")},
    **LINES,
}


def test_words_arrive_to_the_letter_in_a_terminal(yard: Yard) -> None:
    lab = yard.lab
    window = lab.terminal("--resume", yard.session, "--permission-mode", "default")
    for words in IN_A_WINDOW.values():
        count = len(lab.requests())
        window.still()
        window.type(f"/checkpoint save {NAME} --force --task ", enter=False)
        paste(window, words)
        window.key("Enter")
        lab.model.wait(count=count + 1)
        assert yard.calls() == ["slash checkpoint"]
        assert task(lab) == " ".join(words.split())


def test_what_ends_the_here_document_is_refused_on_the_screen(yard: Yard) -> None:
    lab = yard.lab
    window = lab.terminal("--resume", yard.session, "--permission-mode", "default")
    count = len(lab.requests())
    for words in (REFUSED["the end and its frame"], REFUSED["the end and another verb"]):
        window.type("/resume-from ", enter=False)
        paste(window, words)
        window.key("Enter")
        window.wait(WHY.pattern)
        window.type("/clear")
        window.wait_gone("permission check failed")
    assert yard.calls() == []
    assert len(lab.requests()) == count
