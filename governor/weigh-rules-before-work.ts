/** Finds rules that a user weighs before an agent costs anything. */
import { type Contract, selectBaseRules, WHOLLY_AI_CHANGES, type ContributionRule } from '#model/contract';
import type { PlanEscalation } from '#model/assessment';
import {
  hasSimilarLabel,
  type IssueFacts,
  missingRequirements,
  type RecordedAnswer,
} from '#model/requirements';

const placeOfRule = ({ quote, file, line }: ContributionRule) => ({ quote: quote.slice(0, 200), file, line });
const toUnmetRule = (rule: ContributionRule): PlanEscalation => ({
  kind: 'rule_unmet',
  rule: rule.kind,
  value: rule.value ?? null,
  ...placeOfRule(rule),
});

/** Returns the most serious one, or null. The pull request's card shows all. */
export const findEscalationBeforeWork = (
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
  const findRule = (which: (rule: ContributionRule) => boolean): ContributionRule | undefined =>
    rules.find(which);
  const near = findRule(
    (r) =>
      (r.kind === 'other' && r.value === 'ai') || (r.kind === 'ai_limited' && r.value === WHOLLY_AI_CHANGES),
  );
  if (near) return { kind: 'possible_ban', ...placeOfRule(near) };
  const barred = findRule((r) => r.kind === 'label_barred' && hasSimilarLabel(issue?.labels ?? [], r.value));
  const listed = findRule((r) => r.kind === 'vouch' && r.value !== 'listed');
  // guard: F10-elsewhere-before-work
  const elsewhere = findRule((r) => r.kind === 'elsewhere');
  // guard: F14-closer-before-work
  const closer = findRule((r) => r.kind === 'other' && r.value === 'closer');
  const unfit = elsewhere ?? closer ?? barred ?? listed;
  if (unfit) return toUnmetRule(unfit);
  const missing = missingRequirements({ contract: { rules }, issue, answers, trailers, work });
  if (missing.length > 0) return { kind: 'answers_missing', missing };
  const readings = [selectBaseRules(rules, work), selectBaseRules(rules, work, 'agent')];
  const [other] = readings.find((bases) => !bases.some((r) => r.value === base) && bases.length > 0) ?? [];
  return other ? toUnmetRule(other) : null;
};
