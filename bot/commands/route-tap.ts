/** G4: checks the MAC, role, chat and message of a tap, then calls what its button stands for. */
import { readSteeringCommand, defaultArguments } from '#commands';
import { accountOf } from '../../orchestrator/kernel/lifecycle/run-budget.ts';
import type { ReplyButton, MessageView } from '../../orchestrator/kernel/run/effect-types.ts';
import type { Input } from '../../orchestrator/kernel/run/inputs.ts';
import type { Run } from '../../orchestrator/kernel/run/run.ts';
import type { EffectRow } from '../../orchestrator/kernel/ports/index.ts';
import { atLeast } from '../../orchestrator/model/roles.ts';
import { cutText } from '../../orchestrator/model/text-format.ts';
import type { ReadToken } from './button-tokens.ts';
import { findLackingBudget, nextLimit, raisedTo } from '../views/reason-messages.ts';
import { currentActivity, type ButtonVerb } from '../views/scene.ts';
import { personOf, riskView } from './steer-run.ts';
import { runProposedCommand } from './run-proposed-command.ts';
import { deliveredAs } from './verify-card.ts';
import { isCampaignVerb, onCampaign } from './campaign-commands.ts';
import { isClustering, onCluster } from './cluster-taps.ts';
import { isBusy, viewReply, type CommandContext } from './command-context.ts';
import { forwardComment } from './forward-comment.ts';
import { answerForm, closeAmbiguousReply, neededForForm, ambiguousReplyFor } from './ambiguous-reply.ts';
import { isVerb, BUTTON_ROLES } from './button-roles.ts';
import { isDeciding, onTranscript } from './hear-voice.ts';
import { isAnswering, onPermission } from './answer-permission.ts';
import { closeQuestion } from './unfinished-order.ts';
import { runWrittenCommand } from './typed-command.ts';
import { submitTap } from './submit-tap.ts';
import { answerTap, type PendingTapAnswer, type TapAnswer } from './answer-tap.ts';
import { askForAnswer, onOpenRemarks } from './open-remark-taps.ts';
import { onReview, wholeAnswersOf } from './review-taps.ts';
import { isViewing, onViewer } from './view-change.ts';
import { onQuestions, showNext } from './decide-from-list.ts';
import { showDetail, showDiff, showPending, showRun, showPublicText } from './show-commands.ts';
import { tapGateCard } from './gate-card-tap.ts';

export type ButtonTap = { callbackId: string; messageId: string; data: string };

/** Bot API, answerCallbackQuery: 0–200 characters. */
const POPUP_LIMIT = 200;
export const routeTap = async (c: CommandContext, tap: ButtonTap): Promise<TapAnswer> => {
  const said = await answerFor(c, tap);
  return { callbackId: tap.callbackId, ...said, text: cutText(said.text, POPUP_LIMIT) };
};

const answerFor = async (c: CommandContext, tap: ButtonTap): PendingTapAnswer => {
  const { tap: t, roles } = c.words;
  const token = c.tokens.read(tap.data);
  if (!token) return answerTap(c, t.forged, true);
  // guard: G4-own-button
  if (!c.tokens.ours(token, c.chat)) {
    const home = (await c.ledger.query.effect(token.n))?.chat ?? null;
    const foreign = home !== null && home !== c.chat && c.tokens.ours(token, home);
    return answerTap(c, foreign ? t.foreign : t.forged, true);
  }
  if (!isVerb(token.verb)) return answerTap(c, t.gone, true);
  // guard: G4-tap-role
  if (!atLeast(c.role, BUTTON_ROLES[token.verb]))
    return answerTap(c, roles.needs(BUTTON_ROLES[token.verb]), true);
  const row = await c.ledger.query.effect(token.n);
  if (row?.do.kind !== 'chat_message') return answerTap(c, t.gone, true);
  const sent = deliveredAs(row);
  if (!sent) return answerTap(c, t.unsent, true);
  if (sent.chat !== c.chat) return answerTap(c, t.foreign, true);
  // guard: G4-own-message
  if (sent.messageId !== tap.messageId) return answerTap(c, t.stale, true);
  if (row.do.content.view === 'cluster')
    return isClustering(token.verb)
      ? onCluster(c, token.verb, row, row.do.content, token.index)
      : answerTap(c, t.gone, true);
  if (row.do.content.view === 'campaign')
    return isCampaignVerb(token.verb)
      ? onCampaign(c, token.verb, row, row.do.content, token.index)
      : answerTap(c, t.gone, true);
  if (row.do.content.view === 'questions')
    return token.verb === 'permiteach' || token.verb === 'forbideach'
      ? onQuestions(c, token.verb === 'permiteach', row, row.do.content)
      : answerTap(c, t.gone, true);
  if (row.do.content.view === 'transcript')
    return isDeciding(token.verb)
      ? onTranscript(c, token.verb, row, row.do.content)
      : answerTap(c, t.gone, true);
  const runId = runOf(row, row.do.content, token);
  if (token.verb === 'pending' && (await isBusy(c, false))) return answerTap(c, t.busy, true);
  if (token.verb === 'pending') return showPending(c).then(() => ({ text: t.shown, alert: false }));
  if (row.do.content.view === 'command_choice' && token.verb === 'give')
    return runProposedCommand(c, row, row.do.content, token.index);
  if (token.verb === 'say' || token.verb === 'useas')
    return says(c, row, buttonOf(row.do.content, token), tap.messageId);
  const run = runId === null ? null : await c.ledger.query.run(runId);
  if (!run) return answerTap(c, t.gone, true);
  return perform(c, token.verb, run, { row, show: row.do.content, epoch: sent.epoch }, token.index);
};

/** Buttons of replies name their run; others use the run of their message. */
const runOf = (row: EffectRow, show: MessageView, token: ReadToken): string | null => {
  const named = show.view === 'gate' && (token.verb === 'denyas' || token.verb === 'changeas');
  const picks = show.view === 'attention' && token.verb === 'permitother';
  if (show.view === 'command_choice' || show.view === 'triage' || named || picks) return row.runId;
  if (show.view !== 'reply') return token.index === null ? row.runId : null;
  return buttonOf(show, token)?.runId ?? null;
};

const buttonOf = (show: MessageView, { verb, index }: ReadToken): ReplyButton | null => {
  const button = show.view === 'reply' && index !== null ? show.buttons.flat()[index] : undefined;
  return button?.verb === verb ? button : null;
};

/** Role checks happen in the command; its screen replaces this one. */
const says = async (
  c: CommandContext,
  row: EffectRow,
  button: ReplyButton | null,
  messageId: string,
): PendingTapAnswer => {
  if (button?.says === undefined) return answerTap(c, c.words.tap.gone, true);
  if (row.slot?.startsWith('perhaps:')) return onPerhaps(c, row, button.verb, button.says, messageId);
  const screen = row.slot?.startsWith('screen:') ? row.slot : null;
  const also = (row.do.kind === 'chat_message' ? closeQuestion(row.do.content, row.slot) : null) ?? c.also;
  await runWrittenCommand(
    { ...c, screen, also, question: `${c.question} ${button.says}` },
    button.says,
    messageId,
  );
  return { text: '', alert: false };
};

const onPerhaps = async (
  c: CommandContext,
  row: EffectRow,
  verb: string,
  words: string,
  messageId: string,
): PendingTapAnswer => {
  const form = await ambiguousReplyFor(c, row);
  if (!form || row.slot === null) return answerTap(c, c.words.tap.gone, true);
  const needed = verb === 'useas' ? neededForForm(form) : 'viewer';
  if (!atLeast(c.role, needed)) return answerTap(c, c.words.roles.needs(needed), true);
  const chosen = { ...c, also: closeAmbiguousReply(c, row.slot, form, verb, words) };
  await (verb === 'useas' ? answerForm(chosen, form, words) : runWrittenCommand(chosen, words, messageId));
  return { text: '', alert: false };
};

type Message = { row: EffectRow; show: MessageView; epoch: number | null };

const perform = async (
  c: CommandContext,
  verb: ButtonVerb,
  run: Run,
  message: Message,
  index: number | null,
): PendingTapAnswer => {
  const { tap: t } = c.words;
  const shown = { text: t.shown, alert: false };
  const { show } = message;
  const asks = verb === 'diff' || verb === 'detail' || verb === 'risk' || verb === 'show' || verb === 'next';
  if (asks && (await isBusy(c, verb === 'diff'))) return answerTap(c, t.busy, true);
  if (isViewing(verb))
    return show.view === 'diff_page' ? onViewer(c, verb, run, message.row, show) : answerTap(c, t.gone, true);
  if (isClustering(verb) || isCampaignVerb(verb) || isDeciding(verb)) return answerTap(c, t.gone, true);
  if (isAnswering(verb)) return onPermission(c, verb, run, show, index);
  switch (verb) {
    case 'diff':
      return showDiff(c, run).then(() => shown);
    case 'text': {
      const answers =
        show.view === 'gate' && run.gate.approval?.kind === 'reply' ? await wholeAnswersOf(c, run) : null;
      return answers ? answerTap(c, t.shown, false, answers) : showPublicText(c, run).then(() => shown);
    }
    case 'detail':
      return showDetail(c, run).then(() => shown);
    case 'risk':
      return answerTap(c, t.shown, false, await riskView(c, run, show.view === 'gate'));
    case 'show':
      return showRun(c, run).then(() => shown);
    case 'next':
      return showNext(c, run);
    case 'pending':
      return showPending(c).then(() => shown);
    case 'arm':
    case 'confirm':
    case 'back':
    case 'deny':
    case 'denyas':
    case 'changes':
    case 'changeas':
      return show.view === 'gate'
        ? tapGateCard(c, verb, run, message.row, show, index)
        : answerTap(c, t.gone, true);
    case 'fix':
      return show.view === 'comment' ? forwardComment(c, run, message.row, show) : answerTap(c, t.gone, true);
    case 'answer':
      return show.view === 'comment' || show.view === 'open_remarks'
        ? askForAnswer(c, run, show)
        : answerTap(c, t.gone, true);
    case 'choose':
    case 'begin':
    case 'page':
    case 'remarks':
      return show.view === 'triage'
        ? onReview(c, verb, run, message.row, show, index)
        : answerTap(c, t.gone, true);
    case 'answered':
    case 'closepull':
      return show.view === 'open_remarks' ? onOpenRemarks(c, verb, run, show) : answerTap(c, t.gone, true);
    case 'raise':
      return onBudget(c, run, message);
    case 'stopagent':
    case 'letgoon':
      return onRepeatedCall(c, verb, run, message);
    case 'give':
    case 'say':
    case 'useas':
    case 'out':
    case 'overrule':
    case 'permiteach':
    case 'forbideach':
      return answerTap(c, t.gone, true);
    case 'retry':
    case 'resume':
    case 'cancel':
    case 'start':
    case 'rerun':
    case 'without':
    case 'update':
    case 'revoke':
    case 'take':
      // An old message may be about an old failure; its button must not act on a new one.
      // guard: G4-old-button
      if (message.epoch !== run.lifecycle.epoch && verb !== 'update' && verb !== 'revoke')
        return answerTap(c, t.movedOn(currentActivity(run, c.words)), true);
      return submitTap(c, run, simple(c, run, verb, show), { done: () => t.done });
  }
};

type Simple = 'retry' | 'resume' | 'cancel' | 'start' | 'rerun' | 'without' | 'update' | 'revoke' | 'take';
const simple = (c: CommandContext, run: Run, verb: Simple, show: MessageView): Input =>
  verb === 'take'
    ? // The commit is the one that the message showed, even if the branch has moved since.
      { type: 'command.head.adopt', by: personOf(c), sha: (show.view === 'attention' && show.head) || '' }
    : readSteeringCommand(verb, personOf(c), defaultArguments(verb), run);

/** C4: the round that the message is about must still be under way. */
const onRepeatedCall = async (
  c: CommandContext,
  verb: 'stopagent' | 'letgoon',
  run: Run,
  { row, show, epoch }: Message,
): PendingTapAnswer => {
  const { tap: t } = c.words;
  if (show.view !== 'repeated_call') return answerTap(c, t.gone, true);
  if (show.answered !== null) return answerTap(c, t.duplicate, true);
  const asked = (answered: 'stopped' | 'left') => viewReply({ ...show, answered }, run.id, row.slot);
  // guard: C4-stop-this-round
  if (epoch !== run.lifecycle.epoch)
    return answerTap(c, t.movedOn(currentActivity(run, c.words)), true, viewReply(show, run.id, row.slot));
  if (verb === 'letgoon') return answerTap(c, c.words.why.repeated.left, false, asked('left'));
  const pause = readSteeringCommand('pause', personOf(c), defaultArguments('pause'), run);
  return submitTap(c, run, pause, { done: () => t.done, taken: [asked('stopped')] });
};

/** The limit is compared with the message's, so that a second tap raises nothing. */
const onBudget = async (c: CommandContext, run: Run, { show, epoch }: Message): PendingTapAnswer => {
  const { tap: t } = c.words;
  const warned = show.view === 'budget' ? show : null;
  if (!warned && epoch !== run.lifecycle.epoch)
    return answerTap(c, t.movedOn(currentActivity(run, c.words)), true);
  const budget = warned?.budget ?? findLackingBudget(run);
  if (!budget) return answerTap(c, t.movedOn(currentActivity(run, c.words)), true);
  if (warned && accountOf(run, budget).limit !== warned.limit) return answerTap(c, t.duplicate, true);
  const limit = nextLimit(run, budget);
  const input: Input = { type: 'command.budget.raise', by: personOf(c), budget, limit };
  return submitTap(c, run, input, { done: () => raisedTo(run.id, budget, limit, c.words) });
};
