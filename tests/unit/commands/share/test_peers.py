"""`onward peers`: who pushed, when, how much."""

from __future__ import annotations

import dataclasses
import shlex
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from tests.unit.commands.test_json_page import told

from onward.cli import main
from onward.cli.app import onward

if TYPE_CHECKING:
    from tests.unit.commands.share.conftest import Machine, Machines


def test_all_machines_are_listed_and_this_one_is_marked(desk: Machine, laptop: Machine) -> None:
    desk.writes("fix-login")
    desk("push")
    laptop.writes("other-work")
    laptop("push")
    laptop("pull")
    said = laptop("peers")
    assert said.code == 0, said.err
    rows = {line.split()[0]: line for line in said.out.splitlines()[1:]}
    assert set(rows) == {"desk", "laptop"}
    assert "(here)" in rows["laptop"]
    assert "(here)" not in rows["desk"]
    data = {row["machine"]: row for row in laptop("peers", "--json").data}
    assert data["laptop"]["own"]
    assert data["desk"]["checkpoints"] == 1


def test_where_nobody_pushed_it_says_what_to_type(desk: Machine) -> None:
    said = desk("peers")
    assert (said.code, said.out) == (0, "")
    assert "onward push" in said.err


def test_a_machine_stays_one_writer_however_its_data_folder_is_spelt(
    desk: Machine, laptop: Machine
) -> None:
    desk.writes("fix-login")
    desk("push")
    desk.writes("fix-login", "Other words")
    odd = dataclasses.replace(desk, data=desk.data.parent / "x" / ".." / "data")
    (desk.data.parent / "x").mkdir()
    odd.git("config", "onward.machine", "renamed")
    assert odd("push").code == 0
    laptop("pull")
    assert [row["machine"] for row in laptop("peers", "--json").data] == ["renamed"]


def test_two_machines_of_one_name_are_told_apart_by_their_writers(machine: Machines) -> None:
    one, two, three = machine("one"), machine("two"), machine("three")
    for each in (one, two):
        each.git("config", "onward.machine", "same")
        each.writes("fix-login", f"Of {each.name}")
        assert each("push").code == 0
    three("pull")
    names = sorted(row["name"] for row in three("list", "--json").data)
    assert all(name.startswith("fix-login@same-") for name in names)
    assert len(set(names)) == 2
    said = three("resume", "fix-login@same")
    assert said.code == 5
    for name in names:
        assert f"try: onward resume {name}" in said.err
        assert three("show", name).code == 0


def test_the_shell_completes_names_of_other_machines(desk: Machine, laptop: Machine) -> None:
    desk.writes("fix-login")
    desk("push")
    laptop("pull")
    laptop.enter()
    command = onward.get_command(click.Context(onward), "resume")
    assert command is not None
    offered = command.params[0].shell_complete(click.Context(command), "fix")
    assert [item.value for item in offered] == ["fix-login@desk"]


def test_outside_of_a_repository_the_missing_repository_is_named(
    desk: Machine, tmp_path: Path
) -> None:
    desk.enter()
    plain = tmp_path / "plain"
    plain.mkdir()
    desk.patch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    desk.patch.chdir(plain)
    assert main(["peers"]) == 3
    said = desk.capsys.readouterr().err
    assert "is in no git repository" in said
    assert "try: git init" in said


def test_what_to_type_for_a_name_with_signs_of_a_shell_is_one_word(
    desk: Machine, laptop: Machine
) -> None:
    name = "it's (me)"
    desk.writes(name)
    desk("push")
    laptop("pull")
    said = laptop("resume", "it's (m)@desk")
    (typed,) = [line for line in said.err.splitlines() if "try: " in line]
    words = shlex.split(typed.partition("onward ")[2])
    assert words == ["resume", f"{name}@desk"]
    assert laptop("show", *words[1:]).code == 0


def test_a_stranger_who_shows_this_machines_name_is_told_from_it(
    desk: Machine, laptop: Machine
) -> None:
    laptop.git("config", "onward.machine", "desk")
    laptop.writes("fix-login")
    laptop("push")
    desk.writes("own-work")
    desk("push")
    desk("pull")
    rows = {row["own"]: row for row in desk("peers", "--json").data}
    assert rows[True]["machine"] == "desk"
    assert rows[False]["machine"] == rows[False]["writer"]
    address = f"fix-login@{rows[False]['writer']}"
    assert address in desk("list").out
    desk("forget", address)
    assert {r["machine"] for r in desk("peers", "--json").data} == {"desk", rows[False]["writer"]}


@pytest.mark.parametrize(
    "change", [("set-url", "origin", "{spare}"), ("remove", "origin")], ids=["changed", "removed"]
)
def test_machines_of_a_remote_that_was_changed_or_removed_are_gone_with_the_next_pull(
    change: tuple[str, ...], desk: Machine, laptop: Machine, tmp_path: Path
) -> None:
    spare = tmp_path / "spare.git"
    subprocess.run(["git", "init", "-q", "--bare", str(spare)], check=True)
    laptop.git("remote", "add", "spare", str(spare))
    desk.writes("fix-login")
    desk("push")
    laptop("pull", "origin")
    laptop("pull", "spare")
    assert "fix-login@desk" in laptop("list").out
    laptop.git("remote", *(word.format(spare=spare) for word in change))
    said = laptop("pull", "spare")
    assert "desk is there no more" in said.out
    assert laptop("peers", "--json").data == []
    assert "fix-login@desk" not in laptop("list").out


def test_machines_pulled_from_an_address_stay_when_another_remote_is_pulled(
    desk: Machine, laptop: Machine, remote: Path, tmp_path: Path
) -> None:
    spare = tmp_path / "spare.git"
    subprocess.run(["git", "init", "-q", "--bare", str(spare)], check=True)
    desk.writes("fix-login")
    desk("push")
    laptop.git("remote", "set-url", "origin", str(spare))
    laptop("pull", str(remote))
    laptop("pull")
    assert [row["machine"] for row in laptop("peers", "--json").data] == ["desk"]


def test_json_has_the_fields_that_its_page_tells(desk: Machine, laptop: Machine) -> None:
    desk.writes("fix-login")
    printed = {"push": desk("push", "--json").data, "pull": laptop("pull", "--json").data}
    printed |= {"peers": desk("peers", "--json").data[0]}
    printed |= {"forget": desk("forget", "fix-login", "--json").data}
    assert {verb: set(data) for verb, data in printed.items()} == {v: told(v) for v in printed}
