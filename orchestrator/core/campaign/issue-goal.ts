/**
 * F5, P5: what a run is told of an issue that somebody labelled. Anybody may have written it: its title
 * leads nowhere and closes nothing, and its words reach an agent as data, as much as a card can show.
 */
import { visible } from '../invisible.ts';
import { inertPlain } from '../public-text.ts';
import { cut } from '../text.ts';

const LONGEST_TITLE = 160;
/** As a message counts them, where signs of markup take several. */
const ROOM = 2_400;
const costOf = (sign: string): number => (/[<>&"]/.test(sign) ? 6 : sign.length);

/** One line without markup, references, addresses or variables. */
export const titleOf = (title: string): string => {
  const line = inertPlain(visible(title).replace(/\s+/g, ' '))
    .replace(/\{(?=\{)/g, '{ ')
    .trim();
  return line === '' ? 'What the issue asks for' : cut(line, LONGEST_TITLE);
};

/** As it is shown and read; what is too long says so. */
export const quotedFrom = (title: string, body: string): string => {
  const whole = visible(`${title.replace(/\s+/g, ' ')}\n\n${body}`).trim();
  let [room, end] = [ROOM, 0];
  for (const sign of whole) {
    if ((room -= costOf(sign)) < 0) break;
    end += sign.length;
  }
  const left = whole.length - end;
  return left === 0 ? whole : `${whole.slice(0, end)}\n… (${left} more characters stand in the issue)`;
};
