/** One call for each limit of spending that is near or used up, to admins; a raise redraws it (P7). */
import { z } from 'zod';
import { personNameOf, groupSpending, SPENDING_PLACES } from '#limits';
import { selectSpending, spendingLimitKey, type SpendingLimit } from '#model/spending';
import type { SystemClock } from '#ports/processes';
import type { ChatReply, InboxRow } from '#ports/steps';
import type { Ledger } from '#ports/ledger';

const MAX_SHARES = 3;

const Limit = z.object({
  scope: z.enum(['all', 'person', 'campaign', 'repository']),
  of: z.string().nullable(),
  period: z.enum(['day', 'month', 'ever']),
  since: z.number(),
  until: z.number().nullable(),
  costUsd: z.number().nullable(),
  tokens: z.number().nullable(),
}) satisfies z.ZodType<SpendingLimit>;
const Note = z.discriminatedUnion('what', [
  z.object({
    what: z.enum(['warned', 'used_up']),
    limit: Limit,
    admins: z.array(z.string()),
    used: z.object({ costUsd: z.number(), tokens: z.number() }),
  }),
  z.object({ what: z.literal('changed'), limit: Limit, by: z.string() }),
]);
type NoteOf<What> = Extract<z.infer<typeof Note>, { what: What }>;

export const notifyOfSpending = async (ledger: Ledger, row: InboxRow, clock: SystemClock): Promise<void> => {
  const note = Note.parse(row.body);
  const replies =
    note.what === 'changed' ? await redrawCalls(ledger, note) : await callAdmins(ledger, note, row.key);
  await ledger.settleInbox(row.id, { kind: 'done', note: 'spending', replies }, clock.now());
};

const callAdmins = async (
  ledger: Ledger,
  { what, limit, admins, used }: Exclude<z.infer<typeof Note>, NoteOf<'changed'>>,
  key: string,
): Promise<ChatReply[]> => {
  const rows = await ledger.query.spent({
    since: limit.since,
    campaign: limit.scope === 'campaign' ? limit.of : null,
  });
  const own = selectSpending(limit, rows, SPENDING_PLACES);
  const users = await ledger.query.users();
  const by = limit.scope === 'person' ? 'repository' : 'person';
  const shares = groupSpending(own, by, users).slice(0, MAX_SHARES);
  const known = users.filter(({ role }) => role === 'admin').map(({ id }) => id);
  const person = limit.scope === 'person' ? personNameOf(limit.of, own, users) : null;
  return [...new Set([...admins, ...known])].map((chat) => ({
    chat,
    slot: `${key}:${chat}`,
    show: { view: 'spending', what, limit, used, shares, ...(person === null ? {} : { person }) },
    urgent: true,
    sound: true,
    runId: null,
  }));
};

/** Every copy loses its button at once, whoever raised the limit and where. */
const redrawCalls = async (
  { query }: Pick<Ledger, 'query'>,
  { limit, by }: NoteOf<'changed'>,
): Promise<ChatReply[]> => {
  const prefix = `${spendingLimitKey(limit)}:`;
  const slots = (await query.slots(prefix)).filter((slot) => slot.startsWith(prefix));
  const calls = await Promise.all(slots.map((slot) => query.told(slot)));
  return calls.flatMap((call): ChatReply[] => {
    if (call?.do.kind !== 'chat_message' || call.chat === null) return [];
    const { content: show } = call.do;
    if (show.view !== 'spending' || show.changed) return [];
    const redrawn = { ...show, changed: { limit, by } };
    return [{ chat: call.chat, slot: call.do.slot, show: redrawn, urgent: true, sound: false, runId: null }];
  });
};
