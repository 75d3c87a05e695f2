/** E7: the report that every agent ends with: what is asked of it, and what is wrong with the one that came. */
import { z } from 'zod';
import { plainLine } from '../../process/plain-text.ts';

const LIMIT = 2000;
/** Lines that may be the report. Each that is none costs an exception. */
const MOST_LINES = 100;

/** What is asked for. Providers that enforce a schema know no defaults. */
const Asked = z.object({
  status: z.enum(['done', 'blocked']).describe('blocked: it cannot be done, and the summary says why'),
  summary: z.string().describe('what was changed and why, or why nothing could be, in one sentence'),
  ran: z
    .array(z.object({ command: z.string(), passed: z.boolean() }))
    .describe('each check that you ran on your last state, as you ran it, and whether it passed'),
});
/** What is taken: an agent that says nothing of what it ran has still reported. */
const Report = Asked.extend({ ran: Asked.shape.ran.catch([]) });
export type Report = z.infer<typeof Report>;

/** In the strict form that providers ask for: every property required, no others. */
export const reportSchema = (): string => {
  const { $schema: _, ...schema } = z.toJSONSchema(Asked);
  return JSON.stringify(schema);
};

const fromText = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Words, not JSON.
  }
};

/** The whole text, or else the last line that is an object, fenced or not. */
const objectIn = (text: string): unknown => {
  const whole = fromText(text);
  if (whole !== undefined) return whole;
  const lines = text.split('\n').map((line) => line.replaceAll('`', '').trim());
  return lines
    .filter((line) => line.startsWith('{'))
    .slice(-MOST_LINES)
    .map(fromText)
    .findLast((value) => value !== undefined);
};

export type ReadReport = { kind: 'valid'; report: Report } | { kind: 'invalid'; why: string };

/** `said` is an object that the engine has parsed already, the agent's last words, or null when there were none. */
export const readReport = (said: unknown): ReadReport => {
  if (said === null || said === undefined || said === '')
    return { kind: 'invalid', why: 'The agent ended without a report.' };
  const candidate = typeof said === 'string' ? objectIn(said) : said;
  if (candidate === undefined && typeof said === 'string')
    return {
      kind: 'invalid',
      why: `The agent ended with words instead of a report: “${plainLine(said, 120)}”`,
    };
  const parsed = Report.safeParse(candidate);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(
      ({ path, message }) => `${path.join('.') || 'report'}: ${message}`,
    );
    return { kind: 'invalid', why: `The report of the agent is not valid: ${issues.join('; ')}.` };
  }
  const summary = plainLine(parsed.data.summary, LIMIT);
  if (summary === '') return { kind: 'invalid', why: 'The report of the agent has an empty summary.' };
  const ran = parsed.data.ran.slice(0, 20).map((r) => ({ ...r, command: r.command.slice(0, 500) }));
  return { kind: 'valid', report: { ...parsed.data, summary, ran } };
};
