/** The input of rendering, and what comes of it: a message and its buttons. */
import type { Feedback } from '#model/feedback';
import type { OpeningWindow } from '#model/schedule';
import type { Grade } from '#model/assessment';
import type { ChangedFile } from '../text/parse-patch.ts';
import { type Run } from '#run';
import type { ApprovalRow, AttemptRow } from '#ports/ledger';

/** Holds the verb of each button; the list of their rows fills it in (`bot/commands/buttons.ts`). */
// oxlint-disable-next-line typescript/no-empty-object-type -- Filled in where the rows stand.
export interface ButtonVerbs {}
export type ButtonVerb = keyof ButtonVerbs;

/** `index` distinguishes equal verbs. Telegram reports no tap on `opens` or `copies`. */
export type ViewButton = {
  verb: ButtonVerb;
  text: string;
  style?: 'danger' | 'success' | 'primary';
  index?: number;
  opens?: string;
  copies?: string;
};
/** `closed`: a card that nobody can approve or deny any more. */
export type RenderedMessage = { html: string; buttons: ViewButton[][]; closed?: true };

/** Read when the message is sent, so that it shows the run's current state. */
export type ViewScene = {
  run: Run;
  approval: ApprovalRow | null;
  attempts: readonly AttemptRow[];
  earlier?: Pick<Run, 'target'>;
  grades?: readonly { at: number; grade: Grade }[];
  /** Patch for the view; for a fix, since the last push. */
  patch: { text: string; omitted: number } | null;
  /** What a person asked for on the card before, and what is new since then; null where unknown. */
  asked?: { feedback: readonly Feedback[]; news: readonly ChangedFile[] | null };
  serverUrl?: string;
  othersWait?: boolean;
  windows?: readonly OpeningWindow[];
  /** L5: somebody else changed the card's row. */
  isRecordChanged?: boolean;
  now: number;
};
