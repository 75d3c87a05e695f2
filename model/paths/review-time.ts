/** Estimates a change's review time (F9). */
import type { DiffFacts, FileChange } from '#model/change';
import { isLockfile, isTest } from './path-kinds.ts';

/** 200 to 400 lines an hour find most (Cohen, "Best Kept Secrets of Peer Code Review"). */
const LINES_AN_HOUR = 400;
const DELETED_LINE_WEIGHT = 0.2;
const TEST_LINE_WEIGHT = 0.5;
/** Overhead per file (minutes). */
const A_FILE = 0.5;

const linesOf = ({ path, added, deleted, binary }: FileChange): number =>
  binary || isLockfile(path)
    ? 0
    : (added + deleted * DELETED_LINE_WEIGHT) * (isTest(path) ? TEST_LINE_WEIGHT : 1);

export const minutesToReview = ({ files }: Pick<DiffFacts, 'files'>): number => {
  const reading = files.reduce((n, f) => n + linesOf(f), 0) / (LINES_AN_HOUR / 60);
  const exact = reading + files.length * A_FILE;
  return exact < 10 ? Math.max(1, Math.round(exact)) : Math.round(exact / 5) * 5;
};

export const countLinesToRead = ({ files }: Pick<DiffFacts, 'files'>): number =>
  files.reduce((n, f) => n + (isLockfile(f.path) ? 0 : f.added), 0);
