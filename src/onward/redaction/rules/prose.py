"""Passwords in sentences and behind labels, in 30 languages: "the password is …", "log in with name / …"."""

from __future__ import annotations

import re

from onward.redaction.rules import values
from onward.redaction.rules.table import EDGE, entries, lazy, read, words
from onward.redaction.rules.validators import (
    has_digit,
    is_filler,
    is_mixed,
    is_reference,
    is_words,
    of_value,
)

_PASSWORDS = words(
    "password passwd passphrase phrase passcode pwd pw pin passwort kennwort passwortes passe contraseña contrasena "
    "clave senha word code 密码 密碼 口令 パスワード"
)
_VERBS = words("is was ist lautet war est es are è é")
_ADDRESS = lazy(r"[^@\s]+@[\w-]+(?:\.[\w-]+)+")
_CJK_VERBS = ("是", "为", "為", "は", "\uff1a", ":", "=")
_ONE_WORD = lazy(r"[()\[\]{}<>&$/]|^\W?\w+\W?$")
_PLAIN = lazy(r"[a-z]+(?:-[a-z]+)*")
_FORTY, _SECRET_IS = (
    lazy(r"[0-9a-f]{40}"),
    lazy(r"(?i)secret\b[^\n:=]{0,40}(?:[:=]| is) ?[\"'`(]?$"),
)
_BESIDE = 20
"""Characters before the word `secret` in which a hash may be named."""
_HASHED = lazy(r"(?i)commit|sha|hash|digest|rev|checksum|blob|tree|tag|branch")
_BRACKETS = lazy(r"[()\[\]{}<>]")
# Words that a sentence about a password goes on with, but for those that are no password anyway: of
# fewer than four letters, or told by `values.password`.
_GOES_ON = words(
    "that very then also still only just being been were have must might could should would will "
    "shall does from with without when while until before after because which what where both "
    "either long short good fine okay same different needed necessary right correct valid present "
    "absent saved hashed encrypted encoded salted visible shown printed logged read written sent "
    "received used unused known checked verified validated compared accepted rejected ignored "
    "safe insecure hardcoded hard-coded confidential secret case-sensitive there below above "
    "somewhere elsewhere supposed going available unavailable working broken dummy fake longer "
    "shorter supplied entered typed already already-set truncated escaped quoted nicht kein keine "
    "falsch richtig leer eine erforderlich requis requise vide incorrecto incorrecta obligatorio "
    "obligatoria requerida para likely probably perhaps maybe usually often sometimes currently "
    "actually really stronger weaker each every some such more less most least enough they your "
    "their"
)
_JOINING = words("the a an and of to is are in for be it by as with from not or")
_AT_END = lazy(
    r"[\"'`*_]{0,3}(?:[.,;!)]?(?:\s*$|\s*\n|\\n)|[,;.] |[\u3002\uff0c\uff01\uff1b\u3001\uff09])"
)


def said(value: str, before: str, after: str) -> bool:
    """What a sentence calls a password: odd ones anywhere, words where the clause ends."""
    bare = value.strip("*_").rstrip(".,;:!?)*_")
    quoted = before.endswith(("`", "'", '"'))
    cut = quoted and after[:1] not in {"`", "'", '"', "\\"}  # the first word of a phrase
    if cut or sum(c.isalnum() for c in bare) < 4 or _ADDRESS.fullmatch(bare):
        return False
    is_password, verb = _said_of(before)
    if not is_password:
        return verb and values.telling_token(bare, "") and not _BRACKETS.search(bare)
    if (
        bare.lower() in _GOES_ON
        or is_reference(bare, after)
        or not values.password(bare, "password")
    ):
        return False
    if is_mixed(bare):
        return not values.is_code(bare) and not _BRACKETS.search(bare)
    if not is_words(bare):
        return quoted or not _ONE_WORD.search(bare)
    plain = _PLAIN.fullmatch(bare) and not bare.endswith(("ed", "ing", "ly", "able", "ible"))
    ends = plain and _AT_END.match(value[len(bare) :] + after)
    return verb and (quoted or bool(ends))


def _said_of(before: str) -> tuple[bool, bool]:
    """Is it a password that the sentence is about, and does it say what that is?"""
    tail = before[-60:].lower().rstrip(" \\\"'`*").split()
    while len(tail) > 1 and tail[-1] in {"now", "still", "just"}:
        tail.pop()
    if not tail:
        return False, False
    last = tail[-1]
    if last.endswith(_CJK_VERBS):
        return True, True
    verb = last in _VERBS
    if verb or last in {"to", "be"}:
        tail.pop()
    return any(word.lstrip("n(\"'`") in _PASSWORDS for word in tail[-4:]), verb


@of_value
def phrase(value: str) -> bool:
    """Four words or more that no sentence would put in a row."""
    said_words = set(value.lower().split())
    return not said_words & values.IN_SENTENCES and len(said_words) >= 4


@of_value
def seed(value: str) -> bool:
    """Words of BIP 39, none of which joins a sentence; behind the twelfth one may go on."""
    return _JOINING.isdisjoint(value.lower().split()[:12])


def login(value: str, before: str, after: str) -> bool:
    """`name / password`, where the name stands before it: no word and no path."""
    bare = value.rstrip(".,;!?)")
    return (
        (has_digit(bare) or not is_words(bare))
        and any(c.isalpha() for c in bare)
        and not before.endswith("-")
        and not after.startswith("/")
        and not is_reference(bare, after)
        and values.password(bare, "login password")
    )


_WORDS_FOR_IT = entries(
    "heslo ¦ adgangskode ¦ kodeord ¦ passwort ¦ kennwort ¦ zugangscode ¦ κωδικός ¦ "
    "κωδικός πρόσβασης ¦ password ¦ passphrase ¦ passcode ¦ passwd ¦ contraseña ¦ "
    "contrasena ¦ clave de acceso ¦ salasana ¦ mot de passe ¦ mdp ¦ סיסמה ¦ סיסמא ¦ "
    "पासवर्ड ¦ lozinka ¦ šifra ¦ jelszó ¦ kata sandi ¦ parola d'ordine ¦ parola chiave ¦ "
    "パスワード ¦ 비밀번호 ¦ 암호 ¦ wachtwoord ¦ passord ¦ hasło ¦ haslo ¦ senha ¦ palavra-passe ¦ "
    "palavra passe ¦ parolă ¦ parola ¦ пароль ¦ пасс ¦ lösenord ¦ парола ¦ รหัสผ่าน ¦ "
    "lösenordet ¦ passordet ¦ adgangskoden ¦ şifre ¦ şifresi ¦ şifreniz ¦ parolası ¦ jelszava ¦ sifre ¦ mật khẩu ¦ 密码 ¦ 密碼 ¦ 口令 ¦ كلمة المرور ¦ كلمة السر"  # noqa: RUF001 - Turkish
)
"""The word for a password, in 30 languages."""
_KEYS_FOR_IT = entries(
    "token ¦ signing secret ¦ webhook secret ¦ api key ¦ access key ¦ secret key ¦ master key ¦ private key ¦ signing key ¦ encryption key ¦ "
    "client secret ¦ license key ¦ deploy key ¦ root token ¦ access token ¦ refresh token ¦ api-schlüssel ¦ "
    "zugangsschlüssel ¦ geheimer schlüssel ¦ zugriffsschlüssel ¦ clé api ¦ clé d'api ¦ clé secrète ¦ clé d'accès ¦ "
    "jeton ¦ clave api ¦ clave de api ¦ clave secreta ¦ clave de acceso ¦ llave secreta ¦ chave de api ¦ chave api ¦ "
    "chave secreta ¦ chave de acesso ¦ chiave api ¦ chiave segreta ¦ chiave di accesso ¦ api-sleutel ¦ "
    "geheime sleutel ¦ toegangssleutel ¦ klucz api ¦ tajny klucz ¦ klucz dostępu ¦ api klíč ¦ klíč api ¦ tajný klíč ¦ "
    "tajný kľúč ¦ kľúč api ¦ ключ api ¦ api-ключ ¦ секретный ключ ¦ ключ доступа ¦ токен ¦ секретний ключ ¦ "
    "密钥 ¦ 密鑰 ¦ 秘钥 ¦ 私钥 ¦ 令牌 ¦ 秘密鍵 ¦ apiキー ¦ アクセスキー ¦ シークレットキー ¦ トークン ¦ api 키 ¦ 비밀 키 ¦ "
    "비밀키 ¦ 액세스 키 ¦ 토큰 ¦ api anahtarı ¦ gizli anahtar ¦ api-nyckel ¦ hemlig nyckel ¦ api-nøgle ¦ api-nøkkel ¦ "  # noqa: RUF001 - Turkish
    "api-avain ¦ api kulcs ¦ titkos kulcs ¦ khóa api ¦ khóa bí mật ¦ kunci api ¦ kunci rahasia ¦ κλειδί api ¦ "
    "מפתח api ¦ مفتاح api"
)
"""The words for a key or token, of which only a random value is one."""
_CODES_FOR_IT = entries(
    "dein code ¦ ihr code ¦ bestätigungscode ¦ votre code ¦ ton code ¦ code de vérification ¦ tu código ¦ su código ¦ "
    "código de verificación ¦ il tuo codice ¦ codice di verifica ¦ seu código ¦ código de verificação ¦ je code ¦ "
    "uw code ¦ din kod ¦ din kode ¦ twój kod ¦ kod weryfikacyjny ¦ váš kód ¦ ověřovací kód ¦ ваш код ¦ "
    "код подтверждения ¦ doğrulama kodu ¦ 验证码 ¦ 驗證碼 ¦ 認証コード ¦ 確認コード ¦ 인증번호 ¦ 인증 코드"
)
"""What announces a one-time code; in English it has a rule of its own."""
_BETWEEN = entries(
    "being ¦ je ¦ er ¦ ist ¦ lautet ¦ war ¦ είναι ¦ is ¦ was ¦ 's ¦ ( ¦ to ¦ changed from ¦ es ¦ "
    "era ¦ on ¦ oli ¦ est ¦ était ¦ היא ¦ है ¦ adalah ¦ è ¦ e' ¦ は ¦ 는 ¦ 은 ¦ jest ¦ é ¦ e ¦ "
    "este ¦ это ¦ är ¦ е ¦ คือ ¦ це ¦ là ¦ 是 ¦ 为 ¦ 為 ¦ هي"  # noqa: RUF001 - Cyrillic
)
"""What may stand between it and the value."""


def _spellings(word: str) -> set[str]:
    """In the cases that occur: a pattern over bytes folds ASCII only."""
    plain = {word, word.upper(), word[:1].upper() + word[1:], word.title()}
    return plain | {each.replace("api", "API").replace("Api", "API") for each in plain}


_NOUNS = sorted({each for word in _WORDS_FOR_IT for each in _spellings(word)})
_KEY_NOUNS = sorted({each for word in _KEYS_FOR_IT for each in _spellings(word)})
_CODE_NOUNS = sorted({each for word in _CODES_FOR_IT for each in _spellings(word)})
_PLACE = lazy(
    r"\d+-[a-z]+|@.*|.*:\d+|.*\.[cm]?[jt]sx?.*|\$2[abxy]\$\d\d\$"
)  # and how a bcrypt hash begins


def _any(each: list[str]) -> str:
    return "|".join(
        "".join(map(_spelled, word)) for word in sorted(each, key=lambda word: -len(word))
    )


def _spelled(letter: str) -> str:
    """A letter as text has it, and beyond ASCII as JSON may escape it."""
    plain = re.escape(letter)
    return plain if letter.isascii() else rf"(?:{plain}|\\{{1,7}}u{ord(letter):04x})"


def _noun(nouns: list[str]) -> str:
    """Any of them; one that begins with an ASCII letter is no end of a longer word."""
    plain, other = ([word for word in nouns if word[0].isascii() is kind] for kind in (True, False))
    return rf"(?:(?:{EDGE}|_)(?:{_any(plain)})|{_any(other)})"


def _keywords(nouns: list[str]) -> str:
    """The nouns, as text and as JSON spell them."""
    first = {f"u{ord(letter):04x}" for word in nouns for letter in word if not letter.isascii()}
    return " ¦ ".join(sorted({*(word.lower() for word in nouns), *nouns, *first}))


def given(value: str, _before: str, after: str) -> bool:
    """Digits among letters, as no word has them: no code, path or name of a file."""
    if (
        "](" in value
        or _PLACE.fullmatch(value)
        or is_filler(value)
        or is_reference(value, after)
        or values.is_code(value)
    ):
        return False
    if any(c.isspace() for c in value):
        return values.password(value, "password")
    mixed = is_mixed(value)
    return (mixed and not is_words(value.lower())) or is_strong(value)


def is_strong(value: str) -> bool:
    """Digits, and letters in both cases or signs that words do not have."""
    letters = {c.isupper() for c in value if c.isalpha()}
    return (
        len(value) >= 6
        and has_digit(value)
        and bool(letters)
        and (len(letters) == 2 or any(c in "!#$%^&*+~?@" for c in value))
        and "(" not in value
        and "/" not in value
        and not is_filler(value)
        and not values.is_call(value)
    )


def strong(value: str, _before: str, after: str) -> bool:
    """`is_strong`, as a validator."""
    return is_strong(value) and not _PLACE.fullmatch(value) and not is_reference(value, after)


def key(value: str, before: str, after: str) -> bool:
    """What a sentence calls a key or token: long and random, no id, hash of a commit or path. What
    looks like a commit is one unless a secret is named, and nothing that has a hash.
    """
    secret = _SECRET_IS.search(before) if _FORTY.fullmatch(value) else None
    named = secret and not _HASHED.search(before[max(0, secret.start() - _BESIDE) :])
    return (
        (bool(named) or values.weak_token(value, "secret key"))
        and not is_reference(value, after)
        and not before.endswith("/")
    )


RULES = read(
    r"""
⟨noun⟩
  (?:
    pass ?word|passwd|pass ?phrase|passcode|pwd|pw|pin(?: code)?|passwort|kennwort|passwortes|mot de passe|contrase(?:(?-i:\xc3\xb1)|n)a|clave|senha
    secret key|api key|secret|token
  )
⟨be⟩	(?:is|was|are|be|will be|should be|to|ist|lautet|war|est|es|(?-i:\xc3\xa8|\xc3\xa9))
⟨last⟩	[^\s\"'`<>/:,\\.;?)*=]
⟨cjk⟩	(?-i:\xe5\xaf\x86\xe7\xa0\x81|\xe5\xaf\x86\xe7\xa2\xbc|\xe5\x8f\xa3\xe4\xbb\xa4|\xe3\x83\x91\xe3\x82\xb9\xe3\x83\xaf\xe3\x83\xbc\xe3\x83\x89)
⟨cjk is⟩	(?-i:\xe6\x98\xaf|\xe4\xb8\xba|\xe7\x82\xba|\xe3\x81\xaf|\xef\xbc\x9a|:|=)
⟨phrase⟩	[\"'`]([^\"'`\n\\]{8,60})[\"'`]
⟨value⟩	(?:[\"'`(]|(?:“|„|«|「) ?|\*{2})?([0-9A-Za-z!#$%*+.:=?@^_~-][0-9A-Za-z!#$%&*+.:=?@^_~-]{2,}[0-9A-Za-z!#$%*+@^_~-])
said-password	said	passw ¦ pass ¦ pwd ¦ pw ¦ pin ¦ kennwort ¦ mot de passe ¦ contrase ¦ clave ¦ senha ¦ secret ¦ token ¦ api key ¦ 密码 ¦ 密碼 ¦ 口令 ¦ パスワード	observed in prompts
  (?i)⟨edge⟩⟨noun⟩(?:\s{1,2}(?:for|of|on|to)\s{1,2}[\w@./-]{1,24}(?:\s[\w@./-]{1,24})?)?\s{1,2}⟨be⟩\s{1,2}(?:now\s|still\s|just\s)?(?:\*\*)?(?:
    \\{0,7}[\"'`]([^\s\"'`<>,\\]{4,})|([^\s\"'`<>,\\]{3,}⟨last⟩)
  )
  \b(?:password|passphrase|passcode|passwort|kennwort)[ \t]{1,2}(?:\\{0,7}[\"'`]([^\s\"'`<>,:=\\]{4,})|([^\s\"'`<>,:=\\]{3,}⟨last⟩))
  ⟨cjk⟩\s{0,2}⟨cjk is⟩\s{0,2}(?:\\{0,7}[\"'`])?([0-9A-Za-z!-/:-@^_~.-]{3,}[0-9A-Za-z!#-&*+/=@^_~-])
said-passphrase	phrase	passphrase ¦ pass phrase	observed in prompts
  (?i)⟨edge⟩pass ?phrase\s{1,2}(?:is|was|:|=)\s{1,2}(?:\\{0,7}[\"'`])?(?:
    ([a-z]{3,12}(?: [a-z]{3,12}){3,7})(?:[.,;!\"'`\n\\)]|$)|([a-z]{3,12}(?: [a-z]{3,12}){3})[ ]
  )
seed-phrase	seed	mnemonic ¦ phrase ¦ words	BIP 39
  (?i)⟨edge⟩(?:
    [\w-]{0,24}mnemonic|(?:seed|recovery|backup|wallet)[ _-]?(?:phrase|words)
  )(?:[ _-]?phrase)?(?:⟨quote⟩)?\s{0,3}(?:=>|[:=]|is|was)\s{0,3}(?:⟨quote⟩)?((?:[a-z]{3,8}\s{1,2}){11,23}[a-z]{3,8})
said-login	login	log ¦ ssh ¦ sign in ¦ cred ¦ account ¦ user ¦ zugang ¦ anmelden	observed in prompts
  (?i)⟨edge⟩(?:
    log ?in|ssh(?: in)?|sign in|logged in|credentials?|creds|login|account|user|test user|zugang|anmelden
  )(?: (?:with|as|using|are|is|mit|for (?:the )?[\w./-]{1,24}))?:?\s{1,2}(?:\\{0,7}[\"'`])?[\w.@+-]{2,64}(?:\\{0,7}[\"'`])?(?:[ \t]/[ \t]|/|:|\s(?:and|und|with|mit)\s(?:the )?(?:password|pw|passwort) )(?:\\{0,7}[\"'`]([^\s\"'`<>/:,\\]{4,64})|([^\s\"'`<>/:,\\]{3,64}⟨last⟩))
password-said (json)	given	⟨nouns⟩	observed in prompts of many languages
  ⟨any noun⟩(?: \([^()\n]{1,40}\))?(?: {0,2}(?:(?:[:=]|⟨wide colon⟩|\||->?|→|⟨dash⟩)(?:\*\*)?|⟨between⟩) {0,2}(?:⟨phrase⟩|⟨value⟩)| ⟨phrase⟩)
password-for (json)	strong	⟨nouns⟩	observed in prompts of many languages
  ⟨any noun⟩(?: (?:'[^'\n]{1,80}'|[^\s:=\"'`(){}\[\],;]{1,80})){1,5}? {0,2}(?:
    (?:[:=]|⟨wide colon⟩| - |⟨dash⟩) {0,2}| (?:⟨between⟩)[ ]
  )(?:⟨phrase⟩|⟨value⟩)
login-said (json)	strong	log ¦ sign ¦ user  ¦ clave:	observed in prompts
  (?i)⟨edge⟩(?:
    (?:log(?:ged)? ?in|sign(?:ed)? in|user) (?:as )?[\w.@-]{1,40},? (?:with|using|(?:and )?(?:pass(?:word)?|pw))|clave:
  ) [\"'`]?([0-9A-Za-z!#$%*+.:=?@^_~-]{4,}[0-9A-Za-z!#$%*+@^_~-])
password-beside (json)	strong	⟨nouns⟩ ¦ pw	observed in prompts of many languages
  (?:⟨any noun⟩|⟨edge⟩(?i:pw|pwd)) ⟨value⟩
  [\"'`]([^\s\"'`\\]{6,40})[\"'`] (?:as|is|for) (?:\w{1,8} ){0,2}(?i:password|passphrase|pw)\b
  ⟨edge⟩(?i:use|with|try|set|enter|type) ([^\s\"'`\\]{6,40}) (?:as|for) (?:\w{1,8} ){0,3}(?i:password|passphrase|pw)\b
code-said (json)		⟨code nouns⟩	observed in prompts of many languages	⟨code noun⟩ {0,2}(?:[:=]|⟨wide colon⟩|⟨between⟩) {0,2}(\d{3}[ -]\d{3}\b|\d{4,8}\b)
key-said (json)	key	⟨key nouns⟩	observed in prompts of many languages
  ⟨key noun⟩(?: [A-Za-z]{1,12}){0,4}?(?:
    [ ]{0,2}(?:[:=]|⟨wide colon⟩|->?|→|⟨dash⟩|⟨between⟩) {0,2}|[ ]
  )[\"'`(]?([0-9A-Za-z+/_.~-]{20,}={0,2})
""",
    globals(),
    **{
        "any noun": _noun(_NOUNS),
        "code noun": _noun(_CODE_NOUNS),
        "code nouns": _keywords(_CODE_NOUNS),
        "key noun": _noun(_KEY_NOUNS),
        "nouns": _keywords(_NOUNS),
        "key nouns": _keywords(_KEY_NOUNS),
        "between": _any(sorted(_BETWEEN)),
        "wide colon": _spelled("\uff1a"),
        "dash": _any(["\u2013", "\u2014"]),
    },
)
