/** Tells whether a manifest or lockfile differs in nothing but the version of the package itself. */
import { canonicalJson } from '#model/seal';

const VERSION = /^v?\d[\w.+-]{0,60}$/;

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Null if its version is no plain one. */
const withoutVersion = (value: unknown): Json | null => {
  if (!isObject(value)) return null;
  const { version, ...rest } = value;
  return version === undefined || (typeof version === 'string' && VERSION.test(version)) ? rest : null;
};

const restOfManifest = (source: string): string | null => {
  const rest = withoutVersion(JSON.parse(source));
  return rest === null ? null : canonicalJson(rest);
};

/** npm writes the version twice: at the top, and for the package of the folder itself. */
const restOfPackageLock = (source: string): string | null => {
  const rest = withoutVersion(JSON.parse(source));
  if (rest === null || !isObject(rest['packages'])) return null;
  const own = withoutVersion(rest['packages']['']);
  return own === null ? null : canonicalJson({ ...rest, packages: { ...rest['packages'], '': own } });
};

const VERSION_LINE = /^version\s{0,9}=\s{0,9}(["'])v?\d[\w.+-]{0,60}\1\s{0,9}$/;

/** The header of a table stands alone on its line. */
const restOfToml =
  (tables: readonly string[]) =>
  (source: string): string => {
    let table = '';
    return source
      .split('\n')
      .map((line) => {
        const plain = line.trimEnd();
        if (plain.startsWith('[')) table = plain;
        return tables.includes(table) && VERSION_LINE.test(plain) ? 'version' : line;
      })
      .join('\n');
  };

/** Packages of the repository itself have no source. */
const restOfCargoLock = (source: string): string =>
  source
    .split('[[package]]')
    .map((block) =>
      /^source[ \t]{0,9}=/m.test(block)
        ? block
        : block
            .split('\n')
            .map((line) => (VERSION_LINE.test(line.trimEnd()) ? 'version' : line))
            .join('\n'),
    )
    .join('[[package]]');

const RESTS: Readonly<Record<string, (source: string) => string | null>> = {
  'package.json': restOfManifest,
  'composer.json': restOfManifest,
  'deno.json': restOfManifest,
  'package-lock.json': restOfPackageLock,
  'npm-shrinkwrap.json': restOfPackageLock,
  'cargo.toml': restOfToml(['[package]', '[workspace.package]']),
  'pyproject.toml': restOfToml(['[project]', '[tool.poetry]']),
  'cargo.lock': restOfCargoLock,
};

const readerOf = (path: string): ((source: string) => string | null) | null => {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return Object.hasOwn(RESTS, name) ? (RESTS[name] ?? null) : null;
};

export const namesOwnVersion = (path: string): boolean => readerOf(path) !== null;

/** Anything that cannot be read may be more than a version. */
export const changesOnlyVersion = (path: string, before: string, after: string): boolean => {
  const rest = readerOf(path);
  if (rest === null) return false;
  try {
    const [was, is] = [rest(before), rest(after)];
    return was !== null && was === is;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return false;
    throw error;
  }
};
