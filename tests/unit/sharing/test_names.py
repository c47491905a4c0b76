"""Which names of strangers can be shown and typed, and how a writer is called."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward import sharing


@pytest.mark.parametrize(
    "name", ["fix-login", "Fix Login", "v1.2-notes", "登录-页面", "autosave", "résumé-page", "a"]
)
def test_names_that_people_use_fit(name: str) -> None:
    assert sharing.fits(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "../../etc/passwd",
        "a/b",
        "a\\b",
        "C:evil",
        ".hidden",
        "-rf",
        "~root",
        "trailing.",
        "trailing ",
        "CON",
        "nul.md",
        "com1",
        "line\nbreak",
        "bell\x07",
        "esc\x1b[31m",
        "bidi\u202egnp",
        "zero\u200bwidth",
        "name@machine",
        "a|b",
        "$(id)",
        "`id`",
        "fix;reboot",
        "fix&reboot",
        "what?",
        "re\u0301sume\u0301",
        "lone\ud800",
        "x" * 65,
        "登" * 67,
    ],
)
def test_names_that_lead_somewhere_or_deceive_do_not(name: str) -> None:
    assert not sharing.fits(name)


@given(st.text(max_size=80), st.integers(0, 2**32 - 1))
def test_every_machine_has_a_writer_that_is_one(machine: str, number: int) -> None:
    digits = f"{number:08x}"
    made = sharing.writer(machine, digits)
    assert sharing.is_writer(made)
    assert made.endswith(f"-{digits}")


@pytest.mark.parametrize(
    "ref",
    ["", "maria", "Maria-0a1b2c3d", "maria-0a1b2c3d/x", "-0a1b2c3d", "m-0a1b2c3", "m_-0a1b2c3d"],
)
def test_other_refs_are_no_writers(ref: str) -> None:
    assert not sharing.is_writer(ref)
