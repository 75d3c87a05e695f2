/** Errors by which adapters report failures of the outside world. */
import {
  type Failure,
  type FailureClass,
  failureDetail,
  type FailureDetail,
  type HostRefusal,
  isHostRefusal,
} from '#model/failure';
import type { ReaderLimitReached } from '#model/values';

type FailureFields = {
  /** Earliest retry (epoch ms). */
  retryAt: number | null;
  status: number | null;
  /** `retryAt` is our own guess, so waiting for it uses up a try. */
  isGuess: boolean;
  /** The particular failure as a record for people; `message` is for the log. */
  detail: FailureDetail | null;
};

export class OutsideFailure extends Error implements Readonly<FailureFields> {
  readonly class: FailureClass;
  readonly retryAt: number | null;
  readonly status: number | null;
  readonly isGuess: boolean;
  readonly detail: FailureDetail | null;
  constructor(failure: FailureClass, message: string, fields: Partial<FailureFields> = {}) {
    super(message);
    const { retryAt = null, status = null, isGuess = false, detail = null } = fields;
    this.class = failure;
    this.retryAt = retryAt;
    this.status = status;
    this.isGuess = isGuess;
    this.detail = detail;
  }
}

/** What a result or an event stores of an error; a bug counts as a crash. */
export const toFailure = (error: unknown): Failure => {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof OutsideFailure)) return { class: 'crashed', message };
  return { class: error.class, message, ...(error.detail && { detail: error.detail }) };
};

/** The code host's own refusal, or a failure of the way to it. */
export const findHostRefusal = (error: unknown): HostRefusal | null =>
  error instanceof OutsideFailure && error.detail && isHostRefusal(error.detail) ? error.detail : null;

/** A failure that neither the code host nor a provider caused. */
export const failureWithDetail = (
  failure: FailureClass,
  message: string,
  detail: FailureDetail,
): OutsideFailure => new OutsideFailure(failure, message, { detail });

export const diskFull = (): OutsideFailure =>
  failureWithDetail(
    'disk_full',
    'The disk is full. Free some space, then retry.',
    failureDetail({ kind: 'no_space_left' }),
  );

/** O10: untrusted bytes could not be parsed within the limits. */
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
