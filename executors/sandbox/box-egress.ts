/** Forwards a port on the loopback of a box without network to one socket outside. */
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import type { BoxMount } from './box-layout.ts';

export type BoxEgress = { socket: string; port: number };

export const EGRESS_PORT = 17_117;

const SOCKET = '/box/door/out';
const source = fileURLToPath(import.meta.resolve('#programs/box-forwarder'));
/** The extension marks it as a module, because it has no package.json. */
const FORWARDER = `/box/door/forwarder.m${path.extname(source).slice(1)}`;

export const egressMounts = ({ socket }: BoxEgress): BoxMount[] => [
  { kind: 'read', path: SOCKET, from: socket },
  { kind: 'read', path: FORWARDER, from: source },
];

/** The command replaces the shell, so signals and exit code are its own. */
const SCRIPT = String.raw`
node=$1 forwarder=$2 out=$3 port=$4; shift 4
mkfifo /tmp/.agentpr-door 2>/dev/null
( env -i "$node" --no-warnings "$forwarder" "$out" "$port" </dev/null >/tmp/.agentpr-door 2>/dev/null & )
read -r said </tmp/.agentpr-door
rm -f /tmp/.agentpr-door
[ "$said" = open ] || { echo "containment: the way out of the box could not be opened" >&2; exit 126; }
unset node forwarder out port said
exec "$@"`;

export const wrapInEgress = (
  { port }: BoxEgress,
  argv: readonly [string, ...string[]],
): [string, ...string[]] => [
  ...(['sh', '-c', SCRIPT, 'sh', realpathSync(process.execPath), FORWARDER, SOCKET] as const),
  ...[String(port), ...argv],
];
