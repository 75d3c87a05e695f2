/** C2: the gate card after its decision, and what became of it. */
import { repositoryOf } from '../../orchestrator/core/machine/run.ts';
import type { ApprovalRow } from '../../orchestrator/ports.ts';
import type { Texts } from '../language/language.ts';
import { fit, moment, prose, show, showPath } from '../text/text.ts';
import type { Rendered, Scene } from './scene.ts';
import { reasonOf } from './why.ts';

/**
 * The card after its decision: two-phase, so that "approved" never claims more than was committed.
 */
export const renderClosed = ({ run, approval, now }: Scene, words: Texts): Rendered => {
  const { card } = words;
  const close = (title: string, ...lines: string[]): Rendered => ({
    html: fit([
      `<b>${title}</b> · ${showPath(repositoryOf(run), 36)} · ${card.run(show(run.id, 12))}`,
      ...lines.filter(Boolean),
    ]),
    buttons: [],
  });
  if (!approval) return close(card.closed.void);
  const reason = approval.reason ? prose(reasonOf({ reason: approval.reason }, now, words), 600) : '';
  switch (approval.state) {
    case 'denied':
      return close(card.closed.denied, reason);
    case 'expired':
      return close(
        card.closed.expired,
        `${moment(approval.closedAt ?? approval.expiresAt, now, words.calendar)} ${reason}`,
      );
    case 'void':
      return close(card.closed.void, reason);
    case 'consumed':
      return consumed({ run, now }, approval, words, close);
    case 'open':
      if (now >= approval.expiresAt)
        return close(card.closed.expired, moment(approval.expiresAt, now, words.calendar));
      return close(card.closed.void, words.tap.moved);
  }
};

const consumed = (
  { run, now }: Pick<Scene, 'run' | 'now'>,
  approval: ApprovalRow,
  words: Texts,
  close: (title: string, ...lines: string[]) => Rendered,
): Rendered => {
  const { card } = words;
  const mine = run.consumed?.id === approval.id;
  const by = mine && run.consumed ? card.by(show(run.consumed.by, 80)) : '';
  const seal = `<code>${card.sealMark(approval.digest.slice(0, 12))}</code>`;
  if (approval.kind === 'push') {
    const underWay = mine && run.consumed?.epoch === run.epoch && !run.approval;
    return underWay
      ? close(card.closed.approved, by, card.pushing, seal)
      : close(card.closed.approved, by, prose(reasonOf(run, now, words), 300), seal);
  }
  if (run.pr && mine) {
    return close(card.closed.opened, `${card.openedAs(run.pr.id)} · ${show(run.pr.url, 300)}`, by, seal);
  }
  const underWay = mine && run.consumed?.epoch === run.epoch && !run.approval;
  if (underWay)
    return close(card.closed.approved, by, run.state === 'PUSHED' ? card.opening : card.pushing, seal);
  return close(
    card.closed.failed,
    `${by}, ${card.notOpened}`,
    prose(reasonOf(run, now, words), 900),
    run.approval ? card.newerBelow : '',
  );
};
