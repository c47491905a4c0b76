"""Keys of Microsoft's cloud, most of which carry a fixed mark inside."""

from __future__ import annotations

from onward.redact.engine import Rule
from onward.redact.rules.shapes import token, whole_run
from onward.redact.rules.shared import EDGE

RULES: tuple[Rule, ...] = (
    Rule(
        id="azure-secret",
        pattern=r"([0-9A-Za-z_.~-]{3}\dQ~[0-9A-Za-z_.~-]{19,33}[0-9A-Za-z_~-])",
        keywords=("q~",),
        hits=("abc8Q~{an:34}", "x.Z1Q~{an:31}", "~_-8Q~{url:34}"),
        misses=("abc8Q~{an:6}", "Q~ is a register"),
        source="Microsoft Entra documentation, client secrets (a digit and Q~ after three characters)",
        judge=token,
    ),
    Rule(
        id="azure-key",
        pattern=(
            r"([A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}|[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}"
            r"|[A-Za-z0-9+/]{42}(?:AzSe|\+ACR)[A-Za-z0-9+/]{6}|[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_=-]{8}"
            r"|[A-Za-z0-9+/]{76}(?:ACDb|APIM|\+(?:ASt|ABa|AMC))[A-Za-z0-9+/]{6}=="
            r"|[A-Za-z0-9+/]{33}(?:AIoT|AzCa|\+(?:ASb|AEh|ARm))[A-Za-z0-9+/]{6}=)"
        ),
        keywords=(
            "jqqj99",
            "azdo",
            "azse",
            "+acr",
            "azfu",
            "acdb",
            "apim",
            "+ast",
            "+aba",
            "+amc",
            "aiot",
            "azca",
            "+asb",
            "+aeh",
            "+arm",
        ),
        hits=(
            "{an:52}JQQJ99{an:1}A{an:24}",
            "{an:76}AZDO{an:4}",
            "{an:42}AzSeA{an:5}",
            "{b64:42}+ACRA{b64:5}",
            "{url:44}AzFu{url:6}==",
            "{b64:76}ACDb{b64:6}==",
            "{b64:76}+ASt{b64:6}==",
            "{b64:33}AIoTA{b64:5}=",
            "{b64:33}+AEhA{b64:5}=",
        ),
        misses=("AZDO_ORG_URL", "{an:10}JQQJ99{an:5}", "{b64:86}=="),
        source="Microsoft security utilities, common annotated and identifiable keys",
        judge=whole_run,
    ),
    Rule(
        id="azure-sas",
        pattern=r"[?&;]sig=([A-Za-z0-9%+/]{40,90}(?:%3[Dd]|=)?)",
        keywords=("sig=",),
        hits=("?sv=2022-11-02&sig=«{an:43}%3D»", "&sig=«{an:43}=»"),
        misses=("?sig=abc", "&sig=${SIG}"),
        source="Microsoft documentation, shared access signatures",
        judge=token,
    ),
    Rule(
        id="azure-refresh-token",
        pattern=EDGE
        + r"([01]\.A[0-9A-Za-z_-]{50,}(?:\.\d)?\.Ag[0-9A-Za-z_-]{60,}(?:\.A[0-9A-Za-z_-]{60,})?)",
        keywords=(".ag",),
        hits=("0.A{url:60}.Ag{url:300}", "1.A{url:80}.1.Ag{url:300}.A{url:220}"),
        misses=("0.Average.Aggregate", "1.A{url:20}.Ag{url:20}"),
        source="trufflehog (Microsoft Entra refresh tokens)",
        judge=token,
    ),
)
