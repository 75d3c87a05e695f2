/** Renders users with their roles, and a user's own settings. */
import type { LanguageTexts } from '../language/languages.ts';
import { commandFormOf } from '../language/command-forms.ts';
import type { UserRole } from '#model/settings';
import { fitLines, codeLine, escapeLine } from '../text/telegram-html.ts';

type Person = { id: string; name: string | null; role: UserRole; fixed: boolean; sessions: number };

export const renderUsers = (people: readonly Person[], words: LanguageTexts): string =>
  fitLines([
    `<b>${words.users.title}</b>`,
    ...people
      .slice(0, 60)
      .map(
        ({ id, name, role, fixed, sessions }) =>
          `<code>${id}</code> ${name === null ? '' : `${codeLine(name, 40)} `}· ${escapeLine(words.roles.names[role])}${fixed ? ` · ${words.users.fixed}` : ''}${sessions > 0 ? ` · ${escapeLine(words.board.sessions(sessions))}` : ''}`,
      ),
    ...(people.length > 60 ? [words.fleet.more(people.length - 60)] : []),
    escapeLine(commandFormOf('users', words)),
  ]);

export const renderUserSettings = (
  {
    id,
    role,
    signOff,
    quiet,
  }: Pick<Person, 'id' | 'role'> & { signOff: string | null; quiet: string | null },
  chosen: boolean,
  updates: 'webhook' | 'polling' | undefined,
  words: LanguageTexts,
): string => {
  const { settings } = words;
  return fitLines([
    escapeLine(settings.you(id, words.roles.names[role])),
    escapeLine(settings.language(words.name, chosen)),
    escapeLine(settings.signOff(signOff)),
    escapeLine(words.installation.quiet(quiet)),
    ...(updates ? [escapeLine(settings.updates[updates])] : []),
    escapeLine(commandFormOf('settings', words), 300),
  ]);
};
