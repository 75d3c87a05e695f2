/** L5: a card whose row somebody changed says so, with what to do, and is never without a button. */
import { expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import type { Run } from '#run';
import { findClosingReason } from '../../bot/commands/verify-card.ts';
import { renderGate } from '../../bot/views/gate-card.ts';
import { isRecordChanged } from '../../bot/views/live-card.ts';
import type { ApprovalRow } from '#ports/ledger';
import { at, cancel } from '../support/core.ts';

const rowOf = ({ id, gate: { approval } }: Run): ApprovalRow => {
  if (!approval) throw new Error('no card');
  const { kind, digest, expiresAt, needed } = approval;
  const row = { id: approval.id, runId: id, kind, digest, expiresAt, needed, state: 'open', reason: null };
  return { ...row, consumedBy: null, passedTo: null, openedAt: 0, closedAt: null } as ApprovalRow;
};
const { run } = at('PUSHED');
const CHANGES: readonly [string, Partial<ApprovalRow>][] = [
  ['state', { state: 'void' }],
  ['digest', { digest: 'f'.repeat(64) }],
  ['time', { expiresAt: 1 }],
];

it.each(CHANGES)('L5: a changed %s is told on the card, in each language', (_, change) => {
  const approval = { ...rowOf(run), ...change };
  expect(isRecordChanged(run, approval)).toBe(true);
  const view = { view: 'gate', approvalId: approval.id, armedBy: null, armedUntil: null } as const;
  for (const words of Object.values(LANGUAGE_TEXTS)) {
    const scene = { run, approval, attempts: [], patch: null, now: 10, isRecordChanged: true };
    const { html, buttons } = renderGate(view, scene, words);
    expect(html).toContain(`agentpr replay ${run.id}`);
    expect(buttons.flat().map(({ verb }) => verb)).toEqual(['detail']);
  }
});

it('L5: a tap on a card whose record was changed says so, and no empty reason', () => {
  const row: ApprovalRow = { ...rowOf(run), state: 'void' };
  for (const words of Object.values(LANGUAGE_TEXTS)) {
    expect(findClosingReason(run, row, 10, words)).toContain(`agentpr replay ${run.id}`);
    const ended = at('PUSHED').when(cancel).run;
    expect(findClosingReason(ended, row, 10, words)).toBe(words.tap.voidedAlone);
  }
});

it('L5: a card that is as it was written, or decided since, is not called changed', () => {
  expect(isRecordChanged(run, rowOf(run))).toBe(false);
  const ended = at('PUSHED').when(cancel).run;
  expect(isRecordChanged(ended, { ...rowOf(run), state: 'void' })).toBe(false);
});
