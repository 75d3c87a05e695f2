/** Every button, by its verb. */
import { PERMISSION_BUTTONS } from './answer-permission.ts';
import { CAMPAIGN_BUTTONS } from './campaign-buttons.ts';
import { CLUSTER_BUTTONS } from './cluster-buttons.ts';
import { QUESTIONS_BUTTONS } from './decide-from-list.ts';
import type { ButtonRow } from './define-button.ts';
import { COMMENT_BUTTONS } from './forward-comment.ts';
import { GATE_BUTTONS } from './gate-buttons.ts';
import { VOICE_BUTTONS } from './handle-voice-note.ts';
import { NOTE_BUTTONS } from './repository-notes.ts';
import { OPEN_REMARK_BUTTONS } from './open-remark-buttons.ts';
import { REVIEW_BUTTONS } from './review-buttons.ts';
import { RUN_BUTTONS } from './run-buttons.ts';
import { CHOICE_BUTTONS } from './run-proposed-command.ts';
import { SPENDING_BUTTONS } from './spending-buttons.ts';
import { TEXT_BUTTONS } from './quick-reply-buttons.ts';
import { VIEWER_BUTTONS } from './view-change.ts';

export const BUTTONS = [
  ...GATE_BUTTONS,
  ...VIEWER_BUTTONS,
  ...RUN_BUTTONS,
  ...PERMISSION_BUTTONS,
  ...QUESTIONS_BUTTONS,
  ...COMMENT_BUTTONS,
  ...NOTE_BUTTONS,
  ...OPEN_REMARK_BUTTONS,
  ...REVIEW_BUTTONS,
  ...CLUSTER_BUTTONS,
  ...CAMPAIGN_BUTTONS,
  ...CHOICE_BUTTONS,
  ...SPENDING_BUTTONS,
  ...TEXT_BUTTONS,
  ...VOICE_BUTTONS,
];
type VerbsOfRows = Record<(typeof BUTTONS)[number]['verb'], true>;

// Views stand below commands, and may draw only a verb that has a row.
declare module '../views/scene.ts' {
  // oxlint-disable-next-line typescript/no-empty-object-type -- Its members are the verbs.
  interface ButtonVerbs extends VerbsOfRows {}
}

export const findButton = (verb: string): ButtonRow | undefined => BUTTONS.find((one) => one.verb === verb);
