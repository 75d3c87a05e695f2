/** Reports the usage of running processes; a crash loses a minute at most (E6). */
import {
  boundsOf,
  listNearBudgets,
  remainingRunMs,
  findExhaustedBudget,
} from '../kernel/lifecycle/run-budget.ts';
import { NO_USAGE, type AgentSession } from '#model/reports';
import type { TurnHead } from '#model/turn';
import { MINUTE } from '#model/values';
import type { Run } from '../kernel/run/run.ts';
import type { CreateMeter, MeterReading } from '#ports/ledger';
import type { EffectContext } from '../kernel/handlers/effect-context.ts';

type Amount = Omit<MeterReading, 'session' | 'turns'>;

const NO_SPENDING: Amount = { usage: NO_USAGE, ms: 0, outputBytes: 0 };
const EVERY_MS = MINUTE;
const LATE_MS = 20;

const roundDollars = (amount: number): number => Math.round(amount * 1e9) / 1e9;
const combineAmounts = (one: Amount, other: Amount, sign: 1 | -1): Amount => ({
  usage: {
    inputTokens: one.usage.inputTokens + sign * other.usage.inputTokens,
    outputTokens: one.usage.outputTokens + sign * other.usage.outputTokens,
    costUsd: roundDollars(one.usage.costUsd + sign * other.usage.costUsd),
  },
  ms: one.ms + sign * other.ms,
  outputBytes: one.outputBytes + sign * other.outputBytes,
});
const addAmounts = (total: Amount, more: Amount): Amount => combineAmounts(total, more, 1);
/** Never negative, even if a clock goes back or an engine forgets its count. */
const subtractAmounts = (whole: Amount, part: Amount): Amount => {
  const { usage, ms, outputBytes } = combineAmounts(whole, part, -1);
  return {
    usage: {
      inputTokens: Math.max(0, usage.inputTokens),
      outputTokens: Math.max(0, usage.outputTokens),
      costUsd: Math.max(0, usage.costUsd),
    },
    ms: Math.max(0, ms),
    outputBytes: Math.max(0, outputBytes),
  };
};

type Needs = Pick<EffectContext, 'submit' | 'clock' | 'log'>;

export const createSpendingMeter =
  (parts: Needs): CreateMeter =>
  (first, claim, by) => {
    const { clock } = parts;
    let run = first;
    let session: AgentSession | null = null;
    let turns: { turns?: TurnHead } = {};
    let ended = NO_SPENDING;
    let working: Amount | null = null;
    let begunAt = 0;
    let reported = NO_SPENDING;
    let reportedAt = clock.now();
    let count = 0;
    let telling: Promise<void> = Promise.resolve();
    let alarm: { cancel(): void } | null = null;

    const totalSpent = (): Amount => {
      if (working === null) return ended;
      return addAmounts(ended, { ...working, ms: Math.max(0, clock.now() - begunAt) });
    };
    const spendingSinceReport = (): Amount => subtractAmounts(totalSpent(), reported);

    const imagineRun = (): Run => {
      const more = spendingSinceReport();
      const { usage } = addAmounts({ ...NO_SPENDING, usage: run.lifecycle.usage }, more);
      const outputBytes = run.lifecycle.outputBytes + more.outputBytes;
      return {
        ...run,
        lifecycle: { ...run.lifecycle, usage, workedMs: run.lifecycle.workedMs + more.ms, outputBytes },
      };
    };

    /** L6: new sessions are reported, so that a crash does not lose them. */
    const isNew = (of: AgentSession | null): boolean =>
      of !== null && of.id !== run.agent.session?.id && !toldOf.has(of.id);
    const toldOf = new Set<string>();

    const reportSpent = async (): Promise<void> => {
      const spent = spendingSinceReport();
      const { usage, ms, outputBytes } = spent;
      const used = ms + outputBytes + usage.inputTokens + usage.outputTokens + usage.costUsd;
      if (used === 0 && !isNew(session)) return;
      reported = addAmounts(reported, spent);
      reportedAt = clock.now();
      count += 1;
      if (session !== null) toldOf.add(session.id);
      const said = await parts.submit({
        runId: run.id,
        input: { type: 'worker.usage.reported', by, session, ...spent },
        key: `spent:${claim.id}:${claim.leaseEpoch}:${count}`,
        cause: { kind: 'none' },
        effectEpoch: claim.epoch,
      });
      if (said.kind === 'written') run = said.run;
    };

    const reportInTurn = (): Promise<void> => {
      telling = telling.then(reportSpent).catch((error: unknown) => {
        parts.log.error({ err: error, run: run.id }, 'what a process used could not be noted');
      });
      return telling;
    };

    const isWorthReporting = (): boolean => {
      const then = imagineRun();
      const told = run.lifecycle.warnedBudgets;
      return (
        findExhaustedBudget(then, by) !== null ||
        listNearBudgets(then).some((budget) => !told.includes(budget))
      );
    };

    const armAlarm = (): void => {
      alarm?.cancel();
      if (working === null) return;
      const then = imagineRun();
      const { warnAt, runMs } = boundsOf(run);
      const left = remainingRunMs(then);
      const toWarning = warnAt === null ? left : runMs * warnAt - then.lifecycle.workedMs;
      // A timer may fire slightly before its time, so a report that had no effect is repeated.
      const late = isWorthReporting() && findExhaustedBudget(run, by) === null;
      // guard: E6-early-timer
      const due = late ? LATE_MS : Math.min(EVERY_MS, ...[left, toWarning].filter((ms) => ms > 0));
      alarm = clock.after(Math.max(1, Math.ceil(due)), () => void reportInTurn().then(armAlarm));
    };

    return {
      begin: () => {
        begunAt = clock.now();
        working = NO_SPENDING;
        armAlarm();
      },
      used: (so) => {
        if (working === null) return;
        session = so.session ?? session;
        working = { usage: so.usage, ms: 0, outputBytes: so.outputBytes };
        if (isNew(session)) void reportInTurn();
        else if (isWorthReporting() || clock.now() - reportedAt >= EVERY_MS) void reportInTurn();
      },
      end: (spent) => {
        alarm?.cancel();
        alarm = null;
        working = null;
        session = spent.session;
        if (spent.turns) turns = { turns: spent.turns };
        ended = addAmounts(ended, spent);
      },
      rest: () => ({ session, ...spendingSinceReport(), ...turns }),
      usedUp: () => findExhaustedBudget(imagineRun(), by),
      flush: reportInTurn,
      told: () => telling,
    };
  };
