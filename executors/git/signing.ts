/**
 * Commits that the operator's SSH key signs, by the operator's choice. The key is named to git's
 * own process and to nobody else: no box sees the directory that it lies in.
 */
import { hash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import type { Git } from './git.ts';

/** What is wrong with a key as it lies there, as a sentence; null when it can be used. */
export const keyProblem = (key: string, shown: readonly string[]): string | null => {
  try {
    const real = realpathSync(key);
    const inside = shown.find((dir) => real === dir || real.startsWith(dir.endsWith(sep) ? dir : dir + sep));
    // guard: E16-signing-key-outside
    if (inside !== undefined)
      return `${key} lies in ${inside}, which agents and checks can read. Put it somewhere else.`;
    const { mode } = statSync(real);
    if ((mode & 0o077) !== 0) return `${key} can be read by others. Run: chmod 600 ${key}`;
    return null;
  } catch (error) {
    return `${key} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
};

const SIGNATURE = /^gpgsig -----BEGIN SSH SIGNATURE-----\n((?: .*\n)+?) -----END SSH SIGNATURE-----$/m;
/** PROTOCOL.sshsig of OpenSSH: six bytes of magic, a version, then the public key with its length. */
const KEY_AT = 10;

/** The fingerprint of the SSH key that signed a commit, as `ssh-keygen -l` shows it; null for none. */
export const signerOf = async (git: Git, gitDir: string, id: string): Promise<string | null> => {
  const { stdout } = await git(['cat-file', 'commit', id], { gitDir });
  const head = stdout.slice(0, stdout.indexOf('\n\n') + 1);
  const armoured = SIGNATURE.exec(head)?.[1];
  if (armoured === undefined) return null;
  const blob = Buffer.from(armoured.replaceAll(/\s/g, ''), 'base64');
  const length = blob.length < KEY_AT + 4 ? 0 : blob.readUInt32BE(KEY_AT);
  const key = blob.subarray(KEY_AT + 4, KEY_AT + 4 + length);
  return `SHA256:${hash('sha256', key, 'base64').replace(/=+$/, '')}`;
};
