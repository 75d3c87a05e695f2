/** G11: a stranger with a receipt and two public keys tells what an approver's own key signed from all else. */
import { expect, it } from 'vitest';
import { challengeOf, fingerprintOf } from '#passkeys';
import { readReceipt, withReceipt, type Receipt } from '#pull-text';
import { signReceipt } from '../../orchestrator/receipts/pull-receipt.ts';
import {
  createReceiptSigner,
  ensureReceiptKey,
  listPublishedKeys,
} from '../../orchestrator/receipts/receipt-keys.ts';
import { bodyDigest, titleDigest } from '../../orchestrator/passkeys/key-statement.ts';
import { verifyOwnKeys } from '../../orchestrator/receipts/verify-approver-keys.ts';
import { verifyPull, type ShownPull } from '../../orchestrator/receipts/verify-receipt.ts';
import { createSoftKey } from '../support/soft-key.ts';
import { createSettings } from '../support/signed-pull.ts';

const secret = Buffer.alloc(32, 9);
const BODY = 'What\n\nAdds a page.';
const key = createSoftKey();
const fingerprint = fingerprintOf(key.publicKey);
const RP = 'board.example';

const claims = { run: 'r1', digest: 'd'.repeat(64), policyVersion: 'builtin-4', approver: 'Ana' };
const place = { repo: 'acme/site', base: 'main', commit: 'c'.repeat(40) };
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

const opened = async (withKey = true) => {
  const book = createSettings();
  await ensureReceiptKey(book, 1_000);
  const signer = createReceiptSigner({ mac: Buffer.alloc(32, 1), secret }, book);
  const made = key.sign({ challenge: challengeOf(statement), rpId: RP, origin: `https://${RP}` });
  const { credential, publicKey } = key;
  const keys = { [statement.person]: { credential, publicKey, rpId: RP, ...made } };
  const byKeys = withKey ? { byKeys: { approval: statement.approval, keys } } : {};
  const publication = { ...place, title: 'docs: add a page', body: BODY };
  const receipt = await signReceipt(signer, { ...claims, ...byKeys, at: 2_000 }, publication);
  const pull: ShownPull = {
    repo: place.repo,
    base: place.base,
    head: place.commit,
    title: publication.title,
    body: withReceipt(BODY, receipt),
  };
  return { pull, receipt, published: await listPublishedKeys(book, secret) };
};

const judge = async (
  { pull, published }: Pick<Awaited<ReturnType<typeof opened>>, 'pull' | 'published'>,
  wanted: readonly string[] | null = [fingerprint],
): Promise<string[]> => {
  const { receipt, doubts } = verifyPull(pull, published);
  if (!receipt || doubts.length > 0) return doubts;
  return (await verifyOwnKeys(receipt, wanted)).doubts;
};

it('G11: the right one holds, and says by which key and of which site', async () => {
  const world = await opened();
  expect(await judge(world)).toEqual([]);
  expect(await verifyOwnKeys(world.receipt, null)).toEqual({
    confirmed: [{ fingerprint, place: RP }],
    doubts: [],
  });
  expect(world.pull.body).toContain('and the approver’s own key');
});

it('G11: another key than the one that the reader trusts is told', async () => {
  expect(await judge(await opened(), ['0'.repeat(32)])).toEqual(['own_key_missing']);
});

it('G9: a receipt without such a key holds as before, unless the reader asks for one', async () => {
  const world = await opened(false);
  expect(await judge(world, null)).toEqual([]);
  expect(await judge(world)).toEqual(['own_key_missing']);
  expect(world.pull.body).not.toContain('own key');
});

it('G11: of 60 that were altered in one place, none holds', async () => {
  const world = await opened();
  const json = JSON.stringify(world.receipt);
  let judged = 0;
  for (let i = 0; judged < 60; i += 1) {
    const place = (i * 97) % json.length;
    const put = json[place] === 'A' ? 'B' : 'A';
    const text = json.slice(0, place) + put + json.slice(place + 1);
    let body: string;
    try {
      body = withReceipt(BODY, JSON.parse(text) as Receipt);
    } catch {
      continue;
    }
    judged += 1;
    expect([place, await judge({ ...world, pull: { ...world.pull, body } })]).not.toEqual([place, []]);
  }
});

it('G11: whoever has our keys but not the approver’s signs nothing else in their name', async () => {
  const world = await opened();
  const receipt = readReceipt(world.pull.body);
  if (!receipt?.signed) throw new Error('there is no receipt');
  const { signed } = receipt;
  // As if the operator's own signature were made anew over each of these.
  const others: Partial<NonNullable<Receipt['signed']>>[] = [
    { commit: 'e'.repeat(40) },
    { repo: 'acme/other' },
    { base: 'release' },
    { title: titleDigest('Another') },
    { title: null },
    { body: bodyDigest('Another') },
    { byKeys: { keys: signed.byKeys?.keys ?? {}, approval: 'card-2' } },
  ];
  for (const other of others)
    expect((await verifyOwnKeys({ ...receipt, signed: { ...signed, ...other } }, null)).doubts).toEqual([
      'own_key_wrong',
    ]);
  expect((await verifyOwnKeys({ ...receipt, digest: 'e'.repeat(64) }, null)).doubts).toEqual([
    'own_key_wrong',
  ]);
  expect((await verifyOwnKeys({ ...receipt, run: 'r2' }, null)).doubts).toEqual(['own_key_wrong']);
});

it('G11: without the key’s part a receipt does not hold', async () => {
  const world = await opened();
  if (!world.receipt.signed) throw new Error('it is not signed');
  const { byKeys: _, ...signed } = world.receipt.signed;
  const body = withReceipt(BODY, { ...world.receipt, signed });
  expect(await judge({ ...world, pull: { ...world.pull, body } }, null)).toEqual(['signature_wrong']);
});
