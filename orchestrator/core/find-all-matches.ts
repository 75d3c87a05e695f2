/**
 * All matches of a global pattern, as `matchAll` gives them: that one copies its pattern each time,
 * which takes longer than looking through a sentence does.
 */
export const matchesOf = (text: string, pattern: RegExp): RegExpExecArray[] => {
  const all: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    all.push(found);
    if (found[0] === '') pattern.lastIndex += 1;
  }
  return all;
};
