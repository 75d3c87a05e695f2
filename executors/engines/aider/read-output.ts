/** Reads aider's output for people, because it prints no events. */
import { addUsage, NO_USAGE, type ModelUsage } from '#model/reports';
import { MB, cutText } from '#model/values';
import { toPlainLines } from '../../process/plain-text.ts';
import { engineFailure, PROVIDER_OUTAGE, type EngineFailure } from '../shared/engine-failure.ts';
import { createLineSplitter, type LineSplitter } from '../shared/line-splitter.ts';
import { dollarsSchema, tokenCount, type RoundReading } from '../shared/round-reading.ts';

/** Each HOME has one conversation, without a name. */
export const AIDER_SESSION = 'chat-history';

const LINE_LIMIT = MB;
const REPLY_LIMIT = 64_000;

export const createTextLineSplitter = (take: (event: unknown) => void): LineSplitter =>
  createLineSplitter((line) => take(line.toString('utf8')), LINE_LIMIT);

/** The first match wins. Most are names of LiteLLM errors. */
const FAILURE_CLASS_PATTERNS: readonly [RegExp, EngineFailure['class']][] = [
  [/insufficient_quota|exceeded your current quota|credit balance|insufficient credits/i, 'quota_exhausted'],
  [/\b(AuthenticationError|PermissionDeniedError)\b|not able to authenticate you/, 'auth_missing'],
  [/\bRateLimitError\b|has rate limited you/, 'rate_limited'],
  [/\bContextWindowExceededError\b|has hit a token limit/, 'context_exceeded'],
  [
    /\b(NotFoundError|BadRequestError|UnprocessableEntityError|UnsupportedParamsError)\b|LLM Provider NOT provided/,
    'bad_config',
  ],
  [
    /\b(InternalServerError|ServiceUnavailableError|APIConnectionError|APIError|Timeout|BadGatewayError)\b.{0,300}:/,
    'model_unavailable',
  ],
  [PROVIDER_OUTAGE, 'model_unavailable'],
];
/** Replies can mention these errors, so a line must begin with them. */
const AIDER_FAILURE_LINE =
  /^(litellm\.|The API provider(?:'s|’s)? |Model \S+ has hit a token limit|LLM Provider NOT provided)|^Exiting chat due to/;

export const findAiderFailure = (line: string): EngineFailure | null => {
  if (!AIDER_FAILURE_LINE.test(line)) return null;
  const of = FAILURE_CLASS_PATTERNS.find(([words]) => words.test(line))?.[1];
  return of === undefined ? null : engineFailure(of, line);
};

const COUNT = String.raw`([\d.,]{1,20})(k|M)?`;
const USED = new RegExp(String.raw`^Tokens: ${COUNT} sent,(.{0,200}?) ?${COUNT} received`);
const COST = /(^| )Cost: \$([\d.]+) message/;
const TOKEN_UNITS: Readonly<Record<string, number>> = { k: 1000, M: 1_000_000 };
const parseTokenCount = (digits = '0', unit = ''): number =>
  tokenCount.parse(Math.round(Number(digits.replaceAll(',', '')) * (TOKEN_UNITS[unit] ?? 1)));

export const parseUsageLine = (line: string): ModelUsage | null => {
  const [all, sent, sentUnit, , received, receivedUnit] = USED.exec(line) ?? [];
  const [, before, cost = '0'] = COST.exec(line) ?? [];
  if (all === undefined && before !== '') return null;
  return {
    inputTokens: parseTokenCount(sent, sentUnit),
    outputTokens: parseTokenCount(received, receivedUnit),
    costUsd: dollarsSchema.parse(Number(cost)),
  };
};

const OWN_WORDS =
  /^(Aider v|Main model:|Weak model:|Model:|Git repo:|Repo-map:|Added |Restored |Applied edit to |Tokens:|Cost:|Retrying in |─+|https?:\/\/)/;
const NEWS = /^(Applied edit to |Added |Retrying in )/;
const MODEL = /^(?:Main model|Model): (\S+)/;

export const applyAiderEvent = (before: RoundReading, event: unknown): RoundReading => {
  const line = typeof event === 'string' ? (toPlainLines(event)[0] ?? '') : '';
  const spent = before.session?.usage ?? NO_USAGE;
  const reading: RoundReading = { ...before, says: null, session: { id: AIDER_SESSION, usage: spent } };
  const used = parseUsageLine(line);
  if (used !== null) {
    // Printed after each answer, so earlier failures were overcome.
    const session = { id: AIDER_SESSION, usage: addUsage(spent, used) };
    return { ...reading, usage: addUsage(before.usage, used), session, ended: 'completed', failure: null };
  }
  const found = findAiderFailure(line);
  if (found !== null)
    return { ...reading, ended: 'failed', failure: before.failure ?? found, says: found.message };
  const model = MODEL.exec(line)?.[1] ?? before.model;
  if (OWN_WORDS.test(line)) return { ...reading, model, says: NEWS.test(line) ? line : null };
  if (line.trim() === '') return reading;
  // The start of a reply is not marked, so all are kept.
  const report = `${typeof before.report === 'string' ? `${before.report}\n` : ''}${line}`;
  // Cutting copies the text, so cut rarely.
  const kept = report.length > 2 * REPLY_LIMIT ? report.slice(-REPLY_LIMIT) : report;
  return { ...reading, report: kept, says: line.startsWith('{') ? null : cutText(line, 200) };
};
