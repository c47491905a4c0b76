"""How an act reads in a sentence: the program in sight, scripts by name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.distill.acts import act


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("npm test", "`npm test`"),
        ("edit src/app.py", "edit `src/app.py`"),
        ("delete src/app.py", "delete `src/app.py`"),
        ("sub-agent: Find all uses", "the sub-agent “Find all uses”"),
        ("echo `date`", "`` echo `date` ``"),
        ("git commit -m \"$(cat <<'EOF'\nsubject\nEOF\n)\"", "`git commit …`"),
        (
            "cd api && python -c \"\nimport sys\nsys.path.insert(0)\nopen('data/rows.csv')\n\"",
            "a python script on `data/rows.csv`",
        ),
        ("node - <<EOF\nlet x = 1\nEOF", "a node script"),
        ("", ""),
    ],
)
def test_an_act_is_told_in_a_few_words(text: str, read: str) -> None:
    assert act(text) == read


def test_a_long_command_is_cut_at_a_word_and_without_its_folders() -> None:
    read = act("cd /a/very/long/way && make " + "target " * 60)
    assert read.startswith("`make target")
    assert read.endswith("target …`")
    assert len(read) <= 164


@given(st.text(max_size=400))
def test_any_act_is_bounded(text: str) -> None:
    assert len(act(text)) <= 260
