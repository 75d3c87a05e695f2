/** Creates Octokit without logging and with a size limit on answers. */
import { Octokit } from '@octokit/rest';
import { MB } from '#model/values';

export const withoutSlash = (apiUrl: string): string => new URL(apiUrl).href.replace(/(?<!\/)\/+$/, '');

export const createOctokit = (apiUrl: string, userAgent = 'agentpr'): Octokit =>
  new Octokit({
    baseUrl: withoutSlash(apiUrl),
    userAgent,
    log: SILENT_LOG,
    request: { fetch: fetchWithLimit },
  });

export const SILENT_LOG = { debug: doNothing, info: doNothing, warn: doNothing, error: doNothing };
function doNothing(): void {}

const MAX_ANSWER_BYTES = 32 * MB;

/** Cuts an endless answer, which Octokit then rejects. */
const fetchWithLimit: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const { body, status, statusText, headers } = response;
  if (!body) return response;
  let left = MAX_ANSWER_BYTES;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, rest) {
      left -= chunk.length;
      if (left < 0) rest.error(new Error('The answer is too long'));
      else rest.enqueue(chunk);
    },
  });
  return new Response(body.pipeThrough(bound), { status, statusText, headers });
};
