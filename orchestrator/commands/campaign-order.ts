/**
 * F5: what a batch is told: a list of repositories, one goal for all of them, and the options of an
 * order. Pure.
 */
import { z } from 'zod';
import { RepeatRule } from '../core/campaign/repeat-schedule.ts';
import { unknownIn } from '../core/campaign/fill-variables.ts';
import {
  CampaignLimits,
  CampaignOrder,
  CampaignPace,
  isOwnVariable,
  MAX_VALUE_LENGTH,
  unquotableVariableOf,
  missingVariables,
  reservedVariableIn,
  unfillableIn,
  type CampaignTarget,
} from '../core/campaign/campaign-order.ts';
import { CampaignTrigger } from '../core/campaign-trigger.ts';
import { MAX_CAMPAIGN_QUERIES, RepoQuery, queryText } from '../core/campaign/repository-query.ts';
import { OpaqueId, OrderedFix, Person, type Order } from '../core/order.ts';
import { cutText } from '../core/text-format.ts';
import {
  joinBatchLists,
  MAX_LISTED_REPOSITORIES,
  emptyBatchList,
  openIn,
  splitRepositoryList,
  type RepositoryList,
} from './repository-list.ts';
import { NamedRepo } from './repository-data.ts';
import type { UnusableColumn } from './repository-table.ts';
import { NewOrder, orderTyped, readOrder, type ParsedOption } from './order-argument.ts';
import { isWrong, wrongArgument, type CommandProblem, type WrongArgument } from './command-problems.ts';

export const NewCampaign = z.object({
  name: z.string().min(1).max(80).nullable(),
  named: z.array(NamedRepo),
  /** What is looked for besides; one of both there is. */
  queries: z.array(RepoQuery).max(MAX_CAMPAIGN_QUERIES),
  /** Its repository stands for all of them. */
  order: NewOrder,
  /** A command in place of the one that the script engine has at the host. */
  script: z.string().nullable(),
  /** Several that one pull request makes; null where the goal is one. */
  fixes: z.array(OrderedFix).nullable(),
  pace: CampaignPace,
  limits: CampaignLimits,
  /** Who alone may approve its runs, by their ids; null for everybody who may approve. */
  approvers: z.array(OpaqueId).max(20).nullable(),
  /** It is shown anew each time; null for once. */
  every: RepeatRule.nullable(),
});
export type NewCampaign = z.infer<typeof NewCampaign>;

/** A batch as it is asked for, by somebody and for a chat. */
export const CampaignRequest = z.object({
  name: z.string(),
  named: z.array(NamedRepo),
  queries: z.array(RepoQuery).max(MAX_CAMPAIGN_QUERIES).default([]),
  run: CampaignOrder.shape.run,
  pace: CampaignPace,
  limits: CampaignLimits,
  requester: Person,
  chat: z.string().nullable(),
  every: RepeatRule.exactOptional(),
  /** Where it came from, and how many of there are shown in a day; absent where a person ordered it. */
  origin: CampaignTrigger.exactOptional(),
  perDay: z.int().min(1).exactOptional(),
});
export type CampaignRequest = z.infer<typeof CampaignRequest>;

/** What an order is read with that is one for many. */
export const EVERY_REPOSITORY = 'every/repository';

/**
 * What was written after the command, with the list of a file beside it. Where options stand apart
 * from it, all of it is the goal.
 */
export const readCampaignOrder = (
  text: string,
  listed: RepositoryList = emptyBatchList(),
  options: readonly ParsedOption[] | null = null,
): { value: NewCampaign } | WrongArgument => {
  const { words, ...said } = options
    ? { words: text.trim(), ...emptyBatchList() }
    : splitRepositoryList(text);
  const open = options ? null : openIn(words);
  if (open) return open;
  const { named, queries, unusable } = joinBatchLists(said, listed);
  const [first] = named;
  if (!first && queries.length === 0) return wrongArgument({ kind: 'no_list' });
  if (queries.length > MAX_CAMPAIGN_QUERIES)
    return wrongArgument({ kind: 'queries', most: MAX_CAMPAIGN_QUERIES });
  if (named.length > MAX_LISTED_REPOSITORIES)
    return wrongArgument({ kind: 'list_long', most: MAX_LISTED_REPOSITORIES });
  const read = options
    ? readOrder(EVERY_REPOSITORY, words, options)
    : orderTyped(`${EVERY_REPOSITORY} ${words}`);
  if (isWrong(read)) return read;
  return checkVariables(
    plainCampaign({ named, queries, order: { ...read.value, ...whereOf(first) } }),
    unusable,
  );
};

/** A batch of which nothing more was said. */
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

/** What one target after the other does not have of what the words speak of. */
const unfitFor = (
  words: Words,
  unusable: readonly UnusableColumn[],
): ((target: CampaignTarget) => CommandProblem | null) => {
  const misplaced = unquotableVariableOf(words);
  return (target) => {
    const repo = target.repo.slice(0, 60);
    const taken = reservedVariableIn(words, target);
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

/** What its words speak of, every repository has. */
export const checkVariables = (
  batch: NewCampaign,
  unusable: readonly UnusableColumn[] = [],
): { value: NewCampaign } | WrongArgument => {
  const { goal, title, branch, base, checks } = batch.order;
  const engineArgs = batch.script === null ? [] : [batch.script];
  const words = { goal, title, branch, base, checks, engineArgs, fixes: batch.fixes ?? [] };
  const column = columnIn([goal, title ?? '', branch ?? '', base ?? '', ...checks], unusable);
  if (column !== null) return wrongArgument({ kind: 'column', name: column.slice(0, 60) });
  const unfillable = unfillableIn(words);
  if (unfillable !== null) return wrongArgument({ kind: 'no_variable', text: unfillable });
  const sought = batch.queries.map((query) => ({ repo: queryText(query), vars: {} }));
  const unfitIn = unfitFor(words, unusable);
  const odd: CommandProblem[] = [];
  for (const target of [...batch.named, ...sought]) {
    const unfit = unfitIn(target);
    if (unfit && !isOfItsName(unfit)) return wrongArgument(unfit);
    if (unfit) odd.push(unfit);
  }
  // Those of some are left out by themselves; what is found has names that nobody knows yet.
  const [first] = odd;
  return first && sought.length === 0 && odd.length === batch.named.length
    ? wrongArgument(first)
    : { value: batch };
};

const isOfItsName = (problem: CommandProblem): boolean =>
  problem.kind === 'misplaced' && isOwnVariable(problem.name);

/** The first column that a text speaks of as `{{team-name}}`, though it can be no variable. */
const columnIn = (texts: readonly string[], unusable: readonly UnusableColumn[]): string | null => {
  const asked = texts.flatMap(unknownIn).map((braced) => braced.slice(2, -2).trim().toLowerCase());
  const columns = unusable.filter(({ repo }) => repo === null);
  return columns.find(({ name }) => asked.includes(name.toLowerCase()))?.name ?? null;
};

/** What is planned of it; the order is the one that its first repository would have. */
export const campaignFrom = (
  { name, named, queries, script, fixes, pace, limits, approvers, every }: NewCampaign,
  { repo: _, campaign: __, ...order }: Order,
): CampaignRequest => {
  const { requester, chat } = order;
  const [first] = approvers ?? [];
  // In a room of one's own nobody else would see the cards.
  const alone = first !== undefined && chat === requester.id && !approvers?.some((id) => id === chat);
  const run = {
    ...order,
    ...(script === null ? {} : { engineArgs: [script] }),
    ...(fixes ? { fixes } : {}),
    ...(approvers ? { approvers } : {}),
    ...(alone ? { decider: first } : {}),
  };
  const called = name ?? cutText(order.title ?? order.goal.split('\n')[0] ?? '', 80);
  const asked = { name: called, named, queries, run, pace, limits, requester, chat };
  return every === null ? asked : { ...asked, every };
};
