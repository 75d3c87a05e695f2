/** The tree of all published decisions, as the ledger has them; it says counts and hashes alone (G12). */
import type { LedgerQueries } from '#ports/ledger';
import { checkpointText, formatProof } from './checkpoint.ts';
import { createMerkleTree, type Hash, type MerkleTree } from './merkle-tree.ts';
import { findLogSigner } from './receipt-keys.ts';
import { signNote } from './signed-note.ts';

/** Events that are looked through at once: nothing else waits for long. */
const EVENTS_A_PAGE = 2_000;

type DecisionLog = {
  /** The signed head as of now; null where there is no key yet. */
  checkpoint(): Promise<string | null>;
  /** The place of the decision with this leaf hash, hexadecimal; null for an unknown one. */
  proof(leaf: string): Promise<string | null>;
  /** Null where the tree never had these sizes, in this order. */
  consistency(before: number, size: number): Promise<readonly Hash[] | null>;
};

export const createDecisionLog = (
  { query }: { query: Pick<LedgerQueries, 'newestEvent' | 'publishedLeaves' | 'setting'> },
  secret: Uint8Array,
): DecisionLog => {
  const tree: MerkleTree = createMerkleTree();
  const places = new Map<string, number>();
  let seen = 0;
  const readNew = async (): Promise<void> => {
    const newest = await query.newestEvent();
    while (seen < newest) {
      const upto = Math.min(newest, seen + EVENTS_A_PAGE);
      for (const leaf of await query.publishedLeaves({ after: seen, upto })) {
        if (!places.has(leaf)) places.set(leaf, tree.size);
        tree.append(Buffer.from(leaf, 'hex'));
      }
      seen = upto;
    }
  };
  let last: Promise<void> = Promise.resolve();
  /** One after the other, so that no leaf is appended twice. */
  const catchUp = (): Promise<void> => (last = last.catch(() => undefined).then(readNew));
  const signHead = async (size: number): Promise<string | null> => {
    const key = await findLogSigner({ query }, secret);
    return key && signNote(checkpointText({ origin: key.name, size, root: tree.root(size) }), key);
  };
  return {
    checkpoint: async () => {
      await catchUp();
      return signHead(tree.size);
    },
    proof: async (leaf) => {
      await catchUp();
      const [index, { size }] = [places.get(leaf), tree];
      const head = index === undefined ? null : await signHead(size);
      return index === undefined || head === null
        ? null
        : formatProof(index, tree.inclusion(index, size), head);
    },
    consistency: async (before, size) => {
      await catchUp();
      return before <= size && size <= tree.size ? tree.consistency(before, size) : null;
    },
  };
};
