/** Parses a list of repositories from a command or a file (F5). Pure. */
import {
  hasUnclosedQuote,
  isQueryLike,
  QUERY_KINDS,
  QUERY_WORD,
  parseRepoQuery,
  type RepoQuery,
} from '#model/targets';
import { normalizeLineEnds, trimEndCharacters } from '#model/values';
import { RepositoryName } from '#model/order';
import { toWrongArgument, type WrongArgument } from '#model/chat';
import { branchOf, parseRepoLink } from './repository-links.ts';
import { parseKeyedRepositories } from './repository-data.ts';
import type { NamedRepo } from './repository-data.ts';
import { readJson, readTable, type UnusableColumn } from './repository-table.ts';

export const MAX_LISTED_REPOSITORIES = 20_000;

const BULLET = '(?:[-*+•]|\\d+[.)]|\\[[ xX]?\\])';
const isBullet = (word: string): boolean => new RegExp(`^${BULLET}$`).test(word);
const stripPunctuation = (word: string): string => trimEndCharacters(word, ',;:，、；：');
const LONGEST_WORD = 1_000;
/** Markup of lists and tables around a name. */
const NAME_DECORATION = /^["'`*[(<|]+|(?<!["'`*\])>|,;:，、；：])["'`*\])>|,;:，、；：]+$/g;
const stripDecoration = (word: string): string =>
  word.length > LONGEST_WORD ? word : word.replace(NAME_DECORATION, '');
/** Invisible characters: joiners, soft hyphens and direction marks. */
const UNSEEN = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
export const visibleText = (text: string): string => text.replace(UNSEEN, '').trim();
const toPlainText = (text: string): string =>
  normalizeLineEnds(text)
    .replace(UNSEEN, '')
    .replace(/\[[^[\]\n]{0,300}\]\(([^()\s]{1,500})\)/g, '$1')
    .replace(/^([ \t]*(?:[-*+•]|\d+[.)])[ \t]+)\[[ xX]\]\s+/gm, '$1');

export const parseRepoName = (word: string): NamedRepo | null => {
  // Long words are no names and would slow down the patterns below.
  if (word.length > LONGEST_WORD) return null;
  const link = parseRepoLink(word);
  const repo = link?.repo ?? word.replace(/\/$/, '').replace(/\.git$/i, '');
  if (isQueryLike(word) || !repo.includes('/') || !RepositoryName.safeParse(repo).success) return null;
  const ref = link ? branchOf(link) : null;
  return { repo, host: link?.host ?? null, vars: {}, ...(ref === null ? {} : { ref }) };
};

export type RepositoryList = { named: NamedRepo[]; queries: RepoQuery[]; unusable: UnusableColumn[] };
export const emptyBatchList = (): RepositoryList => ({ named: [], queries: [], unusable: [] });
const addWord = (list: RepositoryList, word: string): boolean => {
  const query = parseRepoQuery(stripPunctuation(word));
  const repo = query ? null : parseRepoName(stripDecoration(word));
  if (query) list.queries.push(query);
  if (repo) list.named.push(repo);
  return query !== null || repo !== null;
};
export const joinBatchLists = (...lists: readonly RepositoryList[]): RepositoryList => ({
  named: lists.flatMap(({ named }) => named),
  queries: lists.flatMap(({ queries }) => queries),
  unusable: lists.flatMap(({ unusable }) => unusable),
});

const BY = `(?:${QUERY_KINDS.join('|')})`;
const WORD = new RegExp(`${QUERY_WORD.source}|(?:${BY}：)?[^\\s,;，、；：]+`, 'gi');
const wordsIn = (line: string): string[] => line.match(WORD) ?? [];

const listIn = (line: string): RepositoryList | null => {
  const words = wordsIn(line).filter((word, i) => i > 0 || !isBullet(word));
  const list = emptyBatchList();
  return words.length > 0 && words.every((word) => addWord(list, word)) ? list : null;
};

/** Lines of repositories only, and repositories before the first other word, belong to the list. */
export const splitRepositoryList = (text: string): RepositoryList & { words: string } => {
  const lists: RepositoryList[] = [];
  const rest: string[] = [];
  for (const line of normalizeLineEnds(text).split('\n')) {
    const list = listIn(toPlainText(line));
    if (list) lists.push(list);
    else rest.push(line);
  }
  let words = rest.join('\n').trim();
  const first = emptyBatchList();
  for (let end = firstIn(words, first); end > 0; end = firstIn(words, first)) words = words.slice(end).trim();
  return { ...joinBatchLists(first, ...lists), words: isBullet(words) ? '' : words };
};

/** Longest first: CJK commas may separate names without a blank. */
const LIST_ITEM_STARTS = [
  new RegExp(`^${QUERY_WORD.source}`, 'i'),
  /^[^\s，、；]+/,
  new RegExp(`^(?:${BY}：)?[^\\s,;，、；：]+`, 'i'),
];
const BULLETS = new RegExp(`^(?:${BULLET}\\s+)*`);

const firstIn = (words: string, list: RepositoryList): number => {
  const from = BULLETS.exec(words)?.[0].length ?? 0;
  const rest = words.slice(from);
  const found = LIST_ITEM_STARTS.flatMap((form) => form.exec(rest)?.[0] ?? []).find((word) =>
    addWord(list, toPlainText(word)),
  );
  if (found === undefined) return 0;
  const end = from + found.length;
  return end + (/^：*\s*[,;，、；]*/.exec(words.slice(end))?.[0].length ?? 0);
};

/** Rejects an unterminated query, which hides where the goal begins. */
export const checkQueryQuotes = (text: string): WrongArgument | null => {
  for (const line of text.split('\n')) {
    const word = wordsIn(line).find((one) => !isBullet(one)) ?? '';
    if (hasUnclosedQuote(word))
      return toWrongArgument({ kind: 'query_quote', text: line.trim().slice(0, 60) });
  }
  return null;
};

const noRepo = (line: number, text: string, { more = false }: { more?: boolean } = {}): WrongArgument =>
  toWrongArgument({ kind: more ? 'line_more' : 'line', line, text: text.slice(0, 60) });

const readKeyedList = (text: string): { named: NamedRepo[]; unusable: UnusableColumn[] } | null => {
  const named = parseKeyedRepositories(text, parseRepoName);
  return named && { named, unusable: [] };
};

/** A name with a branch is reported, as one branch applies to all repositories. */
const WITH_REF = /^([\w.-]+\/[\w.-]+)@([\w./-]+)$/;
const withRef = (word: string): NamedRepo | null => {
  const [, repo = '', ref] = WITH_REF.exec(stripDecoration(word)) ?? [];
  return ref !== undefined && RepositoryName.safeParse(repo).success
    ? { repo, host: null, vars: {}, ref }
    : null;
};

/** Maximum length of a list (characters). */
const LONGEST_LIST = 250 * MAX_LISTED_REPOSITORIES;

/** Reads a plain list, JSON, or a table with a header line; `#` starts a comment. */
export const readList = (text: string): RepositoryList | WrongArgument => {
  if (text.length > LONGEST_LIST)
    return toWrongArgument({ kind: 'list_long', most: MAX_LISTED_REPOSITORIES });
  const plain = toPlainText(text);
  const table = readJson(plain, parseRepoName) ?? readTable(plain, parseRepoName) ?? readKeyedList(plain);
  if (table) return 'row' in table ? noRepo(table.row, table.text) : { ...table, queries: [] };
  const all = emptyBatchList();
  for (const [i, line] of toPlainText(text).split('\n').entries()) {
    const said = line.replace(/(^|\s)#[^]*$/, '').trim();
    if (said === '') continue;
    const words = wordsIn(said);
    const branched = words.flatMap((word) => withRef(word) ?? []);
    all.named.push(...branched);
    const others =
      branched.length === 0
        ? said
        : words.filter((word, at) => withRef(word) === null && (at > 0 || !isBullet(word))).join(' ');
    if (others === '') continue;
    const list = listIn(others);
    if (!list)
      return (
        checkQueryQuotes(said) ??
        noRepo(i + 1, said, {
          more: wordsIn(said).some((word) => parseRepoName(stripDecoration(word)) !== null),
        })
      );
    for (const one of list.named) all.named.push(one);
    for (const one of list.queries) all.queries.push(one);
    // Stops early on huge files.
    if (all.named.length > MAX_LISTED_REPOSITORIES)
      return toWrongArgument({ kind: 'list_long', most: MAX_LISTED_REPOSITORIES });
  }
  return all;
};
