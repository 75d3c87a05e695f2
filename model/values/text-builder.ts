/** Text put together from very many pieces, without any of them staying in memory by itself. */

const MAX_PIECES = 1_000;

type LongText = { add: (piece: string) => void; join: () => string };

/** A sum of strings keeps each of them until somebody reads it: many times the size of the text. */
export const createTextBuilder = (between = ''): LongText => {
  const parts: string[] = [];
  let pieces: string[] = [];
  const closePart = (): void => {
    if (pieces.length > 0) parts.push(pieces.join(between));
    pieces = [];
  };
  return {
    add: (piece) => {
      pieces.push(piece);
      if (pieces.length === MAX_PIECES) closePart();
    },
    join: () => {
      closePart();
      return parts.join(between);
    },
  };
};
