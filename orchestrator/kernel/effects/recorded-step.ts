/** The stored form of a step: the input and all decisions (S9). Rules may change; this stays. */
import { z } from 'zod';
import { isChanges, type RunChanges } from '../run/run-patch.ts';
import type { InputStamp, Input } from '../run/input-types.ts';
import { Reason } from '../run/reasons.ts';
import type { Refusal } from '../run/refusals.ts';
import type { Run } from '../run/run.ts';
import type { ApprovalChange, Effect } from './effect-types.ts';

export type StepDecision = {
  changes: RunChanges;
  effects: readonly Effect[];
  approvals: readonly ApprovalChange[];
};
export type Step =
  | ({ kind: 'moved'; run: Run } & StepDecision)
  | { kind: 'refused'; reason: Refusal }
  /** A late result, or a fact without news: nothing changes and nothing is logged. */
  | { kind: 'ignored'; reason: IgnoredReason };

export type IgnoredReason =
  | 'nothing to do in this state'
  | 'stale result'
  | 'stale timer'
  | 'stale limit'
  | 'nothing new'
  | 'told already'
  | 'no pull request'
  | 'known already'
  | 'no approval for it'
  | 'no grant for it'
  | 'another commit'
  | 'no plan'
  | 'waits as before'
  | 'a person is waited for'
  | 'card closed'
  | 'nobody asks'
  | 'ended otherwise'
  | 'older look'
  | 'nothing pushed';

/** The body of an event. Values that repeat the input are null; `sameAsInput` locates them. */
export type RecordedEvent = StepDecision & { input: Input; stamp: InputStamp; sameAsInput?: Same };
/** Maps a path in the event to a path in the input; names are joined by slashes. */
type Same = Readonly<Record<string, string>>;

/** Minimum size of a value that is replaced by its path (characters). */
const MIN_SHARED_LENGTH = 80;

type Tree = Readonly<Record<string, unknown>>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;
/** A name with a slash would be ambiguous in a path. */
const isPlain = (name: string): boolean => name !== '__proto__' && !name.includes('/');

const placesIn = (input: Tree): Map<unknown, string> => {
  const places = new Map<unknown, string>();
  const collectPlaces = (tree: Tree, above: string): void => {
    for (const name of Object.keys(tree)) {
      const part = tree[name];
      const tall = isTree(part);
      if (!isPlain(name) || !(tall || (typeof part === 'string' && part.length >= MIN_SHARED_LENGTH)))
        continue;
      places.set(part, above + name);
      if (tall) collectPlaces(part, `${above}${name}/`);
    }
  };
  collectPlaces(input, '');
  return places;
};

export const toRecordedEvent = (
  input: Input,
  stamp: InputStamp,
  { changes, effects, approvals }: StepDecision,
): RecordedEvent => {
  const places = placesIn(input);
  const same: Record<string, string> = {};
  const withoutRepeats = (value: unknown, place: string): unknown => {
    const from = places.get(value);
    if (from !== undefined && JSON.stringify(value).length >= MIN_SHARED_LENGTH) {
      same[place] = from;
      return null;
    }
    if (Array.isArray(value)) return value.map((part, i) => withoutRepeats(part, `${place}/${i}`));
    if (!isTree(value)) return value;
    const parts = Object.entries(value);
    return Object.fromEntries(
      parts.map(([name, part]) => [name, isPlain(name) ? withoutRepeats(part, `${place}/${name}`) : part]),
    );
  };
  if (places.size === 0) return { input, stamp, changes, effects, approvals };
  const shorter = {
    changes: withoutRepeats(changes, 'changes') as RunChanges,
    effects: withoutRepeats(effects, 'effects') as Effect[],
  };
  return { input, stamp, ...shorter, approvals, ...(Object.keys(same).length > 0 && { sameAsInput: same }) };
};

/** Restores the repeated values; null when a path does not exist. */
const restoreRepeats = (event: unknown): unknown => {
  if (!hasProperty(event, 'sameAsInput')) return event;
  const { sameAsInput: same, ...rest } = event;
  let made: unknown = rest;
  for (const [place, from] of Object.entries(isTree(same) ? same : {})) {
    const value = findAtPath(rest['input'], String(from).split('/'));
    if (value === undefined) return null;
    made = putAt(made, place.split('/'), value);
  }
  return made;
};

const hasMember = (tree: unknown, name: string): tree is Tree =>
  isTree(tree) && Object.keys(tree).includes(name);

const findAtPath = (tree: unknown, [name, ...more]: readonly string[]): unknown => {
  if (name === undefined) return tree;
  return hasMember(tree, name) ? findAtPath(tree[name], more) : undefined;
};

const putAt = (tree: unknown, [name, ...more]: readonly string[], value: unknown): unknown => {
  if (name === undefined) return value;
  if (!hasMember(tree, name)) return tree;
  const part = putAt(tree[name], more, value);
  return Array.isArray(tree) ? tree.with(Number(name), part) : { ...tree, [name]: part };
};

const hasProperty = (value: unknown, member: string): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && member in value;

/** Checks the members that an effect's row needs; its handler parses the rest. */
const isEffect = (value: unknown): value is Effect => {
  if (!hasProperty(value, 'do') || typeof value['dueAt'] !== 'number') return false;
  const { do: what } = value;
  if (!hasProperty(what, 'kind') || typeof what['kind'] !== 'string') return false;
  return what['kind'] !== 'chat_message' || hasProperty(what['content'], 'view');
};

const isInput = (value: unknown): value is { type: string } =>
  hasProperty(value, 'type') && typeof value['type'] === 'string';
const areEffects = (value: unknown): value is Effect[] => Array.isArray(value) && value.every(isEffect);

const id = z.string();
const digest = z.string();
const at = z.number();
const kind = z.enum(['push', 'open_pr', 'reply']);
const Change = z.discriminatedUnion('op', [
  z.object({ op: z.literal('open'), id, kind, digest, expiresAt: z.number(), needed: z.number() }),
  z.object({ op: z.literal('extend'), id, expiresAt: z.number() }),
  z.object({ op: z.literal('sign'), id, by: z.string().nullable(), name: z.string(), at }),
  z.object({ op: z.literal('consume'), id, digest, at, effectIndex: z.int() }),
  z.object({ op: z.literal('pass_on'), id, digest, effectIndex: z.int() }),
  z.object({ op: z.literal('close'), id, state: z.enum(['void', 'denied', 'expired']), reason: Reason }),
]) satisfies z.ZodType<ApprovalChange>;

export type RecordedStep = StepDecision & {
  input: { type: string; [name: string]: unknown };
  stamp: InputStamp;
};

const isStamp = (value: unknown): boolean =>
  isTree(value) &&
  typeof value['at'] === 'number' &&
  typeof value['nonce'] === 'string' &&
  (value['effectEpoch'] === null || typeof value['effectEpoch'] === 'number');
const isChange = (value: unknown): boolean => Change.safeParse(value).success;
const areAllChanges = (value: unknown): boolean => Array.isArray(value) && value.every(isChange);

/** The input is not validated again: it was when it arrived. */
const readFault = (event: unknown): string | null => {
  if (!isTree(event)) return 'it is no step';
  if (!isInput(event['input'])) return 'the input cannot be read';
  if (!isStamp(event['stamp'])) return 'the stamp cannot be read';
  if (!isChanges(event['changes'])) return 'the changes cannot be read';
  if (!areEffects(event['effects'])) return 'an effect cannot be read';
  return areAllChanges(event['approvals']) ? null : 'a change of an approval cannot be read';
};

/** Plain checks, because replay reads every event; zod's for what is short or rare. */
export const RecordedEvent = z.preprocess(
  restoreRepeats,
  z.custom<RecordedStep>((event) => readFault(event) === null, {
    error: ({ input }) => readFault(input) ?? 'it cannot be read',
  }),
);
