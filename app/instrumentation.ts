/**
 * O4: who watches work while it is done: metrics and traces hear when something begins, and how it
 * ended. Nobody who does the work knows of them.
 */
import type { CheckExecutor, EngineExecutor } from '../orchestrator/ports.ts';

/** Names and outcomes are ours, or a plan's; nothing that an agent or a repository said. */
export type WatchedWork = {
  runId: string;
  step: 'agent' | 'check' | 'install';
  /** Of an agent. */
  engine: string | null;
};
/** Says that something begins; what it gives back is told how it ended. */
export type ObserveWork = (work: WatchedWork) => (outcome: string, ms: number) => void;

export const combineObservers =
  (...all: readonly ObserveWork[]): ObserveWork =>
  (work) => {
    const ends = all.map((watch) => watch(work));
    return (outcome, ms) => ends.forEach((end) => end(outcome, ms));
  };

const BROKEN = 'threw';
const seen = async <T>(
  watch: ObserveWork,
  work: WatchedWork,
  go: () => Promise<T>,
  endOf: (done: T) => { outcome: string; ms: number },
): Promise<T> => {
  const ends = watch(work);
  const begun = performance.now();
  try {
    const done = await go();
    const { outcome, ms } = endOf(done);
    ends(outcome, ms);
    return done;
  } catch (error) {
    ends(BROKEN, performance.now() - begun);
    throw error;
  }
};

export const watchedChecks = (watch: ObserveWork, checks: CheckExecutor): CheckExecutor => ({
  run: (input) =>
    seen(
      watch,
      { runId: input.runId, step: input.kind, engine: null },
      () => checks.run(input),
      ({ result, end }) => ({ outcome: result.outcome, ms: end.ms }),
    ),
});

export const watchedExecutors = <T extends Record<string, EngineExecutor>>(
  watch: ObserveWork,
  executors: T,
): T =>
  Object.fromEntries(
    Object.entries(executors).map(([engine, executor]): [string, EngineExecutor] => [
      engine,
      {
        ...executor,
        run: (input) =>
          seen(
            watch,
            { runId: input.runId, step: 'agent', engine },
            () => executor.run(input),
            ({ failure, end }) => ({ outcome: failure?.class ?? 'completed', ms: end.ms }),
          ),
      },
    ]),
  ) as T;
