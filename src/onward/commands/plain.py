"""Text that no rule of redaction could mean, told without loading the rules.

It is there for `list`, which must start quickly. Doubt counts as a no; the rules' own examples
prove it in the tests.
"""

from __future__ import annotations

import re

_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d GMT(?:[+-]\d{1,2}(?::\d\d)?)?")
_ODD = re.compile(
    r"[^\w ,.()!?+'\"“”‘’`…–—;:/#&*%、。，：；！？（）「」-]"  # noqa: RUF001 - punctuation of prose
    r"|//|(?:^|[\s\"'`(])/|(?:home|users)[/-]"  # URLs and absolute paths
    r"|(?:^|\s)--?\w|bearer|basic"  # flags and headers
    r"|pass|pwd|pw\b|secret|log ?in with|logged in|kennwort|contrase|wachtwoord|l[oö]senord|has[lł]o|parola|senha"
    r"|adgangskode|salasana|парол|密码|密碼|口令|パスワード|비밀번호"  # passwords, told in a sentence
    r"|κωδικ|סיסמ|पासवर्ड|lozinka|šifra|jelsz|kata sandi|암호|parol|şifre|sifre|รหัสผ่าน|mật khẩu|كلمة|mdp|kodeord"
    r"|zugangscode|пасс|codes?\b.*\d|otp\b|pin\b|(?:recovery|backup) key|\b(?:log|sign)(?:ged|ed)? ?in (?:as )?\S+ (?:with|pass|pw|using) \S*\d|\buser \w+ with"
    r"|[r-][w-][x-]r[w-][x-]|\d\.\d +\d+\.\d|whoami|owned by|sudo:|logname"  # listings of names
    r"|heslo|mnemonic|phrase|(?:seed|recovery|backup|wallet)[ _-]?words|identified"
    r"|:\w+:|\(.*[\"'`]|pytest-of-"  # fields of a line, arguments of a call, names in folders
    r"|(?:pass|secret|token|key|auth|cred|cookie|jwt)\S*[ ]*:",  # assignments
    re.IGNORECASE,
)
_RUN = re.compile(r"[\w-]{16,}")


def is_plain(text: str) -> bool:
    """Whether a line is prose with names in it, and nothing a rule is after."""
    if _TIME.fullmatch(text):
        return True
    return not _ODD.search(text) and all(_is_word(run) for run in _RUN.findall(text))


def _is_word(run: str) -> bool:
    """Whether a long run is only words, as `build-login-page` is, and no token."""
    letters = run.replace("-", "").replace("_", "")
    return letters.isalpha() and letters == letters.lower()
