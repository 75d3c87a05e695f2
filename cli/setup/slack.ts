/** Asks for the two tokens of Slack and the administrators there; Slack itself checks the tokens. */
import { SLACK_API } from '../../app/config.ts';
import { sayFindings } from '#language';
import { escapeControlCharacters } from '../output.ts';
import { cliWords } from '../language.ts';
import { cleanToken } from './credentials.ts';
import { askSetting, readGivenAddresses, saveSetupAnswers, type Setup } from './setup-answers.ts';

const TOKEN_FORMS = { SLACK_BOT_TOKEN: /^xoxb-[\w-]{5,}$/, SLACK_APP_TOKEN: /^xapp-[\w-]{5,}$/ } as const;
type TokenName = keyof typeof TOKEN_FORMS;
const MEMBER_IDS = /^[UW][A-Z0-9]{2,20}([\s,]+[UW][A-Z0-9]{2,20})*$/;

const askSlackToken = async (setup: Setup, name: TokenName, known: string): Promise<string> => {
  const { slack } = setup.words;
  let given = cleanToken(known, name);
  while (!TOKEN_FORMS[name].test(given)) {
    if (given !== '') setup.prompt.say(slack.forms[name]);
    given = cleanToken(await askSetting(setup, name, slack.asks[name], { secret: true }), name);
  }
  return given;
};

const askMembers = async (setup: Setup): Promise<string> => {
  const { slack } = setup.words;
  let given = setup.asksAnew ? '' : (setup.env.SLACK_ADMIN_IDS ?? '');
  while (!MEMBER_IDS.test(given)) {
    if (given !== '') setup.prompt.say(slack.memberForm);
    given = await askSetting(setup, 'SLACK_ADMIN_IDS', slack.askMember);
  }
  return given;
};

export const setUpSlack = async (setup: Setup): Promise<string> => {
  const { env, words, prompt } = setup;
  const { checkSlackTokens } = await import('#slack');
  const apiRoot = (env.SLACK_API_ROOT || SLACK_API).replace(/(?<!\/)\/+$/, '');
  const known: Partial<Record<TokenName, string>> = setup.asksAnew
    ? {}
    : { SLACK_BOT_TOKEN: env.SLACK_BOT_TOKEN ?? '', SLACK_APP_TOKEN: env.SLACK_APP_TOKEN ?? '' };
  for (;;) {
    const botToken = await askSlackToken(setup, 'SLACK_BOT_TOKEN', known.SLACK_BOT_TOKEN ?? '');
    const appToken = await askSlackToken(setup, 'SLACK_APP_TOKEN', known.SLACK_APP_TOKEN ?? '');
    Object.assign(known, { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken });
    const found = await checkSlackTokens({ botToken, appToken, apiRoot }, { now: () => Date.now() });
    if (found.kind !== 'slack') prompt.say(escapeControlCharacters(sayFindings(cliWords(), [found])));
    if (found.kind === 'slack_broken') {
      known[found.token] = '';
      continue;
    }
    if (found.kind === 'slack') prompt.say(words.slack.is(found.name, found.team));
    saveSetupAnswers(setup, {
      SLACK_BOT_TOKEN: botToken,
      SLACK_APP_TOKEN: appToken,
      ...readGivenAddresses('slack'),
    });
    saveSetupAnswers(setup, { SLACK_ADMIN_IDS: await askMembers(setup) });
    return found.name;
  }
};
