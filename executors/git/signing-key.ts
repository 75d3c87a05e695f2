/** Says whether the operator's SSH key can sign commits, and which key signed one. Only git knows its path, never a box. */
import { hash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import type { TrustedGit } from './trusted-git.ts';
import { readCommit } from './read-objects.ts';

/** The largest key of ssh-keygen (RSA, 16384 bits) has 13 KB (bytes). */
const MAX_KEY_BYTES = 64_000;
const PRIVATE_KEY = /^-----BEGIN (?:([A-Z]+) )?PRIVATE KEY-----\r?\n([^-]*)/m;
/** Source: OpenSSH, PROTOCOL.key. */
const MAGIC = Buffer.from('openssh-key-v1\0');

type KeyContent = 'usable' | 'passphrase' | 'public' | 'other';
const keyContentOf = (text: string): KeyContent => {
  const found = PRIVATE_KEY.exec(text);
  if (!found) return /^(?:ssh|ecdsa|sk)-\S+ AAAA/.test(text) ? 'public' : 'other';
  const [, kind, body = ''] = found;
  if (kind === 'ENCRYPTED' || text.includes('Proc-Type: 4,ENCRYPTED')) return 'passphrase';
  if (kind !== 'OPENSSH') return 'usable';
  const bytes = Buffer.from(body, 'base64');
  const name = MAGIC.length + 4;
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC) || bytes.length < name) return 'other';
  const cipher = bytes.toString('latin1', name, name + bytes.readUInt32BE(MAGIC.length));
  return cipher === 'none' ? 'usable' : 'passphrase';
};

const CONTENT_PROBLEMS: Readonly<Record<Exclude<KeyContent, 'usable'>, string>> = {
  passphrase:
    'has a passphrase, and nobody is there to type it. Name a key without one: ssh-keygen -t ed25519 -N "" -f <path>',
  public: 'is the public half of a key. Name the private one, without .pub.',
  other: 'holds no private SSH key. Name the private key that ssh-keygen wrote.',
};

export const checkSigningKey = (key: string, shown: readonly string[]): string | null => {
  try {
    const real = realpathSync(key);
    const inside = shown.find((dir) => real === dir || real.startsWith(dir.endsWith(sep) ? dir : dir + sep));
    // guard: E16-signing-key-outside
    if (inside !== undefined)
      return `${key} lies in ${inside}, which agents and checks can read. Put it somewhere else.`;
    const file = statSync(real);
    if ((file.mode & 0o077) !== 0) return `${key} can be read by others. Run: chmod 600 ${key}`;
    const isKey = file.isFile() && file.size <= MAX_KEY_BYTES;
    const content = isKey ? keyContentOf(readFileSync(real, 'latin1')) : 'other';
    return content === 'usable' ? null : `${key} ${CONTENT_PROBLEMS[content]}`;
  } catch (error) {
    return `${key} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
};

const SIGNATURE = /^-----BEGIN SSH SIGNATURE-----\n([^-]+)\n-----END SSH SIGNATURE-----/;
/** OpenSSH, PROTOCOL.sshsig: magic (6 bytes), version, length and public key. */
const KEY_AT = 10;

/** Returns the fingerprint as `ssh-keygen -l` prints it; null if unsigned. */
export const findSignerFingerprint = async (
  git: TrustedGit,
  gitDir: string,
  id: string,
): Promise<string | null> => {
  const { signature } = await readCommit(git, gitDir, id);
  const armoured = SIGNATURE.exec(signature ?? '')?.[1];
  if (armoured === undefined) return null;
  const blob = Buffer.from(armoured.replaceAll(/\s/g, ''), 'base64');
  const length = blob.length < KEY_AT + 4 ? 0 : blob.readUInt32BE(KEY_AT);
  const key = blob.subarray(KEY_AT + 4, KEY_AT + 4 + length);
  return `SHA256:${hash('sha256', key, 'base64').replace(/(?<!=)=+$/, '')}`;
};
