/** Handles stored deliveries: gives facts to the affected runs and expedites their polls. */
import { z } from 'zod';
import { InputSchema, type Input } from '#inputs';
import { repositoryOf, type Run } from '#run';
import type { InboxHandler, SubmitInput } from '#runtime';
import { ACCESS_LOST } from '#model/failure';
import { type PollExpediter, mayReopen } from '#kernel';
import type { RepositoryIdentity, Ledger } from '#ports/ledger';
import type { StepCause } from '#ports/steps';
import type { SystemClock } from '#ports/processes';
import { FactAddressee, type AccountFacts } from './read-delivery.ts';

type HandleParts = {
  submit: SubmitInput;
  ledger: Pick<Ledger, 'settleInbox'> & { query: Pick<Ledger['query'], 'runs'> };
  hints: Pick<PollExpediter, 'expedite'>;
  clock: SystemClock;
  mayWork: (repo: string) => Promise<boolean>;
  /** Cached rights may be outdated. */
  forget: () => void;
  labelled: (repo: string) => void;
  released: (repo: string) => void;
  followed: (repo: string, finds: readonly FactAddressee[]) => void;
};

const Delivery = z.object({
  seen: z.union([
    z.object({
      repo: z.object({ id: z.string(), fullName: z.string() }),
      facts: z.array(z.object({ find: FactAddressee, input: InputSchema })),
      look: z.array(FactAddressee),
      labelled: z.literal(true).exactOptional(),
      released: z.literal(true).exactOptional(),
      reopened: z.literal(true).exactOptional(),
    }),
    z.object({ account: z.string(), how: z.enum(ACCESS_LOST).nullable() }),
    z.object({ ignored: z.string() }),
    z.object({ unreadable: z.string() }),
  ]),
});

/** Maximum number of runs per delivery; others learn by polling (F4). */
const MAX_NOTIFIED_RUNS = 200;

const MOST_LIVE = 2_000;

export const createDeliveryHandler = (parts: HandleParts): InboxHandler => {
  const { submit, ledger, hints, clock } = parts;
  return async (row) => {
    const settleRow = (kind: 'done' | 'dead', note: string): Promise<void> =>
      ledger.settleInbox(row.id, { kind, note, replies: [] }, clock.now());
    const { seen } = Delivery.parse(row.body);
    if ('ignored' in seen) return settleRow('done', `ignored: ${seen.ignored}`);
    if ('unreadable' in seen) return settleRow('dead', seen.unreadable);
    if ('account' in seen) {
      const heard = await applyAccountFacts(parts, row.key, seen);
      return settleRow('done', heard.length === 0 ? 'no run of ours' : `heard by ${heard.join(', ')}`);
    }

    if (seen.labelled) {
      parts.labelled(seen.repo.fullName);
      return settleRow('done', 'an issue was labelled: its repository is looked at');
    }
    if (seen.released) {
      parts.released(seen.repo.fullName);
      return settleRow('done', 'a release: campaigns that wait for it ask');
    }
    parts.followed(seen.repo.fullName, [...seen.look, ...seen.facts.map(({ find }) => find)]);
    const runs = await ledger.query.runs({ live: true, limit: MAX_NOTIFIED_RUNS, repo: seen.repo });
    // guard: F12-name-asked
    const expedited = runs.filter(
      (run) => hasOtherName(run, seen.repo) || seen.look.some((find) => isAbout(find, run)),
    );
    if (seen.reopened) expedited.push(...(await findRunsToReopen(parts, seen)));
    for (const run of expedited) await hints.expedite(run.id);

    const told = seen.facts.flatMap(({ find, input }) =>
      runs.filter((run) => isAbout(find, run)).map((run) => ({ runId: run.id, input })),
    );
    const [only] = told;
    // A lone step closes the inbox row in its own transaction; several are closed after them.
    const whole = told.length === 1 && expedited.length === 0;
    for (const [i, { runId, input }] of told.entries()) {
      const cause: StepCause = whole ? { kind: 'inbox', id: row.id } : { kind: 'none' };
      const key = `forge:${row.key}${seen.facts.length > 1 ? `:${i}` : ''}`;
      await submit({ runId, input, key, cause, shared: true });
    }
    if (whole && only) return;
    const names = [...new Set([...expedited.map((run) => run.id), ...told.map((one) => one.runId)])];
    await settleRow('done', names.length === 0 ? 'no run of ours' : `heard by ${names.join(', ')}`);
  };
};

type Told = { repo: RepositoryIdentity; facts: readonly { find: FactAddressee }[] };
const findRunsToReopen = async ({ ledger, clock }: HandleParts, { repo, facts }: Told): Promise<Run[]> => {
  const runs = await ledger.query.runs({ live: false, limit: MAX_NOTIFIED_RUNS, repo });
  const isTold = (run: Run): boolean => facts.some(({ find }) => isAbout(find, run));
  return runs.filter((run) => mayReopen(run, clock.now()) && isTold(run));
};

/** Payloads are hints and may be late, so our current rights are read from GitHub. */
const applyAccountFacts = async (
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
    await hints.expedite(runId);
    const now = await may;
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

/** Only a poll can tell which name is current. */
const hasOtherName = (run: Run, { fullName }: { fullName: string }): boolean =>
  repositoryOf(run).toLowerCase() !== fullName.toLowerCase();

const isAbout = (
  { sha, pull, branch, all }: FactAddressee,
  { change: { ownCommits: ours, pushedHead: pushed }, upstream: { pullRequest: pr } }: Run,
): boolean =>
  all === true ||
  (sha !== undefined && (ours.includes(sha) || pushed?.sha === sha)) ||
  (pull !== undefined && pr?.id === pull) ||
  (branch !== undefined && pushed?.branch === branch);
