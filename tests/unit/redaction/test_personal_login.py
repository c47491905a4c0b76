"""The login of this machine's user: gone where it is a name, kept where it is a word."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onward.redaction import Redactor

KEY = b"k" * 32
JDOE = Redactor(KEY, home="/home/jdoe", user="jdoe")
MARK = re.compile(r"\[REDACTED:user:[0-9a-f]{6}\]")


def seen(redactor: Redactor, raw: str) -> str:
    """The clean text with every mark of a user as `USER`."""
    return MARK.sub("USER", redactor.text(raw))


CERTAIN = [
    ("export USER={}", "export USER=USER"),
    ("LOGNAME={}", "LOGNAME=USER"),
    ("PGUSER={} psql", "PGUSER=USER psql"),
    ("set USERNAME={}", "set USERNAME=USER"),
    ('{{"user": "{}", "n": 1}}', '{{"user": "USER", "n": 1}}'),
    ("Host box\n  User {}\n", "Host box\n  User USER\n"),
    ("owner: {}", "owner: USER"),
    ("psql --username {} app", "psql --username USER app"),
    ("uid=1000({0}) gid=1000({0}) groups=1000({0}),27(sudo)",
     "uid=1000(USER) gid=1000(USER) groups=1000(USER),27(sudo)"),
    ("drwxr-xr-x 2 {0} {0} 4096 Jan  1 10:00 src", "drwxr-xr-x 2 USER USER 4096 Jan  1 10:00 src"),
    ("-rw-r--r--@ 1 {}  staff  96 Jan  1 a.py", "-rw-r--r--@ 1 USER  staff  96 Jan  1 a.py"),
    ("-rw-r--r-- 1 root {} 12 Jan  1 a", "-rw-r--r-- 1 root USER 12 Jan  1 a"),
    ("-rw-r--r-- {0}/{0} 123 2026-01-01 a", "-rw-r--r-- USER/USER 123 2026-01-01 a"),
    ("Uid: ( 1000/ {0})   Gid: ( 1000/ {0})", "Uid: ( 1000/ USER)   Gid: ( 1000/ USER)"),
    ("\n{}   4242  0.0  0.1 python", "\nUSER   4242  0.0  0.1 python"),
    ("\n{}  4242  1  0 10:00 ? python", "\nUSER  4242  1  0 10:00 ? python"),
    ("\n{}  pts/0  2026-01-01", "\nUSER  pts/0  2026-01-01"),
    ("python  4242 {}   13u  IPv4 3", "python  4242 USER   13u  IPv4 3"),
    ("{}:x:1000:1000:Jane:/:/bin/sh", "USER:x:1000:1000:Jane:/:/bin/sh"),
    ("chown -R {0}:{0} /srv", "chown -R USER:USER /srv"),
    ("chown root:{} /srv", "chown root:USER /srv"),
    ("sudo -u {} make", "sudo -u USER make"),
    ("su - {} -c id", "su - USER -c id"),
    ("sudo adduser {} docker", "sudo adduser USER docker"),
    ("ssh {}@host.example.test uptime", "ssh USER@host.example.test uptime"),
    ("scp a.txt {}@10.0.0.5:/srv/", "scp a.txt USER@10.0.0.5:/srv/"),
    ("ssh -p 22 -l {} host", "ssh -p 22 -l USER host"),
    ("{}@laptop:~/src$ ls", "USER@laptop:~/src$ ls"),
    ("{}@laptop:/srv# ls", "USER@laptop:/srv# ls"),
    ("[{}@fedora src]$ ls", "[USER@fedora src]$ ls"),
    ("{}@MacBook-Pro ~ % ls", "USER@MacBook-Pro ~ % ls"),
    ("/media/{}/disk/a", "/media/USER/disk/a"),
    ("/run/media/{}/disk/a", "/run/media/USER/disk/a"),
    ("/tmp/pytest-of-{}/pytest-0", "/tmp/pytest-of-USER/pytest-0"),
    ("/var/mail/{}", "/var/mail/USER"),
    ("ls ~{}/x", "ls ~/x"),
    ("/home/{}/x", "~/x"),
    ("/tmp/-home-{}-src", "/tmp/-~-src"),
]  # fmt: skip
LIKELY = [
    ("Permission denied for {}@build-7.", "Permission denied for USER@build-7."),
    ("{}@3900x 26-02-17 ~/src", "USER@3900x 26-02-17 ~/src"),
    ("{}@192.168.1.7 is up", "USER@192.168.1.7 is up"),
    ("whoami: CORP\\{}", "whoami: CORP\\USER"),
    ("/scratch/{}/run-1", "/scratch/USER/run-1"),
    ("tmp/Users-{}-src-cli/x", "tmp/-~-src-cli/x"),
    ("/tmp/build-{}/x", "/tmp/build-USER/x"),
    ("tar: home/{}/.bashrc", "tar: home/USER/.bashrc"),
]


@pytest.mark.parametrize(("raw", "shown"), [*CERTAIN, *LIKELY])
def test_a_login_goes_where_it_is_a_user_name(raw: str, shown: str) -> None:
    text = raw.format("jdoe")
    assert seen(JDOE, text) == shown.format("jdoe")
    assert seen(JDOE, f"a\n{text}\nb") == f"a\n{shown.format('jdoe')}\nb"


@pytest.mark.parametrize(("raw", "shown"), CERTAIN)
@pytest.mark.parametrize("login", ["dev", "max", "jd", "søren"])
def test_a_login_of_any_kind_goes_where_nothing_else_can_stand(
    login: str, raw: str, shown: str
) -> None:
    redactor = Redactor(KEY, home=f"/home/{login}", user=login)
    assert seen(redactor, raw.format(login)) == shown.format(login)


@pytest.mark.parametrize("login", ["dev", "test", "max", "app", "main"])
@pytest.mark.parametrize(
    "text",
    [
        "npm run {0} && make {0}",
        "the {0} branch, {0} only",
        "git checkout {0}",
        "home-{0}-server",
        "src/{0}/a.py and {0}.py and {0}_a and {0}-b",
        "{0}(x, 1)",
        "x = {0}(a, b)",
        "sudo make {0}",
        "W = {0} @ x",
        "W = {0}@x",
        "{0}@1.2.3",
        "foo:{0}",
        "/srv/{0}/x",
        "/tmp/{0}/x",
        "/opt/{0}",
        "key={0}",
        "name: {0}",
        "docker run image:{0}",
        "a\\{0} b",
        "https://{0}.example.test/{0}?x={0}",
        "/dev/null /usr/lib/{0}/x",
        "C:\\{0}\\x",
    ],
)
def test_a_word_that_is_also_a_login_stays(login: str, text: str) -> None:
    whole = text.format(login)
    assert Redactor(KEY, home=f"/home/{login}", user=login).text(whole) == whole


@pytest.mark.parametrize(
    "text",
    [
        "https://github.com/jdoe/tool",
        "git clone git@github.com:jdoe/tool.git",
        "~/go/src/github.com/jdoe/tool",
        "src/home/jdoe.py",
        "import jdoe",
        "jdoesmith jdoe2 my_jdoe",
        "jdoe@1.2.3",
        "npm i @jdoe/tool",
    ],
)
def test_a_login_that_names_something_else_stays(text: str) -> None:
    assert JDOE.text(text) == text


@pytest.mark.parametrize("login", ["root", "user", "admin", "runner", "node", "ubuntu", ""])
def test_an_account_that_everyone_has_is_nobody(login: str) -> None:
    text = f"USER={login} drwxr-xr-x 2 {login} {login} 4096 x {login}@host:~$"
    assert Redactor(KEY, user=login).text(text) == text


@pytest.mark.parametrize(
    ("home", "raw", "shown"),
    [
        ("/home/jdoe", "/home/jdoe-old/x", "~/x"),
        ("/home/jdoe", "../../home/jdoe/x", "~/x"),
        ("/root", "cd /root/x; ls /srv/root/x", "cd /root/x; ls /srv/root/x"),
        ("/home/runner", "/home/runner/work", "~/work"),
        ("/data/people/jd", "/data/people/jd/x /data/people/jdx/y", "~/x /data/people/jdx/y"),
        ("/data/people/jd", "projects/-data-people-jd-src", "projects/-~-src"),
        ("/home/jane.doe", "projects/-home-jane-doe-src", "projects/-~-src"),
        ("/Users/jane.doe", "ls -Users-jane-doe-src", "ls -~-src"),
        (r"C:\Users\Jane Doe", r"projects\C--Users-Jane-Doe-src", r"projects\-~-src"),
        (r"C:\Users\Jane Doe", '"C:\\\\Users\\\\Jane Doe\\\\x"', '"~\\\\x"'),
        (r"C:\Users\Jane Doe", "file:///c:/Users/Jane%20Doe/x", "file:///~/x"),
        (r"D:\profiles\jd", r"D:\profiles\jd\x d:/profiles/jd/y", r"~\x ~/y"),
        (r"D:\profiles\jd", "d%3A%5Cprofiles%5Cjd%5Cx", "~%5Cx"),
        ("/data/Åsa", "/data/Åsa/x /data/%C3%85sa/x /data/\\u00c5sa/x", "~/x ~/x ~/x"),
        ("/data/张三", "/data/张三/x", "~/x"),
        ("/data/jd", "?p=%2Fdata%2Fjd%2Fx", "?p=~%2Fx"),
        ("", "/opt/x", "/opt/x"),
        ("/", "/opt/x", "/opt/x"),
    ],
)
def test_the_home_folder_is_known_wherever_it_lies(home: str, raw: str, shown: str) -> None:
    assert Redactor(KEY, home=home).text(raw) == shown


@given(
    st.sampled_from([raw for raw, _ in (*CERTAIN, *LIKELY)]),
    st.from_regex(r"[a-z]{3,6}[0-9]{2}", fullmatch=True),
)
def test_no_place_of_a_user_name_keeps_it(raw: str, login: str) -> None:
    redactor = Redactor(KEY, home=f"/home/{login}", user=login)
    clean = redactor.text(raw.format(login))
    assert login not in clean
    assert redactor.text(clean) == clean
    assert login not in redactor.text(json.dumps({"output": f"{raw.format(login)} ok"}))
