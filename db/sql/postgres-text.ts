/**
 * Postgres holds no NUL in a text, and SQLite does: it is written by a mark that stands for it.
 * Agents and repositories print what they like.
 */

/** A noncharacter of Unicode: no text means anything by it. */
const NUL_SUBSTITUTE = '\uFDD0';
const NUL = '\0';

/** As it is stored. */
export const storedText = (text: string): string =>
  text.includes(NUL) || text.includes(NUL_SUBSTITUTE)
    ? text.replaceAll(NUL_SUBSTITUTE, `${NUL_SUBSTITUTE}1`).replaceAll(NUL, `${NUL_SUBSTITUTE}0`)
    : text;

/** As it was. */
export const shownText = (stored: string): string =>
  stored.includes(NUL_SUBSTITUTE)
    ? stored.replaceAll(`${NUL_SUBSTITUTE}0`, NUL).replaceAll(`${NUL_SUBSTITUTE}1`, NUL_SUBSTITUTE)
    : stored;
