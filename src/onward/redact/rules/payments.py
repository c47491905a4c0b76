"""Keys of payment, banking and shop services."""

from __future__ import annotations

from onward.redact.engine import Rule
from onward.redact.rules.shapes import distinct, token, unless_words, whole_run
from onward.redact.rules.shared import EDGE

RULES: tuple[Rule, ...] = (
    Rule(
        id="stripe-key",
        pattern=(
            EDGE
            + r"((?:sk|rk)_(?:live|test|prod|org_live|org_test|sbox)_[0-9A-Za-z]{10,}|whsec_[0-9A-Za-z+/=]{20,}"
            r"|pi_[0-9A-Za-z]{16,}_secret_[0-9A-Za-z]{16,})"
        ),
        keywords=("_live_", "_test_", "_prod_", "_sbox_", "whsec_", "_secret_"),
        hits=(
            "sk_live_{an:24}",
            "rk_test_{an:99}",
            "sk_org_live_{an:40}",
            "whsec_{an:32}",
            "pi_{an:24}_secret_{an:25}",
        ),
        misses=("sk_live_key", "risk_test_{an:20}", "pk_live_{an:24}", "sk_test_connection"),
        source="Stripe documentation; publishable keys (pk_) are public; Clerk and Svix use the forms as well",
        judge=unless_words(),
    ),
    Rule(
        id="square-token",
        pattern=r"(sq0[a-z]{3}-[0-9A-Za-z_-]{20,})",
        keywords=("sq0",),
        hits=("sq0atp-{an:22}", "sq0csp-{an:43}", "sandbox-«sq0csb-{url:43}»"),
        misses=("sq0atp-{an:4}", "sq0_of_x"),
        source="Square documentation, credentials",
        judge=unless_words(),
    ),
    Rule(
        id="square-access-token",
        pattern=r"(EAAA[0-9A-Za-z_-]{22,})",
        keywords=("eaaa",),
        hits=("EAAA{url:60}", "Bearer «EAAA{an:60}»"),
        misses=("EAAA{an:9}", "zMzPzP/EAAA{an:30}"),
        source="Square documentation, access tokens; gitleaks",
        judge=whole_run,
    ),
    Rule(
        id="braintree-token",
        pattern=r"(access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{20,})",
        keywords=("access_token$",),
        hits=(
            "access_token$production${low:16}${hex:32}",
            "access_token$sandbox${low:16}${hex:32}",
        ),
        misses=("access_token$name", "access_token$production$key"),
        source="Braintree documentation, access tokens",
        judge=token,
    ),
    Rule(
        id="razorpay-key",
        pattern=r"(rzp_(?:live|test)_[0-9A-Za-z]{14,})",
        keywords=("rzp_",),
        hits=("rzp_live_{an:14}", "rzp_test_{an:14}"),
        misses=("rzp_live_{an:5}", "rzp_test_key"),
        source="Razorpay documentation, API keys",
        judge=token,
    ),
    Rule(
        id="flutterwave-key",
        pattern=r"(FLWSECK(?:_TEST)?-?[0-9A-Za-z]{12,}(?:-X)?)",
        keywords=("flwseck",),
        hits=("FLWSECK-{hex:32}-X", "FLWSECK_TEST-{hex:32}-X", "FLWSECK_TEST{hex:12}"),
        misses=("FLWSECK", "FLWPUBK-{hex:32}-X"),
        source="Flutterwave documentation, API keys",
        judge=token,
    ),
    Rule(
        id="plaid-token",
        pattern=r"(access-(?:sandbox|development|production)-[0-9a-f-]{16,})",
        keywords=("access-sandbox-", "access-development-", "access-production-"),
        hits=(
            "access-sandbox-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}",
            "access-production-{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}",
        ),
        misses=("access-sandbox-mode", "access-production-{hex:8}"),
        source="Plaid documentation, access tokens",
        judge=token,
    ),
    Rule(
        id="shopify-token",
        pattern=r"(shp[a-z]{2,3}_[0-9a-fA-F]{20,})",
        keywords=("shp",),
        hits=("shpat_{hex:32}", "shpss_{HEX:32}", "shptka_{hex:32}"),
        misses=("shpat_token", "shpat_{hex:9}"),
        source="Shopify documentation, access tokens; gitleaks",
        judge=token,
    ),
    Rule(
        id="easypost-key",
        pattern=r"(EZ[AT]K[0-9A-Za-z]{20,})",
        keywords=("ezak", "eztk"),
        hits=("EZAK{an:54}", "EZTK{an:54}"),
        misses=("EZAK{an:8}", "EZTK_NAME"),
        source="EasyPost documentation, API keys",
        judge=unless_words(),
    ),
    Rule(
        id="duffel-token",
        pattern=r"(duffel_(?:test|live)_[0-9A-Za-z_=-]{20,})",
        keywords=("duffel_",),
        hits=("duffel_test_{url:43}", "duffel_live_{an:43}"),
        misses=("duffel_test_{an:5}", "duffel_live_token_of_the_account"),
        source="Duffel documentation, access tokens",
        judge=unless_words(),
    ),
    Rule(
        id="shippo-token",
        pattern=r"(shippo_(?:live|test)_[0-9a-fA-F]{20,})",
        keywords=("shippo_",),
        hits=("shippo_live_{hex:40}", "shippo_test_{hex:40}"),
        misses=("shippo_live_{hex:5}", "shippo_test_token"),
        source="Shippo documentation, API tokens",
        judge=token,
    ),
    Rule(
        id="live-key",
        pattern=(
            EDGE
            + r"(live_(?:pub_)?[0-9a-f]{31,35}\b|test_(?:pub_)?[0-9a-f]{31}\b|test_(?:pub_)?[0-9a-f]{33,35}\b"
            r"|(?:live|test)_[0-9A-Za-z]{30}\b|(?:live|sandbox)_[0-9A-Za-z_-]{40})"
        ),
        keywords=("live_", "test_", "sandbox_"),
        hits=("live_{hex:35}", "test_{hex:35}", "live_{an:30}", "sandbox_{url:40}"),
        misses=(
            "test_{hex:32}",
            "live_{hex:8}",
            "latest_{hex:35}",
            "test_thatTheFunctionReturnsValues",
            "sandbox_that_is_left_when_the_last_test_was_done",
        ),
        source="Lob, Mollie and GoCardless documentation; 32 digits behind test_ are names of hashed files",
        judge=distinct,
    ),
    Rule(
        id="paddle-key",
        pattern=r"(pdl_(?:live|sdbx)_apikey_[0-9a-z]{16,}(?:_[0-9A-Za-z]{1,40}){0,2}|pdl_ntfset_[0-9a-z]{16,}(?:_[0-9A-Za-z+/]{1,64})?)",
        keywords=("pdl_",),
        hits=(
            "pdl_live_apikey_{low:26}_{an:22}_{an:3}",
            "pdl_sdbx_apikey_{low:26}_{an:22}_{an:3}",
            "pdl_ntfset_{low:26}_{an:32}",
        ),
        misses=("pdl_live_apikey_", "pdl_name"),
        source="Paddle documentation, API keys",
        judge=token,
    ),
    Rule(
        id="xendit-key",
        pattern=r"(xnd_(?:production|development)_[0-9A-Za-z]{20,})",
        keywords=("xnd_",),
        hits=("xnd_production_{an:48}", "xnd_development_{an:60}"),
        misses=("xnd_production_key", "xnd_development_{an:5}"),
        source="Xendit documentation, API keys",
        judge=token,
    ),
    Rule(
        id="midtrans-key",
        pattern=EDGE + r"((?:SB-)?Mid-server-[0-9A-Za-z_-]{20,})",
        keywords=("mid-server-",),
        hits=("SB-Mid-server-{an:24}", "Mid-server-{url:24}"),
        misses=("Mid-server-key", "Mid-server-side-rendering-of-pages"),
        source="Midtrans documentation, server keys",
        judge=unless_words(),
    ),
    Rule(
        id="mercadopago-token",
        pattern=EDGE + r"(APP_USR-\d{13,20}-[0-9a-f-]+|TEST-\d{13,20}-\d{6}-[0-9a-f-]{20,})",
        keywords=("app_usr-", "test-"),
        hits=(
            "APP_USR-{dig:16}-{dig:6}-{hex:32}-{dig:9}",
            "TEST-{dig:16}-{dig:6}-{hex:32}-{dig:9}",
        ),
        misses=("TEST-{dig:16}", "APP_USR-name"),
        source="Mercado Pago documentation, credentials",
        judge=token,
    ),
    Rule(
        id="pagarme-key",
        pattern=r"(ak_(?:live|test)_[0-9A-Za-z]{20,})",
        keywords=("ak_live_", "ak_test_"),
        hits=("ak_live_{an:30}", "ak_test_{an:30}"),
        misses=("ak_live_{an:6}", "ak_test_connection"),
        source="Pagar.me documentation; trufflehog",
        judge=token,
    ),
    Rule(
        id="ramp-secret",
        pattern=r"(ramp_sec_[0-9A-Za-z]{20,})",
        keywords=("ramp_sec_",),
        hits=("ramp_sec_{an:48}", "RAMP «ramp_sec_{an:48}»"),
        misses=("ramp_sec_{an:6}", "ramp_sec_onds"),
        source="Ramp documentation; trufflehog",
        judge=token,
    ),
)
