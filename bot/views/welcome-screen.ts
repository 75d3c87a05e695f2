/** Renders the greeting, and a help page per topic for the reader's role (C1). */
import {
  COMMAND_NAMES,
  HELP_TOPICS,
  type HelpTopic,
  isReadOnlyCommand,
  roleNeededFor,
  commandRow,
  defaultArguments,
  type CommandName,
  type SteeringName,
} from '#commands';
import { hasRoleAtLeast, type UserRole } from '#model/settings';
import { cutText } from '#model/values';
import { listHelpCommands, helpTopicOf } from '../language/command-forms.ts';
import type { LanguageTexts } from '../language/languages.ts';
import { fitLines, codeLine, escapeLine } from '../text/telegram-html.ts';
import { buttonRows, type ScreenContent, type AnswerButton } from './screen-rows.ts';
import { joinParts } from '../text/sentence-catalogue.ts';

const lineButton = (text: string, line: string): AnswerButton => ({
  verb: 'say',
  text,
  runId: '',
  says: line,
});

/** `repositories` lists the most recently used first. */
type WelcomeContext = {
  name: string;
  role: UserRole;
  repositories: readonly string[];
  account: string | null;
};

const MOST_REPOSITORIES = 5;
const LONGEST_NAME = 30;

export const renderGreeting = (who: WelcomeContext, words: LanguageTexts): ScreenContent => {
  const { welcome } = words;
  const [repo] = who.repositories;
  const asks = repo !== undefined && hasRoleAtLeast(who.role, roleNeededFor('new'));
  return {
    html: fitLines([
      `<b>${escapeLine(welcome.hello(who.name))}</b>`,
      escapeLine(welcome.what, 400),
      '',
      escapeLine(welcome.role(words.roles.names[who.role], welcome.rights[who.role])),
      ...(who.repositories.length > 0
        ? [
            joinParts(
              escapeLine(welcome.repositories),
              who.repositories
                .slice(0, MOST_REPOSITORIES)
                .map((name) => codeLine(name, 60))
                .join(' · '),
            ),
          ]
        : []),
      ...(who.account === null ? [] : [escapeLine(welcome.account(who.account), 300)]),
      '',
      escapeLine(asks ? welcome.try : welcome.tryLooking),
    ]),
    buttons: [
      ...(asks
        ? [[lineButton(`▶ ${welcome.exampleOf(cutText(repo, LONGEST_NAME))}`, welcome.example(repo))]]
        : []),
      [lineButton(welcome.pending, '/pending'), lineButton(welcome.help, '/help')],
    ],
  };
};

const MAX_HELP_PAGE_LENGTH = 3_600;

export const renderHelp = (
  asked: string | null,
  role: UserRole,
  words: LanguageTexts,
  before = '',
): ScreenContent => {
  const { help, commands } = words;
  const topic = topicNamed(asked);
  const others = HELP_TOPICS.filter((one) => one !== topic && listHelpCommands(words, one, role).length > 0);
  const buttons = buttonRows(
    others.map((one) => lineButton(commands.topics[one], `/help ${one}`)),
    2,
  );
  if (topic === null)
    return {
      html: fitLines([
        ...(before ? [before, ''] : []),
        `<b>${escapeLine(help.title)}</b>`,
        escapeLine(help.words, 400),
      ]),
      buttons,
    };
  const rows = listHelpCommands(words, topic, role);
  return {
    html: fitLines(
      [
        `<b>${escapeLine(commands.topics[topic])}</b>`,
        ...rows.map(({ form, does }) => `${escapeLine(form, 300)}\n   ${escapeLine(does)}`),
        ...(rows.length === 0 ? [escapeLine(help.none)] : []),
        ...(topic === 'ask' && rows.length > 0 ? ['', escapeLine(help.options, 300)] : []),
      ],
      MAX_HELP_PAGE_LENGTH,
    ),
    buttons: [...buttons, [lineButton(help.back, '/help')]],
  };
};

const topicNamed = (asked: string | null): HelpTopic | null =>
  HELP_TOPICS.find((one) => one === asked) ??
  helpTopicOf(
    COMMAND_NAMES.find((name) => commandRow(name).names.some((typed) => typed === asked)) ?? 'answer',
  );

export const renderDidYouMean = (name: string, near: CommandName, words: LanguageTexts): ScreenContent => {
  const row = commandRow(near);
  const typed = row.names[0] ?? near;
  const shows = isReadOnlyCommand(near, defaultArguments(near as SteeringName));
  return {
    html: escapeLine(words.help.meant(name, typed)),
    buttons: shows ? [[lineButton(`/${typed}`, `/${typed}`)]] : [],
  };
};
