"""Which names hold a secret, and which values at them are one: words, labels, types and code are not."""

from __future__ import annotations

from typing import Literal

from onward.redaction.rules.table import lazy, words
from onward.redaction.rules.validators import (
    has_digit,
    is_filler,
    is_jumbled,
    is_mixed,
    is_random,
    is_reference,
    is_words,
)

Telling = Literal["loose", "strict", "weak"]
"""How much a name says: behind a *loose* one (`db_password`) words count too, behind a *strict*
one (`apiToken`) what no word looks like, behind a *weak* one (`key`, `salt`) only what is long
and random."""

_WORD = lazy(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_]+")
# Behind the telling word these leave its meaning: `password_2`, `newPasswordConfirmation`.
_NEUTRAL = words(
    "value val text string str plain plaintext raw old new current original confirm confirmation "
    "repeat again verify verification prod production dev development test testing staging stage "
    "live sandbox local remote default admin root b b64 base64 encoded encrypted enc primary secondary override "
    "first second main backup temp tmp base hmac var const input data setting property hex bytes"
)
PASSWORDS = tuple(
    sorted(
        words(
            "password passwd passwort kennwort passphrase passcode passwrd passord pwd contrasena contraseña "
            "wachtwoord motdepasse losenord lösenord haslo hasło heslo parola adgangskode salasana пароль "
            "密码 密碼 口令 パスワード 비밀번호"
        )
    )
)
"""The word for it, as a name ends with it, in the languages that name things so."""

_LOOSE_ENDS = (*PASSWORDS, "secret")
_LOOSE = words("pass pw psw pswd passw senha secrets userpw psk passphrases")
_OWNED = (
    r"(?:db|user|usr|my|ftp|sftp|smtp|imap|mail|email|admin|root|sql|mysql|pg|sa|ssh|login|proxy|"
    r"http|auth|key|store|keystore|ldap|bind|require|master|host|redis|mongo|sudo|web|api|app|vpn|wifi|conn)"
)
_GLUED_PASS = lazy(rf"(?:src|dest|trust|new|old)?{_OWNED}(?:pass|pw)")
_KEYS = words(
    "api app access private secret auth account signing sign encryption encrypt decryption master "
    "client service shared storage subscription license licence webhook deploy session ssh consumer "
    "crypt crypto cipher aes hmac jwt server admin write project integration rest dsa rsa "
    "ecdsa security function sas cosmos hash preshared symmetric oauth maps tracking "
    "enc wifi fernet kms instrumentation or openai anthropic gemini mistral groq cohere azure aws gcp "
    "google github gitlab slack stripe twilio mailgun sendgrid nuget npm pypi firebase fcm algolia datadog "
    "cloudflare heroku mapbox deepl replicate"
)
_GLUED_KEY = lazy(
    r"[a-z]{0,10}(?:api|app|access|private|secret|auth|account|signing|encryption|master|client|consumer|shared)key"
)
_NOT_KEYS = words(
    "public pub primary foreign sort partition range cache object translation i18n index map row "
    "column group node item sub hot registry lookup composite unique parent child data idempotency "
    "react query config field label message title menu tab step socket locale lang sorting order"
)
_STRICT = words(
    "token auth credential credentials cred creds jwt bearer apikeys sid oauth passkey pat"
)
_NOT_TOKENS = words(
    "next page pagination continuation resume cursor cancellation cancel sync start end first last "
    "max min total input output prompt completion eos bos pad unk sep mask stop cls special"
)
_NOT_PASSWORDS = words(
    "no min max show hide toggle forgot is has reset with without require hashed existing "
    "scripts vars pull tls cert certificate"
)
_IN_PARTS = (["pass", "word"], ["pass", "phrase"], ["pass", "code"], ["pass", "wd"])
_CODES = words("access auth recovery unlock backup")
_WEAK = words("key salt nonce seed pepper")


def words_of(name: str) -> list[str]:
    """The words of an identifier, in lower case: `db_adminPassword2` is db, admin, password, 2."""
    return [word.lower() for word in _WORD.findall(name)]


def secret_key(name: str) -> Telling | None:
    """How telling a name is, or None: `password_hint`, `maxTokens` and `PWD` hold no secret."""
    parts = words_of(name)
    while len(parts) > 1 and (parts[-1] in _NEUTRAL or parts[-1].isdigit()):
        parts.pop()
    if not parts or name in {"PWD", "OLDPWD"}:
        return None
    last, former = parts[-1], parts[-2] if len(parts) > 1 else ""
    if last in _LOOSE or last.endswith(_LOOSE_ENDS) or _GLUED_PASS.fullmatch(last):
        return None if former in _NOT_PASSWORDS else "loose"
    if parts[-3:] == ["mot", "de", "passe"] or parts[-2:] in _IN_PARTS:
        return "loose"
    if last in {"key", "keys"}:
        return _key(former)
    return _other(last, former)


def _key(former: str) -> Telling | None:
    if former == "secret":
        return "loose"
    if former in _KEYS or former.endswith(("api", "secret")):
        return "strict"
    return None if former in _NOT_KEYS else "weak"


def _other(last: str, former: str) -> Telling | None:
    if last.endswith("token") or last in _STRICT or _GLUED_KEY.fullmatch(last):
        return None if former in _NOT_TOKENS else "strict"
    if last in {"hash", "digest"} and (former.endswith(PASSWORDS) or former in {"pw", "pass"}):
        return "strict"
    if last == "code" and former in _CODES:
        return "strict"
    return "weak" if last in _WEAK else None


_TYPES = lazy(
    r"(?i:str(?:ing)?|text|bool(?:ean)?|int(?:eger)?|number|any|none|null|nil|undefined|true|false|"
    r"required|optional|hidden|unknown|bytes|(?:var)?char|object|function|array|list|dict|map|void|"
    r"value|key|field|input|validation|process|self|this|config|settings|username|inherit|todo|missing|"
    r"empty|invalid|expired|wrong|incorrect|changed|reset|done|fixed|disabled|enabled|yes|never|always|"
    r"blank|default|static|public|private|sensitive|secure|basic|bearer|digest|plain|plaintext|"
    r"sha\d+|md5|bcrypt|scrypt|argon2\w*|pbkdf2\w*|base64|utf-?8|hex|ascii|"
    r"login|username_?(?:and_?)?password|env|file|prompt|stdin|auto|manual|random|generated?|"
    r"varchar\(\d+\)|string\[\]|secretstr|deprecated|unset|set|not_set|forgotten|forgot|show|hide|"
    r"length|maxlength|minlength|pattern|match|mismatch|confirm|update|create|strong|weak|medium|"
    r"created?|deleted?|updated?|generated|rotated|revoked|stored|removed|added|provided|given|found|"
    r"pass(?:ed)?|fail(?:ed|ure)?|ok|error|skip(?:ped)?|warn(?:ing)?|leaked?|exposed|"
    r"redacted|masked|omitted|filtered|protected|management|manager|provider|service)[?!]?,?"
)
# Rules of form validators: `required|min:8`.
_VALIDATION = lazy(
    r"(?i)^(?:required|nullable|sometimes|string|filled|present)\||\b(?:min|max|size):\d"
)
_LABELS = words(
    "secreto secreta geheimnis geheim segreto chiave clave heslo salasana parola parool "
    "palavra-passe senha lozinka geslo adgangskode adgangsord passord wachtwoord contrasenya "
    "jeton credenziali anmeldedaten"
)
IN_SENTENCES = words(
    "a an and are as at be by can cannot could do does enter for from has have if in invalid is it "
    "its least length login must need needs new no not of on optional or our please provided required "
    "reset same set should show that the their them then this to too type used using was when where "
    "which will with without you your characters minimum choose forgot change match matches missing "
    "wrong incorrect failed error value string number encrypted protected field hashing storage "
    "der die das ein eine ist nicht und oder bitte für mit le la les un une est et ou votre pour "
    "el los su para con y o"
)
_CODE = lazy(
    r"[\d.]+|[A-Za-z_$][\w$-]*(?:(?:\??\.|::|\??->)[A-Za-z_$][\w$-]*)+[!?;,]*|"
    r"\.[A-Za-z_]\w*|[A-Za-z_]\w*\.|@\w+|[\W_]+|[A-Za-z]\w*=\w+"
)
_CALL = lazy(
    r"[A-Za-z_$][\w.$:>-]*[(\[].*|.*[)\]}]+$|@\w+\(.*|!\w+|new|await|async|lambda|f['\"].*"
)
_WITHIN = lazy(r"[$#]\{\w+|\{\{|%\(\w+\)|://|\$\(\w|\\n")  # code within a text
_BRACKET_WITHIN = lazy(r"\)[0-9A-Za-z]|\([^\w\s\"'(){}\[\]$.*&-]\)")
_SIGNS, _SIGN = lazy(r"\W*"), lazy(r"[^\w\s]")
_ODD_WORD = lazy(r"(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[^\s<>(){}=;]{4,}")
_RUNS, _LETTERS = lazy(r"[a-z]{4,}"), lazy(r"[^\W\d_]+")
_PUNCTUATED, _PLAIN_WORDS = lazy(r"[<>(){}=;]| -"), lazy(r"[a-z]{3,}(?: [a-z]{3,})+")
_ENCODED, _DENSE = lazy(r"[\w+/=.~-]+"), lazy(r"[\w+/=.~!@#$%^&*-]{10,}")
_HEX, _CONSTANT = lazy(r"[0-9a-f]+|[0-9A-F]+"), lazy(r"[A-Z][A-Z0-9_]+|\d{1,7}")
_COMMIT_OR_UUID = lazy(r"[0-9a-fA-F]{40}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_DOTTED = lazy(r"[A-Za-z]\w*(?:\.[A-Za-z_]\w*){1,}")  # a key of translations, a field
_VARIABLE = lazy(r"[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+")
_FORTY = lazy(r"[0-9A-Za-z/+]{40}")  # an AWS secret has slashes and is no path
_FETCHED = lazy(
    r"(?i)^--|^(?:env|file|classpath|vault|op|ssm|kms|secretsmanager|keyring|arn|data|ref\+\w+|projects|https?|s3|gs|blob|urn|"
    r"fileb|pass|cmd|exec|keychain|azurekv|gcp-?sm|awssm|sops)(?::|://|\.)|^ENC\(|^!\w+|^@\w+@$|^#\{|^#[0-9a-f]{3,8}$|^&\w+;"
)
_OWN = tuple(
    words("my test super top very some ultra strong dev local demo fallback default another the")
)
_INNOCENT = lazy(
    r"(?i)(?:pw|pwd|pass|key|token|secret|password|hash|sha|var|arg|param|str|v|t|p|s|x|i)_?\d{1,3}"
)


def password(value: str, name: str) -> bool:
    """May it be a password when it stands in quotes, or as a string of its own, at `name`?"""
    value = _uncut(value)
    if _is_noise(value):
        return True
    if _no_secret(value) or _VALIDATION.search(value):
        return False
    if any(c.isspace() for c in value):
        return _phrase(value)
    if len(IN_SENTENCES.intersection(value.replace("_", "-").split("-"))) > 1:  # `if_you_see_this`
        return False
    if has_digit(value):
        return True
    return _word(value, name)


def _uncut(value: str) -> str:
    """Without the sign that the rest was cut off, where what is left is enough to judge by."""
    head = value.rstrip("\u2026 ")
    return head if "\u2026" in value[len(head) :] and is_random(head) else value


def _no_secret(value: str) -> bool:
    return bool(
        is_filler(value)
        or (is_reference(value, "") and not (_FORTY.fullmatch(value) and is_random(value)))
        or _TYPES.fullmatch(value)
        or _FETCHED.search(value)
        or (_DOTTED.fullmatch(value) and not is_jumbled_part(value))
        or _VARIABLE.fullmatch(value)
        or _SIGNS.fullmatch(value)
        or value.endswith(":")
        or value.lower() in _LABELS
    )


def is_jumbled_part(value: str) -> bool:
    """Is there a piece between dots that no identifier has (`O71.Gia25EcBUj6f`)?"""
    return any(is_jumbled(part) for part in value.split("."))


def _is_noise(value: str) -> bool:
    """Letters, digits and signs without a word among them, as a generator makes them."""
    if len(value) < 20 or not value.isascii() or value == value.lower():
        return False
    if _WITHIN.search(value):
        return False
    signs, runs = _SIGN.findall(value), _RUNS.findall(value)
    odd = has_digit(value) and len(set(value)) > 16
    return odd and len(signs) > 3 and len(runs) < 2 and len(max(runs, default="")) < 8


def _phrase(value: str) -> bool:
    """Several words: a pass phrase, not a label or a sentence about passwords."""
    each = _LETTERS.findall(value.lower())
    if not value.isascii() or len(each) > 8:
        return False
    if among := IN_SENTENCES & set(each):  # "Falcon 99aB with blanks": no sentence has such a word
        odd = any(_ODD_WORD.fullmatch(word) for word in value.split())
        return odd and len(among) == 1 and len(value.split()) < 6 and not _PUNCTUATED.search(value)
    plain = [word for word in value.lower().split() if word.isalpha()]
    if any(word.endswith((*PASSWORDS, "secret", "token", "key")) for word in plain):
        return each[0] in _OWN and value == value.lower() and len(each) == 2  # "super secret"
    if has_digit(value):
        return value[-1] not in ".:?" and not _PUNCTUATED.search(value)
    return len(each) >= 2 and _PLAIN_WORDS.fullmatch(value) is not None


def _word(value: str, name: str) -> bool:
    """One word: not the name of the field itself, of another field, or of a label."""
    if not value.isascii():
        return False
    if not is_words(value):
        return True
    named = words_of(name)
    if len(value) < 4 or value.lower() == name.lower() or words_of(value) == named:
        return False
    telling = [word for word in words_of(value) if word.endswith((*PASSWORDS, "secret", "token"))]
    if telling == [value]:  # `password: "secret"`, but not `CONF_PASSWORD = "password"`
        return not named or not named[-1].endswith(value)
    # `test-password`, a sentence run together: but not the name of another field.
    return not telling or value.lower().startswith(_OWN) or len(words_of(value)) > 4


def token(value: str, _name: str) -> bool:
    """May it be a token: what no word, name, version or path looks like?"""
    value = _uncut(value)
    if _is_noise(value):
        return True
    if " " in value and len(_SIGN.findall(value)) < 6:  # a sentence
        return False
    odd = len(value) >= 8 and sum(c.isdigit() for c in value) > 1 and not is_words(value)
    mixed = odd and any(c.isalpha() for c in value) and _ENCODED.fullmatch(value)
    return (is_random(value) or bool(mixed)) and not _no_secret(value)


def telling_token(value: str, name: str) -> bool:
    """The same at a name that holds nothing else (`api_key`): short ones and odd ones too."""
    if token(value, name):
        return True
    if _no_secret(value) or " " in value or len(value) < 6 or not value.isascii():
        return False
    if _CONSTANT.fullmatch(value):
        return False
    mixed = is_mixed(value)
    return (mixed and not is_words(value)) or (value.isdigit() and len(value) >= 8)


def weak_token(value: str, name: str) -> bool:
    """At a name as general as `key`: only what is long and random."""
    shortest = 10 if words_of(name)[-1] in {"salt", "pepper"} else 16
    if len(value) < shortest or not token(value, name):
        return False
    if _is_noise(value):
        return True
    if _COMMIT_OR_UUID.fullmatch(value):
        return False
    letters = {c.isupper() for c in value if c.isalpha()}
    return _DENSE.fullmatch(value) is not None and (
        len(letters) == 2 or _HEX.fullmatch(value) is not None
    )


def is_secret(name: str, value: str) -> bool:
    """Is the string that a map holds at `name` a secret as a whole?"""
    telling = secret_key(name)
    if telling is None or (telling == "loose" and (len(value) < 4 or "\n" in value)):
        return False
    return {"loose": password, "strict": telling_token, "weak": weak_token}[telling](value, name)


def is_call(value: str) -> bool:
    """Is it a call, and not a password with brackets in it (`p4s(!)w`)?"""
    opened, closed = value.count("("), value.count(")")
    return _CALL.fullmatch(value) is not None and not (
        value[-1] not in "([{" and (opened != closed or _BRACKET_WITHIN.search(value))
    )


def is_code(value: str) -> bool:
    """Without quotes: a number, a call, an attribute, punctuation."""
    return bool(_CODE.fullmatch(value) or _CALL.fullmatch(value) or _INNOCENT.fullmatch(value))
