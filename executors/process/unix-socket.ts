/** Opens sockets at paths longer than the kernel allows, by a descriptor of their folder. */
import { closeSync, constants, existsSync, openSync } from 'node:fs';
import type { Server } from 'node:net';
import path from 'node:path';

/** The limit of macOS, the lowest of all systems (bytes). */
const MAX_PATH_BYTES = 103;

type ShortPath = { path: string; close(): void };

/** Throws if the path is too long and the system has no descriptor folders. */
export const shortSocketPath = (file: string): ShortPath => {
  const bytes = Buffer.byteLength(file);
  if (bytes <= MAX_PATH_BYTES) return { path: file, close: () => {} };
  if (!existsSync('/proc/self/fd'))
    throw new Error(
      `${file} is too long for a socket: ${bytes} bytes, and this system takes ${MAX_PATH_BYTES}. Choose a folder with a shorter path (AGENTPR_DATA_DIR, TMPDIR).`,
    );
  const folder = openSync(path.dirname(file), constants.O_RDONLY | constants.O_DIRECTORY);
  let open = true;
  return {
    path: `/proc/self/fd/${folder}/${path.basename(file)}`,
    close: () => {
      if (open) closeSync(folder);
      open = false;
    },
  };
};

export const listenOnSocket = async (server: Server, file: string): Promise<void> => {
  const short = shortSocketPath(file);
  // The server removes its socket by this path.
  server.once('close', () => short.close());
  try {
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(short.path, resolve));
  } catch (error) {
    short.close();
    throw error;
  }
};
