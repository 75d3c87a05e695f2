/** Server-sent events that make open pages reload on changes. */
import { PassThrough } from 'node:stream';
import type { News } from '../news.ts';
import type { Answer } from '../server.ts';

/** Changes within this time are reported as one (ms). */
const EVERY_MS = 80;

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
