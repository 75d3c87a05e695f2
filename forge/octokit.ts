/** The one way to GitHub's own client: no words of its own, and no more read than an answer has. */
import { Octokit } from '@octokit/rest';
import { MB } from '../orchestrator/core/units.ts';

/** Addresses are joined by a slash, which people may have written at the end already. */
export const withoutSlash = (apiUrl: string): string => new URL(apiUrl).href.replace(/\/+$/, '');

export const createOctokit = (apiUrl: string, userAgent = 'agentpr'): Octokit =>
  new Octokit({
    baseUrl: withoutSlash(apiUrl),
    userAgent,
    log: SILENT_LOG,
    request: { fetch: boundedFetch },
  });

export const SILENT_LOG = { debug: nothing, info: nothing, warn: nothing, error: nothing };
function nothing(): void {}

/** Bytes. */
const MAX_ANSWER_BYTES = 32 * MB;

/** Ends an answer that has no end; Octokit then takes it for one that it cannot read. */
const boundedFetch: typeof fetch = async (input, init) => {
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
