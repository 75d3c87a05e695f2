/** Compares today's rules with those read first; unchanged rules keep their record (G8). */
import type { Contract, ContributionRule } from '#model/contract';
import { REPOSITORY_FILE } from '#governor';
import type { ContributionRequirements } from './contribution-requirements.ts';

const sameRule = (
  left: Pick<ContributionRule, 'kind' | 'value' | 'quote' | 'file'>,
  right: typeof left,
): boolean =>
  left.kind === right.kind &&
  left.value === right.value &&
  left.quote === right.quote &&
  left.file === right.file;

/** Merged titles are not read again: the shape that they showed is kept beside today's rules. */
const titleToday = (before: Contract, now: ContributionRequirements): Pick<Contract, 'titleFormat'> => {
  const kept = before.titleFormat;
  const asked = now.titleFormat;
  if (!kept) return {};
  return { titleFormat: asked ? { ...kept, ...asked } : kept };
};

/**
 * `owner` is the prefix of rules from the owner's repository. Agent findings stay, and where our file
 * cannot be read today (`pull` is missing), so does what it said.
 */
export const mergeCurrentRules = (
  before: Contract,
  now: ContributionRequirements,
  owner: string,
): Contract => {
  const kept = before.rules.filter(
    (r) =>
      r.by === 'agent' ||
      r.file.startsWith(owner) ||
      (r.file === REPOSITORY_FILE && !Object.hasOwn(now, 'pull')),
  );
  const rules = now.rules.map((rule) => before.rules.find((r) => sameRule(r, rule)) ?? rule);
  const ours = kept.filter((k) => !rules.includes(k));
  return {
    ...before,
    ...now,
    ...titleToday(before, now),
    rules: [...rules, ...ours],
    template: now.template ?? (ours.some((r) => r.kind === 'template') ? before.template : null),
  };
};
