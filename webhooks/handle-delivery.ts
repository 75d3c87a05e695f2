/**
 * Handles a stored delivery: its facts go to the runs that they concern, and its hints make those
 * runs poll again at once.
 */
import { z } from 'zod';
import { Input } from '../orchestrator/core/machine/inputs.ts';
import { ACCESS_LOST } from '../orchestrator/core/machine/outage.ts';
import { repositoryOf, type Run } from '../orchestrator/core/machine/run.ts';
import type { PollExpediter } from '../orchestrator/engine/expedite-poll.ts';
import type { InboxHandler } from '../orchestrator/engine/inbox.ts';
import type { StepCause, SystemClock, Ledger } from '../orchestrator/ports.ts';
import type { SubmitInput } from '../orchestrator/engine/submit.ts';
import type { AccountFacts, FactAddressee } from './observe-delivery.ts';

export type HandleParts = {
  submit: SubmitInput;
  ledger: Pick<Ledger, 'settleInbox'> & { query: Pick<Ledger['query'], 'runs'> };
  hints: Pick<PollExpediter, 'look'>;
  clock: SystemClock;
  /** Whether we may still work on a repository, asked anew. */
  mayWork: (repo: string) => Promise<boolean>;
  /** What was known of our rights may be wrong by now. */
  forget: () => void;
  /** Issues of a repository are looked at now. */
  labelled: (repo: string) => void;
  /** Pull requests that others opened there, and that are followed, are looked at now. */
  followed: (repo: string, finds: readonly z.infer<typeof FactAddressee>[]) => void;
};

const FactAddressee = z.object({
  sha: z.string().exactOptional(),
  pull: z.string().exactOptional(),
  branch: z.string().exactOptional(),
  all: z.literal(true).exactOptional(),
});
/** What the receiver stored. */
const Delivery = z.object({
  seen: z.union([
    z.object({
      repo: z.object({ id: z.string(), fullName: z.string() }),
      facts: z.array(z.object({ find: FactAddressee, input: Input })),
      look: z.array(FactAddressee),
      labelled: z.literal(true).exactOptional(),
    }),
    z.object({ account: z.string(), how: z.enum(ACCESS_LOST).nullable() }),
    z.object({ ignored: z.string() }),
    z.object({ unreadable: z.string() }),
  ]),
});

/** Runs of one repository that hear of a delivery; any others find out by polling (F4). */
const MAX_NOTIFIED_RUNS = 200;

/** Live runs that are searched for those of an account. */
const MOST_LIVE = 2_000;

export const createHandle = (parts: HandleParts): InboxHandler => {
  const { submit, ledger, hints, clock } = parts;
  return async (row) => {
    const settle = (kind: 'done' | 'dead', note: string): Promise<void> =>
      ledger.settleInbox(row.id, { kind, note, replies: [] }, clock.now());
    const { seen } = Delivery.parse(row.body);
    if ('ignored' in seen) return settle('done', `ignored: ${seen.ignored}`);
    if ('unreadable' in seen) return settle('dead', seen.unreadable);
    if ('account' in seen) {
      const heard = await accountTold(parts, row.key, seen);
      return settle('done', heard.length === 0 ? 'no run of ours' : `heard by ${heard.join(', ')}`);
    }

    if (seen.labelled) {
      parts.labelled(seen.repo.fullName);
      return settle('done', 'an issue was labelled: its repository is looked at');
    }
    parts.followed(seen.repo.fullName, [...seen.look, ...seen.facts.map(({ find }) => find)]);
    const runs = await ledger.query.runs({ live: true, limit: MAX_NOTIFIED_RUNS, repo: seen.repo });
    // guard: F12-name-asked
    const looking = runs.filter(
      (run) => isCalledOtherwise(run, seen.repo) || seen.look.some((find) => isAbout(find, run)),
    );
    for (const run of looking) await hints.look(run.id);

    const told = seen.facts.flatMap(({ find, input }) =>
      runs.filter((run) => isAbout(find, run)).map((run) => ({ runId: run.id, input })),
    );
    const [only] = told;
    // With a single run, the inbox row is closed in the transaction of that run's step.
    const whole = told.length === 1 && looking.length === 0;
    for (const [i, { runId, input }] of told.entries()) {
      const cause: StepCause = whole ? { kind: 'inbox', id: row.id } : { kind: 'none' };
      const key = `forge:${row.key}${seen.facts.length > 1 ? `:${i}` : ''}`;
      await submit({ runId, input, key, cause, shared: true });
    }
    if (whole && only) return;
    const names = [...new Set([...looking.map((run) => run.id), ...told.map((one) => one.runId)])];
    await settle('done', names.length === 0 ? 'no run of ours' : `heard by ${names.join(', ')}`);
  };
};

/**
 * A payload is a hint and may come late: GitHub is asked whether we may work there now, and the
 * runs are given that answer.
 */
const accountTold = async (
  { submit, ledger, hints, mayWork, forget }: HandleParts,
  key: string,
  { account, how }: AccountFacts,
): Promise<string[]> => {
  forget();
  const prefix = `${account.toLowerCase()}/`;
  const runs = await ledger.query.runs({ live: true, limit: MOST_LIVE });
  const theirs = runs.filter((run) => repositoryOf(run).toLowerCase().startsWith(prefix));
  const asked = new Map<string, Promise<boolean | null>>();
  for (const run of theirs) {
    const runId = run.id;
    const repo = repositoryOf(run);
    const may = asked.get(repo) ?? mayWork(repo).catch(() => null);
    asked.set(repo, may);
    await hints.look(runId);
    const now = await may;
    // When GitHub cannot be asked now, a later poll finds out.
    if (now === null) continue;
    const input: Input = {
      type: 'forge.access.observed',
      account,
      // guard: F1-rights-asked
      lost: now ? null : (how ?? 'removed'),
    };
    await submit({ runId, input, key: `forge:${key}:${runId}`, cause: { kind: 'none' } });
  }
  return theirs.map(({ id }) => id);
};

/** Whether that is its new name or a former one, only a look can tell. */
const isCalledOtherwise = (run: Run, { fullName }: { fullName: string }): boolean =>
  repositoryOf(run).toLowerCase() !== fullName.toLowerCase();

const isAbout = (
  { sha, pull, branch, all }: FactAddressee,
  { change: { ownCommits: ours, pushedHead: pushed }, upstream: { pullRequest: pr } }: Run,
): boolean =>
  all === true ||
  (sha !== undefined && (ours.includes(sha) || pushed?.sha === sha)) ||
  (pull !== undefined && pr?.id === pull) ||
  (branch !== undefined && pushed?.branch === branch);
