/** What contributors must do first: issues, agreements, answers. */
export {
  MissingRequirement,
  PERSONAL_REQUIREMENTS,
  RecordedAnswer,
  type RequirementAnswers,
  asAnswer,
  isAskedBy,
  missingRequirements,
  requirementAnswers,
  withNewAnswer,
} from './contributor-requirements.ts';
export {
  ISSUE_STANDINGS,
  IssueFacts,
  hasSimilarLabel,
  issueNotFree,
  issueStanding,
  findNamedIssue,
} from './issue-standing.ts';
export {
  formatClosedIssues,
  closingWords,
  withoutAskedClosing,
  isClosingWord,
  issuesIn,
  withoutClosingNotes,
  withoutUnmeantClosing,
} from './issue-references.ts';
export {
  AskedFirst,
  MAX_QUESTIONED_RUNS,
  MAX_QUOTE_LENGTH,
  MAX_SHOWN_FILE_NAME_LENGTH,
  alikeIn,
  mayBan,
  onOneCard,
  stillAsked,
} from './questions-before-work.ts';
