/**
 * C5: a redacted export carries no secret of its host, in whatever encoding it came into the ledger:
 * the real program, over a ledger in which each of them stands.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRedaction } from '../../../cli/redact-export.ts';
import type { ExportLine } from '../../../db/directory/export-ledger.ts';
import { openLedger } from '../../../db/directory/open-ledger.ts';
import { createExposedSecrets } from '../../../executors/sandbox/exposed-secrets.ts';
import { temporaryDirectory } from '../../support/ledger.ts';
import { secretForms } from '../../support/secret-forms.ts';

const CLI = join(import.meta.dirname, '../../../cli/agentpr.js');
const place = temporaryDirectory();
const [data, home] = [join(place.dir, 'data'), join(place.dir, 'home')];

/** None has the form of a secret that anybody could tell by itself. */
const SECRETS = {
  'a variable of the environment': 'blue-Horse_3418-Zk9QwErTy_battery-Staple77',
  'a line of .env': 'green-Mouse_5512-Pl0kMiJnUh_velvet-Anchor31',
  'the password of an address': 'red-Otter_9073-Vb4NcXzAsd_marble-Lantern62',
  'the sign-in of an agent': 'grey-Heron_2286-Wq7EyTuRio_copper-Meadow85',
} as const;
const FORMS = Object.entries(SECRETS).flatMap(([where, secret]) =>
  Object.entries(secretForms(secret)).flatMap(([as, form]) =>
    typeof form === 'string' ? [{ where, as, form, secret }] : [],
  ),
);

const knowing = (secret: string) => {
  const lent = createExposedSecrets();
  lent.add('it', [secret]);
  return lent;
};
const KNOWING = new Map(Object.values(SECRETS).map((secret) => [secret as string, knowing(secret)]));
const carries = (text: string, secret: string): boolean =>
  (KNOWING.get(secret)?.namesIn(text) ?? []).length > 0;
/** Of a line, every text with its own signs, however deep it is written. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') {
    try {
      const inner: unknown = JSON.parse(value);
      if (typeof inner === 'object' && inner !== null) return textsIn(inner);
    } catch {
      // It is a text.
    }
    return [value];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};
const exported = (...more: string[]): string[][] => {
  const file = join(place.dir, 'export');
  execFileSync(process.execPath, [CLI, 'audit', 'export', '--data', data, '-o', file, ...more], {
    cwd: place.dir,
    env: { PATH: process.env.PATH, HOME: home, ANTHROPIC_API_KEY: SECRETS['a variable of the environment'] },
    stdio: 'pipe',
  });
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line) => textsIn(JSON.parse(line)));
};

let whole: string[][] = [];
let redacted: string[][] = [];

beforeAll(async () => {
  mkdirSync(join(home, '.codex'), { recursive: true });
  const tokens = { access_token: SECRETS['the sign-in of an agent'] };
  writeFileSync(join(home, '.codex', 'auth.json'), JSON.stringify({ tokens }));
  const address = `HTTPS_PROXY=http://ana:${SECRETS['the password of an address']}@proxy.example:3128`;
  writeFileSync(join(place.dir, '.env'), `GITHUB_TOKEN=${SECRETS['a line of .env']}\n${address}\n`);
  const ledger = await openLedger({ dataDir: data, now: () => 1_800_000_000_000 });
  for (const [i, { form }] of FORMS.entries()) await ledger.setSetting(`words${i}`, `before\n${form}\nafter`);
  await ledger.setSetting('plain', 'Nothing is hidden here: 12, 34, %20 and aGVsbG8gd29ybGQ=.');
  await ledger.close();
  whole = exported();
  redacted = exported('--redact');
});
afterAll(() => place.remove());

it.each(FORMS)('C5: hides $where as $as', ({ form, secret }) => {
  const at = whole.findIndex((texts) => texts.some((text) => text.includes(form)));
  expect(at).toBeGreaterThanOrEqual(0);
  expect(whole[at]?.some((text) => carries(text, secret))).toBe(true);
  expect(redacted.flat().filter((text) => carries(text, secret))).toEqual([]);
});

it('leaves alone what carries none', () => {
  expect(redacted.flat()).toContain('Nothing is hidden here: 12, 34, %20 and aGVsbG8gd29ybGQ=.');
});

it('C5: hides what stands in the name of a member, and keeps our own names', async () => {
  const secret = SECRETS['a variable of the environment'];
  const line: ExportLine = {
    table: 'events',
    row: { body_json: JSON.stringify({ checks: { [secret]: 1, [`x ${btoa(secret)}`]: 2 }, startedAt: 3 }) },
  };
  const lines = async function* (): AsyncGenerator<ExportLine> {
    yield line;
  };
  const text = JSON.stringify((await createRedaction(lines(), knowing(secret)))(line));
  expect(carries(text, secret)).toBe(false);
  expect(text).toContain('startedAt');
});
