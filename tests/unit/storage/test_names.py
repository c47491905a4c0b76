"""Which names a checkpoint may have, and which is proposed instead."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.errors import UsageError
from onward.storage import checkpoints

TASK = "Fix the login redirect in src/auth.py"


@pytest.mark.parametrize(
    "name",
    [
        "build-login-page",
        "q1-data-analysis",
        "meeting-prep",
        "task-runner",
        "work-hours-report",
        "save-button",
        "backup-rotation",
        "autosave-banner",
        "fix-2026-report",
        "console",
        "com10-port",
        "ui-fix",
        "q1-data",
        "登录",
        "登录页面",
        "überblick-seite",
        "a" * 64,
    ],
)
def test_good_names_pass_unchanged(name: str) -> None:
    assert checkpoints.name_of(name) == name


FORBIDDEN = ["task", "work", "save", "untitled", "backup"]
BEHIND = ["", "-2", "2", "-2026", "-2026-03-01", "20260301", "-march-1st", "-v2", "-today", "-work"]


@pytest.mark.parametrize("word", FORBIDDEN)
@pytest.mark.parametrize("behind", BEHIND)
def test_forbidden_names_are_refused_also_with_number_or_date_behind(
    word: str, behind: str
) -> None:
    with pytest.raises(UsageError) as caught:
        checkpoints.name_of(word + behind, TASK)
    assert caught.value.hint == "onward save fix-login-redirect"


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("", "needs a name"),
        ("../escape", "must not contain"),
        ("..", "must not contain"),
        ("a/b", "must not contain"),
        ("a\\b", "must not contain"),
        ("/etc/passwd", "must not contain"),
        ("C:\\Users\\x", "must not contain"),
        ("c:evil", "must not contain"),
        (".hidden", "must not contain"),
        ("fix\nlogin", "control"),
        ("fix\x00login", "control"),
        ("fix\x1b[31m", "control"),
        ("fix\u202elogin", "control"),
        ("fix\u200blogin", "control"),
        ("\ud800", "control"),
        ("a" * 65, "at most"),
        ("𠀋" * 60, "at most"),
        ("Fix-Login", "kebab-case"),
        ("fix login", "kebab-case"),
        ("fix_login", "kebab-case"),
        ("fix--login", "kebab-case"),
        ("-fix", "kebab-case"),
        ("fix-", "kebab-case"),
        ("fix.login", "kebab-case"),
        ("u\u0308ber", "kebab-case"),
        ("straße", "kebab-case"),
        ("fix-🚀", "kebab-case"),
        ("autosave", "onward itself"),
        ("autosave-log", "onward itself"),
        ("con", "device"),
        ("nul", "device"),
        ("com1", "device"),
        ("lpt9", "device"),
        ("2026-03-01", "too generic"),
        ("123", "too generic"),
        ("test", "too generic"),
        ("test-2", "too generic"),
        ("x", "too generic"),
        ("r", "too generic"),
        ("a-b", "too generic"),
        ("fix", "too generic"),
        ("login", "too generic"),
        ("feature", "too generic"),
        ("stuff-2026-03-01", "too generic"),
    ],
)
def test_a_bad_name_is_refused_with_its_reason_and_a_name_that_passes(raw: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        checkpoints.name_of(raw, TASK)
    proposed = caught.value.hint.removeprefix("onward save ")
    assert checkpoints.name_of(proposed) == proposed


@pytest.mark.parametrize(
    ("raw", "task", "proposed"),
    [
        ("Build Login Page", "", "build-login-page"),
        ("memory/checkpoints/build-login.md", "", "build-login"),
        ("fix_login.md", "", "fix-login"),
        ("FixLogin", "", "fix-login"),
        ("task", "Add rate limiting to the public API", "add-rate-limiting-public-api"),
        ("task", "登录 页面", "登录-页面"),
        ("task", "", ""),
        ("task", "backup 2", ""),
        ("save", "src/auth.py", "src-auth-py"),
    ],
)
def test_the_proposal_says_what_the_work_is(raw: str, task: str, proposed: str) -> None:
    assert checkpoints.propose_name(raw, task) == proposed


@given(raw=st.text(max_size=90), task=st.text(max_size=90))
def test_whatever_is_proposed_passes(raw: str, task: str) -> None:
    proposed = checkpoints.propose_name(raw, task)
    assert not proposed or checkpoints.name_of(proposed) == proposed


def test_where_nothing_says_what_the_work_is_no_other_work_is_proposed() -> None:
    with pytest.raises(UsageError) as caught:
        checkpoints.name_of("task", "backup 2")
    assert caught.value.hint.startswith("onward save NAME (")


@given(raw=st.text(max_size=90))
def test_what_passes_is_one_harmless_file_name(raw: str) -> None:
    try:
        name = checkpoints.name_of(raw)
    except UsageError:
        return
    assert name == raw == raw.strip()
    assert not set(raw) & set('/\\:*?"<>|.~$ \0\n')
    assert len(f"{raw}.md".encode()) < 240
