/** What of a repository's rules a person weighs before an agent costs anything. */
import type { Contract } from '../contract.ts';
import type { Escalation } from '../facts.ts';
import { hasLabel, type IssueFacts } from '../issue.ts';
import { missingIn, type GivenAnswer } from '../missing.ts';
import { WHOLLY, type Rule } from '../rule.ts';

const place = ({ quote, file, line }: Rule) => ({ quote: quote.slice(0, 200), file, line });
const unmet = (rule: Rule): Escalation => ({
  kind: 'rule_unmet',
  rule: rule.kind,
  value: rule.value ?? null,
  ...place(rule),
});

/**
 * The most serious one; null when nothing stands in the way. All of them are on the card of the
 * pull request.
 */
export const beforeWork = (
  { rules }: Pick<Contract, 'rules'>,
  {
    issue,
    base,
    answers = [],
    trailers = [],
  }: {
    issue: IssueFacts | null;
    base: string;
    answers?: readonly GivenAnswer[];
    trailers?: readonly string[];
  },
): Escalation | null => {
  const find = (which: (rule: Rule) => boolean): Rule | undefined => rules.find(which);
  const near = find(
    (r) => (r.kind === 'other' && r.value === 'ai') || (r.kind === 'ai_limited' && r.value === WHOLLY),
  );
  if (near) return { kind: 'possible_ban', ...place(near) };
  const barred = find((r) => r.kind === 'label_barred' && hasLabel(issue?.labels ?? [], r.value));
  const listed = find((r) => r.kind === 'vouch' && r.value !== 'listed');
  const unfit = barred ?? listed;
  if (unfit) return unmet(unfit);
  const missing = missingIn({ contract: { rules }, issue, answers, trailers });
  if (missing.length > 0) return { kind: 'answers_missing', missing };
  const bases = rules.filter((r) => r.kind === 'base_branch');
  const [other] = bases;
  return other && !bases.some((r) => r.value === base) ? unmet(other) : null;
};
