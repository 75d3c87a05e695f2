/**
 * Where symbolic links of a tree lead, without a file system: through other links of the same tree,
 * too. Pure.
 */

const MAX_HOPS = 40;

/**
 * True when following the link leaves the tree or enters a `.git`. `links` maps a path to its
 * target; `path` and targets are bytes as latin1.
 */
export const escapesTree = (links: ReadonlyMap<string, string>, path: string): boolean => {
  let todo = path.split('/');
  const at: string[] = [];
  for (let hops = 0; todo.length > 0;) {
    const [part = '', ...rest] = todo;
    todo = rest;
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (at.pop() === undefined) return true;
      continue;
    }
    if (part.toLowerCase() === '.git') return true;
    at.push(part);
    const target = links.get(at.join('/'));
    if (target === undefined) continue;
    if (target.startsWith('/') || /^[A-Za-z]:|\\/.test(target) || ++hops > MAX_HOPS) return true;
    at.pop();
    todo = [...target.split('/'), ...todo];
  }
  return false;
};
