/** O2: what doctor says of engines, with small programs in their place. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { compareVersions, checkEngine, checkEngines } from '../../../app/probes/engines.ts';
import { toProbeLine } from '../../../app/probes/host-result.ts';
import { LANGUAGE_TEXTS } from '#language';
import { readConfig } from '../../../app/config.ts';
import { BEST } from '../../support/agent-round.ts';
import { dataDirectory } from '../../support/contained.ts';

type Given = { engine?: string; program?: string; env?: Record<string, string>; signIn?: string };

const configOf = ({ engine = 'opencode', program, env = {}, signIn }: Given) => {
  const { dataDir } = dataDirectory();
  const operator = path.join(dataDir, 'operator');
  const command = path.join(dataDir, 'bin', engine);
  mkdirSync(path.dirname(command), { recursive: true });
  if (program !== undefined) writeFileSync(command, `#!/bin/sh\n${program}\n`, { mode: 0o755 });
  if (signIn !== undefined) {
    mkdirSync(path.dirname(path.join(operator, signIn)), { recursive: true });
    writeFileSync(path.join(operator, signIn), '{}');
  }
  return readConfig(
    {
      TELEGRAM_BOT_TOKEN: '1:x',
      TELEGRAM_ADMIN_IDS: '1',
      GITHUB_TOKEN: 'x',
      AGENTPR_ENGINE: engine,
      AGENTPR_SANDBOX: BEST,
      AGENTPR_DATA_DIR: dataDir,
      HOME: operator,
      ...env,
    },
    JSON.stringify({ engines: engine === 'script' ? {} : { [engine]: { command } } }),
    dataDir,
  );
};
const checksOf = async (given: Given) =>
  (await checkEngines(configOf(given))).map((check) => toProbeLine(LANGUAGE_TEXTS.en, check));

it('S6: whoever is stopped does not wait for a program that does not answer', async () => {
  const stopping = new AbortController();
  const config = configOf({});
  const started = path.join(config.dataDir, 'started');
  const waits = configOf({ program: `: > '${started}'; exec sleep 1000` });
  const checked = checkEngine('opencode', waits, null, stopping.signal);
  await expect.poll(() => existsSync(started), { timeout: 10_000 }).toBe(true);
  stopping.abort();
  const [there] = await checked;
  // Neither of the two limits is what ended it.
  expect(there).toMatchObject({
    level: 'failed',
    finding: { kind: 'engine_fails', cause: expect.any(String) as string },
  });
});

it('an engine that is there, known, signed in and shown in the box has nothing to fix', async () => {
  const checks = await checksOf({ program: 'echo 1.18.33', env: { OPENAI_API_KEY: 'sk-1' } });
  expect(checks.map(({ ok, fix }) => [ok, fix])).toEqual([
    [true, ''],
    [true, ''],
    [true, ''],
  ]);
  expect(JSON.stringify(checks)).not.toContain('sk-1');
});

it('an agent of the operator’s own is missing no sign-in that nobody knows of, and is told no way to install it', async () => {
  const there = await checksOf({ engine: 'acp', program: 'echo 1.0.0' });
  expect(there[1]).toMatchObject({ ok: true, says: expect.stringContaining('signs in by itself') as string });
  const [broken] = await checksOf({ engine: 'acp', program: 'exit 3' });
  expect(broken).toMatchObject({ ok: false, fix: expect.stringContaining('"command"') as string });
});

it('a version that a program prints where others complain is one, too', async () => {
  const [there] = await checksOf({ program: 'echo 1.18.33 >&2' });
  expect(there).toMatchObject({ ok: true, says: '1.18.33', fix: '' });
});

it('a program that fails without a word is told of by its exit code', async () => {
  const [there] = await checksOf({ program: 'exit 3' });
  expect(there).toMatchObject({ ok: false, says: expect.stringContaining('exit code 3') as string });
});

it('a sign-in file is as good as a key; without either it says how to sign in', async () => {
  const signedIn = await checksOf({ program: 'echo 1.18.33', signIn: '.local/share/opencode/auth.json' });
  expect(signedIn[1]).toMatchObject({ ok: true, fix: '' });
  const [, key] = await checksOf({ program: 'echo 1.18.33' });
  expect(key).toMatchObject({ ok: false, fix: expect.stringContaining('opencode auth login') as string });
});

it.each([
  ['echo 1.17.0', /older/],
  ['echo 2.0.0', /newer/],
  ['echo hello', /does not say its version/],
])('warns of another version: %s', async (program, says) => {
  const [there] = await checksOf({ program });
  expect(there).toMatchObject({ ok: true, says: expect.stringMatching(says) as string });
  expect(there?.fix).toContain('opencode-ai@1.18.33');
});

it('says how to install what is missing, and what fails', async () => {
  expect(await checksOf({})).toMatchObject([
    { ok: false, fix: expect.stringContaining('npm i -g opencode-ai@1.18.33') as string },
  ]);
  expect(await checksOf({ program: 'echo broken >&2; exit 3' })).toMatchObject([
    { ok: false, says: expect.stringContaining('broken') as string },
  ]);
});

it.skipIf(BEST === 'group')('says when the box does not let it start', async () => {
  const program = `case "$HOME" in */doctor-*) echo hidden >&2; exit 1;; esac; echo 1.18.33`;
  const checks = await checksOf({ program });
  expect(checks.at(-1)).toMatchObject({ ok: false, fix: expect.stringContaining('readable') as string });
});

it('calls aider unverified', async () => {
  const [there] = await checksOf({ engine: 'aider', program: 'echo aider 0.86.2' });
  expect(there).toMatchObject({ ok: true, says: expect.stringContaining('unverified') as string });
});

it('knows the script engine without a command', async () => {
  expect(await checksOf({ engine: 'script' })).toMatchObject([{ name: 'engine', ok: false }]);
});

it('compares versions by their numbers', () => {
  expect(compareVersions('1.9.0', '1.18.33')).toBe(-1);
  expect(compareVersions('1.18.33', '1.18.33')).toBe(0);
  expect(compareVersions('2.0.0', '1.18.33')).toBe(1);
});

it('an engine that is part of AgentPR needs no program, but a key and the name of a model', async () => {
  const bare = await checksOf({ engine: 'builtin' });
  expect(bare.map(({ ok }) => ok)).toEqual([false, false, true]);
  expect(bare[0]?.fix).toContain('"engines": {"builtin": {"args": ["-m", "<model>"]}}');
  expect(bare[1]?.fix).toContain('OPENAI_API_KEY or ANTHROPIC_API_KEY');
  const set = await checksOf({ engine: 'builtin', env: { ANTHROPIC_API_KEY: 'sk-1', ANTHROPIC_MODEL: 'm' } });
  expect(set.map(({ ok, fix }) => [ok, fix])).toEqual([
    [true, ''],
    [true, ''],
    [true, ''],
  ]);
});
