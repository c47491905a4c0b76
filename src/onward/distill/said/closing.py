"""Distil: the agent's last words, and what they say comes next."""

from __future__ import annotations

import re
from itertools import takewhile

from onward.distill.said.awaited import AWAITED
from onward.distill.said.cues import is_narration, is_offer_of_courtesy
from onward.distill.said.message import is_entry, leads, lines_of, unlisted, without_leads
from onward.distill.said.talk import Talk
from onward.distill.text import clamp, one_line, sentences, shorten, unfenced, words
from onward.model import Item, order_of

_LIMIT = 2400
_ANNOUNCED = 300
_INTENDED = 160
_NOTE = 1000
"""Characters of a document that was written for the person or for the next session."""
_HEAD = 60
"""Characters of an entry of a list that is told in a line."""
_INTENT = re.compile(
    r"""^\W*(?:(?:now|next|first|then|so|ok(?:ay)?|good|great|perfect|right)\b[\s,.!:-]*)*
      (?:let\s+me\s+(?!know\b)|let[’']s\s|i(?:[’']ll|\s+will|[’']m\s+going\s+to|\s+am\s+going\s+to|[’']m\s+about\s+to)\s+(?!(?:be|wait|leave|stop|not)\b)
      | vou\s | agora\s+vou\s | (?:ahora\s+)?voy\s+a\s | ich\s+werde\s)
    | ^\W*(?:现在|接下来|好的)?[\uff0c,\s]*(?:让我|我来|我将|我会|我先)""",
    re.IGNORECASE | re.VERBOSE,
)
"""How a sentence begins in which the agent says what it does next."""
_TAKES_BACK = re.compile(
    r"\W*(?:wait|actually|hmm+|hold\s+on|no,)\b|\W*(?:等等|不对)", re.IGNORECASE
)
_ALOUD = 3
"""Sentences of one that only thinks aloud, and at least one in so many."""
_WHOLE, _MORE = 1200, 60
"""Characters of a message beside its claim, and how many more than that they have to be."""
_SAYING = 4
"""Words below which a sentence says nothing of what to do."""
_REMEDY = re.compile(
    r"^\W*(?:the|a|one)\s+(?:\w+\s+)?(?:fix|remedy|cure|way\s+out)\b|\bto\s+(?:fix|mend|solve)\s+(?:it|this|that|both)\b"
    r"|^\W*(?:la\s+solución|die\s+lösung|la\s+solution)\b|修复方法|解决办法|解决方法",
    re.IGNORECASE,
)
_BEGINS = re.compile(r"#|>|\||```|[-*•+]\s|\d{1,3}[.)]\s")
"""How a line begins that does not go on with the one before it."""
_NEXT_HEADING = re.compile(
    r"^\W*(?:next|(?:(?:recommended|suggested|possible|immediate)\s+)?next\s+steps?(?:\s+\(?(?:recommended|suggested|optional)\)?)?|what(?:'s|\s+is)\s+next|remaining(?:\s+\w+)?|to\s*do|still\s+(?:open|to\s+do)|what(?:'s|\s+is)\s+left"
    r"|下一步\S*|后续\S*|接下来\S*|待办\S*|次のステップ|próximos\s+pass?os(?:\s+(?:recomendados|sugeridos|opcionais|opcionales))?|siguientes?\s+pasos?|nächste\s+schritte|prochaines\s+étapes|다음\s*단계)\W*$",
    re.IGNORECASE,
)
_NEXT_WORDS = re.compile(
    r"^\W*(?:next(?:\s+up)?(?:\s*[:,]|\s+(?:is|are|comes?)\b)|(?:that|this|which)\s+is\s+the\s+next\b"
    r"|(?:what|all\s+that)(?:\s+is|'s|’s)\s+(?:still\s+)?(?:left|missing|open)\b|after\s+(?:that|this)\b"
    r"|(?:remaining|to\s*do|still\s+(?:missing|left|open|to\s+do))\s*:"
    r"|(?:still\s+|now\s+)?faltan?\b|queda(?:n)?\b|(?:lo\s+)?siguiente\s*:|als\s+nächstes\b|es\s+fehl(?:t|en)\b|noch\s+offen\b"
    r"|il\s+reste\b|(?:下一步|接下来|还剩|剩下|待办|次は|残り))",
    re.IGNORECASE,
)
"""How a sentence begins that says what is to be done next."""
_NOTHING_LEFT = re.compile(r":\s*(?:nothing|none|nada|nichts|无)\b", re.IGNORECASE)
_NEXT_LINE = re.compile(
    r"\b(?:next\s+steps?|next,|next:|you\s+(?:can|should|need\s+to|will\s+need\s+to|may\s+need\s+to)\s+(?:now\s+)?\w+"
    r"|please\s+\w+|ready\s+(?:to|for)\s+(?:your\s+|the\s+|a\s+)?(?:test\w*|review\w*|merg\w+|deploy\w*|commit\w*|use|try|run|start)|to\s+test\b|restart|refresh|still\s+(?:needs?|to\s+do))\b"
    r"|下一步|接下来|请\S|刷新|重启|还需要|次は|próximo|siguiente|por\s+favor",
    re.IGNORECASE,
)


def closing(talk: Talk) -> Item[str] | None:
    """The agent's last message, shortened: only its own claim. Where it only announces the
    next act, what it had found since the person's last words stands in its place. Where it names a
    document that was just written, with how that begins.
    """
    if not talk.reply:
        return None
    found = talk.finding
    asked = talk.last_prompt()
    since = asked is None or order_of(talk.finding_place) > order_of(asked.place)
    if announces(talk.reply) and found and found != talk.reply and since:
        return Item(text=ends_of(found), evidence="claimed", places=(talk.finding_place,))
    text = "\n".join(filter(None, (ends_of(talk.reply), _written(talk))))
    return Item(text=text, evidence="claimed", places=(talk.reply_place,))


def _written(talk: Talk) -> str:
    """How the document begins that the agent wrote last and that its last words name."""
    path, text = talk.note_named() or ("", "")
    name = path.replace("\\", "/").rpartition("/")[2]
    return f"{name} begins:\n{ends_of(_unwrapped(text), _NOTE)}" if path else ""


def _unwrapped(text: str) -> str:
    """A document with each paragraph and each entry of a list on one line."""
    out = [""]
    for line in map(str.strip, text.splitlines()):
        goes_on = line and out[-1] and not _BEGINS.match(line) and not out[-1].startswith("#")
        out[-1:] = [f"{out[-1]} {line}"] if goes_on else [out[-1], line]
    return "\n".join(out[1:])


def announces(reply: str) -> bool:
    """Whether a message only says what comes next: "Now let me …:"."""
    return is_narration(reply) or (
        len(reply) <= _ANNOUNCED and reply.rstrip().endswith((":", "\uff1a", "…"))
    )


def intends(sentence: str) -> bool:
    """Whether a sentence says what the agent does next."""
    return bool(_INTENT.match(sentence))


def deliberates(reply: str) -> bool:
    """Whether a message only thinks aloud: it takes back what it said, or announces again and again."""
    said = sentences(unfenced(reply))
    meant = sum(intends(each) or bool(_TAKES_BACK.match(each)) for each in said)
    return meant >= _ALOUD and meant * _ALOUD >= len(said)


def whole(reply: str, told: str) -> str:
    """The lines of a message where they say more than the claim that is `told` of it; "" where they do
    not, and where it only thinks aloud.
    """
    lines = "" if deliberates(reply) else ends_of(reply, _WHOLE)
    return lines if len(lines) > len(told) + _MORE else ""


def intention(reply: str) -> str:
    """What a message says at its very end that the agent does next, in as many sentences as say so;
    "" where it says nothing of the kind, or makes it wait for something.
    """
    said = sentences(unfenced(reply))
    last = said[-1] if said else ""
    waits = "?" in last or "\uff1f" in last or AWAITED.search(last)
    meant = intends(last) and not waits and len(last) <= _ANNOUNCED
    before = takewhile(lambda each: intends(each) or is_narration(each), reversed(said[:-1]))
    meaning = " ".join([*list(before)[::-1], last]) if meant else ""
    return (meaning if len(meaning) <= _INTENDED else last).strip(" *_") if meant else ""


def planned(message: str) -> str:
    """The list of what a message says that the agent does now, led by a sentence that says so, in a
    line: `I'll add these: badges; a map pin`; "" for none.
    """
    lines = [line.strip() for line in unfenced(message).splitlines() if line.strip()]
    for at, line in enumerate(lines):
        lead = sentences(line)[-1:] or [""]
        if not (leads(line) and intends(lead[0])):
            continue
        listed = list(takewhile(is_entry, lines[at + 1 :]))
        if len(listed) > 1:
            heads = (one_line(unlisted(entry), _HEAD) for entry in listed)
            return clamp(f"{lead[0]} {'; '.join(heads)}", _ANNOUNCED)
    return ""


def ends_of(text: str, limit: int = _LIMIT) -> str:
    """A message as what it found: its first and last lines, and between them those that name
    something, under their headings.
    """
    lines = without_leads(lines_of(text))
    if sum(len(line.text) + 1 for line in lines) <= limit:
        return "\n".join(line.text for line in lines)
    last = len(lines) - 1
    kept = {n: shorten(lines[n].text, limit // 3) for n in (0, last)}
    room = limit - sum(len(line) + 1 for line in kept.values())
    inner = [n for n in range(1, last) if lines[n].kind != "heading"]
    for at in sorted(inner, key=lambda n: -_telling(lines[n].text)):
        above = next((n for n in range(at, 0, -1) if lines[n].kind == "heading"), at)
        new = {n: lines[n].text for n in (above, at) if n not in kept}
        size = sum(len(line) + 1 for line in new.values())
        if size <= room:
            kept |= new
            room -= size
    for at in [
        n for n in kept if n not in (0, last) and leads(lines[n].text) and n + 1 not in kept
    ]:
        del kept[at]  # what it leads to had no room
    gaps = {n for n in kept if n < last and n + 1 not in kept}
    return "\n".join(f"{line} […]" if n in gaps else line for n, line in sorted(kept.items()))


def _telling(line: str) -> int:
    """How much a line can be acted on: spans of code, emphasis, numbers and paths."""
    return (
        2 * line.count("`")
        + 2 * line.count("**")
        + len(re.findall(r"\d+|\w[/.]\w", line))
        - 4 * leads(line)
    )


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
    named = _named_next(blocks)
    if named:
        return named
    found = [
        one_line(s, 240)
        for block in blocks[-2:]
        for s in sentences(block)
        if len(words(s)) >= _SAYING and _NEXT_LINE.search(s) and not is_offer_of_courtesy(s)
    ]
    return shorten(" ".join(found), 500)


def _named_next(blocks: list[str]) -> str:
    """From the sentence that names the next step to the end of its paragraph; "" for none."""
    for block in reversed(blocks[-3:]):
        said = sentences(block)
        for at, sentence in enumerate(said):
            if _NEXT_WORDS.match(sentence) and not _NOTHING_LEFT.search(sentence):
                return shorten(" ".join(one_line(s, 300) for s in said[at:]), 500)
    return ""


def remedy(reply: str) -> str:
    """What a message says would mend what failed: its sentence on the fix, else on the next step;
    "" for neither.
    """
    said = next((s for s in sentences(reply) if _REMEDY.search(s)), "")
    return one_line(said or _named_next(re.split(r"\n\s*\n", reply.strip())), 300)


def _under(lines: list[str]) -> list[str]:
    """The lines of a list, up to the blank line or heading after it, without those that fence code."""
    out: list[str] = []
    for line in lines[:10]:
        if out and (not line.strip() or line.startswith("#")):
            break
        if line.strip() and not line.lstrip().startswith("```"):
            out.append(line)
    return out
