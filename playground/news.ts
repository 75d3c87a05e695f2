/** Lets tests wait for a condition that is checked after every change. */

export type WaitOptions = {
  /** Time limit (ms). */
  deadlineMs?: number;
  what?: string;
};
export type Look<T> = () => T | null | undefined | false;

export type News = {
  tell(): void;
  listen(listener: () => void): () => void;
  /** Resolves with the first truthy result; rejects at the deadline or if `look` throws. */
  waitFor<T>(look: Look<T>, options?: WaitOptions): Promise<T>;
  end(): void;
};

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
