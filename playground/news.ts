/**
 * Lets tests wait for something to become true: every change is told, and each wait looks again
 * then.
 */

export type WaitOptions = {
  /** How long to wait before giving up, in ms. */
  deadlineMs?: number;
  /** What is waited for, for the message when it does not come. */
  what?: string;
};
export type Look<T> = () => T | null | undefined | false;

export type News = {
  tell(): void;
  /** Hears of every change. Returns how to stop hearing. */
  listen(listener: () => void): () => void;
  /** Resolves with the first truthy look; rejects at the deadline, or when looking throws. */
  waitFor<T>(look: Look<T>, options?: WaitOptions): Promise<T>;
  /** Ends every wait: nothing will change any more. */
  end(): void;
};

/** `picture` describes how things stand, for the message of a wait that ended in vain. */
export function createNews(picture: () => string): News {
  const waits = new Set<{ check(): void; fail(why: string): void }>();
  const listeners = new Set<() => void>();

  function waitFor<T>(look: Look<T>, { deadlineMs = 10_000, what }: WaitOptions = {}): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const settle = (end: () => void): void => {
      waits.delete(wait);
      clearTimeout(deadline);
      end();
    };
    const wait = {
      check() {
        try {
          const found = look();
          if (found) settle(() => resolve(found));
        } catch (error) {
          settle(() => reject(error instanceof Error ? error : new Error(String(error))));
        }
      },
      fail(why: string) {
        settle(() => reject(new Error(`${why} while waiting for ${what ?? look.toString()}.\n${picture()}`)));
      },
    };
    const deadline = setTimeout(() => wait.fail(`Nothing came in ${deadlineMs} ms`), deadlineMs);
    waits.add(wait);
    wait.check();
    return promise;
  }

  return {
    waitFor,
    tell() {
      for (const wait of [...waits]) wait.check();
      for (const listener of [...listeners]) listener();
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    end() {
      for (const wait of [...waits]) wait.fail('The playground stopped');
    },
  };
}
