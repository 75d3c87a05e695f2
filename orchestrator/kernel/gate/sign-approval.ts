/** Handles a signature on a card; the last one that is needed consumes the approval (G3, G4). */
import { z } from 'zod';
import { Person } from '#model/order';
import { rememberOwnCommit, showGate, addWork, type StepDraft } from '../lifecycle/step-draft.ts';
import { signAnswers } from '../reviews/on-replies.ts';
import { demandsOf, helpsSigning, needsOwnKey, signatureProgress } from '#model/assessment';
import { OwnKeySignature } from '#model/seal';
import { USER_ROLES } from '#model/settings';
import { digestFor, type ApprovalKind, type ConsumedApproval, type LiveApproval } from '../run/run.ts';
import type { InputOf } from '../run/input-types.ts';
import { defineCommand, stayIn, type HandlerRuling } from '../lifecycle/define-input.ts';
import { listHintsWithoutCard, listHintsWithoutPull, noCard } from '../run/refusals.ts';
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

/** G3, G4: adds a signature to exactly the digest of the live card; the last one consumes it. */
const signApproval = (
  draft: StepDraft,
  kind: ApprovalKind,
  input: InputOf<'command.push.approve' | 'command.pr.approve' | 'command.reply.approve'>,
): HandlerRuling => {
  const { run } = draft;
  const { approval, proposal } = run.gate;
  const digestNow = digestFor(run, kind);
  if (!approval || digestNow === null) return { refuse: noCard(run) };
  // guard: G4-live-card
  if (approval.id !== input.approvalId || approval.kind !== kind)
    return { refuse: { kind: 'card_replaced' } };
  // guard: G4-shown-digest
  if (approval.digest !== input.digest || digestNow !== input.digest)
    return { refuse: { kind: 'card_changed' } };
  // guard: G3-expiry
  if (draft.stamp.at >= approval.expiresAt) return { refuse: { kind: 'card_expired' } };
  // guard: G3-requester
  if (!run.order.bounds.requesterMayApprove && input.by.id === run.order.requester.id)
    return { refuse: { kind: 'own_change' } };
  // guard: G3-approvers
  if (run.order.approvers && !run.order.approvers.some((id) => id === input.by.id))
    return { refuse: { kind: 'not_named' } };
  const judged = kind === 'reply' ? null : proposal?.fields.assessment;
  const demands = demandsOf(judged ?? { reasons: [] }, run.order.bounds.approvals);
  const before = signatureProgress(demands, approval.signatures);
  // guard: G3-signs-once
  if (approval.signatures.some((s) => s.id === input.by.id))
    return { refuse: { kind: 'signed_already', left: before.needed - before.have } };
  // guard: G10-named-signer
  if (!helpsSigning(demands, approval.signatures, { id: input.by.id, role: input.role }))
    return { refuse: { kind: 'other_approvers', names: [...before.next] } };
  // guard: G11-key-at-card
  if (kind !== 'reply' && proposal && needsOwnKey(proposal.fields.assessment) && !input.ownKey)
    return { refuse: { kind: 'own_key_needed' } };
  const chosen = {
    ...(input.publicName === undefined ? {} : { publicName: input.publicName }),
    ...(input.ownKey === undefined ? {} : { ownKey: input.ownKey }),
    ...(input.role === undefined ? {} : { role: input.role }),
  };
  const signature = { ...input.by, at: draft.stamp.at, ...chosen };
  const signatures = [...approval.signatures, signature];
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
    signatureProgress(demands, signatures).needed > signatures.length
  ) {
    run.gate.approval = { ...approval, signatures };
    showGate(draft, approval.id, { sound: false });
    return undefined;
  }
  const { id, digest } = approval;
  if (kind === 'reply' || !proposal) return signAnswers(draft, id, digest, signatures);
  const { headSha } = proposal.fields;
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
    fields: proposal.fields,
  };
  run.lifecycle.reason = { kind: 'approved', by: run.gate.consumedApproval.by };
  showGate(draft, id, { sound: false });
  return undefined;
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
