/** Test ledgers on disk or in memory that can be restarted, and sample runs. */
import { type RunPatch, patchRun } from '../../orchestrator/kernel/run/run.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { telegramLimits as limits } from '../../bot/telegram-limits.ts';
import { createLedger } from '../../db/ledger/ledger.ts';
import { openStore } from '../../db/directory/open-ledger.ts';
import type { Effect } from '#effects';
import type { Run } from '#run';
import { decideStep } from '../../orchestrator/kernel/lifecycle/decide.ts';
import { Order } from '#model/order';
import type { StepCause, StepPlan, StepRequest, StepOutcome } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import { noteOf } from './english.ts';

/** Earlier leases belong to another boot after a restart. */
export type Opened = {
  ledger: Ledger;
  restart: () => Promise<Ledger>;
  close: () => Promise<void>;
};
export type Open = () => Promise<Opened>;

export const temporaryDirectory = (): { dir: string; remove: () => void } => {
  const dir = mkdtempSync(join(tmpdir(), 'agentpr-ledger-'));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
};

export const openOnDisk: Open = async () => {
  const { dir, remove } = temporaryDirectory();
  let boots = 0;
  let clock = 0;
  const open = async (): Promise<Ledger> => {
    const { store, key } = await openStore({ dataDir: dir });
    const ledger = createLedger({ store, key, boot: `boot-${(boots += 1)}`, now: () => clock, limits });
    // A closed ledger records this time as its last sign of life.
    return { ...ledger, recover: (now) => ledger.recover((clock = now)) };
  };
  let ledger = await open();
  return {
    ledger,
    restart: async () => {
      await ledger.close();
      return (ledger = await open());
    },
    close: async () => {
      try {
        await ledger.close();
      } finally {
        remove();
      }
    },
  };
};

/** Faster; a restart is another boot over the same memory. */
export const openInMemory: Open = async () => {
  const { store, key } = await openStore({ dataDir: ':memory:' });
  let boots = 0;
  const boot = (): Ledger => {
    boots += 1;
    return createLedger({ store, key, boot: `boot-${boots}`, now: () => 0, limits });
  };
  return { ledger: boot(), restart: async () => boot(), close: () => store.close() };
};

export const anOrder = (changes: Partial<Order> = {}): Order => ({
  ...Order.parse({
    repo: 'ana/widgets',
    goal: 'Mend the test',
    base: null,
    branch: null,
    title: null,
    engine: 'script',
    engineArgs: [],
    promptVersion: '1',
    checks: [],
    requester: { id: '7', name: 'Ana' },
    chat: '7',
    decider: null,
    bounds: {},
  }),
  ...changes,
});

export const aRun = (id: string, at = 1_000, order: Partial<Order> = {}): Run => {
  const input = { type: 'command.run.create' as const, runId: id, order: anOrder(order) };
  const made = decideStep(null, input, { at, nonce: `nonce-${id}`, effectEpoch: null });
  if (made.kind !== 'moved') throw new Error('the machine refused a new run');
  return made.run;
};

let keys = 0;
type Write = Extract<StepPlan, { kind: 'write' }>;
export type Writing = Partial<Pick<Write, 'effects' | 'approvals' | 'replies'>> & {
  run?: RunPatch;
  now?: number;
  cause?: StepCause;
  key?: string;
  /** The write may share a commit with others. */
  shared?: boolean;
  artifacts?: StepRequest['artifacts'];
  event?: { type: string; body: object };
};

/** Writes the next event with exactly the given effects and approvals. */
export const write = (ledger: Ledger, runId: string, writing: Writing = {}): Promise<StepOutcome> => {
  const { now = 1_000, cause = { kind: 'none' }, effects = [], approvals = [], replies = [] } = writing;
  return ledger.step({
    runId,
    key: writing.key ?? `key-${(keys += 1)}`,
    cause,
    now,
    ...(writing.shared ? { shared: true } : {}),
    ...(writing.artifacts ? { artifacts: writing.artifacts } : {}),
    plan: (before) => ({
      kind: 'write',
      run: next(before, runId, now, writing.run),
      event: { type: before ? 'test.moved' : 'test.created', body: { now }, ...writing.event, at: now },
      effects,
      approvals,
      replies,
    }),
  });
};

const next = (before: Run | null, runId: string, now: number, changes: RunPatch = {}): Run => {
  const run = before ?? patchRun(aRun(runId, now), { lifecycle: { version: 0 } });
  return patchRun(run, { lifecycle: { version: run.lifecycle.version + 1, updatedAt: now } }, changes);
};

/** The epoch becomes the new version, as on entering a state. */
export const enter = async (
  ledger: Ledger,
  runId: string,
  state: Run['lifecycle']['state'],
  writing: Writing = {},
): Promise<StepOutcome> => {
  const before = await ledger.query.run(runId);
  const epoch = (before?.lifecycle.version ?? 0) + 1;
  return write(ledger, runId, {
    ...writing,
    run: patchRun({ lifecycle: { state, epoch } }, writing.run ?? {}),
  });
};

export const work = (kind: 'discover' | 'start_run' | 'remove_workspace', dueAt = 0): Effect => ({
  do: { kind },
  dueAt,
});
export const observe = (dueAt = 0): Effect => ({ do: { kind: 'poll', intervalMs: 50 }, dueAt });
export const wake = (dueAt: number): Effect => ({
  do: { kind: 'offer_input', input: { type: 'timer.reminder', epoch: 1 } },
  dueAt,
});
export const tell = (
  text: string,
  { slot = null, urgent = false, sound = false, dueAt = 0 }: Partial<Telling> = {},
): Effect => ({ do: { kind: 'chat_message', slot, content: noteOf(text), urgent, sound }, dueAt });
type Telling = { slot: string | null; urgent: boolean; sound: boolean; dueAt: number };
