/** Cleans pasted tokens, and validates them by format and by their issuer. */
import { Api, GrammyError } from 'grammy/web';
import { clientTo } from '../../bot/telegram-client.ts';
import { BOT_API, readBotApi } from '../../app/config.ts';
import type { LanguageTexts } from '#language';
import { accountRights, type AccountRights, missingScopes } from '#forge';
import { OutsideFailure } from '#ports/forge';
import { failureWords, wayWords } from '../failure-words.ts';

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
export const kindOf = (token: string): TokenKind | null =>
  KINDS.find(([, pattern]) => pattern.test(token))?.[0] ?? null;

export type TokenVerdict<T> =
  | { kind: 'good'; is: T }
  | { kind: 'unknown' }
  | { kind: 'refused' | 'unreachable'; says: string };

const PATIENCE_SECONDS = 15;
type Environment = Readonly<Record<string, string | undefined>>;

export const botApi = (token: string, env: Environment): Api => {
  const root = readBotApi(env.TELEGRAM_API_ROOT || BOT_API, {
    allowHttp: env.TELEGRAM_API_ALLOW_HTTP === 'yes',
  });
  return new Api(token, clientTo(root, PATIENCE_SECONDS));
};

export const verifyBotToken = async (token: string, env: Environment): Promise<TokenVerdict<string>> => {
  try {
    return { kind: 'good', is: (await botApi(token, env).getMe()).username };
  } catch (error) {
    if (error instanceof GrammyError)
      return error.error_code === 401 || error.error_code === 404
        ? { kind: 'unknown' }
        : { kind: 'refused', says: error.description };
    return { kind: 'unreachable', says: wayWords('Telegram', error) };
  }
};

export const verifyGitHubToken = async (
  token: string,
  apiUrl: string,
): Promise<TokenVerdict<AccountRights>> => {
  try {
    return { kind: 'good', is: await accountRights({ apiUrl, token, clock: { now: () => Date.now() } }) };
  } catch (error) {
    if (error instanceof OutsideFailure && error.class === 'forge_unavailable')
      return { kind: 'unreachable', says: failureWords(error) };
    if (error instanceof OutsideFailure && error.status === 401) return { kind: 'unknown' };
    return { kind: 'refused', says: failureWords(error) };
  }
};

/** GitHub reports no scopes for fine-grained tokens. */
export const lackingScopes = ({ scopes }: AccountRights): string[] =>
  scopes === null ? [] : missingScopes(scopes).flatMap(({ name, must }) => (must ? [name] : []));
