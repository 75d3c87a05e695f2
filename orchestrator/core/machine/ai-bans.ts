import type { RunTarget, RunLifecycle } from './run.ts';
/** P3: the bans on changes by agents that a run stands at, and that nobody has overruled. */

type Quote = { quote: string; file: string; line: number };

const same = (a: Quote, b: Quote): boolean => a.file === b.file && a.quote === b.quote;

/** The first ban of the contract that nobody overruled. */
export const banIn = ({
  target: { contract, overruledBans: overruled },
}: {
  target: Pick<RunTarget, 'contract' | 'overruledBans'>;
}): Quote | null => {
  const ban = contract?.rules.find((r) => r.kind === 'ai_ban' && !overruled.some((o) => same(o, r)));
  return ban ? { quote: ban.quote, file: ban.file, line: ban.line } : null;
};

/**
 * What the run stands at: the ban of its reason, or those that the governor named when it denied.
 */
export const bansAt = ({
  lifecycle: { state, reason },
}: {
  lifecycle: Pick<RunLifecycle, 'state' | 'reason'>;
}): Quote[] => {
  if (state !== 'NEEDS_HUMAN_REVIEW') return [];
  if (reason.kind === 'ai_banned') return [{ quote: reason.quote, file: reason.file, line: reason.line }];
  if (reason.kind !== 'policy_denied') return [];
  return reason.objections.flatMap(({ reason: said }) =>
    said.kind === 'rule' && said.rule === 'ai_ban'
      ? [{ quote: said.quote, file: said.file, line: said.line }]
      : [],
  );
};
