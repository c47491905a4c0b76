"""Formats that need no surroundings: keys whose form a standard fixes, tokens of the vendors."""

from __future__ import annotations

from onward.redaction.rules.table import lazy, read
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
    not_filler,
    of_value,
    private_key,
    sound,
    standing_alone,
    token,
    unless_words,
    weak_prefix,
    whole_run,
)

_JWE_PARTS = 5


def is_jose(value: str, before: str, after: str) -> bool:
    """Two parts that begin as JSON does, the five parts of a JWE, or a header that decodes."""
    del after
    if is_placeholder(value) or not begins(before):
        return False
    parts = value.split(".")
    by_shape = value.startswith("eyJ") and (parts[1].startswith("eyJ") or len(parts) == _JWE_PARTS)
    return by_shape or jose_header(value)


def encoded_pem(value: str, before: str, after: str) -> bool:
    """The base64 of a private key, from its beginning."""
    del after
    return begins(before) and private_key(value)


_BAR = lazy(r"\||%7[Cc]")
_DIGEST = lazy(r"(?i)\b(?:sha\d{1,3}|md5|blake2b)[=:-]$")


def beside_no_hash(value: str, before: str, after: str) -> bool:
    """Chance makes the prefix in the digests of lists of files (`sha256=…`)."""
    return distinct(value, before, after) and not _DIGEST.search(before)


def app_secret(value: str, before: str, after: str) -> bool:
    """The part after the bar; columns of a table stand there as well."""
    return distinct(_BAR.split(value)[1], before, after)


def distinct_or_nkey(value: str, before: str, after: str) -> bool:
    """A NATS seed by its checksum, or by its looks."""
    return nkey(value) or distinct(value, before, after)


RULES = read(
    r"""
⟨margin⟩	(?:\\+(?:[nrt]|u[0-9a-f]{4})|\xe2\x86\x92|[\s\"'+|>\\#/*:0-9-]){0,40}
⟨place⟩	(?:[0-9A-Za-z_.~/-]{1,120}[:-]\d{1,6}[:-])
⟨gap⟩	(?:[\"' \t+\\]{0,6}(?:\r?\n|\\{1,8}[nrt])⟨margin⟩(?:⟨place⟩⟨margin⟩){0,2}| )
⟨line⟩	(?:[A-Za-z-]{3,20}: [^\n\\\"]{1,200}|[0-9A-Za-z+/=]{16,})
⟨end⟩	-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----
private-key		private key	RFC 7468; RFC 4880; a block cut off before its END still counts
  -----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----(?:⟨gap⟩)?⟨line⟩(?:⟨gap⟩⟨line⟩)*(?:(?:⟨gap⟩[0-9A-Za-z+/=]{1,15}){0,2}⟨gap⟩⟨end⟩)?
private-key-lines (json)		private key	RFC 7468, as grep -r, docker logs and log files print it
  -----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----[ \t]{0,4}(?:\r?\n[^\n]{1,80}?[ \t:|>]{1,4}[0-9A-Za-z+/=]{32,76}[ \t]{0,4})+(?:(?:\r?\n[^\n]{1,80}?[ \t:|>]{1,4}[0-9A-Za-z+/=]{2,76}[ \t]{0,4})?\r?\n[^\n]{1,80}?[ \t:|>]{1,4}⟨end⟩)?
private-key-end		private key	RFC 7468, a block whose begin was cut off
  ((?:[0-9A-Za-z+/=]{16,80}[\"' \t+]{0,6}(?:\r?\n|\\{1,8}n)[\"' \t+>]{0,40})+(?:[0-9A-Za-z+/=]{1,80}[\"' \t+]{0,6}(?:\r?\n|\\{1,8}n)[\"' \t+>]{0,40})?)-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY
private-key-end-lines (json)		private key	RFC 7468, a block whose begin was cut off, as grep prints it
  (?:\\{1,7}(?:u[0-9a-f]{4}|[abfnrt]))?((?:[^\n\\ \"]{1,80}?[ \t:|>-]{1,4}[0-9A-Za-z+/=]{32,76}[ \t]{0,4}\n)+(?:[^\n\\ \"]{1,80}?[ \t:|>-]{1,4}[0-9A-Za-z+/=]{2,76}[ \t]{0,4}\n)?[^\n\\ \"]{1,80}?[ \t:|>-]{1,4})⟨end⟩
minisign-key		rwrty0iy	minisign manual, secret key format	(RWRTY0Iy[0-9A-Za-z+/]{100,}={0,2})
putty-key		putty-user-key-file	PuTTY documentation, format of private key files	PuTTY-User-Key-File-\d: [0-9a-z-]{3,40}(?:⟨gap⟩(?:⟨line⟩|[0-9A-Za-z+/=]{2,15}))*
encoded-private-key	encoded_pem	ls0tls1crudjti	RFC 7468 in base64, as in kubeconfig files and in secrets of Kubernetes
  (LS0tLS1CRUdJTi[0-9A-Za-z+/]{40,}={0,2})
encoded-token	encodes_a_token	z2h ¦ z2l0ahvix3bhdf ¦ z2xwyxqt ¦ eg94 ¦ qutjq ¦ qul6y ¦ c2sty ¦ c2tfbgl2zv ¦ cmtfbgl2zv ¦ bnbtx ¦ agzf ¦ zgnrcl9wyxrf ¦ chlwas1bz	GitHub documentation, supported secret scanning patterns: tokens in base64
  ⟨edge⟩((?:Z2h[1-9a-z]X|Z2l0aHViX3BhdF|Z2xwYXQt|eG94[Yc]|QUtJQ|QUl6Y|c2stYW50L|c2stcHJvai|c2tfbGl2ZV|cmtfbGl2ZV|bnBtX|aGZf|ZGNrcl9wYXRf|cHlwaS1BZ)[0-9A-Za-z+/]{20,}={0,2})
jwt	is_jose	eyj ¦ ewo ¦ ew0	RFC 7519 (JWS), RFC 7516 (JWE)	⟨edge⟩((?:eyJ|ewo|ew0)[0-9A-Za-z_-]{10,}\.{1,2}[0-9A-Za-z_-]+(?:\.[0-9A-Za-z_-]+){0,3})
encoded-jwt	whole_run	zxlk	RFC 7519 in base64	(ZXlK[0-9A-Za-z+/]{60,}={0,2})
age-key	sound:bech32	age-secret-key-1	age specification (Bech32, 58 characters)	(AGE-SECRET-KEY-1[0-9A-Z]{20,})
wallet-key	not_filler	nsec1 ¦ prv	NIP-19; BIP 32	⟨edge⟩(nsec1[02-9ac-hj-np-z]{58}\b|[xyzt]prv[1-9A-HJ-NP-Za-km-z]{90,})
password-hash		$2 ¦ $argon2 ¦ $1$ ¦ $5$ ¦ $6$ ¦ $apr1$	crypt(5); PHC string format
  (
    \$2[abxy]\$\d\d\$[./0-9A-Za-z]{53}
    \$argon2(?:id|i|d)\$v=\d+\$[^$\s]{5,60}\$[0-9A-Za-z+/]{11,64}\$[0-9A-Za-z+/]{16,128}
    \$(?:1|apr1)\$[./0-9A-Za-z]{1,8}\$[./0-9A-Za-z]{22}
    \$[56]\$(?:rounds=\d+\$)?[./0-9A-Za-z]{1,16}\$[./0-9A-Za-z]{22,86}
  )
# forges
github-token	unless_words:github_or_npm	ghp_ ¦ gho_ ¦ ghu_ ¦ ghs_ ¦ ghr_ ¦ github_pat_	GitHub engineering blog, authentication token formats, 2021; changelog of the signed form	(ghs_[0-9A-Za-z]{1,20}_eyJ[0-9A-Za-z_-]{10,}(?:\.[0-9A-Za-z_-]{10,}){0,2}|gh[pousr]_[0-9A-Za-z_]{20,}|github_pat_[0-9A-Za-z_]{20,})
gitlab-token	unless_words	glpat- ¦ gldt- ¦ glrt ¦ glcbt- ¦ glptt- ¦ glft- ¦ glimt- ¦ glagent- ¦ gloas- ¦ glsoat- ¦ glffct- ¦ glwt- ¦ gr1348941	GitLab documentation, token overview, prefixes	⟨edge⟩(gl(?:pat|dt|rtr?|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-[0-9A-Za-z_=-]{20,}(?:\.[0-9a-z]{2}\.?[0-9a-z]{7,9})?|GR1348941[0-9A-Za-z_-]{20,})
atlassian-token	unless_words	atatt3 ¦ atctt3 ¦ atstt3 ¦ atbb ¦ atta ¦ atoa	Atlassian documentation, API tokens; Bitbucket app passwords; Trello tokens	(AT(?:ATT|CTT|STT)3[0-9A-Za-z+/_=-]{20,}|ATBB[0-9A-Za-z]{20,}|ATTA[0-9a-f]{20,}|ATOA[0-9A-Za-z_=-]{20,})
bitbucket-server-token	unless_words	bbdc-	Bitbucket Data Center documentation, HTTP access tokens; trufflehog	(BBDC-[0-9A-Za-z+/@_-]{20,})
sourcegraph-token	unless_words	sgp_ ¦ slk_ ¦ sgamp_	Sourcegraph documentation, access tokens; trufflehog; Segment's public API uses the form as well	(sgp_[0-9A-Za-z_]{20,}|slk_[0-9a-f]{20,}|sgamp_[0-9A-Za-z_]{20,})
jetbrains-token	unless_words	perm: ¦ perm-	YouTrack documentation, permanent tokens	(perm[:-][0-9A-Za-z+/=]{6,}\.[0-9A-Za-z+/=-]{4,}\.[0-9A-Za-z+/=_-]{2,})
# registries
npm-token	sound:github_or_npm	npm_	GitHub blog, npm token format, 2021	(npm_[0-9A-Za-z]{20,})
pypi-token	token	pypi-ag	PyPI documentation (macaroons with a fixed head)	(pypi-Ag[0-9A-Za-z_-]{20,})
rubygems-token	token	rubygems_	RubyGems documentation, API keys	(rubygems_[0-9a-f]{20,})
crates-token	weak_prefix	cio	crates.io, token format of 2021	(cio[0-9A-Za-z]{32}\b)
nuget-key	weak_prefix	oy2	trufflehog (NuGet keys)	(oy2[0-9a-z]{43}\b)
docker-token	unless_words	dckr_	Docker documentation, access tokens	(dckr_[po]at_[0-9A-Za-z_-]{20,})
clojars-token	token	clojars_	Clojars documentation, deploy tokens	(CLOJARS_[0-9A-Za-z]{20,})
jsr-token	token	jsrp_ ¦ jsrd_	GitHub's published list of patterns	(jsr[pd]_[0-9A-Za-z]{20,})
jfrog-token	whole_run	akcp ¦ cmvmd	JFrog documentation, API keys and reference tokens ("reftkn" in base64)	⟨edge⟩(AKCp[0-9A-Za-z]{20,}|cmVmdGtu[0-9A-Za-z]{20,}|cmVmd[0-9A-Za-z]{50,})
open-vsx-token	token	ovsxat_ ¦ ovsxp_	Open VSX, announcement of the token prefix	(ovsx(?:at|p)_[0-9a-f-]{16,})
# builds
circleci-token	unless_words	ccip	CircleCI documentation, API tokens	(CCIP(?:AT|RJ)_[0-9A-Za-z_]{20,})
buildkite-token	token	bkua_ ¦ bkat_ ¦ bkct_ ¦ bkaj_ ¦ bkpt_ ¦ bkrt_	Buildkite documentation, token security	(bk(?:ua|at|ct|aj|pt|rt)_[0-9A-Za-z]{20,})
sonar-token	token	sqp_ ¦ squ_ ¦ sqa_ ¦ sqco_	SonarQube documentation, tokens; trufflehog (SonarQube Cloud)	(sq[pua]_[0-9a-f]{20,}|sqco_[0-9A-Za-z]{20,})
snyk-token	unless_words	snyk_	Snyk documentation, token formats	(snyk_(?:uat|sat)\.[0-9A-Za-z_.-]{15,}[0-9A-Za-z_-])
prefect-key	unless_words	pnu_ ¦ pnb_	Prefect documentation, API keys	(pn[ub]_[0-9A-Za-z]{20,})
deno-token	unless_words	ddp_ ¦ ddw_ ¦ ddo_	Deno Deploy documentation, access tokens	(dd[pwo]_[0-9A-Za-z]{20,})
infracost-key	weak_prefix	ico-	Infracost documentation, API keys	(ico-[0-9A-Za-z]{32}\b)
scalingo-token	unless_words	tk-us-	Scalingo documentation, API tokens; gitleaks	(tk-us-[0-9A-Za-z_-]{20,})
pulumi-token	weak_prefix	pul-	Pulumi documentation, access tokens	(pul-[0-9a-z]{20,})
terraform-token	token	.atlasv1.	HCP Terraform documentation, API tokens	⟨edge⟩([0-9A-Za-z]{14}\.atlasv1\.[0-9A-Za-z_=-]{20,})
dbt-token	unless_words	dbtc_ ¦ dbtu_	dbt documentation, service and personal tokens	(dbt[cu]_[0-9A-Za-z_=-]{20,})
socket-token	unless_words	sktsec_	Socket documentation, API tokens	(sktsec_[0-9A-Za-z_-]{20,})
endor-key	token	endr+	trufflehog (Endor Labs)	(endr\+[0-9A-Za-z-]{16,})
# clouds
aws-key-id	token	akia ¦ asia ¦ abia ¦ acca ¦ a3t	AWS IAM documentation, unique id prefixes	((?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b|A3T[A-Z0-9][A-Z2-7]{16}\b)
aws-session-token	token	iqojb3jpz2lu ¦ fwogzxivyxdz	AWS STS: fixed leading bytes of the token	⟨edge⟩((?:IQoJb3JpZ2lu|FwoGZXIvYXdz)[A-Za-z0-9+/%=_-]{20,})
aws-bedrock-key	unless_words	absk ¦ bedrock-api-key-	Amazon Bedrock documentation, API keys	⟨edge⟩(ABSK[A-Za-z0-9+/]{20,}={0,2}|bedrock-api-key-[A-Za-z0-9+/=%_-]{20,})
aws-ecr-password	token	eyjwyxlsb2fkijoi	Amazon ECR, get-login-password: base64 of JSON that begins with "payload"	⟨edge⟩(eyJwYXlsb2FkIjoi[0-9A-Za-z+/=]{80,})
aws-mws-token	token	amzn.mws.	trufflehog (Amazon Marketplace Web Service)	(amzn\.mws\.[0-9a-f-]{16,})
google-api-key	token	aiza ¦ aq.ab	Google Cloud documentation, API keys	(AIza[0-9A-Za-z_-]{20,}|AQ\.Ab[0-9A-Za-z_-]{20,})
google-oauth	unless_words	ya29. ¦ gocspx-	Google OAuth documentation	⟨edge⟩(ya29\.[0-9A-Za-z_-]{20,}|GOCSPX-[0-9A-Za-z_-]{20,})
google-refresh-token	standing_alone	1//0	Google OAuth documentation, refresh tokens	(1//0[0-9A-Za-z_-]{20,})
google-messaging-key	token	aaaa	Firebase documentation, legacy server keys	(AAAA[0-9A-Za-z_-]{7}:[0-9A-Za-z_-]{120,})
alibaba-key-id	token	ltai	Alibaba Cloud documentation, AccessKey pairs	(LTAI[0-9A-Za-z]{12,}\b)
tencent-key-id	token	akid	Tencent Cloud documentation; GitHub's published list of patterns	(AKID[0-9A-Za-z]{20,})
volcengine-key-id	token	aklt	GitHub's published list of patterns	(AKLT[0-9A-Za-z_-]{20,})
baidu-key	token	bce-v3/	Baidu AI Cloud documentation, API keys	(bce-v3/ALTAK-[0-9A-Za-z]{10,}(?:/[0-9a-f]*)?)
yandex-key	token	aqvn	Yandex Cloud documentation, API keys	(AQVN[0-9A-Za-z_-]{20,})
yandex-oauth	unless_words	t1. ¦ y0_ ¦ y1_ ¦ y2_ ¦ y3_	Yandex Cloud documentation, IAM and OAuth tokens	⟨edge⟩(t1\.[0-9A-Za-z_-]{60,}={0,2}\.[0-9A-Za-z_-]{60,}={0,2}|y[0-3]_A[0-9A-Za-z_-]{50,})
scaleway-key-id	weak_prefix	scw	Scaleway documentation, API keys	(SCW[0-9A-Z]{17}\b)
# azure
azure-secret	token	q~	Microsoft Entra documentation, client secrets (a digit and Q~ after three characters)	([0-9A-Za-z_.~-]{3}\dQ~[0-9A-Za-z_.~-]{19,33}[0-9A-Za-z_~-])
azure-key	whole_run	jqqj99 ¦ azdo ¦ azse ¦ +acr ¦ azfu ¦ acdb ¦ apim ¦ +ast ¦ +aba ¦ +amc ¦ aiot ¦ azca ¦ +asb ¦ +aeh ¦ +arm	Microsoft security utilities, common annotated and identifiable keys	([A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}|[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}|[A-Za-z0-9+/]{42}(?:AzSe|\+ACR)[A-Za-z0-9+/]{6}|[A-Za-z0-9_-]{44}AzFu[A-Za-z0-9_=-]{8}|[A-Za-z0-9+/]{76}(?:ACDb|APIM|\+(?:ASt|ABa|AMC))[A-Za-z0-9+/]{6}==|[A-Za-z0-9+/]{33}(?:AIoT|AzCa|\+(?:ASb|AEh|ARm))[A-Za-z0-9+/]{6}=)
azure-sas	token	sig=	Microsoft documentation, shared access signatures	[?&;]sig=([A-Za-z0-9%+/]{40,90}(?:%3[Dd]|=)?)
azure-refresh-token	token	.ag	trufflehog (Microsoft Entra refresh tokens)	⟨edge⟩([01]\.A[0-9A-Za-z_-]{50,}(?:\.\d)?\.Ag[0-9A-Za-z_-]{60,}(?:\.A[0-9A-Za-z_-]{60,})?)
# hosts
digitalocean-token	token	dop_v1_ ¦ doo_v1_ ¦ dor_v1_ ¦ do00 ¦ do801	DigitalOcean documentation, API tokens and Spaces keys	⟨edge⟩(do[opr]_v1_[0-9a-f]{20,}|DO(?:00|801)[0-9A-Z]{16}\b)
heroku-key	unless_words	hrku-	Heroku changelog, format of API keys	(HRKU-[0-9A-Za-z_-]{20,})
fly-token	unless_words	fo1_ ¦ fm1a_ ¦ fm1r_ ¦ fm2_	Fly.io documentation, access tokens	(fo1_[0-9A-Za-z_-]{20,}|fm1[ar]_[0-9A-Za-z+/]{20,}={0,3}|fm2_[0-9A-Za-z+/]{20,}={0,3})
render-key	weak_prefix	rnd_	Render documentation, API keys; GitHub's published list of patterns	(rnd_[0-9A-Za-z]{20,})
vercel-token	token	vcp_ ¦ vci_ ¦ vca_ ¦ vcr_ ¦ vck_ ¦ vercel_blob_rw_	Vercel documentation, tokens; secretlint	(vc[piark]_[0-9A-Za-z]{20,}|vercel_blob_rw_[0-9A-Za-z_]{20,})
netlify-token	unless_words	nfp_ ¦ nfc_ ¦ nfo_ ¦ nfu_ ¦ nfb_	Netlify documentation, personal access tokens	(nf[pcoub]_[0-9A-Za-z_]{20,})
cloudflare-token	sound:cloudflare	cfut_ ¦ cfat_ ¦ cfk_ ¦ v1.0-	Cloudflare documentation, token formats	⟨edge⟩(cf(?:ut|at|k)_[0-9A-Za-z]{20,}|v1\.0-[0-9a-f]{24}-[0-9a-f]{20,})
cloudflare-tunnel-token	token	eyjhijoi	Cloudflare documentation, tunnel tokens (base64 of JSON that begins with "a")	(eyJhIjoi[0-9A-Za-z+/_-]{80,}={0,2})
tailscale-key	unless_words	tskey-	Tailscale documentation, key prefixes	(tskey-[a-z]{2,20}-[0-9A-Za-z_]{8,40}(?:-[0-9A-Za-z_]{6,})?)
openshift-token	token	sha256~	OpenShift documentation, OAuth access tokens	(sha256~[0-9A-Za-z_-]{20,})
kubeadm-token	distinct	token	Kubernetes documentation, bootstrap tokens	(?i)token[\"']?[=: ]\s{0,3}[\"']?([a-z0-9]{6}\.[a-z0-9]{16})\b
# data
databricks-token	token	dapi ¦ dose	Databricks documentation, personal access tokens and OAuth secrets	(dapi[0-9a-f]{20,}(?:-\d)?|dose[0-9a-f]{32}\b)
supabase-key	unless_words	sb_secret_ ¦ sbp_	Supabase documentation, API keys	(sb_secret_[0-9A-Za-z_-]{20,}|sbp_(?:v0_|oauth_)?[0-9a-z]{20,})
planetscale-token	unless_words	pscale_	PlanetScale documentation, service tokens and passwords	(pscale_(?:tkn|pw|oauth|otkn)_[0-9A-Za-z_.=-]{19,}[0-9A-Za-z_=-])
neon-key	weak_prefix	napi_ ¦ npg_	Neon documentation, API keys; GitHub's published list of patterns	(napi_[0-9A-Za-z]{20,}|npg_[0-9A-Za-z]{12,})
mongodb-atlas-secret	unless_words	mdb_sa_sk_	MongoDB Atlas documentation, service accounts	(mdb_sa_sk_[0-9A-Za-z_-]{20,})
clickhouse-key	token	4b1d	ClickHouse Cloud documentation, API keys; gitleaks	(4b1d[0-9A-Za-z]{38}\b)
aiven-password	unless_words	avns_	Aiven documentation, service passwords; DigitalOcean's databases use the form as well	(AVNS_[0-9A-Za-z_-]{15,})
cockroach-key	token	ccdb1_	CockroachDB Cloud documentation, API keys	(CCDB1_[0-9A-Za-z]{20,}(?:_[0-9A-Za-z]{8,})?)
pinecone-key	unless_words	pcsk_	Pinecone documentation, API keys	(pcsk_[0-9A-Za-z_]{20,})
elastic-key	unless_words	essu_	Elastic Cloud documentation, API keys	(essu_[0-9A-Za-z+/=_-]{20,})
confluent-secret	token	cflt	Confluent Cloud documentation, format of API secrets	(cflt[0-9A-Za-z+/]{56,})
tinybird-token	token	p.eyj	Tinybird documentation, auth tokens	(p\.eyJ[0-9A-Za-z_-]{20,}(?:\.[0-9A-Za-z_-]+)?)
xata-key	unless_words	xau_	Xata documentation, API keys	(xau_[0-9A-Za-z]{20,})
# models
anthropic-key	unless_words	sk-ant-	provider's documentation; secretlint	(sk-ant-[a-z]{2,10}\d\d-[0-9A-Za-z_-]{20,})
openai-key	unless_words	sk-	provider's documentation; the same form is used by compatible services	(sk-(?:(?:proj|svcacct|service|admin|None)-[0-9A-Za-z_-]{20,}|[0-9A-Za-z_-]{20,80}T3BlbkFJ[0-9A-Za-z_-]{8,}))
sk-key	distinct	sk-	provider's documentation: the form before 2024; DeepSeek and other compatible services have it	(sk-[0-9A-Za-z]{20,})
openrouter-key	token	sk-or-v1-	provider's documentation	(sk-or-v1-[0-9a-f]{20,})
langfuse-key	token	sk-lf-	Langfuse documentation, API keys (the public one begins with pk)	(sk-lf-[0-9a-f-]{16,})
cerebras-key	unless_words	csk-	provider's documentation; GitHub's published list of patterns	(csk-[0-9a-z]{20,})
elevenlabs-key	token	sk_	provider's documentation; trufflehog	(sk_[0-9a-f]{48})
huggingface-token	token	hf_ ¦ api_org_	provider's documentation; gitleaks	⟨edge⟩((?:hf|api_org)_[0-9A-Za-z]{20,})
groq-key	token	gsk_	provider's documentation; secretlint	(gsk_[0-9A-Za-z]{20,})
xai-key	unless_words	xai-	trufflehog	(xai-(?:token-)?[0-9A-Za-z_]{20,})
replicate-token	unless_words	r8_	trufflehog	(r8_[0-9A-Za-z_-]{20,})
perplexity-key	token	pplx-	gitleaks	(pplx-[0-9A-Za-z]{20,})
nvidia-key	unless_words	nvapi-	trufflehog	(nvapi-[0-9A-Za-z_-]{20,})
together-key	unless_words	tgp_v1_	provider's documentation; GitHub's published list of patterns	(tgp_v1_[0-9A-Za-z_-]{20,})
langsmith-key	token	lsv2_	LangSmith documentation, API keys; trufflehog	(lsv2_(?:pt|sk)_[0-9a-f]{20,}(?:_[0-9a-f]{4,})?)
tavily-key	unless_words	tvly-	provider's documentation	(tvly-(?:dev-|prod-)?[0-9A-Za-z_-]{20,})
wandb-key	unless_words	wandb_v1_	Weights and Biases documentation; GitHub's published list of patterns	(wandb_v1_[0-9A-Za-z_]{20,})
e2b-key	token	e2b_	E2B documentation, API keys	(e2b_[0-9a-f]{20,})
jina-key	token	jina_	Jina documentation, API keys	(jina_[0-9a-f]{20,}[0-9A-Za-z_-]*)
runpod-key	unless_words	rpa_	RunPod documentation, API keys	(rpa_[0-9A-Za-z]{20,})
cursor-key	token	crsr_	Cursor documentation, API keys	(crsr_[0-9a-f]{20,})
llamacloud-key	unless_words	llx-	LlamaCloud documentation, API keys	(llx-[0-9A-Za-z]{20,})
apify-token	token	apify_api_	Apify documentation, API tokens	(apify_api_[0-9A-Za-z-]{20,})
helicone-key	unless_words	-helicone-	Helicone documentation, API keys	⟨edge⟩((?:sk|pk)-helicone-[0-9a-z-]{20,})
# payments
stripe-key	unless_words	_live_ ¦ _test_ ¦ _prod_ ¦ _sbox_ ¦ whsec_ ¦ _secret_	Stripe documentation; publishable keys (pk_) are public; Clerk and Svix use the forms as well	⟨edge⟩((?:sk|rk)_(?:live|test|prod|org_live|org_test|sbox)_[0-9A-Za-z]{10,}|whsec_[0-9A-Za-z+/=]{20,}|pi_[0-9A-Za-z]{16,}_secret_[0-9A-Za-z]{16,})
square-token	unless_words	sq0	Square documentation, credentials	(sq0[a-z]{3}-[0-9A-Za-z_-]{20,})
square-access-token	whole_run	eaaa	Square documentation, access tokens; gitleaks	(EAAA[0-9A-Za-z_-]{22,})
braintree-token	token	access_token$	Braintree documentation, access tokens	(access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{20,})
razorpay-key	token	rzp_	Razorpay documentation, API keys	(rzp_(?:live|test)_[0-9A-Za-z]{14,})
flutterwave-key	token	flwseck	Flutterwave documentation, API keys	(FLWSECK(?:_TEST)?-?[0-9A-Za-z]{12,}(?:-X)?)
plaid-token	token	access-sandbox- ¦ access-development- ¦ access-production-	Plaid documentation, access tokens	(access-(?:sandbox|development|production)-[0-9a-f-]{16,})
shopify-token	token	shp	Shopify documentation, access tokens; gitleaks	(shp[a-z]{2,3}_[0-9a-fA-F]{20,})
easypost-key	unless_words	ezak ¦ eztk	EasyPost documentation, API keys	(EZ[AT]K[0-9A-Za-z]{20,})
duffel-token	unless_words	duffel_	Duffel documentation, access tokens	(duffel_(?:test|live)_[0-9A-Za-z_=-]{20,})
shippo-token	token	shippo_	Shippo documentation, API tokens	(shippo_(?:live|test)_[0-9a-fA-F]{20,})
live-key	distinct	live_ ¦ test_ ¦ sandbox_	Lob, Mollie and GoCardless documentation; 32 digits behind test_ are names of hashed files	⟨edge⟩(live_(?:pub_)?[0-9a-f]{31,35}\b|test_(?:pub_)?[0-9a-f]{31}\b|test_(?:pub_)?[0-9a-f]{33,35}\b|(?:live|test)_[0-9A-Za-z]{30}\b|(?:live|sandbox)_[0-9A-Za-z_-]{40})
paddle-key	token	pdl_	Paddle documentation, API keys	(pdl_(?:live|sdbx)_apikey_[0-9a-z]{16,}(?:_[0-9A-Za-z]{1,40}){0,2}|pdl_ntfset_[0-9a-z]{16,}(?:_[0-9A-Za-z+/]{1,64})?)
xendit-key	token	xnd_	Xendit documentation, API keys	(xnd_(?:production|development)_[0-9A-Za-z]{20,})
midtrans-key	unless_words	mid-server-	Midtrans documentation, server keys	⟨edge⟩((?:SB-)?Mid-server-[0-9A-Za-z_-]{20,})
mercadopago-token	token	app_usr- ¦ test-	Mercado Pago documentation, credentials	⟨edge⟩(APP_USR-\d{13,20}-[0-9a-f-]+|TEST-\d{13,20}-\d{6}-[0-9a-f-]{20,})
pagarme-key	token	ak_live_ ¦ ak_test_	Pagar.me documentation; trufflehog	(ak_(?:live|test)_[0-9A-Za-z]{20,})
ramp-secret	token	ramp_sec_	Ramp documentation; trufflehog	(ramp_sec_[0-9A-Za-z]{20,})
# messaging
slack-token	unless_words	xoxa ¦ xoxb ¦ xoxc ¦ xoxd ¦ xoxe ¦ xoxo ¦ xoxp ¦ xoxr ¦ xoxs ¦ xapp-	Slack documentation, token types	(xox[a-z](?:-|\.xox[a-z]-)[0-9A-Za-z%+/=_-]{8,}|xapp-\d-[0-9A-Za-z-]{16,})
webhook-url	token	hooks.slack.com ¦ /api/webhooks/ ¦ webhook.office.com ¦ hooks.zapier.com ¦ .tines.com/webhook/ ¦ /bot/v2/hook/ ¦ /webhook/send ¦ oapi.dingtalk.com	Slack, Discord, Teams, Zapier, Tines, Feishu, WeCom and DingTalk documentation: who has the address may post	hooks\.slack\.com/(?:services|workflows|triggers)/([0-9A-Za-z+/]{30,})|discord(?:app)?\.com/api/webhooks/(\d{17,20}/[0-9A-Za-z_-]{40,})|webhook\.office\.com/webhookb2/([0-9A-Za-z@/-]{60,})|hooks\.zapier\.com/hooks/catch/([0-9A-Za-z/]{10,})|\.tines\.com/webhook/([0-9a-z]{32}/[0-9a-z]{32})|/open-apis/bot/v2/hook/([0-9a-f-]{30,})|/cgi-bin/webhook/send\?key=([0-9a-f-]{30,})|oapi\.dingtalk\.com/robot/send\?access_token=([0-9a-f]{40,})
telegram-token	not_filler	:aa	Telegram Bot API documentation	⟨edge⟩(?:bot)?(\d{8,10}:AA[0-9A-Za-z_-]{20,33})
mail-key	standing_alone	key- ¦ -us1 ¦ -us2 ¦ -us3 ¦ -us4 ¦ -us5 ¦ -us6 ¦ -us7 ¦ -us8 ¦ -us9 ¦ -us0 ¦ sib- ¦ mlsn. ¦ mailgun	Mailgun, Mailchimp, Brevo and MailerSend documentation	⟨edge⟩(key-[0-9a-f]{32}\b|[0-9a-f]{32}-us\d{1,2}\b|[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}\b|x(?:key|smtp)sib-[0-9A-Za-z_-]{32,}|mlsn\.[0-9a-f]{32,})
telnyx-key	token	key0	Telnyx documentation, API keys	(KEY[0-9A-F]{20,}(?:_[0-9A-Za-z]*)?)
pubnub-secret	token	sec-c-	PubNub documentation, secret keys	(sec-c-[0-9A-Za-z]{20,}={0,2})
intercom-token	token	dg9ro	Intercom documentation, access tokens ("tok:" in base64)	(dG9rO[0-9A-Za-z+/]{48,}={0,2})
onesignal-key	token	os_v2_	OneSignal documentation, keys	(os_v2_(?:app|org)_[0-9a-z]{20,})
courier-key	token	k_prod_ ¦ k_test_	Courier documentation, API keys	⟨edge⟩((?:pk|dk)_(?:prod|test)_[0-9A-Z]{28}\b)
klaviyo-key	token	pk_	Klaviyo documentation, private keys; trufflehog	(pk_(?:[0-9A-Za-z]{6}_)?[0-9a-f]{30,34}\b)
facebook-token	whole_run	eaa ¦ igqv ¦ igqw ¦ igaa	Meta documentation, access tokens	⟨edge⟩(EAA[A-Z][0-9A-Za-z]{60,}|IG(?:QV|QW|AA)[0-9A-Za-z_-]{60,})
twitter-token	whole_run	aaaaaaaaaaaaaaaaaaaaa	X developer documentation, bearer tokens; gitleaks	⟨edge⟩(A{21,22}[B-Za-z0-9%][0-9A-Za-z%]{59,109})
linkedin-secret	token	wpl_ap	LinkedIn documentation, client secrets	(WPL_AP\d\.[0-9A-Za-z]{10,}(?:\.[0-9A-Za-z+/=]*)?)
pinterest-token	unless_words	pina_ ¦ pinr_	Pinterest documentation, access tokens	(pin[ar]_[0-9A-Za-z]{20,})
# monitoring
grafana-token	unless_words	glsa_ ¦ glc_ ¦ eyjrijoi	Grafana documentation, service account, cloud and legacy API keys	⟨edge⟩(glsa_[0-9A-Za-z]{20,}(?:_[0-9a-fA-F]{0,8})?|glc_[0-9A-Za-z+/]{20,}={0,3}|eyJrIjoi[0-9A-Za-z+/]{40,}={0,3})
sentry-token	token	sntry	Sentry documentation, auth tokens	(sntrys_eyJ[0-9A-Za-z+/=_]{20,}|sntry[uai]_[0-9a-f]{20,})
posthog-key	unless_words	phx_ ¦ phs_	PostHog documentation, personal API keys	(ph[xs]_[0-9A-Za-z_-]{20,})
newrelic-key	unless_words	nrak- ¦ nrii- ¦ nriq- ¦ nrjs- ¦ nrbr- ¦ nral ¦ -nrma	New Relic documentation, API keys	⟨edge⟩(NRAK-[0-9A-Z]{20,}|NR(?:II|IQ)-[0-9A-Za-z_-]{20,}|NR(?:JS|BR)-[0-9a-f]{19}\b|[0-9a-f]{36}NRAL|(?:[0-9a-f]{32}|eu01xx[0-9a-f]{26})FFFFNRAL|(?:AA[0-9a-f]{40}|eu01xx[0-9a-f]{36})-NRMA)
dynatrace-token	token	dt0	Dynatrace documentation, token format	(dt0[a-z]\d\d\.[0-9A-Za-z]{24}\.[0-9A-Za-z]{20,})
statsig-key	distinct	secret-	Statsig documentation, server secret keys; Stytch documentation, project secrets	(secret-(?:live-|test-)?[0-9A-Za-z_-]{36,}={0,2})
honeycomb-key	token	hca ¦ hcb ¦ hcx ¦ hcd	Honeycomb documentation, API keys	(hc[a-z]{1,3}k_[0-9a-z]{20,})
logfire-token	token	pylf_v	Logfire documentation, write tokens	(pylf_v\d_(?:[a-z]{2}_)?[0-9A-Za-z]{20,})
rootly-key	token	rootly_	Rootly documentation; trufflehog	(rootly_[0-9a-f]{20,})
ubidots-token	token	bbff-	trufflehog (Ubidots)	(BBFF-[0-9A-Za-z]{30}\b)
axiom-token	token	xaat- ¦ xapt-	Axiom documentation, API and personal tokens	(xa[ap]t-[0-9a-f-]{16,})
adafruit-key	weak_prefix	aio_	Adafruit IO documentation, keys	(aio_[0-9A-Za-z]{28}\b)
# work
linear-key	unless_words	lin_	Linear documentation, API keys	(lin_(?:api|oauth|wh)_[0-9A-Za-z_]{20,})
notion-token	distinct	ntn_ ¦ secret_	Notion documentation, integration tokens	⟨edge⟩(ntn_[0-9A-Za-z]{20,}|secret_[0-9A-Za-z]{43}\b)
figma-token	unless_words	figd_ ¦ figo_ ¦ figp_ ¦ figor_ ¦ figur_ ¦ figuh_ ¦ figoh_ ¦ figdr_	Figma documentation, personal access tokens; secretlint	(fig(?:d|o|p|or|ur|uh|oh|dr)_[0-9A-Za-z_=-]{20,})
postman-key	token	pmak-	Postman documentation, API keys	(PMAK-[0-9a-fA-F]{20,}(?:-[0-9a-fA-F]{0,34})?)
hubspot-token	unless_words	pat-na ¦ pat-eu ¦ pat-ap	HubSpot documentation, private app tokens	(pat-(?:na|eu|ap)\d-[0-9A-Za-z-]{16,})
typeform-token	unless_words	tfp_	Typeform documentation, personal access tokens	(tfp_[0-9A-Za-z_.=-]{19,}[0-9A-Za-z_=-])
contentful-token	unless_words	cfpat-	Contentful documentation, personal access tokens	(CFPAT-[0-9A-Za-z_-]{20,})
frameio-token	unless_words	fio-u-	Frame.io documentation, developer tokens	(fio-u-[0-9A-Za-z_=-]{20,})
readme-key	token	rdme_	ReadMe documentation, API keys	(rdme_[0-9a-z]{20,})
adobe-secret	unless_words	p8e-	Adobe documentation, OAuth server-to-server credentials	(p8e-[0-9A-Za-z_-]{20,})
mapbox-token	token	sk.eyj	Mapbox documentation, secret access tokens	(sk\.eyJ[0-9A-Za-z_-]{20,}(?:\.[0-9A-Za-z_-]{10,})?)
maxmind-key	token	_mmk	MaxMind documentation, license keys	⟨edge⟩([0-9A-Za-z]{6}_[0-9A-Za-z]{29}_mmk\b)
clickup-token	token	pk_	ClickUp documentation, personal tokens	(pk_\d{6,12}_[0-9A-Z]{10,})
authress-key	token	.acc_ ¦ .acc-	Authress documentation, service client keys; gitleaks	⟨edge⟩((?:sc|ext|scauth|authress)_[0-9A-Za-z]{5,30}\.[0-9A-Za-z]{4,6}\.acc[_-][0-9A-Za-z-]{10,32}\.[0-9A-Za-z+/_=-]{20,})
settlemint-token	token	sm_aat_ ¦ sm_pat_ ¦ sm_sat_	SettleMint documentation, access tokens; gitleaks	(sm_(?:aat|pat|sat)_[0-9A-Za-z]{16,})
intra42-secret	token	s-s4t2	42 API documentation; gitleaks	(s-s4t2(?:ud|af)-[0-9a-f]{20,})
salesforce-token	token	00d ¦ 5aep861	Salesforce documentation, session ids and refresh tokens; trufflehog	⟨edge⟩(00D[0-9A-Za-z]{12,15}![0-9A-Za-z_.]{60,}[0-9A-Za-z_]|5AEP861[0-9A-Za-z._=]{60,}[0-9A-Za-z_=])
zoho-token	token	1000.	Zoho documentation, OAuth tokens	(1000\.[0-9a-f]{32}\.[0-9a-f]{32}\b)
bannerbear-key	token	bb_pr_ ¦ bb_ma_	Bannerbear documentation, API keys; trufflehog	(bb_(?:pr|ma)_[0-9a-f]{20,})
calcom-key	token	cal_	Cal.com documentation, API keys	(cal_(?:live|test)_[0-9a-f]{16,}|cal_[0-9a-f]{32}\b)
# vaults
vault-token	unless_words	hvs. ¦ hvb. ¦ hvr.	HashiCorp Vault documentation, tokens	(hv[sbr]\.[0-9A-Za-z_-]{20,})
vault-service-token	distinct	token	HashiCorp Vault documentation, tokens before 1.10	(?i)token["']?[=: \t]{1,24}["']?([sb]\.[0-9a-z]{24})\b
doppler-token	token	dp.pt. ¦ dp.ct. ¦ dp.sa ¦ dp.st. ¦ dp.scim. ¦ dp.audit.	Doppler documentation, API reference, tokens	(dp\.(?:pt|ct|sa|said|scim|audit|st(?:\.[0-9a-z_-]{2,35})?)\.[0-9A-Za-z]{20,})
onepassword-token	token	ops_eyj	1Password documentation, service accounts	(ops_eyJ[0-9A-Za-z+/_-]{20,}={0,3})
onepassword-secret-key	token	a3-	1Password documentation, Secret Key	(A3-[0-9A-Z]{6}-(?:[0-9A-Z]{11}|[0-9A-Z]{6}-[0-9A-Z]{5})(?:-[0-9A-Z]{5}){3}\b)
okta-token	token	ssws	Okta documentation, API tokens	SSWS\s{1,3}(00[0-9A-Za-z_-]{20,})
ory-token	unless_words	ory_	Ory documentation, token formats	(ory_(?:at|rt|ac|pat|st|wak|apikey)_[0-9A-Za-z_.-]{19,}[0-9A-Za-z_-])
# short
sendgrid-key	distinct	sg.	SendGrid documentation, API keys	(SG\.[0-9A-Za-z_=-]{16,32}\.[0-9A-Za-z_=-]{16,64}|SG\.[0-9A-Za-z_=.-]{66})
discord-token	distinct	mt ¦ mj ¦ mz ¦ nd ¦ nt ¦ nj ¦ nz ¦ od ¦ ot	Discord documentation (a user's number in base64); detect-secrets	⟨edge⟩((?:M[Tjz]|N[DTjz]|O[DT])[0-9A-Za-z_-]{22,26}\.[0-9A-Za-z_-]{6}\.[0-9A-Za-z_-]{27,38})
twilio-key	distinct	sk0 ¦ sk1 ¦ sk2 ¦ sk3 ¦ sk4 ¦ sk5 ¦ sk6 ¦ sk7 ¦ sk8 ¦ sk9 ¦ ska ¦ skb ¦ skc ¦ skd ¦ ske ¦ skf	Twilio documentation, API keys	(SK[0-9a-fA-F]{32}\b)
nats-seed	distinct:nkey	su ¦ sa ¦ so ¦ sn ¦ sc ¦ sx	NATS documentation, nkeys	(S[UAONCX][A-Z2-7]{56}\b)
airtable-token	distinct	pat	Airtable documentation, personal access tokens	(pat[0-9A-Za-z]{14}\.[0-9a-f]{20,})
harness-token	distinct	pat. ¦ sat.	Harness documentation, API keys	⟨edge⟩([ps]at\.[0-9A-Za-z_-]{22}\.[0-9A-Za-z]{24}\.[0-9A-Za-z]{10,20}\b)
infisical-token	distinct	st.	Infisical documentation, service tokens	(st\.[0-9a-f-]{24,36}\.[0-9a-f]{32}\.[0-9a-f]{20,})
resend-key	distinct	re_	Resend documentation, API keys	(re_[0-9A-Za-z]{8}_[0-9A-Za-z]{20,26}\b)
fireworks-key	distinct	fw_	provider's documentation; GitHub's published list of patterns	(fw_[0-9A-Za-z]{22,24}\b)
modal-token	distinct	ak- ¦ as-	Modal documentation, tokens	(a[ks]-[0-9A-Za-z]{22}\b)
voyage-key	distinct	pa-	Voyage AI documentation, API keys	(pa-[0-9A-Za-z_-]{43})
firecrawl-key	distinct	fc-	Firecrawl documentation, API keys	(fc-[0-9a-f]{32}\b)
dropbox-token	distinct	sl.	Dropbox documentation, OAuth; trufflehog	(sl\.(?:u\.)?[0-9A-Za-z_-]{60,})
yandex-static-key	beside_no_hash	yc	Yandex Cloud documentation, static access keys	(YC[0-9A-Za-z_-]{38})
octopus-key	distinct	api-	Octopus Deploy documentation, API keys	(API-[0-9A-Z]{25,27}\b)
phabricator-token	distinct	api- ¦ cli-	Phabricator documentation, Conduit API	⟨edge⟩((?:api|cli)-[0-9a-z]{28}\b)
launchdarkly-key	distinct	sdk- ¦ api-	LaunchDarkly documentation, API access tokens and SDK keys	⟨edge⟩((?:sdk|api)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b)
asana-token	distinct	0/ ¦ 1/ ¦ 2/	Asana documentation, personal access tokens; trufflehog	⟨edge⟩([0-2]/\d{12,20}(?:/\d{12,20})?:[0-9a-f]{32}\b)
facebook-app-token	app_secret	0| ¦ 1| ¦ 2| ¦ 3| ¦ 4| ¦ 5| ¦ 6| ¦ 7| ¦ 8| ¦ 9| ¦ %7c	Meta documentation, app access tokens; gitleaks	⟨edge⟩(\d{15,17}(?:\||%7[Cc])[0-9A-Za-z_-]{27,40})
""",
    *(token, distinct, weak_prefix, whole_run, standing_alone, not_filler, is_jose, encoded_pem),
    *(beside_no_hash, app_secret, of_value(encodes_a_token)),
    {
        "unless_words": unless_words(),
        "unless_words:github_or_npm": unless_words(github_or_npm),
        "sound:github_or_npm": sound(github_or_npm),
        "sound:cloudflare": sound(cloudflare),
        "sound:bech32": sound(bech32),
        "distinct:nkey": distinct_or_nkey,
    },
)
