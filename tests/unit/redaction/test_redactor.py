"""The laws of the redactor as a whole: text, drafts, drifts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.examples import fill, hits, misses

from onward import redaction
from onward.errors import InputError
from onward.model import Anchor, Commit, Draft, Drift, FileDrift, FileFact, Item, Origin
from onward.redaction import Redactor, rules
from onward.redaction.engine import Rule, compile_rules, find

KEY = b"k" * 32
REDACTOR = Redactor(KEY, home="/home/jdoe", user="jdoe")
SECRETS = [fill(hit).secret for rule in rules.RULES for hit in hits(rule) if "«" not in hit]
SHA, UUID = fill("{hex:40}").text, fill("{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}").text

# ------------------------------------------------------------------------------- text

PIECES = st.sampled_from(
    [
        *(fill(text).text for rule in rules.RULES for text in (*hits(rule), *misses(rule))),
        *("\n", " ", '"', "'", "\\", "=", ": ", "/", "@", "<", "~", "\x1b[0m", "\u200b", "é"),
        *("password=", "[REDACTED:x:aaaaaa]", "[REDACTED:", "/home/jdoe", "jdoe", "://", "--"),
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=8), max_size=12).map("".join)


@given(TEXTS)
def test_redacting_twice_is_redacting_once(text: str) -> None:
    once = REDACTOR.text(text)
    assert REDACTOR.text(once) == once


@given(st.text(st.characters()))
def test_any_text_is_taken(text: str) -> None:
    assert REDACTOR.text(text).encode() is not None


def test_a_secret_split_by_escapes_or_invisible_characters_is_found() -> None:
    token = fill("ghp_{an:36}").text
    for split in ("\x1b[0m", "\u200b", "\u200d", "\ufeff", "\u00ad", "\x00", "\x1b]0;t\x07"):
        assert token[20:] not in REDACTOR.text(token[:20] + split + token[20:])


def test_the_same_secret_reads_the_same_under_one_key_and_another_under_another() -> None:
    token = fill("ghp_{an:36}").text
    one, two = REDACTOR.text(f"a {token}"), REDACTOR.text(f"export X={token}")
    mark = one.removeprefix("a ")
    assert mark.startswith("[REDACTED:github-token:")
    assert mark in two
    assert Redactor(b"other").text(f"a {token}") != one


def test_an_empty_key_is_refused() -> None:
    with pytest.raises(InputError):
        Redactor(b"")


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("/home/jdoe/src/a.py:4", "~/src/a.py:4"),
        ("/home/jdoe", "~"),
        ("see /home/jdoe.", "see ~."),
        ("/home/jdoe-old/x", "~/x"),
        ("/home/other/x", "~/x"),
        ("/Users/Jane/x", "~/x"),
        (r"C:\Users\Jane\x", r"~\x"),
        ("/media/jdoe/disk", "/media/[REDACTED:user:"),
        ("jdoe@laptop:~/src$ ls", "[REDACTED:user:"),
        ("/tmp/-home-jdoe-src", "/tmp/-~-src"),
        ("https://github.com/jdoe/tool", "https://github.com/jdoe/tool"),
        ("src/home/jdoe.py", "src/home/jdoe.py"),
    ],
)
def test_the_name_of_the_user_leaves_the_paths(raw: str, shown: str) -> None:
    assert REDACTOR.text(raw).startswith(shown)


@pytest.mark.parametrize(
    ("home", "raw", "shown"),
    [
        ("/root", "cd /root/x; ls /srv/root/x", "cd /root/x; ls /srv/root/x"),
        ("/data/people/jd", "/data/people/jd/x /data/people/jdx/y", "~/x /data/people/jdx/y"),
        (r"D:\profiles\jd", r"D:\profiles\jd\x d:/profiles/jd/y", r"~\x ~/y"),
        (r"D:\profiles\jd", r'"D:\\profiles\\jd\\x"', r'"~\\x"'),
        ("/home/Åsa", "/home/Åsa/x", "~/x"),
        ("", "/opt/x", "/opt/x"),
        ("/", "/opt/x", "/opt/x"),
    ],
)
def test_the_home_folder_is_known_wherever_it_lies(home: str, raw: str, shown: str) -> None:
    assert Redactor(KEY, home=home).text(raw) == shown


@pytest.mark.parametrize("key", [KEY, b"another"])
def test_tokens_in_a_row_without_a_gap_settle(key: bytes) -> None:
    # A mark's six digits may read as a name or as a number: that depends on the key.
    redactor = Redactor(key)
    for rule in rules.RULES:
        for hit in hits(rule):
            once = redactor.text(fill(hit).text * 20)
            assert redactor.text(once) == once, rule.id


def test_nothing_is_found_in_the_letters_of_a_mark() -> None:
    for mark in (
        "[REDACTED:token:d2cb67]",
        "[REDACTED:password:0123ab]",
        "[REDACTED:url-user:abcdef]",
    ):
        for text in (f"bot{mark}/getMe", f"https://x:{mark}@host.test/o", f'"{mark}", x={mark}'):
            assert REDACTOR.text(text) == text


def test_a_built_in_rule_that_does_not_compile_stops_the_write(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken = Rule(id="broken", pattern="(", keywords=("abc",), source="test")
    monkeypatch.setattr(redaction.rules, "RULES", (broken,))
    redaction._table.cache_clear()
    try:
        with pytest.raises(InputError, match="nothing is written"):
            Redactor(KEY).text("an abc")
    finally:
        redaction._table.cache_clear()


def test_secrets_alone_can_be_asked_for() -> None:
    secret, text = fill("ghp_{an:36}").text, "/home/jdoe/x /home/other a.b@example.org jdoe@host:~$"
    only = Redactor(KEY, home="/home/jdoe", user="jdoe", personal=False)
    assert only.text(f"{text} {secret}").startswith(f"{text} [REDACTED:github-token:")


def test_personal_data_goes_on_request() -> None:
    phone, card = "call +49 170 555 01 23 now", "card 4111 1111 1111 1111 here"
    for asked, left in ((("phone",), card), (("card",), phone), ((), phone), ((), card)):
        assert Redactor(KEY, also=asked).text(left) == left
    both = Redactor(KEY, also=("card", "phone", "card")).text(f"{phone} {card}")
    assert "555" not in both
    assert "1111" not in both


# ------------------------------------------------------------------------------- hide


def test_what_is_hidden_before_it_is_cut_to_pieces_keeps_its_paths_and_its_form() -> None:
    secret = fill("ghp_{an:36}").text
    text = f"\x1b[1mcd /home/jdoe/x\x1b[0m\r\n<system-reminder>jdoe@host {secret} a.b@example.org\u200b"
    hidden = REDACTOR.hide(text)
    before, after = text.split(secret)
    assert hidden.startswith(f"{before}[REDACTED:github-token:")
    assert hidden.endswith("\u200b")
    assert "a.b@" not in hidden
    assert after.startswith(" ")
    assert REDACTOR.hide(hidden) == hidden


@given(TEXTS)
def test_what_was_hidden_reads_as_what_was_not(text: str) -> None:
    hidden = REDACTOR.hide(text)
    assert REDACTOR.hide(hidden) == hidden


HARMLESS = [
    f"commit {SHA}\nMerge: {SHA[:7]} {SHA[7:14]}",
    f'"sessionId":"{UUID}","token":12,"usage":{{"input_tokens":4096}}',
    f'"integrity": "sha512-{fill("{b64:86}").text}=="',
    f"foo@1.2.3 @scope/pkg@4.5.6 sha256:{fill('{hex:64}').text}",
    f"toolu_01{fill('{an:22}').text} msg_01{fill('{an:22}').text} req_011{fill('{an:20}').text}",
    "src/onward/redaction/__init__.py:45 tests/a/test_b.py::test_c[x-1]",
    "git@github.com:org/repo.git ssh://git@host.test/a.git",
    "def f(token: str, password: str = '') -> None: self.token = token",
    "if user.password != other.password or not secret_key: raise AuthError(f'{token}')",
    "export const API_KEY = process.env.API_KEY!; // apiKey: string",
    "18 failed, 1 passed in 3.21s; see https://a.test/x?y=1#L10-L20",
    "uses: actions/checkout@v4\n      token: ${{ secrets.GITHUB_TOKEN }}",
    "t:541 t:agent-a1b2:12 c:9f5a3c7 2026-03-01T13:40:00.123Z",
    "/tmp/claude-1000/-srv-shop/tasks/b5f3e7a.output",
    "@app.route('/login')\n@pytest.mark.parametrize('key', KEYS)",
]


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_secret_is_not_touched(text: str) -> None:
    assert REDACTOR.text(text) == text


IDS = st.one_of(
    st.uuids().map(str),
    st.binary(min_size=20, max_size=20).map(bytes.hex),
    st.binary(min_size=32, max_size=32).map(bytes.hex),
    st.from_regex(r"\A(src|lib|tests)(/[a-z_]{1,12}){1,4}\.(py|ts|rs)(:[0-9]{1,4})?\Z"),
    st.from_regex(r"\A(toolu|msg)_01[0-9A-Za-z]{22}\Z"),
    st.from_regex(r"\A2026-0[1-9]-[12][0-9]T1[0-9]:[0-5][0-9]:[0-5][0-9]Z\Z"),
)


@given(st.lists(IDS, min_size=1), st.sampled_from([" ", "\n", ", ", "\t", " | "]))
def test_ids_hashes_paths_and_times_survive(ids: list[str], between: str) -> None:
    text = between.join(ids)
    assert REDACTOR.text(text) == text


GREPPED_KEY = (
    "k.pem-yP3LV6B+j113TcuqZApz4qWHWUvB5n1zveTxgwUURa2K5KEs90Hn2VBpG6RdlaGs\n"
    "k.pem-TcTlu13GXg/D/o5GPbKd==\nk.pem:-----END PRIVATE KEY-----"
)


@example({"password": GREPPED_KEY})
@example({"text": GREPPED_KEY})
@example({"password": '\nuser = "admin:Velvet745"'})
@example({"text": f"\x1f{40 * 'aB3+'}\n{5 * 'aB3+'}\n-----END RSA PRIVATE KEY-----"})
@example({"password": "net use Z: /user:me", "api_key": ""})
@example({"password": "passwd bob <<EOF\nVelvet220\nEOF\nls"})
@example(dict.fromkeys(("x", "url"), "passwd bob <<EOF\nVelvet220\nVelvet922\nEOF"))
@example({"text": f"a.test\tTRUE\t/\tFALSE\t0\tauth\t{40 * 'c1ff4'}"})
@example({"url": "x 'kphNxb5p1', token='kphNxb5p", "api_key": "secret: 'orl4gttAG'"})
@example({"password": "n--github_pat_token: '\t", "text": "\x1f 'S3dXIMSLPzz7fg30ZaHh', iv)"})
@example({"password": r"curl -u admin:BNhpkzMc7Mxw https://host.test\\wsl$\Ubuntu\home\jdoe\x"})
@example({"x": "host.t\r\\u002fhome\\u002fjdoe\\u002fsrc"})
@example({"x": "\n  bindpw \x1fpk_prod_0I7OJC1TCR5IJ0J2EM8FAM5GYPJVx"})
@example({"text": "n\tfp_k3ibTvGGQJQ84fepLZWNvda3yayfhsNNIqtD7UcJAKIAKTC3JV64K7IWU5EN"})
@example({"x": 'su - bob <<< "Velvet283"@app.route(1)'})
@given(st.dictionaries(st.sampled_from(["password", "api_key", "url", "text", "x"]), TEXTS))
def test_json_stays_json(data: dict[str, str]) -> None:
    clean = json.loads(REDACTOR.text(json.dumps(data)))
    assert clean.keys() == data.keys()
    nested = json.loads(REDACTOR.text(json.dumps({"inner": json.dumps(data)})))
    assert nested.keys() == {"inner"}
    assert json.loads(nested["inner"]).keys() == data.keys()


def test_a_secret_behind_the_next_key_of_json_is_looked_for() -> None:
    first, second = "kphNxb5p1", "orl4gttAG7"
    out = REDACTOR.text(json.dumps({"url": f"token='{first}", "text": f"token='{second}'"}))
    assert json.loads(out).keys() == {"url", "text"}
    assert second not in out
    whole = REDACTOR.text(f'token=\'{{"user": "me", "x": "{first}"}}\'')
    assert first not in whole


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ('PASSWORD=$(cat <<EOF\n"correct horse battery 7"\nEOF\n)', "correct horse"),
        ('chpasswd <<EOF\nroot:"hunter2 zebra"\nEOF', "hunter2"),
        ('kinit admin <<EOF\nXk9"}pp3Lq\nEOF', "Xk9"),
        ('PASSWORD="ab\\",\\"k\\":Zx81kLmQ99"', "Zx81kLmQ99"),
        ('{"password": "ab\\",\\"cd\\":ef9Kq2\\"rest"}', "ef9Kq2"),
        (
            "-----BEGIN PRIVATE KEY-----\n"
            + "".join(f'{{"log": {40 * letter}1\n' for letter in "aBcD"),
            "aaaa",
        ),
    ],
)
def test_quotes_within_a_secret_do_not_show_it(text: str, secret: str) -> None:
    assert secret not in REDACTOR.text(text)


def test_a_rule_of_the_user_over_many_keys_of_json_takes_linear_time() -> None:
    rule = Rule(id="tok", pattern=r"tok[^\n]*", keywords=("tok",), source="test")
    table = compile_rules((rule,))
    text = ("{" + ",".join(f'"k{n}":"tok v"' for n in range(20_000)) + "}").encode()
    assert len(find(text, table)) <= 60


def test_a_command_that_ends_a_value_takes_no_key_of_json() -> None:
    """Each known text, cut anywhere, with a key behind it."""
    for rule in rules.RULES:
        for text in (fill(hit).text for hit in hits(rule)):
            for end in range(0, min(len(text), 200), 3):
                data = {"x": text[:end], "api_key": ""}
                assert json.loads(REDACTOR.text(json.dumps(data))).keys() == data.keys(), text


# ------------------------------------------------------------------- drafts and drifts


def full(kind: msgspec.inspect.Type, text: str = "text") -> Any:
    """A value of a type with every field set and two of everything that may be many."""
    value: Any = None
    match kind:
        case msgspec.inspect.StructType():
            value = {field.encode_name: full(field.type, field.name) for field in kind.fields}
        case msgspec.inspect.VarTupleType():
            value = [full(kind.item_type, text), full(kind.item_type, text)]
        case msgspec.inspect.TupleType():
            value = [full(item, text) for item in kind.item_types]
        case msgspec.inspect.UnionType():
            value = next(found for each in kind.types if (found := full(each, text)) is not None)
        case msgspec.inspect.LiteralType():
            value = next(word for word in kind.values if word)
        case msgspec.inspect.BoolType() | msgspec.inspect.IntType():
            value = 1 if isinstance(kind, msgspec.inspect.IntType) else True
        case msgspec.inspect.StrType():
            value = text
        case msgspec.inspect.NoneType():
            value = None
        case _:
            pytest.fail(f"a kind of field that this test does not know: {kind}")
    return value


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of each string."""
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for name, each in items:
            yield from leaves(each, (*path, name))
    elif isinstance(value, str):
        yield path


def planted(value: Any, path: tuple[Any, ...], secret: str) -> Any:
    """A copy with the string at `path` replaced."""
    copy = json.loads(json.dumps(value))
    place = copy
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = secret
    return copy


SHAPES = {
    Draft: full(msgspec.inspect.type_info(Draft)),
    Drift[str]: full(msgspec.inspect.type_info(Drift[str])),
}


def _redacted(redactor: Redactor, kind: Any, value: Any) -> bytes:
    whole = msgspec.convert(value, kind)
    clean = redactor.draft(whole) if kind is Draft else redactor.drift(whole)
    return msgspec.json.encode(clean)


def _texts(kind: Any) -> list[tuple[Any, ...]]:
    """The paths where any string is valid (not the words of a Literal)."""
    found = []
    for path in leaves(SHAPES[kind]):
        try:
            msgspec.convert(planted(SHAPES[kind], path, "any words"), kind)
        except msgspec.ValidationError:
            continue
        found.append(path)
    return found


@pytest.mark.parametrize("kind", SHAPES, ids=str)
def test_no_field_lets_a_secret_through(kind: Any) -> None:
    secret = fill("ghp_{an:36}").text
    texts = (secret, f"a\n{secret} b", f"<system-reminder>{secret}")
    for path, text in ((path, text) for path in _texts(kind) for text in texts):
        out = _redacted(REDACTOR, kind, planted(SHAPES[kind], path, text))
        assert secret.encode() not in out
        assert b"[REDACTED:github-token:" in out
        assert b"<system" not in out


@given(st.sampled_from(_texts(Draft)), st.sampled_from(SECRETS), st.text(max_size=20))
def test_no_secret_in_any_field_survives(path: tuple[Any, ...], secret: str, words: str) -> None:
    out = _redacted(REDACTOR, Draft, planted(SHAPES[Draft], path, f"{words}\n{secret}\n"))
    assert json.dumps(secret)[1:-1].encode() not in out


def test_what_is_not_text_goes_through_untouched() -> None:
    for kind, value in SHAPES.items():
        whole = msgspec.convert(value, kind)
        clean = REDACTOR.draft(whole) if kind is Draft else REDACTOR.drift(whole)
        assert msgspec.to_builtins(clean) == msgspec.to_builtins(whole)


def test_hashes_ids_times_and_places_go_through_untouched() -> None:
    draft = Draft(
        task=Item(text="t", evidence="observed", places=("t:541", f"t:{UUID}:12", "c:9f5a3c7")),
        saved="2026-03-01T13:40:00Z",
        origin=Origin(session=UUID, started="2026-03-01T13:40:00.123Z", version="2.1.0", lines=9),
        files=(
            FileFact(
                path="src/a.py",
                hash=SHA[:16],
                commit=SHA[:7],
                spans=((1, 2),),
                anchors=(Anchor(line=3, text="def f():"),),
            ),
        ),
    )
    drift = Drift(
        commit_was=SHA,
        commits=(Commit(hash=SHA, subject="Fix"),),
        files=(FileDrift(path="a.py", change="moved", line=4, to_line=9),),
    )
    assert msgspec.to_builtins(REDACTOR.draft(draft)) == msgspec.to_builtins(draft)
    assert msgspec.to_builtins(REDACTOR.drift(drift)) == msgspec.to_builtins(drift)


def test_a_checkpoint_redacted_again_is_the_same() -> None:
    draft = Draft(task=Item(text=" ".join(SECRETS)), name="a")
    once = REDACTOR.draft(draft)
    again = REDACTOR.draft(msgspec.convert(msgspec.to_builtins(once), Draft))
    assert once == again


def test_what_one_text_gives_away_is_hidden_in_the_others() -> None:
    """But no everyday word: it is a secret only beside what tells so."""
    secrets = redaction.Secrets(Redactor(b"k" * 32))
    secrets.learn("mysql --password=Velvet570x app; mysql --password=harbor app")
    assert "Velvet570x" not in secrets.text("try Velvet570x again")
    assert secrets.text("the ship is in the harbor") == "the ship is in the harbor"


@pytest.mark.parametrize(
    "text",
    [
        "I have the login pass Velvet570$x7 here",
        'send "Velvet570\\$x7\\r"',
        'curl -u "ann:Velvet570\\$x7" https://a.test',
        '{"command": "curl -u \\"ann:Velvet570\\\\$x7\\" https://a.test"}',
    ],
)
def test_a_value_that_was_told_once_is_hidden_as_a_shell_writes_it(text: str) -> None:
    secrets = redaction.Secrets(Redactor(b"k" * 32))
    assert "Velvet" not in secrets.hide("login: ann, pass: Velvet570$x7 ok")
    assert "elvet" not in secrets.hide(text)
    assert "$x7" not in secrets.again(text)


def test_a_password_with_escaped_signs_goes_as_a_whole() -> None:
    for written in ("Ab3\\$cd7\\$", "Ab3\\!cd7x", "Ab3\\\\\\$cd7\\\\\\$x"):
        text = f'curl -s -u "ann@a.test:{written}" "https://a.test/x"'
        assert "cd7" not in REDACTOR.text(text)
    assert '"$PASS"' in REDACTOR.text('curl -u "ann:$PASS" -H "$PASS" https://a.test')


def test_what_is_no_secret_by_itself_stays_where_nothing_was_told() -> None:
    secrets = redaction.Secrets(Redactor(b"k" * 32))
    assert secrets.hide("npm run Velvet570x7") == "npm run Velvet570x7"


def test_a_rule_that_matches_the_name_of_a_field_changes_no_name() -> None:
    rule = Rule(id="own", pattern="((?i:task|requests))", keywords=(), source="test")
    redactor = Redactor(KEY, extra=(rule,))
    draft = Draft(task=Item(text="the task"), decisions=(Item(text="two requests"),))
    told = redactor.draft(draft)
    assert "REDACTED" in told.task.text
    assert "REDACTED" in told.decisions[0].text
