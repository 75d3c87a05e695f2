/** Shows and changes settings: those of a person, of a chat and of the installation (G3). */
import { isWrongArgument } from '#model/chat';
import { hasRoleAtLeast } from '#model/settings';
import { signOffKey } from '#model/trailers';
import type { ChatSetting } from '#commands';
import { type SettingName, readSetting, settingRow, settingKey } from '#settings';
import { languageOfChat, LANGUAGE_CODES, LANGUAGE_TEXTS, chooseLanguage } from '../language/languages.ts';
import { quietHoursKey, parseQuietHours, formatQuietHours } from '../quiet-hours.ts';
import { sayRecord } from '#chat-text';
import { openingRuleLines } from '../views/rule-lines.ts';
import {
  type SettingsScene,
  renderRuntimeSettings,
  formatSettingValue,
  settingChangeLine,
  renderSetting,
  renderSettingChanges,
} from '../views/settings-screens.ts';
import { renderUserSettings } from '../views/user-screens.ts';
import {
  type CommandContext,
  type CommandReply,
  settleUpdate,
  refuseUpdate,
  plainReply,
  screenReply,
  personOf,
} from './command-context.ts';

/** Gives back false where nothing was changed for a fault; `taken` is shown when something was, or was shown. */
export const changeSettings = async (
  context: CommandContext,
  setting: ChatSetting | null,
  ...taken: CommandReply[]
): Promise<boolean> => {
  const { did, note, reply } = await applyChatSetting(context, setting);
  await (did ? settleUpdate(context, note, reply, ...taken) : refuseUpdate(context, note, reply));
  return did;
};

type SettingChange = { did: boolean; note: string; reply: CommandReply };
const toChange = (note: string, reply: CommandReply): SettingChange => ({ did: true, note, reply });
const toRefusal = (note: string, says: string): SettingChange => ({
  did: false,
  note,
  reply: plainReply(says),
});

const applyChatSetting = async (
  context: CommandContext,
  setting: ChatSetting | null,
): Promise<SettingChange> => {
  switch (setting?.what) {
    case undefined:
      return allSettings(context);
    case 'signoff':
      return setSignOff(context, setting.to);
    case 'language':
      return changeLanguage(context, setting.to);
    case 'quiet':
      return setQuietHours(context, setting.to);
    case 'log':
      return settingsLog(context);
    case 'runs':
      return installationScreen(context);
    case 'installation':
      return installationSetting(context, setting.name, setting.to);
  }
};

const allSettings = async (context: CommandContext): Promise<SettingChange> => {
  const { query } = context.ledger;
  const { chosen } = await languageOfChat(query, context.chat);
  const signOff = await query.setting(signOffKey(context.user));
  const quiet = await query.setting(quietHoursKey(quietHoursOwner(context)));
  const you = { id: context.user, role: context.role, signOff: signOff || null, quiet: quiet || null };
  const html = renderUserSettings(you, chosen, context.host.updates, context.words);
  const own = LANGUAGE_CODES.map((code) => ({
    verb: 'say' as const,
    text: LANGUAGE_TEXTS[code].name,
    runId: '',
    says: `/settings language ${code}`,
  }));
  const { title } = context.words.installation;
  const more = [{ verb: 'say' as const, text: title, runId: '', says: '/settings runs' }];
  const buttons = [own, ...(context.services.runtimeSettings ? [more] : [])];
  return toChange('settings', screenReply(context, html, buttons));
};

const sceneOf = ({ services: { runtimeSettings } }: CommandContext): SettingsScene | null =>
  runtimeSettings
    ? { now: runtimeSettings.now(), base: runtimeSettings.base, limits: runtimeSettings.limits }
    : null;
const installationScreen = async (context: CommandContext): Promise<SettingChange> => {
  const scene = sceneOf(context);
  if (!scene) return toRefusal('settings', context.words.replies.noneFits);
  const rules = context.services.openingRules?.();
  const lines = rules ? openingRuleLines(rules, context.clock.now(), context.words) : [];
  const { html, buttons } = renderRuntimeSettings(scene, context.role, context.words, lines);
  return toChange('settings', screenReply(context, html, buttons));
};

const installationSetting = async (
  context: CommandContext,
  name: SettingName,
  to: string | null,
): Promise<SettingChange> => {
  const {
    services: { runtimeSettings },
    words,
  } = context;
  if (!runtimeSettings) return toRefusal('setting', words.replies.noneFits);
  let note = '';
  if (to !== null) {
    const read = to.toLowerCase() === 'default' ? null : readSetting(name, to, runtimeSettings.limits);
    if (read && isWrongArgument(read))
      return toRefusal('setting', sayRecord(words.problems, read.problem ?? { kind: 'no_goal' }));
    await runtimeSettings.set(name, read?.value ?? null, personOf(context));
    note = words.installation.set(
      words.installation.names[name],
      formatSettingValue(name, settingRow(name).read(runtimeSettings.now()), words),
      settingRow(name).holds,
    );
  }
  const changes = await context.ledger.query.changes(MOST_CHANGES);
  const last = changes.find((one) => one.what === 'setting' && one.key === settingKey(name));
  const scene = { now: runtimeSettings.now(), base: runtimeSettings.base, limits: runtimeSettings.limits };
  const told = last ? settingChangeLine(last, context.clock.now(), words) : null;
  const { html, buttons } = renderSetting(name, scene, told, context.role, words, note);
  return toChange('setting', screenReply(context, html, buttons));
};

const MOST_CHANGES = 100;
const settingsLog = async (context: CommandContext): Promise<SettingChange> => {
  const changes = await context.ledger.query.changes(MOST_CHANGES);
  const { html, buttons } = renderSettingChanges(changes, context.clock.now(), context.words);
  return toChange('settings log', screenReply(context, html, buttons));
};

/** A person with accounts in two chats sets quiet hours for the chat they write in. */
const quietHoursOwner = (context: CommandContext): string => (context.private ? context.chat : context.user);
const setQuietHours = async (context: CommandContext, to: string): Promise<SettingChange> => {
  const hours = to === '' ? null : parseQuietHours(to);
  if (to !== '' && hours === null) return toRefusal('quiet', context.words.installation.quietForm);
  const said = hours && formatQuietHours(hours);
  await context.ledger.setSetting(quietHoursKey(quietHoursOwner(context)), said ?? '', personOf(context));
  return toChange('quiet', plainReply(context.words.installation.quietSet(said)));
};

/** F9: users can set only their own sign-off. */
const setSignOff = async (context: CommandContext, as: string): Promise<SettingChange> => {
  await context.ledger.setSetting(signOffKey(context.user), as, personOf(context));
  const { signsOff: told, signOff } = context.words.settings;
  return toChange('sign-off', plainReply(as === '' ? signOff(null) : told(as)));
};

const changeLanguage = async (context: CommandContext, asked: string): Promise<SettingChange> => {
  const wish = (['auto', ...LANGUAGE_CODES] as const).find((one) => one === asked);
  if (wish === undefined)
    return toRefusal('language', sayRecord(context.words.problems, { kind: 'language', text: asked }));
  if (!context.private && !hasRoleAtLeast(context.role, 'operator'))
    return toRefusal('role', context.words.settings.group);
  await chooseLanguage(context.ledger, context.chat, wish, context.language);
  if (context.private) context.people.onMember?.(context.user);
  const { language } = await languageOfChat(context.ledger.query, context.chat);
  const words = LANGUAGE_TEXTS[language];
  return toChange('language', plainReply(words.settings.changed(words.name)));
};
