/** Copies the visible part of /etc once, because binding sixty files slows every start. */
import { createHash, randomUUID } from 'node:crypto';
import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  type Stats,
} from 'node:fs';
import path from 'node:path';
import { findSecrets } from '#text-safety';
import { DAY, MB } from '#model/values';

const SHOWN_ETC_NAMES = [
  ...['resolv.conf', 'hosts', 'hostname', 'host.conf', 'nsswitch.conf', 'gai.conf', 'networks'],
  ...['services', 'protocols', 'rpc', 'passwd', 'group', 'shells', 'mtab', 'static'],
  ...['ssl/certs', 'ssl/openssl.cnf', 'ssl/cert.pem', 'ssl/ca-bundle.pem', 'ca-certificates'],
  ...['ca-certificates.conf', 'pki/ca-trust', 'pki/tls/certs', 'pki/tls/cert.pem', 'pki/tls/openssl.cnf'],
  ...['pki/java', 'crypto-policies', 'gnutls', 'ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'ld.so.preload'],
  ...['ld-musl-*', 'localtime', 'timezone', 'locale.conf', 'locale.alias', 'default/locale', 'alternatives'],
  ...['*-release', '*_version', 'profile', 'profile.d', 'bash.bashrc', 'bashrc', 'inputrc', 'terminfo'],
  ...['mime.types', 'magic', 'fonts', 'perl', 'python*', 'java*', 'php*', 'ruby*', 'R', 'ghc*', 'dotnet'],
  ...['maven*', 'mono', 'OpenCL', 'ImageMagick-*', 'texmf', 'papersize'],
];
const ETC = '/etc';
const MAX_ETC_FILE_BYTES = 4 * MB;
const OLD_MS = DAY;

const statOrNull = (place: string, see: (place: string) => Stats): Stats | null => {
  try {
    return see(place);
  } catch {
    return null;
  }
};
const listOrEmpty = (place: string): string[] => {
  try {
    return readdirSync(place);
  } catch {
    return [];
  }
};
const matchEtcNames = (pattern: string): string[] => {
  const [start = '', end] = pattern.split('*');
  return end === undefined
    ? [pattern]
    : listOrEmpty(ETC).filter((n) => n.startsWith(start) && n.endsWith(end));
};

type Entry = { name: string; stats: Stats };
const entriesOf = (name: string): Entry[] => {
  const place = path.join(ETC, name);
  const stats = statOrNull(place, lstatSync);
  if (stats === null) return [];
  const isOpen = stats.isDirectory() && (stats.mode & 0o001) !== 0;
  const inside = isOpen ? listOrEmpty(place).flatMap((n) => entriesOf(path.join(name, n))) : [];
  return [{ name, stats }, ...inside];
};
const allShownEntries = (): Entry[] => SHOWN_ETC_NAMES.flatMap(matchEtcNames).flatMap(entriesOf);

/** Links stay links only if their target is visible in a box. */
const staysLink = (place: string): boolean => {
  if (/^\/(proc|dev)\//.test(path.resolve(path.dirname(place), readlinkSync(place)))) return true;
  try {
    return /^\/(usr|etc|nix|gnu|lib\w*|bin|sbin)\//.test(realpathSync(place));
  } catch {
    return false;
  }
};

/** Skips private files, and public settings that contain a password. */
const isForAll = (place: string, { mode, size }: Stats): boolean =>
  (mode & 0o004) !== 0 &&
  size < MAX_ETC_FILE_BYTES &&
  findSecrets(readFileSync(place, 'latin1')).length === 0;

const copyEntry = ({ name, stats }: Entry, to: string): void => {
  const [from, at] = [path.join(ETC, name), path.join(to, name)];
  mkdirSync(path.dirname(at), { recursive: true });
  const end = statOrNull(from, statSync);
  if (stats.isDirectory()) mkdirSync(at, { recursive: true });
  else if (stats.isSymbolicLink() && staysLink(from)) symlinkSync(readlinkSync(from), at);
  else if (end?.isFile() === true && isForAll(from, end)) copyFileSync(from, at);
};

const ignoreSystemErrors = (work: () => void): void => {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
};

/** Files that change while we run, for example on another network. */
const FRESH = ['resolv.conf', 'hosts'];
const stateOf = (entries: readonly Entry[]): string =>
  createHash('sha256')
    .update(JSON.stringify(entries.map(({ name, stats }) => [name, stats.ino, stats.size, stats.mtimeMs])))
    .digest('hex')
    .slice(0, 16);
const freshnessKey = (): string =>
  FRESH.map((name) => statOrNull(path.join(ETC, name), statSync)?.mtimeMs ?? 0).join(' ');

const makeEtc = (below: string): string => {
  const entries = allShownEntries();
  const place = path.join(below, `etc-${stateOf(entries)}-${freshnessKey().replaceAll(/[^\d]/g, '')}`);
  if (statOrNull(place, statSync) !== null) return place;
  mkdirSync(below, { recursive: true, mode: 0o700 });
  for (const name of listOrEmpty(below)) {
    const old = path.join(below, name);
    if (Date.now() - (statOrNull(old, statSync)?.ctimeMs ?? 0) > OLD_MS)
      rmSync(old, { recursive: true, force: true });
  }
  const making = path.join(below, `making-${randomUUID()}`);
  mkdirSync(making);
  for (const entry of entries) ignoreSystemErrors(() => copyEntry(entry, making));
  ignoreSystemErrors(() => renameSync(making, place));
  rmSync(making, { recursive: true, force: true });
  return place;
};

/** The directory is made again after name resolution changed. */
export const createEtcCopier = (below: string): (() => string) => {
  let made: { place: string; fresh: string } | null = null;
  return () => {
    const fresh = freshnessKey();
    if (made?.fresh !== fresh) made = { place: makeEtc(below), fresh };
    return made.place;
  };
};
