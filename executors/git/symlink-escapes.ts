/** Resolves symbolic links within a tree without a file system, including chains. Pure. */

const MAX_HOPS = 40;

/** Returns where a path leads, or null if it leaves the tree or enters a `.git`. Strings are bytes as latin1. */
const resolveInTree = (links: ReadonlyMap<string, string>, path: string): string | null => {
  let todo = path.split('/');
  const at: string[] = [];
  for (let hops = 0; todo.length > 0;) {
    const [part = '', ...rest] = todo;
    todo = rest;
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (at.pop() === undefined) return null;
      continue;
    }
    if (part.toLowerCase() === '.git') return null;
    at.push(part);
    const target = links.get(at.join('/'));
    if (target === undefined) continue;
    if (target.startsWith('/') || /^[A-Za-z]:|\\/.test(target) || ++hops > MAX_HOPS) return null;
    at.pop();
    todo = [...target.split('/'), ...todo];
  }
  return at.join('/');
};

export const escapesTree = (links: ReadonlyMap<string, string>, path: string): boolean =>
  resolveInTree(links, path) === null;

/** A name through more links than these is not looked for. */
const MAX_LINKS_IN_NAME = 3;

/** True if the link is below what it leads to, so that names through it never end. */
const isLoop = (link: string, target: string): boolean => target === '' || link.startsWith(`${target}/`);

/** Finds every other name by which links lead to a path; null past the limit of all names together. */
export const createLinkNameFinder = (links: ReadonlyMap<string, string>, maxNames: number) => {
  const leadingTo = Map.groupBy(links.keys(), (link) => resolveInTree(links, link) ?? link);
  const lengths = new Set([...leadingTo.keys()].map((target) => target.length));
  let left = maxNames;
  /** The value says whether a name leads through a loop, of which one is enough. */
  const addThroughOne = (name: string, names: Map<string, boolean>): void => {
    const looped = names.get(name) ?? false;
    for (let end = 0; end >= 0; end = end === name.length ? -1 : endOfFolder(name, end)) {
      if (!lengths.has(end)) continue;
      const target = name.slice(0, end);
      for (const link of leadingTo.get(target) ?? []) {
        const loops = isLoop(link, target);
        if (link === target || (looped && loops)) continue;
        const other = end === 0 ? `${link}/${name}` : link + name.slice(end);
        if (!names.has(other)) names.set(other, looped || loops);
        if (names.size > left + 1) return;
      }
    }
  };
  return (path: string): string[] | null => {
    const names = new Map([[path, false]]);
    let level = [path];
    for (let depth = 0; depth < MAX_LINKS_IN_NAME; depth++) {
      const known = names.size;
      for (const name of level) if (names.size <= left + 1) addThroughOne(name, names);
      level = [...names.keys()].slice(known);
    }
    left -= names.size - 1;
    return left < 0 ? null : [...names.keys()].slice(1);
  };
};

const endOfFolder = (name: string, from: number): number => {
  const next = name.indexOf('/', from + 1);
  return next < 0 ? name.length : next;
};
