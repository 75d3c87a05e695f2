/** Matches globs without regular expressions, in time linear in path and glob length. */

/** A character is its code; other steps are negative. */
const STEP_ONE_CHARACTER = -1;
const STEP_SOME_CHARACTERS = -2;
const ANY = -3;
const FOLDERS = -4;
const IN_FOLDERS = -5;
const SLASH = '/'.charCodeAt(0);

type Glob = {
  steps: Int32Array;
  minLength: number;
};

/** `*` and `?` stay in a segment, `**` spans several; without a slash, any folder matches. */
const compileGlob = (glob: string): Glob => {
  const plain = glob.toLowerCase().replace(/^\.?\//, '');
  return compileSteps(
    plain.endsWith('/') ? `${plain}**` : plain,
    /\/./.test(glob) ? [] : [FOLDERS, IN_FOLDERS],
  );
};
const compileSteps = (text: string, out: number[]): Glob => {
  let minLength = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charAt(i);
    if (c === '*' && text.charAt(i + 1) === '*') {
      const folders = text.charAt(i + 2) === '/';
      if (folders) out.push(FOLDERS, IN_FOLDERS);
      else if (out.at(-1) !== ANY) out.push(ANY);
      i += folders ? 2 : 1;
    } else if (c === '*') out.push(STEP_SOME_CHARACTERS);
    else {
      out.push(c === '?' ? STEP_ONE_CHARACTER : text.charCodeAt(i));
      minLength += 1;
    }
  }
  return { steps: Int32Array.from(out), minLength };
};

const settleSteps = (at: Uint8Array, steps: Int32Array): void => {
  for (let i = 0; i < steps.length; i++) {
    if (at[i] === 0) continue;
    const step = steps[i];
    if (step === STEP_SOME_CHARACTERS || step === ANY) at[i + 1] = 1;
    if (step === FOLDERS) at[i + 1] = at[i + 2] = 1;
  }
};

const readCharacter = (at: Uint8Array, next: Uint8Array, steps: Int32Array, code: number): boolean => {
  next.fill(0);
  let isAlive = false;
  for (let i = 0; i < steps.length; i++) {
    if (at[i] === 0) continue;
    const step = steps[i];
    const stays = step === ANY || step === IN_FOLDERS || (step === STEP_SOME_CHARACTERS && code !== SLASH);
    const goes =
      step === code ||
      (step === STEP_ONE_CHARACTER && code !== SLASH) ||
      (step === IN_FOLDERS && code === SLASH);
    if (stays) next[i] = 1;
    if (goes) next[i + 1] = 1;
    isAlive ||= stays || goes;
  }
  return isAlive;
};

/** Matches parent folders too. Ignores case, as some file systems do: no way around a deny list. */
const isMeant = (path: string, glob: Glob): boolean => takesPath(path.toLowerCase(), glob, { within: true });
const takesPath = (text: string, { steps, minLength }: Glob, { within }: { within: boolean }): boolean => {
  if (text.length < minLength) return false;
  const end = steps.length;
  let at = new Uint8Array(end + 1);
  let next = new Uint8Array(end + 1);
  at[0] = 1;
  for (let i = 0; ; i++) {
    settleSteps(at, steps);
    if (at[end] === 1 && (i === text.length || (within && text.charCodeAt(i) === SLASH))) return true;
    if (i === text.length || !readCharacter(at, next, steps, text.charCodeAt(i))) return false;
    [at, next] = [next, at];
  }
};

/** Cache of globs from settings, limited in size. */
const known = new Map<string, Glob>();
const MAX_KNOWN = 2_000;
const globOf = (glob: string): Glob => {
  const compiled = known.get(glob) ?? compileGlob(glob);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(glob, compiled);
  return compiled;
};

export const matchesGlob = (path: string, globs: readonly string[]): boolean =>
  globs.some((glob) => isMeant(path, globOf(glob)));

/** Not cached: globs of an untrusted repository. */
export const createGlobMatcher = (glob: string): ((path: string) => boolean) => {
  let compiled: Glob | null = null;
  return (path) => isMeant(path, (compiled ??= compileGlob(glob)));
};

/** As filters of paths in workflows are read: the whole path from the root, in its case. */
export const createExactGlobMatcher = (glob: string): ((path: string) => boolean) => {
  const compiled = compileSteps(glob, []);
  return (path) => takesPath(path, compiled, { within: false });
};
