"""The size of a text in tokens: exact where a public tokenizer is installed with its vocabulary,
else by the product's own estimate; every table says which.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from onward.briefing.tokens import estimate

VOCABULARY = "o200k_base"
OVER = 1.1
"""A text may be a tenth over its budget, since the product only estimates."""


@lru_cache(maxsize=1)
def counter() -> tuple[str, Callable[[str], int]]:
    """The way of counting and its name. Nothing is downloaded."""
    try:
        import bpe_openai  # noqa: PLC0415 - absent where the project is only used
    except ImportError:
        return "our own estimate", estimate
    encoding = bpe_openai.get_encoding(VOCABULARY)
    return VOCABULARY, lambda text: len(encoding.encode_ordinary(text))


def count(text: str) -> int:
    """Tokens of a text; what is no text at all (lone surrogates) counts as a question mark."""
    return counter()[1](text.encode("utf-8", "replace").decode("utf-8"))


def exact() -> bool:
    """Whether `count` counts."""
    return counter()[0] == VOCABULARY


def first(text: str, budget: int) -> str:
    """The longest beginning, in whole lines, within a budget."""
    return "\n".join(_within(text.split("\n"), budget))


def last(text: str, budget: int) -> str:
    """The longest end, in whole lines, within a budget."""
    return "\n".join(_within(text.split("\n")[::-1], budget)[::-1])


def _within(lines: list[str], budget: int) -> list[str]:
    low, high = 0, len(lines)
    while low < high:
        middle = (low + high + 1) // 2
        if count("\n".join(lines[:middle])) <= budget:
            low = middle
        else:
            high = middle - 1
    return lines[:low]


def error(text: str) -> float | None:
    """How far the product's estimate is off, as a share of the true size; None where none knows."""
    if not exact() or not text:
        return None
    true = count(text)
    return abs(estimate(text) - true) / true
