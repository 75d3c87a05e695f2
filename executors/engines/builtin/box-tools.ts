/** Calls the tools in the box: one request and one answer per line. */
import type { Writable } from 'node:stream';
import { z } from 'zod';
import { createJsonLineSplitter } from '../shared/line-splitter.ts';
import type { ProgramConversation } from '../shared/program-conversation.ts';

/** Any program in the box could have sent it. */
const Answered = z.object({
  id: z.number(),
  ok: z.boolean(),
  text: z.string().max(200_000),
  files: z.array(z.string().max(4_096)).max(100_000).optional(),
  code: z.number().nullish(),
  digests: z
    .array(
      z.object({
        path: z.string().max(4_096),
        before: z.string().max(64).nullable().optional(),
        digest: z.string().max(64).nullable(),
      }),
    )
    .max(100_000)
    .optional(),
  texts: z
    .array(
      z.object({
        path: z.string().max(4_096),
        before: z.string().max(600_000).nullable(),
        after: z.string().max(600_000),
      }),
    )
    .max(10)
    .optional(),
});
export type ToolAnswer = Omit<z.infer<typeof Answered>, 'id'>;

export class BoxGoneError extends Error {}

export const createBoxTools = ({
  listen,
  stdin,
}: {
  listen: ProgramConversation['listen'];
  stdin: Writable;
}) => {
  const waiting = new Map<
    number,
    { resolve: (answer: ToolAnswer) => void; reject: (error: Error) => void }
  >();
  const gone = new AbortController();
  let last = 0;
  const lines = createJsonLineSplitter((heard) => {
    const answer = Answered.safeParse(heard).data;
    if (answer === undefined) return;
    waiting.get(answer.id)?.resolve(answer);
    waiting.delete(answer.id);
  });
  listen(lines.add, () => {
    gone.abort();
    for (const { reject } of waiting.values()) reject(new BoxGoneError());
    waiting.clear();
  });
  return {
    gone: gone.signal,
    use: (tool: string, input: Readonly<Record<string, unknown>>): Promise<ToolAnswer> =>
      new Promise((resolve, reject) => {
        if (gone.signal.aborted || !stdin.writable) return reject(new BoxGoneError());
        last += 1;
        waiting.set(last, { resolve, reject });
        stdin.write(`${JSON.stringify({ id: last, tool, input })}\n`);
      }),
  };
};
export type BoxTools = ReturnType<typeof createBoxTools>;
