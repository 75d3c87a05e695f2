/** Keeps in the ledger what an attempt does while it runs, for pages and messages (E21). */
import { NO_USAGE, type ModelUsage } from '#model/reports';
import type { Activity } from '#model/agent';
import { cutText } from '#model/values';
import type { EffectContext } from './effect-context.ts';

/** Less often than a page is looked at would be late, and more often nobody would see (ms). */
const WRITE_EVERY_MS = 1_000;
const MAX_LINE_LENGTH = 200;

export type ActivityLog = {
  note: (activity: Activity) => void;
  /** What this attempt used so far. */
  used(usage: ModelUsage): void;
  /** Resolves when nothing is written any more. */
  end: () => Promise<void>;
};

export const createActivityLog = (
  { ledger, clock, log }: Pick<EffectContext, 'ledger' | 'clock' | 'log'>,
  attempt: number,
): ActivityLog => {
  let newest: Activity | null = null;
  let usage = NO_USAGE;
  let isOver = false;
  let timer: { cancel(): void } | null = null;
  let writing: Promise<void> = Promise.resolve();

  /** The timer stays until there is nothing to write, so that one write follows another. */
  const write = (): void => {
    if (newest === null || isOver) {
      timer = null;
      return;
    }
    const { kind, text, lines } = newest;
    newest = null;
    const shorten = (line: string): string => cutText(line, MAX_LINE_LENGTH);
    const activity = { kind, text: shorten(text), lines: lines.map(shorten), at: clock.now(), usage };
    writing = ledger.attempt
      .recordActivity(attempt, activity)
      .catch((error: unknown) => log.warn({ err: error, attempt }, 'what an attempt does could not be kept'))
      .then(() => {
        if (!isOver) timer = clock.after(WRITE_EVERY_MS, write);
      });
  };
  const writeSoon = (): void => {
    timer ??= clock.after(0, write);
  };
  return {
    note: (activity) => {
      newest = activity;
      writeSoon();
    },
    used: (so) => {
      usage = so;
    },
    end: () => {
      isOver = true;
      timer?.cancel();
      return writing;
    },
  };
};
