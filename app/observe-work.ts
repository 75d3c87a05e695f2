/** Notifies metrics and traces of agents, checks and installations (O4). */
import type { CheckExecutor, EngineExecutor } from '#ports/processes';

/** Security: contains no text of agents or repositories. */
export type WatchedWork = {
  runId: string;
  step: 'agent' | 'check' | 'install';
  engine: string | null;
};
/** Called at the start; the returned function is called at the end. */
export type ObserveWork = (work: WatchedWork) => (outcome: string, ms: number) => void;

export const combineObservers =
  (...all: readonly ObserveWork[]): ObserveWork =>
  (work) => {
    const ends = all.map((watch) => watch(work));
    return (outcome, ms) => ends.forEach((end) => end(outcome, ms));
  };

const BROKEN = 'threw';
const observeWork = async <T>(
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

export const withObservedChecks = (watch: ObserveWork, checks: CheckExecutor): CheckExecutor => ({
  run: (input) =>
    observeWork(
      watch,
      { runId: input.runId, step: input.kind, engine: null },
      () => checks.run(input),
      ({ result, end }) => ({ outcome: result.outcome, ms: end.ms }),
    ),
});

export const watchExecutors = <T extends Record<string, EngineExecutor>>(
  watch: ObserveWork,
  executors: T,
): T =>
  Object.fromEntries(
    Object.entries(executors).map(([engine, executor]): [string, EngineExecutor] => [
      engine,
      {
        ...executor,
        run: (input) =>
          observeWork(
            watch,
            { runId: input.runId, step: 'agent', engine },
            () => executor.run(input),
            ({ failure, end }) => ({ outcome: failure?.class ?? 'completed', ms: end.ms }),
          ),
      },
    ]),
  ) as T;
