/** What an approval covers. */
export {
  OWN_KEY_ACTIONS,
  OwnKeySignature,
  ownKeyText,
  type OwnKeyAction,
  type OwnKeyStatement,
} from './own-key.ts';
export {
  DecisionLeaf,
  Proposal,
  ProposalEvidence,
  SealDifference,
  SealFields,
  canonicalJson,
  isUnsignable,
  whatMoved,
} from './seal.ts';
