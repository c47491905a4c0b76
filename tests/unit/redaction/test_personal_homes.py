"""Home folders of anybody: found in every spelling, and nothing that only looks like one."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.redaction import Redactor

REDACTOR = Redactor(b"k" * 32)


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        # POSIX
        ("/home/jane/src/a.py:3", "~/src/a.py:3"),
        ("/home/jane", "~"),
        ("see /home/jane.", "see ~."),
        ("/home/jane.doe/x", "~/x"),
        ("/home/jane-doe/x", "~/x"),
        ("/home/jane@corp.example/x", "~/x"),
        ("/home/søren/x", "~/x"),
        ("/home/张三/x", "~/x"),
        ("在/home/jane下", "在~下"),
        ("/home/jane\uff0c然后", "~\uff0c然后"),
        ("/var/home/jane/x", "~/x"),
        ("/export/home/jane/x", "~/x"),
        ("/data/home/jane/x", "~/x"),
        ("/home/users/jane/x", "~/x"),
        ("/home/jane:/data:rw", "~:/data:rw"),
        ("PATH=/home/jane/bin:/usr/bin:/home/joe/bin", "PATH=~/bin:/usr/bin:~/bin"),
        ("HOME=/home/jane", "HOME=~"),
        ("-I/home/jane/include -L/home/jane/lib", "-I~/include -L~/lib"),
        ("--prefix=/home/jane/x", "--prefix=~/x"),
        ("curl -F file=@/home/jane/x", "curl -F file=@~/x"),
        ("scp a.txt host:/home/jane/", "scp a.txt host:~/"),
        ("-/home/jane/x\n+/home/jane/y\n-/home/jane/z", "-~/x\n+~/y\n-~/z"),
        ("[x](/home/jane/a.md)", "[x](~/a.md)"),
        ("{ path: '/home/jane/a.md' }", "{ path: '~/a.md' }"),
        ('{"path": "/home/jane"}', '{"path": "~"}'),
        ("../../../../../home/jane/x", "~/x"),
        ("method: 'POST'\n/home/jane/x", "method: 'POST'\n~/x"),
        ("cat .git/HEAD\n/home/jane/x", "cat .git/HEAD\n~/x"),
        # macOS
        ("/Users/jane/x", "~/x"),
        ("/Volumes/Macintosh HD/Users/jane/x", "~/x"),
        ("/System/Volumes/Data/Users/jane/x", "~/x"),
        ("/private/var/home/jane", "/private/var/home/jane"),
        # Windows
        (r"C:\Users\Jane\x", r"~\x"),
        (r"c:\users\jane\x", r"~\x"),
        (r"C:\Users\JANEDO~1\AppData", r"~\AppData"),
        (r"C:\Users\Jane Doe\src\a.py", r"~\src\a.py"),
        ('cd "C:\\Users\\Jane Doe"', 'cd "~"'),
        (r"C:\Users\Jane Doe>dir", "~>dir"),
        (r"log path: `C:\Users\jane\x`", r"log path: `~\x`"),
        (r"copy C:\Users\jane D:\x", r"copy ~ D:\x"),
        (r"(C:\Users\jane...ings here\a.md:String)", r"(~...ings here\a.md:String)"),
        (r"C:\Users\张三\Desktop", r"~\Desktop"),
        (r"C:\Documents and Settings\jane\x", r"~\x"),
        (r"\\?\C:\Users\jane\x", r"~\x"),
        ("C:/Users/jane/x", "~/x"),
        ("/C:/Users/jane/x", "~/x"),
        (r"C:\msys64\home\jane\x", r"~\x"),
        # WSL, Cygwin, Git Bash, containers
        ("/mnt/c/Users/jane/x", "/mnt/c/Users/~/x"),
        ("/mnt/c/users/jane/x", "/mnt/c/users/~/x"),
        ("/cygdrive/c/Users/jane/x", "/cygdrive/c/Users/~/x"),
        ("/mnt/wslg/distro/home/jane/x", "~/x"),
        ("/c/Users/jane/x", "~/x"),
        ("/run/desktop/mnt/host/c/Users/jane/x", "/run/desktop/mnt/host/c/Users/~/x"),
        (r"\\wsl$\Ubuntu\home\jane\x", r"~\x"),
        (r"\\wsl.localhost\Ubuntu-22.04\home\jane\x", r"~\x"),
        ("//wsl.localhost/Ubuntu/home/jane/x", "~/x"),
        # UNC
        (r"\\server\Users\jane\x", r"~\x"),
        (r"\\server\share\Users\jane\x", r"~\x"),
        (r"\\server\homes$\jane\x", r"~\x"),
        # URLs
        ("file:///home/jane/x", "file://~/x"),
        ("file://host/home/jane/x", "file://host~/x"),
        ("file:///C:/Users/jane/x", "file:///~/x"),
        ("file:///c%3A/Users/jane/x", "file:///~/x"),
        ("vscode://file/home/jane/x:3:1", "vscode://file~/x:3:1"),
        ("vscode-remote://ssh-remote+box/home/jane/x", "vscode-remote://ssh-remote+box~/x"),
        ("path+file:///home/jane/x#0.1.0", "path+file://~/x#0.1.0"),
        ("sqlite:////home/jane/x.db", "sqlite:///~/x.db"),
        ("http://localhost:5173/@fs/home/jane/x", "http://localhost:5173/@fs~/x"),
        ("?file=%2Fhome%2Fjane%2Fx", "?file=~%2Fx"),
        ("?p=C%3A%5CUsers%5Cjane%5Cx", "?p=~%5Cx"),
        ("?u=a%3Fp%3D%252Fhome%252Fjane%252Fx", "?u=a%3Fp%3D~%252Fx"),
        # quoted and escaped shell words
        ("cat '/home/jane doe/x'", "cat '~/x'"),
        (r"cat /home/jane\ doe/x", "cat ~/x"),
        # escapes of other notations
        (r'"\/home\/jane\/x"', r'"~\/x"'),
        (r"a\n/home/jane/b\\n/home/jane/c", r"a\n~/b\\n~/c"),
        ("\\u002fhome\\u002fjane\\u002fx", "~\\u002fx"),
        ("\x1b[31m/home/jane/x\x1b[0m", "~/x"),
        ("[31m/home/jane/x", "[31m~/x"),
    ],
)
def test_a_home_folder_becomes_a_tilde(raw: str, shown: str) -> None:
    assert REDACTOR.text(raw) == shown


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("projects/-home-jane-src-x/a.jsonl", "projects/-~-src-x/a.jsonl"),
        (r"projects\C--Users-jane-src\a.jsonl", r"projects\-~-src\a.jsonl"),
        ("ls\n-home-jane-src-x\n-Users-jane-src", "ls\n-~-src-x\n-~-src"),
        ('"-home-jane-src"', '"-~-src"'),
        ("-mnt-c-Users-jane-src", "-~-src"),
        ("--wsl-localhost-Ubuntu-home-jane-src", "-~-src"),
        ("-var-home-jane-src", "-~-src"),
        ("projects/-tmp-claude-1000--home-jane-src", "projects/-tmp-claude-1000--~-src"),
        (
            "drwx------ 2 root root 4096 Feb  1 13:21 -home-jane",
            "drwx------ 2 root root 4096 Feb  1 13:21 -~",
        ),
        ("in `-home-jane`", "in `-~`"),
        ("projects/Users-jane-src/x", "projects/-~-src/x"),
        ("projects/c-Users-jane-src/x", "projects/-~-src/x"),
        ("projects/home-page-x", "projects/home-page-x"),
        ("list Users-by-name", "list Users-by-name"),
        ("tool -home-dir /x", "tool -home-dir /x"),
        ("tool -home-page-title x", "tool -home-page-title x"),
        ("class='nav-home-jane-x'", "class='nav-home-jane-x'"),
        ("projects/-home-runner-work-x", "projects/-home-runner-work-x"),
    ],
)
def test_a_folder_named_after_a_path_loses_the_name(raw: str, shown: str) -> None:
    assert REDACTOR.text(raw) == shown


@pytest.mark.parametrize(
    "path",
    [
        "/tmp/pytest-of-{}/pytest-0/test_a0",
        "/run/media/{}/disk/a",
        "/var/mail/{}",
        "/var/spool/cron/crontabs/{}",
    ],
)
def test_a_folder_of_somebody_elsewhere_loses_the_name(path: str) -> None:
    before, after = path.split("{}")
    clean = REDACTOR.text(path.format("jane"))
    assert clean.startswith(f"{before}[REDACTED:user:")
    assert clean.endswith(f"]{after}")


@pytest.mark.parametrize(
    "text",
    [
        # no user
        "/root/x",
        "/tmp/pytest-of-root/pytest-0/x",
        "/var/mail/root",
        "/home/runner/work/tool",
        "/home/node/app",
        "WORKDIR /home/app/src",
        "/home/vscode/.cache",
        "/home/linuxbrew/.linuxbrew/bin/x",
        "/Users/Shared/x",
        r"C:\Users\Public\x",
        r"C:\Users\Default User\x",
        r"C:\Users\runneradmin\x",
        "/home/1000/x",
        # a blank to fill
        "/home/$USER/x",
        "/home/${USER}/x",
        "/home/<you>/x",
        "/Users/{id}",
        "/home/%s/x",
        "/home/*/x",
        "/home/.../x",
        r"C:\Users\%USERNAME%\x",
        r"$env:USERPROFILE\x",
        # routes of web pages
        "/home/settings",
        "/users/123",
        "/api/users/jane",
        "example.test/home/x",
        "https://example.test/home/x",
        "http://localhost:3000/home/feed-2",
        "GET /home/team HTTP/1.1",
        'app.get("/home/team", handler)',
        "router.push('/home/team')",
        '<a href="/home/team">',
        '<Link to="/home/team">',
        "navigate('/home/team')",
        "cy.visit('/home/team')",
        "{ path: '/home/team', component: Team }",
        'url: "/home/team"',
        "/home/team?tab=1",
        "/home/team#top",
        "import x from '/home/index.tsx'",
        "/home/hero.png",
        "/Users/3f0c2b1e-0000-4000-8000-0123456789ab",
        # relative and within a word
        "src/home/jane.py",
        "import x from '../../../home/team'",
        "import x from '../../Users/List'",
        "./home/jane/x",
        "~/home/notes",
        "$ROOT/home/jane",
        "${ROOT}/home/jane",
        "a/home/b",
        r"App\Users\Create",
        "/homestead/x",
        "/home/",
        "/home",
    ],
)
def test_what_is_no_home_folder_of_a_person_stays(text: str) -> None:
    for whole in (text, f"a\n{text}\nb", json.dumps({"x": text})):
        assert REDACTOR.text(whole) == whole


NAMES = st.from_regex(r"[a-z][a-z0-9]{2,10}([._-][a-z0-9]{2,8})?", fullmatch=True).filter(
    lambda name: REDACTOR.text(f"/home/{name}/x") != f"/home/{name}/x"
)
ROOTS = st.sampled_from(
    ["/home/{}", "/Users/{}", "/mnt/c/Users/{}", "C:/Users/{}", r"C:\Users\{}", "/var/home/{}"]
)


def hidden(root: str) -> str:
    """What is left of a home: where a drive is mounted, `~` would be another folder."""
    return root.format("~") if root.startswith("/mnt/") else "~"


TAILS = st.from_regex(r"([/][a-z_]{1,8}){1,3}\.(py|ts|md)(:[0-9]{1,4}){0,2}", fullmatch=True)


def layers(text: str) -> dict[str, str]:
    """The text as JSON, JSON in JSON, and a URL hold it."""
    once = json.dumps(text)
    return {"text": text, "json": once, "twice": json.dumps(once), "url": quote(text, safe="")}


@given(ROOTS, NAMES, TAILS)
def test_no_layer_of_escaping_keeps_the_name(root: str, name: str, tail: str) -> None:
    if "\\" in root:
        tail = tail.replace("/", "\\")
    for layer, whole in layers(root.format(name) + tail).items():
        clean = REDACTOR.text(whole)
        assert layers(f"{hidden(root)}{tail}")[layer].replace("%7E", "~") == clean.replace(
            "%7E", "~"
        )


@given(ROOTS, NAMES, TAILS, st.sampled_from(["{}", "at {}", "({})", "a: {}, b", "`{}`"]))
def test_a_path_reads_the_same_wherever_it_stands(
    root: str, name: str, tail: str, around: str
) -> None:
    path = root.format(name) + tail
    clean = REDACTOR.text(around.format(path))
    assert clean == around.format(f"{hidden(root)}{tail}")
    assert REDACTOR.text(clean) == clean
