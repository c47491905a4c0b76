"""Keys and tokens whose form a standard fixes: PEM, JWT, age, password hashes."""

from __future__ import annotations

from onward.redaction import checks
from onward.redaction.engine import Rule
from onward.redaction.rules.shapes import begins, is_placeholder, sound, whole_run
from onward.redaction.rules.shared import EDGE, in_json, not_filler

# Between two lines of a block: a line end, escaped or not, the quotes of joined strings, the
# margins of diffs and comments, line numbers, the places that grep puts before a line; or the
# space of a block that was put on one line.
_MARGIN = r"(?:\\+(?:[nrt]|u[0-9a-f]{4})|\xe2\x86\x92|[\s\"'+|>\\#/*:0-9-]){0,40}"
_PLACE = r"(?:[0-9A-Za-z_.~/-]{1,120}[:-]\d{1,6}[:-])"
_GAP = (
    r"(?:[\"' \t+\\]{0,6}(?:\r?\n|\\{1,8}[nrt])"
    rf"{_MARGIN}(?:{_PLACE}{_MARGIN}){{0,2}}| )"
)
_LINE = r"(?:[A-Za-z-]{3,20}: [^\n\\\"]{1,200}|[0-9A-Za-z+/=]{16,})"
_JWE_PARTS = 5
_END = r"-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----"


def _is_jose(value: str, before: str, after: str) -> bool:
    """Two parts that begin as JSON does, the five parts of a JWE, or a header that decodes."""
    del after
    if is_placeholder(value) or not begins(before):
        return False
    parts = value.split(".")
    by_shape = value.startswith("eyJ") and (parts[1].startswith("eyJ") or len(parts) == _JWE_PARTS)
    return by_shape or checks.jose_header(value)


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
            "a/b.pem:1:-----BEGIN PRIVATE KEY-----\na/b.pem:2:«{b64:64}\na/b.pem-3-{b64:64}»",
            "     1\t-----BEGIN PRIVATE KEY-----\n     2\t«{b64:64}\n     3\t{b64:12}»\n     4\t-----END PRIVATE KEY-----",
            "  1→-----BEGIN PRIVATE KEY-----\n  2→X-Y: z\n  3→\n  4→«{b64:64}\n  5→{b64:12}»\n  6→-----END PRIVATE KEY-----",
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
        id="private-key-lines",
        # Behind the stamps of a log or the names of files, which each line has.
        pattern=in_json(
            r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----[ \t]{0,4}"
            r"(?:\r?\n[^\n]{1,80}?[ \t:|>]{1,4}[0-9A-Za-z+/=]{32,76}[ \t]{0,4})+"
            r"(?:(?:\r?\n[^\n]{1,80}?[ \t:|>]{1,4}[0-9A-Za-z+/=]{2,76}[ \t]{0,4})?"
            rf"\r?\n[^\n]{{1,80}}?[ \t:|>]{{1,4}}{_END})?"
        ),
        keywords=("private key",),
        hits=(
            "k.pem:«-----BEGIN PRIVATE KEY-----\nk.pem:{b64:64}\nk.pem:{b64:40}\nk.pem:-----END PRIVATE KEY-----»",
            "[12:00] «-----BEGIN EC PRIVATE KEY-----\n[12:00] {b64:64}»",
        ),
        misses=(
            "k.pem:-----BEGIN PRIVATE KEY-----\nk.pem: is its mark",
            "[1] -----BEGIN PRIVATE KEY-----\n[2] no",
        ),
        source="RFC 7468, as grep -r, docker logs and log files print it",
    ),
    Rule(
        id="private-key-end",
        pattern=(
            r"((?:[0-9A-Za-z+/=]{16,80}[\"' \t+]{0,6}(?:\r?\n|\\{1,8}n)[\"' \t+>]{0,40})+"
            r"(?:[0-9A-Za-z+/=]{1,80}[\"' \t+]{0,6}(?:\r?\n|\\{1,8}n)[\"' \t+>]{0,40})?)-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY"
        ),
        keywords=("private key",),
        hits=(
            "«{b64:64}\n{b64:20}==\n»-----END RSA PRIVATE KEY-----",
            "«{b64:64}\n»-----END PRIVATE KEY-----",
        ),
        misses=("the line\n-----END PRIVATE KEY-----", "a-----END PRIVATE KEY-----"),
        source="RFC 7468, a block whose begin was cut off",
    ),
    Rule(
        id="putty-key",
        # The whole file: its private lines differ in nothing from its public ones.
        pattern=(
            rf"PuTTY-User-Key-File-\d: [0-9a-z-]{{3,40}}(?:{_GAP}(?:{_LINE}|[0-9A-Za-z+/=]{{2,15}}))*"
        ),
        keywords=("putty-user-key-file",),
        hits=(
            "PuTTY-User-Key-File-3: ssh-ed25519\nComment: a b\nPublic-Lines: 1\n{b64:64}\nPrivate-Lines: 1\n{b64:48}\nPrivate-MAC: {hex:64}",
            "PuTTY-User-Key-File-2: ssh-rsa\nPrivate-Lines: 2\n{b64:64}\n{b64:64}",
        ),
        misses=("PuTTY-User-Key-File format", "puttygen makes a PuTTY-User-Key-File"),
        source="PuTTY documentation, format of private key files",
    ),
    Rule(
        id="encoded-private-key",
        pattern=r"(LS0tLS1CRUdJTi[0-9A-Za-z+/]{40,}={0,2})",
        keywords=("ls0tls1crudjti",),
        hits=(
            # base64 of the marks of an RSA key and of one without a kind
            "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQ{b64:200}",
            "client-key-data: «LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0t{b64:200}=»",
        ),
        misses=("LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t{b64:200}", "LS0tLS1CRUdJTi"),
        source="RFC 7468 in base64, as in kubeconfig files and in secrets of Kubernetes",
        judge=lambda value, before, _after: begins(before) and checks.private_key(value),
    ),
    Rule(
        id="encoded-token",
        pattern=EDGE
        + r"((?:Z2h[1-9a-z]X|Z2l0aHViX3BhdF|Z2xwYXQt|eG94[Yc]|QUtJQ|QUl6Y|c2stYW50L|c2stcHJvai"
        r"|c2tfbGl2ZV|cmtfbGl2ZV|bnBtX|aGZf|ZGNrcl9wYXRf|cHlwaS1BZ)[0-9A-Za-z+/]{20,}={0,2})",
        keywords=(
            "z2h",
            "z2l0ahvix3bhdf",
            "z2xwyxqt",
            "eg94",
            "qutjq",
            "qul6y",
            "c2sty",
            "c2tfbgl2zv",
            "cmtfbgl2zv",
            "bnbtx",
            "agzf",
            "zgnrcl9wyxrf",
            "chlwas1bz",
        ),
        hits=(
            # a group QUF? stands for two letters and a third character
            "Z2hwX1F{an:1}QUF{an:1}QUF{an:1}QUF{an:1}QUF{an:1}QUF{an:1}QUF{an:1}QUF{an:1}QUF{an:1}QUF{an:1}",
            "token: «QUtJQUF{an:1}QUF{an:1}QUF{an:1}QUF{an:1}QUF{an:1}QUF{an:1}»",
        ),
        misses=("bnBtX{b64:24}", "QUtJQ", "aGZf"),
        source="GitHub documentation, supported secret scanning patterns: tokens in base64",
        judge=lambda value, _before, _after: checks.encodes_a_token(value),
    ),
    Rule(
        id="jwt",
        pattern=EDGE
        + r"((?:eyJ|ewo|ew0)[0-9A-Za-z_-]{10,}\.{1,2}[0-9A-Za-z_-]+(?:\.[0-9A-Za-z_-]+){0,3})",
        keywords=("eyj", "ewo", "ew0"),
        hits=(
            "eyJ{url:30}.eyJ{url:60}.{url:43}",
            "eyJ{url:40}.eyJ{url:200}.{url:86}",
            "eyJ{url:60}..{url:16}.{url:90}.{url:22}",
            "eyJhbGciOiJIUzI1NiJ9.{url:60}.{url:43}",
        ),
        misses=(
            "eyJ{url:12}",
            "eyJ{url:20} .eyJ",
            "import eyJson.eyJsonParser",
            "eyJ{an:30}.map.js",
        ),
        source="RFC 7519 (JWS), RFC 7516 (JWE)",
        judge=_is_jose,
    ),
    Rule(
        id="encoded-jwt",
        pattern=r"(ZXlK[0-9A-Za-z+/]{60,}={0,2})",
        keywords=("zxlk",),
        hits=("ZXlK{b64:120}", "session=«ZXlKaGJHY2lPaUpJVXpJMU5pSjku{b64:80}==»"),
        misses=("ZXlK{b64:20}", "ZXlK"),
        source="RFC 7519 in base64",
        judge=whole_run,
    ),
    Rule(
        id="age-key",
        pattern=r"(AGE-SECRET-KEY-1[0-9A-Z]{20,})",
        keywords=("age-secret-key-1",),
        hits=("AGE-SECRET-KEY-1{up:58}", "AGE-SECRET-KEY-1{up:40}"),
        misses=("AGE-SECRET-KEY-1...", "age1{low:58}"),
        source="age specification (Bech32, 58 characters)",
        judge=sound(checks.bech32),
    ),
    Rule(
        id="wallet-key",
        pattern=EDGE + r"(nsec1[02-9ac-hj-np-z]{58}\b|[xyzt]prv[1-9A-HJ-NP-Za-km-z]{90,})",
        keywords=("nsec1", "prv"),
        hits=("nsec1{b32low:58}", "xprv9{b58:106}"),
        misses=("nsec1{b32low:20}", "xprv_key", "xpub6{b58:106}"),
        source="NIP-19; BIP 32",
        judge=not_filler,
    ),
    Rule(
        id="password-hash",
        pattern=(
            r"(\$2[abxy]\$\d\d\$[./0-9A-Za-z]{53}"
            r"|\$argon2(?:id|i|d)\$v=\d+\$[^$\s]{5,60}\$[0-9A-Za-z+/]{11,64}\$[0-9A-Za-z+/]{16,128}"
            r"|\$(?:1|apr1)\$[./0-9A-Za-z]{1,8}\$[./0-9A-Za-z]{22}"
            r"|\$[56]\$(?:rounds=\d+\$)?[./0-9A-Za-z]{1,16}\$[./0-9A-Za-z]{22,86})"
        ),
        keywords=("$2", "$argon2", "$1$", "$5$", "$6$", "$apr1$"),
        hits=(
            "$2b$12${an:53}",
            "$argon2id$v=19$m=65536,t=3,p=4${b64:22}${b64:43}",
            "$6${an:16}${an:86}",
            "$apr1${an:8}${an:22}",
        ),
        misses=("echo $1 $2", "$2b$12$short", "awk '{print $1$6}'"),
        source="crypt(5); PHC string format",
    ),
)
