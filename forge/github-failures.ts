/** Classifies GitHub's errors, with text for people. */
import { z } from 'zod';
import { failureDetail, type FailureDetail, type FailureClass, type HostRefusal } from '#model/failure';
import { failureWithDetail, OutsideFailure } from '#ports/forge';
import { networkFailureOf, findNetworkRefusal } from '#network-faults';
import {
  isRateLimit,
  rateLimitKind,
  findRetryAfterTime,
  estimatePauseEnd,
  type ResponseHeaders,
} from './rate-limits.ts';
import { readRefusal } from './github-refusals.ts';

const MAX_ANSWER_LENGTH = 300;

/** Octokit's RequestError, not exported by @octokit/rest; no response means a network failure. */
const Failed = z.object({
  name: z.literal('HttpError'),
  status: z.number(),
  message: z.string(),
  request: z.object({ url: z.string() }).optional(),
  response: z
    .object({
      headers: z.record(z.string(), z.union([z.string(), z.number()]).optional()),
      data: z.unknown(),
    })
    .optional(),
});
export const findHttpStatus = (error: unknown): number | null => Failed.safeParse(error).data?.status ?? null;
export const headersOf = (error: unknown): ResponseHeaders =>
  Failed.safeParse(error).data?.response?.headers ?? {};

/** Not the API's format, such as a proxy's page. A write may have taken effect. */
export const unreadableAnswerFailure = (): OutsideFailure =>
  failureWithDetail(
    'forge_unavailable',
    'GitHub answered with something that is not its API. We try again by ourselves.',
    failureDetail({ kind: 'host_answer_unreadable' }),
  );

/** GitHub, "Redirects": writes under a former name are redirected and not executed. */
export const repositoryMovedFailure = (): OutsideFailure =>
  new OutsideFailure(
    'repository_missing',
    'GitHub knows this repository under another name or owner now. Make a new run under that name',
  );

export const toGitHubFailure = (error: unknown, now: number): unknown => {
  if (error instanceof OutsideFailure) return error;
  const failed = Failed.safeParse(error).data;
  if (!failed) return isTransport(error) ? unreachableFailure(error) : error;
  const { request, response, status } = failed;
  if (!response) return unreachableFailure(error);
  const { headers, data } = response;
  return failureByAnswer({ status, headers, data, url: request?.url ?? null }, now);
};

type Answer = { status: number; headers: ResponseHeaders; data: unknown; url: string | null };

export const failureByAnswer = ({ status, headers, data, url }: Answer, now: number): OutsideFailure => {
  const words = wordsOf(data);
  const says = words ? `: ${words}` : '';
  const answer = { status, says: words ?? '' };
  const isLimited = isRateLimit({ status, headers }, words ?? '', data);
  const refusal: HostRefusal | null = isLimited
    ? { kind: rateLimitKind(headers, words ?? '') }
    : readRefusal({ status, headers, words: words ?? '', data, url });
  const toFailure = (
    kind: FailureClass,
    message: string,
    retryAt: number | null = null,
    detail: FailureDetail | null = null,
  ): OutsideFailure =>
    new OutsideFailure(kind, message, {
      retryAt,
      status,
      detail: refusal ?? (detail && failureDetail(detail)),
    });
  if (status >= 500)
    return toFailure(
      'forge_unavailable',
      `GitHub failed (${status})${says}`,
      findRetryAfterTime(headers, now),
      {
        kind: 'host_failed',
        ...answer,
      },
    );
  // Gateways before the API may rate-limit with pages of their own.
  if (isLimited) {
    const { at, isGuess } = estimatePauseEnd(headers, now);
    return new OutsideFailure('rate_limited', `GitHub asks us to wait${says}`, {
      retryAt: at,
      status,
      detail: refusal,
      isGuess,
    });
  }
  if (words === null) return unreadableAnswerFailure();
  if (status === 401)
    return toFailure(
      'auth_missing',
      `GitHub refused our credential${says}. Check GITHUB_TOKEN or the App's key.`,
      null,
      { kind: 'host_credential_refused', says: answer.says },
    );
  // guard: F5-suspended
  if (refusal?.kind === 'account_suspended' || refusal?.kind === 'app_suspended')
    return toFailure(
      'account_suspended',
      `GitHub has suspended us${says}. Of an account, its support can lift that (support.github.com); of an App, the owner who installed it. Runs go on by themselves then`,
    );
  // guard: F5-archived-told
  if (refusal?.kind === 'archived')
    return toFailure('repository_archived', `GitHub takes nothing there any more${says}`);
  if (refusal?.kind === 'access_blocked')
    return toFailure('repository_missing', `GitHub shows it to nobody${says}`);
  if (refusal?.kind === 'sign_on_required')
    return toFailure(
      'permission_denied',
      `The organisation wants single sign-on for our credential. Authorise it ${refusal.url === undefined ? 'in the settings of its account' : `at ${refusal.url}`}, then retry`,
    );
  if (status === 404)
    return toFailure('repository_missing', `GitHub does not find it, or hides it from us${says}`, null, {
      kind: 'host_not_found',
      says: answer.says,
    });
  return toFailure('forge_refused', `GitHub refused (${status})${says}`, null, {
    kind: 'host_refused',
    ...answer,
  });
};

/** Octokit gives a plain AbortError for its signal, and 500 without a response for the network. */
const isTransport = (error: unknown): boolean =>
  error instanceof Error && ['AbortError', 'TimeoutError'].includes(error.name);

export const unreachableFailure = (error: unknown): OutsideFailure => {
  const fault = networkFailureOf('GitHub', error);
  if (fault !== null) return fault;
  const said = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const why = said instanceof Error ? toOneLine(said.message) : '';
  return new OutsideFailure(
    'forge_unavailable',
    `GitHub could not be reached${why ? ` (${why})` : ''}. We try again by ourselves.`,
    { detail: findNetworkRefusal(error) },
  );
};

const wordsOf = (data: unknown): string | null => {
  if (data === '' || data === undefined || data === null) return '';
  if (typeof data !== 'object' || data instanceof ArrayBuffer) return null;
  const { message, errors } = data as { message?: unknown; errors?: unknown };
  const details = Array.isArray(errors) ? errors.map(detailOf) : [detailOf(errors)];
  return toOneLine([typeof message === 'string' ? message : '', ...details].filter(Boolean).join('; '));
};

const detailOf = (error: unknown): string => {
  if (typeof error === 'string') return error;
  if (typeof error !== 'object' || error === null) return '';
  const { message, resource, field, code } = error as Record<string, unknown>;
  if (typeof message === 'string') return message;
  return [resource, field, code].filter((v) => typeof v === 'string').join(' ');
};

const toOneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_ANSWER_LENGTH);
