/** Looks at merged changes again after 30 and 90 days (O7). */
import { findDueSurvivalDays } from '#model/change';
import { DAY, HOUR } from '#model/values';
import { repositoryOf } from '../kernel/run/run.ts';
import type { SubmitInput } from '../kernel/runtime/submit-input.ts';
import { startRepeatingJob, type RepeatingJob } from '#limits';
import { OutsideFailure } from '#ports/forge';
import type { ForgePulls } from '#ports/roles';
import type { Ledger } from '#ports/ledger';
import type { LogPort, SystemClock, TimerPort } from '#ports/processes';
import type { FigureRecords } from './fold-figures.io.ts';
import type { RunFigures } from './run-figures.ts';

const EVERY_MS = 6 * HOUR;
const MAX_LOOKS_PER_ROUND = 20;
const OLDEST_ORDER_MS = 400 * DAY;

type SurvivalParts = {
  figures: Pick<FigureRecords, 'since'>;
  forge: Pick<ForgePulls, 'survival'>;
  query: Pick<Ledger['query'], 'run'>;
  submit: SubmitInput;
  clock: SystemClock;
  log: Pick<LogPort, 'error'>;
};

export const createSurvivalPolls = ({ figures, forge, query, submit, clock, log }: SurvivalParts) => {
  const observeSurvival = async (figure: RunFigures): Promise<void> => {
    const days = findDueSurvivalDays(figure, clock.now());
    const run = days === null ? null : await query.run(figure.run);
    const { pullRequest } = run?.upstream ?? {};
    const [base, head] = [run?.change.commit?.base, run?.change.pushedHead?.sha];
    if (days === null || !run || !pullRequest || base === undefined || head === undefined) return;
    const seen = await forge.survival(repositoryOf(run), { pull: pullRequest.id, base, head });
    if (!seen) return;
    await submit({
      runId: run.id,
      input: { type: 'forge.survival.observed', days, ...seen },
      key: `survival:${run.id}:${days}`,
      cause: { kind: 'none' },
    });
  };

  return async (stopped: () => boolean): Promise<void> => {
    const now = clock.now();
    const due = (await figures.since(now - OLDEST_ORDER_MS)).filter(
      (one) => findDueSurvivalDays(one, now) !== null,
    );
    for (const figure of due.slice(0, MAX_LOOKS_PER_ROUND)) {
      if (stopped()) return;
      try {
        await observeSurvival(figure);
      } catch (error) {
        // A repository that is gone, or a limit: the next round looks again, for thirty days.
        if (!(error instanceof OutsideFailure)) log.error({ err: error, run: figure.run }, 'a look failed');
      }
    }
  };
};

export const startSurvivalPolls = (parts: SurvivalParts & { timers: TimerPort }): RepeatingJob =>
  startRepeatingJob({ timers: parts.timers, every: EVERY_MS, round: createGuardedRound(parts) });

const createGuardedRound = (parts: SurvivalParts) => {
  const round = createSurvivalPolls(parts);
  return (stopped: () => boolean): Promise<void> =>
    round(stopped).catch((error: unknown) => {
      parts.log.error({ err: error }, 'merged changes could not be looked at');
    });
};
