/** What an approval covers. */
export { OwnKeySignature, ownKeyText, type OwnKeyAction, type OwnKeyStatement } from './own-key.ts';
export {
  DecisionLeaf,
  Proposal,
  ProposalEvidence,
  SealDifference,
  SealFields,
  canonicalJson,
  isUnsignable,
  findSealDifferences,
} from './seal.ts';
