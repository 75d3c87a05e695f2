/** E7: finds targets of make and recipes of just that stop unless somebody gives them a value. */

const NEEDS = '\u0000needs ';
const MAX_READ = 200_000;

/** `test -n "$(PKG)" || exit 1`, `[ -z "$$PKG" ]`, `$${PKG:?}`, `$(error PKG is not set)` below `ifndef PKG`. */
const ASKS_IN_SHELL = /(?:\btest|\[\[?) (?:-[nz]) "?\$?\$[({]?(\w+)[)}]?"?/;
const STOPS = /\bexit [1-9]|\bfalse\b|\$\(error\b/;
const ASKS_IN_EXPANSION = /\$\$?\{(\w+):?\?/;
const ASKS_IN_MAKE = /(?:\bifndef |ifeq \(,?\$[({]|\$\(if \$[({])(\w+)[^\n]*\n?[^\n]*\$\(error\b/;
const ERROR = /\$\(error [^)\n]{0,60}?\b([A-Z][A-Z0-9_]{2,})\b/;

const escaped = (name: string): string => name.replace(/\W/g, '\\$&');
const isSet = (name: string, text: string): boolean =>
  new RegExp(
    `^[^\\S\\n]*(?:export |override )?${escaped(name)}[^\\S\\n]*(?:[:?+]{0,3}=)[^\\S\\n]*[^\\s#]`,
    'm',
  ).test(text);

const variableIn = (does: string): string | null => {
  const expanded = ASKS_IN_EXPANSION.exec(does)?.[1];
  if (expanded !== undefined) return expanded;
  const made = ASKS_IN_MAKE.exec(does)?.[1] ?? ERROR.exec(does)?.[1];
  if (made !== undefined) return made;
  for (const line of does.split('\n')) {
    const name = STOPS.test(line) ? ASKS_IN_SHELL.exec(line)?.[1] : undefined;
    if (name !== undefined) return name;
  }
  return null;
};

/** The first variable without a value that a target, or one that it depends on, asks for. */
const variableFor = (name: string, text: string, bodies: ReadonlyMap<string, string>): string | null => {
  const header = new RegExp(`^${escaped(name)}[^\\S\\n]*::?([^=\\n][^\\n]*)?$`, 'm').exec(text)?.[1] ?? '';
  const before = header.replace(/#.*/, '').trim().split(/\s+/).slice(0, 20);
  for (const one of [name, ...before]) {
    const asked = variableIn(bodies.get(one) ?? '');
    if (asked !== null && !isSet(asked, text)) return asked;
  }
  return null;
};

/** `test name:` takes a value; `test name="all":` and `test *args:` do without one. */
const parameterOf = (name: string, text: string): string | null => {
  const header = new RegExp(`^@?${escaped(name)}[^\\S\\n]+([^:\\n]*):(?!=)`, 'm').exec(text)?.[1] ?? '';
  const [first] = header
    .replace(/=\s*(?:"[^"]*"|'[^']*'|\S+)/g, '=')
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '' && !word.startsWith('*') && !word.includes('='));
  return first === undefined ? null : first.replace(/^[+$]+/, '');
};

export const withNeededValues = (
  text: string,
  runner: string,
  targets: readonly [name: string, body: string, line: number][],
): [name: string, body: string, line: number][] => {
  const read = text.slice(0, MAX_READ);
  const bodies = new Map(targets.map(([name, body]) => [name, body]));
  return targets.map(([name, body, line]) => {
    const asked =
      runner === 'make'
        ? variableFor(name, read, bodies)
        : runner === 'just'
          ? parameterOf(name, read)
          : null;
    // guard: E7-target-without-value
    if (asked !== null) return [name, `${NEEDS}${asked}`, line];
    return [name, body, line];
  });
};

/** What a target asks for, of a body that `withNeededValues` gave; null where nothing. */
export const neededValue = (body: string | null): string | null =>
  body?.startsWith(NEEDS) === true ? body.slice(NEEDS.length) : null;
