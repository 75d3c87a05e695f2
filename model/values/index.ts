/** Small values that every room shares: durations, lengths of text, line ends. */
export { backoffDelay } from './backoff.ts';
export { readDuration, toWholeUnits } from './duration.ts';
export { findAllMatches } from './find-all-matches.ts';
export { readHunkHeader } from './hunk-header.ts';
export { hasMoreJsonValues } from './json-parse-cost.ts';
export { countLines, iterateLines, normalizeLineEnds, trimEndCharacters } from './text-lines.ts';
export { createTextBuilder } from './text-builder.ts';
export { findNewEntries } from './new-entries.ts';
export { unquoteGitName } from './quoted-git-name.ts';
export { ReaderLimitReached } from './reader-limits.ts';
export { editDistance, nearestWord } from './edit-distance.ts';
export { formatCount, cutStart, cutText, formatTimeSpan } from './text-format.ts';
export { DAY, GB, HOUR, KB, MB, MINUTE, SECOND } from './units.ts';
export { withoutStackTraces } from './suspend-stack-traces.ts';
export { hasMoreYamlTokens } from './yaml-parse-cost.ts';
