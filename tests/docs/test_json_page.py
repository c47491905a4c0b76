"""The page on `--json` names every field that is printed, and none that is not."""

from __future__ import annotations

import re
from pathlib import Path

import click
import msgspec
import pytest

from onward import quality
from onward.cli.app import onward
from onward.clients.doctor import Finding
from onward.commands import (
    listing,
    overview,
    search,
    show,
)
from onward.commands.search import Row as Hit
from onward.documents.protocol_json import Tally
from onward.model import Drift, Item, Snapshot
from onward.redaction.scrub import Place

PAGE = Path(__file__).resolve().parents[2] / "docs/reference/json.md"
SECTIONS = dict(re.findall(r"^## (.+)\n((?:(?!## ).*\n)*)", PAGE.read_text("utf-8"), re.MULTILINE))
PRINTED = {
    "`onward`": overview.Row,
    "`onward check`": quality.Finding,
    "`onward show`": show.Entry,
    "`onward scrub`": Place,
    "A checkpoint": Snapshot,
    "Drift": Drift,
}
INNER = {("`onward protocol save`", "counts"): Tally}


def fields(of: type) -> set[str]:
    return {field.name for field in msgspec.structs.fields(of)}


def told(section: str) -> set[str]:
    """The names in the first column of a section's table."""
    cells = re.findall(r"^\| (`.*?) \|", SECTIONS[section], re.MULTILINE)
    return {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}


def told_within(section: str, field: str) -> set[str]:
    [cell] = re.findall(rf"^\| `{field}` \| (.*) \|$", SECTIONS[section], re.MULTILINE)
    return set(re.findall(r"`(\w+)`", cell))


@pytest.mark.parametrize("section", PRINTED)
def test_a_table_names_exactly_the_fields_that_are_printed(section: str) -> None:
    assert told(section) == fields(PRINTED[section])


@pytest.mark.parametrize(("section", "field"), INNER)
def test_what_an_entry_holds_is_told_beside_its_field(section: str, field: str) -> None:
    assert told_within(section, field) == fields(INNER[section, field])


def test_the_fields_of_items_hits_and_findings_of_the_doctor_are_told() -> None:
    assert fields(Item) == set(re.findall(r"`(\w+)`", SECTIONS["A checkpoint"].split(";")[0]))
    assert told_within("`onward search`", "hits") == fields(Hit) - {"text"} | {"excerpt", "spans"}
    levels = {"ok", "warning", "broken"}
    assert told_within("`onward doctor`", "findings") == fields(Finding) | levels


def test_the_columns_of_the_list_are_told() -> None:
    assert told("`onward list`") == {*listing.Row._fields, "age", "age_seconds"}
    inner = {"query", "rows", "is_near"}
    assert told("`onward search`") == {"hits", "near", "briefed", *search.Found._fields} - inner
    assert told_within("`onward search`", "unread") == {"path", "reason"}


def test_every_verb_that_prints_json_has_its_place_on_the_page() -> None:
    page = PAGE.read_text("utf-8")
    missing = [verb for verb in verbs_with_json(onward, "onward") if f"`{verb}`" not in page]
    assert missing == []


def verbs_with_json(group: click.Group, called: str) -> list[str]:
    found = []
    context = click.Context(group, info_name=called)
    for name in group.list_commands(context):
        verb = group.get_command(context, name)
        assert verb is not None
        if any("--json" in each.opts for each in verb.params):
            found.append(f"{called} {name}")
        if isinstance(verb, click.Group):
            found += verbs_with_json(verb, f"{called} {name}")
    return found
