/** Data directories of tests: where they lie, and what all of them share. */
import { accessSync, constants, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Not below /tmp where that can be avoided: a private /tmp would hide what the box is to hide. */
export const roomy = (): string => {
  const cache = path.resolve('node_modules/.cache');
  try {
    mkdirSync(cache, { recursive: true });
    accessSync(cache, constants.W_OK);
    return realpathSync(cache);
  } catch {
    return realpathSync(tmpdir()); // The project is not ours to write to.
  }
};

/** The part of /etc that boxes show, a thousand files, is copied once and not for each of them. */
export const shareBox = (dataDir: string): void => {
  const shared = path.join(roomy(), 'agentpr-test-box');
  for (const dir of [shared, dataDir]) mkdirSync(dir, { recursive: true, mode: 0o700 });
  symlinkSync(shared, path.join(dataDir, 'box'));
};
