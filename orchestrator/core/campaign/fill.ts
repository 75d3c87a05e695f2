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

/** A value that is itself wherever a shell comes upon it, whatever it makes of the place. */
const PLAIN = /^[\w./@:+,=%-]*$/;

/**
 * Where a shell reads on (POSIX, "Shell Command Language", 2.2 and 2.3): outside of quotes, within
 * either kind, in a comment, or where nobody can tell by reading so little.
 */
type Place = 'bare' | 'single' | 'double' | 'comment' | 'unclear';

/** A backslash, substitutions, here-documents, arithmetic: what follows is read by other rules. */
const UNCLEAR = /[\\`]|\$(?:[('"[\\]|\{(?!\w+\}))|<[<(]|>\(|\(\(|\[\[|(?<=\w)\[/y;
const MAY_BEGIN_IT = '\\`$<>([';
/** Text that is run, or arithmetic of it, behind the back of quotes. */
const RUNS_TEXT =
  /\b(?:eval|xargs|trap|alias|let|read)\b|\bssh\s|\b(?:env\s+-S|printf\s+-v|test\s+-v)|(?:^|\s)-\w*c(?=\s|$)|\b(?:perl|ruby|node|php|lua)\b[^\n]*\s-\w*[eEr]\b|\|\s*(?:\S*\/)?(?:ba|da|k|z)?sh\b/;

const readOn = (place: Place, text: string, at: number): Place => {
  const sign = text.charAt(at);
  if (place === 'unclear') return place;
  if (place === 'comment') return sign === '\n' ? 'bare' : place;
  if (place === 'single') return sign === "'" ? 'bare' : place;
  if (MAY_BEGIN_IT.includes(sign)) {
    UNCLEAR.lastIndex = at;
    if (UNCLEAR.test(text)) return 'unclear';
  }
  if (sign === '"') return place === 'double' ? 'bare' : 'double';
  if (place === 'double') return place;
  if (sign === "'") return 'single';
  const begins = at === 0 || /[ \t\n;&|()<>]/.test(text[at - 1] ?? '');
  return sign === '#' && begins ? 'comment' : place;
};

/** How a value is written there as a part of one word. */
const IN_PLACE: Partial<Record<Place, (value: string) => string>> = {
  bare: (value) => `'${value.replaceAll("'", `'\\''`)}'`,
  single: (value) => value.replaceAll("'", `'\\''`),
  double: (value) => `"'${value.replaceAll("'", `'\\''`)}'"`,
};

/** Each variable of a command, and how its value is written there; null where only a plain one can be. */
const placesIn = (command: string) => {
  let [place, read]: [Place, number] = ['bare', 0];
  return [...command.matchAll(VARIABLE)].map(({ 0: whole, 1: name = '', index: from }) => {
    for (; read < from; read += 1) place = readOn(place, command, read);
    const to = from + whole.length;
    read = to;
    const end = command.indexOf('\n', to);
    const near = place === 'bare' && end >= 0 ? command.slice(0, end) : command;
    const write = RUNS_TEXT.test(near) ? null : (IN_PLACE[place] ?? null);
    return { from, to, name: name.toLowerCase(), write };
  });
};

/** Of one set of values after the other: the first variable whose value cannot be written where it stands. */
export const misplacedIn = (command: string): ((values: Values) => string | null) => {
  const narrow = placesIn(command).flatMap(({ name, write }) => (write ? [] : [name]));
  return (values) => narrow.find((name) => !PLAIN.test(values[name] ?? '')) ?? null;
};

/** Throws where the value of a variable cannot be written. */
export const fillCommand = (command: string, values: Values): string => {
  let read = 0;
  const filled = placesIn(command).map(({ from, to, name, write }) => {
    const value = values[name] ?? '';
    // guard: F5-one-word
    if (!write && !PLAIN.test(value)) throw new Misplaced(name);
    const before = command.slice(read, from);
    read = to;
    return before + (write ? write(value) : value);
  });
  return filled.join('') + command.slice(read);
};

export class Misplaced extends Error {
  constructor(name: string) {
    super(`{{${name}}} stands where it cannot be quoted.`);
  }
}

/** A name for the same value within a shell: none of its own. */
export const shellName = (name: string): string => `V_${name.toUpperCase().replaceAll('-', '_')}`;
