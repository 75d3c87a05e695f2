/**
 * O4: who watches work while it is done: metrics and traces hear when something begins, and how it
 * ended. Nobody who does the work knows of them.
 */
import type { Checks, Executor } from '../orchestrator/ports.ts';

/** Names and outcomes are ours, or a plan's; nothing that an agent or a repository said. */
export type WatchedWork = {
  runId: string;
  step: 'agent' | 'check' | 'install';
  /** Of an agent. */
  engine: string | null;
};
/** Says that something begins; what it gives back is told how it ended. */
export type Watch = (work: WatchedWork) => (outcome: string, ms: number) => void;

export const together =
  (...all: readonly Watch[]): Watch =>
  (work) => {
    const ends = all.map((watch) => watch(work));
    return (outcome, ms) => ends.forEach((end) => end(outcome, ms));
  };

const BROKEN = 'threw';
const seen = async <T>(
  watch: Watch,
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

export const watchedChecks = (watch: Watch, checks: Checks): Checks => ({
  run: (input) =>
    seen(
      watch,
      { runId: input.runId, step: input.kind, engine: null },
      () => checks.run(input),
      ({ result, end }) => ({ outcome: result.outcome, ms: end.ms }),
    ),
});

export const watchedExecutors = <T extends Record<string, Executor>>(watch: Watch, executors: T): T =>
  Object.fromEntries(
    Object.entries(executors).map(([engine, executor]): [string, Executor] => [
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
