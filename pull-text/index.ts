/** Texts of a pull request: title, template, body, commit messages, receipt. */
export { listRequiredHeadings } from './fill-template.ts';
export { openQuestions } from './template-questions.ts';
export {
  alternativeBranch,
  baseMessage,
  branchFor,
  commitMessage,
  COMPONENT_SUBJECT,
  CONVENTIONAL_SUBJECT,
  pullBody,
  findReceipt,
  readReceipt,
  revertMessage,
  titleFrom,
  withoutReceipt,
  withReceipt,
} from './pull-body.ts';
export { lacksReason } from './beyond-title.ts';
export type { FixCommit } from './commit-subjects.ts';
export { isReceiptPage, aliasOf, isPublicName, plainText, Receipt, type SignedReceipt } from './receipt.ts';
export { isDoc } from './supported-claims.ts';
