/** Number and names of the people who have to approve; the strongest of all policies that match holds (G10). */
import type { Assessment } from './assessment.ts';
import type { DemandedApprover } from './assessment-reasons.ts';

/** So many approvals, of these people; null: of anybody who may approve. */
export type SignatureDemand = { approvals: number; approvers: readonly DemandedApprover[] | null };
/** `role` is the one that they had when they signed. */
type Signer = { id: string | null; role?: string | undefined };

type Judged = Pick<Assessment, 'reasons'>;

/** Of one assessment, on top of what the run's order asks for every change. */
export const demandsOf = ({ reasons }: Judged, least: number): SignatureDemand[] => [
  { approvals: least, approvers: null },
  ...reasons.flatMap(({ reason }): SignatureDemand[] => {
    if (reason.kind !== 'custom_policy' || !reason.asks) return [];
    const { approvals = 1, approvers = null } = reason.asks;
    return approvals > 1 || approvers ? [{ approvals, approvers }] : [];
  }),
];

/** The longest cool-down that a policy asks for (ms); 0 without one. */
export const coolDownOf = ({ reasons }: Judged): number =>
  Math.max(
    0,
    ...reasons.map(({ reason }) => (reason.kind === 'custom_policy' ? (reason.asks?.afterMs ?? 0) : 0)),
  );

const isAmong = ({ id, role }: Signer, { ids, role: needed }: DemandedApprover): boolean =>
  needed === undefined ? id !== null && (ids ?? []).includes(id) : role === needed;

const isCountedFor = (signer: Signer, { approvers }: SignatureDemand): boolean =>
  approvers === null || approvers.some((one) => isAmong(signer, one));

type SignatureProgress = {
  have: number;
  /** At least so many in all; the same person may be needed by two policies. */
  needed: number;
  /** Names, as the policies have them, of whom one is still needed; empty when anybody may be next. */
  next: readonly string[];
};

type OpenDemand = SignatureDemand & { left: number };
const openDemands = (demands: readonly SignatureDemand[], signers: readonly Signer[]): OpenDemand[] =>
  demands.flatMap((demand) => {
    // guard: G10-named-count
    const left = demand.approvals - signers.filter((one) => isCountedFor(one, demand)).length;
    return left > 0 ? [{ ...demand, left }] : [];
  });

/** Nobody can sign for both. A role may be anybody's. */
const isApart = (one: SignatureDemand, other: SignatureDemand): boolean => {
  const [ours, theirs] = [one.approvers, other.approvers];
  if (!ours || !theirs || [...ours, ...theirs].some(({ role }) => role !== undefined)) return false;
  const ids = new Set(ours.flatMap(({ ids: some = [] }) => some));
  return !theirs.some(({ ids: some = [] }) => some.some((id) => ids.has(id)));
};

/** The fewest signatures that could meet these. */
const countFewestSignatures = (open: readonly OpenDemand[]): number => {
  const apart: OpenDemand[] = [];
  for (const one of open)
    if (one.approvers !== null && apart.every((other) => isApart(one, other))) apart.push(one);
  const sum = apart.reduce((all, { left }) => all + left, 0);
  return Math.max(0, sum, ...open.map(({ left }) => left));
};

/** G10: each demand is met by those who sign for it; one signature counts for all that it meets. */
export const signatureProgress = (
  demands: readonly SignatureDemand[],
  signers: readonly Signer[],
): SignatureProgress => {
  const open = openDemands(demands, signers);
  const named = open.filter(({ approvers }) => approvers !== null);
  const missing = countFewestSignatures(open);
  const names = named.flatMap(({ approvers }) => (approvers ?? []).map(({ name }) => name));
  const next = countFewestSignatures(named) < missing ? [] : [...new Set(names)];
  return { have: signers.length, needed: signers.length + missing, next };
};

/** Whether this signature brings the card nearer: one that helps no policy would be for show. */
export const isSignatureHelpful = (
  demands: readonly SignatureDemand[],
  signers: readonly Signer[],
  signer: Signer,
): boolean => {
  const isNamed = openDemands(demands, signers).some(
    (one) => one.approvers !== null && isCountedFor(signer, one),
  );
  const before = signatureProgress(demands, signers);
  return isNamed || signatureProgress(demands, [...signers, signer]).needed <= before.needed;
};
