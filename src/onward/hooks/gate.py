"""Hooks: whether a prompt is worth the start of a child that looks at it closely.

Most prompts neither say good-bye nor settle anything. This looks for the words without which
the recognisers of both (`distill.said.farewell`, `distill.said.significant`) find nothing: it
may let more through, never less, and it imports nothing.
"""

from __future__ import annotations

from itertools import pairwise  # built in: costs nothing

_FAREWELL_END = 400  # characters; these four are the recognisers' own limits
_FAREWELL_SHORT = 60
_LONGEST = 800
_CORRECTION = 240
_PICK = 300


def _marks(text: str) -> tuple[str, ...]:
    return tuple(text.split("|"))


_LEAVES = _marks(
    "night|bye|ciao| gn | cya | ttyl | farewell | so long | adios | adiós | see y| see u | catch y| catch u | meet y"
    "| meet u | c y| c u | talk| speak| chat|tomorrow|monday|next week|next time| for now | for today | for the day "
    "| for this week | call it | calling it | to bed | to sleep | sleep | head out | head off | head home | heading "
    "| headed | turn in | turning in | sign off | signing off | log off | log out | logging o| gotta | got to go "
    "| to go | to leave | to run | must go | must leave | must run | should go | should leave | should run |evening"
    "|weekend| rest of | sweet dreams | bis |tschüs|tschüss|auf wiedersehen|feierabend|schönen abend|bonne | à "
    "|nacht|au revoir|buenas noches| hasta | nos vemos | chao |boa noite| até | tchau |notte|a domani|arrivederci"
    "|спокойной ночи|до завтра|до свидания|доброй ночи|пока"
)
_LEAVES_WIDE = _marks(
    "晚安|见|見|拜拜|掰掰|86|88|休息|睡|下班|收工|下线|下了|撤了|溜了|到这|到這|明天|おやすみ|また明日|さようなら|またね"
    "|失礼します|잘자|안녕히|내일봐|내일뵙"
)
_LEAVES_SHORT = _marks(
    " exit | quit | logout | log | logoff | sign | signout | q | wq | peace | off | out | leaving | logging "
    "|退出|登出|注销|88"
)
_SETTLES = _marks(
    "always|never|from now on|going forward|every time you|prefer|must not|no exceptions|follow|in english|in german"
    "|in spanish|in french|in portuguese|in chinese|in japanese|in korean|in italian|instead|rather|siempre|nunca|immer"
    "|niemals|toujours|jamais|sempre|let's |lets |decided|no need to|for now|don't |do not |dont |use |mejor |en vez de"
    "|usemos|prefiero|lieber|stattdessen|plutôt|以后|每次|务必|一律|禁止|永远|必ず|絶対に|常に|항상|절대|改成|改为|改用|不要"
    "|不用|先不|就用|采用|換成|换成|ではなく|にして"
)
_LAYS_DOWN = _marks(
    "should|must|only|never|always|instead|rather|keep|leave|without|supposed|, not|don't|dont|do not|不要|不用|别|改"
)
_DENIES = ("no", "nope", "nein", "non")
_DENIES_SO = ("i said", "i told you", "i meant", "不是", "不对", "错了", "いや")
_OPENS = frozenset(
    _marks(
        "stop|wrong|wait|incorrect|undo|revert|why|that|this|it|thats|its|not|please|don|dont|do|still|i|you|actually"
        "|espera|para|eso|falsch|stopp|thiss"
    )
)
_OPENS_WIDE = _marks(
    "不对|不是|错了|别|不要|停|为什么|怎么|还是|我|你没|没|いや|違|やめ|ちがう|아니|arrête"
)
_LEADS = frozenset(
    _marks(
        "y|yes|yep|yeah|ok|okay|sure|sg|sgtm|hmm|i|like|think|prefer|choose|pick|want|d|let|s|lets|please|do|go|with"
        "|take|try|use|for|the|option|options|choice|choices|number|numbers|variant|plan|way|approach|opción|"
    )
)
_NAMES_KEY = ("option", "options", "choice", "do", "variant")


def may_matter(prompt: str) -> bool:
    """False where a prompt is surely no farewell and settles nothing."""
    text = prompt.strip()
    return bool(text) and (_may_leave(text) or _may_settle(text))


def _may_leave(text: str) -> bool:
    low = f" {_words(text[-_FAREWELL_END:].casefold())} "
    if any(mark in low for mark in _LEAVES):
        return True
    if len(text) <= _FAREWELL_SHORT and any(mark in low for mark in _LEAVES_SHORT):
        return True
    return not low.isascii() and any(mark in low.replace(" ", "") for mark in _LEAVES_WIDE)


def _may_settle(text: str) -> bool:
    if len(text) > _LONGEST or text[:1] in "</!#":
        return False
    low = " ".join(_fold(text).split())
    if "[image #" in low or any(mark in low for mark in _SETTLES):  # words stand behind pictures
        return True
    if len(text) <= _CORRECTION and _may_correct(low):
        return True
    return len(text) <= _PICK and _may_pick(low)


def _may_correct(low: str) -> bool:
    words = _words(low)
    first = words.partition(" ")[0]
    if first in _DENIES or words.startswith(_DENIES_SO):
        return True
    opens = first in _OPENS or first.startswith("hm") or words.startswith(_OPENS_WIDE)
    return opens and any(mark in low for mark in _LAYS_DOWN)


def _may_pick(low: str) -> bool:
    if "方案" in low or "#" in low or any(f"({key})" in low for key in "abcde"):
        return True
    words = _words(low).split()
    if any(_is_key(word) and before in _NAMES_KEY for before, word in pairwise(words)):
        return True
    first = next((word for word in words if word.lstrip("方选案项第") not in _LEADS), "")
    return _is_key(first.lstrip("方选案项第"))


def _is_key(word: str) -> bool:
    return (len(word) <= 2 and word.isdigit()) or word in {"a", "b", "c", "d", "e"}


def _fold(text: str) -> str:
    """As a regular expression sees letters whose case it is not to mind."""
    return text.lower().replace("i\u0307", "i").replace("\u0131", "i").replace("\u017f", "s")


def _words(text: str) -> str:
    """Only letters and digits, one blank between the words."""
    return " ".join("".join(c if c.isalnum() else " " for c in text).split())
