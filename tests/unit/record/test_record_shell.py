from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.record.commands import (
    Form,
    covers,
    folder_of,
    is_looking,
    is_narrow,
    is_plain,
    normal_form,
)
from onward.record.shell import split

SCRIPTS = st.text(alphabet="abc/.-=$(){}'\"`\\<>|&; \n\t#EOF01", max_size=80)


def words(script: str) -> list[tuple[str, ...]]:
    return [c.words for c in split(script)]


def as_words(form: Form) -> tuple[str, ...]:
    """Words again, whose form is this one without `narrow`."""
    return tuple(w for w in (form.program, *form.sub.split(" "), form.arg) if w)


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("ls", [("ls",)]),
        ("cd a && npm test 2>&1 | tail -5", [("cd", "a"), ("npm", "test"), ("tail", "-5")]),
        ("a; b || c & d", [("a",), ("b",), ("c",), ("d",)]),
        ("echo 'a && b' \"c | d\"", [("echo", "a && b", "c | d")]),
        ("echo a\\ b", [("echo", "a b")]),
        ("npm run \\\n  build", [("npm", "run", "build")]),
        ("cat > x <<'EOF'\nrm -rf /\nEOF\nls", [("cat",), ("ls",)]),
        ("cat <<-END | grep x\n\tbody\n\tEND\npwd", [("cat",), ("grep", "x"), ("pwd",)]),
        ("(cd app && npm test) && ls", [("cd", "app"), ("npm", "test"), ("ls",)]),
        ("bash -lc 'npm test && npm run lint'", [("npm", "test"), ("npm", "run", "lint")]),
        ("timeout 60 bash -c 'pytest -q'", [("pytest", "-q")]),
        ('powershell -Command "Get-ChildItem C:\\x"', [("Get-ChildItem", "C:\\x")]),
        ("type C:\\Users\\me\\a.txt", [("type", "C:\\Users\\me\\a.txt")]),
        ("ls # a comment; rm x\npwd", [("ls",), ("pwd",)]),
        ("grep a#b f", [("grep", "a#b", "f")]),
        ("x=$(cat a | wc -l) cmd", [("x=$(cat a | wc -l)", "cmd")]),
        ("echo 'never closed", [("echo", "never closed")]),
        ("", []),
    ],
)
def test_a_script_falls_into_its_simple_commands(
    script: str, expected: list[tuple[str, ...]]
) -> None:
    assert words(script) == expected


def test_a_commit_message_in_a_here_document_may_hold_any_quote() -> None:
    script = (
        'git add a && git commit -m "$(cat <<\'EOF\'\nDon\'t "quote" (me\n\nEOF\n)" && git push'
    )
    assert [w[:2] for w in words(script)] == [("git", "add"), ("git", "commit"), ("git", "push")]


@pytest.mark.parametrize(
    ("script", "cwd", "expected"),
    [
        ("cd app && npm test", "/w", "/w/app"),
        ("cd /x/y && npm test", "/w", "/x/y"),
        ("(cd app && true) && npm test", "/w", "/w"),
        ("cd a && cd ../b && npm test", "/w", "/w/b"),
        ("npm test", "", ""),
        ("cd web\\app; npm test", "C:\\w", "C:/w/web/app"),
        ("Set-Location C:\\w\\x; npm test", "", "C:/w/x"),
    ],
)
def test_the_folder_follows_every_cd(script: str, cwd: str, expected: str) -> None:
    assert split(script, cwd)[-1].cwd == expected


def test_redirections_are_kept_apart_from_the_words() -> None:
    (command,) = split("python gen.py > out.json 2> err.txt 2>&1 < in.txt")
    assert command.words == ("python", "gen.py")
    assert command.writes == ("out.json", "err.txt")
    assert command.text == "python gen.py"
    assert split("echo x >> a.md")[0].writes == (">>a.md",)


def test_the_text_is_as_it_was_written() -> None:
    command = split("cd x; FOO='a b' pytest -k \"one or two\" $(pwd)/t.py 2>&1 | tail")[1]
    assert command.text == "FOO='a b' pytest -k \"one or two\" $(pwd)/t.py"
    assert command.piped
    assert command.before == ";"


@given(SCRIPTS)
def test_splitting_never_raises_and_leaves_no_empty_command(script: str) -> None:
    assert all(c.words or c.writes for c in split(script, "/w"))


def test_deep_nesting_ends() -> None:
    assert split("echo " + '"$(' * 3000)
    assert split("(" * 3000 + "ls")


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("FOO=1 timeout 60 npx vitest run ./src/a.test.ts", ("vitest", "run", "src/a.test.ts")),
        ("npm run test -- src/a.test.ts", ("npm", "test", "src/a.test.ts")),
        ("npm t", ("npm", "test", "")),
        (".venv/bin/python -m pytest -q tests/test_a.py", ("pytest", "", "tests/test_a.py")),
        ("uv run --with x pytest --tb short tests", ("pytest", "", "tests")),
        ("poetry run python -m mypy src", ("mypy", "", "src")),
        ("sudo -u me systemctl restart nginx", ("systemctl", "restart", "nginx")),
        ("gh pr view 12 --json title", ("gh", "pr view", "12")),
        ("docker compose -f x.yml up -d web", ("docker", "compose up", "web")),
        ("/w/app/scripts/run.sh --fast", ("scripts/run.sh", "", "")),
        ("bash ./scripts/run.sh all", ("scripts/run.sh", "", "all")),
        ("python manage.py migrate", ("manage.py", "migrate", "")),
        ("python3 tools/gen.py --out x", ("python", "", "tools/gen.py")),
        ("python -c 'print(1)'", ("python", "-c", "")),
        ("node -e 'x'", ("node", "-e", "")),
        ("make -C sub V=1 test", ("make", "test", "")),
        ("./gradlew test", ("gradlew", "test", "")),
        ("npm --prefix web run build", ("npm", "build", "")),
        ("go test ./... -run TestX", ("go", "test", "./...")),
        ("go test -tags integration -run TestX ./cmd", ("go", "test", "cmd")),
        ("cargo test -p core name", ("cargo", "test", "core/name")),
        ("curl -s http://localhost:3000/a?b=c", ("curl", "", "http://localhost:3000/a")),
        ("C:\\tools\\node.exe app.js", ("node", "", "app.js")),
    ],
)
def test_the_normal_form_is_what_one_would_say(
    command: str, expected: tuple[str, str, str]
) -> None:
    form = normal_form(split(command)[0].words, "/w/app")
    assert form is not None
    assert form[:3] == expected
    assert normal_form(as_words(form), "/w/app") == form._replace(narrow="")


@given(
    st.lists(
        st.sampled_from(
            [
                "npm",
                "run",
                "test",
                "uv",
                "npx",
                "-k",
                "gh",
                "pr",
                "a/b.py",
                "make",
                "x=1",
                "sudo",
                "-m",
                "python",
                "go",
                ".",
                "cd",
            ]
        ),
        max_size=6,
    )
)
def test_the_form_of_a_form_is_itself(parts: list[str]) -> None:
    form = normal_form(tuple(parts))
    if form is not None:
        again = normal_form(as_words(form))
        assert again is not None
        assert normal_form(as_words(again)) == again


@pytest.mark.parametrize("script", ["FOO=1", "sudo", "timeout 5", "env A=b"])
def test_there_is_no_form_without_a_program(script: str) -> None:
    assert normal_form(split(script)[0].words) is None


@pytest.mark.parametrize(
    ("wide", "narrow", "expected"),
    [
        (Form("pytest"), Form("pytest", "", "tests/a.py"), True),
        (Form("pytest", "", "tests"), Form("pytest", "", "tests/a.py"), True),
        (Form("pytest", "", "tests/a.py"), Form("pytest", "", "tests/a.py::test_x"), True),
        (Form("pytest", "", "tests/a.py"), Form("pytest"), False),
        (Form("pytest", "", "tests/a.py"), Form("pytest", "", "tests/b.py"), False),
        (Form("pytest", "", "", "one"), Form("pytest"), False),
        (Form("go", "test", "./..."), Form("go", "test", "./pkg", "TestX"), True),
        (
            Form("go", "test", "./a", "TestA"),
            Form("go", "test", "./a", "TestA_One|TestA_Two"),
            True,
        ),
        (Form("go", "test", "./a", "TestA_One"), Form("go", "test", "./a", "TestA"), False),
        (Form("go", "test"), Form("go", "vet"), False),
    ],
)
def test_a_wide_run_covers_a_narrow_one_and_not_the_other_way(
    wide: Form, narrow: Form, expected: bool
) -> None:
    assert covers(wide, narrow) is expected


def test_one_file_or_one_test_is_narrow() -> None:
    assert is_narrow(Form("pytest", "", "tests/a.py"))
    assert is_narrow(Form("go", "test", "./...", "TestA"))
    assert not is_narrow(Form("go", "test", "./..."))


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("git -C /x status", "/x"),
        ("npm --prefix web test", "/w/web"),
        ("cd a && make -C b", "/w/a/b"),
        ("tar -C /x xf a.tar", "/w"),
    ],
)
def test_the_folder_may_stand_in_an_option(script: str, expected: str) -> None:
    assert folder_of(split(script, "/w")[-1]) == expected


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("ls -la", True),
        ("git status --short", True),
        ("git branch", True),
        ("git branch new", False),
        ("git commit -m x", False),
        ("sed -n 1,5p a", True),
        ("sed -i s/a/b/ a", False),
        ("sed -E -i.bak s/a/b/ a", False),
        ("perl -0pi -e s/a/b/ a", False),
        ("perl -Mlib=i -ne print a", True),
        ("gh pr view 1", True),
        ("docker ps", True),
        ("node --version", True),
        ("npm test", False),
        ("Get-Content a.txt", True),
        ("rm a", False),
        ("curl -sSL -H 'Accept: a/b' https://api.example.org/issues/1", True),
        ("curl -s -o /dev/null -w '%{http_code}' https://example.org", True),
        ("curl -i -X OPTIONS https://api.example.org/login", True),
        ("curl -X POST https://api.example.org/issues", False),
        ("curl -sSLO https://example.org/a.zip", False),
        ("curl -s http://localhost:3000/health", False),
        ("curl -s $URL/health", False),
    ],
)
def test_looking_changes_nothing(script: str, expected: bool) -> None:
    assert is_looking(split(script)[0]) is expected


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("rm a", True),
        ("git push", True),
        ("python -c 'x'", True),
        ("pytest", False),
        ("./x.sh", False),
        ("./", True),
    ],
)
def test_plain_commands_need_not_be_told(script: str, expected: bool) -> None:
    form = normal_form(split(script)[0].words)
    assert form is not None
    assert is_plain(form) is expected


@pytest.mark.parametrize("folder", ["C:\\w", "C:/w"])
def test_in_a_windows_folder_a_backslash_parts_folders(folder: str) -> None:
    (command,) = split(".\\.venv\\Scripts\\python .\\!\\A.md a\\ b", folder)
    assert command.words == (".\\.venv\\Scripts\\python", ".\\!\\A.md", "a b")
    (command,) = split("cat .\\.env", "/w")
    assert command.words == ("cat", "..env")
