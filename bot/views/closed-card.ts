/** Renders the gate card after its decision (C2). */
import { mayCommentOnItem } from '#kernel';
import { repositoryOf, type Run } from '#run';
import type { ApprovalRow } from '#ports/ledger';
import type { LanguageTexts } from '../language/languages.ts';
import { fitLines, momentText, escapeProse, escapeLine, showPath } from '../text/telegram-html.ts';
import { isWaitingToWrite } from './run-lines.ts';
import type { RenderedMessage, ViewScene } from './scene.ts';
import { renderReason } from './reason-messages.ts';

/** Uses this card's own title, because a newer proposal may have another one. */
const titleOf = (
  { gate: { proposal, consumedApproval: consumed } }: Run,
  approval: ApprovalRow | null,
): string => {
  const asked = [proposal, consumed].find((one) => one && one.digest === approval?.digest);
  return asked ? escapeProse(asked.fields.title, 120) : '';
};

const asksAgain = ({ reason }: ApprovalRow): boolean => reason?.kind === 'rejected' && reason.again === true;

/** Distinguishes signed, running and committed, so that "approved" never claims too much. */
export const renderClosed = (
  { run, approval, now, othersWait, isRecordChanged }: ViewScene,
  words: LanguageTexts,
): RenderedMessage => {
  const { card } = words;
  const renderEnd = (title: string, ...lines: string[]): RenderedMessage => ({
    html: fitLines([
      `<b>${title}</b> · ${showPath(repositoryOf(run), 36)}`,
      ...[titleOf(run, approval), ...lines].filter(Boolean),
      `<code>${card.record(escapeLine(run.id, 12), approval?.digest.slice(0, 12) ?? '–')}</code>`,
    ]),
    buttons: othersWait === true ? [[{ verb: 'next', text: words.fleet.next }]] : [],
    closed: true,
  });
  // guard: L5-changed-card-told
  if (isRecordChanged)
    return {
      ...renderEnd(card.closed.changedRecord, card.changedRecord(escapeLine(run.id, 24))),
      buttons: [[{ verb: 'detail', text: words.buttons.detail }]],
    };
  if (!approval) return renderEnd(card.closed.void);
  const reason = approval.reason
    ? escapeProse(renderReason({ lifecycle: { reason: approval.reason } }, now, words), 600)
    : '';
  switch (approval.state) {
    case 'denied':
      return renderEnd(asksAgain(approval) ? card.closed.changes : card.closed.denied, reason);
    case 'expired':
      return renderEnd(
        card.closed.expired,
        `${momentText(approval.closedAt ?? approval.expiresAt, now, words.calendar)} ${reason}`,
      );
    case 'void':
      return renderEnd(card.closed.void, reason);
    case 'consumed':
      return renderConsumed({ run, now }, approval, words, renderEnd);
    case 'open':
      if (now >= approval.expiresAt)
        return renderEnd(card.closed.expired, momentText(approval.expiresAt, now, words.calendar));
      return renderEnd(card.closed.void, words.tap.moved);
  }
};

const commentLine = ({ upstream: { pullRequest: pr } }: Run, { card }: LanguageTexts): string =>
  pr?.comment ? card.itemComment(pr.comment.outcome, escapeLine(pr.comment.by, 80)) : '';

const withComment = (run: Run, { buttons }: LanguageTexts, message: RenderedMessage): RenderedMessage =>
  mayCommentOnItem(run)
    ? {
        ...message,
        buttons: [[{ verb: 'run.comment_on_item', text: buttons.commentOnItem }], ...message.buttons],
      }
    : message;

const renderConsumed = (
  { run, now }: Pick<ViewScene, 'run' | 'now'>,
  approval: ApprovalRow,
  words: LanguageTexts,
  close: (title: string, ...lines: string[]) => RenderedMessage,
): RenderedMessage => {
  const { card } = words;
  const mine = run.gate.consumedApproval?.id === approval.id;
  const by = mine && run.gate.consumedApproval ? card.by(escapeLine(run.gate.consumedApproval.by, 80)) : '';
  if (approval.kind === 'push') {
    const underWay = mine && run.gate.consumedApproval?.epoch === run.lifecycle.epoch && !run.gate.approval;
    return underWay && !isWaitingToWrite(run)
      ? close(card.closed.approved, by, card.pushing)
      : close(card.closed.approved, by, escapeProse(renderReason(run, now, words), 300));
  }
  if (run.upstream.pullRequest) {
    const opened = card.openedAs(escapeLine(run.upstream.pullRequest.id, 100));
    const url = escapeLine(run.upstream.pullRequest.url, 300);
    // A later card may have opened it, or this one before a fix was approved.
    const comment = commentLine(run, words);
    return withComment(
      run,
      words,
      mine ? close(opened, url, by, comment) : close(card.closed.approved, opened, url, comment),
    );
  }
  const underWay = mine && run.gate.consumedApproval?.epoch === run.lifecycle.epoch && !run.gate.approval;
  if (underWay && isWaitingToWrite(run)) {
    const waiting = close(card.closed.approved, by, escapeProse(renderReason(run, now, words), 300));
    const { reason } = run.lifecycle;
    return reason.kind === 'write_slot_wait' && reason.why === 'opening_hours'
      ? { ...waiting, buttons: [[{ verb: 'run.open_now', text: words.buttons.openNow }], ...waiting.buttons] }
      : waiting;
  }
  if (underWay)
    return close(card.closed.approved, by, run.lifecycle.state === 'PUSHED' ? card.opening : card.pushing);
  return close(
    card.closed.failed,
    [by, card.notOpened].filter((part) => part !== '').join(', '),
    escapeProse(renderReason(run, now, words), 900),
    run.gate.approval ? card.newerBelow : '',
  );
};
