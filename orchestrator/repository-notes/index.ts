/** Notes of a repository: what was asked for again, and what an approver wants every agent to know. */
export {
  addNote,
  changeNote,
  forgetNote,
  type KeptNote,
  MAX_NOTE_LENGTH,
  MAX_NOTES,
  readNotes,
  listNotedRepositories,
  toNoteText,
} from './kept-notes.ts';
export { countWishes, findRepeatedWish, isAlike, type RepeatedWish } from './repeated-wishes.ts';
