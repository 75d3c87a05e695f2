/** C2: the ways out of a message: an address of the change, and what a terminal takes. */
import { type RunPatch, patchRun } from '../../orchestrator/kernel/run/run.ts';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import type { Run } from '#run';
import { externalLinkButtons } from '../../bot/views/run-detail.ts';
import { createChatWorld, PULL } from '../support/chat-world.ts';
import { aRun } from '../support/ledger.ts';
import { someProposal } from '../support/ready-run.ts';

const NOW = Date.UTC(2026, 0, 5, 12, 0);
const SHA = 'd4e5f6'.padEnd(40, '0');
const runWith = (branch: string, change: RunPatch = {}): Run =>
  patchRun(
    aRun('r7k2', NOW),
    {
      gate: { proposal: someProposal({}) },
      change: { pushedHead: { branch, sha: SHA } },
    },
    change,
  );
const out = (run: Run, origin = 'https://github.com') =>
  externalLinkButtons(run, origin, LANGUAGE_TEXTS.en).flat();
const copied = (run: Run, what: string, origin?: string): string | undefined =>
  out(run, origin).find(({ text }) => text.includes(what))?.copies;

it('C2: before there is a pull request the branch is compared, also that of a fork', () => {
  const own = runWith('feature/a b#c');
  expect(out(own)[0]?.opens).toBe(`https://github.com/${own.order.repo}/compare/main...feature/a%20b%23c`);
  const fork = runWith('fix', { target: { fork: { repo: 'bot/api-1', id: null } } });
  expect(out(fork)[0]?.opens).toMatch(/\/compare\/main\.\.\.bot%3Aapi-1%3Afix$/);
  expect(copied(fork, 'Checkout')).toContain('https://github.com/bot/api-1.git');
});

it('C2: what nobody can open or copy is not offered', () => {
  expect(
    out(patchRun(runWith('fix'), { change: { pushedHead: null }, upstream: { pullRequest: null } })),
  ).toEqual([]);
  expect(externalLinkButtons(runWith('fix'), undefined, LANGUAGE_TEXTS.en)).toEqual([]);
  const odd = { id: '#1', url: 'javascript:alert(1)' };
  for (const url of [odd.url, 'http://localhost/x', 'tg://user?id=1', 'not an address'])
    expect(
      out(runWith('fix', { upstream: { pullRequest: { ...odd, url } } })).some(
        ({ opens }) => opens !== undefined,
      ),
    ).toBe(false);
  const long = out(runWith('x'.repeat(250))).map(({ copies }) => copies?.length ?? 0);
  expect(Math.max(...long)).toBeLessThanOrEqual(256);
});

it.each(['fix', 'feature/a$(touch gone)', "it's;rm -rf x", '`id`&&x|y', 'ümlaut/漢字'])(
  'C2: the checkout that is copied is one command to a shell, of the branch %s',
  (branch) => {
    const dir = mkdtempSync(join(tmpdir(), 'ways-out-'));
    try {
      const run = runWith(branch);
      const command = copied(run, 'Checkout') ?? '';
      // What the shell hands to git, word by word.
      const words = execFileSync('sh', ['-c', `git() { printf '%s\\n' "$@"; }; ${command}`], { cwd: dir });
      expect(words.toString().split('\n').slice(0, 5)).toEqual([
        ...['fetch', `https://github.com/${run.order.repo}.git`, branch, 'checkout', 'FETCH_HEAD'],
      ]);
    } finally {
      rmSync(dir, { recursive: true });
    }
  },
);

it('C2: the card of a fix and the details of a run lead to the pull request', async () => {
  const w = await createChatWorld();
  const { id } = await w.openRun();
  await w.says(`/detail ${id}`);
  const [first] =
    w.messages
      .at(-1)
      ?.buttons.flat()
      .filter(({ opens }) => opens) ?? [];
  expect(first).toEqual({ text: 'View the pull request', token: '', opens: PULL });
  const copies = w.messages
    .at(-1)
    ?.buttons.flat()
    .filter(({ copies: text }) => text !== undefined);
  expect(copies?.map(({ token }) => token)).toEqual(['', '', '']);
});
