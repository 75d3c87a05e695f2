/** Policies over evidence and risk: checks, commands, the signature that high risk needs, and the one explicit allow. */
import type { Judgement } from '../../judgements.ts';
import { allow, deny, escalate, isChange, note, type Opinion, type Judge } from '../action.ts';
import { madeToPass } from '../../facts.ts';
import { judgeCommand, type CommandFactor } from '../command.ts';
import { aboutPaths, listed } from '../paths.ts';

export const checksMustPass: Judge = (action) => {
  if (!isChange(action)) return [];
  const named = (outcomes: readonly string[]): string[] =>
    action.checks.filter((c) => outcomes.includes(c.outcome)).map((c) => c.name);
  const failed = named(['failed', 'timed_out']);
  if (!action.passed || failed.length > 0) return [deny({ kind: 'checks_fail', names: failed })];
  if (named(['passed']).length === 0) return [escalate({ kind: 'no_check' })];
  const missing = named(['not_run']);
  return missing.length > 0 ? [note({ kind: 'checks_missing', names: missing })] : [];
};

/** E13: whoever is judged does not change the judge unseen. */
export const judgesChanged: Judge = (action) => {
  const judges = isChange(action) ? action.judges : null;
  if (!judges) return [];
  const names = madeToPass(judges);
  return names.length > 0
    ? [escalate({ kind: 'judges_needed', names, ...listed(judges.files) })]
    : aboutPaths('judges_changed', judges.files).map(escalate);
};

const overCommand =
  (say: Partial<Record<CommandFactor['id'], (r: Judgement) => Opinion>>): Judge =>
  (action) =>
    action.kind === 'command'
      ? judgeCommand(action.command).flatMap((f) => {
          const verdict = say[f.id]?.(f.reason);
          return verdict ? [verdict] : [];
        })
      : [];

export const noHighRisk = overCommand({
  destructive: deny,
  'high-risk': escalate,
  opaque: escalate,
});
export const noNetwork = overCommand({ network: escalate });
export const knownCommand = overCommand({ known: allow });

/** G6: high risk always needs a signature; so does more than low risk where others are reading already. */
export const highRisk: Judge = (action, _context, risk) => {
  if (risk.level === 'high') return [escalate({ kind: 'high_risk' })];
  const watched = action.kind === 'push' && action.iteration;
  return watched && risk.level !== 'low' ? [escalate({ kind: 'watched' })] : [];
};

/** Weak containment is shown, yet it says nothing about the change itself. */
const CALM = ['weak-containment'];

export const smallChange: Judge = (action, _context, risk) => {
  if (!isChange(action) || !action.passed) return [];
  // guard: P1-small-change
  const flags = risk.factors.filter((f) => f.level !== 'low' && !CALM.includes(f.id));
  return flags.length === 0 ? [allow({ kind: 'small_change' })] : [];
};
