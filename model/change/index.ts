/** What a change contains: files, commits, dependencies, findings. */
export { MAX_PICTURE_SIDES, PictureSide, type TreePictures, changedPictureSides } from './change-pictures.ts';
export {
  type BaseMerge,
  Commit,
  DiffFacts,
  DiscardedEdits,
  FileChange,
  ForeignHead,
  MergedBase,
  SkippedFile,
} from './change-records.ts';
export {
  ChangeSurvival,
  type SurvivalDays,
  SurvivalObserved,
  hasSurvived,
  findDueSurvivalDays,
} from './change-survival.ts';
export { DependencyChange } from './dependency-changes.ts';
export { FINDING_KINDS, Finding, FindingNote, type FindingNoteOf } from './finding-records.ts';
export { SecretName, secretNameOf } from './secret-names.ts';
export { SuggestedEdit, findSuggestedEdit, applySuggestedEdits } from './suggested-edits.ts';
