"""What the program says of itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest

from onward import __version__
from onward.cli import app, main, table

WITH_VERBS = {"protocol": ["save", "load"], "backup": ["list", "resume", "discard"]}
CALLS = [
    *([verb] for verb in table.SUMMARIES),
    *([verb, below] for verb, belows in WITH_VERBS.items() for below in belows),
]


@pytest.mark.parametrize("words", [["-h"], ["--help"]])
def test_the_front_page_names_every_verb(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 0
    page = capsys.readouterr().out
    assert all(f"  {verb} " in page and text in page for verb, text in table.SUMMARIES.items())
    assert max(map(len, page.splitlines())) <= 100


@pytest.mark.parametrize("words", CALLS, ids=" ".join)
def test_every_verb_has_a_help_page(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*words, "--help"]) == 0
    page = capsys.readouterr().out
    assert page.startswith(f"Usage: onward {' '.join(words)} ")


@pytest.mark.parametrize("words", [[], ["save"], ["protocol"], ["protocol", "save"]], ids=" ".join)
def test_help_prints_the_page_of_a_verb(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["help", *words]) == 0
    told = capsys.readouterr().out
    assert main([*words, "--help"]) == 0
    assert told == capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["resme"], "onward resume --help"),
        (["protocol", "zebra"], "onward protocol --help"),
    ],
)
def test_help_of_no_verb_says_what_to_type(
    words: list[str], hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["help", *words]) == 2
    assert f"  try: {hint}\n" in capsys.readouterr().err


@pytest.mark.parametrize("verb", table.SUMMARIES)
def test_every_verb_is_found(verb: str) -> None:
    with click.Context(app.onward) as ctx:
        command = app.onward.get_command(ctx, verb)
    assert isinstance(command, click.Command)
    assert command.name == verb
    assert command.help


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"onward {__version__}\n"


def test_a_slip_in_a_verb_is_answered_with_the_whole_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["resme", "add-login"]) == 2
    assert "  try: onward resume add-login\n" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["frobnicate"], "onward --help"),
        (["list", "--jsn"], "onward list --help"),
        (["save"], "onward save --help"),
        (["protocol", "svae"], "onward protocol --help"),
        (["brief", "x", "--budget", "7"], "onward brief --help"),
    ],
    ids=str,
)
def test_wrong_arguments_are_told_where_the_help_is(
    words: list[str], hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: ")
    assert err.endswith(f"  try: {hint}\n")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    assert "_ONWARD_COMPLETE" in capsys.readouterr().out


def _modules(cwd: Path, *words: str) -> set[str]:
    program = (
        "import sys; from onward.cli import main; main(sys.argv[1:]); "
        "sys.stderr.write('\\n'.join(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.split())


@pytest.mark.parametrize("words", [["--help"], ["list"]], ids=" ".join)
def test_the_quick_calls_import_nothing_dear(words: list[str], tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/HEAD").write_text("ref: refs/heads/main\n")
    (tmp_path / "memory/checkpoints").mkdir(parents=True)
    (tmp_path / "memory/checkpoints/add-login.md").write_text("**Task:** Add a login\n")
    dear = {"click", "msgspec", "subprocess", "pathlib", "markdown_it"}
    assert not dear & _modules(tmp_path, *words)


def test_a_verb_does_not_import_the_others(tmp_path: Path) -> None:
    modules = _modules(tmp_path, "completion", "fish")
    others = {m for m in modules if m.startswith("onward.cli.verbs.")}
    assert others == {"onward.cli.verbs.shell"}
    assert not {m for m in modules if m.startswith("onward.commands.s")}


def test_the_table_and_the_group_agree() -> None:
    with click.Context(app.onward) as ctx:
        assert app.onward.list_commands(ctx) == list(table.SUMMARIES)
