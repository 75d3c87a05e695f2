/** Ranks what several proposers want to do in one turn: risk first, then evidence, then size (E9). */
import type { TurnChoice } from './turn-record.ts';

type Proposal = TurnChoice['proposals'][number];
export type RankedProposal = {
  thought: Pick<Proposal['thought'], 'kind'>;
  ends: boolean;
  actions: readonly Pick<Proposal['actions'][number], 'verdict' | 'risk' | 'allowedBy'>[];
  evidence: Proposal['evidence'];
  size: number;
};

const RISKS = { low: 0, medium: 1, high: 2 } as const;
const riskOf = ({ actions }: RankedProposal): number =>
  Math.max(0, ...actions.map(({ risk }) => RISKS[risk]));

export const isValidProposal = ({ thought: { kind } }: RankedProposal): boolean =>
  kind === 'actions' || kind === 'report' || kind === 'question';
export const isDeniedProposal = ({ actions }: RankedProposal): boolean =>
  actions.some(({ verdict }) => verdict === 'deny' || verdict === 'refused');

const isPicked = ({ actions }: RankedProposal): boolean =>
  actions.some(({ allowedBy }) => allowedBy !== undefined);
const isGranted = ({ actions }: RankedProposal): boolean =>
  actions.some(({ verdict }) => verdict === 'granted');

/** S9: a turn keeps the version that ranked it; another order needs another version. */
export const RANKING_VERSION = 'ranking-1';
export const rankProposals = (
  proposals: readonly RankedProposal[],
  { isLastTurn }: { isLastTurn: boolean },
): number[] =>
  proposals
    .map((proposal, at) => ({ proposal, at }))
    // guard: E9-denied-is-dropped
    .filter(({ proposal }) => isValidProposal(proposal) && !isDeniedProposal(proposal))
    .sort(({ proposal: a, at: i }, { proposal: b, at: j }) => {
      if (isLastTurn && a.ends !== b.ends) return a.ends ? -1 : 1;
      return (
        // guard: E9-picked-goes-first
        Number(isPicked(b)) - Number(isPicked(a)) ||
        Number(isGranted(b)) - Number(isGranted(a)) ||
        riskOf(a) - riskOf(b) ||
        b.evidence.length - a.evidence.length ||
        a.size - b.size ||
        Number(a.ends) - Number(b.ends) ||
        i - j
      );
    })
    .map(({ at }) => at);
