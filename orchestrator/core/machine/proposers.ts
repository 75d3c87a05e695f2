/**
 * E9: several engines try the same goal, one after the other, each from the base and within the same
 * budget; then one of their changes goes on.
 */
import { NO_CLAIMS } from '../govern/grade.ts';
import { NOTHING_SAID } from '../report.ts';
import { enter, type Draft } from './draft.ts';
import { PLAIN } from './rounds.ts';
import type { Run } from './run.ts';
import { bestOf, engineOf, nextEngine, type Own, type Turn, type TurnEnd } from './turns.ts';

const ownOf = ({ commit, session, summary, claims, said, trailers, containment, lends }: Own): Own => ({
  commit,
  session,
  summary,
  claims,
  said,
  trailers,
  containment,
  lends,
});
const NOTHING: Omit<Own, 'trailers'> = {
  commit: null,
  session: null,
  summary: '',
  claims: NO_CLAIMS,
  said: NOTHING_SAID,
  containment: null,
  lends: null,
};

const turnOf = (run: Run, end: TurnEnd): Turn => {
  const { commit, evaluation, usage } = run;
  const past = run.proposers?.past ?? [];
  const before = (of: (turn: Turn) => number): number => past.reduce((n, turn) => n + of(turn), 0);
  const judged = evaluation?.commitSha === commit?.sha ? evaluation?.assessment.decision : undefined;
  return {
    ...ownOf(run),
    engine: engineOf(run),
    end,
    decision: judged ?? null,
    tokens: usage.inputTokens + usage.outputTokens - before(({ tokens }) => tokens),
    costUsd: usage.costUsd - before(({ costUsd }) => costUsd),
    workedMs: run.workedMs - before(({ workedMs }) => workedMs),
  };
};

/** The workspace is brought to where it begins; nothing that was judged is said of it. */
const adopt = (run: Run, own: Own, lay: string | null): void => {
  Object.assign(run, ownOf(own));
  run.lay = lay;
  run.evaluation = null;
  run.proposal = null;
  run.denied = null;
  run.undone = null;
  run.round = PLAIN;
  run.counts = { ...run.counts, reflections: 0, repairs: 0, retries: 0 };
};

/**
 * An engine's turn is over: the next begins, or the best change goes on, whose checks run once more,
 * so that what is sealed was seen on this very commit. False where the change at hand is the one, or
 * where none passed.
 */
export const turnEnded = (d: Draft, end: TurnEnd): boolean => {
  const { run, stamp } = d;
  const { order, proposers, pushed, pr } = run;
  if (order.proposers === undefined || proposers?.isChosen === true || pushed || pr) return false;
  const last = turnOf(run, end);
  const past = [...(proposers?.past ?? []), last];
  const engine = nextEngine(run);
  if (engine !== undefined) {
    run.proposers = { engine, since: stamp.at, past, isChosen: false };
    adopt(run, { ...NOTHING, trailers: run.trailers }, run.base?.sha ?? null);
    const of = order.proposers.length;
    enter(d, 'IMPLEMENTING', { kind: 'proposes', engine, no: past.length + 1, of });
    return true;
  }
  const best = bestOf(past);
  run.proposers = { engine: (best ?? last).engine, since: stamp.at, past, isChosen: true };
  if (best === null || best === last) return false;
  adopt(run, best, best.commit?.sha ?? null);
  enter(d, 'LOCAL_VALIDATING', { kind: 'chosen', engine: best.engine, of: past.length });
  return true;
};
