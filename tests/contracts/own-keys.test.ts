/** G11: where a policy asks for approvers' own keys, nothing is published without them, whatever the ledger says. */
import { describe, expect, it } from 'vitest';
import {
  challengeOf,
  createOwnKeyCheck,
  fingerprintOf,
  keyStatementOf,
  type PasskeyStore,
  type TrustedKeys,
} from '#passkeys';
import { ownKeyText, type OwnKeySignature } from '#model/seal';
import type { CheckOwnKeys } from '#ports/records';
import { patchRun } from '../../orchestrator/kernel/run/run.ts';
import { sha256Hex } from '../../orchestrator/kernel/runtime/content-hash.ts';
import type { Run } from '#run';
import { proposal, sha } from '../support/core.ts';
import { opening, said, signed, signedForBoth, type DoorWorld } from '../support/doors.ts';
import { createSoftKey, type SoftKey, type SignWish } from '../support/soft-key.ts';

const RP = 'board.example';
const personOf = (user: string): string => `person-${user}`;

const ana = createSoftKey();
const bo = createSoftKey();
/** Whoever can write everywhere but into the operator's configuration. */
const intruder = createSoftKey();

/** The ledger says of all three that they are people's. */
const registered: Readonly<Record<string, readonly SoftKey[]>> = { '7': [ana], '8': [bo], '9': [intruder] };
const passkeys: Pick<PasskeyStore, 'of' | 'personOf'> = {
  personOf,
  of: async (user) => ({
    name: user,
    keys: (registered[user] ?? []).map(({ credential, publicKey }) => ({
      credential,
      publicKey,
      rpId: RP,
      at: 0,
      synced: false,
    })),
  }),
};
const named = [ana, bo].map(({ publicKey }) => fingerprintOf(publicKey));
const checkWith = (trusted: TrustedKeys = named): CheckOwnKeys => createOwnKeyCheck({ passkeys, trusted });

type Signs = {
  key?: SoftKey;
  by?: string;
  person?: string;
  wish?: Partial<SignWish>;
  /** What the signature says of itself. */
  told?: Partial<OwnKeySignature>;
  over?: (run: Run) => Run;
};
const signatureOf = (
  run: Run,
  action: 'push' | 'open_pr',
  { key = ana, by = '7', person = personOf(by), wish = {}, told = {}, over = (it) => it }: Signs,
): { by: string; signature: OwnKeySignature } => {
  const { gate } = over(run);
  const proposal = gate.proposal;
  if (!proposal || !gate.consumedApproval) throw new Error('nothing was signed');
  const approvalId = gate.consumedApproval.id;
  const statement = keyStatementOf({ run: over(run), action, approvalId, proposal }, person);
  const made = key.sign({ challenge: challengeOf(statement), rpId: RP, origin: `https://${RP}`, ...wish });
  const { credential, publicKey } = key;
  return { by, signature: { person, credential, publicKey, rpId: RP, ...made, ...told } };
};

const withKeys =
  (action: 'push' | 'open_pr', ...signs: readonly Signs[]) =>
  (run: Run): Run => {
    const consumed = run.gate.consumedApproval;
    if (!consumed) throw new Error('nothing was signed');
    const ownKeys = signs.map((one) => signatureOf(run, action, one));
    // Two people signed, so that only their keys are judged here.
    const signedBy = ['7', '8'].map((id) => ({ id, name: id }));
    return patchRun(run, { gate: { consumedApproval: { ...consumed, ownKeys, signedBy } } });
  };

const openWith = async (change: (run: Run) => Run, w: DoorWorld = {}) => {
  const { world, call } = await opening({ keys: checkWith(), ...w }, change);
  return { says: said(await call()), opened: world.did.filter((did) => did.startsWith('opened')).length };
};

const asksTwo = (run: Run): Run => ({
  ...run,
  order: { ...run.order, bounds: { ...run.order.bounds, approvals: 2 } },
});

describe('an opening', () => {
  it('G11: is made when an approver’s key signed exactly this', async () => {
    expect(await openWith(withKeys('open_pr', {}))).toEqual({ says: ['worker.pr.opened'], opened: 1 });
  });

  it('G11: is not made by an approval that the ledger alone vouches for', async () => {
    const { says, opened } = await openWith((run) => run);
    expect([says[0], says[1], opened]).toEqual(['permission_denied', expect.stringContaining('too_few'), 0]);
  });

  const elsewhere =
    (change: Partial<NonNullable<Run['gate']['proposal']>['fields']>) =>
    (run: Run): Run => {
      const { proposal } = run.gate;
      if (!proposal) throw new Error('nothing was proposed');
      return patchRun(run, {
        gate: { proposal: { ...proposal, fields: { ...proposal.fields, ...change } } },
      });
    };

  it.each<[string, string, Signs]>([
    ['a key that the ledger was made to have', 'untrusted_key', { key: intruder, by: '9' }],
    ['an approver’s key in another name', 'unknown_key', { key: ana, by: '8' }],
    ['a stranger’s key by the name of theirs', 'unknown_key', { told: { publicKey: intruder.publicKey } }],
    [
      'their key for another site',
      'unknown_key',
      { wish: { rpId: 'evil.example', origin: 'https://evil.example' }, told: { rpId: 'evil.example' } },
    ],
    ['no finger on it', 'wrong_signature', { wish: { verified: false } }],
    ['another site', 'wrong_signature', { wish: { origin: 'https://evil.example' } }],
    ['its site over plain HTTP', 'wrong_signature', { wish: { origin: `http://${RP}` } }],
    ['a site whose name ends alike', 'wrong_signature', { wish: { origin: `https://evil-${RP}` } }],
    ['another relying party', 'wrong_signature', { wish: { rpId: 'evil.example' } }],
    ['another title', 'wrong_signature', { over: elsewhere({ title: 'Another' }) }],
    ['another description', 'wrong_signature', { over: elsewhere({ body: 'Another.' }) }],
    ['another commit', 'wrong_signature', { over: elsewhere({ headSha: 'f'.repeat(40) }) }],
    ['another base', 'wrong_signature', { over: elsewhere({ baseRef: 'release' }) }],
    ['another run', 'wrong_signature', { over: (run) => ({ ...run, id: 'other' }) }],
  ])('G11: is not made with %s', async (_, why, signs) => {
    const { says, opened } = await openWith(withKeys('open_pr', signs));
    expect([says[1], opened]).toEqual([expect.stringContaining(why), 0]);
  });

  it('G11: is not made by a signature for another act', async () => {
    const pushed = (run: Run): Run => {
      const { ownKeys = [] } = withKeys('push', {})(run).gate.consumedApproval ?? {};
      return patchRun(run, { gate: { consumedApproval: { ...required(run), ownKeys } } });
    };
    expect((await openWith(pushed)).opened).toBe(0);
  });

  it('G11: is not made by one bit that differs in any part of the signature', async () => {
    for (const part of ['authenticatorData', 'clientData', 'signature'] as const) {
      const { opened } = await openWith((run) => {
        const whole = withKeys('open_pr', {})(run);
        const [one] = required(whole).ownKeys ?? [];
        if (!one) throw new Error('nothing was signed');
        const bytes = Buffer.from(one.signature[part], 'base64url');
        bytes[bytes.length - 2] = (bytes.at(-2) ?? 0) ^ 1;
        const signature = { ...one.signature, [part]: bytes.toString('base64url') };
        return patchRun(run, {
          gate: { consumedApproval: { ...required(run), ownKeys: [{ ...one, signature }] } },
        });
      });
      expect([part, opened]).toEqual([part, 0]);
    }
  });

  it('G11: counts people, not keys or signatures', async () => {
    const two = withKeys('open_pr', {}, {});
    expect((await openWith((run) => two(asksTwo(run)))).opened).toBe(0);
    const twice = withKeys('open_pr', {}, { person: 'somebody-else' });
    expect((await openWith((run) => twice(asksTwo(run)))).opened).toBe(0);
    const both = withKeys('open_pr', {}, { key: bo, by: '8' });
    expect((await openWith((run) => both(asksTwo(run)))).opened).toBe(1);
  });

  it('G10: as many keys are needed as a policy asks for approvals', async () => {
    const one = withKeys('open_pr', {});
    expect((await openWith(one, { two: true })).opened).toBe(0);
    const both = withKeys('open_pr', {}, { key: bo, by: '8' });
    expect((await openWith(both, { two: true })).opened).toBe(1);
  });

  it('G11: trusts every registered key only where the operator says so', async () => {
    const change = withKeys('open_pr', { key: intruder, by: '9' });
    expect((await openWith(change, { keys: checkWith([]) })).opened).toBe(0);
    expect((await openWith(change, { keys: checkWith('registered') })).opened).toBe(1);
  });

  it('G11: asks for no key where no policy does', async () => {
    const { call } = await opening();
    expect(said(await call())).toEqual(['worker.pr.opened']);
  });
});

const required = (run: Run): NonNullable<Run['gate']['consumedApproval']> => {
  if (!run.gate.consumedApproval) throw new Error('nothing was signed');
  return run.gate.consumedApproval;
};

describe('a push', () => {
  it('G11: is not made without the key that its policy asks for, and is made with it', async () => {
    const bare = await signed({ keys: checkWith() });
    expect(said(await bare.call())[0]).toBe('permission_denied');
    expect(bare.world.did.filter((did) => did.startsWith('pushed'))).toEqual([]);
    const both = await signedForBoth({ keys: checkWith() });
    expect(said(await both.pushes())[0]).toBe('permission_denied');
    const keyed = await signedForBoth({ keys: checkWith() }, withKeys('open_pr', {}));
    expect(said(await keyed.pushes())).toEqual(['worker.push.completed']);
    expect(said(await keyed.opens())).toEqual(['worker.pr.opened']);
  });
});

it('G11: a push signs the description that it publishes, and no title', async () => {
  const { run } = await signed();
  const { fields } = proposal('push', sha('a'), { pullBody: 'As it is now.' });
  const of = { run, action: 'push', approvalId: 'a', proposal: { digest: 's', fields } } as const;
  const unchanged = keyStatementOf({ ...of, proposal: proposal('push', sha('a')) }, 'p');
  expect([keyStatementOf(of, 'p'), unchanged]).toMatchObject([
    { title: null, body: sha256Hex('As it is now.') },
    { title: null, body: sha256Hex('') },
  ]);
});

it('G11: every part of the text that a key signs changes its digest', () => {
  const statement = {
    run: 'r1',
    action: 'open_pr',
    person: 'p',
    approval: 'a',
    seal: 's',
    repo: 'o/r',
    base: 'main',
    commit: 'c',
    title: 't',
    body: 'b',
    words: null,
  } as const;
  expect(ownKeyText(statement)).toBe(
    '["agentpr/approve/v1","r1","open_pr","p","a","s","o/r","main","c","t","b",null]',
  );
  const all = Object.keys(statement).map((key) =>
    challengeOf({ ...statement, [key]: key === 'action' ? 'push' : 'x' }),
  );
  expect(new Set([challengeOf(statement), ...all]).size).toBe(all.length + 1);
});
