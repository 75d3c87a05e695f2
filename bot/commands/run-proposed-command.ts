/** A tap on a proposal gives the command once, to the runs that have not changed since (C4). */

import type { Input } from '#inputs';
import type { Run } from '#run';
import { atLeast } from '#model/settings';
import { signOffKey } from '#model/trailers';
import {
  commandOf,
  isSteering,
  roleNeededFor,
  onlyShows,
  readStoredCommand,
  readSteeringCommand,
} from '#commands';
import { renderProposal, isUnchangedSince } from '../views/command-proposal.ts';
import { currentActivity } from '../views/scene.ts';
import { costWarnings, orderFrom, personOf } from './steer-run.ts';
import { takePicture } from './take-picture.ts';
import { findClosingReason } from './verify-card.ts';
import { viewReply, type CommandReply, type CommandContext } from './command-context.ts';
import { findRevivedRun } from './offer-again.ts';
import { performCommand } from './command-handlers.ts';
import { changeSettings } from './manage-users.ts';
import { cardOn, defineButton, type Tap, type ViewOf } from './define-button.ts';
import { submitTap } from './submit-tap.ts';
import { answerTap, type PendingTapAnswer } from './answer-tap.ts';

export const CHOICE_BUTTONS = [
  defineButton(cardOn('command_choice'), {
    verb: 'command.give',
    // The command asks for its own role.
    role: 'viewer',
    picks: true,
    onTap: (tap): PendingTapAnswer => giveCommand(tap),
  }),
];

const giveCommand = async ({ c, row, show, index }: Tap<ViewOf<'command_choice'>>): PendingTapAnswer => {
  const { tap: t } = c.words;
  const choice = show.choices[index ?? -1];
  const kept = choice && readStoredCommand(choice.command, choice.parameters);
  if (!choice || !kept) return answerTap(c, t.gone, true);
  const { name, told } = kept;
  const needs = roleNeededFor(name, told);
  // guard: C4-proposal-role
  if (!atLeast(c.role, needs)) return answerTap(c, c.words.roles.needs(needs), true);
  const named = await Promise.all(
    show.choices.flatMap(({ targets: on }) => on.map(({ run }) => c.ledger.query.run(run))),
  );
  const runs = named.filter((run) => run !== null);
  const redraw = ({ given }: { given: boolean }): CommandReply => ({
    ...viewReply(
      { view: 'reply', html: renderProposal(show, runs, c.words, given ? choice : null).html, buttons: [] },
      row.runId,
      row.slot,
    ),
  });
  // This key makes a second tap on the same choice a duplicate.
  const once: CommandContext = { ...c, row: { ...c.row, key: `proposal:${row.n}:${index ?? 0}` } };
  const chosen: ChosenCommand = { c, once, choice, redraw, byId: new Map(runs.map((run) => [run.id, run])) };
  const command = commandOf(kept, choice.targets[0]?.run ?? '');
  if (command.kind === 'settings')
    return changeSettings(c, command.setting).then(() => ({ text: t.done, alert: false }));
  if (onlyShows(name, told))
    return performCommand(c, command, '').then(() => ({ text: t.shown, alert: false }));
  if (command.kind === 'new') return giveOrder(chosen, command.order);
  if (!isSteering(name)) return answerTap(c, t.gone, true);
  const signOff = command.kind === 'answer' && command.what === 'sign_off' ? command.text : null;
  return steerRuns(chosen, { name, told, signOff });
};

/** A choice that was tapped, and the runs of all choices as they are now. */
type ChosenCommand = {
  c: CommandContext;
  once: CommandContext;
  choice: ViewOf<'command_choice'>['choices'][number];
  byId: ReadonlyMap<string, Run>;
  redraw: (how: { given: boolean }) => CommandReply;
};

const giveOrder = async (
  { c, once, choice, byId, redraw }: ChosenCommand,
  wish: Parameters<typeof orderFrom>[1],
): PendingTapAnswer => {
  const { tap: t } = c.words;
  const [target] = choice.targets;
  const order = orderFrom(c, wish);
  if ('refused' in order) return answerTap(c, order.refused, true);
  if (!target || !isUnchangedSince(target, byId.get(target.run)))
    return answerTap(c, t.duplicate, false, redraw({ given: false }));
  const revived = await findRevivedRun(c, choice);
  if (revived)
    return answerTap(c, t.movedOn(currentActivity(revived, c.words)), true, redraw({ given: false }));
  const read = await takePicture(c, order.order, wish.picture ?? null);
  if ('refused' in read) return answerTap(c, read.refused, true);
  const input: Input = { type: 'command.run.create', runId: target.run, order: read.order };
  const taken = [redraw({ given: true }), ...costWarnings(c, read.order)];
  const { artifacts } = read;
  return submitTap(once, { id: target.run }, input, { done: () => t.done, taken, artifacts });
};

type Steering = { name: Parameters<typeof readSteeringCommand>[0]; told: object; signOff: string | null };
const steerRuns = async (
  { c, once, choice, byId, redraw }: ChosenCommand,
  { name, told, signOff }: Steering,
): PendingTapAnswer => {
  const { tap: t } = c.words;
  const live = choice.targets.flatMap((target) => {
    const run = byId.get(target.run);
    // guard: C4-answer-epoch
    if (!isUnchangedSince(target, run)) return [];
    return run ? [run] : [];
  });
  const last = live.pop();
  const [first] = choice.targets;
  const run = first && byId.get(first.run);
  if (!last && !run) return answerTap(c, t.gone, true, redraw({ given: false }));
  const decides = name === 'deny' || name === 'changes' || name === 'take_back';
  const card = decides && first?.approval ? await c.ledger.query.approval(first.approval) : null;
  const closed = run && card ? findClosingReason(run, card, c.clock.now(), c.words) : null;
  if (closed !== null) return answerTap(c, closed, true, redraw({ given: false }));
  if (!last) {
    const says = run ? t.movedOn(currentActivity(run, c.words)) : t.gone;
    return answerTap(c, says, true, redraw({ given: false }));
  }
  if (signOff !== null) await c.ledger.setSetting(signOffKey(c.user), signOff);
  const inputFor = (run: Run): Input => {
    const input = readSteeringCommand(name, personOf(c), told as never, run);
    return input.type === 'command.question.ask' ? { ...input, chat: c.chat } : input;
  };
  // The tap ends with the last run; if it is handled again, keys prevent duplicate inputs.
  for (const run of live)
    await c.submit({
      runId: run.id,
      input: inputFor(run),
      key: `chat:${once.row.key}`,
      cause: { kind: 'none' },
    });
  return submitTap(once, last, inputFor(last), {
    done: () => t.done,
    taken: [redraw({ given: true })],
    refused: [redraw({ given: false })],
  });
};
