/** Who may do what, and what somebody has set for themselves. */
import type { Texts } from '../language/language.ts';
import { formOf } from '../language/forms.ts';
import type { Role } from '../../orchestrator/core/roles.ts';
import { fit, said, show } from '../text/text.ts';

type Person = { id: string; name: string | null; role: Role; fixed: boolean };

export const renderUsers = (people: readonly Person[], words: Texts): string =>
  fit([
    `<b>${words.users.title}</b>`,
    ...people
      .slice(0, 60)
      .map(
        ({ id, name, role, fixed }) =>
          `<code>${id}</code> ${name === null ? '' : `${said(name, 40)} `}· ${show(words.roles.names[role])}${fixed ? ` · ${words.users.fixed}` : ''}`,
      ),
    ...(people.length > 60 ? [words.fleet.more(people.length - 60)] : []),
    show(formOf('users', words)),
  ]);

export const renderSettings = (
  {
    id,
    role,
    signOff,
    quiet,
  }: Pick<Person, 'id' | 'role'> & { signOff: string | null; quiet: string | null },
  chosen: boolean,
  updates: 'webhook' | 'polling' | undefined,
  words: Texts,
): string => {
  const { settings } = words;
  return fit([
    show(settings.you(id, words.roles.names[role])),
    show(settings.language(words.name, chosen)),
    show(settings.signOff(signOff)),
    show(words.house.quiet(quiet)),
    ...(updates ? [show(settings.updates[updates])] : []),
    show(formOf('settings', words), 300),
  ]);
};
