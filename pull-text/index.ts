/** Texts of a pull request: title, template, body, commit messages, receipt. */
export { listRequiredHeadings } from './fill-template.ts';
export { findOpenQuestions } from './template-questions.ts';
export {
  alternativeBranch,
  baseMergeMessage,
  composeBranchName,
  commitMessage,
  COMPONENT_SUBJECT,
  CONVENTIONAL_SUBJECT,
  pullBody,
  findReceipt,
  readReceipt,
  revertMessage,
  composePullTitle,
  withoutReceipt,
  withReceipt,
} from './pull-body.ts';
export { isReasonMissing } from './beyond-title.ts';
export type { FixCommit } from './commit-subjects.ts';
export {
  isReceiptPage,
  aliasOf,
  isPublicName,
  normalizeBody,
  Receipt,
  type SignedReceipt,
} from './receipt.ts';
export { isDoc } from './supported-claims.ts';
