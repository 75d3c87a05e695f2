/**
 * Rooms import in one direction: on every level, the folders and files beside each other have no
 * circle, types included.
 */

/** An import of a module of the project by another: both as paths from the root. */
export type Import = { from: string; to: string };

type Edges = Map<string, Map<string, Import>>;

/**
 * What stands beside each other in a folder, and who of it imports whom; with one import that says
 * so.
 */
const edgesIn = (imports: readonly Import[]): Map<string, Edges> => {
  const levels = new Map<string, Edges>();
  for (const one of imports) {
    const [from, to] = [one.from.split('/'), one.to.split('/')];
    const shared = from.findIndex((part, i) => part !== to[i]);
    if (shared < 0) continue;
    const folder = from.slice(0, shared).join('/');
    const [a, b] = [from, to].map((parts) => parts.slice(0, shared + 1).join('/')) as [string, string];
    const edges = levels.get(folder) ?? new Map<string, Map<string, Import>>();
    levels.set(folder, edges);
    const out = edges.get(a) ?? new Map<string, Import>();
    edges.set(a, out);
    if (!out.has(b)) out.set(b, one);
  }
  return levels;
};

/** A way from here back to here; null when there is none. */
const circleFrom = (edges: Edges, start: string): string[] | null => {
  const seen = new Set<string>();
  const ways: string[][] = [[start]];
  for (let way = ways.pop(); way; way = ways.pop())
    for (const next of edges.get(way.at(-1) ?? '')?.keys() ?? []) {
      if (next === start) return [...way, next];
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  return null;
};

/** Each circle once, as a sentence that names an import for every step. */
export const circlesOf = (imports: readonly Import[]): string[] => {
  const said = new Map<string, string>();
  for (const edges of edgesIn(imports).values())
    for (const start of edges.keys()) {
      const circle = circleFrom(edges, start);
      if (!circle) continue;
      const steps = circle.slice(1).map((next, i) => edges.get(circle[i] ?? '')?.get(next));
      const says = steps.map((step) => `${step?.from ?? '?'} → ${step?.to ?? '?'}`).join(', ');
      said.set([...new Set(circle)].sort().join(' '), says);
    }
  return [...said.values()];
};
