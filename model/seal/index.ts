/** What an approval covers. */
export {
  Proposal,
  ProposalEvidence,
  SealDifference,
  SealFields,
  canonicalJson,
  isUnsignable,
  whatMoved,
} from './seal.ts';
