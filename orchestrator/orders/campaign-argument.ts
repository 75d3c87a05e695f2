/** Parses a batch: repositories, one goal for all of them, and an order's options (F5). Pure. */
import { z } from 'zod';
import { OpeningWindow, RepeatRule, CampaignTrigger } from '#model/schedule';
import { findUnknownVariables } from '#model/settings';
import { CampaignId, OpaqueId, OrderedFix, Person, type Order } from '#model/order';
import {
  CampaignLimits,
  CampaignOrder,
  CampaignPace,
  isCampaignVariable,
  MAX_VALUE_LENGTH,
  createUnquotableVariableFinder,
  missingVariables,
  findReservedVariable,
  findUnfillableVariable,
  type CampaignTarget,
} from '#model/campaign';
import { BudgetAmount } from '#model/spending';
import { MAX_CAMPAIGN_QUERIES, RepoQuery, formatRepoQuery } from '#model/targets';
import { cutText } from '#model/values';
import { isWrongArgument, toWrongArgument, type CommandProblem, type WrongArgument } from '#model/chat';
import {
  joinBatchLists,
  MAX_LISTED_REPOSITORIES,
  emptyBatchList,
  checkQueryQuotes,
  splitRepositoryList,
  type RepositoryList,
} from './repository-list.ts';
import { NamedRepo } from './repository-data.ts';
import type { UnusableColumn } from './repository-table.ts';
import { NewOrder, parseTypedOrder, readOrder, type ParsedOption } from './order-argument.ts';

export const NewCampaign = z.object({
  name: z.string().min(1).max(80).nullable(),
  named: z.array(NamedRepo),
  queries: z.array(RepoQuery).max(MAX_CAMPAIGN_QUERIES),
  /** The order's repository stands for all of them. */
  order: NewOrder,
  /** Replaces the configured command of the script engine. */
  script: z.string().nullable(),
  /** Fixes of one pull request; null when there is one goal. */
  fixes: z.array(OrderedFix).nullable(),
  pace: CampaignPace,
  limits: CampaignLimits,
  openings: OpeningWindow.exactOptional(),
  budget: BudgetAmount.exactOptional(),
  approvers: z.array(OpaqueId).max(20).nullable(),
  /** Repetition; each one needs a new confirmation. Null means once. */
  every: RepeatRule.nullable(),
});
export type NewCampaign = z.infer<typeof NewCampaign>;

export const CampaignRequest = z.object({
  name: z.string(),
  named: z.array(NamedRepo),
  queries: z.array(RepoQuery).max(MAX_CAMPAIGN_QUERIES).default([]),
  run: CampaignOrder.shape.run,
  pace: CampaignPace,
  limits: CampaignLimits,
  openings: OpeningWindow.exactOptional(),
  requester: Person,
  chat: z.string().nullable(),
  every: RepeatRule.exactOptional(),
  undoes: CampaignId.exactOptional(),
  /** Trigger, and its maximum number of campaigns a day; absent when a person ordered it. */
  origin: CampaignTrigger.exactOptional(),
  perDay: z.int().min(1).exactOptional(),
});
export type CampaignRequest = z.infer<typeof CampaignRequest>;

export const EVERY_REPOSITORY = 'every/repository';

/** `listed` comes from a file. With separate options, the whole text is the goal. */
export const readCampaignOrder = (
  text: string,
  listed: RepositoryList = emptyBatchList(),
  options: readonly ParsedOption[] | null = null,
): { value: NewCampaign } | WrongArgument => {
  const { words, ...said } = options
    ? { words: text.trim(), ...emptyBatchList() }
    : splitRepositoryList(text);
  const open = options ? null : checkQueryQuotes(words);
  if (open) return open;
  const { named, queries, unusable } = joinBatchLists(said, listed);
  const [first] = named;
  if (!first && queries.length === 0) return toWrongArgument({ kind: 'no_list' });
  if (queries.length > MAX_CAMPAIGN_QUERIES)
    return toWrongArgument({ kind: 'queries', most: MAX_CAMPAIGN_QUERIES });
  if (named.length > MAX_LISTED_REPOSITORIES)
    return toWrongArgument({ kind: 'list_long', most: MAX_LISTED_REPOSITORIES });
  const read = options
    ? readOrder(EVERY_REPOSITORY, words, options)
    : parseTypedOrder(`${EVERY_REPOSITORY} ${words}`);
  if (isWrongArgument(read)) return read;
  return validateVariables(
    plainCampaign({ named, queries, order: { ...read.value, ...whereOf(first) } }),
    unusable,
  );
};

export const plainCampaign = (
  said: Pick<NewCampaign, 'named' | 'queries' | 'order'> & { name?: string },
): NewCampaign => ({
  name: null,
  script: null,
  fixes: null,
  pace: CampaignPace.parse({}),
  limits: CampaignLimits.parse({}),
  approvers: null,
  every: null,
  ...said,
});

const whereOf = (first: NamedRepo | undefined): Pick<NewOrder, 'repo' | 'host'> => ({
  repo: first?.repo ?? EVERY_REPOSITORY,
  host: first?.host ?? null,
});

type Words = Parameters<typeof missingVariables>[0];

const unfitFor = (
  words: Words,
  unusable: readonly UnusableColumn[],
): ((target: CampaignTarget) => CommandProblem | null) => {
  const misplaced = createUnquotableVariableFinder(words);
  return (target) => {
    const repo = target.repo.slice(0, 60);
    const taken = findReservedVariable(words, target);
    if (taken !== null) return { kind: 'variable_taken', name: taken, repo };
    const [name] = missingVariables(words, target);
    if (name === undefined) {
      const where = misplaced(target);
      return where === null ? null : { kind: 'misplaced', name: where, repo };
    }
    const isLong = unusable.some((one) => one.repo === target.repo && one.name.toLowerCase() === name);
    return isLong
      ? { kind: 'variable_long', name, repo, most: MAX_VALUE_LENGTH }
      : { kind: 'variable', name, repo };
  };
};

export const validateVariables = (
  batch: NewCampaign,
  unusable: readonly UnusableColumn[] = [],
): { value: NewCampaign } | WrongArgument => {
  const { goal, title, branch, base, checks } = batch.order;
  const engineArgs = batch.script === null ? [] : [batch.script];
  const words = { goal, title, branch, base, checks, engineArgs, fixes: batch.fixes ?? [] };
  const column = columnIn([goal, title ?? '', branch ?? '', base ?? '', ...checks], unusable);
  if (column !== null) return toWrongArgument({ kind: 'column', name: column.slice(0, 60) });
  const unfillable = findUnfillableVariable(words);
  if (unfillable !== null) return toWrongArgument({ kind: 'no_variable', text: unfillable });
  const sought = batch.queries.map((query) => ({ repo: formatRepoQuery(query), vars: {} }));
  const unfitIn = unfitFor(words, unusable);
  const odd: CommandProblem[] = [];
  for (const target of [...batch.named, ...sought]) {
    const unfit = unfitIn(target);
    if (unfit && !isOfItsName(unfit)) return toWrongArgument(unfit);
    if (unfit) odd.push(unfit);
  }
  // Targets with a problem are skipped, unless all have one and no query may add others.
  const [first] = odd;
  return first && sought.length === 0 && odd.length === batch.named.length
    ? toWrongArgument(first)
    : { value: batch };
};

const isOfItsName = (problem: CommandProblem): boolean =>
  problem.kind === 'misplaced' && isCampaignVariable(problem.name);

const columnIn = (texts: readonly string[], unusable: readonly UnusableColumn[]): string | null => {
  const asked = texts.flatMap(findUnknownVariables).map((braced) => braced.slice(2, -2).trim().toLowerCase());
  const columns = unusable.filter(({ repo }) => repo === null);
  return columns.find(({ name }) => asked.includes(name.toLowerCase()))?.name ?? null;
};

export const toCampaignRequest = (
  { name, named, queries, script, fixes, pace, limits, openings, budget, approvers, every }: NewCampaign,
  { repo: _, campaign: __, ...order }: Order,
): CampaignRequest => {
  const { requester, chat } = order;
  const [first] = approvers ?? [];
  // Cards in a private chat would be hidden from other approvers.
  const alone = first !== undefined && chat === requester.id && !approvers?.some((id) => id === chat);
  const run = {
    ...order,
    ...(script === null ? {} : { engineArgs: [script] }),
    ...(fixes ? { fixes } : {}),
    ...(approvers ? { approvers } : {}),
    ...(alone ? { decider: first } : {}),
    ...(budget ? { campaignBudget: budget } : {}),
  };
  const called = name ?? cutText(order.title ?? order.goal.split('\n')[0] ?? '', 80);
  const when = openings === undefined ? {} : { openings };
  const asked = { name: called, named, queries, run, pace, limits, ...when, requester, chat };
  return every === null ? asked : { ...asked, every };
};
