/** The book of a provider of models, and the delay of agents while it refuses; no slot, no time budget (E18). */
import { engineOf } from '../kernel/run/proposer-rotation.ts';
import type { Run } from '../kernel/run/run.ts';
import { MINUTE, SECOND } from '#model/values';
import { applyHostBlock, recordAccepted } from '#model/limits';
import type { WriteHold } from '#ports/forge';
import type { EngineExecutor, LogPort, SystemClock } from '#ports/processes';
import type { Ledger } from '#ports/ledger';

/** A person may raise the quota at any time, so check again after this time (ms). */
const LOOK_AGAIN_MS = 5 * MINUTE;

/** The gateway writes what the provider answers; times are ms from now. */
const bookOf = (provider: string): string => `provider:${provider}`;

export const createProviderBudget = (parts: {
  books: Ledger['writers'];
  clock: SystemClock;
  log: Pick<LogPort, 'info'>;
}) => {
  const { books, clock, log } = parts;
  // Agents go on while the ledger is unavailable, because the provider itself enforces limits.
  const logUnreadableBook = (error: unknown): void =>
    log.info({ err: error }, 'the ledger does not know now whether a provider of models is to be left alone');
  return {
    left: async (provider: string): Promise<number> => {
      const book = await books.of(bookOf(provider)).catch(logUnreadableBook);
      return book ? Math.max(0, book.blockedUntil - clock.now()) : 0;
    },
    refused: async (provider: string, ms: number | null): Promise<void> => {
      const now = clock.now();
      await books
        .change(bookOf(provider), (book) => ({
          book: applyHostBlock(book, ms === null ? null : now + ms, now),
          answer: null,
        }))
        .catch(logUnreadableBook);
    },
    answered: async (provider: string): Promise<void> => {
      const book = await books.of(bookOf(provider)).catch(logUnreadableBook);
      if (!book || book.strikes === 0) return;
      await books
        .change(bookOf(provider), (now) => ({ book: recordAccepted(now), answer: null }))
        .catch(logUnreadableBook);
    },
  };
};

export const createProviderPauses = (parts: {
  clock: SystemClock;
  engines: Readonly<Record<string, Pick<EngineExecutor, 'provider'>>>;
  left: (provider: string) => Promise<number>;
}): { findHold: (run: Run) => Promise<WriteHold | null> } => {
  const { clock, engines, left } = parts;
  return {
    async findHold(run) {
      const engine = engineOf(run);
      const args = engine === run.order.engine ? run.order.engineArgs : [];
      const provider = engines[engine]?.provider?.(args) ?? null;
      const ms = provider === null ? 0 : await left(provider);
      // guard: E18-closed-not-begun
      if (ms <= 0) return null;
      // Rounded, as clocks of processes differ: one message per pause.
      const at = Math.ceil((clock.now() + ms) / SECOND) * SECOND;
      const turn = { action: 'implement', why: 'provider', readyAt: at, position: 1 } as const;
      return { at: Math.min(at, clock.now() + LOOK_AGAIN_MS), turn };
    },
  };
};
