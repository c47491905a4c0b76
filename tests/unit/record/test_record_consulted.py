from __future__ import annotations

import pytest

from onward.model import Ran
from onward.paths import mentions
from onward.record.commands import consulted, hits


def ran(command: str, *, failed: bool = False, output: str = "its text") -> Ran:
    return Ran(line=9, command=command, cwd="/w", failed=failed, output=output)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cat src/a.py", ["/w/src/a.py"]),
        ("head -n 20 a.md b.md | tail -5", ["/w/a.md", "/w/b.md"]),
        ("sed -n '1,40p' src/a.rs", ["/w/src/a.rs"]),
        ("sed -n -e '1,40p' src/a.rs", ["/w/src/a.rs"]),
        ("grep -n foo.bar src/a.py", ["/w/src/a.py"]),
        ("grep -rn -e foo.py src/a.py", ["/w/src/a.py"]),
        ("grep -in foo src/a.py", ["/w/src/a.py"]),
        ("rg 'x' src/", []),
        ("rg --files -g .npmignore -g '.prettierrc' lib/", []),
        ("rg -g a.ts pattern src/b.ts", ["/w/src/b.ts"]),
        ("grep -rn --include a.ts pattern src/b.ts", ["/w/src/b.ts"]),
        ("awk '{print $1}' data.csv", ["/w/data.csv"]),
        ("jq .items.name out/x.json", ["/w/out/x.json"]),
        ("cd sub && cat a.py", ["/w/sub/a.py"]),
        ("git diff HEAD~1 -- src/a.py", ["/w/src/a.py"]),
        ("git diff src/a.py", ["/w/src/a.py"]),
        ("git -C sub show HEAD:lib/a.py", ["/w/sub/lib/a.py"]),
        ("git log --oneline v1.2..HEAD", []),
        ("git checkout v1.2", []),
        ("wc -l Makefile", ["/w/Makefile"]),
        ("cat *.py $X <<'EOF'\na.py\nEOF", []),
        ("sed -i 's/a/b/' src/a.py", []),
        ("cat > new.py", []),
        ("ls src/a.py", []),
        (
            "if (Test-Path a.md) { Get-Content a.md } else { Write-Output 'NONE:a.md' }",
            [],
        ),
        ("python run.py", []),
        ("Get-Content C:\\w\\a.txt", ["C:/w/a.txt"]),
    ],
)
def test_a_command_tells_which_files_it_reads(command: str, expected: list[str]) -> None:
    assert list(consulted(ran(command))) == expected


def test_what_could_not_be_read_was_not_read() -> None:
    output = ".env:x = 1\ngrep: .env.local: No such file or directory"
    assert list(consulted(ran("grep x .env .env.local", output=output))) == ["/w/.env"]
    assert list(consulted(ran("cat a.py", failed=True))) == []


def test_a_search_that_printed_lines_of_few_files_has_found_them_not_read_them() -> None:
    output = "src/a.py:12:x = 1\nsrc/a.py-13-y\nlib/b.py:3:x\nno file here\n12:x"
    assert hits(ran("grep -rn x .", output=output)) == ["/w/src/a.py", "/w/lib/b.py"]
    assert hits(ran("cd src && rg -n x", output="a.py:1:x")) == ["/w/src/a.py"]
    assert list(consulted(ran("grep -rn x .", output=output))) == []
    many = "\n".join(f"src/a{n}.py:1:x" for n in range(30))
    assert hits(ran("grep -rn x .", output=many)) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see src/a.py:45, and `lib/b.rs`.", ["src/a.py", "lib/b.rs"]),
        ("look at @docs/plan.md please", ["docs/plan.md"]),
        ("@plan.md", ["plan.md"]),
        ("`plan.md` holds it", ["plan.md"]),
        ("(src/a.py)", ["src/a.py"]),
        ("in ./src/a.py and ~/x/y.toml", ["src/a.py", "~/x/y.toml"]),
        ("基于~/w/docs/设计.md 做", ["~/w/docs/设计.md"]),
        ("C:\\w\\a.py", ["C:/w/a.py"]),
        ("https://example.org/a/b.html and example.org/c.md", []),
        ("Next.js, e.g. and/or 1.2/3.4 v1.2 a/b", []),
        ("me@example.org/x.py", []),
        ("根据/home/me/w/a.md 改", ["/home/me/w/a.md"]),
        ("集成到chat/page.tsx 和 配置/文件.json", ["chat/page.tsx", "配置/文件.json"]),
        ("…/tests/a.py, /foo/b.toml, x/12...json", []),
        ("../b/a.py", ["../b/a.py"]),
        ("import { total } from '../lib/cart.js'", []),
        ("todo.md/notes.md, a.claude/x.md", ["a.claude/x.md"]),
        ("src/*.py and src/{a,b}.py", []),
        ("", []),
    ],
)
def test_paths_in_prose_are_told_as_spelt(text: str, expected: list[str]) -> None:
    assert [m.path for m in mentions(text) if m.sure] == expected


def test_a_bare_name_in_prose_counts_only_for_a_file_that_is_known() -> None:
    (found,) = mentions("the fix is in store.py")
    assert (found.path, found.sure) == ("store.py", False)
