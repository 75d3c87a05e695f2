/**
 * F5, P5: what a run is told of an issue that somebody labelled. Anybody may have written it: its title
 * leads nowhere and closes nothing, and its words reach an agent as data, as much as a card can show.
 */
import { inertPlain, showInvisible } from '#text-safety';
import { cutText } from '../text-format.ts';

const LONGEST_TITLE = 160;
/** As a message counts them, where signs of markup take several. */
const MAX_ISSUE_TEXT_LENGTH = 2_400;
const costOf = (sign: string): number => (/[<>&"]/.test(sign) ? 6 : sign.length);

/** One line without markup, references, addresses or variables. */
export const titleOf = (title: string): string => {
  const line = inertPlain(showInvisible(title).replace(/\s+/g, ' '))
    .replace(/\{(?=\{)/g, '{ ')
    .trim();
  return line === '' ? 'What the issue asks for' : cutText(line, LONGEST_TITLE);
};

/** As it is shown and read; what is too long says so. */
export const quotedFrom = (title: string, body: string): string => {
  const whole = showInvisible(`${title.replace(/\s+/g, ' ')}\n\n${body}`).trim();
  let [room, end] = [MAX_ISSUE_TEXT_LENGTH, 0];
  for (const sign of whole) {
    if ((room -= costOf(sign)) < 0) break;
    end += sign.length;
  }
  const left = whole.length - end;
  return left === 0 ? whole : `${whole.slice(0, end)}\n… (${left} more characters stand in the issue)`;
};
