"""Scene: the person writes Chinese, sends a word while the agent works, and ends on a bare
"go on".
"""
# ruff: noqa: RUF001 - Chinese has its own punctuation

from __future__ import annotations

from tests.golden.scenes import expenses
from tests.golden.scenes.script import Prompt, Scene, bash, edit, read, says

ROOT = "/home/ada/tally"
TEST = """

def test_parse_reads_a_minus():
    assert amounts.parse("-3.50") == -350
"""

STEPS = (
    Prompt("退款是负数，比如 -3.50，现在算出来不对。请修好 amounts.parse，先写测试。"),
    says(
        "先看代码，再写一个会失败的测试。",
        read(f"{ROOT}/src/tally/amounts.py"),
        bash(f"cat >> tests/test_amounts.py <<'EOF'\n{TEST}EOF", "写测试"),
        bash("sleep 6; pytest -q", "跑全部测试"),
    ),
    Prompt("不要用 float，金额永远是整数分", busy=True),
    says(
        "明白，只用整数。测试如预期失败，现在修 `parse`。",
        edit(
            f"{ROOT}/src/tally/amounts.py",
            '    whole, _, cents = text.partition(".")\n'
            '    return int(whole) * 100 + int((cents + "00")[:2])\n',
            '    sign = -1 if text.startswith("-") else 1\n'
            '    whole, _, cents = text.removeprefix("-").partition(".")\n'
            '    return sign * (int(whole) * 100 + int((cents + "00")[:2]))\n',
        ),
        bash("pytest -q", "跑全部测试"),
    ),
    says(
        "",
        bash("git commit -qam '读取负数金额' && git log --oneline -1", "提交"),
    ),
    says(
        "`amounts.parse` 已经能读负数，测试全部通过，已提交。\n\n"
        "`amounts.show` 也有同样的问题：`show(-350)` 显示 `-4.50`。要我继续修 `show` 吗？"
    ),
    Prompt("继续"),
    says(
        "好，修 `show`。",
        edit(
            f"{ROOT}/src/tally/amounts.py",
            '    return f"{cents // 100}.{cents % 100:02d}"\n',
            '    sign = "-" if cents < 0 else ""\n'
            '    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"\n',
        ),
    ),
    says("`show` 改好了，但还没有测试，也没有跑过。下一步：给 `show(-350)` 加测试，再提交。"),
)

SCENE = Scene(
    name="chinese",
    title="修复负数金额",
    project="tally",
    begin="2026-03-16T02:10",
    client="2.1.330",
    commits=expenses.COMMITS,
    steps=STEPS,
)
