/** Finds repositories in JSON and in key-value files (`.gitmodules`, `.repos`, YAML) (F5). Pure. */
import { z } from 'zod';
import { CampaignTarget } from '#model/campaign';
import { parseRepoLink } from './repository-links.ts';

/** `ref`: branch given with the name; rejected, as one branch applies to the whole list. */
export const NamedRepo = CampaignTarget.extend({
  host: z.string().nullable(),
  ref: z.string().exactOptional(),
});
export type NamedRepo = z.infer<typeof NamedRepo>;

type RepoIn = (word: string) => NamedRepo | null;
type Fields = Readonly<Record<string, unknown>>;

const REPO_KEYS = [
  ...['full_name', 'fullname', 'namewithowner', 'name_with_owner', 'path_with_namespace', 'repo'],
  ...[
    'repository',
    'repositories',
    'html_url',
    'htmlurl',
    'weburl',
    'web_url',
    'clone_url',
    'http_url_to_repo',
  ],
  ...['url', 'remote', 'source', 'ssh_url', 'sshurl', 'git_url', 'git'],
];
const OWNER_KEYS = ['owner', 'org', 'organization', 'login'];
const NAME_KEYS = ['name', 'repo_name', 'repository_name', 'slug'];
const MAX_DEPTH = 8;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const normaliseKey = (key: string): string =>
  key
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');

export const findRepoField = (fields: Fields, repoIn: RepoIn): string | null => {
  const named = Object.keys(fields).filter((key) => {
    const value = fields[key];
    return REPO_KEYS.includes(normaliseKey(key)) && typeof value === 'string' && repoIn(value) !== null;
  });
  return (
    named.sort((a, b) => REPO_KEYS.indexOf(normaliseKey(a)) - REPO_KEYS.indexOf(normaliseKey(b)))[0] ?? null
  );
};

export const ownerAndName = (names: readonly string[]): readonly [number, number] | null => {
  const owner = names.findIndex((name) => OWNER_KEYS.includes(normaliseKey(name)));
  const name = names.findIndex((one) => NAME_KEYS.includes(normaliseKey(one)));
  return owner < 0 || name < 0 ? null : [owner, name];
};

/** Walks nested data: pages, `items` or `nodes`, and search hits. Each once. */
export const reposWithin = (tree: unknown, repoIn: RepoIn): NamedRepo[] => {
  const found = new Map<string, NamedRepo>();
  const addRepo = (repo: NamedRepo | null): boolean => {
    if (repo) found.set(`${repo.host ?? ''} ${repo.repo.toLowerCase()}`, repo);
    return repo !== null;
  };
  const collectFrom = (value: unknown, depth: number): void => {
    if (depth > MAX_DEPTH) return;
    if (Array.isArray(value)) for (const one of value as unknown[]) lookAt(one, depth);
    else if (isFields(value)) {
      const key = findRepoField(value, repoIn);
      const said = key === null ? null : value[key];
      if (typeof said === 'string' && addRepo(repoIn(said))) return;
      const apart = ownerAndName(Object.keys(value));
      const [owner, name] = (apart ?? []).map((at) => Object.values(value)[at]);
      if (typeof owner === 'string' && typeof name === 'string' && addRepo(repoIn(`${owner}/${name}`)))
        return;
      for (const part of Object.values(value)) lookAt(part, depth);
    }
  };
  /** A bare text must be a URL; names count only in lists. */
  const lookAt = (value: unknown, depth: number): void => {
    if (typeof value === 'string') addRepo(parseRepoLink(value) ? repoIn(value) : null);
    else collectFrom(value, depth + 1);
  };
  collectFrom(tree, 0);
  return [...found.values()];
};

const PAIR = /^\s*(?:- +)?["']?([\w.-][\w .-]{0,59}?)["']?\s*[:=](?:\s+(.*))?$/;
const HEADING = /^\s*(?:\[[^\]]*\]|---|\.\.\.)\s*$/;
const stripQuotes = (text: string): string => text.trim().replace(/^(["'])(.*)\1,?$/, '$2');

export const parseKeyedRepositories = (text: string, repoIn: RepoIn): NamedRepo[] | null => {
  const found = new Map<string, NamedRepo>();
  let pairs = 0;
  for (const line of text.split('\n')) {
    const said = line.replace(/(^|\s)#[^]*$/, '');
    if (said.trim() === '' || HEADING.test(said)) continue;
    const [, key, value = ''] = PAIR.exec(said) ?? [];
    const item = key === undefined ? /^\s*- +(\S+)\s*$/.exec(said)?.[1] : undefined;
    if (key === undefined && item === undefined) return null;
    if (key !== undefined) pairs += 1;
    if (key !== undefined && !REPO_KEYS.includes(normaliseKey(key))) continue;
    const repo = repoIn(stripQuotes(item ?? value));
    if (repo) found.set(`${repo.host ?? ''} ${repo.repo.toLowerCase()}`, repo);
  }
  return pairs > 0 && found.size > 0 ? [...found.values()] : null;
};
