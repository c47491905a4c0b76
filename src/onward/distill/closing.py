"""Distill: the agent's last words, and what they say comes next."""

from __future__ import annotations

import re

from onward.distill.cues import is_offer_of_courtesy
from onward.distill.talk import Talk
from onward.distill.text import one_line, sentences, shorten, words
from onward.model import Item

_LIMIT = 1000
_SAYING = 4
"""Words below which a sentence says nothing of what to do."""
_NEXT_HEADING = re.compile(
    r"^\W*(?:next|next\s+steps?|what(?:'s|\s+is)\s+next|remaining(?:\s+\w+)?|to\s*do|still\s+(?:open|to\s+do)|what(?:'s|\s+is)\s+left"
    r"|下一步\S*|后续\S*|接下来\S*|待办\S*|次のステップ|próximos\s+pasos|siguientes?\s+pasos?|nächste\s+schritte)\W*$",
    re.IGNORECASE,
)
_NEXT_LINE = re.compile(
    r"\b(?:next\s+steps?|next,|next:|you\s+(?:can|should|need\s+to|will\s+need\s+to|may\s+need\s+to)\s+(?:now\s+)?\w+"
    r"|please\s+\w+|ready\s+(?:to|for)\s+(?:your\s+|the\s+|a\s+)?(?:test\w*|review\w*|merg\w+|deploy\w*|commit\w*|use|try|run|start)|to\s+test\b|restart|refresh|still\s+(?:needs?|to\s+do))\b"
    r"|下一步|接下来|请\S|刷新|重启|还需要|次は|próximo|siguiente|por\s+favor",
    re.IGNORECASE,
)


def closing(talk: Talk) -> Item[str] | None:
    """The agent's last message, shortened: only its own claim."""
    if not talk.reply:
        return None
    return Item(text=ends_of(talk.reply), evidence="claimed", places=(talk.reply_place,))


def ends_of(text: str) -> str:
    """First and last paragraphs of a message, code blocks and tables cut to a mark."""
    plain = re.sub(r"```.*?(?:```|\Z)", "[code]", text, flags=re.DOTALL).strip()
    if len(plain) <= _LIMIT:
        return plain
    tail = shorten_front(plain, _LIMIT // 3)
    return f"{shorten(plain, _LIMIT - len(tail) - 1)}\n{tail}"


def shorten_front(text: str, limit: int) -> str:
    """The last lines of a text that fit; at least the end of the last one."""
    taken: list[str] = []
    for line in reversed(text.splitlines()):
        if sum(len(t) + 1 for t in taken) + len(line) > limit:
            break
        taken.insert(0, line)
    return "\n".join(taken).strip() or one_line(text.splitlines()[-1], limit)


def next_steps(reply: str) -> str:
    """What a message says is left to do: the list under such a heading, else the sentences
    of its last paragraphs that ask for something; "" for none.
    """
    lines = reply.strip().splitlines()
    for at, line in enumerate(lines):
        if _NEXT_HEADING.match(line) and at + 1 < len(lines):
            listed = _under(lines[at + 1 :])
            return shorten("; ".join(one_line(x.strip(" -*•"), 160) for x in listed), 500)
    blocks = [b for b in re.split(r"\n\s*\n", reply.strip()) if b.strip()]
    found = [
        one_line(s, 240)
        for block in blocks[-2:]
        for s in sentences(block)
        if len(words(s)) >= _SAYING and _NEXT_LINE.search(s) and not is_offer_of_courtesy(s)
    ]
    return shorten(" ".join(found), 500)


def _under(lines: list[str]) -> list[str]:
    """The lines of a list, up to the blank line or heading after it."""
    out: list[str] = []
    for line in lines[:10]:
        if out and (not line.strip() or line.startswith("#")):
            break
        if line.strip():
            out.append(line)
    return out
