/** A voice note comes back as words with two buttons; only the speaker's tap makes them input (C10). */
import { sayRecord } from '../text/sentence-catalogue.ts';
import { showCut } from '../text/telegram-html.ts';
import type { TranscriptView } from '../views/voice-transcript-card.ts';
import type { SentRecording, VoiceProblem } from '../voice/voice-notes.ts';
import { findFormOfAskingCard, findAnsweredForm } from './answer-forms.ts';
import {
  plainReply,
  settleUpdate,
  viewReply,
  type CommandContext,
  type CommandReply,
} from './command-context.ts';
import { cardOn, cardWithCheck, defineButton, type Opened, type Tap, type ViewOf } from './define-button.ts';
import { handleFreeText } from './free-text.ts';
import type { InboundUpdate } from './inbound-update.ts';
import { findAnsweredMessage, readFleetRuns } from './resolve-run.ts';
import { settleTap, type PendingTapAnswer } from './settle-tap.ts';

type Message = Extract<InboundUpdate, { kind: 'message' }>;

const MAX_SHOWN_WORDS = 3_400;

const tellProblem = (context: CommandContext, problem: VoiceProblem): Promise<void> =>
  settleUpdate(
    context,
    `voice: ${problem.kind}`,
    plainReply(sayRecord(context.words.voice.problems, problem)),
  );

const answersUs = async (context: CommandContext, { replyTo, repliedTo }: Message): Promise<boolean> => {
  const us = context.adapter.botName()?.toLowerCase();
  if (repliedTo && us !== undefined && repliedTo.bot.toLowerCase() !== us) return false;
  const { live, all } = await readFleetRuns(context);
  if (replyTo === null) return false;
  return (
    (await findAnsweredForm(context, all, { replyTo, ...(repliedTo && { repliedTo }), private: false })) !==
      null || (await findAnsweredMessage(context, live, replyTo)) !== null
  );
};

export const handleVoiceNote = async (
  context: CommandContext,
  message: Message,
  recording: SentRecording,
): Promise<void> => {
  if (!message.private && !(await answersUs(context, message)))
    return settleUpdate(context, 'a voice in a group');
  if (!context.adapter.voice) return tellProblem(context, { kind: 'off' });
  const heard = await context.adapter.voice.hear(recording);
  if ('problem' in heard) return tellProblem(context, heard.problem);
  const words = [message.text.replace(/^[\s/\uff0f]+/u, ''), heard.words].filter(Boolean).join('\n');
  if (showCut(words, MAX_SHOWN_WORDS).omitted > 0)
    return tellProblem(context, { kind: 'wordy', most: MAX_SHOWN_WORDS });
  const { live } = await readFleetRuns(context);
  const view: TranscriptView = {
    view: 'transcript',
    words,
    speaker: context.user,
    messageId: message.messageId,
    replyTo: message.replyTo,
    repliedTo: message.repliedTo ?? null,
    asking: (await findFormOfAskingCard(context, live))?.about ?? null,
    outcome: null,
  };
  const card = viewReply(view, null, `voice:${context.row.id}`);
  // guard: C10-sound-alone
  return settleUpdate(context, 'a transcript', card);
};

const TRANSCRIPT = cardWithCheck(
  cardOn('transcript'),
  async (tap): Promise<Opened<Tap<ViewOf<'transcript'>>>> => {
    const { c, row, show } = tap;
    const { voice } = c.words;
    // guard: C10-own-words
    if (c.user !== show.speaker) return settleTap(c, voice.notYours, true);
    const newest = row.slot === null ? null : await c.ledger.query.told(row.slot);
    const now = newest?.do.kind === 'chat_message' ? newest.do.content : null;
    // guard: C10-used-once
    if (now?.view !== 'transcript' || now.outcome !== null) return settleTap(c, voice.already, false);
    return { tap };
  },
);

const toClosedTranscript = (
  { show, row }: Tap<ViewOf<'transcript'>>,
  outcome: 'used' | 'dropped',
): CommandReply => viewReply({ ...show, outcome }, null, row.slot);

export const VOICE_BUTTONS = [
  defineButton(TRANSCRIPT, {
    verb: 'voice.use',
    role: 'viewer',
    onTap: (tap): PendingTapAnswer => useWords(tap),
  }),
  defineButton(TRANSCRIPT, {
    verb: 'voice.drop',
    role: 'viewer',
    onTap: (tap): PendingTapAnswer =>
      settleTap(tap.c, tap.c.words.voice.dropped, false, toClosedTranscript(tap, 'dropped')),
  }),
];

const useWords = async (tap: Tap<ViewOf<'transcript'>>): PendingTapAnswer => {
  const { c, row, show } = tap;
  const { live, all } = await readFleetRuns(c);
  const { replyTo, messageId, words: text } = show;
  const said = {
    text,
    replyTo,
    messageId,
    private: c.private,
    ...(show.repliedTo && { repliedTo: show.repliedTo }),
  };
  const form = replyTo === null ? null : await findAnsweredForm(c, all, said);
  // guard: C10-no-spoken-command
  if (form !== null && form !== 'several' && form.kind === 'permission-edit')
    return settleTap(c, c.words.voice.noCommand, true);
  // Another card asks for words now: these were not said to it, so a button names what they may mean.
  const meant = (await findFormOfAskingCard(c, live))?.about ?? null;
  const heard: CommandContext = {
    ...c,
    also: toClosedTranscript(tap, 'used'),
    question: `${c.question} ${text}`,
    row: { ...c.row, key: `voice:${row.n}` },
  };
  await handleFreeText(heard, {
    ...said,
    spoken: true,
    ...(meant !== show.asking && { command: true as const }),
  });
  return { text: '', alert: false };
};
