/** Waits for a Postgres that does not answer. The driver is not loaded for it: a ledger in a file asks here too. */
import { comesBack } from '../sql/database-failures.ts';

/** What is told while a database is opened or held. */
export type ConnectionListeners = {
  /**
   * Postgres does not answer yet; it is asked again, for as long as it takes. Where nobody hears of it,
   * for a minute.
   */
  onWaiting?: ((why: string) => void) | undefined;
  /** Another program took the ledger over while it could not be reached. */
  onTaken?: ((error: Error) => void) | undefined;
};
/** How long a command waits for a Postgres that does not answer, and how often it asks (ms). */
const CONNECTION_TIMEOUT_MS = 60_000;
const DATABASE_RETRY_MS = 1_000;

/** Does it again for as long as Postgres does not answer, or has no connection left. */
export const retryWhileUnavailable = async <T>(
  work: () => Promise<T>,
  onWaiting: ConnectionListeners['onWaiting'],
): Promise<T> => {
  let said = '';
  for (const end = onWaiting ? Infinity : performance.now() + CONNECTION_TIMEOUT_MS; ;) {
    try {
      return await work();
    } catch (error) {
      if (!isTemporaryFailure(error) || performance.now() >= end) throw error;
      const why = error instanceof Error ? error.message : String(error);
      if (why !== said) onWaiting?.((said = why));
      await new Promise((resolve) => setTimeout(resolve, DATABASE_RETRY_MS));
    }
  }
};
/** Of what the ledger says in its own words. */
export const isTemporaryFailure = (error: unknown): boolean =>
  comesBack(error instanceof Error ? error.cause : undefined);
