/**
 * The one way out of a box without a network: a port of its loopback that leads to a socket outside.
 */
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import type { BoxMount } from './box-layout.ts';

/** `socket` is a path outside; `port` is on the box's own loopback. */
export type BoxEgress = { socket: string; port: number };

/** Of every box alike: its loopback is its own. */
export const EGRESS_PORT = 17_117;

const SOCKET = '/box/door/out';
const source = fileURLToPath(import.meta.resolve('#programs/box-forwarder'));
/** Its name says that it is a module: no package.json stands beside it there. */
const FORWARDER = `/box/door/forwarder.m${path.extname(source).slice(1)}`;

export const egressMounts = ({ socket }: BoxEgress): BoxMount[] => [
  { kind: 'read', path: SOCKET, from: socket },
  { kind: 'read', path: FORWARDER, from: source },
];

/**
 * The command takes the place of the shell, so that its signals and its end are its own; the
 * forwarder is nobody's child and falls with the box.
 */
const SCRIPT = String.raw`
node=$1 forwarder=$2 out=$3 port=$4; shift 4
mkfifo /tmp/.agentpr-door 2>/dev/null
( env -i "$node" --no-warnings "$forwarder" "$out" "$port" </dev/null >/tmp/.agentpr-door 2>/dev/null & )
read -r said </tmp/.agentpr-door
rm -f /tmp/.agentpr-door
[ "$said" = open ] || { echo "containment: the way out of the box could not be opened" >&2; exit 126; }
unset node forwarder out port said
exec "$@"`;

export const throughEgress = (
  { port }: BoxEgress,
  argv: readonly [string, ...string[]],
): [string, ...string[]] => [
  ...(['sh', '-c', SCRIPT, 'sh', realpathSync(process.execPath), FORWARDER, SOCKET] as const),
  ...[String(port), ...argv],
];
