/**
 * What a contained process sees of the disk, as one ordered list that every kind of box is built
 * from: nothing but what is named here.
 */
import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { ownHomes } from '../process/temporary-files.ts';

export type BoxMount =
  /** An empty private directory that may be written to. */
  | { kind: 'scratch'; path: string }
  /** An empty read-only directory, or an empty file, in place of what is there. */
  | { kind: 'hide'; path: string; file: boolean }
  | { kind: 'write'; path: string; from?: string }
  /** `from` where something else is shown in its place. */
  | { kind: 'read'; path: string; from?: string }
  | { kind: 'link'; path: string; target: string };

export type VisiblePaths = {
  hidden: readonly string[];
  writable: readonly string[];
  /** Where some of these are shown, instead of at their own path. */
  shownAs?: Readonly<Record<string, string>>;
  readable: readonly string[];
  /** Directories of programs: of one outside of homes, what is installed around it shows, too. */
  tools?: readonly string[];
  /** What is shown as /etc; nothing of it when left out. */
  etc?: string;
  /** What is shown besides, as it stands. */
  more?: readonly BoxMount[];
};

const SCRATCH = ['/tmp', '/var/tmp'];
/**
 * What a distribution installs. Some keep programs, or what decides whom to trust, in stores of
 * their own.
 */
const SYSTEM_FOLDERS = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'],
  ...['/nix/store', '/gnu/store', '/run/current-system', '/var/lib/ca-certificates'],
];
/**
 * In the working directory: secrets, and the limits that a hostile change would have to stay below.
 */
const HIDDEN_SETTINGS_FILES = ['.env', 'agentpr.config.json'];

const real = (place: string): string[] => (existsSync(place) ? [realpathSync(place)] : []);
const within = (inner: string, outer: string): boolean =>
  outer === '/' || inner === outer || inner.startsWith(`${outer}/`);

/** The node that runs us, with npm beside it. */
const ownNode = (): string[] => {
  const bin = path.dirname(process.execPath);
  return [bin, path.join(bin, '../lib'), path.join(bin, '../lib64')];
};

/** `/opt/jdk/bin` needs `/opt/jdk`; what lies around a directory in somebody's home is theirs. */
const installed = (tool: string): string[] => {
  const around = path.dirname(tool);
  const homes = [...ownHomes(), '/home', '/root'].flatMap(real);
  const isPrivate = homes.some((home) => within(around, home) || within(home, around));
  return path.basename(tool) === 'bin' && around.split('/').length > 2 && !isPrivate
    ? [tool, around]
    : [tool];
};

/** null when nothing is there, or nothing that we may look at. */
const linkAt = (place: string): boolean | null => {
  try {
    return lstatSync(place).isSymbolicLink();
  } catch {
    return null;
  }
};

/** The links on the way to a path, where it leads to, and each of them as it stands. */
const follow = (place: string): { links: BoxMount[]; end: string | null } => {
  const links: BoxMount[] = [];
  let at = '/';
  let rest = path.resolve(place).split('/').slice(1);
  while (rest.length > 0 && links.length < 40) {
    const [name = '', ...more] = rest;
    const next = path.join(at, name);
    if (next === '/proc' || next === '/dev') return { links, end: null };
    const isLink = linkAt(next);
    if (isLink === null) return { links, end: null };
    if (isLink) {
      const target = readlinkSync(next);
      links.push({ kind: 'link', path: next, target });
      rest = path
        .resolve(at, target, ...more)
        .split('/')
        .slice(1);
      at = '/';
    } else [at, rest] = [next, more];
  }
  return { links, end: rest.length > 0 ? null : at };
};

/** What is shown of these, with the links that lead there. */
const shown = (places: readonly string[]): BoxMount[] =>
  places.flatMap((place) => {
    const { links, end } = follow(place);
    return end === null ? links : [...links, { kind: 'read', path: end }];
  });

const nearest = (place: BoxMount, before: readonly BoxMount[]): BoxMount | undefined =>
  before.findLast(
    (outer) => outer.kind !== 'link' && outer.path !== place.path && within(place.path, outer.path),
  );

/** Whether a place around it shows, or hides, just what this one would. */
const isSettled = (place: BoxMount, before: readonly BoxMount[]): boolean => {
  const around = nearest(place, before)?.kind;
  const isShown = around === 'read' || around === 'write';
  switch (place.kind) {
    case 'hide':
      return !isShown;
    case 'read':
    case 'link':
      return isShown && !('from' in place);
    case 'scratch':
    case 'write':
      return false;
  }
};

/**
 * Of two for the same path the first counts: what may be written to is not made read-only by a wish
 * to read it.
 */
const once = (places: readonly BoxMount[]): BoxMount[] => {
  const known = new Map<string, BoxMount>();
  for (const place of places) if (!known.has(place.path)) known.set(place.path, place);
  return [...known.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
};

/**
 * Parents come before what lies in them, so that each step refines the one before: a workspace in
 * the data directory shows, and a hidden directory inside a workspace does not. Throws when a path
 * is to be both.
 */
export const boxLayout = ({
  hidden,
  writable,
  shownAs = {},
  readable,
  tools = [],
  etc,
  more = [],
}: VisiblePaths): BoxMount[] => {
  const writes = [...new Set(writable.map((place) => realpathSync(place)))];
  const asked = new Set(hidden.flatMap(real));
  const reads = readable.flatMap(real);
  const wrong = [...writes, ...reads].find((place) => asked.has(place));
  if (wrong !== undefined) throw new Error(`${wrong} is both hidden and shown to a contained process.`);
  const hides = [...asked, ...HIDDEN_SETTINGS_FILES.flatMap(real)];
  const places = once([
    ...writable.map((place): BoxMount => {
      const [from, at] = [realpathSync(place), shownAs[place]];
      return at === undefined ? { kind: 'write', path: from } : { kind: 'write', path: at, from };
    }),
    ...hides.map((p): BoxMount => ({ kind: 'hide', path: p, file: !statSync(p).isDirectory() })),
    ...SCRATCH.flatMap(real).map((place): BoxMount => ({ kind: 'scratch', path: place })),
    ...more,
    ...(etc === undefined ? [] : [{ kind: 'read', path: '/etc', from: etc } as const]),
    ...shown([...SYSTEM_FOLDERS, ...ownNode(), ...readable, ...tools.flatMap(installed)]),
  ]);
  const kept: BoxMount[] = [];
  for (const place of places) if (!isSettled(place, kept)) kept.push(place);
  return kept;
};
