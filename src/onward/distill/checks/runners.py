"""Distil: which command is a test, a build, a lint, a type check or a formatter."""

from __future__ import annotations

import re
from typing import Literal

from onward.distill import paths
from onward.distill.shell.forms import Form
from onward.distill.shell.split import Command
from onward.distill.text import vocabulary

Kind = Literal["test", "build", "lint", "types", "format", "other"]

_PROGRAMS: dict[str, Kind] = {
    **dict.fromkeys(
        vocabulary("""pytest py.test jest vitest mocha ava tox nox unittest rspec phpunit pest ctest bats
        cypress karma tap behave gotestsum busted nosetests minitest cucumber pytest.exe stestr
        jasmine qunit wtr web-test-runner trial ward codecept kahlan ginkgo tarpaulin"""),
        "test",
    ),
    **dict.fromkeys(
        vocabulary("""eslint flake8 pylint shellcheck biome golangci-lint staticcheck rubocop phpstan psalm
        stylelint bandit knip oxlint ktlint detekt swiftlint markdownlint markdownlint-cli2 vale
        actionlint hadolint yamllint py_compile compileall pre-commit prek luacheck clippy
        clang-tidy cppcheck ansible-lint sqlfluff vulture lint-imports codespell tflint ruff semgrep
        checkov xo standard phpcs"""),
        "lint",
    ),
    **dict.fromkeys(
        vocabulary(
            "mypy pyright basedpyright tsc vue-tsc svelte-check pytype pyre ty flow dmypy sorbet"
        ),
        "types",
    ),
    **dict.fromkeys(
        vocabulary(
            "prettier black isort gofmt goimports rustfmt clang-format yapf shfmt dprint autopep8"
        ),
        "format",
    ),
    **dict.fromkeys(
        vocabulary("""webpack rollup esbuild tsup xcodebuild cmake ninja msbuild gcc g++ clang clang++ cc rustc
        javac hugo pdflatex latexmk tectonic parcel swc mkdocs sphinx-build jekyll bazel pyinstaller
        goreleaser rspack"""),
        "build",
    ),
}
_SUB_WORDS: tuple[tuple[Kind, str], ...] = (
    ("test", "tests?|spec|specs|e2e|jest|vitest|pytest|nextest|unit|integration|check-tests"),
    ("types", "typecheck|typescript|type-check|types|tsc|mypy|pyright|check-types"),
    ("lint", "lint|eslint|clippy|vet|ruff|analyze|validate|linters?|check|precommit|pre-commit"),
    ("format", "fmt|format|prettier"),
    ("build", "build|compile|bundle|package|assemble|verify|dist|publish-local"),
)
_SUBS = tuple(
    (re.compile(rf"(?:^|[:._-])(?:{words})(?:$|[:._-])"), kind) for kind, words in _SUB_WORDS
)
_HOSTS = vocabulary(
    """npm pnpm yarn bun cargo go make just dotnet mvn mvnw gradle gradlew swift flutter dart deno
    turbo nx mix rake composer artisan rails task poetry hatch vite next nuxt playwright mise zig
    bazel lake stack cabal meson xcodebuild astro tauri docker node manage.py terraform tofu lerna
    wasm-pack supabase moon"""
)
"""Programs whose subcommand says what is done."""
_NO_CHECK = frozenset(
    {"install", "add", "remove", "ci", "i", "publish", "get", "mod", "new", "init"}
)
_SCRIPT = re.compile(
    r"(?:^|/)(?:run[_-]?)?(?:all[_-]?)?tests?(?:[_-]\w+)?\.(?:sh|py|js|ts|mjs|ps1|rb)$"
)
_CHECK_SCRIPT = re.compile(r"(?:^|/)(?:lint|build|typecheck|check)\.(?:sh|py|js|ts|mjs|ps1)$")
_ONLY_ASKS = vocabulary(
    """--version --help -h -V --collect-only --co --list --list-tests --listTests --fixtures
    --markers --showConfig --print-config --init"""
)
_CHECKING = vocabulary(
    "--check -c -l --list-different --diff --dry-run --verify-no-changes -d -check"
)


def kind_of(form: Form, words: tuple[str, ...] = ()) -> Kind | None:
    """What kind of check a command is; None for any other, and for one that only asks.

    A formatter that rewrites is "format": it proves nothing.
    """
    if _ONLY_ASKS & set(words):
        return None
    kind = "test" if form.program == "node" and "--test" in words else _by_program(form)
    checking = bool(_CHECKING & set(words)) or form.sub.endswith((":check", "-check"))
    return "lint" if kind == "format" and checking else kind


def kind_of_word(word: str, words: tuple[str, ...] = ()) -> Kind | None:
    """What a subcommand of a program that is not known says it is: `tspec clippy`."""
    kind = None if _ONLY_ASKS & set(words) else _by_sub(word.lower())
    return "lint" if kind == "format" and _CHECKING & set(words) else kind


def is_check(command: Command, form: Form) -> Kind | None:
    """The kind of a command that can pass or fail; None for formatters and all others."""
    kind = kind_of(form, command.words)
    return None if kind == "format" else kind


def _by_program(form: Form) -> Kind | None:
    program, sub = form.program, form.sub
    if program in _PROGRAMS:
        return "format" if program == "ruff" and sub == "format" else _PROGRAMS[program]
    if program in _HOSTS and sub:
        return None if _is_other(form) else _by_sub(sub.lower())
    return _by_script(program, form.arg)


def _is_other(form: Form) -> bool:
    """A subcommand that sounds like a check and is none: `docker test-1`, `npm install`."""
    program, sub = form.program, form.sub
    if program == "docker":
        return "build" not in sub.split(" ")
    if program == "playwright":
        return sub != "test"
    return sub in _NO_CHECK


def _by_sub(sub: str) -> Kind | None:
    return next((kind for pattern, kind in _SUBS if pattern.search(sub)), None)


def _by_script(program: str, arg: str) -> Kind | None:
    for name in (program, arg if program in {"python", "node", "ruby"} else ""):
        if _SCRIPT.search(name):
            return "test"
        found = _CHECK_SCRIPT.search(name)
        if found and not paths.apart(name):
            return _by_sub(name.rsplit("/", 1)[-1].split(".")[0])
    return None
