/**
 * Reads along while an answer passes through: what was used, what was said, and an estimate for
 * providers that do not tell.
 */
import { StringDecoder } from 'node:string_decoder';
import { NO_TOKENS, tokensIn, type ShapeName, type TokenCounts } from './shapes.ts';
import { MB } from '../../orchestrator/core/units.ts';

/** A longer event, or body, is passed on and estimated by its size. */
const LONGEST = 8 * MB;
/** Characters of what was said that are kept. */
const KEPT = 16_000;
/** About what a token has, in text and code. */
export const CHARACTERS_A_TOKEN = 4;

export type Read = { told: TokenCounts | null; characters: number; said: string };
export type AnswerReader = { add: (chunk: Uint8Array) => void; end: () => Read };

const SPOKEN = new Set([
  ...['delta', 'text', 'content', 'arguments', 'partial_json', 'thinking', 'reasoning'],
  ...['reasoning_content', 'refusal', 'input', 'name', 'summary'],
]);

/** Nobody speaks deeper than this. */
const DEEPEST = 64;

/** Every string below a name under which models speak. */
const spokenIn = (value: unknown, say: (text: string) => void, spoken = false, depth = 0): void => {
  if (typeof value === 'string') {
    if (spoken) say(value);
    return;
  }
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return;
  for (const [name, inner] of Object.entries(value))
    spokenIn(inner, say, Array.isArray(value) ? spoken : spoken || SPOKEN.has(name), depth + 1);
};

const most = (a: TokenCounts | null, b: TokenCounts): TokenCounts => ({
  fresh: Math.max(a?.fresh ?? 0, b.fresh),
  cached: Math.max(a?.cached ?? 0, b.cached),
  stored: Math.max(a?.stored ?? 0, b.stored),
  output: Math.max(a?.output ?? 0, b.output),
});

type Event = { delta?: unknown; choices?: unknown; item?: unknown; content_block?: unknown };
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Pieces as they come, and whole items that some servers send beside or instead of them. */
const createHearing = () => {
  const sums = { pieces: 0, items: 0 };
  const kept = { pieces: '', items: '' };
  const into = (kind: 'pieces' | 'items') => (text: string) => {
    sums[kind] += text.length;
    if (kept[kind].length < KEPT) kept[kind] += text.slice(0, KEPT - kept[kind].length);
  };
  return {
    hear: (event: Event): void => {
      spokenIn(
        { delta: event.delta, choices: event.choices, content_block: event.content_block },
        into('pieces'),
      );
      spokenIn(event.item, into('items'));
    },
    body: (body: unknown): void => spokenIn(body, into('items')),
    end: () => ({
      characters: Math.max(sums.pieces, sums.items),
      said: sums.items >= sums.pieces ? kept.items : kept.pieces,
    }),
  };
};

const parsed = (text: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null; // Not for us to judge: the client gets it as it is.
  }
};

const createEventReader = (shape: ShapeName): AnswerReader => {
  const decoder = new StringDecoder('utf8');
  const hearing = createHearing();
  let told: TokenCounts | null = null;
  let rest = '';
  let skipped = 0;
  const line = (text: string): void => {
    if (!text.startsWith('data:')) return;
    const event = parsed(text.slice(5));
    if (event === null) return;
    hearing.hear(event);
    const tokens = text.includes('"usage"') ? tokensIn(shape, event) : null;
    if (tokens !== null) told = most(told, tokens);
  };
  return {
    add: (chunk) => {
      const lines = (rest + decoder.write(chunk)).split('\n');
      rest = lines.pop() ?? '';
      for (const one of lines) line(one);
      if (rest.length <= LONGEST) return;
      skipped += rest.length;
      rest = '';
    },
    end: () => {
      line(rest);
      const { characters, said } = hearing.end();
      return { told, characters: characters + skipped, said };
    },
  };
};

const createBodyReader = (shape: ShapeName): AnswerReader => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  return {
    add: (chunk) => {
      size += chunk.length;
      if (size <= LONGEST) chunks.push(chunk);
      else chunks.length = 0;
    },
    end: () => {
      if (size > LONGEST) return { told: null, characters: size, said: '' };
      const text = Buffer.concat(chunks).toString('utf8');
      const body = parsed(text);
      if (body === null) return { told: null, characters: 0, said: text.slice(0, KEPT) };
      const hearing = createHearing();
      hearing.body(body);
      const { characters, said } = hearing.end();
      return { told: tokensIn(shape, body), characters, said: said || text.slice(0, KEPT) };
    },
  };
};

export const createReader = (shape: ShapeName, contentType: string): AnswerReader =>
  /^text\/event-stream/i.test(contentType) ? createEventReader(shape) : createBodyReader(shape);

/** A claim below this share of a cautious estimate is none. */
const BELIEVED = 1 / 50;

/**
 * What is counted for one answer. Told counts are believed unless they are far below what passed
 * through; then, and where nothing is told, the estimate counts.
 */
export const countedFor = (
  { told, characters }: Pick<Read, 'told' | 'characters'>,
  askedCharacters: number,
): { tokens: TokenCounts; estimated: boolean } => {
  const guess = {
    input: Math.ceil(askedCharacters / CHARACTERS_A_TOKEN),
    output: Math.ceil(characters / CHARACTERS_A_TOKEN),
  };
  if (told === null)
    return { tokens: { ...NO_TOKENS, fresh: guess.input, output: guess.output }, estimated: true };
  const input = told.fresh + told.cached + told.stored;
  const lowInput = input < guess.input * BELIEVED;
  const lowOutput = told.output < guess.output * BELIEVED;
  return {
    tokens: {
      ...(lowInput ? { ...NO_TOKENS, fresh: guess.input } : told),
      output: lowOutput ? guess.output : told.output,
    },
    estimated: lowInput || lowOutput,
  };
};
