/** Selects rows of a job's matrix: one system and version, but every task. */
import { ALL_KNOWN, resolveExpressions, type KnownValues } from './expressions.ts';
import { rangeText } from '#model/environment';
import { versionRange } from './ci-versions.ts';
import { childTree, textsIn, type YamlTree } from './yaml-tree.ts';

const MOST_ROWS = 16;
const MOST_VALUES = 12;

const OTHER_SYSTEM =
  /^(?:windows|macos|mac|osx|darwin|win)\b|[-_](?:windows|darwin|macos)\b|windows-|macos-/i;
const MATRIX_SYSTEM = /^(?:ubuntu|linux|windows|macos|self-hosted|buildjet)/i;
const MATRIX_VERSION =
  /^(?:[~^>=<v]*\d[\w.*+-]*|py(?:py)?-?\d[\d.]*|(?:stable|beta|nightly|latest|lts(?:\/[\w*]+)?|current|oldstable|head|release|debug|msrv)|jruby\S*|truffleruby\S*|temurin|zulu|graal\S*|x64|x86(?:_64)?|amd64|arm64|aarch64)$/i;
const UNSTABLE = /nightly|beta|alpha|-rc|-dev|head|canary|pypy|jruby|truffle|graal|debug|^3\.\d+t$/i;

const versionNumbers = (version: string): number[] => (version.match(/\d+/g) ?? []).slice(0, 3).map(Number);
const compareNewestFirst = (left: string, right: string): number => {
  const [x, y] = [versionNumbers(left), versionNumbers(right)];
  for (let i = 0; i < 3; i++) if ((x[i] ?? 0) !== (y[i] ?? 0)) return (y[i] ?? 0) - (x[i] ?? 0);
  return 0;
};

/** A version that conditions name (`if: matrix.python == '3.12'`) runs more steps. */
const findNamedVersion = (key: string, values: readonly string[], conditions: string): string | undefined => {
  const asked = [...conditions.matchAll(/\bmatrix\.([\w-]+)\s*==\s*'?([^'\s)&|]+)/g)];
  const countConditions = (value: string): number =>
    asked.filter(([, k, v]) => k === key && v === value).length;
  const best = [...values].sort((a, b) => countConditions(b) - countConditions(a))[0];
  return best !== undefined && countConditions(best) > 0 ? best : undefined;
};

const selectValues = (values: readonly string[], single: string | undefined): string[] => {
  if (values.some((v) => MATRIX_SYSTEM.test(v))) {
    const own = values.filter((v) => !OTHER_SYSTEM.test(v));
    return [own.find((v) => /ubuntu-latest|linux$/i.test(v)) ?? own[0] ?? values[0] ?? ''];
  }
  if (!values.every((v) => MATRIX_VERSION.test(v))) return values.slice(0, MOST_VALUES);
  const stable = values.filter((v) => !UNSTABLE.test(v));
  if (single !== undefined && values.includes(single)) return [single];
  const named = stable.find((v) => /^(?:stable|latest|lts)/i.test(v));
  return [named ?? [...stable].sort(compareNewestFirst)[0] ?? values[0] ?? ''];
};

/** `matrix.<key>` for a plain value, `matrix.<key>.<name>` for each part of an object. */
const toMatrixValues = (key: string, value: YamlTree): KnownValues =>
  value.text !== null
    ? { [`matrix.${key}`]: value.text }
    : Object.fromEntries(Object.entries(textsIn(value)).map(([k, v]) => [`matrix.${key}.${k}`, v]));

const isOtherSystem = (names: KnownValues): boolean =>
  Object.entries(names).some(
    ([k, v]) => /os|platform|runner|host|target|system|name/i.test(k) && OTHER_SYSTEM.test(v),
  );

/** A job of other systems alone keeps one of them, so that it is not read as one of this machine. */
const ofThisSystem = (rows: readonly KnownValues[]): readonly KnownValues[] => {
  const here = rows.filter((names) => !isOtherSystem(names));
  return here.length > 0 ? here : rows.slice(0, 1);
};

/** CI that runs several versions asks for none of them: the oldest is enough. */
const rangesOf = (matrix: YamlTree | undefined): KnownValues => {
  const include = childTree(matrix, 'include')?.items ?? [];
  const lists = [...(matrix?.entries ?? [])].filter(([key]) => key !== 'include' && key !== 'exclude');
  const named = [
    ...lists.flatMap(([key, list]) => list.items.map(({ text }) => [key, text] as const)),
    ...include.flatMap(({ entries }) => [...entries].map(([key, { text }]) => [key, text] as const)),
  ];
  const byKey = Map.groupBy(named, ([key]) => key);
  return Object.fromEntries(
    [...byKey].flatMap(([key, values]) => {
      const range = versionRange(values.map(([, text]) => text ?? ''));
      return range === null || values.length < 2 ? [] : [[`versions.${key}`, rangeText(range)]];
    }),
  );
};

export const expandMatrix = (
  strategy: YamlTree | undefined,
  outer: KnownValues,
  conditions: string,
): KnownValues[] => {
  const matrix = childTree(strategy, 'matrix');
  const keys = [...(matrix?.entries ?? [])].filter(([k]) => k !== 'include' && k !== 'exclude');
  const made = [matrix, childTree(matrix, 'include'), ...keys.map(([, list]) => list)].some(
    (tree) => tree?.text != null,
  );
  const start: KnownValues = made ? {} : { [`matrix.${ALL_KNOWN}`]: '', ...rangesOf(matrix) };
  let rows: KnownValues[] = [start];
  for (const [key, list] of keys.slice(0, 12)) {
    const plain = list.items.flatMap(({ text }) => (text === null ? [] : [resolveExpressions(text, outer)]));
    const options = ofThisSystem(
      plain.length > 0
        ? selectValues(plain, findNamedVersion(key, plain, conditions)).map((v): KnownValues => ({
            [`matrix.${key}`]: v,
          }))
        : list.items.slice(0, MOST_VALUES).map((item) => toMatrixValues(key, item)),
    );
    if (options.length === 0) continue;
    rows = rows.flatMap((row) => options.map((more) => ({ ...row, ...more }))).slice(0, MOST_ROWS);
  }
  const include = (childTree(matrix, 'include')?.items ?? [])
    .slice(0, 40)
    .map(
      (item): KnownValues =>
        Object.assign({}, ...[...item.entries].map(([k, v]) => toMatrixValues(k, v))) as KnownValues,
    );
  const own = keys.length === 0 ? ofThisSystem(include) : include.filter((names) => !isOtherSystem(names));
  if (keys.length === 0 && own.length > 0)
    rows = own.slice(0, MOST_ROWS).map((row) => ({ ...start, ...row }));
  else {
    // GitHub merges an `include` entry into matching rows, else adds a row.
    for (const more of own) {
      const shared = Object.keys(more).filter((k) => rows.some((row) => k in row));
      const fits = rows.findIndex((row) => shared.every((k) => row[k] === more[k]));
      if (fits >= 0 && shared.length < Object.keys(more).length) rows[fits] = { ...more, ...rows[fits] };
      else if (
        fits < 0 &&
        rows.length < MOST_ROWS &&
        !shared.every((k) => MATRIX_VERSION.test(more[k] ?? ''))
      )
        rows.push({ ...start, ...more });
    }
  }
  return rows.map((row) => ({ ...outer, ...row }));
};
