/** Schema of an agent's report: claims, each limited, none believed (E7, F9). */
import { z } from 'zod';

export const CHANGE_TYPES = [
  'fix',
  'feature',
  'docs',
  'test',
  'refactor',
  'perf',
  'style',
  'build',
  'ci',
  'dependencies',
  'other',
] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];

/** Limits of fields (characters); longer text is cut when read. */
export const MAX_REPORT_LENGTHS = {
  what: 200,
  why: 1_000,
  tested: 600,
  breaking: 600,
  issue: 60,
  note: 400,
} as const;

/** F9: why a line of a template may say so: an added line, a check that passed, a fact of ours. */
export const TEMPLATE_REASONS = ['hunk', 'check', 'fact'] as const;
export const TemplateClaim = z.object({
  line: z.string().min(1).max(300),
  value: z.string().min(1).max(600),
  because: z.enum(TEMPLATE_REASONS),
  proof: z.string().min(1).max(300),
});
export type TemplateClaim = z.infer<typeof TemplateClaim>;
export const MAX_TEMPLATE_CLAIMS = 40;

const textSchema = (most: number) => z.string().max(most).nullable();

export const ReportedChange = z.object({
  what: textSchema(MAX_REPORT_LENGTHS.what),
  why: textSchema(MAX_REPORT_LENGTHS.why),
  tested: textSchema(MAX_REPORT_LENGTHS.tested),
  type: z.enum(CHANGE_TYPES).nullable(),
  breaking: textSchema(MAX_REPORT_LENGTHS.breaking),
  issue: textSchema(MAX_REPORT_LENGTHS.issue),
  note: textSchema(MAX_REPORT_LENGTHS.note),
  template: z.array(TemplateClaim).max(MAX_TEMPLATE_CLAIMS).exactOptional(),
});
export type ReportedChange = z.infer<typeof ReportedChange>;

export type StepReport = { id: string; text: string; report: ReportedChange };

/** The field `to` is the remark's number in the prompt. */
export const ProposedReply = z.object({ to: z.number(), text: z.string().min(1).max(2_000) });
export type ProposedReply = z.infer<typeof ProposedReply>;
export const MAX_REPORT_REPLIES = 50;

export const EMPTY_REPORT: ReportedChange = {
  what: null,
  why: null,
  tested: null,
  type: null,
  breaking: null,
  issue: null,
  note: null,
};

const SYNONYMS: Readonly<Record<string, ChangeType>> = {
  bug: 'fix',
  bugfix: 'fix',
  feat: 'feature',
  enhancement: 'feature',
  documentation: 'docs',
  doc: 'docs',
  tests: 'test',
  refactoring: 'refactor',
  deps: 'dependencies',
  chore: 'other',
};

export const findChangeType = (name: string): ChangeType | null => {
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/^performance$/, 'perf');
  return CHANGE_TYPES.find((one) => one === plain) ?? SYNONYMS[plain] ?? null;
};

/** Distinct texts that fit as a whole. */
const joinDistinctTexts = (texts: readonly (string | null)[], most: number): string | null => {
  const all = [...new Set(texts.flatMap((text) => text ?? []))];
  const fitting = all.reduce((text, next) => {
    const longer = text === '' ? next : `${text} ${next}`;
    return longer.length <= most ? longer : text;
  }, '');
  return fitting === '' ? null : fitting;
};

/** F11: merges reports. A fix (`isFix`) never changes the whole's subject, reason and type. */
export const mergeReports = (
  before: ReportedChange,
  now: ReportedChange,
  { isFix }: { isFix: boolean },
): ReportedChange =>
  isFix
    ? {
        ...before,
        tested: joinDistinctTexts([before.tested, now.tested], MAX_REPORT_LENGTHS.tested),
        breaking: joinDistinctTexts([before.breaking, now.breaking], MAX_REPORT_LENGTHS.breaking),
        issue: before.issue ?? now.issue,
        note: before.note ?? now.note,
        ...templateOf(before, now),
      }
    : {
        what: now.what ?? before.what,
        why: now.why ?? before.why,
        tested: now.tested ?? before.tested,
        type: now.type ?? before.type,
        breaking: now.breaking ?? before.breaking,
        issue: now.issue ?? before.issue,
        note: now.note ?? before.note,
        ...templateOf(before, now),
      };

const templateOf = (before: ReportedChange, now: ReportedChange): Pick<ReportedChange, 'template'> => {
  const all = [...(now.template ?? []), ...(before.template ?? [])].slice(0, MAX_TEMPLATE_CLAIMS);
  return all.length === 0 ? {} : { template: all };
};

/** F11: merges reports of parts; no part describes the whole. */
export const mergePartReports = (parts: readonly ReportedChange[]): ReportedChange => {
  const [only, ...more] = parts;
  if (more.length === 0) return only ?? EMPTY_REPORT;
  const types = new Set(parts.map(({ type }) => type));
  return {
    what: null,
    why: joinDistinctTexts(
      parts.map(({ why }) => why),
      MAX_REPORT_LENGTHS.why,
    ),
    tested: joinDistinctTexts(
      parts.map(({ tested }) => tested),
      MAX_REPORT_LENGTHS.tested,
    ),
    type: types.size === 1 ? (only?.type ?? null) : null,
    breaking: joinDistinctTexts(
      parts.map(({ breaking }) => breaking),
      MAX_REPORT_LENGTHS.breaking,
    ),
    issue: parts.find(({ issue }) => issue !== null)?.issue ?? null,
    note: joinDistinctTexts(
      parts.map(({ note }) => note),
      MAX_REPORT_LENGTHS.note,
    ),
  };
};
