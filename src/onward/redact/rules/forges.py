"""Tokens of code hosts and of the editors' and trackers' suites around them."""

from __future__ import annotations

from onward.redact import checks
from onward.redact.engine import Rule
from onward.redact.rules.shapes import unless_words
from onward.redact.rules.shared import EDGE

RULES: tuple[Rule, ...] = (
    Rule(
        id="github-token",
        pattern=(
            r"(ghs_[0-9A-Za-z]{1,20}_eyJ[0-9A-Za-z_-]{10,}(?:\.[0-9A-Za-z_-]{10,}){0,2}"
            r"|gh[pousr]_[0-9A-Za-z_]{20,}|github_pat_[0-9A-Za-z_]{20,})"
        ),
        keywords=("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        hits=(
            "ghp_{an:36}",
            "ghs_{an:36}",
            "github_pat_{an:22}_{an:59}",
            "ghs_{dig:7}_eyJ{url:80}.eyJ{url:200}.{url:342}",
        ),
        misses=(
            "ghp_{an:8}",
            "github_pat_token",
            "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "github_pat_read_by_the_action_in_the_step",
        ),
        source="GitHub engineering blog, authentication token formats, 2021; changelog of the signed form",
        judge=unless_words(checks.github_or_npm),
    ),
    Rule(
        id="gitlab-token",
        pattern=(
            EDGE
            + r"(gl(?:pat|dt|rtr?|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-[0-9A-Za-z_=-]{20,}(?:\.[0-9a-z]{2}\.?[0-9a-z]{7,9})?"
            r"|GR1348941[0-9A-Za-z_-]{20,})"
        ),
        keywords=(
            "glpat-",
            "gldt-",
            "glrt",
            "glcbt-",
            "glptt-",
            "glft-",
            "glimt-",
            "glagent-",
            "gloas-",
            "glsoat-",
            "glffct-",
            "glwt-",
            "gr1348941",
        ),
        hits=(
            "glpat-{an:20}",
            "glpat-{url:27}.01.{low:9}",
            "glrt-t1_{an:20}",
            "glcbt-{an:2}_{an:20}",
            "gloas-{hex:64}",
            "GR1348941{an:20}",
        ),
        misses=("glpat-{an:6}", "glft-your-token-goes-here-now"),
        source="GitLab documentation, token overview, prefixes",
        judge=unless_words(),
    ),
    Rule(
        id="atlassian-token",
        pattern=r"(AT(?:ATT|CTT|STT)3[0-9A-Za-z+/_=-]{20,}|ATBB[0-9A-Za-z]{20,}|ATTA[0-9a-f]{20,}|ATOA[0-9A-Za-z_=-]{20,})",
        keywords=("atatt3", "atctt3", "atstt3", "atbb", "atta", "atoa"),
        hits=(
            "ATATT3{url:180}",
            "ATCTT3xFfG{url:160}={HEX:8}",
            "ATBB{an:24}{HEX:8}",
            "ATTA{hex:72}",
        ),
        misses=("ATBB{an:10}", "ATATT3", "ATBBAttributeTable"),
        source="Atlassian documentation, API tokens; Bitbucket app passwords; Trello tokens",
        judge=unless_words(),
    ),
    Rule(
        id="bitbucket-server-token",
        pattern=r"(BBDC-[0-9A-Za-z+/@_-]{20,})",
        keywords=("bbdc-",),
        hits=("BBDC-{b64:44}", "BBDC-{an:48}"),
        misses=("BBDC-{an:12}", "BBDC-1234"),
        source="Bitbucket Data Center documentation, HTTP access tokens; trufflehog",
        judge=unless_words(),
    ),
    Rule(
        id="sourcegraph-token",
        pattern=r"(sgp_[0-9A-Za-z_]{20,}|slk_[0-9a-f]{20,}|sgamp_[0-9A-Za-z_]{20,})",
        keywords=("sgp_", "slk_", "sgamp_"),
        hits=(
            "sgp_{hex:40}",
            "sgp_{hex:16}_{hex:40}",
            "sgp_local_{hex:40}",
            "slk_{hex:64}",
            "sgamp_user_{an:60}",
        ),
        misses=("sgp_{hex:16}", "slk_table_name"),
        source="Sourcegraph documentation, access tokens; trufflehog; Segment's public API uses the form as well",
        judge=unless_words(),
    ),
    Rule(
        id="jetbrains-token",
        pattern=r"(perm[:-][0-9A-Za-z+/=]{6,}\.[0-9A-Za-z+/=-]{4,}\.[0-9A-Za-z+/=_-]{2,})",
        keywords=("perm:", "perm-"),
        hits=("perm:{an:12}=.{an:8}.{an:30}", "perm-{an:16}=.{an:6}=.{an:40}"),
        misses=("perm:read.write.execute", "perm-a.b.c"),
        source="YouTrack documentation, permanent tokens",
        judge=unless_words(),
    ),
)
