/** Agents and checks in memory, which fail in every known way. */
import { parsePlan, renderPlanFile } from '#model/feedback';
import type { PlanStep } from '../../../model/feedback/agent-plan.ts';
import type { FailureClass } from '#model/failure';
import { OutsideFailure } from '#ports/forge';
import type { CheckExecutor, EngineExecutor, ExecutorDone } from '#ports/processes';
import type { WorldParts } from './parts.ts';
import { RISKY } from './state.ts';

export type Asked = {
  runId: string;
  prompt: string;
  session: string | null;
  /** The agent has already reported this session as lost. */
  lost: boolean;
};
type AgentParts = WorldParts & {
  asked: (asked: Asked) => void;
  /** Notes by run and name. */
  notes: Map<string, string>;
};

/** Maximum use per turn (tokens). */
export const MOST_OF_A_TURN = 30;
const NO_USAGE = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
const FAILURES = [
  'crashed',
  'timed_out',
  'auth_missing',
  'rate_limited',
  'context_exceeded',
  'sandbox_denied',
  'interrupted',
] as const satisfies readonly FailureClass[];

const end = (exitCode: number, ms: number) =>
  ({ exitCode, ended: 'exited', signal: null, ms, stdout: '', stderr: '' }) as const;

/** A preflight note: rules that exist, or invented ones. */
const found = (file: string): string => JSON.stringify({ kind: 'dco', text: 'sign', file, line: 1 });
const LIE = JSON.stringify({ kind: 'ai_ban', text: 'No robots.', file: 'CONTRIBUTING.md', line: 1 });

/** Plans two steps, then ends the plan. */
const planned = (text: string): string => {
  const read = parsePlan(text);
  if (!('plan' in read)) return text;
  const { plan } = read;
  const fresh = plan.next === null && plan.backlog.length === 0 && plan.done.length === 0;
  const [next = null, ...backlog] = fresh ? STEPS : plan.next ? [plan.next, ...plan.backlog] : plan.backlog;
  return renderPlanFile({ ...plan, next, backlog });
};
const STEPS: PlanStep[] = [
  { id: '001', text: 'wait longer' },
  { id: '002', text: 'say why' },
];

export const createAgent = ({
  held,
  random,
  clock,
  chaos,
  behaviour,
  asked,
  edit,
  notes,
}: AgentParts): EngineExecutor => {
  const gone = new Set<string>();
  const run: EngineExecutor['run'] = async (input) => {
    const { runId, prompt, session, writes, workspace } = input;
    held.record.agentRuns += 1;
    const lost = session !== null && gone.has(session.id);
    asked({ runId, prompt, session: session?.id ?? null, lost });
    input.onEvent({ type: 'started', pid: 1, pidStart: null });
    const usage = { ...NO_USAGE };
    const base = { usage, containment: 'bwrap', model: null } as const;
    const failed = (failure: FailureClass, message: string, retryAt: number | null = null): ExecutorDone => ({
      ...base,
      session: null,
      outcome: 'failed',
      failure: { class: failure, message, retryAt },
      summary: '',
      end: end(1, 50),
    });
    if (session && (lost || chaos.strikes('agent: session_lost', behaviour.sessionLost))) {
      gone.add(session.id);
      return failed('session_lost', 'no such conversation');
    }
    if (chaos.strikes('agent: uses tokens', behaviour.agentUses)) {
      usage.inputTokens = 1 + random.int(MOST_OF_A_TURN);
      const talk = session ?? { id: `talk-${runId}-${random.text(4)}`, usage: NO_USAGE };
      // Reported during the work, which may stop it.
      input.onEvent({ type: 'used', usage, session: talk, outputBytes: 10 });
    }
    if (chaos.strikes('agent: crashed', behaviour.agentCrashes)) return failed('crashed', 'it broke');
    for (const failure of FAILURES)
      if (chaos.strikes(`agent: ${failure}`, behaviour.agentFails / FAILURES.length))
        return failed(
          failure,
          'it broke',
          failure === 'rate_limited' ? clock.now() + random.int(20_000) : null,
        );
    const [plan, contract] = [`${runId}/PLAN.md`, `${runId}/CONTRACT.jsonl`];
    // This round may only write its note.
    if (prompt.includes('repo-preflight-contract')) {
      const lies = chaos.strikes('agent: rules that stand nowhere', behaviour.agentGarbles);
      notes.set(contract, lies ? LIE : Object.keys(held.repo.rules).map(found).join('\n'));
    } else if (writes === 'nothing' && notes.has(plan)) {
      const garbled = chaos.strikes('agent: a plan that cannot be read', behaviour.agentGarbles);
      notes.set(plan, garbled ? 'I will think about it.' : planned(notes.get(plan) ?? ''));
    } else if (notes.has(plan) && chaos.strikes('agent: touched the plan', behaviour.agentGarbles))
      notes.set(plan, `${notes.get(plan)}more`);
    const edits = writes === 'change' && !chaos.strikes('agent: changed nothing', behaviour.agentIdle);
    const risk = edits && chaos.strikes('agent: a risky change', behaviour.risky) ? RISKY : '';
    if (edits) edit(runId, workspace, `+${random.text(4)}${risk}`);
    if (chaos.strikes('agent: invalid_output', behaviour.agentGarbles))
      return failed('invalid_output', 'the report is not JSON');
    const talk = session ?? { id: `talk-${runId}-${random.text(4)}`, usage: NO_USAGE };
    return {
      ...base,
      session: talk,
      outcome: 'completed',
      failure: null,
      summary: 'Fix the retry',
      end: end(0, 50),
    };
  };
  return { run };
};

export const createWorldChecks = ({ held, chaos, behaviour }: WorldParts): CheckExecutor => ({
  run: async ({ name, command }) => {
    held.record.checkRuns += 1;
    if (chaos.strikes('our checks: env_missing', behaviour.checksBreak))
      throw new OutsideFailure('env_missing', 'there is no compiler');
    const bad = chaos.strikes('our checks: red', behaviour.checksFail);
    const [exitCode, outcome, tail] = bad
      ? ([1, 'failed', 'not ok 1'] as const)
      : ([0, 'passed', 'ok'] as const);
    return {
      result: { name, command, exitCode, outcome, ms: 20, tail },
      end: end(exitCode, 20),
      containment: 'bwrap',
    };
  },
});
