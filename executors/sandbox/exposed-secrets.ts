/** Finds secrets that agents were given, raw or encoded, and hides them in logs (E16). */
import { setImmediate as turn } from 'node:timers/promises';
import { KB, MB } from '#model/values';
import {
  listSecretEncodings,
  listSecretFragments,
  MIN_SECRET_LENGTH,
  SECRET_WINDOW_LENGTH,
} from './secret-encodings.ts';

export type SecretSearch = {
  add(bytes: Uint8Array): void;
  found(): string[];
  end(): string[];
  /** A search of its own that has read the same so far. */
  fork(): SecretSearch;
};
export type ExposedSecrets = {
  /** The `name` is shown to people. */
  add(name: string, values: Iterable<string>): void;
  search(): SecretSearch;
  namesIn(text: string): string[];
  /** True if the text ends with `letters` letters of a secret, so that the rest may follow. */
  begins(text: string, letters: number): boolean;
  hide(text: string): string;
  /** Yields to the event loop, because output can be long. */
  hideLong(text: string): Promise<string>;
};

const HIDDEN = '[secret]';

/** Only letters and digits count, without case. */
const FOLD = new Uint8Array(256);
for (let code = 48; code < 58; code += 1) FOLD[code] = code;
for (let code = 97; code < 123; code += 1) FOLD[code] = FOLD[code - 32] = code;

const HASH_MULTIPLIER = 0x01000193;
const FILTER_BITS = 20;

type Table = {
  length: number;
  power: number;
  seen: Uint8Array;
  /** A cheap filter against false matches. */
  hashes: Set<number>;
  ends: Map<string, [piece: string, name: string][]>;
};
const createTable = (length: number): Table => {
  let power = 1;
  for (let i = 0; i < length; i += 1) power = Math.imul(power, HASH_MULTIPLIER);
  return { length, power, seen: new Uint8Array(1 << FILTER_BITS), hashes: new Set(), ends: new Map() };
};
const slotOf = (hash: number): number => hash >>> (32 - FILTER_BITS);
const addPiece = (table: Table, piece: string, name: string): void => {
  const end = piece.slice(-table.length);
  let hash = 0;
  for (let i = 0; i < end.length; i += 1) hash = (Math.imul(hash, HASH_MULTIPLIER) + end.charCodeAt(i)) | 0;
  table.seen[slotOf(hash)] = 1;
  table.hashes.add(hash);
  const there = table.ends.get(end);
  if (there === undefined) table.ends.set(end, [[piece, name]]);
  else if (!there.some(([known]) => known === piece)) there.push([piece, name]);
};

const tablesOf = (known: ReadonlyMap<string, string>): Table[] => {
  const tables = [createTable(SECRET_WINDOW_LENGTH), createTable(MIN_SECRET_LENGTH)];
  for (const [value, name] of known)
    for (const piece of listSecretEncodings(value).flatMap(listSecretFragments)) {
      const table = tables.find(({ length }) => length <= piece.length);
      if (table !== undefined) addPiece(table, piece, name);
    }
  return tables.filter(({ ends }) => ends.size > 0);
};

type Found = (name: string, last: number, length: number) => boolean | void;
/** The last letters that were read, and their hash for each table. */
type MatchState = { before: Uint8Array; hashes: Int32Array };
type Matcher = { add(codes: Uint8Array): void; state(): MatchState };

/** Takes folded letters and digits. */
const createMatcher = (tables: readonly Table[], found: Found, from: MatchState | null = null): Matcher => {
  const hashes = Int32Array.from(from?.hashes ?? tables.map(() => 0));
  let before: Uint8Array = from?.before ?? new Uint8Array(SECRET_WINDOW_LENGTH);
  const add = (codes: Uint8Array): void => {
    if (codes.length === 0) return;
    const all = new Uint8Array(SECRET_WINDOW_LENGTH + codes.length);
    all.set(before);
    all.set(codes, SECRET_WINDOW_LENGTH);
    for (const [t, { length, power, seen, hashes: known, ends }] of tables.entries()) {
      let hash = hashes[t] ?? 0;
      for (let i = SECRET_WINDOW_LENGTH; i < all.length; i += 1) {
        hash =
          (Math.imul(hash, HASH_MULTIPLIER) + (all[i] ?? 0) - Math.imul(all[i - length] ?? 0, power)) | 0;
        if (seen[slotOf(hash)] === 0 || !known.has(hash)) continue;
        const end = String.fromCharCode(...all.subarray(i - length + 1, i + 1));
        for (const [piece, name] of ends.get(end) ?? []) {
          const start = Math.max(0, i - piece.length + 1);
          if (piece === end || String.fromCharCode(...all.subarray(start, i + 1)) === piece)
            if (found(name, i - SECRET_WINDOW_LENGTH, piece.length) === true) return;
        }
      }
      hashes[t] = hash;
    }
    before = all.slice(-SECRET_WINDOW_LENGTH);
  };
  return { add, state: () => ({ before, hashes: Int32Array.from(hashes) }) };
};

const ESCAPES =
  /\\x([0-9a-f]{2})|\b0x([0-9a-f]{2})(?![0-9a-f])|%([0-9a-f]{2})|\\u\{?0*([0-9a-f]{2})\}?|&#x0*([0-9a-f]{2});?|=([0-9a-f]{2})|U\+00([0-9a-f]{2})|&#0*(\d{2,3});?|\\([0-3]?[0-7]{2})/gi;
const HEX_GROUPS = 7;
const CUT_ESCAPE = /(?:[\\%&=]|U\+|U$|0[xX]|0$)\S*$/;
const TAIL_LENGTH = 10;

const unescapeText = (text: string): string =>
  text.replace(ESCAPES, (_, ...groups: (string | undefined)[]) => {
    const hex = groups.slice(0, HEX_GROUPS).find((group) => group !== undefined);
    const [decimal, octal] = groups.slice(HEX_GROUPS);
    const code = hex === undefined ? parseInt(decimal ?? octal ?? '', decimal ? 10 : 8) : parseInt(hex, 16);
    return String.fromCharCode(code);
  });

const foldBytes = (bytes: Uint8Array): Uint8Array => {
  const codes = new Uint8Array(bytes.length);
  let size = 0;
  for (let i = 0; i < bytes.length; i += 1) {
    const code = FOLD[bytes[i] ?? 0] ?? 0;
    if (code !== 0) codes[size++] = code;
  }
  return codes.subarray(0, size);
};

/** Reads `115, 107, 45` as characters. */
const createNumbers = (from = -1) => {
  let number = from;
  const read = (bytes: Uint8Array): Uint8Array => {
    const codes = new Uint8Array(bytes.length);
    let size = 0;
    for (let i = 0; i < bytes.length; i += 1) {
      const byte = bytes[i] ?? 0;
      if (byte >= 48 && byte < 58) number = number < 0 ? byte - 48 : Math.min(number * 10 + byte - 48, 1_000);
      else if (number >= 0) {
        const code = number < 256 ? (FOLD[number] ?? 0) : 0;
        if (code !== 0) codes[size++] = code;
        number = -1;
      }
    }
    return codes.subarray(0, size);
  };
  return { read, state: () => number };
};

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

/** The last letters of all that was read. */
const lastCodes = (text: string, before: Uint8Array): Uint8Array => {
  const codes = new Uint8Array(SECRET_WINDOW_LENGTH);
  let from = SECRET_WINDOW_LENGTH;
  for (let i = text.length - 1; i >= 0 && from > 0; i -= 1) {
    const code = FOLD[text.charCodeAt(i)] ?? 0;
    if (code !== 0) codes[(from -= 1)] = code;
  }
  if (from > 0) codes.set(before.subarray(SECRET_WINDOW_LENGTH - from));
  return codes;
};

/** Reads a text unescaped, and its result as well (`%2573`); without escapes both are the text itself. */
const createUnescaped = (tables: readonly Table[], found: Found, from: UnescapedState | null) => {
  let last = from?.last ?? new Uint8Array(SECRET_WINDOW_LENGTH);
  let readers = from?.readers?.map((state) => createMatcher(tables, found, state)) ?? null;
  /** Letters after which the readers have seen nothing but the text again. */
  let apart = from?.apart ?? 0;
  const add = (text: string): void => {
    const once = unescapeText(text);
    if (once !== text || readers !== null) {
      if (readers === null) {
        const begin = createMatcher(tables, () => true);
        begin.add(last);
        readers = [begin.state(), begin.state()].map((state) => createMatcher(tables, found, state));
      }
      const codes = foldBytes(Buffer.from(once, 'latin1'));
      const [read, twice] = readers;
      read?.add(codes);
      twice?.add(foldBytes(Buffer.from(unescapeText(once), 'latin1')));
      apart = once === text ? apart - codes.length : SECRET_WINDOW_LENGTH;
      if (apart <= 0) readers = null;
    }
    last = lastCodes(text, last);
  };
  const state = (): UnescapedState => ({
    last,
    readers: readers?.map((one) => one.state()) ?? null,
    apart,
  });
  return { add, state };
};
type UnescapedState = { last: Uint8Array; readers: MatchState[] | null; apart: number };

type SearchState = {
  names: ReadonlySet<string>;
  plain: MatchState;
  spoken: MatchState;
  unescaped: UnescapedState;
  number: number;
  rest: string;
};

/** Linear: reads bytes raw, unescaped and as lists of numbers. */
const createSearch = (
  tables: readonly Table[],
  most = Infinity,
  from: SearchState | null = null,
): SecretSearch => {
  const names = new Set<string>(from?.names);
  const recordFound = (name: string): boolean => names.add(name).size >= most;
  const plain = createMatcher(tables, recordFound, from?.plain);
  const spoken = createMatcher(tables, recordFound, from?.spoken);
  const unescaped = createUnescaped(tables, recordFound, from?.unescaped ?? null);
  const numbers = createNumbers(from?.number);
  let rest = from?.rest ?? '';
  return {
    add: (bytes) => {
      if (tables.length === 0 || names.size >= most) return;
      plain.add(foldBytes(bytes));
      spoken.add(numbers.read(bytes));
      const text = rest + latin1(bytes);
      const start = Math.max(0, text.length - TAIL_LENGTH);
      const cut = text.slice(start).search(CUT_ESCAPE);
      rest = cut < 0 ? '' : text.slice(start + cut);
      unescaped.add(cut < 0 ? text : text.slice(0, start + cut));
    },
    found: () => [...names],
    end: () => {
      unescaped.add(rest);
      spoken.add(numbers.read(Buffer.from(' ')));
      return [...names];
    },
    fork: () =>
      createSearch(tables, most, {
        names,
        plain: plain.state(),
        spoken: spoken.state(),
        unescaped: unescaped.state(),
        number: numbers.state(),
        rest,
      }),
  };
};

const spansIn = (tables: readonly Table[], line: string): [number, number][] => {
  const places: number[] = [];
  const codes: number[] = [];
  for (let i = 0; i < line.length; i += 1) {
    const code = line.charCodeAt(i) < 256 ? (FOLD[line.charCodeAt(i)] ?? 0) : 0;
    if (code === 0) continue;
    places.push(i);
    codes.push(code);
  }
  const spans: [number, number][] = [];
  createMatcher(tables, (_, last, length) => {
    spans.push([places[last - length + 1] ?? 0, (places[last] ?? 0) + 1]);
  }).add(Uint8Array.from(codes));
  spans.sort(([a], [b]) => a - b);
  return spans.reduce<[number, number][]>((joined, [from, to]) => {
    const before = joined.at(-1);
    if (before === undefined || from > before[1]) joined.push([from, to]);
    else before[1] = Math.max(before[1], to);
    return joined;
  }, []);
};

/** Characters that are read before yielding. */
const PART = 64 * KB;
/** A longer line with a secret is hidden entirely. */
const LONGEST_LINE = MB;

function* partsOf(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const lines = text.lastIndexOf('\n', from + PART) + 1;
    const line = text.indexOf('\n', from) + 1;
    const end = lines > from ? lines : line > 0 ? line : text.length;
    yield text.slice(from, end);
    from = end;
  }
}

const foldText = (text: string): string =>
  Buffer.from(foldBytes(Buffer.from(text, 'latin1'))).toString('latin1');

export const createExposedSecrets = (): ExposedSecrets => {
  const known = new Map<string, string>();
  let made: Table[] | null = null;
  let forms: readonly string[] | null = null;
  const searchTables = (): Table[] => (made ??= tablesOf(known));
  const namesIn = (text: string): string[] => {
    const search = createSearch(searchTables());
    search.add(Buffer.from(text));
    return search.end();
  };
  const isIn = (text: string): boolean => {
    const search = createSearch(searchTables(), 1);
    search.add(Buffer.from(text));
    return search.end().length > 0;
  };
  const isInLine = async (line: string): Promise<boolean> => {
    const search = createSearch(searchTables(), 1);
    for (let at = 0; at < line.length; at += PART) {
      search.add(Buffer.from(line.slice(at, at + PART)));
      await turn();
    }
    return search.end().length > 0;
  };
  const hideIn = (line: string): string => {
    if (line.length < 8) return line;
    const spans = spansIn(searchTables(), line);
    const shown = spans.reduceRight(
      (text, [from, to]) => text.slice(0, from) + HIDDEN + text.slice(to),
      line,
    );
    // A secret as numbers or escapes has no span, so the whole line is hidden.
    return spans.length === 0 && isIn(line) ? HIDDEN : shown;
  };
  const hide = (text: string): string =>
    known.size === 0 || !isIn(text) ? text : text.split('\n').map(hideIn).join('\n');
  return {
    add: (name, values) => {
      for (const value of values) {
        if (known.has(value)) continue;
        known.set(value, name);
        made = null;
        forms = null;
      }
    },
    search: () => createSearch(searchTables()),
    namesIn,
    begins: (text, letters) => {
      forms ??= [...known.keys()].flatMap(listSecretEncodings).map((form) => foldText(form));
      const near = text.slice(-letters * TAIL_LENGTH);
      return [near, unescapeText(near)].some((one) => {
        const last = foldText(one).slice(-letters);
        return last.length === letters && (forms ?? []).some((form) => form.includes(last));
      });
    },
    hide,
    hideLong: async (text) => {
      if (known.size === 0) return text;
      const shown: string[] = [];
      for (const part of partsOf(text)) {
        const isLong = part.length > PART && (await isInLine(part));
        if (isLong && part.length > LONGEST_LINE) shown.push(part.endsWith('\n') ? `${HIDDEN}\n` : HIDDEN);
        else shown.push(isLong || part.length <= PART ? hide(part) : part);
        await turn();
      }
      return shown.join('');
    },
  };
};
