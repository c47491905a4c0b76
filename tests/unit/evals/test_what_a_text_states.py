from __future__ import annotations

import pytest

from evals import stated, words
from evals.checks import Run, Verdict


def run(*form: str, verdict: Verdict = "passed", kind: str = "test") -> Run:
    return Run(form=form, kind=kind, verdict=verdict, line=1)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("18 failed, 1 passed", "failed"),
        ("45 passed, 0 failed", "passed"),
        ("no errors", "passed"),
        ("does not pass", "failed"),
        ("exit code 3", "failed"),
        ("全部通过", "passed"),
        ("must pass before the merge", None),
        ("ran, outcome not seen", None),
        ("failed, then it passed", None),
        ("", None),
    ],
)
def test_a_verdict_is_read_only_where_one_is_given(text: str, said: str | None) -> None:
    assert stated.verdict(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- `npm test` passed", {"passed"}),
        ("- `npm test` passed, `npm run build` failed", {"passed"}),
        ("- Passed: `npm run build`, `npm test`", {"passed"}),
        ("- `npm test`:\n  - 3 failed", {"failed"}),
        ("```\n$ npm test\n2 failed\n```", {"failed"}),
        ("## Commands that worked\n\n- `npm test`", {"passed"}),
        ("- `npm test`\n- `npm run build` failed", set()),
        ("run `npm test`, which must pass", set()),
        ("- `npm test` passed\n- `npm test` failed", {"passed", "failed"}),
    ],
)
def test_a_verdict_belongs_to_the_command_that_it_stands_at(text: str, said: set[str]) -> None:
    build = run("npm", "build", verdict="failed", kind="build")
    assert stated.of_run(text, run("npm", "test"), [build]) == said


def test_a_shorter_command_speaks_only_where_no_other_such_check_ended_differently() -> None:
    core, api = run("cargo", "test", "core"), run("cargo", "test", "api", verdict="failed")
    assert stated.of_run("`cargo test` passed", core, []) == {"passed"}
    assert stated.of_run("`cargo test` passed", core, [api]) == set()


def test_a_word_for_the_kind_speaks_for_all_of_it() -> None:
    assert stated.of_kind("All 40 tests pass. The build is broken.", "test") == {"passed"}
    assert stated.of_kind("All 40 tests pass. The build is broken.", "build") == {"failed"}


@pytest.mark.parametrize(
    ("line", "there"),
    [("make sure of it", False), ("then `make`", True), ("$ make -j4", True)],
)
def test_one_bare_word_is_a_command_only_where_code_stands(line: str, there: bool) -> None:
    assert stated.gives(line, ("make",), code=False) is there


# ----------------------------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see `src/a.ts:45`, (b.py) and docs/x.md.", {"src/a.ts", "b.py", "docs/x.md"}),
        ("src/{a,b}.py", {"src/a.py", "src/b.py"}),
        ("`~/src/{a.py,b.py}`", {"~/src/a.py", "~/src/b.py"}),
        ("C:\\w\\app\\x.cs", {"C:/w/app/x.cs"}),
        ("[a.ts](src/a.ts)", {"a.ts", "src/a.ts"}),
        ("app/(group)/[id]/page.tsx", {"app/(group)/[id]/page.tsx"}),
        ("https://example.com/y.html node.js os.path v1.2.3", set()),
        ("the folder ~/.claude", set()),
        ("`…/api/a.py`, `A…/b/c.py`, ../d/e.py", {"api/a.py", "b/c.py", "../d/e.py"}),
    ],
)
def test_paths_are_found_in_prose(text: str, found: set[str]) -> None:
    assert words.paths(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "load_cases(x) fooBar TS2345 --no-drift",
            {"load_cases", "fooBar", "TS2345", "--no-drift"},
        ),
        ("a well-known word, HELLO, 12345, x1", set()),
        ("src/load_cases.py", set()),
    ],
)
def test_names_are_known_by_their_shape_and_not_in_paths(text: str, found: set[str]) -> None:
    assert words.names(text) == found


def test_bare_consent_says_nothing_in_any_language() -> None:
    assert words.content("Yes please, go on and do it, thanks") == []
    assert words.content("修复解析器") == ["修复", "复解", "解析", "析器"]


def test_a_list_that_nobody_would_read_is_cut_and_prose_is_not() -> None:
    dump = "Names:\n" + "\n".join(f"- load_part_{n}" for n in range(30))
    assert words.readable(dump).count("load_part") == 10
    mixed = " ".join(f"load_part_{n} plain-{n} src/a{n}.py 7abd54{n:02}" for n in range(20))
    assert len(words.readable(mixed).split()) == 10
    labelled = "\n".join(f"- Names, {n}: load_a{n}, load_b{n}, load_c{n}" for n in range(9))
    assert words.readable(labelled).count("load_") == 10
    files = "\n".join(f"- Read: `a{n}.py`, `b{n}.py`" for n in range(9))
    assert words.readable(files) == files
    beside = "\n".join(f"- a{n}.py: load_a{n}, load_b{n}, load_c{n}" for n in range(9))
    assert words.readable(beside) == beside
    prose = "\n".join(f"- `load_part_{n}` was renamed since it loaded too much" for n in range(30))
    assert words.readable(prose) == prose
