/** Judges the checks of one head, with reasons (F3). Neither silence nor the unknown is green. */
import type {
  CheckFact,
  ExplainedCiVerdict,
  CiFacts,
  CiVerdict,
  CiVerdictReason,
  MergeRequirement,
} from '#model/ci';
import type { Run } from '../run/run.ts';

const FINE = new Set<CheckFact['outcome']>(['passed', 'idle', 'skipped']);
const endOutcomeOf = (check: CheckFact): CheckFact['outcome'] =>
  check.status === 'ended' ? check.outcome : null;
const isFine = (check: CheckFact): boolean => FINE.has(endOutcomeOf(check));
const isRed = (check: CheckFact): boolean => endOutcomeOf(check) === 'failed';
const isWaiting = (check: CheckFact): boolean =>
  check.status === 'awaits_maintainer' || endOutcomeOf(check) === 'awaits_maintainer';
const isAnnounced = (check: CheckFact): boolean => check.status === 'announced';

/** Status names are case-insensitive, check names are not (docs/verdicts.md). */
const isNamed = (check: CheckFact, { kind, name }: MergeRequirement): boolean => {
  if (kind === 'workflow') return check.kind === 'workflow' && check.name === name;
  if (check.kind === 'status') return kind === 'check' && check.name.toLowerCase() === name.toLowerCase();
  return check.kind === 'check' && check.name === name;
};
// guard: F3-by-its-app
const isSaidBy = (check: CheckFact, { app }: MergeRequirement): boolean => app === null || check.app === app;

type Met = { wanted: MergeRequirement; by: CheckFact[]; imitated: boolean };
const meetRequirement = (checks: readonly CheckFact[], wanted: MergeRequirement): Met => {
  const named = checks.filter((c) => isNamed(c, wanted));
  const by = named.filter((c) => isSaidBy(c, wanted));
  return { wanted, by, imitated: by.length === 0 && named.length > 0 };
};

/** Silence and unfinished checks are no success; every required check has to be present. */
export const explainCiVerdict = (ci: CiFacts | undefined): ExplainedCiVerdict => {
  if (!ci) return { verdict: 'PENDING', why: [{ kind: 'unseen' }] };
  const checks = Object.values(ci.checks).filter((c) => !isAnnounced(c));
  const met = ci.required.map((wanted) => meetRequirement(checks, wanted));
  const needed = new Set(met.flatMap(({ by }) => by));
  // All checks count when none is required.
  const none = ci.required.every(({ kind }) => kind === 'rule');
  const isRequired = (check: CheckFact): boolean => none || needed.has(check);
  const inOrder = [...checks].sort((a, b) => Number(isRequired(b)) - Number(isRequired(a)) || byName(a, b));
  const whyOf = (all: readonly CheckFact[], kind: 'failed' | 'runs'): CiVerdictReason[] =>
    all.map((c) => ({ kind, name: c.name, required: needed.has(c) }));

  const red = inOrder.filter(isRed);
  if (red.some(isRequired)) return { verdict: 'RED', why: whyOf(red, 'failed') };

  const missing = met
    .filter(({ wanted, by }) => wanted.kind !== 'rule' && by.length === 0)
    .map(toMissingReason(ci));
  const held = inOrder.filter(isWaiting);
  if (ci.awaitsMaintainer || held.length > 0) {
    const names = held.length > 0 ? held.map((c) => c.name) : [null];
    return { verdict: 'AWAITING_MAINTAINER', why: [...names.map(holdReasonOf), ...missing] };
  }
  const open = inOrder.filter((c) => !isFine(c) && !isRed(c));
  const stale = open.filter((c) => endOutcomeOf(c) === 'stale');
  const runs = open.filter((c) => endOutcomeOf(c) !== 'stale');
  const waitsFor = [...missing, ...whyOf(runs, 'runs'), ...stale.map(staleReasonOf), ...whyOf(red, 'failed')];
  // guard: F3-nothing-open
  if (missing.length > 0 || open.length > 0) return { verdict: 'PENDING', why: waitsFor };

  // guard: F8-silence-since-poll
  if (checks.length === 0 && ci.partial) return { verdict: 'PENDING', why: [{ kind: 'unread' }] };
  const kind = checks.length === 0 ? 'silent' : 'settles';
  // guard: F8-settled-green
  if (!ci.confirmed) return { verdict: 'PENDING', why: [{ kind }] };
  return explainEndedChecks(ci, checks, met, whyOf(red, 'failed'));
};

const holdReasonOf = (name: string | null): CiVerdictReason => ({ kind: 'awaits_maintainer', name });
const staleReasonOf = ({ name }: CheckFact): CiVerdictReason => ({ kind: 'stale', name });
const byName = (one: CheckFact, other: CheckFact): number =>
  one.name === other.name ? 0 : one.name < other.name ? -1 : 1;
const toMissingReason =
  ({ firstAt }: CiFacts) =>
  ({ wanted, imitated }: Met): CiVerdictReason => ({
    kind: imitated ? 'imitated' : 'missing',
    name: wanted.name,
    since: firstAt,
  });

const explainEndedChecks = (
  ci: CiFacts,
  checks: readonly CheckFact[],
  met: readonly Met[],
  red: CiVerdictReason[],
): ExplainedCiVerdict => {
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

export const ciVerdict = (ci: CiFacts | undefined): CiVerdict => explainCiVerdict(ci).verdict;

/** On the head that we pushed last. */
export const currentVerdict = ({ change, upstream }: Pick<Run, 'change' | 'upstream'>): CiVerdict =>
  change.pushedHead ? ciVerdict(upstream.observed.ci[change.pushedHead.sha]) : 'PENDING';

export const redChecks = (ci: CiFacts): CheckFact[] => Object.values(ci.checks).filter(isRed);
export const hasAnnouncedChecks = (ci: CiFacts): boolean => Object.values(ci.checks).some(isAnnounced);
export const hasReportedChecks = (ci: CiFacts): boolean =>
  Object.values(ci.checks).some((c) => !isAnnounced(c));
