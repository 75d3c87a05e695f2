/**
 * How many steps a backtracking engine takes for a text that an expression does not match, as the
 * text grows: the ambiguity of its graph (Weber, Seidl: On the degree of ambiguity of finite
 * automata, 1991). Two ways over the same characters from a place back to itself double with each
 * round; a loop from which the same characters lead into another loop multiplies by its length.
 */
import { meet, type CharacterSet } from './character-atoms.ts';
import { readGraph, TooLarge, type Graph } from './positions.ts';

/** `factors`: lengths that are multiplied; Infinity stands for the length of the text. */
export type Growth = { kind: 'exponential' | 'too large' } | { kind: 'polynomial'; factors: number[] };

/** Pairs and triples of places to look at; more are given up. */
const MOST_LOOKS = 3_000_000;

type Ways = readonly { to: number; most: number }[][];
/** `sure`: what comes here is found; it is gone round once, and multiplies only what is tried beside it. */
type Loop = { places: number[]; most: number; sure: boolean };

/** Places from which one comes back, together (Tarjan). */
const circlesIn = (ways: Ways): number[][] => {
  const index = new Int32Array(ways.length).fill(-1);
  const low = new Int32Array(ways.length);
  const isOpen = new Uint8Array(ways.length);
  const stack: number[] = [];
  const circles: number[][] = [];
  let next = 0;
  const close = (root: number): void => {
    const places = stack.splice(stack.lastIndexOf(root));
    for (const at of places) isOpen[at] = 0;
    if (places.length > 1 || ways[root]?.some(({ to }) => to === root) === true) circles.push(places);
  };
  for (const start of ways.keys()) {
    if (index[start] !== -1) continue;
    const work: { at: number; i: number }[] = [];
    const enter = (at: number): void => {
      index[at] = low[at] = next;
      next += 1;
      stack.push(at);
      isOpen[at] = 1;
      work.push({ at, i: 0 });
    };
    enter(start);
    for (let top = work.at(-1); top; top = work.at(-1)) {
      const to = ways[top.at]?.[top.i]?.to;
      top.i += 1;
      if (to === undefined) {
        work.pop();
        const above = work.at(-1);
        if (above) low[above.at] = Math.min(low[above.at] ?? 0, low[top.at] ?? 0);
        if (low[top.at] === index[top.at]) close(top.at);
      } else if (index[to] === -1) enter(to);
      else if (isOpen[to] === 1) low[top.at] = Math.min(low[top.at] ?? 0, index[to] ?? 0);
    }
  }
  return circles;
};

const loopsOf = ({ edges, done, waits }: Graph): Loop[] => {
  const loopAlong =
    (ways: Ways, sure: boolean) =>
    (places: number[]): Loop => {
      const own = new Set(places);
      const inner = places.flatMap((at) => (ways[at] ?? []).filter(({ to }) => own.has(to)));
      const bounds = new Set(inner.map(({ most }) => most).filter((most) => most > 0));
      return { places, most: [...bounds].reduce((all, most) => all * most, 1), sure };
    };
  const unsure = edges.map((ways, at) =>
    done[at] === true ? [] : ways.filter(({ to }) => done[to] !== true),
  );
  return [
    ...circlesIn(edges)
      .filter((places) => places.some((at) => done[at] === true))
      .map(loopAlong(edges, true)),
    ...circlesIn(unsure).map(loopAlong(unsure, false)),
  ].map((loop) => (loop.places.some((at) => waits.includes(at)) ? { ...loop, most: Infinity } : loop));
};

const NONE: CharacterSet = new Uint32Array();
const meetAt = (sets: readonly CharacterSet[], ...places: readonly number[]): boolean =>
  meet(...places.map((at) => sets[at] ?? NONE));

const createLooks = (): (() => void) => {
  let left = MOST_LOOKS;
  return () => {
    left -= 1;
    if (left < 0) throw new TooLarge();
  };
};

/** Two ways over the same characters from one place of the loop back to it. */
const doubles = (graph: Graph, loop: Loop, own: ReadonlySet<number>, look: () => void): boolean => {
  const { sets, edges } = graph;
  const ways = new Map(
    loop.places.map((at) => [at, (edges[at] ?? []).map(({ to }) => to).filter((to) => own.has(to))]),
  );
  for (const tos of ways.values()) if (new Set(tos).size < tos.length) return true;
  const [start] = loop.places;
  if (start === undefined) return false;
  const size = edges.length;
  const forward = new Set([start * size + start]);
  const back = new Map<number, number[]>();
  for (const pair of forward) {
    const [one, other] = [Math.floor(pair / size), pair % size];
    for (const a of ways.get(one) ?? [])
      for (const b of ways.get(other) ?? []) {
        look();
        if (!meetAt(sets, a, b)) continue;
        const next = a * size + b;
        forward.add(next);
        back.set(next, [...(back.get(next) ?? []), pair]);
      }
  }
  const seen = new Set([start * size + start]);
  for (const pair of seen) for (const before of back.get(pair) ?? []) seen.add(before);
  return [...seen].some((pair) => Math.floor(pair / size) !== pair % size);
};

const reachFrom = (edges: Graph['edges'], starts: readonly number[]): Set<number> => {
  const seen = new Set(starts);
  for (const at of seen) for (const { to } of edges[at] ?? []) seen.add(to);
  return seen;
};

/** How many steps lead from one of the starts to a goal; 0 where none do. */
const stepsTo = (
  starts: readonly number[],
  isGoal: (at: number) => boolean,
  next: (at: number, add: (to: number) => void) => void,
): number => {
  const steps = new Map(starts.map((at) => [at, 0]));
  for (const [at, taken] of steps) {
    let found = false;
    next(at, (to) => {
      if (isGoal(to)) found = true;
      if (!steps.has(to)) steps.set(to, taken + 1);
    });
    if (found) return taken + 1;
  }
  return 0;
};

type Pairing = { graph: Graph; own: ReadonlySet<number>; look: () => void };
/** While the search waits, the loop takes characters that also lead from its beginning into it. */
const roundBesideSearch = ({ graph, own, look }: Pairing, loop: Loop): number => {
  const { sets, edges, waits } = graph;
  const size = edges.length;
  // What was read last is the same.
  const starts = waits.flatMap((wait) =>
    loop.places.flatMap((at) => (meetAt(sets, wait, at) ? [wait * size + at] : [])),
  );
  return stepsTo(
    starts,
    (pair) => Math.floor(pair / size) === pair % size,
    (pair, add) => {
      for (const { to: a } of edges[Math.floor(pair / size)] ?? [])
        for (const { to: b } of edges[pair % size] ?? []) {
          look();
          if (own.has(b) && meetAt(sets, a, b)) add(a * size + b);
        }
    },
  );
};

/** The same characters lead round the first loop, from it into the second, and round that. */
const roundBeside = (
  { graph, own, look }: Pairing,
  [first, second]: readonly [Loop, Loop],
  [ownFirst, between]: readonly [ReadonlySet<number>, ReadonlySet<number>],
): number => {
  const { sets, edges } = graph;
  const size = edges.length;
  for (const from of first.places)
    for (const to of second.places) {
      if (!meetAt(sets, from, to)) continue;
      const goal = (from * size + to) * size + to;
      const round = stepsTo(
        [(from * size + from) * size + to],
        (triple) => triple === goal,
        (triple, add) => {
          const rest = Math.floor(triple / size);
          for (const { to: a } of edges[Math.floor(rest / size)] ?? []) {
            if (!ownFirst.has(a)) continue;
            for (const { to: c } of edges[triple % size] ?? []) {
              if (!own.has(c) || !meetAt(sets, a, c)) continue;
              for (const { to: b } of edges[rest % size] ?? []) {
                look();
                if (between.has(b) && meetAt(sets, a, b, c)) add((a * size + b) * size + c);
              }
            }
          }
        },
      );
      if (round > 0) return round;
    }
  return 0;
};

const productAt = (factors: readonly number[], length: number): number =>
  factors.reduce((all, one) => all * Math.min(one, length), 1);
/** A length at which each bound that is named still counts. */
const LONG = 1_000_000;
const larger = (one: number[], other: number[]): number[] =>
  productAt(one, LONG) >= productAt(other, LONG) ? one : other;

const growthOf = (whole: Graph): Growth => {
  const { edges, done, isGlobal, waits } = whole;
  const loops = loopsOf(whole);
  const look = createLooks();
  const own = loops.map(({ places }) => new Set(places));
  const ownOf = (i: number): ReadonlySet<number> => own[i] ?? new Set();
  // What comes to such a place is found, and without a further search all ends with it.
  const failing = isGlobal
    ? whole
    : {
        ...whole,
        edges: edges.map((ways, at) => (done[at] === true ? [] : ways.filter(({ to }) => done[to] !== true))),
      };
  const graphOf = ({ sure }: Loop): Graph => (sure ? whole : failing);
  const isSearch = ({ places }: Loop): boolean => places.some((at) => waits.includes(at));
  for (const [i, loop] of loops.entries())
    if (!loop.sure && !isSearch(loop) && doubles(failing, loop, ownOf(i), look))
      return { kind: 'exponential' };
  const reach = loops.map((loop) => reachFrom(graphOf(loop).edges, loop.places));
  const leads = (from: number, to: number): boolean =>
    from !== to && loops[to]?.sure === false && loops[to].places.some((at) => reach[from]?.has(at));
  const best = new Map<number, number[]>();
  // A loop comes after those that lead to it.
  const judge = (i: number, loop: Loop): void => {
    if (best.has(i)) return;
    let factors: number[] = [loop.most];
    best.set(i, factors);
    for (const [before, first] of loops.entries()) {
      if (!leads(before, i)) continue;
      judge(before, first);
      const known = best.get(before) ?? [];
      factors = larger(factors, known);
      const made = [...known, Math.min(first.most, loop.most)];
      if (larger(factors, made) === factors) continue;
      const pairing = { graph: graphOf(first), own: ownOf(i), look };
      const round = isSearch(first)
        ? roundBesideSearch(pairing, loop)
        : roundBeside(pairing, [first, loop], [ownOf(before), reach[before] ?? new Set()]);
      // As often as the round has room.
      const times = Math.ceil(Math.min(first.most, loop.most) / round);
      if (round > 0) factors = larger(factors, [...known, times]);
    }
    best.set(i, factors);
  };
  for (const [i, loop] of loops.entries()) judge(i, loop);
  return { kind: 'polynomial', factors: [...best.values()].reduce(larger, [Infinity]) };
};

export const judgeExpression = (source: string, flags: string): Growth => {
  try {
    return growthOf(readGraph(source, flags));
  } catch (error) {
    if (error instanceof TooLarge) return { kind: 'too large' };
    throw error;
  }
};

export const degreeOf = (factors: readonly number[]): number =>
  factors.filter((one) => one === Infinity).length;
/** Steps for a text of so many characters. */
export const stepsFor = (factors: readonly number[], length: number): number => productAt(factors, length);
