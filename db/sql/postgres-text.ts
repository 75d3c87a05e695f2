/** Encodes NUL, which Postgres text cannot hold but process output may contain. */

/** A Unicode noncharacter, never used in text. */
const NUL_SUBSTITUTE = '\uFDD0';
const NUL = '\0';

export const encodeNul = (text: string): string =>
  text.includes(NUL) || text.includes(NUL_SUBSTITUTE)
    ? text.replaceAll(NUL_SUBSTITUTE, `${NUL_SUBSTITUTE}1`).replaceAll(NUL, `${NUL_SUBSTITUTE}0`)
    : text;

export const decodeNul = (stored: string): string =>
  stored.includes(NUL_SUBSTITUTE)
    ? stored.replaceAll(`${NUL_SUBSTITUTE}0`, NUL).replaceAll(`${NUL_SUBSTITUTE}1`, NUL_SUBSTITUTE)
    : stored;
