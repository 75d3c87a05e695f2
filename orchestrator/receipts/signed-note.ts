/** Signed notes (c2sp.org/signed-note) with Ed25519 keys (G12). */
import { sha256Hex } from '../kernel/runtime/content-hash.ts';

/** `name`: without spaces and plus signs. `publicKey`: its 32 bytes. */
export type NoteKey = { name: string; publicKey: Uint8Array };
type VerifyBytes = (text: Uint8Array, signature: Uint8Array) => boolean;
export type NoteVerifier = NoteKey & { verify: VerifyBytes };

const ED25519 = Buffer.of(1);
const ID_BYTES = 4;
const MAX_NOTE = 1_000_000;
const MAX_SIGNATURES = 100;
const SIGNATURE = /^— (?<name>[^\s+]{1,300}) (?<base64>[A-Za-z0-9+/]{4,8000}={0,2})$/;

const keyIdOf = ({ name, publicKey }: NoteKey): Buffer =>
  Buffer.from(sha256Hex(Buffer.concat([Buffer.from(`${name}\n`), ED25519, publicKey])), 'hex').subarray(
    0,
    ID_BYTES,
  );

/** The key as other tools for notes take it. */
export const noteKeyText = (key: NoteKey): string =>
  `${key.name}+${keyIdOf(key).toString('hex')}+${Buffer.concat([ED25519, key.publicKey]).toString('base64')}`;

/** `text` ends with a newline. */
export const signNote = (
  text: string,
  key: NoteKey & { sign: (bytes: Uint8Array) => Uint8Array },
): string => {
  const signature = Buffer.concat([keyIdOf(key), key.sign(Buffer.from(text))]);
  return `${text}\n— ${key.name} ${signature.toString('base64')}\n`;
};

const isControlled = (note: string): boolean =>
  // eslint-disable-next-line no-control-regex -- The format of notes forbids control characters.
  /[\u0000-\u0009\u000b-\u001f]/.test(note) || !note.isWellFormed();

type Signed = { name: string; id: Buffer; signature: Buffer };

const readSignature = (line: string): Signed | null => {
  const { name, base64 } = SIGNATURE.exec(line)?.groups ?? {};
  if (name === undefined || base64 === undefined) return null;
  const bytes = Buffer.from(base64, 'base64');
  // guard: G12-note-one-form
  if (bytes.toString('base64') !== base64) return null;
  return { name, id: bytes.subarray(0, ID_BYTES), signature: bytes.subarray(ID_BYTES) };
};

/** Its text, where one of these keys has signed it and none of them falsely; null otherwise. */
export const openNote = (note: string, keys: readonly NoteVerifier[]): string | null => {
  if (note.length > MAX_NOTE || !note.endsWith('\n') || isControlled(note)) return null;
  const end = note.lastIndexOf('\n\n');
  if (end < 0) return null;
  const text = note.slice(0, end + 1);
  const lines = note.slice(end + 2, -1).split('\n');
  if (lines.length > MAX_SIGNATURES) return null;
  let isSigned = false;
  for (const line of lines) {
    const read = readSignature(line);
    if (!read) return null;
    const key = keys.find((one) => one.name === read.name && keyIdOf(one).equals(read.id));
    if (!key) continue;
    // guard: G12-note-signature
    if (!key.verify(Buffer.from(text), read.signature)) return null;
    isSigned = true;
  }
  // guard: G12-note-signed
  return isSigned ? text : null;
};
