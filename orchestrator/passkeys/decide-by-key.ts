/** A decision made in the browser, which counts by the signature of a person's own key alone (G11). */
import { COMMAND_OF_APPROVAL } from '#inputs';
import { z } from 'zod';
import { needsOwnKey } from '#model/assessment';
import type { OwnKeyFault } from '#model/failure';
import { OwnKeySignature, ownKeyText, type OwnKeyAction } from '#model/seal';
import { hasRoleAtLeast, type UserRole } from '#model/settings';
import { showInvisible } from '#text-safety';
import type { Ledger } from '#ports/ledger';
import type { SystemClock } from '#ports/processes';
import type { OwnKeyApproval } from '#ports/records';
import type { Refusal } from '../kernel/run/refusals.ts';
import type { Input } from '../kernel/run/input-types.ts';
import { digestFor, type Run } from '../kernel/run/run.ts';
import { sha256Hex } from '../kernel/runtime/content-hash.ts';
import { OWN_KEY_PREFIX, type SubmitInput } from '../kernel/runtime/submit-input.ts';
import { challengeOf, fingerprintOf, keyStatementOf } from './key-statement.ts';
import type { TrustedKeys } from './check-own-keys.ts';
import type { Passkey, PasskeyStore } from './passkey-store.ts';
import type { KeyOrigin } from './register-passkey.ts';
import { isSignedByKey } from './verify-signature.ts';

const MAX_REASON_LENGTH = 2_000;
const { credential, authenticatorData, clientData, signature } = OwnKeySignature.shape;

const KEY_DECISIONS = ['approve', 'deny', 'changes', 'ask'] as const;
export const KeyDecision = z.strictObject({
  decision: z.enum(KEY_DECISIONS),
  approval: z.string().min(1).max(100),
  words: z.string().max(MAX_REASON_LENGTH),
  credential,
  authenticatorData,
  clientData,
  signature,
});
export type KeyDecision = z.infer<typeof KeyDecision>;

export type KeyDecisionOutcome =
  | { kind: 'approved' | 'signed' | 'denied' | 'changes' | 'asked' }
  | { kind: 'role' }
  | { kind: 'moved'; run: Run | null }
  | { kind: 'lapsed'; names: string[] }
  | { kind: 'fault'; why: OwnKeyFault }
  | { kind: 'refused'; reason: Refusal; run: Run | null };

/** What the page of a change needs to ask a key. */
export type OfferedDecision = {
  approval: string;
  /** A policy asks for a key here. */
  needsKey: boolean;
  left: number;
  /** The person has a key for this address, and may decide. */
  keys: readonly string[];
  rpId: string;
  /** base64url; what approving signs. */
  challenge: string;
  /** Texts whose digest a refusal signs, up to the digest of the words. */
  texts: Record<'deny' | 'changes' | 'ask', string>;
  publicName: string | undefined;
};

type Parts = {
  query: Pick<Ledger['query'], 'run'>;
  submit: SubmitInput;
  passkeys: PasskeyStore;
  trusted: TrustedKeys;
  roleOf: (user: string) => Promise<UserRole | null>;
  publicNames: Readonly<Record<string, string>>;
  clock: SystemClock;
  /** Null until the address is known, and where browsers have no keys. */
  origin: () => KeyOrigin | null;
};

export type KeyDecisions = {
  offer(run: Run, user: string): Promise<OfferedDecision | null>;
  decide(user: string, runId: string, decision: KeyDecision): Promise<KeyDecisionOutcome>;
};

type Waiting = { kind: 'push' | 'open_pr'; approval: NonNullable<Run['gate']['approval']> } & Pick<
  OwnKeyApproval,
  'run' | 'proposal' | 'approvalId'
>;
/** Answers to reviewers are decided in the chat. */
const waitingIn = (run: Run, now: number): Waiting | null => {
  const { approval, proposal } = run.gate;
  if (!approval || !proposal || approval.kind === 'reply' || now >= approval.expiresAt) return null;
  if (digestFor(run, approval.kind) !== approval.digest) return null;
  return { kind: approval.kind, approval, run, proposal, approvalId: approval.id };
};

const actionOf = (decision: KeyDecision['decision'], kind: 'push' | 'open_pr'): OwnKeyAction =>
  decision === 'approve' ? kind : decision;

export const createKeyDecisions = (parts: Parts): KeyDecisions => {
  const { query, submit, passkeys, roleOf, clock } = parts;
  const mayApprove = async (user: string): Promise<boolean> => {
    const role = await roleOf(user);
    return role !== null && hasRoleAtLeast(role, 'approver');
  };
  const isUsable = (key: Passkey, { rpId }: KeyOrigin, { mustBeNamed }: { mustBeNamed: boolean }): boolean =>
    key.rpId === rpId &&
    (!mustBeNamed || parts.trusted === 'registered' || parts.trusted.includes(fingerprintOf(key.publicKey)));

  const listLapsedNames = async ({ approval }: Waiting): Promise<string[]> => {
    const names: string[] = [];
    for (const { id, name } of approval.signatures)
      if (id === null || !(await mayApprove(id))) names.push(name);
    return names;
  };

  return {
    async offer(run, user) {
      const at = parts.origin();
      const waiting = waitingIn(run, clock.now());
      if (!at || !waiting || !(await mayApprove(user))) return null;
      const { kind, approval } = waiting;
      const person = passkeys.personOf(user);
      const needsKey = needsOwnKey(waiting.proposal.fields.assessment);
      const keys = ((await passkeys.of(user))?.keys ?? []).filter((key) =>
        isUsable(key, at, { mustBeNamed: needsKey }),
      );
      const textOf = (action: OwnKeyAction): string =>
        ownKeyText(keyStatementOf({ ...waiting, action }, person)).replace(/null\]$/, '');
      return {
        approval: approval.id,
        needsKey,
        left: approval.needed - approval.signatures.length,
        keys: keys.map((key) => key.credential),
        rpId: at.rpId,
        challenge: challengeOf(keyStatementOf({ ...waiting, action: kind }, person)),
        texts: { deny: textOf('deny'), changes: textOf('changes'), ask: textOf('ask') },
        publicName: parts.publicNames[user],
      };
    },

    async decide(user, runId, given) {
      const at = parts.origin();
      // guard: G11-board-role
      if (!(await mayApprove(user))) return { kind: 'role' };
      const run = await query.run(runId);
      const waiting = run && waitingIn(run, clock.now());
      if (!at || !waiting || waiting.approval.id !== given.approval) return { kind: 'moved', run };
      const { kind, approval } = waiting;
      const known = await passkeys.of(user);
      const key = known?.keys.find((one) => one.credential === given.credential && one.rpId === at.rpId);
      if (!known || !key) return { kind: 'fault', why: 'unknown_key' };
      const person = passkeys.personOf(user);
      const ownKey: OwnKeySignature = {
        person,
        credential: key.credential,
        publicKey: key.publicKey,
        rpId: key.rpId,
        authenticatorData: given.authenticatorData,
        clientData: given.clientData,
        signature: given.signature,
      };
      const isApproval = given.decision === 'approve';
      const action = actionOf(given.decision, kind);
      const words = isApproval ? {} : { words: given.words };
      const statement = keyStatementOf({ ...waiting, action, ...words }, person);
      // guard: G11-board-signature
      if (!(await isSignedByKey(ownKey, statement, at.origin)))
        return { kind: 'fault', why: 'wrong_signature' };
      const by = { id: user, name: known.name };
      const lapsed = isApproval ? await listLapsedNames(waiting) : [];
      // guard: G11-board-lapsed
      if (lapsed.length > 0) return { kind: 'lapsed', names: lapsed };
      const publicName = parts.publicNames[user];
      const role = await roleOf(user);
      const input: Input = isApproval
        ? {
            type: COMMAND_OF_APPROVAL[kind],
            by,
            approvalId: approval.id,
            digest: approval.digest,
            ...(role === null ? {} : { role }),
            ...(publicName === undefined ? {} : { publicName }),
            ownKey,
          }
        : given.decision === 'ask'
          ? { type: 'command.question.ask', by, text: showInvisible(given.words) }
          : {
              type: 'command.deny',
              by,
              reason: showInvisible(given.words),
              approvalId: approval.id,
              ...(given.decision === 'changes'
                ? { final: false, retryNow: true }
                : { final: waiting.run.upstream.pullRequest === null }),
            };
      const cause = { kind: 'none' } as const;
      const outcome = await submit({
        runId,
        input,
        cause,
        key: `${OWN_KEY_PREFIX}${sha256Hex(given.signature)}`,
      });
      if (outcome.kind === 'written') {
        if (given.decision === 'ask') return { kind: 'asked' };
        const stops = outcome.run.lifecycle.state === 'NEEDS_HUMAN_REVIEW';
        if (!isApproval) return { kind: given.decision === 'deny' || stops ? 'denied' : 'changes' };
        return { kind: outcome.run.gate.approval === null ? 'approved' : 'signed' };
      }
      if (outcome.kind === 'refused')
        return { kind: 'refused', reason: outcome.reason, run: await query.run(runId) };
      return { kind: 'moved', run: await query.run(runId) };
    },
  };
};
