"""The agent's last words: shortened, and searched for what they say comes next."""

from __future__ import annotations

import pytest

from onward.distill.closing import ends_of, next_steps


@pytest.mark.parametrize(
    ("reply", "left"),
    [
        ("Done.\n\n## Next steps\n- Run the migration\n- Tell Ann", "Run the migration; Tell Ann"),
        ("Done.\n\n**Next:**\n1. Push it\n\nSTORY\n2. not this", "1. Push it"),
        ("改好了。\n\n**下一步:**\n- 重启服务", "重启服务"),
        ("All done.\n\nPlease restart the server.", "Please restart the server."),
        (
            "Deployed.\n\nYou can now test it with `make run`.",
            "You can now test it with `make run`.",
        ),
        ("改好了。\n\n请刷新页面并发送消息。", "请刷新页面并发送消息。"),
    ],
)
def test_next_steps_are_found(reply: str, left: str) -> None:
    assert next_steps(reply) == left


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "All done.",
        "Not yet planned.",
        "Ready for archive.",
        "Please let me know if you need more.",
    ],
)
def test_words_that_leave_nothing_to_do_give_none(reply: str) -> None:
    assert next_steps(reply) == ""


def test_both_ends_of_a_long_message_are_kept_and_code_is_cut() -> None:
    middle = "\n\n".join(f"Paragraph {n} says this and that at length." for n in range(60))
    kept = ends_of(f"It works now.\n\n```python\nx = 1\n```\n\n{middle}\n\nShall I push it?")
    assert kept.startswith("It works now.")
    assert "[code]" in kept
    assert kept.endswith("Shall I push it?")
    assert len(kept) <= 1010
