/** Answers a tap with a pop-up, and with a message when the pop-up is likely lost. */
import { plainReply, settleUpdate, type CommandReply, type CommandContext } from './command-context.ts';

export type TapAnswer = { callbackId: string; text: string; alert: boolean };
export type PendingTapAnswer = Promise<Omit<TapAnswer, 'callbackId'>>;

/** Taps handled later than this are also answered by a message, because pop-ups expire (ms). */
const LATE_MS = 10_000;

export const messageIfLate = (context: CommandContext, text: string): CommandReply[] =>
  context.clock.now() - context.row.receivedAt > LATE_MS ? [plainReply(text)] : [];

export const settleTap = async (
  context: CommandContext,
  text: string,
  alert: boolean,
  ...answers: CommandReply[]
): PendingTapAnswer => {
  await settleUpdate(context, text, ...answers, ...messageIfLate(context, text));
  return { text, alert };
};

export type HandledUpdate = { tap?: TapAnswer };
