/** What contributors must do first: issues, agreements, answers. */
export {
  MissingRequirement,
  PERSONAL_REQUIREMENTS,
  RecordedAnswer,
  type RequirementAnswers,
  parseRequirementAnswer,
  hasRequirementRule,
  missingRequirements,
  requirementAnswers,
  withNewAnswer,
} from './contributor-requirements.ts';
export {
  ISSUE_STANDINGS,
  IssueFacts,
  hasSimilarLabel,
  checkIssueFree,
  issueStanding,
  findNamedIssue,
} from './issue-standing.ts';
export {
  formatClosedIssues,
  closingWords,
  withoutAskedClosing,
  isClosingWord,
  findIssueReferences,
  withoutClosingNotes,
  withoutUnmeantClosing,
} from './issue-references.ts';
export {
  AskedFirst,
  MAX_QUESTIONED_RUNS,
  MAX_QUOTE_LENGTH,
  MAX_SHOWN_FILE_NAME_LENGTH,
  groupAlikeQuestions,
  mayBan,
  selectForOneCard,
  selectStillAsked,
} from './questions-before-work.ts';
