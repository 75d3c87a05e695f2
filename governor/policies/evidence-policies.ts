/** Policies on evidence and risk: checks, commands, signatures, and the one explicit allow. */
import {
  allowOpinion,
  denyOpinion,
  escalateOpinion,
  noteOpinion,
  type AssessedRisk,
  type PolicyQuestion,
  type PolicyRows,
} from '../policy-types.ts';
import { isChangeAction } from '../governed-action.ts';
import {
  isBlockingCheck,
  isPassingEvidence,
  isExcusedRed,
  isRedWithoutNames,
  type CheckResult,
} from '#model/evidence';
import { createFactorQuestion, createCommandQuestion } from '../policy-questions.ts';

export const checksMustPass: PolicyQuestion = (action) => {
  if (!isChangeAction(action)) return [];
  const listCheckNames = (outcomes: readonly string[], is = (_: CheckResult): boolean => true): string[] =>
    action.checks.filter((c) => outcomes.includes(c.outcome) && is(c)).map((c) => c.name);
  // guard: E15-red-before-is-excused
  const failed = listCheckNames(['failed', 'timed_out'], isBlockingCheck);
  const stopped = listCheckNames(['ran_no_test'], isBlockingCheck);
  const denied = [
    ...(failed.length > 0 || (!action.passed && stopped.length === 0)
      ? [denyOpinion({ kind: 'checks_fail', names: failed })]
      : []),
    ...(stopped.length > 0 ? [denyOpinion({ kind: 'tests_stopped', names: stopped })] : []),
  ];
  if (denied.length > 0) return denied;
  const before = listCheckNames(['failed', 'timed_out'], (c) => isExcusedRed(c) && !isRedWithoutNames(c));
  const unnamed = listCheckNames(['failed', 'timed_out'], isRedWithoutNames);
  const proven = action.checks.some(isPassingEvidence);
  const lucky = listCheckNames(['passed'], (c) => !isPassingEvidence(c));
  const missing = listCheckNames(['not_run']);
  const untested = listCheckNames(['ran_no_test']);
  if (!proven && before.length + unnamed.length === 0)
    return [
      ...(untested.length > 0 ? [escalateOpinion({ kind: 'ran_no_test', names: untested })] : []),
      ...(lucky.length > 0 ? [escalateOpinion({ kind: 'flaky_before', names: lucky })] : []),
      ...(lucky.length + untested.length === 0 ? [escalateOpinion({ kind: 'no_check' })] : []),
      ...(missing.length > 0 ? [noteOpinion({ kind: 'checks_missing', names: missing })] : []),
    ];
  // guard: E15-red-alone-is-looked-at
  const told = proven ? noteOpinion : escalateOpinion;
  return [
    ...(missing.length > 0 ? [noteOpinion({ kind: 'checks_missing', names: missing })] : []),
    ...(untested.length > 0 ? [told({ kind: 'ran_no_test', names: untested })] : []),
    ...(before.length > 0 ? [told({ kind: 'red_before', names: before })] : []),
    // guard: E15-unnamed-is-looked-at
    ...(unnamed.length > 0 ? [escalateOpinion({ kind: 'red_unnamed', names: unnamed })] : []),
  ];
};

/** G6: high risk always needs a signature; so does more than low risk on an open pull request. */
const highRisk: PolicyQuestion = (action, _context, risk) => {
  if (risk.level === 'high') return [escalateOpinion({ kind: 'high_risk' })];
  const watched = action.kind === 'push' && action.iteration;
  return watched && risk.level !== 'low' ? [escalateOpinion({ kind: 'watched' })] : [];
};

/** Weak containment is shown, but does not flag the change itself. */
const CALM = ['weak-containment'];

// guard: P1-small-change
export const selectRaisedFactors = ({ factors }: AssessedRisk): AssessedRisk['factors'] =>
  factors.filter((f) => f.level !== 'low' && !CALM.includes(f.id));

const smallChange: PolicyQuestion = (action, _context, risk) => {
  if (!isChangeAction(action) || !action.passed) return [];
  return selectRaisedFactors(risk).length === 0 ? [allowOpinion({ kind: 'small_change' })] : [];
};

export const evidencePolicies = {
  'checks-must-pass': { asks: [checksMustPass], version: 1, settings: [], card: 'own' },
  /** E13: a change may not edit its own checks unseen. */
  'check-config-changed': {
    asks: [createFactorQuestion(({ id }) => id === 'check-config')],
    version: 1,
    settings: [],
    card: 'own',
  },
  'no-high-risk-command': {
    asks: [
      createCommandQuestion({
        destructive: denyOpinion,
        'high-risk': escalateOpinion,
        opaque: escalateOpinion,
      }),
    ],
    version: 1,
    settings: [],
    card: 'shared',
  },
  'no-network-without-human': {
    asks: [createCommandQuestion({ network: escalateOpinion })],
    version: 1,
    settings: [],
    card: 'shared',
  },
  'known-command': {
    asks: [createCommandQuestion({ known: allowOpinion })],
    version: 1,
    settings: [],
    card: 'shared',
  },
  'high-risk-needs-human': {
    asks: [highRisk],
    version: 1,
    settings: ['separatePush'],
    card: 'shared',
    general: true,
  },
  'small-change': {
    asks: [smallChange],
    version: 1,
    settings: ['smallFiles', 'smallLines'],
    card: 'shared',
  },
} as const satisfies PolicyRows;
