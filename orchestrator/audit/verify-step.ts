/** Checks whether a recorded step may follow a run, by the table of states and no rule (L5). */
import type { LiveApproval, Run } from '../kernel/run/run.ts';
import { isEffectKind, isPublishing } from '../kernel/effects/effect-traits.ts';
import type { ApprovalChange } from '../kernel/effects/effect-types.ts';
import type { RecordedStep } from '../kernel/effects/recorded-step.ts';
import { kindSignedBy } from '../kernel/inputs/inputs.ts';
import { targetStates } from '../kernel/inputs/transition-table.ts';
import { isSameCommandGroup } from '#governor';
import { Order } from '#model/order';
import { permissionsOf, permissionQuestionOf } from '../kernel/run/permissions.ts';

/** Returns the violation as the end of a sentence, or null. */
export const findStepViolation = (before: Run | null, step: RecordedStep, after: Run): string | null =>
  (before ? wrongMove(before, step, after) : wrongStart(step, after)) ??
  wrongNumbers(before, step, after) ??
  wrongGrants(before, step, after) ??
  wrongApprovals(before, step, after.gate.approval);

const wrongStart = ({ input }: RecordedStep, after: Run): string | null => {
  if (input.type !== 'command.run.create' || after.lifecycle.state !== 'QUEUED')
    return 'does not begin a run';
  return Order.safeParse(after.order).success ? null : 'holds no order';
};

const originOf = ({ id, order, lifecycle }: Run) => ({ id, order, createdAt: lifecycle.createdAt });

const wrongMove = (before: Run, { input }: RecordedStep, after: Run): string | null => {
  // guard: L5-legal-target
  if (!targetStates(before.lifecycle.state, input.type).has(after.lifecycle.state))
    return `is not legal: the table does not list ${before.lifecycle.state} → ${String(after.lifecycle.state)} on ${input.type}`;
  const stays = ['id', 'order', 'createdAt'] as const;
  const [was, is] = [originOf(before), originOf(after)];
  const other = stays.filter((name) => was[name] !== is[name]);
  return other.length > 0 ? `changes what never changes: ${other.join(', ')}` : null;
};

/** E10: a grant appears only in the answer to the open question, and is only removed later. */
const wrongGrants = (before: Run | null, { input }: RecordedStep, after: Run): string | null => {
  const had = before ? permissionsOf(before).grants : [];
  const made = permissionsOf(after).grants.filter((one) => !had.some(({ id }) => id === one.id));
  const open = before && permissionQuestionOf(before);
  const yes = input.type === 'command.permission.answer' && input['allows'] === true;
  const put = input['instead'] as { input?: unknown; digest?: unknown } | undefined;
  const isSameReplacement = (one: (typeof made)[number]['instead']): boolean =>
    one?.input === put?.input && one?.digest === put?.digest;
  const pick = input['pick'];
  const asked =
    pick === undefined ? open?.digest : open?.alternatives?.find((one) => one.digest === pick)?.digest;
  const isAskedGrant = ({ id, digest, instead }: (typeof made)[number]): boolean =>
    yes && open?.id === id && input['question'] === id && asked === digest && isSameReplacement(instead);
  const stood = before ? permissionsOf(before).standingGrants : [];
  const sorts = permissionsOf(after).standingGrants.filter((one) => !stood.some(({ id }) => id === one.id));
  const isAskedSort = ({ id, sort }: (typeof sorts)[number]): boolean =>
    yes &&
    open?.id === id &&
    input['question'] === id &&
    open.sort !== null &&
    isSameCommandGroup(open.sort, sort);
  // guard: E10-sort-by-answer
  if (sorts.length > 1 || !sorts.every(isAskedSort)) return 'permits a sort that nobody was asked about';
  // guard: E10-grant-by-answer
  return made.length > 1 || !made.every(isAskedGrant) ? 'permits what nobody was asked' : null;
};

const wrongNumbers = (before: Run | null, { stamp }: RecordedStep, after: Run): string | null => {
  const {
    lifecycle: { version, epoch, updatedAt },
  } = after;
  const entered = epoch === version;
  if (version !== (before?.lifecycle.version ?? 0) + 1) return `makes version ${version}`;
  if (!entered && (epoch !== before?.lifecycle.epoch || after.lifecycle.state !== before.lifecycle.state))
    return `makes epoch ${epoch}`;
  return updatedAt === stamp.at ? null : 'is of another time than the run';
};

/** G1, G3: one card at a time, signed by the command's giver, consumed by enough signatures. */
const wrongApprovals = (
  before: Run | null,
  step: RecordedStep,
  after: LiveApproval | null,
): string | null => {
  let card = before?.gate.approval ?? null;
  for (const change of step.approvals) {
    if (change.op === 'pass_on') {
      // guard: L5-passed-on
      if (card || !passesOn(before, change, step)) return `passes on approval ${change.id}, which it may not`;
      continue;
    }
    const next = applyApprovalChange(before, card, change, step);
    if (typeof next === 'string') return next;
    card = next;
  }
  const same =
    after?.id === card?.id &&
    after?.digest === card?.digest &&
    after?.expiresAt === card?.expiresAt &&
    after?.signatures.length === card?.signatures.length;
  // guard: L5-consumed-outside
  return same ? checkLooseEffects(step) : 'leaves another approval than its changes make';
};

type PassOn = Extract<ApprovalChange, { op: 'pass_on' }>;
/** G1: passes from the push that consumed the approval to the opening signed with it. */
const passesOn = (before: Run | null, passOn: PassOn, { input, effects }: RecordedStep): boolean => {
  const used = before?.gate.consumedApproval;
  const what = effects[passOn.effectIndex]?.do;
  return (
    input.type === 'worker.push.completed' &&
    before?.lifecycle.state === 'LOCAL_VALIDATING' &&
    used?.id === passOn.id &&
    used.digest === passOn.digest &&
    used.kind === 'open_pr' &&
    used.fields.pushes === true &&
    used.epoch === before.lifecycle.epoch &&
    what?.kind === 'open_pr' &&
    what.approvalId === passOn.id &&
    what.digest === passOn.digest
  );
};

const signsBoth = (before: Run | null): boolean =>
  before?.lifecycle.state === 'LOCAL_VALIDATING' && before.gate.proposal?.fields.pushes === true;

const applyApprovalChange = (
  before: Run | null,
  card: LiveApproval | null,
  change: Exclude<ApprovalChange, PassOn>,
  { input, stamp, effects }: RecordedStep,
): LiveApproval | null | string => {
  if (change.op === 'open') {
    const { id, kind, digest, expiresAt, needed } = change;
    return card
      ? `opens approval ${id} beside another`
      : { id, kind, digest, expiresAt, needed, signatures: [] };
  }
  if (card?.id !== change.id) return `changes approval ${change.id}, which does not wait`;
  switch (change.op) {
    case 'extend':
      // guard: L5-only-frozen-extends
      if (input.type !== 'timer.approval.frozen' || change.expiresAt <= card.expiresAt)
        return `gives approval ${change.id} time that it may not`;
      return { ...card, expiresAt: change.expiresAt };
    case 'sign': {
      // guard: L5-own-signature
      const fits =
        kindSignedBy(input.type) === card.kind &&
        signerIdOf(input) === change.by &&
        stamp.at < card.expiresAt;
      if (!fits || card.signatures.some((s) => s.id === change.by))
        return `signs approval ${change.id}, which that input may not`;
      return {
        ...card,
        signatures: [...card.signatures, { id: change.by, name: change.name, at: change.at }],
      };
    }
    case 'consume': {
      const what = effects[change.effectIndex]?.do;
      const fits = what?.kind === card.kind || (what?.kind === 'push' && signsBoth(before));
      const bound = fits && 'approvalId' in what && what.approvalId === change.id;
      // guard: L5-enough-signatures
      if (!bound || change.digest !== card.digest || card.signatures.length < card.needed)
        return `uses up approval ${change.id}, which is not signed for that`;
      return null;
    }
    case 'close':
      return null;
    default:
      return change satisfies never;
  }
};

const signerIdOf = (input: Readonly<Record<string, unknown>>): unknown => {
  const { by } = input;
  return typeof by === 'object' && by !== null && 'id' in by ? by.id : undefined;
};

const checkLooseEffects = ({ effects, approvals }: RecordedStep): string | null => {
  const used = new Map(
    approvals.flatMap((c) =>
      c.op === 'consume' || c.op === 'pass_on' ? [[c.effectIndex, c.id] as const] : [],
    ),
  );
  for (const [i, { do: what }] of effects.entries()) {
    if (!isEffectKind(what.kind)) return `asks for a ${String(what.kind)}, which nobody does`;
    if (!isPublishing(what)) continue;
    if ((what.approvalId ?? undefined) !== used.get(i) || (what.kind !== 'push' && !used.has(i)))
      return `asks for a ${what.kind} whose approval it does not use up`;
  }
  return null;
};
