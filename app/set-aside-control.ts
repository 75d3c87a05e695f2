/** Handles the command line's orders about what was given up or set aside. */
import { z } from 'zod';
import { SetAsideChange } from '#commands';
import type { InboxRow } from '#ports/steps';
import type { Ledger } from '#ports/ledger';
import type { SystemClock } from '#ports/processes';

export const SetAsideControl = z.object({ key: z.string().min(1).max(200), setAside: SetAsideChange });
export type SetAsideControl = z.infer<typeof SetAsideControl>;
type SetAsideNote = 'set_aside_retried' | 'set_aside_dropped' | 'set_aside_unknown';

/** Idempotent, but for the answer, so handling the order again after a crash is harmless. */
export const changeSetAside = async (
  { ledger, clock }: { ledger: Ledger; clock: SystemClock },
  row: InboxRow,
  { setAside: change }: SetAsideControl,
): Promise<SetAsideNote> => {
  const isDone = await (change.do === 'retry' ? ledger.reopenInbox(change.id) : ledger.dropInbox(change.id));
  await ledger.settleInbox(row.id, { kind: 'done', note: change.do, replies: [] }, clock.now());
  if (!isDone) return 'set_aside_unknown';
  return change.do === 'retry' ? 'set_aside_retried' : 'set_aside_dropped';
};
