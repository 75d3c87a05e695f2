/** Judges file and branch names: exact, dangerous, or colliding on other machines. Pure. */
import type { FindingNote } from '#model/change';
import { trimEndCharacters } from '#model/values';
import { hasHiddenCharacters, withoutAnyUnseen } from '#text-safety';

/** A path as latin1 bytes, so that decoding never changes a name. */
export type RawPath = string;

export const toPathBytes = (path: RawPath): Buffer => Buffer.from(path, 'latin1');

const exactText = (path: RawPath): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(toPathBytes(path));
  } catch {
    return null;
  }
};

/** Invalid bytes become `\xNN`. */
export const displayPath = (path: RawPath): string => {
  const exact = exactText(path);
  if (exact !== null) return exact;
  const valid =
    /^(?:[\x00-\x7f]|[\xc2-\xdf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xe0[\xa0-\xbf][\x80-\xbf]|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})/;
  let text = '';
  for (let i = 0; i < path.length;) {
    const part = valid.exec(path.slice(i, i + 4))?.[0];
    text += part
      ? toPathBytes(part).toString('utf8')
      : `\\x${path.charCodeAt(i).toString(16).padStart(2, '0')}`;
    i += part?.length ?? 1;
  }
  return text;
};

/** Some file systems take these spellings for `.git` or `.gitmodules`. */
const foldName = (name: string): string =>
  trimEndCharacters(withoutAnyUnseen(name).replace(/:.*$/su, ''), '. ').toLowerCase();
const GIT_DIRECTORY_NAME = /^(\.git|git~\d+)$/;
const GIT_MODULES = /^(\.gitmodules|gitmod~\d+|gi7[0-9a-f]{3,}~\d+)$/;

type BadName = Extract<FindingNote['kind'], `name_${string}`>;
export const checkPathName = (name: RawPath, { symlink }: { symlink: boolean }): BadName | null => {
  const text = exactText(name);
  if (text === null) return 'name_not_text';
  if (text.split('\\').some((part) => GIT_DIRECTORY_NAME.test(foldName(part)))) return 'name_like_git';
  if (symlink && GIT_MODULES.test(foldName(text))) return 'name_modules_link';
  if (hasHiddenCharacters(text)) return 'name_unseen';
  if (text.includes('\\')) return 'name_backslash';
  return null;
};

/** Pairs that are equal if case or Unicode normalisation is ignored; the second is new. */
export const findPathCollisions = (
  paths: Iterable<RawPath>,
  isNew: (path: RawPath) => boolean,
): [string, string][] => {
  const seen = new Map<string, RawPath>();
  const found: [string, string][] = [];
  const visited = new Set<RawPath>();
  const visitPath = (path: RawPath, { fresh }: { fresh: boolean }): void => {
    if (visited.has(path)) return;
    visited.add(path);
    const text = displayPath(path);
    const key = text.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
    const other = seen.get(key);
    if (other === undefined) seen.set(key, path);
    else if (fresh) found.push([displayPath(other), text]);
    else if (isNew(other)) found.push([text, displayPath(other)]);
  };
  for (const path of paths) {
    const fresh = isNew(path);
    for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
      const folder = path.slice(0, at);
      visitPath(folder, { fresh: isNew(folder) });
    }
    visitPath(path, { fresh });
  }
  return found;
};

export const isBranchName = (name: string): boolean =>
  name.length > 0 &&
  name.length <= 244 &&
  !/[\p{C}\s~^:?*[\\]|\.\.|@\{|\/\/|\.$|\/$|^[-/]/u.test(name) &&
  name !== '@' &&
  name !== 'HEAD' &&
  !name.startsWith('refs/') &&
  name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
