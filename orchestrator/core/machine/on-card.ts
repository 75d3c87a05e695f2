/** P4, G3: what people decide on a card: a signature, or a no with its reason. */
import { closeApproval, enter, owned, showGate, work, type Draft } from './draft.ts';
import { nextRound } from './spending.ts';
import { words, type Feedback } from '../feedback.ts';
import { denyAnswers, signAnswers } from './on-talk.ts';
import { digestFor } from './run.ts';
import { SIGNS } from './command-inputs.ts';
import type { InputOf } from './inputs.ts';
import type { Ruling } from './handler.ts';
import { noCard } from './refusals.ts';
import { within } from './rounds.ts';

/**
 * G3, G4: one signature of one approver on exactly the digest of the live card. The last one needed
 * consumes it.
 */
export const sign = (
  d: Draft,
  input: InputOf<'command.push.approve' | 'command.pr.create' | 'command.reply.approve'>,
): Ruling => {
  const { run } = d;
  const kind = SIGNS[input.type];
  const { approval, proposal } = run;
  const digestNow = digestFor(run, kind);
  if (!approval || digestNow === null) return { refuse: noCard(run) };
  // guard: G4-live-card
  if (approval.id !== input.approvalId || approval.kind !== kind) return { refuse: { kind: 'replaced' } };
  // guard: G4-shown-digest
  if (approval.digest !== input.digest || digestNow !== input.digest)
    return { refuse: { kind: 'card_moved' } };
  // guard: G3-expiry
  if (d.stamp.at >= approval.expiresAt) return { refuse: { kind: 'card_expired' } };
  // guard: G3-requester
  if (!run.order.bounds.requesterMayApprove && input.by.id === run.order.requester.id)
    return { refuse: { kind: 'own_change' } };
  // guard: G3-approvers
  if (run.order.approvers && !run.order.approvers.some((id) => id === input.by.id))
    return { refuse: { kind: 'not_named' } };
  // guard: G3-signs-once
  if (approval.signatures.some((s) => s.id === input.by.id)) {
    const left = approval.needed - approval.signatures.length;
    return { refuse: { kind: 'signed_already', left } };
  }
  const signature = { ...input.by, at: d.stamp.at };
  const signatures = [...approval.signatures, signature];
  d.approvals.push({ op: 'sign', id: approval.id, by: input.by.id, name: input.by.name, at: d.stamp.at });
  // guard: G3-n-of-m
  if (signatures.length < approval.needed) {
    run.approval = { ...approval, signatures };
    showGate(d, approval.id, false);
    return undefined;
  }
  const { id, digest } = approval;
  if (kind === 'reply' || !proposal) return signAnswers(d, id, digest, signatures);
  const { headSha } = proposal.fields;
  // The code host may show it before we hear that it is there.
  owned(run, headSha);
  // guard: E14-signed-lease
  const effectIndex =
    kind === 'open_pr' && run.state === 'PUSHED'
      ? work(d, { kind: 'open_pr', approvalId: id, digest })
      : work(d, { kind: 'push', commitSha: headSha, expect: run.pushed?.sha ?? null, approvalId: id });
  d.approvals.push({ op: 'consume', id, digest, at: d.stamp.at, effectIndex });
  // guard: G3-used-once
  run.approval = null;
  run.consumed = {
    id,
    digest,
    kind,
    by: signatures.map((s) => s.name).join(', '),
    epoch: run.epoch,
    fields: proposal.fields,
  };
  run.reason = { kind: 'approved', by: run.consumed.by };
  showGate(d, id, false);
  return undefined;
};

export const deny = (d: Draft, input: InputOf<'command.deny'>): Ruling => {
  const { run } = d;
  if (run.state !== 'PUSHED' && !run.approval) return { refuse: noCard(run) };
  if (input.approvalId !== null && run.approval?.id !== input.approvalId)
    return { refuse: { kind: 'replaced' } };
  if (run.approval?.kind === 'reply') return denyAnswers(d, input);
  const note = input.reason.trim();
  const by = input.by.name;
  const { because } = input;
  const why = because ? { because } : {};
  const asks = input.again === true ? { again: true as const } : {};
  const reason = { kind: 'rejected', by, note, ...why, ...asks } as const;
  closeApproval(d, 'denied', reason);
  // P4: the reason becomes input of the next attempt; there is none for what is not needed.
  const refused: Feedback[] = because && because !== 'unneeded' ? [{ kind: 'refused', because }] : [];
  const told = [...refused, ...words(note)];
  if (told.length > 0) run.round = within(run.round, 'rejected', told);
  if (input.final) {
    const pull = run.pr?.id ?? null;
    return void enter(d, 'FAILED_TERMINAL', { kind: 'ended', how: 'denied', by, note, pull, ...why });
  }
  const goesOn = told.length > 0 && (run.state !== 'PUSHED' || input.again === true);
  const again = goesOn ? nextRound(run, run.round) : { stop: reason };
  if ('stop' in again) return void enter(d, 'NEEDS_HUMAN_REVIEW', reason);
  run.counts = again.counts;
  return void enter(d, run.state === 'ITERATING' ? 'ITERATING' : 'IMPLEMENTING', reason);
};
