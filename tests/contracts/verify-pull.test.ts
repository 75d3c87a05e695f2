/** G9: whoever has the public keys alone can tell an approved pull request from every other one. */
import { describe, expect, it } from 'vitest';
import { withReceipt } from '#pull-text';
import { signReceipt } from '../../orchestrator/receipts/pull-receipt.ts';
import {
  createReceiptSigner,
  ensureReceiptKey,
  PublishedKeys,
  listPublishedKeys,
  revokeReceiptKey,
  rotateReceiptKey,
  setReceiptPage,
} from '../../orchestrator/receipts/receipt-keys.ts';
import { verifyPull, type ShownPull } from '../../orchestrator/receipts/verify-receipt.ts';
import { fc } from '../support/properties.ts';
import { createSettings } from '../support/signed-pull.ts';

const BY = { id: null, name: 'the operator' };
const secret = Buffer.alloc(32, 9);
const mac = Buffer.alloc(32, 1);
const BODY = 'What\n\nAdds a page.\n\nWhy\n\nSomebody asked for it.';

const opened = async (
  at: number,
  book: ReturnType<typeof createSettings>,
  title: string | null = 'docs: add a page',
) => {
  const signer = createReceiptSigner({ mac, secret }, book);
  const claims = { run: 'r1', digest: 'd'.repeat(64), policyVersion: 'builtin-4', approver: 'Ana', at };
  const place = { repo: 'acme/site', base: 'main', commit: 'c'.repeat(40) };
  const receipt = await signReceipt(signer, claims, { ...place, title, body: BODY });
  const pull: ShownPull = {
    repo: 'acme/site',
    base: 'main',
    head: 'c'.repeat(40),
    title: title ?? 'docs: whatever stands there',
    body: withReceipt(BODY, receipt).replaceAll('\n', '\r\n'),
  };
  return pull;
};

describe('a pull request and the published keys', () => {
  it('G9: hold as they were signed, also for a push that changed the description alone', async () => {
    const book = createSettings();
    await ensureReceiptKey(book, 1_000);
    const keys = PublishedKeys.parse(JSON.parse(JSON.stringify(await listPublishedKeys(book, secret))));
    expect(verifyPull(await opened(2_000, book), keys).doubts).toEqual([]);
    expect(verifyPull(await opened(2_000, book, null), keys).doubts).toEqual([]);
  });

  it('G9: of 1,000 that were altered in one place, none holds', async () => {
    const book = createSettings();
    await ensureReceiptKey(book, 1_000);
    const keys = await listPublishedKeys(book, secret);
    const pull = await opened(2_000, book);
    const fields = ['repo', 'base', 'head', 'title', 'body'] as const;
    const alike = (text: string): string => text.replaceAll('\r\n', '\n').trim();
    fc.assert(
      fc.property(
        fc.constantFrom(...fields),
        fc.nat(),
        fc.constantFrom('a', 'Z', '0', '-', '_', '"', '\n', '\u200b', ''),
        (field, at, put) => {
          const text = pull[field];
          const place = at % text.length;
          const altered = text.slice(0, place) + put + text.slice(place + 1);
          const same = field === 'repo' ? altered.toLowerCase() === text : alike(altered) === alike(text);
          fc.pre(!same);
          expect(verifyPull({ ...pull, [field]: altered }, keys).doubts).not.toEqual([]);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('G9: of 1,000 sets of keys with one of them altered, none holds', async () => {
    const book = createSettings();
    await ensureReceiptKey(book, 1_000);
    await rotateReceiptKey(book, 5_000, BY);
    const keys = await listPublishedKeys(book, secret);
    const pulls = [await opened(2_000, book), await opened(6_000, book)] as const;
    const iso = (at: number): string => new Date(at).toISOString();
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const put = (text: string, at: number, letter: string): string =>
      text.slice(0, at % text.length) + letter + text.slice((at % text.length) + 1);
    fc.assert(
      fc.property(
        fc.constantFrom('id', 'publicKey', 'from', 'until', 'revokedAt', 'gone', 'swapped'),
        fc.constantFrom(0, 1),
        fc.nat(),
        fc.constantFrom(...letters),
        (what, which, at, letter) => {
          const key = keys.keys[which] ?? keys.keys[0]!;
          const other = keys.keys[1 - which] ?? keys.keys[0]!;
          const signedAt = which === 0 ? 2_000 : 6_000;
          const altered = {
            id: { ...key, id: put(key.id, at, '0123456789abcdef'[at % 16] ?? '0') },
            publicKey: { ...key, publicKey: put(key.publicKey, at, letter) },
            from: { ...key, from: iso(signedAt + 1 + (at % 1_000_000)) },
            until: { ...key, until: iso(signedAt - (at % signedAt)) },
            revokedAt: { ...key, revokedAt: iso(at % 1_000_000) },
            gone: null,
            swapped: { ...key, publicKey: other.publicKey },
          }[what];
          fc.pre(JSON.stringify(altered) !== JSON.stringify(key));
          // The last character's spare bits do not change the key.
          fc.pre(what !== 'publicKey' || at % key.publicKey.length !== key.publicKey.length - 1);
          const left = keys.keys.flatMap((one) => (one === key ? (altered ? [altered] : []) : [one]));
          expect(verifyPull(pulls[which], { ...keys, keys: left }).doubts).not.toEqual([]);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('G9: of two installations with one key either confirms the other, for that pull request alone, and a revocation is of one', async () => {
    const [one, two] = [createSettings(), createSettings()];
    await ensureReceiptKey(one, 1_000);
    await ensureReceiptKey(two, 1_500);
    const [ofOne, ofTwo] = [await listPublishedKeys(one, secret), await listPublishedKeys(two, secret)];
    const id = ofOne.keys[0]?.id ?? '';
    expect(ofTwo.keys[0]?.id).toBe(id);
    const pull = await opened(2_000, one);
    expect(verifyPull(pull, ofTwo).doubts).toEqual([]);
    // What one signed before the other had the key is not confirmed by the other.
    expect(verifyPull(await opened(1_200, one), ofTwo).doubts).not.toEqual([]);
    for (const other of [{ head: 'e'.repeat(40) }, { repo: 'acme/other' }, { base: 'next' }])
      expect(verifyPull({ ...pull, ...other }, ofTwo).doubts).not.toEqual([]);
    expect(await revokeReceiptKey(two, secret, { id, now: 3_000, by: BY })).toBe(true);
    expect(verifyPull(pull, await listPublishedKeys(two, secret)).doubts).toEqual(['key_revoked']);
    expect(verifyPull(pull, ofOne).doubts).toEqual([]);
  });

  it('G9: a receipt that a maintainer takes out, cuts or says otherwise is not taken for one', async () => {
    const book = createSettings();
    await ensureReceiptKey(book, 1_000);
    const keys = await listPublishedKeys(book, secret);
    const pull = await opened(2_000, book);
    const lines = pull.body.split('\n');
    const at = lines.findIndex((line) => line.includes('AgentPR receipt'));
    expect(at).toBeGreaterThan(0);
    for (let i = at; i < lines.length; i += 1) {
      const without = lines.filter((_, n) => n !== i).join('\n');
      const cut = lines.map((line, n) => (n === i ? line.slice(0, -1) : line)).join('\n');
      for (const body of [without, cut])
        if (body.trimEnd() !== pull.body.trimEnd())
          expect(verifyPull({ ...pull, body }, keys).doubts, `line ${i}`).not.toEqual([]);
    }
    expect(verifyPull({ ...pull, body: lines.slice(0, at).join('\n') }, keys).doubts).toEqual(['no_receipt']);
  });

  it('G9: the link to the page for maintainers is signed too, and one without it stays as it was', async () => {
    const book = createSettings();
    await ensureReceiptKey(book, 1_000);
    const keys = await listPublishedKeys(book, secret);
    const without = await opened(2_000, book);
    await setReceiptPage(book, 'https://agentpr.example.com/deep/', 1_500);
    const pull = await opened(2_000, book);
    expect(without.body).not.toContain('How to read');
    expect(pull.body).toContain('. [How to read this receipt](https://agentpr.example.com/receipts)');
    expect(verifyPull(pull, keys).doubts).toEqual([]);
    const body = pull.body.replaceAll('agentpr.example.com', 'evil.example.com');
    expect(verifyPull({ ...pull, body }, keys).doubts).toEqual(['signature_wrong']);
    const shown = pull.body.replace('(https://agentpr.example.com', '(https://evil.example.com');
    expect(verifyPull({ ...pull, body: shown }, keys).doubts).toEqual(['no_receipt']);
    // An address that no receipt may carry is left out: an opening never fails by it.
    for (const address of [null, 'http://agentpr.example.com', 'https://[::1]:8443']) {
      await setReceiptPage(book, address, 1_900);
      expect(await opened(2_000, book)).toEqual(without);
    }
  });

  it('G9: an address that changes after the approval changes no byte of what is tried again', async () => {
    const book = createSettings();
    await ensureReceiptKey(book, 1_000);
    await setReceiptPage(book, 'https://one.example.com', 1_000);
    const first = await opened(2_000, book);
    for (const [address, at] of [
      ['https://two.example.com', 2_001],
      [null, 3_000],
    ] as const) {
      await setReceiptPage(book, address, at);
      expect(await opened(2_000, book)).toEqual(first);
    }
    expect((await opened(2_500, book)).body).toContain('https://two.example.com/receipts');
    expect((await opened(3_000, book)).body).not.toContain('How to read');
    // A tunnel has another address at each start: the list stays short, and the newest hold.
    for (let i = 0; i < 200; i += 1) await setReceiptPage(book, `https://t${i}.example.com`, 4_000 + i);
    expect((await opened(4_199, book)).body).toContain('https://t199.example.com/receipts');
    expect((await book.query.setting('receipt_page'))?.length).toBeLessThan(5_000);
  });

  it('G9: a signature has one form: no other last character stands for the same bytes', async () => {
    const book = createSettings();
    await ensureReceiptKey(book, 1_000);
    const keys = await listPublishedKeys(book, secret);
    const pull = await opened(2_001, book);
    const [, signature = ''] = /"signature":"([\w-]+)"/.exec(pull.body) ?? [];
    expect(signature).toHaveLength(86);
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const bytes = (text: string): string => Buffer.from(text, 'base64url').toString('hex');
    const twin = [...letters]
      .map((letter) => signature.slice(0, -1) + letter)
      .find((text) => text !== signature && bytes(text) === bytes(signature));
    const body = pull.body.replace(signature, twin ?? '');
    expect(twin).toBeDefined();
    expect(verifyPull({ ...pull, body }, keys).doubts).toEqual(['signature_wrong']);
  });

  it('G9: what a retired key signed goes on to hold, and a new one signs from then on', async () => {
    const book = createSettings();
    await ensureReceiptKey(book, 1_000);
    const old = await opened(2_000, book);
    await rotateReceiptKey(book, 5_000, BY);
    const young = await opened(6_000, book);
    const keys = await listPublishedKeys(book, secret);
    expect(keys.keys).toHaveLength(2);
    expect(verifyPull(old, keys).doubts).toEqual([]);
    expect(verifyPull(young, keys).doubts).toEqual([]);
    expect(young.body).not.toContain(keys.keys[0]?.id);
    // An opening that is tried again after the rotation is signed as the first time.
    expect(await opened(2_000, book)).toEqual(old);
    const shifted = {
      ...keys,
      keys: keys.keys.map((key) => ({ ...key, until: new Date(1_500).toISOString() })),
    };
    expect(verifyPull(old, shifted).doubts).toEqual(['key_not_in_force']);
  });

  it('G9: nothing that a revoked key signed holds, and it signs no more', async () => {
    const book = createSettings();
    await ensureReceiptKey(book, 1_000);
    const old = await opened(2_000, book);
    const [key] = (await listPublishedKeys(book, secret)).keys;
    expect(await revokeReceiptKey(book, secret, { id: 'f'.repeat(16), now: 3_000, by: BY })).toBe(false);
    expect(await revokeReceiptKey(book, secret, { id: key?.id ?? '', now: 3_000, by: BY })).toBe(true);
    const keys = await listPublishedKeys(book, secret);
    expect(verifyPull(old, keys).doubts).toEqual(['key_revoked']);
    expect(verifyPull(await opened(4_000, book), keys).doubts).toEqual([]);
    expect(verifyPull(await opened(2_500, book), keys).doubts).toEqual(['not_signed']);
  });

  it('G9: another installation cannot lend its name, nor a published key its id', async () => {
    const [book, other] = [createSettings(), createSettings()];
    await ensureReceiptKey(book, 1_000);
    await ensureReceiptKey(other, 1_000);
    const pull = await opened(2_000, book);
    const theirs = await listPublishedKeys(other, Buffer.alloc(32, 8));
    expect(verifyPull(pull, theirs).doubts).toEqual(['key_unknown']);
    const [ours] = (await listPublishedKeys(book, secret)).keys;
    const borrowed = { ...theirs, keys: theirs.keys.map((key) => ({ ...key, id: ours?.id ?? '' })) };
    expect(verifyPull(pull, borrowed).doubts).toEqual(['signature_wrong']);
  });

  it('G9: a receipt before the first key is the operator’s alone', async () => {
    const book = createSettings();
    expect(verifyPull(await opened(500, book), await listPublishedKeys(book, secret)).doubts).toEqual([
      'not_signed',
    ]);
  });
});
