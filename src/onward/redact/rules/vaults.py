"""Tokens of services that keep secrets or let people in."""

from __future__ import annotations

from onward.redact.engine import Rule
from onward.redact.rules.shapes import token, unless_words

RULES: tuple[Rule, ...] = (
    Rule(
        id="vault-token",
        pattern=r"(hv[sbr]\.[0-9A-Za-z_-]{20,})",
        keywords=("hvs.", "hvb.", "hvr."),
        hits=("hvs.{url:95}", "hvb.{an:120}"),
        misses=("hvs.read", "hvs.your-token-here", "hvs.is_the_prefix_of_service_tokens"),
        source="HashiCorp Vault documentation, tokens",
        judge=unless_words(),
    ),
    Rule(
        id="doppler-token",
        pattern=r"(dp\.(?:pt|ct|sa|said|scim|audit|st(?:\.[0-9a-z_-]{2,35})?)\.[0-9A-Za-z]{20,})",
        keywords=("dp.pt.", "dp.ct.", "dp.sa", "dp.st.", "dp.scim.", "dp.audit."),
        hits=("dp.pt.{an:43}", "dp.st.dev.{an:43}", "dp.st.prd_backend.{an:40}", "dp.scim.{an:44}"),
        misses=("dp.pt.{an:6}", "dp.st.name"),
        source="Doppler documentation, API reference, tokens",
        judge=token,
    ),
    Rule(
        id="onepassword-token",
        pattern=r"(ops_eyJ[0-9A-Za-z+/_-]{20,}={0,3})",
        keywords=("ops_eyj",),
        hits=("ops_eyJ{b64:600}", "ops_eyJ{b64:250}=="),
        misses=("ops_eyJ{an:9}", "ops_eyJson"),
        source="1Password documentation, service accounts",
        judge=token,
    ),
    Rule(
        id="onepassword-secret-key",
        pattern=r"(A3-[0-9A-Z]{6}-(?:[0-9A-Z]{11}|[0-9A-Z]{6}-[0-9A-Z]{5})(?:-[0-9A-Z]{5}){3}\b)",
        keywords=("a3-",),
        hits=(
            "A3-{up:6}-{up:6}-{up:5}-{up:5}-{up:5}-{up:5}",
            "A3-{up:6}-{up:11}-{up:5}-{up:5}-{up:5}",
        ),
        misses=("A3-{up:6}", "A3-XXXXXX-XXXXXX-XXXXX-XXXXX-XXXXX-XXXXX"),
        source="1Password documentation, Secret Key",
        judge=token,
    ),
    Rule(
        id="okta-token",
        pattern=r"SSWS\s{1,3}(00[0-9A-Za-z_-]{20,})",
        keywords=("ssws",),
        hits=("Authorization: SSWS «00{url:40}»", '"SSWS «00{an:40}»"'),
        misses=("SSWS 00", "SSWS ${TOKEN}"),
        source="Okta documentation, API tokens",
        judge=token,
    ),
    Rule(
        id="ory-token",
        pattern=r"(ory_(?:at|rt|ac|pat|st|wak|apikey)_[0-9A-Za-z_.-]{19,}[0-9A-Za-z_-])",
        keywords=("ory_",),
        hits=("ory_at_{url:43}.{url:43}", "ory_pat_{an:32}"),
        misses=("ory_at_{an:6}", "ory_st_of_the_session_of_the_user"),
        source="Ory documentation, token formats",
        judge=unless_words(),
    ),
)
