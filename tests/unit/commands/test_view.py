"""`onward view`: one page of a session that needs nothing else, and says nothing it must not."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.needs import find

if TYPE_CHECKING:
    from tests.unit.commands.conftest import Onward, Scratch, Session

Measured = Callable[[int, str], dict[str, Any]]
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


def test_each_task_links_to_where_the_list_was_last_changed(
    onward: Onward, scratch: Scratch, session: Session
) -> None:
    made = session(scratch.root, "ffffffff-4f50-4a61-8b72-9c83ad94be05")
    todos = [
        {"content": f"Plank {n}", "status": how, "activeForm": "Caulking"}
        for n, how in enumerate(("completed", "in_progress", "pending"))
    ]
    made.call("TodoWrite", {"todos": todos}, "Todos have been modified", {"newTodos": todos})
    made.write(scratch.transcript.with_name(f"{made.session}.jsonl"))
    text = onward("view", made.session).out
    tasks = re.findall(r"<li><b>Task, .*?</li>", text)
    assert len(tasks) == 3
    assert all('<a href="#t:' in task for task in tasks)
    assert "Task list: 1 completed, 1 in progress, 1 pending" in text
    assert {link for link in Page(text).links if link[1:] not in Page(text).ids} == set()


MEASURE = """<!doctype html><meta charset="utf-8"><body style="margin:0">
<iframe id="it" src="page.html" style="border:0;width:WIDTHpx;height:3000px"></iframe>
<script>
const light = (c) => {
  const [r, g, b] = c.match(/[\\d.]+/g).map((v) => v / 255)
    .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
document.getElementById("it").onload = ({target}) => {
  const page = target.contentDocument, win = target.contentWindow, told = {broken: [], faint: []};
  const style = (e) => win.getComputedStyle(e);
  const behind = (e) => !e ? "rgb(255, 255, 255)"
    : /, 0\\)$/.test(style(e).backgroundColor) ? behind(e.parentElement) : style(e).backgroundColor;
  const root = page.documentElement;
  told.over = root.scrollWidth - root.clientWidth;
  told.back = behind(page.body);
  const walk = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walk.nextNode());) {
    const on = node.parentElement, words = node.textContent.trim();
    if (!words || !on.checkVisibility()) continue;
    const pair = [light(style(on).color), light(behind(on))].sort((a, b) => b - a);
    if ((pair[0] + 0.05) / (pair[1] + 0.05) < 4.5) told.faint.push(words);
    const range = page.createRange();
    range.selectNodeContents(node);
    const rows = new Set(Array.from(range.getClientRects(), (each) => Math.round(each.top)));
    if (!/[\\s/]/.test(words) && rows.size > 1) told.broken.push(words);
  }
  document.body.innerHTML = "";
  document.title = JSON.stringify(told);
};
</script>"""


@pytest.fixture
def measured(onward: Onward, scratch: Scratch, session: Session, tmp_path: Path) -> Measured:
    """Renders the page of a session with everything in it, in a browser, and measures it there."""
    chromium = find("chromium") or ""
    made = session(scratch.root, "ffffffff-4f50-4a61-8b72-9c83ad94be05")
    for name in ("src/components/authentication/providers/OAuthProviderConfiguration.tsx", "a.py"):
        path = str(scratch.root / name)
        content = "x\n" * 240
        made.call("Write", {"file_path": path, "content": content}, f"File created at: {path}",
                  {"type": "create", "filePath": path, "content": content})  # fmt: skip
    made.call("Bash", {"command": "pytest"}, "3 passed in 0.10s", {"stdout": "3 passed in 0.10s"})
    made.call("Bash", {"command": "git commit -m 'Add the login'"}, "[main 1a2b3c4] Add the login",
              {"stdout": "[main 1a2b3c4] Add the login"})  # fmt: skip
    made.user("Now the other thing, " * 40)
    made.user("[Request interrupted by user]")
    made.write(scratch.transcript.with_name(f"{made.session}.jsonl"))
    assert onward("view", made.session, "--out", str(tmp_path / "page.html")).code == 0

    def measure(width: int, scheme: str) -> dict[str, Any]:
        harness = tmp_path / "measure.html"
        harness.write_text(MEASURE.replace("WIDTH", str(width)))
        done = subprocess.run(
            [chromium, "--headless=new", "--no-sandbox", "--disable-gpu",
             f"--user-data-dir={tmp_path}/browser", "--allow-file-access-from-files",
             f"--blink-settings=preferredColorScheme={['dark', 'light'].index(scheme)}",
             "--virtual-time-budget=5000", "--dump-dom", harness.as_uri()],
            check=True, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        title = re.search("<title>(.*)</title>", done.stdout)
        assert title, done.stderr
        found = json.loads(unescape(title[1]))
        assert isinstance(found, dict)
        return found

    return measure


@pytest.mark.needs("chromium")
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_can_be_read_in_a_browser(measured: Measured, width: int, scheme: str) -> None:
    found = measured(width, scheme)
    assert found["over"] == 0
    assert found["broken"] == []
    assert found["faint"] == []
    assert found["back"] == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(13, 17, 23)")


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


def moved_to_raw(scratch: Scratch) -> Path:
    """The copy of a transcript that the client deleted."""
    memory, name = scratch.root / ".claude/memory", "20260301_140000_logout.jsonl"
    (memory / "raw").mkdir(parents=True)
    (memory / ".backup-log").write_text(
        f"2026-03-01T14:00:00+00:00 saved {name} session={scratch.transcript.stem} reason=logout\n"
    )
    return scratch.transcript.rename(memory / "raw" / name)


def test_a_transcript_that_the_client_deleted_is_shown_from_its_raw_copy(
    onward: Onward, scratch: Scratch
) -> None:
    onward("save", "add-jwt-login")
    moved_to_raw(scratch)
    text = onward("view", "add-jwt-login").out
    assert Page(text).links
    assert "The transcript is not on this machine." not in text


def test_where_the_raw_copy_cannot_be_read_the_checkpoint_is_shown_with_the_reason(
    onward: Onward, scratch: Scratch, monkeypatch: pytest.MonkeyPatch
) -> None:
    onward("save", "add-jwt-login")
    copy = moved_to_raw(scratch)

    def fails(*_: object) -> None:
        raise OSError(5, "Input/output <error>", str(copy))

    with monkeypatch.context() as patched:
        patched.setattr("onward.commands.view.open_transcript", fails)
        broken = onward("view", "add-jwt-login")
    copy.write_text("no transcript\n")
    foreign = onward("view", "add-jwt-login")
    for answer, reason in ((broken, "Input/output &lt;error&gt;"), (foreign, copy.name)):
        assert answer.code == 0
        Page(answer.out)
        told = re.search("<p>The transcript cannot be shown: (.*)</p>", answer.out)
        assert told
        assert reason in told[1]
        assert "/maria" not in told[1]
        assert "<code>src/auth.py</code>" in answer.out
    assert onward("view", str(copy)).code == 4


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
