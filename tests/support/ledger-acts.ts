/** Self-contained random acts, so that two ledgers can be given the same ones. */
import { patchRun } from '../../orchestrator/kernel/run/run.ts';
import type { ApprovalChange, Effect } from '#effects';
import type { Run } from '#run';
import type { StepCause, ClaimedEffect, EffectFinish, StepPlan, ChatReply } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import type { Random } from '../prove/random.ts';
import { aRun } from './ledger.ts';
import { noteOf } from './english.ts';

export type Act = { name: string; on: (ledger: Ledger) => Promise<unknown> };
/** Earlier results that later acts refer to. */
export type Past = { now: number; keys: number; claims: ClaimedEffect[]; inbox: number[] };

const RUNS = ['r1', 'r2'];
const STATES = ['QUEUED', 'DISCOVERY', 'PUSHED', 'CI_WAIT', 'PAUSED', 'DONE', 'NEEDS_HUMAN_REVIEW'] as const;

export const randomAct = (random: Random, past: Past): Act => {
  const kinds = [stepping, stepping, stepping, claiming, claiming, finishing, finishing, renewing];
  return random.pick([...kinds, receiving, settling, recording, hurrying])(random, past);
};

const stepping = (random: Random, past: Past): Act => {
  const { now } = past;
  const runId = random.pick(RUNS);
  const key = `k${random.chance(0.2) ? past.keys - random.int(3) : (past.keys += 1)}`;
  const cause = aCause(random, past);
  const replies = some(random, 2, () => aReply(random));
  const how = random.pick(['write', 'write', 'write', 'write', 'refused', 'ignored', 'throw'] as const);
  const change = aChange(random, now);
  const approvals = random.chance(0.6) ? someApprovals(random, past) : [];
  const allowed: Effect[] = approvals.length > 0 && random.chance(0.8) ? [OPENING] : [];
  const effects = [...allowed, ...some(random, 4, () => anEffect(random, now))];
  const plan = (run: Run | null): StepPlan => {
    if (how === 'throw') throw new Error('a bug');
    if (how === 'refused') return { kind: how, reason: { kind: 'no_run' }, replies };
    if (how === 'ignored') return { kind: how, reason: 'nothing new', replies };
    const event = { type: 'test', body: { now, gone: undefined, odd: [Number.NaN] }, at: now };
    return { kind: 'write', run: change(run ?? first(runId, now)), event, effects, approvals, replies };
  };
  return { name: `step ${how}`, on: (l) => l.step({ runId, key, cause, now, plan }) };
};

const first = (id: string, now: number): Run =>
  patchRun(aRun(id, now, { decider: '8' }), { lifecycle: { version: 0 } });

const aChange = (random: Random, now: number): ((run: Run) => Run) => {
  const by = random.chance(0.03) ? 2 : 1;
  const moves = random.chance(0.5);
  const state = random.pick(STATES);
  return (run) => {
    const version = run.lifecycle.version + by;
    return {
      ...run,
      lifecycle: { ...run.lifecycle, version, updatedAt: now, ...(moves ? { state, epoch: version } : {}) },
    };
  };
};

const aCause = (random: Random, { inbox, claims }: Past): StepCause => {
  if (random.chance(0.3) && inbox.length > 0) return { kind: 'inbox', id: random.pick(inbox) };
  if (random.chance(0.6) || claims.length === 0) return { kind: 'none' };
  const { n, leaseEpoch } = random.pick(claims);
  return { kind: 'effect', n, leaseEpoch };
};

const anEffect = (random: Random, now: number): Effect => {
  const slot = random.pick([null, 's', 't']);
  const [urgent, sound] = [random.chance(0.3), random.chance(0.3)];
  const gate = { view: 'gate' as const, approvalId: 'a1', armedBy: null, armedUntil: null };
  const show = random.pick([noteOf(random.text(2)), gate, { view: 'progress' as const }]);
  const tell = { kind: 'chat_message' as const, slot, content: show, urgent, sound };
  const wake = { kind: 'offer_input' as const, input: { type: 'timer.reminder' as const, epoch: 1 } };
  const kinds = ['start_run', 'discover', 'remove_workspace'] as const;
  const observe = { kind: 'poll' as const, intervalMs: random.pick([5, Number.NaN]) };
  const work = random.pick([{ kind: random.pick(kinds) }, observe, OPENING.do]);
  const dueAt = now + random.int(60) - 30;
  return random.pick<Effect>([
    { do: work, dueAt },
    { do: tell, dueAt },
    { do: wake, dueAt },
  ]);
};

const someApprovals = (random: Random, { now, keys }: Past): ApprovalChange[] => {
  const way = (id: string): ApprovalChange[] => [
    {
      op: 'open',
      id,
      kind: 'push',
      digest: 'd',
      expiresAt: now + random.int(200),
      needed: 1 + random.int(2),
    },
    { op: 'extend', id, expiresAt: now + random.int(300) },
    { op: 'sign', id, by: random.pick([null, '0', '7']), name: 'Ana', at: now },
    { op: 'sign', id, by: random.pick([null, '0', '9']), name: 'Bo', at: now },
    {
      op: 'consume',
      id,
      digest: random.pick(['d', 'd', 'e']),
      at: now,
      effectIndex: random.pick([0, 0, 0, 1]),
    },
    { op: 'close', id, state: random.pick(['void', 'denied', 'expired']), reason: { kind: 'card_replaced' } },
  ];
  const both = [...way(`a${random.int(4)}`).slice(0, 4), ...way(`b${keys}`)];
  return both.slice(random.pick([0, 0, 1, 2, 3, 4, 8])).slice(0, random.pick([1, 2, 3, 4, 8]));
};

const aReply = (random: Random): ChatReply => ({
  chat: random.pick(['7', '8', '-8']),
  slot: random.pick([null, 's', 't']),
  show: noteOf(random.text(2)),
  urgent: random.chance(0.3),
  sound: random.chance(0.3),
  runId: random.pick([null, 'r1']),
});

const claiming = (random: Random, { now }: Past): Act => {
  const kinds = random.chance(0.2)
    ? { kinds: random.pick([['chat_message'], ['offer_input', 'poll']] as const) }
    : {};
  const request = { now, leaseMs: random.pick([1, 100, 5_000]), limit: 1 + random.int(5), ...kinds };
  return { name: 'claim', on: (l) => l.claim(request) };
};

const finishing = (random: Random, { now, claims }: Past): Act => {
  const claim = (random.chance(0.6) ? claims.at(-1) : claims[random.int(claims.length || 1)]) ?? STRANGE;
  const silence = { chat: now + random.int(900), everybody: random.pick([null, now + random.int(500)]) };
  const outcome = random.pick<EffectFinish>([
    { kind: 'done', result: random.pick([null, { note: 1 }, { chat: '7', gone: undefined }]) },
    { kind: 'done', result: undefined },
    { kind: 'done', result: { chat: '7', messageId: random.int(99) } },
    { kind: 'later', at: now + random.int(50), reason: 'wait', counts: random.chance(0.5) },
    { kind: 'later', at: now + 50, reason: 'slow', counts: false, silence },
    { kind: 'dead', reason: 'poison' },
  ]);
  return { name: `finish ${outcome.kind}`, on: (l) => l.finish(claim, outcome, now) };
};

const renewing = (random: Random, { now, claims }: Past): Act => {
  const claim = claims[random.int(claims.length || 1)] ?? STRANGE;
  return { name: 'renew', on: (l) => l.renew(claim, now + 500) };
};

const hurrying = (random: Random, { now }: Past): Act => {
  const runId = random.pick(RUNS);
  return { name: 'hurry', on: (l) => l.hurry(runId, now) };
};

const receiving = (random: Random, { now }: Past): Act => {
  const source = random.pick(['chat', 'forge'] as const);
  const { body } = random.pick([{ body: { gone: undefined, text: random.text(2) } }, { body: undefined }]);
  const items = [0, 1].map(() => ({
    source,
    key: `u${random.int(40)}`,
    body,
    urgent: random.chance(0.3),
    ...(random.chance(0.7) ? { lane: random.pick(['a', 'b']) } : {}),
  }));
  return { name: 'receive', on: (l) => l.receive(items, now) };
};

const settling = (random: Random, { now, inbox }: Past): Act => {
  const id = inbox[random.int(inbox.length || 1)] ?? 0;
  const replies = some(random, 2, () => aReply(random));
  const outcome = { kind: random.pick(['done', 'dead', 'retry'] as const), note: 'so', replies };
  return { name: `settle ${outcome.kind}`, on: (l) => l.settleInbox(id, outcome, now) };
};

const recording = (random: Random, { now }: Past): Act => {
  const runId = random.pick(RUNS);
  const which = { engine: null, model: null, promptHash: null, baseSha: null, containment: null };
  const attempt = { runId, step: random.pick(['agent', 'check']), command: 'x', startedAt: now, ...which };
  const log = { stdout: 'out', stderr: null, containment: 'unshare' as const, model: null };
  const end = { exitCode: 1, outcome: 'failed', ms: 1, ...log };
  const [id, content] = [1 + random.int(5), random.text(3)];
  return random.pick<Act>([
    { name: 'attempt', on: (l) => l.attempt.start({ ...attempt, pid: null, pidStart: null }) },
    { name: 'attempt running', on: (l) => l.attempt.recordProcess(id, 42, 'since') },
    { name: 'attempt end', on: (l) => l.attempt.end(id, end) },
    { name: 'artifact', on: (l) => l.artifact({ runId, type: 'diff', content, at: now }) },
    { name: 'user', on: (l) => l.setUser({ id: String(id), name: content, role: 'viewer' }, null) },
    { name: 'remove user', on: (l) => l.removeUser(String(id), null) },
    { name: 'setting', on: (l) => l.setSetting('language', content) },
  ]);
};

const some = <T>(random: Random, most: number, make: () => T): T[] =>
  Array.from({ length: random.int(most + 1) }, make);

const OPENING = {
  do: { kind: 'open_pr' as const, approvalId: 'a1', digest: 'd' },
  dueAt: 0,
} satisfies Effect;
/** A lease that was never granted. */
const STRANGE: ClaimedEffect = {
  n: 99_999,
  id: 'none',
  runId: null,
  epoch: null,
  leaseEpoch: 1,
  tries: 1,
  do: { kind: 'remove_workspace' },
};
