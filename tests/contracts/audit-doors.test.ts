/**
 * G3: an approval has one door: an update that Telegram delivered. Whatever else offers one is
 * refused, and replay reports it.
 */
import { createSecretKey } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLedger } from '../../db/ledger/ledger.ts';
import { openStore } from '../../db/directory/open-ledger.ts';
import type { Effect } from '#effects';
import type { Input } from '#inputs';
import { toRecordedEvent } from '../../orchestrator/kernel/effects/recorded-step.ts';
import { createSubmitInput, type SubmitInput } from '#runtime';
import { decideStep } from '../../orchestrator/kernel/lifecycle/decide.ts';
import type { StepCause, IncomingItem } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import { replayRuns } from '../../orchestrator/audit/replay.ts';
import { anOrder } from '../support/ledger.ts';
import { inputsToCard } from '../support/ready-run.ts';

const KEY = new Uint8Array(32).fill(3);
let ledger: Ledger;
let submit: SubmitInput;
let close: () => Promise<void>;
let now = 1_000;
let nonces = 0;

beforeEach(async () => {
  const { store } = await openStore({ dataDir: ':memory:', key: KEY });
  ledger = createLedger({ store, key: createSecretKey(KEY), boot: 'b', now: () => now });
  close = () => store.close();
  const ids = { runId: () => 'r1', nonce: () => `nonce${(nonces += 1)}`.padEnd(16, 'x') };
  submit = createSubmitInput({ ledger, clock: { now: () => now }, ids });
  await offer({ type: 'command.run.create', runId: 'r1', order: anOrder() });
  for (const input of inputsToCard()) await offer(input);
});
afterEach(() => close());

const offer = async (input: Input): Promise<void> => {
  now += 1;
  const { lifecycle: { epoch = null } = {} } = (await ledger.query.run('r1')) ?? {};
  const said = await submit({
    runId: 'r1',
    input,
    key: `k${now}`,
    cause: { kind: 'none' },
    effectEpoch: epoch,
  });
  if (said.kind !== 'written') throw new Error(JSON.stringify(said));
};
const approval = async (): Promise<Input> => {
  const { gate: { approval: card } = {} } = (await ledger.query.run('r1')) ?? {};
  if (!card) throw new Error('no card waits');
  const by = { id: '7', name: 'Ana' };
  return { type: 'command.pr.approve', by, approvalId: card.id, digest: card.digest };
};
/** Whoever holds the key and writes what the machine says, and more, without asking submit. */
const writesBySelf = async (input: Input, more: readonly Effect[] = []): Promise<void> => {
  const stamp = { at: now, nonce: 'n'.repeat(16), effectEpoch: null };
  const outcome = await ledger.step({
    runId: 'r1',
    key: 'forge:1',
    cause: { kind: 'none' },
    now,
    plan: (run) => {
      const made = decideStep(run, input, stamp);
      if (made.kind !== 'moved') throw new Error(JSON.stringify(made.reason));
      const event = { type: input.type, body: toRecordedEvent(input, stamp, made), at: now };
      return { ...made, effects: [...made.effects, ...more], kind: 'write', event, replies: [] };
    },
  });
  expect(outcome.kind).toBe('written');
};
const received = async (source: IncomingItem['source']): Promise<StepCause> => {
  const [row] = await ledger.receive([{ source, key: `u${(now += 1)}`, body: {} }], now);
  return { kind: 'inbox', id: row?.id ?? -1 };
};
const claimed = async (): Promise<StepCause> => {
  const [claim] = await ledger.claim({ now: now + 1e12, leaseMs: 1e13, limit: 1, kinds: ['offer_input'] });
  return { kind: 'effect', n: claim?.n ?? -1, leaseEpoch: claim?.leaseEpoch ?? -1 };
};

describe('an approval', () => {
  const doors: [string, string, () => Promise<StepCause> | StepCause][] = [
    ['nothing that came in', 'chat:1', () => ({ kind: 'none' })],
    ['an order of the command line', 'chat:1', () => received('cli')],
    ['a delivery of the code host', 'chat:1', () => received('forge')],
    ['an effect, a timer for one', 'chat:1', claimed],
    ['an update that is not there', 'chat:1', () => ({ kind: 'inbox', id: 999 })],
    ['an update under the name of something else', 'cli:1', () => received('chat')],
  ];
  it.each(doors)('G3: by %s is refused, and what offered it is closed', async (_, key, door) => {
    const cause = await door();
    const said = await submit({ runId: 'r1', input: await approval(), key, cause });
    expect(['refused', 'duplicate']).toContain(said.kind);
    expect((await ledger.query.run('r1'))?.gate.approval).not.toBeNull();
    expect(await ledger.query.approvals({ state: 'consumed' })).toEqual([]);
    expect(await ledger.inbox(9)).toEqual([]);
    expect(await ledger.query.effects({ state: 'claimed' })).toEqual([]);
  });

  it('G3: by an update of Telegram counts', async () => {
    const cause = await received('chat');
    const said = await submit({ runId: 'r1', input: await approval(), key: 'chat:1', cause });
    expect(said).toMatchObject({ kind: 'written' });
    expect((await replayRuns(ledger)).findings).toEqual([]);
  });

  it('L5: that came another way is reported, however right its MACs are', async () => {
    await writesBySelf(await approval());
    expect((await replayRuns(ledger)).findings).toMatchObject([
      {
        verdict: 'decisions',
        says: expect.stringContaining('was not caused by the chat but by forge:1') as string,
      },
    ]);
  });

  it('L5: an effect that no event asked for is reported, however right its MACs are', async () => {
    const { change: { commit } = {} } = (await ledger.query.run('r1')) ?? {};
    const push: Effect = {
      do: { kind: 'push', commitSha: commit?.sha ?? '', expectedHead: null, approvalId: null },
      dueAt: now,
    };
    await writesBySelf({ type: 'command.pause', by: { id: '7', name: 'Ana' } }, [push]);
    // Beside the comparison of rows, which names a table, the verdict on decisions says so by
    // itself.
    const { findings } = await replayRuns(ledger);
    expect(findings.filter((f) => f.table === undefined)).toMatchObject([
      { verdict: 'decisions', says: expect.stringMatching(/\(push\) was asked for by no event$/) as string },
    ]);
  });
});

describe('submit', () => {
  it.each([
    ['of no known type', { type: 'command.merge', by: { id: '7', name: 'Ana' } }],
    ['without what it needs', { type: 'command.pause' }],
    [
      'with more words than anybody reads',
      { type: 'command.cancel', by: { id: '7', name: 'Ana' }, reason: 'x'.repeat(3_000) },
    ],
  ])('S2: takes no input %s', async (_, input) => {
    const before = await ledger.query.run('r1');
    const offered = submit({ runId: 'r1', input: input as Input, key: 'k', cause: { kind: 'none' } });
    await expect(offered).rejects.toThrow();
    expect(await ledger.query.run('r1')).toEqual(before);
  });
});
