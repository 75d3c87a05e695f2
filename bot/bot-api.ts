/**
 * S6: what answers in place of Telegram's Bot API (a proxy, a page, half an answer) counts as
 * nobody, whatever it says.
 */
import { HttpError, type Transformer } from 'grammy/web';
import { z } from 'zod';

const whole = z.coerce.number().int().optional().catch(undefined);
/** However long we are asked to wait (s): a timer that is set for longer rings at once. */
const MAX_RETRY_AFTER_S = 86_400;
/** Bot API, "Making requests". */
const Refusal = z.object({
  ok: z.literal(false),
  error_code: z.int(),
  description: z.string().default(''),
  parameters: z.object({ migrate_to_chat_id: whole, retry_after: whole }).catch({}).default({}),
});
const Answer = z.object({ ok: z.literal(true), result: z.unknown() });
const Sent = z.object({ message_id: z.int() });
/** What is read of what it gives; of everything else only that it is there. */
const RESULTS: Readonly<Record<string, z.ZodType>> = {
  getMe: z.object({ id: z.int(), username: z.string() }),
  sendMessage: Sent,
  sendDocument: Sent,
  sendMediaGroup: z.array(Sent).min(2),
};

const gives = (method: string, answer: unknown): boolean => {
  const { success, data } = Answer.safeParse(answer);
  if (!success || data.result === undefined) return false;
  return RESULTS[method]?.safeParse(data.result).success ?? true;
};

/**
 * The first that an Api uses: whatever is asked hears of a strange answer as of a line that broke.
 */
export const onlyBotApi: Transformer = async (call, method, payload, signal) => {
  const answer = await call(method, payload, signal);
  if (gives(method, answer)) return answer;
  const refused = Refusal.safeParse(answer);
  if (!refused.success)
    throw new HttpError(`${method} was answered by something that is not the Bot API`, refused.error);
  const { parameters, ...said } = refused.data;
  const { migrate_to_chat_id, retry_after } = parameters;
  return {
    ...said,
    parameters: {
      ...(migrate_to_chat_id === undefined ? {} : { migrate_to_chat_id }),
      ...(retry_after === undefined ? {} : { retry_after: Math.min(MAX_RETRY_AFTER_S, retry_after) }),
    },
  };
};
