"""Keys and tokens whose form a standard fixes: PEM, JWT, age, password hashes."""

from __future__ import annotations

from onward.redact.engine import Rule
from onward.redact.rules.shared import EDGE, not_filler

# Between two lines of a block: a line end, escaped or not, the quotes of joined strings, the
# margins of diffs and comments; or the space of a block that was put on one line.
_GAP = (
    r"(?:[\"' \t+\\]{0,6}(?:\n|\\{1,8}[nrt])"
    r"(?:\\{1,8}[nrt]|[\s\"'+|>\\#/*-]){0,40}| )"
)
_LINE = r"(?:[A-Za-z-]{3,20}: [^\n\\]{1,200}|[0-9A-Za-z+/=]{16,})"
_END = r"-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----"

RULES: tuple[Rule, ...] = (
    Rule(
        id="private-key",
        pattern=(
            r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
            rf"(?:{_GAP})?{_LINE}(?:{_GAP}{_LINE})*"
            rf"(?:(?:{_GAP}[0-9A-Za-z+/=]{{1,15}}){{0,2}}{_GAP}{_END})?"
        ),
        keywords=("private key",),
        hits=(
            "-----BEGIN RSA PRIVATE KEY-----\n{b64:64}\n{b64:64}\n{b64:12}==\n-----END RSA PRIVATE KEY-----",
            "-----BEGIN OPENSSH PRIVATE KEY-----\n{b64:70}\n{b64:70}",
            "-----BEGIN PRIVATE KEY-----\\n{b64:64}\\n{b64:40}\\n-----END PRIVATE KEY-----",
            "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 2\n\n{b64:64}\n={b64:4}\n-----END PGP PRIVATE KEY BLOCK-----",
            '"-----BEGIN PRIVATE KEY-----\\n"\n    "«{b64:64}\\n"\n    "{b64:9}=»\\n"\n    "-----END PRIVATE KEY-----"',
            "KEY=-----BEGIN PRIVATE KEY----- «{b64:64} {b64:64}» -----END PRIVATE KEY-----",
            "+-----BEGIN EC PRIVATE KEY-----\n+«{b64:64}»\n+-----END EC PRIVATE KEY-----",
        ),
        misses=(
            "-----BEGIN PRIVATE KEY----- and -----END PRIVATE KEY----- are its marks",
            "grep -r 'BEGIN PRIVATE KEY-----' finds nothing in the tree",
            "-----BEGIN PUBLIC KEY-----\n{b64:64}\n-----END PUBLIC KEY-----",
            "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
        ),
        source="RFC 7468; RFC 4880; a block cut off before its END still counts",
    ),
    Rule(
        id="jwt",
        pattern=EDGE + r"(eyJ[0-9A-Za-z_-]{10,}\.eyJ[0-9A-Za-z_-]{10,}(?:\.[0-9A-Za-z_-]*)?)",
        keywords=("eyj",),
        hits=("eyJ{url:30}.eyJ{url:60}.{url:43}", "eyJ{url:40}.eyJ{url:200}.{url:86}"),
        misses=("eyJ{url:12}", "eyJ{url:20} .eyJ", "import eyJson.eyJsonParser"),
        source="RFC 7519",
        judge=not_filler,
    ),
    Rule(
        id="age-key",
        pattern=EDGE + r"(AGE-SECRET-KEY-1[0-9A-Z]{38,})",
        keywords=("age-secret-key-1",),
        hits=("AGE-SECRET-KEY-1{up:58}", "AGE-SECRET-KEY-1{up:40}"),
        misses=("AGE-SECRET-KEY-1...", "age1{low:58}"),
        source="age specification (Bech32, 58 characters)",
        judge=not_filler,
    ),
    Rule(
        id="password-hash",
        pattern=(
            r"(\$2[abxy]\$\d\d\$[./0-9A-Za-z]{53}"
            r"|\$argon2(?:id|i|d)\$v=\d+\$[^$\s]{5,60}\$[0-9A-Za-z+/]{11,64}\$[0-9A-Za-z+/]{16,128}"
            r"|\$[156]\$(?:rounds=\d+\$)?[./0-9A-Za-z]{1,16}\$[./0-9A-Za-z]{22,86})"
        ),
        keywords=("$2", "$argon2", "$1$", "$5$", "$6$"),
        hits=(
            "$2b$12${an:53}",
            "$argon2id$v=19$m=65536,t=3,p=4${b64:22}${b64:43}",
            "$6${an:16}${an:86}",
        ),
        misses=("echo $1 $2", "$2b$12$short", "awk '{print $1$6}'"),
        source="crypt(5); PHC string format",
    ),
)
