"""Distil: what a prompt does: ask back, reproach, remark on something, point at what was said.

Cue words of English first, for only there can a remark be told from a request by its words;
what is not seen here is taken for a request.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from onward.distill.said.cues import is_question
from onward.distill.text import WIDE, prose, sentences, vocabulary, words

_INTERROGATIVE = re.compile(
    r"""\W*(?:(?:so|and|but|ok|hmm+)[\s,.]+)*(?:how(?!\s+about) | what | where | who | why | which
      | when\s+(?:is|are|do|does|did|will|can|should)
      | (?:is|are|was|were|does|did|has|have)\s+(?:it|this|that|these|those|the|you|we|they|there)
      | do\s+(?:i|you|we|they)
      | can\s+you\s+(?:explain|tell|show) | tell\s+me)\b | 为什么 | 怎么 | 什么 | 哪 | 你现在是""",
    re.IGNORECASE | re.VERBOSE,
)
_THOUGHTS = re.compile(
    r"[,.]\s*(?:any\s+)?thoughts\W*$|\bwhat\s+(?:would|do)\s+you\s+(?:suggest|think)\b",
    re.IGNORECASE,
)
_WONDERS = re.compile(
    r"\W*(?:(?:so|and|but|or|ok|hmm+)\W+)*(?:(?:should|shall|can|could|would|does|did|is|are)\s+"
    r"(?:i|we|you|it|there|this|that|they|the)|do\s+(?:i|you|we|they))\b|.*\b(?:can|could|should|shall) we\b",
    re.IGNORECASE,
)
"""How a sentence begins that asks, with its mark or without."""
_REPROACH = re.compile(
    r"""\W*(?:you\s+(?:switched|broke|forgot|missed|didn'?t|did\s+not|ignored|keep|were\s+supposed|should\s*n.t|lost|deleted|misinterpreted|only|just)
      | why\s+(?:did|do|would|were|is|isn'?t|are|aren'?t|didn'?t|don'?t)\b | what\s+(?:good\s+is|were\s+you|are\s+you\s+doing)
      | wrong\b | (?:that|this)(?:'s|\s+is)\s+(?:not|wrong)\b | not\s+what\b
      | (?:i\s+think|i\s+suspect)\s+you\b | there\s+is\b.*\b(?:unaware|claim)\b | 不对 | 错了 | 怎么又 | 怎么还 )""",
    re.IGNORECASE | re.VERBOSE | re.DOTALL,
)
_LONGEST_REPROACH = 600
_ORDER = 5
"""So many words more after a reproach say what to do."""
_REPORT = re.compile(r"\W*(?:still\b|(?:it|that|this)(?:'|’)?s\s+(?:not|still)\b)", re.IGNORECASE)
_REMARK = re.compile(
    r"""\W*(?:there\s+(?:is|are|was|were)\b | (?:my\s+apologies|sorry|oops|i\s+misclicked|thank|thanks|interesting|funny|nice|weird)\b
      | i\s+(?:"?(?:did|fixed|tweaked|created|changed|pushed|amended|merged|deleted?|ran|added|updated|removed)"?|have\s+(?:just|already)|just|see\b)
      | (?:he|she|they|you|we)(?:'re|'s|\s+(?:is|are|was|were|did|do|have|has|switched))\b | this\s+(?:will|is)\b | that\s+\w+\s+should\b | i\s+don(?:'|’)?t\s+like\b | that(?:'s|\s+is)\s+(?:the\s+)?(?:right|fine|good)
      | (?:sg|sgtm|lgtm|np|whoops|technically|amended|to+\s+(?:much|many|long|short)|you\s+can)\b
      | (?:done|yes|yep|no|nope)\b[\s,.!-]*(?:$|i\b|i'm|the\b|that\b|it\b|you\b)
      | [“"(] )""",
    re.IGNORECASE | re.VERBOSE,
)
_SHORT_REMARK = 6
_REFINES = re.compile(
    r"""\W*(?:(?:ok(?:ay)?|good|great|nice|perfect|thanks|thank\s+you|yes|yeah|fine)\b[\s,.!:-]+)*(?:
      not\s+[^.?!:,;\n]{1,40}[:,;] | [^.?!\n]{1,60}\blater\b[^.?!\n]{0,60}[.;,]\s*but\b
    | (?:and\s+)?(?:now|next|then)\s+(?:for\s+)?(?:the|that|this)\s+[\w-]+\s*[.,;!\n] | (?:and\s+)?also\b | (?:keep|bear)\s+in\s+mind\b
    | (?:and|but)\s+(?:don't|do\s+not|never|always|make\s+sure|keep|leave|mind)\b
    | (?:no\s+|nicht\s+|no,\s*)?(?:außerdem|también|además|aussi)\b | 另外 | 还有 | 记住 | 不要 | 别 )""",
    re.IGNORECASE | re.VERBOSE,
)
_OPENING = 200
_WEIGHTLESS = vocabulary(
    """a an the i you we it this that these those them both all and or but then now next so to of
    in on for with please ok okay let's lets do does did go ahead start begin continue plan
    implement add fix make release commit push merge amend change changes update write is are be
    can could would should will my our your me us at separately reply comment review pr first
    one more again just also think want need like have sgtm lgtm sg if as by from up out not no
    yes into how why what when which status file"""
)
_POINTS = re.compile(
    r"\b(?:it(?!\s+(?:seems|looks|appears|turns))|this|that|these|those|them|both|such|esto|eso|isso|das|dies)\b|这|那|它|上面|以上|これ|それ",
    re.IGNORECASE,
)
_OFFER = re.compile(
    r"\b(?:i\s+can|i\s+could|we\s+(?:can|could)|shall|should\s+(?:i|we)|would|want|if\s+you|ready\s+to|let\s+me\s+know|say\s+go|next\b|options?)\b"
    r"|如果|可以|建议|下一步|posso|puedo",
    re.IGNORECASE,
)
_LISTED = re.compile(r"^[ \t]*(?:[-*•]|\d{1,3}[.)]|[A-Ea-e][.)])[ \t]", re.MULTILINE)
_LOOKED_AT = 2000


def asks_back(text: str) -> bool:
    """A question, with its mark, by its first word, or one that ends in asking for thoughts."""
    return is_question(text) or bool(_THOUGHTS.search(text)) or bool(_INTERROGATIVE.match(text))


def wonders(text: str) -> bool:
    """Asks which way to go rather than saying it: "Can we undo it with", "Should it be one file"."""
    return asks_back(text) or bool(_WONDERS.match(text))


def is_reproach(text: str) -> bool:
    """Tells the agent that it did wrong, without saying what to do instead."""
    if len(text) > _LONGEST_REPROACH or not _REPROACH.match(text):
        return False
    rest = sentences(text)[1:]
    return all(asks_back(s) or is_remark(s) or len(words(s)) < _ORDER for s in rest)


def is_report(text: str) -> bool:
    """Tells that something is still as it was: "still no delete button"."""
    return bool(_REPORT.match(text))


def is_remark(text: str) -> bool:
    """Tells something and asks for nothing: "There is a new branch", "I misclicked, oops!"."""
    if _REMARK.match(text):
        return True
    found = words(text)
    return len(found) <= _SHORT_REMARK and bool({"is", "are", "was", "were"} & set(found[1:4]))


def weighty(text: str) -> set[str]:
    """The words that say what a text is about."""
    return {word for word in words(text) if word not in _WEIGHTLESS}


def shared(text: str, other: str) -> int:
    """How many of the words that say what a text is about stand in another one too; of scripts
    without spaces three characters count as one.
    """
    return _counted(weighty(text) & weighty(other))


def weight(text: str) -> int:
    """How many words of a request say what it is about: none in "ok, now do it"."""
    found = [w for w in words(prose(text[:_LOOKED_AT])) if w not in _WEIGHTLESS]
    return _counted(found)


def _counted(found: Collection[str]) -> int:
    wide = sum(bool(re.match(f"[{WIDE}]", word)) for word in found)
    return len(found) - wide + wide // 3


def refines(text: str) -> bool:
    """Words that correct the work or add to it, and do not say what it is: "not X: Y", "X later,
    but …", "now the option", "also keep in mind …".
    """
    return bool(_REFINES.match(text[:_OPENING]))


def points(text: str) -> bool:
    """Short words about something that they do not name: "plan this out", "is it?"."""
    return bool(_POINTS.search(text))


def is_offer(paragraph: str) -> bool:
    """A paragraph that a go-ahead may answer: an offer or a list, no report of what was done."""
    return bool(_OFFER.search(paragraph)) or len(_LISTED.findall(paragraph)) > 1
