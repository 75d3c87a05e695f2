/** G11: keys of people's own over HTTP: who registers one, what it decides, and what attackers get. */
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '#model/values';
import { keyOriginOf } from '#passkeys';
import { approvalsNotFromChat } from '../../orchestrator/audit/audit-approvals.ts';
import { createBoardWorld, optionsIn, recordIn, type BoardWorld } from '../support/board-world.ts';
import { ANA, BO, VIC } from '../support/chat-world.ts';
import { someAssessment } from '../support/ready-run.ts';
import { createSoftKey, type SoftKey } from '../support/soft-key.ts';
import { sha256Hex } from '#runtime';
import type { Run } from '#run';

/** What a page asks of a key. */
type Asked = {
  approval: string;
  rpId: string;
  challenge: string;
  keys: string[];
  texts: Record<'deny' | 'changes', string>;
};

const pageOf = async (w: BoardWorld, run: Run, cookie: string): Promise<string> =>
  (await w.get(`/board/run/${run.id}/diff`, { cookie })).text();

const readAsked = (page: string): Asked | null => recordIn(page, 'decide-asked') as Asked | null;
const askedOn = async (w: BoardWorld, run: Run, cookie: string): Promise<Asked> => {
  const asked = readAsked(await pageOf(w, run, cookie));
  if (!asked) throw new Error('the page asks for no key');
  return asked;
};

type Wish = Partial<{
  decision: 'approve' | 'deny' | 'changes';
  words: string;
  sign: Partial<Parameters<SoftKey['sign']>[0]>;
  body: Record<string, unknown>;
}>;
/** The body that a page sends when its button was pressed. */
const pressOf = (
  w: BoardWorld,
  asked: Asked,
  key: SoftKey,
  { decision = 'approve', words = '', sign = {}, body = {} }: Wish = {},
): object => {
  const text = decision === 'approve' ? null : `${asked.texts[decision]}${JSON.stringify(sha256Hex(words))}]`;
  const challenge =
    text === null ? asked.challenge : Buffer.from(sha256Hex(text), 'hex').toString('base64url');
  const origin = w.origin()?.origin ?? '';
  return {
    decision,
    approval: asked.approval,
    words,
    credential: key.credential,
    ...key.sign({ challenge, rpId: asked.rpId, origin, ...sign }),
    ...body,
  };
};

const send = async (
  w: BoardWorld,
  run: Run,
  body: object,
  headers: Record<string, string>,
): Promise<{ status: number; says: string }> => {
  const answer = await w.post(`/board/run/${run.id}/decide`, body, headers);
  const text = await answer.text();
  return {
    status: answer.status,
    says: text.startsWith('{') ? (JSON.parse(text) as { says: string }).says : text,
  };
};

const withKey = (by: string) => ({
  fields: {
    assessment: someAssessment({
      decision: 'escalate',
      reasons: [
        {
          policy: 'custom:keys',
          verdict: 'escalate',
          reason: { kind: 'custom_policy', says: by, at: [], more: 0, by: 'passkey' },
        },
      ],
    }),
  },
});

const openings = async (w: BoardWorld, run: Run): Promise<number> =>
  (await w.ledger.query.effects({ runId: run.id, kind: 'open_pr' })).length;

describe('registering', () => {
  it('G11: is for an address with a name and TLS, or for this machine', () => {
    const places = ['http://board.example', 'https://192.0.2.1', 'https://[2001:db8::1]', 'http://[::1]:7'];
    expect(places.map(keyOriginOf)).toEqual([
      null,
      null,
      null,
      { origin: 'http://localhost:7', rpId: 'localhost' },
    ]);
    const board = { origin: 'https://board.example:8443', rpId: 'board.example' };
    expect(keyOriginOf('https://board.example:8443/x')).toEqual(board);
  });

  it('G11: a link from the chat registers one key, which everybody concerned hears of', async () => {
    const w = await createBoardWorld();
    const key = await w.giveKey(BO);
    expect(w.registered).toEqual([expect.stringMatching(/^Bo [0-9a-f]{32}$/)]);
    const said = (await w.says('/passkey', { by: BO })).join('\n');
    expect(said).toContain(w.registered[0]?.split(' ')[1]);
    expect((await w.passkeys.of(BO))?.keys.map(({ credential }) => credential)).toEqual([key.credential]);
    await w.close();
  });

  it('G11: a session without such a link registers nothing, nor does a link a second time', async () => {
    const w = await createBoardWorld();
    const { cookie } = await w.signIn(BO);
    const page = await (await w.get('/board/passkeys', { cookie })).text();
    expect(page).not.toContain('register-asked');
    const at = w.origin()?.origin ?? '';
    const made = createSoftKey().register({ challenge: 'AAAA', rp: { id: 'localhost' } }, at);
    expect((await w.post('/board/passkeys', made, { cookie })).status).toBe(403);

    const linked = await w.signIn(BO, '/passkey');
    const asked = await (await w.get('/board/passkeys', linked)).text();
    const options = optionsIn(asked);
    const first = await w.post('/board/passkeys', createSoftKey().register(options, at), linked);
    const second = await w.post('/board/passkeys', createSoftKey().register(options, at), linked);
    expect([first.status, second.status]).toEqual([200, 403]);
    expect((await w.passkeys.of(BO))?.keys.length).toBe(1);
    await w.close();
  });

  it('G11: one person has ten keys at most', async () => {
    const w = await createBoardWorld();
    const bo = { id: BO, name: 'Bo' };
    const add = (credential: string) =>
      w.passkeys.add(BO, { credential, publicKey: credential, rpId: 'localhost', at: 1, synced: false }, bo);
    const added = [];
    for (let no = 0; no < 11; no += 1) added.push(await add(`key-${no}`));
    expect(added).toEqual([...Array.from({ length: 10 }, () => 'added'), 'too_many']);
    expect(await add('key-3')).toBe('known');
    expect((await w.passkeys.of(BO))?.keys).toHaveLength(10);
    await w.close();
  });

  it('G11: what a link allows ends after ten minutes', async () => {
    const w = await createBoardWorld();
    const { cookie } = await w.signIn(BO, '/passkey');
    w.passes(10 * MINUTE + 1);
    expect(await (await w.get('/board/passkeys', { cookie })).text()).not.toContain('register-asked');
    await w.close();
  });

  it.each([
    ['without a finger', { verified: false }, undefined],
    ['for another site', {}, 'https://evil.example'],
    ['with certificates, which would be fetched from where they say', { format: 'android-key' }, undefined],
  ])('G11: refuses a key %s', async (_, how, origin) => {
    const w = await createBoardWorld();
    const linked = await w.signIn(BO, '/passkey');
    const asked = await (await w.get('/board/passkeys', linked)).text();
    const made = createSoftKey().register(optionsIn(asked), origin ?? w.origin()?.origin ?? '', how);
    expect((await w.post('/board/passkeys', made, linked)).status).toBe(409);
    expect(await w.passkeys.of(BO)).toBeNull();
    await w.close();
  });

  it('G11: people revoke their own keys, and an admin those of everybody', async () => {
    const w = await createBoardWorld();
    await w.giveKey(BO);
    await w.giveKey(VIC);
    const [ofBo = '', ofVic = ''] = w.registered.map((line) => line.split(' ')[1] ?? '');
    expect(await w.says(`/passkey revoke ${ofVic}`, { by: BO })).toEqual([
      'There is no such key, or it is not yours.',
    ]);
    await w.says('/passkey', { by: ANA });
    await w.taps('Revoke Vic', { by: ANA });
    expect((await w.passkeys.of(VIC))?.keys).toEqual([]);
    expect((await w.says(`/passkey revoke ${ofBo}`, { by: BO })).join('')).toContain('is revoked');
    expect((await w.ledger.query.changes(1))[0]?.by?.id).toBe(BO);
    await w.close();
  });
});

describe('deciding', () => {
  it('G11: one press with a key opens the pull request, in the name of its owner', async () => {
    const w = await createBoardWorld();
    const key = await w.giveKey(BO);
    const run = await w.readyRun();
    const { cookie } = await w.signIn(BO);
    const asked = await askedOn(w, run, cookie);
    const done = await send(w, run, pressOf(w, asked, key), { cookie });
    expect(done).toEqual({ status: 200, says: 'Approved with your key.' });
    const { consumedApproval } = (await w.run(run.id)).gate;
    expect(consumedApproval?.ownKeys).toMatchObject([{ by: BO, signature: { credential: key.credential } }]);
    expect(await openings(w, run)).toBe(1);
    const events = await w.ledger.query.events(run.id);
    expect(approvalsNotFromChat(events)).toEqual([]);
    const bare = events.map((event) => ({ ...event, body: event.body.replace('"ownKey"', '"other"') }));
    expect(approvalsNotFromChat(bare)).toEqual([expect.stringContaining('not caused by the chat')]);
    await w.close();
  });

  it('G11: the page shows all that becomes public, as the chat does', async () => {
    const w = await createBoardWorld();
    await w.giveKey(BO);
    const setup = {
      labels: ['docs'],
      reviewers: ['mia'],
      teams: ['acme/core'],
      assignees: ['zoe'],
      milestone: '2.0',
      readyWhenGreen: false,
    };
    const run = await w.readyRun({ fields: { draft: true, setup, signer: 'Bo <bo@example.com>' } });
    const { cookie } = await w.signIn(BO);
    const page = await pageOf(w, run, cookie);
    const shown = page.slice(
      page.indexOf('id="decide-words"'),
      page.indexOf('</details>', page.indexOf('id="decide-words"')),
    );
    for (const part of ['label docs', 'reviewer mia', 'reviewer acme/core', 'assignee zoe', 'milestone 2.0'])
      expect(shown).toContain(part);
    expect(shown).toMatch(/draft/i);
    expect(shown).toContain('Bo &lt;bo@example.com&gt;');
    expect(shown).toContain('Waits for the retry instead of guessing.');
    await w.close();
  });

  it('G11: without a key of their own a browser only looks, and a viewer sees no button', async () => {
    const w = await createBoardWorld();
    const run = await w.readyRun();
    const bo = await w.signIn(BO);
    const page = await pageOf(w, run, bo.cookie);
    expect(page).toContain('register a key of your own');
    expect(page).not.toContain('data-decide');
    await w.giveKey(VIC);
    const vic = await w.signIn(VIC);
    expect(await pageOf(w, run, vic.cookie)).not.toContain('id="decide"');
    await w.close();
  });

  it('G11: nothing is decided where the page hides changes of blanks', async () => {
    const w = await createBoardWorld();
    const run = await w.readyRun();
    await w.giveKey(BO);
    const { cookie } = await w.signIn(BO);
    const hides = await (await w.get(`/board/run/${run.id}/diff?blanks=0`, { cookie })).text();
    expect([readAsked(hides), readAsked(await pageOf(w, run, cookie)) === null]).toEqual([null, false]);
    await w.close();
  });

  it('G11: a page made for one person is not given to another', async () => {
    const w = await createBoardWorld();
    const key = await w.giveKey(BO);
    await w.giveKey(ANA);
    const run = await w.readyRun();
    const [bo, ana] = [await w.signIn(BO), await w.signIn(ANA)];
    expect((await askedOn(w, run, bo.cookie)).keys).toEqual([key.credential]);
    expect((await askedOn(w, run, ana.cookie)).keys).not.toEqual([key.credential]);
    await w.close();
  });

  it('G11: asks for changes and denies, each signed with its words', async () => {
    const w = await createBoardWorld();
    const key = await w.giveKey(BO);
    const { cookie } = await w.signIn(BO);
    const first = await w.readyRun();
    const words = 'Name it retryAfter.';
    const asked = await askedOn(w, first, cookie);
    const other = pressOf(w, asked, key, {
      decision: 'changes',
      words,
      body: { words: 'Delete the tests.' },
    });
    expect((await send(w, first, other, { cookie })).status).toBe(409);
    const changes = pressOf(w, asked, key, { decision: 'changes', words });
    expect(await send(w, first, changes, { cookie })).toEqual({
      status: 200,
      says: 'The agent is asked for changes.',
    });
    expect((await w.run(first.id)).lifecycle.state).toBe('IMPLEMENTING');
    const second = await w.readyRun();
    const no = pressOf(w, await askedOn(w, second, cookie), key, { decision: 'deny', words: 'Not now.' });
    expect((await send(w, second, no, { cookie })).says).toBe('Denied.');
    expect((await w.run(second.id)).lifecycle.state).toBe('FAILED_TERMINAL');
    for (const run of [first, second]) {
      const denied = (await w.ledger.query.events(run.id)).find(({ type }) => type === 'command.deny');
      expect(JSON.parse(denied?.body ?? '')).toMatchObject({ input: { approvalId: run.gate.approval?.id } });
    }
    await w.close();
  });

  it('G11: of two signatures one may come from the chat and one from a key', async () => {
    const w = await createBoardWorld();
    const key = await w.giveKey(BO);
    const run = await w.readyRun({ order: { bounds: { approvals: 2 } } as never });
    const { cookie } = await w.signIn(BO);
    const asked = await askedOn(w, run, cookie);
    expect((await send(w, run, pressOf(w, asked, key), { cookie })).says).toBe(
      'Signed with your key. Others have to sign, too.',
    );
    const again = await send(w, run, pressOf(w, asked, key), { cookie });
    expect(again.says).toContain('You have signed already');
    await w.offer(run.id, {
      type: 'command.pr.approve',
      by: { id: ANA, name: 'Ana' },
      approvalId: asked.approval,
      digest: run.gate.approval?.digest ?? '',
    });
    expect(await openings(w, run)).toBe(1);
    await w.close();
  });
});

describe('signers who lost their role', () => {
  it('G11: do not count when the last key signs', async () => {
    const w = await createBoardWorld();
    const key = await w.giveKey(BO);
    await w.ledger.setUser({ id: VIC, name: 'Vic', role: 'approver' }, null);
    const run = await w.readyRun({ order: { bounds: { approvals: 2 } } as never });
    const { id: approvalId = '', digest = '' } = run.gate.approval ?? {};
    const vic = { id: VIC, name: 'Vic' };
    await w.offer(run.id, { type: 'command.pr.approve', by: vic, approvalId, digest });
    await w.ledger.setUser({ ...vic, role: 'viewer' }, null);
    const { cookie } = await w.signIn(BO);
    const asked = await askedOn(w, await w.run(run.id), cookie);
    expect((await send(w, run, pressOf(w, asked, key), { cookie })).says).toContain('(Vic)');
    expect(await openings(w, run)).toBe(0);
    await w.close();
  });
});

describe('a policy that asks for keys', () => {
  it('G11: a tap in the chat leads to the page, and signs nothing', async () => {
    const w = await createBoardWorld();
    const run = await w.readyRun(withKey('Only with a key.'));
    const said = await w.taps('Open PR');
    expect(said).toBe('This one needs your own key. Approve it on its page:');
    expect(w.messages.at(-1)?.text).toContain(`/board/run/${run.id}/diff#decide`);
    const typed = (await w.says(`/approve_open_pr ${run.id} --confirm`)).join('\n');
    expect(await openings(w, run)).toBe(0);
    expect(typed).not.toContain('Approved');
    await w.close();
  });

  it('G11: a chat’s signature is refused by the machine, a key’s is taken', async () => {
    const w = await createBoardWorld();
    const key = await w.giveKey(BO);
    const run = await w.readyRun(withKey('Only with a key.'));
    const { approval } = run.gate;
    const input = {
      type: 'command.pr.approve',
      by: { id: BO, name: 'Bo' },
      approvalId: approval?.id ?? '',
      digest: approval?.digest ?? '',
    } as const;
    await expect(w.offer(run.id, input)).rejects.toThrow('own_key_needed');
    const { cookie } = await w.signIn(BO);
    const asked = await askedOn(w, run, cookie);
    expect((await send(w, run, pressOf(w, asked, key), { cookie })).status).toBe(200);
    expect(await openings(w, run)).toBe(1);
    await w.close();
  });

  it('G11: a key that the operator did not name counts nothing there, and is not asked for', async () => {
    const w = await createBoardWorld({ trusted: ['0'.repeat(32)] });
    const key = await w.giveKey(BO);
    const free = await w.readyRun();
    const run = await w.readyRun(withKey('Only with a key.'));
    const { cookie } = await w.signIn(BO);
    const page = await pageOf(w, run, cookie);
    expect(page).toContain('you have none that counts');
    const asked = await askedOn(w, free, cookie);
    expect((await send(w, free, pressOf(w, asked, key), { cookie })).status).toBe(200);
    await w.close();
  });
});

describe('attacks', () => {
  const ready = async () => {
    const w = await createBoardWorld();
    const key = await w.giveKey(BO);
    const run = await w.readyRun();
    const { cookie } = await w.signIn(BO);
    const asked = await askedOn(w, run, cookie);
    const unmoved = async (): Promise<void> => {
      expect((await w.run(run.id)).gate.approval?.id).toBe(asked.approval);
      expect(await openings(w, run)).toBe(0);
    };
    return { w, key, run, cookie, asked, unmoved };
  };

  it('G11: whoever has the cookie alone decides nothing', async () => {
    const { w, run, cookie, asked, unmoved } = await ready();
    const thief = createSoftKey();
    expect((await send(w, run, pressOf(w, asked, thief), { cookie })).status).toBe(409);
    const named = pressOf(w, asked, thief, { body: { credential: asked.keys[0] } });
    expect((await send(w, run, named, { cookie })).status).toBe(409);
    await unmoved();
    await w.close();
  });

  it('G11: whoever has the key but no session decides nothing, nor with that of somebody else', async () => {
    const { w, key, run, asked, unmoved } = await ready();
    expect((await send(w, run, pressOf(w, asked, key), {})).status).toBe(401);
    const ana = await w.signIn(ANA);
    expect((await send(w, run, pressOf(w, asked, key), ana)).status).toBe(409);
    await unmoved();
    await w.close();
  });

  it.each([
    ['no finger', { verified: false }],
    ['another site', { origin: 'https://evil.example' }],
    ['another port of this machine', { origin: 'http://localhost:1' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['another challenge', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
    ['a registration', { type: 'webauthn.create' }],
  ])('G11: refuses a signature with %s', async (_, sign) => {
    const { w, key, run, cookie, asked, unmoved } = await ready();
    expect((await send(w, run, pressOf(w, asked, key, { sign }), { cookie })).status).toBe(409);
    await unmoved();
    await w.close();
  });

  it('G11: a signature for one act, run or card is none for another', async () => {
    const { w, key, run, cookie, asked, unmoved } = await ready();
    const other = await w.readyRun();
    const ofOther = await askedOn(w, other, cookie);
    const replayed = pressOf(w, ofOther, key, { body: { approval: asked.approval } });
    expect((await send(w, run, replayed, { cookie })).status).toBe(409);
    const denial = pressOf(w, asked, key, { decision: 'deny', body: { decision: 'approve' } });
    expect((await send(w, run, denial, { cookie })).status).toBe(409);
    await unmoved();
    await w.close();
  });

  it('G11: a press is used once', async () => {
    const { w, key, run, cookie, asked } = await ready();
    const press = pressOf(w, asked, key);
    expect((await send(w, run, press, { cookie })).status).toBe(200);
    expect((await send(w, run, press, { cookie })).status).toBe(409);
    expect(await openings(w, run)).toBe(1);
    await w.close();
  });

  it('G11: a card that expired or was replaced since the page was made is not signed', async () => {
    const { w, key, run, cookie, asked } = await ready();
    await w.says(`/deny ${run.id}`, { by: ANA });
    const late = await send(w, run, pressOf(w, asked, key), { cookie });
    expect([late.status, late.says]).toEqual([
      409,
      expect.stringContaining('no longer what would be published'),
    ]);
    const second = await w.readyRun();
    const card = await askedOn(w, second, cookie);
    w.passes((second.gate.approval?.expiresAt ?? 0) - w.now() + 1);
    const again = w.now() > 24 * HOUR ? await w.signIn(BO) : { cookie };
    expect((await send(w, second, pressOf(w, card, key), again)).status).toBe(409);
    expect(await openings(w, second)).toBe(0);
    await w.close();
  });

  it('G11: keys end with the role of their person, also for one who returns', async () => {
    const w = await createBoardWorld();
    await w.giveKey(BO);
    await w.says(`/users remove ${BO}`);
    expect((await w.passkeys.of(BO))?.keys).toEqual([]);
    await w.close();
  });

  it('G11: a revoked key and a role that was taken away decide nothing', async () => {
    const { w, key, run, cookie, asked, unmoved } = await ready();
    const [, fingerprint] = (w.registered[0] ?? '').split(' ');
    await w.says(`/passkey revoke ${fingerprint}`, { by: ANA });
    expect((await send(w, run, pressOf(w, asked, key), { cookie })).status).toBe(409);
    await w.ledger.setUser({ id: BO, name: 'Bo', role: 'operator' }, null);
    const again = await w.signIn(BO);
    expect((await send(w, run, pressOf(w, asked, key), again)).says).toBe(
      'Your role does not let you decide.',
    );
    await unmoved();
    await w.close();
  });

  it('G11: requests of other sites, forms and frames reach nothing', async () => {
    const { w, key, run, cookie, asked, unmoved } = await ready();
    const press = pressOf(w, asked, key);
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
    ])
      expect([headers, (await send(w, run, press, { cookie, ...headers })).status]).toEqual([headers, 403]);
    const inApp = await w.post(`/board/app/run/${run.id}/decide`, press, { cookie });
    expect(inApp.status).toBe(404);
    const page = await w.get(`/board/run/${run.id}/diff`, { cookie });
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    await unmoved();
    await w.close();
  });

  it('G11: bodies that are too long, no JSON or of another shape are refused, and lose nothing', async () => {
    const { w, key, run, cookie, asked, unmoved } = await ready();
    const press = pressOf(w, asked, key);
    for (const [body, status] of [
      ['{', 400],
      ['[]', 400],
      [{ ...press, extra: 1 }, 400],
      [{ ...press, words: 'x'.repeat(2_001) }, 400],
      ['x'.repeat(64_001), 413],
    ] as const)
      expect((await w.post(`/board/run/${run.id}/decide`, body, { cookie })).status).toBe(status);
    await unmoved();
    await w.close();
  });

  it('G3: an approval with a made-up key is refused wherever it is submitted', async () => {
    const { w, key, run, unmoved } = await ready();
    const { approval } = run.gate;
    const known = (await w.passkeys.of(BO))?.keys[0];
    const signed = key.sign({ challenge: 'AAAA', rpId: 'localhost', origin: w.origin()?.origin ?? '' });
    const ownKey = {
      person: w.passkeys.personOf(BO),
      credential: key.credential,
      publicKey: known?.publicKey ?? '',
      rpId: 'localhost',
      ...signed,
    };
    const input = {
      type: 'command.pr.approve',
      by: { id: BO, name: 'Bo' },
      approvalId: approval?.id ?? '',
      digest: approval?.digest ?? '',
      ownKey,
    } as const;
    const cause = { kind: 'none' } as const;
    expect(await w.submit({ runId: run.id, input, key: 'passkey:1', cause })).toEqual({
      kind: 'refused',
      reason: { kind: 'own_key_refused', why: 'wrong_signature' },
    });
    expect(await w.submit({ runId: run.id, input, key: 'cli:1', cause })).toMatchObject({
      kind: 'refused',
      reason: { kind: 'chat_only' },
    });
    await unmoved();
    await w.close();
  });
});
