"""Tokens of monitoring, analytics and feature-flag services."""

from __future__ import annotations

from onward.redact.engine import Rule
from onward.redact.rules.shapes import distinct, token, unless_words, weak_prefix
from onward.redact.rules.shared import EDGE

RULES: tuple[Rule, ...] = (
    Rule(
        id="grafana-token",
        pattern=EDGE
        + r"(glsa_[0-9A-Za-z]{20,}(?:_[0-9a-fA-F]{0,8})?|glc_[0-9A-Za-z+/]{20,}={0,3}|eyJrIjoi[0-9A-Za-z+/]{40,}={0,3})",
        keywords=("glsa_", "glc_", "eyjrijoi"),
        hits=("glsa_{an:32}_{hex:8}", "glc_eyJ{b64:120}", "eyJrIjoi{b64:70}"),
        misses=("glc_client", "glsa_{an:8}", "eyJrIjoi{an:9}"),
        source="Grafana documentation, service account, cloud and legacy API keys",
        judge=unless_words(),
    ),
    Rule(
        id="sentry-token",
        pattern=r"(sntrys_eyJ[0-9A-Za-z+/=_]{20,}|sntry[uai]_[0-9a-f]{20,})",
        keywords=("sntry",),
        hits=(
            "sntrys_eyJ{an:120}",
            "sntrys_eyJpYXQiO{b64:160}={b64:0}_{b64:43}",
            "sntryu_{hex:64}",
        ),
        misses=("sntrys_", "sntryu_name"),
        source="Sentry documentation, auth tokens",
        judge=token,
    ),
    Rule(
        id="posthog-key",
        pattern=r"(ph[xs]_[0-9A-Za-z_-]{20,})",
        keywords=("phx_", "phs_"),
        hits=("phx_{an:43}", "phs_{an:48}"),
        misses=("phx_{an:6}", "phx_cabinet_of_the_second_floor_on_the_left"),
        source="PostHog documentation, personal API keys",
        judge=unless_words(),
    ),
    Rule(
        id="newrelic-key",
        pattern=EDGE
        + r"(NRAK-[0-9A-Z]{20,}|NR(?:II|IQ)-[0-9A-Za-z_-]{20,}|NR(?:JS|BR)-[0-9a-f]{19}\b|[0-9a-f]{36}NRAL|(?:[0-9a-f]{32}|eu01xx[0-9a-f]{26})FFFFNRAL|(?:AA[0-9a-f]{40}|eu01xx[0-9a-f]{36})-NRMA)",
        keywords=("nrak-", "nrii-", "nriq-", "nrjs-", "nrbr-", "nral", "-nrma"),
        hits=("NRAK-{up:27}", "NRII-{url:32}", "NRJS-{hex:19}", "{hex:36}NRAL", "{hex:32}FFFFNRAL"),
        misses=("NRAK-{up:5}", "NRII-insert-key-of-the-first-account", "NRAL"),
        source="New Relic documentation, API keys",
        judge=unless_words(),
    ),
    Rule(
        id="dynatrace-token",
        pattern=r"(dt0[a-z]\d\d\.[0-9A-Za-z]{24}\.[0-9A-Za-z]{20,})",
        keywords=("dt0",),
        hits=("dt0c01.{b32:24}.{b32:64}", "dt0s16.{b32:24}.{b32:64}"),
        misses=("dt0c01.{b32:24}", "dt0c01.name.of"),
        source="Dynatrace documentation, token format",
        judge=token,
    ),
    Rule(
        id="statsig-key",
        pattern=r"(secret-(?:live-|test-)?[0-9A-Za-z_-]{36,}={0,2})",
        keywords=("secret-",),
        hits=("secret-{an:43}", "secret-live-{url:35}="),
        misses=("secret-{an:9}", "secret-of-the-service-that-runs-in-the-cluster"),
        source="Statsig documentation, server secret keys; Stytch documentation, project secrets",
        judge=distinct,
    ),
    Rule(
        id="honeycomb-key",
        pattern=r"(hc[a-z]{1,3}k_[0-9a-z]{20,})",
        keywords=("hca", "hcb", "hcx", "hcd"),
        hits=("hcaik_{low:58}", "hcxlk_{low:58}"),
        misses=("hcaik_{low:6}", "hcaik_name"),
        source="Honeycomb documentation, API keys",
        judge=token,
    ),
    Rule(
        id="logfire-token",
        pattern=r"(pylf_v\d_(?:[a-z]{2}_)?[0-9A-Za-z]{20,})",
        keywords=("pylf_v",),
        hits=("pylf_v1_us_{an:43}", "pylf_v2_eu_{an:43}"),
        misses=("pylf_v1_us_", "pylf_v1_{an:6}"),
        source="Logfire documentation, write tokens",
        judge=token,
    ),
    Rule(
        id="rootly-key",
        pattern=r"(rootly_[0-9a-f]{20,})",
        keywords=("rootly_",),
        hits=("rootly_{hex:64}", "ROOTLY «rootly_{hex:64}»"),
        misses=("rootly_{hex:6}", "rootly_incident"),
        source="Rootly documentation; trufflehog",
        judge=token,
    ),
    Rule(
        id="ubidots-token",
        pattern=r"(BBFF-[0-9A-Za-z]{30}\b)",
        keywords=("bbff-",),
        hits=("BBFF-{an:30}", "X-Auth-Token «BBFF-{an:30}»"),
        misses=("BBFF-{an:6}", "BBFF-"),
        source="trufflehog (Ubidots)",
        judge=token,
    ),
    Rule(
        id="adafruit-key",
        pattern=r"(aio_[0-9A-Za-z]{28}\b)",
        keywords=("aio_",),
        hits=("aio_{an:28}", "key: «aio_{an:28}»"),
        misses=("aio_{an:6}", "aio_read"),
        source="Adafruit IO documentation, keys",
        judge=weak_prefix,
    ),
)
