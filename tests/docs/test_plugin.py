"""Commands, skills and plugin: what they may run, what they take, and that all of it is fresh."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from ruamel.yaml import YAML

import onward
from onward.agents.claude_code import install as claude_code
from onward.commands import draft_note, slash
from onward.documents import active_context

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tools"))

import plugin  # noqa: E402 - a tool, found by its folder

TEMPLATES = claude_code.ClaudeCode.TEMPLATES
HOMES = {"": TEMPLATES, "onward:": plugin.PLUGIN}
COMMANDS = [(p, f) for p, home in HOMES.items() for f in sorted((home / "commands").glob("*.md"))]
SKILLS = [f for home in HOMES.values() for f in sorted((home / "skills").glob("*/SKILL.md"))]
PAGES = [f for home in HOMES.values() for f in sorted(home.rglob("*.md"))]
DRAFT = "Edit(//**/memory/.draft-*.json)"
SCRIPT = "sh .claude/scripts/discard-backup.sh --without-onward"
END = "ONWARD_WORDS_END_HERE"
SAVES = {"document-and-save", "document-and-save-to", "checkpoint", "save-session-protocol"}
RESUMES = {"checkpoint", "resume-latest", "resume-from"}


def name(path: Any) -> str:
    return path.relative_to(ROOT).as_posix() if isinstance(path, Path) else str(path)


def parts(path: Path) -> tuple[Mapping[str, Any], str]:
    """Front matter and body of a page."""
    head, body = re.fullmatch(r"---\n(.*?)---\n(.*)", path.read_text("utf-8"), re.DOTALL).groups()  # type: ignore[union-attr]
    return YAML(typ="safe").load(head), body


def test_the_plugin_holds_what_the_templates_give_and_nothing_else() -> None:
    made = plugin.files()
    there = {p for p in plugin.PLUGIN.rglob("*") if p.is_file()}
    assert there == {p for p in made if p.is_relative_to(plugin.PLUGIN)}
    stale = [name(p) for p, text in made.items() if p.read_text("utf-8") != text]
    assert stale == [], "make docs"


def test_there_is_a_file_for_each_command() -> None:
    for prefix in HOMES:
        assert {f.stem for p, f in COMMANDS if p == prefix} == set(slash.COMMANDS)


@pytest.mark.parametrize(("prefix", "path"), COMMANDS, ids=name)
def test_a_command_grants_single_commands_to_the_letter(prefix: str, path: Path) -> None:
    head, _ = parts(path)
    called = f"onward slash {prefix}{path.stem}"
    granted = [f"Bash({called})"]
    if path.stem in SAVES:
        granted.append(f"Bash({called} add)")
    if path.stem in RESUMES:
        granted += ["Bash(onward show:*)", "Bash(onward search:*)"]
    if path.stem in {*SAVES, *RESUMES}:
        granted.append(DRAFT)
    if path.stem == "discard-backup" and not prefix:
        granted.append(f"Bash({SCRIPT})")
    assert head["allowed-tools"].split(", ") == granted
    assert head["disable-model-invocation"] is True
    assert set(head) <= {
        "description",
        "argument-hint",
        "allowed-tools",
        "disable-model-invocation",
    }
    assert 0 < len(head["description"]) <= 100


@pytest.mark.parametrize(("prefix", "path"), COMMANDS, ids=name)
def test_what_was_typed_stands_in_a_quoted_here_document_or_nowhere(
    prefix: str, path: Path
) -> None:
    _, body = parts(path)
    blocks = re.findall(r"^```!\n(.*?)\n```$", body, re.DOTALL | re.MULTILINE)
    call = f"onward slash {prefix}{path.stem}"
    if path.stem in slash.WITH_WORDS:
        calls = [call, SCRIPT] if path.stem == "discard-backup" and not prefix else [call]
        call = "\n".join(f"{each} <<'{END}'\n\"\n$ARGUMENTS\n\"\n{END}" for each in calls)
    assert blocks == [f"{call}\ntrue"]
    # Neither `$1`, which is the second word, nor another `!` line.
    assert body.count("$") == call.count("$ARGUMENTS")
    assert body.count("!`") == 0
    assert body.count("```!") == 1


@pytest.mark.parametrize("path", PAGES, ids=name)
def test_every_example_of_a_draft_is_one_that_onward_takes(path: Path, tmp_path: Path) -> None:
    blocks = re.findall(r"^ *```json\n(.*?)```", path.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    assert bool(blocks) == (path.name == "SKILL.md")
    for block in blocks:
        draft = tmp_path / "draft.json"
        draft.write_text(block)
        assert draft_note.read(draft).next
        assert set(json.loads(block)) <= set(draft_note.Note.__struct_fields__)


@pytest.mark.parametrize("prefix", HOMES)
@pytest.mark.parametrize("command", sorted(SAVES))
def test_what_a_save_prints_teaches_every_field_and_the_one_command_that_is_granted(
    command: str, prefix: str, tmp_path: Path
) -> None:
    text = slash.request(command, prefix, "memory/.draft-0.json")
    block = re.search(r"```json\n(.*?)```", text, re.DOTALL)
    assert block
    (tmp_path / "draft.json").write_text(block[1])
    assert draft_note.read(tmp_path / "draft.json").next
    assert set(json.loads(block[1])) == set(draft_note.Note.__struct_fields__)
    head, _ = parts(HOMES[prefix] / f"commands/{command}.md")
    (run,) = re.findall(r"run exactly `([^`]+)`", text)
    assert f"Bash({run})" in head["allowed-tools"]
    assert text.endswith("\nDraft: memory/.draft-0.json")


@pytest.mark.parametrize("path", SKILLS, ids=name)
def test_a_skill_is_valid_by_the_agent_skills_specification(path: Path) -> None:
    head, body = parts(path)
    # `allowed-tools` would be valid, but a skill that has it needs a permission to start.
    assert set(head) == {"name", "description"}
    assert head["name"] == path.parent.name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", head["name"])
    assert len(head["name"]) <= 64
    assert 0 < len(head["description"]) <= 1024
    assert len(body.splitlines()) < 500
    for link in re.findall(r"\]\(([^)]+)\)", body):
        assert (path.parent / link).is_file()
    told = {f.name for f in path.parent.rglob("references/*.md")}
    assert told == set(re.findall(r"references/([\w-]+\.md)", body))


def test_the_documents_skill_has_the_documents_name_and_description() -> None:
    head, _ = parts(TEMPLATES / "skills/managing-session-continuity/SKILL.md")
    assert head["description"].startswith(
        "Managing session continuity across Claude conversations by saving structured context"
    )
    for trigger in ("save progress", "pick up where left off", "restore session"):
        assert f"'{trigger}'" in head["description"]


@pytest.mark.parametrize("path", [f for f in PAGES if f.is_relative_to(plugin.PLUGIN)], ids=name)
def test_the_plugin_speaks_only_of_its_own_commands(path: Path) -> None:
    bare = re.findall(rf"(?<![\w.])/({'|'.join(slash.COMMANDS)})\b", path.read_text("utf-8"))
    assert bare == []


def test_the_rules_import_what_the_templates_bring() -> None:
    text = (TEMPLATES / "CLAUDE.md").read_text("utf-8")
    imported = re.findall(r"^@(\S+)$", text, re.MULTILINE)
    assert imported == ["memory/active-context.md", "memory/project-memory.md"]
    assert len(text) < 1500  # every session loads it
    for each in imported:
        empty = active_context.parse((TEMPLATES / each).read_text("utf-8"))
        assert empty == active_context.parse("")


def test_hooks_of_the_plugin_name_shims_that_it_has() -> None:
    held = msgspec.json.decode((plugin.PLUGIN / "hooks/hooks.json").read_bytes())
    commands = [c["command"] for e in held["hooks"].values() for m in e for c in m["hooks"]]
    assert len(commands) == len(claude_code.HOOKS)
    for command in commands:
        shim = re.search(r'"\$\{CLAUDE_PLUGIN_ROOT\}"/(hooks/[\w-]+\.sh)', command)
        assert shim
        assert (plugin.PLUGIN / shim[1]).is_file()


def test_the_marketplace_leads_to_the_plugin() -> None:
    market = json.loads((ROOT / ".claude-plugin/marketplace.json").read_text("utf-8"))
    assert [ROOT / entry["source"] for entry in market["plugins"]] == [plugin.PLUGIN]
    manifest = json.loads((plugin.PLUGIN / ".claude-plugin/plugin.json").read_text("utf-8"))
    assert manifest["version"] == onward.__version__
    assert len((plugin.PLUGIN / "README.md").read_text("utf-8").split()) >= 40
