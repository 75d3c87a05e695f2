/** Downloads the end of a large text; redirects to other hosts never get our credential (G5). */
import { OutsideFailure } from '#ports/forge';
import { failureByAnswer, unreachableFailure, unreadableAnswerFailure } from './github-failures.ts';
import { findRetryAfterTime } from './rate-limits.ts';
import { MB, KB } from '#model/values';

const MOST_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];
/** Bytes kept and bytes read at most, since a log may never end. */
const MAX_KEPT_LOG_BYTES = 2 * MB;
const MAX_READ_LOG_BYTES = 256 * MB;
const MAX_ERROR_BODY_BYTES = 64 * KB;

type LogDownload = {
  url: string;
  /** Base URL of the API, with a trailing slash; credentials are sent only below it. */
  home: string;
  credentials: Record<string, string>;
  headers: Record<string, string>;
  signal: AbortSignal;
  now: () => number;
};

/** Returns at most the last 2 MB, from the start of a line. */
export const downloadLogTail = async (wish: LogDownload): Promise<string> => {
  try {
    const { response, home } = await followRedirects(wish);
    if (!response.ok) throw await readStorageRefusal(response, home ? wish.url : null, wish.now());
    const type = response.headers.get('content-type') ?? '';
    // A proxy's error page; logs are plain text.
    if (/^text\/html|^application\/(?:json|xhtml)/i.test(type)) {
      await response.body?.cancel();
      throw unreadableAnswerFailure();
    }
    const { bytes, whole } = await lastBytes(response, MAX_KEPT_LOG_BYTES, MAX_READ_LOG_BYTES);
    const text = new TextDecoder().decode(bytes);
    return whole ? text : text.slice(text.indexOf('\n') + 1);
  } catch (error) {
    throw error instanceof OutsideFailure ? error : unreachableFailure(error);
  }
};

const followRedirects = async (wish: LogDownload): Promise<{ response: Response; home: boolean }> => {
  let url = new URL(wish.url);
  for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
    const home = url.href.startsWith(wish.home);
    const headers = home ? { ...wish.headers, ...wish.credentials } : wish.headers;
    const response = await fetch(url, { headers, redirect: 'manual', signal: wish.signal });
    const to = REDIRECTS.includes(response.status) ? response.headers.get('location') : null;
    if (to === null) return { response, home };
    await response.body?.cancel();
    url = nextAddress(to, url);
  }
  throw downloadFailure('sent us from one address to the next without end');
};

const nextAddress = (to: string, from: URL): URL => {
  const next = URL.parse(to, from.href);
  const safe =
    next && (next.protocol === 'https:' || (next.protocol === 'http:' && from.protocol === 'http:'));
  if (!safe) throw downloadFailure('sent us to an address that we do not open');
  return next;
};
const downloadFailure = (how: string): OutsideFailure =>
  new OutsideFailure('forge_unavailable', `GitHub ${how}. We try again by ourselves.`);

/** A refusal by the log storage means that the log is gone. */
const readStorageRefusal = async (response: Response, url: string | null, now: number): Promise<unknown> => {
  const headers = Object.fromEntries(response.headers);
  const { status } = response;
  const { bytes } = await lastBytes(response, MAX_ERROR_BODY_BYTES, MAX_ERROR_BODY_BYTES);
  if (url !== null) {
    const data = parseJsonOrText(new TextDecoder().decode(bytes));
    return failureByAnswer({ status, headers, data, url }, now);
  }
  const busy = status >= 500 || status === 429;
  return busy
    ? new OutsideFailure('forge_unavailable', `GitHub's store failed (${status})`, {
        retryAt: findRetryAfterTime(headers, now),
      })
    : new OutsideFailure('repository_missing', `GitHub's store does not show it to us (${status})`);
};

const parseJsonOrText = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
};

const lastBytes = async (
  response: Response,
  keep: number,
  read: number,
): Promise<{ bytes: Uint8Array; whole: boolean }> => {
  const body: AsyncIterable<Uint8Array> | null = response.body;
  const chunks: Uint8Array[] = [];
  let [held, total] = [0, 0];
  for await (const chunk of body ?? emptyBody()) {
    chunks.push(chunk);
    held += chunk.length;
    total += chunk.length;
    while (held - (chunks[0]?.length ?? 0) >= keep) held -= chunks.shift()?.length ?? 0;
    if (total >= read) break;
  }
  const bytes = Buffer.concat(chunks);
  return { bytes: bytes.subarray(Math.max(0, bytes.length - keep)), whole: total <= keep };
};

async function* emptyBody(): AsyncGenerator<Uint8Array> {}
