/** C1: the greeting, and what can be done here, a page for each topic, in the words of each role. */
import { NAMES, onlyShows, neededFor, rowOf, unsaid } from '../../orchestrator/commands/read.ts';
import type { CommandName, SteeringName } from '../../orchestrator/commands/rows.ts';
import { atLeast, type Role } from '../../orchestrator/core/roles.ts';
import { cut } from '../../orchestrator/core/text.ts';
import { helpIn, topicOf } from '../language/forms.ts';
import { TOPICS, type Topic } from '../language/topics.ts';
import type { Texts } from '../language/language.ts';
import { fit, said, show } from '../text/text.ts';
import { pairs, type Answer, type AnswerButton } from './fleet.ts';

const says = (text: string, line: string): AnswerButton => ({ verb: 'say', text, runId: '', says: line });

/** `repositories` are those that were used last, newest first; `account` is who we are there. */
export type Greeted = {
  name: string;
  role: Role;
  repositories: readonly string[];
  account: string | null;
};

const MOST_REPOSITORIES = 5;
/** On a button (characters). */
const LONGEST_NAME = 30;

export const renderGreeting = (who: Greeted, words: Texts): Answer => {
  const { welcome } = words;
  const [repo] = who.repositories;
  const asks = repo !== undefined && atLeast(who.role, neededFor('new'));
  return {
    html: fit([
      `<b>${show(welcome.hello(who.name))}</b>`,
      show(welcome.what, 400),
      '',
      show(welcome.role(words.roles.names[who.role], welcome.rights[who.role])),
      ...(who.repositories.length > 0
        ? [
            `${show(welcome.repositories)} ${who.repositories
              .slice(0, MOST_REPOSITORIES)
              .map((name) => said(name, 60))
              .join(' · ')}`,
          ]
        : []),
      ...(who.account === null ? [] : [show(welcome.account(who.account), 300)]),
      '',
      show(asks ? welcome.try : welcome.tryLooking),
    ]),
    buttons: [
      ...(asks ? [[says(`▶ ${welcome.exampleOf(cut(repo, LONGEST_NAME))}`, welcome.example(repo))]] : []),
      [says(welcome.pending, '/pending'), says(welcome.help, '/help')],
    ],
  };
};

const PAGE = 3_600;

/** Every topic in one screen; of one topic, its commands. */
export const renderHelp = (asked: string | null, role: Role, words: Texts, before = ''): Answer => {
  const { help, commands } = words;
  const topic = topicNamed(asked);
  const others = TOPICS.filter((one) => one !== topic && helpIn(words, one, role).length > 0);
  const buttons = pairs(
    others.map((one) => says(commands.topics[one], `/help ${one}`)),
    2,
  );
  if (topic === null)
    return {
      html: fit([...(before ? [before, ''] : []), `<b>${show(help.title)}</b>`, show(help.words, 400)]),
      buttons,
    };
  const rows = helpIn(words, topic, role);
  return {
    html: fit(
      [
        `<b>${show(commands.topics[topic])}</b>`,
        ...rows.map(({ form, does }) => `${show(form, 300)}\n   ${show(does)}`),
        ...(rows.length === 0 ? [show(help.none)] : []),
        ...(topic === 'ask' && rows.length > 0 ? ['', show(help.options, 300)] : []),
      ],
      PAGE,
    ),
    buttons: [...buttons, [says(help.back, '/help')]],
  };
};

/** By its own name, or by a command that is on its page. */
const topicNamed = (asked: string | null): Topic | null =>
  TOPICS.find((one) => one === asked) ??
  topicOf(NAMES.find((name) => rowOf(name).names.some((typed) => typed === asked)) ?? 'answer');

/** What was most likely meant; a button where nothing is changed by it. */
export const renderMeant = (name: string, near: CommandName, words: Texts): Answer => {
  const row = rowOf(near);
  const typed = row.names[0] ?? near;
  const shows = onlyShows(near, unsaid(near as SteeringName));
  return {
    html: show(words.help.meant(name, typed)),
    buttons: shows ? [[says(`/${typed}`, `/${typed}`)]] : [],
  };
};
