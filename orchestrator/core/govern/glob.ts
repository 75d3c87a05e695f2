/**
 * Globs without regular expressions: each character of a path is looked at once for each step of
 * the glob, never more.
 */

type Step = { is: 'character'; c: string } | { is: 'one' | 'some' | 'any' | 'folders' | 'in-folders' };

/** Two stars and a slash: whether there are folders at all, and being somewhere in them. */
const FOLDERS: readonly Step[] = [{ is: 'folders' }, { is: 'in-folders' }];

/**
 * `*` and `?` stay in a segment, `**` spans them; what has no slash is looked for in every folder.
 */
const steps = (glob: string): Step[] => {
  const plain = glob.toLowerCase().replace(/^\.?\//, '');
  const text = plain.endsWith('/') ? `${plain}**` : plain;
  const out: Step[] = /\/./.test(glob) ? [] : [...FOLDERS];
  for (let i = 0; i < text.length; i++) {
    const c = text.charAt(i);
    if (c === '*' && text.charAt(i + 1) === '*') {
      const folders = text.charAt(i + 2) === '/';
      if (folders) out.push(...FOLDERS);
      else out.push({ is: 'any' });
      i += folders ? 2 : 1;
    } else if (c === '*') out.push({ is: 'some' });
    else out.push(c === '?' ? { is: 'one' } : { is: 'character', c });
  }
  return out;
};

/** There are as many as the settings name. */
const known = new Map<string, readonly Step[]>();
const stepsOf = (glob: string): readonly Step[] => {
  const all = known.get(glob) ?? steps(glob);
  known.set(glob, all);
  return all;
};

/** Where a match may stand without reading on. */
const settle = (at: boolean[], all: readonly Step[]): void => {
  all.forEach((step, i) => {
    if (!at[i]) return;
    if (step.is === 'some' || step.is === 'any') at[i + 1] = true;
    if (step.is === 'folders') at[i + 1] = at[i + 2] = true;
  });
};

const read = (at: readonly boolean[], all: readonly Step[], c: string): boolean[] => {
  const next = all.map(() => false).concat(false);
  all.forEach((step, i) => {
    if (!at[i]) return;
    if (step.is === 'any' || step.is === 'in-folders' || (step.is === 'some' && c !== '/')) next[i] = true;
    if (step.is === 'character' && step.c === c) next[i + 1] = true;
    if (step.is === 'one' && c !== '/') next[i + 1] = true;
    if (step.is === 'in-folders' && c === '/') next[i + 1] = true;
  });
  return next;
};

/**
 * Whether a path, or a folder that it lies in, is meant. Case is ignored: some systems check the
 * files out so, and a deny list must not be walked around.
 */
const matchesOne = (path: string, glob: string): boolean => {
  const all = stepsOf(glob);
  const text = path.toLowerCase();
  let at: boolean[] = all.map((_, i) => i === 0).concat(all.length === 0);
  for (let i = 0; ; i++) {
    settle(at, all);
    if (at[all.length] === true && (i === text.length || text.charAt(i) === '/')) return true;
    if (i === text.length) return false;
    at = read(at, all, text.charAt(i));
  }
};

export const matches = (path: string, globs: readonly string[]): boolean =>
  globs.some((glob) => matchesOne(path, glob));
