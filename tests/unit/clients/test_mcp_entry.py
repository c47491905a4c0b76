"""`onward install --mcp` and back: our server among those of others, whose bytes stay."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from tests.unit.clients.conftest import Place, tree

FILES = {
    "": ".mcp.json",
    "--codex": ".codex/config.toml",
    "--copilot": ".github/mcp.json",
    "--opencode": ".opencode/plugins/onward-mcp.js",
}
JSON = [
    "{}",
    "{ }\n",
    '{"mcpServers": {}}',
    '{\n\t"mcpServers": {\n\t}\n}\n',
    '{"mcpServers":{"a":{"command":"a"}}}',
    '{\r\n  "mcpServers": {\r\n    "a": {"command": "a"}\r\n  },\r\n  "other": [1]\r\n}\r\n',
    '{"inputs": [], "onward": 1}',
]
TOML = [
    "",
    'model = "x"',
    '# mine\r\nmodel = "x"\r\n\r\n[mcp_servers.a]\r\ncommand = "a"\r\n',
    '[projects."/p"]\ntrust_level = "trusted"\n',
]
CASES = [
    *((option, text) for option in ("", "--copilot") for text in JSON),
    *(("--codex", text) for text in TOML),
]


def entry(path: Path) -> object:
    """The command that the client would start."""
    text = path.read_text()
    if path.suffix == ".toml":
        found = tomllib.loads(text)["mcp_servers"]["onward"]
        return [found["command"], *found["args"]]
    if path.suffix == ".json":
        found = json.loads(text)["mcpServers"]["onward"]
        return [found["command"], *found["args"]]
    return ["onward", "mcp"] if '["onward", "mcp"]' in text else None


@pytest.fixture(autouse=True)
def _usual(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENCODE_CONFIG_DIR", "XDG_CONFIG_HOME", "COPILOT_HOME", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("option", FILES)
def test_where_no_file_was_none_is_left(place: Place, option: str) -> None:
    before = tree(place.root)
    words = [option] if option else []
    assert place.run("install", *words, "--mcp").code == 0
    assert entry(place.root / FILES[option]) == ["onward", "mcp"]
    installed = tree(place.root)
    # Once registered it stays, whether it is asked for again or not.
    assert place.run("install", *words).code == 0
    assert place.run("install", *words, "--mcp").code == 0
    assert tree(place.root) == installed
    assert place.run("uninstall", *words).code == 0
    assert tree(place.root) == before


@pytest.mark.parametrize("option", FILES)
def test_it_is_put_there_only_where_it_is_asked_for(place: Place, option: str) -> None:
    place.run("install", *([option] if option else []))
    assert not (place.root / FILES[option]).exists()


@pytest.mark.parametrize(("option", "text"), CASES)
def test_a_users_file_comes_back_to_the_byte(place: Place, option: str, text: str) -> None:
    words = [option] if option else []
    path = place.write(FILES[option], text)
    assert place.run("install", *words, "--mcp").code == 0
    assert entry(path) == ["onward", "mcp"]
    place.run("install", *words, "--mcp")
    place.run("uninstall", *words)
    assert path.read_bytes() == text.encode()


@pytest.mark.parametrize("option", ["", "--copilot"])
def test_what_was_added_meanwhile_stays(place: Place, option: str) -> None:
    words = [option] if option else []
    place.run("install", *words, "--mcp")
    path = place.root / FILES[option]
    found = json.loads(path.read_text())
    found["mcpServers"]["b"] = {"command": "b"}
    path.write_text(json.dumps(found))
    place.run("uninstall", *words)
    assert json.loads(path.read_text()) == {"mcpServers": {"b": {"command": "b"}}}


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("", '{"mcpServers": {"onward": {"command": "mine"}}}'),
        ("--codex", '[mcp_servers.onward]\ncommand = "mine"\n'),
        ("--opencode", "// mine\n"),
    ],
)
def test_another_of_that_name_stays_and_is_named(place: Place, option: str, text: str) -> None:
    words = [option] if option else []
    path = place.write(FILES[option], text)
    told = place.run("install", *words, "--mcp").out
    assert f"Left, since it is yours: {FILES[option]}" in told
    place.run("uninstall", *words)
    assert path.read_text() == text


@pytest.mark.parametrize(
    ("option", "text"),
    [
        ("", '{\n"mcpServers": }'),
        ("", '{\n"mcpServers": []}'),
        ("", '{"mcpServers": {},\n"mcpServers": {}}'),
        ("--codex", "model = \n"),
        ("--codex", 'mcp_servers = {a = {command = "a"}}\n'),
    ],
)
def test_a_file_in_which_it_cannot_stand_stops_the_whole_installation(
    place: Place, option: str, text: str
) -> None:
    place.write(FILES[option], text)
    before = tree(place.root)
    answer = place.run("install", *([option] if option else []), "--mcp")
    assert answer.code != 0
    assert Path(FILES[option]).name in answer.err
    assert tree(place.root) == before


def test_a_users_own_is_left_to_the_client_where_it_keeps_them_itself(place: Place) -> None:
    answer = place.run("install", "--user", "--mcp")
    assert "claude mcp add --scope user onward -- onward mcp" in answer.err
    assert place.run("install", "--codex", "--user", "--mcp").code == 0
    assert entry(place.home / ".codex/config.toml") == ["onward", "mcp"]
