"""`onward search` over what other machines pushed."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.unit.commands.share.conftest import Machines


def test_what_was_pulled_is_found_and_shown_with_its_machine(machine: Machines) -> None:
    one, other = machine("maria"), machine("laptop")
    one.writes("login", task="Fix the kerning")
    assert one("push").code == 0
    assert other("search", "kerning").code == 3
    assert other("pull").code == 0
    (hit,) = other("search", "kerning", "--json").data["hits"]
    name, at, whose = hit["file"].partition("@")
    assert (name, at, hit["kind"]) == ("login", "@", "checkpoint")
    assert hit["show"] == f"onward show login@{whose}"
    assert "Fix the kerning" in other(*hit["show"].split()[1:]).out


def test_from_another_folder_the_pointer_goes_to_the_project_first(machine: Machines) -> None:
    one, other = machine("maria"), machine("laptop")
    one.writes("login", task="Fix the kerning")
    assert one("push").code == other("pull").code == 0
    folder = other.home / ".claude/projects/-shop"
    folder.mkdir(parents=True)
    line = {"type": "user", "sessionId": "0b1c2d3e-0", "cwd": str(other.root)}
    (folder / "0b1c2d3e-0.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    elsewhere = dataclasses.replace(other, root=other.home)
    (hit,) = elsewhere("search", "kerning", "--json").data["hits"]
    go, then = hit["show"].split(" && ")
    assert go == "cd ~/code/shop"
    assert "Fix the kerning" in other(*then.split()[1:]).out
