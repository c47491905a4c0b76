"""Tokens of chat, mail, payment and monitoring services."""

from __future__ import annotations

from onward.redact.engine import Rule
from onward.redact.rules.shared import EDGE, not_filler

RULES: tuple[Rule, ...] = (
    Rule(
        id="slack-token",
        pattern=EDGE + r"(xox[a-z](?:-|\.xox[bp]-)[0-9A-Za-z%+/=-]{16,}|xapp-\d-[0-9A-Za-z-]{20,})",
        keywords=("xox", "xapp-"),
        hits=(
            "xoxb-{dig:12}-{dig:12}-{an:24}",
            "xoxe.xoxp-1-{an:160}",
            "xapp-1-A{up:10}-{dig:13}-{hex:64}",
        ),
        misses=("xoxb-token", "xoxb-xxxxxxxxxxxx-xxxxxxxxxxxx-xxxxxxxx"),
        source="Slack documentation, token types",
        judge=not_filler,
    ),
    Rule(
        id="webhook-url",
        pattern=(
            r"hooks\.slack\.com/(?:services|workflows|triggers)/([0-9A-Za-z+/]{30,})"
            r"|discord(?:app)?\.com/api/webhooks/(\d{17,20}/[0-9A-Za-z_-]{40,})"
            r"|webhook\.office\.com/webhookb2/([0-9A-Za-z@/-]{60,})"
        ),
        keywords=("hooks.slack.com", "/api/webhooks/", "webhook.office.com"),
        hits=(
            "https://hooks.slack.com/services/«T{up:9}/B{up:9}/{an:24}»",
            "https://discord.com/api/webhooks/«{dig:18}/{url:68}»",
        ),
        misses=(
            "https://hooks.slack.com/services/T000",
            "https://discord.com/api/webhooks/ID/TOKEN",
        ),
        source="Slack, Discord and Teams documentation: who has the address may post",
        judge=not_filler,
    ),
    Rule(
        id="discord-token",
        pattern=EDGE
        + r"((?:M[Tjz]|N[DTjz]|O[DT])[0-9A-Za-z_-]{22,26}\.[0-9A-Za-z_-]{6}\.[0-9A-Za-z_-]{27,38})",
        keywords=("mt", "mj", "mz", "nd", "nt", "nj", "nz", "od", "ot"),
        hits=("MT{an:24}.{an:6}.{an:38}", "Nz{an:22}.{an:6}.{an:27}"),
        misses=("MTableView.layout.subviews", "OTHER.module.attribute_name"),
        source="Discord documentation; detect-secrets",
        judge=not_filler,
    ),
    Rule(
        id="telegram-token",
        pattern=EDGE + r"(?:bot)?(\d{8,10}:AA[0-9A-Za-z_-]{32,33})",
        keywords=(":aa",),
        hits=("{dig:10}:AA{an:33}", "bot«{dig:9}:AA{an:33}»/getMe"),
        misses=("12:AA:BB:CC", "{dig:10}:AAAA"),
        source="Telegram Bot API documentation",
        judge=not_filler,
    ),
    Rule(
        id="twilio-key",
        pattern=EDGE + r"(SK[0-9a-f]{32}\b)",
        keywords=("sk",),
        hits=("SK{hex:32}", "user=«SK{hex:32}»"),
        misses=("SKIP_TESTS_ON_CI_FOR_THE_WEEKEND1", "SK{hex:10}"),
        source="Twilio documentation",
        judge=not_filler,
    ),
    Rule(
        id="sendgrid-key",
        pattern=EDGE + r"(SG\.[0-9A-Za-z_=-]{16,32}\.[0-9A-Za-z_=-]{16,64})",
        keywords=("sg.",),
        hits=("SG.{an:22}.{an:43}", "SG.{url:22}.{url:43}"),
        misses=("SG.name.value", "msg.sender.address_of_the_person"),
        source="SendGrid documentation; gitleaks",
        judge=not_filler,
    ),
    Rule(
        id="mail-key",
        pattern=EDGE
        + r"(key-[0-9a-f]{32}\b|[0-9a-f]{32}-us\d{1,2}\b|x(?:key|smtp)sib-[0-9a-f]{64}-[0-9A-Za-z]{16}\b)",
        keywords=("key-", "-us", "sib-"),
        hits=("key-{hex:32}", "{hex:32}-us12", "xkeysib-{hex:64}-{an:16}"),
        misses=("key-value", "{hex:32}-use"),
        source="Mailgun, Mailchimp and Brevo documentation",
        judge=not_filler,
    ),
    Rule(
        id="stripe-key",
        pattern=EDGE
        + r"((?:sk|rk)_(?:live|test|prod|org_live|org_test)_[0-9A-Za-z]{10,}|whsec_[0-9A-Za-z+/=]{24,})",
        keywords=("_live_", "_test_", "_prod_", "whsec_"),
        hits=("sk_live_{an:24}", "rk_test_{an:99}", "whsec_{an:32}"),
        misses=("sk_live_key", "risk_test_{an:20}", "pk_live_{an:24}"),
        source="Stripe documentation; publishable keys (pk_) are public",
        judge=not_filler,
    ),
    Rule(
        id="square-token",
        pattern=EDGE + r"(sq0(?:atp-[0-9A-Za-z_-]{22}|csp-[0-9A-Za-z_-]{43}))",
        keywords=("sq0",),
        hits=("sq0atp-{an:22}", "sq0csp-{an:43}"),
        misses=("sq0idp-{an:22}", "sq0atp-{an:4}"),
        source="Square documentation",
        judge=not_filler,
    ),
    Rule(
        id="shopify-token",
        pattern=EDGE + r"(shp(?:at|ss|ca|pa|ua|tka)_[0-9a-fA-F]{32}\b)",
        keywords=("shp",),
        hits=("shpat_{hex:32}", "shpss_{HEX:32}"),
        misses=("shpat_token", "shpat_{hex:9}"),
        source="Shopify documentation; gitleaks",
        judge=not_filler,
    ),
    Rule(
        id="grafana-token",
        pattern=EDGE + r"(glsa_[0-9A-Za-z]{32}_[0-9a-fA-F]{8}\b|glc_eyJ[0-9A-Za-z+/=]{32,})",
        keywords=("glsa_", "glc_"),
        hits=("glsa_{an:32}_{hex:8}", "glc_eyJ{b64:120}"),
        misses=("glc_client", "glsa_{an:8}"),
        source="Grafana documentation",
        judge=not_filler,
    ),
    Rule(
        id="sentry-token",
        pattern=EDGE + r"(sntrys_eyJ[0-9A-Za-z+/=_]{40,}|sntryu_[0-9a-f]{40,})",
        keywords=("sntry",),
        hits=("sntrys_eyJ{an:120}", "sntryu_{hex:64}"),
        misses=("sntrys_", "sntryu_name"),
        source="Sentry documentation",
        judge=not_filler,
    ),
    Rule(
        id="workspace-token",
        pattern=EDGE + r"(lin_(?:api|oauth)_[0-9A-Za-z]{32,}|ntn_[0-9]{11}[0-9A-Za-z]{35}\b"
        r"|fig[do]_[0-9A-Za-z_-]{40,}|pat[0-9A-Za-z]{14}\.[0-9a-f]{64}\b"
        r"|PMAK-[0-9a-fA-F]{24}-[0-9a-fA-F]{34}\b)",
        keywords=("lin_", "ntn_", "figd_", "figo_", "pat", "pmak-"),
        hits=("lin_api_{an:40}", "ntn_{dig:11}{an:35}", "figd_{url:40}", "pat{an:14}.{hex:64}"),
        misses=("lin_api_client", "ntn_{dig:5}", "path.{hex:64}"),
        source="Linear, Notion, Figma, Airtable and Postman documentation",
        judge=not_filler,
    ),
)
