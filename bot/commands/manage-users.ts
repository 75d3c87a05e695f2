/** G3: only admins grant and revoke roles; everybody may set their own language. */
import { neededFor, type ChatSetting, type UserChange } from '#commands';
import { USER_ROLES, type UserRole, atLeast } from '#model/settings';
import { fingerprintOf } from '#passkeys';
import { cutText } from '#model/values';
import { signOffKey } from '#model/trailers';
import { isWrong } from '#model/chat';
import { createInvite } from './invites.ts';
import { escapedSentence } from '../text/telegram-html.ts';
import { showInvisible } from '../../text-safety/index.ts';
import { chooseLanguage, LANGUAGE_CODES, LANGUAGE_TEXTS, languageOfChat } from '../language/languages.ts';
import { sayRecord } from '../text/catalogue.ts';
import { ANONYMOUS_ADMIN } from './read-update.ts';
import { renderSettings, renderUsers } from '../views/user-screens.ts';
import { personOf } from './steer-run.ts';
import { quietKey, readQuiet, writeQuiet } from '../quiet-hours.ts';
import { readSetting, settingKey, settingRow, type SettingName } from '#settings';
import {
  changeLine,
  renderRuntimeSettings,
  renderChanges,
  renderSetting,
  valueOf,
  type SettingsScene,
} from '../views/settings-screens.ts';
import {
  htmlReply,
  plainReply,
  refuseUpdate,
  screenReply,
  settleUpdate,
  type CommandContext,
} from './command-context.ts';

export const changeSettings = async (c: CommandContext, setting: ChatSetting | null): Promise<void> => {
  switch (setting?.what) {
    case undefined:
      return allSettings(c);
    case 'signoff':
      return signsOff(c, setting.to);
    case 'language':
      return speaks(c, setting.to);
    case 'quiet':
      return restsAt(c, setting.to);
    case 'log':
      return settingsLog(c);
    case 'runs':
      return installationScreen(c);
    case 'installation':
      return installationSetting(c, setting.name, setting.to);
  }
};

const allSettings = async (c: CommandContext): Promise<void> => {
  const { query } = c.ledger;
  const { chosen } = await languageOfChat(query, c.chat);
  const signOff = await query.setting(signOffKey(c.user));
  const quiet = await query.setting(quietKey(restingPlace(c)));
  const you = { id: c.user, role: c.role, signOff: signOff || null, quiet: quiet || null };
  const html = renderSettings(you, chosen, c.host.updates, c.words);
  const own = LANGUAGE_CODES.map((code) => ({
    verb: 'say' as const,
    text: LANGUAGE_TEXTS[code].name,
    runId: '',
    says: `/settings language ${code}`,
  }));
  const { title } = c.words.installation;
  const more = [{ verb: 'say' as const, text: title, runId: '', says: '/settings runs' }];
  const buttons = [own, ...(c.services.runtimeSettings ? [more] : [])];
  return settleUpdate(c, 'settings', screenReply(c, html, buttons));
};

const sceneOf = ({ services: { runtimeSettings } }: CommandContext): SettingsScene | null =>
  runtimeSettings
    ? { now: runtimeSettings.now(), base: runtimeSettings.base, limits: runtimeSettings.limits }
    : null;

const installationScreen = async (c: CommandContext): Promise<void> => {
  const scene = sceneOf(c);
  if (!scene) return settleUpdate(c, 'settings', plainReply(c.words.replies.noneFits));
  const { html, buttons } = renderRuntimeSettings(scene, c.role, c.words);
  return settleUpdate(c, 'settings', screenReply(c, html, buttons));
};

const installationSetting = async (
  c: CommandContext,
  name: SettingName,
  to: string | null,
): Promise<void> => {
  const {
    services: { runtimeSettings },
    words,
  } = c;
  const tell = (text: string): Promise<void> => settleUpdate(c, 'setting', plainReply(text));
  if (!runtimeSettings) return tell(words.replies.noneFits);
  const { needs } = settingRow(name);
  let note = '';
  if (to !== null) {
    if (!atLeast(c.role, needs)) return tell(words.roles.needs(needs));
    const read = to.toLowerCase() === 'default' ? null : readSetting(name, to, runtimeSettings.limits);
    if (read && isWrong(read)) return tell(sayRecord(words.problems, read.problem ?? { kind: 'no_goal' }));
    await runtimeSettings.set(name, read?.value ?? null, personOf(c));
    note = words.installation.set(
      words.installation.names[name],
      valueOf(name, settingRow(name).read(runtimeSettings.now()), words),
    );
  }
  const changes = await c.ledger.query.changes(MOST_CHANGES);
  const last = changes.find((one) => one.what === 'setting' && one.key === settingKey(name));
  const scene = { now: runtimeSettings.now(), base: runtimeSettings.base, limits: runtimeSettings.limits };
  const told = last ? changeLine(last, c.clock.now(), words) : null;
  const { html, buttons } = renderSetting(name, scene, told, c.role, words, note);
  return settleUpdate(c, 'setting', screenReply(c, html, buttons));
};

const MOST_CHANGES = 100;

const settingsLog = async (c: CommandContext): Promise<void> => {
  if (!atLeast(c.role, 'admin')) return refuseUpdate(c, 'role', plainReply(c.words.roles.needs('admin')));
  const changes = await c.ledger.query.changes(MOST_CHANGES);
  const { html, buttons } = renderChanges(changes, c.clock.now(), c.words);
  return settleUpdate(c, 'settings log', screenReply(c, html, buttons));
};

/** A person with accounts in two chats sets quiet hours for the chat they write in. */
const restingPlace = (c: CommandContext): string => (c.private ? c.chat : c.user);

const restsAt = async (c: CommandContext, to: string): Promise<void> => {
  const hours = to === '' ? null : readQuiet(to);
  if (to !== '' && hours === null)
    return settleUpdate(c, 'quiet', plainReply(c.words.installation.quietForm));
  const said = hours && writeQuiet(hours);
  await c.ledger.setSetting(quietKey(restingPlace(c)), said ?? '', personOf(c));
  return settleUpdate(c, 'quiet', plainReply(c.words.installation.quietSet(said)));
};

/** F9: users can set only their own sign-off. */
const signsOff = async (c: CommandContext, as: string): Promise<void> => {
  if (!atLeast(c.role, 'operator'))
    return refuseUpdate(c, 'role', plainReply(c.words.roles.needs('operator')));
  await c.ledger.setSetting(signOffKey(c.user), as, personOf(c));
  const { signsOff: told, signOff } = c.words.settings;
  return settleUpdate(c, 'sign-off', plainReply(as === '' ? signOff(null) : told(as)));
};

const speaks = async (c: CommandContext, asked: string): Promise<void> => {
  const wish = (['auto', ...LANGUAGE_CODES] as const).find((one) => one === asked);
  if (wish === undefined)
    return settleUpdate(
      c,
      'language',
      plainReply(sayRecord(c.words.problems, { kind: 'language', text: asked })),
    );
  if (!c.private && !atLeast(c.role, 'operator'))
    return refuseUpdate(c, 'role', plainReply(c.words.settings.group));
  await chooseLanguage(c.ledger, c.chat, wish, c.language);
  if (c.private) c.people.onMember?.(c.user);
  const { language } = await languageOfChat(c.ledger.query, c.chat);
  const words = LANGUAGE_TEXTS[language];
  return settleUpdate(c, 'language', plainReply(words.settings.changed(words.name)));
};

const peopleNow = async (c: CommandContext) =>
  Promise.all(
    (await c.people.roles.everybody()).map(async (one) => ({
      ...one,
      sessions: (await c.host.board?.access.openSessions(one.id)) ?? 0,
    })),
  );

/** Idempotent, so handling the update again after a crash is harmless. */
export const changeUsers = async (c: CommandContext, change: UserChange | null): Promise<void> => {
  const tell = (text: string): Promise<void> => settleUpdate(c, 'users', plainReply(text));
  const { users: w, roles: names } = c.words;
  if (change === null) return settleUpdate(c, 'users', htmlReply(renderUsers(await peopleNow(c), c.words)));
  if (change.op === 'invite') return invites(c, change.role);
  const { id: named } = change;
  if (!c.adapter.isPerson(named))
    return tell(sayRecord(c.words.problems, { kind: 'user', text: named.slice(0, 40) }));
  // guard: G3-role-of-a-person
  const id = c.adapter.mainAccountOf?.(named) ?? named;
  // G4: a role for this account would apply to every anonymous group admin.
  if (id === ANONYMOUS_ADMIN) return tell(w.anonymous);
  const known = await c.people.roles.of(id);
  if (change.op === 'signout') {
    const ended = (await c.host.board?.access.endSessions(id, personOf(c))) ?? 0;
    return tell(c.words.board.signedOut(known?.name ?? id, ended));
  }
  if (known?.fixed) return tell(w.unchangeable(id));
  const name = (change.op === 'add' ? change.name : null) ?? known?.name ?? `user ${id}`;
  await c.host.board?.access.endSessions(id, personOf(c));
  if (change.op === 'add') {
    await c.ledger.setUser({ id, name, role: change.role }, personOf(c));
    c.people.onMember?.(id);
    return tell(w.added(name, id, names.names[change.role]));
  }
  if (!known) return tell(w.unknown(id));
  await c.ledger.removeUser(id, personOf(c));
  await revokeKeys(c, id);
  c.people.onMember?.(id);
  return tell(w.removed(name, id));
};

/** G11: a key that was stolen does not count when its person returns. */
const revokeKeys = async (c: CommandContext, id: string): Promise<void> => {
  const passkeys = c.host.board?.passkeys;
  for (const { publicKey } of (await passkeys?.of(id))?.keys ?? [])
    await passkeys?.revoke(id, fingerprintOf(publicKey), personOf(c));
};

const invites = async (c: CommandContext, role: UserRole): Promise<void> => {
  const { users: w, roles: names } = c.words;
  // Everybody in a group could use the code.
  if (!c.private) return settleUpdate(c, 'users', plainReply(w.inviteAlone));
  const code = await createInvite(c.ledger, { id: c.user, name: c.name }, role, c.clock.now());
  if (code === null) return settleUpdate(c, 'users', plainReply(w.inviteMany));
  // guard: G3-invitation-of-this-chat
  const how = c.adapter.invitationText?.(code) ?? `/start ${code}`;
  return settleUpdate(c, 'users', plainReply(w.invite(how, names.names[role])));
};

export const chooseUserRoles = async (
  c: CommandContext,
  people: readonly { id: string; name: string }[],
): Promise<void> => {
  if (!atLeast(c.role, neededFor('users', { change: null })))
    return refuseUpdate(c, 'role', plainReply(c.words.roles.needs('admin')));
  const { users: w, roles: names } = c.words;
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
    c,
    'chosen',
    htmlReply(
      escapedSentence(w.chosen),
      rows.flatMap((row) => [row.slice(0, 2), row.slice(2)]),
    ),
  );
};
