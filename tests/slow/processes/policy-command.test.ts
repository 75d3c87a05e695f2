/**
 * `agentpr policy`: read from a ledger on disk and agentpr.config.json, with no secret, network or
 * running process.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openLedger } from '../../../db/directory/open-ledger.ts';
import { POLICY_VERSION } from '../../../governor/assess-action.ts';
import type { Input } from '#inputs';
import { randomIds, createSubmitInput } from '#runtime';
import type { AssessmentReason } from '#model/assessment';
import { runCommandHere } from '../../support/command-here.ts';
import { order } from '../../support/core-samples.ts';
import { temporaryDirectory } from '../../support/ledger.ts';
import { inputsToCard, someAssessment } from '../../support/ready-run.ts';

let dir: string;
let remove: () => void;
beforeEach(() => void ({ dir, remove } = temporaryDirectory()));
afterEach(() => remove());

const agentpr = (...args: string[]) =>
  runCommandHere(['policy', ...args], {
    cwd: dir,
    env: { PATH: process.env.PATH, HOME: dir, AGENTPR_DATA_DIR: join(dir, 'data') },
  });

const forbidden: AssessmentReason = { kind: 'forbidden_path', at: ['a\u001b[2J'], more: 0 };
const denied = someAssessment({
  decision: 'deny',
  risk: 'high',
  reasons: [{ policy: 'forbidden-paths', verdict: 'deny', reason: forbidden }],
  factors: [{ id: 'ci', level: 'high', reason: { kind: 'ci_changed', at: ['x.yml'], more: 0 } }],
});

const write = async (runId: string, inputs: readonly Input[]): Promise<void> => {
  const now = (): number => 1_000_000;
  const ledger = await openLedger({ dataDir: join(dir, 'data'), now });
  try {
    const submit = createSubmitInput({ ledger, clock: { now }, ids: randomIds });
    const all: Input[] = [{ type: 'command.run.create', runId, order: order() }, ...inputs];
    for (const [i, input] of all.entries()) {
      const effectEpoch = (await ledger.query.run(runId))?.lifecycle.epoch ?? null;
      const outcome = await submit({ runId, key: `k${i}`, cause: { kind: 'none' }, input, effectEpoch });
      expect([input.type, outcome.kind]).toEqual([input.type, 'written']);
    }
  } finally {
    await ledger.close();
  }
};

it('P3: says of a run that ended which policy stopped it, with the version that decided', async () => {
  const by = { id: '1', name: 'Ana' };
  const toCard = inputsToCard({ assessment: denied });
  const stopped = toCard.slice(0, toCard.findIndex(({ type }) => type === 'worker.validation.completed') + 1);
  await write('r1', [...stopped, { type: 'command.cancel', by, reason: 'no' }]);
  const { out, code, err } = await agentpr('explain', 'r1');
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain('r1  FAILED_TERMINAL  ana/app');
  expect(out).toContain('The last push (1970-01-01T00:16:40.000Z): denied, high risk, by policies p1');
  expect(out).toContain('✘ forbidden-paths: these paths may not be changed: a\\u{1b}[2J');
  expect(out).not.toContain('\u001b');
  expect(out).toContain('high risk, ci: this changes what CI runs: x.yml');
  expect(out).toContain('policies.forbiddenPaths');
  const { decisions, state } = JSON.parse((await agentpr('explain', 'r1', '--json')).out) as {
    state: string;
    decisions: { action: string; explanation: { decision: string; policyVersion: string } }[];
  };
  expect(state).toBe('FAILED_TERMINAL');
  expect(decisions).toMatchObject([
    { action: 'push', explanation: { decision: 'deny', policyVersion: 'p1' } },
  ]);
});

it('P3: tells the push and the opening apart, and says when no policy has spoken or there is no run', async () => {
  await write('r1', inputsToCard());
  await write('r2', []);
  const { decisions } = JSON.parse((await agentpr('explain', 'r1', '--json')).out) as {
    decisions: { action: string }[];
  };
  expect(decisions.map((d) => d.action)).toEqual(['push', 'open_pr']);
  expect((await agentpr('explain', 'r2')).out).toContain('No policy has judged this run');
  const none = await agentpr('explain', 'r3');
  expect([none.code, none.err]).toEqual([4, expect.stringContaining('There is no run r3')]);
});

it('P3: lists every policy with the operator’s settings, for one repository too, and needs no secrets', async () => {
  const asks = { when: { paths: ['docs/**'] }, verdict: 'escalate', reason: 'Ask Ana', approvals: 2 };
  const custom = [{ id: 'docs', ...asks }];
  const policies = { maxOpenPrs: 2, custom, repositories: { 'ana/*': { maxOpenPrs: 1 } } };
  const others = {
    openings: { hours: 'sat-thu 00:00-24:00 Europe/Berlin', except: ['12-24/01-02'] },
    caps: { openPerOwner: 5 },
    budgets: { month: 100 },
    pull: { draft: true, labels: ['automated'] },
  };
  writeFileSync(join(dir, 'agentpr.config.json'), JSON.stringify({ policies, ...others }));
  const { out } = await agentpr('list');
  expect(out).toContain(`Policies ${POLICY_VERSION}+`);
  expect(out).toContain('setting policies.maxOpenPrs = 2');
  expect(out).toContain('custom:docs: Ask Ana\n  asks a person when docs/** changes (2 approvals)');
  expect(out.indexOf('custom:docs')).toBeLessThan(out.indexOf('no-secrets'));
  const [, inForce = ''] = out.split('Rules in force:\n');
  for (const line of [
    '  Pull requests open sat-thu 00:00-24:00 Europe/Berlin except on 12-24/01-02; ',
    '  Opens as a draft · labels automated\n',
    '  Open with one owner: 5 pull requests\n',
    '  Budget of a month: $100\n',
  ])
    expect(inForce).toContain(line);
  expect(out).toContain('Other limits hold for ana/*');
  const there = JSON.parse((await agentpr('list', '--json', '--repo', 'ana/app')).out) as {
    policies: object[];
  };
  expect(there.policies).toContainEqual(
    expect.objectContaining({
      id: 'open-pr-limit',
      settings: expect.objectContaining({ 'policies.maxOpenPrs': 1 }) as object,
    }),
  );

  writeFileSync(join(dir, 'agentpr.config.json'), '{"policies":{"custom":[{"verdict":"allow"}]}}');
  const refused = await agentpr('list');
  expect(refused.code).toBe(78);
  expect(refused.err).toContain(
    'policies.custom #1.verdict is "allow"; it must be one of these: deny, escalate',
  );
});
