/** E7: reads the loaded texts of a commit one after the other. */
import type { Contract, ContributionRule } from '#model/contract';
import { readRepositoryFile, REPOSITORY_FILE } from '#governor';
import {
  contributionOf,
  type ContributionRequirements,
  type OwnerFiles,
} from './contribution-requirements.ts';
import { boxWishOf } from './box-wishes.ts';
import { discoverContract, type ReadFile } from './discover-contract.ts';

export type RepositoryTexts = {
  paths: readonly string[];
  files: ReadonlyMap<string, string>;
};
export type OnReading = (file: string) => void;

const readFrom =
  (files: ReadonlyMap<string, string>, onReading: OnReading): ReadFile =>
  (path) => {
    onReading(path);
    return files.get(path) ?? null;
  };

/** The repository says it in a word of its own, so no sentence has to be understood. */
const trailerRule = (trailer: string): ContributionRule => ({
  kind: 'trailer',
  value: 'assisted_by',
  quote: `${trailer}:`,
  file: REPOSITORY_FILE,
  line: 1,
});

export const readContract = (
  { paths, files, owner, images = false }: RepositoryTexts & { owner: OwnerFiles | null; images?: boolean },
  onReading: OnReading,
): Contract | { problem: string } => {
  const read = readFrom(files, onReading);
  // Read from the base commit, because an agent may edit the file in its change.
  const own = paths.includes(REPOSITORY_FILE) ? readRepositoryFile(read(REPOSITORY_FILE)) : null;
  if (own && 'problem' in own) return own;
  const learned = discoverContract(paths, read, owner);
  const { installs = learned.installs, checks = learned.checks, trailer, ...more } = own ?? {};
  const rules = [...(trailer === undefined ? [] : [trailerRule(trailer)]), ...learned.rules];
  const contract = { ...learned, ...more, installs, checks, rules };
  const box = images ? boxWishOf(contract, read) : undefined;
  return box ? { ...contract, box } : contract;
};

export const readContribution = (
  { paths, files }: RepositoryTexts,
  onReading: OnReading,
): ContributionRequirements => contributionOf(paths, readFrom(files, onReading));
