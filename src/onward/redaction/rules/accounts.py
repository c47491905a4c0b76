"""User names where nothing but a user name stands: listings, prompts, variables, mounts."""

from __future__ import annotations

from onward.redaction.engine import Rule
from onward.redaction.rules.homes import is_account
from onward.redaction.rules.shared import EDGE, entries, in_json, is_filler, words

_NAME = r"([a-z][a-z0-9_.-]{2,31})"
_MODE = r"[-dlbcps](?:[r-][w-][xsStT-]){3}[+@.]?\s+\d+\s+"
_ROW = r"(?:^|\n)(?:\s{0,8}\d{1,6}\t|[ +-])?"
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
    del before
    return not (
        value in _SERVICES or is_account(value) or is_filler(value) or after.startswith("(")
    )


_LISTED = (
    rf"{_MODE}{_NAME}\s",  # ls -l, the owner
    rf"{_ROW}{_NAME}\s+\d{{1,8}}\s+\d{{1,3}}\.\d\s+\d{{1,3}}\.\d\s",  # ps
    rf"{_ROW}{_NAME}:x?:\d{{4,6}}:\d",  # passwd
    rf"{_ROW}(?:\([\w.-]{{1,30}}\) )?\[?{_NAME}@[0-9A-Za-z_.-]{{1,64}}(?::| )[~/][^\s]{{0,60}}\]?[$#%] ",  # prompts
    rf"=\d{{3,10}}\({_NAME}\)",  # id
    rf"{EDGE}sudo: {{1,4}}{_NAME} : ",
    rf"{EDGE}whoami\n{_NAME}(?:\s|\\|$)",
    rf"owned by {_NAME} \(",
)
_NAMED = (
    rf"{EDGE}(?:USER|LOGNAME|USERNAME|SUDO_USER)(?:=\"?|: ?){_NAME}(?:[\s\"'\\]|$)",
    rf"(?:^|[\s\"'=:])/media/{_NAME}/",
    rf"(?:^|[\s\"'=:n])~{_NAME}/",
    rf"{EDGE}(?:smb|sftp|ssh|ftp|afp|vnc|cifs)://{_NAME}@",
    rf"/Volumes/Users/{_NAME}",
)

RULES: tuple[Rule, ...] = (
    Rule(
        id="user",
        pattern=in_json("|".join(_LISTED)),
        keywords=entries(
            "rw ¦ r-x ¦ r-- ¦  0.0 ¦ pts/ ¦ :x: ¦ @ ¦ uid= ¦ gid= ¦ sudo: ¦ whoami ¦ owned by"
        ),
        source="manuals of POSIX systems",
        judge=person,
    ),
    Rule(
        id="user",
        pattern=rf"{_MODE}\S{{1,32}}\s+{_NAME}\s+\d",
        keywords=("rw", "r-x", "r--"),
        source="manuals of POSIX systems, ls",
        judge=person,
    ),
    Rule(
        id="user",
        pattern=in_json("|".join(_NAMED)),
        keywords=entries(
            "user ¦ logname ¦ /media/ ¦ ~ ¦ smb: ¦ sftp: ¦ ssh: ¦ ftp: ¦ afp: ¦ vnc: ¦ cifs:"
        ),
        source="manuals of POSIX systems and macOS",
        judge=person,
    ),
)
