/** Ends a box when AgentPR ends, also one that AgentPR was just opening (L6). */
import type { BoxCommand } from './box-commands.ts';

export const LIFELINE_FD = 5;

export const LIFELINE: BoxCommand['inherit'][number] = { fd: LIFELINE_FD, content: null };

/**
 * The kernel ends a box with its parent only once bubblewrap has asked for that. The reader has no
 * parent in the box, so that the command has no child that it does not know.
 */
const LIFELINE_READER = String.raw`
( { read -r _ <&${LIFELINE_FD}; kill -9 -1; } >/dev/null 2>&1 & )
exec ${LIFELINE_FD}<&-
command -v "$1" >/dev/null || { echo "containment: $1 is not in the box" >&2; exit 127; }
exec "$@"`;

/** Only for a box with process ids of its own: the reader kills all that it sees. */
export const wrapInLifeline = (argv: readonly [string, ...string[]]): [string, ...string[]] => [
  ...(['/bin/sh', '-c', LIFELINE_READER, 'sh'] as const),
  ...argv,
];
