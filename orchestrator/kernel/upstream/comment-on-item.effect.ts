/** `comment_on_item` posts the pull request's link where the order came from, at most once (F5). */
import type { EffectHandler } from '../runtime/effect-handler.ts';
import { requireRunOf, type EffectContext, type ItemComments } from '../handlers/effect-context.ts';

const MAX_REFUSAL_LENGTH = 300;

export const createCommentOnItemHandler =
  ({ ledger, postComment }: Pick<EffectContext, 'ledger'> & ItemComments): EffectHandler<'comment_on_item'> =>
  async (claim, signal) => {
    const run = await requireRunOf({ ledger }, claim.runId);
    const { pullRequest: pr } = run.upstream;
    const item = run.order.quoted?.item;
    if (!item || pr?.id !== claim.do.pull || pr.comment?.outcome !== 'asked')
      return { kind: 'done', result: 'nothing to comment on' };
    const post = async () => {
      // guard: F5-comment-once
      if (claim.tries > 1) return { outcome: 'unclear', message: '' } as const;
      if (!postComment) return { outcome: 'refused', message: `no webhook ${item.hook}` } as const;
      return postComment(item, `Pull request ${pr.id}: ${pr.url}`, signal);
    };
    const { outcome, message } = await post();
    return {
      kind: 'result',
      input: {
        type: 'worker.item.commented',
        pull: pr.id,
        outcome,
        message: message.slice(0, MAX_REFUSAL_LENGTH),
      },
    };
  };
