/** Stores what Slack delivers before it is acknowledged, and answers taps (L3). */
import { z } from 'zod';
import { type ChatRoles, createStrangerQuota, HINTED_SETTING, readHinted, type TapAnswer } from '#chat';
import type { WordsFor } from '#language';
import { OutsideFailure } from '#ports/forge';
import type { Ledger } from '#ports/ledger';
import type { LogPort } from '#ports/processes';
import { HOUR, MINUTE } from '#model/values';
import { readEnvelope, type SlackIdentity, type SlackRecord } from './read-envelope.ts';
import { readCallback, slackLane, toSlackStranger } from './read-record.ts';
import type { SlackChat } from './slack-chat.ts';
import { createSocket, type Acknowledgement, type Envelope } from './socket.ts';
import { isSafeSlackUrl, SLACK_NAME, type SlackApi } from './web-api.ts';

type IntakeParts = {
  bot: SlackApi;
  app: SlackApi;
  chat: SlackChat;
  ledger: Pick<Ledger, 'receive'> & { query: Pick<Ledger['query'], 'setting'> };
  roles: Pick<ChatRoles, 'of'>;
  wordsFor: WordsFor;
  clock: { now(): number };
  log: Pick<LogPort, 'warn'>;
  onStored: () => void;
  onTrouble: () => void;
} & Pick<Parameters<typeof createSocket>[0], 'pause' | 'every'>;

const Identity = z.object({
  ok: z.literal(true),
  team_id: z.string(),
  user_id: z.string(),
  user: z.string().default('agentpr'),
});
const Connection = z.object({ ok: z.literal(true), url: z.url({ protocol: /^wss?$/ }) });
const Profile = z.object({
  ok: z.literal(true),
  user: z.object({
    name: z.string().default(''),
    locale: z.string().nullish(),
    profile: z
      .object({ display_name: z.string().default(''), real_name: z.string().default('') })
      .catch({ display_name: '', real_name: '' }),
  }),
});
type KnownProfile = { name: string; language: string | null; at: number };

const PROFILE_AGE_MS = HOUR;
/** Slack wants an acknowledgement within three seconds; a name may be missing (ms). */
const PROFILE_PATIENCE_MS = 1_000;
const MAX_PROFILES = 1_000;
const MAX_DOWN_MS = MINUTE;

export const createSlackIntake = (parts: IntakeParts) => {
  const { bot, app, chat, ledger, roles, clock } = parts;
  const quota = createStrangerQuota(clock);
  const profiles = new Map<string, KnownProfile>();
  let us: SlackIdentity | null = null;

  const whoWeAre = async (signal?: AbortSignal): Promise<SlackIdentity> => {
    const { team_id: team, user_id: user, user: name } = await bot.call('auth.test', {}, Identity, signal);
    us = { team, user, name };
    return us;
  };

  const profileOf = async (user: string): Promise<Pick<KnownProfile, 'name' | 'language'>> => {
    const known = profiles.get(user);
    if (known && clock.now() - known.at < PROFILE_AGE_MS) return known;
    try {
      const signal = AbortSignal.timeout(PROFILE_PATIENCE_MS);
      const { user: told } = await bot.call('users.info', { user, include_locale: true }, Profile, signal);
      const name = told.profile.display_name || told.profile.real_name || told.name;
      if (profiles.size >= MAX_PROFILES) profiles.clear();
      const fresh = { name: name.slice(0, 100), language: told.locale ?? null, at: clock.now() };
      profiles.set(user, fresh);
      return fresh;
    } catch (error) {
      if (!(error instanceof OutsideFailure)) throw error;
      return known ?? { name: '', language: null };
    }
  };

  const toStorable = async (record: SlackRecord, user: string): Promise<SlackRecord | null> => {
    if (await roles.of(user)) {
      if (record.slack !== 'message' && record.slack !== 'tap') return record;
      const { name, language } = await profileOf(user);
      return { ...record, name: name || record.name, language };
    }
    const reduced = toSlackStranger(record);
    if (reduced?.slack !== 'stranger') return null;
    const hinted = readHinted(await ledger.query.setting(HINTED_SETTING));
    if (reduced.answer === null && reduced.code === null && hinted.includes(reduced.user)) return null;
    if (!quota(reduced.user)) return null;
    return reduced.code === null ? reduced : { ...reduced, ...(await profileOf(reduced.user)) };
  };

  const take = async ({ kind, payload, newest }: Envelope): Promise<Acknowledgement> => {
    const read = readEnvelope(kind, payload, us ?? (await whoWeAre()), newest);
    const record = read && (await toStorable(read.record, read.user));
    if (!read || !record) return null;
    const item = { source: 'chat' as const, key: read.key, body: record, ...slackLane(record) };
    await ledger.receive([item], clock.now());
    parts.onStored();
    if (kind !== 'slash_commands' || record.slack !== 'message') return null;
    const words = await parts.wordsFor(record.chat);
    return { response_type: 'ephemeral', text: words.replies.answeredDirectly };
  };

  const socket = createSocket({
    open: async (signal) => {
      await whoWeAre(signal);
      const { url } = await app.call('apps.connections.open', {}, Connection, signal);
      // guard: G5-slack-ticket
      if (isSafeSlackUrl(url, app.root)) return url;
      throw new OutsideFailure('chat_refused', `${SLACK_NAME} names an address that is not encrypted.`);
    },
    take,
    newest: () => chat.newest(),
    clock,
    log: parts.log,
    onTrouble: parts.onTrouble,
    ...(parts.pause ? { pause: parts.pause } : {}),
    ...(parts.every ? { every: parts.every } : {}),
  });

  return {
    start: (): void => socket.start(),
    stop: (): Promise<void> => socket.stop(),
    async whoAmI(signal: AbortSignal): Promise<string> {
      const { name } = await whoWeAre(signal);
      const down = socket.downSince();
      if (down !== null && clock.now() - down > MAX_DOWN_MS)
        throw new OutsideFailure('chat_unavailable', `${SLACK_NAME} has not let us connect for a minute.`);
      return name;
    },
    botName: (): string | null => us?.name ?? null,
    async answer(tap: TapAnswer): Promise<void> {
      if (!tap.alert || tap.text === '') return;
      try {
        await chat.whisper({ ...readCallback(tap.callbackId), text: tap.text });
      } catch (error) {
        if (!(error instanceof OutsideFailure)) throw error;
      }
    },
  };
};
