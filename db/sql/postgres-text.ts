/**
 * Postgres holds no NUL in a text, and SQLite does: it is written by a mark that stands for it.
 * Agents and repositories print what they like.
 */

/** A noncharacter of Unicode: no text means anything by it. */
const MARK = '\uFDD0';
const NUL = '\0';

/** As it is stored. */
export const storedText = (text: string): string =>
  text.includes(NUL) || text.includes(MARK)
    ? text.replaceAll(MARK, `${MARK}1`).replaceAll(NUL, `${MARK}0`)
    : text;

/** As it was. */
export const shownText = (stored: string): string =>
  stored.includes(MARK) ? stored.replaceAll(`${MARK}0`, NUL).replaceAll(`${MARK}1`, MARK) : stored;
