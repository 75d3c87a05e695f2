/** Defines a button: one row beside the function that a tap on it calls. */
import type { MessageView, ReplyButton } from '#effects';
import type { Run } from '#run';
import type { EffectRow } from '#ports/ledger';
import type { UserRole } from '#model/settings';
import { currentActivity } from '#views';
import { isBusy, viewReply, type CommandContext } from './command-context.ts';
import { settleTap, type PendingTapAnswer } from './settle-tap.ts';

type ViewName = MessageView['view'];
export type ViewOf<Name extends ViewName> = Extract<MessageView, { view: Name }>;

/** `row` is the message with the button, `epoch` the run's when it was sent; `run` is null before a card reads it. */
export type Tap<Show extends MessageView = MessageView> = {
  c: CommandContext;
  verb: string;
  index: number | null;
  row: EffectRow;
  show: Show;
  epoch: number | null;
  messageId: string;
  run: Run | null;
};
export type RunTap<Show extends MessageView = MessageView> = Tap<Show> & { run: Run };

/** A tap that may go on, or the answer to one that may not. */
export type Opened<Ready> = { tap: Ready } | Awaited<PendingTapAnswer>;

/** The messages that have a button, and what holds for every tap on them. */
type ButtonCard<Show extends MessageView, Ready extends Tap<Show>> = {
  on: readonly ViewName[] | 'run';
  open: (tap: Tap<Show>, picks: boolean) => Promise<Opened<Ready>>;
};

type ButtonFields<Verb extends string> = {
  verb: Verb;
  role: UserRole;
  /** L8: while many answers wait. `refuse_again`: also while the answer to the same tap waits. */
  whileBusy?: 'refuse' | 'refuse_again';
  /** It does nothing once the run has moved on since the message; `redraw` draws the message again. */
  goesStale?: true | 'redraw';
  /** Its index says which of several things it is for. */
  picks?: true;
};
export type ButtonRow<Verb extends string = string> = ButtonFields<Verb> & {
  on: readonly ViewName[] | 'run';
  onTap: (tap: Tap) => PendingTapAnswer;
};

/** These messages are about no single run, and have only the buttons that name them. */
const VIEWS_OF_NO_RUN: readonly ViewName[] = ['cluster', 'campaign', 'questions', 'transcript', 'spending'];

/** In these messages a button's index is its place. */
export const VIEWS_WITH_PLACES: readonly ViewName[] = ['reply', 'command_choice', 'triage'];

export const isButtonOn = ({ on }: Pick<ButtonRow, 'on'>, view: ViewName): boolean =>
  on === 'run' ? !VIEWS_OF_NO_RUN.includes(view) : on.includes(view);

const isTapOn = <Show extends MessageView>({ on }: ButtonCard<Show, Tap<Show>>, tap: Tap): tap is Tap<Show> =>
  isButtonOn({ on }, tap.show.view);

export const cardOn = <Name extends ViewName>(
  ...on: readonly Name[]
): ButtonCard<ViewOf<Name>, Tap<ViewOf<Name>>> => ({
  on,
  open: async (tap) => ({ tap }),
});

const openRun = async <Show extends MessageView>(
  tap: Tap<Show>,
  picks: boolean,
): Promise<Opened<RunTap<Show>>> => {
  const id = runIdOf(tap, { picks });
  const run = id === null ? null : await tap.c.ledger.query.run(id);
  return run ? { tap: { ...tap, run } } : settleTap(tap.c, tap.c.words.tap.gone, true);
};

/** Buttons of replies name their run; others use the run of their message. */
const runIdOf = (tap: Tap, { picks }: { picks: boolean }): string | null => {
  const { row, show, index } = tap;
  if (show.view === 'reply') return replyButtonOf(tap)?.runId ?? null;
  return index === null || picks || VIEWS_WITH_PLACES.includes(show.view) ? row.runId : null;
};

export const replyButtonOf = ({ show, verb, index }: Tap): ReplyButton | null => {
  const button = show.view === 'reply' && index !== null ? show.buttons.flat()[index] : undefined;
  return button?.verb === verb ? button : null;
};

export const runCardOn = <Name extends ViewName>(
  ...on: readonly Name[]
): ButtonCard<ViewOf<Name>, RunTap<ViewOf<Name>>> => ({
  on,
  open: openRun,
});

/** Any message that is about a run. */
export const RUN_CARD: ButtonCard<MessageView, RunTap> = { on: 'run', open: openRun };

/** The same card with more that must hold for every tap on it. */
export const cardWithCheck = <Show extends MessageView, Before extends Tap<Show>, Ready extends Before>(
  { on, open }: ButtonCard<Show, Before>,
  check: (tap: Before) => Promise<Opened<Ready>>,
): ButtonCard<Show, Ready> => ({
  on,
  async open(tap, picks) {
    const opened = await open(tap, picks);
    return 'tap' in opened ? check(opened.tap) : opened;
  },
});

export const defineButton = <const Verb extends string, Show extends MessageView, Ready extends Tap<Show>>(
  card: ButtonCard<Show, Ready>,
  { onTap, ...fields }: ButtonFields<Verb> & { onTap: (tap: Ready) => PendingTapAnswer },
): ButtonRow<Verb> => ({
  ...fields,
  on: card.on,
  async onTap(tap) {
    const { c, row } = tap;
    const { tap: t } = c.words;
    if (!isTapOn(card, tap)) return settleTap(c, t.gone, true);
    const opened = await card.open(tap, fields.picks === true);
    if (!('tap' in opened)) return opened;
    const { run, show, epoch } = opened.tap;
    if (fields.whileBusy && (await isBusy(c, { dear: fields.whileBusy === 'refuse_again' })))
      return settleTap(c, t.busy, true);
    // An old message may be about an old failure; its button must not act on a new one.
    // guard: G4-old-button
    if (fields.goesStale && run && epoch !== run.lifecycle.epoch)
      return settleTap(
        c,
        t.movedOn(currentActivity(run, c.words)),
        true,
        ...(fields.goesStale === 'redraw' ? [viewReply(show, run.id, row.slot)] : []),
      );
    return onTap(opened.tap);
  },
});
