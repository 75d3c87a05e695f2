/** Serves the log of published decisions to whoever audits it: signed heads and proofs, hashes alone (G12). */
import { createDecisionLog, writeHashes } from '#receipts';
import type { LedgerQueries } from '#ports/ledger';
import { refuseRequest, type HttpRefusal, type HttpRoute } from '#webhooks';

const CHECKPOINT_PATH = '/checkpoint';
const NOT_LOGGED: HttpRefusal = { status: 404, error: 'The log has nothing of this.' };

type CheckpointParts = {
  ledger: { query: Pick<LedgerQueries, 'newestEvent' | 'publishedLeaves' | 'setting'> };
  receiptSeed: Uint8Array;
};

export const checkpointRoutes = ({ ledger, receiptSeed }: CheckpointParts): HttpRoute[] => {
  const log = createDecisionLog(ledger, receiptSeed);
  /** `proof/<leaf>`, or `consistency/<size before>/<size>`. */
  const answerTo = async (path: string): Promise<string | null> => {
    const [, leaf] = /^\/proof\/([0-9a-f]{64})$/.exec(path) ?? [];
    if (leaf !== undefined) return log.proof(leaf);
    const [, before, size] = /^\/consistency\/(\d{1,10})\/(\d{1,10})$/.exec(path) ?? [];
    const hashes = size === undefined ? null : await log.consistency(Number(before), Number(size));
    return hashes && writeHashes(hashes);
  };
  const route = (path: string, textFor: (rest: string) => Promise<string | null>): HttpRoute => ({
    method: 'GET',
    path,
    handle: async (request, response) => {
      const [asked = ''] = (request.url ?? '').split('?', 1);
      const text = await textFor(asked.slice(CHECKPOINT_PATH.length));
      if (text === null) return refuseRequest(request, response, NOT_LOGGED);
      response.writeHead(200, {
        'content-type': 'text/plain; charset=utf-8',
        'content-length': Buffer.byteLength(text),
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      });
      response.end(text);
    },
  });
  return [route(CHECKPOINT_PATH, () => log.checkpoint()), route(`${CHECKPOINT_PATH}/`, answerTo)];
};
