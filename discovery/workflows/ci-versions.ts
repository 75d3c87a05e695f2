/** Reads which versions of a tool CI's jobs name, from the oldest to the newest (E19). */
import { languageRuntimes } from '#tools';
import type { CiVersions } from '#model/environment';

type VersionRange = Pick<CiVersions, 'oldest' | 'newest'>;

const OTHER_IMPLEMENTATION = /^(?:pypy|jruby|truffleruby|graal|rbx|mruby)/i;
const NUMBERED_VERSION =
  /^(?:ruby-|go)?[~^=]?v?(\d+(?:\.\d+)*)(?:\.[x*])?(?:-?(?:dev|t|ea|rc|beta|alpha)[\w.]*)?$/i;

const versionNumbers = (version: string): number[] => version.split('.').map(Number);
const byVersion = (left: string, right: string): number => {
  const [x, y] = [versionNumbers(left), versionNumbers(right)];
  const at = x.findIndex((n, i) => n !== (y[i] ?? 0));
  return at < 0 ? x.length - y.length : (x[at] ?? 0) - (y[at] ?? 0);
};

/** `latest`, `lts/*` and ranges name no newest version. */
export const versionRange = (values: readonly string[]): VersionRange | null => {
  const own = values.map((value) => value.trim()).filter((value) => !OTHER_IMPLEMENTATION.test(value));
  const numbered = own
    .flatMap((value) => NUMBERED_VERSION.exec(value.slice(0, 40))?.[1] ?? [])
    .sort(byVersion);
  const [oldest] = numbered;
  if (oldest === undefined) return null;
  return { oldest, newest: numbered.length === own.length ? (numbered.at(-1) ?? null) : null };
};

const RANGE_TEXT = /^>=(\d[\d.]*)(?: <=(\d[\d.]*))?$/;

export const parseVersionRange = (asked: string | null): VersionRange | null => {
  const [, oldest, newest = null] = RANGE_TEXT.exec(asked ?? '') ?? [];
  return oldest === undefined ? versionRange((asked ?? '').trim().split(/\s*\n\s*/)) : { oldest, newest };
};
export const removeUpperBound = (asked: string | null): string | null =>
  asked === null ? null : asked.replace(RANGE_TEXT, '>=$1');

/** A script or a container may set up what the matrix names. */
export const toolOfKey = (key: string): string | undefined => {
  const plain = key.toLowerCase().replace(/[-_]?versions?$/, '');
  return languageRuntimes().byVersionKey.get(plain);
};

/** Jobs that run the same check: a tool that one of them leaves open is left out. */
export const uniteVersions = (jobs: readonly (readonly CiVersions[])[]): CiVersions[] =>
  (jobs[0] ?? []).flatMap(({ name }) => {
    const all = jobs.flatMap((job) => job.find((one) => one.name === name) ?? []);
    const range = versionRange(all.flatMap(({ oldest, newest }) => [oldest, newest ?? 'latest']));
    return range && all.length === jobs.length ? [{ name, ...range }] : [];
  });
