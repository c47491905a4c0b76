from __future__ import annotations

import re

import pytest
from hypothesis import given
from tests.unit.formats import strategies

from onward.formats.slug import MAX_LENGTH, suggest_name


@pytest.mark.parametrize(
    ("task", "name"),
    [
        ("Build login page with OAuth fallback", "build-login-page-oauth-fallback"),
        ("Can you please fix the redirect in src/auth/login.py?", "fix-redirect-login-py"),
        ("Résumé: naïve parser", "resume-naive-parser"),
        ("Backup", "finish-backup"),
        ("task 2", "finish-task-2"),
        ("\n\nAnalyse Q1 data\nand more", "analyse-q1-data"),
        ("登录页面", ""),
        ("", ""),
        ("x" * 99, "x" * MAX_LENGTH),
    ],
)
def test_a_task_gives_a_specific_name(task: str, name: str) -> None:
    assert suggest_name(task) == name


@given(strategies.texts)
def test_a_name_is_always_kebab_case_or_nothing(task: str) -> None:
    name = suggest_name(task)
    assert len(name) <= MAX_LENGTH + len("finish-")
    assert name == "" or re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)
