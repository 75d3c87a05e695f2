/**
 * The list of secrets, where it is used besides the chat, and beside a list that we did not write.
 */
import { lintSource } from '@secretlint/core';
import { rules as all } from '@secretlint/secretlint-rule-preset-recommend';
import { expect, it } from 'vitest';
import { createLogger } from '../../app/logger.ts';
import { findSecrets, redactSecrets } from '#text-safety';

const n = (count: number, of = 'a1B2c3D4e5'): string =>
  of.repeat(Math.ceil(count / of.length)).slice(0, count);

it('C5: the log hides what the chat hides, in every field, and stays JSON', () => {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line: string) => void lines.push(line) });
  const token = `ghp_${n(36)}`;
  log.info({ url: 'https://ana:hunter2@host/x', deep: { note: `key "${token}"\nend` } }, `got ${token}`);
  log.info({ note: 'machine h login ana password "hunter2"', password: 'hunter2hunter2"\\' }, 'told');
  log.error({ err: new Error(`-----BEGIN PRIVATE KEY-----\n${n(64)}\n-----END PRIVATE KEY-----`) }, 'failed');
  expect(lines.join('')).not.toMatch(/hunter2|ghp_|a1B2c3/);
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { url: 'https://[secret]@host/x', msg: 'got [secret]' },
    { password: '[secret]', msg: 'told' },
    { msg: 'failed' },
  ]);
});

const BYTES = `MIIEvQIBADANBgkqhkiG9w0BAQEFAASC${n(32)}`;
const hex = (count: number): string => n(count, '0a1b2c3d4e5f');
/** Every rule of the preset that can be shown with a text of our own. */
const SAMPLES: [rule: string, text: string][] = [
  ['aws', `AWS_SECRET_ACCESS_KEY = "${n(40)}"`],
  ['github', `ghp_${n(36)}`],
  ['github', `github_pat_${n(82)}`],
  ['gitlab', `glpat-${n(20)}`],
  ['npm', `npm_${n(36)}`],
  ['slack', `xoxb-${n(12, '12')}-${n(12, '12')}-${n(24)}`],
  ['slack', `https://hooks.slack.com/services/T${n(8, 'A1')}/B${n(8, 'A1')}/${n(24)}`],
  ['basicauth', 'https://ana:hunter2@db.example.com/x'],
  ['database-connection-string', 'postgresql://app:s3cr3tpassw0rd@db.example.org:5432/app'],
  ['database-connection-string', 'mongodb+srv://app:s3cr3tpassw0rd@cluster.example.org/app'],
  ['database-connection-string', 'mysql://app:s3cr3tpassw0rd@db.example.org/app'],
  ['openai', `sk-${n(20)}T3BlbkFJ${n(20)}`],
  ['anthropic', `sk-ant-api03-${n(93)}AA`],
  ['groq', `gsk_${n(52)}`],
  ['huggingface', `hf_${n(34, 'aBcD')}`],
  ['linear', `lin_api_${n(40)}`],
  ['notion', `ntn_${n(11, '12')}${n(35)}`],
  ['privatekey', `-----BEGIN PRIVATE KEY-----\n${BYTES}\n${n(64)}\n-----END PRIVATE KEY-----`],
  ['sendgrid', `SG.${n(22)}.${n(43)}`],
  ['shopify', `shpat_${hex(32)}`],
  ['stripe', `sk_live_${n(24)}`],
  ['stripe', `rk_test_${n(24)}`],
  ['grafana', `glsa_${n(32)}_${hex(8)}`],
  ['grafana', `glc_${n(40)}`],
  ['hashicorp-vault', `hvs.${n(95)}`],
  ['hashicorp-vault', `hvb.${n(140)}`],
  ['vercel', `vcp_${n(24)}`],
  ['databricks', `dapi${hex(32)}`],
  ['docker', `dckr_pat_${n(27)}`],
  ['figma', `figd_${n(40)}`],
  ['cloudflare', `cfut_${n(40)}${hex(8)}`],
  ['tailscale', `tskey-auth-${n(12)}-${n(32)}`],
];

it.each(SAMPLES)('P3: what secretlint finds by its rule %s is judged and hidden here', async (rule, text) => {
  const rules = all.map((one) => ({ id: one.meta.id, rule: one }));
  const { messages } = await lintSource({
    source: { content: `x = 1\n${text}\n`, filePath: 'change', ext: '', contentType: 'text' },
    options: { config: { rules } },
  });
  expect(messages.map((m) => m.ruleId).join()).toContain(`secretlint-rule-${rule}`);
  expect(findSecrets(text)).not.toEqual([]);
  expect(redactSecrets(text)).not.toBe(text);
});
