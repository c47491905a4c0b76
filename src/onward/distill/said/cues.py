"""Distil: what words tell of a prompt, where its place in the session does not.

Cue words come second: sessions are held in every language, and a list is never complete.
Each predicate is precise rather than complete, and is asked only of short, typed text.
"""

from __future__ import annotations

import re
from functools import lru_cache

from onward.distill.text import WIDE, prose, vocabulary, words

_ASSENT = vocabulary(
    """yes y yep yeah yup ya lg sg lgtm sure ok okay okey k go ahead continue proceed both all agreed approve
    approved resume confirm confirmed absolutely definitely exactly
    sí si dale vale claro hazlo adelante continúa continua sigue procede ambos todo todos
    ja weiter genau mach oui continuez vas-y sim pode prossiga"""
)
_FILLER = vocabulary(
    """please do it that them those this now and then to the work of on keep going carry let's
    lets start with you can from where left off again good great perfect fine right correct
    sounds looks nice cool awesome thanks thank thx next step steps ship made working everything rest i am i'm ready por
    favor gracias bien bitte danke merci"""
)
_ASSENT_WIDE = re.compile(
    r"(?:请|請|那|就)?(?:继续|繼續|好|好的|是|是的|可以|行|对|對|嗯|开始|開始|同意|确认|確認|执行|做|都要|都可以|没问题|"
    r"沒問題|全部|推进|はい|続けて|続行|お願いします|いいよ|いいです|了解|네|계속|진행)+(?:吧|了|的|做|ください|해|해줘|하세요)?"
)
_COURTESY_WORDS = vocabulary(
    """hi hello hey there morning evening good thanks thank you very much so a lot bye goodbye
    goodnight night see tomorrow great perfect nice cool awesome excellent amazing wow lol haha
    test ping hola gracias adiós adios hallo danke tschüss merci bonjour salut obrigado 你 好 谢
    谢 晚 安 再 见 您 明 天"""
)
_FAREWELL = re.compile(
    r"\W*(?:good\s?night|good\s?bye|bye|see\s+you|thanks|thank\s+you|晚安|再见|谢谢)\b[^?]*$",
    re.IGNORECASE,
)
_PICK = re.compile(
    r"^\W*(?:options?|choices?|number|plan|variant|opción|方案|选项?|第)?\s*(?:\d|[a-eA-E])"
    r"(?:\s*(?:(?:,|and|&|\+|和|y|/)\s*)?(?:\d|[a-eA-E]))*\W*(?:个|項|please)?\W*$"
    r"|\boptions?\s+(?:\d|[a-e]\b)|\bthe (?:first|second|third|latter|former|last) (?:one|option)"
    r"|\b(?:both|all (?:of (?:them|these|those)|two|three|four))\b|方案\s*[\dA-E一二三]|选\s*[\dA-E一二三]|第[一二三\d]个",
    re.IGNORECASE,
)
_CORRECTION = re.compile(
    r"""^\W*(?:
      no[,.!]?\s+\S | nope[,.]\s | stop\b | wrong\b | wait\b | incorrect\b | undo\b | revert\b
    | why\s+(?:are|did|do|would|were|is|isn't|don't|aren't|didn't)\s+you\b
    | (?:that|this|it)(?:'s|s|\ is)\s+(?:not|wrong|still)\b | not\s+what\b
    | (?:please\s+)?(?:don't|dont|do\s+not)\b | still\s+\S
    | (?:i\s+think\s+|i\s+suspect\s+)?you(?:\s+just)?\s+(?:broke|forgot|missed|didn't|did\s+not|are\s+not|aren't|ignored|keep|were\s+supposed)
    | i\s+(?:said|told\s+you|already|meant|didn't\s+(?:ask|want|say))\b | actually\b | hmm+[,.]*\s+(?:no|that|why|but)
    | 不对 | 不是 | 错了 | 别 | 不要 | 停 | 为什么 | 怎么(?:又|还|会) | 还是 | 我说 | 我是说 | 你没 | 没有\S*(?:啊|呀)
    | いや | 違 | やめ | ちがう | 아니
    | no[,.]\s*(?:eso|así)? | espera\b | para\b[,.!] | eso\s+no\b | nein\b | falsch\b | stopp\b | arrête | non[,.]\s
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_RULE = re.compile(
    r"""(?:^[\W_]*|[,;:.]\s+|\b(?:please|should|must|you|we|and|but|to|can|rule)\W+)
      (?:always|never)(?!\s+(?:been|had|was|is|are|did|does|got|get|seen|saw|work|happen|mind|have|has|there|we|used|called|reached|defined))\b
    | \b(?:from\s+now\s+on|going\s+forward|every\s+time\s+you|i\s+(?:really\s+)?prefer|must\s+not|no\s+exceptions
      | (?:strictly\s+|please\s+)?follow\b.{0,40}\b(?:guid\w*|rules?|conventions?|standards?|style)
      | (?:answer|reply|respond|write|speak|comment\w*)\b.{0,30}\bin\s+(?:english|german|spanish|french|portuguese|chinese|japanese|korean|italian)
    | in\s+(?:english|german|spanish|french|portuguese|chinese|japanese|korean|italian)\W+please
    | use\s+(?!(?:it|this|that|them|the|a|an)\b)(?:`[^`\n]{1,40}`|[^\s`]+)\s+(?:instead\s+of|not|rather\s+than|when(?:ever)?|for\s+all)
    | (?:siempre|nunca|immer|niemals|toujours|jamais|sempre)\s+\w+)\b
    | 以后(?:都|请|要|不要|必须|统一|一律) | 每次\S{0,14}(?:都|必须|要) | 务必 | 一律 | 禁止 | 永远(?:不要|都)
    | 必ず | 絶対に | 常に | 항상 | 절대""",
    re.IGNORECASE | re.VERBOSE,
)
_CHOICE = re.compile(
    r"""\b(?:let'?s\s+(?:use|keep|skip|go\s+with|not|drop|leave|stick|call|move)\b
    | i(?:'ve|\s+have)?\s+decided | i(?:'d|\s+would)\s+(?:rather|prefer) | instead\b | rather\s+than\b | (?:only|just)\s+use\b
    | no\s+need\s+to\b | for\s+now\b | use\s+\S+\s+not\b | (?:do\s+not|don't)\s+(?:use|add|create|change|touch|commit|push|remove|write|do|make|include|need|worry)\b
    | prefiero | mejor\s+(?:usa|haz) | en\s+vez\s+de | usemos | lieber | stattdessen | plutôt)
    | 改成 | 改为 | 改用 | 不要 | 不用 | 先不 | 就用 | 采用 | 換成 | 换成 | ではなく | にして""",
    re.IGNORECASE | re.VERBOSE,
)
_LATER = re.compile(
    r"""\b(?:to-?do\s+list | (?:do|fix|handle|address|add|look\s+at|deal\s+with|tackle|revisit|come\s+back\s+to|discuss|leave|save|worry\s+about)\b[^.?!\n]{0,40}\blater
    | later\s+on | (?:for|until)\s+later | follow[\s-]?ups?\b | not\s+urgent | no\s+rush | backlog | low\s+priority
    | (?:to\s+)?investigate\s+(?:list|later) | for\s+now | (?:in|for)\s+(?:the\s+)?future(?=\s*(?:[.,;:!)]|$|we\b|i\b|you\b)) | (?:as\s+a|in\s+a|a)?\s*separate\s+(?:pr|pull\s+request|issue|ticket|commit|task)
    | (?:next|another|future)\s+(?:pr|pull\s+request|sprint|release|version|iteration) | park\s+(?:this|that|it)
    | más\s+(?:tarde|adelante) | por\s+ahora | luego\s+(?:lo|vemos) | später | vorerst | plus\s+tard | pour\s+l'instant | (?:p(?:ara|ra)\s+depois) | mais\s+tarde | por\s+enquanto)\b
    | 以后再 | 稍后 | 之后再 | 晚点 | 暂时 | 先不 | 回头再 | 后续再 | 後で | とりあえず | 今は | 나중에 | 일단""",
    re.IGNORECASE | re.VERBOSE,
)
_OFFER_OF_COURTESY = re.compile(
    r"""let\s+me\s+know\b(?!\s+(?:which|whether)) | anything\s+else | any(?:\s+other)?\s+(?:questions|thoughts|changes)\b
    | what\s+(?:would|do)\s+you\s+(?:like|want)\s+(?:me\s+)?to\s+(?:work\s+on|do|tackle|focus\s+on|explore|build)\b
    | what(?:'s|\s+is)\s+next | how\s+(?:can|may)\s+i\s+(?:help|assist) | what\s+can\s+i\s+help | want\s+to\s+tackle\s+any
    | make\s+sense\s*\? | sound\s+good\s*\? | 还有(?:什么|其他|别的) | 需要我.{0,6}(?:别的|其他) | 有什么(?:可以|需要) | ¿algo\s+más | noch\s+etwas | 他に""",
    re.IGNORECASE | re.VERBOSE,
)
_NAMES_COMMIT = re.compile(r"\b(?:commit|push|pull request|PR)\b|提交|推送|コミット", re.IGNORECASE)


_LONGEST_COURTESY = 120
_ASKED_AGAIN = 256
"""Prompts whose kind is kept in mind: each finding asks for it anew."""
_LOOKED_AT = 2000
"""Characters of either end of a prompt in which what a person typed is looked for."""
_LONGEST_NARRATION = 300
_NARRATION = re.compile(
    r"\W*(?:now\b|let me\b|i'll\b|i will\b|next\b|first\b|good\b|great\b|perfect\b|running\b|reading\b|"
    r"现在|让我|接下来|好的|次に|ahora\b|agora\b|vou\b)|[^\n]*[:\uff1a]\W*$",
    re.IGNORECASE,
)


@lru_cache(maxsize=_ASKED_AGAIN)
def is_assent(text: str) -> bool:
    """A bare go-ahead ("yes", "do it", "继续"): means nothing without what it answers."""
    bare = re.sub(r"[\s。\uff0c、\uff01!,.~\uff5e…]+", " ", text.strip().lower()).strip()
    if not bare:
        return bool(text.strip())  # a lone "." sends the agent on
    if len(bare) > 60:
        return False
    if re.search(f"[{WIDE}]", bare):
        return all(_ASSENT_WIDE.fullmatch(part) for part in bare.split())
    found = words(bare)
    if not 0 < len(found) <= 8:
        return False
    core = _ASSENT | {"do", "start", "next", "going", "go", "ship"}
    return all(w in _ASSENT or w in _FILLER for w in found) and any(w in core for w in found)


@lru_cache(maxsize=_ASKED_AGAIN)
def is_courtesy(text: str) -> bool:
    """A greeting, thanks or a farewell, and nothing else."""
    if len(text) > _LONGEST_COURTESY:
        return False
    found = words(text)
    if len(found) <= 6 and _FAREWELL.match(text):
        return True
    return 0 < len(found) <= 8 and all(word in _COURTESY_WORDS for word in found)


def is_pick(text: str) -> bool:
    """A choice out of what was offered: "2", "both", "ok, option 2"."""
    return len(text) <= 300 and bool(_PICK.search(text.strip()))


@lru_cache(maxsize=_ASKED_AGAIN)
def is_substantial(text: str) -> bool:
    """Words that ask for something by themselves; a pasted log alone does not."""
    typed = prose(text[:_LOOKED_AT]) or prose(text[-_LOOKED_AT:])
    return len(words(typed)) >= 3 and not is_assent(typed) and not is_courtesy(typed)


def is_correction(text: str) -> bool:
    """Opens by telling the agent that it is wrong. A bare "no" is an answer."""
    return bool(_CORRECTION.match(text)) and len(words(text)) >= 2


def is_rule(sentence: str) -> bool:
    """A manner for all that follows: "always …", "from now on …"."""
    return len(sentence) <= 400 and bool(_RULE.search(sentence))


def is_choice(sentence: str) -> bool:
    """Says which way to go: "let's use …", "… instead"."""
    return len(sentence) <= 400 and bool(_CHOICE.search(sentence))


def is_later(sentence: str) -> bool:
    """Puts something off: "add it to the todo list", "for now"."""
    return len(sentence) <= 400 and bool(_LATER.search(sentence))


def is_offer_of_courtesy(question: str) -> bool:
    """A question that asks for nothing in particular: "Anything else?"."""
    return bool(_OFFER_OF_COURTESY.search(question))


def names_commit(question: str) -> bool:
    """A question about committing, pushing or a pull request."""
    return bool(_NAMES_COMMIT.search(question))


def is_question(text: str) -> bool:
    """Words that ask back instead of deciding."""
    return bool(re.search(r"[?\uff1f][^\w?\uff1f]*\Z", text))


def is_narration(text: str) -> bool:
    """The agent telling what it is about to do: offers nothing and asks nothing."""
    return len(text) <= _LONGEST_NARRATION and bool(_NARRATION.match(text)) and "?" not in text
