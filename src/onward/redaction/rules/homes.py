"""Home folders, whoever they belong to: `/home/jdoe/src` becomes `~/src`.

In paths of POSIX, macOS, Windows, WSL, Cygwin and UNC, as they stand in text, in JSON however
often it was escaped, in URLs, and in the folder names that clients derive from paths. `/root`
and the accounts that images and build machines bring along are no persons, routes of web
pages (`/home/settings`) no folders: these stay.
"""

from __future__ import annotations

from onward.redaction.engine import Rule
from onward.redaction.rules.paths import (
    ANY_SLASH,
    LETTER,
    NAME,
    SLASH,
    SPELLED_ANY_SLASH,
    SPELLED_SLASH,
    posix_home,
    windows_home,
)
from onward.redaction.rules.shared import entries, lazy

_SLUG_MOUNT = (
    r"(?:-(?:mnt|cygdrive)-[a-z]|-[a-z]|-(?:var|export|private|data|usr|nfs|srv)"
    r"|-Volumes-[0-9A-Za-z-]{1,40}|--wsl[0-9A-Za-z-]{1,40}|[A-Za-z]-)?"
)

_ACCOUNTS = (
    "runner|runneradmin|node|vscode|codespace|gitpod|circleci|jovyan|vagrant|linuxbrew|site"
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
