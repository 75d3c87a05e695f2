/**
 * F5: what a batch is told: a list of repositories however it was written down, one goal for all of
 * them, and the options of an order. Pure.
 */
import { z } from 'zod';
import { CampaignLimits, CampaignOrder, CampaignPace, missingIn, Target } from '../core/campaign/order.ts';
import { Person, RepoName, type Order } from '../core/order.ts';
import { cut } from '../core/text.ts';
import { readLink } from './links.ts';
import { NewOrder, orderTyped, readOrder, type GivenOption } from './order.ts';
import { isWrong, wrong, type Wrong } from './problems.ts';

/** `host` is where an address that was given leads. */
export const NamedRepo = Target.extend({ host: z.string().nullable() });
export type NamedRepo = z.infer<typeof NamedRepo>;

export const NewBatch = z.object({
  name: z.string().min(1).max(80).nullable(),
  named: z.array(NamedRepo).min(1),
  /** Its repository is the first of those that are named. */
  order: NewOrder,
  /** A command in place of the one that the script engine has at the host. */
  script: z.string().nullable(),
  pace: CampaignPace,
  limits: CampaignLimits,
});
export type NewBatch = z.infer<typeof NewBatch>;

/** A batch as it is asked for, by somebody and for a chat. */
export const BatchAsked = z.object({
  name: z.string(),
  named: z.array(NamedRepo),
  run: CampaignOrder.shape.run,
  pace: CampaignPace,
  limits: CampaignLimits,
  requester: Person,
  chat: z.string().nullable(),
});
export type BatchAsked = z.infer<typeof BatchAsked>;

/** Names in one list; more are refused before anybody looks at them. */
export const MOST_NAMED = 20_000;

/** What stands before and behind names in a list. */
const BULLET = /^(?:[-*•]|\d+[.)])$/;
const tidied = (word: string): string => word.replace(/[,;]+$/, '');

export const repoIn = (word: string): NamedRepo | null => {
  const link = readLink(word);
  const repo = link?.repo ?? word;
  if (!repo.includes('/') || !RepoName.safeParse(repo).success) return null;
  return { repo, host: link?.host ?? null, vars: {} };
};

const wordsIn = (line: string): string[] =>
  line
    .trim()
    .split(/[\s,;]+/)
    .filter((word) => word !== '');

/** Every word of the line as a repository; null where there is anything else. */
const listIn = (line: string): NamedRepo[] | null => {
  const words = wordsIn(line);
  const named = words.filter((word, i) => i > 0 || !BULLET.test(word)).map(repoIn);
  return named.length > 0 && named.every((one) => one !== null) ? named : null;
};

/** Lines of nothing but repositories are the list, and so is what the other words begin with. */
export const splitBatch = (text: string): { named: NamedRepo[]; words: string } => {
  const named: NamedRepo[] = [];
  const rest: string[] = [];
  for (const line of text.split('\n')) {
    const list = listIn(line);
    if (list) named.push(...list);
    else rest.push(line);
  }
  let words = rest.join('\n').trim();
  const first: NamedRepo[] = [];
  for (let [word = ''] = words.split(/\s+/); word !== ''; [word = ''] = words.split(/\s+/)) {
    const one = repoIn(tidied(word));
    if (!one && !BULLET.test(word)) break;
    if (one) first.push(one);
    words = words.slice(word.length).trim();
  }
  return { named: [...first, ...named], words };
};

/** A file with a list: every line names repositories; `#` begins a remark. */
export const readList = (text: string): { named: NamedRepo[] } | Wrong => {
  const named: NamedRepo[] = [];
  for (const [i, line] of text.split('\n').entries()) {
    const said = line.replace(/(^|\s)#.*$/, '').trim();
    if (said === '') continue;
    const list = listIn(said);
    if (!list) return wrong({ kind: 'line', line: i + 1, text: said.slice(0, 60) });
    named.push(...list);
  }
  return { named };
};

/** What was written after the command, with the list of a file beside it. */
export const readBatch = (
  text: string,
  listed: readonly NamedRepo[] = [],
  options: readonly GivenOption[] = [],
): { value: NewBatch } | Wrong => {
  const { named: said, words } = splitBatch(text);
  const named = [...said, ...listed];
  const [first] = named;
  if (!first) return wrong({ kind: 'no_list' });
  if (named.length > MOST_NAMED) return wrong({ kind: 'list_long', most: MOST_NAMED });
  const read =
    options.length > 0 ? readOrder(first.repo, words, options) : orderTyped(`${first.repo} ${words}`);
  if (isWrong(read)) return read;
  return checked({
    ...{ name: null, named, order: read.value, script: null },
    ...{ pace: CampaignPace.parse({}), limits: CampaignLimits.parse({}) },
  });
};

/** What its words speak of, every repository has. */
export const checked = (batch: NewBatch): { value: NewBatch } | Wrong => {
  const { goal, title, branch, checks } = batch.order;
  const words = { goal, title, branch, checks, engineArgs: batch.script === null ? [] : [batch.script] };
  for (const target of batch.named) {
    const [name] = missingIn(words, target);
    if (name !== undefined) return wrong({ kind: 'variable', name, repo: target.repo.slice(0, 60) });
  }
  return { value: batch };
};

/** What is planned of it; the order is the one that its first repository would have. */
export const batchFrom = (
  { name, named, script, pace, limits }: NewBatch,
  { repo: _, campaign: __, ...order }: Order,
): BatchAsked => {
  const run = script === null ? order : { ...order, engineArgs: [script] };
  const { requester, chat } = order;
  const called = name ?? cut(order.title ?? order.goal.split('\n')[0] ?? '', 80);
  return { name: called, named, run, pace, limits, requester, chat };
};
