/** A pull request with a receipt that two keys have signed: the installation's, and the approver's own. */
import { challengeOf } from '#passkeys';
import { withReceipt } from '#pull-text';
import { bodyDigest, titleDigest } from '../../orchestrator/passkeys/key-statement.ts';
import { signReceipt } from '../../orchestrator/receipts/pull-receipt.ts';
import {
  createReceiptSigner,
  ensureReceiptKey,
  listPublishedKeys,
} from '../../orchestrator/receipts/receipt-keys.ts';
import type { ShownPull } from '../../orchestrator/receipts/verify-receipt.ts';
import type { SoftKey } from './soft-key.ts';

export const RECEIPT_SECRET = Buffer.alloc(32, 9);
const BODY = 'What\n\nAdds a page.';
const RP = 'board.example';

export const createSettings = () => {
  const texts = new Map<string, string>();
  return {
    query: { setting: async (name: string) => texts.get(name) ?? null },
    changeSetting: async <T>(
      name: string,
      change: (before: string | null) => { to: string | null; answer: T },
    ): Promise<T> => {
      const { to, answer } = change(texts.get(name) ?? null);
      if (to !== null) texts.set(name, to);
      return answer;
    },
  };
};

type Signing = { key?: SoftKey; tree?: string; commit?: string; run?: string };

export const signedPull = async ({
  key,
  tree = 'd'.repeat(40),
  commit = 'c'.repeat(40),
  run = 'r1',
}: Signing) => {
  const book = createSettings();
  await ensureReceiptKey(book, 1_000);
  const signer = createReceiptSigner({ mac: Buffer.alloc(32, 1), secret: RECEIPT_SECRET }, book);
  const claims = { run, digest: 'd'.repeat(64), policyVersion: 'builtin-4', approver: 'Ana' };
  const place = { repo: 'acme/site', base: 'main', commit };
  const statement = {
    run: claims.run,
    action: 'open_pr',
    person: 'opaque',
    approval: 'card-1',
    seal: claims.digest,
    ...place,
    title: titleDigest('docs: add a page'),
    body: bodyDigest(BODY),
    words: null,
  } as const;
  const { person, approval } = statement;
  const byKeys = key && {
    approval,
    keys: {
      [person]: {
        credential: key.credential,
        publicKey: key.publicKey,
        rpId: RP,
        ...key.sign({ challenge: challengeOf(statement), rpId: RP, origin: `https://${RP}` }),
      },
    },
  };
  const publication = { ...place, tree, title: 'docs: add a page', body: BODY };
  const receipt = await signReceipt(signer, { ...claims, ...(byKeys && { byKeys }), at: 2_000 }, publication);
  const pull: ShownPull = {
    repo: place.repo,
    base: place.base,
    head: place.commit,
    title: publication.title,
    body: withReceipt(BODY, receipt),
  };
  return { pull, receipt, book, published: await listPublishedKeys(book, RECEIPT_SECRET) };
};
