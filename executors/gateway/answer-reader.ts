/** Reads usage and text from a passing answer, or estimates usage. */
import { StringDecoder } from 'node:string_decoder';
import { findReportedUsage, type ShapeName, type ReportedUsage } from './api-shapes.ts';
import { MB } from '#model/values';

/** Longer events are passed on and estimated by size (bytes). */
const MAX_EVENT_LENGTH = 8 * MB;
const MAX_KEPT_ANSWER_LENGTH = 16_000;
export const CHARACTERS_A_TOKEN = 4;

export type AnswerReading = {
  told: ReportedUsage | null;
  /** Null until the provider's final event; `failed` if that reports an error. */
  end: 'told' | 'failed' | null;
  characters: number;
  said: string;
};
export const NOTHING_READ: AnswerReading = { told: null, end: null, characters: 0, said: '' };
type AnswerReader = { add: (chunk: Uint8Array) => void; end: () => AnswerReading };

const SPOKEN = new Set([
  ...['delta', 'text', 'content', 'arguments', 'partial_json', 'thinking', 'reasoning'],
  ...['reasoning_content', 'refusal', 'input', 'name', 'summary'],
]);

const MAX_ANSWER_DEPTH = 64;

const collectSpokenText = (value: unknown, say: (text: string) => void, spoken = false, depth = 0): void => {
  if (typeof value === 'string') {
    if (spoken) say(value);
    return;
  }
  if (typeof value !== 'object' || value === null || depth > MAX_ANSWER_DEPTH) return;
  for (const [name, inner] of Object.entries(value))
    if (name !== 'thoughtSignature')
      collectSpokenText(inner, say, Array.isArray(value) ? spoken : spoken || SPOKEN.has(name), depth + 1);
};

const mergeHighest = (earlier: ReportedUsage | null, later: ReportedUsage): ReportedUsage => ({
  fresh: Math.max(earlier?.fresh ?? 0, later.fresh),
  cached: Math.max(earlier?.cached ?? 0, later.cached),
  stored: Math.max(earlier?.stored ?? 0, later.stored),
  storedLong: Math.max(earlier?.storedLong ?? 0, later.storedLong),
  output: Math.max(earlier?.output ?? 0, later.output),
  costUsd: Math.max(earlier?.costUsd ?? 0, later.costUsd),
  tier: later.tier ?? earlier?.tier ?? null,
});

const sumOf = ({ fresh, cached, output }: ReportedUsage): number => fresh + cached + output;
const selectLatest = (previous: ReportedUsage | null, current: ReportedUsage): ReportedUsage =>
  previous !== null && sumOf(previous) > sumOf(current) ? previous : current;

type Event = {
  type?: unknown;
  delta?: unknown;
  choices?: unknown;
  candidates?: unknown;
  item?: unknown;
  content_block?: unknown;
  error?: unknown;
};
const FINAL_EVENTS = new Set([
  'response.completed',
  'response.incomplete',
  'response.cancelled',
  'message_delta',
]);
const FAILED_EVENTS = new Set(['response.failed', 'error']);
const endOf = (
  { type, choices, candidates, error }: Event,
  { told }: { told: boolean },
): AnswerReading['end'] => {
  if (FAILED_EVENTS.has(String(type)) || isRecord(error)) return 'failed';
  if (!told) return null;
  // Google tells its usage with each chunk, of which only the last is final.
  // guard: E18-last-chunk
  if (Array.isArray(candidates))
    return candidates.every((one) => isRecord(one) && typeof one.finishReason === 'string') ? 'told' : null;
  // The last chunk has no choices, or only finished ones.
  if (choices === undefined && type === undefined) return 'told';
  const ends =
    Array.isArray(choices) && choices.every((one) => isRecord(one) && typeof one.finish_reason === 'string');
  return ends || FINAL_EVENTS.has(String(type)) ? 'told' : null;
};
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Some servers send whole items beside or instead of pieces. */
const createHearing = () => {
  const sums = { pieces: 0, items: 0 };
  const kept = { pieces: '', items: '' };
  const appendTo = (kind: 'pieces' | 'items') => (text: string) => {
    sums[kind] += text.length;
    if (kept[kind].length < MAX_KEPT_ANSWER_LENGTH)
      kept[kind] += text.slice(0, MAX_KEPT_ANSWER_LENGTH - kept[kind].length);
  };
  return {
    hear: (event: Event): void => {
      collectSpokenText(
        {
          delta: event.delta,
          choices: event.choices,
          candidates: event.candidates,
          content_block: event.content_block,
        },
        appendTo('pieces'),
      );
      collectSpokenText(event.item, appendTo('items'));
    },
    body: (body: unknown): void => collectSpokenText(body, appendTo('items')),
    end: () => ({
      characters: Math.max(sums.pieces, sums.items),
      said: sums.items >= sums.pieces ? kept.items : kept.pieces,
    }),
  };
};

const parseJsonRecord = (text: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
};

const createEventReader = (shape: ShapeName): AnswerReader => {
  const decoder = new StringDecoder('utf8');
  const hearing = createHearing();
  const joined = shape === 'google' ? selectLatest : mergeHighest;
  let told: ReportedUsage | null = null;
  let ended: AnswerReading['end'] = null;
  let rest = '';
  let skipped = 0;
  const readLine = (text: string): void => {
    if (!text.startsWith('data:')) return;
    const event = parseJsonRecord(text.slice(5));
    if (event === null) return;
    hearing.hear(event);
    const tokens = /"usage(?:Metadata)?"/.test(text) ? findReportedUsage(shape, event) : null;
    if (tokens !== null) told = joined(told, tokens);
    if (ended !== 'told') ended = endOf(event, { told: tokens !== null }) ?? ended;
  };
  return {
    add: (chunk) => {
      const lines = (rest + decoder.write(chunk)).split('\n');
      rest = lines.pop() ?? '';
      for (const one of lines) readLine(one);
      if (rest.length <= MAX_EVENT_LENGTH) return;
      skipped += rest.length;
      rest = '';
    },
    end: () => {
      readLine(rest);
      const { characters, said } = hearing.end();
      return { told, end: ended, characters: characters + skipped, said };
    },
  };
};

const createBodyReader = (shape: ShapeName): AnswerReader => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  return {
    add: (chunk) => {
      size += chunk.length;
      if (size <= MAX_EVENT_LENGTH) chunks.push(chunk);
      else chunks.length = 0;
    },
    end: () => {
      if (size > MAX_EVENT_LENGTH) return { ...NOTHING_READ, characters: size };
      const text = Buffer.concat(chunks).toString('utf8');
      const body = parseJsonRecord(text);
      if (body === null) return { ...NOTHING_READ, said: text.slice(0, MAX_KEPT_ANSWER_LENGTH) };
      const hearing = createHearing();
      hearing.body(body);
      const { characters, said } = hearing.end();
      const told = findReportedUsage(shape, body);
      return {
        told,
        end: told === null ? null : 'told',
        characters,
        said: said || text.slice(0, MAX_KEPT_ANSWER_LENGTH),
      };
    },
  };
};

export const createAnswerReader = (shape: ShapeName, contentType: string): AnswerReader =>
  /^text\/event-stream/i.test(contentType) ? createEventReader(shape) : createBodyReader(shape);
