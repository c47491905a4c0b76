"""Home folders, whoever they belong to: `/home/jdoe/src` becomes `~/src`.

In paths of POSIX, macOS, Windows, WSL, Cygwin and UNC, as they stand in text, in JSON however
often it was escaped, in URLs, and in the folder names that clients derive from paths. `/root`
and the accounts that images and build machines bring along are no persons, routes of web
pages (`/home/settings`) no folders: these stay.
"""

from __future__ import annotations

from onward.redaction.engine import Rule
from onward.redaction.rules.shared import entries, lazy

# A separator as plain text has it, escaped or not, and as other notations spell it.
SLASH = r"\\*/"
ANY_SLASH = r"[/\\]+"
SPELLED_SLASH = rf"(?:{SLASH}|%(?:25){{0,2}}2[fF]|\\{{1,7}}u002[fF]|&#(?:x2[fF]|47);)"
SPELLED_ANY_SLASH = rf"(?:{ANY_SLASH}|%(?:25){{0,2}}(?:5[cC]|2[fF])|\\{{1,7}}u00(?:5[cC]|2[fF]))"

# What may stand before an absolute path: not a name (`src/home/x`). A URL may: the judge tells
# folders (`file://host/home/x`) from web pages.
BEFORE = (
    r"(?:^|[^0-9A-Za-z_.~/\\$\])}-]|(?:^|\n)-|\\{1,7}(?:[abfnrtv]|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})"
    r"|%(?:25){0,2}[0-9A-Fa-f]{2}|\[[0-9;]{0,9}m|(?:^|[\s\"'=])-[A-Za-z]{1,12}|/@fs"
    r"|://[^\s/\"'<>]*/{0,2})"
)
# Letters as UTF-8 has them and JSON escapes them: of scripts that write spaces between words,
# and of those that do not. With the latter a sentence goes on right behind a path, so they
# count only in a name that begins with one.
_HEX = "[0-9a-fA-F]"
LETTER = rf"(?:[0-9A-Za-z_]|[\xc3-\xdf][\x80-\xbf]|\\{{1,7}}u0(?:0[c-fC-F]|[1-7]{_HEX}){_HEX})"
SIGN = (
    r"(?:(?:\xe0[\xa4-\xbf]|\xe3[\x81-\xbf]|[\xe4-\xed][\x80-\xbf])[\x80-\xbf]"
    rf"|\\{{1,7}}u(?:3[1-9a-fA-F]|[4-9a-cA-C]{_HEX}|[dD][0-7]){_HEX}{{2}})"
)
_SPACE = r"(?:\\{1,8} |%(?:25){0,2}20)"
NAME = (
    rf"(?:{LETTER}(?:(?:\.?(?:{LETTER}|[@+~-]|{_SPACE}|%(?:25){{0,2}}40))*\.?{LETTER})?"
    rf"|{SIGN}(?:\.?(?:{SIGN}|[0-9A-Za-z_-]))*)"
)
_WORD = rf"{LETTER}(?:\.?(?:{LETTER}|-))*"

_DRIVE = "/(?:mnt|cygdrive|host_mnt|run/desktop/mnt/host)/[A-Za-z]/[Uu]sers"
_MOUNT = (
    "(?:/[A-Za-z]|/(?:var|export|usr|private|host|data|nfs|srv|vol|gpfs|lustre|scratch|rootfs)"
    r"|/(?:net|mnt|media)(?:/[0-9A-Za-z_.-]+){1,3}"
    r"|/(?:System/)?Volumes/[^\x2f\n\"'%\\]+(?:/[^\x2f\s\"'%\\]+){0,3})?"
)
# Up to the root and down again; what climbs less may stay within the project.
_CLIMB = r"(?:(?:\.\./){4,32}\.\.)?"
_LONG = r"(?:\\{2,}[?.]\\+(?:UNC\\+)?)?"


def posix_home(slash: str) -> str:
    """The pattern of a home folder of POSIX, macOS or WSL with that separator. A name with
    spaces counts only in quotes, where a separator says where it ends.
    """
    # Every `/` of the parts is a separator; one in a class is `\\x2f`.
    root = f"(?:{_DRIVE}|{_CLIMB}{_MOUNT}/(?:home(?:/users)?|Users))/".replace("/", slash)
    return (
        rf"(?:[\"'`]({root}{_WORD}(?: {_WORD}){{1,3}}){slash}"
        rf"|{BEFORE}({root}{_WORD} (?:[A-Z]|\xc3[\x80-\x9e]|[\xc4\xc5\xc8][\x80-\xbf]){_WORD}){slash}|{BEFORE}({root}{NAME}))"
    )


def windows_home(slash: str, colon: str) -> str:
    """The pattern of a home folder of Windows, in a UNC path too, with that separator and that
    colon. A name with spaces counts only where something says where it ends.
    """
    share = rf"(?:{slash}[0-9A-Za-z.$_-]+){{0,2}}{slash}(?i:users|homes?\$?|profiles)"
    root = (
        rf"(?:/?{_LONG}[A-Za-z]{colon}{slash}"
        rf"(?i:users|documents and settings|docume~1|(?:msys|cygwin)\d{{0,2}}{slash}home)"
        rf"|(?:\\{{2,}}[0-9A-Za-z.$_-]+|//wsl(?:\$|\.localhost)){share}){slash}"
    )
    return (
        rf"(?:[\"'`](?:({root}{_WORD}(?: {_WORD}){{1,3}})[/\\]"
        rf"|({root}{_WORD}(?: {_WORD}){{1,2}})\\{{0,7}}[\"'`])"
        rf"|{BEFORE}(?:({root}{_WORD}(?: {_WORD}){{1,2}})[\\>]|({root}{NAME})))"
    )


_SLUG_MOUNT = (
    r"(?:-(?:mnt|cygdrive)-[a-z]|-[a-z]|-(?:var|export|private|data|usr|nfs|srv)"
    r"|-Volumes-[0-9A-Za-z-]{1,40}|--wsl[0-9A-Za-z-]{1,40}|[A-Za-z]-)?"
)

_ACCOUNTS = (
    "runner|runneradmin|ubuntu|ec2-user|node|vscode|codespace|gitpod|circleci|jovyan|vagrant|linuxbrew|site"
    "|app|appuser|nonroot|gradle|gitlab-runner|buildkite-agent"
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
_SLASHES = lazy(rf"{SPELLED_SLASH}|{SPELLED_ANY_SLASH}")
_QUERY = lazy(r"\?\w+=|#\w")
_LISTED = lazy(r"(?:[/\\`]|\d\d:\d\d | \d{4} )\Z")
# A lower-case `-home-` is also how style sheets and flags name parts of a page.
_PARTS = lazy(
    r"(?i:dir|directory|path|page|folder|url|screen|button|link|view|tab|icon|nav|menu|section"
    r"|card|header|footer|hero|banner|title|content|container|wrapper|assistant|automation)"
)


def person(value: str, before: str, after: str) -> bool:
    """A home folder of somebody: not one that is shared, not the address of a page."""
    name = _SLASHES.split(value)[-1]
    if _NOT_PEOPLE.fullmatch(name):
        return False
    # A router's table names pages of two words; a folder in such a place goes on.
    is_route = _ROUTE_END.match(after) and _ROUTE.search(before)
    return not (is_route or _PAGE.search(before) or _QUERY.match(after))


def is_account(name: str) -> bool:
    """An account that no person has: of an image, a build machine, or a page's route."""
    return _NOT_PEOPLE.fullmatch(name) is not None


def slug(value: str, before: str, after: str) -> bool:
    """A folder name made of a path: not a part of a page, not a flag."""
    name = value.rpartition("-")[2]
    if _NOT_PEOPLE.fullmatch(name):
        return False
    if before.endswith(("projects/", "projects\\")) or "Users" in value:
        return True
    return not _PARTS.fullmatch(name) and bool(after.startswith("-") or _LISTED.search(before))


RULES: tuple[Rule, ...] = (
    Rule(
        id="home",
        pattern=posix_home(SLASH),
        keywords=("/home", "/users"),
        source="Filesystem Hierarchy Standard; macOS; WSL",
        judge=person,
        shown="~",
    ),
    Rule(
        id="user",
        pattern=(
            rf"/(?:pytest-of-|run/media/|var/mail/|var/spool/(?:mail|cron/crontabs)/)({NAME})"
        ),
        keywords=("/pytest-of-", "/run/media/", "/var/mail/", "/var/spool/"),
        source="pytest's folder of temporary files; udisks; mail and cron of POSIX systems",
        judge=person,
    ),
    Rule(
        id="home-windows",
        pattern=windows_home(ANY_SLASH, ":"),
        keywords=entries(
            ":\\users ¦ \\users\\ ¦ /users/ ¦ \\home ¦ /home/ ¦ /cygwin ¦ \\profiles ¦ "
            "documents and settings ¦ docume~1"
        ),
        source="Windows profile folders; WSL; UNC",
        judge=person,
        shown="~",
    ),
    Rule(
        id="home-spelled",
        pattern=posix_home(SPELLED_SLASH),
        keywords=("2fhome%", "2fusers%", "u002fhome", "u002fusers", "2f;home", "2f;users", "#47;"),
        source="RFC 3986, section 2.1; RFC 8259, section 7",
        judge=person,
        shown="~",
    ),
    Rule(
        id="home-windows-spelled",
        pattern=windows_home(SPELLED_ANY_SLASH, r"(?::|%(?:25){0,2}3[aA])"),
        keywords=("5cusers", "2fusers", "%3a/users", "5chome", "2fhome"),
        source="RFC 3986, section 2.1; RFC 8259, section 7",
        judge=person,
        shown="~",
    ),
    Rule(
        id="home-slug",
        pattern=(
            rf"(?:^|[\s\"'`/\\=(:,+]|\n-|[0-9A-Za-z]-|\\{{1,7}}[nrt]|\[[0-9;]{{0,9}}m)"
            rf"({_SLUG_MOUNT}-(?:home|Users)-(?:{LETTER}|\.)+)"
            rf"|projects{ANY_SLASH}((?:[A-Za-z]-)?Users-(?:{LETTER}|\.)+)"
        ),
        keywords=("-home-", "users-"),
        source="clients name folders after paths, with every separator a hyphen",
        judge=slug,
        shown="-~",
    ),
)
