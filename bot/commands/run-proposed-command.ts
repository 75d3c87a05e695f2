/** A tap on a proposal gives the command once, to the runs that have not changed since (C4). */

import type { Input } from '#inputs';
import type { ChoiceTarget } from '#effects';
import { repositoryOf, type Run } from '#run';
import type { EffectRow } from '#ports/ledger';
import { hasRoleAtLeast } from '#model/settings';
import { signOffKey } from '#model/trailers';
import {
  commandOf,
  isSteering,
  roleNeededFor,
  isReadOnlyCommand,
  readStoredCommand,
  toSteeringInput,
  type SteeringName,
} from '#commands';
import { renderProposal, isStillMeant, isUnchangedSince } from '../views/command-proposal.ts';
import { currentActivity } from '#views';
import { replyToQueuedWords } from './steer-run.ts';
import { costWarnings, buildChatOrder } from './create-run.ts';
import { personOf, viewReply, type CommandReply, type CommandContext } from './command-context.ts';
import { downloadOrderPicture } from './order-picture.ts';
import { findClosingReason } from './verify-card.ts';
import { findRevivedRun } from './offer-repeat-run.ts';
import { performCommand } from './command-handlers.ts';
import { changeSettings } from './chat-settings.ts';
import { cardOn, defineButton, type Tap, type ViewOf } from './define-button.ts';
import { submitTap } from './submit-tap.ts';
import { describeRefusedStep } from './refused-step-reply.ts';
import { renderSkippedMembers, type Fell } from './skipped-members.ts';
import { settleTap, type PendingTapAnswer } from './settle-tap.ts';

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
  if (!choice || !kept) return settleTap(c, t.gone, true);
  const { name, told } = kept;
  const needs = roleNeededFor(name, told);
  // guard: C4-proposal-role
  if (!hasRoleAtLeast(c.role, needs)) return settleTap(c, c.words.roles.needs(needs), true);
  const ids = new Set(show.choices.flatMap(({ targets: on }) => on.map(({ run }) => run)));
  const named = await Promise.all([...ids].map((id) => c.ledger.query.run(id)));
  const runs = named.filter((run) => run !== null);
  const redraw = ({ given }: { given: number }): CommandReply => ({
    ...viewReply(
      {
        view: 'reply',
        html: renderProposal(show, runs, c.words, given > 0 ? { choice, runs: given } : null).html,
        buttons: [],
      },
      row.runId,
      row.slot,
    ),
  });
  // This key makes a second tap on the same choice a duplicate.
  const once: CommandContext = { ...c, row: { ...c.row, key: `proposal:${row.n}:${index ?? 0}` } };
  const chosen: ChosenCommand = { c, once, choice, redraw, byId: new Map(runs.map((run) => [run.id, run])) };
  const command = commandOf(kept, choice.targets[0]?.run ?? '');
  if (command.kind === 'settings') return setAsProposed(chosen, command.setting, row);
  if (isReadOnlyCommand(name, told))
    return performCommand(c, command, '').then(() => ({ text: t.shown, alert: false }));
  if (command.kind === 'new') return giveOrder(chosen, command.order);
  if (!isSteering(name)) return settleTap(c, t.gone, true);
  const signOff = command.kind === 'answer' && command.what === 'sign_off' ? command.text : null;
  return steerRuns(chosen, { name, told, signOff });
};

/** A choice that was tapped, and the runs of all choices as they are now. */
type ChosenCommand = {
  c: CommandContext;
  once: CommandContext;
  choice: ViewOf<'command_choice'>['choices'][number];
  byId: ReadonlyMap<string, Run>;
  /** `given`: to how many runs. */
  redraw: (how: { given: number }) => CommandReply;
};

const setAsProposed = async (
  { c, redraw }: ChosenCommand,
  setting: Parameters<typeof changeSettings>[1],
  { slot, n }: EffectRow,
): PendingTapAnswer => {
  const { tap: t } = c.words;
  if (slot !== null && (await c.ledger.query.told(slot))?.n !== n)
    return settleTap(c, t.duplicate, false, redraw({ given: 1 }));
  const did = await changeSettings(c, setting, redraw({ given: 1 }));
  return { text: did ? t.done : t.shown, alert: false };
};

const giveOrder = async (
  { c, once, choice, byId, redraw }: ChosenCommand,
  wish: Parameters<typeof buildChatOrder>[1],
): PendingTapAnswer => {
  const { tap: t } = c.words;
  const [target] = choice.targets;
  const order = buildChatOrder(c, wish);
  if ('refused' in order) return settleTap(c, order.refused, true);
  if (!target || !isUnchangedSince(target, byId.get(target.run)))
    return settleTap(c, t.duplicate, false, redraw({ given: 0 }));
  const revived = await findRevivedRun(c, choice);
  if (revived) return settleTap(c, t.movedOn(currentActivity(revived, c.words)), true, redraw({ given: 0 }));
  const read = await downloadOrderPicture(c, order.order, wish.picture ?? null);
  if ('refused' in read) return settleTap(c, read.refused, true);
  const input: Input = { type: 'command.run.create', runId: target.run, order: read.order };
  const taken = [redraw({ given: 1 }), ...costWarnings(c, read.order)];
  const { artifacts } = read;
  return submitTap(once, { id: target.run }, input, { done: () => t.done, taken, artifacts });
};

type Steering = { name: SteeringName; told: object; signOff: string | null };
const steerRuns = async (chosen: ChosenCommand, steering: Steering): PendingTapAnswer => {
  const { c, once, choice, byId, redraw } = chosen;
  const { name, told, signOff } = steering;
  const inputFor = (run: Run): Input => {
    const input = toSteeringInput(name, personOf(c), told as never, run);
    return input.type === 'command.question.ask' ? { ...input, chat: c.chat } : input;
  };
  const keepSignOff = async (): Promise<void> => {
    if (signOff !== null) await c.ledger.setSetting(signOffKey(c.user), signOff);
  };
  const [target, ...others] = choice.targets;
  if (others.length > 0) {
    await keepSignOff();
    return steerEach(chosen, name, inputFor);
  }
  const run = target && byId.get(target.run);
  const why = target ? await findHindrance(chosen, name, target) : c.words.tap.gone;
  if (why !== null || !run) return settleTap(c, why ?? c.words.tap.gone, true, redraw({ given: 0 }));
  await keepSignOff();
  return submitTap(once, run, inputFor(run), {
    done: () => c.words.tap.done,
    taken: [redraw({ given: 1 }), ...(name === 'tell' ? [replyToQueuedWords(c, run)] : [])],
    refused: [redraw({ given: 0 })],
  });
};

const findHindrance = async (
  { c, byId }: ChosenCommand,
  name: SteeringName,
  target: ChoiceTarget,
): Promise<string | null> => {
  const { tap: t } = c.words;
  const run = byId.get(target.run);
  if (!run) return t.gone;
  const decides = name === 'deny' || name === 'changes' || name === 'take_back';
  const card = decides && target.approval ? await c.ledger.query.approval(target.approval) : null;
  const closed = card ? findClosingReason(run, card, c.clock.now(), c.words) : null;
  if (closed !== null) return closed;
  // guard: C4-answer-epoch
  if (!isStillMeant({ command: name }, target, run)) return t.movedOn(currentActivity(run, c.words));
  return null;
};

/** Each run takes it for itself, and those that did not are told; handled again, it gives nothing twice. */
const steerEach = async (
  chosen: ChosenCommand,
  name: SteeringName,
  inputFor: (run: Run) => Input,
): PendingTapAnswer => {
  const { c, once, choice, byId, redraw } = chosen;
  const key = `chat:${once.row.key}`;
  const giveOne = async (target: ChoiceTarget): Promise<string | null> => {
    const run = byId.get(target.run);
    if (run && (await c.ledger.query.events(run.id)).some((event) => event.key === key)) return null;
    const why = await findHindrance(chosen, name, target);
    if (why !== null || !run) return why ?? c.words.tap.gone;
    const cause = { kind: 'inbox', id: c.row.id, goesOn: true } as const;
    const outcome = await c.submit({ runId: run.id, input: inputFor(run), key, cause });
    if (outcome.kind === 'written' || outcome.kind === 'duplicate') return null;
    return outcome.kind === 'fenced' ? c.words.tap.disarmed : describeRefusedStep(c, outcome);
  };
  const fell: Fell[] = [];
  for (const target of choice.targets) {
    const why = await giveOne(target);
    const run = byId.get(target.run);
    if (why !== null) fell.push({ name: run ? `${repositoryOf(run)} (${run.id})` : target.run, why });
  }
  const given = choice.targets.length - fell.length;
  const { proposal, tap } = c.words;
  const told = fell.length === 0 ? [] : [renderSkippedMembers(c, proposal.fell(fell.length), fell)];
  const text = fell.length === 0 ? tap.done : proposal.some(given, fell.length);
  return settleTap(c, text, fell.length > 0, redraw({ given }), ...told);
};
