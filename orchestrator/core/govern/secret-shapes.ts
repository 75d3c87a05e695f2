/**
 * Shapes of tokens and keys as their issuers print them: the one list for what stops a change and for what is hidden wherever it
 * is shown. Each begins with letters of its own and every repetition is bounded or the last, so that a text costs its length,
 * whoever wrote it. No shape crosses a line.
 */

/** `sure` stops a change. Where `seen` is wider, what only it knows is hidden and left to a person. */
export type Shape = readonly [sure: RegExp, what: string, seen?: RegExp];
export const SHAPES: readonly Shape[] = [
  [/\bgh[opsur]_[A-Za-z0-9]{36}/, 'a GitHub token', /\bgh[opsur]_[A-Za-z0-9]{16}/],
  [/\bghs_\d{1,20}_[A-Za-z0-9_-]{16,1000}\.[A-Za-z0-9_-]{16,2000}\.[A-Za-z0-9_-]{16}/, 'a GitHub token'],
  [/\bgithub_pat_[A-Za-z0-9_]{40}/, 'a GitHub token', /\bgithub_pat_[A-Za-z0-9_]{16}/],
  [/\bglpat-[A-Za-z0-9_-]{20}/, 'a GitLab token', /\bglpat-[A-Za-z0-9_-]{16}/],
  [/\bgl(?:dt|rt|cbt|ptt|agent|soat|ft|imt|ffct)-[A-Za-z0-9_-]{20}/, 'a GitLab token'],
  [/\bATBB[A-Za-z0-9]{32}\b/, 'a Bitbucket password'],
  [/\bBBDC-[A-Za-z0-9+/]{44}/, 'a Bitbucket token'],
  [/\bAT(?:A|C)TT3xFf[A-Za-z0-9_=-]{40}/, 'an Atlassian token'],
  [/\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/, 'an AWS access key', /\b(?:AKIA|ASIA|A3T[A-Z0-9])[A-Z0-9]{16}\b/],
  [
    /\b(?<keep>(?:(?:aws|AWS|Aws)_?)?(?:secret|SECRET|Secret)_?(?:(?:access|ACCESS|Access)_?)?(?:key|KEY|Key)["'`]?[ \t]{0,9}(?:=>|[:=]{1,2})[ \t]{0,9}["'`]?)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])/,
    'an AWS secret key',
  ],
  [/\bABSK[A-Za-z0-9+/]{109}/, 'an AWS key'],
  [/\bLTAI[A-Za-z0-9]{20}\b/, 'an Alibaba key'],
  [/\bAKID[A-Za-z0-9]{32}\b/, 'a Tencent key'],
  [/\bAGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}/, 'a private key'],
  [/\bPuTTY-User-Key-File-[23]:/, 'a private key'],
  [/\bPrivate-MAC: {0,3}[a-f0-9]{40}/, 'a private key'],
  // How the bytes of keys begin: RSA, PKCS#8 of RSA, EC and Ed25519, SEC 1, OpenSSH.
  [/\bMII[A-Za-z0-9+/]{1,2}[A-Za-z0-9+/]{0,2}IBAAKC[A-Za-z0-9+/]{40}/, 'a private key'],
  [/\bMII[A-Za-z0-9+/]{1,5}IBADANBgkqhkiG9w0BAQEFAASC[A-Za-z0-9+/]{20}/, 'a private key'],
  [/\bM(?:IG|C4|HcC|IHu|HQC|IHcA)[A-Za-z0-9+/]{0,6}AgEAM[A-Za-z0-9+/]{24}/, 'a private key'],
  [/\bM(?:C4|FMC|FEC)AQ[A-Za-z0-9+/]{1,3}wBQYDK2Vw[A-Za-z0-9+/]{20}/, 'a private key'],
  [/\bM(?:HcCAQEEI|GkAgEBBDA|IHcAgEBBEI)[A-Za-z0-9+/]{40}/, 'a private key'],
  [/\bb3BlbnNzaC1rZXktdjE[A-Za-z0-9+/]{20}/, 'a private key'],
  [/\bxox[abeoprs]-[A-Za-z0-9-]{10}/, 'a Slack token'],
  [/\bxapp-\d-[A-Z0-9]{8,15}-\d{8,15}-[a-f0-9]{32}/, 'a Slack token'],
  [/\bhooks\.slack\.com\/services\/T[A-Z0-9]{8,12}\/B[A-Z0-9]{8,12}\/[A-Za-z0-9]{20}/, 'a Slack webhook'],
  [/\bdiscord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[A-Za-z0-9_-]{60}/, 'a Discord webhook'],
  [/\b[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}\b/, 'a Discord bot token'],
  [
    /\bwebhook\.office\.com\/webhookb2\/[a-f0-9-]{36}@[a-f0-9-]{36}\/[A-Za-z]{1,30}\/[a-f0-9]{32}/,
    'a Teams webhook',
  ],
  [
    /\bsk-(?:ant-|proj-|live-|or-v1-|svcacct-|admin-)?[A-Za-z0-9_-]{32}/,
    'an API key',
    /\bsk-[A-Za-z0-9_-]{16}/,
  ],
  [/\b[rs]k_live_[A-Za-z0-9]{20}/, 'a Stripe key', /\b[rs]k_(?:live|test)_[A-Za-z0-9]{20}/],
  [/\bwhsec_[A-Za-z0-9+/]{32}/, 'a webhook secret'],
  [/\bAIza[A-Za-z0-9_-]{35}\b/, 'a Google API key', /\bAIza[A-Za-z0-9_-]{30}/],
  [/\bGOCSPX-[A-Za-z0-9_-]{28}\b/, 'a Google client secret'],
  [/\bya29\.[A-Za-z0-9_-]{40}/, 'a Google access token'],
  [/\b1\/\/0[A-Za-z0-9_-]{40}/, 'a Google refresh token'],
  [/\bnpm_[A-Za-z0-9]{36}\b/, 'an npm token', /\bnpm_[A-Za-z0-9]{30}/],
  [/\b(?<keep>_authToken[ \t]{0,3}=[ \t]{0,3}["']?)[A-Za-z0-9+/=_-]{20,}/, 'a token of a registry'],
  [/\boy2[a-z0-9]{43}\b/, 'a NuGet key'],
  [/\bpypi-AgEI[A-Za-z0-9_-]{50}/, 'a PyPI token'],
  [/\brubygems_[a-f0-9]{48}\b/, 'a RubyGems key'],
  [/\bCLOJARS_[a-z0-9]{60}/, 'a Clojars token'],
  [/\bAKCp[A-Za-z0-9]{69}/, 'an Artifactory key'],
  [/\bcmVmdGtu[A-Za-z0-9]{56}/, 'an Artifactory token'],
  [/\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{27}/, 'a Docker token'],
  [/\b(?:hf|api_org)_[A-Za-z]{34}\b/, 'a Hugging Face token'],
  [/\bgsk_[A-Za-z0-9]{50}/, 'a Groq key'],
  [/\bxai-[A-Za-z0-9]{80}/, 'an xAI key'],
  [/\bpplx-[A-Za-z0-9]{48}/, 'a Perplexity key'],
  [/\br8_[A-Za-z0-9]{37}\b/, 'a Replicate token'],
  [/\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b/, 'a Telegram bot token', /\b\d{6,12}:[A-Za-z0-9_-]{30}/],
  [
    /\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}\b/,
    'a SendGrid key',
    /\bSG\.[A-Za-z0-9_-]{12,64}\.[A-Za-z0-9_-]{12}/,
  ],
  [/\bkey-[a-f0-9]{32}\b/, 'a Mailgun key'],
  [/\b[a-f0-9]{32}-us\d{1,2}\b/, 'a Mailchimp key'],
  [/\bxkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}/, 'a Brevo key'],
  [/\bSK[a-f0-9]{32}\b/, 'a Twilio key'],
  [/\bdo[opr]_v1_[a-f0-9]{64}\b/, 'a DigitalOcean token'],
  [/\bHRKU-AA[A-Za-z0-9_-]{58}/, 'a Heroku key'],
  [
    /\bshp(?:at|ca|pa|ss|pca|ppa)_[a-fA-F0-9]{32}\b/,
    'a Shopify token',
    /\bshp(?:at|ca|pa|ss|ppa)_[A-Za-z0-9]{32}/,
  ],
  [/\bsq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22}/, 'a Square token'],
  [/\bEAA(?:AE|AAE|MC)[A-Za-z0-9_-]{60}/, 'an access token'],
  [/\blin_(?:api|oauth)_[A-Za-z0-9]{32}/, 'a Linear key'],
  [/\b(?:secret|ntn)_[A-Za-z0-9]{43,50}\b/, 'a Notion token'],
  [/\bfigd_[A-Za-z0-9_-]{40}/, 'a Figma token'],
  [/\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b/, 'a Postman key'],
  [/\bdapi[a-fA-F0-9]{32}\b/, 'a Databricks token'],
  [/\bhv[sbr]\.[A-Za-z0-9_-]{24}/, 'a Vault token'],
  [/\bglsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}\b/, 'a Grafana token'],
  [/\bglc_[A-Za-z0-9+/]{32}/, 'a Grafana token'],
  [/\beyJrIjoi[A-Za-z0-9+/]{60}/, 'a Grafana key'],
  [/\bNRAK-[A-Z0-9]{27}\b/, 'a New Relic key'],
  [/\bsntry[su]_[A-Za-z0-9+/=_-]{43}/, 'a Sentry token'],
  [/\bdt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}/, 'a Dynatrace token'],
  [/\bpul-[a-f0-9]{40}\b/, 'a Pulumi token'],
  [/\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60}/, 'a Terraform token'],
  [/\btskey-[a-z]{2,20}-[A-Za-z0-9_]{6,40}-[A-Za-z0-9_]{16}/, 'a Tailscale key'],
  [/\bops_eyJ[A-Za-z0-9_-]{100}/, 'a 1Password token'],
  [/\bdp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.-]{40}/, 'a Doppler token'],
  [/\bsbp_[a-f0-9]{40}\b/, 'a Supabase token'],
  [/\bsb_secret_[A-Za-z0-9_-]{22}/, 'a Supabase key'],
  [/\bpscale_(?:tkn|pw|oauth)_[A-Za-z0-9_=.-]{32}/, 'a PlanetScale token'],
  [/\bvc[piark]_[A-Za-z0-9]{24}/, 'a Vercel token'],
  [/\bnf[pck]_[A-Za-z0-9]{36}/, 'a Netlify token'],
  [/\brnd_[A-Za-z0-9]{28}/, 'a Render key'],
  [/\bcf(?:k|ut|at)_[A-Za-z0-9]{48}/, 'a Cloudflare token'],
  [/\bfm[12][ar]?_[A-Za-z0-9+/=_-]{80}/, 'a Fly.io token'],
  [/\bsgp_(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}\b/, 'a Sourcegraph token'],
  [/\bsq[pua]_[a-f0-9]{40}\b/, 'a SonarQube token'],
  [/\bCCIPAT_[A-Za-z0-9]{22}_[a-f0-9]{40}/, 'a CircleCI token'],
  [/\bbkua_[a-z0-9]{40}/, 'a Buildkite token'],
  [/\brdme_[a-z0-9]{70}/, 'a ReadMe key'],
  [/\bpnu_[A-Za-z0-9]{36}\b/, 'a Prefect key'],
  [/\bico-[A-Za-z0-9]{32}\b/, 'an Infracost key'],
  [/\bpat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b/, 'an Airtable token'],
  [/\bCFPAT-[A-Za-z0-9_-]{43}/, 'a Contentful token'],
  [/\btfp_[A-Za-z0-9_.=-]{59}/, 'a Typeform token'],
  [/\bshippo_(?:live|test)_[a-f0-9]{40}/, 'a Shippo token'],
  [/\bduffel_(?:live|test)_[A-Za-z0-9_=-]{43}/, 'a Duffel token'],
  [/\bEZ[AT]K[A-Za-z0-9]{54}/, 'an EasyPost key'],
  [/\bFLWSECK(?:_TEST)?-[a-h0-9]{12}/, 'a Flutterwave key'],
  [/\baccess-(?:sandbox|development|production)-[a-f0-9]{8}-[a-f0-9-]{27}/, 'a Plaid token'],
  [/\bsl\.(?:u\.)?[A-Za-z0-9_-]{130}/, 'a Dropbox token'],
  [/\bsha256~[A-Za-z0-9_-]{43}\b/, 'an OpenShift token'],
  [/\bsk\.eyJ[A-Za-z0-9_-]{40,200}\.[A-Za-z0-9_-]{20}/, 'a Mapbox token'],
  [/\bAccountKey=[A-Za-z0-9+/]{86}==/, 'an Azure storage key'],
  [/\bSharedAccessKey=[A-Za-z0-9+/]{43}=/, 'an Azure key'],
  [/\b[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}/, 'an Azure client secret'],
];

/** `-----BEGIN … PRIVATE KEY-----` with what follows on its line. */
export const KEY_BEGINS =
  /-----BEGIN ?(?:[A-Z0-9]{2,10} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:(?:\\{1,4}[nr]|[ \t"',])*[A-Za-z0-9+/=]{16,})*(?:(?:\\{1,4}[nr]|[ \t])*[A-Za-z0-9+/=]{1,15}(?=\\|[ \t]*-----END))?(?:(?:\\{1,4}[nr]|[ \t])*-----END [A-Z ]{1,40}-----)?/g;

/** Nothing but bytes of a key, perhaps as a string of a program; one sign of a diff may stand before it. */
export const KEY_BYTES =
  /^(?<before>[-+ ]?[ \t]*(?:(?:\/\/|[#*>|])[ \t]*)?["'`]?)(?<bytes>(?:[A-Za-z0-9+/]{40,}|(?=[^\n]{0,64}\d)(?=[^\n]{0,64}[a-z])(?=[^\n]{0,64}[A-Z])[A-Za-z0-9+/]{16,})={0,2}|[A-Za-z0-9+/]{2,}={1,2})(?:\\{1,4}[nr]){0,2}["'`]?[ \t]*[,;+.\\]?[ \t]*\r?$/;

/** What may stand between the first line of a key and its bytes. */
export const KEY_HEADER = /^[-+ ]?[ \t]*(?:[A-Z][A-Za-z0-9-]{1,30}: [^\n]{0,120})?\r?$/;

export const NAMED = 'a secret with its name';
/** What is rarely enough a secret to leave it to a person, and often enough to be hidden. `keep` stays to be read. */
export const LIKELY: readonly (readonly [RegExp, string])[] = [
  [/\beyJ[A-Za-z0-9_-]{8,512}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g, 'a signed token'],
  [
    /(?<keep>:\/\/)(?![${<%*[]|[^\s:/@]{0,64}:(?:\$|\{|%[({sd]|\*|x{3}))(?:[^\s/@<>"'`:]{0,256}:[^\s/<>"'`]{1,256}|(?=[^@\s]{0,256}\d)[A-Za-z0-9_-]{16,256}):?(?=@[^\s@])/gi,
    'a password in an address',
  ],
  [
    /(?<keep>\b(?:bearer|basic)[ \t]{1,9})(?=[^\s]{0,256}[\d=])[A-Za-z0-9._~+/=-]{12,}/gi,
    'a credential of a header',
  ],
  [
    /(?<keep>(?:passw(?:or)?d|passphrase|pwd|secret|token|credential|api[_-]?key|(?:access|auth|private|secret|encryption|signing)[_-]?key)[\w-]{0,64}["'`]?[ \t]{0,20}(?:=>|[:=]{1,3})[ \t]{0,20}["'`]?)(?=[^\s"'`<>&]{0,256}\d)(?=[^\s"'`<>&]{0,256}[A-Za-z])[A-Za-z0-9+/_.=~!%^*-]{12,}/gi,
    NAMED,
  ],
  [
    /(?<keep>(?:passw(?:or)?d|passphrase|secret|api[_-]?key)[\w-]{0,32}["'`]?[ \t]{0,20}(?:=>|[:=]{1,3})[ \t]{0,20}["'`])(?=[^"'`\s]{0,64}[^A-Za-z_."'`\s-])[^"'`\s<>${}()[\]]{8,256}(?=["'`])/gi,
    NAMED,
  ],
  [
    /(?<keep>(?:passw(?:or)?d|passphrase|pwd)[\w.-]{0,32}["'`]?[ \t]{0,9}[:=]{1,3}[ \t]{0,9}["'`]?)(?=[^\s"'`]{0,64}\d)(?=[^\s"'`]{0,64}[A-Za-z])[^\s"'`<>${}()[\],;]{6,256}/gi,
    NAMED,
  ],
  [
    /(?<keep>:_(?:auth(?:Token)?|password)[ \t]{0,3}=[ \t]{0,3}["']?|^[-+ ]?_auth(?:Token)?[ \t]{0,3}=[ \t]{0,3}["']?)(?![$<{])[A-Za-z0-9+/=_-]{8,}/gm,
    'a credential of a registry',
  ],
  [
    /(?<keep>proxy[ \t]{0,3}[=:][ \t]{0,3}["']?)[^\s:/@"']{1,64}:(?![$<{*])[^\s/"']{1,256}(?=@[^\s@])/gi,
    'a password in an address',
  ],
  [
    /(?<keep>\bmachine[ \t]{1,9}\S{1,256}[ \t]{1,9}login[ \t]{1,9}\S{1,256}[ \t]{1,9}password[ \t]{1,9})\S{1,256}/g,
    'a password of .netrc',
  ],
  [
    /(?<keep>\bcurl\b[^\n]{0,200}?[ \t](?:-u|--user)[ \t=]{0,3}["']?[^\s:"'$]{1,64}:)(?![$<{*])[^\s"']{4,256}/g,
    'a password of curl',
  ],
  [/(?<keep>[?&]sig=)[A-Za-z0-9%+/=]{43,}/g, 'a signed address'],
];
