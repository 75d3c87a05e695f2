/** Requests and validates the report that every agent ends with (E7). */
import { z } from 'zod';
import {
  CHANGE_TYPES,
  MAX_REPORT_LENGTHS,
  MAX_REPORT_REPLIES,
  MAX_TEMPLATE_CLAIMS,
  TEMPLATE_REASONS,
  TemplateClaim,
  EMPTY_REPORT,
  findChangeType,
  type ProposedReply,
  type ReportedChange,
} from '#model/agent';
import { hasMoreJsonValues, KB } from '#model/values';
import { toPlainLine, toPlainLines } from '../../process/plain-text.ts';

const MAX_REPORT_LINE_LENGTH = 2000;
const MAX_WORDS_LENGTH = 4_000;
/** Each line that is no report costs an exception. */
const MAX_REPORT_CANDIDATES = 100;

/** Strict schemas have no defaults. */
const Asked = z.object({
  status: z.enum(['done', 'blocked']).describe('blocked: it cannot be done, and the summary says why'),
  summary: z.string().describe('what was changed and why, or why nothing could be, in one sentence'),
  ran: z
    .array(z.object({ command: z.string(), passed: z.boolean() }))
    .describe('each check that you ran on your last state, as you ran it, and whether it passed'),
  what: z
    .string()
    .nullable()
    .describe('what this change does, as the subject of its commit: imperative, at most 60 characters'),
  why: z
    .string()
    .nullable()
    .describe('why it is needed, and how it works where that is not obvious, in one to three sentences'),
  tested: z.string().nullable().describe('which tests you added or changed, and what they show'),
  type: z.enum(CHANGE_TYPES).nullable(),
  breaking: z
    .string()
    .nullable()
    .describe('what stops working for users of the project; null when nothing does'),
  issue: z.string().nullable().describe('the issue that the goal names; null when it names none'),
  note: z.string().nullable().describe('one line for users, for a changelog; null when they notice nothing'),
  template: z
    .array(
      z.object({ line: z.string(), value: z.string(), because: z.enum(TEMPLATE_REASONS), proof: z.string() }),
    )
    .describe('lines of the pull request template that you were shown and can prove; else empty'),
  replies: z
    .array(z.object({ to: z.number(), text: z.string() }))
    .describe(
      'to each remark that you were told to answer: its number, and the answer that you propose; else empty',
    ),
});
/** A report without details is still valid. */
const loose = z.union([z.string(), z.number(), z.boolean()]).nullish().catch(null);
const Changed = z.object({
  what: loose,
  why: loose,
  tested: loose,
  type: loose,
  breaking: loose,
  issue: loose,
  note: loose,
  template: z.array(z.unknown()).catch([]),
});
const Report = Asked.extend({
  ran: Asked.shape.ran.catch([]),
  replies: z.array(z.unknown()).catch([]),
  ...Changed.shape,
});
type Taken = z.infer<typeof Report>;
type AgentReport = Pick<Taken, 'status' | 'summary' | 'ran'> & {
  reported: ReportedChange;
  replies?: ProposedReply[];
};

const NOTHING_WORD = /^(?:none|no|n\/?a|null|nothing|false|-+|)\.?$/i;
const toReportLine = (value: Taken['what'], most: number): string | null => {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = toPlainLine(String(value), most);
  return NOTHING_WORD.test(text.trim()) ? null : text.slice(0, most).toWellFormed();
};

export const parseUnrequestedReport = (value: unknown): ReportedChange =>
  toReportedChange(Changed.catch(() => Changed.parse({})).parse(value));

/** Unusable replies are dropped, long ones cut. */
export const repliesIn = (told: unknown): { replies?: ProposedReply[] } => {
  const replies = (Array.isArray(told) ? told : []).slice(0, MAX_REPORT_REPLIES).flatMap((one: unknown) => {
    const { data } = LooseReply.safeParse(one);
    const text = data?.text.trim().slice(0, 2_000).toWellFormed() ?? '';
    return data && text !== '' ? [{ to: data.to, text }] : [];
  });
  return replies.length > 0 ? { replies } : {};
};
const LooseReply = z.object({ to: z.number(), text: z.string() });

const toReportedChange = (taken: Pick<Taken, keyof ReportedChange>): ReportedChange => ({
  ...EMPTY_REPORT,
  what: toReportLine(taken.what, MAX_REPORT_LENGTHS.what),
  why: toReportLine(taken.why, MAX_REPORT_LENGTHS.why),
  tested: toReportLine(taken.tested, MAX_REPORT_LENGTHS.tested),
  type: typeof taken.type === 'string' ? findChangeType(taken.type) : null,
  breaking: toReportLine(taken.breaking, MAX_REPORT_LENGTHS.breaking),
  issue: toReportLine(taken.issue, MAX_REPORT_LENGTHS.issue),
  note: toReportLine(taken.note, MAX_REPORT_LENGTHS.note),
  ...templateIn(taken.template),
});

const templateIn = (told: readonly unknown[]): Pick<ReportedChange, 'template'> => {
  const claims = told
    .slice(0, MAX_TEMPLATE_CLAIMS)
    .flatMap((one) => TemplateClaim.safeParse(one).data ?? [])
    .map(({ line: of, value, because, proof }) => ({
      line: toPlainLine(of, 300).toWellFormed(),
      value: toPlainLine(value, 600).toWellFormed(),
      because,
      proof: proof.toWellFormed(),
    }))
    .filter(({ line: of, value }) => of !== '' && value !== '');
  return claims.length === 0 ? {} : { template: claims };
};

/** Providers require all properties and forbid others. */
export const renderReportSchema = (): string => {
  const { $schema: _, ...schema } = z.toJSONSchema(Asked);
  return JSON.stringify(schema);
};

const MAX_REPORT_LENGTH = 256 * KB;
const MAX_REPORT_VALUES = 10_000;

const fromText = (text: string): unknown => {
  if (text.length > MAX_REPORT_LENGTH || hasMoreJsonValues(Buffer.from(text), MAX_REPORT_VALUES))
    return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const objectIn = (text: string): unknown => {
  const whole = fromText(text);
  if (whole !== undefined) return whole;
  const lines = text.split('\n').map((line) => line.replaceAll('`', '').trim());
  return lines
    .filter((line) => line.startsWith('{'))
    .slice(-MAX_REPORT_CANDIDATES)
    .map(fromText)
    .findLast((value) => value !== undefined);
};

export const toDisplayWords = (said: string): string =>
  toPlainLines(said.slice(-MAX_WORDS_LENGTH).toWellFormed()).join('\n').trim();

/** What stands beside a report; its own lines begin with a brace. */
export const readWordsAroundReport = (said: unknown): string => {
  if (typeof said !== 'string' || said.trimStart().startsWith('{')) return '';
  const lines = said.slice(0, MAX_REPORT_LENGTH).split('\n');
  const from = lines.findIndex((line) => /^[`\s]*(?:json\s*)?\{/.test(line) || /^\s*```/.test(line));
  return toDisplayWords((from < 0 ? lines : lines.slice(0, from)).join('\n'));
};

type ReadReport = { kind: 'valid'; report: AgentReport } | { kind: 'invalid'; why: string; words?: string };

export const readAgentReport = (said: unknown): ReadReport => {
  if (said === null || said === undefined || said === '')
    return { kind: 'invalid', why: 'The agent ended without a report.' };
  const candidate = typeof said === 'string' ? objectIn(said) : said;
  if (candidate === undefined && typeof said === 'string')
    return {
      kind: 'invalid',
      why: `The agent ended with words instead of a report: “${toPlainLine(said, 120)}”`,
      words: toDisplayWords(said),
    };
  const parsed = Report.safeParse(candidate);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(
      ({ path, message }) => `${path.join('.') || 'report'}: ${message}`,
    );
    return { kind: 'invalid', why: `The report of the agent is not valid: ${issues.join('; ')}.` };
  }
  const summary = toPlainLine(parsed.data.summary, MAX_REPORT_LINE_LENGTH);
  if (summary === '') return { kind: 'invalid', why: 'The report of the agent has an empty summary.' };
  const ran = parsed.data.ran.slice(0, 20).map((r) => ({ ...r, command: r.command.slice(0, 500) }));
  const { status } = parsed.data;
  const report = {
    status,
    summary,
    ran,
    reported: toReportedChange(parsed.data),
    ...repliesIn(parsed.data.replies),
  };
  return { kind: 'valid', report };
};
