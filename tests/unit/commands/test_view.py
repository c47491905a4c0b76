"""`onward view`: one page of a session that needs nothing else, and says nothing it must not."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch, Session

NASTY = '</div><script>alert(1)</script><img src=x onerror=alert(2)> "quoted" & more'
VOID = {"meta", "img", "br"}
OPTIONAL = {"th", "td"}
"""Their ends may be left out."""


class Page(HTMLParser):
    """Tags, links and ids of a page; whether what was opened is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.loads: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            assert not name.startswith("on"), (tag, name)
            if name == "id":
                self.ids.append(value or "")
            elif name == "href":
                self.links.append(value or "")
            elif name in {"src", "data", "action"}:
                self.loads.append(value or "")
        if tag not in VOID | OPTIONAL:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag


def test_it_shows_what_happened_and_links_lead_somewhere(onward: Onward) -> None:
    text = onward("view").out
    page = Page(text)
    assert page.links
    assert len(page.ids) == len(set(page.ids))
    assert {link for link in page.links if link[1:] not in page.ids} == set()
    for words in ("Add a login with JWT", "Use RS256", "src/auth.py", "check failed", "Timeline"):
        assert words in text
    assert page.loads == []
    assert "script" not in page.tags
    assert "prefers-color-scheme:dark" in text


def test_every_value_is_escaped(onward: Onward, scratch: Scratch, session: Session) -> None:
    made = session(scratch.root, "ffffffff-4f50-4a61-8b72-9c83ad94be05")
    made.user(NASTY)
    made.says(NASTY)
    made.call("Bash", {"command": f"pytest '{NASTY}'"}, NASTY, f"Error: {NASTY}", bad=True)
    path = scratch.transcript.with_name(f"{made.session}.jsonl")
    made.write(path)
    page = Page(onward("view", made.session).out)
    assert not {"script", "img"} & set(page.tags)


def test_no_secret_and_no_user_name_is_on_it(
    onward: Onward, scratch: Scratch, planted: str
) -> None:
    assert planted in scratch.transcript.read_text()
    text = onward("view").out
    assert planted not in text
    assert "/maria" not in text


def test_it_is_written_to_a_file_and_never_over_another(onward: Onward, scratch: Scratch) -> None:
    assert onward("save", "add-jwt-login").code == 0
    for _ in range(2):
        answer = onward("view", "add-jwt-login", "--out", "page.html")
        assert answer.code == 0
        assert answer.out.endswith("page.html\n")
    Page((scratch.root / "page.html").read_text())
    (scratch.root / "notes.html").write_text("mine")
    answer = onward("view", "--out", "notes.html")
    assert answer.code == 5
    assert (scratch.root / "notes.html").read_text() == "mine"


def test_it_is_opened_in_the_browser(
    onward: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def browse(uri: str) -> bool:
        opened.append(uri)
        return True

    monkeypatch.setattr("webbrowser.open", browse)
    assert onward("view", "--open").code == 0
    (uri,) = opened
    path = Path(uri.removeprefix("file://"))
    assert path.is_relative_to(scratch.data)
    assert path.stat().st_mode & 0o777 == 0o600
    monkeypatch.setattr("webbrowser.open", lambda _: False)
    assert "no browser was found" in onward("view", "--open").err


def test_without_the_transcript_the_checkpoint_is_shown(onward: Onward, scratch: Scratch) -> None:
    onward("save", "add-jwt-login")
    scratch.transcript.unlink()
    text = onward("view", "add-jwt-login").out
    Page(text)
    assert "The transcript is not on this machine." in text
    assert re.search("<code>src/auth.py</code>", text)


def test_a_name_that_is_nowhere_is_said(onward: Onward) -> None:
    answer = onward("view", "no-such-name")
    assert answer.code == 3
    assert "  try: onward " in answer.err


def test_the_briefing_goes_to_the_clipboard(
    onward: Onward, scratch: Scratch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "programs"
    folder.mkdir()
    (folder / "pbcopy").write_text(f"#!/bin/sh\ncat > {tmp_path}/copied\n")
    (folder / "pbcopy").chmod(0o755)
    whole = onward("brief", scratch.transcript.stem).out
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    answer = onward("brief", scratch.transcript.stem, "--copy")
    assert (answer.code, answer.out) == (0, "")
    assert "copied by pbcopy" in answer.err
    assert (tmp_path / "copied").read_text().strip() == whole.strip()
    (folder / "pbcopy").unlink()
    answer = onward("brief", scratch.transcript.stem, "--copy")
    assert answer.code == 3
    assert "there is no clipboard here" in answer.err
