/** The last known position of the installation's log, outside the database, to detect rollbacks (L5). */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { isSameRowMac, type RowMac } from './row-mac.ts';

export type AnchoredEvent = { seq: number; hash: string };
export type LedgerAnchor = {
  reached(): AnchoredEvent | null;
  set(reached: AnchoredEvent): void;
};

export const createAnchor = (file: string, seal: RowMac): LedgerAnchor => {
  const textOf = ({ seq, hash }: AnchoredEvent): string =>
    `${seq} ${hash} ${seal('anchor', ['seq', 'hash'], { seq, hash })}`;
  const readAnchorText = (): string => {
    try {
      return readFileSync(file, 'utf8').trim();
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
      throw error;
    }
  };
  const writeAnchorText = (text: string): void => {
    const fd = openSync(`${file}.new`, 'w', 0o600);
    try {
      writeSync(fd, `${text}\n`);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(`${file}.new`, file);
  };
  return {
    reached: () => {
      const text = readAnchorText();
      const [seq = '', hash = ''] = text.split(' ');
      const reached = { seq: Number(seq), hash };
      // guard: L5-anchor-mark
      return isSameRowMac(textOf(reached), text) ? reached : null;
    },
    set: (reached) => {
      const text = textOf(reached);
      if (text !== readAnchorText()) writeAnchorText(text);
    },
  };
};
