/** Brings the Node that runs us into a container, whose image may have no Node and other libraries. */
import { randomUUID } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { SECOND } from '#model/values';
import { toPathVariable, spawnProcess } from '#process';
import type { ContainerPlace } from './container-command.ts';

const AT = '/box/node';
/** The image's own libraries are tried first: Node then knows where it is, and can start itself. */
const NODE_SCRIPT = `#!/bin/sh
if ${AT}/real -e 0 2>/dev/null; then exec ${AT}/real "$@"; fi
exec ${AT}/lib/loader --library-path ${AT}/lib ${AT}/real "$@"
`;

type Libraries = { loader: string; libraries: readonly string[] };
/** Null where a program is none of glibc, or is statically linked. */
export const readLibraries = async (program: string): Promise<Libraries | null> => {
  const { stdout } = await spawnProcess({
    argv: ['ldd', program],
    cwd: '/',
    env: { PATH: toPathVariable(), LC_ALL: 'C' },
    timeoutMs: 10 * SECOND,
    maxOutputBytes: 65_536,
  });
  const lines = stdout.split('\n').map((line) => line.trim().split(/\s+/));
  const libraries = lines.flatMap(([, arrow, file = '']) =>
    arrow === '=>' && file.startsWith('/') ? [file] : [],
  );
  const loader = lines.find(([file = '']) => file.startsWith('/') && file.includes('ld-linux'))?.[0];
  return loader === undefined || libraries.length === 0 ? null : { loader, libraries };
};

/** Returns where it is shown, or null where it cannot be brought. It takes Node's own path. */
export const prepareNodeMounts = async (below: string): Promise<readonly ContainerPlace[] | null> => {
  const node = realpathSync(process.execPath);
  const found = await readLibraries(node);
  if (found === null) return null;
  const folder = path.join(below, `node-${process.versions.node}-${process.arch}`);
  if (!existsSync(folder)) {
    const making = path.join(below, `making-${randomUUID()}`);
    mkdirSync(path.join(making, 'lib'), { recursive: true, mode: 0o755 });
    copyFileSync(found.loader, path.join(making, 'lib/loader'));
    for (const file of found.libraries) copyFileSync(file, path.join(making, 'lib', path.basename(file)));
    writeFileSync(path.join(making, 'node'), NODE_SCRIPT, { mode: 0o755 });
    // A mount point for the program itself, which is too large for a copy.
    writeFileSync(path.join(making, 'real'), '');
    try {
      renameSync(making, folder);
    } catch (error) {
      rmSync(making, { recursive: true, force: true });
      if (!existsSync(folder)) throw error;
    }
  }
  return [
    { from: folder, at: AT, writable: false },
    { from: node, at: path.join(AT, 'real'), writable: false },
    { from: path.join(folder, 'node'), at: node, writable: false },
  ];
};
