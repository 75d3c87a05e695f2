/** Kinds of contribution rules, and the record of one rule. */
import { z } from 'zod';

export const RULE_KINDS = [
  ...['ai_ban', 'ai_limited', 'ai_disclosure', 'human_author', 'human_words', 'dco', 'cla', 'template'],
  ...['issue_first', 'changelog', 'base_branch', 'branch_name', 'commit_style', 'language', 'size'],
  ...['label_barred', 'trailer', 'vouch', 'elsewhere', 'other'],
] as const;
/** Value of `ai_limited`: changes made by an agent alone, as ours may count. */
export const WHOLLY_AI_CHANGES = 'changes made by AI alone';
export type RuleKind = (typeof RULE_KINDS)[number];

/** Absent for our own findings; the agent's prove less. */
export const foundBy = z.literal('agent').optional();

export const ContributionRule = z.object({
  kind: z.enum(RULE_KINDS),
  /**
   * The value depends on the kind. issue_first: open, accepted, assigned; changelog: file,
   * fragment, changeset; commit_style: conventional, component, not_conventional, other; trailer:
   * assisted_by, co_author, no_co_author, no_sign_off, change_id; size: one_change or a number of lines;
   * elsewhere: where changes go, or `not here`; others: a name, pattern or label.
   */
  value: z.string().optional(),
  /** The file's purpose when it has no text to quote. */
  quote: z.string(),
  file: z.string(),
  /** 1-based. */
  line: z.number(),
  /** The kind of change that the rule is about; absent for all. */
  appliesTo: z.enum(['fix', 'feat', 'docs', 'breaking']).optional(),
  by: foundBy,
});
export type ContributionRule = z.infer<typeof ContributionRule>;

/** A rule about features alone binds all work but fixes, docs and tests, because other kinds may add one. */
export const bindsWork = ({ appliesTo }: Pick<ContributionRule, 'appliesTo'>, work: string): boolean =>
  appliesTo !== 'feat' || !['fix', 'docs', 'test'].includes(work);

/** The branches that one reading names for this kind of change; none where no rule of it does. */
export const selectBaseRules = (
  rules: readonly ContributionRule[],
  work: string,
  by?: ContributionRule['by'],
): ContributionRule[] => {
  // guard: E7-each-reading
  const all = rules.filter((r) => r.kind === 'base_branch' && r.by === by);
  const own = all.filter((r) => r.appliesTo === work);
  const general = all.filter((r) => r.appliesTo === undefined);
  return own.length > 0 ? own : general.length > 0 ? general : all;
};
