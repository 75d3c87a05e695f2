import { fc } from '../support/properties.ts';
import { expect, it } from 'vitest';
import { enTexts } from '#language';
import { keyFileLikelihood } from '#model/paths';
import { findSecrets, redactSecrets } from '#text-safety';

const n = (count: number, of = 'a1B2c3D4e5'): string =>
  of.repeat(Math.ceil(count / of.length)).slice(0, count);
const hex = (count: number): string => n(count, '0a1b2c3d4e5f');

/** Beginning and rest apart, so that this file gives nothing away that looks like a token. */
const SAMPLES: [what: string, start: string, rest: string][] = [
  ['a GitHub token', 'ghp', `_${n(36)}`],
  ['a GitHub token', 'ghs', `_${n(36)}`],
  ['a GitHub token', 'github', `_pat_${n(82)}`],
  ['a GitLab token', 'glpat', `-${n(20)}`],
  ['a GitLab token', 'glrt', `-${n(20)}`],
  ['a Bitbucket password', 'ATBB', n(32)],
  ['an Atlassian token', 'ATATT', `3xFf${n(60)}`],
  ['an AWS access key', 'AKIA', n(16, 'ABCDEFG234567')],
  ['a private key', '-----BEGIN', ' PRIVATE KEY-----'],
  ['a private key', '-----BEGIN', ' RSA PRIVATE KEY-----'],
  ['a private key', '-----BEGIN', ' PGP PRIVATE KEY BLOCK-----'],
  ['a private key', 'AGE-SECRET', `-KEY-1${n(58, 'QPZRY9X8GF')}`],
  ['a private key', 'PuTTY-User', '-Key-File-3:'],
  ['a Slack token', 'xoxb', `-${n(24)}`],
  ['a Slack token', 'xapp', `-1-${n(11, 'A1')}-${n(13, '12')}-${hex(64)}`],
  ['a Slack webhook', 'hooks.slack', `.com/services/T${n(10, 'A1')}/B${n(10, 'A1')}/${n(24)}`],
  ['a Discord webhook', 'discord.com', `/api/webhooks/${n(18, '12')}/${n(68)}`],
  ['a Discord bot token', `MT${n(22)}`, `.${n(6)}.${n(38)}`],
  ['an API key', 'sk', `-ant-${n(90)}`],
  ['an API key', 'sk', `-proj-${n(48)}`],
  ['a Stripe key', 'sk', `_live_${n(24)}`],
  ['a webhook secret', 'whsec', `_${n(32)}`],
  ['a Google API key', 'AIza', n(35)],
  ['a Google client secret', 'GOCSPX', `-${n(28)}`],
  ['a Google access token', 'ya29', `.${n(60)}`],
  ['an npm token', 'npm', `_${n(36)}`],
  ['a PyPI token', 'pypi', `-AgEI${n(80)}`],
  ['a RubyGems key', 'rubygems', `_${hex(48)}`],
  ['a Docker token', 'dckr', `_pat_${n(27)}`],
  ['a Hugging Face token', 'hf', `_${n(34, 'aBcD')}`],
  ['a Groq key', 'gsk', `_${n(52)}`],
  ['an xAI key', 'xai', `-${n(80)}`],
  ['a Replicate token', 'r8', `_${n(37)}`],
  ['a Telegram bot token', n(10, '12'), `:AA${n(33)}`],
  ['a SendGrid key', 'SG', `.${n(22)}.${n(43)}`],
  ['a Mailgun key', 'key', `-${hex(32)}`],
  ['a Twilio key', 'SK', hex(32)],
  ['a DigitalOcean token', 'dop', `_v1_${hex(64)}`],
  ['a Shopify token', 'shpat', `_${hex(32)}`],
  ['a Square token', 'sq0atp', `-${n(22)}`],
  ['a Linear key', 'lin', `_api_${n(40)}`],
  ['a Notion token', 'ntn', `_${n(46)}`],
  ['a Figma token', 'figd', `_${n(40)}`],
  ['a Postman key', 'PMAK', `-${hex(24)}-${hex(34)}`],
  ['a Databricks token', 'dapi', hex(32)],
  ['a Vault token', 'hvs', `.${n(90)}`],
  ['a Grafana token', 'glsa', `_${n(32)}_${hex(8)}`],
  ['a New Relic key', 'NRAK', `-${n(27, 'AB12')}`],
  ['a Sentry token', 'sntrys', `_${n(60)}`],
  ['a Pulumi token', 'pul', `-${hex(40)}`],
  ['a Terraform token', n(14), `.atlasv1.${n(67)}`],
  ['a Tailscale key', 'tskey', `-auth-${n(12)}-${n(32)}`],
  ['a 1Password token', 'ops', `_eyJ${n(250)}`],
  ['a Doppler token', 'dp', `.pt.${n(43)}`],
  ['a Supabase token', 'sbp', `_${hex(40)}`],
  ['a private key', 'LS0tLS1', `CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk1J${n(40)}`],
  ['a private key', 'LS0tLS1', `CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpN${n(40)}`],
  ['a private key', 'LS0tLS1', `CRUdJTiBPUEVOU1NIIFBSSVZBVEUgS0VZLS0tLS0K${n(40)}`],
  ['a private key', '---- BEGIN SSH2', ' ENCRYPTED PRIVATE KEY ----'],
  ['a Feishu webhook', 'open.feishu', `.cn/open-apis/bot/v2/hook/${hex(8)}-${'a1b2-'.repeat(3)}${hex(12)}`],
  [
    'a WeCom webhook',
    'qyapi.weixin',
    `.qq.com/cgi-bin/webhook/send?key=${hex(8)}-${'a1b2-'.repeat(3)}${hex(12)}`,
  ],
  ['a crates.io token', 'cio', n(32)],
  ['a Packagist token', 'packagist', `_uut_${hex(64)}`],
  ['a Pinecone key', 'pcsk', `_${n(6)}_${n(63)}`],
  ['a LangSmith key', 'lsv2', `_pt_${hex(32)}_${hex(10)}`],
  ['an NVIDIA key', 'nvapi', `-${n(64)}`],
  ['an E2B key', 'e2b', `_${hex(40)}`],
  ['a Tavily key', 'tvly', `-dev-${n(32)}`],
  ['a HubSpot token', 'pat', `-na1-${hex(8)}-${'a1b2-'.repeat(3)}${hex(12)}`],
  ['a Resend key', 're', `_${n(8)}_${n(24)}`],
  ['a Neon key', 'napi', `_${hex(64)}`],
  ['a Honeycomb key', 'hcaik', `_${hex(58)}`],
  ['a Deno token', 'ddp', `_${n(36)}`],
  ['an Azure DevOps token', n(76), `AZDO${n(4)}`],
  ['an Azure storage key', 'AccountKey', `=${n(86)}==`],
];

it.each(SAMPLES)('P3: knows %s', (what, start, rest) => {
  for (const text of [start + rest, `key = "${start}${rest}";`, `a\nTOKEN=${start}${rest}\nb`])
    expect(findSecrets(text).map((s) => enTexts.secretName(s.what))).toEqual([what]);
  expect(findSecrets(`${start} ${rest}`)).toEqual([]);
});

it('C5: of a key in Base64 nothing stays to be read, whatever signs it has', () => {
  const key = `MIIEvQIBADANBgkqhkiG9w0BAQEFAASC${n(30)}+/${n(200)}+x/y==`;
  expect(redactSecrets(`key: "${key}", next`)).toBe('key: "[secret]", next');
});

it('P3: knows a webhook of DingTalk, and a routable token of GitLab to its last character', () => {
  const hook = `https://oapi.dingtalk.com/robot/send?access_token=${hex(64)}`;
  expect(findSecrets(hook)).toEqual([{ what: { noun: 'webhook', of: 'DingTalk' }, sure: true }]);
  expect(redactSecrets(`glpat-${n(27)}.01.${n(9)} end`)).toBe('[secret] end');
});

it.each([
  `Cookie: session=${n(24)}`,
  `Authorization: Token ${hex(40)}`,
  `<add key="ApiKey" value="${n(20)}"/>`,
  `{"name": "DB_PASSWORD", "value": "${n(10)}"}`,
  `machine a.example\n  login b\n  password ${n(10)}`,
  `密码：${n(10)}`,
  `Passwort: ${n(10)}`,
  `contraseña = "${n(10)}"`,
  `PresharedKey = ${n(43)}=`,
])('P3: asks a person about %j, and hides it', (text) => {
  expect(findSecrets(text)).toMatchObject([{ sure: false }]);
  expect(redactSecrets(text)).toContain('[secret]');
  expect(redactSecrets(text)).not.toContain('a1B2c3D4e5');
});

it('P3: the private part of a key as JSON, and what signs in to a registry of images, ask a person', () => {
  for (const text of [
    `{"kty":"OKP","d":"${n(43)}"}`,
    `{"kty":"oct","k":"${n(43)}"}`,
    `"auth": "${n(24)}=="`,
  ]) {
    expect(findSecrets(text)).toMatchObject([{ sure: false }]);
    expect(redactSecrets(text)).toContain('"[secret]"');
  }
});

it('C5: what stops a change is hidden wherever it is shown, to its last character', () => {
  for (const [what, start, rest] of SAMPLES) {
    const shown = redactSecrets(`say ${start}${rest} now`);
    expect([what, shown.replace(/ now$/, '')]).toEqual([what, 'say [secret]']);
  }
});

it.each([
  'skip-to-main-content-of-the-page-please',
  'the sk- prefix, ghp_ and github_pat_ are known',
  `task-${n(40)}`,
  `"integrity": "sha512-${n(86)}=="`,
  `const hash = '${hex(64)}';`,
  hex(40),
  '123e4567-e89b-12d3-a456-426614174000',
  '-----BEGIN CERTIFICATE-----',
  '-----BEGIN PUBLIC KEY-----',
  'ghp_xxxx',
  'AKIA…',
  'const secret_name = process.env.SECRET;',
  'npm_config_registry',
  'https://hooks.slack.com/services/',
  '<a class="sk-fading-circle">',
])('P3: does not take %j for a secret', (text) => {
  expect(findSecrets(text)).toEqual([]);
});

it('P3: never says the secret itself, and takes any text', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom(...SAMPLES), (text, [what, start, rest]) => {
      const said = findSecrets(`${text} ${start}${rest}`).map((s) => enTexts.secretName(s.what));
      expect(said).toContain(what);
      expect(said.join()).not.toContain(rest);
    }),
  );
});

it.each([
  [
    'sure',
    '.env~ #.env# .#.env ..env.swp .env.bak.1',
    'id_rsa.bak id_rsa.old id_rsa_backup id_rsa~ keys/id_rsa.txt',
  ],
  [
    'sure',
    '.netrc.bak .git-credentials.old .pgpass.2024 .htpasswd.orig',
    '.aws/credentials.bak .kube/config.save x.p12-copy',
  ],
  ['sure', '.env%20copy .env%20(1) Copy%20of%20id_rsa', ''],
  [
    'likely',
    'server.key.bak server.pem~ .npmrc.bak credentials.json.bak',
    'secrets.yml.orig master.key.tmp prod.env.bak',
  ],
  [
    null,
    '.env.example.bak .env.sample~ id_rsa.pub id_rsa.pub.bak',
    'notes.txt CHANGELOG.old ledger-key.ts src/token.txt environment.bak',
  ],
] as const)('P3: a copy of a file of keys is one, by whatever name: %s %s %s', (how, some, more) => {
  const names = `${some} ${more}`.trim().split(' ').map(decodeURIComponent);
  expect(names.map((name) => [name, keyFileLikelihood(name)])).toEqual(names.map((name) => [name, how]));
  expect(keyFileLikelihood(`${'.bak'.repeat(1_000)}x`)).toBeNull();
});
