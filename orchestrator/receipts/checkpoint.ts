/**
 * Signed heads of the tree of decisions (c2sp.org/tlog-checkpoint), and proofs of one decision
 * (c2sp.org/tlog-proof) (G12).
 */
import { EMPTY_ROOT, isIncluded, MAX_TREE_SIZE, type Hash } from './merkle-tree.ts';
import { openNote, type NoteVerifier } from './signed-note.ts';

export type TreeHead = { origin: string; size: number; root: Hash };

export const checkpointText = ({ origin, size, root }: TreeHead): string =>
  `${origin}\n${size}\n${Buffer.from(root).toString('base64')}\n`;

const HASH_BYTES = 32;
const MAX_PATH = 64;
const PROOF_HEADER = 'c2sp.org/tlog-proof@v1';

const readHash = (line: string): Hash | null => {
  const bytes = Buffer.from(line, 'base64');
  return bytes.length === HASH_BYTES && bytes.toString('base64') === line ? bytes : null;
};
export const writeHashes = (hashes: readonly Hash[]): string =>
  hashes.map((hash) => `${Buffer.from(hash).toString('base64')}\n`).join('');

/** Null unless every line is a hash. */
export const readHashes = (text: string): Hash[] | null => {
  const lines = text.split('\n').slice(0, -1);
  const hashes = lines.flatMap((line) => readHash(line) ?? []);
  return text === writeHashes(hashes) && hashes.length <= MAX_PATH ? hashes : null;
};

const readNumber = (text: string | undefined): number | null => {
  const number = /^(?:0|[1-9]\d{0,9})$/.test(text ?? '') ? Number(text) : null;
  return number !== null && number <= MAX_TREE_SIZE ? number : null;
};

/** Null unless one of the keys has signed it, for the log that it is expected from. */
export const readCheckpoint = (
  note: string,
  { origin, keys }: { origin: string; keys: readonly NoteVerifier[] },
): TreeHead | null => {
  const lines = openNote(note, keys)?.split('\n') ?? [];
  const [named, size, root] = [lines[0], readNumber(lines[1]), readHash(lines[2] ?? '')];
  // Lines that follow mean nothing to us. Each line is one, so that the text has one meaning.
  if (size === null || root === null || lines.slice(3, -1).includes('')) return null;
  // guard: G12-origin
  if (named !== origin) return null;
  if (size === 0 && Buffer.compare(root, EMPTY_ROOT) !== 0) return null;
  return { origin, size, root };
};

export const formatProof = (index: number, path: readonly Hash[], checkpoint: string): string =>
  `${PROOF_HEADER}\nindex ${index}\n${writeHashes(path)}\n${checkpoint}`;

type ProvenPlace = { index: number; head: TreeHead };

/** Where the decision with this leaf stands; null when this proves nothing of it. */
export const verifyProof = (
  text: string,
  leaf: Hash,
  log: { origin: string; keys: readonly NoteVerifier[] },
): ProvenPlace | null => {
  const form = /^c2sp\.org\/tlog-proof@v1\n(?:extra [^\n]*\n)?index (?<index>\d{1,10})\n(?<path>[^\n]+\n)*\n/;
  const match = form.exec(text);
  const index = readNumber(match?.groups?.['index']);
  if (!match || index === null) return null;
  const lines = match[0]
    .split('\n')
    .filter((line) => line !== '' && !/^(?:c2sp\.org\/|extra |index )/.test(line));
  const path = readHashes(lines.map((line) => `${line}\n`).join(''));
  const head = readCheckpoint(text.slice(match[0].length), log);
  if (!path || !head) return null;
  const { size, root } = head;
  return isIncluded(leaf, { index, size, proof: path, root }) ? { index, head } : null;
};
