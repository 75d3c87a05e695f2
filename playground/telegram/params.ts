/** Parameters of Bot API methods, as JSON values or as strings of forms. */
import { z } from 'zod';
import { parseJson } from '../body.ts';
import { badRequest } from './refusal.ts';

const loose = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (typeof value === 'string' ? (parseJson(value) ?? value) : value), schema);
const text = z.preprocess((value) => (typeof value === 'number' ? String(value) : value), z.string());
const whole = z.coerce.number().int();
const flag = loose(z.boolean());

const button = z.looseObject({
  text: z.string(),
  callback_data: z.string().optional(),
  url: z.string().optional(),
  copy_text: z.object({ text: z.string() }).optional(),
  web_app: z.object({ url: z.string() }).optional(),
  style: z.enum(['danger', 'success', 'primary']).optional(),
});
const markup = loose(
  z.looseObject({
    inline_keyboard: z.array(z.array(button)).optional(),
    force_reply: z.boolean().optional(),
  }),
);
const entities = loose(z.array(z.looseObject({ type: z.string(), offset: whole, length: whole })));
const format = { parse_mode: z.string().optional(), entities: entities.optional() };
const sending = {
  chat_id: whole,
  disable_notification: flag.optional(),
  message_thread_id: whole.optional(),
  reply_markup: markup.optional(),
  reply_parameters: loose(
    z.looseObject({ message_id: whole, allow_sending_without_reply: flag.optional() }),
  ).optional(),
};
const target = { chat_id: whole, message_id: whole };
const scope = loose(z.looseObject({ type: z.string() }));
const names = loose(z.array(z.string()));

export const params = {
  getUpdates: z.object({
    offset: whole.optional(),
    limit: whole.optional(),
    timeout: whole.optional(),
    allowed_updates: names.optional(),
  }),
  setWebhook: z.object({
    url: z.string(),
    secret_token: z.string().optional(),
    max_connections: whole.optional(),
    allowed_updates: names.optional(),
    drop_pending_updates: flag.optional(),
  }),
  deleteWebhook: z.object({ drop_pending_updates: flag.optional() }),
  sendMessage: z.object({ ...sending, ...format, text }),
  sendDocument: z.object({
    ...sending,
    parse_mode: z.string().optional(),
    caption_entities: entities.optional(),
    caption: text.optional(),
    document: z.string().optional(),
  }),
  sendMediaGroup: z.object({
    chat_id: whole,
    disable_notification: flag.optional(),
    message_thread_id: whole.optional(),
    media: loose(
      z.array(
        z.looseObject({
          type: z.enum(['photo', 'document']),
          media: z.string(),
          caption: z.string().optional(),
          parse_mode: z.string().optional(),
        }),
      ),
    ),
  }),
  editMessageText: z.object({ ...target, ...format, text, reply_markup: markup.optional() }),
  editMessageReplyMarkup: z.object({ ...target, reply_markup: markup.optional() }),
  deleteMessage: z.object(target),
  answerCallbackQuery: z.object({
    callback_query_id: text,
    text: text.optional(),
    show_alert: flag.optional(),
  }),
  sendChatAction: z.object({ chat_id: whole, action: z.string() }),
  setMyCommands: z.object({
    commands: loose(z.array(z.object({ command: z.string(), description: z.string() }))),
    scope: scope.optional(),
    language_code: z.string().optional(),
  }),
  commandScope: z.object({ scope: scope.optional(), language_code: z.string().optional() }),
  pinChatMessage: z.object({ ...target, disable_notification: flag.optional() }),
  unpinChatMessage: z.object({ chat_id: whole, message_id: whole.optional() }),
  getFile: z.object({ file_id: z.string() }),
  getChat: z.object({ chat_id: whole }),
};
export type Markup = z.infer<typeof markup>;

/** Throws ApiRefusal with the name of the parameter. */
export function read<T>(schema: z.ZodType<T>, given: Record<string, unknown>): T {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw badRequest(
    `parameter "${issue?.path.join('.') ?? ''}" is missing or invalid: ${issue?.message ?? ''}`,
  );
}
