/** Whose quiet hours have just ended, so that their digest comes. */
import { digestNote } from '../orchestrator/engine/digests.ts';
import type { Incoming, Ledger } from '../orchestrator/ports.ts';
import { HOUR } from '../orchestrator/core/units.ts';
import { endedLast, quietKey, readQuiet } from './quiet.ts';
import type { Roles } from './commands/roles.ts';

/** After a longer absence of ours the night is over anyway (ms). */
const LATEST = 3 * HOUR;

/** What is due now; the same digest, asked for again, is the same note. */
export const digestsDue = async (
  { ledger, roles }: { ledger: { query: Pick<Ledger['query'], 'setting'> }; roles: Pick<Roles, 'everybody'> },
  now: number,
): Promise<Incoming[]> => {
  const due: Incoming[] = [];
  for (const { id } of await roles.everybody()) {
    const hours = await ledger.query.setting(quietKey(id));
    const quiet = hours ? readQuiet(hours) : null;
    if (!quiet) continue;
    const ended = endedLast(quiet, now);
    if (now - ended < LATEST) due.push(digestNote(id, ended));
  }
  return due;
};
