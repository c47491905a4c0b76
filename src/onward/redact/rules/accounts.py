"""User names where nothing but a user name stands: listings, prompts, variables, mounts."""

from __future__ import annotations

from onward.redact.engine import Rule
from onward.redact.rules.homes import is_account
from onward.redact.rules.shared import is_filler, words

_NAME = r"([a-z][a-z0-9_.-]{2,31})"
_MODE = r"[-dlbcps](?:[r-][w-][xsStT-]){3}[+@.]?\s+\d+\s+"
_ROW = r"(?:^|\n|\\n)[ +-]?"
_SERVICES = words(
    "postgres mysql redis mongo mongodb rabbitmq elastic sa neo4j minio grafana app web api test tester dev "
    "demo deploy service svc bot user username name your-user youruser myuser me default build builder nonroot "
    "appuser developer owner group staff wheel docker sudo adm plugdev audio video render users www-data nginx "
    "apache caddy node npm python ruby java jenkins gitlab gitlab-runner actions circleci travis vagrant ubuntu "
    "debian fedora centos alpine arch ec2-user azureuser admin administrator root nobody runner guest git http "
    "postfix systemd-network messagebus sshd mail daemon bin sys nogroup nixbld src work cdrom dip lpadmin kvm "
    "input lxd netdev libvirt wireshark dialout floppy usb disk disk1 data backup"
)


def person(value: str, before: str, after: str) -> bool:
    """A login that is no service, image's account, or filler."""
    return not (
        value in _SERVICES or is_account(value) or is_filler(value) or after.startswith("(")
    )


def _rule(
    pattern: str, keywords: tuple[str, ...], hits: tuple[str, ...], misses: tuple[str, ...]
) -> Rule:
    return Rule(
        id="user",
        pattern=pattern,
        keywords=keywords,
        hits=hits,
        misses=misses,
        source="manuals of POSIX systems",
        judge=person,
    )


RULES: tuple[Rule, ...] = (
    _rule(
        rf"{_ROW}(?:export |declare -x )?(?:USER|LOGNAME|USERNAME|SUDO_USER)(?:=\"?|: ?){_NAME}\"?(?:\s|\\n|$)",
        ("user", "logname"),
        ("USER=«hmueller»\n", "\nLOGNAME=«jdoe»\n"),
        ("USER=root", "DB_USER=hmueller", "USER=$USER"),
    ),
    _rule(
        rf"=\d{{3,10}}\({_NAME}\)|,\d{{3,10}}\({_NAME}\)",
        ("uid=", "gid=", "groups="),
        ("uid=1000(«jdoe»)",),
        ("uid=0(root) gid=0(root)", "groups=27(sudo),999(docker)"),
    ),
    _rule(
        rf"{_MODE}{_NAME}\s",
        ("rw", "r-x", "r--"),
        ("drwxr-xr-x 2 «jdoe» staff 96 a",),
        ("drwxr-xr-x 2 root root 4096 a",),
    ),
    _rule(
        rf"{_MODE}\S{{1,32}}\s+{_NAME}\s+\d",
        ("rw", "r-x", "r--"),
        ("drwxr-xr-x 2 root «jdoe» 96 a",),
        ("drwxr-xr-x 2 root root 4096 a",),
    ),
    _rule(
        rf"{_ROW}{_NAME}\s+\d{{1,8}}\s+\d{{1,3}}\.\d\s+\d{{1,3}}\.\d\s",
        (" 0.", " 1.", " 2.", "pts/", " ?"),
        ("\n«jdoe»  1234  0.0  0.1 123 67 pts/0 S 10:00 0:00 x",),
        ("\nroot  1234  0.0  0.1 123 67 ? S 10:00 0:00 x",),
    ),
    _rule(
        rf"{_ROW}{_NAME}:x?:\d{{4,6}}:\d",
        (":x:", "::"),
        ("\n«jdoe»:x:1000:1000::/x:/bin/sh",),
        ("nobody:x:65534:65534:n:/:/x",),
    ),
    _rule(
        rf"(?:^|\n|\\n)(?:\([\w.-]{{1,30}}\) )?\[?{_NAME}@[0-9A-Za-z_.-]{{1,64}}(?::| )[~/][^\s]{{0,60}}\]?[$#%] ",
        ("@",),
        ("«jdoe»@laptop:~/src$ ls",),
        ("root@a1b2c3:/app# ls",),
    ),
    _rule(
        rf"/media/{_NAME}/",
        ("/media/",),
        ("ls /media/«jdoe»/USB",),
        ("/media/cdrom/x", "src/media/player/a", "/media/images/a"),
    ),
    _rule(
        rf"\bsudo: {{1,4}}{_NAME} : ",
        ("sudo:",),
        ("sudo: «jdoe» : TTY=pts/0 ; x",),
        ("sudo: command not found",),
    ),
    _rule(rf"\bwhoami\n{_NAME}(?:\n|$)", ("whoami",), ("$ whoami\n«jdoe»\n",), ("whoami\nroot\n",)),
    _rule(rf"(?:^|[\s\"'=:])~{_NAME}/", ("~",), ("ls ~«jdoe»/x",), ("~/.config/x", "a~b/c")),
    _rule(
        rf"\b(?:smb|sftp|ssh|ftp|afp|vnc|cifs)://{_NAME}@",
        ("://",),
        ("smb://«jdoe»@nas/x",),
        ("ssh://git@a.test/x",),
    ),
    _rule(
        rf"/Volumes/Users/{_NAME}",
        ("/volumes/users/",),
        ("/Volumes/Users/«jdoe»/x",),
        ("/Volumes/Data/x",),
    ),
    _rule(
        rf"owned by {_NAME} \(",
        ("owned by",),
        ("it is owned by «jdoe» (1000)",),
        ("owned by root (0)",),
    ),
)
