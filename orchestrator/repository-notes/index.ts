/** Notes of a repository: what was asked for again, and what an approver wants every agent to know. */
export {
  addNote,
  changeNote,
  forgetNote,
  type RepositoryNote,
  MAX_NOTE_LENGTH,
  readNotes,
  listNotedRepositories,
  toNoteText,
} from './note-store.ts';
export { countWishes, findRepeatedWish, isAlike } from './repeated-wishes.ts';
