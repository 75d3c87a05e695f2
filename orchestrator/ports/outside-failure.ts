/** How adapters report the outside world. */
import type { FailureClass } from '../core/failure-classes.ts';
import type { HostRefusal } from '../core/host-refusal.ts';
import type { ReaderLimitReached } from '../core/reader-limits.ts';

/** An outside failure, as classified data. A bug throws something else. */
export class OutsideFailure extends Error {
  readonly class: FailureClass;
  /** When to come back (epoch ms), when the other side said so. */
  readonly retryAt: number | null;
  /** The status of HTTP that stands behind it, when one does. */
  readonly status: number | null;
  /** What the code host said against it, where its answer says more than a status. */
  readonly refusal: HostRefusal | null;
  /** The other side did not say when: `retryAt` is ours, and such a wait uses up tries. */
  readonly isGuess: boolean;
  constructor(
    failure: FailureClass,
    message: string,
    retryAt: number | null = null,
    status: number | null = null,
    refusal: HostRefusal | null = null,
    isGuess = false,
  ) {
    super(message);
    this.class = failure;
    this.isGuess = isGuess;
    this.retryAt = retryAt;
    this.status = status;
    this.refusal = refusal;
  }
}

/** The refusal of the code host that stands behind an error, as it goes into records. */
export const refusedBy = (error: unknown): { refusal?: HostRefusal } =>
  error instanceof OutsideFailure && error.refusal !== null ? { refusal: error.refusal } : {};

/** O10: bytes of strangers could not be read within the limits. */
export class UnreadableFailure extends OutsideFailure {
  readonly unreadable: ReaderLimitReached;
  constructor(
    file: string | null,
    {
      limit,
      limitValue: most,
      sha = null,
      foundInRun: of = null,
    }: Pick<ReaderLimitReached, 'limit' | 'limitValue'> & Partial<ReaderLimitReached>,
  ) {
    super('repository_unreadable', '');
    this.unreadable = { file: file?.slice(0, 400) ?? null, limit, limitValue: most, sha, foundInRun: of };
  }
}
