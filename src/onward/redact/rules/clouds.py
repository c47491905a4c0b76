"""Tokens of clouds, hosts and databases as a service."""

from __future__ import annotations

from onward.redact.engine import Rule
from onward.redact.rules.shared import EDGE, not_filler

RULES: tuple[Rule, ...] = (
    Rule(
        id="aws-key-id",
        pattern=EDGE + r"((?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b)",
        keywords=("akia", "asia", "abia", "acca"),
        hits=("AKIA{b32:16}", "ASIA{b32:16}"),
        misses=("AKIA{b32:8}", "ASIAPACIFIC", "AKIAXXXXXXXXXXXXXXXX"),
        source="AWS IAM documentation, unique id prefixes",
        judge=not_filler,
    ),
    Rule(
        id="aws-session-token",
        pattern=EDGE + r"((?:IQoJb3JpZ2lu|FwoGZXIvYXdz)[A-Za-z0-9+/%=_-]{40,})",
        keywords=("iqojb3jpz2lu", "fwogzxivyxdz"),
        hits=("IQoJb3JpZ2lu{b64:300}", "FwoGZXIvYXdz{b64:300}"),
        misses=("IQoJb3JpZ2lu", "IQoJb3JpZ2lu{b64:10}"),
        source="AWS STS: fixed leading bytes of the token",
        judge=not_filler,
    ),
    Rule(
        id="google-api-key",
        pattern=EDGE + r"(AIza[0-9A-Za-z_-]{30,})",
        keywords=("aiza",),
        hits=("AIza{url:35}", "key=«AIza{an:35}»"),
        misses=("AIza{an:5}", "AIzaXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX"),
        source="Google Cloud documentation, API keys",
        judge=not_filler,
    ),
    Rule(
        id="google-oauth",
        pattern=EDGE + r"(ya29\.[0-9A-Za-z_-]{30,}|GOCSPX-[0-9A-Za-z_-]{20,})",
        keywords=("ya29.", "gocspx-"),
        hits=("ya29.{url:100}", "GOCSPX-{an:28}"),
        misses=("ya29.short", "GOCSPX-your-secret"),
        source="Google OAuth documentation",
        judge=not_filler,
    ),
    Rule(
        id="azure-secret",
        pattern=EDGE + r"([0-9A-Za-z_.~-]{3}\dQ~[0-9A-Za-z_.~-]{31,34})",
        keywords=("q~",),
        hits=("abc8Q~{an:34}", "x.Z1Q~{an:31}"),
        misses=("abc8Q~{an:6}", "Q~ is a register"),
        source="Microsoft Entra client secrets (a digit and Q~ after three characters)",
        judge=not_filler,
    ),
    Rule(
        id="azure-key",
        pattern=EDGE
        + r"([A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}\b|[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}\b"
        r"|[A-Za-z0-9]{42}AzSe[A-D][A-Za-z0-9]{5}\b|[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_=-]{8})",
        keywords=("jqqj99", "azdo", "azse", "azfu"),
        hits=("{an:52}JQQJ99{an:1}A{an:24}", "{an:76}AZDO{an:4}", "{an:42}AzSeA{an:5}"),
        misses=("AZDO_ORG_URL", "{an:10}JQQJ99{an:5}"),
        source="Microsoft, common annotated security keys",
    ),
    Rule(
        id="azure-sas",
        pattern=r"[?&;]sig=([A-Za-z0-9%+/]{40,90}(?:%3[Dd]|=)?)",
        keywords=("sig=",),
        hits=("?sv=2022-11-02&sig=«{an:43}%3D»", "&sig=«{an:43}=»"),
        misses=("?sig=abc", "&sig=${SIG}"),
        source="Microsoft documentation, shared access signatures",
        judge=not_filler,
    ),
    Rule(
        id="digitalocean-token",
        pattern=EDGE + r"(do[opr]_v1_[0-9a-f]{32,})",
        keywords=("_v1_",),
        hits=("dop_v1_{hex:64}", "dor_v1_{hex:64}"),
        misses=("dop_v1_{hex:8}", "dop_v1_token"),
        source="DigitalOcean documentation",
        judge=not_filler,
    ),
    Rule(
        id="cloudflare-token",
        pattern=EDGE
        + r"(cf(?:ut|at|k)_[0-9A-Za-z]{40}[0-9a-f]{8}\b|v1\.0-[0-9a-f]{24}-[0-9a-f]{146}\b)",
        keywords=("cfut_", "cfat_", "cfk_", "v1.0-"),
        hits=("cfut_{an:40}{hex:8}", "v1.0-{hex:24}-{hex:146}"),
        misses=("cfk_{an:10}", "v1.0-beta"),
        source="Cloudflare documentation, token formats",
        judge=not_filler,
    ),
    Rule(
        id="databricks-token",
        pattern=EDGE + r"(dapi[0-9a-f]{32}(?:-\d)?\b)",
        keywords=("dapi",),
        hits=("dapi{hex:32}", "dapi{hex:32}-2"),
        misses=("dapi{hex:8}", "dapi_client"),
        source="Databricks documentation",
        judge=not_filler,
    ),
    Rule(
        id="vault-token",
        pattern=EDGE + r"(hv[sbr]\.[0-9A-Za-z_-]{24,})",
        keywords=("hvs.", "hvb.", "hvr."),
        hits=("hvs.{url:95}", "hvb.{an:120}"),
        misses=("hvs.read", "hvs.your-token-here"),
        source="HashiCorp Vault documentation",
        judge=not_filler,
    ),
    Rule(
        id="terraform-token",
        pattern=EDGE + r"([0-9A-Za-z]{14}\.atlasv1\.[0-9A-Za-z_=-]{40,})",
        keywords=(".atlasv1.",),
        hits=("{an:14}.atlasv1.{url:67}", "{an:14}.atlasv1.{an:60}"),
        misses=("x.atlasv1.y", "{an:14}.atlasv1.{an:5}"),
        source="HashiCorp documentation",
        judge=not_filler,
    ),
    Rule(
        id="supabase-key",
        pattern=EDGE + r"(sb_secret_[0-9A-Za-z_-]{20,}|sbp_[0-9a-f]{40}\b)",
        keywords=("sb_secret_", "sbp_"),
        hits=("sb_secret_{an:22}_{an:8}", "sbp_{hex:40}"),
        misses=("sb_secret_name", "sbp_{hex:9}"),
        source="Supabase documentation, API keys",
        judge=not_filler,
    ),
)
