"""Which names hold a secret: keys, variables, fields, settings."""

from __future__ import annotations

from typing import Literal

from onward.redaction.rules.shared import lazy, words

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
_GLUED_PASS = lazy(rf"{_OWNED}(?:pass|pw)")
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
