/**
 * Shapes of tokens and keys, one list for two uses. What stops a change is of high confidence only: a wrong alarm teaches
 * people not to read. What is shown hides more: there a false alarm costs a word, and a miss costs a key.
 */

/**
 * Each begins with letters of its own and every repetition is bounded or the last: a text costs its length, whoever wrote it.
 * The shapes are those that the issuers print.
 */
type Shape = readonly [sure: RegExp, what: string, hidden?: RegExp];
const SHAPES: readonly Shape[] = [
  [/\bgh[opsur]_[A-Za-z0-9]{36}/, 'a GitHub token', /\bgh[opsur]_[A-Za-z0-9]{16}/],
  [/\bgithub_pat_[A-Za-z0-9_]{40}/, 'a GitHub token', /\bgithub_pat_[A-Za-z0-9_]{16}/],
  [/\bglpat-[A-Za-z0-9_-]{20}/, 'a GitLab token', /\bglpat-[A-Za-z0-9_-]{16}/],
  [/\bgl(?:dt|rt|cbt|ptt|agent|soat|ft|imt)-[A-Za-z0-9_-]{20}/, 'a GitLab token'],
  [/\bATBB[A-Za-z0-9]{32}\b/, 'a Bitbucket password'],
  [/\bATATT3xFf[A-Za-z0-9_=-]{40}/, 'an Atlassian token'],
  [/\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/, 'an AWS access key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
  [
    /-----BEGIN (?:[A-Z]{2,10} ){0,3}PRIVATE KEY(?: BLOCK)?-----/,
    'a private key',
    // All of it, also when its end was cut off.
    /-----BEGIN (?:[A-Z]{2,10} ){0,3}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]{1,40}-----|$)/,
  ],
  [/\bAGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}/, 'a private key'],
  [
    /\bPuTTY-User-Key-File-[23]:/,
    'a private key',
    /\bPuTTY-User-Key-File-[23]:[\s\S]*?(?:Private-MAC:[ \t]{0,9}|$)/,
  ],
  [/\bxox[abeoprs]-[A-Za-z0-9-]{10}/, 'a Slack token'],
  [/\bxapp-\d-[A-Z0-9]{8,15}-\d{8,15}-[a-f0-9]{32}/, 'a Slack token'],
  [/\bhooks\.slack\.com\/services\/T[A-Z0-9]{8,12}\/B[A-Z0-9]{8,12}\/[A-Za-z0-9]{20}/, 'a Slack webhook'],
  [/\bdiscord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[A-Za-z0-9_-]{60}/, 'a Discord webhook'],
  [/\b[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}\b/, 'a Discord bot token'],
  [/\bsk-(?:ant-|proj-|live-|or-v1-|svcacct-)?[A-Za-z0-9_-]{32}/, 'an API key', /\bsk-[A-Za-z0-9_-]{16}/],
  [/\b[rs]k_live_[A-Za-z0-9]{20}/, 'a Stripe key'],
  [/\bwhsec_[A-Za-z0-9+/]{32}/, 'a webhook secret'],
  [/\bAIza[A-Za-z0-9_-]{35}\b/, 'a Google API key', /\bAIza[A-Za-z0-9_-]{30}/],
  [/\bGOCSPX-[A-Za-z0-9_-]{28}\b/, 'a Google client secret'],
  [/\bya29\.[A-Za-z0-9_-]{40}/, 'a Google access token'],
  [/\bnpm_[A-Za-z0-9]{36}\b/, 'an npm token', /\bnpm_[A-Za-z0-9]{30}/],
  [/\bpypi-AgEI[A-Za-z0-9_-]{50}/, 'a PyPI token'],
  [/\brubygems_[a-f0-9]{48}\b/, 'a RubyGems key'],
  [/\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{27}/, 'a Docker token'],
  [/\bhf_[A-Za-z]{34}\b/, 'a Hugging Face token'],
  [/\bgsk_[A-Za-z0-9]{50}/, 'a Groq key'],
  [/\bxai-[A-Za-z0-9]{80}/, 'an xAI key'],
  [/\br8_[A-Za-z0-9]{37}\b/, 'a Replicate token'],
  [/\b\d{8,10}:AA[A-Za-z0-9_-]{33}\b/, 'a Telegram bot token', /\b\d{6,12}:[A-Za-z0-9_-]{30}/],
  [/\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}\b/, 'a SendGrid key'],
  [/\bkey-[a-f0-9]{32}\b/, 'a Mailgun key'],
  [/\bSK[a-f0-9]{32}\b/, 'a Twilio key'],
  [/\bdo[opr]_v1_[a-f0-9]{64}\b/, 'a DigitalOcean token'],
  [/\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b/, 'a Shopify token'],
  [/\bsq0(?:atp|csp)-[A-Za-z0-9_-]{22}/, 'a Square token'],
  [/\blin_(?:api|oauth)_[A-Za-z0-9]{40}/, 'a Linear key'],
  [/\b(?:secret|ntn)_[A-Za-z0-9]{43,50}\b/, 'a Notion token'],
  [/\bfigd_[A-Za-z0-9_-]{40}/, 'a Figma token'],
  [/\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b/, 'a Postman key'],
  [/\bdapi[a-f0-9]{32}\b/, 'a Databricks token'],
  [/\bhvs\.[A-Za-z0-9_-]{24}/, 'a Vault token'],
  [/\bglsa_[A-Za-z0-9]{32}_[a-f0-9]{8}\b/, 'a Grafana token'],
  [/\bNRAK-[A-Z0-9]{27}\b/, 'a New Relic key'],
  [/\bsntry[su]_[A-Za-z0-9+/=_-]{43}/, 'a Sentry token'],
  [/\bpul-[a-f0-9]{40}\b/, 'a Pulumi token'],
  [/\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60}/, 'a Terraform token'],
  [/\btskey-(?:api|auth|client)-[A-Za-z0-9]{6,20}-[A-Za-z0-9]{20}/, 'a Tailscale key'],
  [/\bops_eyJ[A-Za-z0-9_-]{100}/, 'a 1Password token'],
  [/\bdp\.(?:pt|st|ct|sa)\.[A-Za-z0-9_.-]{40}/, 'a Doppler token'],
  [/\bsbp_[a-f0-9]{40}\b/, 'a Supabase token'],
  [/\bAccountKey=[A-Za-z0-9+/]{86}==/, 'an Azure storage key'],
];

/** Every shape has a word as long as this, or begins so: most texts are looked through once instead of sixty times. */
const SUSPECT = /[A-Za-z0-9_-]{15}|-----BEGIN|\beyJ/;

/** What a text looks like it gives away; each kind once, and never the secret itself. */
export const secretsIn = (text: string): string[] =>
  SUSPECT.test(text)
    ? [...new Set(SHAPES.filter(([shape]) => shape.test(text)).map(([, what]) => what))]
    : [];

/** Seldom enough a secret to stop a change, often enough to be hidden. */
const ONLY_HIDDEN: readonly RegExp[] = [/\beyJ[A-Za-z0-9_-]{8,512}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g];
/** A shape may end before its token does. */
const TO_HIDE: readonly RegExp[] = [
  ...SHAPES.map(([sure, , hidden = sure]) => new RegExp(`${hidden.source}[A-Za-z0-9_-]*`, 'g')),
  ...ONLY_HIDDEN,
];

/** The text with every such token replaced. */
export const hideSecrets = (text: string, by: string): string =>
  SUSPECT.test(text) ? TO_HIDE.reduce((shown, shape) => shown.replace(shape, () => by), text) : text;
