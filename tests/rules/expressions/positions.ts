/**
 * An expression as a graph of its places (Glushkov): from which place to which one a reader may go
 * with the next character. Looks ahead are side ways; an assertion is decided by the kinds of the two
 * characters around it.
 */
import { RegExpParser, type AST } from '@eslint-community/regexpp';
import { createCharacterAtoms, intersectionOf, unionOf, type CharacterSet } from './character-atoms.ts';

/** Conditions of a way between two characters. `conditional`: it may also be closed. */
const ASKS = { edge: 1, inside: 2, lineStart: 4, lineEnd: 8, start: 16, end: 32, conditional: 64 } as const;

/** `behind`: what the character before it may be, where a look back of one character says so. */
type Way = { at: number; asks: number; behind?: CharacterSet | undefined };
/** `behind` belongs to `empty`. */
type Part = { empty: number[]; first: Way[]; last: Way[]; behind?: CharacterSet | undefined };
/** `most`: how often a loop comes back here; 0 where this is no way back, Infinity without a bound. */
type Edge = { from: number; to: number; asks: number; most: number };

/** `side`: within a look around, which takes nothing. */
type Place = { set: CharacterSet; side: boolean };
export type Graph = {
  sets: CharacterSet[];
  /** Places after which all is found, whatever follows: only what is tried beside them fails. */
  done: boolean[];
  edges: { to: number; most: number }[][];
  /** Places at which a search waits for its beginning. */
  waits: number[];
  /** After what was found, the search goes on. */
  isGlobal: boolean;
};

/** Repetitions up to so many places are written out. */
const MOST_COPIES = 24;
const MOST_PLACES = 6_000;
export class TooLarge extends Error {}

const NOTHING: Part = { empty: [0], first: [], last: [] };

const createBuilder = (setOf: (raw: string) => CharacterSet, all: CharacterSet) => {
  const places: Place[] = [];
  const edges: Edge[] = [];
  let side = 0;
  const open = new Set<AST.CapturingGroup>();

  const placed = (set: CharacterSet): Part => {
    if (places.length >= MOST_PLACES) throw new TooLarge();
    const at = places.push({ set, side: side > 0 }) - 1;
    return { empty: [], first: [{ at, asks: 0 }], last: [{ at, asks: 0 }] };
  };
  const join = (last: readonly Way[], first: readonly Way[], most = 0): void => {
    for (const from of last)
      for (const to of first) edges.push({ from: from.at, to: to.at, asks: from.asks | to.asks, most });
  };
  const through = (asks: readonly number[], ways: readonly Way[], behind?: CharacterSet): Way[] =>
    asks.flatMap((asked) =>
      ways.map((way) => ({ ...way, asks: way.asks | asked, behind: bothOf(behind, way.behind) })),
    );
  const chain = (one: Part, next: Part): Part => {
    join(one.last, next.first);
    return {
      empty: one.empty.flatMap((asked) => next.empty.map((also) => asked | also)).slice(0, 4),
      first: [...one.first, ...through(one.empty, next.first, one.behind)],
      last: [...next.last, ...through(next.empty, one.last)],
      behind: bothOf(one.behind, next.behind),
    };
  };
  const optional = (part: Part): Part => ({ ...part, empty: [0], behind: undefined });
  const loop = (part: Part, most: number): Part => {
    join(part.last, part.first, most);
    return part;
  };
  const either = (alternatives: readonly AST.Alternative[]): Part => {
    const parts = alternatives.map(({ elements }) => elements.map(partOf).reduce(chain, NOTHING));
    return {
      empty: parts.flatMap(({ empty }) => empty).slice(0, 4),
      first: parts.flatMap(({ first }) => first),
      last: parts.flatMap(({ last }) => last),
    };
  };

  const repeated = ({ element, min, max }: AST.Quantifier): Part => {
    if (max === 0) return NOTHING;
    const before = places.length;
    const one = partOf(element);
    const size = Math.max(1, places.length - before);
    if (max === 1) return min === 0 ? optional(one) : one;
    const writtenOut = max === Infinity ? min : max;
    if (writtenOut * size > MOST_COPIES) {
      const looped = loop(one, max);
      return min === 0 ? optional(looped) : looped;
    }
    // The first copy stands already.
    const needed = Array.from({ length: min }, (_, i) => (i === 0 ? one : partOf(element)));
    if (max === Infinity) {
      if (min <= 1) return min === 0 ? optional(loop(one, max)) : loop(one, max);
      const last = needed.at(-1) ?? one;
      return [...needed.slice(0, -1), loop(last, max)].reduce(chain, NOTHING);
    }
    let more: Part = NOTHING;
    for (let i = min; i < max; i += 1) more = optional(chain(i === 0 ? one : partOf(element), more));
    return [...needed, more].reduce(chain, NOTHING);
  };

  const lookedAround = (node: AST.LookaroundAssertion): Part => {
    side += 1;
    const inside = node.kind === 'lookahead' ? either(node.alternatives) : readBack(node.alternatives);
    side -= 1;
    return { empty: [ASKS.conditional], first: inside.first, last: [], behind: behindOf(node) };
  };
  const behindOf = (node: AST.LookaroundAssertion): CharacterSet | undefined => {
    const only = node.alternatives.map(({ elements }) => (elements.length === 1 ? elements[0] : undefined));
    const sets = only.map((one) => (one && isCharacter(one) ? setOf(one.raw) : null));
    if (node.kind !== 'lookbehind' || sets.includes(null)) return undefined;
    const union = unionOf(
      all.length,
      sets.filter((set) => set !== null),
    );
    return node.negate ? all.map((bits, i) => bits & ~(union[i] ?? 0)) : union;
  };
  /** What was read before is read again, from behind: as long as it may be. */
  const readBack = (alternatives: readonly AST.Alternative[]): Part => {
    const most = Math.max(...alternatives.map(longest));
    return most <= 1 ? NOTHING : loop(placed(all), most);
  };

  const partOf = (node: AST.Element | AST.QuantifiableElement): Part => {
    switch (node.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return placed(setOf(node.raw));
      case 'Group':
        return either(node.alternatives);
      case 'CapturingGroup': {
        open.add(node);
        const inside = either(node.alternatives);
        open.delete(node);
        return inside;
      }
      case 'Backreference': {
        const [group] = [node.resolved].flat();
        return group === undefined || open.has(group) ? NOTHING : either(group.alternatives);
      }
      case 'Quantifier':
        return repeated(node);
      case 'Assertion':
        return node.kind === 'lookahead' || node.kind === 'lookbehind'
          ? lookedAround(node)
          : { ...NOTHING, empty: [asksOf(node)] };
    }
  };
  let isMultiline = false;
  const asksOf = (node: AST.EdgeAssertion | AST.WordBoundaryAssertion): number => {
    if (node.kind === 'word') return node.negate ? ASKS.inside : ASKS.edge;
    if (isMultiline) return node.kind === 'start' ? ASKS.lineStart : ASKS.lineEnd;
    return node.kind === 'start' ? ASKS.start : ASKS.end;
  };
  return {
    build: (pattern: AST.Pattern, flags: string): { whole: Part; places: Place[]; edges: Edge[] } => {
      isMultiline = flags.includes('m');
      return { whole: either(pattern.alternatives), places, edges };
    },
  };
};

const bothOf = (one: CharacterSet | undefined, other: CharacterSet | undefined): CharacterSet | undefined =>
  one && other ? one.map((bits, i) => bits & (other[i] ?? 0)) : (one ?? other);

const isCharacter = ({ type }: AST.Element): boolean =>
  ['Character', 'CharacterSet', 'CharacterClass', 'ExpressionCharacterClass'].includes(type);

const longest = (node: AST.Alternative | AST.Element): number => {
  switch (node.type) {
    case 'Alternative':
      return node.elements.map(longest).reduce((sum, one) => sum + one, 0);
    case 'Group':
    case 'CapturingGroup':
      return Math.max(...node.alternatives.map(longest));
    case 'Quantifier':
      return node.max === 0 ? 0 : longest(node.element) === 0 ? 0 : node.max * longest(node.element);
    case 'Assertion':
      return 0;
    case 'Backreference':
      return Infinity;
    default:
      return 1;
  }
};

const [WORD, LINE_END] = [0, 1];
/** `before` is null at the start of the text. */
const isOpen = (asks: number, before: number | null, after: number): boolean => {
  if ((asks & ASKS.end) !== 0) return false;
  if ((asks & ASKS.start) !== 0 && before !== null) return false;
  if ((asks & ASKS.edge) !== 0 && (before === WORD) === (after === WORD)) return false;
  if ((asks & ASKS.inside) !== 0 && (before === WORD) !== (after === WORD)) return false;
  if ((asks & ASKS.lineStart) !== 0 && before !== null && before !== LINE_END) return false;
  return (asks & ASKS.lineEnd) === 0 || after === LINE_END;
};

type Kind = { set: CharacterSet; kind: number };
/**
 * Places from which each text leads to the end of the expression, so that nothing fails behind them:
 * whatever comes next ends it, or leads to another such place.
 */
const surelyFound = (
  ends: readonly number[][],
  graph: {
    sets: readonly CharacterSet[];
    kindOf: readonly number[];
    edges: readonly { to: number; most: number }[][];
    apart: readonly Kind[];
    all: CharacterSet;
  },
): boolean[] => {
  const { sets, kindOf, edges, apart, all } = graph;
  const endsBefore = (at: number, asks: number, after: number): boolean =>
    (asks & ASKS.conditional) === 0 && isOpen(asks, kindOf[at] ?? 2, after);
  const endsText = (at: number, asks: number): boolean =>
    (asks & (ASKS.conditional | ASKS.start | ASKS.lineStart)) === 0 &&
    (asks & (kindOf[at] === WORD ? ASKS.inside : ASKS.edge)) === 0;
  const done = ends.map((asked, at) => asked.some((asks) => endsText(at, asks)));
  const byEnd = ends.map((asked, at) =>
    unionOf(
      all.length,
      apart.filter(({ kind }) => asked.some((asks) => endsBefore(at, asks, kind))).map(({ set }) => set),
    ),
  );
  for (let isSame = false; !isSame;) {
    isSame = true;
    for (const [at, is] of done.entries()) {
      if (!is) continue;
      // A bound may be used up.
      const next = (edges[at] ?? []).flatMap(({ to, most }) =>
        done[to] === true && (most === 0 || most === Infinity) ? [sets[to] ?? all] : [],
      );
      const taken = unionOf(all.length, [byEnd[at] ?? all, ...next]);
      if (all.every((bits, i) => (bits & ~(taken[i] ?? 0)) === 0)) continue;
      done[at] = false;
      isSame = false;
    }
  }
  return done;
};

export const readGraph = (source: string, flags: string): Graph => {
  const unicode = flags.includes('u');
  const unicodeSets = flags.includes('v');
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode, unicodeSets });
  const { setOf, kinds, all } = createCharacterAtoms(pattern, flags);
  const { whole, places, edges } = createBuilder(setOf, all).build(pattern, flags);
  const asksKinds = [...edges, ...whole.first].some(({ asks }) => (asks & 15) !== 0);
  const apart = asksKinds ? kinds.map((set, kind) => ({ set, kind })) : [{ set: all, kind: 2 }];
  const sets: CharacterSet[] = [];
  const kindOf: number[] = [];
  const add = (set: CharacterSet): number[] =>
    apart.flatMap(({ set: ofKind, kind }) => {
      const both = intersectionOf(set, ofKind);
      if (both === null) return [];
      kindOf.push(kind);
      return [sets.push(both) - 1];
    });
  const parts = places.map(({ set }) => add(set));
  const isGlobal = /[gy]/.test(flags);
  const out: { to: number; most: number }[][] = sets.map(() => []);
  const connect = (from: number, at: number, asks: number, most: number, before: number | null): void => {
    for (const to of parts[at] ?? [])
      if (isOpen(asks, before, kindOf[to] ?? 2)) out[from]?.push({ to, most });
  };
  for (const { from, to, asks, most } of edges)
    for (const one of parts[from] ?? []) connect(one, to, asks, most, kindOf[one] ?? 2);
  const lasts = places.map((): number[] => []);
  for (const { at, asks } of whole.last) lasts[at]?.push(asks);
  const done = surelyFound(
    parts.flatMap((own, at) => own.map(() => (places[at]?.side === true ? [] : (lasts[at] ?? [])))),
    { sets, kindOf, edges: out, apart, all },
  );
  // A search that finds the empty text at once looks no further.
  const waits = !isGlobal && whole.empty.includes(0) ? [] : add(all);
  waits.forEach(() => {
    out.push([]);
    done.push(false);
  });
  for (const wait of waits) {
    for (const to of waits) out[wait]?.push({ to, most: Infinity });
    for (const { at, asks, behind } of whole.first)
      if (behind === undefined) connect(wait, at, asks, 0, kindOf[wait] ?? 2);
  }
  // What a search may begin behind is a place of its own.
  for (const { at, asks, behind } of waits.length > 0 ? whole.first : [])
    for (const gate of behind === undefined ? [] : add(behind)) {
      out.push([]);
      done.push(false);
      for (const wait of waits) out[wait]?.push({ to: gate, most: 0 });
      connect(gate, at, asks, 0, kindOf[gate] ?? 2);
    }
  return { sets, done, edges: out, waits, isGlobal };
};
