"""Secrets in headers, URLs, command lines, stores, connection strings and sentences."""

from __future__ import annotations

from base64 import b64encode

import pytest
from tests.examples import fill

from onward.redaction import Redactor

REDACTOR = Redactor(b"k" * 32)

WORD, ODD, KEY = "sword" + "fish", fill("{an:8}7").text, fill("{hex:31}f").text
BASIC = b64encode(f"me:{WORD}".encode()).decode()
ENCODED = b64encode(WORD.encode()).decode()

GOES = {
    "bearer": f"Authorization: Bearer {KEY}",
    "short bearer": f'curl -H "Authorization: Bearer {ODD}" https://a.test',
    "basic": f"Authorization: Basic {BASIC}",
    "proxy": f"Proxy-Authorization: Basic {BASIC}",
    "raw": f"authorization: {KEY}",
    "own header": f"X-Api-Key: {KEY}",
    "go header": f'req.Header.Set("Authorization", "Bearer {KEY}")',
    "digest": f'Authorization: Digest username="me", response="{KEY}"',
    "cookie": f"Cookie: sid={KEY}; theme=dark",
    "set-cookie": f"Set-Cookie: session={KEY}; Path=/; HttpOnly",
    "user-info": f"postgres://me:{WORD}@db:5432/app",
    "user-info without a user": f"redis://:{WORD}@cache:6379",
    "query key": f"https://a.test/x?key={KEY}&q=1",
    "flag": f"tool --password {ODD}",
    "flag with a sign": f"tool --password={ODD}",
    "flag in quotes": f"tool --password '{WORD}'",
    "flag in a list": f'["tool", "--password", "{WORD}"]',
    "curl": f"curl -u me:{WORD} https://a.test",
    "httpie": f"http -a me:{ODD} https://a.test",
    "mysql": f"mysql -u root -p{WORD} app",
    "mysqldump": f"mysqldump -h db -uroot -p'{ODD}!' app",
    "mariadb": f"mariadb -uroot -p{WORD} -e 'select 1'",
    "mongosh": f"mongosh -u me -p {ODD} --quiet",
    "sshpass": f"sshpass -p {WORD} ssh web1",
    "sshpass glued": f"sshpass -p'{WORD}' ssh web1",
    "redis-cli": f"redis-cli -h cache -a {WORD} ping",
    "docker login": f"docker login -u me -p {ODD} registry.test",
    "az login": f"az login --service-principal -u me -p {ODD} --tenant x",
    "sqlcmd": f"sqlcmd -S db -U sa -P {ODD}",
    "htpasswd": f"htpasswd -bc .htpasswd me {ODD}",
    "openssl": f"openssl rsa -in a.pem -passin pass:{WORD}",
    "keytool": f"keytool -list -storepass {ODD}",
    "kubectl": f"kubectl create secret generic db --from-literal=password={WORD}",
    "aws configure": "aws configure set aws_secret_access_key " + fill("{b64:40}").text,
    "gh": f'gh secret set NAME --body "{ODD}"',
    "setx": f"setx API_TOKEN {KEY}",
    "piped": f"echo '{KEY}' | docker login -u me --password-stdin",
    "secure string": f'ConvertTo-SecureString "{ODD}" -AsPlainText -Force',
    "requests": f"requests.get(url, auth=('me', '{WORD}'))",
    "jdbc call": f'DriverManager.getConnection(url, "root", "{ODD}");',
    "netrc": f"machine a.test login me password {WORD}",
    "pgpass": f"db.test:5432:app:me:{WORD}",
    "npmrc": f"//registry.test/:_authToken={KEY}",
    "docker config": f'"auth": "{b64encode(f"me:{ODD}".encode()).decode()}"',
    "ado": f"Server=db;User Id=sa;Password={WORD};Encrypt=yes",
    "azure": "AccountName=x;AccountKey=" + fill("{b64:86}==").text + ";EndpointSuffix=a.test",
    "service bus": "SharedAccessKeyName=x;SharedAccessKey=" + fill("{b64:43}=").text,
    "jdbc": f"jdbc:mysql://db/x?user=me&password={WORD}",
    "oracle": f"jdbc:oracle:thin:scott/{WORD}@//db:1521/x",
    "jwk": '{"kty":"EC","crv":"P-256","d":"' + fill("{url:43}").text + '"}',
    "kubernetes": f"kind: Secret\ndata:\n  pin: {ENCODED}\n  other: {ENCODED}\n",
    "redis.conf": f"\nrequirepass {WORD}\n",
    "create user": f"CREATE USER me IDENTIFIED BY '{WORD}';",
    "create role": f"CREATE ROLE me LOGIN PASSWORD '{WORD}'",
    "said": f"the password is {ODD}",
    "said word": f"the password is {WORD}\n",
    "said in quotes": f'its password was "{WORD}"',
    "said of something": f"the password for the db is {ODD}, keep it",
    "said beside a name": f"user me and password {ODD}",
    "set to": f"change the password to {ODD}",
    "log in": f"log in with admin / {ODD}",
    "phrase": "the passphrase is correct " + "horse battery staple",
    "short": f"pw: {ODD}",
    "german": f"das Passwort ist {ODD}",
    "french": f"le mot de passe est {ODD}",
    "spanish": f"la contraseña es {ODD}",
    "chinese": f"密码是{ODD}",
    "japanese": f"パスワードは {ODD} です",
}

STAYS = [
    *("Authorization: Bearer ${TOKEN}", "Authorization: Bearer <token>", "authorization: required"),
    *(
        "basic configuration of it",
        "`RFC1#Authorization`: https://a.test/rfc1",
        "'Bearer ' + token",
    ),
    *("Set-Cookie: foo=bar; Path=/; HttpOnly", "Cookie: lang=en; theme=dark", "cookie: a=$SID"),
    *(
        "postgres://user:password@localhost/db",
        "https://user:$PASS@host/",
        "redis://localhost:6379/0",
    ),
    *(
        "mongodb://DB_USER:DB_PASSWORD@host/",
        "https://git@github.com/o/r.git",
        "http://xxx@a.test/",
    ),
    *("/search?monkey=chimpanzee1", "https://a.test/?token=${TOKEN}", "?sort_key=created_at2"),
    *(
        "--password --verbose",
        "--token $TOKEN",
        "the --password flag",
        "--password-stdin registry1",
    ),
    *(
        "add_argument('--api-key', 'api_key_2')",
        "--secret id=mysecret,env=VALUE1",
        "--proxy-bypass a1,b2",
    ),
    *(
        "mysql -u root -p app",
        "mysql -h db -P 3306",
        "mkdir -p build/mysql1",
        "docker run -p 80:80 x",
    ),
    *("sshpass -p $PASS ssh web1", "--from-literal=user=$USER", "openssl -passin env:PASS1"),
    *("docker run -u 1000:1000 image", "curl -u $USER:$PASS https://a.test", "date -u +%H:%M:%S"),
    *("kind: Secret\nmetadata:\n  name: resource\ntype: Opaque\n", "identified by its name"),
    *("a machine to login with a password", "5432:5432:tcp:x", "IDENTIFIED BY '${PASS}'"),
    *("fix the password is required message", "the password is wrong", "password is too short"),
    *("the password was changed yesterday", "the token is expired", "the secret is out"),
    *("password authentication failed for user x1", "push new token to the stream2"),
    *("truststore password **must** be the same", "same password (SHA512-CRYPT hashed)"),
    *("log in with user / password", "credentials for staging/production", "e2e login in /srv/x1"),
    *("Enter passphrase for key 'id_rsa':", "Using generated security password: %s%n"),
]


@pytest.mark.parametrize("kind", GOES)
def test_a_secret_in_its_surroundings_goes(kind: str) -> None:
    clean = REDACTOR.text(GOES[kind])
    assert "[REDACTED:" in clean
    assert not any(secret in clean for secret in (WORD, ODD, KEY, BASIC, ENCODED, "battery"))


@pytest.mark.parametrize("text", STAYS)
def test_what_only_speaks_of_secrets_stays(text: str) -> None:
    assert REDACTOR.text(text) == text


@pytest.mark.parametrize(
    ("before", "after"),
    [("use Authorization: Token ", ". Then"), ("oauth: ", "."), ("DB_PASSWORD=", ".\n")],
)
def test_the_full_stop_of_a_sentence_is_no_part_of_a_secret(before: str, after: str) -> None:
    clean = REDACTOR.text(before + KEY + after)
    assert KEY not in clean
    assert clean.endswith("]" + after)


@pytest.mark.parametrize("header", ["Authorization", "Proxy-Authorization", "authorization"])
def test_odd_credentials_stop_nothing(header: str) -> None:
    for value in ("Basic abcdé", "Basic =", "Basic " + "A" * 5, "Bearer \u2026", "Digest"):
        assert REDACTOR.text(f"{header}: {value}")
