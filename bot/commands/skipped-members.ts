/** Tells what a tap for several runs did not reach, and why. */
import { escapeLine, fitLines } from '../text/telegram-html.ts';
import { htmlReply, type CommandContext, type CommandReply } from './command-context.ts';

export type Fell = { name: string; why: string };

const MOST_TOLD = 20;
export const renderSkippedMembers = (
  { words: { fleet } }: CommandContext,
  heading: string,
  fell: readonly Fell[],
): CommandReply => {
  const lines = fell.slice(0, MOST_TOLD).map(({ name, why }) => `${name}: ${why}`);
  const rest = fell.length > MOST_TOLD ? [fleet.more(fell.length - MOST_TOLD)] : [];
  return htmlReply(fitLines([heading, ...lines, ...rest].map((line) => escapeLine(line, 300))));
};
