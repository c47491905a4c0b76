"""Tokens of code hosts, package registries and build services."""

from __future__ import annotations

from onward.redact.engine import Rule
from onward.redact.rules.shared import EDGE, not_filler

# Lengths are lower bounds where the prefix alone is telling: output is often cut in mid-token.
RULES: tuple[Rule, ...] = (
    Rule(
        id="github-token",
        pattern=EDGE + r"(gh[pousr]_[0-9A-Za-z_.-]{20,}|github_pat_[0-9A-Za-z_]{22,})",
        keywords=("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        hits=("ghp_{an:36}", "ghs_{an:36}", "github_pat_{an:22}_{an:59}"),
        misses=("ghp_{an:8}", "github_pat_token", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
        source="GitHub engineering blog, authentication token formats, 2021",
        judge=not_filler,
    ),
    Rule(
        id="gitlab-token",
        pattern=EDGE
        + r"(gl(?:pat|dt|rtr?|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-[0-9A-Za-z_-]{20,}(?:\.[0-9a-z]{2}\.?[0-9a-z]{7,9})?"
        r"|GR1348941[0-9A-Za-z_-]{20,})",
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
        hits=("glpat-{an:20}", "glrt-{an:20}", "GR1348941{an:20}"),
        misses=("glpat-{an:6}", "glft-your-token-goes-here-now"),
        source="GitLab documentation, token prefixes",
        judge=not_filler,
    ),
    Rule(
        id="atlassian-token",
        pattern=EDGE + r"(AT(?:ATT|CTT)3[0-9A-Za-z_=-]{60,}|ATBB[0-9A-Za-z]{24}[0-9A-F]{8}\b)",
        keywords=("atatt3", "atctt3", "atbb"),
        hits=("ATATT3{url:180}", "ATBB{an:24}{HEX:8}"),
        misses=("ATBB{an:10}", "ATATT3"),
        source="Atlassian documentation; GitHub's published list of patterns",
        judge=not_filler,
    ),
    Rule(
        id="npm-token",
        pattern=EDGE + r"(npm_[0-9A-Za-z]{30,})",
        keywords=("npm_",),
        hits=("npm_{an:36}", "//registry.test/:_authToken=«npm_{an:36}»"),
        misses=("npm_config_registry", "npm_lifecycle_event=build"),
        source="GitHub blog, npm token format, 2021",
        judge=not_filler,
    ),
    Rule(
        id="pypi-token",
        pattern=EDGE + r"(pypi-Ag[0-9A-Za-z_-]{30,})",
        keywords=("pypi-ag",),
        hits=("pypi-AgEIcHlwaS5vcmc{url:120}", "pypi-AgENdGVzdC5weXBpLm9yZw{url:120}"),
        misses=("pypi-agent", "pypi-AgEI"),
        source="PyPI documentation (macaroons with a fixed head)",
        judge=not_filler,
    ),
    Rule(
        id="rubygems-token",
        pattern=EDGE + r"(rubygems_[0-9a-f]{48}\b)",
        keywords=("rubygems_",),
        hits=("rubygems_{hex:48}", "GEM_HOST_API_KEY «rubygems_{hex:48}»"),
        misses=("rubygems_version", "rubygems_{hex:12}"),
        source="RubyGems documentation",
        judge=not_filler,
    ),
    Rule(
        id="docker-token",
        pattern=EDGE + r"(dckr_[po]at_[0-9A-Za-z_-]{20,})",
        keywords=("dckr_",),
        hits=("dckr_pat_{an:27}", "dckr_oat_{an:32}"),
        misses=("dckr_pat_", "dckr_pat_{an:5}"),
        source="Docker documentation, access tokens",
        judge=not_filler,
    ),
    Rule(
        id="circleci-token",
        pattern=EDGE + r"(CCIP(?:AT|RJ)_[0-9A-Za-z]{22}_[0-9a-f]{40}\b)",
        keywords=("ccip",),
        hits=("CCIPAT_{an:22}_{hex:40}", "CCIPRJ_{an:22}_{hex:40}"),
        misses=("CCIPAT_{an:22}", "CCIPAT_NAME"),
        source="CircleCI documentation",
        judge=not_filler,
    ),
    Rule(
        id="sonar-token",
        pattern=EDGE + r"(sq[pua]_[0-9a-f]{40}\b)",
        keywords=("sqp_", "squ_", "sqa_"),
        hits=("sqp_{hex:40}", "squ_{hex:40}"),
        misses=("sqa_{hex:12}", "sqp_table_name"),
        source="SonarQube documentation",
        judge=not_filler,
    ),
)
