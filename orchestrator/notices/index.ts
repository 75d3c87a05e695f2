/** Messages about the installation and its work, and links to the board. */
export { startActivityNotes } from './activity-notice.ts';
export {
  createBoardAccess,
  type BoardAccess,
  type BoardVisitor,
  type OpenedSession,
} from './board-access.ts';
export { nextApproverNote, pinNote } from './card-reminders.ts';
export { modelNote, type ModelShow } from './model-reply.ts';
export { isDeciderOf, morningSummaryNote } from './morning-summary.ts';
export { noteOfferOf } from './note-offer.ts';
export { handleNotice } from './notice-handlers.ts';
export { bootNote, noteOfChangedRuns, connectionNote, passkeyNote } from './work-notices.ts';
