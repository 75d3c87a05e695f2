/**
 * F9: what a repository asks of a person before a pull request, and what people answered: their own
 * words, with who and when.
 */
import { z } from 'zod';
import type { Contract } from './contract.ts';
import { standingOf, type IssueFacts } from './issue.ts';
import { Person } from './order.ts';
import { RULE_KINDS, type RuleKind } from './rule.ts';
import { issuesIn } from './issue-words.ts';
import { asksSignOff, isSignedOff, SignOff } from './trailers.ts';

/** Only a person can give these. */
export const ASKED = ['issue', 'cla', 'words', 'sign_off'] as const;
export type Asked = (typeof ASKED)[number];

/** What somebody answered, as it was written, and when (epoch ms). */
export const GivenAnswer = z.object({
  what: z.enum(ASKED),
  text: z.string().min(1).max(3_000),
  by: Person,
  at: z.number(),
});
export type GivenAnswer = z.infer<typeof GivenAnswer>;

/** The newest answer to each. */
export type Answered = { readonly [K in Asked]?: string };
export const answered = (answers: readonly GivenAnswer[]): Answered =>
  Object.fromEntries(answers.map(({ what, text }) => [what, text]));

/** Of two answers to the same, the later counts. */
export const withAnswer = (answers: readonly GivenAnswer[], now: GivenAnswer): GivenAnswer[] => [
  ...answers.filter((a) => a.what !== now.what),
  now,
];

const RULES: Readonly<Record<Asked, RuleKind>> = {
  issue: 'issue_first',
  cla: 'cla',
  words: 'human_words',
  sign_off: 'dco',
};

export const Missing = z.object({
  what: z.enum(ASKED),
  rule: z.enum(RULE_KINDS),
  value: z.string().nullable(),
  quote: z.string(),
  file: z.string(),
  line: z.number(),
});
export type Missing = z.infer<typeof Missing>;

type Known = {
  contract: Pick<Contract, 'rules'> | null;
  issue: IssueFacts | null;
  answers: readonly GivenAnswer[];
  /** Lines that the commits end with. */
  trailers: readonly string[];
};

const isMissing = (
  what: Asked,
  value: string | null,
  known: Known & { contract: Pick<Contract, 'rules'> },
): boolean => {
  switch (what) {
    case 'issue':
      return standingOf(known.issue, value ?? 'open') !== 'fine';
    case 'sign_off':
      return asksSignOff(known.contract) && !isSignedOff(known.trailers);
    case 'cla':
    case 'words':
      return answered(known.answers)[what] === undefined;
  }
};

/** What the repository asks for, and nobody has given yet. */
export const missingIn = (known: Known): Missing[] => {
  const { contract } = known;
  if (contract === null) return [];
  return ASKED.flatMap((what) => {
    const rule = contract.rules.find(
      (r) => r.kind === RULES[what] && isMissing(what, r.value ?? null, { ...known, contract }),
    );
    if (!rule) return [];
    const { kind, value = null, quote, file, line } = rule;
    return [{ what, rule: kind, value, quote: quote.slice(0, 200), file, line }];
  });
};

export const isAskedBy = (contract: Pick<Contract, 'rules'> | null, what: Asked): boolean =>
  (contract?.rules ?? []).some((r) => r.kind === RULES[what]);

/** What a reply would be as an answer; null where it cannot be one. */
export const asAnswer = (what: Asked, reply: string): string | null => {
  const text = reply.trim();
  switch (what) {
    case 'issue': {
      const [one, ...more] = issuesIn(/^\d{1,9}$/.test(text) ? `#${text}` : text);
      return one === undefined || more.length > 0 ? null : one;
    }
    case 'sign_off':
      return SignOff.safeParse(text).success ? text : null;
    case 'cla':
      return text.length > 0 && text.length <= 300 ? text : null;
    case 'words':
      return text.length >= 20 && text.length <= 3_000 ? text : null;
  }
};
