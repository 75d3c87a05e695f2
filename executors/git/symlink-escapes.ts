/** Resolves symbolic links within a tree without a file system, including chains. Pure. */

const MAX_HOPS = 40;

/** True if the link leaves the tree or enters a `.git`. Strings are bytes as latin1. */
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
