/** Reads the loaded texts of a commit one after the other (E7). */
import type { Contract, ContributionRule } from '#model/contract';
import { readRepositoryFile, REPOSITORY_FILE } from '#governor';
import type { WorkType } from '#model/pull';
import {
  collectContributionRequirements,
  type ContributionRequirements,
  type OwnerFiles,
} from './contribution-requirements.ts';
import { findBoxWish, flagDevcontainers } from './box-wishes.ts';
import type { OwnAddress } from './rule-passage.ts';
import { discoverContract, type ReadFile } from './discover-contract.ts';

export type RepositoryTexts = OwnAddress & {
  paths: readonly string[];
  files: ReadonlyMap<string, string>;
  /** The kind of change: a repository may have a template for each. */
  work?: WorkType | 'breaking' | undefined;
};
export type OnReading = (file: string) => void;

const readFrom =
  (files: ReadonlyMap<string, string>, onReading: OnReading): ReadFile =>
  (path) => {
    onReading(path);
    return files.get(path) ?? null;
  };

const TRAILER_ENTRY = /"trailer"\s{0,20}:\s{0,20}"[\w-]{1,20}"/;
/** The repository says it in a word of its own, so no sentence has to be understood. */
const trailerRules = (trailer: string | undefined, text: string): ContributionRule[] => {
  if (trailer === undefined) return [];
  const [quote = trailer] = TRAILER_ENTRY.exec(text) ?? [];
  const line = text.slice(0, Math.max(0, text.indexOf(quote))).split('\n').length;
  return [{ kind: 'trailer', value: 'assisted_by', quote, file: REPOSITORY_FILE, line }];
};

export const readContract = (
  {
    paths,
    files,
    owner,
    work,
    host,
    repo,
    images = false,
  }: RepositoryTexts & { owner: OwnerFiles | null; images?: boolean },
  onReading: OnReading,
): Contract | { problem: string } => {
  const read = readFrom(files, onReading);
  // Read from the base commit, because an agent may edit the file in its change.
  const own = paths.includes(REPOSITORY_FILE) ? readRepositoryFile(read(REPOSITORY_FILE)) : null;
  if (own && 'problem' in own) return own;
  const learned = discoverContract(paths, read, { owner, work, host, repo });
  const { installs = learned.installs, checks = learned.checks, trailer, ...more } = own ?? {};
  const rules = [...trailerRules(trailer, read(REPOSITORY_FILE) ?? ''), ...learned.rules];
  // A repository that says which checks count leaves none of them out.
  const { leftToCi, ...rest } = learned;
  const left = leftToCi && own?.checks === undefined ? { leftToCi } : {};
  const riskFlags = [...learned.riskFlags, ...(images ? flagDevcontainers(paths) : [])];
  const contract = { ...rest, ...left, ...more, installs, checks, rules, riskFlags };
  const box = images ? findBoxWish(contract, paths, read) : undefined;
  return box ? { ...contract, box } : contract;
};

export const readContributionRequirements = (
  { paths, files, work, host, repo }: RepositoryTexts,
  onReading: OnReading,
): ContributionRequirements => {
  const read = readFrom(files, onReading);
  const found = collectContributionRequirements(paths, read, { work, host, repo });
  if (!paths.includes(REPOSITORY_FILE)) return { ...found, pull: undefined };
  const text = read(REPOSITORY_FILE);
  const own = readRepositoryFile(text);
  // The next discovery stops at a file that cannot be read.
  if ('problem' in own) return found;
  return { ...found, rules: [...trailerRules(own.trailer, text ?? ''), ...found.rules], pull: own.pull };
};
