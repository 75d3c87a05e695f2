/** Notes of a repository: what was asked for again, and what an approver wants every agent to know. */
export {
  addNote,
  changeNote,
  forgetNote,
  type RepositoryNote,
  MAX_NOTE_LENGTH,
  readNotes,
  listNotedRepositories,
} from './note-store.ts';
export { countPersonRequests, findRepeatedRequest } from './repeated-wishes.ts';
