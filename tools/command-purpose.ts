/** What a command is for, by its program and the words behind it. */
import { patternSource } from './pattern.ts';
import { createRowTable } from './tool-rows.ts';
import type { ToolRow } from './tool-schema.ts';

type Told = NonNullable<ToolRow['commands']>[number];
export type CommandPurpose = Exclude<Told['for'], 'nothing'>;
type Rule = { matches: RegExp; purpose: Told['for']; language: string };
type FoundPurpose = Pick<Rule, 'purpose' | 'language'>;

const ANY_LANGUAGE = 'any';
const escapePattern = (text: string): string => text.replace(/[.*+?[\]]/g, String.raw`\$&`);
const namesPattern = (names: readonly string[]): string => `(?:${names.map(escapePattern).join('|')})`;

/** `php -d memory_limit=1G vendor/bin/phpunit` is phpunit. */
const startPattern = ({ names = [], startedBy }: ToolRow): string =>
  `${startedBy === undefined ? '' : String.raw`(?:${startedBy} (?:-\w \S+ )*(?:\S*\/)?)?`}${namesPattern(names)}`;

const toRule = (row: ToolRow, told: Told): Rule => {
  const { source, flags } = patternSource(told.behind ?? String.raw`\b`);
  const language = told.language ?? row.language ?? ANY_LANGUAGE;
  return {
    matches: new RegExp(`^${startPattern(row)}${source}`, flags),
    purpose: told.for,
    language: language === ANY_LANGUAGE ? '' : language,
  };
};

/** Rules by the first letter of what they match, because there are hundreds. */
const rules = createRowTable((rows) => {
  const byLetter = new Map<string, Rule[]>();
  for (const row of rows) {
    const letters = new Set(
      [...(row.names ?? []), row.startedBy ?? ''].map((name) => name[0]?.toLowerCase()),
    );
    const own = (row.commands ?? []).map((told) => toRule(row, told));
    for (const letter of letters)
      if (letter !== undefined) byLetter.set(letter, [...(byLetter.get(letter) ?? []), ...own]);
  }
  return byLetter;
});

/** `nothing` is a program that we know, which neither checks nor prepares. */
export const findPurpose = (command: string): FoundPurpose | null =>
  rules()
    .get(command[0]?.toLowerCase() ?? '')
    ?.find(({ matches }) => matches.test(command)) ?? null;

const anyLanguage = createRowTable((rows) => {
  const patterns = rows.flatMap(({ names = [], anyLanguage: told }) =>
    told === undefined ? [] : [namesPattern(names) + (told === true ? '' : ` ${namesPattern(told)}`)],
  );
  return new RegExp(String.raw`^(?:${patterns.join('|')})\b`);
});
export const isForAnyLanguage = (command: string): boolean => anyLanguage().test(command);

const languages = createRowTable(
  (rows) =>
    new Map(rows.flatMap(({ names = [], language = '' }) => names.map((name) => [name, language] as const))),
);
/** Empty where a program serves several languages, or is unknown. */
export const languageOfProgram = (program: string): string => languages().get(program) ?? '';
