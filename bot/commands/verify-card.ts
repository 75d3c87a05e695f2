/** Checks the preconditions of every decision on a card, whether tapped or typed (G4). */
import { z } from 'zod';
import { findingLocation } from '#model/paths';
import { objectionsOf } from '#model/assessment';
import { canonicalJson } from '#model/seal';
import { hasRoleAtLeast } from '#model/settings';
import { digestFor, lastAssessedPublication, type Run } from '#run';
import { sha256Hex } from '#runtime';
import type { ApprovalRow, EffectRow, Ledger } from '#ports/ledger';
import { selectHunks } from '../text/first-hunks.ts';
import type { LanguageTexts } from '../language/languages.ts';
import { renderReason } from '../views/reason-messages.ts';
import type { ChatRoles } from './user-roles.ts';
import { fitLines, momentText, codeLine, escapeBlock } from '../text/telegram-html.ts';
import { policyLines } from '../views/policy-lines.ts';
import { withReadableHunkHeaders } from '../views/patch-quote.ts';
import { sortFilesByRisk, deservesAttention } from '#views';

const DeliveredMessage = z.object({
  chat: z.string(),
  messageId: z.string(),
  epoch: z.number().nullable().default(null),
  pinned: z.boolean().default(false),
});
type DeliveredMessage = z.infer<typeof DeliveredMessage>;

export const findDelivery = (row: EffectRow): DeliveredMessage | null =>
  row.state === 'done' ? (DeliveredMessage.safeParse(row.result).data ?? null) : null;

type GateTell = EffectRow & { do: { kind: 'chat_message'; content: { view: 'gate'; approvalId: string } } };
// guard: G4-card-live
export const createGateMatcher =
  (approvalId: string) =>
  (row: EffectRow): row is GateTell =>
    row.do.kind === 'chat_message' &&
    row.do.content.view === 'gate' &&
    row.do.content.approvalId === approvalId;

export const findSentCards = async (
  query: Ledger['query'],
  runId: string,
  approvalId: string,
  chat: string,
): Promise<{ n: number; messageId: string }[]> => {
  const rows = await query.effects({ runId, kind: 'chat_message', state: 'done' });
  return rows
    .filter(createGateMatcher(approvalId))
    .map((row) => ({ n: row.n, sent: findDelivery(row) }))
    .flatMap(({ n, sent }) => (sent?.chat === chat ? [{ n, messageId: sent.messageId }] : []))
    .sort((a, b) => a.n - b.n);
};

const signersOf = (
  { gate: { consumedApproval: consumed }, review: { pendingReplies: replying, postedReplies: replied } }: Run,
  id: string,
): string => [consumed, replying?.signature, replied].find((one) => one?.id === id)?.by ?? '';

/** Returns why a card can no longer be decided, or null. Checks expiry before the digest. */
export const findClosingReason = (
  run: Run,
  row: ApprovalRow,
  now: number,
  words: LanguageTexts,
): string | null => {
  const { tap, calendar } = words;
  const because = row.reason ? renderReason({ lifecycle: { reason: row.reason } }, now, words) : '';
  if (row.state === 'consumed') return tap.approvedBy(signersOf(run, row.id));
  if (row.state === 'denied') return tap.deniedAlready(because);
  if (row.state === 'expired') return tap.expired(momentText(row.closedAt ?? row.expiresAt, now, calendar));
  // The run waits for this card: only who edits the database says that it does not.
  if (row.state === 'void' && run.gate.approval?.id === row.id) return tap.changedRecord(run.id);
  if (row.state === 'void') return because === '' ? tap.voidedAlone : tap.voided(because);
  if (now >= row.expiresAt) return tap.expired(momentText(row.expiresAt, now, calendar));
  if (run.gate.approval?.id !== row.id) return tap.stale;
  const same = run.gate.approval.digest === row.digest && digestFor(run, row.kind) === row.digest;
  return same ? null : tap.moved;
};

/** G3: returns the signers who may no longer approve; their signatures do not count. */
export const findLapsedSigners = async (roles: ChatRoles, run: Run): Promise<string[]> => {
  const names: string[] = [];
  for (const { id, name } of run.gate.approval?.signatures ?? []) {
    const member = id === null ? null : await roles.of(id);
    if (!member || !hasRoleAtLeast(member.role, 'approver')) names.push(name);
  }
  return names;
};

/** C2: one slot per reader and content, so risks read for a push need no second reading. */
export const riskSlot = (run: Run, user: string): string => {
  const fields = run.gate.proposal?.fields;
  const what = fields
    ? sha256Hex(canonicalJson([fields.diff, objectionsOf(fields.assessment)])).slice(0, 16)
    : 'none';
  // guard: C2-read-by-user
  return `risk:${run.id}:${what}:${user}`;
};

export const mustReadRiskFirst = async (query: Ledger['query'], run: Run, user: string): Promise<boolean> =>
  run.gate.approval?.kind !== 'reply' &&
  run.gate.proposal?.fields.assessment.risk === 'high' &&
  (await query.sent(riskSlot(run, user))) === null;

/** P3: answers "which policy stopped this?" with its id, its reason and the risk factors. */
export const riskHtml = (run: Run, patch: { text: string } | null, words: LanguageTexts): string => {
  const diff = run.change.commit?.diff;
  const assessed = lastAssessedPublication(run);
  const flagged = diff ? sortFilesByRisk(diff).filter((f) => deservesAttention(diff, f)) : [];
  const findings = (diff?.findings ?? []).slice(0, 8);
  const head = fitLines(
    [
      `<b>${words.risk.title}</b>`,
      ...(assessed ? policyLines(assessed, words) : []),
      ...(findings.length > 0 ? [`<b>${words.risk.findings}</b>`] : []),
      ...findings.map(
        (f) => `${codeLine(`${words.findings[f.kind]}: ${findingLocation(f)} ${words.findingNote(f)}`, 140)}`,
      ),
      ...(findings.length + flagged.length === 0 ? [words.risk.nothing] : []),
    ],
    2_000,
  );
  const hunks = patch ? selectHunks(patch.text, new Set(flagged.map((f) => f.path)), 6_000) : '';
  return hunks
    ? `${head}\n<blockquote expandable><code>${escapeBlock(withReadableHunkHeaders(hunks, words), 1_800)}</code></blockquote>`
    : head;
};
