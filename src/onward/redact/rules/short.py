"""Tokens whose prefix says next to nothing: their shape is exact, and they stand alone."""

from __future__ import annotations

from onward.redact import checks
from onward.redact.engine import Rule
from onward.redact.rules.shapes import distinct
from onward.redact.rules.shared import EDGE, lazy

_BAR = lazy(r"\||%7[Cc]")
_DIGEST = lazy(r"(?i)\b(?:sha\d{1,3}|md5|blake2b)[=:-]$")


def _beside_no_hash(value: str, before: str, after: str) -> bool:
    """Chance makes the prefix in the digests of lists of files (`sha256=…`)."""
    return distinct(value, before, after) and not _DIGEST.search(before)


def _app_secret(value: str, before: str, after: str) -> bool:
    """The part after the bar; columns of a table stand there as well."""
    return distinct(_BAR.split(value)[1], before, after)


RULES: tuple[Rule, ...] = (
    Rule(
        id="sendgrid-key",
        pattern=r"(SG\.[0-9A-Za-z_=-]{16,32}\.[0-9A-Za-z_=-]{16,64}|SG\.[0-9A-Za-z_=.-]{66})",
        keywords=("sg.",),
        hits=("SG.{an:22}.{an:43}", "SG.{url:22}.{url:43}"),
        misses=("SG.name.value", "SG.GeometryProcessing.IntersectionOfLines"),
        source="SendGrid documentation, API keys",
        judge=distinct,
    ),
    Rule(
        id="discord-token",
        pattern=EDGE
        + r"((?:M[Tjz]|N[DTjz]|O[DT])[0-9A-Za-z_-]{22,26}\.[0-9A-Za-z_-]{6}\.[0-9A-Za-z_-]{27,38})",
        keywords=("mt", "mj", "mz", "nd", "nt", "nj", "nz", "od", "ot"),
        hits=("MT{an:24}.{an:6}.{an:38}", "Nz{an:22}.{an:6}.{an:27}"),
        misses=(
            "MTableView.layout.subviews",
            "NTUserDefaultsManagerFactory.shared.synchronizeAllValuesNow",
        ),
        source="Discord documentation (a user's number in base64); detect-secrets",
        judge=distinct,
    ),
    Rule(
        id="twilio-key",
        pattern=r"(SK[0-9a-fA-F]{32}\b)",
        keywords=(
            "sk0",
            "sk1",
            "sk2",
            "sk3",
            "sk4",
            "sk5",
            "sk6",
            "sk7",
            "sk8",
            "sk9",
            "ska",
            "skb",
            "skc",
            "skd",
            "ske",
            "skf",
        ),
        hits=("SK{hex:32}", "user=«SK{hex:32}»"),
        misses=("SKIP_TESTS_ON_CI_FOR_THE_WEEKEND1", "SK{hex:10}"),
        source="Twilio documentation, API keys",
        judge=distinct,
    ),
    Rule(
        id="nats-seed",
        pattern=r"(S[UAONCX][A-Z2-7]{56}\b)",
        keywords=("su", "sa", "so", "sn", "sc", "sx"),
        hits=("SU{b32:56}", "SA{b32:56}"),
        misses=("SU{b32:20}", "SOMETHING_TO_DO"),
        source="NATS documentation, nkeys",
        judge=lambda value, before, after: checks.nkey(value) or distinct(value, before, after),
    ),
    Rule(
        id="airtable-token",
        pattern=r"(pat[0-9A-Za-z]{14}\.[0-9a-f]{20,})",
        keywords=("pat",),
        hits=("pat{an:14}.{hex:64}", "AIRTABLE «pat{an:14}.{hex:64}»"),
        misses=("path.{hex:64}", "pat{an:14}.{hex:4}"),
        source="Airtable documentation, personal access tokens",
        judge=distinct,
    ),
    Rule(
        id="harness-token",
        pattern=EDGE + r"([ps]at\.[0-9A-Za-z_-]{22}\.[0-9A-Za-z]{24}\.[0-9A-Za-z]{10,20}\b)",
        keywords=("pat.", "sat."),
        hits=("pat.{url:22}.{hex:24}.{an:20}", "sat.{an:22}.{hex:24}.{an:20}"),
        misses=("pat.name.value.other", "sat.{an:22}.{hex:9}"),
        source="Harness documentation, API keys",
        judge=distinct,
    ),
    Rule(
        id="infisical-token",
        pattern=r"(st\.[0-9a-f-]{24,36}\.[0-9a-f]{32}\.[0-9a-f]{20,})",
        keywords=("st.",),
        hits=(
            "st.{hex:24}.{hex:32}.{hex:32}",
            "INFISICAL_TOKEN «st.{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}.{hex:32}.{hex:32}»",
        ),
        misses=("st.name.value", "st.{hex:24}.{hex:6}"),
        source="Infisical documentation, service tokens",
        judge=distinct,
    ),
    Rule(
        id="resend-key",
        pattern=r"(re_[0-9A-Za-z]{8}_[0-9A-Za-z]{20,26}\b)",
        keywords=("re_",),
        hits=("re_{an:8}_{an:24}", "RESEND «re_{an:8}_{an:20}»"),
        misses=("re_compiled_pattern", "re_validate_somethingthatislongenough"),
        source="Resend documentation, API keys",
        judge=distinct,
    ),
    Rule(
        id="fireworks-key",
        pattern=r"(fw_[0-9A-Za-z]{22,24}\b)",
        keywords=("fw_",),
        hits=("fw_{an:24}", "fw_{an:22}"),
        misses=("fw_updaterequestpendingflag", "fw_loadFirmwareImageFromDisk"),
        source="provider's documentation; GitHub's published list of patterns",
        judge=distinct,
    ),
    Rule(
        id="modal-token",
        pattern=r"(a[ks]-[0-9A-Za-z]{22}\b)",
        keywords=("ak-", "as-"),
        hits=("ak-{an:22}", "as-{an:22}"),
        misses=("ak-{an:9}", "as-internationalization1"),
        source="Modal documentation, tokens",
        judge=distinct,
    ),
    Rule(
        id="voyage-key",
        pattern=r"(pa-[0-9A-Za-z_-]{43})",
        keywords=("pa-",),
        hits=("pa-{url:43}", "VOYAGE «pa-{an:43}»"),
        misses=("pa-{an:9}", "pa-the-name-of-a-branch-that-is-long-for-a-test"),
        source="Voyage AI documentation, API keys",
        judge=distinct,
    ),
    Rule(
        id="firecrawl-key",
        pattern=r"(fc-[0-9a-f]{32}\b)",
        keywords=("fc-",),
        hits=("fc-{hex:32}", "key «fc-{hex:32}»"),
        misses=("fc-{hex:8}", "icon-fc-{hex:32}"),
        source="Firecrawl documentation, API keys",
        judge=distinct,
    ),
    Rule(
        id="dropbox-token",
        pattern=r"(sl\.(?:u\.)?[0-9A-Za-z_-]{60,})",
        keywords=("sl.",),
        hits=("sl.u.{url:300}", "sl.{url:135}"),
        misses=("sl.name", "sl.{an:12}"),
        source="Dropbox documentation, OAuth; trufflehog",
        judge=distinct,
    ),
    Rule(
        id="yandex-static-key",
        pattern=r"(YC[0-9A-Za-z_-]{38})",
        keywords=("yc",),
        hits=("YC{an:38}", "YC{url:38}"),
        misses=(
            "YCSomething",
            "YC-the-name-of-a-branch-that-is-long-enough",
            "a/b.py,sha256=YC{url:41},1234",
        ),
        source="Yandex Cloud documentation, static access keys",
        judge=_beside_no_hash,
    ),
    Rule(
        id="octopus-key",
        pattern=r"(API-[0-9A-Z]{25,27}\b)",
        keywords=("api-",),
        hits=("API-{up:26}", "API-{up:27}"),
        misses=("API-REFERENCE", "API-XXXXXXXXXXXXXXXXXXXXXXXXXX"),
        source="Octopus Deploy documentation, API keys",
        judge=distinct,
    ),
    Rule(
        id="phabricator-token",
        pattern=EDGE + r"((?:api|cli)-[0-9a-z]{28}\b)",
        keywords=("api-", "cli-"),
        hits=("api-{low:28}", "cli-{low:28}"),
        misses=("api-gatewayauthorizationtestcase", "cli-{low:12}"),
        source="Phabricator documentation, Conduit API",
        judge=distinct,
    ),
    Rule(
        id="launchdarkly-key",
        pattern=EDGE
        + r"((?:sdk|api)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b)",
        keywords=("sdk-", "api-"),
        hits=(
            "sdk-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}",
            "api-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}",
        ),
        misses=("sdk-{hex:8}", "rest-api-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}"),
        source="LaunchDarkly documentation, API access tokens and SDK keys",
        judge=distinct,
    ),
    Rule(
        id="asana-token",
        pattern=EDGE + r"([0-2]/\d{12,20}(?:/\d{12,20})?:[0-9a-f]{32}\b)",
        keywords=("0/", "1/", "2/"),
        hits=("1/{dig:16}:{hex:32}", "2/{dig:16}/{dig:16}:{hex:32}"),
        misses=("1/{dig:16}", "1/2:{hex:32}"),
        source="Asana documentation, personal access tokens; trufflehog",
        judge=distinct,
    ),
    Rule(
        id="facebook-app-token",
        pattern=EDGE + r"(\d{15,17}(?:\||%7[Cc])[0-9A-Za-z_-]{27,40})",
        keywords=("0|", "1|", "2|", "3|", "4|", "5|", "6|", "7|", "8|", "9|", "%7c"),
        hits=("{dig:16}|{url:27}", "{dig:15}%7C{an:27}"),
        misses=("{dig:16}|name", "{dig:16}|the-value-of-a-column-in-a-row"),
        source="Meta documentation, app access tokens; gitleaks",
        judge=_app_secret,
    ),
)
