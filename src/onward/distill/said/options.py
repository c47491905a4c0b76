"""Distil: what short words pick: the numbered or lettered entries of the agent's message."""

from __future__ import annotations

import re

from onward.distill.text import WIDE, one_line, words

_LIMIT = 180
"""Characters of one option: its name and what it amounts to."""
_LONGEST = 300
"""Characters of words that pick; longer ones say by themselves what they want."""
_SHORT = 60
"""An entry below this is a heading: what it amounts to stands on the next line."""
_LAST_LISTS = 5
_ENTRY = re.compile(
    r"^[\s>#*•_-]*+(?:option|choice|plan|approach|variant|方案|选项)?\s*[(\[]?#?(?P<key>\d{1,2}|[A-Ea-e])"
    rf"(?:[)\].:\uff1a、*\uff09]+(?:[\s*_]+|(?=[{WIDE}]))|\s+[—–-]\s+|(?<=#\d)\s+|(?<=#\d\d)\s+)[\s*_:\uff1a]*(?P<text>\S.*)$",
    re.IGNORECASE,
)
_INLINE = re.compile(
    r"\((?P<key>[a-e]|\d)\)\s+(?P<text>[^()?\n]{3,160}?)(?=[,;]?\s*(?:or\s+|and\s+)?\(|[?.;\n]|$)"
)
_KEY = r"#?\d{1,2}|[A-Ea-e]"
_LEAD = (
    r"(?:(?:y|yes|yep|yeah|ok|okay|sure|sg|sgtm|hmm)\b[\s,.!:-]*)?"
    r"(?:(?:i\s+(?:like|think|prefer|choose|pick|want)|i'd|let'?s|please|do|go|with|take|try|use|for|the|options?|choices?"
    r"|numbers?|variant|plan|way|approach|opción)\s+|[方选][案项]?\s*|第)*"
)
_FIRST = re.compile(
    rf"\W*{_LEAD}\W*(?P<keys>(?:{_KEY})(?:\s*(?:,|/|and|&|\+|y|和|、)\s*(?:{_KEY}))*)(?![\w'’-])(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_NAMED = re.compile(
    r"\b(?:options?|choice|do|variant)\s+\(?(\d|[A-E])\)?(?!\w)|\(([a-eA-E])\)|方案\s*([A-E\d])|#(\d{1,2})\b"
)
_FOLLOWS = re.compile(
    r"\s*(?:$|[^\w\s]|[个项吧]|(?:and|but|with|is|are|for|please|then|now|too|looks|seems|first|only|as)\b)",
    re.IGNORECASE,
)
"""What may stand after a key: "2 is right", but not "2 tables"."""
_ANSWERS = re.compile(r"^[ \t]*\d{1,2}[.)][ \t]+\S", re.MULTILINE)


def entries(message: str) -> dict[str, str]:
    """The listed entries of a message by their marks (`1`, `B`), shortened. Of several lists
    the last one counts: a choice answers the end of a message.
    """
    found = {m["key"].upper(): one_line(m["text"], _LIMIT) for m in _INLINE.finditer(message)}
    lines = message.splitlines()
    for at, line in enumerate(lines):
        entry = _ENTRY.match(line.strip())
        if entry is not None:
            found[entry["key"].upper()] = _whole(
                entry["text"], lines[at + 1 :], heading=line.lstrip().startswith(("#", "**"))
            )
    return found


def _whole(text: str, after: list[str], *, heading: bool) -> str:
    """An entry with the line that explains it."""
    more = next((line for line in after[: 2 if heading else 1] if line.strip()), "")
    explains = (
        len(text) < _SHORT and more and not _ENTRY.match(more.strip()) and not more.startswith("#")
    )
    told = f"{text} {more.strip(' -*•>')}" if explains else text
    return one_line(told.replace("**", "").replace("__", ""), _LIMIT)


def keys(text: str) -> tuple[str, ...]:
    """The marks that words pick: `1 + 2` → `1`, `2`; none where the numbers only count."""
    if len(text) > _LONGEST or are_answers(text):
        return ()
    found = [next(filter(None, groups)).upper() for groups in _NAMED.findall(text)]
    first = _FIRST.match(text)
    if first is not None:
        listed = [k.upper() for k in re.findall(r"\b(?:\d{1,2}|[A-Ea-e])\b", first["keys"])]
        if _picks(listed, first["keys"], first["rest"]):
            found = [*listed, *found]
    return tuple(dict.fromkeys(found))


def are_answers(text: str) -> bool:
    """Numbered lines that answer the numbered questions before them."""
    return len(_ANSWERS.findall(text)) > 1 and bool(_ANSWERS.match(text))


def _picks(listed: list[str], spelt: str, rest: str) -> bool:
    """A lone capital from B on is no word of any sentence; other marks need a fit sequel."""
    return (len(listed) == 1 and spelt in "BCDE") or _FOLLOWS.match(rest) is not None


def picked(text: str, offer: str) -> str:
    """Words like "2" or "1 + 2, but small" with the options of an offer that they pick."""
    options = entries(offer)
    found = {k: options[k] for k in keys(text) if k in options and options[k][:20] not in text}
    if not found:
        return text
    if len(found) == 1 and len(words(text)) <= 2:
        return f"{text.strip()}: {next(iter(found.values()))}"
    return f"{text.strip()} ({'; '.join(f'{key}: {option}' for key, option in found.items())})"


def rest_of(text: str, offer: str) -> tuple[str, ...]:
    """The options of an offer that words do not pick."""
    chosen = keys(text)
    return tuple(f"{k}: {one_line(o, 80)}" for k, o in entries(offer).items() if k not in chosen)


def listed(text: str, messages: list[str]) -> str:
    """What `#6` in a request stands for: the entry of the newest message whose list is long
    enough to have one; "" for none.
    """
    told: list[str] = []
    for mark in dict.fromkeys(re.findall(r"#(\d{1,2})\b", text)):
        for message in messages[::-1][:_LAST_LISTS]:
            found = entries(message)
            if mark in found and (f"#{mark}" in message or len(found) >= int(mark)):
                told.append(f"#{mark}: {found[mark]}")
                break
    return "; ".join(told)
