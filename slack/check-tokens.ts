/** Asks Slack for `agentpr doctor` whether both tokens work, and what they may do. */
import { z } from 'zod';
import { OutsideFailure } from '#ports/forge';
import type { SlackTokens } from './connect.ts';
import { createSlackApi } from './web-api.ts';

export const SLACK_SCOPES = [
  ...['app_mentions:read', 'chat:write', 'commands', 'files:read', 'files:write'],
  ...['im:history', 'im:write', 'users:read'],
] as const;

export type SlackFinding =
  | { kind: 'slack'; name: string; team: string }
  | { kind: 'slack_scopes'; name: string; scopes: string }
  | { kind: 'slack_broken'; token: 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN'; cause: string };

const Identity = z.object({ ok: z.literal(true), user: z.string(), team: z.string() });
const Connection = z.object({ ok: z.literal(true), url: z.string() });

export const checkSlackTokens = async (
  { botToken, appToken, apiRoot: root }: SlackTokens,
  clock: { now(): number },
): Promise<SlackFinding> => {
  const bot = createSlackApi({ token: botToken, root, clock });
  const app = createSlackApi({ token: appToken, root, clock });
  let token: Extract<SlackFinding, { kind: 'slack_broken' }>['token'] = 'SLACK_BOT_TOKEN';
  try {
    const { user: name, team } = await bot.call('auth.test', {}, Identity);
    const scopes = await bot.readScopes();
    token = 'SLACK_APP_TOKEN';
    await app.call('apps.connections.open', {}, Connection);
    const missing = SLACK_SCOPES.filter((scope) => !scopes.includes(scope));
    return missing.length > 0
      ? { kind: 'slack_scopes', name, scopes: missing.join(', ') }
      : { kind: 'slack', name, team };
  } catch (error) {
    if (!(error instanceof OutsideFailure)) throw error;
    return { kind: 'slack_broken', token, cause: error.message };
  }
};
