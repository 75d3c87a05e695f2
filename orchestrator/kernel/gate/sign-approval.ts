/** Handles a signature on a card; the last one that is needed consumes the approval (G3, G4). */
import { z } from 'zod';
import { Person } from '#model/order';
import { rememberOwnCommit, showGate, addWork, type StepDraft } from '../lifecycle/step-draft.ts';
import { signAnswers } from '../reviews/on-replies.ts';
import { demandsOf, isSignatureHelpful, needsOwnKey, signatureProgress } from '#model/assessment';
import { OwnKeySignature, type Proposal } from '#model/seal';
import { USER_ROLES } from '#model/settings';
import {
  digestFor,
  type ApprovalKind,
  type ConsumedApproval,
  type LiveApproval,
  type Run,
} from '../run/run.ts';
import type { InputOf } from '../run/input-types.ts';
import { defineCommand, stayIn, type HandlerRuling } from '../lifecycle/define-input.ts';
import {
  listHintsWithoutCard,
  listHintsWithoutPull,
  toNoCardRefusal,
  type Refusal,
} from '../run/refusals.ts';
import { CHECKING, WATCHING } from '../run/state-groups.ts';

const signerNamesOf = (signatures: LiveApproval['signatures']): Pick<ConsumedApproval, 'signers'> =>
  signatures.every(({ publicName }) => publicName === undefined)
    ? {}
    : {
        signers: signatures.map(({ name, publicName }) => ({
          name,
          ...(publicName !== undefined && { publicName }),
        })),
      };

const ownKeysOf = (signatures: LiveApproval['signatures']): Pick<ConsumedApproval, 'ownKeys'> => {
  const ownKeys = signatures.flatMap(({ id, ownKey }) =>
    ownKey === undefined || id === null ? [] : [{ by: id, signature: ownKey }],
  );
  return ownKeys.length === 0 ? {} : { ownKeys };
};

type SignatureInput = InputOf<'command.push.approve' | 'command.pr.approve' | 'command.reply.approve'>;

/** G4: the live card, exactly as the person saw it. */
const checkCard = (
  { run, stamp }: StepDraft,
  approval: LiveApproval,
  kind: ApprovalKind,
  input: SignatureInput,
): Refusal | null => {
  // guard: G4-live-card
  if (approval.id !== input.approvalId || approval.kind !== kind) return { kind: 'card_replaced' };
  const digestNow = digestFor(run, kind);
  // guard: G4-shown-digest
  if (approval.digest !== input.digest || digestNow !== input.digest) return { kind: 'card_changed' };
  // guard: G3-expiry
  return stamp.at >= approval.expiresAt ? { kind: 'card_expired' } : null;
};

const demandsAt = ({ order, gate: { proposal } }: Run, kind: ApprovalKind): SignatureDemands => {
  const assessment = kind === 'reply' ? null : proposal?.fields.assessment;
  return demandsOf(assessment ?? { reasons: [] }, order.bounds.approvals);
};
type SignatureDemands = ReturnType<typeof demandsOf>;

/** G3: whoever the order, the policies and the other signatures let sign. */
const refuseSigner = (
  run: Run,
  { kind, signatures }: LiveApproval,
  signer: Parameters<typeof isSignatureHelpful>[2],
): Refusal | null => {
  const demands = demandsAt(run, kind);
  // guard: G3-requester
  if (!run.order.bounds.requesterMayApprove && signer.id === run.order.requester.id)
    return { kind: 'own_change' };
  // guard: G3-approvers
  if (run.order.approvers && !run.order.approvers.some((id) => id === signer.id))
    return { kind: 'not_named' };
  const before = signatureProgress(demands, signatures);
  // guard: G3-signs-once
  if (signatures.some((s) => s.id === signer.id))
    return { kind: 'signed_already', left: before.needed - before.have };
  // guard: G10-named-signer
  if (!isSignatureHelpful(demands, signatures, signer))
    return { kind: 'other_approvers', names: [...before.next] };
  return null;
};

export const maySign = (
  run: Run,
  card: LiveApproval,
  signer: Parameters<typeof isSignatureHelpful>[2],
): boolean => refuseSigner(run, card, signer) === null;

const refuseWithoutKey = (
  { gate: { proposal } }: Run,
  kind: ApprovalKind,
  { ownKey }: SignatureInput,
): Refusal | null => {
  // guard: G11-key-at-card
  if (kind !== 'reply' && proposal && needsOwnKey(proposal.fields.assessment) && !ownKey)
    return { kind: 'own_key_needed' };
  return null;
};

/** G3, G4: adds a signature to exactly the digest of the live card; the last one consumes it. */
const signApproval = (draft: StepDraft, kind: ApprovalKind, input: SignatureInput): HandlerRuling => {
  const { run } = draft;
  const { approval, proposal } = run.gate;
  if (!approval || digestFor(run, kind) === null) return { refuse: toNoCardRefusal(run) };
  const refusal =
    checkCard(draft, approval, kind, input) ??
    refuseSigner(run, approval, { id: input.by.id, role: input.role }) ??
    refuseWithoutKey(run, kind, input);
  if (refusal) return { refuse: refusal };
  const chosen = {
    ...(input.publicName === undefined ? {} : { publicName: input.publicName }),
    ...(input.ownKey === undefined ? {} : { ownKey: input.ownKey }),
    ...(input.role === undefined ? {} : { role: input.role }),
  };
  const signatures = [...approval.signatures, { ...input.by, at: draft.stamp.at, ...chosen }];
  draft.approvals.push({
    op: 'sign',
    id: approval.id,
    by: input.by.id,
    name: input.by.name,
    at: draft.stamp.at,
  });
  // guard: G3-n-of-m
  if (
    signatures.length < approval.needed ||
    signatureProgress(demandsAt(run, kind), signatures).needed > signatures.length
  ) {
    run.gate.approval = { ...approval, signatures };
    showGate(draft, approval.id, { sound: false });
    return undefined;
  }
  if (kind === 'reply' || !proposal) return signAnswers(draft, approval.id, approval.digest, signatures);
  consumeApproval(draft, { ...approval, signatures }, proposal);
  return undefined;
};

const consumeApproval = (
  draft: StepDraft,
  { id, digest, kind, signatures }: LiveApproval,
  { fields }: Proposal,
): void => {
  const { run } = draft;
  const { headSha } = fields;
  // A poll may see the commit before the push reports success.
  rememberOwnCommit(run, headSha);
  // guard: E14-signed-lease
  const effectIndex =
    kind === 'open_pr' && run.lifecycle.state === 'PUSHED'
      ? addWork(draft, { kind: 'open_pr', approvalId: id, digest })
      : addWork(draft, {
          kind: 'push',
          commitSha: headSha,
          expectedHead: run.change.pushedHead?.sha ?? null,
          approvalId: id,
        });
  draft.approvals.push({ op: 'consume', id, digest, at: draft.stamp.at, effectIndex });
  // guard: G3-used-once
  run.gate.approval = null;
  run.gate.consumedApproval = {
    id,
    digest,
    kind,
    by: signatures.map((s) => s.name).join(', '),
    ...signerNamesOf(signatures),
    ...ownKeysOf(signatures),
    signedBy: signatures.flatMap(({ id: who, name }) => (who === null ? [] : [{ id: who, name }])),
    epoch: run.lifecycle.epoch,
    at: draft.stamp.at,
    fields,
  };
  run.lifecycle.reason = { kind: 'approved', by: run.gate.consumedApproval.by };
  showGate(draft, id, { sound: false });
};

/** A decision names the approval and the digest that the user saw. */
const DECISION = {
  by: Person,
  approvalId: z.string(),
  digest: z.string(),
  /** G7: what the pull request may call them. */
  publicName: z.string().min(1).max(40).exactOptional(),
  /** G10: what they are where they decided; whoever performs it asks again. */
  role: z.enum(USER_ROLES).exactOptional(),
  /** G11: their own key's signature over exactly this. */
  ownKey: OwnKeySignature.exactOptional(),
};
/** Number of the chat message effect that showed several approvals together. */
const TOGETHER = { cluster: z.int().exactOptional() };

export const SIGNING_COMMANDS = [
  defineCommand({
    type: 'command.push.approve',
    fields: { ...DECISION, ...TOGETHER },
    moves: stayIn(CHECKING, 'approval'),
    pushes: true,
    signs: 'push',
    instead: listHintsWithoutCard,
    handle: (d, input): HandlerRuling => signApproval(d, 'push', input),
  }),
  defineCommand({
    type: 'command.pr.approve',
    fields: { ...DECISION, ...TOGETHER },
    moves: [
      ...stayIn(['PUSHED'], 'approval'),
      ...stayIn(['LOCAL_VALIDATING'], 'approval of push and opening'),
    ],
    pushes: true,
    signs: 'open_pr',
    instead: listHintsWithoutCard,
    handle: (d, input): HandlerRuling => signApproval(d, 'open_pr', input),
  }),
  defineCommand({
    type: 'command.reply.approve',
    fields: DECISION,
    moves: stayIn(WATCHING, 'approval'),
    signs: 'reply',
    instead: listHintsWithoutPull,
    handle: (d, input): HandlerRuling => signApproval(d, 'reply', input),
  }),
];
