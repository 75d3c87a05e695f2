/** Handles what GitHub told us of: facts go to the runs that they are about, hints make those runs look again. */
import { z } from 'zod';
import { Input } from '../orchestrator/core/machine/inputs.ts';
import type { Run } from '../orchestrator/core/machine/run.ts';
import type { Hints } from '../orchestrator/engine/hints.ts';
import type { InboxHandler } from '../orchestrator/engine/inbox.ts';
import type { Cause, Clock, Ledger } from '../orchestrator/ports.ts';
import type { Submit } from '../orchestrator/engine/submit.ts';
import type { Find } from './observations.ts';

export type HandleParts = {
  submit: Submit;
  ledger: Pick<Ledger, 'settleInbox'> & { query: Pick<Ledger['query'], 'runs'> };
  hints: Pick<Hints, 'look'>;
  clock: Clock;
};

const Find = z.object({
  sha: z.string().exactOptional(),
  number: z.number().exactOptional(),
  branch: z.string().exactOptional(),
});
/** What the receiver stored. */
const Delivery = z.object({
  seen: z.union([
    z.object({
      repo: z.object({ id: z.number(), fullName: z.string() }),
      facts: z.array(z.object({ find: Find, input: Input })),
      look: z.array(Find),
    }),
    z.object({ ignored: z.string() }),
    z.object({ unreadable: z.string() }),
  ]),
});

/** Of one repository at a time; the others find out by looking (F4). */
const MOST_RUNS = 200;

export const createHandle =
  ({ submit, ledger, hints, clock }: HandleParts): InboxHandler =>
  async (row) => {
    const settle = (kind: 'done' | 'dead', note: string): Promise<void> =>
      ledger.settleInbox(row.id, { kind, note, replies: [] }, clock.now());
    const { seen } = Delivery.parse(row.body);
    if ('ignored' in seen) return settle('done', `ignored: ${seen.ignored}`);
    if ('unreadable' in seen) return settle('dead', seen.unreadable);

    const runs = await ledger.query.runs({ live: true, limit: MOST_RUNS, repo: seen.repo });
    const looking = runs.filter((run) => seen.look.some((find) => isAbout(find, run)));
    for (const run of looking) await hints.look(run.id);

    const told = seen.facts.flatMap(({ find, input }) =>
      runs.filter((run) => isAbout(find, run)).map((run) => ({ runId: run.id, input })),
    );
    const [only] = told;
    // One run hears of it: then the row ends in the transaction of its step.
    const whole = told.length === 1 && looking.length === 0;
    for (const [i, { runId, input }] of told.entries()) {
      const cause: Cause = whole ? { kind: 'inbox', id: row.id } : { kind: 'none' };
      await submit({ runId, input, key: `forge:${row.key}${seen.facts.length > 1 ? `:${i}` : ''}`, cause });
    }
    if (whole && only) return;
    const names = [...new Set([...looking.map((run) => run.id), ...told.map((one) => one.runId)])];
    await settle('done', names.length === 0 ? 'no run of ours' : `heard by ${names.join(', ')}`);
  };

const isAbout = ({ sha, number, branch }: Find, { ours, pushed, pr }: Run): boolean =>
  (sha !== undefined && (ours.includes(sha) || pushed?.sha === sha)) ||
  (number !== undefined && pr?.number === number) ||
  (branch !== undefined && pushed?.branch === branch);
