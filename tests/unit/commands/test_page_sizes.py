"""One call of `show` or `search` costs at most 1,500 tokens, whatever a transcript holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.sampling import examples
from tests.unit.commands.conftest import SESSION, Script

from onward.briefing.tokens import estimate
from onward.cli import main
from onward.commands import show
from onward.commands.show import Place, View
from onward.redaction import Redactor

REDACTOR = Redactor(b"k" * 32)
TEXTS = st.one_of(
    st.sampled_from(["kerning ", "x", "配置", "a_b/c.py:12 ", "{}[]();\n", "12 345\t", "é", "\n"]),
    st.text(min_size=1, max_size=20),
).flatmap(lambda text: st.integers(1, 6_000).map(lambda n: f"kerning {text * n}"[:40_000]))
PATHS = st.lists(st.text("abc/_-é", min_size=1, max_size=120), min_size=1, max_size=60)
RECORDS = st.lists(
    st.tuples(st.sampled_from(["user", "says", "call", "fail", "patch"]), TEXTS, PATHS),
    min_size=1,
    max_size=12,
)


WORDS = [["kerning"], ["kerning", "nowhere"], ["--by", "user"], ["--failed"], ["--edits"]]
WORDS += [["--failed", "kerning"]]


def written(folder: Path, records: list[tuple[str, str, list[str]]]) -> Path:
    script = Script(folder, SESSION)
    for kind, text, paths in records:
        if kind in {"call", "fail"}:
            given, bad = {"command": f"cat {paths[0]}"}, kind == "fail"
            script.call("Bash", given, text, {"stdout": text}, bad=bad)
        elif kind == "patch":
            edits = [{"old_string": text[:50], "new_string": text[:500]} for _ in paths]
            edit = {"file_path": "/".join(paths), "edits": edits}
            script.call("MultiEdit", edit, text, {"filePath": paths[0]})
        else:
            getattr(script, kind)(text)
    path = folder / f"{SESSION}.jsonl"
    script.write(path)
    return path


@settings(max_examples=examples(150), deadline=None, suppress_health_check=list(HealthCheck))
@given(RECORDS, st.data())
def test_a_page_of_show(tmp_path: Path, records: Any, data: st.DataObject) -> None:
    path = written(tmp_path, records)
    last = len(path.read_bytes().splitlines())
    first = data.draw(st.integers(1, last))
    place = Place("", first, data.draw(st.integers(first, last + 3)))
    more = st.integers(0, 6)
    view = View(
        before=data.draw(more),
        after=data.draw(more),
        find=data.draw(st.sampled_from(["", "kerning", "no such text"])),
        offset=data.draw(st.sampled_from([0, 0, 5])),
    )
    found = show.show_place(place, path, REDACTOR, SESSION, view)
    assert estimate("\n".join((found.text, *found.notes))) <= 1_400


@settings(max_examples=examples(40), deadline=None, suppress_health_check=list(HealthCheck))
@example([("user", "kerning " + "{}[]();\n" * 450, ["_"])], ["kerning"])
@given(RECORDS, st.sampled_from(WORDS))
def test_an_answer_of_search(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], records: Any, words: list[str]
) -> None:
    path = written(tmp_path, records)
    for more in ([], ["--json"]):
        main(["search", *words, "--session", str(path), *more])
        told = capsys.readouterr()
        assert estimate(told.out + told.err) <= 1_400
