/** The handlers of all kinds of effects. */
import { traitsOf } from '../effects/effect-traits.ts';
import type { EffectHandler, EffectHandlers } from '../runtime/effect-handler.ts';
import type { EffectContext, ItemComments, PollHints } from './effect-context.ts';
import type { WorkHandlers } from './work-handlers.ts';

/** Offers a timer's input; time limits take deferred work into account. */
const createWake =
  ({ ledger, clock }: Pick<EffectContext, 'ledger' | 'clock'>): EffectHandler<'offer_input'> =>
  async ({ runId, do: { input } }) => {
    if (input.type !== 'timer.timeout' || runId === null) return { kind: 'result', input };
    const pending = await ledger.query.effects({ runId, state: 'pending' });
    const waits = pending.some((one) => traitsOf(one.do.kind).waitsAloud && one.dueAt > clock.now());
    return { kind: 'result', input: waits ? { ...input, waits } : input };
  };

/** Work handlers load with their first effect, to keep start-up fast. */
export const createHandlers = (
  parts: EffectContext & PollHints & ItemComments & { tell: EffectHandler<'chat_message'> },
): EffectHandlers => {
  let loaded: Promise<WorkHandlers> | null = null;
  const loadWork = (): Promise<WorkHandlers> =>
    (loaded ??= import('./work-handlers.ts').then(({ createWorkHandlers }) => createWorkHandlers(parts)));
  const onUse =
    <K extends keyof WorkHandlers>(kind: K): EffectHandler<K> =>
    async (claim, signal) =>
      ((await loadWork())[kind] as EffectHandler<K>)(claim, signal);
  return {
    start_run: onUse('start_run'),
    discover: onUse('discover'),
    check_base: onUse('check_base'),
    implement: onUse('implement'),
    answer_question: onUse('answer_question'),
    check: onUse('check'),
    push: onUse('push'),
    open_pr: onUse('open_pr'),
    modify_proposal: onUse('modify_proposal'),
    poll: onUse('poll'),
    seal_replies: onUse('seal_replies'),
    reply: onUse('reply'),
    rerun_ci: onUse('rerun_ci'),
    set_up_pull: onUse('set_up_pull'),
    close_pr: onUse('close_pr'),
    comment_on_item: onUse('comment_on_item'),
    remove_workspace: onUse('remove_workspace'),
    update_from_base: onUse('update_from_base'),
    compare_base: onUse('compare_base'),
    compare_checks: onUse('compare_checks'),
    read_head: onUse('read_head'),
    expedite_poll: async ({ runId }) => {
      if (runId === null) return { kind: 'done', result: null };
      const run = await parts.ledger.query.run(runId);
      if (run?.gate.consumedApproval?.openNow !== undefined && run.upstream.pullRequest === null)
        await parts.ledger.hurry(runId, parts.clock.now(), 'opening');
      else await parts.hints?.expedite(runId);
      return { kind: 'done', result: null };
    },
    offer_input: createWake(parts),
    chat_message: parts.tell,
  };
};
