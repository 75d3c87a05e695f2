/** Cleans pasted tokens, and validates them by format and by their issuer. */
import { Api } from 'grammy/web';
import { createClientOptions } from '../../bot/telegram-client.ts';
import { BOT_API, readBotApi } from '../../app/config.ts';
import { fetchBotName } from '../../app/probes/chats.ts';
import { fetchAccountRights } from '../../app/probes/code-host.ts';
import type { TokenFault } from '../../app/probes/host-result.ts';
import type { LanguageTexts } from '#language';
import { type AccountRights, missingScopes } from '#forge';
import { cliWords } from '../language.ts';

/** Pastes may contain whitespace, quotes and the setting's name. */
export const cleanToken = (typed: string, name: string): string => {
  const stripQuotes = (text: string): string =>
    text.replace(/^["'`“”‘’„<]+|(?<!["'`“”‘’„>,;])["'`“”‘’„>,;]+$/gu, '');
  const whole = stripQuotes(typed.replace(/[\s\p{Cc}\p{Cf}]/gu, ''));
  return stripQuotes(whole.replace(new RegExp(`^(?:export)?${name}=`), ''));
};

type TokenKind = keyof LanguageTexts['setup']['kinds'];
const KINDS: readonly (readonly [TokenKind, RegExp])[] = [
  ['bot', /^\d+:[\w-]{10,}$/],
  ['installation', /^ghs_/],
  ['github', /^(?:gh[a-z]_|github_pat_)\w+$/],
  ['gitlab', /^gl[a-z]*-/],
  ['model', /^sk-/],
  ['name', /^@|^(?:https?:\/\/)?t\.me\//],
];
export const tokenKindOf = (token: string): TokenKind | null =>
  KINDS.find(([, pattern]) => pattern.test(token))?.[0] ?? null;

const PATIENCE_SECONDS = 15;
type Environment = Readonly<Record<string, string | undefined>>;
const botApiRoot = (env: Environment): string =>
  readBotApi(env.TELEGRAM_API_ROOT || BOT_API, { allowHttp: env.TELEGRAM_API_ALLOW_HTTP === 'yes' });

export const createBotApi = (token: string, env: Environment): Api =>
  new Api(token, createClientOptions(botApiRoot(env), PATIENCE_SECONDS));

/** The party that gave a token says whose it is, or why it is not accepted. */
export type Verdict<T> = { is: T } | TokenFault;

export const verifyBotToken = async (token: string, env: Environment): Promise<Verdict<string>> => {
  const found = await fetchBotName(cliWords(), {
    token,
    apiRoot: botApiRoot(env),
    seconds: PATIENCE_SECONDS,
  });
  return 'name' in found ? { is: found.name } : found;
};

export const verifyGitHubToken = async (token: string, apiUrl: string): Promise<Verdict<AccountRights>> => {
  const found = await fetchAccountRights(cliWords(), { apiUrl, token });
  return 'login' in found ? { is: found } : found;
};

/** GitHub reports no scopes for fine-grained tokens. */
export const lackingScopes = ({ scopes }: AccountRights): string[] =>
  scopes === null ? [] : missingScopes(scopes).flatMap(({ name, must }) => (must ? [name] : []));
