/** Replay's checks that outside effects have an approval, given by a person in the chat (L5, G1). */
import { z } from 'zod';
import { isFromChatAlone, kindSignedBy } from '../kernel/inputs/inputs.ts';
import { isPublishing } from '../kernel/effects/effect-traits.ts';
import type { Effect } from '../kernel/effects/effect-types.ts';
import { canonicalJson, OwnKeySignature } from '#model/seal';
import type { Run } from '../kernel/run/run.ts';
import { CHAT_KEY, OWN_KEY_PREFIX } from '../kernel/runtime/submit-input.ts';
import type { EffectRow, EventRow, LedgerQueries } from '#ports/ledger';

export type AskedEffect = { id: string; effect: Effect };

const WithOwnKey = z.object({ input: z.object({ ownKey: OwnKeySignature }) });
/** G11: what was signed with a key of one's own comes from the board. */
const hasOwnKey = (key: string, body: string): boolean =>
  // guard: L5-own-key
  key.startsWith(OWN_KEY_PREFIX) && WithOwnKey.safeParse(JSON.parse(body)).success;

export const approvalsNotFromChat = (events: readonly EventRow[]): string[] =>
  events
    .filter(
      ({ type, key, body }) => isFromChatAlone(type) && !key.startsWith(CHAT_KEY) && !hasOwnKey(key, body),
    )
    .map(({ seq, type, key }) => `event ${seq} (${type}) was not caused by the chat but by ${key}`);

const Signed = z.object({ input: z.object({ by: z.object({ id: z.string().nullable() }) }) });

/** G3: signers must be approvers named by the campaign's order, if it names any. */
export const findUnnamedSigners = async (
  query: Pick<LedgerQueries, 'campaign'>,
  { order }: Run,
  events: readonly EventRow[],
): Promise<string[]> => {
  if (order.campaign === undefined) return [];
  const planned = await query.campaign(order.campaign).catch(() => null);
  // A missing or altered order is reported on the campaign.
  const approvers = planned?.order.run.approvers;
  if (!planned) return [];
  const wrong: string[] = [];
  // guard: L5-named-approvers
  if (canonicalJson([...(approvers ?? [])].sort()) !== canonicalJson([...(order.approvers ?? [])].sort()))
    wrong.push(`the run names other approvers than its campaign ${order.campaign}`);
  for (const { seq, type, body } of events) {
    const by = kindSignedBy(type) !== null ? Signed.safeParse(JSON.parse(body)).data?.input.by.id : undefined;
    if (by !== undefined && approvers && !approvers.some((id) => id === by))
      wrong.push(`event ${seq} (${type}) was signed by ${by}, whom campaign ${order.campaign} does not name`);
  }
  return wrong;
};

const Together = z.object({
  input: z.object({ cluster: z.int(), approvalId: z.string(), digest: z.string() }),
});

/** G8: a signature on a group card must match what that card showed. */
export const findUnshownSignatures = async (
  query: Pick<LedgerQueries, 'effect'>,
  runId: string,
  events: readonly EventRow[],
): Promise<string[]> => {
  const wrong: string[] = [];
  for (const { seq, type, body } of events) {
    const read = kindSignedBy(type) !== null ? Together.safeParse(JSON.parse(body)).data : undefined;
    if (!read) continue;
    const { cluster, approvalId, digest } = read.input;
    const row = await query.effect(cluster);
    const show = row?.do.kind === 'chat_message' ? row.do.content : null;
    const shown = show?.view === 'cluster' ? show.members : [];
    // guard: L5-shown-together
    if (!shown.some((m) => m.run === runId && m.approval === approvalId && m.digest === digest))
      wrong.push(`event ${seq} (${type}) was signed on message ${cluster}, which did not show it`);
  }
  return wrong;
};

/** The log must request every outside effect; an opening must have consumed its approval. */
export const findUnapprovedEffects = async (
  query: LedgerQueries,
  run: Run,
  asked: readonly AskedEffect[],
  rows: readonly EffectRow[],
): Promise<string[]> => {
  const wrong: string[] = [];
  const known = new Map(asked.map((a) => [a.id, a.effect]));
  for (const row of rows) wrong.push(...(await verifyEffect(query, row, known.get(row.id))));
  // Not filtered by state, since an opening with a lost answer may be void by now.
  if (run.upstream.pullRequest && !rows.some((r) => r.kind === 'open_pr'))
    wrong.push(`pull request ${run.upstream.pullRequest.id} is linked, but no effect opened it`);
  return wrong;
};

const verifyEffect = async (
  query: LedgerQueries,
  row: EffectRow,
  asked: Effect | undefined,
): Promise<string[]> => {
  if (!asked) return [`effect ${row.id} (${row.kind}) was asked for by no event`];
  if (canonicalJson(asked.do) !== canonicalJson(row.do))
    return [`effect ${row.id} differs from what its event asked for`];
  const approvalId = isPublishing(asked.do) ? asked.do.approvalId : null;
  if (approvalId === null)
    return asked.do.kind === 'open_pr' ? [`effect ${row.id} opens a pull request without an approval`] : [];
  const approval = await query.approval(approvalId);
  const isIts = approval?.consumedBy === row.id || (row.kind === 'open_pr' && approval?.passedTo === row.id);
  if (approval?.state !== 'consumed' || !isIts) {
    return [`effect ${row.id} has no approval that it consumed`];
  }
  if ((asked.do.kind === 'open_pr' || asked.do.kind === 'reply') && approval.digest !== asked.do.digest)
    return [`effect ${row.id} carries another digest than its approval`];
  return [];
};
