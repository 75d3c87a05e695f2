/**
 * S9, L5: what was decided stays decided: other rules and other words make no old ledger look
 * forged, and can be asked for.
 */
import { createSecretKey } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLedger } from '../../db/ledger/ledger.ts';
import { openStore } from '../../db/directory/open-ledger.ts';
import { evolveRun, type RunChanges } from '../../orchestrator/kernel/run/run-patch.ts';
import type { Input } from '#inputs';
import { toRecordedEvent } from '../../orchestrator/kernel/effects/recorded-step.ts';
import { decideStep } from '../../orchestrator/kernel/lifecycle/decide.ts';
import type { Ledger } from '#ports/ledger';
import { findDecisionDifferences, type DecisionRules } from '../../orchestrator/audit/redecide.ts';
import { replayRuns } from '../../orchestrator/audit/replay.ts';
import { anOrder } from '../support/ledger.ts';
import { inputsToCard } from '../support/ready-run.ts';

const KEY = new Uint8Array(32).fill(3);
let ledger: Ledger;
let close: () => Promise<void>;
let now = 1_000;

beforeEach(async () => {
  const { store } = await openStore({ dataDir: ':memory:', key: KEY });
  ledger = createLedger({ store, key: createSecretKey(KEY), boot: 'b', now: () => now });
  close = () => store.close();
});
afterEach(() => close());

/** Writes what these rules say. */
const offer = async (rules: DecisionRules, input: Input): Promise<void> => {
  now += 1;
  const { lifecycle: { epoch = null } = {} } = (await ledger.query.run('r1')) ?? {};
  const effectEpoch = input.type.startsWith('worker.') ? epoch : null;
  const stamp = { at: now, nonce: `nonce${now}`.padEnd(16, 'x'), effectEpoch };
  await ledger.step({
    runId: 'r1',
    key: `k${now}`,
    cause: { kind: 'none' },
    now,
    plan: (run) => {
      const made = rules(run, input, stamp);
      if (made.kind !== 'moved') throw new Error(`${input.type} was ${made.kind}`);
      const event = { type: input.type, body: toRecordedEvent(input, stamp, made), at: now };
      return { ...made, kind: 'write', event, replies: [] };
    },
  });
};
const tells = async (rules: DecisionRules): Promise<void> => {
  await offer(rules, { type: 'command.run.create', runId: 'r1', order: anOrder() });
  for (const input of inputsToCard()) await offer(rules, input);
};
/** Changes of a member go into the record where that was written as a whole. */
const together = (one: RunChanges, more: RunChanges): RunChanges => {
  const set: Record<string, unknown> = { ...one.set, ...more.set };
  const nested: Record<string, RunChanges> = { ...one.nested };
  for (const [name, inner] of Object.entries(more.nested ?? {}))
    if (set[name] !== undefined) set[name] = { ...(set[name] as object), ...inner.set };
    else nested[name] = together(nested[name] ?? {}, inner);
  return { ...one, set, nested };
};
/** The machine of another version. */
const other =
  (change: RunChanges, keeps: (kind: string) => boolean = () => true): DecisionRules =>
  (run, input, stamp) => {
    const said = decideStep(run, input, stamp);
    if (said.kind !== 'moved') return said;
    const changes = together(said.changes, change);
    const effects = said.effects.filter((e) => keeps(e.do.kind));
    return { ...said, changes, effects, run: evolveRun(run, changes) };
  };

const others: [string, DecisionRules, string][] = [
  [
    'gave other reasons',
    other({ nested: { lifecycle: { set: { reason: 'In other words.' } } } }),
    'lifecycle.reason',
  ],
  [
    'summed up otherwise',
    other({ nested: { agent: { set: { summary: 'What it did, in other words.' } } } }),
    'agent.summary',
  ],
  ['counted otherwise', other({ nested: { lifecycle: { set: { workedMs: 7 } } } }), 'lifecycle.workedMs'],
  ['told people nothing', other({}, (kind) => kind !== 'chat_message'), 'effects'],
  ['set no timers', other({}, (kind) => kind !== 'offer_input'), 'effects'],
  [
    'knew a member that is gone',
    other({ nested: { lifecycle: { set: { mood: 'fine' } } } }),
    'lifecycle.mood',
  ],
];

describe('a ledger that a version wrote which', () => {
  it.each(others)('S9, L5: %s is found whole, and goes on under today’s rules', async (_, rules) => {
    await tells(rules);
    expect((await replayRuns(ledger)).findings).toEqual([]);
    await offer(decideStep, { type: 'command.pause', by: { id: '7', name: 'Ana' } });
    expect((await replayRuns(ledger)).findings).toEqual([]);
  });

  it.each(others)('L5: %s differs in what today’s rules say, event by event', async (_, rules, member) => {
    await tells(rules);
    const found = await findDecisionDifferences(ledger.query);
    expect(found.length).toBeGreaterThan(0);
    expect(found.flatMap((d) => d.members)).toContain(member);
    expect(found.every((d) => d.runId === 'r1' && d.today === 'other')).toBe(true);
  });

  it('L5: decided as today’s rules do has no differences', async () => {
    await tells(decideStep);
    expect(await findDecisionDifferences(ledger.query)).toEqual([]);
  });

  it.each([
    ['refused', () => ({ kind: 'refused', reason: { kind: 'no_run' } }) as const],
    ['ignored', () => ({ kind: 'ignored', reason: 'nothing new' }) as const],
  ] satisfies [string, DecisionRules][])('L5: took what is %s today is told so', async (today, rules) => {
    await tells(decideStep);
    const found = await findDecisionDifferences(ledger.query, 'r1', rules);
    expect(new Set(found.map((d) => d.today))).toEqual(new Set([today]));
    expect(found.length).toBe((await ledger.query.events('r1')).length);
  });
});
