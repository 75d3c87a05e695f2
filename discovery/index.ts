/** Reads from a repository's files which checks, contribution rules and toolchains it asks for. */
export { mergeCurrentRules } from './merge-current-rules.ts';
export { selectConcernedChecks } from './concerned-checks.ts';
export {
  type ContributionRequirements,
  findNamedGuides,
  type OwnerFiles,
} from './contribution-requirements.ts';
export { findDenouncement, isOnContributorList } from './contribution-rules.ts';
export { selectContractFiles } from './discover-contract.ts';
export { findFileLinters, type FileLinter } from './file-linters.ts';
export { type LintComplaint, findNewComplaints, readComplaints } from './lint-complaints.ts';
export { cannotFail, isListingOnly, hasMeaninglessExit } from './listing-options.ts';
export { mayUseTool } from './required-tools.ts';
export {
  type OnReading,
  readContract,
  readContributionRequirements,
  type RepositoryTexts,
} from './read-repository.ts';
export { parseNamedFiles, refineContract, type RefinedContract } from './refine-contract.ts';
export { CONTRIBUTOR_LIST_PATHS, OWNER_FILES, OWNER_REPOSITORY } from './rule-files.ts';
export { parsePackageScripts } from './probes/node.ts';
export { mayFetchProgram } from './unwrap-command.ts';
