/** Small values that every room shares: durations, lengths of text, line ends. */
export { backoffDelay } from './backoff.ts';
export { readDuration, spanOf } from './duration.ts';
export { matchesOf } from './find-all-matches.ts';
export { readHunkHeader } from './hunk-header.ts';
export { hasMoreValues } from './json-cost.ts';
export { countLines, linesOf, withLines, withoutLast } from './line-end.ts';
export { createLongText } from './long-text.ts';
export { findNewEntries } from './new-entries.ts';
export { unquoteGitName } from './quoted-git-name.ts';
export { ReaderLimitReached } from './reader-limits.ts';
export { editDistance, nearestWord } from './spelling.ts';
export { formatCount, cutStart, cutText, timeSpan } from './text-format.ts';
export { DAY, GB, HOUR, KB, MB, MINUTE, SECOND } from './units.ts';
export { withoutTraces } from './without-traces.ts';
export { hasMoreTokens } from './yaml-cost.ts';
