/** P7: one call for each limit of spending that is near or used up, to admins and to chats whose runs wait. */
import { z } from 'zod';
import { shareSpending } from '#spending';
import type { SpendingLimit } from '#model/spending';
import type { SystemClock } from '#ports/processes';
import type { ChatReply, InboxRow } from '#ports/steps';
import type { Ledger } from '#ports/ledger';

const MAX_SHARES = 3;

const Note = z.object({
  what: z.enum(['warned', 'used_up']),
  limit: z.object({
    scope: z.enum(['all', 'person', 'campaign', 'repository']),
    of: z.string().nullable(),
    period: z.enum(['day', 'month', 'ever']),
    since: z.number(),
    until: z.number().nullable(),
    costUsd: z.number().nullable(),
    tokens: z.number().nullable(),
  }) satisfies z.ZodType<SpendingLimit>,
  admins: z.array(z.string()),
  used: z.object({ costUsd: z.number(), tokens: z.number() }),
});

export const notifyOfSpending = async (ledger: Ledger, row: InboxRow, clock: SystemClock): Promise<void> => {
  const { what, limit, admins, used } = Note.parse(row.body);
  const rows = await ledger.query.spent({
    since: limit.since,
    campaign: limit.scope === 'campaign' ? limit.of : null,
  });
  const own = rows.filter(
    (one) =>
      limit.scope === 'all' ||
      limit.scope === 'repository' ||
      (limit.scope === 'person' ? one.person : one.campaign) === limit.of,
  );
  const by = limit.scope === 'person' ? 'repository' : 'person';
  const shares = shareSpending(own, by).slice(0, MAX_SHARES);
  const known = (await ledger.query.users()).filter(({ role }) => role === 'admin').map(({ id }) => id);
  const replies = [...new Set([...admins, ...known])].map((chat): ChatReply => ({
    chat,
    slot: `${row.key}:${chat}`,
    show: { view: 'spending', what, limit, used, shares },
    urgent: true,
    sound: true,
    runId: null,
  }));
  await ledger.settleInbox(row.id, { kind: 'done', note: 'spending', replies }, clock.now());
};
