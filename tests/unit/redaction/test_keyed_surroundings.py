"""Where people's agents print secrets: dumps, plans, tables, clients, defaults in code."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import fill

from onward.redaction import Redactor
from onward.redaction.rules.validators import is_random, is_unreadable

REDACTOR = Redactor(b"k" * 32)

WORD, ODD, KEY = "sword" + "fish", fill("{an:8}7").text, fill("{hex:31}f").text
BRACKETS = "p4s(S!w0" + "rd"

# Each with `{}` where a word, an odd one and a key stand.
ANY = {
    "docker inspect": '"Env": [\n    "POSTGRES_PASSWORD={}",\n    "PATH=/usr/bin"\n],',
    "kubectl describe": "Environment:\n      DB_PASSWORD:  {}\n      MODE: prod\n",
    "terraform plan": '      + master_password = "{}"\n',
    "terraform change": '  ~ password = "old0thing9" -> "{}"\n',
    "terraform variable": 'variable "db_password" {{\n  type = string\n  default = "{}"\n}}',
    "terraform -var": "terraform apply -var 'db_password={}'",
    "cloudformation": "DBPassword:\n    Type: String\n    Default: {}\n",
    "trace": "++ PGPASSWORD={}\n++ psql -h db\n",
    "environment with a default": 'SECRET_KEY = env("SECRET_KEY", default="{}")',
    "environment of another name": 'SECRET_KEY = os.environ.get("X", "{}")',
    "python or": "password = os.getenv('DB_PASS') or '{}'",
    "php or": "$password = getenv('DB_PASS') ?: '{}';",
    "ruby block": 'password: ENV.fetch("DB_PASS") {{ "{}" }}',
    "array of characters": 'char password[] = "{}";',
    "visual basic": 'Dim password As String = "{}"',
    "clojure": ':password "{}"',
    "groovy": "username 'me'\npassword '{}'\n",
    "fish": "set -gx DB_PASSWORD {}\n",
    "csh": "setenv DB_PASSWORD {}\n",
    "escaped letters": '{{"\\u5bc6\\u7801": "{}"}}',
    "escaped letters of a longer key": '{{"\\u30d1\\u30b9\\u30ef\\u30fc\\u30c9": "{}"}}',
    "russian": '"пароль": "{}"',
    "korean": '"비밀번호": "{}"',
    "polish": 'haslo = "{}"',
    "number before a command": "PGPASSWORD={} psql -h db",
    "said before it": "connected with password: {}\n",
    "query of a database's URL": "jdbc:postgresql://db/x?user=me&password={}",
    "connection of pairs": 'psql "host=db user=me password={} dbname=x"',
    "options of a mount": "mount -t cifs //s/x /m -o username=me,password={},uid=0",
    "odbc": "Driver={{x}};Server=db;UID=sa;PWD={};",
    "extra variable": "ansible-playbook site.yml -e db_password={}",
    "form": "curl -d username=me -d password={} https://a.test",
    "vault": "vault kv put secret/x password={}",
    "flag of a command": "gcloud sql users set-password root --password={}",
    "flag beside another": "gpg --batch --passphrase {} -c a",
    "flag at the end": "redis-server --requirepass {}",
    "two stores": "keytool -genkey -storepass {0} -keypass {0}",
    "redis prompt": "127.0.0.1:6379> AUTH {}",
    "openssl": "openssl enc -aes-256-cbc -k {} -in a",
    "archive": "7z a -p{} a.7z b",
    "create role": "CREATE ROLE me LOGIN SUPERUSER PASSWORD '{}';",
    "insert": "INSERT INTO users (name, email, password) VALUES ('me', 'a', '{}');",
    "update": "UPDATE users SET password = MD5('{}') WHERE id = 1;",
    "set password": "SET PASSWORD FOR root = '{}';",
    "netrc for any host": "default login anonymous password {}\n",
    "Markdown": "- **Password**: `{}`",
    "typed by a test": "cy.get('#password').type('{}')",
    "signed with": "jwt.sign(payload, '{}')",
    "hashed": 'generate_password_hash("{}")',
    "wordpress": "define('AUTH_KEY', 'Ed&1cr+3T$a[8LP~i5-|Z`x-V>;Di_C/E~UnSg{{n[h#{{D[-t{}'); ",
}
ODD_ONLY = {
    "table": "| password | {} |",
    "table with back-ticks": "| API Key | `{}` |",
    "pgpass for any host": "*:*:*:me:{}\n",
    "string of a Secret": "kind: Secret\nstringData:\n  uri: {}\n",
    "header as a map": '{{"name": "Authorization", "value": "Bearer {}"}}',
    "model's create_user": "User.objects.create_user('me', 'a', '{}')",
}
KEY_ONLY = {
    "cookie that was clipped": "Cookie: sid=abc7; session={} \u2026",
    "value that was clipped": '"AwsSecretKey": "{} \u2026',
    "value that was never closed": '"AwsSecretKey": "{}\nnext',
    "value before other text": '"AwsSecretKey": "{} and then',
    "value at the end of escaped text": '{{\\"AwsSecretKey\\": \\"{}',
    "value cut within": '"token": "{}\u2026"',
    "key of a service in YAML": "  nuget_key: {}\n",
    "recovery code": "recovery_code: {}\n",
    "session by its name": "JSESSIONID={}",
    "cookie of a recorded request": '{{"name": "sessionid", "value": "{}"}}',
}
BRACKETED = (
    '"PASSWORD={}"',
    'docker run -e "MYSQL_ROOT_PASSWORD={}" mysql',
    '    - "MYSQL_PASSWORD={}"',
    "DB_PASSWORD={}\n",
)
CASES = [
    *((text, value) for text in ANY.values() for value in (WORD, ODD, KEY)),
    *((text, value) for text in ODD_ONLY.values() for value in (ODD, KEY)),
    *((text, KEY) for text in KEY_ONLY.values()),
    *((text, BRACKETS) for text in BRACKETED),
    *((text, "4711" + "0815") for text in (ANY["number before a command"], ANY["odbc"])),
    ('"password": "{} foo bar"', "hunter2secret98"),
]

STAYS = [
    *("    secrets: inherit\n", "secrets: inherit # all of them", '"max_tokens": 4096'),
    *('{"password": 12345}', '"token": 12345', '"secret": 1,'),
    'Digest realm="x", nonce="'
    + fill("{hex:40}").text
    + '", opaque="'
    + fill("{hex:32}").text
    + '"',
    *("/tmp/pytest-of-root/pytest-0", "/tmp/pytest-of-runner/x"),
    "a/b.py,sha256=YC" + fill("{url:41}").text + ",1234",
    "a.dist-info/x,sha256=YC" + fill("{an:41}").text + ",9",
    *("use the --password option", "[--user USER] [--password PASSWORD]"),
    *("  --password string   Password to use", "Add --passphrase support"),
    *("status: 'pass' | 'fail1' | 'bug2';", "token: string | null2", "cat token | base64"),
    *("connect(user=name, password=pw)", "f(user=name,password=pw)"),
    "'PASSWORD': os.environ.get('DB_PASSWORD'),\n 'HOST': 'db1',",
    *("kind: Secret\ndata:\n  username: YWRtaW4=\n", "bin:*:17431:0:99999:7:::"),
    *("'pwd = \"{name}extra1\"'.format(name=x)", '"PASSWORD=get_password(db1)"'),
    *('"token": "ghp_abc\u2026"', '"password": "Password\u2026"'),
    *("jwt.decode(text, 'HS256')", "self.connect('a', 'b', 'clicked')", "set -x\nAUTH_TYPE x1"),
    "INSERT INTO users (name, age) VALUES ('swordfish', 30);",
]


@pytest.mark.parametrize(("text", "value"), CASES)
def test_a_secret_goes_where_agents_print_it(text: str, value: str) -> None:
    clean = REDACTOR.text(text.format(value))
    assert value not in clean
    assert "[REDACTED:" in clean
    assert REDACTOR.text(clean) == clean


@pytest.mark.parametrize("text", STAYS)
def test_what_only_looks_like_it_stays(text: str) -> None:
    assert REDACTOR.text(text) == text


@pytest.mark.parametrize(
    "text",
    [
        *("the password is {}", "log in with admin / {}", "tool --password {}", "\npassword {}"),
        *("curl -u me:{}", "https://a.test/x?key={}", "machine h login me password {}"),
    ],
)
def test_the_full_stop_belongs_to_the_sentence(text: str) -> None:
    value = fill("{an:12}7").text
    assert REDACTOR.text(text.format(value) + ".") == REDACTOR.text(text.format(value)) + "."


@pytest.mark.parametrize("text", [KEY_ONLY["cookie that was clipped"], 'password = "{} \u2026'])
def test_the_sign_of_clipping_stays(text: str) -> None:
    assert REDACTOR.text(text.format(KEY)).endswith("] \u2026")


@pytest.mark.parametrize("letters", [string.ascii_letters, string.ascii_lowercase])
@pytest.mark.parametrize("length", [16, 24, 40])
def test_a_token_of_letters_alone_is_told_from_words(letters: str, length: int) -> None:
    blank = f"{{abc:{length}}}"
    tokens = [fill(blank, seed).text for seed in range(200)]
    tokens = [t if letters is string.ascii_letters else t.lower() for t in tokens]
    assert sum(map(is_random, tokens)) >= 0.85 * len(tokens)


@pytest.mark.parametrize(
    "word",
    [
        *("authenticationProvider", "getElementsByClassName", "Rechtsschutzversicherung"),
        *("internationalization", "HTTPConnectionPool", "NotImplementedError", "misunderstanding"),
        *("abcdefghijklmnopqrstuvwxyz", "AAAAAAAAAAAAAAAA", "developpementdurable"),
    ],
)
def test_words_and_identifiers_are_readable(word: str) -> None:
    assert not is_unreadable(word)


@given(st.text())
def test_any_text_can_be_asked_for_readability(text: str) -> None:
    assert is_unreadable(text) in {True, False}
