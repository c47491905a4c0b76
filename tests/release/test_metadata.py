"""What the project says of itself in several files agrees."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from onward import __version__

ROOT = Path(__file__).resolve().parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
WORKFLOWS = ROOT / ".github/workflows"


def workflow(name: str) -> dict[str, Any]:
    found = YAML(typ="safe", pure=True).load((WORKFLOWS / name).read_text("utf-8"))
    assert isinstance(found, dict)
    return found


def test_the_versions_of_python_that_are_named_are_those_that_are_tested() -> None:
    named = [c.rsplit(" ", 1)[1] for c in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", c)]
    assert workflow("ci.yml")["jobs"]["test"]["strategy"]["matrix"]["python"] == named
    assert PROJECT["requires-python"] == f">={named[0]}"


def test_the_changelog_begins_with_this_version() -> None:
    titles = re.findall(r"^## (\S+) \(", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert titles[0] == __version__


def test_only_the_publishing_job_may_ask_for_an_identity() -> None:
    allowed = [
        (path.name, name, job["permissions"])
        for path in WORKFLOWS.glob("*.yml")
        for name, job in workflow(path.name)["jobs"].items()
        if "permissions" in job
    ]
    assert allowed == [("release.yml", "publish", {"id-token": "write"})]
    assert all(
        workflow(path.name)["permissions"] == {"contents": "read"}
        for path in WORKFLOWS.glob("*.yml")
    )


def test_every_extra_that_a_page_names_exists() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *ROOT.glob("C*.md")]
    named = {
        extra for page in pages for extra in re.findall(r"onward\[(\w+)\]", page.read_text("utf-8"))
    }
    assert named
    assert named <= set(PROJECT["optional-dependencies"])
