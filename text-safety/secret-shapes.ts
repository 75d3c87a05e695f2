/** Patterns of tokens and keys: linear time, one line each; they stop changes and hide secrets. */
import { secretNameOf, type SecretName } from '../orchestrator/model/secret-names.ts';

/** `sure` stops a change. A wider `seen` hides more and asks a person. */
export type SecretShape = readonly [sure: RegExp, what: SecretName, seen?: RegExp];
export const SECRET_SHAPES: readonly SecretShape[] = [
  [/\bgh[opsur]_[A-Za-z0-9]{36}/, secretNameOf('token', 'GitHub'), /\bgh[opsur]_[A-Za-z0-9]{16}/],
  [
    /\bghs_\d{1,20}_[A-Za-z0-9_-]{16,1000}\.[A-Za-z0-9_-]{16,2000}\.[A-Za-z0-9_-]{16}/,
    secretNameOf('token', 'GitHub'),
  ],
  [/\bgithub_pat_[A-Za-z0-9_]{40}/, secretNameOf('token', 'GitHub'), /\bgithub_pat_[A-Za-z0-9_]{16}/],
  [
    /\bglpat-[A-Za-z0-9_-]{20}/,
    secretNameOf('token', 'GitLab'),
    /\bglpat-[A-Za-z0-9_-]{16,64}(?:\.[0-9a-z]{2}\.[A-Za-z0-9]{9})?/,
  ],
  [/\bgl(?:dt|rt|cbt|ptt|agent|soat|ft|imt|ffct)-[A-Za-z0-9_-]{20}/, secretNameOf('token', 'GitLab')],
  [/\bATBB[A-Za-z0-9]{32}\b/, secretNameOf('password', 'Bitbucket')],
  [/\bBBDC-[A-Za-z0-9+/]{44}/, secretNameOf('token', 'Bitbucket')],
  [/\bAT(?:A|C)TT3xFf[A-Za-z0-9_=-]{40}/, secretNameOf('token', 'Atlassian')],
  [
    /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/,
    secretNameOf('access_key', 'AWS'),
    /\b(?:AKIA|ASIA|A3T[A-Z0-9])[A-Z0-9]{16}\b/,
  ],
  [
    /\b(?<keep>(?:(?:aws|AWS|Aws)_?)?(?:secret|SECRET|Secret)_?(?:(?:access|ACCESS|Access)_?)?(?:key|KEY|Key)["'`]?[ \t]{0,9}(?:=>|[:=]{1,2})[ \t]{0,9}["'`]?)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])/,
    secretNameOf('secret_key', 'AWS'),
  ],
  [/\bABSK[A-Za-z0-9+/]{109}/, secretNameOf('key', 'AWS')],
  [/\bLTAI[A-Za-z0-9]{20}\b/, secretNameOf('key', 'Alibaba')],
  [/\bAKID[A-Za-z0-9]{32}\b/, secretNameOf('key', 'Tencent')],
  [/\bAGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}/, secretNameOf('private_key')],
  [/\bPuTTY-User-Key-File-[23]:/, secretNameOf('private_key')],
  [/\bPrivate-MAC: {0,3}[a-f0-9]{40}/, secretNameOf('private_key')],
  // DER prefixes of keys: RSA, PKCS#8 of RSA, EC and Ed25519, SEC 1, OpenSSH.
  [/\bMII[A-Za-z0-9+/]{1,2}[A-Za-z0-9+/]{0,2}IBAAKC[A-Za-z0-9+/]{40}/, secretNameOf('private_key')],
  [/\bMII[A-Za-z0-9+/]{1,5}IBADANBgkqhkiG9w0BAQEFAASC[A-Za-z0-9+/]{20}/, secretNameOf('private_key')],
  [/\bM(?:IG|C4|HcC|IHu|HQC|IHcA)[A-Za-z0-9+/]{0,6}AgEAM[A-Za-z0-9+/]{24}/, secretNameOf('private_key')],
  [/\bM(?:C4|FMC|FEC)AQ[A-Za-z0-9+/]{1,3}wBQYDK2Vw[A-Za-z0-9+/]{20}/, secretNameOf('private_key')],
  [/\bM(?:HcCAQEEI|GkAgEBBDA|IHcAgEBBEI)[A-Za-z0-9+/]{40}/, secretNameOf('private_key')],
  [/\bb3BlbnNzaC1rZXktdjE[A-Za-z0-9+/]{20}/, secretNameOf('private_key')],
  // A PEM key in Base64.
  [
    /\bLS0tLS1CRUdJTi[A-Za-z0-9+/]{0,24}(?:UFJJVkFURSBLRV|BSSVZBVEUgS0VZ|QUklWQVRFIEtFW)[A-Za-z0-9+/]{20,}={0,2}/,
    secretNameOf('private_key'),
  ],
  [/\bxox[abeoprs]-[A-Za-z0-9-]{10}/, secretNameOf('token', 'Slack')],
  [/\bxapp-\d-[A-Z0-9]{8,15}-\d{8,15}-[a-f0-9]{32}/, secretNameOf('token', 'Slack')],
  [
    /\bhooks\.slack\.com\/services\/T[A-Z0-9]{8,12}\/B[A-Z0-9]{8,12}\/[A-Za-z0-9]{20}/,
    secretNameOf('webhook', 'Slack'),
  ],
  [/\bdiscord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[A-Za-z0-9_-]{60}/, secretNameOf('webhook', 'Discord')],
  [
    /\b[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}\b/,
    secretNameOf('bot_token', 'Discord'),
  ],
  [
    /\bwebhook\.office\.com\/webhookb2\/[a-f0-9-]{36}@[a-f0-9-]{36}\/[A-Za-z]{1,30}\/[a-f0-9]{32}/,
    secretNameOf('webhook', 'Teams'),
  ],
  [
    /\bopen\.(?:feishu\.cn|larksuite\.com)\/open-apis\/bot\/v2\/hook\/[a-f0-9]{8}-[a-f0-9-]{27}/,
    secretNameOf('webhook', 'Feishu'),
  ],
  [/\boapi\.dingtalk\.com\/robot\/send\?access_token=[a-f0-9]{64}/, secretNameOf('webhook', 'DingTalk')],
  [
    /\bqyapi\.weixin\.qq\.com\/cgi-bin\/webhook\/send\?key=[a-f0-9]{8}-[a-f0-9-]{27}/,
    secretNameOf('webhook', 'WeCom'),
  ],
  [/\bhooks\.zapier\.com\/hooks\/catch\/\d{4,12}\/[a-z0-9]{6,12}/, secretNameOf('webhook', 'Zapier')],
  [
    /\bsk-(?:ant-|proj-|live-|or-v1-|svcacct-|admin-)?[A-Za-z0-9_-]{32}/,
    secretNameOf('api_key'),
    /\bsk-[A-Za-z0-9_-]{16}/,
  ],
  [/\b[rs]k_live_[A-Za-z0-9]{20}/, secretNameOf('key', 'Stripe'), /\b[rs]k_(?:live|test)_[A-Za-z0-9]{20}/],
  [/\bsk_[a-f0-9]{48}\b/, secretNameOf('api_key')],
  [/\bwhsec_[A-Za-z0-9+/]{32}/, secretNameOf('webhook_secret')],
  [/\bAIza[A-Za-z0-9_-]{35}\b/, secretNameOf('api_key', 'Google'), /\bAIza[A-Za-z0-9_-]{30}/],
  [/\bAQ\.Ab[A-Za-z0-9_-]{45}/, secretNameOf('api_key', 'Google')],
  [/\bGOCSPX-[A-Za-z0-9_-]{28}\b/, secretNameOf('client_secret', 'Google')],
  [/\bya29\.[A-Za-z0-9_-]{40}/, secretNameOf('access_token', 'Google')],
  [/\b1\/\/0[A-Za-z0-9_-]{40}/, secretNameOf('refresh_token', 'Google')],
  [/\bnpm_[A-Za-z0-9]{36}\b/, secretNameOf('token', 'npm'), /\bnpm_[A-Za-z0-9]{30}/],
  [/\b(?<keep>_authToken[ \t]{0,3}=[ \t]{0,3}["']?)[A-Za-z0-9+/=_-]{20,}/, secretNameOf('registry_token')],
  [/\boy2[a-z0-9]{43}\b/, secretNameOf('key', 'NuGet')],
  [/\bpypi-AgEI[A-Za-z0-9_-]{50}/, secretNameOf('token', 'PyPI')],
  [/\brubygems_[a-f0-9]{48}\b/, secretNameOf('key', 'RubyGems')],
  [/\bCLOJARS_[a-z0-9]{60}/, secretNameOf('token', 'Clojars')],
  [/\bAKCp[A-Za-z0-9]{69}/, secretNameOf('key', 'Artifactory')],
  [/\bcmVmdGtu[A-Za-z0-9]{56}/, secretNameOf('token', 'Artifactory')],
  [/\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{27}/, secretNameOf('token', 'Docker')],
  [/\b(?:hf|api_org)_[A-Za-z]{34}\b/, secretNameOf('token', 'Hugging Face')],
  [/\bgsk_[A-Za-z0-9]{50}/, secretNameOf('key', 'Groq')],
  [/\bxai-[A-Za-z0-9]{80}/, secretNameOf('key', 'xAI')],
  [/\bpplx-[A-Za-z0-9]{48}/, secretNameOf('key', 'Perplexity')],
  [/\br8_[A-Za-z0-9]{37}\b/, secretNameOf('token', 'Replicate')],
  [/\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b/, secretNameOf('bot_token', 'Telegram'), /\b\d{6,12}:[A-Za-z0-9_-]{30}/],
  [
    /\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}\b/,
    secretNameOf('key', 'SendGrid'),
    /\bSG\.[A-Za-z0-9_-]{12,64}\.[A-Za-z0-9_-]{12}/,
  ],
  [/\bkey-[a-f0-9]{32}\b/, secretNameOf('key', 'Mailgun')],
  [/\b[a-f0-9]{32}-us\d{1,2}\b/, secretNameOf('key', 'Mailchimp')],
  [/\bxkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}/, secretNameOf('key', 'Brevo')],
  [/\bSK[a-f0-9]{32}\b/, secretNameOf('key', 'Twilio')],
  [/\bdo[opr]_v1_[a-f0-9]{64}\b/, secretNameOf('token', 'DigitalOcean')],
  [/\bHRKU-AA[A-Za-z0-9_-]{58}/, secretNameOf('key', 'Heroku')],
  [
    /\bshp(?:at|ca|pa|ss|pca|ppa)_[a-fA-F0-9]{32}\b/,
    secretNameOf('token', 'Shopify'),
    /\bshp(?:at|ca|pa|ss|ppa)_[A-Za-z0-9]{32}/,
  ],
  [/\bsq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22}/, secretNameOf('token', 'Square')],
  [/\bEAA(?:AE|AAE|MC)[A-Za-z0-9_-]{60}/, secretNameOf('access_token')],
  [/\blin_(?:api|oauth)_[A-Za-z0-9]{32}/, secretNameOf('key', 'Linear')],
  [/\b(?:secret|ntn)_[A-Za-z0-9]{43,50}\b/, secretNameOf('token', 'Notion')],
  [/\bfigd_[A-Za-z0-9_-]{40}/, secretNameOf('token', 'Figma')],
  [/\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b/, secretNameOf('key', 'Postman')],
  [/\bdapi[a-fA-F0-9]{32}\b/, secretNameOf('token', 'Databricks')],
  [/\bhv[sbr]\.[A-Za-z0-9_-]{24}/, secretNameOf('token', 'Vault')],
  [/\bglsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}\b/, secretNameOf('token', 'Grafana')],
  [/\bglc_[A-Za-z0-9+/]{32}/, secretNameOf('token', 'Grafana')],
  [/\beyJrIjoi[A-Za-z0-9+/]{60}/, secretNameOf('key', 'Grafana')],
  [/\bNRAK-[A-Z0-9]{27}\b/, secretNameOf('key', 'New Relic')],
  [/\bsntry[su]_[A-Za-z0-9+/=_-]{43}/, secretNameOf('token', 'Sentry')],
  [/\bdt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}/, secretNameOf('token', 'Dynatrace')],
  [/\bpul-[a-f0-9]{40}\b/, secretNameOf('token', 'Pulumi')],
  [/\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60}/, secretNameOf('token', 'Terraform')],
  [/\btskey-[a-z]{2,20}-[A-Za-z0-9_]{6,40}-[A-Za-z0-9_]{16}/, secretNameOf('key', 'Tailscale')],
  [/\bops_eyJ[A-Za-z0-9_-]{100}/, secretNameOf('token', '1Password')],
  [/\bdp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{40}/, secretNameOf('token', 'Doppler')],
  [/\bsbp_[a-f0-9]{40}\b/, secretNameOf('token', 'Supabase')],
  [/\bsb_secret_[A-Za-z0-9_-]{22}/, secretNameOf('key', 'Supabase')],
  [/\bpscale_(?:tkn|pw|oauth)_[A-Za-z0-9_=.-]{32}/, secretNameOf('token', 'PlanetScale')],
  [/\bvc[piark]_[A-Za-z0-9]{24}/, secretNameOf('token', 'Vercel')],
  [/\bnf[pck]_[A-Za-z0-9]{36}/, secretNameOf('token', 'Netlify')],
  [/\brnd_[A-Za-z0-9]{28}/, secretNameOf('key', 'Render')],
  [/\bcf(?:k|ut|at)_[A-Za-z0-9]{48}/, secretNameOf('token', 'Cloudflare')],
  [/\bfm[12][ar]?_[A-Za-z0-9+/=_-]{80}/, secretNameOf('token', 'Fly.io')],
  [/\bsgp_(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}\b/, secretNameOf('token', 'Sourcegraph')],
  [/\bsq[pua]_[a-f0-9]{40}\b/, secretNameOf('token', 'SonarQube')],
  [/\bCCIPAT_[A-Za-z0-9]{22}_[a-f0-9]{40}/, secretNameOf('token', 'CircleCI')],
  [/\bbkua_[a-z0-9]{40}/, secretNameOf('token', 'Buildkite')],
  [/\brdme_[a-z0-9]{70}/, secretNameOf('key', 'ReadMe')],
  [/\bpnu_[A-Za-z0-9]{36}\b/, secretNameOf('key', 'Prefect')],
  [/\bico-[A-Za-z0-9]{32}\b/, secretNameOf('key', 'Infracost')],
  [/\bpat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b/, secretNameOf('token', 'Airtable')],
  [/\bCFPAT-[A-Za-z0-9_-]{43}/, secretNameOf('token', 'Contentful')],
  [/\btfp_[A-Za-z0-9_.=-]{59}/, secretNameOf('token', 'Typeform')],
  [/\bshippo_(?:live|test)_[a-f0-9]{40}/, secretNameOf('token', 'Shippo')],
  [/\bduffel_(?:live|test)_[A-Za-z0-9_=-]{43}/, secretNameOf('token', 'Duffel')],
  [/\bEZ[AT]K[A-Za-z0-9]{54}/, secretNameOf('key', 'EasyPost')],
  [/\bFLWSECK(?:_TEST)?-[a-h0-9]{12}/, secretNameOf('key', 'Flutterwave')],
  [/\baccess-(?:sandbox|development|production)-[a-f0-9]{8}-[a-f0-9-]{27}/, secretNameOf('token', 'Plaid')],
  [/\bsl\.(?:u\.)?[A-Za-z0-9_-]{130}/, secretNameOf('token', 'Dropbox')],
  [/\bsha256~[A-Za-z0-9_-]{43}\b/, secretNameOf('token', 'OpenShift')],
  [/\bsk\.eyJ[A-Za-z0-9_-]{40,200}\.[A-Za-z0-9_-]{20}/, secretNameOf('token', 'Mapbox')],
  [/\bcio[A-Za-z0-9]{32}\b/, secretNameOf('token', 'crates.io')],
  [/\bpackagist_(?:ort|uut)_[a-f0-9]{60}/, secretNameOf('token', 'Packagist')],
  [/\bGR1348941[A-Za-z0-9_-]{20}\b/, secretNameOf('token', 'GitLab')],
  [/\bpcsk_[A-Za-z0-9]{5,6}_[A-Za-z0-9]{60}/, secretNameOf('key', 'Pinecone')],
  [/\blsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}\b/, secretNameOf('key', 'LangSmith')],
  [/\bnvapi-[A-Za-z0-9_-]{60}/, secretNameOf('key', 'NVIDIA')],
  [/\btgp_v1_[A-Za-z0-9_-]{40}/, secretNameOf('key', 'Together')],
  [/\bjina_[a-f0-9]{32}[A-Za-z0-9_-]{28}/, secretNameOf('key', 'Jina')],
  [/\be2b_[a-f0-9]{40}\b/, secretNameOf('key', 'E2B')],
  [/\bfc-[a-f0-9]{32}\b/, secretNameOf('key', 'Firecrawl')],
  [/\btvly-(?:dev-|prod-)?[A-Za-z0-9]{32}\b/, secretNameOf('key', 'Tavily')],
  [/\bwandb_v1_[A-Za-z0-9_]{60}/, secretNameOf('key', 'Weights & Biases')],
  [/\bcsk-[a-z0-9]{48}\b/, secretNameOf('key', 'Cerebras')],
  [/\bpat-(?:na|eu|ap)\d-[a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}\b/, secretNameOf('token', 'HubSpot')],
  [/\bre_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}\b/, secretNameOf('key', 'Resend')],
  [/\bmlsn\.[a-f0-9]{64}\b/, secretNameOf('token', 'MailerSend')],
  [/\bpk_\d{6,9}_[A-Z0-9]{32}\b/, secretNameOf('token', 'ClickUp')],
  [/\bnapi_[a-z0-9]{64}\b/, secretNameOf('key', 'Neon')],
  [/\bmdb_sa_sk_[A-Za-z0-9_-]{40}/, secretNameOf('secret_key', 'MongoDB')],
  [/\bhc[abc]ik_[a-z0-9]{58}\b/, secretNameOf('key', 'Honeycomb')],
  [/\bNRII-[A-Za-z0-9_-]{32}/, secretNameOf('key', 'New Relic')],
  [/\bphx_[A-Za-z0-9]{40}/, secretNameOf('key', 'PostHog')],
  [/\bdd[pwo]_[A-Za-z0-9]{36}\b/, secretNameOf('token', 'Deno')],
  [/\bv1\.0-[a-f0-9]{24}-[a-f0-9]{146}\b/, secretNameOf('key', 'Cloudflare')],
  [/\bakab-[a-z0-9]{16}-[a-z0-9]{16}\b/, secretNameOf('key', 'Akamai')],
  [/\bAKLT[A-Za-z0-9]{40}/, secretNameOf('key', 'Volcengine')],
  [
    /\bA3-[A-Z0-9]{6}-[A-Z0-9]{5,6}-?[A-Z0-9]{5,6}-(?:[A-Z0-9]{5}-){2}[A-Z0-9]{5}\b/,
    secretNameOf('key', '1Password'),
  ],
  [/\baccess_token\$production\$[a-z0-9]{16}\$[a-f0-9]{32}\b/, secretNameOf('access_token', 'PayPal')],
  [/\b[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}\b/, secretNameOf('token', 'Azure DevOps')],
  [/\bAccountKey=[A-Za-z0-9+/]{86}==/, secretNameOf('storage_key', 'Azure')],
  [/\bSharedAccessKey=[A-Za-z0-9+/]{43}=/, secretNameOf('key', 'Azure')],
  [/\b[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}/, secretNameOf('client_secret', 'Azure')],
];

/** PEM header with the rest of its line; SSH2 has four dashes and blanks. */
export const KEY_BEGINS =
  /(?:-----BEGIN ?|---- BEGIN )(?:[A-Z0-9]{2,10} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{4,5}(?:(?:\\{1,4}[nr]|[ \t"',])*[A-Za-z0-9+/=]{16,})*(?:(?:\\{1,4}[nr]|[ \t])*[A-Za-z0-9+/=]{1,15}(?=\\|[ \t]*-----END))?(?:(?:\\{1,4}[nr]|[ \t])*-----END [A-Z ]{1,40}-----)?/g;

/** Key bytes, perhaps as a string; one character of a diff may precede them. */
export const KEY_BYTES =
  /^(?<before>[-+ ]?[ \t]*(?:(?:\/\/|[#*>|])[ \t]*)?["'`]?)(?<bytes>(?:[A-Za-z0-9+/]{40,}|(?=[^\n]{0,64}\d)(?=[^\n]{0,64}[a-z])(?=[^\n]{0,64}[A-Z])[A-Za-z0-9+/]{16,})={0,2}|[A-Za-z0-9+/]{2,}={1,2})(?:\\{1,4}[nr]){0,2}["'`]?[ \t]*[,;+.\\]?[ \t]*\r?$/;

/** Headers between the first line of a key and its bytes. */
export const KEY_HEADER = /^[-+ ]?[ \t]*(?:[A-Z][A-Za-z0-9-]{1,30}: [^\n]{0,120})?\r?$/;

export const NAMED_SECRET = secretNameOf('named_secret');
/** Too uncertain to stop a change: hidden, and left to a person. `keep` stays visible. */
export const LIKELY_SECRET_SHAPES: readonly (readonly [RegExp, SecretName])[] = [
  [/\beyJ[A-Za-z0-9_-]{8,512}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g, secretNameOf('signed_token')],
  [
    /(?<keep>:\/\/)(?![${<%*[]|[^\s:/@]{0,64}:(?:\$|\{|%[({sd]|\*|x{3}))(?:[^\s/@<>"'`:]{0,256}:[^\s/<>"'`]{1,256}|(?=[^@\s]{0,256}\d)[A-Za-z0-9_-]{16,256}):?(?=@[^\s@])/gi,
    secretNameOf('address_password'),
  ],
  [
    /(?<keep>\b(?:bearer|basic)[ \t]{1,9})(?=[^\s]{0,256}[\d=])[A-Za-z0-9._~+/=-]{12,}/gi,
    secretNameOf('header_credential'),
  ],
  [
    /(?<keep>(?:passw(?:or)?d|passphrase|pwd|secret|token|credential|api[_-]?key|(?:access|auth|private|secret|encryption|signing|master|client|deploy|(?:pre)?-?shared)[_-]?key)[\w-]{0,64}["'`]?[ \t]{0,20}(?:=>|[:=]{1,3})[ \t]{0,20}["'`]?)(?=[^\s"'`<>&\d]{0,64}\d)(?=[^\s"'`<>&A-Za-z]{0,64}[A-Za-z])[A-Za-z0-9+/_.=~!%^*-]{12,}/gi,
    NAMED_SECRET,
  ],
  [
    /(?<keep>(?:passw(?:or)?d|passphrase|secret|api[_-]?key)[\w-]{0,32}["'`]?[ \t]{0,20}(?:=>|[:=]{1,3})[ \t]{0,20}["'`])(?=[^"'`\s]{0,64}[^A-Za-z_."'`\s-])[^"'`\s<>${}()[\]]{8,256}(?=["'`])/gi,
    NAMED_SECRET,
  ],
  [
    /(?<keep>(?:passw(?:or)?[dt]|passphrase|pwd|kennwort|contrase[ñn]a|senha|密码|口令|密钥|令牌)[\w.-]{0,32}["'`]?[ \t]{0,9}(?:：|[:=]{1,3})[ \t]{0,9}["'`]?)(?=[^\s"'`]{0,64}\d)(?=[^\s"'`]{0,64}[A-Za-z])[^\s"'`<>${}()[\],;]{6,256}/gi,
    NAMED_SECRET,
  ],
  [
    /(?<keep>:_(?:auth(?:Token)?|password)[ \t]{0,3}=[ \t]{0,3}["']?|^[-+ ]?_auth(?:Token)?[ \t]{0,3}=[ \t]{0,3}["']?)(?![$<{])[A-Za-z0-9+/=_-]{8,}/gm,
    secretNameOf('registry_credential'),
  ],
  [
    /(?<keep>proxy[ \t]{0,3}[=:][ \t]{0,3}["']?)[^\s:/@"']{1,64}:(?![$<{*])[^\s/"']{1,256}(?=@[^\s@])/gi,
    secretNameOf('address_password'),
  ],
  [
    /(?<keep>\bmachine[ \t]{1,9}\S{1,256}[ \t]{1,9}login[ \t]{1,9}\S{1,256}[ \t]{1,9}password[ \t]{1,9})\S{1,256}/g,
    secretNameOf('password', '.netrc'),
  ],
  [
    /(?<keep>\bcurl\b[^\n]{0,200}?[ \t](?:-u|--user)[ \t=]{0,3}["']?[^\s:"'$]{1,64}:)(?![$<{*])[^\s"']{4,256}/g,
    secretNameOf('password', 'curl'),
  ],
  // Name and value apart: `<add key="Password" value="…">`, `{"name": "TOKEN", "value": "…"}`.
  [
    /(?<keep>(?:passw(?:or)?d|secret|token|api[_-]?key)[\w.-]{0,32}["'][ \t]{0,3},?[ \t]{0,9}["']?value["']?[ \t]{0,3}[:=][ \t]{0,3}["'])(?=[^"'\s]{0,64}\d)[^"'\s<>${}]{6,256}(?=["'])/gi,
    NAMED_SECRET,
  ],
  [
    /(?<keep>\bauthorization["'`]?[ \t]{0,9}(?:=>|[:=,])[ \t]{0,9}["'`]?(?:[A-Za-z-]{3,20}[ \t]{1,3})?)(?=[^\s"'`]{0,256}\d)[A-Za-z0-9._~+/=-]{12,}/gi,
    secretNameOf('header_credential'),
  ],
  [
    /(?<keep>\b(?:set-)?cookie["'`]?[ \t]{0,3}[:=][ \t]{0,3}["'`]?[\w.-]{1,64}=)(?=[^\s;"'`]{0,256}\d)[^\s;"'`<>${}]{16,}/gi,
    secretNameOf('header_credential'),
  ],
  [
    /(?<keep>^[-+ ]?[ \t]{0,9}password[ \t]{1,9})(?=\S{0,64}\d)[^\s:="'`<>${}()]{6,256}(?=[ \t]*\r?$)/gim,
    secretNameOf('password', '.netrc'),
  ],
  // JSON Web Keys (RFC 7517) and registry credentials.
  [/(?<keep>"[dk]"[ \t]{0,3}:[ \t]{0,3}")[A-Za-z0-9_-]{40,}(?=")/g, secretNameOf('private_key')],
  [
    /(?<keep>"auth"[ \t]{0,3}:[ \t]{0,3}")[A-Za-z0-9+/]{12,}={0,2}(?=")/g,
    secretNameOf('registry_credential'),
  ],
  [/(?<keep>[?&]sig=)[A-Za-z0-9%+/=]{43,}/g, secretNameOf('signed_address')],
];
