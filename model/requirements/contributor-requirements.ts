/** Requirements that only a user can meet before a pull request, and their answers (F9). */
import { z } from 'zod';
import { bindsWork, type Contract, RULE_KINDS, type RuleKind } from '#model/contract';
import { Person } from '#model/order';
import { isSignOffRequired, isSignedOff, SignOff } from '#model/trailers';
import { issueStanding, type IssueFacts } from './issue-standing.ts';
import { findIssueReferences } from './issue-references.ts';

export const PERSONAL_REQUIREMENTS = ['issue', 'cla', 'words', 'sign_off', 'template'] as const;
export type PersonalRequirement = (typeof PERSONAL_REQUIREMENTS)[number];

export const RecordedAnswer = z.object({
  what: z.enum(PERSONAL_REQUIREMENTS),
  text: z.string().min(1).max(3_000),
  by: Person,
  at: z.number(),
});
export type RecordedAnswer = z.infer<typeof RecordedAnswer>;

export type RequirementAnswers = { readonly [K in PersonalRequirement]?: string };
export const requirementAnswers = (answers: readonly RecordedAnswer[]): RequirementAnswers =>
  Object.fromEntries(answers.map(({ what, text }) => [what, text]));

export const withNewAnswer = (answers: readonly RecordedAnswer[], now: RecordedAnswer): RecordedAnswer[] => [
  ...answers.filter((a) => a.what !== now.what),
  now,
];

const RULE_BY_REQUIREMENT: Readonly<Record<PersonalRequirement, RuleKind>> = {
  issue: 'issue_first',
  cla: 'cla',
  words: 'human_words',
  sign_off: 'dco',
  template: 'template',
};

export const MissingRequirement = z.object({
  what: z.enum(PERSONAL_REQUIREMENTS),
  rule: z.enum(RULE_KINDS),
  value: z.string().nullable(),
  quote: z.string(),
  file: z.string(),
  line: z.number(),
});
export type MissingRequirement = z.infer<typeof MissingRequirement>;

type Known = {
  contract: Pick<Contract, 'rules'> | null;
  issue: IssueFacts | null;
  answers: readonly RecordedAnswer[];
  trailers: readonly string[];
  questions?: readonly string[];
  /** The kind of work that the goal names. */
  work: string;
};

const isMissing = (
  what: PersonalRequirement,
  value: string | null,
  known: Known & { contract: Pick<Contract, 'rules'> },
): boolean => {
  switch (what) {
    case 'issue':
      return issueStanding(known.issue, value ?? 'open') !== 'fine';
    case 'sign_off':
      return isSignOffRequired(known.contract) && !isSignedOff(known.trailers);
    case 'template':
      return (known.questions ?? []).length > 0 && requirementAnswers(known.answers)[what] === undefined;
    case 'cla':
    case 'words':
      return requirementAnswers(known.answers)[what] === undefined;
  }
};

export const missingRequirements = (known: Known): MissingRequirement[] => {
  const { contract } = known;
  if (contract === null) return [];
  return PERSONAL_REQUIREMENTS.flatMap((what) => {
    const rule = contract.rules.find(
      (r) =>
        r.kind === RULE_BY_REQUIREMENT[what] &&
        bindsWork(r, known.work) &&
        isMissing(what, r.value ?? null, { ...known, contract }),
    );
    if (!rule) return [];
    const { kind, value = null, file, line } = rule;
    const quote = what === 'template' ? (known.questions ?? []).join(' · ') : rule.quote;
    return [{ what, rule: kind, value, quote: quote.slice(0, 200), file, line }];
  });
};

export const hasRequirementRule = (
  contract: Pick<Contract, 'rules'> | null,
  what: PersonalRequirement,
): boolean => (contract?.rules ?? []).some((r) => r.kind === RULE_BY_REQUIREMENT[what]);

export const parseRequirementAnswer = (what: PersonalRequirement, reply: string): string | null => {
  const text = reply.trim();
  switch (what) {
    case 'issue': {
      const [one, ...more] = findIssueReferences(/^\d{1,9}$/.test(text) ? `#${text}` : text);
      return one === undefined || more.length > 0 ? null : one;
    }
    case 'sign_off':
      return SignOff.safeParse(text).success ? text : null;
    case 'cla':
      return text.length > 0 && text.length <= 300 ? text : null;
    case 'template':
      return text.length > 0 && text.length <= 3_000 ? text : null;
    case 'words':
      return text.length >= 20 && text.length <= 3_000 ? text : null;
  }
};
