const globals = new WeakMap<RegExp, RegExp>();
const globalOf = (pattern: RegExp): RegExp => {
  const { source, flags } = pattern;
  const known = globals.get(pattern) ?? new RegExp(source, `${flags.replace('g', '')}g`);
  globals.set(pattern, known);
  return known;
};

/** Iterates matches without the copy of the pattern that `matchAll` makes each time, which is slow. */
export const findAllMatches = (text: string, pattern: RegExp): RegExpExecArray[] => {
  const every = globalOf(pattern);
  const all: RegExpExecArray[] = [];
  every.lastIndex = 0;
  for (let found = every.exec(text); found; found = every.exec(text)) {
    all.push(found);
    if (found[0] === '') every.lastIndex += 1;
  }
  return all;
};
