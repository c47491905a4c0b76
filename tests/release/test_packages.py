"""The wheel and the sdist, each installed into an empty environment and used there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = "Scripts" if os.name == "nt" else "bin"
LARGEST = 30_000_000  # bytes of the installed packages, without pip and setuptools
NOT_OURS = re.compile(r"(pip|setuptools|pkg_resources|_distutils_hack|distutils-precedence)\b")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        os.environ.get("ONWARD_TESTS") != "all",
        reason="builds and installs packages for a minute: ONWARD_TESTS=all",
    ),
]

SESSION = """
from pathlib import Path
import onward, sys
from onward.cli.verbs.demo import Scratch

assert Path(onward.__file__).is_relative_to(sys.prefix), onward.__file__

with Scratch() as scratch:
    def tree():
        paths = scratch.project.rglob("*")
        return {str(p) for p in paths if p.is_file() and ".git" not in p.parts}

    before = tree()
    print(scratch.run("onward install"))
    print(scratch.run("onward doctor"))
    print(scratch.run("onward save add-currency-option"))
    print(scratch.run("onward resume add-currency-option --yes"))
    print(scratch.run("onward uninstall"))
    print("left:", *sorted(p.removeprefix(str(scratch.project)) for p in tree() - before))
"""


def run(*words: object, cwd: Path, path: Path | None = None) -> str:
    """Run a program far from this checkout; `path`: a folder in front of PATH."""
    env = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
    if path:
        env["PATH"] = f"{path}{os.pathsep}{env['PATH']}"
    done = subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel that was made from it; the sources are gone."""
    top = tmp_path_factory.mktemp("built")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "hatchling"]
    if subprocess.run(pip, cwd=top, capture_output=True, check=False).returncode:
        absent = pytest.fail if os.environ.get("ONWARD_REQUIRE") == "all" else pytest.skip
        absent("no package index can be reached: builds need hatchling, installations msgspec")
    listed = run("git", "ls-files", "-co", "--exclude-standard", cwd=ROOT).splitlines()
    for name in listed:
        if (ROOT / name).is_file():
            (top / "source" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, top / "source" / name)
    for folder in sorted((top / "source").rglob("*")):
        folder.chmod(0o555 if folder.is_dir() else 0o444)
    run(sys.executable, "-m", "build", "--outdir", top / "dist", top / "source", cwd=top)
    for folder in (top / "source", *(top / "source").rglob("*")):
        if folder.is_dir():
            folder.chmod(0o755)
    shutil.rmtree(top / "source")
    return top / "dist"


@pytest.fixture(scope="module", params=["*.whl", "*.tar.gz"], ids=["wheel", "sdist"])
def environment(
    request: pytest.FixtureRequest, built: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A virtual environment that holds nothing but the one file and what it asks for."""
    top = tmp_path_factory.mktemp("empty")
    run(sys.executable, "-m", "venv", top / "venv", cwd=top)
    (package,) = built.glob(request.param)
    pip = (top / "venv" / SCRIPTS / "python", "-m", "pip")
    run(*pip, "install", "--quiet", "--disable-pip-version-check", package, cwd=top)
    return top / "venv"


def test_the_main_job_is_done_by_what_was_installed(environment: Path) -> None:
    # One test, since each process of a parallel run would build and install for itself.
    scripts = environment / SCRIPTS
    told = run(scripts / "onward", "demo", cwd=environment)
    assert "Saved checkpoint: add-currency-option" in told
    assert "`src/tally/rates.py` is now `src/tally/exchange.py`" in told
    assert (
        run(scripts / "onward", "--version", cwd=environment) == f"onward {version(environment)}\n"
    )
    largest = sizes(environment)
    assert sum(largest.values()) <= LARGEST, largest

    told = run(scripts / "python", "-c", SESSION, cwd=environment, path=scripts)
    assert "Installed for this project" in told
    assert "Saved checkpoint: add-currency-option" in told
    assert "Round half up, as the bank does" in told
    left = told.rsplit("left:", 1)[1].split()
    assert not [name for name in left if not name.startswith(("/memory/", "/.claude/memory/"))]


def version(environment: Path) -> str:
    """What the metadata of the package `onward` says."""
    (metadata,) = environment.rglob("onward-*.dist-info/METADATA")
    found = re.search(r"^Name: onward\nVersion: (.+)$", metadata.read_text("utf-8"), re.MULTILINE)
    assert found
    return found[1]


def sizes(environment: Path) -> dict[str, int]:
    """Bytes of each top-level name in site-packages, largest first, without pip and setuptools."""
    (site,) = environment.rglob("site-packages")
    found: Counter[str] = Counter()
    for path in site.rglob("*"):
        name = path.relative_to(site).parts[0]
        if path.is_file() and not NOT_OURS.match(name):
            found[name] += path.stat().st_size
    return dict(found.most_common())


def test_the_packages_hold_what_they_should(built: Path) -> None:
    (wheel,), (sdist,) = built.glob("*.whl"), built.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as opened:
        names = opened.namelist()
    assert "onward/samples/tally/session.jsonl" in names
    assert "onward/clients/templates/hooks/onward.sh" in names
    assert "onward/agents/opencode/templates/plugins/onward.js" in names
    assert any(name.endswith(".data/data/share/man/man1/onward.1") for name in names)
    assert all(name.startswith(("onward/", "onward-")) for name in names)
    with tarfile.open(sdist) as packed:
        parts = {name.split("/", 1)[1] for name in packed.getnames()}
    assert {"LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml"} <= parts
