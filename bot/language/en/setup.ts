/** English terminal texts of `agentpr init`, `start` and the settings files. */
import { enComposed } from './sentences.ts';
import { issueLocation, type ValidationIssue } from '../../../orchestrator/model/validation-issue.ts';
import { sayRecord } from '../../text/catalogue.ts';
import { countWords } from '../../../orchestrator/model/text-format.ts';

const CLASSIC = 'https://github.com/settings/tokens/new?scopes=repo,workflow&description=AgentPR';

export const englishSetup = {
  intro: [
    'This sets AgentPR up. It takes about five minutes and needs three things:',
    '  1. a Telegram bot: write /newbot to @BotFather (https://t.me/BotFather); it answers with a token',
    `  2. a GitHub account for it: a classic token with the scopes repo and workflow (${CLASSIC})`,
    '  3. a coding agent on this machine, signed in: codex, claude, opencode, or another',
    'Each answer is checked at once and kept in .env, so Ctrl-C loses nothing: run init again to go on.',
  ].join('\n'),
  askBot:
    'Token of the Telegram bot (not shown while you paste it), “slack” for Slack alone, or “both” for both: ',
  askGitHub: 'GitHub token (not shown), or “app” to make a GitHub App in the browser: ',
  askBeside: 'A token besides, for repositories where the App is not installed (Enter: none): ',
  received: (n: number) => `(${n} characters)`,
  needed: 'This is needed.',
  kinds: {
    bot: 'That is the token of a Telegram bot. Here a GitHub token is asked for.',
    github: 'That is a GitHub token. Here the token of the Telegram bot is asked for.',
    gitlab: 'That is a GitLab token. AgentPR works with GitHub.',
    model: 'That is the key of a model provider. Your coding agent keeps it; it is not asked for here.',
    installation:
      'That is the token of an installation, which ends within the hour. Use a classic token, or “app”.',
    name: 'That is a name. @BotFather gives the token in its answer to /newbot, or to /token.',
  },
  botForm: 'A bot token is a number, a colon and letters, such as 123456789:AAE… . Copy all of it.',
  botUnknown:
    'Telegram does not know this token. Copy it again from @BotFather, or ask there for a new one: /token.',
  githubUnknown: 'GitHub does not know this token. It may have ended, or been cut off while copying.',
  unreachable: (says: string) =>
    `${says}\nThe token was not judged. Look at the network, then press Enter to try again (or paste another token): `,
  refused: (party: string, says: string) => `${party} refused: ${says}`,
  telegramIs: (name: string) => `✔ Telegram: @${name}`,
  githubIs: (login: string, scopes: string) => `✔ GitHub: ${login}, scopes: ${scopes}`,
  lacks: (scopes: string) =>
    `The token has too few scopes: ${scopes} is missing. Add it on its page, or make another one.`,
  noAgent: (installs: readonly string[]) =>
    [
      'No coding agent was found on PATH. Install one and sign in, then run init again:',
      ...installs.map((one) => `  ${one}`),
      'AgentPR starts without one, and can only run commands of your own (docs/engines.md).',
    ].join('\n'),
  agents: 'Agents on this machine:',
  askAgent: (usual: string) => `Which one does the work? A number or a name [${usual}]: `,
  noSuchAgent: 'That is none of them.',
  trying: (name: string) =>
    `Asking ${name} one question, to see that it is signed in and starts in the sandbox …`,
  agentWorks: (name: string, seconds: number) => `✔ ${name} answered after ${seconds} s`,
  agentFails: (name: string, says: string) => `✘ ${name} did not answer: ${says}`,
  askAfterFailure: (name: string) => `Choose another agent, r to try again, or Enter to keep ${name}: `,
  askAuthor: (usual: string | null) =>
    usual === null
      ? 'In whose name are commits made? Name <email>: '
      : `In whose name are commits made? Enter for ${usual}, or Name <email>: `,
  authorForm: 'Write it as Name <email>, for example Ana Lim <ana@example.org>.',
  askPublicName:
    'What may pull requests call you, who approves them? A name, or Enter for a code instead of one: ',
  publicNameForm: 'Write a name of at most 40 characters that is no number, for example Ana Lim.',
  askStart: (service: boolean) =>
    `Start AgentPR now? Enter: here, in this window${service ? ' · s: as a service, with this machine' : ''} · n: not now: `,
  sayHi: (name: string) =>
    `Now write hi to @${name} in Telegram (https://t.me/${name}). I am waiting for it …`,
  isThatYou: (name: string, id: number) =>
    `${name} (${id}) wrote. Is that you? Whoever it is may approve everything. [y/N] `,
  notYou: 'Then write from your own account; I am still waiting …',
  nobodyWrote: 'Nobody wrote. Enter to wait again, or your numeric Telegram id: ',
  idForm: 'An id is a number; several have commas between them.',
  wrote: 'All settings are in .env.',
  startLater: 'Start it with: agentpr start',
  greets: (name: string) => `@${name} greets you on your phone now. Ctrl-C stops AgentPR.`,
  slack: {
    asks: {
      SLACK_BOT_TOKEN: 'Bot token of the Slack app (xoxb-…, not shown; docs/slack.md says how to make one): ',
      SLACK_APP_TOKEN: 'Its app-level token (xapp-…, not shown): ',
    },
    forms: {
      SLACK_BOT_TOKEN:
        'A bot token of Slack begins with xoxb-. It stands under “Install App”. Copy all of it.',
      SLACK_APP_TOKEN:
        'An app-level token begins with xapp-. It stands under “Basic Information”, “App-Level Tokens”.',
    },
    askMember: 'Your member id in Slack (your picture, Profile, the three dots, Copy member ID): ',
    memberForm: 'A member id is a U or W with capital letters and digits, such as U012AB3CD.',
    is: (name: string, team: string) => `✔ Slack: @${name} in ${team}`,
    same: (pair: string) => `Your two accounts count as one person: SLACK_SAME_PEOPLE=${pair}`,
    greets: (name: string) => `Write status to @${name} in Slack now. Ctrl-C stops AgentPR.`,
  },
  writeHi: (name: string) => `Write hi to @${name} on your phone.`,
  stopped: '\nStopped. What was answered so far is kept in .env; run agentpr init again to go on.',
  noAnswer: (name: string) => `\nNo answer for ${name}. What was answered before is kept in .env.`,
  openPage: (address: string, port: string) =>
    `Open this page in a browser of this machine, and press its button:\n  ${address}\n(From another machine, first: ssh -L ${port}:127.0.0.1:${port} <this host>)`,
  appMade: (slug: string, address: string) =>
    `✔ GitHub App ${slug}. Install it where it is to work: ${address}/installations/new`,
  checksFailed: (failed: number, all: number) =>
    `${failed} of ${countWords(all, 'check')} failed; each says above what to do.`,
  party: {
    chat: (name: string) => name,
    forge: (name: string) => name,
    engine: (name: string) => `engine ${name}`,
  },
  unusable: (party: string, says: string) => `${party} cannot be used: ${says}`,
  unreached: (party: string) => `${party} could not be reached.`,
  running: (address: string) => `AgentPR is running. Health: ${address}/healthz. Ctrl-C stops it.`,
  workerRuns: (place: string, address: string) =>
    `This worker of AgentPR is running, in ${place}. Health: ${address}/healthz. Ctrl-C stops it.`,
  tokenUnknown: 'Telegram does not know the bot token. Check TELEGRAM_BOT_TOKEN.',
  fetchedElsewhere: 'Another program fetches this bot’s updates. Stop it first, or use another bot.',
  telegramRefused: (says: string) => `Telegram refused us: ${says}`,
  seeExample: 'See .env.example, or run `npx agentpr init`.',
  fixFile: 'Fix that file; docs/configuration.md lists what may stand in it.',
  unreadableFile: (file: string, says: string) => `${file} cannot be read: ${says}`,
  notJson: (says: string) => `agentpr.config.json is not JSON: ${says}`,
  noCredential: 'GITHUB_TOKEN is missing (environment or .env), and there is no GITHUB_APP_ID in its place.',
  unknownSettings: (
    all: readonly { name: string; fromFile: boolean; meant: string | null }[],
    known: readonly string[],
  ) =>
    [
      ...all.map(
        ({ name, fromFile, meant }) =>
          `Unknown setting ${name}${fromFile ? ' in .env' : ''}${meant === null ? '.' : `; did you mean ${meant}?`}`,
      ),
      `The settings are ${known.join(', ')}.`,
    ].join('\n'),
  /** Values of the environment are not shown: they may be secrets. */
  settingsIssue: (it: ValidationIssue, file: 'env' | 'config') => {
    const where = file === 'env' ? 'environment or .env' : 'agentpr.config.json';
    const place = issueLocation(it.path);
    const [name, end] = place === '' ? [where, '.'] : [place, ` (${where}).`];
    if (it.kind === 'unknown') return `${name}: there is no ${it.key}${end}`;
    if (it.found === null) return `${name} is missing${end}`;
    if (it.may.kind === 'said') return `${name}: ${it.may.says}${end}`;
    return `${name} ${file === 'env' ? '' : `is ${it.found}; it `}${sayRecord(enComposed.expectedValues, it.may)}${end}`;
  },
  brokenFile: (file: string, says: string) =>
    `${file} cannot be read: ${says}\nFix that file, or move it away; then run this again.`,
};
