"""Personal data: home folders, e-mail addresses, names of users where only a name stands, and on request
phone and card numbers.

Home folders go whoever they belong to: `/home/jdoe/src` becomes `~/src`, in paths of POSIX, macOS,
Windows and UNC (`/mnt/c/Users/~/src` where WSL or Cygwin mounted the drive), as they stand in text, in JSON however often it was escaped, in URLs,
and in the folder names that clients derive from paths. `/root` and the accounts that images and
build machines bring along are no persons, routes of web pages (`/home/settings`) no folders: these
stay.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from onward.redaction.engine import Rule
from onward.redaction.rules.table import lazy, read, words
from onward.redaction.rules.validators import is_filler

# A separator as plain text has it, escaped or not, and as other notations spell it.
_SLASH = r"(?:\\*/|%(?:25){0,2}2[fF]|\\{1,7}u002[fF]|&#(?:x2[fF]|47);)"
_ANY_SLASH = r"(?:[/\\]+|%(?:25){0,2}(?:5[cC]|2[fF])|\\{1,7}u00(?:5[cC]|2[fF]))"

# What may stand before an absolute path: not a name (`src/home/x`). A URL may: the judge tells
# folders (`file://host/home/x`) from web pages.
_BEFORE = (
    r"(?:^|[^0-9A-Za-z_.~/\\$\])}-]|(?:^|\n)-|\\{1,7}(?:[abfnrtv]|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})"
    r"|%(?:25){0,2}[0-9A-Fa-f]{2}|\[[0-9;]{0,9}m|(?:^|[\s\"'=])-[A-Za-z]{1,12}|/@fs"
    r"|://[^\s/\"'<>]*/{0,2})"
)

_ACCOUNTS = (
    "runner|runneradmin|ubuntu|ec2-user|node|vscode|codespace|gitpod|circleci|jovyan|vagrant|linuxbrew|site"
    "|app|appuser|nonroot|gradle|gitlab-runner|buildkite-agent"
    "|deploy|deployer|docs|www|www-data|git|jenkins|postgres|mysql"
    "|root|nobody|administrator|containeradministrator|shared|public|default|default user|all users"
    r"|lost\+found"
)
_ROUTES = (
    "settings|dashboard|index|about|profile|login|logout|search|pages?|products?|assets|static"
    "|create|edit|delete|details|list|new|feed|overview|welcome|help|contact"
)
_FILE = (
    r".*\.(?:html?|[cm]?[jt]sx?|vue|css|php|py|json|md|log|txt|xml|ya?ml|zip|tar|t?gz|png|jpe?g"
    "|svg|webp|ico)"
)
_NOT_PEOPLE = lazy(rf"(?i:{_ACCOUNTS}|{_ROUTES}|\d+|[0-9a-f-]{{32,36}}|{_FILE})")
# How an address of a page is announced: by a request, a link, or a call of a router.
_PAGE = lazy(
    r"(?:https?|wss?)://[^\s/]*/{0,2}\Z|\b(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) {1,3}[\"'`]?\Z"
    r"|\b(?:href|to|action|routerLink|pathname)=\{?\\{0,7}[\"'`]\Z"
    r"|(?:\.(?:get|post|put|patch|delete|all|use|route|push|replace|visit|goto)"
    r"|\b(?:navigate|redirect|visit|route))\(\s?\\{0,7}[\"'`]\Z"
)
_ROUTE = lazy(r"\b(?:path|url|to|link|route|redirectTo)\s?:\s?\\{0,7}[\"'`]\Z")
_ROUTE_END = lazy(r"\\{0,7}[\"'`]")
_SLASHES = lazy(rf"{_SLASH}|{_ANY_SLASH}")
_QUERY = lazy(r"\?\w+=|#\w")
_LISTED = lazy(r"(?:[/\\`]|\d\d:\d\d | \d{4} )\Z")
# A lower-case `-home-` is also how style sheets and flags name parts of a page.
_PAGE_PARTS = lazy(
    r"(?i:dir|directory|path|page|folder|url|screen|button|link|view|tab|icon|nav|menu|section"
    r"|card|header|footer|hero|banner|title|content|container|wrapper|assistant|automation)"
)


def home(value: str, before: str, after: str) -> bool:
    """A home folder of somebody: not one that is shared, not the address of a page."""
    name = _SLASHES.split(value)[-1]
    if _NOT_PEOPLE.fullmatch(name):
        return False
    # A router's table names pages of two words; a folder in such a place goes on.
    is_route = _ROUTE_END.match(after) and _ROUTE.search(before)
    return not (is_route or _PAGE.search(before) or _QUERY.match(after))


def slug(value: str, before: str, after: str) -> bool:
    """A folder name made of a path: not a part of a page, not a flag."""
    name = value.rpartition("-")[2]
    if _NOT_PEOPLE.fullmatch(name):
        return False
    if before.endswith(("projects/", "projects\\")) or "Users" in value:
        return True
    return not _PAGE_PARTS.fullmatch(name) and bool(after.startswith("-") or _LISTED.search(before))


_SERVICES = words(
    "redis mongo mongodb rabbitmq elastic sa neo4j minio grafana web api test tester dev demo service svc bot user "
    "username name youruser myuser me build builder developer owner group staff wheel docker sudo adm plugdev audio "
    "video render users nginx apache caddy npm python ruby java gitlab actions travis debian fedora centos alpine "
    "arch azureuser admin guest aur http postfix systemd-network messagebus sshd mail daemon bin sys nogroup nixbld "
    "src work cdrom dip lpadmin kvm input lxd netdev libvirt wireshark dialout floppy usb disk disk1 data backup"
)


def account(value: str, _before: str, after: str) -> bool:
    """A login that is no service, image's account, or filler."""
    return not (
        value in _SERVICES
        or _NOT_PEOPLE.fullmatch(value)
        or is_filler(value)
        or after.startswith("(")
    )


_NOBODY = words("root user admin runner node ubuntu")
# Logins that are words: they count only where nothing but a user name stands.
_WORDS = words(
    "app art bill build ci data demo deploy dev developer git guest home host jack jenkins local"
    " main mark max me mike pi postgres rich rob rose sam src system test tester vagrant web will"
    " work www"
)

_ENDS = r"(?:[^0-9A-Za-z_.\x80-\xff-]|\.?$|\.[^0-9A-Za-z])"
_OWN_LOGIN = r"""
⟨quoted⟩	(?:\\{0,7}[\"'])?
⟨edge⟩	(?:^|[^0-9A-Za-z_.%+\\\x80-\xff-]|\\{1,7}[nrt]|\[[0-9;]{0,9}m)
⟨row⟩	(?:^|\n|\\{1,7}n)[ +-]?
⟨mode⟩	[-dlbcps](?:[r-][w-][xsStT-]){3}[+@.]?\s+
⟨options⟩	(?:\s+-[\w-]{1,24})*\s+
⟨prompt⟩	(?::\\{0,7}[~/$#%]| [^\s\]]{1,60} ?[$#%>]|(?: [^\]\n]{1,60})?\][$#])
# where a login stands, and nothing else does: settings and options, id, ls -l and stat, tar -tv, ps
# and who, lsof, passwd and group, commands, the settings of ssh
user			this machine
  (?i:user(?:[_-]?name)?|logname|login|owner)⟨quoted⟩\s?[=:]\s?⟨quoted⟩⟨login⟩⟨ends⟩
  \s--(?:user(?:name)?|owner)\s⟨quoted⟩⟨login⟩⟨ends⟩
  [=,]\d{1,10}\(⟨login⟩\)
  ⟨mode⟩\d+\s+⟨login⟩\s|[UG]id: \(\s*\d+/\s*⟨login⟩\)
  ⟨mode⟩⟨login⟩/
  ⟨row⟩⟨login⟩\s+(?:\d+\s+\d+\.\d|(?:\d+\s+){3}\d\d:\d\d|pts/|tty|console)
  \d\s+⟨login⟩\s+(?:\d+[urw]|cwd|rtd|txt|mem)\s
  (?:^|[\s\"'])⟨login⟩:[x*!]?:\d
  \b(?:chown|chgrp|passwd|adduser|useradd|deluser|userdel)⟨options⟩⟨login⟩(?:[\s:;|&\"']|$)
  \bsu(?:\s+-[\w-]{0,24})+\s+⟨login⟩⟨ends⟩
  ⟨row⟩\s{0,8}(?i:user)\s+⟨login⟩\s{0,4}(?:\n|\\{1,7}n|$)
  \b(?:sudo|runuser|crontab|ssh)[^\n|;&]{0,24} -[ul] ?⟨login⟩⟨ends⟩
  \b(?:ssh|scp|sftp|rsync|mosh|sshfs|ssh-copy-id)\s(?:[^\n|;&]{0,60}[\s\"'])?⟨login⟩@
  ⟨edge⟩⟨login⟩@[0-9A-Za-z_.-]{1,64}⟨prompt⟩
  /media/⟨login⟩⟨ends⟩
# the second name beside one of those, which a first look has passed over
user			this machine
  ⟨mode⟩\d+\s+\S{1,32}\s+⟨login⟩\s
  ⟨mode⟩\S{1,32}/⟨login⟩\s
  \bchown⟨options⟩\S{1,40}:⟨login⟩(?:[\s;|&\"']|$)
  Uid: \(\s*\d+/\s*\S{1,32}\)\s+Gid: \(\s*\d+/\s*⟨login⟩\)
# where a login stands if it is no word: before hosts, in folders of users, behind a Windows domain,
# in an archive
user			this machine
  ⟨edge⟩⟨login⟩@(?:\d{0,6}[A-Za-z_][0-9A-Za-z_-]{0,62}|\d{1,3}(?:\.\d{1,3}){3})(?:[^0-9A-Za-z_.(\[-]|\.?$|\.[^0-9A-Za-z])
  ⟨before⟩/(?:(?:private/|var/)?tmp|mnt|scratch|data|nfs|work|opt|srv|u)/(?:[0-9A-Za-z_-]{1,24}-)?⟨login⟩⟨ends⟩
  (?:^|[\s\"'(>])[0-9A-Za-z-]{2,15}\\{1,4}⟨login⟩(?:[\s\"'),;:<]|$)
  (?:^|[^0-9A-Za-z_.~-])(?i:home|users)[/\\]{1,4}⟨login⟩(?:[/\\\s\"']|$)
"""


def of(home: str, user: str) -> tuple[Rule, ...]:
    """The rules for this machine's own home folder and login name, wherever they stand."""
    rules: list[Rule] = []
    folder = [part for part in re.split(r"[/\\]+", home) if part]
    # `/root` names nobody, and in a quoted text it most often is the root of a container.
    folder = [] if folder == ["root"] else folder
    if folder:
        root = "" if folder[0].endswith(":") else _ANY_SLASH
        path = root + _ANY_SLASH.join("".join(map(_spelled, part)) for part in folder)
        climb = rf"(?:(?:\.\.{_ANY_SLASH}){{1,32}}\.\.)?"
        rules.append(_own("own-home", rf"{_BEFORE}({climb}{path}){_ENDS}", folder[-1], "~"))
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
    places = read(_OWN_LOGIN, {}, login=f"({name})", ends=_ENDS, before=_BEFORE)
    return [
        _own("own-home", tilde, user, "~"),
        _own("own-slug", slug, user, "-~"),
        *(_own("user", each.pattern, user, "") for each in places[: 2 if is_word else 3]),
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


_AT = r"(?:@|%(?:25){0,2}40|\\{1,7}u0040|&#(?:64|x40);)"

# The last part of what has the shape of a domain, and is a file, a unit or an attribute.
_NOT_A_DOMAIN = lazy(
    r"(?i:.*\.(?:png|jpe?g|gif|svg|webp|avif|ico|pdf|[cm]?[jt]sx?|css|scss|less|json|jsonl|map|tgz|gz"
    r"|whl|tar|ya?ml|toml|lock|patch|diff|txt|html?|xml|vue|php|java|kt|swift|cpp|hpp|ipynb|csv|log"
    r"|service|socket|timer|target|mount|path|slice|scope|device|git"
    r"|weights?|data|shape|grad|values?|numpy|dtype)"
    r"|self\..*|this\..*|v?\d+\.\d.*|[A-Z]+\.md|[a-z_]+\.py)"
)
_MIXED = lazy(r"\.[A-Za-z]*[a-z][A-Z][A-Za-z]*$")  # an attribute: `this@Main.appContext`
_NOT_A_MAILBOX = frozenset({"git", "hg", "svn", "this", "super", "return", "self"})
# What goes on so is a remote (`host:dir/`), a call, or a longer name.
_NO_END = lazy(r":(?:~|/|[\w.-]+/)|\(|-\w")
_SIGN_AT, _NO_DIGIT = lazy(_AT), lazy(r"\D")
_IN_NUMBER, _NUMBER_GOES_ON = lazy(r"[0-9A-Za-z_.+/-]\Z"), lazy(r"[0-9A-Za-z_]|[./-]\d")
_SSH = lazy(
    r"(?:^|[\s`\"'$(+-])(?:ssh|scp|sftp|rsync|mosh|ssh-copy-id|sshfs|autossh)\s[^\n|;&]{0,79}\Z"
)
_USER_INFO = lazy(r"://(?:[^\s/]*:)?\Z")
_ACTION = lazy(r"\buses:\s*[\"']?[\w./-]*\Z")


def address(value: str, before: str, after: str) -> bool:
    """An e-mail address, not a git remote, an image at double size, or a matrix product."""
    local, _, domain = _SIGN_AT.sub("@", value).partition("@")
    if _NOT_A_DOMAIN.fullmatch(domain) or _MIXED.search(domain):
        return False
    if local.lower() in _NOT_A_MAILBOX or _NO_END.match(after):
        return False
    return not any(shape.search(before) for shape in (_SSH, _USER_INFO, _ACTION))


# Country codes and how many digits a number has in all (ITU-T E.164, list of assigned codes).
_COUNTRIES = lazy(
    r"1[2-9]\d\d[2-9]\d{6}|7\d{10}|(?:2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])\d{7,12}"
    r"|(?:21[1-368]|2[2-6]\d|29[01789]|35\d|37\d|38\d|42[013]|50\d|59\d|67\d|68\d|69[0-2]|80[08]"
    r"|85[02356]|88[0-36]|96\d|97\d|99[2-8])\d{6,11}"
)
_WITHIN = lazy(r"[0-9A-Za-z_./+-]\Z|\d[,: ]\Z")
_GOES_ON = lazy(r"[0-9A-Za-z_]|[.,:/-]\d")
_NO_PHONE = lazy(r"\+\d{1,3}\.\d+|(?:19|20)\d\d[-./]\d\d[-./]\d\d.*")  # a place, a day


def phone(value: str, before: str, after: str) -> bool:
    """A phone number: with its country code (ITU-T E.164), in the North American form, or in
    any groups behind a word that announces it. Never a run of digits alone.
    """
    digits = _NO_DIGIT.sub("", value)
    if _WITHIN.search(before) or _GOES_ON.match(after) or _NO_PHONE.fullmatch(value):
        return False
    if not value.startswith("+"):
        return 7 <= len(digits) <= 15 and len(set(digits)) > 2
    return _COUNTRIES.fullmatch(digits) is not None


_ISSUERS = lazy(
    r"4(?:\d{12}|\d{15}|\d{18})"  # Visa
    r"|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}"  # Mastercard
    r"|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}"  # Amex, Diners, JCB
    r"|6(?:011|5\d\d|4[4-9]\d)\d{12}|62\d{14,17}|(?:5[06-9]|6[37])\d{14}"  # Discover, UnionPay, Maestro
)


def card(value: str, before: str, after: str) -> bool:
    """A payment card: prefix and length of an issuer, and the check digit (ISO/IEC 7812)."""
    digits = _NO_DIGIT.sub("", value)
    if _IN_NUMBER.search(before) or _NUMBER_GOES_ON.match(after):
        return False
    # Behind the last group there may be the code of the back.
    return any(_valid(each) for each in (digits, digits[:16] if value != digits else ""))


def _valid(digits: str) -> bool:
    doubled = (int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits)))
    whole = sum(each - 9 if each > 9 else each for each in doubled)
    return whole % 10 == 0 and _ISSUERS.fullmatch(digits) is not None


RULES = read(
    r"""
# Letters as UTF-8 has them and JSON escapes them: of scripts that write spaces between words, and of
# those that do not. With the latter a sentence goes on right behind a path, so they count only in a name
# that begins with one.
⟨letter⟩	(?:[0-9A-Za-z_]|[\xc3-\xdf][\x80-\xbf]|\\{1,7}u0(?:0[c-fC-F]|[1-7][0-9a-fA-F])[0-9a-fA-F])
⟨sign⟩	(?:(?:\xe0[\xa4-\xbf]|\xe3[\x81-\xbf]|[\xe4-\xed][\x80-\xbf])[\x80-\xbf]|\\{1,7}u(?:3[1-9a-fA-F]|[4-9a-cA-C][0-9a-fA-F]|[dD][0-7])[0-9a-fA-F]{2})
⟨folder⟩
  (?:
    ⟨letter⟩(?:(?:\.?(?:⟨letter⟩|[@+~-]|\\{1,8} |%(?:25){0,2}(?:20|40)))*\.?⟨letter⟩)?
    ⟨sign⟩(?:\.?(?:⟨sign⟩|[0-9A-Za-z_-]))*
  )
# Up to the root and down again: what climbs less may stay within the project. In a home folder that WSL
# or Cygwin has mounted only the name goes, as `~` is another folder there. A name with spaces counts only
# where something says where it ends.
⟨mounted⟩	⟨slash⟩(?:mnt|cygdrive|host_mnt|run⟨slash⟩desktop⟨slash⟩mnt⟨slash⟩host)⟨slash⟩[A-Za-z]⟨slash⟩[Uu]sers⟨slash⟩
⟨root⟩
  (?:(?:\.\.⟨slash⟩){4,32}\.\.)?(?:
    ⟨slash⟩[A-Za-z]|⟨slash⟩(?:var|export|usr|private|host|data|nfs|srv|vol|gpfs|lustre|scratch|rootfs)
    ⟨slash⟩(?:net|mnt|media)(?:⟨slash⟩[0-9A-Za-z_.-]+){1,3}
    ⟨slash⟩(?:System⟨slash⟩)?Volumes⟨slash⟩[^\x2f\n\"'%\\]+(?:⟨slash⟩[^\x2f\s\"'%\\]+){0,3}
  )?⟨slash⟩(?:home(?:⟨slash⟩users)?|Users)⟨slash⟩
⟨word⟩	⟨letter⟩(?:\.?(?:⟨letter⟩|-))*
⟨words⟩	⟨word⟩(?: ⟨word⟩){1,3}
⟨two⟩	⟨word⟩ (?:[A-Z]|\xc3[\x80-\x9e]|[\xc4\xc5\xc8][\x80-\xbf])⟨word⟩
home (~)	home	/home ¦ /users ¦ 2fhome% ¦ 2fusers% ¦ u002fhome ¦ u002fusers ¦ 2f;home ¦ 2f;users ¦ #47;	Filesystem Hierarchy Standard; macOS; WSL; RFC 3986, section 2.1; RFC 8259, section 7
  [\"'`](?:⟨mounted⟩(⟨words⟩)|(⟨root⟩⟨words⟩))⟨slash⟩
  ⟨before home⟩(?:(?:⟨mounted⟩(⟨two⟩)|(⟨root⟩⟨two⟩))⟨slash⟩|⟨mounted⟩(⟨folder⟩)|(⟨root⟩⟨folder⟩))
user	home	/pytest-of- ¦ /run/media/ ¦ /var/mail/ ¦ /var/spool/	pytest's folder of temporary files; udisks; mail and cron of POSIX systems
  /(?:pytest-of-|run/media/|var/mail/|var/spool/(?:mail|cron/crontabs)/)(⟨folder⟩)
⟨windows root⟩
  (?:
    /?(?:\\{2,}[?.]\\+(?:UNC\\+)?)?[A-Za-z](?::|%(?:25){0,2}3[aA])⟨any slash⟩(?i:users|documents and settings|docume~1|(?:msys|cygwin)\d{0,2}⟨any slash⟩home)
    (?:\\{2,}[0-9A-Za-z.$_-]+|//wsl(?:\$|\.localhost))(?:⟨any slash⟩[0-9A-Za-z.$_-]+){0,2}⟨any slash⟩(?i:users|homes?\$?|profiles)
  )⟨any slash⟩
⟨few⟩	⟨word⟩(?: ⟨word⟩){1,2}
home-windows (~)	home	:\users ¦ \users\ ¦ /users/ ¦ \home ¦ /home/ ¦ /cygwin ¦ \profiles ¦ documents and settings ¦ docume~1 ¦ 5cusers ¦ 2fusers ¦ %3a/users ¦ 5chome ¦ 2fhome	Windows profile folders; WSL; UNC; RFC 3986, section 2.1; RFC 8259, section 7
  [\"'`](?:(⟨windows root⟩⟨words⟩)[/\\]|(⟨windows root⟩⟨few⟩)\\{0,7}[\"'`])
  ⟨before home⟩(?:(⟨windows root⟩⟨few⟩)[\\>]|(⟨windows root⟩⟨folder⟩))
⟨slug mount⟩	(?:-(?:mnt|cygdrive)-[a-z]|-[a-z]|-(?:var|export|private|data|usr|nfs|srv)|-Volumes-[0-9A-Za-z-]{1,40}|--wsl[0-9A-Za-z-]{1,40}|[A-Za-z]-)?
home-slug (-~)	slug	-home- ¦ users-	clients name folders after paths, with every separator a hyphen
  (?:^|[\s\"'`/\\=(:,+]|\n-|[0-9A-Za-z]-|\\{1,7}[nrt]|\[[0-9;]{0,9}m)(⟨slug mount⟩-(?:home|Users)-(?:⟨letter⟩|\.)+)
  projects⟨any slash⟩((?:[A-Za-z]-)?Users-(?:⟨letter⟩|\.)+)
⟨one line⟩	[-dlbcps](?:[r-][w-][xsStT-]){3}[+@.]?\s+\d+\s+
⟨name⟩	([a-z][a-z0-9_.-]{2,31})
⟨line⟩	(?:^|\n)(?:\s{0,8}\d{1,6}\t|[ +-])?
user (json)	account	rw ¦ r-x ¦ r-- ¦  0.0 ¦ pts/ ¦ :x: ¦ @ ¦ uid= ¦ gid= ¦ sudo: ¦ whoami ¦ owned by ¦ all= ¦ all = ¦ chown ¦ logged in to	manuals of POSIX systems
  ⟨one line⟩⟨name⟩\s
  ⟨line⟩⟨name⟩\s+\d{1,8}\s+\d{1,3}\.\d\s+\d{1,3}\.\d\s
  ⟨line⟩⟨name⟩:x?:\d{4,6}:\d
  ⟨line⟩(?:\([\w.-]{1,30}\) )?\[?⟨name⟩@[0-9A-Za-z_.-]{1,64}(?::| )[~/][^\s]{0,60}\]?[$#%][ ]
  =\d{3,10}\(⟨name⟩\)
  ⟨edge⟩sudo: {1,4}⟨name⟩ :[ ]
  ⟨edge⟩whoami\n⟨name⟩(?:\s|\\|$)
  owned by ⟨name⟩ \(
  ⟨line⟩⟨name⟩\s+ALL\s?=\s?\(
  ⟨edge⟩chown\s(?:-\w+\s)?(?:⟨name⟩:|\S{0,32}:⟨name⟩\s)
  Logged in to \S{1,60} (?:account|as) ⟨name⟩\s
user	account	rw ¦ r-x ¦ r--	manuals of POSIX systems, ls	⟨one line⟩\S{1,32}\s+⟨name⟩\s+\d
user (json)	account	user ¦ logname ¦ homepath ¦ /media/ ¦ ~ ¦ smb: ¦ sftp: ¦ ssh: ¦ ftp: ¦ afp: ¦ vnc: ¦ cifs:	manuals of POSIX systems and macOS
  ⟨edge⟩(?:USER|LOGNAME|USERNAME|SUDO_USER)(?:=\"?|: ?)⟨name⟩(?:[\s\"'\\]|$)
  (?:^|[\s\"'=:])/media/⟨name⟩/
  (?:^|[\s\"'=:n])~⟨name⟩/
  ⟨edge⟩(?:smb|sftp|ssh|ftp|afp|vnc|cifs)://⟨name⟩@
  /Volumes/Users/⟨name⟩
  HOMEPATH=\\{1,8}Users\\{1,8}⟨name⟩
⟨before⟩
  (?:
    ^|[^0-9A-Za-z._%+\\\x80-\xff-]|\xc2[\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}
    \\{1,7}(?:[abfnrtv]|u(?:00[0-9aAbB]|[2-9a-fA-F][0-9a-fA-F]{2})[0-9a-fA-F])
    %(?:25){0,2}[0-9A-Fa-f]{2}
  )[.+-]{0,3}
⟨atom⟩	⟨letter⟩(?:⟨letter⟩|[.+-])*
⟨quoted⟩	[^\s\"\\@,:}\]][^\n\"\\@]{0,60}
⟨local⟩	⟨atom⟩(?:%(?:25){0,2}2[bB]⟨atom⟩)?|\"⟨quoted⟩\"|\\\"⟨quoted⟩\\\"|\\{3}\"⟨quoted⟩\\{3}\"
⟨label⟩	⟨letter⟩(?:⟨letter⟩|-)*
⟨domain⟩	(?:(?:⟨label⟩\.){1,6}(?:(?:[A-Za-z]{2,24}|[xX][nN]--[0-9A-Za-z-]{2,59})\b|(?:[\xc3-\xdf][\x80-\xbf]){2,20})|\[(?:IPv6:)?[0-9A-Fa-f.:]{3,45}\])
⟨signs⟩	(?:⟨sign⟩){1,12}@(?:⟨sign⟩){1,12}\.(?:(?:⟨sign⟩){2,12}|[a-z]{2,24}|xn--[0-9a-z-]{2,59})
email	address	@ ¦ %40 ¦ %2540 ¦ u0040 ¦ &#64; ¦ &#x40;	RFC 5321, RFC 6531, as far as addresses are met	⟨before⟩((?:⟨local⟩)⟨at⟩⟨domain⟩|⟨signs⟩)
""",
    globals(),
    **{"any slash": _ANY_SLASH, "at": _AT, "before home": _BEFORE, "slash": _SLASH},
)

_ASKED = r"""
⟨cue⟩	(?i:\b(?:tel|telephone|telefon|phone|mobile|mobil|fax|whatsapp|sms|call (?:me|us))\b|\xe7\x94\xb5\xe8\xaf\x9d|\xe6\x89\x8b\xe6\x9c\xba)
⟨groups⟩	\+?(?:\(\d{2,5}\)|\d{2,5})(?:[ .\-/]{1,3}\d{2,8}){1,5}
⟨abroad⟩	\+[1-9]\d{0,2}(?:[ .\-/]{0,2}(?:\(\d{1,5}\)|\d{1,5})){1,6}
⟨north america⟩	(?:\b1[ .-])?(?:\([2-9]\d\d\) ?|\b[2-9]\d\d[ .-])[2-9]\d\d[ .-]\d{4}
phone	phone		ITU-T E.164, E.123; North American Numbering Plan	⟨cue⟩[^\n\d(+]{0,20}(⟨groups⟩)|(⟨abroad⟩)|(⟨north america⟩)
⟨grouped⟩	\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{1,4}(?:[ -]\d{3}\b)?|\d{4}[ -]\d{6}[ -]\d{4,5}
card	card		ISO/IEC 7812; the issuers' ranges and test numbers	\b(⟨grouped⟩|\d{14,16})
"""

KINDS: Mapping[str, tuple[Rule, ...]] = {rule.id: (rule,) for rule in read(_ASKED, globals())}
"""What is taken out on request only, by the name it is asked for."""
