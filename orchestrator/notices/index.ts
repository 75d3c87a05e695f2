/** Messages about the installation and its work, and links to the board. */
export { startActivityNotes } from './activity-notice.ts';
export {
  createBoardAccess,
  type BoardAccess,
  type BoardVisitor,
  type OpenedSession,
} from './board-access.ts';
export { nextApproverInboxItem, pinCardInboxItem } from './card-reminders.ts';
export { modelReplyInboxItem, type ModelShow } from './model-reply.ts';
export { createDeciderTest, morningSummaryInboxItem } from './morning-summary.ts';
export { findNoteOfferInboxItem } from './note-offer.ts';
export { handleNotice } from './notice-handlers.ts';
export {
  bootInboxItem,
  ledgerChangeInboxItem,
  connectionInboxItem,
  passkeyInboxItem,
} from './work-notices.ts';
