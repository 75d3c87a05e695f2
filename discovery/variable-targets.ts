/** Finds targets of make and recipes of just that stop unless somebody gives them a value (E7). */

const NEEDS = '\u0000needs ';
const MAX_READ = 200_000;

/** `test -n "$(PKG)" || exit 1`, `[ -z "$$PKG" ]`, `$${PKG:?}`, `$(error PKG is not set)` below `ifndef PKG`. */
const ASKS_IN_SHELL = /(?:\btest|\[\[?) (?:-[nz]) "?\$?\$[({]?(\w+)[)}]?"?/;
const FAILING_STEP = /\bexit [1-9]|\bfalse\b|\$\(error\b/;
const ASKS_IN_EXPANSION = /\$\$?\{(\w+):?\?/;
const ASKS_IN_MAKE = /(?:^ifndef |^ifeq \(,?\$[({]|\$\(if \$[({])(\w+)/;
const ERROR = /\$\(error [^)\n]{0,60}?\b([A-Z][A-Z0-9_]{2,})\b/;
const MAX_LINES_TO_ERROR = 2;

const SETS = /^(?:export |override )?(\w+) {0,4}[:?+]{0,3}=(.*)$/;
const variablesSetIn = (text: string): ReadonlySet<string> =>
  new Set(
    text.split('\n').flatMap((line) => {
      const [, name, value = ''] = SETS.exec(line.trim()) ?? [];
      return name === undefined || value.trim() === '' ? [] : [name];
    }),
  );

const variableIn = (does: string): string | null => {
  const expanded = ASKS_IN_EXPANSION.exec(does)?.[1];
  if (expanded !== undefined) return expanded;
  const lines = does.split('\n').map((line) => line.trim());
  for (const [at, line] of lines.entries()) {
    const stops = lines.slice(at, at + 1 + MAX_LINES_TO_ERROR).some((one) => one.includes('$(error'));
    const made = stops ? ASKS_IN_MAKE.exec(line)?.[1] : undefined;
    if (made !== undefined) return made;
    const name = FAILING_STEP.test(line) ? ASKS_IN_SHELL.exec(line)?.[1] : undefined;
    if (name !== undefined) return name;
  }
  return ERROR.exec(does)?.[1] ?? null;
};

/** The header of a target is its line from the colon on. */
const afterName = (name: string, line: string): string | null => {
  const bare = line.startsWith('@') ? line.slice(1) : line;
  return bare.startsWith(name) && /^[ \t:]/.test(bare.slice(name.length)) ? bare.slice(name.length) : null;
};

/** The first variable without a value that a target, or one that it depends on, asks for. */
const variableFor = (
  name: string,
  line: string,
  known: { bodies: ReadonlyMap<string, string>; set: ReadonlySet<string> },
): string | null => {
  const before = (afterName(name, line) ?? '').replace(/#.*/, '').replace(/^[ \t]*::?/, '');
  for (const one of [name, ...before.trim().split(/\s+/).slice(0, 20)]) {
    const asked = variableIn(known.bodies.get(one) ?? '');
    if (asked !== null && !known.set.has(asked)) return asked;
  }
  return null;
};

/** `test name:` takes a value; `test name="all":` and `test *args:` do without one. */
const parameterOf = (name: string, line: string): string | null => {
  const plain = (afterName(name, line) ?? '').replace(/"[^"]*"|'[^']*'/g, '-');
  const [first] = plain
    .slice(0, Math.max(0, plain.indexOf(':')))
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
  const lines = read.split('\n');
  const known = { bodies: new Map(targets.map(([name, body]) => [name, body])), set: variablesSetIn(read) };
  return targets.map(([name, body, line]) => {
    const header = lines[line - 1] ?? '';
    const asked =
      runner === 'make'
        ? variableFor(name, header, known)
        : runner === 'just'
          ? parameterOf(name, header)
          : null;
    // guard: E7-target-without-value
    if (asked !== null) return [name, `${NEEDS}${asked}`, line];
    return [name, body, line];
  });
};

/** Reads the value that a target needs from a body of `withNeededValues`; null without one. */
export const valueNeededBy = (body: string | null): string | null =>
  body?.startsWith(NEEDS) === true ? body.slice(NEEDS.length) : null;
