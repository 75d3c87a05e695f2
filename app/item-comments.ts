/** Posts comments where orders came from: one request, whose outcome is known or said to be unclear (F5). */
import { z } from 'zod';
import type { PostItemComment } from '#ports/processes';
import { createPostCommentRequest } from '#webhooks';
import type { ControlConfig } from './config.ts';

const ANSWER_WITHIN_MS = 15_000;
const MAX_READ_BYTES = 65_536;

const UNSENT: readonly unknown[] = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];
const codeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error && 'code' in error.cause ? error.cause.code : null;

const readStart = async ({ body }: Response): Promise<string> => {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    pieces.push(piece);
    bytes += piece.byteLength;
    if (bytes >= MAX_READ_BYTES) break;
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
};

/** GraphQL refuses with status 200: by `errors`, or by a mutation that says it had no success. */
const Refusal = z.union([
  z.object({ errors: z.unknown().refine((errors) => errors !== undefined) }),
  z.object({
    data: z.record(z.string(), z.unknown()).refine((data) => Object.values(data).some(hasFailed)),
  }),
]);
const hasFailed = (result: unknown): boolean =>
  z.object({ success: z.literal(false) }).safeParse(result).success;

const isRefusal = (answer: string): boolean => {
  try {
    return Refusal.safeParse(JSON.parse(answer)).success;
  } catch {
    return false;
  }
};

const isPathPart = (id: string): boolean => !/^\.{1,2}$/.test(id);

export const createPostComment =
  ({ hooks }: Pick<ControlConfig, 'hooks'>): PostItemComment =>
  async ({ hook, id }, text, signal) => {
    const form = hooks.get(hook)?.comment;
    // guard: F5-comment-configured
    if (!form || !isPathPart(id))
      return { outcome: 'refused', message: `arrivals.hooks.${hook} takes no comment on ${id}` };
    const { url, headers, body } = createPostCommentRequest(form, { id, text }, form.token);
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body,
        // Security: a redirect would take the key along.
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
      });
      const answer = await readStart(response);
      if (response.ok && !isRefusal(answer)) return { outcome: 'posted', message: '' };
      // Behind a gateway's error the program may have taken it.
      if (response.status >= 500) return { outcome: 'unclear', message: `HTTP ${response.status}` };
      // Security: a program may repeat what it was sent.
      const says = answer.replaceAll(form.token, '…');
      return { outcome: 'refused', message: `HTTP ${response.status} ${says}`.trim() };
    } catch (error) {
      const code = codeOf(error);
      if (UNSENT.includes(code)) return { outcome: 'refused', message: String(code) };
      return { outcome: 'unclear', message: error instanceof Error ? error.message : String(error) };
    }
  };
