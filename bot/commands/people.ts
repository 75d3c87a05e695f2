/** G3: rights are given and taken by admins only; a language is everybody's own. */
import type { Setting, UserChange } from '../../orchestrator/commands/args.ts';
import { neededFor } from '../../orchestrator/commands/read.ts';
import { ROLES, type Role } from '../../orchestrator/core/roles.ts';
import { cut } from '../../orchestrator/core/text.ts';
import { invite } from './invites.ts';
import { sentence, visible } from '../text/text.ts';
import { signOffKey } from '../../orchestrator/core/trailers.ts';
import { choose, LANGUAGE_CODES, LANGUAGES, spokenIn } from '../language/language.ts';
import { say } from '../text/catalogue.ts';
import { atLeast } from '../../orchestrator/core/roles.ts';
import { ANONYMOUS_ADMIN } from './updates.ts';
import { renderSettings, renderUsers } from '../views/people.ts';
import { person } from './acting.ts';
import { quietKey, readQuiet, writeQuiet } from '../quiet.ts';
import { isWrong } from '../../orchestrator/commands/problems.ts';
import {
  readSetting,
  settingKey,
  settingRow,
  type SettingName,
} from '../../orchestrator/commands/settings.ts';
import {
  changeLine,
  renderHouse,
  renderChanges,
  renderSetting,
  valueOf,
  type HouseScene,
} from '../views/settings.ts';
import { answer, plain, refuse, screen, settle, type Context } from './context.ts';

export const settings = async (c: Context, setting: Setting | null): Promise<void> => {
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
      return houseScreen(c);
    case 'house':
      return houseSetting(c, setting.name, setting.to);
  }
};

const allSettings = async (c: Context): Promise<void> => {
  const { query } = c.ledger;
  const { chosen } = await spokenIn(query, c.chat);
  const [signOff, quiet] = [await query.setting(signOffKey(c.user)), await query.setting(quietKey(c.user))];
  const you = { id: c.user, role: c.role, signOff: signOff || null, quiet: quiet || null };
  const html = renderSettings(you, chosen, c.updates, c.words);
  const own = LANGUAGE_CODES.map((code) => ({
    verb: 'say' as const,
    text: LANGUAGES[code].name,
    runId: '',
    says: `/settings language ${code}`,
  }));
  const { title } = c.words.house;
  const more = [{ verb: 'say' as const, text: title, runId: '', says: '/settings runs' }];
  const buttons = [own, ...(c.house ? [more] : [])];
  return settle(c, 'settings', screen(c, html, buttons));
};

const sceneOf = ({ house }: Context): HouseScene | null =>
  house ? { now: house.now(), base: house.base, limits: house.limits } : null;

const houseScreen = async (c: Context): Promise<void> => {
  const scene = sceneOf(c);
  if (!scene) return settle(c, 'settings', plain(c.words.replies.noneFits));
  const { html, buttons } = renderHouse(scene, c.role, c.words);
  return settle(c, 'settings', screen(c, html, buttons));
};

/** Row 16: looked at by everybody, changed by whoever may. */
const houseSetting = async (c: Context, name: SettingName, to: string | null): Promise<void> => {
  const { house, words } = c;
  const tell = (text: string): Promise<void> => settle(c, 'setting', plain(text));
  if (!house) return tell(words.replies.noneFits);
  const { needs } = settingRow(name);
  let note = '';
  if (to !== null) {
    if (!atLeast(c.role, needs)) return tell(words.roles.needs(needs));
    const read = to.toLowerCase() === 'default' ? null : readSetting(name, to, house.limits);
    if (read && isWrong(read)) return tell(say(words.problems, read.problem ?? { kind: 'no_goal' }));
    await house.set(name, read?.value ?? null, person(c));
    note = words.house.set(words.house.names[name], valueOf(name, settingRow(name).read(house.now()), words));
  }
  const changes = await c.ledger.query.changes(MOST_CHANGES);
  const last = changes.find((one) => one.what === 'setting' && one.key === settingKey(name));
  const scene = { now: house.now(), base: house.base, limits: house.limits };
  const told = last ? changeLine(last, c.clock.now(), words) : null;
  const { html, buttons } = renderSetting(name, scene, told, c.role, words, note);
  return settle(c, 'setting', screen(c, html, buttons));
};

const MOST_CHANGES = 100;

const settingsLog = async (c: Context): Promise<void> => {
  if (!atLeast(c.role, 'admin')) return refuse(c, 'role', plain(c.words.roles.needs('admin')));
  const changes = await c.ledger.query.changes(MOST_CHANGES);
  const { html, buttons } = renderChanges(changes, c.clock.now(), c.words);
  return settle(c, 'settings log', screen(c, html, buttons));
};

/** Everybody's own. */
const restsAt = async (c: Context, to: string): Promise<void> => {
  const hours = to === '' ? null : readQuiet(to);
  if (to !== '' && hours === null) return settle(c, 'quiet', plain(c.words.house.quietForm));
  const said = hours && writeQuiet(hours);
  await c.ledger.setSetting(quietKey(c.user), said ?? '', person(c));
  return settle(c, 'quiet', plain(c.words.house.quietSet(said)));
};

/** F9: of themselves, and of nobody else. */
const signsOff = async (c: Context, as: string): Promise<void> => {
  if (!atLeast(c.role, 'operator')) return refuse(c, 'role', plain(c.words.roles.needs('operator')));
  await c.ledger.setSetting(signOffKey(c.user), as, person(c));
  const { signsOff: told, signOff } = c.words.settings;
  return settle(c, 'sign-off', plain(as === '' ? signOff(null) : told(as)));
};

const speaks = async (c: Context, asked: string): Promise<void> => {
  const wish = (['auto', ...LANGUAGE_CODES] as const).find((one) => one === asked);
  if (wish === undefined)
    return settle(c, 'language', plain(say(c.words.problems, { kind: 'language', text: asked })));
  if (!c.private && !atLeast(c.role, 'operator')) return refuse(c, 'role', plain(c.words.settings.group));
  await choose(c.ledger, c.chat, wish, c.language);
  if (c.private) c.onMember?.(c.user);
  const { language } = await spokenIn(c.ledger.query, c.chat);
  const words = LANGUAGES[language];
  return settle(c, 'language', plain(words.settings.changed(words.name)));
};

/** Done again after a crash, both changes come to the same. */
export const users = async (c: Context, change: UserChange | null): Promise<void> => {
  const tell = (text: string): Promise<void> => settle(c, 'users', plain(text));
  const { users: w, roles: names } = c.words;
  if (change === null) return settle(c, 'users', answer(renderUsers(await c.roles.everybody(), c.words)));
  if (change.op === 'invite') return invites(c, change.role);
  const { id } = change;
  if (!c.isPerson(id)) return tell(say(c.words.problems, { kind: 'user', text: id.slice(0, 40) }));
  // G4: rights of that account would be rights of whoever hides behind a group.
  if (id === ANONYMOUS_ADMIN) return tell(w.anonymous);
  const known = await c.roles.of(id);
  if (known?.fixed) return tell(w.unchangeable(id));
  const name = (change.op === 'add' ? change.name : null) ?? known?.name ?? `user ${id}`;
  if (change.op === 'add') {
    await c.ledger.setUser({ id, name, role: change.role }, person(c));
    c.onMember?.(id);
    return tell(w.added(name, id, names.names[change.role]));
  }
  if (!known) return tell(w.unknown(id));
  await c.ledger.removeUser(id, person(c));
  c.onMember?.(id);
  return tell(w.removed(name, id));
};

const invites = async (c: Context, role: Role): Promise<void> => {
  const { users: w, roles: names } = c.words;
  // A code in a group would be everybody's.
  if (!c.private) return settle(c, 'users', plain(w.inviteAlone));
  const code = await invite(c.ledger, { id: c.user, name: c.name }, role, c.clock.now());
  if (code === null) return settle(c, 'users', plain(w.inviteMany));
  const bot = c.botName();
  const link = bot === null ? `/start ${code}` : `https://t.me/${bot}?start=${code}`;
  return settle(c, 'users', plain(w.invite(link, names.names[role])));
};

/** People whom an admin chose on their phone: a button gives each a role. */
export const chosen = async (c: Context, people: readonly { id: string; name: string }[]): Promise<void> => {
  if (!atLeast(c.role, neededFor('users', { change: null })))
    return refuse(c, 'role', plain(c.words.roles.needs('admin')));
  const { users: w, roles: names } = c.words;
  const rows = people.slice(0, 5).map(({ id, name }) => {
    const called = cut(visible(name).replace(/\s+/g, ' ').trim(), 40) || id;
    return ROLES.map((role) => ({
      verb: 'say' as const,
      text: `${called}: ${names.names[role]}`,
      runId: '',
      says: `/users add ${id} ${role} ${called}`,
    }));
  });
  return settle(
    c,
    'chosen',
    answer(
      sentence(w.chosen),
      rows.flatMap((row) => [row.slice(0, 2), row.slice(2)]),
    ),
  );
};
