/** The waits between tries, in milliseconds: one less than there are tries. */
export function waits({ tries = 3, firstWait = 100, factor = 2, longestWait = 30_000 } = {}) {
  const list = [];
  for (let failed = 1; failed < tries; failed += 1) {
    list.push(Math.min(firstWait * factor ** failed, longestWait));
  }
  return list;
}
