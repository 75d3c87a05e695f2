/**
 * L5, G1: what replay asks about decisions: no outside effect without its approval, and no approval
 * but by a person in the chat.
 */
import { z } from 'zod';
import { isSigning, isPersonsWord } from '../core/machine/command-inputs.ts';
import { canonicalJson } from '../core/seal.ts';
import { isPublishing } from '../core/machine/effect-traits.ts';
import type { Effect } from '../core/machine/effect-types.ts';
import type { Run } from '../core/machine/run.ts';
import type { EffectRow, EventRow, LedgerQueries } from '../ports.ts';

/** An effect that the log asks for. */
export type AskedEffect = { id: string; effect: Effect };

export const CHAT_KEY = 'chat:';

/** Approvals that came another way than by an update of the chat. */
export const approvalsNotFromChat = (events: readonly EventRow[]): string[] =>
  events
    .filter(({ type, key }) => isPersonsWord(type) && !key.startsWith(CHAT_KEY))
    .map(({ seq, type, key }) => `event ${seq} (${type}) was not caused by the chat but by ${key}`);

const Signed = z.object({ input: z.object({ by: z.object({ id: z.string().nullable() }) }) });

/** G3: whoever signed is one of those whom the order of the campaign names, if it names any. */
export const signersNotNamed = async (
  query: Pick<LedgerQueries, 'campaign'>,
  { order }: Run,
  events: readonly EventRow[],
): Promise<string[]> => {
  if (order.campaign === undefined) return [];
  const planned = await query.campaign(order.campaign).catch(() => null);
  // What is missing or was changed is said of the campaign itself.
  const approvers = planned?.order.run.approvers;
  if (!planned) return [];
  const wrong: string[] = [];
  // guard: L5-named-approvers
  if (canonicalJson([...(approvers ?? [])].sort()) !== canonicalJson([...(order.approvers ?? [])].sort()))
    wrong.push(`the run names other approvers than its campaign ${order.campaign}`);
  for (const { seq, type, body } of events) {
    const by = isSigning(type) ? Signed.safeParse(JSON.parse(body)).data?.input.by.id : undefined;
    if (by !== undefined && approvers && !approvers.some((id) => id === by))
      wrong.push(`event ${seq} (${type}) was signed by ${by}, whom campaign ${order.campaign} does not name`);
  }
  return wrong;
};

const Together = z.object({
  input: z.object({ cluster: z.int(), approvalId: z.string(), digest: z.string() }),
});

/** G8: whoever signed on a card of many signed what that card showed. */
export const signedButNotShown = async (
  query: Pick<LedgerQueries, 'effect'>,
  runId: string,
  events: readonly EventRow[],
): Promise<string[]> => {
  const wrong: string[] = [];
  for (const { seq, type, body } of events) {
    const read = isSigning(type) ? Together.safeParse(JSON.parse(body)).data : undefined;
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

/**
 * Every outside effect in the table must be one that the log asked for; every PR one that consumed
 * its approval.
 */
export const unapprovedEffects = async (
  query: LedgerQueries,
  run: Run,
  asked: readonly AskedEffect[],
  rows: readonly EffectRow[],
): Promise<string[]> => {
  const wrong: string[] = [];
  const known = new Map(asked.map((a) => [a.id, a.effect]));
  for (const row of rows) wrong.push(...(await judge(query, row, known.get(row.id))));
  // Not by its state: one whose answer was lost may be void by the time that it is heard of.
  if (run.upstream.pullRequest && !rows.some((r) => r.kind === 'open_pr'))
    wrong.push(`pull request ${run.upstream.pullRequest.id} is linked, but no effect opened it`);
  return wrong;
};

const judge = async (query: LedgerQueries, row: EffectRow, asked: Effect | undefined): Promise<string[]> => {
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
