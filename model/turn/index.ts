/** Recorded turns of a governed agent. */
export { type ProposerTotal, proposerTotals } from './proposer-totals.ts';
export { RANKING_VERSION, isDeniedProposal, isValidProposal, rankProposals } from './rank-proposals.ts';
export { parseTurnFacts, readTurnTexts, readRecordedTurns } from './recorded-turns.ts';
export {
  type DraftedAction,
  type DraftedChoice,
  type DraftedProposal,
  type KnownOfProposal,
  type ProposalResult,
  type RecordedTurn,
  StoredTexts,
  TURN_TRANSITIONS,
  TextRef,
  type TurnAction,
  type TurnDraft,
  TurnFacts,
  TurnHead,
  type TurnState,
  isLegalTurnPath,
  textsOfTurn,
  turnFacts,
} from './turn-record.ts';
