/** Finds rules that a user weighs before an agent costs anything. */
import { type Contract, basesFor, WHOLLY_AI_CHANGES, type ContributionRule } from '#model/contract';
import type { PlanEscalation } from '#model/assessment';
import {
  hasSimilarLabel,
  type IssueFacts,
  missingRequirements,
  type RecordedAnswer,
} from '#model/requirements';

const place = ({ quote, file, line }: ContributionRule) => ({ quote: quote.slice(0, 200), file, line });
const unmet = (rule: ContributionRule): PlanEscalation => ({
  kind: 'rule_unmet',
  rule: rule.kind,
  value: rule.value ?? null,
  ...place(rule),
});

/** Returns the most serious one, or null. The pull request's card shows all. */
export const beforeWork = (
  { rules }: Pick<Contract, 'rules'>,
  {
    issue,
    base,
    answers = [],
    trailers = [],
    work = '',
  }: {
    issue: IssueFacts | null;
    base: string;
    answers?: readonly RecordedAnswer[];
    trailers?: readonly string[];
    /** The kind of work that the goal names. */
    work?: string;
  },
): PlanEscalation | null => {
  const find = (which: (rule: ContributionRule) => boolean): ContributionRule | undefined =>
    rules.find(which);
  const near = find(
    (r) =>
      (r.kind === 'other' && r.value === 'ai') || (r.kind === 'ai_limited' && r.value === WHOLLY_AI_CHANGES),
  );
  if (near) return { kind: 'possible_ban', ...place(near) };
  const barred = find((r) => r.kind === 'label_barred' && hasSimilarLabel(issue?.labels ?? [], r.value));
  const listed = find((r) => r.kind === 'vouch' && r.value !== 'listed');
  // guard: F10-elsewhere-before-work
  const elsewhere = find((r) => r.kind === 'elsewhere');
  // guard: F14-closer-before-work
  const closer = find((r) => r.kind === 'other' && r.value === 'closer');
  const unfit = elsewhere ?? closer ?? barred ?? listed;
  if (unfit) return unmet(unfit);
  const missing = missingRequirements({ contract: { rules }, issue, answers, trailers });
  if (missing.length > 0) return { kind: 'answers_missing', missing };
  const readings = [basesFor(rules, work), basesFor(rules, work, 'agent')];
  const [other] = readings.find((bases) => !bases.some((r) => r.value === base) && bases.length > 0) ?? [];
  return other ? unmet(other) : null;
};
