/** Resolves a path from a model to a file of the tree, never outside. */

const MAX_PATH_LENGTH = 1_000;

export const findPathInTree = (said: string, root: string): string | null => {
  const plain = said.trim().replaceAll('\\', '/');
  if (plain === '' || plain.length > MAX_PATH_LENGTH || /[\u0000-\u001f\u007f]/.test(plain)) return null;
  const relative = plain.startsWith(`${root}/`) ? plain.slice(root.length + 1) : plain;
  if (relative.startsWith('/') || /^[A-Za-z]:/.test(relative) || relative.startsWith('~')) return null;
  const parts = relative.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.length === 0 || parts.includes('..') || parts.some((part) => part.toLowerCase() === '.git'))
    return null;
  return parts.join('/');
};

export const findSameNamedPaths = (path: string, all: readonly string[]): string[] => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const same = all.filter((one) => one === name || one.endsWith(`/${name}`));
  const close = same.filter((one) => one.endsWith(`/${path}`) || path.endsWith(`/${one}`));
  return close.length > 0 ? close : same;
};
