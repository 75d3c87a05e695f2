/**
 * Words that come soon after a form without replying to it: most likely its answer, but they may be
 * about something else. Nothing is guessed: two buttons ask which of the two it is.
 */
import type { ReplyButton } from '../../orchestrator/core/machine/effects.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import { neededFor } from '../../orchestrator/commands/read.ts';
import type { Role } from '../../orchestrator/core/roles.ts';
import type { EffectRow } from '../../orchestrator/ports.ts';
import type { PhraseReading } from '../phrases/read.ts';
import { phrasesFor } from '../language/language.ts';
import { fit, sentence, showBlock } from '../text/text.ts';
import { name } from '../views/scene.ts';
import { showing, settle, type Answers, type Context } from './context.ts';
import { changeInWords } from './denying.ts';
import { cardAsking, formNamed, openForm, type Form } from './forms.ts';
import { ANSWERS_NEED, answerInWords } from './permitting.ts';

/** Characters of the words that are shown again. */
const SHOWN = 2_500;

/** The right that an answer needs. */
export const neededForForm = ({ kind }: Form): Role =>
  kind === 'changes'
    ? neededFor('changes')
    : ANSWERS_NEED[kind === 'permission-edit' ? 'permitas' : 'forbidas'];

export const answerForm = (c: Context, form: Form, answer: string): Promise<void> =>
  form.kind === 'changes' ? changeInWords(c, form, answer) : answerInWords(c, form, answer);

/** The whole fleet is asked for in a few words: nobody answers a question so. */
const isClear = ({ kind }: Form, text: string, reading: PhraseReading, c: Context): boolean => {
  if (reading.kind !== 'command' || text.length > 30) return false;
  if (reading.about.kind === 'named' && reading.about.by !== 'state') return false;
  if (!['status', 'pending', 'runs', 'help'].includes(reading.intent)) return false;
  const asks = phrasesFor(text, c.words.code).question.test(text.toLowerCase());
  // A command that is to run instead has such words, too: `git status`.
  return asks || (kind !== 'permission-edit' && !/\s/.test(text));
};

/** Nobody gives a command in more (Latin letters; a character of Chinese says as much as three). */
const MAX_COMMAND_LENGTH = 30;
const lengthOf = (text: string): number =>
  [...text].reduce((sum, letter) => sum + (letter >= '\u2e80' ? 3 : 1), 0);

/** Words that may be meant for us and not for the agent: a command, or an order for another run. */
const isOurs = (text: string, reading: PhraseReading): boolean =>
  reading.kind === 'new' ||
  (reading.kind !== 'nothing' && reading.kind !== 'wish' && lengthOf(text) <= MAX_COMMAND_LENGTH);

/** True when a card had just asked for these words, and the agent gets them. */
export const answersCard = async (
  c: Context,
  runs: readonly Run[],
  text: string,
  reading: PhraseReading,
): Promise<boolean> => {
  const form = await cardAsking(c, runs);
  // guard: C4-words-after-a-tap
  if (!form || isOurs(text, reading)) return false;
  await changeInWords(c, form, text);
  return true;
};

const drawn = (slot: string, title: string, text: string, run: Run, buttons: ReplyButton[][]): Answers => ({
  ...showing(
    {
      view: 'reply',
      html: fit([
        `<b>${sentence(title)}</b>`,
        name(run),
        `<blockquote expandable><code>${showBlock(text, SHOWN)}</code></blockquote>`,
      ]),
      buttons,
    },
    run.id,
    slot,
  ),
});

/** Whether it was asked if the words are the answer to a form; `reading` is null for a bad command. */
export const asksIfAnswer = async (
  c: Context,
  runs: readonly Run[],
  text: string,
  reading: PhraseReading | null,
): Promise<boolean> => {
  const form = (await cardAsking(c, runs)) ?? (await openForm(c, runs));
  if (!form || (reading && isClear(form, text, reading, c))) return false;
  const { kind, run, about } = form;
  const { perhaps } = c.words.denials;
  const button = (verb: 'useas' | 'say', said: string): ReplyButton[] => [
    { verb, text: said, runId: run.id, says: text },
  ];
  await settle(
    c,
    'perhaps for a form',
    drawn(`perhaps:${c.row.id}:${kind}:${about}`, perhaps.asks[kind], text, run, [
      button('useas', perhaps.use),
      button('say', perhaps.other),
    ]),
  );
  return true;
};

/** The form that a message of ours asked about. */
export const perhapsFor = async (c: Context, { slot, runId }: EffectRow): Promise<Form | null> => {
  const [mark, , kind = '', ...about] = slot?.split(':') ?? [];
  const run = mark === 'perhaps' && runId !== null ? await c.ledger.query.run(runId) : null;
  return run ? formNamed(kind, run, about.join(':')) : null;
};

/** What its message becomes once a button was tapped. */
export const closedPerhaps = (c: Context, slot: string, form: Form, verb: string, text: string): Answers => {
  const { perhaps } = c.words.denials;
  return drawn(slot, verb === 'useas' ? perhaps.used : perhaps.unused, text, form.run, []);
};
