/** G3: rights are given and taken by admins only; a language is everybody's own. */
import type { UserChange } from '../../orchestrator/commands/args.ts';
import { choose, LANGUAGE_CODES, LANGUAGES, spokenIn } from '../language/language.ts';
import { say } from '../text/catalogue.ts';
import { atLeast } from '../../orchestrator/core/roles.ts';
import { ANONYMOUS_ADMIN } from './updates.ts';
import { renderSettings, renderUsers } from '../views/people.ts';
import { person } from './acting.ts';
import { answer, plain, settle, type Context } from './context.ts';

export const settings = async (c: Context, asked: string | null): Promise<void> => {
  if (asked === null) {
    const { chosen } = await spokenIn(c.ledger.query, c.chat);
    const you = { id: c.user, role: c.role };
    return settle(c, 'settings', answer(renderSettings(you, chosen, c.updates, c.words)));
  }
  const wish = (['auto', ...LANGUAGE_CODES] as const).find((one) => one === asked);
  if (wish === undefined)
    return settle(c, 'language', plain(say(c.words.problems, { kind: 'language', text: asked })));
  const alone = c.chat === c.user;
  if (!alone && !atLeast(c.role, 'operator')) return settle(c, 'role', plain(c.words.settings.group));
  await choose(c.ledger, c.chat, wish, c.language);
  const { language } = await spokenIn(c.ledger.query, c.chat);
  const words = LANGUAGES[language];
  return settle(c, 'language', plain(words.settings.changed(words.name)));
};

/** Done again after a crash, both changes come to the same. */
export const users = async (c: Context, change: UserChange | null): Promise<void> => {
  const say = (text: string): Promise<void> => settle(c, 'users', plain(text));
  const { users: w, roles: names } = c.words;
  if (change === null) return settle(c, 'users', answer(renderUsers(await c.roles.everybody(), c.words)));
  const { id } = change;
  // G4: rights of that account would be rights of whoever hides behind a group.
  if (id === ANONYMOUS_ADMIN) return say(w.anonymous);
  const known = await c.roles.of(id);
  if (known?.fixed) return say(w.unchangeable(id));
  const name = (change.op === 'add' ? change.name : null) ?? known?.name ?? `user ${id}`;
  if (change.op === 'add') {
    await c.ledger.setUser({ id, name, role: change.role }, person(c));
    return say(w.added(name, id, names.names[change.role]));
  }
  if (!known) return say(w.unknown(id));
  await c.ledger.removeUser(id, person(c));
  return say(w.removed(name, id));
};
