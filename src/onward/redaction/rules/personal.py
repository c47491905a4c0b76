"""Personal data: home folders, e-mail addresses, and names of users where only a name stands."""

from __future__ import annotations

import re

from onward.redaction.engine import Rule
from onward.redaction.rules import contact, homes
from onward.redaction.rules.homes import BEFORE, SPELLED_ANY_SLASH, is_account
from onward.redaction.rules.shared import EDGE, entries, in_json, is_filler, words

_NAME = r"([a-z][a-z0-9_.-]{2,31})"
_ONE_LINE = r"[-dlbcps](?:[r-][w-][xsStT-]){3}[+@.]?\s+\d+\s+"
_LINE = r"(?:^|\n)(?:\s{0,8}\d{1,6}\t|[ +-])?"
_SERVICES = words(
    "postgres mysql redis mongo mongodb rabbitmq elastic sa neo4j minio grafana app web api test tester dev "
    "demo deploy service svc bot user username name your-user youruser myuser me default build builder nonroot "
    "appuser developer owner group staff wheel docker sudo adm plugdev audio video render users www-data nginx "
    "apache caddy node npm python ruby java jenkins gitlab gitlab-runner actions circleci travis vagrant ubuntu "
    "debian fedora centos alpine arch ec2-user azureuser admin administrator root nobody runner guest git aur http "
    "postfix systemd-network messagebus sshd mail daemon bin sys nogroup nixbld src work cdrom dip lpadmin kvm "
    "input lxd netdev libvirt wireshark dialout floppy usb disk disk1 data backup"
)


def person(value: str, before: str, after: str) -> bool:
    """A login that is no service, image's account, or filler."""
    del before
    return not (
        value in _SERVICES or is_account(value) or is_filler(value) or after.startswith("(")
    )


_LISTED = (
    rf"{_ONE_LINE}{_NAME}\s",  # ls -l, the owner
    rf"{_LINE}{_NAME}\s+\d{{1,8}}\s+\d{{1,3}}\.\d\s+\d{{1,3}}\.\d\s",  # ps
    rf"{_LINE}{_NAME}:x?:\d{{4,6}}:\d",  # passwd
    rf"{_LINE}(?:\([\w.-]{{1,30}}\) )?\[?{_NAME}@[0-9A-Za-z_.-]{{1,64}}(?::| )[~/][^\s]{{0,60}}\]?[$#%] ",  # prompts
    rf"=\d{{3,10}}\({_NAME}\)",  # id
    rf"{EDGE}sudo: {{1,4}}{_NAME} : ",
    rf"{EDGE}whoami\n{_NAME}(?:\s|\\|$)",
    rf"owned by {_NAME} \(",
    rf"{_LINE}{_NAME}\s+ALL\s?=\s?\(",  # sudoers
    rf"{EDGE}chown\s(?:-\w+\s)?(?:{_NAME}:|\S{{0,32}}:{_NAME}\s)",
    rf"Logged in to \S{{1,60}} (?:account|as) {_NAME}\s",
)
_NAMED = (
    rf"{EDGE}(?:USER|LOGNAME|USERNAME|SUDO_USER)(?:=\"?|: ?){_NAME}(?:[\s\"'\\]|$)",
    rf"(?:^|[\s\"'=:])/media/{_NAME}/",
    rf"(?:^|[\s\"'=:n])~{_NAME}/",
    rf"{EDGE}(?:smb|sftp|ssh|ftp|afp|vnc|cifs)://{_NAME}@",
    rf"/Volumes/Users/{_NAME}",
    rf"HOMEPATH=\\{{1,8}}Users\\{{1,8}}{_NAME}",
)

LOGINS: tuple[Rule, ...] = (
    Rule(
        id="user",
        pattern=in_json("|".join(_LISTED)),
        keywords=entries(
            "rw ¦ r-x ¦ r-- ¦  0.0 ¦ pts/ ¦ :x: ¦ @ ¦ uid= ¦ gid= ¦ sudo: ¦ whoami ¦ owned by ¦ all= ¦ all = ¦ chown ¦ logged in to"
        ),
        source="manuals of POSIX systems",
        judge=person,
    ),
    Rule(
        id="user",
        pattern=rf"{_ONE_LINE}\S{{1,32}}\s+{_NAME}\s+\d",
        keywords=("rw", "r-x", "r--"),
        source="manuals of POSIX systems, ls",
        judge=person,
    ),
    Rule(
        id="user",
        pattern=in_json("|".join(_NAMED)),
        keywords=entries(
            "user ¦ logname ¦ homepath ¦ /media/ ¦ ~ ¦ smb: ¦ sftp: ¦ ssh: ¦ ftp: ¦ afp: ¦ vnc: ¦ cifs:"
        ),
        source="manuals of POSIX systems and macOS",
        judge=person,
    ),
)


RULES: tuple[Rule, ...] = (*homes.RULES, *LOGINS, *contact.EMAIL)

_NOBODY = words("root user admin runner node ubuntu")
# Logins that are words: they count only where nothing but a user name stands.
_WORDS = words(
    "app art bill build ci data demo deploy dev developer git guest home host jack jenkins local"
    " main mark max me mike pi postgres rich rob rose sam src system test tester vagrant web will"
    " work www"
)

_QUOTE = r"\\{0,7}[\"']"
_ENDS = r"(?:[^0-9A-Za-z_.\x80-\xff-]|\.?$|\.[^0-9A-Za-z])"
_EDGE = r"(?:^|[^0-9A-Za-z_.%+\\\x80-\xff-]|\\{1,7}[nrt]|\[[0-9;]{0,9}m)"
_ROW = r"(?:^|\n|\\{1,7}n)[ +-]?"
_MODE = r"[-dlbcps](?:[r-][w-][xsStT-]){3}[+@.]?\s+"
_OPTIONS = r"(?:\s+-[\w-]{1,24})*\s+"
_PROMPT = r"(?::\\{0,7}[~/$#%]| [^\s\]]{1,60} ?[$#%>]|(?: [^\]\n]{1,60})?\][$#])"
# Where a login stands, and nothing else does: `NAME`, with what is before and behind it.
_CERTAIN = (
    # a variable, a setting, an option
    rf"(?i:user(?:[_-]?name)?|logname|login|owner)(?:{_QUOTE})?\s?[=:]\s?(?:{_QUOTE})?NAME{_ENDS}",
    rf"\s--(?:user(?:name)?|owner)\s(?:{_QUOTE})?NAME{_ENDS}",
    r"[=,]\d{1,10}\(NAME\)",  # id
    rf"{_MODE}\d+\s+NAME\s|[UG]id: \(\s*\d+/\s*NAME\)",  # ls -l, stat
    rf"{_MODE}NAME/",  # tar -tv
    rf"{_ROW}NAME\s+(?:\d+\s+\d+\.\d|(?:\d+\s+){{3}}\d\d:\d\d|pts/|tty|console)",  # ps, who
    r"\d\s+NAME\s+(?:\d+[urw]|cwd|rtd|txt|mem)\s",  # lsof
    r"(?:^|[\s\"'])NAME:[x*!]?:\d",  # passwd, group
    rf"\b(?:chown|chgrp|passwd|adduser|useradd|deluser|userdel){_OPTIONS}NAME(?:[\s:;|&\"']|$)",
    rf"\bsu(?:\s+-[\w-]{{0,24}})+\s+NAME{_ENDS}",
    rf"{_ROW}\s{{0,8}}(?i:user)\s+NAME\s{{0,4}}(?:\n|\\{{1,7}}n|$)",  # the settings of ssh
    rf"\b(?:sudo|runuser|crontab|ssh)[^\n|;&]{{0,24}} -[ul] ?NAME{_ENDS}",
    r"\b(?:ssh|scp|sftp|rsync|mosh|sshfs|ssh-copy-id)\s(?:[^\n|;&]{0,60}[\s\"'])?NAME@",
    rf"{_EDGE}NAME@[0-9A-Za-z_.-]{{1,64}}{_PROMPT}",
    rf"/media/NAME{_ENDS}",
)
# The second name beside one of those, which a first look has passed over.
_BESIDE = (
    rf"{_MODE}\d+\s+\S{{1,32}}\s+NAME\s",
    rf"{_MODE}\S{{1,32}}/NAME\s",
    rf"\bchown{_OPTIONS}\S{{1,40}}:NAME(?:[\s;|&\"']|$)",
    r"Uid: \(\s*\d+/\s*\S{1,32}\)\s+Gid: \(\s*\d+/\s*NAME\)",
)
# Where a login stands if it is no word.
_LIKELY = (
    rf"{_EDGE}NAME@(?:\d{{0,6}}[A-Za-z_][0-9A-Za-z_-]{{0,62}}|\d{{1,3}}(?:\.\d{{1,3}}){{3}})(?:[^0-9A-Za-z_.(\[-]|\.?$|\.[^0-9A-Za-z])",
    rf"{BEFORE}/(?:(?:private/|var/)?tmp|mnt|scratch|data|nfs|work|opt|srv|u)/(?:[0-9A-Za-z_-]{{1,24}}-)?NAME{_ENDS}",
    r"(?:^|[\s\"'(>])[0-9A-Za-z-]{2,15}\\{1,4}NAME(?:[\s\"'),;:<]|$)",  # a Windows domain
    r"(?:^|[^0-9A-Za-z_.~-])(?i:home|users)[/\\]{1,4}NAME(?:[/\\\s\"']|$)",  # in an archive
)


def of(home: str, user: str) -> tuple[Rule, ...]:
    """The rules for this machine's own home folder and login name, wherever they stand."""
    rules: list[Rule] = []
    folder = [part for part in re.split(r"[/\\]+", home) if part]
    if folder:
        root = "" if folder[0].endswith(":") else SPELLED_ANY_SLASH
        path = root + SPELLED_ANY_SLASH.join("".join(map(_spelled, part)) for part in folder)
        climb = rf"(?:(?:\.\.{SPELLED_ANY_SLASH}){{1,32}}\.\.)?"
        rules.append(_own("own-home", rf"{BEFORE}({climb}{path}){_ENDS}", folder[-1], "~"))
    if len(folder) > 1:
        slug = rf"({_hyphens(home)})(?:[^0-9A-Za-z]|$)"
        rules.append(_own("own-slug", slug, folder[-1], "-~"))
    if user and user.lower() not in _NOBODY:
        rules += _login(user)
    return tuple(rules)


def _login(user: str) -> list[Rule]:
    name = re.escape(user)
    tilde = rf"(?:^|[\s\"'`=:(,])(~{name})(?:[/\\\s\"'`):,;]|$)"
    is_word = len(user) < 3 or user.lower() in _WORDS
    # Some clients leave out the first hyphen; then a word could be any word.
    start = r"(?:\b[A-Za-z]-)?-" if is_word else r"(?:(?:\b[A-Za-z]-)?-|\b)"
    slug = rf"({start}(?:home|Users)-{_hyphens(user)})(?:[^0-9A-Za-z]|$)"
    places = (_CERTAIN, _BESIDE, *(() if is_word else (_LIKELY,)))
    return [
        _own("own-home", tilde, user, "~"),
        _own("own-slug", slug, user, "-~"),
        *(_own("user", "|".join(each).replace("NAME", f"({name})"), user, "") for each in places),
    ]


def _spelled(letter: str) -> str:
    """A letter of a folder name as text, JSON and a URL spell it."""
    if letter.isascii() and (letter.isalnum() or letter in "_-"):
        return letter
    encoded = "".join(f"%(?:25){{0,2}}{byte:02X}" for byte in letter.encode())
    escaped = "" if ord(letter) > 0xFFFF else rf"|\\{{1,7}}u{ord(letter):04x}"
    shielded = r"\\{0,8}" if letter == " " else ""
    return rf"(?:{shielded}{re.escape(letter)}|(?i:{encoded}{escaped}))"


def _hyphens(path: str) -> str:
    """How a client names a folder after a path: a hyphen for each sign that is no letter."""
    return "".join(
        each
        if each.isascii() and each.isalnum()
        else "-"
        if each in "/\\:"
        else f"(?:[-_.]|{re.escape(each)})"
        for each in path
    )


def _own(rule: str, pattern: str, name: str, shown: str) -> Rule:
    # Latin-1 folding would pair bytes that are halves of UTF-8 characters.
    folded = f"(?i){pattern}" if pattern.isascii() else pattern
    plain = re.findall(r"[0-9A-Za-z]+", name)
    return Rule(
        id=rule,
        pattern=folded,
        keywords=(max(plain, key=len),) if plain else ("/", "\\", "-"),
        source="this machine",
        shown=shown,
    )
