"""The agent's last words: shortened, and searched for what they say comes next."""

from __future__ import annotations

import pytest

from onward.distill import distill
from onward.distill.said.closing import ends_of, next_steps
from onward.model import Edited, Prompt, Reply


@pytest.mark.parametrize(
    ("reply", "left"),
    [
        ("Done.\n\n## Next steps\n- Run the migration\n- Tell Ann", "Run the migration; Tell Ann"),
        ("Done.\n\n**Next:**\n1. Push it\n\nSTORY\n2. not this", "1. Push it"),
        ("改好了。\n\n**下一步:**\n- 重启服务", "重启服务"),
        (
            "Feito.\n\n**Próximos Passos Recomendados**\n1. Rodar o build\n\nÉ só sinalizar!",
            "1. Rodar o build",
        ),
        ("Done.\n\nNext steps taken:\n- Ran the build", ""),
        ("Done.\n\n## Recommended next steps\n```bash\nmake all\n```", "make all"),
        ("완료했습니다.\n\n다음 단계:\n- 빌드를 실행합니다", "빌드를 실행합니다"),
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


def test_both_ends_of_a_long_message_are_kept() -> None:
    middle = "\n\n".join(f"Paragraph {n} says this and that at length." for n in range(90))
    kept = ends_of(f"It works now.\n\n{middle}\n\nShall I push it?")
    assert kept.startswith("It works now.")
    assert kept.endswith("Shall I push it?")
    assert len(kept) <= 2410


def test_a_short_block_of_code_is_evidence_and_a_long_one_is_cut() -> None:
    short = ends_of(
        "**The ids differ:**\n\n```\nfirst: a1\nsecond: b2\n```\n\nThe client is at fault."
    )
    assert short == "**The ids differ:**\n`first: a1; second: b2`\nThe client is at fault."
    assert "[code]" in ends_of("Done:\n\n```\n" + "x = 1\n" * 30 + "```\n\nIt runs.")


def test_lines_that_name_something_go_before_lines_that_do_not() -> None:
    chatter = "\n".join(["It was a long way to go and we went it all together."] * 40)
    kept = ends_of(
        f"Found it.\n{chatter}\nThe cause is `open()` in src/app.py:12.\n{chatter}\nShall I?"
    )
    assert "src/app.py:12" in kept


def test_celebration_tables_and_emoji_go() -> None:
    text = "\U0001f389 Perfect!\n\n## \u2705 Result\n\n| a | b |\n|---|---|\n\nThe build is green."
    assert ends_of(text) == "**Result**\nThe build is green."


def test_in_place_of_an_announcement_stands_what_was_found_before_it() -> None:
    found = "The cause is the host name in `db.py`. " * 10
    events = [
        Prompt(line=1, text="Why does the import fail at night?"),
        Reply(line=2, text=found, message="a"),
        Reply(line=3, text="Now let me look at the client:", message="b"),
    ]
    item = distill(events).closing
    assert item is not None
    assert item.text.startswith("The cause is")
    assert item.places == ("t:2",)


def test_what_was_found_before_the_last_request_does_not_stand_for_an_announcement() -> None:
    events = [
        Prompt(line=1, text="Why does the import fail at night?"),
        Reply(line=2, text="The cause is the host name in `db.py`. " * 10, message="a"),
        Prompt(line=3, text="Now write the release notes for it"),
        Reply(line=4, text="Now let me look at the log:", message="b"),
    ]
    item = distill(events).closing
    assert item is not None
    assert item.text.startswith("Now let me look at the log")


def test_a_link_to_a_file_is_told_as_its_path_and_line() -> None:
    said = (
        "Changed [a.ts](/w/src/a.ts#L45C1) and [`b.ts`](/w/b.ts); see [the docs](https://x.org/a)."
    )
    assert (
        ends_of(said) == "Changed `/w/src/a.ts:45` and `/w/b.ts`; see [the docs](https://x.org/a)."
    )


def test_a_block_of_commands_or_words_is_told_line_by_line() -> None:
    commands = [
        f"# step {n}: what it is there for\nmake step-{n} --with everything" for n in range(5)
    ]
    kept = ends_of("**Steps**\n\n```bash\n" + "\n\n".join(commands) + "\n```\n").splitlines()
    assert kept[0] == "**Steps**"
    assert kept[1:3] == ["`# step 0: what it is there for`", "`make step-0 --with everything`"]
    assert len(kept) == 11


def test_the_source_of_a_program_is_not_told_line_by_line() -> None:
    code = "\n".join(f"value_{n} = compute_the_value_of({n})" for n in range(10))
    assert ends_of(f"Changed it.\n\n```python\n{code}\n```\n") == "Changed it."


def test_of_a_block_with_a_drawn_table_the_lines_beside_it_are_told() -> None:
    table = "┌────┐\n│ id │\n└────┘"
    kept = ends_of(f"## State\n\n```\n{table}\n\nFrontend: 200 OK\nBackend: 403\n```\n")
    assert kept == "**State**\n`Frontend: 200 OK; Backend: 403`"


def test_a_table_is_told_row_by_row() -> None:
    text = "Three ways:\n\n| Way | For | Done |\n|:---|---|---|\n| copy | `backup` | yes |\n| edit | `set` | |\n"
    assert ends_of(text) == "Three ways:\n- copy: `backup`; yes\n- edit: `set`"


def test_of_a_long_message_gaps_are_marked_and_no_lead_stands_alone() -> None:
    rows = "\n".join(f"- row {n} of the export has no amount in `cell_{n}`" for n in range(40))
    kept = ends_of(f"Found it.\n\nThe rows:\n{rows}\nAnd then:\n\n{'x' * 400}\n\nThat is all.", 700)
    lines = kept.splitlines()
    assert lines[0] == "Found it." or lines[0] == "Found it. […]"
    assert lines[-1] == "That is all."
    assert any(line.endswith(" […]") for line in lines)
    assert "And then:" not in lines


def test_a_heading_with_nothing_under_it_goes() -> None:
    text = (
        "# SOLVED!\n\n---\n\n## Cause\n\nThe port was taken.\n\n## Status\n\n| a | b |\n|---|---|\n"
    )
    assert ends_of(text) == "**Cause**\nThe port was taken."


def test_of_a_long_message_no_heading_is_kept_without_a_line_of_its_own() -> None:
    parts = "\n\n".join(f"## Part {n}\n\n{'It was long and went on. ' * 12}" for n in range(30))
    kept = ends_of(f"It works now.\n\n{parts}\n\nShall I push it?").splitlines()
    headed = [n for n, line in enumerate(kept) if line.startswith("**Part")]
    assert headed
    assert all(kept[n + 1].startswith("It was long") for n in headed)


def test_the_last_words_carry_how_the_document_begins_that_they_name() -> None:
    note = Edited(
        line=2,
        path="/shop/notes/status.md",
        change="created",
        added=4,
        text="# Status\nThe rebase stands at\n`ttz`, three\nconflicts left:\n\n- `a.py`\n- `b.py`",
    )
    asked, named = Prompt(line=1, text="Write a status file"), Reply(line=3, text="See status.md.")
    closing = distill([asked, note, named], "/shop").closing
    assert closing is not None
    assert closing.text.splitlines() == [
        "See status.md.",
        "status.md begins:",
        "**Status**",
        "The rebase stands at `ttz`, three conflicts left:",
        "- `a.py`",
        "- `b.py`",
    ]
    unnamed = distill([asked, note, Reply(line=3, text="It is written.")], "/shop").closing
    assert unnamed is not None
    assert unnamed.text == "It is written."


def test_a_sentence_that_leads_to_nothing_but_a_heading_goes() -> None:
    text = "Yes, they are saved. Looking at the code:\n\n## State\n\nThe log is written.\n"
    assert ends_of(text) == "Yes, they are saved.\n**State**\nThe log is written."
    assert ends_of("Looking at the code:\n\n## State\n\nIt is so.") == "**State**\nIt is so."
