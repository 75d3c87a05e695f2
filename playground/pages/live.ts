/**
 * Server-sent events for the pages: one line for each change, so that an open page shows it at
 * once.
 */
import { PassThrough } from 'node:stream';
import type { News } from '../news.ts';
import type { Answer } from '../server.ts';

/** Many changes at once are told as one, at most every so many ms. */
const EVERY_MS = 80;

/** Ends when `gone` is aborted. The page asks again for what it shows whenever a line comes. */
export function live(news: News, gone: AbortSignal): Answer {
  const stream = new PassThrough();
  let waiting: NodeJS.Timeout | null = null;
  const tell = (): void => {
    waiting ??= setTimeout(() => {
      waiting = null;
      stream.write('data: change\n\n');
    }, EVERY_MS);
  };
  const stop = news.listen(tell);
  stream.write('retry: 500\n\n');
  const end = (): void => {
    stop();
    if (waiting) clearTimeout(waiting);
    stream.end();
  };
  if (gone.aborted) end();
  else gone.addEventListener('abort', end, { once: true });
  const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' };
  return { status: 200, headers, body: stream };
}
