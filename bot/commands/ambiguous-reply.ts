/** Asks with two buttons whether text that follows a form is its answer. */
import type { ReplyButton } from '#effects';
import type { Run } from '#run';
import { roleNeededFor } from '#commands';
import type { UserRole } from '#model/settings';
import type { EffectRow } from '#ports/ledger';
import type { PhraseReading } from '../phrases/read-phrase.ts';
import { wouldChange } from '../phrases/understand-phrase.ts';
import { phrasesFor } from '../language/languages.ts';
import { fitLines, escapeSentence, escapeBlock } from '../text/telegram-html.ts';
import { runName } from '../views/run-lines.ts';
import { viewReply, settleUpdate, type CommandReply, type CommandContext } from './command-context.ts';
import { ANSWER_ROLE, answerComment, CLOSING_ROLE, closePullInWords } from './open-remark-buttons.ts';
import { requestChangeInWords } from './deny-change.ts';
import { askAgentQuestion } from './ask-agent.ts';
import { findFormOfAskingCard, findAnswerForm, findOpenForm, type AnswerForm } from './answer-forms.ts';
import { ALLOWING_ROLE, answerPermissionInWords, DENYING_ROLE } from './answer-permission.ts';

const MAX_QUOTED_REPLY_LENGTH = 2_500;

export const roleForForm = ({ kind }: AnswerForm): UserRole => {
  if (kind === 'changes') return roleNeededFor('changes');
  if (kind === 'question') return roleNeededFor('ask');
  if (kind === 'closing') return CLOSING_ROLE;
  if (kind === 'answer') return ANSWER_ROLE;
  return kind === 'permission-edit' ? ALLOWING_ROLE : DENYING_ROLE;
};

export const submitFormAnswer = (
  context: CommandContext,
  form: AnswerForm,
  answer: string,
): Promise<void> => {
  if (form.kind === 'question') return askAgentQuestion(context, form.run, answer);
  if (form.kind === 'closing') return closePullInWords(context, form, answer);
  if (form.kind === 'answer') return answerComment(context, form, answer);
  return form.kind === 'changes'
    ? requestChangeInWords(context, form, answer)
    : answerPermissionInWords(context, form, answer);
};

/** Short questions about the whole fleet are never an answer to a form. */
const isClear = (
  { kind }: AnswerForm,
  text: string,
  reading: PhraseReading,
  context: CommandContext,
): boolean => {
  if (reading.kind !== 'command' || text.length > 30) return false;
  if (reading.about.kind === 'named' && reading.about.by !== 'state') return false;
  if (!['status', 'pending', 'runs', 'help'].includes(reading.intent)) return false;
  const asks = phrasesFor(text, context.words.code).question.test(text.toLowerCase());
  // A replacement command contains such words, too, e.g. `git status`.
  return asks || (kind !== 'permission-edit' && !/\s/.test(text));
};

/** Longer text is no command (Latin letters; a Chinese character counts as three). */
const MAX_COMMAND_LENGTH = 30;
const lengthOf = (text: string): number =>
  [...text].reduce((sum, letter) => sum + (letter >= '\u2e80' ? 3 : 1), 0);

const isOrder = (reading: PhraseReading): reading is Extract<PhraseReading, { kind: 'command' }> =>
  reading.kind === 'command' && wouldChange(reading);

const isOurs = (text: string, reading: PhraseReading, { run }: AnswerForm): boolean => {
  if (reading.kind === 'new') return true;
  if (reading.kind === 'nothing' || reading.kind === 'wish') return false;
  if (lengthOf(text) <= MAX_COMMAND_LENGTH) return true;
  if (!isOrder(reading)) return false;
  const { kind, ids } = reading.about;
  return kind === 'all' || (kind === 'named' && !ids.includes(run.id));
};

export const answerCardInWords = async (
  context: CommandContext,
  runs: readonly Run[],
  text: string,
  reading: PhraseReading,
): Promise<boolean> => {
  const form = await findFormOfAskingCard(context, runs);
  // guard: C4-words-after-a-tap
  if (!form || isOurs(text, reading, form)) return false;
  // guard: C4-orders-after-a-tap
  if (isOrder(reading)) return askIfAnswer(context, runs, text, reading);
  await requestChangeInWords(context, form, text);
  return true;
};

const renderAmbiguousReply = (
  slot: string,
  title: string,
  text: string,
  run: Run,
  buttons: ReplyButton[][],
): CommandReply => ({
  ...viewReply(
    {
      view: 'reply',
      html: fitLines([
        `<b>${escapeSentence(title)}</b>`,
        runName(run),
        `<blockquote expandable><code>${escapeBlock(text, MAX_QUOTED_REPLY_LENGTH)}</code></blockquote>`,
      ]),
      buttons,
    },
    run.id,
    slot,
  ),
});

export const askIfAnswer = async (
  context: CommandContext,
  runs: readonly Run[],
  text: string,
  reading: PhraseReading | null,
  { spoken = false }: { spoken?: boolean } = {},
): Promise<boolean> => {
  const form = (await findFormOfAskingCard(context, runs)) ?? (await findOpenForm(context, runs));
  // guard: C10-no-spoken-edit
  if (spoken && form?.kind === 'permission-edit') return false;
  if (!form || (reading && isClear(form, text, reading, context))) return false;
  const { kind, run, about } = form;
  const { perhaps } = context.words.denials;
  const buttonRow = (verb: 'say.as_answer' | 'say', said: string): ReplyButton[] => [
    { verb, text: said, runId: run.id, says: text },
  ];
  await settleUpdate(
    context,
    'perhaps for a form',
    renderAmbiguousReply(`perhaps:${context.row.id}:${kind}:${about}`, perhaps.asks[kind], text, run, [
      buttonRow('say.as_answer', perhaps.use),
      buttonRow('say', perhaps.other),
    ]),
  );
  return true;
};

export const findAmbiguousForm = async (
  context: CommandContext,
  { slot, runId }: EffectRow,
): Promise<AnswerForm | null> => {
  const [mark, , kind = '', ...about] = slot?.split(':') ?? [];
  const run = mark === 'perhaps' && runId !== null ? await context.ledger.query.run(runId) : null;
  return run ? findAnswerForm(kind, run, about.join(':')) : null;
};

export const closeAmbiguousReply = (
  context: CommandContext,
  slot: string,
  form: AnswerForm,
  verb: string,
  text: string,
): CommandReply => {
  const { perhaps } = context.words.denials;
  return renderAmbiguousReply(
    slot,
    verb === 'say.as_answer' ? perhaps.used : perhaps.unused,
    text,
    form.run,
    [],
  );
};
