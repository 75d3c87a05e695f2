/**
 * F5: what a batch is told: a list of repositories, one goal for all of them, and the options of an
 * order. Pure.
 */
import { z } from 'zod';
import { Every } from '../core/campaign/every.ts';
import { unknownIn } from '../core/campaign/fill.ts';
import {
  CampaignLimits,
  CampaignOrder,
  CampaignPace,
  isOwnVariable,
  LONGEST_VALUE,
  misplacedFor,
  missingIn,
  takenIn,
  unfillableIn,
  type Target,
} from '../core/campaign/order.ts';
import { Origin } from '../core/origin.ts';
import { MOST_QUERIES, RepoQuery, written } from '../core/campaign/query.ts';
import { Id, OrderedFix, Person, type Order } from '../core/order.ts';
import { cut } from '../core/text.ts';
import { joined, MOST_NAMED, none, openIn, splitBatch, type BatchList } from './batch-list.ts';
import { NamedRepo } from './repository-data.ts';
import type { Unusable } from './table.ts';
import { NewOrder, orderTyped, readOrder, type GivenOption } from './order.ts';
import { isWrong, wrong, type Problem, type Wrong } from './problems.ts';

export const NewBatch = z.object({
  name: z.string().min(1).max(80).nullable(),
  named: z.array(NamedRepo),
  /** What is looked for besides; one of both there is. */
  queries: z.array(RepoQuery).max(MOST_QUERIES),
  /** Its repository stands for all of them. */
  order: NewOrder,
  /** A command in place of the one that the script engine has at the host. */
  script: z.string().nullable(),
  /** Several that one pull request makes; null where the goal is one. */
  fixes: z.array(OrderedFix).nullable(),
  pace: CampaignPace,
  limits: CampaignLimits,
  /** Who alone may approve its runs, by their ids; null for everybody who may approve. */
  approvers: z.array(Id).max(20).nullable(),
  /** It is shown anew each time; null for once. */
  every: Every.nullable(),
});
export type NewBatch = z.infer<typeof NewBatch>;

/** A batch as it is asked for, by somebody and for a chat. */
export const BatchAsked = z.object({
  name: z.string(),
  named: z.array(NamedRepo),
  queries: z.array(RepoQuery).max(MOST_QUERIES).default([]),
  run: CampaignOrder.shape.run,
  pace: CampaignPace,
  limits: CampaignLimits,
  requester: Person,
  chat: z.string().nullable(),
  every: Every.exactOptional(),
  /** Where it came from, and how many of there are shown in a day; absent where a person ordered it. */
  origin: Origin.exactOptional(),
  perDay: z.int().min(1).exactOptional(),
});
export type BatchAsked = z.infer<typeof BatchAsked>;

/** What an order is read with that is one for many. */
export const EVERY = 'every/repository';

/**
 * What was written after the command, with the list of a file beside it. Where options stand apart
 * from it, all of it is the goal.
 */
export const readBatch = (
  text: string,
  listed: BatchList = none(),
  options: readonly GivenOption[] | null = null,
): { value: NewBatch } | Wrong => {
  const { words, ...said } = options ? { words: text.trim(), ...none() } : splitBatch(text);
  const open = options ? null : openIn(words);
  if (open) return open;
  const { named, queries, unusable } = joined(said, listed);
  const [first] = named;
  if (!first && queries.length === 0) return wrong({ kind: 'no_list' });
  if (queries.length > MOST_QUERIES) return wrong({ kind: 'queries', most: MOST_QUERIES });
  if (named.length > MOST_NAMED) return wrong({ kind: 'list_long', most: MOST_NAMED });
  const read = options ? readOrder(EVERY, words, options) : orderTyped(`${EVERY} ${words}`);
  if (isWrong(read)) return read;
  return checked(plainBatch({ named, queries, order: { ...read.value, ...whereOf(first) } }), unusable);
};

/** A batch of which nothing more was said. */
export const plainBatch = (
  said: Pick<NewBatch, 'named' | 'queries' | 'order'> & { name?: string },
): NewBatch => ({
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
  repo: first?.repo ?? EVERY,
  host: first?.host ?? null,
});

type Words = Parameters<typeof missingIn>[0];

/** What one target after the other does not have of what the words speak of. */
const unfitFor = (words: Words, unusable: readonly Unusable[]): ((target: Target) => Problem | null) => {
  const misplaced = misplacedFor(words);
  return (target) => {
    const repo = target.repo.slice(0, 60);
    const taken = takenIn(words, target);
    if (taken !== null) return { kind: 'variable_taken', name: taken, repo };
    const [name] = missingIn(words, target);
    if (name === undefined) {
      const where = misplaced(target);
      return where === null ? null : { kind: 'misplaced', name: where, repo };
    }
    const isLong = unusable.some((one) => one.repo === target.repo && one.name.toLowerCase() === name);
    return isLong
      ? { kind: 'variable_long', name, repo, most: LONGEST_VALUE }
      : { kind: 'variable', name, repo };
  };
};

/** What its words speak of, every repository has. */
export const checked = (batch: NewBatch, unusable: readonly Unusable[] = []): { value: NewBatch } | Wrong => {
  const { goal, title, branch, base, checks } = batch.order;
  const engineArgs = batch.script === null ? [] : [batch.script];
  const words = { goal, title, branch, base, checks, engineArgs, fixes: batch.fixes ?? [] };
  const column = columnIn([goal, title ?? '', branch ?? '', base ?? '', ...checks], unusable);
  if (column !== null) return wrong({ kind: 'column', name: column.slice(0, 60) });
  const unfillable = unfillableIn(words);
  if (unfillable !== null) return wrong({ kind: 'no_variable', text: unfillable });
  const sought = batch.queries.map((query) => ({ repo: written(query), vars: {} }));
  const unfitIn = unfitFor(words, unusable);
  const odd: Problem[] = [];
  for (const target of [...batch.named, ...sought]) {
    const unfit = unfitIn(target);
    if (unfit && !isOfItsName(unfit)) return wrong(unfit);
    if (unfit) odd.push(unfit);
  }
  // Those of some are left out by themselves; what is found has names that nobody knows yet.
  const [first] = odd;
  return first && sought.length === 0 && odd.length === batch.named.length ? wrong(first) : { value: batch };
};

const isOfItsName = (problem: Problem): boolean =>
  problem.kind === 'misplaced' && isOwnVariable(problem.name);

/** The first column that a text speaks of as `{{team-name}}`, though it can be no variable. */
const columnIn = (texts: readonly string[], unusable: readonly Unusable[]): string | null => {
  const asked = texts.flatMap(unknownIn).map((braced) => braced.slice(2, -2).trim().toLowerCase());
  const columns = unusable.filter(({ repo }) => repo === null);
  return columns.find(({ name }) => asked.includes(name.toLowerCase()))?.name ?? null;
};

/** What is planned of it; the order is the one that its first repository would have. */
export const batchFrom = (
  { name, named, queries, script, fixes, pace, limits, approvers, every }: NewBatch,
  { repo: _, campaign: __, ...order }: Order,
): BatchAsked => {
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
  const called = name ?? cut(order.title ?? order.goal.split('\n')[0] ?? '', 80);
  const asked = { name: called, named, queries, run, pace, limits, requester, chat };
  return every === null ? asked : { ...asked, every };
};
