/**
 * O6: the other scenes of the demo, as somebody starts them: a change for strangers, from a fork; and
 * one change for ten repositories.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import type { Run } from '#run';

const CLI = path.join(import.meta.dirname, '../../../cli/agentpr.js');

type Ended = {
  run: Run;
  pulls: { head: string; merged: boolean; body: string }[];
  proof: { holds: boolean; lines: string[] };
  verdicts: Record<string, boolean>;
};

const played = async <T>(scene: string): Promise<T> => {
  const child = spawn(process.execPath, [CLI, 'demo', scene, '--once', '--json'], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, LANG: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  expect({ code: child.exitCode, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out) as T;
};

it('O6, F1, F6, F7: a fork, a flaky check and a review of three threads end in one merge, and prove it', async () => {
  const { run, pulls, proof, verdicts } = await played<Ended>('--fork');
  expect(run).toMatchObject({
    lifecycle: { state: 'DONE', counts: { iterations: 1, reruns: 1 } },
    upstream: { ciComparison: { failingOnBase: [], flaky: ['examples'] } },
    review: { postedReplies: { outcomes: [{ outcome: 'posted' }, { outcome: 'posted' }] } },
  });
  expect(run.target.fork?.repo).toBe('agentpr-demo/patient');
  expect(pulls).toMatchObject([{ merged: true }]);
  expect(pulls[0]?.head.startsWith('agentpr-demo:')).toBe(true);
  // What the change does is not what its fix does; that stands below it.
  expect(pulls[0]?.body.match(/Say in the README what waits\(\) gives/g)).toHaveLength(1);
  expect(proof.holds).toBe(true);
  expect(proof.lines.join()).toContain('2 answers were posted, each once');
  expect(Object.values(verdicts)).toEqual([true, true, true]);
}, 240_000);

it('O6: refuses the folder of an earlier demo, and says how to read what is in it', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'agentpr-earlier-'));
  writeFileSync(path.join(folder, 'ledger.db'), '');
  const child = spawn(process.execPath, [CLI, 'demo', '--data', folder], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, LANG: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [err] = await Promise.all([text(child.stderr), once(child, 'close')]);
  rmSync(folder, { recursive: true });
  expect(child.exitCode).toBe(2);
  expect(err).toContain(`${folder} is not empty`);
  expect(err).toContain(`agentpr replay --all --data ${folder}`);
}, 60_000);

type Many = {
  campaign: { state: string; released: number };
  runs: { repo: string; state: string; reason: { kind: string } }[];
  proofs: Record<string, { holds: boolean }>;
  taps: number;
  verdicts: Record<string, boolean>;
};

it('O6, F5: a campaign over ten repositories merges seven, leaves a ban and two failures, and proves each', async () => {
  const { campaign, runs, proofs, taps, verdicts } = await played<Many>('--campaign');
  expect(campaign).toMatchObject({ state: 'closed', released: 10 });
  const ended = Map.groupBy(runs, ({ state }) => state);
  expect(ended.get('DONE')).toHaveLength(7);
  expect(ended.get('SKIPPED')?.map(({ repo }) => repo)).toEqual(['acme/quill']);
  const failed = ended
    .get('FAILED_TERMINAL')
    ?.map(({ repo }) => repo)
    .sort();
  expect(failed).toEqual(['acme/archive', 'acme/pinned']);
  expect(Object.keys(proofs)).toHaveLength(7);
  expect(Object.values(proofs).every(({ holds }) => holds)).toBe(true);
  // Start; a card of three and four of one, two taps each; looking, closing, and what is cancelled.
  expect(taps).toBeLessThanOrEqual(16);
  expect(Object.values(verdicts)).toEqual([true, true, true]);
}, 240_000);
