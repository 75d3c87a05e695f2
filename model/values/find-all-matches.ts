/** Iterates matches without the copy of the pattern that `matchAll` makes, which is slow. */
export const matchesOf = (text: string, pattern: RegExp): RegExpExecArray[] => {
  const all: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    all.push(found);
    if (found[0] === '') pattern.lastIndex += 1;
  }
  return all;
};
