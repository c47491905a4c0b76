"""Secrets at a key, in the languages and files where they stand: what goes, what stays."""

from __future__ import annotations

import json

import pytest
from tests.examples import fill

from onward.redaction import Redactor

REDACTOR = Redactor(b"k" * 32)

WORD, ODD, KEY = "sword" + "fish", fill("{an:8}7").text, fill("{hex:31}f").text

GOES = {
    "python": f'password = "{WORD}"',
    "python keyword": f"connect(host='a', password='{WORD}')",
    "python annotation": f'PASSWORD: str = "{WORD}"',
    "python environment": f'os.getenv("DB_PASSWORD", "{ODD}")',
    "python bytes": f"secret = b'{ODD}'",
    "dictionary access": f"config['database']['password'] = '{WORD}'",
    "comparison": f'if password == "{WORD}":',
    "javascript": f"const password = '{WORD}';",
    "javascript object": f"  password: '{WORD}',",
    "typescript": f'const password: string = "{WORD}"',
    "else of the environment": f"secret: process.env.JWT_SECRET || '{WORD}',",
    "nullish else": f"secret: process.env.JWT_SECRET ?? '{WORD}',",
    "session secret": "app.use(session({ secret: '" + "keyboard" + " cat' }))",
    "go": f'password := "{WORD}"',
    "go field": f'\tPassword: "{WORD}",',
    "java": f'private static final String PASSWORD = "{WORD}";',
    "java setter": f'dataSource.setPassword("{WORD}");',
    "java builder": f'.password("{WORD}")',
    "java properties": f'props.setProperty("db.password", "{WORD}");',
    "kotlin": f'val password: String = "{WORD}"',
    "c sharp": f'public string Password {{ get; set; }} = "{WORD}";',
    "ruby": f":password => '{WORD}',",
    "php": f"$config['password'] = '{WORD}';",
    "php constant": f"define( 'DB_PASSWORD', '{WORD}' );",
    "php array": f"'password' => '{WORD}',",
    "rust": f'let password: &str = "{WORD}";',
    "rust string": f'let password = String::from("{WORD}");',
    "shell": f"export DB_PASSWORD={WORD}",
    "shell default": f"${{DB_PASSWORD:-{ODD}}}",
    "prefix of a command": f"PGPASSWORD={WORD} psql -U me",
    "powershell": f"$env:DB_PASSWORD = '{WORD}'",
    "dockerfile": f"ENV MYSQL_ROOT_PASSWORD={WORD}",
    "dockerfile with a space": f"ENV MYSQL_ROOT_PASSWORD {ODD}",
    "terraform": f'  master_password = "{WORD}"',
    "gradle": f"storePassword '{WORD}'",
    "properties": f"spring.datasource.password={WORD}",
    "properties with spaces": f"spring.mail.password = {WORD}",
    "ini": f"[client]\nuser = root\npassword = {WORD}\n",
    "toml": f'[db]\npassword = "{WORD}"',
    "env": f"DB_PASSWORD={WORD}",
    "yaml": f"db:\n  password: {WORD}\n  host: a",
    "yaml with a dash": "password: correct" + "-horse\n",
    "yaml digits": "  password: 12345678\n",
    "yaml list": f"- name: DB_PASSWORD\n  value: {WORD}",
    "yaml binary": "secret: !!binary " + fill("{b64:39}=").text,
    "compose": f"    environment:\n      - MYSQL_PASSWORD={WORD}",
    "compose default": "      POSTGRES_PASSWORD: " + "post" + "gres\n",
    "same word, other field": 'POSTGRES_PASSWORD: "pass' + 'word"',
    "login of two words": '{"username": "bob", "password": "pass' + 'word"}',
    "xml element": f"<password>{WORD}</password>",
    "xml element with attribute": f'<Pass encoding="base64">{ODD}</Pass>',
    "xml property": f'<property name="connection.password">{WORD}</property>',
    "xml attribute": f'<add key="ClearTextPassword" value="{WORD}" />',
    "json": f'{{"password": "{WORD}"}}',
    "json in json": json.dumps({"body": json.dumps({"password": WORD})}),
    "query": f"https://a.test/x?access_token={KEY}&y=1",
    "form": f"user=me&password={WORD}&x=1",
    "map of the environment": f'Map.of("POSTGRES_PASSWORD", "{WORD}")',
    "setter with a default": 'ssl.setKeyPassword("' + "pass" + 'word")',
    "two keys, one of the environment": f'Map.of("A_USER", "me", "A_PASSWORD", "{WORD}")',
    "set of a chart": f"helm install x --set auth.rootPassword={WORD},auth.user=me",
    "digits after the key": f"app.config['SECRET_KEY_HMAC_2'] = '{ODD}'",
    "odd signs": "app.secret_key = 'F1Zr47j yX R~X@H!jmM]Lwf/,?KT'",
    "path-like": "aws_secret_access_key = +Mcc/NRl7" + fill("{b64:31}").text,
    "short token": f"const token = '{ODD}'",
    "default on the next line": f"SECRET_KEY = env('SECRET_KEY',\n    '{ODD}')",
    "cut off": f'password = "{ODD} \u2026',
    "strict name": f'api_key = "{KEY}"',
    "strict name, short": f"apiKey: '{ODD}'",
    "weak name": f'"key": "{KEY}"',
    "salt": f'const salt = "{KEY}"',
    "hash of a password": f'password_hash = "{KEY}"',
    "german": f'Passwort: "{WORD}"',
    "chinese": f"密码\uff1a{ODD}",
    "full-width colon in back-ticks": f"密码\uff1a`{ODD}`",
}

STAYS = [
    *(
        "password: string",
        "password?: string;",
        "password: SecretStr",
        "password: Optional[str] = None",
    ),
    *("password = getpass.getpass('Enter password: ')", "password = request.form['password']"),
    *("self.password = password", "this.password = password;", "$this->password = $password;"),
    *("password: user.password,", "password: hashedPassword\n  }", "password=args.password"),
    *("password: process.env.DB_PASSWORD,", "password = config['db']['password']"),
    *(
        "password: ${{ secrets.DB_PASSWORD }}",
        'password: "{{ db_password }}"',
        "password: %env(X)%",
    ),
    *(
        "password: <password>",
        "password=YOUR_PASSWORD",
        "PASSWORD=xxxxxxxx",
        "password: '********'",
    ),
    *(
        'password: "your-password-here"',
        "apiKey: 'YOUR_API_KEY_HERE'",
        "password: ''",
        "secret: sk_test_xxx",
    ),
    *("'password' => 'required|string|min:8|confirmed'", "password: z.string().min(8),"),
    *('"password": "Password",', '"password": "Passwort",', '"password": "密码",'),
    *('"password": "Enter your password",', '"password": "Your password must be long",'),
    *('<label for="password">Password</label>', '<input type="password" name="password" />'),
    *('<string name="prompt_password">Password (optional)</string>', "label.password=Password"),
    *('CONF_PASSWORD = "password"', "WRONG_PASSWORD = 'auth/wrong-password'"),
    *("RESET_PASSWORD: '/reset-password',", "path: 'reset-password/:token',"),
    *('{"username": "username", "password": "password"}', "type: 'password',"),
    *(".password-field { color: red }", "#password:focus {", "screen.getByLabelText('Password')"),
    *("password_policy: strong", "password_file: /run/secrets/db", "passwordSecretName: my-secret"),
    *("existingSecret: my-secret", "secrets: inherit", "secret: false", "secretName: my-tls"),
    *("password: $2y", "pass: 12, fail: 3", "ok ? 'pass' : 'fail'", "--- PASS: TestLogin/case_1"),
    *("bypass: n0-thing", "compass = Compass()", "passenger: 'Bob Smith2'"),
    *("PWD=/srv/app1", "pwd: /workspace", "MIN_PASSWORD_LENGTH = 12", "max_tokens: 4096"),
    *("token = tokens[0]", 'token = "IDENTIFIER"', '"token_type": "Bearer",', "js-tokens: ^4.0.0"),
    *('pad_token = "<pad>"', "token: process.env.X_TOKEN!", "key: 'settings.account.title'"),
    *('key: "ArrowDown",', "primary_key = True", "cache_key = 'user:123:profile'"),
    *("credentials: 'include',", "author: someone42", "auth: `401 Provided authentication failed`"),
    *('logger.info("password: %s", password)', "print(f'password: {password}')"),
    *("* @param password the password to check", ":param password: password used for login"),
    *("  'SSH2_AUTH_PASSWORD',\n  'SSH2_AUTH_FILE',\n", 'acceptUserPass("user", "pass")'),
    *('set("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")', 'self.secret("Password:")'),
    *("x ? ctx_config->key_file_pass : 0", 'WWW-Authenticate: Digest nonce="a1b2c3d4e5f6a7b8c9"'),
    *("password ([#5673](https://a.test/5673))", "[secrets] or PII."),
    *('get_password("repository-foo")', "password.encode('latin1')", "Pass :meth:`peek` a value"),
    *("APP_SECRET=\nAPP_SHARE_DIR=var/share2", "if not password:\n    raise X1('no')"),
    *('(Allowed values are "Secret" or "ConfigMap".)', "pass_env=OAUTH_*"),
    *(
        '"hashed_secret": "' + fill("{hex:40}").text + '"',
        "nextToken: '" + fill("{an:32}").text + "'",
    ),
    *(
        '"integrity": "sha512-' + fill("{b64:86}").text + '=="',
        "sessionId: " + fill("{hex:32}").text,
    ),
]


@pytest.mark.parametrize("kind", GOES)
def test_a_secret_at_its_key_goes(kind: str) -> None:
    clean = REDACTOR.text(GOES[kind])
    assert "[REDACTED:" in clean
    assert not any(secret in clean for secret in (f"{WORD}", ODD, KEY))


@pytest.mark.parametrize("text", STAYS)
def test_code_labels_and_placeholders_stay(text: str) -> None:
    assert REDACTOR.text(text) == text


@pytest.mark.parametrize("text", ["{an:10}", "{an:12}!", "{hex:32}", "{low:16}", "{b64:40}"])
def test_the_rest_of_the_line_stays_as_it_was(text: str) -> None:
    value = fill(text).text
    before, after = 'run(host="a", password="', '", port=5432)  # local'
    clean = REDACTOR.text(before + value + after)
    assert clean.startswith(before)
    assert clean.endswith(after)
    assert value not in clean
