/** Decides which named repositories take part, and why the others do not. Pure. */
import { expectSpending, sumAttentionSpent, type RunFigures } from '#reports';
import type { ExpectedSpending } from '#model/reports';
import type { ExclusionReason, ExcludedTarget } from '#model/targets';
import {
  MAX_CAMPAIGN_TARGETS,
  spreadTargets,
  type CampaignEstimate,
  type CampaignOrder,
  type CampaignTarget,
} from '#model/campaign';
import type { UnfitTarget } from './check-filled-order.ts';

export type RepoThere = {
  name: string;
  archived: boolean;
  reachable: boolean;
  id: string;
  /** Id of the fork network's root, when known. */
  forkOf: { root: string | null } | null;
};

export type TargetFacts = {
  /** The code host's answer, under the current name; null before it was asked. */
  there: RepoThere | 'missing' | null;
  /** Its rules forbade an earlier run, and nobody overruled them. */
  banned: boolean;
  run: { id: string; open: boolean } | null;
};

type SortedTargets = {
  targets: CampaignTarget[];
  leftOut: ExcludedTarget[];
  unnamed: Partial<Record<ExclusionReason, number>>;
  unseen: number;
};

const toUnfit = (why: ExclusionReason, by: string | null = null): UnfitTarget => ({ why, by });

/** `roots`: ids of participating repositories that are no forks. */
const findUnfitReason = ({ there, banned, run }: TargetFacts, roots: Roots): UnfitTarget | null => {
  if (there === 'missing') return toUnfit('missing');
  if (there?.archived) return toUnfit('archived');
  // A fork that nobody named, or whose parent takes part.
  if (there?.forkOf?.root === null) return toUnfit('fork');
  const root = roots.get(there?.forkOf?.root ?? '');
  if (root !== undefined) return toUnfit('fork', root);
  if (there && !there.reachable) return toUnfit('not_allowed');
  if (run) return toUnfit(run.open ? 'pull_open' : 'running', run.id);
  return banned ? toUnfit('banned') : null;
};

type Roots = ReadonlyMap<string, string>;
const NO_ROOTS: Roots = new Map();
type UnfitOf = (target: CampaignTarget) => UnfitTarget | null;
const rootsOf = (
  named: readonly CampaignTarget[],
  factsOf: (repo: string) => TargetFacts,
  unfitOf: UnfitOf,
): Roots =>
  new Map(
    named.flatMap((one): [string, string][] => {
      const { repo } = one;
      const facts = factsOf(repo);
      const { there } = facts;
      if (there === null || there === 'missing' || there.forkOf) return [];
      const unfit = findUnfitReason(facts, NO_ROOTS) ?? unfitOf({ ...one, repo: there.name });
      return unfit ? [] : [[there.id, there.name]];
    }),
  );

/** Deterministic; the first spelling of a name wins. `unfitOf` gets the current name. */
export const selectTargets = (
  named: readonly CampaignTarget[],
  factsOf: (repo: string) => TargetFacts,
  unfitOf: UnfitOf,
  most = MAX_CAMPAIGN_TARGETS,
): SortedTargets => {
  const kept = new Map<string, CampaignTarget>();
  const leftOut: ExcludedTarget[] = [];
  const isFork = ({ repo }: CampaignTarget): boolean => {
    const { there } = factsOf(repo);
    return there !== null && there !== 'missing' && there.forkOf !== null;
  };
  const roots = named.some(isFork) ? rootsOf(named, factsOf, unfitOf) : NO_ROOTS;
  let unseen = 0;
  for (const one of named) {
    const { repo } = one;
    const facts = factsOf(repo);
    const { there } = facts;
    const name = there === null || there === 'missing' ? repo : there.name;
    const first = kept.get(name.toLowerCase());
    const isFull = kept.size >= most;
    const verdict = first ? toUnfit('duplicate', first.repo) : findUnfitReason(facts, roots);
    const unfit = verdict ?? (isFull ? toUnfit('over_limit') : unfitOf({ ...one, repo: name }));
    if (unfit) leftOut.push({ repo, ...unfit });
    else {
      kept.set(name.toLowerCase(), { ...one, repo: name });
      if (there === null) unseen += 1;
    }
  }
  const nameOf = (repo: string): string => {
    const { there } = factsOf(repo);
    return there === null || there === 'missing' ? repo : there.name;
  };
  const linked = withLinks([...kept.values()], nameOf);
  leftOut.push(...linked.leftOut);
  const unnamed = Object.fromEntries(
    [...Map.groupBy(leftOut.slice(MAX_CAMPAIGN_TARGETS), ({ why }) => why)].map(([why, some]) => [
      why,
      some.length,
    ]),
  );
  return {
    targets: spreadTargets(linked.targets),
    leftOut: leftOut.slice(0, MAX_CAMPAIGN_TARGETS),
    unnamed,
    unseen,
  };
};

const withLinks = (
  all: readonly CampaignTarget[],
  nameOf: (repo: string) => string,
): Pick<SortedTargets, 'targets' | 'leftOut'> => {
  const leftOut: ExcludedTarget[] = [];
  let targets = all.map((one) =>
    one.after ? { ...one, after: one.after.map((link) => ({ ...link, repo: nameOf(link.repo) })) } : one,
  );
  for (let before = -1; before !== targets.length;) {
    before = targets.length;
    const known = new Set(targets.map(({ repo }) => repo.toLowerCase()));
    targets = targets.filter(({ repo, after = [] }) => {
      const gone = after.find((link) => !known.has(link.repo.toLowerCase()));
      if (gone) leftOut.push({ repo, why: 'link_out', by: gone.repo.slice(0, 400) });
      return !gone;
    });
  }
  return { targets, leftOut };
};

export const estimateFor = (count: number, past: readonly RunFigures[]): CampaignEstimate | null => {
  const ended = past.filter(({ readyAt, endedAt }) => readyAt !== null || endedAt !== null);
  if (ended.length === 0) return null;
  const scaleMean = (of: (one: RunFigures) => number): number =>
    (ended.reduce((n, one) => n + of(one), 0) / ended.length) * count;
  return {
    of: ended.length,
    workMs: Math.round(scaleMean(({ workedMs }) => workedMs)),
    costUsd: scaleMean(({ costUsd }) => costUsd),
    attentionMs: Math.round(scaleMean((one) => sumAttentionSpent(one).ms)),
  };
};

/** O4: several proposers or fixes cost more than any single run did, so nothing is expected then. */
export const expectationFor = (
  { engine, flow, proposers, fixes }: CampaignOrder['run'],
  targets: readonly Pick<CampaignTarget, 'repo'>[],
  past: readonly RunFigures[],
): ExpectedSpending | null =>
  proposers || fixes ? null : expectSpending(past, { repos: targets.map(({ repo }) => repo), engine, flow });
