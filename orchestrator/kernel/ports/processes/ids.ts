/** Source of ids of runs and nonces. */
export type IdSource = {
  /** Short and readable: names a run in chat and in its branch. */
  runId(): string;
  /** 16 unguessable characters of [A-Za-z0-9_-]. */
  nonce(): string;
};
