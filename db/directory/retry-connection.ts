/** Waits for a Postgres that does not answer, without loading its driver. */
import { isTransientDatabaseError } from '../sql/database-failures.ts';

export type ConnectionListeners = {
  /** A DatabaseFailure says why by its fault. Waits without limit; absent: waits a minute. */
  onWaiting?: ((why: Error) => void) | undefined;
  /** Another program took over the ledger during an outage. */
  onTaken?: ((error: Error) => void) | undefined;
};
const CONNECTION_TIMEOUT_MS = 60_000;
const DATABASE_RETRY_MS = 1_000;

export const retryWhileUnavailable = async <T>(
  work: () => Promise<T>,
  onWaiting: ConnectionListeners['onWaiting'],
): Promise<T> => {
  let said = '';
  for (const end = onWaiting ? Infinity : performance.now() + CONNECTION_TIMEOUT_MS; ;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Error) || !isTemporaryFailure(error) || performance.now() >= end) throw error;
      if (error.message !== said) onWaiting?.(error);
      said = error.message;
      await new Promise((resolve) => setTimeout(resolve, DATABASE_RETRY_MS));
    }
  }
};
export const isTemporaryFailure = (error: unknown): boolean =>
  isTransientDatabaseError(error instanceof Error ? error.cause : undefined);
