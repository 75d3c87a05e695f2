/**
 * Slack's documented limits of a message, its blocks and its files; the answer names the first thing that breaks
 * one, as Slack's does.
 */
import { z } from 'zod';

/** Block Kit reference: rich text, actions, button. */
const Style = z.strictObject({
  bold: z.boolean().optional(),
  italic: z.boolean().optional(),
  strike: z.boolean().optional(),
  code: z.boolean().optional(),
});
const Text = z.strictObject({ type: z.literal('text'), text: z.string().min(1), style: Style.optional() });
const Link = z.strictObject({
  type: z.literal('link'),
  url: z.string().min(1),
  text: z.string().optional(),
  style: Style.optional(),
});
const DateElement = z.strictObject({
  type: z.literal('date'),
  timestamp: z.int().positive(),
  format: z.string().min(1),
  fallback: z.string().optional(),
  style: Style.optional(),
});
/** Mentions are there to be found: the adapter must never make one. */
const Mention = z.strictObject({ type: z.enum(['user', 'usergroup', 'channel', 'broadcast']) }).loose();
const Inline = z.union([Text, Link, DateElement, Mention]);
const RichText = z.strictObject({
  type: z.literal('rich_text'),
  block_id: z.string().max(255).optional(),
  elements: z
    .array(
      z.union([
        z.strictObject({
          type: z.enum(['rich_text_section', 'rich_text_quote']),
          elements: z.array(Inline).min(1),
        }),
        z.strictObject({
          type: z.literal('rich_text_preformatted'),
          elements: z
            .array(z.union([z.strictObject({ ...Text.shape, style: z.undefined().optional() }), Link]))
            .min(1),
        }),
      ]),
    )
    .min(1),
});
const Button = z.strictObject({
  type: z.literal('button'),
  text: z.strictObject({
    type: z.literal('plain_text'),
    text: z.string().min(1).max(75),
    emoji: z.boolean().optional(),
  }),
  action_id: z.string().min(1).max(255),
  url: z.url().max(3_000).optional(),
  value: z.string().min(1).max(2_000).optional(),
  style: z.enum(['primary', 'danger']).optional(),
});
const Actions = z.strictObject({
  type: z.literal('actions'),
  block_id: z.string().max(255).optional(),
  elements: z
    .array(Button)
    .min(1)
    .max(25)
    .refine((all) => new Set(all.map(({ action_id }) => action_id)).size === all.length, 'action_id twice'),
});
export const Blocks = z.array(z.union([RichText, Actions])).max(50);
export type Blocks = z.infer<typeof Blocks>;

/** chat.postMessage, "Truncating content": over 40,000 characters. */
const MAX_TEXT = 40_000;
/** Undocumented; what people measured lies between 9,600 and 11,300 characters (slackapi/bolt-js, issue 2867). */
const MAX_BLOCKS_TEXT = 9_600;

export type Refused = { error: string; messages?: string[] };

export const plainTextOf = (blocks: Blocks): string =>
  blocks
    .flatMap((block) =>
      block.type === 'rich_text'
        ? [
            block.elements
              .map(({ type, elements }) => {
                const text = elements
                  .map((one) => {
                    const told: unknown = 'text' in one ? one.text : 'fallback' in one ? one.fallback : '';
                    return typeof told === 'string' ? told : '';
                  })
                  .join('');
                return type === 'rich_text_section' ? text : `\n${text}\n`;
              })
              .join(''),
          ]
        : [],
    )
    .join('\n');

export const judgeMessage = (text: string, blocks: unknown): Refused | { blocks: Blocks } => {
  if (text === '' && blocks === undefined) return { error: 'no_text' };
  if (text.length > MAX_TEXT) return { error: 'msg_too_long' };
  const read = Blocks.safeParse(blocks ?? []);
  if (!read.success) {
    const [issue] = read.error.issues;
    return {
      error: 'invalid_blocks',
      messages: [`[ERROR] ${issue?.message} [json-pointer:/blocks/${issue?.path.join('/')}]`],
    };
  }
  if (plainTextOf(read.data).length > MAX_BLOCKS_TEXT) return { error: 'msg_blocks_too_long' };
  return { blocks: read.data };
};

/** In `text` and `initial_comment` Slack reads these as mentions. */
export const mentionsIn = (text: string): string[] => text.match(/<(?:[@#!]|https?:)[^>]*>/g) ?? [];
