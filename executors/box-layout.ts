/** What a contained process sees of the disk, as one ordered list that every kind of box is built from. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { ownHomes } from './temporary.ts';

export type Place =
  /** An empty private directory that may be written to. */
  | { kind: 'scratch'; path: string }
  /** An empty read-only directory, or an empty file, in place of what is there. */
  | { kind: 'hide'; path: string; file: boolean }
  | { kind: 'write' | 'read'; path: string };

export type Visible = { hidden: readonly string[]; writable: readonly string[]; readable: readonly string[] };

const SCRATCH = ['/tmp', '/var/tmp'];
/** Homes, sockets of services (docker among them), and what only root may read: a box may run as root. */
const HIDDEN = [
  ...['/home', '/root', '/run', '/etc/shadow', '/etc/shadow-', '/etc/gshadow', '/etc/gshadow-'],
  ...['/etc/sudoers', '/etc/sudoers.d', '/etc/ssh', '/etc/ssl/private'],
  ...['/var/spool/cron', '/var/lib/docker', '/var/backups'],
];
/** In the working directory: secrets, and the limits that a hostile change would have to stay below. */
const OURS = ['.env', 'agentpr.config.json'];
/** Never hidden as a whole: nothing would run. A home can be one of these in a container image. */
const NEEDED = [
  ...['/', '/usr', '/bin', '/sbin', '/lib', '/lib64', '/etc', '/opt', '/var', '/proc', '/dev', '/sys'],
];

const real = (place: string): string[] => (existsSync(place) ? [realpathSync(place)] : []);
const within = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(`${outer}/`);

/** Programs and name resolution must survive a hidden home or /run: node (and npm beside it), resolv.conf. */
const kept = (): string[] => {
  const bin = path.dirname(process.execPath);
  return [bin, path.join(bin, '../lib/node_modules'), '/etc/resolv.conf', '/run/current-system'];
};

/** Whether the nearest place around it has hidden it already. */
const gone = (place: Place, before: readonly Place[]): boolean => {
  const around = before.findLast((outer) => within(place.path, outer.path))?.kind;
  return around === 'hide' || around === 'scratch';
};

/**
 * Parents come before what lies in them, so that each step refines the one before: a workspace below a hidden data
 * directory shows, and a hidden directory inside a workspace does not. Throws when a path is to be both.
 */
export const layout = ({ hidden, writable, readable }: Visible): Place[] => {
  const writes = [...new Set(writable.map((place) => realpathSync(place)))];
  const reads = new Set(readable.map((place) => realpathSync(place)).filter((p) => !writes.includes(p)));
  const asked = new Set(hidden.flatMap(real));
  const wrong = [...writes, ...reads].find((place) => asked.has(place));
  if (wrong !== undefined) throw new Error(`${wrong} is both hidden and shown to a contained process.`);
  const hides = new Set([...HIDDEN, ...ownHomes(), ...OURS].flatMap(real));
  for (const place of asked) hides.add(place);
  for (const place of [...NEEDED, ...SCRATCH, ...writes, ...reads]) hides.delete(place);
  for (const place of kept().flatMap(real)) {
    const shown = [...writes, ...reads].some((outer) => within(place, outer));
    const covered = [...hides, ...SCRATCH].some((outer) => within(place, outer));
    if (covered && !shown && !asked.has(place)) reads.add(place);
  }
  const places: Place[] = [
    ...SCRATCH.flatMap(real)
      .filter((place) => !writes.includes(place))
      .map((place): Place => ({ kind: 'scratch', path: place })),
    ...[...hides].map((p): Place => ({ kind: 'hide', path: p, file: !statSync(p).isDirectory() })),
    ...writes.map((place): Place => ({ kind: 'write', path: place })),
    ...[...reads].map((place): Place => ({ kind: 'read', path: place })),
  ];
  places.sort((a, b) => (a.path < b.path ? -1 : 1));
  return places.filter((place, i) => place.kind !== 'hide' || !gone(place, places.slice(0, i)));
};
