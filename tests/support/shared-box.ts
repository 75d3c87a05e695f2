/** Data directories of tests, and what their sandboxes share. */
import { accessSync, constants, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder outside of /tmp if possible, because a private /tmp would hide the tests' secrets. */
export const roomy = (): string => {
  const cache = path.resolve('node_modules/.cache');
  try {
    mkdirSync(cache, { recursive: true });
    accessSync(cache, constants.W_OK);
    return realpathSync(cache);
  } catch {
    return realpathSync(tmpdir()); // The project folder is read-only.
  }
};

/** Copies the visible part of /etc (a thousand files) once for all sandboxes. */
export const shareBox = (dataDir: string): void => {
  const shared = path.join(roomy(), 'agentpr-test-box');
  for (const dir of [shared, dataDir]) mkdirSync(dir, { recursive: true, mode: 0o700 });
  symlinkSync(shared, path.join(dataDir, 'box'));
};
