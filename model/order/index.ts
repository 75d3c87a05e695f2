/** What a person asks for: the order, its pictures, and the pull requests that it takes up. */
export { ADOPTED_MARKS, type AdoptedMark, AdoptedPull, MAX_ADOPTED_PULLS } from './adopted-pull.ts';
export { MergedPull } from './merged-pull.ts';
export {
  BranchName,
  CampaignId,
  FollowedPull,
  INSTALL_MODES,
  MAX_ORDERED_FIXES,
  MAX_PROPOSERS,
  OpaqueId,
  Order,
  OrderProposers,
  OrderedEngineName,
  OrderedFix,
  Person,
  type PromptExperiment,
  RepositoryName,
  enginesInTurn,
  hasOrderedChecks,
  proposersOfEngine,
  readProposer,
} from './order.ts';
export { drawPromptSet, isAdaptedToEngine } from './prompt-sets.ts';
export {
  MAX_SENT_PICTURE_BYTES,
  PICTURE_ARTIFACT,
  PICTURE_PART_LENGTH,
  SentPicture,
  type SentPictureKind,
} from './sent-picture.ts';
