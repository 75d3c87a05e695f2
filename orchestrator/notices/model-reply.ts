/** Delivers a model's interpretation of a message to the chat, through the inbox (C7). */
import { z } from 'zod';
import type { SystemClock } from '#ports/processes';
import type { InboxRow, IncomingItem } from '#ports/steps';
import type { Ledger } from '#ports/ledger';

const Choice = z.object({
  command: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  targets: z.array(
    z.object({ run: z.string(), epoch: z.number().nullable(), approval: z.string().nullable() }),
  ),
});
const Show = z.discriminatedUnion('view', [
  z.object({
    view: z.literal('reply'),
    html: z.string(),
    buttons: z
      .array(z.array(z.object({ verb: z.string(), text: z.string(), runId: z.string(), says: z.string() })))
      .optional(),
  }),
  z.object({
    view: z.literal('command_choice'),
    choices: z.array(Choice),
    modelAnswer: z.object({ by: z.string(), text: z.string() }),
  }),
]);
export type ModelShow = z.infer<typeof Show>;
const Told = z.object({ type: z.literal('model'), chat: z.string(), slot: z.string(), show: Show });

export const modelReplyInboxItem = (told: Omit<z.infer<typeof Told>, 'type'>): IncomingItem => ({
  source: 'note',
  key: told.slot,
  body: { type: 'model', ...told },
});

export const deliverModelReply = async (ledger: Ledger, row: InboxRow, clock: SystemClock): Promise<void> => {
  const { chat, slot, show } = Told.parse(row.body);
  const shown = show.view === 'reply' ? { ...show, buttons: show.buttons ?? [] } : show;
  const reply = { chat, slot, show: shown, urgent: true, sound: false, runId: null };
  await ledger.settleInbox(row.id, { kind: 'done', note: 'a model’s words', replies: [reply] }, clock.now());
};
