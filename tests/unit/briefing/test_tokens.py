"""The estimate of tokens, beside a real tokenizer."""

from __future__ import annotations

from hashlib import sha256

import bpe_openai
import pytest

from onward.briefing.tokens import characters_for, estimate

ENCODING = bpe_openai.get_encoding("o200k_base")

TEXTS = {
    "English": "The release waits for one more look at how refunds are rounded, then it can go. "
    * 5,
    "Portuguese": "A configuração não é lida: as aspas são da conversão, e já não há erro. " * 5,
    "Chinese": "先修复前端的工具调用。再检查配置文件里的错误。最后更新文档。" * 5,
    "code": "def rounded(value: Decimal, places: int = 2) -> Decimal:\n"
    "    return value.quantize(Decimal(10) ** -places)\n\n\n" * 5,
    "a ruler": "═" * 60 + "\n  Step 2 of the deployment: the build\n" + "═" * 60 + "\n",
    "rulers of ASCII": f"{'=' * 78}\nTest 1: the refunds of last month are loaded\n{'-' * 78}\n"
    * 2,
    "a table with frames": "│ worker │ 12 │ the billing queue is online │ no restart │\n" * 6
    + f"└{'─' * 60}┘\n",
    "numbered lines": "".join(f"{n:6}→  value = {n * 7}\n" for n in range(1, 40)),
    "a listing": "".join(
        f"drwxr-xr-x   5 ana ana   4096 Oct 27 18:{n} part-{n}\n" for n in range(10, 30)
    ),
    "lines of Windows": "set PATH=C:\\tools\\bin\r\necho done\r\n" * 8,
    "hashes": "".join(f"{sha256(bytes([n])).hexdigest()[:40]} notes\n" for n in range(9)),
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_what_a_text_costs_is_known_to_a_quarter(text: str) -> None:
    assert estimate(text) == pytest.approx(len(ENCODING.encode_ordinary(text)), rel=0.25)


def test_a_ruler_costs_little_more_for_being_twice_as_long() -> None:
    assert estimate("─" * 80) < 1.9 * estimate("─" * 40)
    assert estimate("─" * 40) < 0.3 * 40


def test_nothing_costs_nothing() -> None:
    assert estimate("") == 0


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_as_many_characters_are_taken_as_the_tokens_buy(text: str) -> None:
    whole = estimate(text)
    assert characters_for(text, whole) == len(text)
    assert characters_for(text, whole / 2) == len(text) // 2
