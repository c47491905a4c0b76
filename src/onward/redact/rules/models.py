"""Keys of model providers."""

from __future__ import annotations

from onward.redact.engine import Rule
from onward.redact.rules.shared import EDGE, not_filler

RULES: tuple[Rule, ...] = (
    Rule(
        id="anthropic-key",
        pattern=EDGE + r"(sk-ant-[a-z]{2,10}\d\d-[0-9A-Za-z_-]{20,})",
        keywords=("sk-ant-",),
        hits=("sk-ant-api03-{url:93}AA", "sk-ant-oat01-{an:95}"),
        misses=("sk-ant-...", "sk-ant-api03-your-key-goes-here-please"),
        source="provider's documentation; secretlint",
        judge=not_filler,
    ),
    Rule(
        id="openai-key",
        pattern=EDGE + r"(sk-(?:(?:proj|svcacct|admin|None)-[0-9A-Za-z_-]{20,}"
        r"|[0-9A-Za-z]{20}T3BlbkFJ[0-9A-Za-z]{20}|[0-9a-f]{32,}|[0-9A-Za-z]{40,}))",
        keywords=("sk-",),
        hits=(
            "sk-proj-{url:74}T3BlbkFJ{url:74}",
            "sk-{an:20}T3BlbkFJ{an:20}",
            "sk-svcacct-{an:120}",
            "sk-{hex:32}",
        ),
        misses=("sk-proj-x", "task-sk-list-view", "sk-circle-fade-dot"),
        source="provider's documentation; the same form is used by compatible services",
        judge=not_filler,
    ),
    Rule(
        id="openrouter-key",
        pattern=EDGE + r"(sk-or-v1-[0-9a-f]{32,})",
        keywords=("sk-or-v1-",),
        hits=("sk-or-v1-{hex:64}", "KEY='«sk-or-v1-{hex:64}»'"),
        misses=("sk-or-v1-", "sk-or-v1-{hex:6}"),
        source="provider's documentation",
        judge=not_filler,
    ),
    Rule(
        id="huggingface-token",
        pattern=EDGE + r"((?:hf|api_org)_[0-9A-Za-z]{30,})",
        keywords=("hf_", "api_org_"),
        hits=("hf_{abc:34}", "api_org_{abc:34}"),
        misses=("hf_hub_download", "hf_{an:6}"),
        source="provider's documentation; gitleaks",
        judge=not_filler,
    ),
    Rule(
        id="groq-key",
        pattern=EDGE + r"(gsk_[0-9A-Za-z]{40,})",
        keywords=("gsk_",),
        hits=("gsk_{an:52}", "groq «gsk_{an:52}»"),
        misses=("gsk_{an:8}", "gsk_renderer"),
        source="provider's documentation; secretlint",
        judge=not_filler,
    ),
    Rule(
        id="xai-key",
        pattern=EDGE + r"(xai-[0-9A-Za-z_]{60,})",
        keywords=("xai-",),
        hits=("xai-{an:80}", "-H '«xai-{an:80}»'"),
        misses=("xai-sdk-python", "xai-{an:9}"),
        source="trufflehog",
        judge=not_filler,
    ),
    Rule(
        id="replicate-token",
        pattern=EDGE + r"(r8_[0-9A-Za-z_-]{37})",
        keywords=("r8_",),
        hits=("r8_{an:37}", "token «r8_{an:37}»"),
        misses=("r8_unorm", "r8_{an:12}"),
        source="trufflehog",
        judge=not_filler,
    ),
    Rule(
        id="perplexity-key",
        pattern=EDGE + r"(pplx-[0-9A-Za-z]{40,})",
        keywords=("pplx-",),
        hits=("pplx-{an:48}", "use «pplx-{an:48}» now"),
        misses=("pplx-api", "pplx-{an:7}"),
        source="gitleaks",
        judge=not_filler,
    ),
    Rule(
        id="nvidia-key",
        pattern=EDGE + r"(nvapi-[0-9A-Za-z_-]{40,})",
        keywords=("nvapi-",),
        hits=("nvapi-{an:64}", "nvapi-{url:64}"),
        misses=("nvapi-sdk", "nvapi-{an:9}"),
        source="trufflehog",
        judge=not_filler,
    ),
)
