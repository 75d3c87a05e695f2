/** Finds the bans on AI changes that hold up a run and that nobody has overruled (P3). */
import type { RunTarget, RunLifecycle } from '../run/run.ts';

type Quote = { quote: string; file: string; line: number };

const isSameQuote = (one: Quote, other: Quote): boolean =>
  one.file === other.file && one.quote === other.quote;

export const findAiBan = (run: { target: Pick<RunTarget, 'contract' | 'overruledBans'> }): Quote | null => {
  const { contract, overruledBans: overruled } = run.target;
  const ban = contract?.rules.find((r) => r.kind === 'ai_ban' && !overruled.some((o) => isSameQuote(o, r)));
  return ban ? { quote: ban.quote, file: ban.file, line: ban.line } : null;
};

export const bansStoppingRun = (run: { lifecycle: Pick<RunLifecycle, 'state' | 'reason'> }): Quote[] => {
  const { state, reason } = run.lifecycle;
  if (state !== 'NEEDS_HUMAN_REVIEW') return [];
  if (reason.kind === 'ai_banned') return [{ quote: reason.quote, file: reason.file, line: reason.line }];
  if (reason.kind !== 'policy_denied') return [];
  return reason.objections.flatMap(({ reason: said }) =>
    said.kind === 'rule' && said.rule === 'ai_ban'
      ? [{ quote: said.quote, file: said.file, line: said.line }]
      : [],
  );
};
