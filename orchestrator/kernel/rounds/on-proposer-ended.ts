/** Several engines try a goal in turn within one budget; then one change is chosen (E9). */
import { NO_CLAIMS, EMPTY_REPORT } from '#model/agent';
import { enginesInTurn } from '#model/order';
import { enterState } from '../lifecycle/enter-state.ts';
import { requestReset, type StepDraft } from '../lifecycle/step-draft.ts';
import { ROUND_WITHOUT_FEEDBACK } from '../run/round-table.ts';
import type { Run } from '../run/run.ts';
import {
  selectBestTurn,
  engineOf,
  nextEngine,
  type ProposerWork,
  type ProposerTurn,
  type TurnEnd,
} from '../run/proposer-rotation.ts';

const ownOf = (work: ProposerWork): ProposerWork => {
  const { commit, session, summary, claims, agentReports, commitTrailers, containment } = work;
  const { exposedCredentials } = work;
  return { commit, session, summary, claims, agentReports, commitTrailers, containment, exposedCredentials };
};
const NO_ENGINE_WORK: Omit<ProposerWork, 'commitTrailers'> = {
  commit: null,
  session: null,
  summary: '',
  claims: NO_CLAIMS,
  agentReports: EMPTY_REPORT,
  containment: null,
  exposedCredentials: null,
};

const turnOf = (run: Run, end: TurnEnd): ProposerTurn => {
  const { commit, evaluation } = run.change;
  const { usage } = run.lifecycle;
  const past = run.agent.proposerRotation?.finishedTurns ?? [];
  const sumPast = (of: (turn: ProposerTurn) => number): number => past.reduce((n, turn) => n + of(turn), 0);
  const decision = evaluation?.commitSha === commit?.sha ? evaluation?.assessment.decision : undefined;
  return {
    ...ownOf({ ...run.agent, commit: run.change.commit, commitTrailers: run.target.commitTrailers }),
    engine: engineOf(run),
    outcome: end,
    decision: decision ?? null,
    tokens: usage.inputTokens + usage.outputTokens - sumPast(({ tokens }) => tokens),
    costUsd: usage.costUsd - sumPast(({ costUsd }) => costUsd),
    workedMs: run.lifecycle.workedMs - sumPast(({ workedMs }) => workedMs),
  };
};

const adoptWork = (draft: StepDraft, own: ProposerWork, lay: string | null): void => {
  const { run } = draft;
  const { commit, commitTrailers, ...reported } = ownOf(own);
  run.change.commit = commit;
  run.target.commitTrailers = commitTrailers;
  Object.assign(run.agent, reported);
  requestReset(draft, lay);
  run.change.evaluation = null;
  run.gate.proposal = null;
  run.gate.deniedAction = null;
  run.agent.discardedEdits = null;
  run.agent.round = ROUND_WITHOUT_FEEDBACK;
  run.lifecycle.counts = { ...run.lifecycle.counts, reflections: 0, reportRepairs: 0, retries: 0 };
};

/** Returns false when the current change is the best or none passed. The best is checked again. */
export const moveToNextProposer = (draft: StepDraft, end: TurnEnd): boolean => {
  const { run, stamp } = draft;
  const { order } = run;
  const { proposerRotation: proposers } = run.agent;
  const { pushedHead: pushed } = run.change;
  const { pullRequest: pr } = run.upstream;
  const engines = enginesInTurn(order);
  if (engines.length === 0 || proposers?.isChosen === true || pushed || pr) return false;
  const last = turnOf(run, end);
  const past = [...(proposers?.finishedTurns ?? []), last];
  const engine = nextEngine(run);
  if (engine !== undefined) {
    run.agent.proposerRotation = { engine, startedAt: stamp.at, finishedTurns: past, isChosen: false };
    adoptWork(
      draft,
      { ...NO_ENGINE_WORK, commitTrailers: run.target.commitTrailers },
      run.target.base?.sha ?? null,
    );
    const of = engines.length;
    enterState(draft, 'IMPLEMENTING', { kind: 'proposer_started', engine, no: past.length + 1, of });
    return true;
  }
  const best = selectBestTurn(past);
  run.agent.proposerRotation = {
    engine: (best ?? last).engine,
    startedAt: stamp.at,
    finishedTurns: past,
    isChosen: true,
  };
  if (best === null || best === last) return false;
  adoptWork(draft, best, best.commit?.sha ?? null);
  enterState(draft, 'LOCAL_VALIDATING', { kind: 'proposal_chosen', engine: best.engine, of: past.length });
  return true;
};
