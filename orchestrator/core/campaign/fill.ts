/**
 * F5: puts a repository's variables in place of `{{name}}`: in words as they are, in commands as part
 * of one word of a shell, whatever is in them. Pure.
 */

/** What `{{name}}` stands for in one repository. */
export type Values = Readonly<Record<string, string>>;

export const NAME = /^[a-z][a-z0-9_-]{0,30}$/i;
const VARIABLE = /\{\{\s*([a-z][a-z0-9_-]{0,30})\s*\}\}/gi;

/** Names that a text speaks of, in lower case. */
export const spokenOf = (text: string): string[] =>
  [...text.matchAll(VARIABLE)].map(([, name = '']) => name.toLowerCase());

/** What looks like a variable and is none: in a title, it would be published as it stands. */
export const unknownIn = (text: string): string | null =>
  /\{\{[^{}]*\}\}/.exec(text.replaceAll(VARIABLE, ''))?.[0] ?? null;

export const fill = (text: string, values: Values): string =>
  text.replaceAll(VARIABLE, (_, name: string) => values[name.toLowerCase()] ?? '');

/**
 * Where a shell reads on (POSIX, "Shell Command Language", 2.2 and 2.3): outside of quotes, within
 * either kind, in a comment, or where nobody can tell by reading so little: after a substitution or
 * a here-document, or in quotes of what another shell may run.
 */
type Place = 'bare' | 'single' | 'double' | 'comment' | 'unclear';

const UNCLEAR = /^(?:`|\$[({'"[]|<<|[<>]\()/;
const RUNS_TEXT = /\b(?:eval|ssh|xargs|(?:ba|da|k|z|fi)?sh\s+-\w*c)\b/;

/** Reads one sign, or two after a backslash. */
const readOn = (place: Place, text: string, at: number): { place: Place; next: number } => {
  const sign = text[at];
  const next = at + 1;
  if (place === 'unclear') return { place, next };
  if (place === 'comment') return { place: sign === '\n' ? 'bare' : place, next };
  if (place === 'single') return { place: sign === "'" ? 'bare' : place, next };
  if (sign === '\\') return { place, next: next + 1 };
  if (UNCLEAR.test(text.slice(at, next + 1))) return { place: 'unclear', next };
  if (sign === '"') return { place: place === 'double' ? 'bare' : 'double', next };
  if (place === 'double') return { place, next };
  if (sign === "'") return { place: 'single', next };
  const begins = at === 0 || /[\s;&|()<>]/.test(text[at - 1] ?? '');
  return { place: sign === '#' && begins ? 'comment' : place, next };
};

/** Each variable of a command, and where it stands. */
const placesIn = (command: string): { from: number; to: number; name: string; place: Place }[] => {
  let [place, read]: [Place, number] = ['bare', 0];
  return [...command.matchAll(VARIABLE)].map(({ 0: whole, 1: name = '', index: from }) => {
    while (read < from) ({ place, next: read } = readOn(place, command, read));
    // A backslash before it would be one of the value.
    if (read > from) place = 'unclear';
    const isRun = place !== 'bare' && RUNS_TEXT.test(command.slice(0, from));
    const to = from + whole.length;
    read = Math.max(read, to);
    return { from, to, name, place: isRun ? 'unclear' : place };
  });
};

/** The first variable that nobody can say is part of one word. */
export const misplacedIn = (command: string): string | null =>
  placesIn(command).find(({ place }) => !(place in IN_PLACE))?.name ?? null;

const IN_PLACE: Partial<Record<Place, (value: string) => string>> = {
  bare: (value) => `'${value.replaceAll("'", `'\\''`)}'`,
  single: (value) => value.replaceAll("'", `'\\''`),
  double: (value) => value.replaceAll(/[\\"$`]/g, '\\$&'),
};

/** Throws where a variable is misplaced. */
export const fillCommand = (command: string, values: Values): string => {
  let read = 0;
  const filled = placesIn(command).map(({ from, to, name, place }) => {
    const write = IN_PLACE[place];
    // guard: F5-one-word
    if (!write) throw new Error(`{{${name}}} stands where it cannot be quoted.`);
    const before = command.slice(read, from);
    read = to;
    return before + write(values[name.toLowerCase()] ?? '');
  });
  return filled.join('') + command.slice(read);
};

/** A name for the same value within a shell. */
export const shellName = (name: string): string => name.toUpperCase().replaceAll('-', '_');
