/** F5, P5: builds a run's goal from a labelled issue. Its text is untrusted data. */
import { inertPlain, showInvisible } from '#text-safety';
import { cutText } from '../model/text-format.ts';

const LONGEST_TITLE = 160;
/** A message counts markup characters several times. */
const MAX_ISSUE_TEXT_LENGTH = 2_400;
const costOf = (sign: string): number => (/[<>&"]/.test(sign) ? 6 : sign.length);

/** Removes markup, references, addresses and variables. */
export const titleOf = (title: string): string => {
  const line = inertPlain(showInvisible(title).replace(/\s+/g, ' '))
    .replace(/\{(?=\{)/g, '{ ')
    .trim();
  return line === '' ? 'What the issue asks for' : cutText(line, LONGEST_TITLE);
};

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
