from __future__ import annotations

import pytest

from onward.model import Background, Ran
from onward.record.edits import Edits
from onward.record.useful import Useful


def told(*runs: Ran) -> list[tuple[str, str | None]]:
    useful = Useful("/w", Edits("/w"))
    for at, ran in enumerate(runs):
        useful.see(ran, at)
    return [(item.text, item.why) for item in useful.items()]


def ran(command: str, *, failed: bool = False, background: str = "", output: str = "") -> Ran:
    return Ran(
        line=3, command=command, cwd="/w", failed=failed, background=background, output=output
    )


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("pytest -q 2>&1 | tail -5", [("pytest -q", "test")]),
        ("cd app && npm run dev", [("cd app && npm run dev", "start")]),
        (
            "npm run build && npm run deploy",
            [("npm run build", "build"), ("npm run deploy", "deploy or migrate")],
        ),
        ("python manage.py migrate", [("python manage.py migrate", "deploy or migrate")]),
        ("uv sync", [("uv sync", "install")]),
        ("nvidia-smi --query 2>/dev/null || true", []),
        ("docker compose up -d", [("docker compose up -d", "start")]),
        ("FOO=1 ./scripts/gen.sh all", [("FOO=1 ./scripts/gen.sh all", None)]),
        ("ls && cat a && git status && grep x y && git push", []),
        ("python -c 'print(1)'", []),
        ("jj st", [("jj st", None)]),
        ("tool --help && docker ps -n 3 && gh api x -f body='said once'", []),
        ("cd /tmp/x && ./run.sh", []),
        ("foreach $line in $lines; continue } elseif ($x) { make it", []),
        ("'.venv-of-tools'; make it", [("make it", None)]),
        ("Rows = $_.Group; .Count; { continue }; make it", [("make it", None)]),
        ('"/opt/my tools/build" all', [('"/opt/my tools/build" all', None)]),
        (
            "jj restore src/a.py && pm2 delete app && rm -r out && docker compose up",
            [("docker compose up", "start")],
        ),
        ("python - <<'EOF'\nprint(1)\nEOF", []),
        ("curl -d '" + "x" * 300 + "' http://localhost/a", []),
    ],
)
def test_commands_worth_keeping_and_what_for(
    command: str, expected: list[tuple[str, str | None]]
) -> None:
    assert sorted(told(ran(command))) == sorted(expected)


def test_a_server_in_the_background_is_known_by_that() -> None:
    assert told(ran("./serve.sh", background="b1")) == [("./serve.sh", "start")]


def test_of_what_was_left_running_it_is_said_that_its_end_was_not_seen() -> None:
    assert told(ran("nohup npm start > log 2>&1 &")) == [("nohup npm start", "start, end not seen")]


def test_what_failed_in_the_background_is_not_kept() -> None:
    useful = Useful("/w", Edits("/w"))
    useful.see(ran("npm run dev", background="b1"), 0)
    useful.see(Background(line=9, id="b1", state="failed"), 1)
    assert useful.items() == ()


def test_what_failed_is_not_kept() -> None:
    assert told(ran("npm run deploy", failed=True)) == []
    assert told(ran("pytest | tail", output="1 failed in 0.10s")) == []
    assert told(ran("npm run deploy"), ran("npm run deploy", failed=True)) == []


def test_a_failing_test_run_does_not_make_its_command_useless() -> None:
    assert told(ran("pytest"), ran("pytest", failed=True)) == [("pytest", "test")]


def test_the_newest_wording_of_a_command_counts() -> None:
    assert told(ran("pytest"), ran("ruff check ."), ran("pytest -x")) == [
        ("pytest -x", "test"),
        ("ruff check .", "lint"),
    ]


@pytest.mark.parametrize(
    ("first", "later", "left"),
    [
        ("npm install ai@^6 zod@3", "npm install ai@^4", ["npm install ai@^4"]),
        ("pnpm add mime", "pnpm remove mime && pnpm add mime@2", ["pnpm add mime@2"]),
        ("npm i -D vite@7", "npm uninstall vite", []),
        ("pip install 'a==1'", "pip install 'a>=2' | tail -1", ["pip install 'a>=2'"]),
        ("npm i ai", "npm i ai-sdk", ["npm i ai-sdk", "npm i ai"]),
        ("npm i ai", "cd web && npm i ai@4", ["cd web && npm i ai@4", "npm i ai"]),
        ("pnpm add a --filter web", "pnpm add b --filter web", None),
    ],
)
def test_an_install_that_a_later_one_replaced_is_not_told(
    first: str, later: str, left: list[str] | None
) -> None:
    wanted = [later, first] if left is None else left
    assert [command for command, _ in told(ran(first), ran(later))] == wanted


def test_variants_of_one_command_do_not_fill_the_list() -> None:
    assert len(told(*(ran(f"pytest tests/test_{n}.py") for n in range(9)))) == 4


def test_the_list_is_short() -> None:
    tools = [ran(f"./tool{n}.sh --go") for n in range(200)]
    assert len(told(*tools, *tools)) == 20


def test_of_what_ran_once_for_no_known_purpose_the_newest_are_told() -> None:
    # Four of five lines of the section were calls with the number of one pull request in them.
    once = [ran(f"./tool{n}.sh --go") for n in range(9)]
    shown = [text for text, _ in told(ran("./again.sh"), ran("npm ci"), ran("./again.sh"), *once)]
    assert shown == ["./again.sh", "npm ci", *(f"./tool{n}.sh --go" for n in (8, 7, 6))]


def test_the_word_of_an_option_of_a_shell_is_no_script() -> None:
    assert told(ran("bash -euo pipefail <<'E'\nmake\nE")) == []


def test_a_projects_own_runner_is_told_what_for() -> None:
    assert told(ran("tspec test")) == [("tspec test", "test")]


def test_a_host_is_not_a_question_for_help() -> None:
    assert [text for text, _ in told(ran("psql -h db2 -f a.sql"))] == ["psql -h db2 -f a.sql"]
    assert told(ran("psql -h")) == []


def test_of_a_pipe_that_printed_an_error_no_command_is_told() -> None:
    seen = Useful("/w", Edits("/w"))
    said = "Error: package 'tspec' not found"
    for at, kept in enumerate(
        ("cd fixtures && tspec test -p tspec | tail -3", "bash -eu <<'E'\nx\nE")
    ):
        seen.see(Ran(line=at, command=kept, cwd="/w", output=said, failed=False), at)
    assert seen.items() == ()


def test_of_a_command_whose_end_a_pipe_hid_that_is_known() -> None:
    useful = Useful("/w", Edits("/w"))
    useful.see(ran("npm run dev | head -20 && npm ci"), 0)
    found = {item.text: item.template for item in useful.items()}
    assert found == {"npm run dev": "piped", "npm ci": ""}


def test_a_program_that_ran_outside_of_the_sandbox_says_so_until_it_ran_inside() -> None:
    first = Ran(line=3, command="git push && ls", cwd="/w", failed=False, escalated=True)
    assert told(first, ran("git add -A")) == [("git push", "outside of the sandbox")]
    assert told(first, ran("git push")) == []
    assert told(first, ran("git push", failed=True)) == [("git push", "outside of the sandbox")]


def test_what_ran_outside_of_the_sandbox_is_told_as_it_was_typed_and_once() -> None:
    script = "cd desktop && npm run tauri:build && cargo test --test startup"
    run = Ran(line=3, command=script, cwd="/w", failed=False, escalated=True)
    useful = Useful("/w", Edits("/w"))
    useful.see(run, 0)
    assert [(item.text, item.why) for item in useful.items()] == [
        ("cd desktop && cargo test --test startup", "test, outside of the sandbox"),
        ("cd desktop && npm run tauri:build", "build, outside of the sandbox"),
    ]


def test_of_what_cannot_be_typed_again_outside_of_the_sandbox_only_the_program_stands() -> None:
    def outside(script: str) -> list[str]:
        run = Ran(line=3, command=script, cwd="/w", failed=False, escalated=True)
        return [text for text, why in told(run) if why and why.endswith("sandbox")]

    assert outside("npm ci --prefix $(pwd)") == ["npm ci"]
    assert outside("npm run dist $(pwd)") == []
    assert outside("gh pr merge 12 --squash") == []


def test_what_is_done_to_a_pull_request_is_no_command_to_run_again() -> None:
    assert told(ran("gh pr merge 12 --squash && gh run watch 12 && pytest")) == [("pytest", "test")]


def test_of_programs_outside_of_the_sandbox_those_that_everybody_knows_are_left_out() -> None:
    script = "mkdir -p out && git commit -m x && npm ci"
    run = Ran(line=3, command=script, cwd="/w", failed=False, escalated=True)
    outside = [text for text, why in told(run) if why and why.endswith("sandbox")]
    assert sorted(outside) == ["git commit", "npm ci"]
