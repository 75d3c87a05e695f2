/**
 * What a repository asks of contributions: the kinds of rules that are known, and the record of
 * one, with its place.
 */
import { z } from 'zod';

export const RULE_KINDS = [
  ...['ai_ban', 'ai_limited', 'ai_disclosure', 'human_author', 'human_words', 'dco', 'cla', 'template'],
  ...['issue_first', 'changelog', 'base_branch', 'branch_name', 'commit_style', 'language', 'size'],
  ...['label_barred', 'trailer', 'vouch', 'other'],
] as const;
/** Of `ai_limited`: changes that an agent made alone, as ours may be taken for. */
export const WHOLLY_AI_CHANGES = 'changes made by AI alone';
export type RuleKind = (typeof RULE_KINDS)[number];

/**
 * Absent for what we read ourselves; the agent's finds stand where it says, too, and prove less.
 */
export const foundBy = z.literal('agent').optional();

export const ContributionRule = z.object({
  kind: z.enum(RULE_KINDS),
  /**
   * issue_first: open, accepted, assigned; changelog: file, fragment, changeset; base_branch: its
   * name; branch_name: the pattern in the repository's words; commit_style: conventional,
   * component, not_conventional, other; ai_limited: what is refused (media, issues, reviews,
   * comments, changes made by AI alone …); label_barred: the label; trailer: assisted_by,
   * co_author, no_co_author, no_sign_off; language: its name; size: one_change, or the most lines;
   * vouch: listed where we are on the list.
   */
  value: z.string().optional(),
  /** Of files that have no words of their own to quote, what they are for. */
  quote: z.string(),
  file: z.string(),
  /** 1-based. */
  line: z.number(),
  by: foundBy,
});
export type ContributionRule = z.infer<typeof ContributionRule>;
