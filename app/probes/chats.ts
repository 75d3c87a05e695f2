/** Asks Telegram and Slack about our tokens. */
import { Api, GrammyError } from 'grammy/web';
import { createClientOptions } from '../../bot/telegram-client.ts';
import type { LanguageTexts } from '#language';
import { systemClock } from '../clock.ts';
import type { ControlConfig } from '../config.ts';
import { describeConnectionFailure } from '../describe-failure.ts';
import { findProxyRoute } from './network.ts';
import { failedResult, goodResult, warningResult, type HostResult, type TokenFault } from './host-result.ts';

const faultOf = (texts: LanguageTexts, error: unknown): TokenFault => {
  if (!(error instanceof GrammyError))
    return { kind: 'away', cause: describeConnectionFailure(texts, 'Telegram', error) };
  const isUnknown = error.error_code === 401 || error.error_code === 404;
  return { kind: isUnknown ? 'unknown' : 'refused', cause: error.description };
};

/** Returns the bot's name. */
export const fetchBotName = async (
  texts: LanguageTexts,
  { token, apiRoot, seconds }: { token: string; apiRoot: string; seconds: number },
): Promise<{ name: string } | TokenFault> => {
  try {
    return { name: (await new Api(token, createClientOptions(apiRoot, seconds)).getMe()).username };
  } catch (error) {
    return faultOf(texts, error);
  }
};

const TELEGRAM_FAULTS = { away: 'telegram_away', refused: 'telegram_refused' } as const;

export const checkTelegram = async (config: ControlConfig, texts: LanguageTexts): Promise<HostResult[]> => {
  if (!config.telegram) return [];
  const { token, apiRoot } = config.telegram;
  const found = await fetchBotName(texts, { token, apiRoot, seconds: 10 });
  if ('name' in found)
    return [
      goodResult('telegram', { kind: 'telegram', name: found.name, way: findProxyRoute(config, apiRoot) }),
    ];
  const { kind, cause } = found;
  return [
    failedResult(
      'telegram',
      kind === 'unknown' ? { kind: 'telegram_unknown' } : { kind: TELEGRAM_FAULTS[kind], cause },
    ),
  ];
};

export const checkSlackAccess = async (config: ControlConfig): Promise<HostResult[]> => {
  if (!config.slack) return [];
  const { checkSlackTokens } = await import('#slack');
  const found = await checkSlackTokens(config.slack, systemClock);
  switch (found.kind) {
    case 'slack':
      return [goodResult('slack', { ...found, way: findProxyRoute(config, config.slack.apiRoot) })];
    case 'slack_scopes':
      return [warningResult('slack', found)];
    case 'slack_broken':
      return [failedResult('slack', found)];
  }
};
