/**
 * C4: what somebody writes in their own words. What only shows something is shown at once; what
 * changes something is read back, and a tap gives the command. Approving and merging are never
 * proposed: a card has its own buttons, and people merge.
 */
import type { Choice } from '../../orchestrator/core/machine/effects.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import { isWrong, LONGEST, type Problem } from '../../orchestrator/commands/problems.ts';
import { readTyped } from '../../orchestrator/commands/read.ts';
import type { CommandName } from '../../orchestrator/commands/rows.ts';
import { formOf } from '../language/forms.ts';
import { phrasesFor } from '../language/language.ts';
import type { PhraseReading } from '../phrases/read.ts';
import { understand } from '../phrases/understand.ts';
import { say } from '../text/catalogue.ts';
import { asAnswer } from '../../orchestrator/core/missing.ts';
import { isMeantAsSignOff, signOffProblem } from '../../orchestrator/core/trailers.ts';
import { answerVerb, asksOf, onwardVerb } from '../views/proposal.ts';
import { doing } from '../views/scene.ts';
import { plain, settle, type Context } from './context.ts';
import { formAnswered, whichForm } from './forms.ts';
import type { Inbound } from './inbound.ts';
import { answerUnclear } from './asking.ts';
import { answered, fleetOf, toNameable, type Fleet } from './naming.ts';
import { change, choice, look, propose, show, takes } from './offering.ts';
import { wordsOf } from './parse.ts';
import { pending, showRun } from './reading.ts';
import { answerForm, answersCard, asksIfAnswer } from './perhaps.ts';
import { answerRemark, reviewIn } from './review.ts';

type Command = Extract<PhraseReading, { kind: 'command' }>;

type Words = Pick<
  Extract<Inbound, { kind: 'message' }>,
  'text' | 'replyTo' | 'repliedTo' | 'private' | 'messageId'
> & {
  /** A command or one of our buttons said it, so it answers no question. */
  command?: true;
};

/** Whether it was the answer to a form of ours, and was taken as that. */
export const answersForm = async (c: Context, message: Words, fleet?: Fleet): Promise<boolean> => {
  if (message.replyTo === null) return false;
  const form = await formAnswered(c, (fleet ?? (await fleetOf(c))).all, message);
  if (form === null) return false;
  if (form === 'several') await whichForm(c);
  else await answerForm(c, form, message.text.trim());
  return true;
};

/** What looks like a command and is none of ours: a path is one for a form that asks for a command. */
export const perhapsForForm = async (c: Context, message: Words): Promise<boolean> => {
  const { live, all } = await fleetOf(c);
  if (message.replyTo !== null) return answersForm(c, message, { live, all });
  return message.private && asksIfAnswer(c, live, message.text.trim(), null);
};

export const free = async (c: Context, message: Words): Promise<void> => {
  const fleet = await fleetOf(c);
  if (await answersForm(c, message, fleet)) return;
  const review = message.replyTo === null ? null : await reviewIn(c, fleet.live, message.replyTo);
  if (review) return answerRemark(c, review, message.text.trim());
  const replied = message.replyTo === null ? null : await answered(c, fleet.live, message.replyTo);
  const { text, named } = toUs(c, wordsOf(message.text));
  // In a group people talk to each other.
  if (!message.private && !replied && !named) return settle(c, 'free text');
  const phrases = phrasesFor(text, c.words.code);
  const understood = await understand(text, phrases, { runs: fleet.all.map(toNameable), replied });
  const reading: PhraseReading = understood.kind === 'sure' ? understood.reading : { kind: 'nothing' };
  const asked = replied ? fleet.live.filter(({ id }) => id === replied.id) : fleet.live;
  const toCard = message.private || replied !== null;
  if (toCard && !message.command && (await answersCard(c, asked, message.text.trim(), reading))) return;
  if (message.replyTo === null && !message.command && (await asksIfAnswer(c, fleet.live, text, reading)))
    return;
  if (!replied && phrases.greeting.test(text.trim()))
    return show(c, { kind: 'greet', payload: null }, message.messageId);
  const about = fleet.live.find(({ id }) => id === replied?.id);
  // A number, or a name with an address, in answer to a question for just that.
  if (
    about &&
    answersIn(about, text).some(({ parameters: told }) => told.text === text || told.text === `#${text}`)
  )
    return wish(c, about, text);
  const unsigned = about ? wrongSignOff(about, text.trim()) : null;
  if (about && unsigned) return settle(c, 'sign-off', plain(say(c.words.problems, unsigned), about.id));
  switch (reading.kind) {
    case 'nothing':
      if (about && answersIn(about, text).length > 0) return wish(c, about, text);
      return answerUnclear(c, text, fleet, understood.kind === 'unsure' ? understood.readings : []);
    case 'new':
      return propose(c, [
        {
          command: 'new',
          parameters: { order: orderOf(reading) },
          targets: [{ run: c.ids.runId(), epoch: null, approval: null }],
        },
      ]);
    case 'language':
      return propose(c, [
        {
          command: 'settings',
          parameters: { setting: { what: 'language', to: reading.language } },
          targets: [],
        },
      ]);
    case 'wish':
      return wish(
        c,
        fleet.live.find(({ id }) => id === reading.run),
        reading.words,
      );
    case 'command':
      return command(c, reading, fleet, message.messageId);
  }
};

/** Whether they call us by our @name, and what they say besides. */
const toUs = (c: Context, text: string): { text: string; named: boolean } => {
  const name = c.botName()?.toLowerCase();
  const words = text.split(/(\s+)/);
  const others = words.filter((word) => word.toLowerCase().replace(/[,:，：]$/, '') !== `@${name ?? ''}`);
  return { text: others.join('').trim(), named: others.length < words.length };
};

const orderOf = ({ repo, goal }: { repo: string; goal: string }): Record<string, unknown> => ({
  repo,
  goal,
  base: null,
  branch: null,
  title: null,
  engine: null,
  flow: null,
  discovery: null,
  promptVersion: null,
  budgets: [],
  checks: [],
});

/** F9: what of the things that the repository asks a person for the words could be. */
const answersIn = (run: Run, words: string): Choice[] =>
  asksOf(run).flatMap(({ what }) => {
    const text = asAnswer(what, words);
    return text === null ? [] : [choice('answer', { what, text }, [run])];
  });

/** Whoever meant to sign off hears what is wrong, in place of an agent that is told it. */
const wrongSignOff = (run: Run, words: string): Problem | null => {
  if (!isMeantAsSignOff(words) || !asksOf(run).some(({ what }) => what === 'sign_off')) return null;
  const wrong = signOffProblem(words);
  return wrong === null ? null : { kind: 'sign_off', wrong };
};

/** Words about what was shown: for its agent, in the way that the run takes them now. */
const wish = async (c: Context, run: Run | undefined, words: string): Promise<void> => {
  if (!run) return settle(c, 'which one', plain(c.words.replies.whichOne));
  const most = run.gate.approval || onwardVerb(run) ? 'advice' : 'instruction';
  if (words.length > LONGEST[most])
    return settle(
      c,
      'too long',
      plain(say(c.words.problems, { kind: 'long', what: most, most: LONGEST[most] }), run.id),
    );
  if (run.gate.approval)
    return propose(c, [
      ...answersIn(run, words),
      choice('changes', { instruction: words }, [run]),
      choice('deny', { final: false, reason: words }, [run]),
    ]);
  const verb = answerVerb(run);
  const answers = answersIn(run, words);
  if (verb === 'overrule') return propose(c, [choice(verb, { reason: words }, [run])]);
  if (verb !== null) return propose(c, [...answers, choice(verb, { target: null, advice: words }, [run])]);
  if (answers.length > 0) return propose(c, answers);
  if (takes(run, 'fix')) return propose(c, [choice('fix', { instruction: words }, [run])]);
  return settle(c, 'cannot be told', plain(c.words.replies.toldLater(doing(run, c.words)), run.id));
};

const command = async (
  c: Context,
  { intent, about, words }: Command,
  fleet: Fleet,
  messageId: string,
): Promise<void> => {
  const named = fleet.all.filter(({ id }) => about.ids.includes(id));
  const asked = named.length === 0 && about.kind !== 'named' ? fleet.live : named;
  const fit = (name: CommandName): Run[] => asked.filter((run) => takes(run, name));
  switch (intent) {
    case 'status':
    case 'pending':
    case 'runs':
      return show(c, { kind: intent }, messageId);
    case 'help':
      return show(c, { kind: intent, topic: null }, messageId);
    case 'settings':
    case 'users':
    case 'report':
    case 'campaign': {
      const read = readTyped(intent, '', null);
      return isWrong(read) ? settle(c, 'free text') : show(c, read, messageId);
    }
    case 'new':
    case 'batch':
      return settle(c, 'its form', plain(c.words.replies.wrong(formOf(intent, c.words))));
    case 'detail':
    case 'diff':
    case 'log':
    case 'plan':
    case 'budget':
      return look(c, intent, asked, messageId);
    case 'merge': {
      const pull =
        named.find(({ upstream: { pullRequest: pr } }) => pr !== null)?.upstream.pullRequest?.url ?? null;
      return settle(c, 'merging is for people', plain(c.words.replies.merge(pull), named[0]?.id ?? null));
    }
    case 'approve': {
      const [card, ...others] = fit(intent);
      return card && others.length === 0 ? showRun(c, card) : pending(c);
    }
    case 'fix':
      return wish(c, named[0], words ?? '');
    default:
      return change(c, intent, asked, fit(intent), about.kind === 'all', words);
  }
};
