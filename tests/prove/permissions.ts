/** One seeded story of an agent's permission questions, answers, and crashes in between. */
import { createSecretKey } from 'node:crypto';
import { tellStory } from '../../bench/story.ts';
import { ENGLISH_WORDING } from '#language';
import { permissionQuestionOf, type ReasonOf, type Run } from '#run';
import { RecordedEvent } from '../../orchestrator/kernel/effects/recorded-step.ts';
import type { Input } from '#inputs';
import { createSubmitInput, type SubmitInput } from '#runtime';
import { evolveRun } from '../../orchestrator/kernel/run/run-patch.ts';
import { findStepViolation } from '../../orchestrator/audit/verify-step.ts';
import { ROUND_WITHOUT_FEEDBACK } from '../../orchestrator/kernel/run/round-table.ts';
import { NO_USAGE } from '#model/reports';
import { DEFAULT_POLICY_SETTINGS } from '#model/settings';
import { createPermissionDecider } from '../../orchestrator/kernel/rounds/decide-permission.io.ts';
import { createReplacementAssessor, type EffectContext } from '#kernel';
import type { StepCause, ClaimedEffect } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import { baseChecked, discovered, startDiscovery, startWork } from '../support/core-acts.ts';
import { createMemoryLedger, createMemoryStore } from '../support/memory-ledger.ts';
import { createRandom } from './random.ts';

const FROM = 1_700_000_000_000;
const HOUR = 3_600_000;
const KEY = createSecretKey(Buffer.alloc(32, 7));
const RUN = 'asks';
const ANA = { id: '7', name: 'Ana' };
const LEASE_MS = 60_000;
const MOVES = 60;

const SORT = 'gem install';
/** Commands: escalated, allowed, denied; two of one sort, and a similar one. */
const COMMANDS = [
  ...(['curl https://a.example', 'curl https://b.example', 'npm test', 'sudo ls'] as const),
  ...(['curl https://a.example --max-time 5'] as const),
  ...([`${SORT} a`, `${SORT} b`, `${SORT} a; curl https://c.example`] as const),
];
/** Ana's replacement commands; policies deny the second. */
const EDITED = 'curl https://a.example --max-time 5';
const FORBIDDEN = 'sudo ls';
const DECIDED: Readonly<Record<string, 'allow' | 'deny'>> = { 'npm test': 'allow', 'sudo ls': 'deny' };

const OTHER = { words: 'curl https', objections: [] };

const judgeEdit = createReplacementAssessor(DEFAULT_POLICY_SETTINGS);

const LAST = 'curl https://last.example';

class Died extends Error {}

export type PermissionResult = {
  violations: string[];
  executed: number;
  edited: number;
  questions: number;
  crashes: number;
  trace: string[];
};

export const playPermissions = async (seed: number): Promise<PermissionResult> => {
  const random = createRandom(seed);
  const store = createMemoryStore();
  const violations: string[] = [];
  const trace: string[] = [];
  const facts = { executed: 0, edited: 0, questions: 0, crashes: 0 };
  let now = FROM + HOUR;
  let boots = 0;
  let nonces = 0;
  /** Crashes before or after the next write. */
  let dies: 'before' | 'after' | null = null;
  const clock = { now: () => now };
  const ids = { runId: () => RUN, nonce: () => `nonce${(nonces += 1)}`.padEnd(16, 'x') };

  const boot = () => {
    const real = createMemoryLedger({ store, key: KEY, boot: `boot ${(boots += 1)}`, now: clock.now });
    const ledger: Ledger = {
      ...real,
      step: async (request) => {
        const how = dies;
        dies = null;
        if (how === 'before') throw new Died();
        const outcome = await real.step(request);
        if (how === 'after') throw new Died();
        return outcome;
      },
    };
    return { ledger, submit: createSubmitInput({ ledger, clock, ids }) };
  };
  let { ledger, submit } = boot();
  await tellStory({ ledger, from: FROM }, RUN, [startDiscovery, discovered(), baseChecked(), startWork()]);

  const runNow = async (): Promise<Run> => {
    const run = await ledger.query.run(RUN);
    if (!run) throw new Error('the run is gone');
    return run;
  };

  /** Agents that survive a crash of the product go on asking. */
  type Agent = ReturnType<typeof createPermissionDecider> & { claim: ClaimedEffect; submit: SubmitInput };
  let agent: Agent | null = null;
  const survivors: Agent[] = [];
  const wakes = async (): Promise<void> => {
    const claims = await ledger.claim({ now, leaseMs: LEASE_MS, limit: 1, kinds: ['implement'] });
    const claim = claims[0];
    if (!claim) return;
    const parts = {
      ledger,
      submit,
      texts: { wording: ENGLISH_WORDING },
      settings: { policies: DEFAULT_POLICY_SETTINGS },
    };
    agent = {
      ...createPermissionDecider(parts as unknown as EffectContext, claim, ROUND_WITHOUT_FEEDBACK),
      claim,
      submit,
    };
  };
  const crash = async (why: string): Promise<void> => {
    trace.push(`dies: ${why}`);
    facts.crashes += 1;
    if (agent) survivors.push(agent);
    agent = null;
    now += random.int(2 * HOUR);
    ({ ledger, submit } = boot());
    await ledger.recover(now);
  };

  const executions = new Map<string, number>();
  const execute = (command: string): void => {
    trace.push(`runs ${command}`);
    executions.set(command, (executions.get(command) ?? 0) + 1);
    if (DECIDED[command] === 'deny') violations.push(`ran ${command}, which a policy denies`);
    else if (DECIDED[command] === undefined) facts.executed += 1;
  };

  const asks = async (by: Agent, command: string): Promise<void> => {
    const input = JSON.stringify({ command });
    const said = await by.ask({ tool: 'execute', input, command, files: null, editable: true });
    trace.push(`asks ${command}: ${said.kind}`);
    if (said.kind === 'allow') return execute(command);
    if (said.kind === 'modified') {
      facts.edited += 1;
      return execute((JSON.parse(said.input) as { command: string }).command);
    }
    const question = by.question();
    if (said.kind !== 'wait' || !question) return;
    const { n, leaseEpoch, id, epoch } = by.claim;
    const told = { session: null, usage: NO_USAGE, ms: 10, outputBytes: 1, containment: 'bwrap' } as const;
    const cause: StepCause = { kind: 'effect', n, leaseEpoch };
    const asked: Input = {
      type: 'worker.permission.asked',
      ...question,
      ...told,
      exposedCredentials: null,
      discardedEdits: null,
    };
    const offer = { runId: RUN, input: asked, key: `effect:${id}:${leaseEpoch}`, cause, effectEpoch: epoch };
    const outcome = await by.submit(offer);
    if (outcome.kind === 'written') facts.questions += 1;
    if (by === agent) agent = null;
  };

  /** Shown questions, newest last. */
  const shown: Pick<ReasonOf<'permission_asked'>, 'id' | 'digest' | 'sort'>[] = [];
  /** Sometimes lies about the policies' objections. */
  const instead = async () => {
    const judged = judgeEdit(await runNow(), 'execute', random.chance(0.8) ? EDITED : FORBIDDEN);
    const { verdict, input, digest } = judged;
    const objections = 'objections' in verdict && random.chance(0.7) ? verdict.objections : [];
    return { input, digest, objections };
  };
  const answers = async (allows: boolean): Promise<void> => {
    const open = permissionQuestionOf(await runNow());
    if (open && !shown.some(({ id }) => id === open.id)) shown.push(open);
    const one = random.chance(0.8) ? shown.at(-1) : shown[random.int(Math.max(1, shown.length))];
    if (!one) return;
    const digest = random.chance(0.05) ? 'another digest' : one.digest;
    const sort = random.chance(0.4) && allows ? (one.sort ?? (random.chance(0.1) ? OTHER : null)) : null;
    const answer = { type: 'command.permission.answer', by: ANA, question: one.id, digest, allows } as const;
    const input: Input = sort
      ? { ...answer, sort }
      : allows && random.chance(0.3)
        ? { ...answer, instead: await instead() }
        : answer;
    const spoken = random.chance(0.9);
    const key = `${spoken ? 'chat' : 'cli'}:${ids.nonce()}`;
    const source = spoken ? ('chat' as const) : ('cli' as const);
    const [row] = await ledger.receive([{ source, key, body: {} }], now);
    const cause: StepCause = row ? { kind: 'inbox', id: row.id } : { kind: 'none' };
    const outcome = await submit({ runId: RUN, input, key, cause });
    trace.push(`${spoken ? 'Ana' : 'the command line'} says ${allows ? 'yes' : 'no'}: ${outcome.kind}`);
    if (outcome.kind === 'written' && !spoken) violations.push('an answer came by another door');
    // Repeats the same tap.
    if (random.chance(0.3)) await submit({ runId: RUN, input, key, cause });
  };
  const offer = async (input: Input): Promise<void> => {
    const outcome = await submit({ runId: RUN, input, key: `chat:${ids.nonce()}`, cause: { kind: 'none' } });
    trace.push(`${input.type}: ${outcome.kind}`);
  };

  const moves: readonly [weight: number, move: () => Promise<void>][] = [
    [10, async () => (agent ? asks(agent, random.pick(COMMANDS)) : wakes())],
    [6, () => answers(true)],
    [3, () => answers(false)],
    [2, () => crash('killed')],
    [2, async () => (survivors.length > 0 ? asks(random.pick(survivors), random.pick(COMMANDS)) : undefined)],
    [1, async () => offer({ type: 'timer.reminder', epoch: (await runNow()).lifecycle.epoch })],
    [1, async () => offer({ type: 'timer.timeout', epoch: (await runNow()).lifecycle.epoch })],
    [1, () => offer({ type: 'command.pause', by: ANA })],
    [1, () => offer({ type: 'command.permission.revoke', by: ANA })],
    [2, () => offer({ type: 'command.resume', by: ANA, target: null })],
    [2, () => offer({ type: 'command.retry', by: ANA, target: null })],
    [1, async () => void (now += random.int(3 * HOUR))],
  ];
  const all = moves.reduce((n, [weight]) => n + weight, 0);
  const chosen = (): (() => Promise<void>) => {
    let at = random.int(all);
    for (const [weight, move] of moves) if ((at -= weight) < 0) return move;
    throw new Error('no move');
  };
  const perform = async (move: () => Promise<void>): Promise<void> => {
    now += 1 + random.int(1_000);
    try {
      await move();
    } catch (error) {
      if (!(error instanceof Died)) throw error;
      await crash('in the middle of a write');
    }
  };

  for (let i = 0; i < MOVES; i += 1) {
    if (random.chance(0.1)) dies = random.chance(0.5) ? 'before' : 'after';
    await perform(chosen());
  }
  dies = null;

  /** Compares grants and their uses in the log. */
  const judge = async (): Promise<void> => {
    let run: Run | null = null;
    const yes = new Map<string, string>();
    const sorts = new Set<string>();
    const used = new Set<string>();
    const uses = new Map<string, number>();
    const events = await ledger.query.events(RUN);
    for (const { body, key, seq } of events) {
      const step = RecordedEvent.parse(JSON.parse(body));
      const after: Run = evolveRun(run, step.changes);
      const wrong = findStepViolation(run, step, after);
      if (wrong !== null) violations.push(`event ${seq} ${wrong}`);
      const { input } = step;
      if (input.type === 'command.permission.answer') {
        if (!key.startsWith('chat:')) violations.push(`event ${seq} did not come from the chat`);
        const open = run && permissionQuestionOf(run);
        if (open?.id !== input['question'] || open?.digest !== input['digest'])
          violations.push(`event ${seq} answers what was not open`);
        const asked = open?.input ?? '';
        if (input['allows'] === true && 'sort' in input) {
          if (!asked.startsWith(`{"command":"${SORT} `))
            violations.push(`event ${seq} allows all of ${asked}`);
          sorts.add(String(input['question']));
        } else if (input['allows'] === true) {
          const put = input['instead'] as { input: string } | undefined;
          yes.set(String(input['question']), put?.input ?? asked);
        }
      }
      if (input.type === 'command.permission.revoke') sorts.clear();
      if (input.type === 'worker.permission.used' && 'sort' in input) {
        const text = String(input['input']);
        if (!sorts.has(String(input['grant']))) violations.push(`event ${seq} runs what nobody allowed`);
        if (!/^\{"command":"gem install [ab]"\}$/.test(text)) violations.push(`event ${seq} runs ${text}`);
        uses.set(text, (uses.get(text) ?? 0) + 1);
      } else if (input.type === 'worker.permission.used') {
        const grant = String(input['grant']);
        if (!yes.has(grant)) violations.push(`event ${seq} uses a grant that nobody gave`);
        if (used.has(grant)) violations.push(`event ${seq} uses a grant twice`);
        used.add(grant);
        const text = yes.get(grant) ?? '';
        uses.set(text, (uses.get(text) ?? 0) + 1);
      }
      run = after;
    }
    for (const command of COMMANDS.filter((one) => DECIDED[one] === undefined)) {
      const ran = executions.get(command) ?? 0;
      const paid = uses.get(JSON.stringify({ command })) ?? 0;
      if (ran > paid) violations.push(`${command} ran ${ran} times for ${paid} used grants`);
    }
  };
  await judge();

  // One yes must run the command once, whatever happened before.
  survivors.length = 0;
  const state = async (): Promise<Run['lifecycle']['state']> => (await runNow()).lifecycle.state;
  if ((await state()) === 'PAUSED') await offer({ type: 'command.resume', by: ANA, target: null });
  if ((await state()) === 'NEEDS_HUMAN_REVIEW') await offer({ type: 'command.retry', by: ANA, target: null });
  await crash('a restart');
  survivors.length = 0;
  const askLast = async (): Promise<void> => {
    await wakes();
    const by = agent;
    if (by) await asks(by, LAST);
  };
  await askLast();
  const open = permissionQuestionOf(await runNow());
  if (open) {
    const input = { type: 'command.permission.answer', by: ANA, question: open.id, allows: true } as const;
    const key = `chat:${ids.nonce()}`;
    const [row] = await ledger.receive([{ source: 'chat', key, body: {} }], now);
    const cause: StepCause = { kind: 'inbox', id: row?.id ?? -1 };
    await submit({ runId: RUN, input: { ...input, digest: open.digest }, key, cause });
    await crash('between the yes and its use');
    survivors.length = 0;
    await askLast();
    const runs = executions.get(LAST) ?? 0;
    if (runs !== 1) violations.push(`a yes ran its command ${runs} times`);
  }
  return { violations, ...facts, trace };
};
