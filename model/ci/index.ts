/** Checks of the code host, and what they conclude. */
export {
  CheckFact,
  type CiFacts,
  type CiVerdict,
  type CiVerdictReason,
  type ExplainedCiVerdict,
  MergeRequirement,
  toCheckRequirement,
} from './ci-records.ts';
