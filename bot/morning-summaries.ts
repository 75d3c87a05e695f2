/** Lists the users whose quiet hours have just ended, so that their digest is sent. */
import { digestNote } from '#notices';
import type { IncomingItem, Ledger } from '../orchestrator/kernel/ports/index.ts';
import { HOUR } from '../orchestrator/model/units.ts';
import { endedLast, quietKey, readQuiet } from './quiet-hours.ts';
import type { ChatRoles } from './commands/user-roles.ts';

/** No digest is sent this long after the end of the hours, e.g. after an outage of ours (ms). */
const MAX_SUMMARY_DELAY_MS = 3 * HOUR;

type SummaryParts = {
  ledger: { query: Pick<Ledger['query'], 'setting'> };
  roles: Pick<ChatRoles, 'everybody'>;
  /** One person may have an account in each of two chats, and quiet hours are set for each. */
  otherAccountsOf?: (user: string) => readonly string[];
};

export const digestsDue = async (
  { ledger, roles, otherAccountsOf }: SummaryParts,
  now: number,
): Promise<IncomingItem[]> => {
  const due: IncomingItem[] = [];
  const people = await roles.everybody();
  for (const id of people.flatMap((one) => [one.id, ...(otherAccountsOf?.(one.id) ?? [])])) {
    const hours = await ledger.query.setting(quietKey(id));
    const quiet = hours ? readQuiet(hours) : null;
    if (!quiet) continue;
    const ended = endedLast(quiet, now);
    if (now - ended < MAX_SUMMARY_DELAY_MS) due.push(digestNote(id, ended));
  }
  return due;
};
