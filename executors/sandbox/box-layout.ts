/** Lists the parts of the disk that a contained process sees, for every kind of box. */
import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { listOwnHomes } from '../process/temporary-directories.ts';

export type BoxMount =
  /** Empty, private and writable. */
  | { kind: 'scratch'; path: string }
  /** Empty and read-only, over the real one. */
  | { kind: 'hide'; path: string; file: boolean }
  | { kind: 'write'; path: string; from?: string }
  /** Set `from` if the real path differs. */
  | { kind: 'read'; path: string; from?: string }
  | { kind: 'link'; path: string; target: string };

type VisiblePaths = {
  hidden: readonly string[];
  writable: readonly string[];
  shownAs?: Readonly<Record<string, string>>;
  readable: readonly string[];
  /** Program directories; outside of homes, their whole installation is shown. */
  tools?: readonly string[];
  etc?: string;
  more?: readonly BoxMount[];
  /** False where an image brings the system, and its scratch space. */
  system?: boolean;
};

const SCRATCH = ['/tmp', '/var/tmp'];
const SYSTEM_FOLDERS = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'],
  ...['/nix/store', '/gnu/store', '/run/current-system', '/var/lib/ca-certificates'],
];
/** A hostile change could read our secrets and limits there. */
// guard: E3-settings-hidden
const HIDDEN_SETTINGS_FILES = ['.env', 'agentpr.config.json'];

const realPathsOf = (place: string): string[] => (existsSync(place) ? [realpathSync(place)] : []);
const isWithin = (inner: string, outer: string): boolean =>
  outer === '/' || inner === outer || inner.startsWith(`${outer}/`);

const ownNode = (): string[] => {
  const bin = path.dirname(process.execPath);
  return [bin, path.join(bin, '../lib'), path.join(bin, '../lib64')];
};

/** `/opt/jdk/bin` needs `/opt/jdk`, but a directory in a home may not show the home. */
const toolPathsOf = (tool: string): string[] => {
  const around = path.dirname(tool);
  const homes = [...listOwnHomes(), '/home', '/root'].flatMap(realPathsOf);
  // guard: E3-no-home-around-tools
  const isPrivate = homes.some((home) => isWithin(around, home) || isWithin(home, around));
  return path.basename(tool) === 'bin' && around.split('/').length > 2 && !isPrivate
    ? [tool, around]
    : [tool];
};

const linkAt = (place: string): boolean | null => {
  try {
    return lstatSync(place).isSymbolicLink();
  } catch {
    return null;
  }
};

const followLinks = (place: string): { links: BoxMount[]; end: string | null } => {
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

const toReadMounts = (places: readonly string[]): BoxMount[] =>
  places.flatMap((place) => {
    const { links, end } = followLinks(place);
    return end === null ? links : [...links, { kind: 'read', path: end }];
  });

const findEnclosing = (place: BoxMount, before: readonly BoxMount[]): BoxMount | undefined =>
  before.findLast(
    (outer) => outer.kind !== 'link' && outer.path !== place.path && isWithin(place.path, outer.path),
  );

const isSettled = (place: BoxMount, before: readonly BoxMount[]): boolean => {
  const around = findEnclosing(place, before)?.kind;
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

/** The first place of a path wins, so a wish to read does not remove write access. */
const dedupeMounts = (places: readonly BoxMount[]): BoxMount[] => {
  const known = new Map<string, BoxMount>();
  for (const place of places) if (!known.has(place.path)) known.set(place.path, place);
  return [...known.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
};

/** Parents come first. Throws if a path is both hidden and shown. */
export const listBoxMounts = ({
  hidden,
  writable,
  shownAs = {},
  readable,
  tools = [],
  etc,
  more = [],
  system = true,
}: VisiblePaths): BoxMount[] => {
  const writes = [...new Set(writable.map((place) => realpathSync(place)))];
  const asked = new Set(hidden.flatMap(realPathsOf));
  const reads = readable.flatMap(realPathsOf);
  const wrong = [...writes, ...reads].find((place) => asked.has(place));
  if (wrong !== undefined) throw new Error(`${wrong} is both hidden and shown to a contained process.`);
  const hides = [...asked, ...HIDDEN_SETTINGS_FILES.flatMap(realPathsOf)];
  const places = dedupeMounts([
    ...writable.map((place): BoxMount => {
      const [from, at] = [realpathSync(place), shownAs[place]];
      return at === undefined ? { kind: 'write', path: from } : { kind: 'write', path: at, from };
    }),
    ...hides.map((p): BoxMount => ({ kind: 'hide', path: p, file: !statSync(p).isDirectory() })),
    ...(system ? SCRATCH : [])
      .flatMap(realPathsOf)
      .map((place): BoxMount => ({ kind: 'scratch', path: place })),
    ...more,
    ...(etc === undefined ? [] : [{ kind: 'read', path: '/etc', from: etc } as const]),
    ...toReadMounts([
      ...(system ? [...SYSTEM_FOLDERS, ...ownNode()] : []),
      ...readable,
      ...tools.flatMap(toolPathsOf),
    ]),
  ]);
  const kept: BoxMount[] = [];
  for (const place of places) if (!isSettled(place, kept)) kept.push(place);
  return kept;
};
