/**
 * F5: what a batch is told: a list of repositories however it was written down, one goal for all of
 * them, and the options of an order. Pure.
 */
import { z } from 'zod';
import { Every } from '../core/campaign/every.ts';
import {
  CampaignLimits,
  CampaignOrder,
  CampaignPace,
  LONGEST_VALUE,
  misplacedFor,
  missingIn,
  takenIn,
  unfillableIn,
  type Target,
} from '../core/campaign/order.ts';
import { Origin } from '../core/origin.ts';
import {
  isOpenQuery,
  isQueryLike,
  MOST_QUERIES,
  QUERIES,
  QUERY_WORD,
  queryIn,
  RepoQuery,
  written,
} from '../core/campaign/query.ts';
import { Id, OrderedFix, Person, RepoName, type Order } from '../core/order.ts';
import { withLines } from '../core/line-end.ts';
import { cut } from '../core/text.ts';
import { NamedRepo, readJson, readTable, type Unusable } from './table.ts';
import { readLink } from './links.ts';
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

/** Names in one list; more are refused before anybody looks at them. */
export const MOST_NAMED = 20_000;

/** What stands before and behind names in a list. */
const BULLET = '(?:[-*+•]|\\d+[.)]|\\[[ xX]?\\])';
const isBullet = (word: string): boolean => new RegExp(`^${BULLET}$`).test(word);
const tidied = (word: string): string => word.replace(/[,;:，、；：]+$/, '');
const LONGEST_WORD = 1_000;
/** What lists and tables of other programs put around a name. */
const AROUND = /^["'`*[(<|]+|["'`*\])>|,;:，、；：]+$/g;
const bare = (word: string): string => (word.length > LONGEST_WORD ? word : word.replace(AROUND, ''));
/** What nobody sees: joiners, soft hyphens, and marks for the direction of what is copied. */
const UNSEEN = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
export const seen = (text: string): string => text.replace(UNSEEN, '').trim();
/** Without what nobody sees, and links as issues have them: the address is what is meant. */
const plainly = (text: string): string =>
  withLines(text)
    .replace(UNSEEN, '')
    .replace(/\[[^[\]\n]{0,300}\]\(([^()\s]{1,500})\)/g, '$1')
    .replace(/^(\s*(?:[-*+•]|\d+[.)])\s+)\[[ xX]\]\s+/gm, '$1');

export const repoIn = (word: string): NamedRepo | null => {
  // Longer ones are none, and would keep the patterns below busy.
  if (word.length > LONGEST_WORD) return null;
  const link = readLink(word);
  const repo = link?.repo ?? word.replace(/\/$/, '').replace(/\.git$/i, '');
  if (isQueryLike(word) || !repo.includes('/') || !RepoName.safeParse(repo).success) return null;
  return { repo, host: link?.host ?? null, vars: {} };
};

/** What a list holds. */
export type BatchList = { named: NamedRepo[]; queries: RepoQuery[]; unusable: Unusable[] };
const none = (): BatchList => ({ named: [], queries: [], unusable: [] });
const put = (list: BatchList, word: string): boolean => {
  const query = queryIn(tidied(word));
  const repo = query ? null : repoIn(bare(word));
  if (query) list.queries.push(query);
  if (repo) list.named.push(repo);
  return query !== null || repo !== null;
};
const joined = (...lists: readonly BatchList[]): BatchList => ({
  named: lists.flatMap(({ named }) => named),
  queries: lists.flatMap(({ queries }) => queries),
  unusable: lists.flatMap(({ unusable }) => unusable),
});

const BY = `(?:${QUERIES.join('|')})`;
const WORD = new RegExp(`${QUERY_WORD.source}|(?:${BY}：)?[^\\s,;，、；：]+`, 'gi');
/** A query with blanks in it is one word. */
const wordsIn = (line: string): string[] => line.match(WORD) ?? [];

/** Every word of the line as a repository or a query; null where there is anything else. */
const listIn = (line: string): BatchList | null => {
  const words = wordsIn(line).filter((word, i) => i > 0 || !isBullet(word));
  const list = none();
  return words.length > 0 && words.every((word) => put(list, word)) ? list : null;
};

/** Lines of nothing but repositories are the list, and so is what the other words begin with. */
export const splitBatch = (text: string): BatchList & { words: string } => {
  const lists: BatchList[] = [];
  const rest: string[] = [];
  for (const line of withLines(text).split('\n')) {
    const list = listIn(plainly(line));
    if (list) lists.push(list);
    else rest.push(line);
  }
  let words = rest.join('\n').trim();
  const first = none();
  for (let end = firstIn(words, first); end > 0; end = firstIn(words, first)) words = words.slice(end).trim();
  return { ...joined(first, ...lists), words: isBullet(words) ? '' : words };
};

/** What the words may begin with, the longest first: names may stand together without a blank. */
const FIRST = [
  new RegExp(`^${QUERY_WORD.source}`, 'i'),
  /^[^\s，、；]+/,
  new RegExp(`^(?:${BY}：)?[^\\s,;，、；：]+`, 'i'),
];
const BULLETS = new RegExp(`^(?:${BULLET}\\s+)*`);

/** Where the goal begins behind a name or a query, which goes to the list; 0 for neither. */
const firstIn = (words: string, list: BatchList): number => {
  // The bullet of a goal belongs to the goal.
  const from = BULLETS.exec(words)?.[0].length ?? 0;
  const rest = words.slice(from);
  const found = FIRST.flatMap((form) => form.exec(rest)?.[0] ?? []).find((word) => put(list, plainly(word)));
  if (found === undefined) return 0;
  const end = from + found.length;
  return end + (/^：*\s*[,;，、；]*/.exec(words.slice(end))?.[0].length ?? 0);
};

/** A line may begin with a query that never ends; nobody knows then where its goal begins. */
const openIn = (text: string): Wrong | null => {
  for (const line of text.split('\n')) {
    const word = wordsIn(line).find((one) => !isBullet(one)) ?? '';
    if (isOpenQuery(word)) return wrong({ kind: 'query_quote', text: line.trim().slice(0, 60) });
  }
  return null;
};

const noRepo = (line: number, text: string, more = false): Wrong =>
  wrong({ kind: more ? 'line_more' : 'line', line, text: text.slice(0, 60) });

/** As many names as are taken, with all that may stand beside them (characters): more is not read. */
const LONGEST_LIST = 250 * MOST_NAMED;

/**
 * A file with a list, JSON, or a table whose first line names its columns: every line names
 * repositories; `#` begins a remark.
 */
export const readList = (text: string): BatchList | Wrong => {
  if (text.length > LONGEST_LIST) return wrong({ kind: 'list_long', most: MOST_NAMED });
  const table = readJson(plainly(text), repoIn) ?? readTable(plainly(text), repoIn);
  if (table) return 'row' in table ? noRepo(table.row, table.text) : { ...table, queries: [] };
  const all = none();
  for (const [i, line] of plainly(text).split('\n').entries()) {
    const said = line.replace(/(^|\s)#.*$/, '').trim();
    if (said === '') continue;
    const list = listIn(said);
    if (!list)
      return (
        openIn(said) ??
        noRepo(
          i + 1,
          said,
          wordsIn(said).some((word) => repoIn(bare(word)) !== null),
        )
      );
    for (const one of list.named) all.named.push(one);
    for (const one of list.queries) all.queries.push(one);
    // A file of millions is not read to its end.
    if (all.named.length > MOST_NAMED) return wrong({ kind: 'list_long', most: MOST_NAMED });
  }
  return all;
};

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
  for (const target of [...batch.named, ...sought]) {
    const unfit = unfitIn(target);
    if (unfit) return wrong(unfit);
  }
  return { value: batch };
};

/** The first column that a text speaks of as `{{team-name}}`, though it can be no variable. */
const columnIn = (texts: readonly string[], unusable: readonly Unusable[]): string | null => {
  const asked = texts.flatMap((text) =>
    [...text.matchAll(/\{\{([^{}\n]{1,100})\}\}/g)].map(([, name = '']) => name.trim().toLowerCase()),
  );
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
