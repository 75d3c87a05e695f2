/** Lets the pull request's link be posted where the order came from, and records what became of it (F5). */
import { z } from 'zod';
import { OpaqueId, Person } from '#model/order';
import { defineCommand, defineResult, stayIn, type HandlerRuling } from '../lifecycle/define-input.ts';
import { addMessage, addWork, showGate, type StepDraft } from '../lifecycle/step-draft.ts';
import type { InputOf } from '../run/input-types.ts';
import type { Run } from '../run/run.ts';
import { OPENED } from '../run/state-groups.ts';

export const mayCommentOnItem = ({
  order: { quoted },
  upstream: { pullRequest: pr },
}: Pick<Run, 'order' | 'upstream'>): boolean =>
  quoted?.item !== undefined && pr !== null && (pr.comment === undefined || pr.comment.outcome === 'refused');

const redrawCard = (d: StepDraft): void => {
  const { consumedApproval: approval } = d.run.gate;
  if (approval) showGate(d, approval.id, { sound: false });
};

const onCommentAsked = (d: StepDraft, { by }: InputOf<'command.item.comment'>): HandlerRuling => {
  const { pullRequest: pr } = d.run.upstream;
  // guard: F5-comment-asked-once
  if (!pr || !mayCommentOnItem(d.run)) return { refuse: { kind: 'nothing_to_comment_on', run: d.run.id } };
  d.run.upstream.pullRequest = { ...pr, comment: { by: by.name, outcome: 'asked' } };
  addWork(d, { kind: 'comment_on_item', pull: pr.id });
  redrawCard(d);
  return undefined;
};

const onCommented = (d: StepDraft, input: InputOf<'worker.item.commented'>): HandlerRuling => {
  const { pullRequest: pr } = d.run.upstream;
  const { pull, outcome, message } = input;
  if (pr?.id !== pull || pr.comment?.outcome !== 'asked') return { ignore: 'known already' };
  d.run.upstream.pullRequest = { ...pr, comment: { ...pr.comment, outcome } };
  redrawCard(d);
  const { quoted } = d.run.order;
  if (outcome !== 'posted' && quoted)
    addMessage(d, { view: 'note', note: { kind: 'item_comment', url: quoted.url, outcome, message } });
  return undefined;
};

const WITH_PULL = [...OPENED, 'DONE', 'FAILED_TERMINAL'] as const;

export const ITEM_COMMANDS = [
  defineCommand({
    type: 'command.item.comment',
    fields: { by: Person },
    moves: stayIn(WITH_PULL, 'the link is posted where the order came from'),
    handle: (d, input): HandlerRuling => onCommentAsked(d, input),
  }),
];

export const ITEM_RESULTS = [
  defineResult({
    type: 'worker.item.commented',
    fields: { pull: OpaqueId, outcome: z.enum(['posted', 'refused', 'unclear']), message: z.string() },
    moves: stayIn(WITH_PULL, 'whether the link was posted where the order came from'),
    late: (d, input): HandlerRuling => onCommented(d, input),
    handle: (d, input): HandlerRuling => onCommented(d, input),
  }),
];
