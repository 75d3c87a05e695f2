/** Treats every answer that does not come from Telegram's Bot API as a network failure (S6). */
import { HttpError, type Transformer } from 'grammy/web';
import { z } from 'zod';

const whole = z.coerce.number().int().optional().catch(undefined);
/** Upper limit for `retry_after` (s); Node fires longer timers at once. */
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
/** Fields that the product reads of each method's result; other methods must only return one. */
const RESULTS: Readonly<Record<string, z.ZodType>> = {
  getMe: z.object({ id: z.int(), username: z.string() }),
  sendMessage: Sent,
  sendDocument: Sent,
  sendMediaGroup: z.array(Sent).min(2),
};

const isExpectedAnswer = (method: string, answer: unknown): boolean => {
  const { success, data } = Answer.safeParse(answer);
  if (!success || data.result === undefined) return false;
  return RESULTS[method]?.safeParse(data.result).success ?? true;
};

/** Must be the first transformer, so that the others see a foreign answer as an HttpError. */
export const rejectForeignAnswers: Transformer = async (call, method, payload, signal) => {
  const answer = await call(method, payload, signal);
  if (isExpectedAnswer(method, answer)) return answer;
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
