"""Distil: whether a message says good-bye, and does not only speak of it.

The documents' signals for a closing session are "goodnight", "晚安", "logout", "exit" and
"明天见"; here with their close kin. A missed one costs nothing (other signals follow), so
whatever could be code, a name, a question or an order counts as no farewell.
"""

from __future__ import annotations

import re

_LOOKED_AT = 400
"""Characters of a message's end in which a farewell is looked for."""
_SHORT = 60
_CLAUSE = re.compile(
    r"(?<![.!])[.!]++(?=\s|$)|[。\uff01;\uff1b\n…~\uff5e]+|\s[-–—]+\s|\s--+\s|[,\uff0c、]"
)
_QUESTION = re.compile(r"[?\uff1f][^\w?\uff1f]*\Z")
_CODE = re.compile(r"[`\"“”„«»「」『』<>{}()=$|\\@_#*]|(?<!\w)'|\w[./:-]+\w|\w/")
"""Signs of code, of a name or of a quotation."""
_HYPHEN = re.compile(r"(?<=good)-", re.IGNORECASE)
_WHEN = (
    r"(?: (?:tomorrow|later|soon|then|there|around|again|now|tonight|today|everyone|everybody|all"
    r"|guys|folks|team|mate|buddy|(?:my )?friend|for (?:now|today)|next (?:week|time)"
    r"|(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:in the )?(?:morning|afternoon|evening)"
    r"|in (?:a bit|an hour|a few hours)|(?:and )?(?:thanks|thank you)|okay|ok)(?!\S))*+"
)
_NAMED = (
    r"(?: (?!(?:world|pages?|messages?|button|screen|text|string|function|script|routes?|command"
    r"|handler|event|modal|view|e?mail|component|code|bug|tests?|mode|moon|label|files?|template"
    r"|endpoint|api|method|class|hook|prompt|response|reply|greetings?|songs?|dialog|shift|watch"
    r"|is|are|was|to|from|in|on|at|by|of|with|as|not|does|should|if|when|because)\b)[^\W\d_]{2,})?"
)
"""One word of whom it is said to, which is no thing that is made of code."""
_DAY = r"(?:today|tonight|the day|the night|this week)"
_WILL = (
    r"(?:(?:i m|im|i am|i ll|we re|we ll|let s|lets|let me|time to|going to|gonna|i think|we can"
    r"|we should|i will|we will) )*"
)
_THAT = r"(?:that s|thats|that is|this is|it s|(?:this|that) ?(?:ll|will) be)"
_STOP = (
    r"(?:wrap(?:ping)?(?: (?:it|this|things))? up|stop(?:ping)?(?: (?:here|there|it|this))?|pause here"
    r"|end(?:ing)? (?:it )?here|finish(?:ing)?(?: here)?|quit(?:ting)?|leave it(?: (?:here|there|at that))?)"
)
_GO_ON = r"(?:continue|resume|carry on|go on|pick (?:this|it)(?: back)? up|finish)"
_STRONG = re.compile(
    "|".join(
        (
            rf"(?:good ?night|g ?night|night night|nighty night|good ?bye|bye ?bye|bye|ciao){_NAMED}{_WHEN}",
            rf"(?:gn|cya|ttyl|farewell|so long|adi[oó]s){_WHEN}",
            rf"{_WILL}(?:see|catch|meet|c) (?:you|ya|u|yall|y all){_WHEN}",
            rf"{_WILL}(?:talk|speak|chat)(?: (?:to|with))?(?: (?:you|ya|u))? (?:tomorrow|later|soon|next week){_WHEN}",
            r"(?:until|till|til) (?:tomorrow|next (?:week|time)|monday)",
            rf"(?:i think )?(?:{_THAT} )?(?:all|it|enough|everything)(?: (?:from me|i need|i have))? for (?:now|{_DAY}){_WHEN}",
            rf"{_WILL}(?:we are |all )?done for {_DAY}{_WHEN}",
            rf"{_WILL}call(?:ing)? it (?:a day|a night|quits){_WHEN}",
            rf"{_WILL}{_STOP} for {_DAY}{_WHEN}",
            rf"{_WILL}(?:(?:go(?:ing)?|off|head(?:ing|ed)?)(?: off)? to (?:bed|sleep)|head(?:ing|ed)? (?:out|off|home)|turn(?:ing)? in){_WHEN}",
            rf"{_WILL}(?:sign(?:ing)? off{_WHEN}|log(?:ging)? (?:off|out) (?:now|for {_DAY}))",
            rf"{_WILL}{_GO_ON}(?: (?:this|it|here|with (?:this|it)|again|from here))* (?:tomorrow|next week|on monday){_WHEN}",
            rf"(?:i )?(?:gotta|got to|have to|need to|must|should) (?:go|leave|run)(?: now)?(?: to (?:bed|sleep))?{_WHEN}",
            rf"(?:have a|enjoy your|enjoy the) (?:(?:good|great|nice|lovely) )*(?:night|evening|weekend|rest of (?:the|your) (?:day|evening)){_WHEN}",
            rf"(?:sleep (?:well|tight)|sweet dreams){_WHEN}",
            r"gute nacht|bis (?:morgen|bald|dann|später|montag|nächste woche)|tschüss?|auf wiedersehen|feierabend|schönen (?:abend|feierabend)(?: noch)?",
            r"bonne (?:nuit|soirée)|à demain|au revoir|à bientôt|à plus(?: tard)?",
            r"buenas noches|hasta (?:mañana|luego|pronto)|nos vemos(?: mañana)?|chao",
            r"boa noite|até (?:amanhã|logo|mais)|tchau|buona ?notte|a domani|arrivederci",
            r"спокойной ночи|до завтра|до свидания|доброй ночи|всем пока",
            r"おやすみ(?:なさい)?|また明日|さようなら|またね|お先に失礼します",
            r"잘 ?자(?:요)?|안녕히 (?:계세요|가세요|주무세요)|내일 (?:봐(?:요)?|뵙겠습니다)",
        )
    )
)
_WIDE = re.compile(
    r"(?>好的?|那就?|行|嗯+|ok|谢谢[你您]?|謝謝[你您]?|多谢|辛苦了?|今天|我们?|我們|先|就|要|得|准备|大家|各位|该|也|时间不早|[啦了吧])*+"
    r"(?>(?>晚安|明[天早儿][见見]|后天[见見]|再[见見]|拜拜|掰掰|88?6|回头?[见見]|改天[见見]|下次[见見]|下[周週][见見]|[周週][一二三四五六日天][见見]"
    r"|早[点點]休息|睡[觉覺]?去?了|去?睡[觉覺]?[了啦]|去睡|睡[觉覺]|下班[了啦]|收工[了啦]?|下线[了啦]|下了|撤了|溜了|休息(?:[了啦]|去了)"
    r"|到[这這][里儿裡]?(?:结束|為止|为止)?|明天再?(?:继续|繼續|说|聊|弄|搞|来)[做干吧]?)[啦了吧哦咯呀喽哈]*+)++"
)
_WEAK = re.compile(
    r"(?:(?:exit|quit|logout|log ?out|log ?off|signout|sign ?out)(?: now| please)?|nights?|q|wq|peace out|i m (?:off|out|leaving)|im (?:off|out|leaving)"
    r"|logging (?:off|out)|退出|登出|注销|88|пока)"
)
"""A farewell only where a short message says nothing else."""
_FILLER = re.compile(
    r"(?:ok|okay|k|kk|alright|all ?right|right|well|thanks|thank (?:you|u)|thx|ty|tysm|cheers|great|good|cool"
    r"|perfect|nice|awesome|excellent|amazing|wonderful|lovely|(?:good|great|nice) (?:job|work|stuff)|well done"
    r"|anyways?|and|so|then|now|yes|yep|yeah|no|(?:all )?done|all good|hi|hey|please|guys|everyone|a lot|so much"
    r"|very much|again|for (?:today|now|everything|all|(?:all )?(?:the|your) help)|that s (?:all|it|great|fine|good)"
    r"|i m (?:done|tired|beat)|it s (?:getting )?late|late here"
    r"|danke|vielen dank|merci|gracias|obrigado|grazie|谢谢(?:你|您|啦|了)?|謝謝(?:你|您)?|好的?|行|嗯|辛苦了?|多谢|不错|很好"
    r"|ありがとう(?:ございます)?|お疲れ様(?:でした)?|спасибо|고마워(?:요)?|감사합니다)(?: |$)"
)
_SPOKEN_OF = re.compile(
    r"\b(?:say(?:s|ing)?|said|print(?:s|ed|ing)?|text|label|message|words?|string|strings|translate|translation|called|named|names?|rename|write|writes|show|shows|display|displays"
    r"|greet\w*|reply|replies|respond|responds|output|outputs|return|returns|value|values|type|types|typed|input|click|clicks|button|page|route|command|commands|option|options|list"
    r"|title|phrase|sentence|keyword|keywords|example|examples|e g|respectively|like|instead|with|regex|signals?|events?|replace|change|changed|test case|variants?)\b"
    r"|[:\uff1a]\s*$|翻译|翻譯|打印|显示|顯示|按钮|按鈕|文案|例如|比如|单词|关键词|输入|输出|改成|改为|替换"
)


def is_farewell(text: str) -> bool:
    """Whether the person takes their leave: the whole message does, or its last words do."""
    bare = text.strip()
    if not bare or _QUESTION.search(bare) or "```" in bare[-_LOOKED_AT:]:
        return False
    clauses = [clause for clause in _CLAUSE.split(bare[-_LOOKED_AT:]) if _plain(clause)]
    while len(clauses) > 1 and not _leaves(clauses[-1]):
        if not (_is_filler(clauses[-1]) or _is_name(clauses, bare)):
            break
        clauses.pop()
    if not clauses or _CODE.search(_HYPHEN.sub("", clauses[-1])):
        return False
    last, before = clauses[-1], clauses[:-1]
    if len(bare) <= _LOOKED_AT and all(_is_filler(each) or _leaves(each) for each in before):
        return _leaves(last) or (
            len(bare) <= _SHORT and any(_WEAK.fullmatch(rest) for rest in _rests(last))
        )
    return _leaves(last) and not _SPOKEN_OF.search(bare[: bare.rfind(last)].casefold())


def is_only_farewell(text: str) -> bool:
    """Whether they take their leave and say nothing else: "thanks, see you tomorrow"."""
    bare = text.strip()
    if len(bare) > _LOOKED_AT or not is_farewell(text):
        return False
    clauses = [clause for clause in _CLAUSE.split(bare) if _plain(clause)]
    rest = [each for each in clauses if not (_is_filler(each) or _leaves(each))]
    weak = any(_WEAK.fullmatch(each) for each in _rests(rest[-1])) if rest else False
    return not rest or (len(rest) == 1 and (weak or _is_name([*clauses[:-1], rest[0]], bare)))


def _leaves(clause: str) -> bool:
    return any(
        _STRONG.fullmatch(rest) or _WIDE.fullmatch(rest.replace(" ", "")) for rest in _rests(clause)
    )


def _is_filler(clause: str) -> bool:
    return "" in _rests(clause)


def _is_name(clauses: list[str], text: str) -> bool:
    """Whom a short good-bye is said to: "Goodnight, Sam"."""
    name = clauses[-1].strip()
    return len(text) <= _SHORT and name[:1].isupper() and " " not in name and _leaves(clauses[-2])


def _plain(clause: str) -> str:
    """Only words, in lower case, one blank between them."""
    return " ".join(re.sub(r"[^\w\s]", " ", clause.casefold()).split())


def _rests(clause: str) -> list[str]:
    """The words, and what is left as the courtesies before them go one by one."""
    rests = [_plain(clause)]
    while found := _FILLER.match(rests[-1]):
        rests.append(rests[-1][found.end() :])
    return rests
