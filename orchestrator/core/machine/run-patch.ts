/**
 * S9: what a step changed of the run, as data: small beside the run, and all that the next run is
 * made of.
 */
import { copyRun } from './run.ts';
import type { Run } from './run.ts';

/**
 * By the name of a member, or the place in a list. What is in none of the three stayed as it was.
 */
export type RunChanges = {
  /** What was added, or is another value now. */
  set?: Record<string, unknown>;
  /** What changed in a part only. */
  nested?: Record<string, RunChanges>;
  removed?: string[];
};

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

/**
 * Folds one step into the run; the first one makes it. Gives the run that `changesOf` was told of.
 */
export const evolve = (run: Run | null, changes: RunChanges): Run => applied(run ?? {}, changes) as Run;

const applied = (before: unknown, { set, nested: inside, removed: gone }: RunChanges): unknown => {
  const was: Tree = isTree(before) ? before : {};
  const next = (Array.isArray(before) ? [...(before as unknown[])] : { ...was }) as Record<string, unknown>;
  for (const name in set) put(next, name, set[name]);
  for (const name in inside) {
    const changes = inside[name];
    if (changes) put(next, name, applied(was[name], changes));
  }
  // guard: S9-gone-fields
  for (const name of gone ?? []) delete next[name];
  return next;
};

/** A member may have any name. */
const put = (to: Record<string, unknown>, name: string, value: unknown): void => {
  if (name !== '__proto__') to[name] = value;
  else Object.defineProperty(to, name, { value, writable: true, enumerable: true, configurable: true });
};

/**
 * What a step changed. Parts that are the same object are not looked into, so this costs what the
 * step touched.
 */
export const changesOf = (before: Run | null, after: Run): RunChanges => {
  if (!before) return { set: copyRun(after) };
  const changes = between(before, after);
  return typeof changes === 'string' ? {} : changes;
};

/** `anew`: nothing of it stayed, so that the whole is said shorter. */
const between = (before: Tree, after: Tree): RunChanges | 'same' | 'anew' => {
  const set: [string, unknown][] = [];
  const inside: [string, RunChanges][] = [];
  let kept = 0;
  for (const name of Object.keys(after)) {
    const value = after[name];
    const was = Object.hasOwn(before, name) ? before[name] : undefined;
    // A member that is undefined is not there: JSON has no such value.
    if (value === undefined) continue;
    const how = was === value ? 'same' : becomes(was, value);
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

const becomes = (was: unknown, value: unknown): RunChanges | 'same' | 'anew' => {
  if (!isTree(was) || !isTree(value) || Array.isArray(was) !== Array.isArray(value)) return 'anew';
  // A record of another kind is told whole: a reason reads as one.
  if ('kind' in value && was['kind'] !== value['kind']) return 'anew';
  // A list that became shorter has lost its places.
  if (Array.isArray(was) && Array.isArray(value) && value.length < was.length) return 'anew';
  return between(was, value);
};

const MEMBERS: ReadonlySet<string> = new Set(['set', 'nested', 'removed']);

/** Whether something that was read is a patch at all. */
export const isChanges = (value: unknown): value is RunChanges => {
  if (!isTree(value) || Array.isArray(value) || Object.keys(value).some((name) => !MEMBERS.has(name)))
    return false;
  const { set = {}, nested: inside = {}, removed: gone = [] } = value;
  if (!isTree(set) || !isTree(inside) || !Array.isArray(gone)) return false;
  return gone.every((name) => typeof name === 'string') && Object.values(inside).every(isChanges);
};
