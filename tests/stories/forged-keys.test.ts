/**
 * G11: somebody with full write access to the data directory and its keys, but without an approver's
 * key, makes the ledger say whatever they like; a script that opens a pull request where no policy
 * asks for such a key opens none where one does.
 */
import { afterEach, expect, it } from 'vitest';
import type { RepoHandle } from '#playground';
import { challengeOf, createPasskeyStore, fingerprintOf, keyStatementOf } from '#passkeys';
import type { OwnKeySignature } from '#model/seal';
import type { Run } from '#run';
import { loadDerivedKeys } from '../../app/derived-keys.ts';
import { openLedger } from '../../db/directory/open-ledger.ts';
import { decideStep } from '../../orchestrator/kernel/lifecycle/decide.ts';
import { toRecordedEvent } from '../../orchestrator/kernel/effects/recorded-step.ts';
import { ANA, type Product } from '../support/product.ts';
import { createProductAtGate } from '../support/run-at-gate.ts';
import { createSoftKey } from '../support/soft-key.ts';

/** On nobody's disk here: the operator's configuration alone names it. */
const approver = createSoftKey();
const intruder = createSoftKey();
const SITE = 'board.example';
const OWNER = { id: String(ANA), name: 'Ana' };

const ownKeyPolicy = {
  policies: {
    custom: [
      {
        id: 'own-key',
        when: { repos: ['*/*'] },
        verdict: 'escalate',
        by: 'passkey',
        reason: 'Approved with a key alone.',
      },
    ],
  },
  approvalKeys: [fingerprintOf(approver.publicKey)],
};

type Forged = (run: Run, person: string) => OwnKeySignature;

/** Signs the card in Ana's name, past the machine's own question who signed. */
const forgeApproval = async (dataDir: string, forged?: Forged): Promise<void> => {
  const now = Date.now();
  const ledger = await openLedger({ dataDir, now: Date.now });
  const passkeys = createPasskeyStore({
    ledger,
    secret: loadDerivedKeys(dataDir, { mayMake: false }).receipts,
  });
  const person = passkeys.personOf(OWNER.id);
  try {
    for (const { credential, publicKey } of [intruder, approver])
      await passkeys.add(OWNER.id, { credential, publicKey, rpId: SITE, at: now, synced: false }, OWNER);
    const [card] = await ledger.query.approvals({ state: 'open' });
    if (!card) throw new Error('no card waits');
    const outcome = await ledger.step({
      runId: card.runId,
      key: forged ? 'passkey:forged' : 'chat:forged',
      cause: { kind: 'none' },
      now,
      plan: (before) => {
        const { approval, proposal } = before?.gate ?? {};
        if (!before || !approval || !proposal) throw new Error('no card waits');
        const input = {
          type: 'command.pr.approve' as const,
          by: OWNER,
          approvalId: approval.id,
          digest: proposal.digest,
          role: 'admin' as const,
          ...(forged && { ownKey: forged(before, person) }),
        };
        const stamp = { at: now, nonce: 'forged', effectEpoch: null };
        const step = decideStep(before, input, stamp);
        if (step.kind !== 'moved') throw new Error(JSON.stringify(step));
        const event = { type: input.type, body: toRecordedEvent(input, stamp, step), at: now };
        const { effects, approvals } = step;
        return { kind: 'write', run: step.run, event, effects, approvals, replies: [] };
      },
    });
    expect(outcome.kind).toBe('written');
  } finally {
    await ledger.close();
  }
};

const signWith =
  (key: typeof intruder, told: Partial<OwnKeySignature> = {}): Forged =>
  (run, person) => {
    const { approval, proposal } = run.gate;
    if (!approval || !proposal) throw new Error('no card waits');
    const statement = keyStatementOf({ run, action: 'open_pr', approvalId: approval.id, proposal }, person);
    const made = key.sign({ challenge: challengeOf(statement), rpId: SITE, origin: `https://${SITE}` });
    const { credential, publicKey } = key;
    return { person, credential, publicKey, rpId: SITE, ...made, ...told };
  };

let product: Product;
let repo: RepoHandle;
afterEach(() => product.close());

it('G3: with all keys of the server the script opens a pull request where no policy asks for an own key', async () => {
  ({ product, repo } = await createProductAtGate());
  await forgeApproval(product.dataDir);
  product.start();
  await product.waitFor(() => repo.pulls.length === 1, { what: 'the pull request' });
});

it('G11: where a policy asks for one, nothing that the script writes opens it', async () => {
  ({ product, repo } = await createProductAtGate({ config: ownKeyPolicy }));
  const unopened = (): number =>
    product.ana.messages().filter(({ text }) => text.startsWith('Not opened')).length;
  const opensNothing = async (forged?: Forged): Promise<void> => {
    await forgeApproval(product.dataDir, forged);
    const before = unopened();
    product.start();
    await product.waitFor(() => unopened() > before, { what: 'word of what was not opened' });
    await product.atRest();
    expect(repo.pulls).toEqual([]);
    await product.stop();
  };
  // A card from before the policy, then the one that asks for a key.
  await opensNothing();
  await opensNothing(signWith(intruder, { credential: approver.credential }));
});
