"""Formats that need no surroundings: keys whose form a standard fixes, tokens of the vendors."""

from __future__ import annotations

from onward.redaction.engine import Judge, Rule
from onward.redaction.rules.shared import EDGE, entries, in_json, lazy, not_filler, of_value
from onward.redaction.rules.validators import (
    bech32,
    begins,
    cloudflare,
    distinct,
    encodes_a_token,
    github_or_npm,
    is_placeholder,
    jose_header,
    nkey,
    private_key,
    sound,
    standing_alone,
    token,
    unless_words,
    weak_prefix,
    whole_run,
)

# Between two lines of a block: a line end, escaped or not, the quotes of joined strings, the
# margins of diffs and comments, line numbers, the places that grep puts before a line; or the
# space of a block that was put on one line.
_MARGIN = r"(?:\\+(?:[nrt]|u[0-9a-f]{4})|\xe2\x86\x92|[\s\"'+|>\\#/*:0-9-]){0,40}"
_PLACE = r"(?:[0-9A-Za-z_.~/-]{1,120}[:-]\d{1,6}[:-])"
_GAP = (
    r"(?:[\"' \t+\\]{0,6}(?:\r?\n|\\{1,8}[nrt])"
    rf"{_MARGIN}(?:{_PLACE}{_MARGIN}){{0,2}}| )"
)
_LINE = r"(?:[A-Za-z-]{3,20}: [^\n\\\"]{1,200}|[0-9A-Za-z+/=]{16,})"
_JWE_PARTS = 5
_END = r"-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----"


def _is_jose(value: str, before: str, after: str) -> bool:
    """Two parts that begin as JSON does, the five parts of a JWE, or a header that decodes."""
    del after
    if is_placeholder(value) or not begins(before):
        return False
    parts = value.split(".")
    by_shape = value.startswith("eyJ") and (parts[1].startswith("eyJ") or len(parts) == _JWE_PARTS)
    return by_shape or jose_header(value)


KEYS: tuple[Rule, ...] = (
    Rule(
        id="private-key",
        pattern=(
            r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----"
            rf"(?:{_GAP})?{_LINE}(?:{_GAP}{_LINE})*"
            rf"(?:(?:{_GAP}[0-9A-Za-z+/=]{{1,15}}){{0,2}}{_GAP}{_END})?"
        ),
        keywords=("private key",),
        source="RFC 7468; RFC 4880; a block cut off before its END still counts",
    ),
    Rule(
        id="private-key-lines",
        # Behind the stamps of a log or the names of files, which each line has.
        pattern=in_json(
            r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----[ \t]{0,4}"
            r"(?:\r?\n[^\n]{1,80}?[ \t:|>]{1,4}[0-9A-Za-z+/=]{32,76}[ \t]{0,4})+"
            r"(?:(?:\r?\n[^\n]{1,80}?[ \t:|>]{1,4}[0-9A-Za-z+/=]{2,76}[ \t]{0,4})?"
            rf"\r?\n[^\n]{{1,80}}?[ \t:|>]{{1,4}}{_END})?"
        ),
        keywords=("private key",),
        source="RFC 7468, as grep -r, docker logs and log files print it",
    ),
    Rule(
        id="private-key-end",
        pattern=(
            r"((?:[0-9A-Za-z+/=]{16,80}[\"' \t+]{0,6}(?:\r?\n|\\{1,8}n)[\"' \t+>]{0,40})+"
            r"(?:[0-9A-Za-z+/=]{1,80}[\"' \t+]{0,6}(?:\r?\n|\\{1,8}n)[\"' \t+>]{0,40})?)-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY"
        ),
        keywords=("private key",),
        source="RFC 7468, a block whose begin was cut off",
    ),
    Rule(
        id="private-key-end-lines",
        pattern=in_json(
            r"(?:\\{1,7}(?:u[0-9a-f]{4}|[abfnrt]))?((?:[^\n\\ \"]{1,80}?[ \t:|>-]{1,4}[0-9A-Za-z+/=]{32,76}[ \t]{0,4}\n)+"
            rf"(?:[^\n\\ \"]{{1,80}}?[ \t:|>-]{{1,4}}[0-9A-Za-z+/=]{{2,76}}[ \t]{{0,4}}\n)?[^\n\\ \"]{{1,80}}?[ \t:|>-]{{1,4}}){_END}"
        ),
        keywords=("private key",),
        source="RFC 7468, a block whose begin was cut off, as grep prints it",
    ),
    Rule(
        id="minisign-key",
        pattern=r"(RWRTY0Iy[0-9A-Za-z+/]{100,}={0,2})",
        keywords=("rwrty0iy",),
        source="minisign manual, secret key format",
    ),
    Rule(
        id="putty-key",
        # The whole file: its private lines differ in nothing from its public ones.
        pattern=(
            rf"PuTTY-User-Key-File-\d: [0-9a-z-]{{3,40}}(?:{_GAP}(?:{_LINE}|[0-9A-Za-z+/=]{{2,15}}))*"
        ),
        keywords=("putty-user-key-file",),
        source="PuTTY documentation, format of private key files",
    ),
    Rule(
        id="encoded-private-key",
        pattern=r"(LS0tLS1CRUdJTi[0-9A-Za-z+/]{40,}={0,2})",
        keywords=("ls0tls1crudjti",),
        source="RFC 7468 in base64, as in kubeconfig files and in secrets of Kubernetes",
        judge=lambda value, before, _after: begins(before) and private_key(value),
    ),
    Rule(
        id="encoded-token",
        pattern=EDGE
        + r"((?:Z2h[1-9a-z]X|Z2l0aHViX3BhdF|Z2xwYXQt|eG94[Yc]|QUtJQ|QUl6Y|c2stYW50L|c2stcHJvai"
        r"|c2tfbGl2ZV|cmtfbGl2ZV|bnBtX|aGZf|ZGNrcl9wYXRf|cHlwaS1BZ)[0-9A-Za-z+/]{20,}={0,2})",
        keywords=entries(
            "z2h ¦ z2l0ahvix3bhdf ¦ z2xwyxqt ¦ eg94 ¦ qutjq ¦ qul6y ¦ c2sty ¦ c2tfbgl2zv ¦ "
            "cmtfbgl2zv ¦ bnbtx ¦ agzf ¦ zgnrcl9wyxrf ¦ chlwas1bz"
        ),
        source="GitHub documentation, supported secret scanning patterns: tokens in base64",
        judge=of_value(encodes_a_token),
    ),
    Rule(
        id="jwt",
        pattern=EDGE
        + r"((?:eyJ|ewo|ew0)[0-9A-Za-z_-]{10,}\.{1,2}[0-9A-Za-z_-]+(?:\.[0-9A-Za-z_-]+){0,3})",
        keywords=("eyj", "ewo", "ew0"),
        source="RFC 7519 (JWS), RFC 7516 (JWE)",
        judge=_is_jose,
    ),
    Rule(
        id="encoded-jwt",
        pattern=r"(ZXlK[0-9A-Za-z+/]{60,}={0,2})",
        keywords=("zxlk",),
        source="RFC 7519 in base64",
        judge=whole_run,
    ),
    Rule(
        id="age-key",
        pattern=r"(AGE-SECRET-KEY-1[0-9A-Z]{20,})",
        keywords=("age-secret-key-1",),
        source="age specification (Bech32, 58 characters)",
        judge=sound(bech32),
    ),
    Rule(
        id="wallet-key",
        pattern=EDGE + r"(nsec1[02-9ac-hj-np-z]{58}\b|[xyzt]prv[1-9A-HJ-NP-Za-km-z]{90,})",
        keywords=("nsec1", "prv"),
        source="NIP-19; BIP 32",
        judge=not_filler,
    ),
    Rule(
        id="password-hash",
        pattern=(
            r"(\$2[abxy]\$\d\d\$[./0-9A-Za-z]{53}"
            r"|\$argon2(?:id|i|d)\$v=\d+\$[^$\s]{5,60}\$[0-9A-Za-z+/]{11,64}\$[0-9A-Za-z+/]{16,128}"
            r"|\$(?:1|apr1)\$[./0-9A-Za-z]{1,8}\$[./0-9A-Za-z]{22}"
            r"|\$[56]\$(?:rounds=\d+\$)?[./0-9A-Za-z]{1,16}\$[./0-9A-Za-z]{22,86})"
        ),
        keywords=("$2", "$argon2", "$1$", "$5$", "$6$", "$apr1$"),
        source="crypt(5); PHC string format",
    ),
)


_BAR = lazy(r"\||%7[Cc]")
_DIGEST = lazy(r"(?i)\b(?:sha\d{1,3}|md5|blake2b)[=:-]$")


def _beside_no_hash(value: str, before: str, after: str) -> bool:
    """Chance makes the prefix in the digests of lists of files (`sha256=…`)."""
    return distinct(value, before, after) and not _DIGEST.search(before)


def _app_secret(value: str, before: str, after: str) -> bool:
    """The part after the bar; columns of a table stand there as well."""
    return distinct(_BAR.split(value)[1], before, after)


def _nkey(value: str, before: str, after: str) -> bool:
    """A NATS seed by its checksum, or by its looks."""
    return nkey(value) or distinct(value, before, after)


_VALIDATORS: dict[str, Judge] = {
    "token": token,
    "distinct": distinct,
    "weak_prefix": weak_prefix,
    "whole_run": whole_run,
    "standing_alone": standing_alone,
    "unless_words": unless_words(),
    "unless_words:github_or_npm": unless_words(github_or_npm),
    "sound:github_or_npm": sound(github_or_npm),
    "sound:cloudflare": sound(cloudflare),
    "distinct:nkey": _nkey,
    "beside_no_hash": _beside_no_hash,
    "app_secret": _app_secret,
    "not_filler": not_filler,
}

# One format a line: its id, its validator, the words that call for it, the pattern, the source.
# `⟨edge⟩` stands for `shared.EDGE`.
_TABLE = r"""
# forges
github-token	unless_words:github_or_npm	ghp_ ¦ gho_ ¦ ghu_ ¦ ghs_ ¦ ghr_ ¦ github_pat_	(ghs_[0-9A-Za-z]{1,20}_eyJ[0-9A-Za-z_-]{10,}(?:\.[0-9A-Za-z_-]{10,}){0,2}|gh[pousr]_[0-9A-Za-z_]{20,}|github_pat_[0-9A-Za-z_]{20,})	GitHub engineering blog, authentication token formats, 2021; changelog of the signed form
gitlab-token	unless_words	glpat- ¦ gldt- ¦ glrt ¦ glcbt- ¦ glptt- ¦ glft- ¦ glimt- ¦ glagent- ¦ gloas- ¦ glsoat- ¦ glffct- ¦ glwt- ¦ gr1348941	⟨edge⟩(gl(?:pat|dt|rtr?|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-[0-9A-Za-z_=-]{20,}(?:\.[0-9a-z]{2}\.?[0-9a-z]{7,9})?|GR1348941[0-9A-Za-z_-]{20,})	GitLab documentation, token overview, prefixes
atlassian-token	unless_words	atatt3 ¦ atctt3 ¦ atstt3 ¦ atbb ¦ atta ¦ atoa	(AT(?:ATT|CTT|STT)3[0-9A-Za-z+/_=-]{20,}|ATBB[0-9A-Za-z]{20,}|ATTA[0-9a-f]{20,}|ATOA[0-9A-Za-z_=-]{20,})	Atlassian documentation, API tokens; Bitbucket app passwords; Trello tokens
bitbucket-server-token	unless_words	bbdc-	(BBDC-[0-9A-Za-z+/@_-]{20,})	Bitbucket Data Center documentation, HTTP access tokens; trufflehog
sourcegraph-token	unless_words	sgp_ ¦ slk_ ¦ sgamp_	(sgp_[0-9A-Za-z_]{20,}|slk_[0-9a-f]{20,}|sgamp_[0-9A-Za-z_]{20,})	Sourcegraph documentation, access tokens; trufflehog; Segment's public API uses the form as well
jetbrains-token	unless_words	perm: ¦ perm-	(perm[:-][0-9A-Za-z+/=]{6,}\.[0-9A-Za-z+/=-]{4,}\.[0-9A-Za-z+/=_-]{2,})	YouTrack documentation, permanent tokens
# registries
npm-token	sound:github_or_npm	npm_	(npm_[0-9A-Za-z]{20,})	GitHub blog, npm token format, 2021
pypi-token	token	pypi-ag	(pypi-Ag[0-9A-Za-z_-]{20,})	PyPI documentation (macaroons with a fixed head)
rubygems-token	token	rubygems_	(rubygems_[0-9a-f]{20,})	RubyGems documentation, API keys
crates-token	weak_prefix	cio	(cio[0-9A-Za-z]{32}\b)	crates.io, token format of 2021
nuget-key	weak_prefix	oy2	(oy2[0-9a-z]{43}\b)	trufflehog (NuGet keys)
docker-token	unless_words	dckr_	(dckr_[po]at_[0-9A-Za-z_-]{20,})	Docker documentation, access tokens
clojars-token	token	clojars_	(CLOJARS_[0-9A-Za-z]{20,})	Clojars documentation, deploy tokens
jsr-token	token	jsrp_ ¦ jsrd_	(jsr[pd]_[0-9A-Za-z]{20,})	GitHub's published list of patterns
jfrog-token	whole_run	akcp ¦ cmvmd	⟨edge⟩(AKCp[0-9A-Za-z]{20,}|cmVmdGtu[0-9A-Za-z]{20,}|cmVmd[0-9A-Za-z]{50,})	JFrog documentation, API keys and reference tokens ("reftkn" in base64)
open-vsx-token	token	ovsxat_ ¦ ovsxp_	(ovsx(?:at|p)_[0-9a-f-]{16,})	Open VSX, announcement of the token prefix
# builds
circleci-token	unless_words	ccip	(CCIP(?:AT|RJ)_[0-9A-Za-z_]{20,})	CircleCI documentation, API tokens
buildkite-token	token	bkua_ ¦ bkat_ ¦ bkct_ ¦ bkaj_ ¦ bkpt_ ¦ bkrt_	(bk(?:ua|at|ct|aj|pt|rt)_[0-9A-Za-z]{20,})	Buildkite documentation, token security
sonar-token	token	sqp_ ¦ squ_ ¦ sqa_ ¦ sqco_	(sq[pua]_[0-9a-f]{20,}|sqco_[0-9A-Za-z]{20,})	SonarQube documentation, tokens; trufflehog (SonarQube Cloud)
snyk-token	unless_words	snyk_	(snyk_(?:uat|sat)\.[0-9A-Za-z_.-]{15,}[0-9A-Za-z_-])	Snyk documentation, token formats
prefect-key	unless_words	pnu_ ¦ pnb_	(pn[ub]_[0-9A-Za-z]{20,})	Prefect documentation, API keys
deno-token	unless_words	ddp_ ¦ ddw_ ¦ ddo_	(dd[pwo]_[0-9A-Za-z]{20,})	Deno Deploy documentation, access tokens
infracost-key	weak_prefix	ico-	(ico-[0-9A-Za-z]{32}\b)	Infracost documentation, API keys
scalingo-token	unless_words	tk-us-	(tk-us-[0-9A-Za-z_-]{20,})	Scalingo documentation, API tokens; gitleaks
pulumi-token	weak_prefix	pul-	(pul-[0-9a-z]{20,})	Pulumi documentation, access tokens
terraform-token	token	.atlasv1.	⟨edge⟩([0-9A-Za-z]{14}\.atlasv1\.[0-9A-Za-z_=-]{20,})	HCP Terraform documentation, API tokens
dbt-token	unless_words	dbtc_ ¦ dbtu_	(dbt[cu]_[0-9A-Za-z_=-]{20,})	dbt documentation, service and personal tokens
socket-token	unless_words	sktsec_	(sktsec_[0-9A-Za-z_-]{20,})	Socket documentation, API tokens
endor-key	token	endr+	(endr\+[0-9A-Za-z-]{16,})	trufflehog (Endor Labs)
# clouds
aws-key-id	token	akia ¦ asia ¦ abia ¦ acca ¦ a3t	((?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b|A3T[A-Z0-9][A-Z2-7]{16}\b)	AWS IAM documentation, unique id prefixes
aws-session-token	token	iqojb3jpz2lu ¦ fwogzxivyxdz	⟨edge⟩((?:IQoJb3JpZ2lu|FwoGZXIvYXdz)[A-Za-z0-9+/%=_-]{20,})	AWS STS: fixed leading bytes of the token
aws-bedrock-key	unless_words	absk ¦ bedrock-api-key-	⟨edge⟩(ABSK[A-Za-z0-9+/]{20,}={0,2}|bedrock-api-key-[A-Za-z0-9+/=%_-]{20,})	Amazon Bedrock documentation, API keys
aws-mws-token	token	amzn.mws.	(amzn\.mws\.[0-9a-f-]{16,})	trufflehog (Amazon Marketplace Web Service)
google-api-key	token	aiza ¦ aq.ab	(AIza[0-9A-Za-z_-]{20,}|AQ\.Ab[0-9A-Za-z_-]{20,})	Google Cloud documentation, API keys
google-oauth	unless_words	ya29. ¦ gocspx-	⟨edge⟩(ya29\.[0-9A-Za-z_-]{20,}|GOCSPX-[0-9A-Za-z_-]{20,})	Google OAuth documentation
google-refresh-token	standing_alone	1//0	(1//0[0-9A-Za-z_-]{20,})	Google OAuth documentation, refresh tokens
google-messaging-key	token	aaaa	(AAAA[0-9A-Za-z_-]{7}:[0-9A-Za-z_-]{120,})	Firebase documentation, legacy server keys
alibaba-key-id	token	ltai	(LTAI[0-9A-Za-z]{12,}\b)	Alibaba Cloud documentation, AccessKey pairs
tencent-key-id	token	akid	(AKID[0-9A-Za-z]{20,})	Tencent Cloud documentation; GitHub's published list of patterns
volcengine-key-id	token	aklt	(AKLT[0-9A-Za-z_-]{20,})	GitHub's published list of patterns
baidu-key	token	bce-v3/	(bce-v3/ALTAK-[0-9A-Za-z]{10,}(?:/[0-9a-f]*)?)	Baidu AI Cloud documentation, API keys
yandex-key	token	aqvn	(AQVN[0-9A-Za-z_-]{20,})	Yandex Cloud documentation, API keys
yandex-oauth	unless_words	t1. ¦ y0_ ¦ y1_ ¦ y2_ ¦ y3_	⟨edge⟩(t1\.[0-9A-Za-z_-]{60,}={0,2}\.[0-9A-Za-z_-]{60,}={0,2}|y[0-3]_A[0-9A-Za-z_-]{50,})	Yandex Cloud documentation, IAM and OAuth tokens
scaleway-key-id	weak_prefix	scw	(SCW[0-9A-Z]{17}\b)	Scaleway documentation, API keys
# azure
azure-secret	token	q~	([0-9A-Za-z_.~-]{3}\dQ~[0-9A-Za-z_.~-]{19,33}[0-9A-Za-z_~-])	Microsoft Entra documentation, client secrets (a digit and Q~ after three characters)
azure-key	whole_run	jqqj99 ¦ azdo ¦ azse ¦ +acr ¦ azfu ¦ acdb ¦ apim ¦ +ast ¦ +aba ¦ +amc ¦ aiot ¦ azca ¦ +asb ¦ +aeh ¦ +arm	([A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}|[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}|[A-Za-z0-9+/]{42}(?:AzSe|\+ACR)[A-Za-z0-9+/]{6}|[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_=-]{8}|[A-Za-z0-9+/]{76}(?:ACDb|APIM|\+(?:ASt|ABa|AMC))[A-Za-z0-9+/]{6}==|[A-Za-z0-9+/]{33}(?:AIoT|AzCa|\+(?:ASb|AEh|ARm))[A-Za-z0-9+/]{6}=)	Microsoft security utilities, common annotated and identifiable keys
azure-sas	token	sig=	[?&;]sig=([A-Za-z0-9%+/]{40,90}(?:%3[Dd]|=)?)	Microsoft documentation, shared access signatures
azure-refresh-token	token	.ag	⟨edge⟩([01]\.A[0-9A-Za-z_-]{50,}(?:\.\d)?\.Ag[0-9A-Za-z_-]{60,}(?:\.A[0-9A-Za-z_-]{60,})?)	trufflehog (Microsoft Entra refresh tokens)
# hosts
digitalocean-token	token	dop_v1_ ¦ doo_v1_ ¦ dor_v1_ ¦ do00 ¦ do801	⟨edge⟩(do[opr]_v1_[0-9a-f]{20,}|DO(?:00|801)[0-9A-Z]{16}\b)	DigitalOcean documentation, API tokens and Spaces keys
heroku-key	unless_words	hrku-	(HRKU-[0-9A-Za-z_-]{20,})	Heroku changelog, format of API keys
fly-token	unless_words	fo1_ ¦ fm1a_ ¦ fm1r_ ¦ fm2_	(fo1_[0-9A-Za-z_-]{20,}|fm1[ar]_[0-9A-Za-z+/]{20,}={0,3}|fm2_[0-9A-Za-z+/]{20,}={0,3})	Fly.io documentation, access tokens
render-key	weak_prefix	rnd_	(rnd_[0-9A-Za-z]{20,})	Render documentation, API keys; GitHub's published list of patterns
vercel-token	token	vcp_ ¦ vci_ ¦ vca_ ¦ vcr_ ¦ vck_ ¦ vercel_blob_rw_	(vc[piark]_[0-9A-Za-z]{20,}|vercel_blob_rw_[0-9A-Za-z_]{20,})	Vercel documentation, tokens; secretlint
netlify-token	unless_words	nfp_ ¦ nfc_ ¦ nfo_ ¦ nfu_ ¦ nfb_	(nf[pcoub]_[0-9A-Za-z_]{20,})	Netlify documentation, personal access tokens
cloudflare-token	sound:cloudflare	cfut_ ¦ cfat_ ¦ cfk_ ¦ v1.0-	⟨edge⟩(cf(?:ut|at|k)_[0-9A-Za-z]{20,}|v1\.0-[0-9a-f]{24}-[0-9a-f]{20,})	Cloudflare documentation, token formats
cloudflare-tunnel-token	token	eyjhijoi	(eyJhIjoi[0-9A-Za-z+/_-]{80,}={0,2})	Cloudflare documentation, tunnel tokens (base64 of JSON that begins with "a")
tailscale-key	unless_words	tskey-	(tskey-[a-z]{2,20}-[0-9A-Za-z_]{8,40}(?:-[0-9A-Za-z_]{6,})?)	Tailscale documentation, key prefixes
openshift-token	token	sha256~	(sha256~[0-9A-Za-z_-]{20,})	OpenShift documentation, OAuth access tokens
kubeadm-token	distinct	token	(?i)token[\"']?[=: ]\s{0,3}[\"']?([a-z0-9]{6}\.[a-z0-9]{16})\b	Kubernetes documentation, bootstrap tokens
# data
databricks-token	token	dapi ¦ dose	(dapi[0-9a-f]{20,}(?:-\d)?|dose[0-9a-f]{32}\b)	Databricks documentation, personal access tokens and OAuth secrets
supabase-key	unless_words	sb_secret_ ¦ sbp_	(sb_secret_[0-9A-Za-z_-]{20,}|sbp_(?:v0_|oauth_)?[0-9a-z]{20,})	Supabase documentation, API keys
planetscale-token	unless_words	pscale_	(pscale_(?:tkn|pw|oauth|otkn)_[0-9A-Za-z_.=-]{19,}[0-9A-Za-z_=-])	PlanetScale documentation, service tokens and passwords
neon-key	weak_prefix	napi_ ¦ npg_	(napi_[0-9A-Za-z]{20,}|npg_[0-9A-Za-z]{12,})	Neon documentation, API keys; GitHub's published list of patterns
mongodb-atlas-secret	unless_words	mdb_sa_sk_	(mdb_sa_sk_[0-9A-Za-z_-]{20,})	MongoDB Atlas documentation, service accounts
clickhouse-key	token	4b1d	(4b1d[0-9A-Za-z]{38}\b)	ClickHouse Cloud documentation, API keys; gitleaks
aiven-password	unless_words	avns_	(AVNS_[0-9A-Za-z_-]{15,})	Aiven documentation, service passwords; DigitalOcean's databases use the form as well
cockroach-key	token	ccdb1_	(CCDB1_[0-9A-Za-z]{20,}(?:_[0-9A-Za-z]{8,})?)	CockroachDB Cloud documentation, API keys
pinecone-key	unless_words	pcsk_	(pcsk_[0-9A-Za-z_]{20,})	Pinecone documentation, API keys
elastic-key	unless_words	essu_	(essu_[0-9A-Za-z+/=_-]{20,})	Elastic Cloud documentation, API keys
confluent-secret	token	cflt	(cflt[0-9A-Za-z+/]{56,})	Confluent Cloud documentation, format of API secrets
tinybird-token	token	p.eyj	(p\.eyJ[0-9A-Za-z_-]{20,}(?:\.[0-9A-Za-z_-]+)?)	Tinybird documentation, auth tokens
xata-key	unless_words	xau_	(xau_[0-9A-Za-z]{20,})	Xata documentation, API keys
# models
anthropic-key	unless_words	sk-ant-	(sk-ant-[a-z]{2,10}\d\d-[0-9A-Za-z_-]{20,})	provider's documentation; secretlint
openai-key	unless_words	sk-	(sk-(?:(?:proj|svcacct|service|admin|None)-[0-9A-Za-z_-]{20,}|[0-9A-Za-z_-]{20,80}T3BlbkFJ[0-9A-Za-z_-]{8,}))	provider's documentation; the same form is used by compatible services
sk-key	distinct	sk-	(sk-[0-9A-Za-z]{20,})	provider's documentation: the form before 2024; DeepSeek and other compatible services have it
openrouter-key	token	sk-or-v1-	(sk-or-v1-[0-9a-f]{20,})	provider's documentation
langfuse-key	token	sk-lf-	(sk-lf-[0-9a-f-]{16,})	Langfuse documentation, API keys (the public one begins with pk)
cerebras-key	unless_words	csk-	(csk-[0-9a-z]{20,})	provider's documentation; GitHub's published list of patterns
elevenlabs-key	token	sk_	(sk_[0-9a-f]{48})	provider's documentation; trufflehog
huggingface-token	token	hf_ ¦ api_org_	⟨edge⟩((?:hf|api_org)_[0-9A-Za-z]{20,})	provider's documentation; gitleaks
groq-key	token	gsk_	(gsk_[0-9A-Za-z]{20,})	provider's documentation; secretlint
xai-key	unless_words	xai-	(xai-(?:token-)?[0-9A-Za-z_]{20,})	trufflehog
replicate-token	unless_words	r8_	(r8_[0-9A-Za-z_-]{20,})	trufflehog
perplexity-key	token	pplx-	(pplx-[0-9A-Za-z]{20,})	gitleaks
nvidia-key	unless_words	nvapi-	(nvapi-[0-9A-Za-z_-]{20,})	trufflehog
together-key	unless_words	tgp_v1_	(tgp_v1_[0-9A-Za-z_-]{20,})	provider's documentation; GitHub's published list of patterns
langsmith-key	token	lsv2_	(lsv2_(?:pt|sk)_[0-9a-f]{20,}(?:_[0-9a-f]{4,})?)	LangSmith documentation, API keys; trufflehog
tavily-key	unless_words	tvly-	(tvly-(?:dev-|prod-)?[0-9A-Za-z_-]{20,})	provider's documentation
wandb-key	unless_words	wandb_v1_	(wandb_v1_[0-9A-Za-z_]{20,})	Weights and Biases documentation; GitHub's published list of patterns
e2b-key	token	e2b_	(e2b_[0-9a-f]{20,})	E2B documentation, API keys
jina-key	token	jina_	(jina_[0-9a-f]{20,}[0-9A-Za-z_-]*)	Jina documentation, API keys
runpod-key	unless_words	rpa_	(rpa_[0-9A-Za-z]{20,})	RunPod documentation, API keys
cursor-key	token	crsr_	(crsr_[0-9a-f]{20,})	Cursor documentation, API keys
llamacloud-key	unless_words	llx-	(llx-[0-9A-Za-z]{20,})	LlamaCloud documentation, API keys
apify-token	token	apify_api_	(apify_api_[0-9A-Za-z-]{20,})	Apify documentation, API tokens
helicone-key	unless_words	-helicone-	⟨edge⟩((?:sk|pk)-helicone-[0-9a-z-]{20,})	Helicone documentation, API keys
# payments
stripe-key	unless_words	_live_ ¦ _test_ ¦ _prod_ ¦ _sbox_ ¦ whsec_ ¦ _secret_	⟨edge⟩((?:sk|rk)_(?:live|test|prod|org_live|org_test|sbox)_[0-9A-Za-z]{10,}|whsec_[0-9A-Za-z+/=]{20,}|pi_[0-9A-Za-z]{16,}_secret_[0-9A-Za-z]{16,})	Stripe documentation; publishable keys (pk_) are public; Clerk and Svix use the forms as well
square-token	unless_words	sq0	(sq0[a-z]{3}-[0-9A-Za-z_-]{20,})	Square documentation, credentials
square-access-token	whole_run	eaaa	(EAAA[0-9A-Za-z_-]{22,})	Square documentation, access tokens; gitleaks
braintree-token	token	access_token$	(access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{20,})	Braintree documentation, access tokens
razorpay-key	token	rzp_	(rzp_(?:live|test)_[0-9A-Za-z]{14,})	Razorpay documentation, API keys
flutterwave-key	token	flwseck	(FLWSECK(?:_TEST)?-?[0-9A-Za-z]{12,}(?:-X)?)	Flutterwave documentation, API keys
plaid-token	token	access-sandbox- ¦ access-development- ¦ access-production-	(access-(?:sandbox|development|production)-[0-9a-f-]{16,})	Plaid documentation, access tokens
shopify-token	token	shp	(shp[a-z]{2,3}_[0-9a-fA-F]{20,})	Shopify documentation, access tokens; gitleaks
easypost-key	unless_words	ezak ¦ eztk	(EZ[AT]K[0-9A-Za-z]{20,})	EasyPost documentation, API keys
duffel-token	unless_words	duffel_	(duffel_(?:test|live)_[0-9A-Za-z_=-]{20,})	Duffel documentation, access tokens
shippo-token	token	shippo_	(shippo_(?:live|test)_[0-9a-fA-F]{20,})	Shippo documentation, API tokens
live-key	distinct	live_ ¦ test_ ¦ sandbox_	⟨edge⟩(live_(?:pub_)?[0-9a-f]{31,35}\b|test_(?:pub_)?[0-9a-f]{31}\b|test_(?:pub_)?[0-9a-f]{33,35}\b|(?:live|test)_[0-9A-Za-z]{30}\b|(?:live|sandbox)_[0-9A-Za-z_-]{40})	Lob, Mollie and GoCardless documentation; 32 digits behind test_ are names of hashed files
paddle-key	token	pdl_	(pdl_(?:live|sdbx)_apikey_[0-9a-z]{16,}(?:_[0-9A-Za-z]{1,40}){0,2}|pdl_ntfset_[0-9a-z]{16,}(?:_[0-9A-Za-z+/]{1,64})?)	Paddle documentation, API keys
xendit-key	token	xnd_	(xnd_(?:production|development)_[0-9A-Za-z]{20,})	Xendit documentation, API keys
midtrans-key	unless_words	mid-server-	⟨edge⟩((?:SB-)?Mid-server-[0-9A-Za-z_-]{20,})	Midtrans documentation, server keys
mercadopago-token	token	app_usr- ¦ test-	⟨edge⟩(APP_USR-\d{13,20}-[0-9a-f-]+|TEST-\d{13,20}-\d{6}-[0-9a-f-]{20,})	Mercado Pago documentation, credentials
pagarme-key	token	ak_live_ ¦ ak_test_	(ak_(?:live|test)_[0-9A-Za-z]{20,})	Pagar.me documentation; trufflehog
ramp-secret	token	ramp_sec_	(ramp_sec_[0-9A-Za-z]{20,})	Ramp documentation; trufflehog
# messaging
slack-token	unless_words	xoxa ¦ xoxb ¦ xoxc ¦ xoxd ¦ xoxe ¦ xoxo ¦ xoxp ¦ xoxr ¦ xoxs ¦ xapp-	(xox[a-z](?:-|\.xox[a-z]-)[0-9A-Za-z%+/=_-]{8,}|xapp-\d-[0-9A-Za-z-]{16,})	Slack documentation, token types
webhook-url	token	hooks.slack.com ¦ /api/webhooks/ ¦ webhook.office.com ¦ hooks.zapier.com ¦ .tines.com/webhook/ ¦ /bot/v2/hook/ ¦ /webhook/send ¦ oapi.dingtalk.com	hooks\.slack\.com/(?:services|workflows|triggers)/([0-9A-Za-z+/]{30,})|discord(?:app)?\.com/api/webhooks/(\d{17,20}/[0-9A-Za-z_-]{40,})|webhook\.office\.com/webhookb2/([0-9A-Za-z@/-]{60,})|hooks\.zapier\.com/hooks/catch/([0-9A-Za-z/]{10,})|\.tines\.com/webhook/([0-9a-z]{32}/[0-9a-z]{32})|/open-apis/bot/v2/hook/([0-9a-f-]{30,})|/cgi-bin/webhook/send\?key=([0-9a-f-]{30,})|oapi\.dingtalk\.com/robot/send\?access_token=([0-9a-f]{40,})	Slack, Discord, Teams, Zapier, Tines, Feishu, WeCom and DingTalk documentation: who has the address may post
telegram-token	not_filler	:aa	⟨edge⟩(?:bot)?(\d{8,10}:AA[0-9A-Za-z_-]{20,33})	Telegram Bot API documentation
mail-key	standing_alone	key- ¦ -us1 ¦ -us2 ¦ -us3 ¦ -us4 ¦ -us5 ¦ -us6 ¦ -us7 ¦ -us8 ¦ -us9 ¦ -us0 ¦ sib- ¦ mlsn. ¦ mailgun	⟨edge⟩(key-[0-9a-f]{32}\b|[0-9a-f]{32}-us\d{1,2}\b|[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}\b|x(?:key|smtp)sib-[0-9A-Za-z_-]{32,}|mlsn\.[0-9a-f]{32,})	Mailgun, Mailchimp, Brevo and MailerSend documentation
telnyx-key	token	key0	(KEY[0-9A-F]{20,}(?:_[0-9A-Za-z]*)?)	Telnyx documentation, API keys
pubnub-secret	token	sec-c-	(sec-c-[0-9A-Za-z]{20,}={0,2})	PubNub documentation, secret keys
intercom-token	token	dg9ro	(dG9rO[0-9A-Za-z+/]{48,}={0,2})	Intercom documentation, access tokens ("tok:" in base64)
onesignal-key	token	os_v2_	(os_v2_(?:app|org)_[0-9a-z]{20,})	OneSignal documentation, keys
courier-key	token	k_prod_ ¦ k_test_	⟨edge⟩((?:pk|dk)_(?:prod|test)_[0-9A-Z]{28}\b)	Courier documentation, API keys
klaviyo-key	token	pk_	(pk_(?:[0-9A-Za-z]{6}_)?[0-9a-f]{30,34}\b)	Klaviyo documentation, private keys; trufflehog
facebook-token	whole_run	eaa ¦ igqv ¦ igqw ¦ igaa	⟨edge⟩(EAA[A-Z][0-9A-Za-z]{60,}|IG(?:QV|QW|AA)[0-9A-Za-z_-]{60,})	Meta documentation, access tokens
twitter-token	whole_run	aaaaaaaaaaaaaaaaaaaaa	⟨edge⟩(A{21,22}[B-Za-z0-9%][0-9A-Za-z%]{59,109})	X developer documentation, bearer tokens; gitleaks
linkedin-secret	token	wpl_ap	(WPL_AP\d\.[0-9A-Za-z]{10,}(?:\.[0-9A-Za-z+/=]*)?)	LinkedIn documentation, client secrets
pinterest-token	unless_words	pina_ ¦ pinr_	(pin[ar]_[0-9A-Za-z]{20,})	Pinterest documentation, access tokens
# monitoring
grafana-token	unless_words	glsa_ ¦ glc_ ¦ eyjrijoi	⟨edge⟩(glsa_[0-9A-Za-z]{20,}(?:_[0-9a-fA-F]{0,8})?|glc_[0-9A-Za-z+/]{20,}={0,3}|eyJrIjoi[0-9A-Za-z+/]{40,}={0,3})	Grafana documentation, service account, cloud and legacy API keys
sentry-token	token	sntry	(sntrys_eyJ[0-9A-Za-z+/=_]{20,}|sntry[uai]_[0-9a-f]{20,})	Sentry documentation, auth tokens
posthog-key	unless_words	phx_ ¦ phs_	(ph[xs]_[0-9A-Za-z_-]{20,})	PostHog documentation, personal API keys
newrelic-key	unless_words	nrak- ¦ nrii- ¦ nriq- ¦ nrjs- ¦ nrbr- ¦ nral ¦ -nrma	⟨edge⟩(NRAK-[0-9A-Z]{20,}|NR(?:II|IQ)-[0-9A-Za-z_-]{20,}|NR(?:JS|BR)-[0-9a-f]{19}\b|[0-9a-f]{36}NRAL|(?:[0-9a-f]{32}|eu01xx[0-9a-f]{26})FFFFNRAL|(?:AA[0-9a-f]{40}|eu01xx[0-9a-f]{36})-NRMA)	New Relic documentation, API keys
dynatrace-token	token	dt0	(dt0[a-z]\d\d\.[0-9A-Za-z]{24}\.[0-9A-Za-z]{20,})	Dynatrace documentation, token format
statsig-key	distinct	secret-	(secret-(?:live-|test-)?[0-9A-Za-z_-]{36,}={0,2})	Statsig documentation, server secret keys; Stytch documentation, project secrets
honeycomb-key	token	hca ¦ hcb ¦ hcx ¦ hcd	(hc[a-z]{1,3}k_[0-9a-z]{20,})	Honeycomb documentation, API keys
logfire-token	token	pylf_v	(pylf_v\d_(?:[a-z]{2}_)?[0-9A-Za-z]{20,})	Logfire documentation, write tokens
rootly-key	token	rootly_	(rootly_[0-9a-f]{20,})	Rootly documentation; trufflehog
ubidots-token	token	bbff-	(BBFF-[0-9A-Za-z]{30}\b)	trufflehog (Ubidots)
axiom-token	token	xaat- ¦ xapt-	(xa[ap]t-[0-9a-f-]{16,})	Axiom documentation, API and personal tokens
adafruit-key	weak_prefix	aio_	(aio_[0-9A-Za-z]{28}\b)	Adafruit IO documentation, keys
# work
linear-key	unless_words	lin_	(lin_(?:api|oauth|wh)_[0-9A-Za-z_]{20,})	Linear documentation, API keys
notion-token	distinct	ntn_ ¦ secret_	⟨edge⟩(ntn_[0-9A-Za-z]{20,}|secret_[0-9A-Za-z]{43}\b)	Notion documentation, integration tokens
figma-token	unless_words	figd_ ¦ figo_ ¦ figp_ ¦ figor_ ¦ figur_ ¦ figuh_ ¦ figoh_ ¦ figdr_	(fig(?:d|o|p|or|ur|uh|oh|dr)_[0-9A-Za-z_=-]{20,})	Figma documentation, personal access tokens; secretlint
postman-key	token	pmak-	(PMAK-[0-9a-fA-F]{20,}(?:-[0-9a-fA-F]{0,34})?)	Postman documentation, API keys
hubspot-token	unless_words	pat-na ¦ pat-eu ¦ pat-ap	(pat-(?:na|eu|ap)\d-[0-9A-Za-z-]{16,})	HubSpot documentation, private app tokens
typeform-token	unless_words	tfp_	(tfp_[0-9A-Za-z_.=-]{19,}[0-9A-Za-z_=-])	Typeform documentation, personal access tokens
contentful-token	unless_words	cfpat-	(CFPAT-[0-9A-Za-z_-]{20,})	Contentful documentation, personal access tokens
frameio-token	unless_words	fio-u-	(fio-u-[0-9A-Za-z_=-]{20,})	Frame.io documentation, developer tokens
readme-key	token	rdme_	(rdme_[0-9a-z]{20,})	ReadMe documentation, API keys
adobe-secret	unless_words	p8e-	(p8e-[0-9A-Za-z_-]{20,})	Adobe documentation, OAuth server-to-server credentials
mapbox-token	token	sk.eyj	(sk\.eyJ[0-9A-Za-z_-]{20,}(?:\.[0-9A-Za-z_-]{10,})?)	Mapbox documentation, secret access tokens
maxmind-key	token	_mmk	⟨edge⟩([0-9A-Za-z]{6}_[0-9A-Za-z]{29}_mmk\b)	MaxMind documentation, license keys
clickup-token	token	pk_	(pk_\d{6,12}_[0-9A-Z]{10,})	ClickUp documentation, personal tokens
authress-key	token	.acc_ ¦ .acc-	⟨edge⟩((?:sc|ext|scauth|authress)_[0-9A-Za-z]{5,30}\.[0-9A-Za-z]{4,6}\.acc[_-][0-9A-Za-z-]{10,32}\.[0-9A-Za-z+/_=-]{20,})	Authress documentation, service client keys; gitleaks
settlemint-token	token	sm_aat_ ¦ sm_pat_ ¦ sm_sat_	(sm_(?:aat|pat|sat)_[0-9A-Za-z]{16,})	SettleMint documentation, access tokens; gitleaks
intra42-secret	token	s-s4t2	(s-s4t2(?:ud|af)-[0-9a-f]{20,})	42 API documentation; gitleaks
salesforce-token	token	00d ¦ 5aep861	⟨edge⟩(00D[0-9A-Za-z]{12,15}![0-9A-Za-z_.]{60,}[0-9A-Za-z_]|5AEP861[0-9A-Za-z._=]{60,}[0-9A-Za-z_=])	Salesforce documentation, session ids and refresh tokens; trufflehog
zoho-token	token	1000.	(1000\.[0-9a-f]{32}\.[0-9a-f]{32}\b)	Zoho documentation, OAuth tokens
bannerbear-key	token	bb_pr_ ¦ bb_ma_	(bb_(?:pr|ma)_[0-9a-f]{20,})	Bannerbear documentation, API keys; trufflehog
calcom-key	token	cal_	(cal_(?:live|test)_[0-9a-f]{16,}|cal_[0-9a-f]{32}\b)	Cal.com documentation, API keys
# vaults
vault-token	unless_words	hvs. ¦ hvb. ¦ hvr.	(hv[sbr]\.[0-9A-Za-z_-]{20,})	HashiCorp Vault documentation, tokens
vault-service-token	distinct	token	(?i)token["']?[=: \t]{1,24}["']?([sb]\.[0-9a-z]{24})\b	HashiCorp Vault documentation, tokens before 1.10
doppler-token	token	dp.pt. ¦ dp.ct. ¦ dp.sa ¦ dp.st. ¦ dp.scim. ¦ dp.audit.	(dp\.(?:pt|ct|sa|said|scim|audit|st(?:\.[0-9a-z_-]{2,35})?)\.[0-9A-Za-z]{20,})	Doppler documentation, API reference, tokens
onepassword-token	token	ops_eyj	(ops_eyJ[0-9A-Za-z+/_-]{20,}={0,3})	1Password documentation, service accounts
onepassword-secret-key	token	a3-	(A3-[0-9A-Z]{6}-(?:[0-9A-Z]{11}|[0-9A-Z]{6}-[0-9A-Z]{5})(?:-[0-9A-Z]{5}){3}\b)	1Password documentation, Secret Key
okta-token	token	ssws	SSWS\s{1,3}(00[0-9A-Za-z_-]{20,})	Okta documentation, API tokens
ory-token	unless_words	ory_	(ory_(?:at|rt|ac|pat|st|wak|apikey)_[0-9A-Za-z_.-]{19,}[0-9A-Za-z_-])	Ory documentation, token formats
# short
sendgrid-key	distinct	sg.	(SG\.[0-9A-Za-z_=-]{16,32}\.[0-9A-Za-z_=-]{16,64}|SG\.[0-9A-Za-z_=.-]{66})	SendGrid documentation, API keys
discord-token	distinct	mt ¦ mj ¦ mz ¦ nd ¦ nt ¦ nj ¦ nz ¦ od ¦ ot	⟨edge⟩((?:M[Tjz]|N[DTjz]|O[DT])[0-9A-Za-z_-]{22,26}\.[0-9A-Za-z_-]{6}\.[0-9A-Za-z_-]{27,38})	Discord documentation (a user's number in base64); detect-secrets
twilio-key	distinct	sk0 ¦ sk1 ¦ sk2 ¦ sk3 ¦ sk4 ¦ sk5 ¦ sk6 ¦ sk7 ¦ sk8 ¦ sk9 ¦ ska ¦ skb ¦ skc ¦ skd ¦ ske ¦ skf	(SK[0-9a-fA-F]{32}\b)	Twilio documentation, API keys
nats-seed	distinct:nkey	su ¦ sa ¦ so ¦ sn ¦ sc ¦ sx	(S[UAONCX][A-Z2-7]{56}\b)	NATS documentation, nkeys
airtable-token	distinct	pat	(pat[0-9A-Za-z]{14}\.[0-9a-f]{20,})	Airtable documentation, personal access tokens
harness-token	distinct	pat. ¦ sat.	⟨edge⟩([ps]at\.[0-9A-Za-z_-]{22}\.[0-9A-Za-z]{24}\.[0-9A-Za-z]{10,20}\b)	Harness documentation, API keys
infisical-token	distinct	st.	(st\.[0-9a-f-]{24,36}\.[0-9a-f]{32}\.[0-9a-f]{20,})	Infisical documentation, service tokens
resend-key	distinct	re_	(re_[0-9A-Za-z]{8}_[0-9A-Za-z]{20,26}\b)	Resend documentation, API keys
fireworks-key	distinct	fw_	(fw_[0-9A-Za-z]{22,24}\b)	provider's documentation; GitHub's published list of patterns
modal-token	distinct	ak- ¦ as-	(a[ks]-[0-9A-Za-z]{22}\b)	Modal documentation, tokens
voyage-key	distinct	pa-	(pa-[0-9A-Za-z_-]{43})	Voyage AI documentation, API keys
firecrawl-key	distinct	fc-	(fc-[0-9a-f]{32}\b)	Firecrawl documentation, API keys
dropbox-token	distinct	sl.	(sl\.(?:u\.)?[0-9A-Za-z_-]{60,})	Dropbox documentation, OAuth; trufflehog
yandex-static-key	beside_no_hash	yc	(YC[0-9A-Za-z_-]{38})	Yandex Cloud documentation, static access keys
octopus-key	distinct	api-	(API-[0-9A-Z]{25,27}\b)	Octopus Deploy documentation, API keys
phabricator-token	distinct	api- ¦ cli-	⟨edge⟩((?:api|cli)-[0-9a-z]{28}\b)	Phabricator documentation, Conduit API
launchdarkly-key	distinct	sdk- ¦ api-	⟨edge⟩((?:sdk|api)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b)	LaunchDarkly documentation, API access tokens and SDK keys
asana-token	distinct	0/ ¦ 1/ ¦ 2/	⟨edge⟩([0-2]/\d{12,20}(?:/\d{12,20})?:[0-9a-f]{32}\b)	Asana documentation, personal access tokens; trufflehog
facebook-app-token	app_secret	0| ¦ 1| ¦ 2| ¦ 3| ¦ 4| ¦ 5| ¦ 6| ¦ 7| ¦ 8| ¦ 9| ¦ %7c	⟨edge⟩(\d{15,17}(?:\||%7[Cc])[0-9A-Za-z_-]{27,40})	Meta documentation, app access tokens; gitleaks
"""


def _row(line: str) -> Rule:
    name, validator, keywords, pattern, source = line.split("\t")
    return Rule(
        id=name,
        pattern=pattern.replace("⟨edge⟩", EDGE),
        keywords=entries(keywords),
        source=source,
        judge=_VALIDATORS[validator] if validator else None,
    )


RULES: tuple[Rule, ...] = (
    *KEYS,
    *(_row(line) for line in _TABLE.strip().split("\n") if not line.startswith("#")),
)
