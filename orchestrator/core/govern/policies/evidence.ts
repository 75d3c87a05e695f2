/** Policies over evidence and risk: checks, commands, the signature that high risk needs, and the one explicit allow. */
import { allow, deny, escalate, isChange, note, type Judgement, type Policy } from '../action.ts';
import { judgeCommand, type CommandFactor } from '../command.ts';
import { listed } from '../paths.ts';

const checksMustPass: Policy = {
  id: 'checks-must-pass',
  judge: (action) => {
    if (!isChange(action)) return [];
    const named = (outcomes: readonly string[]): string[] =>
      action.checks.filter((c) => outcomes.includes(c.outcome)).map((c) => c.name);
    const failed = named(['failed', 'timed_out']);
    if (!action.passed || failed.length > 0)
      return [deny(failed.length > 0 ? `checks fail: ${failed.join(', ')}` : 'the checks did not pass')];
    if (named(['passed']).length === 0) return [escalate('no check of this repository could be run')];
    const missing = named(['not_run']);
    return missing.length > 0 ? [note(`some checks could not be run: ${missing.join(', ')}`)] : [];
  },
};

/** E13: whoever is judged does not change the judge unseen. */
const judgesChanged: Policy = {
  id: 'judges-changed',
  judge: (action) => {
    const judges = isChange(action) ? action.judges : null;
    if (!judges) return [];
    const files = listed(judges.files);
    if (judges.base === null) return [escalate(`it changes what judges it: ${files}`)];
    const fails = judges.base.filter((c) => c.outcome !== 'passed').map((c) => c.name);
    return fails.length > 0
      ? [escalate(`checks pass only with what it changes: ${files}`)]
      : [escalate(`it changes what judges it: ${files}`)];
  },
};

const overCommand = (
  id: string,
  say: Partial<Record<CommandFactor['id'], (r: string) => Judgement>>,
): Policy => ({
  id,
  judge: (action) =>
    action.kind === 'command'
      ? judgeCommand(action.command).flatMap((f) => {
          const verdict = say[f.id]?.(f.reason);
          return verdict ? [verdict] : [];
        })
      : [],
});

const noHighRisk = overCommand('no-high-risk-command', {
  destructive: deny,
  'high-risk': escalate,
  opaque: escalate,
});
const noNetwork = overCommand('no-network-without-human', { network: escalate });
const knownCommand = overCommand('known-command', { known: allow });

/** G6: high risk always needs a signature; so does more than low risk where others are reading already. */
const highRisk: Policy = {
  id: 'high-risk-needs-human',
  judge: (action, _context, risk) => {
    if (risk.level === 'high') return [escalate('high risk always needs a signature')];
    const watched = action.kind === 'push' && action.iteration;
    return watched && risk.level !== 'low'
      ? [escalate('others read this pull request already, and the risk is above low')]
      : [];
  },
};

/** Weak containment is shown, yet it says nothing about the change itself. */
const CALM = ['weak-containment'];

const smallChange: Policy = {
  id: 'small-change',
  judge: (action, _context, risk) => {
    if (!isChange(action) || !action.passed) return [];
    const flags = risk.factors.filter((f) => f.level !== 'low' && !CALM.includes(f.id));
    return flags.length === 0 ? [allow('a small change to plain files, with our checks green')] : [];
  },
};

export const evidencePolicies: readonly Policy[] = [
  checksMustPass,
  judgesChanged,
  noHighRisk,
  noNetwork,
  knownCommand,
  highRisk,
  smallChange,
];
