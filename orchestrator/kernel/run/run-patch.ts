/** Represents the changes of a step as a patch, which the log keeps and replay folds (S9). */
import { copyRun, type Run } from './run.ts';

/** Keys are property names or array indexes. Anything not listed is unchanged. */
export type RunChanges = {
  set?: Record<string, unknown>;
  nested?: Record<string, RunChanges>;
  removed?: string[];
};

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

export const evolveRun = (run: Run | null, changes: RunChanges): Run =>
  applyChanges(run ?? {}, changes) as Run;

const applyChanges = (before: unknown, { set, nested: inside, removed: gone }: RunChanges): unknown => {
  const was: Tree = isTree(before) ? before : {};
  const next = (Array.isArray(before) ? [...(before as unknown[])] : { ...was }) as Record<string, unknown>;
  for (const name in set) setProperty(next, name, set[name]);
  for (const name in inside) {
    const changes = inside[name];
    if (changes) setProperty(next, name, applyChanges(was[name], changes));
  }
  // guard: S9-gone-fields
  for (const name of gone ?? []) delete next[name];
  return next;
};

/** A property may be called `__proto__`. */
const setProperty = (to: Record<string, unknown>, name: string, value: unknown): void => {
  if (name !== '__proto__') to[name] = value;
  else Object.defineProperty(to, name, { value, writable: true, enumerable: true, configurable: true });
};

/** Parts that are the same object are not compared, so the cost follows what the step touched. */
export const changesOf = (before: Run | null, after: Run): RunChanges => {
  if (!before) return { set: copyRun(after) };
  const changes = diffTrees(before, after);
  return typeof changes === 'string' ? {} : changes;
};

/** `anew` means that nothing stayed, so the whole value is the shorter patch. */
const diffTrees = (before: Tree, after: Tree): RunChanges | 'same' | 'anew' => {
  const set: [string, unknown][] = [];
  const inside: [string, RunChanges][] = [];
  let kept = 0;
  for (const name of Object.keys(after)) {
    const value = after[name];
    const was = Object.hasOwn(before, name) ? before[name] : undefined;
    if (value === undefined) continue;
    const how = was === value ? 'same' : patchFor(was, value);
    if (how === 'anew') set.push([name, value]);
    else kept += 1;
    if (typeof how !== 'string') inside.push([name, how]);
  }
  const gone = Object.keys(before).filter(
    (name) => before[name] !== undefined && (!Object.hasOwn(after, name) || after[name] === undefined),
  );
  if (set.length + inside.length + gone.length === 0) return 'same';
  if (kept === 0) return 'anew';
  return {
    ...(set.length > 0 ? { set: Object.fromEntries(set) } : {}),
    ...(inside.length > 0 ? { nested: Object.fromEntries(inside) } : {}),
    ...(gone.length > 0 ? { removed: gone } : {}),
  };
};

const patchFor = (was: unknown, value: unknown): RunChanges | 'same' | 'anew' => {
  if (!isTree(was) || !isTree(value) || Array.isArray(was) !== Array.isArray(value)) return 'anew';
  // A record of another kind is written whole, so that a reason stays readable in the log.
  if ('kind' in value && was['kind'] !== value['kind']) return 'anew';
  // A shorter list cannot be patched by index.
  if (Array.isArray(was) && Array.isArray(value) && value.length < was.length) return 'anew';
  return diffTrees(was, value);
};

const MEMBERS: ReadonlySet<string> = new Set(['set', 'nested', 'removed']);

export const isChanges = (value: unknown): value is RunChanges => {
  if (!isTree(value) || Array.isArray(value) || Object.keys(value).some((name) => !MEMBERS.has(name)))
    return false;
  const { set = {}, nested: inside = {}, removed: gone = [] } = value;
  if (!isTree(set) || !isTree(inside) || !Array.isArray(gone)) return false;
  return gone.every((name) => typeof name === 'string') && Object.values(inside).every(isChanges);
};
