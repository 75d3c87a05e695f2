/** Undoes a campaign: another campaign of reverts, which also closes and cancels what is left (F5). */
import {
  type Campaign,
  isCampaignOver,
  canTakeDecision,
  type CampaignOrder,
  type CampaignTarget,
} from '#model/campaign';
import type { Order, Person } from '#model/order';
import { cancellableRuns, runStanding, runsWithOpenPull } from '#campaign-standing';
import { type Run, repositoryOf } from '../../kernel/run/run.ts';
import { EVERY_REPOSITORY, readOrder, type CampaignRequest } from '#orders';
import { cancelUnopened, withdrawRuns, type ActParts } from './campaign-run-commands.io.ts';
import type { Ledger } from '#ports/ledger';

type Query = Pick<Ledger['query'], 'campaigns' | 'campaign' | 'campaignRuns'>;
type UndoPlan =
  | { kind: 'unknown' | 'scheduled' | 'nothing' }
  | { kind: 'open'; campaign: string }
  | { kind: 'plan'; first: CampaignOrder; engine: string | null; targets: CampaignTarget[] };

const isMerged = (run: Run): boolean => runStanding(run).mark === 'merged';

const MAX_REVERTED_TITLE_LENGTH = 180;
const titleOf = (run: Run): string =>
  (run.gate.consumedApproval?.fields.title ?? run.order.title ?? run.order.goal.split('\n')[0] ?? '')
    .replace(/\s+/g, ' ')
    .slice(0, MAX_REVERTED_TITLE_LENGTH)
    .toWellFormed();

const targetOf = (run: Run): CampaignTarget[] => {
  const { pullRequest } = run.upstream;
  if (!pullRequest) return [];
  const vars = { pull: pullRequest.id, link: pullRequest.url, title: titleOf(run) };
  // guard: F5-undo-same-checks
  const { checks } = run.order;
  return [{ repo: repositoryOf(run), vars, ...(checks.length > 0 ? { checks } : {}) }];
};

/** What came last is taken back first: each waits for all that was built on it. */
const inReverse = (
  targets: readonly CampaignTarget[],
  first: readonly CampaignTarget[],
  nameOf: (ordered: string) => string,
): CampaignTarget[] => {
  const undone = new Map(targets.map((one) => [one.repo.toLowerCase(), one.repo]));
  const dependents = Map.groupBy(
    first.flatMap(({ repo, after = [] }) =>
      after.map((link) => ({ repo: nameOf(repo), on: nameOf(link.repo).toLowerCase() })),
    ),
    ({ on }) => on,
  );
  const findDependents = (repo: string, found = new Set<string>(), seen = new Set<string>()): Set<string> => {
    for (const { repo: next } of dependents.get(repo.toLowerCase()) ?? []) {
      const target = undone.get(next.toLowerCase());
      if (target !== undefined) found.add(target);
      // One that is reverted already leaves its place to those built on it.
      else if (!seen.has(next)) findDependents(next, found, seen.add(next));
    }
    return found;
  };
  return targets.map((one) => {
    const after = [...findDependents(one.repo)].map((repo) => ({ repo, until: 'merged' as const }));
    // guard: F5-undo-in-reverse
    return after.length > 0 ? { ...one, after } : one;
  });
};

const findRevertedPulls = async (query: Query, undos: readonly Campaign[]): Promise<Set<string>> => {
  const runs = (await Promise.all(undos.map(({ id }) => query.campaignRuns(id)))).flat();
  const counts = runs.filter((run) => {
    const { mark, opened } = runStanding(run);
    return mark === 'merged' || mark === 'skipped' || (opened && mark !== 'denied' && mark !== 'cancelled');
  });
  return new Set(counts.flatMap(({ order }) => order.reverts?.url ?? []));
};

export const planUndo = async (query: Query, id: string): Promise<UndoPlan> => {
  const known = await query.campaign(id);
  if (!known) return { kind: 'unknown' };
  if (known.campaign.schedule !== undefined) return { kind: 'scheduled' };
  const undos = (await query.campaigns()).filter(({ undoes }) => undoes === id);
  const open = undos.find((one) => !isCampaignOver(one));
  if (open) return { kind: 'open', campaign: open.id };
  const reverted = await findRevertedPulls(query, undos);
  const runs = await query.campaignRuns(id);
  const merged = runs.filter(isMerged).flatMap(targetOf);
  const left = merged.filter(({ vars }) => !reverted.has(vars['link'] ?? ''));
  const names = new Map(runs.map((run) => [run.order.repo.toLowerCase(), repositoryOf(run)]));
  const targets = inReverse(left, known.order.targets, (repo) => names.get(repo.toLowerCase()) ?? repo);
  if (targets.length === 0) return { kind: 'nothing' };
  const { engine } = known.order.run;
  return { kind: 'plan', first: known.order, engine: engine === 'script' ? null : engine, targets };
};

const UNDO_TITLE = 'Revert "{{title}}"';
const UNDO_GOAL =
  'Take back a merged pull request of ours, as git revert does. Settle only what conflicts, and keep what came later.';

/** The order of a revert, as if it was typed; each repository takes its own place in it. */
export const createUndoOrder = ({
  engine,
}: Extract<UndoPlan, { kind: 'plan' }>): ReturnType<typeof readOrder> =>
  readOrder(EVERY_REPOSITORY, UNDO_GOAL, [
    ['title', UNDO_TITLE],
    ...(engine === null ? [] : ([['engine', engine]] as const)),
  ]);

export const createUndoRequest = (
  undoes: string,
  { first, targets }: Extract<UndoPlan, { kind: 'plan' }>,
  { repo: _, campaign: __, ...order }: Order,
): CampaignRequest => {
  const { approvers, decider, campaignBudget } = first.run;
  const { requester, chat } = order;
  return {
    name: `Undo ${first.name}`.slice(0, 80).toWellFormed(),
    named: targets.map((target) => ({ ...target, host: null })),
    queries: [],
    run: {
      ...order,
      ...(approvers ? { approvers, decider } : {}),
      ...(campaignBudget ? { campaignBudget } : {}),
    },
    // One that fails stops those that wait for it, and no others.
    pace: { ...first.pace, stop: { ...first.pace.stop, failures: 1 } },
    limits: first.limits,
    ...(first.openings ? { openings: first.openings } : {}),
    requester,
    chat,
    undoes,
  };
};

export const closeUndone = async (
  parts: ActParts & { ledger: { campaigns: Pick<Ledger['campaigns'], 'decide'> } },
  { id, undoes, startedBy }: Campaign,
  words: { closing: string; reason: string },
): Promise<void> => {
  const first = undoes === undefined ? null : await parts.ledger.query.campaign(undoes);
  if (!first || undoes === undefined) return;
  const by: Person = startedBy ?? { id: null, name: 'the operator' };
  if (canTakeDecision(first.campaign, 'closed'))
    await parts.ledger.campaigns.decide(undoes, {
      decision: { kind: 'closed' },
      by: by.id === null ? null : by,
      at: parts.clock.now(),
    });
  const standings = new Map(
    (await parts.ledger.query.campaignRuns(undoes)).map((run) => [run.id, runStanding(run)]),
  );
  const asked = { id: undoes, by, key: `undo:${id}` };
  if (cancellableRuns(standings).length > 0) await cancelUnopened(parts, asked, words.reason);
  const runs = runsWithOpenPull(standings).map(({ run }) => run);
  if (runs.length > 0)
    await withdrawRuns(
      parts,
      { ...asked, key: `${asked.key}:close` },
      { runs, words: words.closing, reason: words.reason, branches: true },
    );
};
