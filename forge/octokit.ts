/** Fetch that reads no more of an answer than any answer of the API has. */
import { MB } from '../orchestrator/core/units.ts';

/** Bytes. */
const LARGEST = 32 * MB;

/** Ends an answer that has no end; Octokit then takes it for one that it cannot read. */
export const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const { body, status, statusText, headers } = response;
  if (!body) return response;
  let left = LARGEST;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, rest) {
      left -= chunk.length;
      if (left < 0) rest.error(new Error('The answer is too long'));
      else rest.enqueue(chunk);
    },
  });
  return new Response(body.pipeThrough(bound), { status, statusText, headers });
};
