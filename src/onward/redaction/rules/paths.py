"""How the path of a home folder is spelled: in text, in JSON however often, in a URL, in HTML."""

from __future__ import annotations

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
