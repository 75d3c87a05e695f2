/** Only admins grant and revoke roles; everybody may set their own language (G3). */
import { roleNeededFor, type ChatSetting, type UserChange } from '#commands';
import { USER_ROLES, type UserRole, hasRoleAtLeast } from '#model/settings';
import { fingerprintOf } from '#passkeys';
import { cutText } from '#model/values';
import { signOffKey } from '#model/trailers';
import { isWrongArgument } from '#model/chat';
import { createInvite } from './invites.ts';
import { escapeSentence } from '../text/telegram-html.ts';
import { showInvisible } from '../../text-safety/index.ts';
import { chooseLanguage, LANGUAGE_CODES, LANGUAGE_TEXTS, languageOfChat } from '../language/languages.ts';
import { sayRecord } from '../text/sentence-catalogue.ts';
import { ANONYMOUS_ADMIN } from './read-telegram-update.ts';
import { renderUserSettings, renderUsers } from '../views/user-screens.ts';
import { personOf } from './steer-run.ts';
import { quietHoursKey, parseQuietHours, formatQuietHours } from '../quiet-hours.ts';
import { readSetting, settingKey, settingRow, type SettingName } from '#settings';
import {
  settingChangeLine,
  renderRuntimeSettings,
  renderSettingChanges,
  renderSetting,
  formatSettingValue,
  type SettingsScene,
} from '../views/settings-screens.ts';
import { openingRuleLines } from '../views/rule-lines.ts';
import {
  htmlReply,
  plainReply,
  refuseUpdate,
  screenReply,
  settleUpdate,
  type CommandContext,
  type CommandReply,
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

const peopleNow = async (context: CommandContext) =>
  Promise.all(
    (await context.people.roles.everybody()).map(async (one) => ({
      ...one,
      sessions: (await context.host.board?.access.openSessions(one.id)) ?? 0,
    })),
  );

/** Idempotent, so handling the update again after a crash is harmless. */
export const changeUsers = async (context: CommandContext, change: UserChange | null): Promise<void> => {
  const replyWith = (text: string): Promise<void> => settleUpdate(context, 'users', plainReply(text));
  const { users: w, roles: names } = context.words;
  if (change === null)
    return settleUpdate(context, 'users', htmlReply(renderUsers(await peopleNow(context), context.words)));
  if (change.op === 'invite') return sendInvite(context, change.role);
  const { id: named } = change;
  if (!context.adapter.isPerson(named))
    return replyWith(sayRecord(context.words.problems, { kind: 'user', text: named.slice(0, 40) }));
  // guard: G3-role-of-a-person
  const id = context.adapter.mainAccountOf?.(named) ?? named;
  // G4: a role for this account would apply to every anonymous group admin.
  if (id === ANONYMOUS_ADMIN) return replyWith(w.anonymous);
  const known = await context.people.roles.of(id);
  if (change.op === 'signout') {
    const ended = (await context.host.board?.access.endSessions(id, personOf(context))) ?? 0;
    return replyWith(context.words.board.signedOut(known?.name ?? id, ended));
  }
  if (known?.fixed) return replyWith(w.unchangeable(id));
  const name = (change.op === 'add' ? change.name : null) ?? known?.name ?? `user ${id}`;
  await context.host.board?.access.endSessions(id, personOf(context));
  if (change.op === 'add') {
    await context.ledger.setUser({ id, name, role: change.role }, personOf(context));
    context.people.onMember?.(id);
    return replyWith(w.added(name, id, names.names[change.role]));
  }
  if (!known) return replyWith(w.unknown(id));
  await context.ledger.removeUser(id, personOf(context));
  await revokeKeys(context, id);
  context.people.onMember?.(id);
  return replyWith(w.removed(name, id));
};

/** G11: a key that was stolen does not count when its person returns. */
const revokeKeys = async (context: CommandContext, id: string): Promise<void> => {
  const passkeys = context.host.board?.passkeys;
  for (const { publicKey } of (await passkeys?.of(id))?.keys ?? [])
    await passkeys?.revoke(id, fingerprintOf(publicKey), personOf(context));
};

const sendInvite = async (context: CommandContext, role: UserRole): Promise<void> => {
  const { users: w, roles: names } = context.words;
  // Everybody in a group could use the code.
  if (!context.private) return settleUpdate(context, 'users', plainReply(w.inviteAlone));
  const code = await createInvite(
    context.ledger,
    { id: context.user, name: context.name },
    role,
    context.clock.now(),
  );
  if (code === null) return settleUpdate(context, 'users', plainReply(w.inviteMany));
  // guard: G3-invitation-of-this-chat
  const how = context.adapter.invitationText?.(code) ?? `/start ${code}`;
  return settleUpdate(context, 'users', plainReply(w.invite(how, names.names[role])));
};

export const chooseUserRoles = async (
  context: CommandContext,
  people: readonly { id: string; name: string }[],
): Promise<void> => {
  if (!hasRoleAtLeast(context.role, roleNeededFor('users', { change: null })))
    return refuseUpdate(context, 'role', plainReply(context.words.roles.needs('admin')));
  const { users: w, roles: names } = context.words;
  const rows = people.slice(0, 5).map(({ id, name }) => {
    const called = cutText(showInvisible(name).replace(/\s+/g, ' ').trim(), 40) || id;
    return USER_ROLES.map((role) => ({
      verb: 'say' as const,
      text: `${called}: ${names.names[role]}`,
      runId: '',
      says: `/users add ${id} ${role} ${called}`,
    }));
  });
  return settleUpdate(
    context,
    'chosen',
    htmlReply(
      escapeSentence(w.chosen),
      rows.flatMap((row) => [row.slice(0, 2), row.slice(2)]),
    ),
  );
};
