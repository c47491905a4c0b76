"""Tokens of chat, mail, telephone and social services."""

from __future__ import annotations

from onward.redact.engine import Rule
from onward.redact.rules.shapes import standing_alone, token, unless_words, whole_run
from onward.redact.rules.shared import EDGE, not_filler

RULES: tuple[Rule, ...] = (
    Rule(
        id="slack-token",
        pattern=r"(xox[a-z](?:-|\.xox[a-z]-)[0-9A-Za-z%+/=-]{8,}|xapp-\d-[0-9A-Za-z-]{16,})",
        keywords=("xoxa", "xoxb", "xoxc", "xoxd", "xoxe", "xoxo", "xoxp", "xoxr", "xoxs", "xapp-"),
        hits=(
            "xoxb-{dig:12}-{dig:12}-{an:24}",
            "xoxe.xoxp-1-{an:160}",
            "xoxd-{an:40}%2B{an:60}%3D",
            "xapp-1-A{up:10}-{dig:13}-{hex:64}",
        ),
        misses=("xoxb-token", "xoxb-xxxxxxxxxxxx-xxxxxxxxxxxx-xxxxxxxx", "xoxb-token-of-the-bot"),
        source="Slack documentation, token types",
        judge=unless_words(),
    ),
    Rule(
        id="webhook-url",
        pattern=(
            r"hooks\.slack\.com/(?:services|workflows|triggers)/([0-9A-Za-z+/]{30,})"
            r"|discord(?:app)?\.com/api/webhooks/(\d{17,20}/[0-9A-Za-z_-]{40,})"
            r"|webhook\.office\.com/webhookb2/([0-9A-Za-z@/-]{60,})"
            r"|hooks\.zapier\.com/hooks/catch/([0-9A-Za-z/]{10,})|\.tines\.com/webhook/([0-9a-z]{32}/[0-9a-z]{32})"
            r"|/open-apis/bot/v2/hook/([0-9a-f-]{30,})|/cgi-bin/webhook/send\?key=([0-9a-f-]{30,})"
            r"|oapi\.dingtalk\.com/robot/send\?access_token=([0-9a-f]{40,})"
        ),
        keywords=(
            "hooks.slack.com",
            "/api/webhooks/",
            "webhook.office.com",
            "hooks.zapier.com",
            ".tines.com/webhook/",
            "/bot/v2/hook/",
            "/webhook/send",
            "oapi.dingtalk.com",
        ),
        hits=(
            "https://hooks.slack.com/services/«T{up:9}/B{up:9}/{an:24}»",
            "https://discord.com/api/webhooks/«{dig:18}/{url:68}»",
            "https://a.webhook.office.com/webhookb2/«{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}@{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}/IncomingWebhook/{hex:32}/{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}»",
            "https://hooks.zapier.com/hooks/catch/«{dig:7}/{low:7}/»",
            "https://open.feishu.cn/open-apis/bot/v2/hook/«{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}»",
        ),
        misses=(
            "https://hooks.slack.com/services/T000",
            "https://discord.com/api/webhooks/ID/TOKEN",
        ),
        source="Slack, Discord, Teams, Zapier, Tines, Feishu, WeCom and DingTalk documentation: who has the address may post",
        judge=token,
    ),
    Rule(
        id="telegram-token",
        pattern=EDGE + r"(?:bot)?(\d{8,10}:AA[0-9A-Za-z_-]{20,33})",
        keywords=(":aa",),
        hits=("{dig:10}:AA{an:33}", "bot«{dig:9}:AA{an:33}»/getMe"),
        misses=("12:AA:BB:CC", "{dig:10}:AAAA"),
        source="Telegram Bot API documentation",
        judge=not_filler,
    ),
    Rule(
        id="mail-key",
        pattern=(
            EDGE
            + r"(key-[0-9a-f]{32}\b|[0-9a-f]{32}-us\d{1,2}\b|[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}\b"
            r"|x(?:key|smtp)sib-[0-9A-Za-z_-]{32,}|mlsn\.[0-9a-f]{32,})"
        ),
        keywords=(
            "key-",
            "-us1",
            "-us2",
            "-us3",
            "-us4",
            "-us5",
            "-us6",
            "-us7",
            "-us8",
            "-us9",
            "-us0",
            "sib-",
            "mlsn.",
            "mailgun",
        ),
        hits=(
            "key-{hex:32}",
            "{hex:32}-us12",
            "mailgun: «{hex:32}-{hex:8}-{hex:8}»",
            "xkeysib-{hex:64}-{an:16}",
            "xsmtpsib-{hex:64}-{an:16}",
            "mlsn.{hex:64}",
        ),
        misses=("key-value", "{hex:32}-use", "cache-key-{hex:32}"),
        source="Mailgun, Mailchimp, Brevo and MailerSend documentation",
        judge=standing_alone,
    ),
    Rule(
        id="telnyx-key",
        pattern=r"(KEY[0-9A-F]{20,}(?:_[0-9A-Za-z]*)?)",
        keywords=("key0",),
        hits=("KEY0{HEX:31}_{an:22}", "Bearer «KEY01{HEX:30}_{an:22}»"),
        misses=("KEY0{HEX:12}", "KEY_NAME"),
        source="Telnyx documentation, API keys",
        judge=token,
    ),
    Rule(
        id="pubnub-secret",
        pattern=r"(sec-c-[0-9A-Za-z]{20,}={0,2})",
        keywords=("sec-c-",),
        hits=("sec-c-{an:48}", "PN «sec-c-{b64:0}{an:46}==»"),
        misses=("sec-c-{an:6}", "sec-c-name"),
        source="PubNub documentation, secret keys",
        judge=token,
    ),
    Rule(
        id="intercom-token",
        pattern=r"(dG9rO[0-9A-Za-z+/]{48,}={0,2})",
        keywords=("dg9ro",),
        hits=("dG9rO{an:54}=", "INTERCOM «dG9rOj{an:54}=»"),
        misses=("dG9rO{an:9}", "dG9rOg=="),
        source='Intercom documentation, access tokens ("tok:" in base64)',
        judge=token,
    ),
    Rule(
        id="onesignal-key",
        pattern=r"(os_v2_(?:app|org)_[0-9a-z]{20,})",
        keywords=("os_v2_",),
        hits=("os_v2_app_{low:103}", "os_v2_org_{low:103}"),
        misses=("os_v2_app_", "os_v2_org_{low:6}"),
        source="OneSignal documentation, keys",
        judge=token,
    ),
    Rule(
        id="courier-key",
        pattern=EDGE + r"((?:pk|dk)_(?:prod|test)_[0-9A-Z]{28}\b)",
        keywords=("k_prod_", "k_test_"),
        hits=("pk_prod_{up:28}", "dk_test_{up:28}"),
        misses=("pk_prod_{up:6}", "pk_test_{an:24}"),
        source="Courier documentation, API keys",
        judge=token,
    ),
    Rule(
        id="klaviyo-key",
        pattern=r"(pk_(?:[0-9A-Za-z]{6}_)?[0-9a-f]{30,34}\b)",
        keywords=("pk_",),
        hits=("pk_{hex:34}", "pk_{an:6}_{hex:34}"),
        misses=("pk_{hex:8}", "pk_table_of_the_primary_key"),
        source="Klaviyo documentation, private keys; trufflehog",
        judge=token,
    ),
    Rule(
        id="facebook-token",
        pattern=EDGE + r"(EAA[A-Z][0-9A-Za-z]{60,}|IG(?:QV|QW|AA)[0-9A-Za-z_-]{60,})",
        keywords=("eaa", "igqv", "igqw", "igaa"),
        hits=("EAAC{an:150}", "EAAM{an:100}", "IGQVJ{an:120}"),
        misses=("EAAC{an:9}", "EAAttribute"),
        source="Meta documentation, access tokens",
        judge=whole_run,
    ),
    Rule(
        id="twitter-token",
        pattern=EDGE + r"(A{21,22}[B-Za-z0-9%][0-9A-Za-z%]{59,109})",
        keywords=("aaaaaaaaaaaaaaaaaaaaa",),
        hits=(
            "AAAAAAAAAAAAAAAAAAAAA{an:0}M{an:80}",
            "AAAAAAAAAAAAAAAAAAAAAM{an:24}%2B{an:30}%3D{an:30}",
        ),
        misses=(
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA{b64:90}",
        ),
        source="X developer documentation, bearer tokens; gitleaks",
        judge=whole_run,
    ),
    Rule(
        id="linkedin-secret",
        pattern=r"(WPL_AP\d\.[0-9A-Za-z]{10,}(?:\.[0-9A-Za-z+/=]*)?)",
        keywords=("wpl_ap",),
        hits=("WPL_AP1.{an:16}.{an:6}==", "WPL_AP0.{an:16}.{an:8}"),
        misses=("WPL_AP1.{an:3}", "WPL_APP"),
        source="LinkedIn documentation, client secrets",
        judge=token,
    ),
    Rule(
        id="pinterest-token",
        pattern=r"(pin[ar]_[0-9A-Za-z]{20,})",
        keywords=("pina_", "pinr_"),
        hits=("pina_{up:83}", "pinr_{an:64}"),
        misses=("pina_{an:6}", "pina_colada"),
        source="Pinterest documentation, access tokens",
        judge=unless_words(),
    ),
)
