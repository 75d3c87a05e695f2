/**
 * F3: what the checks of one head SHA say, and why. Silence is never green, and what is not known
 * is not green either.
 */
import { z } from 'zod';

/**
 * One check of a commit. `key` is unique per whoever reports it and name; a later `startedAt`
 * replaces an earlier one.
 */
export const CheckFact = z.object({
  key: z.string(),
  name: z.string(),
  /** `workflow`: all of one at once; `suite`: what one app says of all its checks together. */
  kind: z.enum(['check', 'status', 'workflow', 'suite']),
  /** Who reports it, by the forge's own id; null when the forge does not say. */
  app: z.string().nullable(),
  /**
   * `held`: the forge runs it only when a person there allows it; `announced`: an app was told of
   * the commit, and may never say a word.
   */
  status: z.enum(['announced', 'queued', 'held', 'running', 'ended']),
  /**
   * Once it has ended. `idle`: it had nothing to say; `held`: a person has to act; `stale`: nobody
   * knows any more.
   */
  outcome: z.enum(['passed', 'idle', 'skipped', 'failed', 'held', 'stale']).nullable(),
  startedAt: z.number(),
});
export type CheckFact = z.infer<typeof CheckFact>;

/** What the base branch asks for before anybody may merge. */
export const MergeRequirement = z.object({
  /** `rule`: one that we know no way to judge. */
  kind: z.enum(['check', 'workflow', 'scan', 'rule']),
  name: z.string(),
  /** The only one whose word counts; null when anybody's does. */
  app: z.string().nullable(),
  /** A passed check is no proof that the rule is kept. */
  unsure: z.boolean(),
});
export type MergeRequirement = z.infer<typeof MergeRequirement>;

/** A check by its name alone. */
export const requiredCheck = (name: string, app: string | null = null): MergeRequirement => ({
  kind: 'check',
  name,
  app,
  unsure: false,
});

/**
 * Facts of one head. `firstAt` is when we first looked, `changedAt` when a fact last changed (epoch
 * ms).
 */
export type CiFacts = {
  /** `heardAt` is when it last changed, by our clock (epoch ms). */
  checks: Record<string, CheckFact & { observedAt: number }>;
  required: MergeRequirement[];
  firstAt: number;
  changedAt: number;
  /**
   * F8: a look of later than their settle time saw them as they are here; time alone settles
   * nothing.
   */
  confirmed: boolean;
  /** The last look could not read all of them. */
  partial: boolean;
  /** Whole suites that wait for a maintainer have no checks yet. */
  awaitsMaintainer: boolean;
  /** What is merged goes through a queue, where the checks run once more. */
  usesMergeQueue: boolean;
};

/** `GREEN_SEEN`: all that may be read and judged is green, and some may not. */
export type CiVerdict =
  | 'RED'
  | 'PENDING'
  | 'GREEN'
  | 'GREEN_REQUIRED'
  | 'GREEN_SEEN'
  | 'AWAITING_MAINTAINER'
  | 'NO_CI';

/** Why a verdict is what it is, what weighs most first. */
export type CiVerdictReason =
  /** Nobody has looked. */
  | { kind: 'unseen' }
  /** Nothing was reported so far. */
  | { kind: 'silent' }
  | { kind: 'failed'; name: string; required: boolean }
  /** Required, and not there. `since` is when we first looked (epoch ms). */
  | { kind: 'missing'; name: string; since: number }
  /** Something has its name, and another one must report it. */
  | { kind: 'imitated'; name: string; since: number }
  | { kind: 'runs'; name: string; required: boolean }
  | { kind: 'held'; name: string | null }
  | { kind: 'stale'; name: string }
  /** All that is there has passed; a later look has to see the same. */
  | { kind: 'settles' }
  | { kind: 'unread' }
  | { kind: 'unsure'; name: string }
  /** Required, and not run: to the forge that is a success. */
  | { kind: 'skipped'; name: string }
  /** None of them ran. */
  | { kind: 'none_ran' }
  | { kind: 'queue' };
export type CheckJudgement = { verdict: CiVerdict; why: CiVerdictReason[] };

const FINE = new Set<CheckFact['outcome']>(['passed', 'idle', 'skipped']);
const ended = (c: CheckFact): CheckFact['outcome'] => (c.status === 'ended' ? c.outcome : null);
const isFine = (c: CheckFact): boolean => FINE.has(ended(c));
const isRed = (c: CheckFact): boolean => ended(c) === 'failed';
const waits = (c: CheckFact): boolean => c.status === 'held' || ended(c) === 'held';
const isAnnounced = (c: CheckFact): boolean => c.status === 'announced';

/** The case of a status means nothing; that of a check does (docs/verdicts.md). */
const isNamed = (c: CheckFact, { kind, name }: MergeRequirement): boolean => {
  if (kind === 'workflow') return c.kind === 'workflow' && c.name === name;
  if (c.kind === 'status') return kind === 'check' && c.name.toLowerCase() === name.toLowerCase();
  return c.kind === 'check' && c.name === name;
};
// guard: F3-by-its-app
const isSaidBy = (c: CheckFact, { app }: MergeRequirement): boolean => app === null || c.app === app;

type Met = { wanted: MergeRequirement; by: CheckFact[]; imitated: boolean };
const meet = (checks: readonly CheckFact[], wanted: MergeRequirement): Met => {
  const named = checks.filter((c) => isNamed(c, wanted));
  const by = named.filter((c) => isSaidBy(c, wanted));
  return { wanted, by, imitated: by.length === 0 && named.length > 0 };
};

/**
 * Silence, and whatever has not ended, is no success; of required checks every one has to be there.
 */
export const judgeChecks = (ci: CiFacts | undefined): CheckJudgement => {
  if (!ci) return { verdict: 'PENDING', why: [{ kind: 'unseen' }] };
  const checks = Object.values(ci.checks).filter((c) => !isAnnounced(c));
  const met = ci.required.map((wanted) => meet(checks, wanted));
  const needed = new Set(met.flatMap(({ by }) => by));
  // Where no check is required, every one counts.
  const none = ci.required.every(({ kind }) => kind === 'rule');
  const isRequired = (c: CheckFact): boolean => none || needed.has(c);
  const inOrder = [...checks].sort((a, b) => Number(isRequired(b)) - Number(isRequired(a)) || byName(a, b));
  const whyOf = (all: readonly CheckFact[], kind: 'failed' | 'runs'): CiVerdictReason[] =>
    all.map((c) => ({ kind, name: c.name, required: needed.has(c) }));

  const red = inOrder.filter(isRed);
  if (red.some(isRequired)) return { verdict: 'RED', why: whyOf(red, 'failed') };

  const missing = met.filter(({ wanted, by }) => wanted.kind !== 'rule' && by.length === 0).map(absent(ci));
  const held = inOrder.filter(waits);
  if (ci.awaitsMaintainer || held.length > 0) {
    const names = held.length > 0 ? held.map((c) => c.name) : [null];
    return { verdict: 'AWAITING_MAINTAINER', why: [...names.map(heldBack), ...missing] };
  }
  const open = inOrder.filter((c) => !isFine(c) && !isRed(c));
  const stale = open.filter((c) => ended(c) === 'stale');
  const runs = open.filter((c) => ended(c) !== 'stale');
  const waitsFor = [...missing, ...whyOf(runs, 'runs'), ...stale.map(unknown), ...whyOf(red, 'failed')];
  // guard: F3-nothing-open
  if (missing.length > 0 || open.length > 0) return { verdict: 'PENDING', why: waitsFor };

  // guard: F8-silence-since-poll
  if (checks.length === 0 && ci.partial) return { verdict: 'PENDING', why: [{ kind: 'unread' }] };
  const kind = checks.length === 0 ? 'silent' : 'settles';
  // guard: F8-settled-green
  if (!ci.confirmed) return { verdict: 'PENDING', why: [{ kind }] };
  return passed(ci, checks, met, whyOf(red, 'failed'));
};

const heldBack = (name: string | null): CiVerdictReason => ({ kind: 'held', name });
const unknown = ({ name }: CheckFact): CiVerdictReason => ({ kind: 'stale', name });
const byName = (a: CheckFact, b: CheckFact): number => (a.name === b.name ? 0 : a.name < b.name ? -1 : 1);
const absent =
  ({ firstAt }: CiFacts) =>
  ({ wanted, imitated }: Met): CiVerdictReason => ({
    kind: imitated ? 'imitated' : 'missing',
    name: wanted.name,
    since: firstAt,
  });

/** Nothing is waited for any more. */
const passed = (
  ci: CiFacts,
  checks: readonly CheckFact[],
  met: readonly Met[],
  red: CiVerdictReason[],
): CheckJudgement => {
  const why: CiVerdictReason[] = [
    ...red,
    ...(ci.partial ? [{ kind: 'unread' } as const] : []),
    ...met
      .filter(({ wanted }) => wanted.unsure)
      .map(({ wanted }): CiVerdictReason => ({ kind: 'unsure', name: wanted.name })),
    ...met.flatMap(({ by }) =>
      by
        .filter((c) => c.outcome === 'skipped')
        .map((c): CiVerdictReason => ({ kind: 'skipped', name: c.name })),
    ),
    ...(checks.length > 0 && checks.every((c) => c.outcome !== 'passed')
      ? [{ kind: 'none_ran' } as const]
      : []),
    ...(ci.usesMergeQueue ? [{ kind: 'queue' } as const] : []),
  ];
  if (checks.length === 0) return { verdict: 'NO_CI', why };
  // guard: F3-unknown-is-not-green
  if (ci.partial || met.some(({ wanted }) => wanted.unsure)) return { verdict: 'GREEN_SEEN', why };
  return { verdict: red.length > 0 ? 'GREEN_REQUIRED' : 'GREEN', why };
};

export const ciVerdict = (ci: CiFacts | undefined): CiVerdict => judgeChecks(ci).verdict;

export const redChecks = (ci: CiFacts): CheckFact[] => Object.values(ci.checks).filter(isRed);
export const hasAnnounced = (ci: CiFacts): boolean => Object.values(ci.checks).some(isAnnounced);
export const hasReported = (ci: CiFacts): boolean => Object.values(ci.checks).some((c) => !isAnnounced(c));
