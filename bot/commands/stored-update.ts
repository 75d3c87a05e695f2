/** Reduces an unknown sender's update to what is stored, and reads it back (L8). */
import { z } from 'zod';
import type { InboundUpdate } from './inbound-update.ts';

const Stranger = z.object({
  update_id: z.int(),
  stranger: z.object({
    user: z.string(),
    chat: z.string().nullable(),
    callback: z.string().nullable(),
    code: z.string().nullable().default(null),
    name: z.string().default(''),
    language: z.string().nullable().default(null),
  }),
});
const Gone = z.object({ update_id: z.int(), gone: z.object({ chat: z.string() }) });
const Hidden = z.object({ update_id: z.int(), hidden: z.object({ chat: z.string() }) });
const Moved = z.object({ update_id: z.int(), moved: z.object({ from: z.string(), to: z.string() }) });

export type StoredUpdate =
  | z.input<typeof Stranger>
  | z.infer<typeof Gone>
  | z.infer<typeof Moved>
  | z.infer<typeof Hidden>;

const INVITED = /^\/start(?:@\w+)? +([A-Za-z0-9]{8})$/;

export const toStoredUpdate = (read: InboundUpdate, update_id: number): StoredUpdate | null => {
  if (read.kind === 'tap')
    return { update_id, stranger: { user: read.user, chat: null, callback: read.callbackId } };
  if (read.kind === 'place') return read.here ? null : { update_id, gone: { chat: read.chat } };
  if (read.kind === 'moved') return { update_id, moved: { from: read.from, to: read.to } };
  if (read.kind === 'inert' && read.hint === 'anonymous' && read.chat !== null)
    return { update_id, hidden: { chat: read.chat } };
  // guard: L8-strange-group
  if (read.kind !== 'message' || !read.private || read.shared) return null;
  const { user, chat, name, language, text } = read;
  const [, code] = INVITED.exec(text) ?? [];
  const invited = code === undefined ? {} : { code, name: name.slice(0, 60), language };
  return { update_id, stranger: { user, chat, callback: null, ...invited } };
};

export const readStoredUpdate = (body: unknown): InboundUpdate | null => {
  const stranger = Stranger.safeParse(body);
  if (stranger.success) {
    const { callback: callbackId, ...who } = stranger.data.stranger;
    return { kind: 'stranger', ...who, callbackId };
  }
  const gone = Gone.safeParse(body);
  if (gone.success) return { kind: 'place', chat: gone.data.gone.chat, here: false, title: '', by: null };
  const hidden = Hidden.safeParse(body);
  if (hidden.success) {
    const { chat } = hidden.data.hidden;
    return { kind: 'inert', hint: 'anonymous', chat, callbackId: null, known: true };
  }
  const moved = Moved.safeParse(body);
  return moved.success ? { kind: 'moved', ...moved.data.moved } : null;
};
