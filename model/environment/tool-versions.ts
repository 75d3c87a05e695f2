/** Parses a program's version and compares it with the required range (E15). */
/** A number without a dot counts only when there is no dotted one. */
export const parseVersion = (said: string): string | null => {
  const text = said.replace(/^[^\n]*JAVA_TOOL_OPTIONS[^\n]*\n/, '');
  const dotted = /(?:^|[^\d.])v?(\d+(?:\.\d+){1,3})(?![\d.]*\.\d)/.exec(text)?.[1];
  return dotted ?? /(?:^|[^\d.])v?(\d+)(?![\d.]*\.\d)/.exec(text)?.[1] ?? null;
};

const versionParts = (version: string): number[] =>
  (/\d+(?:\.\d+)*/.exec(version)?.[0] ?? '').split('.').map(Number);
const compareVersionParts = (left: readonly number[], right: readonly number[]): number => {
  for (let i = 0; i < Math.max(left.length, right.length); i += 1) {
    const d = (left[i] ?? 0) - (right[i] ?? 0);
    if (d !== 0) return d;
  }
  return 0;
};
const startsAs = (have: readonly number[], asked: readonly number[]): boolean =>
  asked.every((n, i) => (have[i] ?? 0) === n);

const fitsOne = (program: string, one: string, have: readonly number[]): boolean | null => {
  const [, sign = '', rest = ''] = /^(>=|<=|>|<|==|=|~=|~>|\^|~|!=)?\s*v?(.*)$/.exec(one.trim()) ?? [];
  if (!/^\d/.test(rest)) return /^[*x]$/i.test(rest) ? true : null;
  const asked = versionParts(rest.replace(/\.[*x][^]*$/i, ''));
  const c = compareVersionParts(have, asked);
  switch (sign) {
    case '>=':
      return c >= 0;
    case '<=':
      return c <= 0 || startsAs(have, asked);
    case '>':
      return c > 0 && !startsAs(have, asked);
    case '<':
      return c < 0;
    case '!=':
      return !startsAs(have, asked);
    case '^':
      return c >= 0 && have[0] === asked[0] && (asked[0] !== 0 || have[1] === (asked[1] ?? have[1]));
    case '~':
    case '~>':
    case '~=':
      return c >= 0 && startsAs(have, sign === '~' ? asked.slice(0, 2) : asked.slice(0, -1));
    default:
      // go.mod and rust-version name a minimum.
      return MINIMUM.includes(program) ? c >= 0 : startsAs(have, asked);
  }
};
const MINIMUM: readonly string[] = ['go', 'rust', 'rustc', 'cmake', 'meson', 'zig'];

const MAX_ASKED_LENGTH = 400;

/** Returns null when it cannot be told (`lts/*`, `stable`). */
export const satisfiesVersion = (
  program: string,
  asked: string | null,
  have: string | null,
): boolean | null => {
  if (asked === null || have === null || asked.length > MAX_ASKED_LENGTH) return null;
  const version = versionParts(have);
  // Corepack format: a name before the version, a digest after it.
  const plain = asked.replace(/^[a-z]+@/, '').replace(/\+sha\d+\.[^]*$/, '');
  let unknown = false;
  for (const choice of plain.split('||')) {
    const range = choice.replace(/^\s*v?(\d[\d.]*)\s+-\s+v?(\d[\d.]*)\s*$/, '>=$1 <=$2');
    const said = range
      .replaceAll(/([<>=~^!])\s+/g, '$1')
      .split(/[\s,]+/)
      .filter((one) => one !== '')
      .map((one) => fitsOne(program, one, version));
    if (said.length > 0 && said.every((one) => one === true)) return true;
    if (said.length === 0 || (said.includes(null) && !said.includes(false))) unknown = true;
  }
  return unknown ? null : false;
};

export const rangeText = ({ oldest, newest }: { oldest: string; newest: string | null }): string =>
  newest === null ? `>=${oldest}` : `>=${oldest} <=${newest}`;
