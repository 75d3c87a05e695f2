/** Whose quiet hours have just ended, so that their digest comes. */
import { digestNote } from '../orchestrator/engine/morning-summary.ts';
import type { IncomingItem, Ledger } from '../orchestrator/ports.ts';
import { HOUR } from '../orchestrator/core/units.ts';
import { endedLast, quietKey, readQuiet } from './quiet-hours.ts';
import type { ChatRoles } from './commands/user-roles.ts';

/** After a longer absence of ours the night is over anyway (ms). */
const MAX_SUMMARY_DELAY_MS = 3 * HOUR;

/** What is due now; the same digest, asked for again, is the same note. */
export const digestsDue = async (
  {
    ledger,
    roles,
  }: { ledger: { query: Pick<Ledger['query'], 'setting'> }; roles: Pick<ChatRoles, 'everybody'> },
  now: number,
): Promise<IncomingItem[]> => {
  const due: IncomingItem[] = [];
  for (const { id } of await roles.everybody()) {
    const hours = await ledger.query.setting(quietKey(id));
    const quiet = hours ? readQuiet(hours) : null;
    if (!quiet) continue;
    const ended = endedLast(quiet, now);
    if (now - ended < MAX_SUMMARY_DELAY_MS) due.push(digestNote(id, ended));
  }
  return due;
};
