/** E16: shares model providers' rate limits between processes through the ledger. */
import type { ProviderBudget } from '#gateway';
import { recordAccepted, refusedAll } from '../orchestrator/model/write-slots.ts';
import type { SystemClock, Ledger, LogPort } from '../orchestrator/kernel/ports/index.ts';

const bookOf = (provider: string): string => `provider:${provider}`;

export const createProviderBudget = (parts: {
  books: Ledger['writers'];
  clock: SystemClock;
  log: Pick<LogPort, 'info'>;
}): ProviderBudget => {
  const { books, clock, log } = parts;
  // Agents go on while the ledger is unavailable, because the provider itself enforces limits.
  const unknown = (error: unknown): void =>
    log.info({ err: error }, 'the ledger does not know now whether a provider of models is to be left alone');
  return {
    left: async (provider) => {
      const book = await books.of(bookOf(provider)).catch(unknown);
      return book ? Math.max(0, book.blockedUntil - clock.now()) : 0;
    },
    refused: async (provider, ms) => {
      const now = clock.now();
      await books
        .change(bookOf(provider), (book) => ({
          book: refusedAll(book, ms === null ? null : now + ms, now),
          answer: null,
        }))
        .catch(unknown);
    },
    answered: async (provider) => {
      const book = await books.of(bookOf(provider)).catch(unknown);
      if (!book || book.strikes === 0) return;
      await books
        .change(bookOf(provider), (now) => ({ book: recordAccepted(now), answer: null }))
        .catch(unknown);
    },
  };
};
