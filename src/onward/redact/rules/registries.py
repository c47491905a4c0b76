"""Tokens of package registries."""

from __future__ import annotations

from onward.redact import checks
from onward.redact.engine import Rule
from onward.redact.rules.shapes import sound, token, unless_words, weak_prefix, whole_run
from onward.redact.rules.shared import EDGE

RULES: tuple[Rule, ...] = (
    Rule(
        id="npm-token",
        pattern=r"(npm_[0-9A-Za-z]{20,})",
        keywords=("npm_",),
        hits=("npm_{an:36}", "//registry.test/:_authToken=«npm_{an:36}»"),
        misses=("npm_config_registry", "npm_lifecycle_event=build"),
        source="GitHub blog, npm token format, 2021",
        judge=sound(checks.github_or_npm),
    ),
    Rule(
        id="pypi-token",
        pattern=r"(pypi-Ag[0-9A-Za-z_-]{20,})",
        keywords=("pypi-ag",),
        hits=("pypi-AgEIcHlwaS5vcmc{url:120}", "pypi-AgENdGVzdC5weXBpLm9yZw{url:120}"),
        misses=("pypi-agent", "pypi-AgEI"),
        source="PyPI documentation (macaroons with a fixed head)",
        judge=token,
    ),
    Rule(
        id="rubygems-token",
        pattern=r"(rubygems_[0-9a-f]{20,})",
        keywords=("rubygems_",),
        hits=("rubygems_{hex:48}", "GEM_HOST_API_KEY «rubygems_{hex:48}»"),
        misses=("rubygems_version", "rubygems_{hex:12}"),
        source="RubyGems documentation, API keys",
        judge=token,
    ),
    Rule(
        id="crates-token",
        pattern=r"(cio[0-9A-Za-z]{32}\b)",
        keywords=("cio",),
        hits=("cio{an:32}", "cargo login «cio{an:32}»"),
        misses=("cio{an:12}", "cioptionalconfigurationofthetestcase"),
        source="crates.io, token format of 2021",
        judge=weak_prefix,
    ),
    Rule(
        id="nuget-key",
        pattern=r"(oy2[0-9a-z]{43}\b)",
        keywords=("oy2",),
        hits=("oy2{low:43}", "nuget push a.nupkg -k «oy2{low:43}»"),
        misses=("oy2{low:12}", "oy2{low:60}"),
        source="trufflehog (NuGet keys)",
        judge=weak_prefix,
    ),
    Rule(
        id="docker-token",
        pattern=r"(dckr_[po]at_[0-9A-Za-z_-]{20,})",
        keywords=("dckr_",),
        hits=("dckr_pat_{an:27}", "dckr_oat_{an:32}"),
        misses=("dckr_pat_", "dckr_pat_{an:5}"),
        source="Docker documentation, access tokens",
        judge=unless_words(),
    ),
    Rule(
        id="clojars-token",
        pattern=r"(CLOJARS_[0-9A-Za-z]{20,})",
        keywords=("clojars_",),
        hits=("CLOJARS_{low:60}", "CLOJARS_{hex:60}"),
        misses=("CLOJARS_USERNAME", "CLOJARS_{low:9}"),
        source="Clojars documentation, deploy tokens",
        judge=token,
    ),
    Rule(
        id="jsr-token",
        pattern=r"(jsr[pd]_[0-9A-Za-z]{20,})",
        keywords=("jsrp_", "jsrd_"),
        hits=("jsrp_{an:40}", "jsrd_{an:36}"),
        misses=("jsrp_{an:8}", "jsrd_token"),
        source="GitHub's published list of patterns",
        judge=token,
    ),
    Rule(
        id="jfrog-token",
        pattern=EDGE + r"(AKCp[0-9A-Za-z]{20,}|cmVmdGtu[0-9A-Za-z]{20,}|cmVmd[0-9A-Za-z]{50,})",
        keywords=("akcp", "cmvmd"),
        hits=("AKCp{an:69}", "cmVmdGtu{an:56}"),
        misses=("AKCp{an:10}", "cmVmdGtu"),
        source='JFrog documentation, API keys and reference tokens ("reftkn" in base64)',
        judge=whole_run,
    ),
    Rule(
        id="open-vsx-token",
        pattern=r"(ovsx(?:at|p)_[0-9a-f-]{16,})",
        keywords=("ovsxat_", "ovsxp_"),
        hits=(
            "ovsxp_{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}",
            "ovsxat_{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}",
        ),
        misses=("ovsxp_token", "ovsxat_{hex:8}"),
        source="Open VSX, announcement of the token prefix",
        judge=token,
    ),
)
