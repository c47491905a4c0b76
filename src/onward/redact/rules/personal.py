"""Personal data: the user's name in paths, e-mail addresses."""

from __future__ import annotations

import re

from onward.redact.engine import Rule

_SEP = r"[/\\]{1,8}"  # doubled by each layer of JSON
# What may stand before an absolute path: not a name (`example.test/home/x` is a web page).
_BEFORE = (
    r"(?:^|[^0-9A-Za-z_.~/\\$\])}-]|\\{1,7}[nrt]|\[[0-9;]{0,9}m|[\s\"'=]-[A-Za-z]"
    r"|(?:file|sftp|ssh|scp|rsync|smb|vscode-remote)://[^/\s]{0,80})"
)
_BYTE = r"[0-9A-Za-z_\x80-\xff]"
_NAME = rf"{_BYTE}(?:[0-9A-Za-z_.\x80-\xff-]{{0,62}}{_BYTE})?"
_HOST = r"\\{2,16}[0-9A-Za-z.$_-]{1,64}"
_WINDOWS = (
    rf"(?:[A-Za-z]:{_SEP}(?:Users|Documents and Settings)|{_HOST}(?:{_SEP}[0-9A-Za-z.$_-]{{1,64}})?{_SEP}"
    rf"(?:Users|home)){_SEP}{_NAME}"
)
_SHARED = frozenset({"root", "user", "admin", "runner", "node", "ubuntu"})
_NOT_PEOPLE = re.compile(
    r"(?i:shared|public|default|all users|linuxbrew|\d+|[0-9a-f-]{32,36}"
    # routes of web pages: what stands behind `/home/` there
    r"|settings|dashboard|index|about|profile|login|search|pages?|products?|assets|static"
    r"|.*\.(?:html?|[jt]sx?|vue|css|php|py|json|md))"
)
_FILES = re.compile(
    r"(?i:.*\.(?:png|jpe?g|gif|svg|webp|avif|ico|m?js|css|json|map|tgz|gz|zip|whl|tar|ya?ml|toml|lock|txt|html))"
)
_REMOTE = re.compile(r":(?:~|/|[\w.-]+/)")
_SSH = re.compile(r"(?:^|[\s`\"'$(+-])(?:ssh|scp|sftp|rsync|mosh|ssh-copy-id)\s[^\n|;&]{0,79}$")


def person(value: str, before: str, after: str) -> bool:
    """A home folder of somebody, not a shared one or an id in a route."""
    del before, after
    return not _NOT_PEOPLE.fullmatch(re.split(r"[/\\]+", value)[-1])


def address(value: str, before: str, after: str) -> bool:
    """An e-mail address, not a git remote, an image at double size, or a matrix product."""
    local, _, domain = value.partition("@")
    if _FILES.fullmatch(domain) or domain.startswith(("self.", "this.")):
        return False
    if local.lower() in {"git", "hg", "svn"} or _REMOTE.match(after) or after.startswith("("):
        return False
    return not _SSH.search(before) and not before.endswith((":", "://"))


RULES: tuple[Rule, ...] = (
    Rule(
        id="home",
        pattern=(
            rf"{_BEFORE}((?:/mnt/[a-z]|/[a-z]|/cygdrive/[a-z]|/var|/export|/usr|/private|/host)?"
            rf"/(?:home|Users)/{_NAME})"
        ),
        keywords=("/home/", "/users/"),
        hits=(
            "cd «/home/jdoe»/src",
            "open «/Users/jane.doe»/Documents/a.md",
            "at «/mnt/c/Users/jdoe»/x.py:3",
            '"path":"«/home/jdoe»"',
            "file://«/home/jdoe»/a.html",
            "gcc -I«/home/jdoe»/include",
            "a\\n«/home/jdoe»/b",
            "«/var/home/jdoe»/x",
            "«/home/søren»/x",
        ),
        misses=(
            "https://example.test/home/settings",
            "/home/$USER/x",
            "GET /home/settings 200",
            "import x from '/home/index.tsx'",
            "/Users/Shared/x",
            "/Users/{id}",
            "src/home/index.ts",
            "~/home/notes",
        ),
        source="Filesystem Hierarchy Standard; macOS; WSL",
        judge=person,
        shown="~",
    ),
    Rule(
        id="home-windows",
        # A name with spaces counts only where a separator says where it ends.
        pattern=rf"{_BEFORE}(?:({_WINDOWS}(?: {_NAME}){{1,3}}){_SEP}|({_WINDOWS}))",
        keywords=("users", "documents and settings", "home"),
        hits=(
            "cd «C:\\Users\\jdoe»\\src",
            '"C:\\\\Users\\\\jdoe\\\\src"',
            "«D:/Users/jdoe»/src",
            "«C:\\Users\\Jane Doe»\\src\\a.py",
            "\\\\server\\Users\\jdoe\\x",
            "\\\\wsl$\\Ubuntu\\home\\jdoe\\x",
        ),
        misses=("C:\\Users\\Public\\x", "C:\\Users\\%USERNAME%\\x", "C:\\Windows\\System32"),
        source="Windows profile folders; WSL; UNC",
        judge=person,
        shown="~",
    ),
    Rule(
        id="home-slug",
        pattern=rf"projects{_SEP}((?:[A-Za-z]-)?-(?:home|Users)-[0-9A-Za-z_.]{{1,64}})",
        keywords=("-home-", "-users-"),
        hits=("projects/«-home-jdoe»-src-x/a.jsonl", "projects\\«C--Users-jdoe»-src"),
        misses=("projects/my-home-page", "projects/-home-$USER-x"),
        source="clients name folders after paths, with every separator a hyphen",
        shown="-~",
    ),
    Rule(
        id="email",
        pattern=(
            r"(?:^|[^0-9A-Za-z._%+\\-]|\\[abfnrtv]|\\u[0-9a-fA-F]{4})"
            r"([0-9A-Za-z_%+][0-9A-Za-z._%+-]{0,63}@(?:[0-9A-Za-z](?:[0-9A-Za-z-]{0,62})\.){1,6}[A-Za-z]{2,24})\b"
        ),
        keywords=("@",),
        hits=(
            "mail «jane.doe+x@example.org» about it",
            "Author: Jane <«jane@mail.example.co.uk»>",
            "«noreply@example.com»",
        ),
        misses=(
            "git@github.com:org/repo.git",
            "@scope/pkg@1.2.3",
            "foo@1.2.3",
            "@app.route('/')",
            "logo@2x.png",
            "ssh deploy@web1.example.org uptime",
            "scp a.txt me@host.example.org:/srv/",
            "q@self.weight",
            "uses: actions/checkout@v4",
        ),
        source="RFC 5321, as far as addresses are met",
        judge=address,
    ),
)


def of(home: str, user: str) -> tuple[Rule, ...]:
    """The rules for this machine's own home folder and login name, wherever they stand."""
    rules: list[Rule] = []
    folder = [part for part in re.split(r"[/\\]+", home) if part]
    if folder:
        root = "" if folder[0].endswith(":") else _SEP
        path = root + _SEP.join(re.escape(part) for part in folder)
        pattern = rf"{_BEFORE}({path})(?:[^0-9A-Za-z_.\x80-\xff-]|\.?$|\.[^0-9A-Za-z])"
        rules.append(_own("own-home", pattern, folder[-1], "~"))
    if len(user) > 2 and user.lower() not in _SHARED:
        name = re.escape(user)
        slug = rf"((?:\b[A-Za-z]-)?-(?:home|Users)-{name})(?:[^0-9A-Za-z]|$)"
        rules.append(_own("own-slug", slug, user, "-~"))
        places = rf"(?:/(?:home|Users|media)/|\\Users\\{{1,4}})({name})(?:[^0-9A-Za-z_.-]|\.?$|\.[^0-9A-Za-z])"
        prompt = rf"(?:^|[^0-9A-Za-z_.%+-])({name})@[0-9A-Za-z_-]"
        rules.append(_own("user", rf"{places}|{prompt}", user, ""))
    return tuple(rules)


def _own(rule: str, pattern: str, keyword: str, shown: str) -> Rule:
    # Latin-1 folding would pair bytes that are halves of UTF-8 characters.
    folded = f"(?i){pattern}" if pattern.isascii() else pattern
    return Rule(
        id=rule,
        pattern=folded,
        keywords=(keyword,),
        hits=(),
        misses=(),
        source="this machine",
        shown=shown,
    )
