/** The buttons that show a run, or give one of its commands. */
import { toSteeringInput, defaultArguments, roleNeededFor } from '#commands';
import { accountOf } from '#kernel';
import type { Input } from '#inputs';
import { selectQueuedWords } from '#run';
import { sayRecord } from '../text/sentence-catalogue.ts';
import { currentActivity } from '#views';
import { findLackingBudget, nextLimit, describeNewLimit } from '../views/reason-messages.ts';
import type { BudgetKind } from '#model/limits';
import { settleTap, type PendingTapAnswer } from './settle-tap.ts';
import { viewReply, personOf } from './command-context.ts';
import { formQuestionReply } from './answer-forms.ts';
import { showNext } from './decide-from-list.ts';
import {
  cardOn,
  cardWithCheck,
  defineButton,
  runCardOn,
  RUN_CARD,
  type Opened,
  type RunTap,
  type ViewOf,
} from './define-button.ts';
import { findWholeAnswersReply } from './review-buttons.ts';
import { showDetail, showDiff, showPending, showPublicText, showRun } from './show-commands.ts';
import { dropConfirmationReply, keepConfirmationReply } from './steer-run.ts';
import { riskReply } from './typed-approval.ts';
import { submitTap } from './submit-tap.ts';

const tellShown = async ({ c }: Pick<RunTap, 'c'>, show: Promise<void>): PendingTapAnswer => {
  await show;
  return { text: c.words.tap.shown, alert: false };
};

const OPEN_NOW_BUTTON = defineButton(runCardOn('gate'), {
  verb: 'run.open_now',
  // guard: G10-open-now-role
  role: roleNeededFor('open'),
  goesStale: 'redraw',
  onTap: ({ c, run }): PendingTapAnswer =>
    submitTap(c, run, { type: 'command.pr.open_now', by: personOf(c) }, { done: () => c.words.tap.done }),
});

const COMMENT_BUTTON = defineButton(runCardOn('gate'), {
  verb: 'run.comment_on_item',
  // guard: F5-operators-comment
  role: roleNeededFor('post_link'),
  onTap: ({ c, run }): PendingTapAnswer =>
    submitTap(c, run, { type: 'command.item.comment', by: personOf(c) }, { done: () => c.words.tap.done }),
});

const ASK_BUTTON = defineButton(RUN_CARD, {
  verb: 'ask',
  // guard: E21-operators-ask
  role: roleNeededFor('ask'),
  onTap: ({ c, run }): PendingTapAnswer =>
    settleTap(
      c,
      c.words.denials.askBelow,
      false,
      formQuestionReply(c, { kind: 'question', run, about: run.id }),
    ),
});

const SHOWING_BUTTONS = [
  OPEN_NOW_BUTTON,
  COMMENT_BUTTON,
  ASK_BUTTON,
  defineButton(RUN_CARD, {
    verb: 'diff',
    role: roleNeededFor('diff'),
    whileBusy: 'refuse_again',
    onTap: (tap): PendingTapAnswer => tellShown(tap, showDiff(tap.c, tap.run)),
  }),
  defineButton(RUN_CARD, {
    verb: 'text',
    role: roleNeededFor('diff'),
    async onTap(tap): PendingTapAnswer {
      const { c, run, show } = tap;
      const isReply = show.view === 'gate' && run.gate.approval?.kind === 'reply';
      const answers = isReply ? await findWholeAnswersReply(c, run) : null;
      return answers
        ? settleTap(c, c.words.tap.shown, false, answers)
        : tellShown(tap, showPublicText(c, run));
    },
  }),
  defineButton(RUN_CARD, {
    verb: 'detail',
    role: roleNeededFor('detail'),
    whileBusy: 'refuse',
    onTap: (tap): PendingTapAnswer => tellShown(tap, showDetail(tap.c, tap.run)),
  }),
  defineButton(RUN_CARD, {
    verb: 'risk',
    role: roleNeededFor('detail'),
    whileBusy: 'refuse',
    async onTap({ c, run, show }): PendingTapAnswer {
      return settleTap(
        c,
        c.words.tap.shown,
        false,
        await riskReply(c, run, { atCard: show.view === 'gate' }),
      );
    },
  }),
  defineButton(RUN_CARD, {
    verb: 'show',
    role: roleNeededFor('detail'),
    whileBusy: 'refuse',
    onTap: (tap): PendingTapAnswer => tellShown(tap, showRun(tap.c, tap.run)),
  }),
  defineButton(RUN_CARD, {
    verb: 'next',
    role: roleNeededFor('pending'),
    whileBusy: 'refuse',
    onTap: ({ c, run }): PendingTapAnswer => showNext(c, run),
  }),
  defineButton(cardOn('morning_summary'), {
    verb: 'pending',
    role: roleNeededFor('pending'),
    whileBusy: 'refuse',
    onTap: (tap): PendingTapAnswer => tellShown(tap, showPending(tap.c)),
  }),
  defineButton(RUN_CARD, {
    // The chat opens or copies it, and reports no tap.
    verb: 'link',
    role: 'viewer',
    onTap: ({ c }): PendingTapAnswer => settleTap(c, c.words.tap.gone, true),
  }),
];

type Steering = 'retry' | 'resume' | 'cancel' | 'start' | 'rerun' | 'without' | 'update' | 'revoke';
const steeringButton = <const Verb extends Steering>(verb: Verb, goesStale?: true) =>
  defineButton(RUN_CARD, {
    verb,
    // guard: G3-steering-buttons
    role: roleNeededFor(verb),
    ...(goesStale && { goesStale }),
    onTap: ({ c, run }): PendingTapAnswer =>
      submitTap(c, run, toSteeringInput<Steering>(verb, personOf(c), defaultArguments(verb), run), {
        done: () => c.words.tap.done,
      }),
  });

const keepByTap = ({ c, run }: RunTap): PendingTapAnswer =>
  submitTap(c, run, { type: 'command.work.keep', by: personOf(c) }, { done: () => c.words.tap.done });

const dropByTap = ({ c, run }: RunTap): PendingTapAnswer =>
  submitTap(c, run, { type: 'command.work.drop', by: personOf(c) }, { done: () => c.words.tap.done });

const STEERING_BUTTONS = [
  steeringButton('retry', true),
  steeringButton('resume', true),
  steeringButton('cancel', true),
  steeringButton('start', true),
  steeringButton('rerun', true),
  steeringButton('without', true),
  defineButton(RUN_CARD, {
    verb: 'keep',
    role: roleNeededFor('keep'),
    goesStale: true,
    onTap: (tap): PendingTapAnswer => {
      const asks = tap.show.view === 'progress' ? keepConfirmationReply(tap.c, tap.run) : null;
      return asks ? settleTap(tap.c, '', false, asks) : keepByTap(tap);
    },
  }),
  defineButton(RUN_CARD, {
    verb: 'keep.confirm',
    role: roleNeededFor('keep'),
    goesStale: true,
    onTap: (tap): PendingTapAnswer => keepByTap(tap),
  }),
  defineButton(RUN_CARD, {
    verb: 'drop',
    role: roleNeededFor('drop'),
    goesStale: true,
    onTap: (tap): PendingTapAnswer => {
      const asks = dropConfirmationReply(tap.c, tap.run, { always: tap.show.view === 'progress' });
      return asks ? settleTap(tap.c, '', false, asks) : dropByTap(tap);
    },
  }),
  defineButton(RUN_CARD, {
    verb: 'drop.confirm',
    role: roleNeededFor('drop'),
    goesStale: true,
    onTap: (tap): PendingTapAnswer => dropByTap(tap),
  }),
  steeringButton('update'),
  steeringButton('revoke'),
  defineButton(RUN_CARD, {
    verb: 'take',
    role: roleNeededFor('take'),
    goesStale: true,
    onTap: ({ c, run, show }): PendingTapAnswer => {
      // The commit is the one that the message showed, even if the branch has moved since.
      const sha = (show.view === 'attention' && show.head) || '';
      const input: Input = { type: 'command.head.adopt', by: personOf(c), sha };
      return submitTap(c, run, input, { done: () => c.words.tap.done });
    },
  }),
];

const raiseBudget = async ({ c, run }: RunTap, budget: BudgetKind): PendingTapAnswer => {
  const limit = nextLimit(run, budget);
  const input: Input = { type: 'command.budget.raise', by: personOf(c), budget, limit };
  return submitTap(c, run, input, { done: () => describeNewLimit(run.id, budget, limit, c.words) });
};

const BUDGET_BUTTONS = [
  defineButton(runCardOn('budget'), {
    verb: 'budget.raise',
    role: 'approver',
    /** The limit is compared with the message's, so that a second tap raises nothing. */
    onTap: (tap): PendingTapAnswer =>
      accountOf(tap.run, tap.show.budget).limit === tap.show.limit
        ? raiseBudget(tap, tap.show.budget)
        : settleTap(tap.c, tap.c.words.tap.duplicate, true),
  }),
  defineButton(RUN_CARD, {
    verb: 'budget.raise_lacking',
    // guard: G3-raise-button
    role: 'approver',
    goesStale: true,
    onTap: (tap): PendingTapAnswer => {
      const budget = findLackingBudget(tap.run);
      return budget
        ? raiseBudget(tap, budget)
        : settleTap(tap.c, tap.c.words.tap.movedOn(currentActivity(tap.run, tap.c.words)), true);
    },
  }),
];

/** C4: the round that the message is about must still be under way. */
const REPEATED_CALL = cardWithCheck(
  runCardOn('repeated_call'),
  async (tap): Promise<Opened<RunTap<ViewOf<'repeated_call'>>>> =>
    tap.show.answered === null ? { tap } : settleTap(tap.c, tap.c.words.tap.duplicate, true),
);

const AGENT_BUTTONS = [
  defineButton(REPEATED_CALL, {
    verb: 'agent.stop',
    role: roleNeededFor('pause'),
    // guard: C4-stop-this-round
    goesStale: 'redraw',
    onTap: ({ c, run, row, show }): PendingTapAnswer => {
      const pause = toSteeringInput('pause', personOf(c), defaultArguments('pause'), run);
      const stopped = viewReply({ ...show, answered: 'stopped' }, run.id, row.slot);
      return submitTap(c, run, pause, { done: () => c.words.tap.done, taken: [stopped] });
    },
  }),
  defineButton(REPEATED_CALL, {
    verb: 'agent.go_on',
    role: roleNeededFor('pause'),
    goesStale: 'redraw',
    onTap: ({ c, run, row, show }): PendingTapAnswer =>
      settleTap(
        c,
        c.words.why.repeated.left,
        false,
        viewReply({ ...show, answered: 'left' }, run.id, row.slot),
      ),
  }),
];

/** E21: all words that wait for the agent are said at that time. */
const wordsButton = <const Verb extends string>(verb: Verb, when: 'now' | 'after') =>
  defineButton(RUN_CARD, {
    verb,
    role: roleNeededFor('words'),
    onTap: ({ c, run }): PendingTapAnswer =>
      selectQueuedWords(run).length === 0
        ? settleTap(c, sayRecord(c.words.refusals, { kind: 'words_heard' }), false)
        : submitTap(
            c,
            run,
            { type: 'command.words.schedule', by: personOf(c), no: null, when },
            { done: () => c.words.tap.done },
          ),
  });
const WORDS_BUTTONS = [wordsButton('words.now', 'now'), wordsButton('words.after', 'after')];

export const RUN_BUTTONS = [
  ...SHOWING_BUTTONS,
  ...STEERING_BUTTONS,
  ...BUDGET_BUTTONS,
  ...AGENT_BUTTONS,
  ...WORDS_BUTTONS,
];
