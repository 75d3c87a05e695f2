/** Opens what lies in a folder whose content others change meanwhile. */
import { closeSync, constants, openSync, readlinkSync } from 'node:fs';
import { toPathBytes, type RawPath } from '../path-names.ts';

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const placeIn = (folder: number, name: string): Buffer =>
  Buffer.concat([Buffer.from(`/proc/self/fd/${folder}/`), toPathBytes(name)]);

/** Security: every folder on the way is opened by itself, so that a link in the place of one is refused. */
const withFolder = <T>(root: string, path: RawPath, use: (place: Buffer) => T): T => {
  const names = path.split('/');
  const last = names.pop() ?? '';
  let folder = openSync(root, FOLDER);
  try {
    for (const name of names) {
      // guard: E1-no-folder-swapped
      const next = openSync(placeIn(folder, name), FOLDER);
      closeSync(folder);
      folder = next;
    }
    return use(placeIn(folder, last));
  } finally {
    closeSync(folder);
  }
};

export const openBeneath = (root: string, path: RawPath): number =>
  withFolder(root, path, (place) => openSync(place, FILE));

export const readLinkBeneath = (root: string, path: RawPath): Buffer =>
  withFolder(root, path, (place) => readlinkSync(place, { encoding: 'buffer' }));
